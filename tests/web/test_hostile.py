"""Hostile requests: a refusal that teaches, or an answer; never a defect, never a traceback."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.hostile import LABELS
from tests.web.client import Answer, ask
from tests.web.sample_questions import BOARD, COCAINE, NEW, PAIRED, QUESTIONS

from howsure.errors import InvalidFile
from howsure.web import handle

pytest.importorskip("starlette", reason="the page's server needs howsure[web]")

from howsure.web.app import make_app  # after the extra is known to be there

APP = make_app()

VALUES: list[Any] = [
    None, True, -1, 0.5, 1e308, 10**400, "", "a" * 201, "x" * 400_000, "\0", "\ud800", "NaN", [], {}, [[[]]], {"a": 1},
    "mcc@macro", "__proto__", *LABELS[:2],
]  # fmt: skip

RAW = [
    b"", b"nonsense", b"\xff\xfe{}", b"{}", b"null", b'{"matrix":{}}', b'{"a":1,"a":2}', b'{"a":NaN}', b"[" * 200_000,
    b'{"a":' * 50 + b"1" + b"}" * 50, b"{}{}", b'{"matrix":{"classes":["a","b"],"counts":[[1,2],[3,1e999]]}}',
    b'{"verb":"report"}', b'{"a":' + b"9" * 100_000 + b"}", b'{"constructor":{}}',
    b'{"matrix":' + b" " * 900_000 + b"}",
]  # fmt: skip

BIG = {"classes": [str(i) for i in range(60)], "counts": [[9 if i == j else 1 for j in range(60)] for i in range(60)]}

LIMITS: list[tuple[str, dict[str, Any]]] = [
    ("report", {"matrix": {"classes": [str(i) for i in range(201)], "counts": [[1] * 201] * 201}}),
    ("report", {"matrix": {"classes": ["a", "b"], "counts": [[1, 2], [3]]}}),
    ("report", {"matrix": {"classes": ["a", " a "], "counts": [[1, 2], [3, 4]]}}),
    ("report", {"matrix": {"classes": ["a", "b"], "counts": [[2**53 - 1] * 2] * 2}}),
    ("report", {"matrix": {"classes": ["a", "b"], "counts": [[0, 0], [0, 0]]}, "prior": "haldane"}),
    ("report", {"matrix": COCAINE, "draws": 200_000, "metrics": [f"fbeta(beta={i})" for i in range(1, 500)]}),
    ("report", {"matrix": COCAINE, "thresholds": {"nothing": 0.5}}),
    ("report", {"matrix": COCAINE, "prevalence": {"label": "low", "cases": 9, "of": 2}}),
    ("report", {"matrix": COCAINE, "prior": {"a": 1e308, "b": 1}}),
    ("compare", {"classifiers": [{"name": "a", "matrix": NEW}, {"name": "a", "matrix": NEW}]}),
    ("compare", {"paired": {**PAIRED, "cells": [[0, [0, 0], 2**53 - 1]]}}),
    ("compare", {"paired": {**PAIRED, "cells": [[7, [0, 0], 1]]}}),
    ("rank", {"entries": [{"name": str(i), "correct": 1, "n": 2} for i in range(501)]}),
    ("rank", {"entries": [{"name": "a", "correct": 3, "n": 2}, {"name": "b", "correct": 1, "n": 2}]}),
    ("rank", {"entries": [{"name": "a", "score": "x,y\nz", "n": 2}, {"name": "b", "score": "=1", "n": 2}]}),
    ("rank", {"entries": BOARD, "prizes": [1e308]}),
    ("plan", {"metric": "accuracy", "width": 1e-9}),
    ("plan", {"metric": "mcc", "width": 0.1, "classes": 200}),
    ("rank", {"classifiers": [{"name": str(i), "matrix": NEW} for i in range(61)], "metric": "f1"}),
    ("export", {"of": "report", "request": {"matrix": BIG}, "ending": ".html"}),
    ("post_test", {"matrix": NEW, "pre_test": {"nobody": 0.1}}),
    ("post_test", {"matrix": NEW, "pre_test": 0.1, "results": ["positive"] * 21}),
    ("export", {"of": "report", "request": {"matrix": COCAINE}, "ending": "/etc/passwd"}),
]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from leaves(part, (*path, key))


def changed(request: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    made = copy.deepcopy(request)
    holder: Any = made
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return made


def mutants(count: int, seed: int = 20) -> list[tuple[str, bytes]]:
    """Questions of every verb with one value exchanged for a hostile one; half of them as exports."""
    rng = random.Random(seed)
    quick = [it for name, it in QUESTIONS.items() if it["verb"] != "plan" and "ten" not in name]
    made = []
    for number in range(count):
        request = dict(rng.choice(quick))
        verb = request.pop("verb")
        request = changed(request, rng.choice(list(leaves(request))), rng.choice(VALUES))
        if number % 4 == 0:
            request = {"of": verb, "request": request, "ending": rng.choice([".html", ".md", ".tex", ".csv", ".json"])}
            verb = "export"
        made.append((verb, json.dumps(request).encode()))
    return made


def harmless(answer: Answer) -> None:
    assert answer.status in (200, 400, 413, 422, 503), answer.body[:300]
    assert b"Traceback" not in answer.body
    if answer.status != 200:
        said = answer.json
        assert set(said) == {"code", "message", "field"}
        assert 10 < len(said["message"]) < 2000
        assert said["field"] is None or len(said["field"]) < 300


@pytest.mark.sweep(2, full=25)
@pytest.mark.parametrize("number", range(4))
def test_values_that_no_page_sends(number: int) -> None:
    for verb, body in mutants(48)[number::4]:
        harmless(ask(APP, path=f"/api/v1/{verb}", body=body))


def test_bodies_that_are_no_request() -> None:
    for body in RAW:
        answer = ask(APP, body=body)
        harmless(answer)
        assert answer.status in (400, 422), body[:99]


@pytest.mark.sweep(9, full=49)
@pytest.mark.parametrize(("verb", "request_"), LIMITS, ids=str)
def test_requests_beyond_their_bounds(verb: str, request_: dict[str, Any]) -> None:
    harmless(ask(APP, path=f"/api/v1/{verb}", body=json.dumps(request_).encode()))


@pytest.mark.sweep(2, full=20)
@pytest.mark.parametrize("text", [
    b"", b"\0", b"\xff", b"\n" * 10_000, b'"' * 5000, b"a,b\n" * 5_000, b"x" * 2_000_000,
    b"true\\pred,a,b\na,-1,2\nb,1,1\n", b"name,score,n\na,1e400,5\nb,0.5,5\n",
    b"true,pred,count\na,b,99999999999999999999\nb,a,1\n", b"PK\x03\x04" + b"\0" * 100, b"\x80\x04\x95",
    b"y_true,pred_a,pred_b\n" + b"".join(b"%d,%d,%d\n" % (i % 300, i % 299, i % 7) for i in range(2000)),
    b'{"y_true":"a"}\n{"y_pred":', b"y_true,y_pred,__proto__\na,b,c\n",
], ids=lambda text: repr(text[:24]))  # fmt: skip
def test_files_that_are_none(text: bytes) -> None:
    media = "application/x-ndjson" if text.startswith(b"{") else "text/csv"
    harmless(ask(APP, path="/api/v1/import", body=text, media=media))
    pasted = {"text": text.decode("utf-8", "replace"), "classes": ["a", "b"]}
    harmless(ask(APP, path="/api/v1/paste", body=json.dumps(pasted).encode()))


def test_options_that_are_none() -> None:
    body = b"true\\pred,a,b\na,5,2\nb,1,6\n"
    for query in (
        "rows=sideways",
        "n=0",
        "n=" + "9" * 30,
        "labels=,",
        "missing=never",
        "x=1",
        "rows=true&rows=pred",
        "%00=%ff",
    ):
        harmless(ask(APP, path="/api/v1/import", body=body, media="text/csv", query=query))


@pytest.mark.sweep(2, full=15)
@pytest.mark.parametrize("label", LABELS[::2], ids=lambda label: repr(label[:20]))
def test_labels_that_would_do_harm_come_back_as_text_or_are_refused(label: str) -> None:
    matrix = {"classes": [label, "other"], "counts": [[9, 1], [2, 8]]}
    answer = ask(APP, body=json.dumps({"matrix": matrix, "want": ["predictive", "frequencies"]}).encode())
    harmless(answer)
    if answer.status == 200:
        # pictures are tried in test_pictures
        texts = json.dumps({part: answer.json[part] for part in ("result", "shown")})
        assert "<" not in texts or answer.json["result"]["classes"][0] == label.strip()
        assert answer.headers["content-type"] == "application/json"
    page = ask(APP, path="/api/v1/export", body=json.dumps(
        {"of": "report", "request": {"matrix": matrix}, "ending": ".html"}).encode())  # fmt: skip
    harmless(page)
    if page.status == 200:
        assert "<script>window" not in page.json["text"]
        assert "<img src=x" not in page.json["text"]


@pytest.mark.parametrize("verb", ["paste", "import"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_line_of_a_hundred_thousand_cells_is_refused_before_it_is_read(verb: str, separator: str) -> None:
    text = separator.join("1" * 100_000)
    with pytest.raises(InvalidFile, match="line 1: 100,000 cells in one line; a table of the page has at most 2,000"):
        handle({"verb": verb, "text": text})
    # brackets hold a whole table in a line
    assert handle({"verb": "paste", "text": str([[9] * 60] * 60)})["matrix"]["counts"][0] == [9] * 60
