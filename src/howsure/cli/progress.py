"""A bar on a terminal for what takes longer than a second, and Ctrl-C, noted as well as raised."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock, Timer
from types import FrameType

from howsure.progress import listening

#: Seconds before a bar is worth its flicker.
PATIENCE = 1.0


@contextmanager
def watched(what: str) -> Iterator[Callable[[float], None]]:
    """Show on standard error how far the work inside is; gives what to tell the share to, also where nobody looks."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        with listening(raise_noted):
            yield raise_noted
        return
    bar = _Bar(what)
    timer = Timer(PATIENCE, bar.show)
    timer.daemon = True
    try:
        timer.start()
        with listening(bar.tell):
            yield bar.tell
    finally:
        timer.cancel()
        bar.close()


class _Bar:
    """A bar that waits to be shown, goes to and fro until a share is told, and leaves nothing behind."""

    def __init__(self, what: str) -> None:
        self._what, self._share = what, 0.0
        self._lock, self._shown, self._closed = Lock(), ExitStack(), False
        self._update: Callable[[], None] | None = None

    def tell(self, share: float) -> None:
        """Note how far the work is."""
        raise_noted()
        self._share = share
        if self._update is not None:
            self._update()

    def show(self) -> None:
        """Draw the bar, unless the work is done by now."""
        from rich.console import Console
        from rich.progress import Progress

        with self._lock:
            if self._closed:
                return
            # standard output is the answer's; rich must not take it over
            made = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
            bar = self._shown.enter_context(made)
            task = bar.add_task(self._what, total=None)

            def update() -> None:
                bar.update(task, total=1.0, completed=self._share)

            self._update = update
            if self._share:
                update()

    def close(self) -> None:
        """Take the bar away."""
        with self._lock:
            self._closed = True
            self._shown.close()


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
