"""Who is best in which slice: two classifiers as `compare_slices` says, more by the shares of their patterns."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, UnknownLabel
from howsure.numerics.slices.paired_slices import PairedSlices
from howsure.numerics.slices.rates import PatternShares


def three(seed: int = 0, n: int = 900) -> tuple[hs.Predictions, np.ndarray]:
    """Cases in six slices; c is best in s0 and the worst elsewhere."""
    rng = np.random.default_rng(seed)
    truth, place = rng.integers(0, 2, n), np.array([f"s{i}" for i in rng.integers(0, 6, n)])
    said = {name: np.where(rng.random(n) < p, truth, 1 - truth) for name, p in (("a", 0.9), ("b", 0.8), ("c", 0.6))}
    said["a"] = np.where((place == "s0") & (rng.random(n) < 0.5), 1 - truth, said["a"])
    said["c"] = np.where(place == "s0", truth, said["c"])
    return hs.Predictions(truth, said), place


@pytest.mark.full
def test_the_best_is_found_by_slice() -> None:
    both, place = three()
    made = hs.rank_slices(both, by={"site": place})
    assert made.names[0] == "a"
    best = [made.names[int(np.argmax(row.p_best))] for row in made.rows]
    assert best == ["c", "a", "a", "a", "a", "a"]
    assert [sum(row.p_best) for row in made.rows] == pytest.approx([1] * 6)
    assert made.best_in == pytest.approx([sum(row.p_best[i] for row in made.rows) for i in range(3)])
    assert made.p_best_in_all[0] < 0.01
    assert "6 slices by site" in made.sentence
    lines = list(csv.reader(io.StringIO(made.to_csv())))
    assert len(lines) == 1 + 6 * 3


def test_two_are_those_of_compare_slices() -> None:
    both, place = three(1)
    pair = hs.Predictions(both.truth, {name: both.answers(name) for name in "ab"})
    ranked, compared = hs.rank_slices(pair, by=place), hs.compare_slices(pair, "a", "b", by=place)
    first = ranked.names.index("a")
    for row in ranked.rows:
        assert row.p_best[first] == pytest.approx(compared[row.name].p_better, abs=0.03)
    assert ranked.p_best_in_all[first] == pytest.approx(compared.p_better_in_all, abs=0.03)


@pytest.mark.full
def test_sampled_shares_agree_with_the_population_of_directions() -> None:
    """Two patterns are a direction: the sampler beside the quadrature of `PairedSlices`, which has a broad part."""
    ahead, behind = np.array([14, 9, 12, 3, 20, 8]), np.array([6, 8, 5, 12, 10, 9])
    shares = PatternShares(np.stack([ahead, behind], axis=1), np.array([[1, 0], [0, 1]]))
    won = np.mean([draw[:, 0] > draw[:, 1] for draw in shares.draw(3000, 0)], axis=0)
    cells = np.stack([np.full(6, 50), ahead, behind, np.full(6, 9)], axis=1)[None]
    known = np.concatenate([block > 0 for block in PairedSlices(cells, borrowing=True).draw(4000, 0)]).mean(axis=0)
    assert won == pytest.approx(known, abs=0.06)


def test_classifiers_that_are_always_alike_share_the_prize() -> None:
    truth = [0, 1] * 30
    made = hs.rank_slices(hs.Predictions(truth, dict.fromkeys("abc", truth)), by=["x", "y", "z"] * 20)
    assert [row.p_best for row in made.rows] == [pytest.approx((1 / 3, 1 / 3, 1 / 3))] * 3
    assert "3 alike" in str(made)


@pytest.mark.sweep(3, full=6)
@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda b, p: hs.rank_slices(3, by=p), InvalidArgument, "takes Predictions"),  # type: ignore[arg-type]
        (lambda b, p: hs.rank_slices(b, by=p, metric="mcc"), InvalidArgument, "not in mcc"),
        (lambda b, p: hs.rank_slices(b, by=p, metric="recall@7"), UnknownLabel, "7"),
    ],
)
def test_bad_input_is_told(call: Any, error: type[Exception], words: str) -> None:
    both, place = three(n=120)
    with pytest.raises(error, match=words):
        call(both, place)
