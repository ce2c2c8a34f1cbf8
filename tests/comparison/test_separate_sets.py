"""Separate test sets of unlike size: one prior for both that does not favour the larger one, and when it is said."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.errors import InvalidArgument

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SCHEMA = json.loads(resources.files("howsure.answers").joinpath("schemas/gate.schema.json").read_text(encoding="utf-8"))
SMALL, LARGE = hs.ConfusionMatrix([[19, 1], [1, 19]]), hs.ConfusionMatrix([[190, 10], [10, 190]])


@pytest.mark.sweep(1, full=4)
@pytest.mark.parametrize("metric", ["balanced_accuracy", "accuracy", "f1@macro"])
def test_two_sets_whose_prior_nobody_named_have_the_numbers_of_their_reports(metric: str) -> None:
    made = hs.compare(hs.infer(SMALL), hs.infer(LARGE), metric=metric)
    named = hs.compare(hs.infer(SMALL, "calibrated"), hs.infer(LARGE, "calibrated"), metric=metric)
    assert made.to_dict() == named.to_dict()
    assert made.a.mean == hs.infer(SMALL).of(metric).mean
    assert 0.2 < made.p_better < 0.8
    assert made.to_dict()["prior"] == {"name": "calibrated", "a": 2 / 3, "b": 2 / 3, "prevalence": 4 / 3}


def test_a_named_prior_is_kept() -> None:
    both = hs.infer(SMALL, "flat"), hs.infer(LARGE, "flat")
    made = hs.compare(*both)
    assert made.prior == "flat"
    assert made.p_better == pytest.approx(0.2096926, abs=1e-7)
    for pair in ((hs.infer(SMALL), both[1]), (both[0], hs.infer(LARGE))):
        with pytest.raises(InvalidArgument, match="Infer both with one"):
            hs.compare(*pair)


def test_right_answers_alone_have_the_coin_of_the_table_beside_them() -> None:
    """Of two classes that is the calibrated one, of three the flat one of the accuracy."""
    alone = hs.Posterior.from_accuracy(correct=80, n=100)
    three = hs.infer(hs.ConfusionMatrix([[9, 1, 0], [1, 8, 1], [0, 2, 8]]))
    for table, s in ((hs.infer(SMALL), 2 / 3), (three, 1.0)):
        for made in (hs.compare(alone, table, metric="accuracy").a, hs.compare(table, alone, metric="accuracy").b):
            assert made.mean == pytest.approx((80 + s) / (100 + 2 * s), abs=1e-12)
        board = hs.rank({"alone": alone, "table": table}, metric="accuracy", entries="independent")
        assert board["alone"].mean == pytest.approx((80 + s) / (100 + 2 * s), abs=1e-12)


def test_means_without_end_give_no_number() -> None:
    perfect, good = (hs.infer(hs.ConfusionMatrix.from_counts(tp=10, fn=0, fp=fp, tn=10 - fp)) for fp in (0, 6))
    made = hs.compare(perfect, good, metric="lr_plus")
    assert np.isinf(made.a.mean)
    assert np.isfinite(made.b.mean)
    assert made.expected_loss.b == np.inf > made.expected_loss.a  # what A may have more has an infinite mean
    assert "is infinite (95% HDI" in made.sentence
    both = hs.compare(perfect, perfect, metric="dor")
    assert "is undefined (95% HDI" in both.sentence
    assert "loses infinitely much on average" in both.sentence
    for answer in (made, both):
        assert "nan" not in str(answer)
        assert answer.prior_shift is None
    assert both.expected_loss == (np.inf, np.inf)
    for answer in (made, both, hs.gate(perfect, good, metric="dor"), hs.gate(perfect, metric="lr_plus", floor=5)):
        json.dumps(answer.to_dict(), allow_nan=False)
    assert hs.gate(perfect, good, metric="dor").rows[0].more_cases is None


def of(right: tuple[int, int], n: int) -> hs.Posterior:
    """Two classes of n cases, so many of them right."""
    counts = [[right[0], n - right[0]], [n - right[1], right[1]]]
    return hs.infer(hs.ConfusionMatrix(counts, labels=["healthy", "ill"]))


@pytest.mark.parametrize(
    "metric", ["balanced_accuracy", "accuracy", "error_rate", pytest.param("mcc", marks=pytest.mark.full)]
)
def test_a_small_set_beside_a_large_one_decides_by_its_exact_tail(metric: str) -> None:
    small, large = of((8, 9), 10), of((930, 960), 1_000)
    ahead, behind = hs.gate(large, small, metric=metric), hs.gate(small, large, metric=metric)
    one, other = ahead.rows[0], behind.rows[0]
    assert one.p_pass > 0.95 < other.p_fail
    assert (one.verdict, other.verdict) == ("inconclusive", "inconclusive")
    assert not one.by_prior
    assert one.tail == pytest.approx(other.tail, abs=0.02)
    assert one.tail is not None
    assert one.tail < 0.95
    assert one.more_cases is not None
    assert "at its exact tail" in ahead.sentence
    assert "the opposite counts as" in behind.sentence
    jsonschema.validate(ahead.to_dict(), SCHEMA)


def test_the_tail_of_one_rate_beside_a_known_one_is_the_binomial_test() -> None:
    known = hs.Posterior.from_accuracy(correct=9_000_000, n=10_000_000)
    for right, n, wrong in ((6, 10, stats.binom.cdf(6, 10, 0.9)), (2, 10, 0.0), (20, 20, 0.9**20)):
        made, expected = hs.compare(hs.Posterior.from_accuracy(correct=right, n=n), known, metric="accuracy"), 1 - wrong
        if made.tail is None:
            assert max(made.p_better, made.p_worse) < 0.95
        else:
            assert made.tail == pytest.approx(expected, abs=1e-3)
            assert (made.tail < 0.95) == any("this is no verdict" in warning for warning in made.warnings)


def test_sets_of_one_size_groups_and_more_classes_have_no_tail() -> None:
    assert hs.compare(of((10, 10), 20), of((19, 20), 20)).tail is None
    three = [hs.infer(hs.ConfusionMatrix(np.diag([n] * 3) + np.roll(np.eye(3, dtype=int), 1, 1))) for n in (5, 500)]
    assert hs.compare(*three).tail is None
    own = [hs.infer(x.confusion, hs.Prior(3, 1)) for x in (of((5, 5), 10), of((900, 960), 1_000))]
    assert hs.compare(*own).tail is None
    clear = hs.gate(of((3, 4), 10), of((930, 960), 1_000)).rows[0]
    assert (clear.verdict, clear.more_cases) == ("fail", None)
    assert clear.tail is not None
    assert clear.tail > 0.99
