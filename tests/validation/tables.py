"""Writes the tables of docs/validity: ``python -m tests.validation.tables --to docs/validity`` (`make validate`).

Every section is a file of `tests.validation.sections`; they run side by side. Without ``--to`` the sections are
printed, with their remarks: ``python -m tests.validation.tables --only curves``.
"""

from __future__ import annotations

import argparse
import csv
import os
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

#: In the order of the page: a file of `tests.validation.sections` each.
ORDER = (
    "single_rates two_classes averages odd headlines ordinal chance separate small_beside_large separate_power pairs "
    "boards votes judges judged_pairs groups paired_groups repeats items ratings folds fairness slice_pairs pools "
    "data_sets curves chosen_thresholds calibration plans_kept replications"
)
SECTIONS: dict[str, Callable[[int], Iterator[str]]] = {
    name: import_module(f"tests.validation.sections.{name}").lines for name in ORDER.split()
}


def section(name: str, runs: int) -> tuple[list[str], float]:
    """One section, and the minutes of one core that it took."""
    warnings.simplefilter("ignore")
    start = time.process_time()
    return list(SECTIONS[name](runs)), (time.process_time() - start) / 60


def page(runs: int, names: list[str]) -> Iterator[str]:
    """The document."""
    minutes = 0.0
    with ProcessPoolExecutor(max_workers=min(len(names), os.cpu_count() or 1)) as pool:
        for lines, took in pool.map(section, names, [runs] * len(names)):
            yield ""
            yield from lines
            minutes += took
    yield from ("", f"Made in {minutes:.0f} minutes of one core.")


def tables_of(lines: Iterable[str]) -> Iterator[tuple[str, str, list[list[str]]]]:
    """Every table of a page: a name from its headings, the paragraph before it, and its rows with their head."""
    headings, paragraph, last = list[str](), list[str](), ""
    rows, times = list[list[str]](), Counter[str]()
    for line in [*lines, ""]:
        if line.startswith("|"):
            rows.append([cell.strip().replace("**", "") for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
            continue
        if rows:
            name = "-".join(headings)
            times[name] += 1
            yield name if times[name] == 1 else f"{name}-{times[name]}", last, [rows[0], *rows[2:]]
            rows = []
        if line.startswith("#"):
            words = line.lstrip("#").partition("(")[0].lower()
            headings = [*headings[: line.count("#") - 2], re.sub(r"\W+", "-", words).strip("-")]
        elif line.strip():
            paragraph.append(line.strip())
        if paragraph and not line.strip():
            last, paragraph = " ".join(paragraph), []


def write(lines: Iterable[str], folder: Path) -> None:
    """Each table as a file of its own, and what each is about in captions.csv, where those of other sections stay."""
    folder.mkdir(exist_ok=True)
    index = folder / "captions.csv"
    captions = dict(csv.reader(index.open(encoding="utf-8", newline=""))) if index.exists() else {"file": "caption"}
    for name, words, rows in tables_of(lines):
        captions[f"{name}.csv"] = words
        write_rows(folder / f"{name}.csv", rows)
    write_rows(index, [list(each) for each in captions.items()])


def write_rows(path: Path, rows: list[list[str]]) -> None:
    """One file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="the tables of docs/validity")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--only", action="append", choices=SECTIONS, help="a section alone, as a trial")
    parser.add_argument("--to", type=Path, help="the folder of the tables; printed if left out")
    asked = parser.parse_args()
    written = page(asked.runs, asked.only or list(SECTIONS))
    if asked.to:
        write(written, asked.to)
    else:
        for line in written:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
