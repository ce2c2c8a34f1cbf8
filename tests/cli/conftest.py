"""What tests of the command line share."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C is heard, also where the tests were begun in the background by a shell that has none for it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
