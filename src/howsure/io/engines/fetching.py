"""One query of DuckDB, beside which packed text is looked through and somebody is told how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

__all__ = ["NO_NETWORK", "Progress", "fetched", "rows"]

#: Configuration of every connection. Parquet and JSON are built in; what reaches a network or another database would
#: have to be loaded first.
NO_NETWORK = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}

#: Called now and then with the share that is done, 0 to 1.
Progress = Callable[[float], None]

#: Seconds between two looks at a query.
PAUSE = 0.1

T = TypeVar("T")


def fetched(
    db: Any, query: str, beside: Iterable[None] | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """Columns of the result.

    Parameters
    ----------
    db : connection of DuckDB
    query : str
    beside : iterable, optional
        Work in small steps; whatever it raises ends the query.
    progress : callable, optional
    """

    def run() -> dict[str, Any]:
        columns: dict[str, Any] = db.execute(query).fetchnumpy()
        return columns

    return _awaited(db, run, beside or (), progress or (lambda _: None))


def rows(db: Any, query: str, beside: Iterable[None] | None = None) -> list[tuple[Any, ...]]:
    """Rows of the result; `beside` as of `fetched`."""

    def run() -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = db.execute(query).fetchall()
        return found

    return _awaited(db, run, beside or (), lambda _: None)


def _awaited(db: Any, run: Callable[[], T], beside: Iterable[None], tell: Progress) -> T:
    """Run in a thread: whoever waits here hears an interruption at once, and DuckDB by itself after half a minute."""
    answer: Future[T] = Future()

    def work() -> None:
        if not answer.set_running_or_notify_cancel():
            return  # interrupted before the first step
        try:
            answer.set_result(run())
        except BaseException as error:
            answer.set_exception(error)

    thread = Thread(target=work, daemon=True)
    try:  # from the start on: an interruption may come while the thread begins
        thread.start()
        for _ in beside:
            if answer.done() and answer.exception() is not None:
                break
            tell(_share(db))
        while not wait([answer], PAUSE).done:
            tell(_share(db))
        tell(1.0)
        return answer.result()
    finally:
        _stop(db, answer)


def _share(db: Any) -> float:
    return max(0.0, min(1.0, float(db.query_progress()) / 100))


def _stop(db: Any, answer: Future[Any]) -> None:
    """Interrupt a query, again and again: an interruption before its first step is forgotten.

    A thread that has not begun is not alive, so it is the answer that is asked: one that was taken back is never begun.
    """
    while not (answer.cancel() or answer.done()):
        with suppress(KeyboardInterrupt):  # who presses again is heard already
            if not wait([answer], PAUSE).done:
                db.interrupt()
