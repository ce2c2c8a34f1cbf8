"""How far long work is, for whoever listens; nobody does unless asked, and nothing is ever printed from here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

__all__ = ["along", "listening", "notice", "noticing"]

Step = TypeVar("Step")


class _Watch:
    """One listener; loops inside a loop that it follows are not told to it."""

    def __init__(self, tell: Callable[[float], None]) -> None:
        self.tell, self.busy = tell, False


_WATCH: ContextVar[_Watch | None] = ContextVar("howsure_progress", default=None)


@contextmanager
def listening(tell: Callable[[float], None]) -> Iterator[None]:
    """Within this ``with``, tell how far long work is.

    Parameters
    ----------
    tell : callable
        Called with the share that is done, from 0 to 1; several times over, where several things are done in turn.

    Examples
    --------
    >>> import howsure as hs
    >>> told = []
    >>> with listening(told.append):
    ...     _ = hs.infer(hs.ConfusionMatrix([[9, 1, 0], [2, 7, 1], [0, 1, 9]])).of("mcc")
    >>> told[-1]
    1.0
    """
    token = _WATCH.set(_Watch(tell))
    try:
        yield
    finally:
        _WATCH.reset(token)


_NOTICE: ContextVar[Callable[[str], None] | None] = ContextVar("howsure_notice", default=None)


@contextmanager
def noticing(tell: Callable[[str], None]) -> Iterator[None]:
    """Within this ``with``, tell what takes so long, once for each such work.

    Examples
    --------
    >>> with noticing(print):
    ...     notice("unpacking cases.csv.xz")
    unpacking cases.csv.xz
    """
    token = _NOTICE.set(tell)
    try:
        yield
    finally:
        _NOTICE.reset(token)


def notice(work: str) -> None:
    """Say that some work takes longer than a person waits without a word."""
    tell = _NOTICE.get()
    if tell is not None:
        tell(work)


def along(steps: Iterable[Step], total: float, size: Callable[[Step], float] = lambda _: 1.0) -> Iterator[Step]:
    """The steps as they are, telling after each what share of the total is done."""
    watch = _WATCH.get()
    if watch is None or watch.busy:
        yield from steps
        return
    watch.busy = True
    done = 0.0
    try:
        for step in steps:
            yield step
            done += size(step)
            watch.tell(min(1.0, done / total))
    finally:
        watch.busy = False
