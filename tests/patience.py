"""No test waits without a limit: how long a process may take, and the end of one that takes longer."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: Seconds for one command on a busy machine; most take one.
PATIENCE = 120


@contextmanager
def ended(process: subprocess.Popen[Any], seconds: float = PATIENCE) -> Iterator[None]:
    """Kill a process that runs on for too long, so that whoever reads from it reads an end."""
    timer = threading.Timer(seconds, process.kill)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
