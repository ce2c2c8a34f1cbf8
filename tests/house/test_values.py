"""Values and calls: copies, caches, threads, seeds."""

from __future__ import annotations

import copy
import hashlib
import importlib.util
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
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.house.everything import everything
from tests.patience import PATIENCE

import howsure as hs
from howsure.errors import InvalidCounts, InvalidFile, MissingExtra, UnknownMetric
from howsure.frozen import Answer
from howsure.laws import Beta, Draws, Linear
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior
from howsure.progress import along, listening
from howsure.questions.gate_answer import Gate
from howsure.reporting.report import Report

A = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


#: What is equal to another that says the same.
ANSWERS = (Answer, Report, Gate)

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda made: pickle.loads(pickle.dumps(made)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.full  # everything takes five seconds to compute
@pytest.mark.parametrize("way", COPIES)
def test_a_copy_says_the_same(way: str, subtests: pytest.Subtests) -> None:
    for kind, made in everything().items():
        with subtests.test(kind):
            again = COPIES[way](made)
            assert type(again) is type(made)
            assert (str(again), repr(again)) == (str(made), repr(made))
            assert made == made  # no comparison of arrays, whose truth is ambiguous
            assert isinstance(again == made, bool)
            assert isinstance(hash(again), int)
            if hasattr(made, "to_dict"):
                assert again.to_dict() == made.to_dict()


NOUNS = ("ConfusionMatrix", "Prior", "Prior learned", "Counts", "Metric")


@pytest.mark.full
def test_nouns_and_answers_are_equal_after_a_journey(subtests: pytest.Subtests) -> None:
    for kind, made in everything().items():
        if kind in NOUNS or isinstance(made, ANSWERS):
            with subtests.test(kind):
                again = COPIES["pickle"](made)
                assert (again, hash(again)) == (made, hash(made))
                assert made != everything()["Report of two" if kind == "Report" else "Report"]


@pytest.mark.full
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


def test_values_stay_what_they_are() -> None:
    coefficients = np.array([[1.0, 0, 2]])
    law = Linear([(coefficients, [[1, 2, 3]])])
    coefficients[0, 0] = 100
    assert law.mean == pytest.approx(7 / 6)
    values = np.array([0.1, 0.2, 0.3])
    drawn = Draws(values)
    values[0] = 5
    assert drawn.values[0] == 0.1
    post = hs.infer(A)
    for thing in (post, post.of("mcc"), law, drawn, Beta(2, 3)):
        with pytest.raises(AttributeError, match=r"immutable|no setter|can't set"):
            thing.foo = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        A.counts.setflags(write=True)
    with pytest.raises(AttributeError):
        Beta(2, 3).a = 4.0
    groups = hs.ConfusionMatrix.from_predictions([0, 1, 1], [0, 1, 0], group=[*"abb"]).groups
    assert groups is not None
    for array in (groups.group, groups.true, groups.pred, groups.count):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_everything_public_travels_to_another_process() -> None:
    post = hs.infer(A, "flat")
    post.of("mcc")
    for thing in (A, post, post.of("mcc"), post.of("accuracy"), hs.report(post), Beta(2, 3), hs.Prior(1, 2)):
        again = pickle.loads(pickle.dumps(thing))
        assert repr(again) == repr(thing)
    errors = (
        InvalidFile("x.csv", "no", 3),
        UnknownMetric("a", ["b"]),
        MissingExtra("Plots", "plot"),
        InvalidCounts("x"),
    )
    for error in errors:
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


# -- the same call gives the same bytes, whatever the number of threads and the hash seed -----------------------------

COMMANDS = """
from howsure.cli import main
matrix, pair, log, pooled = (f"{folder}/{name}" for folder, name in FILES)
for command in (
    ["report", matrix], ["compare", pair], ["rank", pair], ["gate", "--candidate", pair], ["predict", matrix],
    ["sensitivity", matrix, "-m", "f1@macro"], ["frequencies", matrix],
    ["post-test", matrix, "--pre-test", "high=0.02"],
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


# -- a property is tried with the same examples whatever else is loaded: an edit elsewhere makes no test fail ---------


def examples() -> list[tuple[int, float, str]]:
    """What one property is tried with."""
    seen: list[tuple[int, float, str]] = []

    @settings(max_examples=200, derandomize=True, database=None)
    @given(st.integers(), st.floats(), st.text())
    def remember(i: int, x: float, text: str) -> None:
        seen.append((i, x, text))

    remember()
    return seen


def test_examples_do_not_depend_on_the_modules_that_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = examples()
    module = tmp_path / "full_of_literals.py"
    module.write_text("\n".join(f"x{i} = {7_000_003 + i}, {i}.25, 'word {i}'" for i in range(300)), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("full_of_literals", module)
    assert spec is not None
    monkeypatch.setitem(sys.modules, "full_of_literals", importlib.util.module_from_spec(spec))
    assert [str(one) for one in examples()] == [str(one) for one in before]


# -- long work tells how far it is, once, to whoever listens ----------------------------------------------------------

RNG = np.random.default_rng(0)


def matrix(size: int) -> hs.ConfusionMatrix:
    return hs.ConfusionMatrix(np.eye(size, dtype=int) * 9 + RNG.integers(0, 3, (size, size)))


def assert_whole(told: list[float]) -> None:
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert all(0 < share <= 1 for share in told)


def test_nobody_listens_unless_asked() -> None:
    assert list(along("abc", 3)) == ["a", "b", "c"]


def test_steps_are_told_as_shares_of_their_sizes() -> None:
    told: list[float] = []
    with listening(told.append):
        assert list(along([1, 3], 4, float)) == [1, 3]
    assert told == [0.25, 1.0]
    assert list(along([1], 1)) == [1]
    assert len(told) == 2


def test_a_loop_inside_a_loop_is_silent() -> None:
    told: list[float] = []
    with listening(told.append):
        for _ in along(range(2), 2):
            list(along(range(5), 5))
        list(along(range(1), 1))
    assert told == [0.5, 1.0, 1.0]


def test_a_loop_that_is_left_gives_way() -> None:
    told: list[float] = []
    with listening(told.append):
        steps = along(range(9), 9)
        next(steps)
        steps.close()  # type: ignore[attr-defined]  # a generator
        assert list(along(range(1), 1)) == [0]
    assert told == [1.0]


@pytest.mark.full
def test_draws_tables_pairs_and_boards_tell() -> None:
    told: list[float] = []
    with listening(told.append):
        hs.infer(matrix(30), "flat").of("f1@macro")
    assert_whole(told)
    assert len(told) > 3
    told.clear()
    truth = RNG.integers(0, 4, 200)
    both = hs.Predictions(truth, {name: RNG.integers(0, 4, 200) for name in "ab"})
    with listening(told.append):
        PairedPosterior(both)["a"].of("mcc")
    assert_whole(told)
    told.clear()
    with listening(told.append):
        hs.rank({name: hs.infer(matrix(3)) for name in "abc"}, metric="mcc", draws=1_000)
    for start in range(0, len(told), 3):  # each of three entries, pass by pass
        assert_whole(told[start : start + 3])
    assert len(told) >= 6
