"""What else is published about Data Commons' variables: names, phrasings people use, topics, per-head sense.

A tenth of the phrasings is held out of the leaves, so that retrieval can be measured on wording that no
document carries; which tenth depends on the phrasing alone.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from finder_index.generators.catalog_files import read_csv, read_json

HELD_OUT_OF_TEN = 1
MOST_TOPICS = 3
LONGEST_PHRASING = 120
_GROUP = re.compile(r"dc/(?:topic|svpg|g)/")


@dataclass(frozen=True, slots=True)
class Known:
    """By variable id. A name comes first of those that are published; phrasings keep the files' order."""

    names: Mapping[str, str]
    phrasings: Mapping[str, tuple[str, ...]]
    topics: Mapping[str, tuple[str, ...]]
    per_head: Mapping[str, str]
    groups: frozenset[str]
    """Ids of topics and peer groups, which hold variables and are none."""
    held_out: int

    def variables(self) -> list[str]:
        """Every variable that is named, phrased or listed anywhere, sorted."""
        return sorted({*self.names, *self.phrasings, *self.topics, *self.per_head} - self.groups)


def read_known(data: Path) -> Known:
    """Read the lists that lie beside the schema in ``data/datacommons``."""
    folder = data / "datacommons"
    names: dict[str, str] = {}
    phrasings: dict[str, list[str]] = defaultdict(list)
    for row in read_csv(folder / "demo_svs_1.3k_names.csv.gz"):
        if name := row["Name"] or row["Chart Title"]:
            names.setdefault(row["StatVar"], name)
    for variable, chart in read_json(folder / "chart_titles_by_sv.json.gz").items():
        if chart["title"]:
            names.setdefault(variable, chart["title"])
    held_out = 0
    for sentence, variables in _sentences(folder):
        if is_held_out(sentence):
            held_out += 1
            continue
        for variable in variables:
            if len(sentence) <= LONGEST_PHRASING:
                phrasings[variable].append(sentence)
    topics, groups = _topics(folder)
    per_head = {
        row["DCID"]: {"y": "yes", "n": "no"}[row["isPerCapitaValid"]]
        for row in read_csv(folder / "nl_vars_percapita_ranking.csv.gz")
        if row["isPerCapitaValid"] in {"y", "n"}
    }
    groups |= {name for name in {*names, *phrasings, *topics} if _GROUP.match(name)}
    return Known(
        names=names,
        phrasings={variable: tuple(found) for variable, found in phrasings.items()},
        topics=topics,
        per_head=per_head,
        groups=frozenset(groups),
        held_out=held_out,
    )


def is_held_out(sentence: str) -> bool:
    """Whether a phrasing is kept for measuring retrieval."""
    return hashlib.sha256(sentence.casefold().encode()).digest()[0] % 10 < HELD_OUT_OF_TEN


def held_out_phrasings(data: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The phrasings that no leaf carries, each with the variables that it means."""
    for sentence, variables in _sentences(data / "datacommons"):
        kept = tuple(variable for variable in variables if not _GROUP.match(variable))
        if kept and is_held_out(sentence):
            yield sentence, kept


def _sentences(folder: Path) -> Iterator[tuple[str, list[str]]]:
    for name in ("nl_base_preindex.csv.gz", "nl_sdg_preindex.csv.gz"):
        for row in read_csv(folder / name):
            yield row["sentence"], row["dcid"].split(";")


def _topics(folder: Path) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """The names of the topics of each variable, and the ids of all topics and groups."""
    nodes = [
        node
        for name in ("topic_cache.json.gz", "sdg_topic_cache.json.gz")
        for node in read_json(folder / name)["nodes"]
    ]
    members = {
        node["dcid"][0]: [*node.get("relevantVariableList", []), *node.get("memberList", [])] for node in nodes
    }
    topics: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        if "Topic" not in node["typeOf"]:
            continue
        for member in members[node["dcid"][0]]:
            # A topic reaches its own variables and those of its groups, but not those of its subtopics.
            inside = members.get(member, []) if "/svpg/" in member else [member]
            for variable in inside:
                if not _GROUP.match(variable) and node["name"][0] not in topics[variable]:
                    topics[variable].append(node["name"][0])
    return {variable: tuple(found[:MOST_TOPICS]) for variable, found in topics.items()}, set(members)
