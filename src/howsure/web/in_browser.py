"""The library inside a browser: what the server does with a question, without a server, and a check of its answers."""

from __future__ import annotations

import json
import math
from typing import Any
from urllib.parse import parse_qsl

from howsure.web.answering import VERBS, answer_to, handle, request_of
from howsure.web.limits import PRIVATE, Refusal
from howsure.web.schema import FILES

#: Relative difference of two numbers that are the same but for the last digits of another processor.
NEAR = 1e-6


def answered(path: str, body: str, media: str) -> tuple[int, str]:
    """Status and answer, as JSON, to a question as the server would be sent it.

    Parameters
    ----------
    path : str
        A verb; of an import with its options as a query.
    body : str
        A request as JSON, or the text of a file.
    media : str
        Type of the body.
    """
    verb, _, query = path.partition("?")
    try:
        if verb not in VERBS:
            raise Refusal(404, "NotFound", "there is no such question")
        if verb == "import" and media not in FILES:
            raise Refusal(415, "UnsupportedMediaType", f"a file is one of {', '.join(FILES)}")
        request = request_of(verb, body.encode(), media, parse_qsl(query, keep_blank_values=True))
        return 200, answer_to(verb, request, PRIVATE).decode()
    except Refusal as refusal:
        return refusal.status, refusal.body.decode()
    except Exception as error:  # a sentence, as the server has one
        return 500, Refusal(500, "Defect", f"a defect of howsure: {type(error).__name__}").body.decode()


def differing(question: str, expected: str) -> str:
    """The first place in which the answer to a question is not the expected one; empty where it is.

    Parameters
    ----------
    question, expected : str
        A request with its verb, and the answer that the library gave elsewhere, both as JSON.
    """
    try:
        found = handle(json.loads(question))
    except Exception as error:  # an answer is expected, whatever happens instead
        return f"{type(error).__name__}: {error}"
    return same(json.loads(expected), json.loads(json.dumps(found)), "answer")


def same(expected: Any, found: Any, place: str) -> str:
    """The first place in which two JSON values differ: words in a letter, numbers in more than 1e-6 of them.

    Examples
    --------
    >>> same({"mean": [0.5, "a"]}, {"mean": [0.5 + 1e-12, "a"]}, "answer")
    ''
    >>> same({"mean": [0.5, "a"]}, {"mean": [0.6, "a"]}, "answer")
    'answer.mean[0]: 0.6, and 0.5 was expected'
    """
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        pairs = [(expected[key], found[key], f"{place}.{key}") for key in expected]
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = [(one, other, f"{place}[{i}]") for i, (one, other) in enumerate(zip(expected, found, strict=True))]
    elif _is_number(expected) and _is_number(found):
        near = math.isclose(expected, found, rel_tol=NEAR, abs_tol=NEAR * NEAR)
        return "" if near else f"{place}: {found}, and {expected} was expected"
    elif type(expected) is type(found) and not isinstance(expected, dict | list) and expected == found:
        return ""
    else:
        return f"{place}: {json.dumps(found)[:80]}, and {json.dumps(expected)[:80]} was expected"
    return next(filter(None, (same(*pair) for pair in pairs)), "")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
