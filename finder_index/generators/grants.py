"""Leaves for the grants of NIH and NSF: what their project services can be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from finder_index.generators.catalog_files import read_json
from finder_index.generators.catalog_leaf import (
    AccessFields,
    LeafFields,
    Operation,
    TermValue,
    access_text,
    file_name,
    leaf_text,
)
from finder_index.generators.tally import Tally

NIH, NSF = "nih-reporter", "nsf-awards"
AGENCIES = {NIH: ("National Institutes of Health", "NIH"), NSF: ("National Science Foundation", "NSF")}
"""The agency of each source, in full and in letters."""
FILES = ("nih/projects_search_example.json", "nsf/awards_ucar_2015.json")


@dataclass(frozen=True, slots=True)
class _Measure:
    field: str
    title: str
    queries: tuple[str, ...]
    unit: str = ""


NIH_MEASURES = (
    _Measure("award_amount", "NIH award amounts by project",
             ("how much NIH funding does a project get", "NIH grant amount", "NIH funding of a university"),
             "USD"),
    _Measure("direct_cost_amt", "Direct costs of NIH projects",
             ("direct costs of an NIH grant", "how much of an NIH award is direct cost"), "USD"),
    _Measure("indirect_cost_amt", "Indirect costs of NIH projects",
             ("indirect costs of an NIH grant", "overhead paid on an NIH award"), "USD"),
    _Measure("agency_ic_fundings", "NIH funding by institute and fiscal year",
             ("how much does an NIH institute fund", "NIH funding by institute"), "USD"),
    _Measure("fiscal_year", "NIH projects by fiscal year",
             ("how many projects does NIH fund in a year", "number of NIH grants by year")),
    _Measure("organization", "NIH projects by organization and state",
             ("which universities get NIH grants", "NIH grants in a state", "NIH projects of a university")),
    _Measure("principal_investigators", "NIH projects by principal investigator",
             ("NIH grants of a researcher", "who leads an NIH project")),
    _Measure("project_title", "NIH research projects by subject",
             ("NIH projects about a disease", "which research does NIH fund on a subject")),
)  # fmt: skip
NSF_MEASURES = (
    _Measure("estimatedTotalAmt", "NSF award amounts",
             ("how much NSF funding does an award get", "NSF grant amount", "NSF funding of a university"), "USD"),
    _Measure("awardeeName", "NSF awards by awardee",
             ("which organizations get NSF awards", "NSF awards of a university")),
    _Measure("date", "NSF awards by date",
             ("how many awards did NSF make in a year", "NSF awards by year")),
    _Measure("title", "NSF awards by subject",
             ("NSF awards about a subject", "which research does NSF fund on a subject")),
)  # fmt: skip


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the two access documents and every leaf.

    A measure counts only while the recorded answer of its service has its field.
    """
    nih = read_json(data / FILES[0])["results"][0]
    nsf = read_json(data / FILES[1])["response"]["award"][0]
    for access, measures, answer in ((_nih_access(), NIH_MEASURES, nih), (_nsf_access(), NSF_MEASURES, nsf)):
        yield f"sources/{access.source}/_access.md", access_text(access)
        for measure in measures:
            tally.read()
            if measure.field not in answer:
                tally.leave_out("a field that the recorded answer does not have", measure.field)
                continue
            tally.leaf()
            leaf = _leaf(measure, access)
            yield f"sources/{access.source}/{file_name(leaf.variable)}", leaf_text(leaf)


def _leaf(measure: _Measure, access: AccessFields) -> LeafFields:
    terms: dict[str, TermValue] = {
        "populationType": "Research project",
        "field": measure.field,
        "unit": measure.unit,
        "unitKind": "currency" if measure.unit else "",
    }
    agency, short = AGENCIES[access.source]
    return LeafFields(
        variable=measure.field,
        type="Search Index",
        title=measure.title,
        description=f"{measure.title}: research grants and awards of the {agency} ({short}), from {access.title}.",
        # The agency is asked for by its name as often as by its letters.
        queries=[
            *measure.queries,
            measure.title.replace(f"{short} award", f"grants by the {agency}").replace(short, agency),
        ],
        tags=["research", "grants", "united-states"],
        resource=access.resource,
        terms=terms,
    )


def _nih_access() -> AccessFields:
    return AccessFields(
        source=NIH,
        publisher="National Institutes of Health",
        domain="reporter.nih.gov",
        licence="public domain",
        title="NIH RePORTER API, version 2",
        description="How funded research projects are searched: by words, year, organization, investigator.",
        resource="https://api.reporter.nih.gov/",
        scope="research projects funded by NIH",
        key_type=["project number", "organization", "fiscal year"],
        grain=["project"],
        frequency="fiscal years",
        coverage="projects since fiscal year 1985",
        completeness="Amounts are missing for older projects and for some subprojects.",
        tags=["research"],
        operations=[Operation("search", "POST /v2/projects/search", "criteria in the body, at most 500 a page")],
    )


def _nsf_access() -> AccessFields:
    return AccessFields(
        source=NSF,
        publisher="US National Science Foundation",
        domain="nsf.gov",
        licence="public domain",
        title="NSF Award Search API",
        description="How awards are searched: by words, awardee, date.",
        resource="https://api.nsf.gov/services/v1/",
        scope="awards of NSF",
        key_type=["award id", "awardee name"],
        grain=["award"],
        frequency="by date of the award",
        coverage="awards since 1959; fuller from 1976",
        completeness="Every value is text; amounts are estimates of the total.",
        tags=["research"],
        operations=[Operation("search", "/awards.json?awardeeName=NAME&dateStart=01/01/2015", "25 a page")],
    )
