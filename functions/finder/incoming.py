"""Reads searches out of HTTP requests, and refuses everything that is not one."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from functions.finder.faults import BadRequest, TooLarge, WrongType
from functions.finder.settings import MAX_QUERY
from shared.query.discovery import FinderRequest

if TYPE_CHECKING:
    from starlette.requests import Request

MAX_TEXTS = 4
MAX_NAMES = 50
PAGE_SIZE = 10
MAX_PAGE = 100
FILTER_KEYS = ("publisher", "type", "tags")
_QUERY_KEYS = ("text", "texts", "filter")
_KEYS = ("query", "pageSize", "pageToken", "federation", "rerank", "sources", "excludeSources", "catalogs")
_FEDERATIONS = ("auto", "referrals", "none")

Federation = Literal["auto", "referrals", "none"]


@dataclass(frozen=True, slots=True)
class SearchCall:
    """A checked search, and how its reply is to be written. ``notes`` say what was changed or means nothing."""

    request: FinderRequest
    federation: Federation = "auto"
    ignored: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def token(self, first: int) -> str:
        """The page token of the page that begins at ``first``."""
        text = json.dumps({"first": first, "of": _fingerprint(self.request)})
        return base64.urlsafe_b64encode(text.encode()).decode()


async def json_object(request: Request, *, most: int) -> dict[str, Any]:
    """The JSON object in a body of at most ``most`` bytes."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind and kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise WrongType(
            "content_type_unsupported",
            f"the body is declared as {kind}",
            allowed=["application/json"],
            do="Send JSON.",
        )
    found = parsed(await body(request, most=most))
    if not isinstance(found, dict):
        raise BadRequest("body_not_json", "the body is not a JSON object", do='Send {"query": {"text": "..."}}.')
    return found


async def body(request: Request, *, most: int) -> bytes:
    """The body; raises ``TooLarge`` as soon as it is known to be longer than ``most`` bytes."""
    declared = request.headers.get("content-length", "")
    found = bytearray()
    if not (declared.isdecimal() and int(declared) > most):
        async for chunk in request.stream():
            found += chunk
            if len(found) > most:
                break
        else:
            return bytes(found)
    raise TooLarge("body_too_large", f"the body has more than {most:,} bytes", allowed=f"at most {most:,} bytes")


def parsed(data: bytes) -> Any:
    """The JSON of a body; raises ``BadRequest`` for one that cannot be read or holds no sound text."""
    try:
        found = json.loads(data)
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise BadRequest(
            "body_not_json", "the body cannot be read as JSON in UTF-8", do='Send {"query": {"text": "..."}}.'
        ) from error
    return found


def search_call(given: dict[str, Any]) -> SearchCall:
    """A search in the standard's form and the finder's own: ``{"query": {"text", "texts", "filter"}, ...}``."""
    query = given.get("query")
    if not isinstance(query, dict):
        raise _bad("query", "an object with text", '{"query": {"text": "median household income"}}')
    text = query.get("text")
    if not isinstance(text, str) or not text.strip():
        raise _bad("query.text", "text that is not empty")
    texts = query.get("texts")
    if texts is not None and not _are_texts(texts, MAX_TEXTS):
        raise _bad("query.texts", f"a list of 1 to {MAX_TEXTS} texts, none of them empty")
    filters, ignored = _filters(query.get("filter"))
    size, notes = _page_size(given.get("pageSize"))
    rerank = given.get("rerank", True)
    if not isinstance(rerank, bool):
        raise _bad("rerank", "true or false")
    federation = given.get("federation", "auto")
    if federation not in _FEDERATIONS:
        raise _bad("federation", f"one of {', '.join(_FEDERATIONS)}")
    unknown = [key for key in given if key not in _KEYS]
    unknown += [f"query.{key}" for key in query if key not in _QUERY_KEYS]
    if unknown:
        notes.append(f"these keys of the request mean nothing here and were ignored: {', '.join(unknown)}")
    request = FinderRequest(
        texts=tuple(texts) if texts else (text,),
        background=text if texts else "",
        sources=_names("sources", given.get("sources")),
        exclude_sources=_names("excludeSources", given.get("excludeSources")),
        catalogs=_names("catalogs", given.get("catalogs")),
        filters=filters,
        page_size=size,
        rerank=rerank,
    )
    first = _first(given.get("pageToken"), request)
    return SearchCall(
        request.model_copy(update={"first": first}), cast("Federation", federation), ignored, tuple(notes)
    )


def plain_call(query: object, *, sources: object = None, page_size: object = None) -> SearchCall:
    """A search in plain words, of at most 400 characters."""
    if not isinstance(query, str) or not query.strip():
        raise _bad("query", "text that is not empty")
    if len(query) > MAX_QUERY:
        raise BadRequest(
            "query_too_long",
            f"the query has {len(query)} characters",
            allowed=f"at most {MAX_QUERY} characters",
            do="Ask for one quantity in a few words, or use POST /search.",
        )
    _sound(query)
    size, notes = _page_size(page_size)
    request = FinderRequest(texts=(query.strip(),), sources=_names("sources", sources), page_size=size)
    return SearchCall(request, notes=tuple(notes))


def _filters(given: object) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[str, ...]]:
    """The filters that are obeyed, and the keys that are not."""
    if given is None:
        return (), ()
    if not isinstance(given, dict):
        raise _bad("query.filter", "an object of keys and lists of texts")
    kept, ignored = [], []
    for key, value in given.items():
        if key not in FILTER_KEYS:
            ignored.append(key)
            continue
        values = [value] if isinstance(value, str) else value
        if not _are_texts(values, MAX_NAMES):
            raise _bad(f"query.filter.{key}", f"a text or a list of 1 to {MAX_NAMES} texts")
        kept.append((key, tuple(values)))
    return tuple(kept), tuple(ignored)


def _page_size(given: object) -> tuple[int, list[str]]:
    """The page's size from 1 to 100, and a note where another was asked for."""
    if given is None:
        return PAGE_SIZE, []
    if isinstance(given, str) and given.strip().lstrip("-").isdecimal():
        given = int(given)
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    if isinstance(given, bool) or not isinstance(given, int):
        raise _bad("pageSize", f"a whole number from 1 to {MAX_PAGE}")
    size = min(MAX_PAGE, max(1, given))
    return size, [] if size == given else [f"pageSize {given} is not from 1 to {MAX_PAGE}: {size} was used"]


def _names(key: str, given: object) -> tuple[str, ...]:
    if given is None:
        return ()
    names = [given] if isinstance(given, str) else given
    if isinstance(names, list) and len(names) > MAX_NAMES:
        raise _bad(key, f"a list of at most {MAX_NAMES} names", f"{len(names)} were given")
    if names == []:
        return ()
    if not _are_texts(names, MAX_NAMES):
        raise _bad(key, f"a list of at most {MAX_NAMES} names")
    return tuple(dict.fromkeys(cast("list[str]", names)))


def _are_texts(given: object, most: int) -> bool:
    return (
        isinstance(given, list)
        and 1 <= len(given) <= most
        and all(isinstance(text, str) and text.strip() for text in given)
    )


def _first(token: object, request: FinderRequest) -> int:
    """Where the page of a token begins; a token of another search is refused."""
    if token is None or token == "":
        return 0
    try:
        found = json.loads(base64.urlsafe_b64decode(token.encode())) if isinstance(token, str) else None
    except (ValueError, binascii.Error, UnicodeError):
        found = None
    found = found if isinstance(found, dict) else {}
    first = found.get("first")
    if not isinstance(first, int) or isinstance(first, bool) or not 0 <= first <= 100_000:
        raise _bad("pageToken", "a token of an earlier page")
    if found.get("of") != _fingerprint(request):
        raise BadRequest("page_token_foreign", "pageToken belongs to another search", do="Send the same search.")
    return first


def _fingerprint(request: FinderRequest) -> str:
    text = request.model_copy(update={"first": 0}).model_dump_json()
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _sound(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _bad("query", "text in UTF-8") from error


def _bad(key: str, wanted: str, more: str | None = None) -> BadRequest:
    name = key.replace(".", "_").lower()
    return BadRequest(f"{name}_invalid", f"{key} must be {wanted}", allowed=wanted, do=more)
