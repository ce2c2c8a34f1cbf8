"""One pure function from a request to an answer; it knows no web framework and no files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from howsure.errors import HowsureError, InvalidCounts, UnknownMetric, UnknownPrior
from howsure.io.opening import unpacked_at_most
from howsure.web import (
    contests,
    exporting,
    importing,
    knowledge,
    many_tables,
    patients,
    plans,
    published,
    reports,
    score_cuts,
)
from howsure.web.fields import InvalidRequest, checked
from howsure.web.limits import PRIVATE, Limits
from howsure.web.schema import requests

__all__ = ["complaint", "handle"]

Answer = Callable[[Mapping[str, Any], Limits], dict[str, Any]]

VERBS: dict[str, Answer] = {
    "report": reports.answered,
    "compare": contests.compared,
    "rank": contests.ranked,
    "plan": plans.answered,
    "post_test": patients.answered,
    "threshold": score_cuts.answered,
    "pool": many_tables.pooled,
    "slices": many_tables.sliced,
    "ask": knowledge.answered,
    "import": importing.answered,
    "paste": importing.pasted,
    "reconstruct": published.answered,
    "export": exporting.answered,
}


def handle(request: Mapping[str, Any], *, limits: Limits = PRIVATE) -> dict[str, Any]:
    """Answer one request.

    Parameters
    ----------
    request : mapping
        Its ``verb``, and the fields of that verb; see `howsure.web.schema`. Rows of a matrix are truth.
    limits : Limits
        How large it may be.

    Returns
    -------
    dict
        ``result`` (what the command line prints with ``--json``), ``shown`` (text, digits cut), ``drawing`` (numbers
        for pictures), ``code`` (Python and a command that give the same). Ready for JSON.

    Raises
    ------
    InvalidRequest
        A field that is unknown, missing, or outside its bounds; with its place.
    HowsureError
        A question without an answer.

    Examples
    --------
    >>> matrix = {"classes": ["high", "low"], "counts": [[26, 0], [2, 6]], "positive": "low"}
    >>> answer = handle({"verb": "report", "matrix": matrix, "metrics": ["recall@low"]})
    >>> answer["shown"]["rows"][0]["interval"], answer["result"]["metrics"][0]["law"]
    ('0.44 to 0.96', 'exact')
    """
    if not isinstance(request, Mapping):
        raise InvalidRequest("a request is an object with a verb")
    verb = request.get("verb")
    if not isinstance(verb, str) or verb not in VERBS:
        raise InvalidRequest(f"verb is one of {', '.join(VERBS)}", "verb")
    if verb == "import" and not limits.imports:
        raise InvalidRequest("this server reads no files; enter the counts, or run howsure serve yourself", "verb")
    given = {key: value for key, value in request.items() if key != "verb"}
    with unpacked_at_most(limits.upload):
        return _spoken(VERBS[verb](checked(requests(limits)[verb], given, ""), limits))


def complaint(error: HowsureError) -> dict[str, str | None]:
    """An error as data: its code, one sentence, and the field it is about."""
    place = error.field if isinstance(error, InvalidRequest) else None
    if place is None:
        kinds = {UnknownPrior: "prior", UnknownMetric: "metric", InvalidCounts: "matrix.counts"}
        place = next((name for kind, name in kinds.items() if isinstance(error, kind)), None)
    return {"code": type(error).__name__, "message": _for_page(str(error)), "field": place}


#: What a sentence says of the command line and of Python, and how the page has it, which asks instead.
_SPOKEN = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r",? or say --n \d+", ""),
        (
            r"^(an entry|a table)(?: of four cells)? needs the field '(\w+)'$",
            r"\1 has no \2; type it, or remove the line",
        ),
        (r"; or say which columns? (?:they are|it is): [^.;]+", ""),
        (r": --rows true, or --rows pred\b", ""),
        (
            r"--rows true: (.+?)\. --rows pred: (.+?)\. Say which it is\.",
            r"As true classes: \1. As predicted ones: \2.",
        ),
        (r" If no answer is a failure, count it with missing='wrong'; .*", ""),
        (r",? --prior \w+", ""),
        (r"; groups='\w+' \(--groups \w+\)", ""),
        (r" \(Predictions, or files with ids\)", ""),
        (r" \(--[^)]*\)", ""),
        (r"--range, the least and the largest possible score, does", "state the least and the greatest possible score"),
        (r" in --json(?: and --csv)?", " in an export"),
        (r"--json(?: or \.to_dict\(\))? has", "an export has"),
        (r"\. Choose one with --model \S+", ". Choose one"),
        (r" \(?(?:--labels|y_true=|y_pred=|positive=)[^.;)]*\)?", ""),
        (r"\bhowsure (?:\w+, )*\w+(?: and \w+)? (?:reads?|takes?|ranks?)\b", "the command line reads"),
    )
)


def _spoken(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer whose notes are in the words of the page."""
    shown = answer.get("shown", {})
    notes = {key: [_for_page(it) for it in shown[key]] for key in ("note", "warnings") if key in shown}
    lines = {key: _for_page(shown[key]) for key in ("footer", "left_out") if isinstance(shown.get(key), str)}
    return {**answer, "shown": {**shown, **notes, **lines}} if notes or lines else answer


def _for_page(message: str) -> str:
    for pattern, words in _SPOKEN:
        message = pattern.sub(words, message)
    return message.rstrip(" ;:,")
