"""Metrics that neither scikit-learn nor a peer has, by hand; and what the families promise."""

import json

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import matrices

import howsure as hs
from howsure.laws import Draws
from howsure.metrics import REGISTRY, parse

BLOG = hs.ConfusionMatrix([[86, 1, 1], [0, 3, 3], [0, 3, 3]], labels=["A", "B", "C"])
ILL = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
GRADES = np.array([[6.0, 3, 1], [2, 5, 3], [0, 0, 0]])


def observed(name, table):
    labels = [str(i) for i in range(len(table))]
    return parse(name, labels, labels[-1]).observed(np.asarray(table, dtype=float))


def test_the_measures_of_the_blog():
    post = hs.infer(BLOG, "flat")
    at = post.at_prevalence([1 / 3, 1 / 3, 1 / 3])
    assert post.of("informedness@macro").observed == pytest.approx(0.63072, abs=5e-6)  # Y_s
    assert post.of("markedness@macro").observed == pytest.approx(0.54992, abs=5e-6)  # Y_c
    assert post.of("worst_rate").observed == 0.5  # T
    assert at.of("informedness@macro").observed == pytest.approx(0.48864, abs=5e-6)
    assert at.of("markedness@macro").observed == pytest.approx(0.49156, abs=5e-6)


def test_weights_of_one_half_change_nothing():
    post = hs.infer(BLOG, "flat")
    for name in ("informedness", "markedness"):
        assert post.of(f"weighted_{name}@macro").observed == pytest.approx(post.of(f"{name}@macro").observed)
    assert post.of("weighted_informedness(w=1)@B").observed == pytest.approx(2 * 0.5 - 1)
    assert post.of("weighted_markedness(w=0)@B").observed == pytest.approx(2 * post.of("npv@B").observed - 1)


@pytest.mark.parametrize("p", [0.01, 0.2, 0.9])
def test_overdiagnosis_is_m_of_the_blog_and_bounded_as_it_says(p):
    known = hs.infer(ILL, "flat").at_prevalence([1 - p, p]).of("overdiagnosis@ill")
    sensitivity, specificity = 42 / 50, 45 / 50
    assert known.observed == pytest.approx(p * sensitivity + (1 - p) * (1 - specificity) - p)
    assert abs(known.observed) <= 1 - min(sensitivity, specificity)
    assert known.route == "exact"


@given(matrices(), st.integers(0, 2**32 - 1))
def test_overdiagnosis_of_any_class_at_any_prevalence_is_at_most_one_less_the_worst_rate(
    cm: hs.ConfusionMatrix, seed: int
) -> None:
    size = len(cm.labels)
    rng = np.random.default_rng(seed)
    rows = cm.counts + rng.dirichlet(np.ones(size), size)  # every class has a rate
    mixes = rng.dirichlet(np.full(size, 0.3), 20)
    tables = mixes[:, :, None] * rows / rows.sum(axis=1, keepdims=True)
    bound = 1 - REGISTRY["worst_rate"](rows)
    assert np.abs(REGISTRY["overdiagnosis"](tables)).max() <= bound + 1e-12
    specificity = REGISTRY["specificity"](tables)
    assert np.nanmin(np.where(mixes < 1 - 1e-9, specificity, np.nan)) >= 1 - bound - 1e-6


def test_the_bound_of_overdiagnosis_is_reached() -> None:
    cm = hs.ConfusionMatrix([[7, 3, 0], [1, 9, 0], [0, 0, 10]], labels=["a", "b", "c"])
    post = hs.infer(cm, "flat").at_prevalence([1, 0, 0])
    assert post.of("overdiagnosis@a").observed == pytest.approx(-(1 - post.of("recall@a").observed)) == -0.3
    assert post.of("overdiagnosis@b").observed == pytest.approx(0.3)


def test_accuracy_at_any_prevalence_is_at_least_the_smallest_recall():
    post = hs.infer(BLOG, "flat")
    worst = post.of("recall@min").observed
    rng = np.random.default_rng(0)
    values = [post.at_prevalence(mix).of("accuracy").observed for mix in rng.dirichlet([1, 1, 1], 50)]
    assert min(values) >= worst


def test_errors_of_grades():
    assert observed("mae", GRADES) == pytest.approx((3 + 2 * 1 + 2 + 3) / 20)
    assert observed("macro_mae", GRADES) == pytest.approx(((3 + 2) / 10 + (2 + 3) / 10) / 2)
    assert observed("mse", GRADES) == pytest.approx((3 + 4 + 2 + 3) / 20)
    assert observed("rmse", GRADES) == pytest.approx(observed("mse", GRADES) ** 0.5)
    assert observed("off_by_one_accuracy", GRADES) == pytest.approx(19 / 20)


@pytest.mark.parametrize(("power", "weights"), [(1, "linear"), (2, "quadratic")])
def test_weighted_kappa_is_that_of_scikit_learn(power, weights):
    table = np.random.default_rng(1).poisson(5, (5, 5))
    truth, call = (np.repeat(x.ravel(), table.ravel()) for x in np.indices(table.shape))
    expected = sklearn.metrics.cohen_kappa_score(truth, call, weights=weights)
    assert observed(f"weighted_kappa(power={power})", table) == pytest.approx(expected, abs=1e-12)


def test_likelihood_ratios_are_those_of_scikit_learn():
    truth, call = (np.repeat(x.ravel(), ILL.counts.ravel()) for x in np.indices((2, 2)))
    expected = sklearn.metrics.class_likelihood_ratios(truth, call)
    assert (observed("lr+", ILL.counts), observed("lr-", ILL.counts)) == pytest.approx(expected)


def test_the_ratios_hang_together():
    get = {name: observed(name, ILL.counts) for name in ("plr", "nlr", "dor", "log_dor", "yule_q", "pt", "nnd", "lift")}
    assert get["dor"] == pytest.approx(get["plr"] / get["nlr"])
    assert get["log_dor"] == pytest.approx(np.log(get["dor"]))
    assert get["yule_q"] == pytest.approx((get["dor"] - 1) / (get["dor"] + 1))
    assert get["pt"] == pytest.approx(1 / (1 + get["plr"] ** 0.5))
    assert get["nnd"] == pytest.approx(1 / observed("informedness", ILL.counts))
    assert get["lift"] == pytest.approx(observed("precision", ILL.counts) / 0.5)


def test_number_needed_to_diagnose_is_infinite_without_information():
    assert observed("nnd", [[5, 5], [5, 5]]) == np.inf
    assert observed("nnd", [[2, 8], [8, 2]]) == np.inf
    assert observed("nnd", [[8, 0], [0, 8]]) == 1


def test_a_number_that_is_infinite_in_every_draw_is_no_information():
    post = hs.infer(hs.ConfusionMatrix([[0, 900], [900, 0]], labels=["healthy", "ill"]), "flat")
    with pytest.raises(hs.errors.NoInformation, match="is infinite in every draw"):
        post.of("nnd@ill", draws=200)


def test_gains_are_those_of_flach_and_kull():
    for name in ("precision", "recall", "f1", "fbeta(beta=2)"):
        base, _, rest = name.partition("(")
        gain = observed(f"{base}_gain{'(' + rest if rest else ''}", ILL.counts)
        value, share = observed(name, ILL.counts), 0.5
        assert gain == pytest.approx((value - share) / ((1 - share) * value))


def test_krippendorff_of_few_cases_is_scott_with_a_small_correction():
    """Krippendorff's alpha of n cases counts pairs without replacement: alpha = pi + (1 - pi) / 2n."""
    table = ILL.counts.astype(float)
    pooled, n = (table.sum(0) + table.sum(1)), table.sum()
    disagreed = (n - np.trace(table)) / n
    expected = (pooled.sum() ** 2 - (pooled**2).sum()) / (2 * n * (2 * n - 1))
    pi = observed("krippendorff_alpha", table)
    assert 1 - disagreed / expected == pytest.approx(pi + (1 - pi) / (2 * n))
    assert REGISTRY["krippendorff_alpha"] is REGISTRY["scott_pi"]


def test_normalised_information_is_bounded_and_ordered():
    table = np.random.default_rng(3).poisson(4, (6, 6))
    name = "normalized_mutual_information"
    low, middle, root, high = (observed(name + suffix, table) for suffix in ("_max", "", "_geometric", "_min"))
    assert 0 < low <= middle <= root <= high < 1
    assert {round(observed("theil_u", table), 12), round(observed("theil_u_of_prediction", table), 12)} == {
        round(low, 12),
        round(high, 12),
    }


def test_cramer_v_of_two_classes_is_the_size_of_mcc_and_ignores_an_empty_class():
    assert observed("cramer_v", ILL.counts) == pytest.approx(abs(observed("mcc", ILL.counts)))
    padded = np.zeros((3, 3))
    padded[:2, :2] = ILL.counts
    assert observed("cramer_v", padded) == pytest.approx(observed("cramer_v", ILL.counts))


# -- numbers without an upper end --------------------------------------------------------------------------------


def test_a_ratio_whose_mean_is_infinite_says_so_and_keeps_its_interval():
    known = hs.infer(hs.ConfusionMatrix([[12, 0], [2, 9]], labels=["healthy", "ill"]), "flat").of("lr+")
    assert known.route == "exact"
    assert known.mean == known.sd == np.inf
    assert known.observed == np.inf
    assert known.prior_shift is None
    low, high = known.interval()
    assert 0 < low < known.median < high < np.inf
    assert repr(known).startswith("positive_likelihood_ratio@ill infinite (")


def test_a_report_with_an_infinite_number_is_json():
    post = hs.infer(hs.ConfusionMatrix([[12, 0], [2, 9]], labels=["healthy", "ill"]), "flat")
    made = hs.report(post, ["lr+", "dor", "log_dor", "nnd"])
    row = json.loads(json.dumps(made.to_dict(), allow_nan=False))["metrics"][0]
    assert row["mean"] is None
    assert row["observed"] is None
    assert row["low"] > 0
    assert "infinite" in str(made)
    assert "nan" not in str(made)


def test_far_tails_keep_the_density_of_the_middle():
    """A drawn ratio with draws hundreds of times its median still has a smooth top near where it belongs."""
    values = np.random.default_rng(0).lognormal(0, 1.5, 20_000)
    law = Draws(values, support=(0, np.inf))
    assert law.mode == pytest.approx(np.exp(-(1.5**2)), abs=0.15)
    x = np.linspace(0.2, 4, 5)
    expected = np.exp(-0.5 * (np.log(x) / 1.5) ** 2) / (x * 1.5 * np.sqrt(2 * np.pi))
    np.testing.assert_allclose(law.pdf(x), expected, rtol=0.2)


def test_infinite_draws_are_values():
    values = np.array([np.inf] * 40 + list(np.linspace(1, 2, 960)))
    law = Draws(values, support=(1, np.inf))
    assert (law.n, law.undefined) == (1000, 0)
    assert law.mean == law.sd == np.inf
    assert law.median == pytest.approx(1.52, abs=0.01)
    assert law.quantile(0.99) == np.inf
    assert law.prob(above=1e9) == pytest.approx(0.04)
    assert law.interval(0.9)[1] < np.inf
    assert law.interval(0.98)[1] == np.inf
    assert np.isfinite(law.mode)
    assert law.quantile_error(0.5) < 0.1
    assert law.quantile_error(0.999) == 0
