"""The published description of the routes, from the same schemas that check the requests."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from howsure._version import __version__
from howsure.web.limits import PRIVATE, Limits
from howsure.web.schema import requests
from howsure.web.uploaded import FILES, WORKBOOK

__all__ = ["openapi"]

SUMMARIES = {
    "report": "One classifier: each metric with its interval",
    "compare": "Which of two classifiers is better",
    "rank": "A leaderboard, and how sure each rank is",
    "plan": "How many cases a test needs",
    "post_test": "One patient or sample after a test result",
    "threshold": "Scores of two classes: the matrix and its metrics at a threshold",
    "pool": "Studies or sites: a typical one, the spread between them, a new one",
    "slices": "A metric of each of many slices, and which stand out from the rest",
    "export": "An answer as a file",
    "import": "Read a matrix, predictions or a leaderboard",
    "reconstruct": "The matrix behind a published sensitivity and specificity",
    "paste": "Read what was pasted into a cell of the matrix",
}

#: Verbs whose result is an answer with a schema, and the name of that.
RESULTS = {"threshold": "operating_points"} | {
    verb: verb for verb in ("report", "compare", "rank", "plan", "post_test", "pool", "slices")
}

REFUSALS = {
    400: "no JSON, or a Host that is not answered",
    403: "asked by the page of another site",
    408: "the body came too slowly",
    413: "the body is too large",
    415: "another media type",
    422: "a request that has no answer",
    429: "too many at once; try again after Retry-After seconds",
    503: "the answer takes too long",
}


def openapi(limits: Limits = PRIVATE) -> dict[str, Any]:
    """OpenAPI 3.1 of a server with these limits.

    Examples
    --------
    >>> sorted(openapi()["paths"])[:2]
    ['/api/v1/compare', '/api/v1/export']
    """
    schemas = requests(limits)
    refusals = {
        str(status): {
            "description": why,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
        }
        for status, why in REFUSALS.items()
    }
    paths: dict[str, Any] = {
        "/healthz": {"get": {"summary": "Whether the server runs", "responses": {"200": _ok("its status")}}}
    }
    for verb, summary in SUMMARIES.items():
        if verb == "import" and not limits.imports:
            continue
        body = {"application/json": {"schema": {"$ref": f"#/components/schemas/{verb}"}}}
        operation: dict[str, Any] = {"summary": summary, "operationId": verb}
        if verb == "import":
            body = {
                media: {
                    "schema": {"type": "string", "format": "binary"} if FILES[media] == WORKBOOK else {"type": "string"}
                }
                for media in FILES
            }
            operation["parameters"] = _query(schemas["import"])
        operation["requestBody"] = {"required": True, "content": body}
        operation["responses"] = {"200": _ok("the answer", RESULTS.get(verb)), **refusals}
        paths[f"/api/v1/{verb}"] = {"post": operation}
    components = {verb: schema for verb, schema in schemas.items() if verb != "import"}
    refusal = {
        "type": "object",
        "properties": {
            "code": {"type": "string"},
            "message": {"type": "string"},
            "field": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["code", "message", "field"],
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "howsure",
            "version": __version__,
            "description": "Rows of a matrix are truth, columns are prediction, everywhere.",
        },
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": {**components, "Refusal": refusal}},
    }


def _ok(what: str, result: str | None = None) -> dict[str, Any]:
    """An answer, whose ``result`` is what a schema of the package says."""
    schema: dict[str, Any] = {"type": "object"}
    if result is not None:
        file = resources.files("howsure.answers").joinpath(f"schemas/{result}.schema.json")
        schema |= {"required": ["result"], "properties": {"result": json.loads(file.read_text(encoding="utf-8"))}}
    return {"description": what, "content": {"application/json": {"schema": schema}}}


def _query(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Options of an import, each a query parameter."""
    return [
        {"name": name, "in": "query", "required": False, "schema": _bare(kind)}
        for name, kind in schema["properties"].items()
        if name not in ("text", "ending")
    ]


def _bare(kind: dict[str, Any]) -> dict[str, Any]:
    """A schema without null, which a query cannot say."""
    kinds = [each for each in kind.get("anyOf", [kind]) if each.get("type") != "null"]
    return {"type": "string", "maxLength": 10_000} if kinds[0]["type"] == "array" else kinds[0]
