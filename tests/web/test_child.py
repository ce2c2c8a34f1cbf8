"""Answers that are computed in processes of their own: the same bytes, and an end at the time limit."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest
from tests.patience import PATIENCE
from tests.web.client import asked, at_the_clock, clock
from tests.web.sample_questions import COCAINE, QUESTIONS

pytest.importorskip("starlette", reason="the page's server needs howsure[web]")

from howsure.web import answering
from howsure.web import workers as computing
from howsure.web.answering import answer_to
from howsure.web.app import Settings, make_app
from howsure.web.limits import PRIVATE, Limits, Refusal
from howsure.web.workers import Child, Workers

REPORT = {"matrix": COCAINE, "metrics": ["recall@low"]}
#: Of a machine that is busy with something else.
LIMITS = replace(PRIVATE, seconds=PATIENCE)
#: Takes seconds: a hundred classes, metrics that are drawn.
COUNTS = [[9 if i == j else 1 for j in range(100)] for i in range(100)]
LONG = {
    "matrix": {"classes": [f"c{i}" for i in range(100)], "counts": COUNTS},
    "metrics": ["mcc", "f1@macro"],
    "draws": 4000,
}  # fmt: skip


@pytest.fixture(scope="module")
def one() -> Iterator[Child]:
    made = Child(LIMITS)
    yield made
    made.close()


def refused(made: Child, request: Any, verb: str = "report") -> Refusal:
    with pytest.raises(Refusal) as caught:
        made.ask(verb, request)
    return caught.value


@pytest.mark.full
def test_a_process_answers_and_refuses_as_a_thread_does(one: Child) -> None:
    for name in ("report", "compare"):
        question = QUESTIONS[name]
        request = {name: value for name, value in question.items() if name != "verb"}
        assert one.ask(question["verb"], request) == answer_to(question["verb"], request, PRIVATE)
    for request in ({"matrix": {"classes": ["a", "b"], "counts": [[1, 2], [3, -4]]}}, [], {"nothing": 1}):
        with pytest.raises(Refusal) as caught:
            answer_to("report", request, PRIVATE)
        assert vars(refused(one, request)) == vars(caught.value)


@pytest.mark.full
def test_a_process_that_nobody_asks_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    here, theirs = computing.SPAWNED.Pipe()
    answered: list[bytes] = []

    def noted(*asked: Any) -> None:
        answered.append(answer_to(*asked))
        if len(answered) == len(computing.WARM):
            here.close()

    monkeypatch.setattr(computing, "answer_to", noted)
    computing._compute(theirs, PRIVATE)
    assert len(answered) == len(computing.WARM)
    assert all(json.loads(text) for text in answered)


@pytest.mark.full
def test_what_takes_too_long_is_ended_and_the_next_question_answered() -> None:
    made = Child(replace(PRIVATE, seconds=0.2))
    try:
        first = made._process
        said = refused(made, LONG)
        assert (said.status, said.code) == (503, "TooLong")
        assert not first.is_alive(), "the process goes on"
        made.limits = LIMITS
        assert json.loads(made.ask("report", REPORT))["result"]["n"] == 34
    finally:
        made.close()


@pytest.mark.full
def test_a_process_that_was_ended_is_replaced(one: Child) -> None:
    one.ask("report", REPORT)
    one._process.terminate()
    one._process.join()
    assert not one.alive
    assert json.loads(one.ask("report", REPORT))["result"]["n"] == 34


@pytest.mark.full
def test_a_process_that_ends_in_the_midst_is_a_refusal(one: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    one.ask("report", REPORT)
    send = one._pipe.send

    def ended(message: Any) -> None:
        send(message)
        one._process.kill()

    monkeypatch.setattr(one._pipe, "send", ended)
    assert refused(one, LONG).code == "Ended"
    monkeypatch.undo()
    assert one.ask("report", REPORT) == answer_to("report", REPORT, PRIVATE)


def test_a_closed_process_is_not_begun_anew() -> None:
    made = Child(PRIVATE)
    made.close()
    assert not made.alive
    assert refused(made, REPORT).code == "Ended"
    assert not made.alive


@pytest.mark.full
def test_a_defect_has_its_name_and_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("secretlabel")

    monkeypatch.setattr(answering, "handle", broken)
    assert repr(computing._reply("report", REPORT, PRIVATE)) == "RuntimeError('ZeroDivisionError')"


class Stand:
    """In place of a process: what it is asked, and an answer when it may come."""

    alive = True

    def __init__(self, limits: Limits) -> None:
        self.limits, self.times = limits, 0
        self.begun, self.may_end = threading.Event(), threading.Event()

    def ask(self, verb: str, request: Any) -> bytes:
        self.times += 1
        self.begun.set()
        assert self.may_end.wait(PATIENCE)
        return b"{}"

    def close(self) -> None:
        pass


def kept(monkeypatch: pytest.MonkeyPatch, threads: int) -> tuple[Workers, list[Stand]]:
    monkeypatch.setattr("howsure.web.workers.Child", Stand)
    workers = Workers(PRIVATE, threads, apart=True)
    workers.start()
    return workers, cast(list[Stand], workers._all)


@pytest.mark.full
def test_the_process_that_answered_last_is_asked_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows the posterior that the next step of a slider is about."""
    workers, processes = kept(monkeypatch, 2)
    for process in processes:
        process.may_end.set()

    async def one_after_the_other() -> None:
        for _ in range(3):
            assert await workers.run("report", REPORT) == b"{}"

    at_the_clock(one_after_the_other())
    workers.close()
    assert sorted(process.times for process in processes) == [0, 3]


@pytest.mark.full
def test_what_waits_too_long_is_shed_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    workers, [process] = kept(monkeypatch, 1)

    async def crowd() -> list[Any]:
        first, *others = [asyncio.create_task(workers.run("report", REPORT)) for _ in range(4)]
        assert await asyncio.to_thread(process.begun.wait, PATIENCE)
        await clock().passes(0.99 * PRIVATE.seconds)
        assert not any(other.done() for other in others)
        await clock().passes(0.02 * PRIVATE.seconds)
        shed = await asyncio.gather(*others, return_exceptions=True)
        assert not first.done(), "its process is ended when its time is up, and it is not left before"
        process.may_end.set()
        return [await first, *(refusal.code for refusal in shed)]

    assert at_the_clock(crowd()) == [b"{}", "Busy", "Busy", "Busy"]
    workers.close()
    assert (process.times, workers.health["in_hand"]) == (1, 0)


@pytest.mark.full
def test_the_server_says_whether_its_processes_run() -> None:
    app = make_app(Settings(apart=True), limits=LIMITS)

    async def looked() -> list[Any]:
        before = await asked(app, "GET", "/healthz", media=None)
        async with app.app.router.lifespan_context(app.app):  # type: ignore[attr-defined]  # what a server calls
            answer = await asked(app, body=json.dumps(REPORT).encode())
            return [before, answer, await asked(app, "GET", "/healthz", media=None)]

    before, answer, after = asyncio.run(looked())
    assert (before.status, before.json["status"]) == (503, "starting")
    assert answer.body == answer_to("report", REPORT, PRIVATE)
    assert after.status == 200
    assert after.json == {
        "status": "ok",
        "workers": after.json["workers"],
        "running": after.json["workers"],
        "in_hand": 0,
    }
