"""Counting: 1e7 pairs in memory against scikit-learn, and a Parquet folder against DuckDB's own GROUP BY.

    python benchmarks/counting.py memory
    python benchmarks/counting.py parquet [ROWS]

Ratios are medians of seven alternating runs.
"""

from __future__ import annotations

import gc
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import howsure as hs

PAIRS = 10**7
RUNS = 7


def seconds(call: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def memory() -> None:
    import polars
    from sklearn.metrics import confusion_matrix

    random = np.random.default_rng(0)
    print(f"{PAIRS:,} pairs in memory, seconds (median of {RUNS}; scikit-learn: one run for texts)")
    for size in (3, 1000):
        codes = [random.integers(0, size, PAIRS) for _ in range(2)]
        names = np.array([f"c{i:03d}" for i in range(size)])
        texts = [names[c] for c in codes]
        frame = polars.DataFrame({"y_true": texts[0], "y_pred": texts[1]})
        calls = {
            "int": (codes, lambda codes=codes: hs.count(y_true=codes[0], y_pred=codes[1]), RUNS),
            "str": (texts, lambda texts=texts: hs.count(y_true=texts[0], y_pred=texts[1]), 1),
            "str in polars": (texts, lambda frame=frame: hs.count(frame), 1),
        }
        for kind, ((true, pred), call, runs) in calls.items():
            ours, theirs = [], []
            for run in range(RUNS):
                ours.append(seconds(call))
                if run < runs:
                    theirs.append(seconds(lambda true=true, pred=pred: confusion_matrix(true, pred)))
            mine, peer = statistics.median(ours), statistics.median(theirs)
            print(
                f"  {kind:13} K={size:<5} howsure {mine:7.3f}  scikit-learn {peer:7.3f}  ratio {peer / mine:6.1f}",
                flush=True,
            )


ALONE = """
import duckdb, time, resource, sys
start = time.perf_counter()
db = duckdb.connect(); db.execute("SET enable_progress_bar = false")
db.execute("SELECT y_true, y_pred, count(*) AS n FROM read_parquet('{folder}/*.parquet') GROUP BY ALL").fetchnumpy()
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
OURS = """
import howsure, duckdb, time, resource
start = time.perf_counter()
howsure.count('{folder}/*.parquet')
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def parquet(rows: int) -> None:
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        files = 20
        with duckdb.connect() as db:
            for part in range(files):
                seed = f"hash(i + {part * rows // files})"
                db.execute(
                    f"COPY (SELECT ({seed} % 1000)::INT y_true, CASE WHEN ({seed} >> 20) % 10 < 7 THEN ({seed} % 1000) "
                    f"ELSE (({seed} >> 32) % 1000) END::INT y_pred FROM range({rows // files}) r(i)) "
                    f"TO '{folder}/part{part:02d}.parquet' (FORMAT parquet, COMPRESSION zstd)"
                )
        size = sum(p.stat().st_size for p in Path(folder).glob("*")) / 2**20
        print(f"{rows:,} rows of Parquet in {files} files ({size:.0f} MiB), K = 1000, {os.cpu_count()} cores")
        found: dict[str, list[tuple[float, float]]] = {"duckdb": [], "howsure": []}
        for _ in range(RUNS):
            for name, script in (("duckdb", ALONE), ("howsure", OURS)):
                text = subprocess.run(
                    [sys.executable, "-c", script.format(folder=folder)], capture_output=True, text=True, check=True
                ).stdout
                took, peak = map(float, text.splitlines()[-1].split()[-2:])  # after a progress bar
                found[name].append((took, peak))
        times = {name: [t for t, _ in runs] for name, runs in found.items()}
        ratio = statistics.median(a / b for a, b in zip(times["howsure"], times["duckdb"], strict=True))
        for name, runs in found.items():
            peak = max(p for _, p in runs)
            print(f"  {name:8} {statistics.median(times[name]):6.3f} s, peak {peak:.0f} MiB")
        print(f"  ratio {ratio:.2f} (median of {RUNS} alternating pairs)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["parquet"]:
        parquet(int(float(sys.argv[2])) if len(sys.argv) > 2 else 10**8)
    else:
        memory()
    print(f"benchmark's own peak: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
