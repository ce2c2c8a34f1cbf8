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

from howsure.web.sample_questions import BOARD, COCAINE, NEW, PAIRED, QUESTIONS

pytest.importorskip("starlette", reason="the page's server needs howsure[web]")

from howsure.web.app import make_app  # after the extra is known to be there

APP = make_app()

VALUES: list[Any] = [
    None, True, -1, 0, 0.5, 1e308, -1e308, 1e-320, 2**53, 2**63, 10**400, "", "a" * 201, "x" * 400_000, "\0", "\ud800",
    "NaN", [], {}, [[[]]], [1], {"a": 1}, "recall", "mcc@macro", "__proto__", *LABELS[:5],
]  # fmt: skip

RAW = [
    b"", b"{", b"}", b"nonsense", b"\xff\xfe{}", b"\x00", b"{}", b"[]", b"null", b"true", b"0", b'""', b"1e999",
    b'{"matrix":1}', b'{"matrix":{}}', b'{"matrix":null}', b'{"matrix":[]}', b'{"a":1,"a":2}', b'{"a":NaN}',
    b'{"a":-Infinity}', b"[" * 200_000, b'{"a":' * 1000, b'{"a":' * 50 + b"1" + b"}" * 50, b"{}{}", b"{} ", b"//{}",
    b'{"matrix":{"classes":["a","b"],"counts":[[1,2],[3,1e999]]}}', b'{"\\u0000":1}', b'{"verb":"report"}',
    b'{"matrix":{"classes":["a","b"],"counts":[[1,2],[3,' + b"9" * 4000 + b"]]}}", b'{"a":' + b"9" * 100_000 + b"}",
    b'{"matrix":{"classes":["a","b"],"counts":[[1,2],[3,4]],"__proto__":1}}', b'{"constructor":{}}',
    json.dumps({"matrix": COCAINE, "x" * 100_000: 1}).encode(), b'{"matrix":' + b" " * 900_000 + b"}",
]  # fmt: skip

BIG = {"classes": [str(i) for i in range(60)], "counts": [[9 if i == j else 1 for j in range(60)] for i in range(60)]}

LIMITS: list[tuple[str, dict[str, Any]]] = [
    ("report", {"matrix": {"classes": [str(i) for i in range(201)], "counts": [[1] * 201] * 201}}),
    ("report", {"matrix": {"classes": ["a", "b"], "counts": [[1, 2], [3]]}}),
    ("report", {"matrix": {"classes": ["a", "b"], "counts": [[1, 2, 3], [3, 4, 5], [1, 1, 1]]}}),
    ("report", {"matrix": {"classes": ["a", "a"], "counts": [[1, 2], [3, 4]]}}),
    ("report", {"matrix": {"classes": ["a", " a "], "counts": [[1, 2], [3, 4]]}}),
    ("report", {"matrix": {"classes": ["a"], "counts": [[1]]}}),
    ("report", {"matrix": {"classes": ["a", "b"], "counts": [[2**53 - 1] * 2] * 2}}),
    ("report", {"matrix": {"classes": ["a", "b"], "counts": [[0, 0], [0, 0]]}, "prior": "haldane"}),
    ("report", {"matrix": COCAINE, "draws": 200_001}),
    ("report", {"matrix": COCAINE, "draws": 200_000, "metrics": [f"fbeta(beta={i})" for i in range(1, 500)]}),
    ("report", {"matrix": COCAINE, "metrics": ["recall@" + "x" * 200]}),
    ("report", {"matrix": COCAINE, "thresholds": {"nothing": 0.5}}),
    ("report", {"matrix": COCAINE, "prevalence": {"label": "low", "share": 0.2, "cases": 1, "of": 2}}),
    ("report", {"matrix": COCAINE, "prevalence": {"label": "low"}}),
    ("report", {"matrix": COCAINE, "prevalence": {"label": "low", "cases": 9, "of": 2}}),
    ("report", {"matrix": COCAINE, "prevalence": [0.5, 0.6]}),
    ("report", {"matrix": COCAINE, "prior": {"a": 0, "b": 0}}),
    ("report", {"matrix": COCAINE, "prior": {"a": 1e308, "b": 1}}),
    ("compare", {}),
    ("compare", {"classifiers": [{"name": "a", "matrix": NEW}]}),
    ("compare", {"classifiers": [{"name": "a", "matrix": NEW}, {"name": "a", "matrix": NEW}]}),
    ("compare", {"classifiers": [{"name": "a", "matrix": NEW}, {"name": "b", "matrix": NEW}], "paired": PAIRED}),
    ("compare", {"paired": {**PAIRED, "cells": [[0, [0, 0], 2**53 - 1]]}}),
    ("compare", {"paired": {**PAIRED, "cells": [[0, [0, 0], 0]]}}),
    ("compare", {"paired": {**PAIRED, "cells": [[7, [0, 0], 1]]}}),
    ("compare", {"paired": {**PAIRED, "cells": [[[0, 1], 0, 1]]}}),
    ("compare", {"paired": {**PAIRED, "models": ["x", "x"]}}),
    ("rank", {"entries": BOARD, "paired": PAIRED}),
    ("rank", {"entries": [{"name": str(i), "correct": 1, "n": 2} for i in range(501)]}),
    ("rank", {"entries": [{"name": "a", "correct": 3, "n": 2}, {"name": "b", "correct": 1, "n": 2}]}),
    ("rank", {"entries": [{"name": "a", "correct": 1, "n": 2}, {"name": "b", "score": 1, "n": 2}]}),
    ("rank", {"entries": [{"name": "a", "n": 2}, {"name": "b", "n": 2}]}),
    ("rank", {"entries": [{"name": "a", "score": "x,y\nz", "n": 2}, {"name": "b", "score": "=1", "n": 2}]}),
    ("rank", {"entries": BOARD, "prizes": [1e308]}),
    ("plan", {"metric": "accuracy"}),
    ("plan", {"metric": "accuracy", "width": 0.1, "difference": 0.1}),
    ("plan", {"metric": "accuracy", "width": 1e-9}),
    ("plan", {"metric": "accuracy", "n": 10, "detect": "width", "width": 0.1}),
    ("plan", {"metric": "mcc", "width": 0.1, "classes": 200}),
    ("plan", {"metric": "accuracy", "width": 0.1, "prevalence": [0.5, 0.5]}),
    ("compare", {"classifiers": [{"name": n, "matrix": BIG} for n in "ab"]}),
    ("rank", {"classifiers": [{"name": str(i), "matrix": NEW} for i in range(61)], "metric": "f1"}),
    ("export", {"of": "report", "request": {"matrix": BIG}, "ending": ".html"}),
    ("post_test", {"matrix": NEW, "pre_test": 0}),
    ("post_test", {"matrix": NEW, "pre_test": {"nobody": 0.1}}),
    ("post_test", {"matrix": NEW, "pre_test": 0.1, "results": ["positive"] * 21}),
    ("export", {"of": "export", "request": {}, "ending": ".md"}),
    ("export", {"of": "report", "request": {"matrix": COCAINE}, "ending": "/etc/passwd"}),
    ("export", {"of": "report", "request": {"verb": "report"}, "ending": ".md"}),
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


@pytest.mark.parametrize("number", range(25))
def test_values_that_no_page_sends(number: int) -> None:
    for verb, body in mutants(200)[number::25]:
        harmless(ask(APP, path=f"/api/v1/{verb}", body=body))


@pytest.mark.parametrize("body", RAW, ids=lambda body: repr(body[:24]))
def test_bodies_that_are_no_request(body: bytes) -> None:
    answer = ask(APP, body=body)
    harmless(answer)
    assert answer.status in (400, 422)


@pytest.mark.parametrize(("verb", "request_"), LIMITS, ids=str)
def test_requests_beyond_their_bounds(verb: str, request_: dict[str, Any]) -> None:
    harmless(ask(APP, path=f"/api/v1/{verb}", body=json.dumps(request_).encode()))


@pytest.mark.parametrize("text", [
    b"", b" ", b",", b"\0", b"\xff", b"a", b"a,b\n1", b"\n" * 10_000, b'"' * 5000, b"a,b\n" * 50_000, b"x" * 2_000_000,
    b"y_true,y_pred\n" + b"a,b\n" * 100_000, b"true\\pred,a,b\na,1,2\n", b"true\\pred,a,b\na,-1,2\nb,1,1\n",
    b"name,score,n\na,1e400,5\nb,0.5,5\n", b"name,correct,n\n" + b"".join(b"e%d,1,2\n" % i for i in range(600)),
    b"1,2\n3,4\n", b"true,pred,count\na,b,99999999999999999999\nb,a,1\n", b"PK\x03\x04" + b"\0" * 100,
    b"\x1f\x8b\x08" + b"\0" * 50, b"SQLite format 3\0", b"\x80\x04\x95", b"=cmd|' /C calc'!A0,b\n",
    "a,b\n\u202e,x\n".encode(),
    b"y_true,pred_a,pred_b\n" + b"".join(b"%d,%d,%d\n" % (i % 300, i % 299, i % 7) for i in range(2000)),
    b'{"y_true":"a"}\n{"y_pred":', b"y_true,y_pred,__proto__\na,b,c\n",
], ids=lambda text: repr(text[:24]))  # fmt: skip
@pytest.mark.parametrize("media", ["text/csv", "application/x-ndjson"])
def test_files_that_are_none(text: bytes, media: str) -> None:
    harmless(ask(APP, path="/api/v1/import", body=text, media=media))
    pasted = {"text": text.decode("utf-8", "replace"), "classes": ["a", "b"]}
    harmless(ask(APP, path="/api/v1/paste", body=json.dumps(pasted).encode()))


@pytest.mark.parametrize("query", [
    "rows=sideways", "n=0", "n=-1", "n=1e9", "n=" + "9" * 30, "model=x", "labels=,", "labels=a", "missing=never", "x=1",
    "text=a", "ending=.json", "rows=true&rows=pred", "positive=" + "x" * 300, "separate=maybe", "%00=%ff",
])  # fmt: skip
def test_options_that_are_none(query: str) -> None:
    body = b"true\\pred,a,b\na,5,2\nb,1,6\n"
    harmless(ask(APP, path="/api/v1/import", body=body, media="text/csv", query=query))


@pytest.mark.parametrize("label", LABELS, ids=lambda label: repr(label[:20]))
def test_labels_that_would_do_harm_come_back_as_text_or_are_refused(label: str) -> None:
    matrix = {"classes": [label, "other"], "counts": [[9, 1], [2, 8]]}
    answer = ask(APP, body=json.dumps({"matrix": matrix, "want": ["predictive", "frequencies"]}).encode())
    harmless(answer)
    if answer.status == 200:
        assert b"<" not in answer.body or answer.json["result"]["classes"][0] == label.strip()
        assert answer.headers["content-type"] == "application/json"
    page = ask(APP, path="/api/v1/export", body=json.dumps(
        {"of": "report", "request": {"matrix": matrix}, "ending": ".html"}).encode())  # fmt: skip
    harmless(page)
    if page.status == 200:
        assert "<script>window" not in page.json["text"]
        assert "<img src=x" not in page.json["text"]
