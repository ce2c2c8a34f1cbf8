"""Two classifiers over many data sets: what `compare_over` says, takes and refuses."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats
from tests.conftest import tries

import howsure as hs
from howsure.numerics.sites.site_gain import apart, gain_over_sites, together, uniform_rates
from howsure.numerics.sites.site_likelihood import log_likelihood
from howsure.numerics.sites.site_population import site_population

#: Right answers and cases of two classifiers, as a paper prints them.
PRINTED = {
    name: {"forest": (a, n), "tree": (b, n)}
    for name, a, b, n in (
        ("iris", 141, 143, 150),
        ("wine", 170, 165, 178),
        ("glass", 150, 141, 214),
        ("sonar", 171, 150, 208),
        ("heart", 224, 214, 270),
        ("vowel", 930, 801, 990),
    )
}


def answered(both: int, only_a: int, only_b: int, neither: int, first: int = 0) -> hs.Predictions:
    cells = np.repeat([0, 1, 2, 3], [both, only_a, only_b, neither])
    a, b = np.isin(cells, [0, 1]), np.isin(cells, [0, 2])
    return hs.Predictions(
        np.ones(len(cells), int),
        {"A": a.astype(int), "B": b.astype(int)},
        id=first + np.arange(len(cells)),
        labels=[0, 1],
    )


CELLS = [(60, 12, 5, 13), (150, 20, 14, 30), (70, 6, 7, 20), (40, 15, 3, 10), (90, 9, 4, 5)]
PAIRED = {f"set {i}": answered(*cells, first=1000 * i) for i, cells in enumerate(CELLS)}


@pytest.fixture(scope="module")
def printed() -> hs.ComparedOver:
    return hs.compare_over(PRINTED, rope=0.01)


@pytest.fixture(scope="module")
def paired() -> hs.ComparedOver:
    return hs.compare_over(PAIRED, rope=0.01)


def test_a_new_data_set_is_less_certain_than_the_mean(printed: hs.ComparedOver, paired: hs.ComparedOver) -> None:
    for made in (printed, paired):
        assert made.of("new").sd > made.of().sd
        assert made.of("new").mean == pytest.approx(made.of().mean, abs=0.004)
        assert made.chances().better > made.chances("new").better > 0.5
        assert sum(made.chances("new")) == pytest.approx(1)
        assert made.chances("new").equal > 0
    assert not printed.paired
    assert paired.paired


def test_exchanging_the_classifiers_turns_the_sign(printed: hs.ComparedOver, paired: hs.ComparedOver) -> None:
    for made, data in ((printed, PRINTED), (paired, PAIRED)):
        turned = hs.compare_over(data, made.names[1], made.names[0], rope=0.01)
        for about in ("mean", "new"):
            assert turned.of(about).mean == pytest.approx(-made.of(about).mean, abs=0.003)  # type: ignore[arg-type]
            assert turned.chances(about).worse == pytest.approx(made.chances(about).better, abs=0.01)  # type: ignore[arg-type]


def test_data_sets_are_drawn_towards_the_rest(printed: hs.ComparedOver) -> None:
    for name, observed in zip(printed.data_sets, printed.counts.observed, strict=True):
        known, mean = printed.of(data_set=name).mean, printed.of().mean
        assert abs(known - mean) < abs(observed - mean) + 0.02


def test_a_large_data_set_says_what_it_shows() -> None:
    made = hs.compare_over({**PRINTED, "vowel": {"forest": (93_000, 99_000), "tree": (80_100, 99_000)}})
    assert made.of(data_set="vowel").mean == pytest.approx(129 / 990, abs=0.002)


def test_the_mean_over_data_sets_has_two_routes() -> None:
    """The quadrature over two logits; expectations of one logit at a time, and draws of the population."""
    k, n = np.array([[45.0, 40], [30, 28], [80, 70]]), np.array([[50.0, 50], [40, 40], [90, 90]])
    made = site_population(k, n, draws=1000, seed=0, middle=uniform_rates, shared=1.0)
    over = gain_over_sites(made.mean, made.sd, made.rho, paired=False)
    off = np.abs(over.mean - (made.over_sites[:, 0] - made.over_sites[:, 1]))
    assert np.quantile(off, 0.95) < 2e-4
    assert off.max() < 0.01  # where an sd is 3 and more
    assert made.weight @ off < 1e-4
    one = slice(0, 1)
    rng = np.random.default_rng(1)
    cover = made.sd[0, :, None] * made.sd[0] * np.array([[1, made.rho[0]], [made.rho[0], 1]])
    logits = rng.multivariate_normal(made.mean[0], cover, 400_000)
    for paired, of in ((False, apart), (True, together)):
        exact = gain_over_sites(made.mean[one], made.sd[one], made.rho[one], paired=paired)
        assert exact.mean[0] == pytest.approx(of(logits).mean(), abs=0.002)
        assert exact.sd[0] == pytest.approx(of(logits).std(), abs=0.002)


def test_what_tells_two_apart_is_two_rates() -> None:
    """Four cells of the same cases: their probability is that of two binomials, whatever both have right."""
    share, part, cells = 0.3, 0.6, (5, 3, 2, 4)
    n, discordant = sum(cells), cells[1] + cells[2]
    for alike in (0.2, 0.9):
        four = [(1 - share) * alike, share * part, share * (1 - part), (1 - share) * (1 - alike)]
        whole = stats.multinomial.logpmf(cells, n, four) - stats.binom.logpmf(cells[0], n - discordant, alike)
        two = stats.binom.logpmf(discordant, n, share) + stats.binom.logpmf(cells[1], discordant, part)
        assert whole == pytest.approx(two)
    logits = special.logit(np.array([share, part]))
    assert float(together(logits)) == pytest.approx(share * part - share * (1 - part))


def test_the_posterior_is_that_of_draws_from_the_prior() -> None:
    """Importance sampling from a fitted t, and the prior itself weighted by the likelihood of few cases."""
    k, n = np.array([[7.0, 4], [6, 5], [9, 6], [4, 3]]), np.full((4, 2), 10.0)
    made = site_population(k, n, draws=6000, seed=0, middle=uniform_rates, shared=1.0)
    rng = np.random.default_rng(2)
    mean = special.logit(rng.random((40_000, 2)))
    level, half = np.abs(rng.standard_normal((2, 40_000))) / np.array([[1.0], [2.0]])
    # accuracies are level + half and level - half of a data set, each normal
    variance, together_ = level**2 + half**2, level**2 - half**2
    sd, rho = np.repeat(np.sqrt(variance)[:, None], 2, axis=1), together_ / variance
    found = log_likelihood(mean, sd, rho, k, n, nodes=7).sum(axis=1)
    weight = np.exp(found - found.max())
    weight /= weight.sum()
    ours = gain_over_sites(made.mean, made.sd, made.rho, paired=False)
    theirs = gain_over_sites(mean, sd, rho, paired=False)
    assert 1 / (weight @ weight) > 1000
    assert made.weight @ ours.mean == pytest.approx(weight @ theirs.mean, abs=0.008)
    assert made.weight @ ours.sd == pytest.approx(weight @ theirs.sd, abs=0.006)
    assert made.weight @ (ours.mean > 0) == pytest.approx(weight @ (theirs.mean > 0), abs=0.02)


def test_without_any_difference_nobody_is_better() -> None:
    same = {f"d{i}": answered(30, 0, 0, 5, first=100 * i) for i in range(5)}
    made = hs.compare_over(same, rope=0.05)
    assert made.chances().better == pytest.approx(0.5, abs=0.1) or made.chances().equal > 0.5
    assert abs(made.of().mean) < 0.01
    assert made.chances().equal > 0.5
    without = hs.compare_over(same)
    assert without.chances().better == pytest.approx(0.5, abs=0.03)
    assert without.chances().equal == 0


def test_more_cases_of_the_same_shares_say_more() -> None:
    small = hs.compare_over({f"d{i}": {"A": (9, 10), "B": (7, 10)} for i in range(6)})
    large = hs.compare_over({f"d{i}": {"A": (900, 1000), "B": (700, 1000)} for i in range(6)})
    assert large.of().sd < small.of().sd
    assert small.chances().better < large.chances().better


def test_groups_of_predictions_are_data_sets(paired: hs.ComparedOver) -> None:
    truth = np.concatenate([x.truth for x in PAIRED.values()])
    labels = np.concatenate([[name] * x.n for name, x in PAIRED.items()])
    answers = {one: np.concatenate([x.answers(one) for x in PAIRED.values()]) for one in "AB"}
    grouped = hs.Predictions(truth, answers, group=labels)
    made = hs.compare_over(grouped, rope=0.01)
    assert made.counts.cells.tolist() == paired.counts.cells.tolist() == [list(cells) for cells in CELLS]
    assert made.of().mean == paired.of().mean


def test_a_recall_is_of_the_cases_of_its_class() -> None:
    truth = ["ill"] * 30 + ["well"] * 50
    sets = {}
    for i, name in enumerate("uvw"):
        a, b = list(truth), list(truth)
        a[: 2 + i] = ["well"] * (2 + i)
        b[: 6 + i] = ["well"] * (6 + i)
        b[40:45] = ["ill"] * 5
        sets[name] = hs.Predictions(truth, {"A": a, "B": b})
    assert hs.compare_over(sets, metric="recall@ill").counts.cells.tolist() == [[24 - i, 4, 0, 2 + i] for i in range(3)]
    assert hs.compare_over(sets, metric="recall@well").counts.cells[0].tolist() == [45, 5, 0, 0]
    assert hs.compare_over(sets).counts.cells[0].tolist() == [69, 9, 0, 2]


def test_few_data_sets_say_so() -> None:
    two = hs.compare_over(dict(list(PRINTED.items())[:2]))
    assert "too few to say anything of others" in two.sentence
    assert two.to_dict()["mean_difference"] is None
    for ask in (two.of, two.chances, lambda: two.spread):
        with pytest.raises(hs.errors.NoInformation, match="2 data sets say nothing of others"):
            ask()
    three = hs.compare_over(dict(list(PRINTED.items())[:3]))
    assert "mostly the prior's" in three.warnings[0]


GOOD = {"A": (1, 2), "B": (1, 2)}
CASES = answered(2, 1, 1, 1)


@pytest.mark.parametrize(
    ("sites", "options", "sentence"),
    [
        ({}, {}, "data sets by name"),
        ([GOOD, GOOD], {}, "data sets by name"),
        ({"x": GOOD}, {}, "one data set"),
        ({f"d{i}": GOOD for i in range(501)}, {}, "500 data sets at most"),
        ({"x": GOOD, " ": GOOD}, {}, "a name of its own"),
        ({"x": GOOD, "y": CASES}, {}, "data set 'y' is"),
        ({"x": CASES, "y": GOOD}, {}, "data set 'y' is"),
        ({"x": GOOD, "y": 5}, {}, "data set 'y' is"),
        ({"x": GOOD, "y": {"A": (1, 2)}}, {}, "data set 'y' has no answers of 'B'"),
        ({"x": GOOD, "y": {"A": (1, 2), "B": (0, 0)}}, {}, "n from 1"),
        ({"x": GOOD, "y": {"A": (1, 2), "B": (3, 2)}}, {}, "classifier 'B' in data set 'y' has 3 of 2"),
        ({"x": GOOD, "y": {"A": (1, 2), "B": 0.5}}, {}, "give a pair"),
        ({"x": {**GOOD, "C": (1, 2)}, "y": GOOD}, {}, "say which two"),
        ({"x": GOOD, "y": GOOD}, {"a": "A"}, "give both"),
        ({"x": GOOD, "y": GOOD}, {"a": "A", "b": "A"}, "the same classifier"),
        ({"x": GOOD, "y": GOOD}, {"a": "A", "b": "Z"}, "no answers of 'Z'"),
        ({"x": GOOD, "y": GOOD}, {"rope": -1}, "rope is"),
        ({"x": GOOD, "y": GOOD}, {"rope": "x"}, "rope is"),
        ({"x": GOOD, "y": GOOD}, {"level": 95}, "level is a probability"),
        ({"x": GOOD, "y": GOOD}, {"draws": 1}, "draws is a whole number"),
        (CASES, {}, "no data set is known"),
        ({"x": CASES, "y": CASES}, {}, "case '0' is in data set 'x' and in data set 'y'"),
        ({"x": CASES, "y": answered(2, 1, 1, 1, 90)}, {"metric": "f1@macro"}, "a share of right answers"),
        ({"x": CASES, "y": answered(2, 1, 1, 1, 90)}, {"metric": "nonsense"}, "No metric named"),
        ({"x": CASES, "y": answered(2, 1, 1, 1, 90)}, {"metric": "recall@0"}, "no case to count recall@0 from"),
    ],
)
def test_bad_data_sets_get_a_sentence(sites: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        hs.compare_over(sites, **options)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda x: x.of("old"), "about is"),
        (lambda x: x.of(data_set="Mars"), "Mars"),
        (lambda x: x.chances(data_set=3), "data|name"),
    ],
)
def test_bad_questions_get_a_sentence(printed: hs.ComparedOver, ask: Callable[[Any], Any], sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        ask(printed)


@settings(max_examples=tries(12), deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 6)] * 4).filter(any), min_size=3, max_size=6))
def test_any_cells_give_numbers_in_their_range(cells: list[tuple[int, int, int, int]]) -> None:
    sets = {f"d{i}": answered(*each, first=100 * i) for i, each in enumerate(cells)}
    made = hs.compare_over(sets, rope=0.1, draws=400)
    for about in ("mean", "new"):
        low, high = made.of(about).interval()  # type: ignore[arg-type]
        assert -1 <= low < made.of(about).mean < high <= 1  # type: ignore[arg-type]
        assert all(0 < p < 1 for p in made.chances(about))  # type: ignore[arg-type]
    assert math.isfinite(made.spread.mean)


@pytest.mark.deep
@pytest.mark.parametrize("same_cases", [True, False])
def test_the_mean_difference_is_held_and_equals_raise_no_alarm(same_cases: bool) -> None:
    """Ten data sets of 50 to 400 cases, 40 runs each; the intervals are central 95 %."""
    rng = np.random.default_rng(11)
    held, alarms, runs = 0, 0, 40
    for turn, equal in itertools.product(range(runs), (True, False)):
        n = np.exp(rng.uniform(np.log(50), np.log(400), 10)).astype(int)[:, None]
        z = rng.standard_normal((4000, 3))
        if same_cases:
            logits = np.stack((-1.7 + 0.4 * z[:, 0], 0.5 * (not equal) + 0.5 * z[:, 1]), axis=1)
            gain, size = together(logits), n
            first = rng.binomial(n[:, 0], special.expit(logits[:10, 0]))
            k = np.stack((first, rng.binomial(first, special.expit(logits[:10, 1]))), axis=1).astype(float)
            size = np.stack((n[:, 0], first), axis=1).astype(float)
        else:
            logits = 1.7 + 0.8 * z[:, 2:] + 0.35 * z[:, :2] + np.array([0.3 * (not equal), 0.0])
            gain, size = apart(logits), np.repeat(n, 2, axis=1).astype(float)
            k = rng.binomial(n, special.expit(logits[:10])).astype(float)
        true = 0.0 if equal else float(gain.mean())
        made = site_population(k, size, draws=800, seed=turn, middle=uniform_rates, shared=None if same_cases else 1.0)
        over = gain_over_sites(made.mean, made.sd, made.rho, paired=same_cases).mean
        order = np.argsort(over)
        low, high = np.interp([0.025, 0.975], np.cumsum(made.weight[order]), over[order])
        held += bool(not equal and low <= true <= high)
        alarms += bool(equal and not low <= 0 <= high)
    assert held >= 0.85 * runs
    assert alarms <= 0.15 * runs
