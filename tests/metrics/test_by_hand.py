"""Agreement, shared information, gains, errors of grades, averages and diagnostic ratios: by hand, and their bounds."""

import numpy as np
import pytest

import howsure as hs
from howsure.metrics import REGISTRY, parse

ILL = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
BLOG = hs.ConfusionMatrix([[86, 1, 1], [0, 3, 3], [0, 3, 3]], labels=["A", "B", "C"])
GRADES = np.array([[6.0, 3, 1], [2, 5, 3], [0, 0, 0]])


def observed(name, table):
    labels = [str(i) for i in range(len(table))]
    return parse(name, labels, labels[-1]).observed(np.asarray(table, dtype=float))


def test_an_undefined_table_has_no_mcc() -> None:
    empty = hs.ConfusionMatrix([[30, 2, 0], [1, 9, 0], [0, 0, 0]])
    assert hs.infer(empty, "flat").at_prevalence([0.4, 0.4, 0.2]).of("mcc").observed is None
    assert hs.infer(hs.ConfusionMatrix([[3, 0], [2, 0]]), "flat").of("mcc").observed == 0


def test_krippendorff_of_few_cases_is_scott_with_a_small_correction():
    """Krippendorff's alpha of n cases counts pairs without replacement: alpha = pi + (1 - pi) / 2n."""
    table = ILL.counts.astype(float)
    pooled, n = (table.sum(0) + table.sum(1)), table.sum()
    disagreed = (n - np.trace(table)) / n
    expected = (pooled.sum() ** 2 - (pooled**2).sum()) / (2 * n * (2 * n - 1))
    pi = observed("krippendorff_alpha", table)
    assert 1 - disagreed / expected == pytest.approx(pi + (1 - pi) / (2 * n))
    assert REGISTRY["krippendorff_alpha"] is REGISTRY["scott_pi"]


def test_cramer_v_of_two_classes_is_the_size_of_mcc_and_ignores_an_empty_class():
    assert observed("cramer_v", ILL.counts) == pytest.approx(abs(observed("mcc", ILL.counts)))
    padded = np.zeros((3, 3))
    padded[:2, :2] = ILL.counts
    assert observed("cramer_v", padded) == pytest.approx(observed("cramer_v", ILL.counts))


def test_one_class_shares_nothing_and_that_is_no_negative_zero():
    shared = observed("mutual_information", [[9, 0], [0, 0]])
    assert shared == 0
    assert not np.signbit(shared)


def test_gains_are_those_of_flach_and_kull():
    for name in ("precision", "recall", "f1", "fbeta(beta=2)"):
        base, _, rest = name.partition("(")
        gain = observed(f"{base}_gain{'(' + rest if rest else ''}", ILL.counts)
        value, share = observed(name, ILL.counts), 0.5
        assert gain == pytest.approx((value - share) / ((1 - share) * value))


def test_errors_of_grades():
    assert observed("mae", GRADES) == pytest.approx((3 + 2 * 1 + 2 + 3) / 20)
    assert observed("macro_mae", GRADES) == pytest.approx(((3 + 2) / 10 + (2 + 3) / 10) / 2)
    assert observed("mse", GRADES) == pytest.approx((3 + 4 + 2 + 3) / 20)
    assert observed("rmse", GRADES) == pytest.approx(observed("mse", GRADES) ** 0.5)
    assert observed("off_by_one_accuracy", GRADES) == pytest.approx(19 / 20)


def test_the_measures_of_the_blog():
    post = hs.infer(BLOG, "flat")
    at = post.at_prevalence([1 / 3, 1 / 3, 1 / 3])
    assert post.of("informedness@macro").observed == pytest.approx(0.63072, abs=5e-6)  # Y_s
    assert post.of("markedness@macro").observed == pytest.approx(0.54992, abs=5e-6)  # Y_c
    assert post.of("worst_rate").observed == 0.5  # T
    assert at.of("informedness@macro").observed == pytest.approx(0.48864, abs=5e-6)
    assert at.of("markedness@macro").observed == pytest.approx(0.49156, abs=5e-6)


@pytest.mark.parametrize("p", [0.01, 0.2, 0.9])
def test_overdiagnosis_is_m_of_the_blog_and_bounded_as_it_says(p):
    known = hs.infer(ILL, "flat").at_prevalence([1 - p, p]).of("overdiagnosis@ill")
    sensitivity, specificity = 42 / 50, 45 / 50
    assert known.observed == pytest.approx(p * sensitivity + (1 - p) * (1 - specificity) - p)
    assert abs(known.observed) <= 1 - min(sensitivity, specificity)
    assert known.route == "exact"


def test_the_bound_of_overdiagnosis_is_reached() -> None:
    cm = hs.ConfusionMatrix([[7, 3, 0], [1, 9, 0], [0, 0, 10]], labels=["a", "b", "c"])
    post = hs.infer(cm, "flat").at_prevalence([1, 0, 0])
    assert post.of("overdiagnosis@a").observed == pytest.approx(-(1 - post.of("recall@a").observed)) == -0.3
    assert post.of("overdiagnosis@b").observed == pytest.approx(0.3)
