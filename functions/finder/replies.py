"""A search's reply as JSON, in the finder's own form and in that of the registry standard."""

from __future__ import annotations

from typing import Any

from functions.finder.documents import Documents
from functions.finder.entries import full_entry, standard_entry
from functions.finder.incoming import SearchCall
from functions.finder.settings import Upstream
from shared.query.discovery import FinderReply

REGISTRY_TYPE = "application/ai-registry+json"


def full_reply(
    call: SearchCall, reply: FinderReply, documents: Documents, base: str, upstreams: tuple[Upstream, ...]
) -> dict[str, Any]:
    """Everything: results, whether anything qualified, on which scale, what was not looked at, and the cost."""
    passed = reply.not_looked_at
    ignored = [*call.ignored, *(key for key in passed.filters if key not in call.ignored)]
    return {
        "results": [
            full_entry(document, documents)
            | {"score": _score(document.score), "exactScore": document.score, "source": base}
            for document in reply.results
        ],
        "eligibility": {"status": reply.eligibility, "threshold": reply.threshold, "topScore": reply.top_score},
        "scoreScale": reply.score_scale,
        "examined": reply.examined,
        "qualified": reply.qualified,
        "widening": reply.widening,
        "notLookedAt": {
            "sources": list(passed.sources),
            "failed": [one.model_dump() for one in passed.failed],
            "items": [one.model_dump() for one in passed.items],
            "candidates": passed.candidates,
        },
        "filter": {"applied": {key: list(values) for key, values in call.request.filters}, "ignored": ignored},
        "notes": [*call.notes, *reply.notes, *_federation_notes(call, upstreams)],
        "usage": reply.usage.model_dump(mode="json"),
        **_paging(call, reply),
        **_referrals(call, upstreams),
    }


def standard_reply(
    call: SearchCall, reply: FinderReply, documents: Documents, base: str, upstreams: tuple[Upstream, ...]
) -> dict[str, Any]:
    """Nothing but what the standard knows."""
    return {
        "results": [
            standard_entry(document, documents) | {"score": _score(document.score), "source": base}
            for document in reply.results
        ],
        **_paging(call, reply),
        **_referrals(call, upstreams),
    }


def _score(score: float) -> int:
    return min(100, max(0, int(score + 0.5)))


def _paging(call: SearchCall, reply: FinderReply) -> dict[str, str]:
    following = call.request.first + len(reply.results)
    return {"pageToken": call.token(following)} if reply.results and following < reply.qualified else {}


def _referrals(call: SearchCall, upstreams: tuple[Upstream, ...]) -> dict[str, Any]:
    if call.federation != "referrals":
        return {}
    return {
        "referrals": [
            {
                "identifier": f"urn:air:{_domain(upstream.url)}:registry:{upstream.name}",
                "displayName": upstream.name,
                "type": REGISTRY_TYPE,
                "url": upstream.url,
            }
            for upstream in upstreams
        ]
    }


def _federation_notes(call: SearchCall, upstreams: tuple[Upstream, ...]) -> list[str]:
    if call.federation == "none" or not upstreams:
        return []
    names = ", ".join(upstream.name for upstream in upstreams)
    if call.federation == "referrals":
        return [f"other registries may know more: {names}"]
    return [f'other registries were not asked: {names}; "federation": "referrals" gives their addresses']


def _domain(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].partition(":")[0]
