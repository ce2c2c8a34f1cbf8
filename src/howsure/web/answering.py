"""The answer to a request as bytes, or a refusal: what a thread of the server and a process of its own both do."""

from __future__ import annotations

from typing import Any

from howsure.errors import HowsureError
from howsure.web.handle import complaint, handle
from howsure.web.limits import Limits, Refusal, as_json

__all__ = ["WARM", "answer_to"]

_TWO = {"classes": ["a", "b"], "counts": [[6, 2], [1, 7]]}
_THREE = {"classes": ["a", "b", "c"], "counts": [[6, 2, 0], [1, 7, 0], [0, 1, 5]]}

#: Asked at the start, so that the first visitor finds everything loaded; the first page comes first.
WARM: tuple[dict[str, Any], ...] = (
    {"verb": "report", "matrix": _TWO, "want": ["densities", "predictive", "frequencies"]},
    {"verb": "report", "matrix": _THREE, "want": ["densities"], "prior": "learned", "draws": 4000},
    {"verb": "compare", "classifiers": [{"name": "a", "matrix": _TWO}, {"name": "b", "matrix": _TWO}]},
    {"verb": "rank", "entries": [{"name": "a", "correct": 6, "n": 9}, {"name": "b", "correct": 7, "n": 9}]},
    {"verb": "post_test", "matrix": _TWO, "pre_test": 0.1, "label": "b"},
)


def answer_to(verb: str, request: Any, limits: Limits) -> bytes:
    """The answer as JSON.

    Raises
    ------
    Refusal
        A request that is none, a question without an answer (422), or one whose answer does not fit in memory (503).
    """
    if not isinstance(request, dict) or "verb" in request:
        raise Refusal(422, "InvalidRequest", "the body is an object of the fields of a request, without its verb")
    try:
        return as_json(handle({**request, "verb": verb}, limits=limits))
    except HowsureError as error:
        said = complaint(error)
        raise Refusal(422, str(said["code"]), str(said["message"]), said["field"]) from None
    except MemoryError:
        raise Refusal(503, "TooLarge", "the answer does not fit in memory; ask for fewer draws", wait=5) from None
