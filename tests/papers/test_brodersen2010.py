"""Brodersen, Ong, Stephan and Buhmann 2010: the balanced accuracy and its posterior distribution.

The paper prints figures and the margins of two matrices; the cells are those of the author's demonstration script
(bacc_demo.m). Posterior: Beta(1, 1) for each class (balanced accuracy) or for all cases (accuracy), central 95%.
"""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import beta
from tests.papers.printed import CASES, flat

import howsure as hs

C1, C2 = flat("brodersen2010_C1"), flat("brodersen2010_C2")
DOC = hs.infer(hs.ConfusionMatrix([[90, 10], [5, 95]]), prior="flat")  # example in the help of the author's toolbox

FIVE_DIGITS, SIX_DIGITS = 5.1e-6, 5.1e-7


def two_standard_errors(post):
    """The interval of figure 1: accuracy plus and minus two binomial standard errors."""
    acc = post.of("accuracy").observed
    half = 2 * sqrt(acc * (1 - acc) / post.confusion.n)
    return acc - half, acc + half


def test_margins_are_those_printed_in_figure_1():
    assert C1.confusion.class_sizes.tolist() == [70, 70]
    assert C2.confusion.class_sizes.tolist() == [45, 10]
    assert C2.confusion.counts.sum(0).tolist() == [48, 7]


def test_accuracy_of_c1_with_two_standard_errors_exceeds_one():
    assert C1.of("accuracy").observed == pytest.approx(0.98571, abs=FIVE_DIGITS)
    assert two_standard_errors(C1)[1] == pytest.approx(1.00577, abs=FIVE_DIGITS)


def test_accuracy_of_c2_with_two_standard_errors():
    assert C2.of("accuracy").observed == pytest.approx(0.76364, abs=FIVE_DIGITS)
    assert two_standard_errors(C2) == pytest.approx((0.649, 0.878), abs=5.1e-4)


@pytest.mark.parametrize(
    ("post", "mean", "central"),
    [(C1, 0.97887, (0.94970, 0.99559)), (C2, 0.75439, (0.63582, 0.85607))],
    ids=["C1", "C2"],
)
def test_posterior_accuracy_stays_inside_the_unit_interval(post, mean, central):
    x = post.of("accuracy")
    assert x.mean == pytest.approx(mean, abs=FIVE_DIGITS)
    assert tuple(x.interval(0.95, "central")) == pytest.approx(central, abs=FIVE_DIGITS)
    assert x.interval(0.95, "central").high < 1


@pytest.mark.parametrize(
    ("post", "observed", "mean", "median", "mode", "central"),
    [
        (C1, 0.985714, 0.972222, 0.974359, 0.97881, (0.940071, 0.992306)),
        (C2, 0.544444, 0.561170, 0.55534, 0.54059, (0.451142, 0.701658)),
        (DOC, 0.925, 0.916667, 0.917994, 0.920685, (0.875493, 0.950317)),
    ],
    ids=["C1", "C2", "toolbox example"],
)
def test_posterior_balanced_accuracy(post, observed, mean, median, mode, central):
    x = post.of("balanced_accuracy")
    assert x.observed == pytest.approx(observed, abs=SIX_DIGITS)
    assert x.mean == pytest.approx(mean, abs=SIX_DIGITS)
    assert x.median == pytest.approx(median, abs=FIVE_DIGITS)
    assert x.mode == pytest.approx(mode, abs=1e-5)  # a flat top, found on a grid
    assert tuple(x.interval(0.95, "central")) == pytest.approx(central, abs=1e-6)


@pytest.mark.parametrize("name", ["C1", "C2"])
def test_stored_values_agree(name):
    post, stored = {"C1": C1, "C2": C2}[name], CASES[f"brodersen2010_{name}"]["computed"]
    x, acc = post.of("balanced_accuracy"), post.of("accuracy")
    assert x.sd == pytest.approx(stored["posterior_bac_beta11"]["sd"], abs=1e-7)
    assert tuple(x.interval(0.95, "hdi")) == pytest.approx(stored["posterior_bac_beta11"]["hdi95"], abs=1e-5)
    assert acc.median == pytest.approx(stored["posterior_acc_beta11"]["median"], abs=1e-6)
    assert acc.mode == pytest.approx(stored["posterior_acc_beta11"]["mode"], abs=1e-6)
    assert acc.mode == pytest.approx(acc.observed, abs=1e-12)  # equation 5: under Beta(1, 1) the mode is C / n


def test_chance_is_inside_the_balanced_interval_of_c2_and_outside_that_of_its_accuracy():
    balanced, plain = C2.of("balanced_accuracy"), C2.of("accuracy")
    assert balanced.prob(below=0.5) == pytest.approx(0.1740075879102691, abs=1e-12)
    assert balanced.interval(0.95, "central").low < 0.5 < balanced.interval(0.95, "central").high
    assert plain.interval(0.95, "central").low > 0.5
    assert two_standard_errors(C2)[0] > 0.5


def test_the_toolbox_example_has_a_tail_that_grids_lose():
    """The toolbox's own grid gives about -1e-16; the value is a 50-digit integral (mpmath), first digits 5.4e-39."""
    assert DOC.of("balanced_accuracy").prob(below=0.5) == pytest.approx(5.4327477859433931730e-39, rel=1e-10, abs=0)


@pytest.mark.full
def test_equation_7_lacks_a_factor_4():
    """As printed, the integral of p_A(2(x - z)) p_A(2z) over z integrates to 1/4 over x."""
    z = (np.arange(500) + 0.5) / 1000  # midpoints on [0, 1/2]
    x = (np.arange(500) + 0.5) / 500
    positive, negative = beta(3, 9), beta(41, 6)
    printed = (positive.pdf(2 * (x[:, None] - z)) * negative.pdf(2 * z)).sum(1) / 1000
    assert printed.mean() == pytest.approx(0.25, abs=1e-6)
    assert (4 * printed)[250] == pytest.approx(C2.of("balanced_accuracy").pdf(x[250]), rel=1e-4)


def test_flat_priors_of_two_recalls_are_a_triangular_prior_of_their_mean():
    """The paper calls it flat."""
    nothing = hs.infer(hs.ConfusionMatrix([[0, 0], [0, 0]]), prior="flat").of("balanced_accuracy")
    x = np.array([0.1, 0.25, 0.5, 0.8])
    assert nothing.cdf(x) == pytest.approx(np.where(x <= 0.5, 2 * x**2, 1 - 2 * (1 - x) ** 2), abs=1e-9)
