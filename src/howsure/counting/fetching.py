"""One query of DuckDB, beside which packed text is looked through and somebody is told how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

__all__ = ["Progress", "fetched"]

#: Called now and then with the share that is done, 0 to 1.
Progress = Callable[[float], None]

#: Seconds between two looks at a query.
PAUSE = 0.1


def fetched(db: Any, query: str, beside: Iterable[None] | None, progress: Progress | None) -> dict[str, Any]:
    """Columns of the result.

    Parameters
    ----------
    db : connection of DuckDB
    query : str
    beside : iterable, optional
        Work in small steps; whatever it raises ends the query.
    progress : callable, optional
    """
    if beside is None and progress is None:
        return _columns(db, query)
    tell = progress or (lambda _: None)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(_columns, db, query)
        try:
            for _ in beside or ():
                if running.done() and running.exception() is not None:
                    break
                tell(_share(db))
            while not wait([running], PAUSE).done:
                tell(_share(db))
            tell(1.0)
        except BaseException:
            _stop(db, running)
            raise
        return running.result()


def _columns(db: Any, query: str) -> dict[str, Any]:
    columns: dict[str, Any] = db.execute(query).fetchnumpy()
    return columns


def _share(db: Any) -> float:
    return max(0.0, min(1.0, float(db.query_progress()) / 100))


def _stop(db: Any, running: Future[dict[str, Any]]) -> None:
    """Interrupt a query, again and again: an interruption before its first step is forgotten."""
    while not running.done():
        db.interrupt()
        wait([running], PAUSE)
