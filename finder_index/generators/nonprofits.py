"""Leaves for US nonprofits: figures of Form 990 and Schedule I, and organizations by their NTEE purpose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from finder_index.generators.catalog_files import read_csv
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
from finder_index.generators.words import lower_first, plain_case, sentence, slug

SOURCE = "nonprofit-990"
FORMS = ("nonprofits/concordance_f990-part-01.csv.gz", "nonprofits/concordance_schedule-i.csv.gz")
NTEE = "nonprofits/ntee.csv.gz"
FILES = (*FORMS, NTEE)
_SHORT = (
    (re.compile(r"[-;] ?(CY|current year)\b", re.IGNORECASE), ", current year"),
    (re.compile(r"[-;] ?(PY|prior year)\b", re.IGNORECASE), ", prior year"),
    (re.compile(r"[-;] ?EOY\b"), ", end of year"),
    (re.compile(r"[-;] ?BOY\b"), ", beginning of year"),
    (re.compile(r"\bindep\b"), "independent"),
    (re.compile(r"\bgov\b"), "governing"),
)
_COUNT = re.compile(r"^(total )?(number|no\.)|_NUM_|_CNT_", re.IGNORECASE)


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf."""
    yield f"sources/{SOURCE}/_access.md", access_text(_access())
    for name in FORMS:
        first: dict[str, dict[str, str]] = {}
        paths: dict[str, list[str]] = {}
        for row in read_csv(data / name):
            tally.read()
            variable = row["variable_name"]
            if row["data_type_simple"] != "numeric":
                tally.leave_out("a text or a check box of a form, not a figure", variable)
            elif variable in first:
                tally.merge("another path of a figure that has its leaf", row["xpath"])
                paths[variable].append(row["xpath"])
            else:
                tally.leaf()
                first[variable] = row
                paths[variable] = [row["xpath"]]
        for variable, row in first.items():
            leaf = _figure_leaf(row, paths[variable])
            yield f"sources/{SOURCE}/{file_name(variable)}", leaf_text(leaf)
    yield from _purposes(data, tally)


def _figure_leaf(row: Mapping[str, str], paths: list[str]) -> LeafFields:
    words = row["description"]
    for pattern, plain in _SHORT:
        words = pattern.sub(plain, words)
    words = lower_first(" ".join(words.split()).replace(" ,", ","))
    counts = bool(_COUNT.search(words) or _COUNT.search(row["variable_name"]))
    part = row["location_code"].replace("-", " ").lower()
    terms: dict[str, TermValue] = {
        "populationType": "Nonprofit organization",
        "measuredProperty": words,
        "statType": "value",
        "unit": "number" if counts else "USD",
        "unitKind": "count" if counts else "currency",
        "form": row["form"],
        "formPart": row["form_part"],
        "formLine": row["form_line_number"],
        "elements": sorted({path.rpartition("/")[2] for path in paths}),
    }
    return LeafFields(
        variable=row["variable_name"],
        type="Form Field",
        title=sentence(words),
        description=f"{sentence(words)}, as nonprofits report it on {part}.",
        queries=[f"{words} of a nonprofit", f"what is a charity's {words}"],
        tags=["nonprofit", "united-states", slug(row["form"])],
        resource="https://www.irs.gov/charities-non-profits/form-990-series-downloads",
        terms=terms,
    )


def _purposes(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """One leaf per NTEE code: which organizations have that purpose."""
    seen: set[str] = set()
    for row in read_csv(data / NTEE):
        tally.read()
        code, name = row["ntee"], row["title"]
        if code in seen:
            tally.merge("a purpose listed again", code)
            continue
        seen.add(code)
        tally.leaf()
        keywords = [value for key, value in row.items() if key.startswith("keywords/") and value][:8]
        words = plain_case(name.replace("&", "and"))
        leaf = LeafFields(
            variable=f"ntee.{code}",
            type="Entity List",
            title=f"Nonprofits for {words} (NTEE {code})",
            description=f"Organizations that the IRS lists under purpose {code}, with assets, income and revenue.",
            queries=[f"nonprofits for {words}", f"how many charities are there for {words}"],
            tags=["nonprofit", "united-states", f"ntee-{code[:1].lower()}"],
            resource="https://www.irs.gov/charities-non-profits/exempt-organizations-business-master-file-extract-eo-bmf",
            aliases=keywords,
            terms={
                "populationType": "Nonprofit organization",
                "measuredProperty": "organizations",
                "constraints": [f"ntee={code}"],
                "unit": "organizations",
                "unitKind": "count",
            },
        )
        yield f"sources/{SOURCE}/{file_name(leaf.variable)}", leaf_text(leaf)


def _access() -> AccessFields:
    return AccessFields(
        source=SOURCE,
        publisher="Internal Revenue Service",
        domain="irs.gov",
        licence="public domain; ProPublica's service under its own terms",
        title="Form 990 returns and the list of exempt organizations",
        description="How nonprofits' returns are asked for: by employer number, and by name, state and purpose.",
        resource="https://projects.propublica.org/nonprofits/api/v2/",
        scope="tax-exempt organizations of the United States",
        key_type="ein",
        grain=["organization"],
        frequency="one return a tax year",
        coverage="electronic returns since 2009; the list of organizations is current",
        completeness="Small organizations file a postcard without figures; churches need not file.",
        tags=["nonprofit"],
        operations=[
            Operation("entity_value", "/organizations/142007220.json", "EIN"),
            Operation("entity_series", "/organizations/142007220.json", "EIN"),
            Operation("search", "/search.json?q=NAME&state[id]=NY&ntee[id]=1", "name, state, purpose"),
        ],
        notes=["no operation asks every organization for one figure", "element names of a return change by year"],
    )
