"""Many laws at once against each of them alone."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import tries

from howsure.errors import InvalidArgument
from howsure.laws import Beta, Betas, BetaSum, BetaSums, Law, Laws

COUNTS = [0, 1, 2, 3, 7, 20, 150, 3000]
PRIORS = {"flat": 1.0, "jeffreys": 0.5, "other": 0.37}


def tables(count: int, width: int, prior: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rates of classes of very unequal sizes, with none, some and all cases right."""
    rng = np.random.default_rng(seed)
    n = rng.choice(COUNTS, (count, width))
    right = rng.binomial(n, rng.choice([0.0, 0.1, 0.6, 0.9, 1.0], (count, width)))
    return prior + right, prior + n - right


def held_to_each(laws: Laws, rows: range, *, end: float = 1e-6) -> None:
    """Every answer of the batch is that of the law alone; ends in standard deviations."""
    threshold = laws.mean + 0.7 * laws.sd
    above, (low, high) = laws.prob(above=threshold), laws.interval(0.9, "central")
    shortest = laws.interval()
    for row in rows:
        law = laws[row]
        assert (law.mean, law.sd) == pytest.approx((laws.mean[row], laws.sd[row]), rel=1e-12)
        assert above[row] == pytest.approx(law.prob(above=float(threshold[row])), abs=2e-9)
        assert (low[row], high[row]) == pytest.approx(law.interval(0.9, "central"), abs=end * law.sd)
        one = law.interval()
        assert shortest.central[row] == (one.kind == "central")
        ends = float(shortest.low[row]), float(shortest.high[row])
        assert law.cdf(ends[1]) - law.cdf(ends[0]) == pytest.approx(0.95, abs=1e-8)
        # an interval of that mass cannot be shorter than the shortest; one law alone may stop a little before it
        assert ends[1] - ends[0] <= one.width + end * law.sd
        assert ends[1] - ends[0] >= one.width - 1e-3 * law.sd


@pytest.mark.full
@pytest.mark.parametrize("prior", [1.0, 0.5])
def test_two_rates_are_each_law_alone(prior: float) -> None:
    held_to_each(BetaSums(*tables(24, 2, prior, seed=1)), range(24))


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize("weights", [(1.0, -1.0), (0.7, 0.3)], ids=str)
def test_signed_and_unequal_weights(weights: tuple[float, float]) -> None:
    held_to_each(BetaSums(*tables(12, 2, 1.0, seed=2), weights), range(12))


@pytest.mark.full
@pytest.mark.parametrize("prior", [1.0, 0.5], ids=str)
def test_single_rates(prior: float) -> None:
    a, b = tables(60, 1, prior, seed=3)
    laws = Betas(a[:, 0], b[:, 0])
    low, high = laws.interval()
    for row in range(60):
        alone = laws[row]
        assert isinstance(alone, Beta)
        assert (low[row], high[row]) == pytest.approx(alone.interval(), abs=1e-9)
        assert laws.interval().central[row] == (alone.interval().kind == "central")
        np.testing.assert_allclose(
            laws.quantile([0.2, 1e-12])[row], alone.quantile([0.2, 1e-12]), rtol=1e-13, atol=1e-15
        )
        assert laws.cdf(0.4)[row] == pytest.approx(alone.cdf(0.4), rel=1e-13)


@settings(max_examples=tries(40), deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 60)] * 4), min_size=1, max_size=4),
    st.sampled_from(list(PRIORS.values())),
    st.floats(0.5, 0.99),
)
def test_intervals_hold_their_level_and_the_shortest_is(
    counts: list[tuple[int, ...]], prior: float, level: float
) -> None:
    n = prior + np.array(counts, dtype=float)
    laws = BetaSums(n[:, :2], n[:, 2:])
    central, shortest = laws.interval(level, "central"), laws.interval(level)
    for ends in (central, shortest):
        np.testing.assert_allclose(laws.cdf(ends.high) - laws.cdf(ends.low), level, atol=1e-7)
        assert np.all((ends.low >= 0) & (ends.high <= 1))
    assert np.all(shortest.width <= central.width + 1e-7)
    mirrored = BetaSums(n[:, 2:], n[:, :2])
    np.testing.assert_allclose(1 - mirrored.interval(level, "central").high, central.low, atol=1e-7)
    np.testing.assert_allclose(mirrored.prob(above=0.3), laws.prob(below=0.7), atol=1e-8)


def test_shapes() -> None:
    laws = BetaSums([[8, 20], [9, 1], [3, 3]], [[3, 2], [1, 1], [4, 4]])
    assert laws.cdf(0.5).shape == (3,)
    assert laws.cdf([0.1, 0.2, 0.3]).shape == (3,)
    assert laws.cdf(np.full((3, 5), 0.5)).shape == (3, 5)
    assert laws.quantile(0.5).tolist() == laws.median.tolist() == laws.quantile([0.5])[:, 0].tolist()
    between = laws.prob(between=(0.2, [0.5, 0.6, 0.7]))
    np.testing.assert_allclose(between, laws.cdf([0.5, 0.6, 0.7]) - laws.cdf(0.2))
    assert isinstance(laws[-1], Law)
    assert isinstance(laws[2], BetaSum)


def test_values_not_sessions() -> None:
    a = np.array([[8.0, 20.0]])
    laws = BetaSums(a, a)
    before = laws.prob(above=0.5)
    a[:] = 1.0
    laws.mean[:] = 3.0
    assert laws.prob(above=0.5).tolist() == before.tolist()
    with pytest.raises(AttributeError, match="immutable"):
        laws.route = "simulated"
    again = pickle.loads(pickle.dumps(laws.interval()))
    assert (again.level, again.kind, again.central.tolist()) == (0.95, "hdi", [False])


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: BetaSums([1, 2], [1, 2]), "tables of one shape"),
        (lambda: BetaSums([[1, 2]], [[1, 0]]), "row 0 of b has 0"),
        (lambda: BetaSums([[1, 2], [3, np.nan]], [[1, 1], [1, 1]]), "row 1 of a has nan"),
        (lambda: BetaSums([[1, 2]], [[1, 1]], [1, 1, 1]), "one for each of the 2 columns"),
        (lambda: Betas([[1]], [[1]]), "of one length"),
        (lambda: Betas([1], [1]).interval(95), "95% is 0.95"),
        (lambda: Betas([1], [1]).interval(kind="wald"), "kind is"),
        (lambda: Betas([1], [1]).prob(between=(0.3, 0.2)), "low <= high"),
        (lambda: Betas([1], [1]).prob(between=0.3), "a pair"),
    ],
)
def test_bad_input_is_told(made, told: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidArgument, match=told):
        made()
