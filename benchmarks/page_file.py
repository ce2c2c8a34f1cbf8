"""How long a report takes as a process of its own, against importing matplotlib and drawing one empty figure.

A report of three classes as an HTML page, by the library and by the command line. Every run is a fresh interpreter
with its modules compiled, as an installed package has them; the ratio is that of the medians of alternating runs.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from peers import line

TABLE = "true\\pred,a,b,c\na,45,5,2\nb,8,42,3\nc,1,4,50\n"
FIGURE = "import matplotlib.pyplot as plt; plt.subplots()[0].savefig('figure.png')"
LIBRARY = (
    "import howsure as hs; m = hs.ConfusionMatrix([[45, 5, 2], [8, 42, 3], [1, 4, 50]], labels=['a', 'b', 'c']); "
    "hs.save(hs.report(hs.infer(m)), 'library.html')"
)
COMMAND = "import sys; from howsure.cli import main; sys.exit(main())"

#: who, and the arguments of the interpreter; the first is the unit of the ratios
JOBS = {
    "matplotlib, one empty figure as PNG": ("-c", FIGURE),
    "**howsure**, a page by the library": ("-c", LIBRARY),
    "**howsure**, a page by `howsure report three.csv -o out.html`": (
        *("-c", COMMAND),
        *("report", "three.csv", "-o", "out.html"),
    ),
}


def seconds(arguments: tuple[str, ...], folder: Path) -> float:
    """Wall time of one process."""
    # a process that may not write bytecode would compile all of our modules anew, and none of matplotlib's
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment | {"MPLBACKEND": "agg", "OPENBLAS_NUM_THREADS": "1"},
        check=True,
        timeout=120,
    )
    return time.perf_counter() - began


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=11, help="alternating runs, after one that is not counted")
    runs = options.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "three.csv").write_text(TABLE, encoding="utf-8")
        rounds = [[seconds(job, folder) for job in JOBS.values()] for _ in range(runs + 1)][1:]
    medians = [statistics.median(times) for times in zip(*rounds, strict=True)]
    print(f"\n### A page from a fresh process, medians of {runs} alternating runs\n")
    line("who", "ms", "times the figure")
    line("---", "---:", "---:")
    for who, median in zip(JOBS, medians, strict=True):
        line(who, f"{1000 * median:.0f}", f"{median / medians[0]:.2f}")


if __name__ == "__main__":
    main()
