"""Writes docs/validity.md: ``python -m tests.validation.tables --runs 1500`` (`make validate`).

Every section is a file of `tests.validation.sections`; they run side by side.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy
import scipy
from tests.validation.sections import (
    averages,
    boards,
    calibration,
    carried_rates,
    chance,
    chosen_thresholds,
    curves,
    data_sets,
    fairness,
    folds,
    groups,
    headlines,
    items,
    judged_pairs,
    judges,
    odd,
    ordinal,
    paired_groups,
    pairs,
    plans_kept,
    pools,
    ratings,
    registry,
    repeats,
    replications,
    separate,
    separate_power,
    single_rates,
    slice_pairs,
    small_beside_large,
    two_classes,
)

import howsure as hs

#: In the order of the page.
SECTIONS: dict[str, Callable[[int], Iterator[str]]] = {
    module.__name__.rpartition(".")[2]: module.lines
    for module in (
        single_rates,
        two_classes,
        averages,
        odd,
        headlines,
        ordinal,
        registry,
        chance,
        separate,
        small_beside_large,
        separate_power,
        pairs,
        boards,
        judges,
        judged_pairs,
        carried_rates,
        groups,
        paired_groups,
        repeats,
        items,
        ratings,
        folds,
        fairness,
        slice_pairs,
        pools,
        data_sets,
        curves,
        chosen_thresholds,
        calibration,
        plans_kept,
        replications,
    )
}


def section(name: str, runs: int) -> tuple[list[str], float]:
    """One section, and the minutes of one core that it took."""
    warnings.simplefilter("ignore")
    start = time.process_time()
    return list(SECTIONS[name](runs)), (time.process_time() - start) / 60


def page(runs: int, names: list[str]) -> Iterator[str]:
    """The document."""
    yield from head(runs)
    minutes = 0.0
    with ProcessPoolExecutor(max_workers=min(len(names), os.cpu_count() or 1)) as pool:
        for lines, took in pool.map(section, names, [runs] * len(names)):
            yield ""
            yield from lines
            minutes += took
    yield from ("", f"Made in {minutes:.0f} minutes of one core.")


def head(runs: int) -> list[str]:
    """What is asked, of which version, when, and how sure the answers are."""
    return [
        "# Validity",
        "",
        "Written by `make validate` (tests/validation); do not edit.",
        "",
        f"{datetime.date.today()}; howsure {hs.__version__}; Python {platform.python_version()}, "
        f"NumPy {numpy.__version__}, SciPy {scipy.__version__}; `--runs {runs}`: the last column of a "
        "table says how many it had.",
        "",
        "What happens where the truth is known: invented worlds, defaults first. None is one that a prior was chosen "
        f"on, unless the section says so. The Monte Carlo standard error of a coverage of 95 % is "
        f"{100 * error(300):.1f} points at 300 runs, "
        f"{100 * error(100):.1f} at 100 and {100 * error(50):.1f} at 50.",
        "",
        "Two different promises are tested. That the code computes the model: averaged over the prior, intervals hold "
        "the truth exactly as often as they say (tests/validation/test_sbc.py, in every `make check`). That the model "
        "is sensible at truths that the prior did not draw: this page, and shorter in every `make check`; that "
        "is checked, not guaranteed.",
    ]


def error(runs: int) -> float:
    """Standard error of a coverage of 95 %."""
    return float((0.95 * 0.05 / runs) ** 0.5)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="docs/validity.md")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--only", action="append", choices=SECTIONS, help="a section alone, as a trial")
    asked = parser.parse_args()
    for line in page(asked.runs, asked.only or list(SECTIONS)):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
