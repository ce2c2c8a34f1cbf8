"""Prices of the defaults in this version and in an older one, in one run: laws, drawn metrics, reports, a leaderboard.

``python benchmarks/since.py REVISION``: the sources of both versions, each job in a process of its own, in turns.
"""

from __future__ import annotations

import io
import json
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
REPEATS = 4  # warm calls, each on a table of its own
ROUNDS = 2  # processes of each version

#: job: (classes, what is asked)
JOBS = {
    "balanced accuracy, law": (3, 10, 30, 100),
    "recall of one class, law": (3, 10, 100),
    "f1@macro": (3, 10, 30, 100),
    "mcc": (3, 10, 100),
    "report": (2, 3, 10, 100),
    "leaderboard of accuracies": (10, 100),
}


def prepare(job: str, size: int, repeat: int):
    """The call that is timed."""
    import numpy as np

    import howsure as hs

    rng = np.random.default_rng([size, repeat])
    if job == "leaderboard of accuracies":
        right = rng.binomial(200, rng.uniform(0.7, 0.9, size)).tolist()
        board = {f"m{i}": hs.Posterior.from_accuracy(correct=k, n=200) for i, k in enumerate(right)}
        return lambda: hs.rank(board)
    sizes = np.maximum(3, rng.lognormal(3.4, 0.7, size).astype(int))
    table = np.zeros((size, size), dtype=int)
    for i, (n, recall) in enumerate(zip(sizes, rng.uniform(0.6, 0.95, size), strict=True)):
        row = np.full(size, (1 - recall) / (size - 1))
        row[i] = recall
        table[i] = rng.multinomial(n, row)
    matrix = hs.ConfusionMatrix(table)
    if job == "report":
        return lambda: str(hs.report(hs.infer(matrix)))
    name = {"balanced accuracy, law": "balanced_accuracy", "recall of one class, law": "recall@0"}.get(job, job)

    def asked() -> object:
        known = hs.infer(matrix).of(name)
        return known.interval(), known.interval(kind="central"), known.prob(above=0.5)

    return asked


def child(job: str, size: int) -> None:
    """Milliseconds of CPU of each warm call."""
    import warnings

    warnings.simplefilter("ignore")
    prepare(job, size, 0)()
    took = []
    for repeat in range(1, 1 + REPEATS):
        call = prepare(job, size, repeat)
        start = time.process_time()
        call()
        took.append(1000 * (time.process_time() - start))
    print(json.dumps(took))


def main(revision: str) -> None:
    """Print the table."""
    packed = subprocess.run(["git", "archive", revision, "src"], cwd=HERE, capture_output=True, check=False).stdout
    if not packed:
        print(f"No comparison with revision {revision}: its sources are not here.")
        return
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        sources = {revision: f"{folder}/src", "now": str(HERE / "src")}
        print(f"## The defaults since revision {revision}\n")
        print("Version 0.1.0 as it was first built (its default was `flat` below 10 classes), and now.")
        print("Milliseconds of CPU, median of warm calls, K classes of unlike sizes (entries, of a leaderboard).\n")
        print(f"| what | K | {revision} | now | ratio |\n| --- | --- | --- | --- | --- |")
        for job, sizes in JOBS.items():
            for size in sizes:
                found: dict[str, list[float]] = {name: [] for name in sources}
                for _ in range(ROUNDS):
                    for name, source in sources.items():
                        found[name] += timed(job, size, source)
                before, after = (statistics.median(x) for x in found.values())
                print(f"| {job} | {size} | {before:.1f} | {after:.1f} | {after / before:.2g} |", flush=True)


def timed(job: str, size: int, source: str) -> list[float]:
    """One process."""
    environment = {"PYTHONPATH": source, "OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, __file__, "--child", job, str(size)]
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return list(json.loads(made.stdout))


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        child(sys.argv[2], int(sys.argv[3]))
    else:
        main(sys.argv[1])
