"""Results are values: they can be pickled, copied and hashed, and neither threads nor the hash seed change them."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.house.everything import EVERYTHING, everything
from tests.patience import PATIENCE

import howsure as hs
from howsure.comparison.gate import Gate
from howsure.frozen import Answer
from howsure.posterior.knowledge import knowledge_of
from howsure.reporting.report import Report

#: What is equal to another that says the same.
ANSWERS = (Answer, Report, Gate)

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda made: pickle.loads(pickle.dumps(made)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("kind", EVERYTHING)
def test_a_copy_says_the_same(kind: str, way: str) -> None:
    made = everything()[kind]
    again = COPIES[way](made)
    assert type(again) is type(made)
    assert (str(again), repr(again)) == (str(made), repr(made))
    assert made == made  # no comparison of arrays, whose truth is ambiguous
    assert isinstance(again == made, bool)
    assert isinstance(hash(again), int)
    if hasattr(made, "to_dict"):
        assert again.to_dict() == made.to_dict()


NOUNS = ("ConfusionMatrix", "Prior", "Prior learned", "Counts", "Metric")


@pytest.mark.parametrize("kind", [*NOUNS, *(kind for kind in EVERYTHING if isinstance(everything()[kind], ANSWERS))])
def test_nouns_and_answers_are_equal_after_a_journey(kind: str) -> None:
    made = everything()[kind]
    again = COPIES["pickle"](made)
    assert (again, hash(again)) == (made, hash(made))
    assert made != everything()["Report of two" if kind == "Report" else "Report"]


def test_answers_that_say_something_else_are_not_equal() -> None:
    new, old = (hs.infer(hs.ConfusionMatrix(m)) for m in ([[45, 5], [8, 42]], [[40, 10], [9, 41]]))
    compared = hs.compare(new, old, metric="accuracy")
    assert compared == hs.compare(new, old, metric="accuracy")
    assert compared != hs.compare(old, new, metric="accuracy")
    assert compared != hs.compare(new, old, metric="accuracy", rope=0.01)
    assert len({compared, hs.compare(new, old, metric="accuracy"), hs.rank({"new": new, "old": old})}) == 2


def test_four_threads_find_what_one_finds() -> None:
    """All ask one posterior whose answers nobody has asked for before."""

    def posterior() -> hs.Posterior:
        table = np.eye(12, dtype=int) * 20 + np.arange(144).reshape(12, 12) % 4
        return hs.infer(hs.ConfusionMatrix(table))

    def answers(known: hs.Posterior) -> list[tuple[float, ...]]:
        asked = (
            knowledge_of(known).of(name, draws=2000) for name in ("accuracy", "balanced_accuracy", "mcc", "f1@macro")
        )
        return [(law.mean, law.sd, *law.interval(0.95)[:2]) for law in asked]

    alone, shared = answers(posterior()), posterior()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: answers(shared), range(4))) == [alone] * 4


COMMANDS = """
from howsure.cli import main
matrix, pair, log = (f"{folder}/{name}" for folder, name in FILES)
for command in (
    ["report", matrix], ["compare", pair], ["rank", pair], ["gate", "--candidate", pair], ["predict", matrix],
    ["sensitivity", matrix, "f1@macro"], ["frequencies", matrix], ["post-test", matrix, "--pre-test", "high=0.02"],
    ["plan", "recall", "--width", "0.3", "--guess", "0.9"], ["log", log],
    ["reconstruct", "--n", "34", "--recall", "1.00", "--specificity", "0.75"],
):
    main([*command, "--json"])
"""


def test_the_hash_seed_changes_no_byte_of_any_answer() -> None:
    root = Path(__file__).parents[2]
    files = [("examples", "cocaine.csv"), ("examples", "digits_pair.csv"), ("tests/reference", "inspect.json")]
    seen = set()
    for seed in ("0", "77"):
        done = subprocess.run(
            [sys.executable, "-c", f"FILES = {files}\n{COMMANDS}"],
            capture_output=True,
            check=True,
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root / "src")},
            timeout=PATIENCE,
        )
        assert done.stdout.count(b'"howsure/1"') >= 11
        seen.add(hashlib.sha256(done.stdout).hexdigest())
    assert len(seen) == 1
