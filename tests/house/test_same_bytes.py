"""The same call gives the same bytes, whatever the number of threads and the hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE

COMMANDS = """
from howsure.cli import main
matrix, pair, log, pooled = (f"{folder}/{name}" for folder, name in FILES)
for command in (
    ["report", matrix], ["compare", pair], ["rank", pair], ["gate", "--candidate", pair], ["predict", matrix],
    ["sensitivity", matrix, "f1@macro"], ["frequencies", matrix], ["post-test", matrix, "--pre-test", "high=0.02"],
    ["plan", "recall", "--width", "0.3", "--guess", "0.9"], ["log", log],
    ["pool", pooled, "--draws", "500"],
    ["reconstruct", "--n", "34", "--recall", "1.00", "--specificity", "0.75"],
):
    main([*command, "--json"])
"""


ASKED = """
import json, warnings
import numpy as np
import howsure as hs
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
def told(known):
    ends = (*known.interval(), *known.interval(kind="central"))
    return [known.mean, known.sd, *ends, known.prob(above=0.5), known.error]
for size in (2, 3, 12):
    cm = hs.ConfusionMatrix(rng.poisson(2, (size, size)) + 9 * np.eye(size, dtype=int))
    for prior in ("flat", "learned", "jeffreys"):
        post = hs.infer(cm, prior)
        for metric in ("accuracy", "balanced_accuracy", "f1@macro", "mcc", "kappa", "recall@min", "weighted_kappa"):
            print(size, prior, metric, told(post.of(metric)))
truth = rng.integers(0, 3, 300)
skill = {"a": 0.7, "b": 0.8, "c": 0.6}
answers = {name: np.where(rng.random(300) < p, truth, rng.integers(0, 3, 300)) for name, p in skill.items()}
both = hs.Predictions(truth, answers, labels=range(3))
for metric in ("accuracy", "f1@macro", "mcc"):
    made = hs.rank(both, metric=metric)
    print(metric, made.probabilities.tolist(), made.above.tolist(), made.winner)
    pair = hs.compare(both, "a", "b", metric=metric)
    print(metric, pair.p_better, pair.expected_loss, pair.difference.interval())
patients = np.repeat(np.arange(30), 10)
for known in (hs.infer(hs.ConfusionMatrix.from_predictions(truth, answers["a"], group=patients)).of("accuracy"),
    hs.infer(hs.Repeats.from_array(rng.integers(0, 2, (40, 5)))).of("pass^3")):
    print(told(known))
pooled = hs.pool({f"site {i}": hs.ConfusionMatrix([[40, i], [2 * i, 30]]) for i in range(8)}, draws=500)
print(json.dumps(pooled.to_dict()))
"""


# what OpenBLAS does at the edge of a part of a matrix depends on the processor, and so does whether the parts show
@pytest.mark.deep
@pytest.mark.parametrize("processor", ["", "Haswell", "Nehalem"], ids=["this processor", "Haswell", "Nehalem"])
def test_the_number_of_threads_changes_no_digit(processor: str) -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", ASKED],
            env={
                **os.environ,
                **dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), threads),
                "OPENBLAS_CORETYPE": processor,
            },
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(said) == 1
    assert len(next(iter(said)).splitlines()) == 72


@pytest.mark.deep
def test_the_hash_seed_changes_no_byte_of_any_answer() -> None:
    root = Path(__file__).parents[2]
    files = [
        ("examples", "cocaine.csv"),
        ("examples", "digits_pair.csv"),
        ("tests/reference", "inspect.json"),
        ("examples", "audit_c.csv"),
    ]
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
        assert done.stdout.count(b'"howsure/1"') >= 12
        seen.add(hashlib.sha256(done.stdout).hexdigest())
    assert len(seen) == 1
