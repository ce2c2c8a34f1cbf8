"""What every law can be asked: the interface, straight and many at once."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.conftest import tries

import howsure as hs
from howsure import ConfusionMatrix, infer
from howsure.errors import InvalidArgument
from howsure.laws import Beta, BetaBinomial, Betas, BetaSum, BetaSums, Draws, Interval, Law, Laws, Linear
from howsure.laws.law import outline
from howsure.laws.transformed import Student


class Triangular(Law):
    """Triangular on [0, 1] with its mode at 0.3; only what the contract asks for."""

    peer = stats.triang(0.3)

    @property
    def support(self) -> tuple[float, float]:
        return 0.0, 1.0

    @property
    def mean(self) -> float:
        return float(self.peer.mean())

    @property
    def sd(self) -> float:
        return float(self.peer.std())

    def _cdf(self, x: np.ndarray) -> np.ndarray:
        return np.asarray(self.peer.cdf(x))


@pytest.mark.full
def test_everything_follows_from_the_cdf() -> None:
    law, peer = Triangular(), Triangular.peer
    p = np.array([0.0, 0.025, 0.5, 0.975, 1.0])
    np.testing.assert_allclose(law.quantile(p), peer.ppf(p), atol=1e-12)
    np.testing.assert_allclose(law.pdf([0.1, 0.6]), peer.pdf([0.1, 0.6]), rtol=1e-6)
    assert law.mode == pytest.approx(0.3, abs=0.01)
    assert law.median == pytest.approx(peer.median())
    low, high = law.interval(0.8)
    assert law.pdf(low) == pytest.approx(law.pdf(high), rel=1e-4)
    assert law.prob(between=(low, high)) == pytest.approx(0.8)
    assert law.prob(below=0.3) == pytest.approx(0.3)
    sample = law.sample(20_000, seed=1)
    assert stats.kstest(sample, peer.cdf).pvalue > 1e-4
    assert (law.route, law.error) == ("exact", 0.0)


def test_an_interval_is_a_pair_that_knows_its_kind() -> None:
    ends = Interval(0.2, 0.5, level=0.9, kind="central")
    low, high = ends
    assert (low, high) == (ends.low, ends.high) == ends == (0.2, 0.5)
    assert (ends.width, ends.level, ends.kind) == (pytest.approx(0.3), 0.9, "central")


def test_modes_at_the_edge_and_in_the_middle() -> None:
    modes = [Beta(*ab).mode for ab in ((1, 5), (5, 1), (1, 1), (1.5, 0.5))]
    assert modes == [0, 1, 0.5, 1]


@pytest.mark.full
@pytest.mark.parametrize(("a", "b", "mode"), [(1.0, 6.0, 0.0), (6.0, 1.0, 1.0)])
def test_the_mode_of_a_law_that_is_densest_at_an_end_is_that_end(a: float, b: float, mode: float) -> None:
    class Plain(Law):
        """A Beta that knows no more than it must."""

        support, mean, sd = (0.0, 1.0), a / (a + b), Beta(a, b).sd  # type: ignore[assignment]

        def _cdf(self, x: np.ndarray) -> np.ndarray:
            return Beta(a, b)._cdf(x)

    assert Plain().mode == mode


def test_a_threshold_without_its_side_is_told_how() -> None:
    for known in (Beta(3, 2), infer(ConfusionMatrix([[9, 1], [2, 8]])).of("accuracy")):
        with pytest.raises(InvalidArgument, match=r"prob\(above=0\.8\), prob\(below=0\.8\)"):
            known.prob(0.8)


@pytest.mark.parametrize("df", [2.5, 9.0, 400.0])
def test_student_is_that_of_scipy(df: float) -> None:
    law, peer = Student(df, 0.3, 2.0), stats.t(df, 0.3, 2.0)
    x = np.array([-4.0, 0.0, 0.3, 5.0])
    assert (law.mean, law.sd) == pytest.approx((peer.mean(), peer.std()))
    np.testing.assert_allclose([law.cdf(x), law.sf(x), law.pdf(x)], [peer.cdf(x), peer.sf(x), peer.pdf(x)])


# -- the shape of a law as it is drawn --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "law",
    [
        Beta(20, 3),
        Beta(1, 30),
        BetaBinomial(40, 20, 3),
        Draws(np.random.default_rng(0).beta(8, 3, 20_000), support=(0.0, 1.0)),
        hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]])).of("mcc").law,
    ],
    ids=repr,
)
def test_an_outline_holds_nearly_all_of_the_law_and_stays_inside(law: object) -> None:
    x, density = outline(law)  # type: ignore[arg-type]  # laws of all kinds
    assert np.trapezoid(density, x) == pytest.approx(1, abs=0.02)
    assert np.all(np.diff(x) >= 0)
    if not isinstance(law, BetaBinomial):
        assert law.support[0] <= x[0]  # type: ignore[attr-defined]  # laws of all kinds
        assert x[-1] <= law.support[1]  # type: ignore[attr-defined]  # laws of all kinds


def test_a_number_without_width_is_one_point() -> None:
    x, density = outline(Linear(shift=0.3))
    assert x.tolist() == [0.3]
    assert density.tolist() == [1.0]


# -- many laws at once against each of them alone ---------------------------------------------------------------------

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
