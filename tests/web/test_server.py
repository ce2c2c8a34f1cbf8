"""The server as a stranger meets it: hosts, origins, media types, sizes, time, and what it says of itself."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import socket
import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from tests.patience import PATIENCE
from tests.web.client import Answer, ask, asked, at_the_clock, clock
from tests.web.sample_questions import COCAINE

pytest.importorskip("starlette", reason="the page's server needs howsure[web]")

from howsure.web import answering
from howsure.web import app as web_app
from howsure.web.app import Settings, make_app
from howsure.web.assets import Asset
from howsure.web.limits import PRIVATE
from howsure.web.server import listening
from howsure.web.workers import cores

REPORT = json.dumps({"matrix": COCAINE, "metrics": ["recall@low"]}).encode()


@pytest.fixture(scope="module")
def app() -> Any:
    return make_app()


def refused(answer: Answer, status: int, code: str) -> str:
    assert answer.status == status
    assert answer.json["code"] == code
    assert "Traceback" not in answer.body.decode()
    return str(answer.json["message"])


# -- answers --------------------------------------------------------------------------------------------------


def test_an_answer_over_http_is_that_of_handle(app: Any) -> None:
    answer = ask(app, path="/api/v1/report", body=REPORT)
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json == json.loads(json.dumps(answering.handle({"verb": "report", **json.loads(REPORT)})))


def test_an_import_reads_a_body_of_its_own_type(app: Any) -> None:
    text = b"pred\\true,high,low\nhigh,26,2\nlow,0,6\n"
    answer = ask(app, path="/api/v1/import", body=text, media="text/csv")
    assert answer.json["kind"] == "matrix"
    assert answer.json["matrix"]["counts"] == [[26, 0], [2, 6]]
    bare = ask(app, path="/api/v1/import", body=b"26,0\n2,6\n", media="text/csv; charset=utf-8")
    assert "As true classes" in refused(bare, 422, "InvalidFile")
    turned = ask(app, path="/api/v1/import", body=b"26,0\n2,6\n", media="text/csv", query="rows=pred&labels=high,low")
    assert turned.json["matrix"]["counts"] == [[26, 2], [0, 6]]
    lines = b'{"y_true":"x","y_pred":"x"}\n{"y_true":"y","y_pred":"x"}\n'
    read = ask(app, path="/api/v1/import", body=lines, media="application/x-ndjson")
    assert read.json["matrix"]["counts"] == [[1, 0], [1, 0]]


def test_the_same_question_is_computed_once(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask(app, body=REPORT)
    monkeypatch.setattr(answering, "handle", lambda *_, **__: pytest.fail("computed again"))
    spaced = json.dumps(json.loads(REPORT), indent=2, sort_keys=True).encode()
    assert ask(app, body=spaced).body == first.body


def test_a_file_of_the_page_comes_from_a_fixed_table(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"index.html": Asset(b"<!DOCTYPE html>", "text/html; charset=utf-8", '"1"'),
             "parts/grid.js": Asset(b"export {}", "text/javascript; charset=utf-8", '"2"')}  # fmt: skip
    monkeypatch.setattr(web_app, "served", lambda: files)
    app = make_app()
    page = ask(app, "GET", "/")
    assert (page.status, page.body) == (200, b"<!DOCTYPE html>")
    grid = ask(app, "GET", "/assets/parts/grid.js")
    assert grid.headers["content-type"] == "text/javascript; charset=utf-8"
    again = ask(app, "GET", "/assets/parts/grid.js", headers={"If-None-Match": grid.headers["etag"]})
    assert (again.status, again.body) == (304, b"")
    for path in ("/assets/../handle.py", "/assets/..%2fhandle.py", "/assets//etc/passwd", "/assets/", "/assets/x",
                 "/handle.py", "/assets/parts", "/assets/parts/../index.html"):  # fmt: skip
        refused(ask(app, "GET", path), 404, "NotFound")


def test_a_file_of_the_page_goes_compressed_to_who_reads_that(app: Any) -> None:
    def got(coding: str, tag: str = "") -> Answer:
        return ask(app, "GET", "/assets/page.js", headers={"Accept-Encoding": coding, "If-None-Match": tag})

    plain, packed = got("identity"), got("gzip, deflate, br")
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["content-length"] == str(len(packed.body))
    assert len(packed.body) < 0.75 * len(plain.body)
    assert gzip.decompress(packed.body) == plain.body
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    for refuses in ("br", "identity", ",;,="):
        assert "content-encoding" not in got(refuses).headers
    for takes in ("gzip", "br, gzip ; q=0.5"):
        assert got(takes).headers["content-encoding"] == "gzip"
    tag = plain.headers["etag"]
    for said in (tag, f"W/{tag}", f'"x", {tag}'):
        kept = got("gzip", said)
        assert (kept.status, kept.body, kept.headers["etag"]) == (304, b"", tag)
    assert got("gzip", '"x"').status == 200


def test_an_answer_goes_compressed_to_who_reads_that(app: Any) -> None:
    plain = ask(app, body=REPORT)
    packed = ask(app, body=REPORT, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < 0.75 * len(plain.body)
    assert packed.headers["content-encoding"] == "gzip"
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    assert packed.headers["cache-control"] == "no-store"
    refusal = ask(app, body=b"{", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in refusal.headers
    refused(refusal, 400, "InvalidJSON")


def test_it_says_that_it_runs_and_what_it_answers(app: Any) -> None:
    health = ask(app, "GET", "/healthz").json
    assert health == {"status": "ok", "workers": cores(), "running": cores(), "in_hand": 0}
    described = ask(app, "GET", "/api/v1/openapi.json").json
    assert described["openapi"].startswith("3.1")
    assert {
        f"/api/v1/{verb}" for verb in ("report", "compare", "rank", "plan", "post_test", "import", "paste", "export")
    } <= set(described["paths"])


# -- strangers ------------------------------------------------------------------------------------------------


HOSTS = (None, "evil.example", "localhost.evil.example", "evil.example:8765", "", "localhost:x", "127.0.0.1@evil",
         "127.0.0.2", "[::2]", "localhost, evil.example", "localhost\\evil", "0.0.0.0", "LOCALHOST.")  # fmt: skip


@pytest.mark.parametrize("route", [("GET", "/"), ("GET", "/healthz"), ("POST", "/api/v1/report"), ("GET", "/nothing")])
def test_another_host_is_not_answered_on_any_route(app: Any, route: tuple[str, str]) -> None:
    for host in HOSTS:
        answer = ask(app, *route, REPORT if route[0] == "POST" else b"", host=host)
        assert "--allow-host" in refused(answer, 400, "UnknownHost")
    refused(ask(app, *route, headers=[(b"host", b"localhost")]), 400, "UnknownHost")  # a second one


def test_this_machine_and_named_hosts_are_answered() -> None:
    app = make_app(Settings(hosts=("Howsure.example.org",)))
    for host in (
        "localhost",
        "LocalHost:1",
        "127.0.0.1:8765",
        "[::1]:80",
        "howsure.example.org",
        "HOWSURE.example.org:443",
    ):
        assert ask(app, "GET", "/healthz", host=host).status == 200


@pytest.mark.parametrize("verb", ["report", "import"])
def test_the_page_of_another_site_may_not_ask(app: Any, verb: str) -> None:
    media = "text/csv" if verb == "import" else "application/json"
    for headers in (
        *({"Origin": origin} for origin in ("http://evil.example", "null", "http://127.0.0.1:9999", "")),
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://127.0.0.1:8765", "Sec-Fetch-Site": "cross-site"},
    ):  # fmt: skip
        refused(ask(app, path=f"/api/v1/{verb}", body=REPORT, headers=headers, media=media), 403, "CrossOrigin")


def test_our_own_page_may_ask(app: Any) -> None:
    for headers in ({"Origin": "http://127.0.0.1:8765", "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}):
        assert ask(app, body=REPORT, headers=headers).status == 200


def test_a_body_of_another_type_is_refused(app: Any) -> None:
    for media in (
        None,
        "text/plain",
        "multipart/form-data; boundary=x",
        "*/*",
        "application/json; charset=utf-16",
        "json",
    ):
        refused(ask(app, body=REPORT, media=media), 415, "UnknownMediaType")
    refused(ask(app, path="/api/v1/import", body=b"x", media="application/json"), 415, "UnknownMediaType")
    refused(ask(app, body=REPORT, headers={"Content-Encoding": "gzip"}), 415, "UnknownEncoding")
    for method, path in (("GET", "/api/v1/report"), ("OPTIONS", "/api/v1/report"), ("DELETE", "/"), ("TRACE", "/")):
        assert ask(app, method, path).status == 405
    for path in ("/api/v1/nothing", "/api/v1/report/"):
        assert ask(app, path=path).status == 404


def test_every_answer_has_the_headers_that_keep_it_in() -> None:
    app = make_app()
    answers = [ask(app, "GET", "/healthz"), ask(app, "GET", "/x"), ask(app, body=b"{"), ask(app, host="evil")]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert not any(name.startswith("access-control") for name in answer.headers)
        assert "set-cookie" not in answer.headers


# -- sizes and time -------------------------------------------------------------------------------------------


def test_a_large_body_is_refused_by_its_bytes_whatever_it_says(app: Any) -> None:
    parts = [b" " * 100_000] * 20
    answer = ask(app, body=parts, headers={"Content-Length": "10"})
    assert "1,024 KiB" in refused(answer, 413, "TooLarge")
    assert answer.headers["connection"] == "close"
    upload = [b"y_true,y_pred\n", *[b"a,b\n" * 25_000] * 250]
    refused(ask(app, path="/api/v1/import", body=upload, media="text/csv"), 413, "TooLarge")


def test_a_body_that_drips_is_refused() -> None:
    refused(at_the_clock(asked(make_app(), body=[b"{"] * 50, pause=PRIVATE.patience / 20)), 408, "TooSlow")


def test_a_body_that_stops_is_no_defect(app: Any) -> None:
    async def stopped() -> Answer:
        return await asked(app, body=[])

    refused(asyncio.run(stopped()), 400, "Disconnected")


def test_too_many_bodies_on_their_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howsure.web.app.IN_FLIGHT", 1000)
    refused(ask(make_app(), body=[b" " * 600, b" " * 600]), 429, "Busy")


class Long:
    """A computation that ends when it may, whatever the time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()
        monkeypatch.setattr(answering, "handle", self)

    def __call__(self, *_: Any, **__: Any) -> dict[str, str]:
        self.begun.set()
        assert self.may_end.wait(PATIENCE)
        return {"done": "yes"}

    async def begins(self) -> None:
        assert await asyncio.to_thread(self.begun.wait, PATIENCE)


async def answered_as_time_passes(*questions: asyncio.Task[Answer]) -> list[Answer]:
    while not all(question.done() for question in questions):
        await clock().passes(PRIVATE.seconds)
    return [question.result() for question in questions]


def test_an_answer_that_takes_too_long_comes_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    long = Long(monkeypatch)

    async def waited() -> Answer:
        question = asyncio.create_task(asked(make_app(), body=REPORT))
        await long.begins()
        await clock().passes(0)
        await clock().passes(0.99 * PRIVATE.seconds)
        assert not question.done()
        await clock().passes(0.02 * PRIVATE.seconds)
        assert question.done()
        long.may_end.set()
        return question.result()

    answer = at_the_clock(waited())
    assert "fewer draws" in refused(answer, 503, "TooLong")
    assert int(answer.headers["retry-after"]) >= 1


def test_a_computation_counts_as_busy_until_it_ends_and_the_queue_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    long = Long(monkeypatch)
    monkeypatch.setattr(web_app, "cores", lambda _: 1)
    app = make_app(limits=replace(PRIVATE, queue=2))

    async def crowd() -> tuple[list[Answer], Answer]:
        bodies = [json.dumps({"n": i}).encode() for i in range(6)]
        first = [asyncio.create_task(asked(app, body=body)) for body in bodies]
        await long.begins()
        answers = await answered_as_time_passes(*first)
        [late] = await answered_as_time_passes(asyncio.create_task(asked(app, body=REPORT)))
        assert (await asked(app, "GET", "/healthz")).json["in_hand"] == 1  # the first computation still runs
        long.may_end.set()
        end = time.monotonic() + PATIENCE
        while (await asked(app, "GET", "/healthz")).json["in_hand"]:
            assert time.monotonic() < end
            await clock().passes(0)
        return answers, late

    first, late = at_the_clock(crowd())
    assert sorted(answer.json["code"] for answer in first) == ["Busy"] * 5 + ["TooLong"]
    assert sorted(answer.status for answer in first) == [429, 429, 429, 503, 503, 503]
    assert all("retry-after" in answer.headers for answer in first)
    assert late.status == 503


def test_what_is_pending_as_the_server_ends_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was a 500, and a traceback in the log."""
    long = Long(monkeypatch)

    async def ended() -> Answer:
        question = asyncio.create_task(asked(make_app(), body=REPORT))
        await long.begins()
        await clock().passes(0)
        question.cancel("Task cancelled, timeout graceful shutdown exceeded")  # as uvicorn does
        answer = await question
        long.may_end.set()
        return answer

    answer = at_the_clock(ended())
    assert "the server was ended" in refused(answer, 503, "Busy")
    assert "nosniff" in answer.headers["x-content-type-options"]


def test_bad_json_is_named(app: Any) -> None:
    for body in (b"", b"{", b"nonsense", b"\xff\xfe", b'{"a":1,"a":2}', b'{"a":NaN}', b'{"a":Infinity}', b"[" * 100_000,
                 b"[]" * 2, b'{"a":' + b"9" * 5000 + b"}"):  # fmt: skip
        refused(ask(app, body=body), 400, "InvalidJSON")
    for body in (b"[]", b"1", b"null", b'"text"', b'{"verb":"report"}'):
        refused(ask(app, body=body), 422, "InvalidRequest")


# -- what it keeps to itself ----------------------------------------------------------------------------------


def test_the_log_has_no_body_no_path_and_no_label(app: Any, caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("howsure.web")
    logger.addHandler(caplog.handler)
    logger.setLevel(logging.INFO)
    try:
        secret = {"matrix": {"classes": ["secretlabel", "b"], "counts": [[3, 1], [1, 3]]}, "metrics": ["secretmetric"]}
        ask(app, body=json.dumps(secret).encode())
        ask(app, "GET", "/secretpath", query="secretquery")
        ask(app, "SECRETMETHOD", "/")
        ask(app, body=REPORT)
    finally:
        logger.removeHandler(caplog.handler)
    text = caplog.text
    assert "POST /api/v1/report 422" in text
    assert "POST /api/v1/report 200" in text
    assert "secret" not in text.lower()


def test_a_defect_is_a_500_without_its_words(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("secretlabel")

    monkeypatch.setattr(answering, "handle", broken)
    answer = ask(make_app(), body=REPORT)
    refused(answer, 500, "Defect")
    assert b"secretlabel" not in answer.body
    assert "nosniff" in answer.headers["x-content-type-options"]
    assert "secretlabel" not in caplog.text


def test_a_public_server_reads_no_files_and_takes_half() -> None:
    app = make_app(Settings(public=True))
    refused(ask(app, path="/api/v1/import", body=b"a,b", media="text/csv"), 403, "NoImport")
    assert "/api/v1/import" not in ask(app, "GET", "/api/v1/openapi.json").json["paths"]
    many = {"matrix": {"classes": [str(i) for i in range(101)], "counts": [[1] * 101] * 101}}
    assert "2 to 100" in refused(ask(app, body=json.dumps(many).encode()), 422, "InvalidRequest")


def test_no_answer_waits_for_the_receipt_of_its_head() -> None:
    """Where TCP_NODELAY is not set, the body of an answer on a kept connection comes 40 ms late."""
    with listening("127.0.0.1", 0) as bound, socket.create_connection(bound.getsockname()):
        connection = bound.accept()[0]
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert bound.proto == socket.IPPROTO_TCP
