"""Head of docs/other-tools.md: the machine, the versions and the day."""

from __future__ import annotations

import datetime
import os
import platform
from pathlib import Path

import numpy
import scipy


def processor() -> str:
    """Model of the processor as the system names it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


if __name__ == "__main__":
    print(
        "# Benchmarks\n\nWritten by `make bench`; what is measured, and how: [benchmarks](../benchmarks/README.md).\n"
    )
    print(f"{datetime.date.today()}; {processor()}, {os.cpu_count()} cores; Python {platform.python_version()},")
    print(f"NumPy {numpy.__version__}, SciPy {scipy.__version__}.\n")
