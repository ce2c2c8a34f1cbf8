"""The vocabulary that a new law inherits from four formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from howsure import ConfusionMatrix, infer
from howsure.errors import InvalidArgument
from howsure.laws import Beta, Interval, Law
from howsure.laws.computed_law import Student


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
    assert (Beta(1, 5).mode, Beta(5, 1).mode, Beta(1, 1).mode, Beta(1.5, 0.5).mode) == (0, 1, 0.5, 1)


@pytest.mark.full
@pytest.mark.parametrize(("a", "b", "mode"), [(1.0, 6.0, 0.0), (6.0, 1.0, 1.0)])
def test_the_mode_of_a_law_that_is_densest_at_an_end_is_that_end(a: float, b: float, mode: float) -> None:
    class Plain(Law):
        """A Beta that knows no more than it must."""

        support, mean, sd = (0.0, 1.0), a / (a + b), Beta(a, b).sd  # type: ignore[assignment]

        def _cdf(self, x: np.ndarray) -> np.ndarray:
            return Beta(a, b)._cdf(x)

    assert Plain().mode == mode


class Rounded(Triangular):
    """The same, off by roundings at both ends, as sums of a thousand terms are."""

    def _cdf(self, x: np.ndarray) -> np.ndarray:
        inside = np.asarray(self.peer.cdf(x))
        return np.where(inside <= 0, -2.3e-16, np.where(inside >= 1, 1 + 4.4e-16, inside))


@given(st.floats(-2, 2))
def test_no_probability_leaves_its_range(x: float) -> None:
    law = Rounded()
    assert all(0 <= share <= 1 for share in (law.cdf(x), law.sf(x), law.prob(above=x), law.prob(below=x)))
    assert 0 <= law.prob(between=(x, x + 1)) <= 1


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
