"""Ctrl-C, noted as well as raised: what is imported at that moment may drop it or wrap it in an error of its own."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["noted", "raise_noted"]

#: A press each. A signal is the process's, and so is the note of it; a second press in the first would wait for the
#: lock of an Event for ever.
_pressed: list[int] = []


@contextmanager
def noted() -> Iterator[None]:
    """Whatever comes out of the work inside after somebody pressed Ctrl-C is a KeyboardInterrupt.

    Where Ctrl-C does something else already, and outside of the main thread, nothing is changed.
    """
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT) if in_main else None
    if before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _note)
    try:
        yield
    except Exception:
        raise_noted()
        raise
    finally:
        signal.signal(signal.SIGINT, before)
        _pressed.clear()


def raise_noted(_: float = 0.0) -> None:
    """Raise the interruption that was noted and lost; takes the share that is done, as every listener does."""
    if _pressed:
        raise KeyboardInterrupt


def _note(number: int, frame: FrameType | None) -> None:
    _pressed.append(number)
    signal.default_int_handler(number, frame)
