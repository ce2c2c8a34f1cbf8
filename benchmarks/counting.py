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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import howsure as hs

PAIRS = 10**7
RUNS = 7


def seconds(call: Callable[[], object]) -> tuple[float, float]:
    """Time on the wall, and of the process: the two differ by threads and by the load of the machine."""
    gc.collect()
    wall, process = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - process


def containers(size: int) -> Iterator[tuple[str, tuple[Any, Any], Callable[[], object]]]:
    """What the pairs come in, how scikit-learn takes them, and our count of them."""
    import pandas
    import polars

    random = np.random.default_rng(0)
    true = random.integers(0, size, PAIRS)
    pred = np.where(random.random(PAIRS) < 0.7, true, random.integers(0, size, PAIRS))
    yield "NumPy int64", (true, pred), lambda: hs.count(y_true=true, y_pred=pred)
    names = np.array([f"c{i:03d}" for i in range(size)])
    x, y = names[true], names[pred]
    yield "NumPy <U4", (x, y), lambda: hs.count(y_true=x, y_pred=y)
    shared = names.astype(object)
    a, b = shared[true], shared[pred]
    yield "NumPy objects, shared", (a, b), lambda: hs.count(y_true=a, y_pred=b)
    for kind, arrays in (("shared", (a, b)), ("single", (x, y))):
        lists = (arrays[0].tolist(), arrays[1].tolist())
        yield f"lists of {kind} texts", lists, lambda v=lists: hs.count(y_true=v[0], y_pred=v[1])
    del lists
    columns = {"y_true": x, "y_pred": y}
    texts = pandas.DataFrame(columns)
    yield "pandas str", (texts.y_true, texts.y_pred), lambda: hs.count(texts)
    objects = pandas.DataFrame({"y_true": a, "y_pred": b}, dtype=object)
    yield "pandas object", (objects.y_true, objects.y_pred), lambda: hs.count(objects)
    frame = polars.DataFrame(columns)
    yield "polars", (frame["y_true"], frame["y_pred"]), lambda: hs.count(frame)
    arrow = frame.to_arrow()
    yield "pyarrow", (frame["y_true"], frame["y_pred"]), lambda: hs.count(arrow)


def memory() -> None:
    from sklearn.metrics import confusion_matrix

    print(f"{PAIRS:,} pairs in memory, 7 of 10 right, {os.cpu_count()} cores; seconds on the wall / of the process")
    print(f"howsure: median of {RUNS}; scikit-learn: median of 3 for integers, one run for texts")
    for size in (3, 1000):
        for name, (true, pred), call in containers(size):
            call()
            theirs = [seconds(lambda t=true, p=pred: confusion_matrix(t, p)) for _ in range(3 if "int" in name else 1)]
            ours = [seconds(call) for _ in range(RUNS)]
            mine, peer = ([statistics.median(part) for part in zip(*runs, strict=True)] for runs in (ours, theirs))
            ratios = " / ".join(f"{p / m:5.0f}" for m, p in zip(mine, peer, strict=True))
            print(
                f"  {name:22} K={size:<5} howsure {mine[0]:6.3f} / {mine[1]:6.3f}  "
                f"scikit-learn {peer[0]:6.2f} / {peer[1]:6.2f}  ratio {ratios}",
                flush=True,
            )


ALONE = """
import duckdb, time, resource, sys
start, process = time.perf_counter(), time.process_time()
db = duckdb.connect(); db.execute("SET enable_progress_bar = false")
db.execute("SELECT y_true, y_pred, count(*) AS n FROM read_parquet('{folder}/*.parquet') GROUP BY ALL").fetchnumpy()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(time.perf_counter() - start, time.process_time() - process, peak)
"""
OURS = """
import howsure, duckdb, time, resource
start, process = time.perf_counter(), time.process_time()
howsure.count('{folder}/*.parquet')
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(time.perf_counter() - start, time.process_time() - process, peak)
"""


def parquet(rows: int) -> None:
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        files = 20
        with duckdb.connect() as db:
            for part in range(files):
                seed = f"hash(i + {part * rows // files})"
                db.execute(
                    f"COPY (SELECT ({seed}% 1000)::INT y_true, CASE WHEN ({seed} >> 20) % 10 < 7 THEN ({seed}% 1000) "
                    f"ELSE (({seed} >> 32) % 1000) END::INT y_pred FROM range({rows // files}) r(i)) "
                    f"TO '{folder}/part{part:02d}.parquet' (FORMAT parquet, COMPRESSION zstd)"
                )
        size = sum(p.stat().st_size for p in Path(folder).glob("*")) / 2**20
        print(f"{rows:,} rows of Parquet in {files} files ({size:.0f} MiB), K = 1000, {os.cpu_count()} cores")
        found: dict[str, list[list[float]]] = {"duckdb": [], "howsure": []}
        for _ in range(RUNS):
            for name, script in (("duckdb", ALONE), ("howsure", OURS)):
                text = subprocess.run(
                    [sys.executable, "-c", script.format(folder=folder)], capture_output=True, text=True, check=True
                ).stdout
                found[name].append([float(x) for x in text.splitlines()[-1].split()[-3:]])  # after a progress bar
        for name, runs in found.items():
            wall, process, peaks = zip(*runs, strict=True)
            print(
                f"  {name:8} {statistics.median(wall):6.3f} s on the wall, {statistics.median(process):6.3f} s of the "
                f"process, peak {max(peaks):.0f} MiB"
            )
        ratios = [
            statistics.median(a[part] / b[part] for a, b in zip(found["howsure"], found["duckdb"], strict=True))
            for part in (0, 1)
        ]
        print(
            f"  ratio {ratios[0]:.2f} on the wall, {ratios[1]:.2f} of the process (median of {RUNS} alternating pairs)"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["parquet"]:
        parquet(int(float(sys.argv[2])) if len(sys.argv) > 2 else 10**8)
    else:
        memory()
    print(f"benchmark's own peak: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
