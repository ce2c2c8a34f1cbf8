"""Ratios of linear laws: precision, F1, Jaccard and kappa at a stated prevalence, for any number of classes."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.laws import Beta, BinaryLaw, Linear, LinearFractional
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of

LINEAR = ["specificity", "false_positive_rate", "informedness", "bias"]
COUNTS = [[40, 3, 2], [4, 30, 6], [1, 5, 20]]
SHARES = [0.2, 0.5, 0.3]
TAILS = np.array([0.005, 0.025, 0.3, 0.5, 0.8, 0.975, 0.995])


def table(size: int, seed: int = 0) -> hs.ConfusionMatrix:
    """A sparse table of many classes."""
    rng = np.random.default_rng(seed)
    return hs.ConfusionMatrix(rng.poisson(0.4, (size, size)) + np.diag(rng.integers(5, 40, size)))


def at(counts: object, shares: object, prior: str = "flat") -> hs.Posterior:
    matrix = counts if isinstance(counts, hs.ConfusionMatrix) else hs.ConfusionMatrix(counts)  # type: ignore[arg-type]
    return hs.infer(matrix, prior).at_prevalence(shares)  # type: ignore[arg-type]


def agrees_with_draws(post: hs.Posterior, name: str, n: int) -> None:
    """Mean, spread and distribution function within four standard errors of draws of the whole table."""
    distribution = post.of(name)
    assert measure_of(distribution) is not None
    law, drawn = distribution.law, knowledge_of(post).drawn([measure_of(distribution)], n, 1, 0)[0]
    assert law.route != "simulated"
    assert law.mean == pytest.approx(drawn.mean(), abs=4 * law.sd / np.sqrt(n))
    fourth = np.mean((drawn - law.mean) ** 4) / law.sd**4
    assert law.sd == pytest.approx(drawn.std(), rel=2.5 * np.sqrt(fourth / n))
    shares = (drawn[:, None] <= law.quantile(TAILS)).mean(axis=0)
    np.testing.assert_array_less(np.abs(shares - TAILS), 5 * np.sqrt(TAILS * (1 - TAILS) / n))


@pytest.mark.sweep(1, full=4)
@pytest.mark.parametrize("name", ["negative_predictive_value@1", "fbeta(beta=2)@1", "informedness@1", "kappa"])
def test_three_classes_agree_with_draws(name: str) -> None:
    post = at(COUNTS, SHARES)
    assert post.of(name).law.route == "exact"
    assert isinstance(post.of(name).law, Linear if name.split("@")[0] in LINEAR else LinearFractional)
    agrees_with_draws(post, name, 50_000)


@pytest.mark.sweep(1, full=2)
@pytest.mark.parametrize(("name", "prior"), [("precision@0", "flat"), ("f1@1", "jeffreys")])
def test_perfect_and_empty_classes_agree_with_draws(name: str, prior: str) -> None:
    post = at([[9, 0, 0], [0, 0, 0], [0, 0, 30]], SHARES, prior)
    assert isinstance(post.of(name).law, LinearFractional)
    agrees_with_draws(post, name, 50_000)


@pytest.mark.parametrize(
    ("name", "counts"), [("npv", [[45, 5], [8, 42]]), ("f1", [[6, 2], [0, 26]]), ("kappa", [[45, 5], [8, 42]])]
)
def test_two_classes_agree_with_the_law_of_two_betas(name: str, counts: list[list[int]]) -> None:
    post = at(counts, [0.7, 0.3], "jeffreys")
    binary = post.of(name).law
    assert isinstance(binary, BinaryLaw)
    recall, specificity = post.of("recall@1").law, post.of("recall@0").law
    assert isinstance(recall, Linear)
    assert isinstance(specificity, Linear)
    hits, false = 0.3 * recall, 0.7 * (1 - specificity)
    top, bottom = {
        "npv": (0.7 * specificity, 0.7 * specificity + 0.3 * (1 - recall)),
        "f1": (2 * hits, 0.3 + hits + false),
        # p_o - p_e and 1 - p_e with p_e = 0.7 + (0.3 - 0.7) (share called positive)
        "kappa": (hits + 0.7 * specificity - 0.7 + 0.4 * (hits + false), 0.3 + 0.4 * (hits + false)),
    }[name]
    law = LinearFractional(top, bottom)
    ends = binary.quantile(TAILS)
    # the other law is itself right to about 1e-9 where both classes have errors, and to 1e-6 where one has none
    np.testing.assert_allclose(law.cdf(ends), binary.cdf(ends), atol=1e-6 if np.min(counts) == 0 else 2e-8)
    assert (law.mean, law.sd) == pytest.approx((binary.mean, binary.sd), abs=1e-6 * binary.sd)
    assert law.interval() == pytest.approx(binary.interval(), abs=3e-6)


@pytest.mark.full
def test_a_ratio_to_a_constant_is_the_linear_law() -> None:
    top = Linear([([0.2, 0.5, 0.9], [3.0, 4.0, 5.0]), ([0.1, 0.0, 0.3], [6.0, 2.0, 7.0])])
    law = LinearFractional(top, Linear(shift=2.0))
    np.testing.assert_allclose(law.quantile(TAILS), top.quantile(TAILS) / 2, atol=1e-9)
    np.testing.assert_allclose(law.cdf(top.quantile(TAILS) / 2), TAILS, atol=1e-10)
    np.testing.assert_allclose(law.pdf(top.quantile(TAILS) / 2), 2 * top.pdf(top.quantile(TAILS)), rtol=1e-6)
    assert (law.mean, law.sd) == pytest.approx((top.mean / 2, top.sd / 2), abs=1e-9)
    assert law.interval() == pytest.approx(tuple(v / 2 for v in top.interval()), abs=1e-8)
    assert law.mode == pytest.approx(top.mode / 2, abs=1e-6)


def test_complements_and_inverses() -> None:
    law = at(COUNTS, SHARES).of("precision@0").law
    grid = np.linspace(0.01, 0.99, 60)
    cdf = law.cdf(grid)
    assert (np.diff(cdf) >= 0).all()
    np.testing.assert_allclose(cdf + law.sf(grid), 1, atol=1e-12)
    p = np.array([1e-12, 1e-6, *TAILS, 1 - 1e-6])
    np.testing.assert_allclose(law.cdf(law.quantile(p)), p, atol=1e-9)
    assert law.quantile(1e-12) < law.quantile(1e-6)
    assert (law.quantile(0.0), law.quantile(1.0)) == law.support
    inner = law.quantile(TAILS)
    step = 1e-4 * law.sd
    np.testing.assert_allclose(law.pdf(inner), (law.cdf(inner + step) - law.cdf(inner - step)) / (2 * step), rtol=1e-5)


def test_a_class_that_never_occurs() -> None:
    post = at(COUNTS, [0.4, 0.6, 0.0])
    for name, value in (("precision@2", 0.0), ("negative_predictive_value@2", 1.0), ("f1@2", 0.0), ("jaccard@2", 0.0)):
        law = post.of(name).law
        assert (law.mean, law.sd, law.support) == (value, 0.0, (value, value))
        assert law.prob(below=value) == 0.0
        assert law.interval() == (value, value)
    for name in ("precision@0", "kappa", "bias@2", "specificity@2"):
        agrees_with_draws(post, name, 20_000)


@pytest.mark.parametrize(
    ("counts", "shares", "prior"),
    [
        ([[9, 0, 0], [0, 0, 0], [0, 0, 30]], SHARES, "flat"),
        ([[10_000_000, 40_000_000, 20_000_000], [0, 2, 2], [2, 1, 0]], [0.00123, 0.07498, 0.92379], "jeffreys"),
    ],
    ids=["hardly filled", "few cases beside millions"],
)
def test_kappa_of_a_broad_row_beside_a_narrow_one_is_drawn(
    counts: list[list[int]], shares: list[float], prior: str
) -> None:
    """The exact law took minutes."""
    assert at(counts, shares, prior).of("kappa").route == "simulated"


def test_improper_classes_are_named() -> None:
    with pytest.raises(NoInformation, match="no case of class '1'"):
        at([[9, 1, 1], [0, 0, 0], [1, 1, 30]], SHARES, "haldane").of("precision@0")


@pytest.mark.parametrize(
    ("top", "bottom", "message"),
    [
        (Beta(2, 3), Beta(2, 3) - 0.5, "must be positive"),
        (Linear(shift=1.0), Beta(2, 3), "must be bounded"),
    ],
)
def test_ratios_without_a_law_are_refused(top: Linear, bottom: Linear, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        LinearFractional(top, bottom)
