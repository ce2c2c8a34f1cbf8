"""Ctrl-C ends a command also where what runs at that moment drops it or makes another error of it."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from howsure import cli
from howsure.cli.progress import noted, raise_noted

pytestmark = pytest.mark.usefixtures("heard")


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_one_that_is_dropped_is_raised_at_the_next_sign_of_progress() -> None:
    before = signal.getsignal(signal.SIGINT)
    with noted():
        raise_noted()  # nobody has pressed
        with suppress(KeyboardInterrupt):
            press()
        with pytest.raises(KeyboardInterrupt):
            raise_noted(0.5)
    assert signal.getsignal(signal.SIGINT) is before
    raise_noted()  # and the next command knows nothing of it


def test_one_that_is_wrapped_is_an_interruption_and_no_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrapping(_: list[str] | None) -> int:
        try:
            press()
        except KeyboardInterrupt as pressed:
            raise RuntimeError("Error calling __set_name__") from pressed
        return 0

    monkeypatch.setattr(cli, "_run", wrapping)
    assert cli.main([]) == 130
    assert capsys.readouterr().err == "howsure: interrupted\n"


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(ZeroDivisionError), noted():
        raise ZeroDivisionError


def test_a_handler_of_somebody_else_is_left_alone() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with noted():
            press()
            raise_noted()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]


def test_outside_of_the_main_thread_nothing_is_changed() -> None:
    def inside() -> object:
        with noted():
            return signal.getsignal(signal.SIGINT)

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(inside).result() is signal.getsignal(signal.SIGINT)
