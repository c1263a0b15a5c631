"""A competent model that owes the built-in rules nothing: ``tests/cases/readings.jsonl`` and the words of requests.

What a question means was read by hand and stands in the file, up to three readers' replies a question, so that the
members of a panel may differ. The bounded judgments are made from the request alone, as somebody would who sees
only that: what is offered and how it is described. A task that is not here is refused, and the tests say so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from functions.local.evaluate import load_questions
from functions.local.question_cases import QuestionCase
from functions.understand.task import UnderstandReply
from tests.support.model_server import Asked, Reply, Script, refusing, right

CASES = Path(__file__).resolve().parents[1] / "cases"
READINGS = CASES / "readings.jsonl"
_FILES = ("questions", "census", "datacommons", "unsdg")
_ARTICLES = frozenset(
    re.findall(r"\w+", "the a an of in by for to and or total rate ratio number per share level at its")
)
_WORD = re.compile(r"[a-z0-9.]+")
_NEAR = 0.5
"""Least likeness of a document that a reader would take for the quantity."""


@dataclass(frozen=True)
class Wording:
    """A question, how it was read, and the labelled case whose published figures are its answer.

    ``kind`` is ``plain`` or what makes the wording harder (``indirect``, ``misspelt``, ``nested``, ``chatty``,
    ``foreign``, ``several`` readings, a ``panel`` of readers that differ).
    """

    question: str
    of: str
    kind: str
    replies: tuple[Mapping[str, Any], ...]
    named: tuple[Mapping[str, Any], ...] = ()
    """The publishers that the question names as its source, as the judgment about them says it."""

    def reply(self, reader: int) -> Mapping[str, Any]:
        """What the reader of this number answers; where only one was written down, all say the same."""
        return self.replies[min(reader, len(self.replies) - 1)]


def wordings() -> list[Wording]:
    """All hand-written readings."""
    rows = [json.loads(line) for line in READINGS.read_text("utf-8").splitlines()]
    return [
        Wording(
            question=row["question"],
            of=row["of"],
            kind=row["kind"],
            replies=tuple(_whole(reply) for reply in row["replies"]),
            named=tuple(row.get("named", ())),
        )
        for row in rows
    ]


def case_of(wording: Wording) -> QuestionCase:
    """The labelled case with this wording in place of its own."""
    return _labelled()[wording.of].model_copy(update={"question": wording.question})


@cache
def _labelled() -> Mapping[str, QuestionCase]:
    return {case.id: case for name in _FILES for case in load_questions(CASES / f"{name}.jsonl")}


def _whole(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """A reply with every property that its schema asks for; no model is asked for identifiers."""
    made = UnderstandReply.model_validate_json(json.dumps(reply)).model_dump(mode="json")
    return dict(_without_keys(made))


def _without_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_keys(inner) for name, inner in value.items() if name != "keys"}
    return [_without_keys(inner) for inner in value] if isinstance(value, list) else value


READ = ("understand", "resolve_publishers")
"""The judgments that are written down, question by question."""


def well_read(asked_by: Sequence[str] = ("m1", "m2", "m3")) -> Script:
    """The model; ``asked_by`` are the names of the panel's members, the first reader first."""
    known = {" ".join(one.question.split()): one for one in wordings()}

    def script(asked: Asked) -> Reply:
        wording = known.get(" ".join(asked.data.get("question", "").split()))
        if asked.task == "understand":
            if wording is None:
                return right({"readings": [], "notes": [], "unreadable": "nobody has read this question"})
            return right(wording.reply(asked_by.index(asked.model)))
        if asked.task == "resolve_publishers":
            return right({"named": wording.named if wording else [], "why": "so it was written down"})
        judged = JUDGED.get(asked.task)
        if judged is None:
            return refusing(400, code="unknown_task", message=f"nobody has learnt to judge {asked.task}")
        return right(judged(asked.data))

    return script


# Judgments ---------------------------------------------------------------------------------------------


def _words(text: str) -> frozenset[str]:
    plain = text.lower().replace("under-five", "under-5").replace("-", " ").replace("%", " share ")
    found = (_stem(word.strip(".")) for word in _WORD.findall(plain))
    return frozenset(word for word in found if word and word not in _ARTICLES)


def _stem(word: str) -> str:
    for ending, left in (("ies", "y"), ("ss", "ss"), ("us", "us"), ("s", "")):
        if len(word) > 3 and word.endswith(ending):
            return word[: -len(ending)] + left
    return word


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the words of both is common to both."""
    return len(one & other) / len(one | other) if one and other else 0.0


def choose_documents(data: Mapping[str, Any]) -> Any:
    """Documents that say they mean the words, else those described in the same words, else in the likest ones."""
    asked = _words(data["measure"])
    if data["per_capita"] and "capita" not in asked:
        asked |= {"capita"}
    candidates = [one for one in data.get("candidates", []) if _is_share(one) or not data["share"]]
    named: dict[str, tuple[int, str]] = {}
    for one in candidates:
        for meaning in one.get("meanings", []):
            if _words(meaning["term"]) == asked:
                named.setdefault(one["id"], (meaning["rank"], meaning["label"]))
    if named:
        order = sorted(named, key=lambda name: named[name])
        groups = [{"documents": [name], "label": named[name][1]} for name in order]
        return {"groups": groups[:6], "other_form": [], "why": "they say that they mean these words"}
    scored = [(max((_alike(asked, _words(said)) for said in _said(one)), default=0.0), one) for one in candidates]
    best = max((score for score, _ in scored), default=0.0)
    if best < _NEAR:
        return {"groups": [], "other_form": [], "why": "none is described so"}
    like = [one for score, one in scored if score == best]
    fewest = min(one.get("constraints", "").count("=") for one in like)
    whole = [one for one in like if one.get("constraints", "").count("=") == fewest]
    groups = [{"documents": [one["id"]], "label": one["title"]} for one in whole]
    return {"groups": groups[:6], "other_form": [], "why": "they are described in these words"}


def _is_share(candidate: Mapping[str, Any]) -> bool:
    return candidate.get("unit_kind") == "percent"


def _said(candidate: Mapping[str, Any]) -> Iterable[str]:
    yield from (candidate["title"], candidate.get("quantity", ""), *candidate.get("phrases", ()))


def compare_figures(data: Mapping[str, Any]) -> Any:
    """Figures of one definition, unit and calendar are like for like."""
    told = ("definition", "measure", "unit", "period_kind", "basis", "source")
    verdicts = {
        pair["id"]: "comparable"
        if all(pair["left"].get(name) == pair["right"].get(name) for name in told)
        else "not_comparable"
        for pair in data["pairs"]
    }
    return {"verdicts": verdicts, "why": "their descriptions are the same, or they are not"}


def adds_up(data: Mapping[str, Any]) -> Any:
    """Counts and amounts of money add up; whatever is relative to something does not."""
    kinds = {"count": "yes", "currency": "yes", "percent": "no", "rate": "no", "index": "no"}
    relative = data.get("per") or re.search(r"per |rate|share|average|median|expectancy|density", data["measure"])
    return {"adds_up": "no" if relative else kinds.get(data["unit_kind"], "unknown"), "why": "by its unit"}


def choose_place(data: Mapping[str, Any]) -> Any:
    """The one place whose names the question says, with what it lies in; else the asker must say."""
    asked = _words(data["question"])
    said = [
        one
        for one in data["candidates"]
        if any(_words(area) and _words(area) <= asked for area in one.get("lies_in", []))
    ]
    chosen = said[0]["id"] if len(said) == 1 else "ambiguous"
    return {"place": chosen, "why": "the question says what it lies in, or it does not"}


def rank_tables(data: Mapping[str, Any]) -> Any:
    """The tables whose words are likest to what is asked, each scored by how alike they are."""
    asked = [_words(text) for text in data["texts"]]
    scored = [
        {"i": card["number"], "score": max(_alike(one, _words(said)) for one in asked for said in _on(card)) * 100}
        for card in data["cards"]
    ]
    return {"ranked": sorted(scored, key=lambda one: -one["score"])[: data["most"]]}


def _on(card: Mapping[str, Any]) -> Iterable[str]:
    yield from (card["title"], *card.get("asks", ()))


LISTS: Mapping[str, tuple[str, ...]] = {
    "asean": (
        "Brunei", "Cambodia", "Indonesia", "Laos", "Malaysia", "Myanmar", "Philippines", "Singapore", "Thailand",
        "Timor-Leste", "Vietnam",
    ),
    "mercosur": ("Argentina", "Bolivia", "Brazil", "Paraguay", "Uruguay"),
    "visegrad": ("Czechia", "Hungary", "Poland", "Slovakia"),
    "maghreb": ("Algeria", "Libya", "Mauritania", "Morocco", "Tunisia"),
}  # fmt: skip
"""Who belongs to groups that no source lists, by a word of their names."""


def list_members(data: Mapping[str, Any]) -> Any:
    """The members of a group that stands in the list here; of others nobody has heard."""
    group = data["group"].casefold()
    members = next((named for word, named in LISTS.items() if word in group), ())
    kind = "country" if members else data["kinds"][0]
    return {"kind": kind, "members": members, "why": "as everybody draws it"}


def choose_dimension(data: Mapping[str, Any]) -> Any:
    """The dimension of the name that was said, or of another word for it."""
    same = {"gender": "sex", "age group": "age", "ages": "age", "ethnicity": "race", "schooling": "education"}
    named = data["named"].casefold()
    wanted = _words(same.get(named, named))
    found = [
        one["id"] for one in data["options"] if wanted & _words(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", one["id"]))
    ]
    return {"dimension": found[0] if found else "none", "why": "by its name"}


def choose_fact(data: Mapping[str, Any]) -> Any:
    """The fact whose words are those that were said."""
    asked = _words(data["asked"])
    said = {one["id"]: (one["label"], *one.get("words", ())) for one in data["facts"]}
    found = [name for name, words in said.items() if any(_words(text) & asked for text in words)]
    return {"fact": found[0] if len(found) == 1 else "none", "why": "by its words"}


def choose_denotation(data: Mapping[str, Any]) -> Any:
    """Every candidate, where the question does not say the kind of one."""
    asked = _words(data["question"])
    said = [one["id"] for one in data["candidates"] if _words(one["kind"]) <= asked]
    return {"meant": said if len(said) == 1 else [one["id"] for one in data["candidates"]], "why": "by its kind"}


def accept_semantics(data: Mapping[str, Any]) -> Any:
    """What was chosen for the words was chosen by their meaning, by this same reader."""
    return {"verdicts": {one["id"]: "yes" for one in data["measures"]}, "why": "each is what was asked for"}


_AGES = re.compile(r"^(\d+)(?:-(\d+)|(\+))?$")


def choose_parts(data: Mapping[str, Any]) -> Any:
    """An unbroken chain of age groups, the finest ones; else every value, a group across the others left out."""
    ages = {one["id"]: _AGES.match(one.get("value", "")) for one in data["candidates"]}
    if all(ages.values()):
        spans = {name: (int(found[1]), _oldest(found)) for name, found in ages.items() if found}
        parts, youngest = [], 0
        while next_ones := [name for name, (first, last) in spans.items() if first == youngest and last >= first]:
            parts.append(min(next_ones, key=lambda name: spans[name][1]))
            youngest = spans[parts[-1]][1] + 1
    else:
        parts = [one["id"] for one in data["candidates"] if "hispanic" not in one.get("value", "").casefold()]
    return {"total": data["totals"][0]["id"], "parts": parts if len(parts) > 1 else [], "why": "without overlap"}


def _oldest(found: re.Match[str]) -> int:
    return 10**6 if found[3] else int(found[2] or found[1])


_LAST = re.compile(r"^(?P<said>[^.]+(?:\.\d[^.]*)*), according to (?P<whom>[^,.]+)\.$")


def word_answer(data: Mapping[str, Any]) -> Any:
    """The program's own sentence with its publisher said first; of several sentences, the same again."""
    claims = [claim["id"] for claim in data["claims"]]
    found = _LAST.match(data["plain"])
    text = f"According to {found['whom']}, {_begun(found['said'])}." if found else data["plain"]
    return {"text": text, "claims": claims}


def _begun(sentence: str) -> str:
    article = sentence.startswith("The ")
    return sentence[0].lower() + sentence[1:] if article else sentence


JUDGED: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "select_source_documents": choose_documents,
    "comparable_figures": compare_figures,
    "quantity_adds_up": adds_up,
    "choose_place": choose_place,
    "rerank_tables": rank_tables,
    "list_members": list_members,
    "datacommons_choose_dimension": choose_dimension,
    "datacommons_choose_parts": choose_parts,
    "choose_fact": choose_fact,
    "choose_denotation": choose_denotation,
    "accept_semantics": accept_semantics,
    "word_answer": word_answer,
}
