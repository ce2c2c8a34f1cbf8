"""Two classifiers by slice: alone as `compare` says, borrowing as `PairedFactors` says, and gated together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, UnknownClassifier


def cases(seed: int = 0, n: int = 1200, drop: float = 0.0) -> tuple[hs.Predictions, np.ndarray]:
    """Cases in five slices; in nl the new classifier is worse by ``drop``."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    place = np.array(["de", "en", "fr", "nl", "pt"])[rng.integers(0, 5, n)]
    new, old = (np.where(rng.random(n) < p, truth, 1 - truth) for p in (0.92, 0.88))
    new = np.where((place == "nl") & (rng.random(n) < drop), 1 - truth, new)
    return hs.Predictions(truth, {"new": new, "old": old}), place


def taken(both: hs.Predictions, which: Any) -> hs.Predictions:
    """Some of the cases."""
    return hs.Predictions(both.truth[which], {name: both.answers(name)[which] for name in both.names}, labels=range(2))


@pytest.mark.sweep(2, full=5)
@pytest.mark.parametrize("metric", ["error_rate", "recall@1", "balanced_accuracy"])
def test_a_slice_alone_is_what_compare_says_of_its_cases(metric: str) -> None:
    both, place = cases()
    made = hs.compare_slices(both, "new", "old", by=place, metric=metric, kind="central")
    for name in ("de", "nl"):
        pair = hs.compare(taken(both, place == name), "new", "old", metric=metric, kind="central", prior="flat")
        law = pair.difference
        assert made[name].alone == pytest.approx((law.mean, *law.interval(0.95, "central")), abs=1e-6)
        assert made[name].p_better_alone == pytest.approx(pair.p_better, abs=1e-6)
        seen = [hs.infer(taken(both, place == name).confusion(who)).of(metric).observed for who in both.names]
        assert made[name].observed == pytest.approx(seen[0] - seen[1])


def test_the_gate_fails_where_one_slice_is_worse_and_names_it() -> None:
    both, place = cases(drop=0.3)
    made = hs.gate_slices(both, "new", "old", by=place, margin=0.05)
    assert (made.verdict, made.passed, made.decides) == ("fail", False, "nl")
    assert "in slice nl" in made.sentence
    assert hs.gate_slices(both, "old", "new", by=place, margin=0.15).verdict == "pass"
    wide = hs.gate_slices(both, "new", "old", by=place, margin=0.26)
    assert (wide.verdict, wide.decides) == ("inconclusive", "nl")
    assert 'skipped="1"' in wide.to_junit()


def test_borrowing_makes_no_verdict() -> None:
    truth, place = [1] * 4020, ["large"] * 1000 + ["larger"] * 1500 + ["other"] * 1500 + ["tiny"] * 20
    old = [int(i % 10 > 0) for i in range(4020)]
    new = [1] * 4000 + [0, 0, 0] + old[4003:]  # three of twenty wrong that were mostly right
    made = hs.gate_slices(hs.Predictions(truth, {"new": new, "old": old}), "new", "old", by=place, margin=0.1)
    tiny = next(row for row in made.rows if row.difference.name == "tiny")
    assert tiny.difference.observed == pytest.approx(-0.1)
    assert tiny.by_borrowing
    assert made.verdict == "inconclusive"


def test_a_pass_needs_the_own_cases_of_every_slice() -> None:
    """One of five slices is at the margin; all together would pass, its own cases do not."""
    place = np.repeat(["a", "b", "c", "d", "e"], 300)
    new, old = np.ones((2, 1500), dtype=int)
    for start in range(0, 1500, 300):
        new[start : start + 10], old[start + 10 : start + 20] = 0, 0
    new[:20] = 0  # slice a: 20 lost, 10 won
    old[10:20], old[20:30] = 1, 0
    both = hs.Predictions([1] * 1500, {"new": new, "old": old})
    made = hs.gate_slices(both, "new", "old", by=place, margin=0.05)
    first = next(row for row in made.rows if row.difference.name == "a")
    drawn = np.random.default_rng(1).dirichlet([270.5, 10.5, 20.5, 0.5], 200_000)
    assert first.p_alone == pytest.approx((drawn[:, 1] - drawn[:, 2] > -0.05).mean(), abs=0.004)
    assert made.p_pass >= 0.95 > first.p_alone
    assert (made.verdict, made.decides) == ("inconclusive", "a")
    assert "on its own cases with probability" in made.sentence
    errors = hs.gate_slices(both, "new", "old", by=place, margin=0.05, metric="error_rate")
    assert [row.p_alone for row in errors.rows] == pytest.approx([row.p_alone for row in made.rows], abs=1e-9)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda b, p: hs.compare_slices(3, "new", "old", by=p), InvalidArgument, "takes Predictions"),  # type: ignore[arg-type]
        (lambda b, p: hs.compare_slices(b, "new", "odd", by=p), UnknownClassifier, "odd"),
        (lambda b, p: hs.compare_slices(b, "new", "old", by={}), InvalidArgument, "needs a column"),
        (lambda b, p: hs.compare_slices(b, "new", "old", by=p)["xx"], InvalidArgument, "no slice is called"),
        (lambda b, p: hs.gate_slices(b, "new", "old", by=p, margin=2), InvalidArgument, "margin"),
    ],
)
def test_bad_input_is_told(call: Any, error: type[Exception], words: str) -> None:
    both, place = cases(n=100)
    with pytest.raises(error, match=words):
        call(both, place)


def test_in_two_slices_fewer_errors_are_as_surely_better_as_more_right_answers() -> None:
    both, place = cases(n=300)
    two = np.where(np.isin(place, ["de", "en"]), "a", "b")
    right, wrong = (hs.compare_slices(both, "new", "old", by=two, metric=m) for m in ("accuracy", "error_rate"))
    for name in "ab":
        assert wrong[name].p_better == pytest.approx(right[name].p_better, abs=1e-9)
