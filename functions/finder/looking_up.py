"""The routes and the tool that look up exactly: one variable, what a quantity is split by, the publishers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response

from functions.finder.entries import full_entry
from functions.finder.face import Face, whole
from functions.finder.faults import BadRequest, fault_of
from shared.runtime.errors import NeuralKGError

if TYPE_CHECKING:
    from starlette.requests import Request

    from functions.hosting.mcp import Call

VARIABLE_LIMIT, MAX_VARIABLE_LIMIT = 20, 50
VARIABLES_LIMIT, MAX_VARIABLES_LIMIT = 200, 500


class LookingUp(Face):
    """Exact lookups: nothing is embedded and no model is asked."""

    async def find_variable(self, called: Call) -> tuple[dict[str, Any], bool]:
        """The tool that looks a variable up."""
        try:
            return await self._variable(called.arguments.get("id"), called.arguments.get("limit")), False
        except NeuralKGError as error:
            return fault_of(error).as_json(), True

    async def variable(self, request: Request) -> Response:
        """``GET /variable?id=``: every source's document of one variable, in every catalog, the widest first."""
        params = request.query_params
        return JSONResponse(await self._variable(params.get("id"), params.get("limit")))

    async def _variable(self, variable: object, limit: object) -> dict[str, Any]:
        if not isinstance(variable, str) or not variable.strip():
            raise BadRequest("id_missing", "id must name a published variable", do="/variable?id=SP.POP.TOTL")
        most = whole("limit", limit, VARIABLE_LIMIT, MAX_VARIABLE_LIMIT)
        found = await self._service.finder.by_variable(variable.strip())
        # A margin of error has no table of its own: it is told which figures it belongs to.
        lookups = self._service.finder.lookups
        qualified = [] if found else await asyncio.to_thread(lookups.qualified_by, variable.strip())
        documents = self._service.documents
        return {
            "variable": variable.strip(),
            "results": [full_entry(document, documents) for document in found[:most]],
            "total": len(found),
            "companionOf": [full_entry(document, documents) for document in qualified[:most]],
            "catalogs": list(self._service.catalogs()),
        }

    async def variables(self, request: Request) -> Response:
        """``GET /variables``: the dimensions a quantity is split by, or the variables split by exactly those."""
        params = request.query_params
        parts = tuple(params.get(key, "").strip() for key in ("populationType", "measuredProperty", "statType"))
        if not all(parts):
            raise BadRequest(
                "quantity_missing",
                "populationType, measuredProperty and statType are all required",
                do="/variables?populationType=Person&measuredProperty=count&statType=measuredValue",
            )
        quantity = (parts[0], parts[1], parts[2])
        most = whole("limit", params.get("limit"), VARIABLES_LIMIT, MAX_VARIABLES_LIMIT)
        lookups = self._service.finder.lookups
        named = {"populationType": parts[0], "measuredProperty": parts[1], "statType": parts[2]}
        if "constraints" not in params:
            splits = await asyncio.to_thread(lookups.splits, quantity)
            shown = [{"constraints": list(one.constraints), "variables": one.variables} for one in splits[:most]]
            return JSONResponse({**named, "dimensions": shown, "total": len(splits)})
        wanted = sorted({part.strip() for part in params["constraints"].split(",") if part.strip()})
        found = await asyncio.to_thread(lookups.variables, quantity, wanted)
        made = [
            {
                "variable": document.variable,
                "identifier": document.identifier,
                "source": document.source,
                "displayName": document.title,
                "constraints": document.terms.get("constraints", ""),
            }
            for document in found[:most]
        ]
        return JSONResponse({**named, "constraints": wanted, "variables": made, "total": len(found)})

    async def publishers(self, _: Request) -> Response:
        """``GET /publishers``: whom a filter may name."""
        return JSONResponse({"publishers": self._service.publishers()})
