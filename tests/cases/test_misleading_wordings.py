"""Sentences that mislead though every figure in them is a claim's: none of them may stand as an answer.

``misleading.tsv`` holds, for questions of all types, what a careless or hostile model might write of the answer: a
level told as a rise, a share the other way round, a count without its condition, another place, year or source.
The claims are those of the real answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from functions.ask.intake import checked_question, checked_sources
from functions.local.settings import Settings
from functions.local.wiring import open_application
from functions.present.word_task import WORD_ANSWER, WordAnswerReply, WordAnswerRequest
from shared.models.settings import ModelSettings
from tests.support.competent import restored
from tests.support.handwritten import case_of, well_read, wordings
from tests.support.model_server import Asked, Reply, model_server

MISLEADING = Path(__file__).with_name("misleading.tsv")
PANEL = ("m1", "m2")
FEW = 12


def misleading() -> Mapping[str, list[str]]:
    """The sentences by their question."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in MISLEADING.read_text("utf-8").splitlines()[1:]:
        question, sentence = line.split("\t")
        found[question].append(sentence)
    return found


async def drafts(home: Path, questions: set[str]) -> Mapping[str, WordAnswerRequest]:
    """What a model is given to word, of each question."""
    honest, asked_for = well_read(PANEL), dict[str, Any]()
    chosen = {one.question: one for one in wordings() if one.question in questions}
    now = ""

    async def script(asked: Asked) -> Reply:
        if asked.task == WORD_ANSWER.name:
            asked_for[now] = asked.data
        made = honest(asked)
        return made if isinstance(made, Reply) else await made

    async with model_server(script) as server:
        models = ModelSettings.from_environment(
            {
                "NEURALKG_PROVIDER": "openai",
                "NEURALKG_MODEL_URL": server.url,
                "NEURALKG_MODELS": ",".join(PANEL),
            }
        )
        settings = Settings(home=home, store=home / "runs.sqlite3", archive=home / "archive", models=models)
        async with open_application(settings) as app:
            for now, wording in chosen.items():
                options = case_of(wording).options
                sources = checked_sources(options.sources, app.registry)
                await app.ask(checked_question(now), options.model_copy(update={"sources": sources}))
    return {question: restored(WordAnswerRequest, data) for question, data in asked_for.items()}


async def test_no_misleading_sentence_over_a_real_answer_is_accepted_and_the_programs_own_mostly_are(
    tmp_path: Path,
) -> None:
    sentences = misleading()
    found = await drafts(tmp_path, set(sentences))
    assert set(found) == set(sentences)
    assert len({request.type for request in found.values()}) >= 13
    assert sum(map(len, sentences.values())) >= 350
    accepted = [
        (question, sentence, cited)
        for question, request in found.items()
        for sentence in sentences[question]
        for cited in _citations(request)
        if WORD_ANSWER.validate(request, WordAnswerReply(text=sentence, claims=cited)) is None
    ]
    assert not accepted
    own = [request for request in found.values() if _own_is_accepted(request)]
    assert len(own) >= 0.85 * len(found)


def _citations(request: WordAnswerRequest) -> list[tuple[str, ...]]:
    """All claims together, and where they are few each one alone."""
    every = tuple(claim.id for claim in request.claims)
    return [every, *([(name,) for name in every] if len(every) <= FEW else [])]


def _own_is_accepted(request: WordAnswerRequest) -> bool:
    """Whether the check finds nothing amiss with the program's own wording, were it a model's."""
    reply = WordAnswerReply(text=request.plain, claims=_citations(request)[0])
    return WORD_ANSWER.validate(request.model_copy(update={"plain": f"{request.plain} "}), reply) is None
