"""mclearn (performance.py): the multiclass balanced accuracy of Carrillo et al. on a grid of step 0.001, in Python.

Its method samples the density of each Beta at step 0.001 and convolves. The exact column is what the library gives;
the grid column is what mclearn gave, with the distance that its grid explains.
"""

import math

import numpy as np
import pytest
from tests.papers.printed import CASES, flat

import howsure as hs

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


def on_a_grid(betas, step=0.001):
    """Mean of the posterior as mclearn finds it: sampled densities, convolved, normalised."""
    density = np.ones(1)
    for a, b in betas:
        x = np.linspace(0, 1, round(1 / step) + 1)
        logs = np.full(len(x), -np.inf)
        logs[1:-1] = (a - 1) * np.log(x[1:-1]) + (b - 1) * np.log1p(-x[1:-1])
        logs[0], logs[-1] = (0 if a == 1 else -np.inf), (0 if b == 1 else -np.inf)
        log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
        density = np.convolve(density, np.exp(logs - log_beta))
    places = np.linspace(0, 1, len(density))
    return float((places * density).sum() / density.sum())


def betas(name):
    """mclearn's get_beta_parameters: (1 + right, 1 + wrong) of each class."""
    rows = CASES[name]["matrix"]
    return [(1 + row[i], 1 + sum(row) - row[i]) for i, row in enumerate(rows)]


@pytest.mark.parametrize(
    ("name", "mean", "central", "tolerance"),
    [
        ("carrillo2013_C1", 0.776144, (0.62151, 0.90321), 5.1e-6),
        ("carrillo2013_C9", 0.965467, (0.95877, 0.97160), 5.1e-6),
        ("synthetic_3class_n50", 0.7115385, (0.645649, 0.774099), 1e-6),
        ("synthetic_5class_n50", 0.7307692, (0.679556, 0.779649), 1e-6),
        ("synthetic_10class_n50", 0.6980769, (0.659890, 0.735121), 1e-6),
    ],
)
def test_exact_mean_and_interval(name, mean, central, tolerance):
    x = flat(name).of("balanced_accuracy")
    assert x.route == "exact"
    assert x.mean == pytest.approx(mean, abs=5.1e-7)
    assert tuple(x.interval(0.95, "central")) == pytest.approx(central, abs=tolerance)


@pytest.mark.parametrize("name", [f"synthetic_{k}class_n50" for k in (3, 5, 10)])
def test_synthetic_cases_agree_with_everything_stored(name):
    stored = CASES[name]["computed"]["posterior_bac_beta11"]
    x = flat(name).of("balanced_accuracy")
    assert x.sd == pytest.approx(stored["sd"], rel=5.1e-6)
    assert x.median == pytest.approx(stored["median"], abs=1e-6)
    assert x.mode == pytest.approx(stored["mode"], abs=1e-5)
    assert tuple(x.interval(0.95, "hdi")) == pytest.approx(stored["hdi95"], abs=1e-5)


@pytest.mark.parametrize("name", ["carrillo2013_C1", "synthetic_3class_n50", "synthetic_5class_n50"])
def test_the_grid_finds_the_same_mean_where_recalls_are_broad(name):
    assert on_a_grid(betas(name)) == pytest.approx(flat(name).of("balanced_accuracy").mean, abs=1e-6)


def test_the_grid_is_off_where_a_recall_is_narrower_than_its_step():
    """C9 holds Beta(3201, 1): the grid gives 0.965712, which Carrillo's table prints as 0.966."""
    assert on_a_grid(betas("carrillo2013_C9")) == pytest.approx(0.965712, abs=5.1e-7)
    assert flat("carrillo2013_C9").of("balanced_accuracy").mean == pytest.approx(0.965467, abs=5.1e-7)


def test_a_million_cases_per_class_need_no_finer_grid():
    """mclearn: mean 0.999000 and interval .99883 to .99917, which excludes the truth, 0.9995."""
    wrong, n = 500, 1_000_000
    table = np.diag([n - wrong] * 3) + wrong * np.roll(np.eye(3, dtype=int), 1, axis=1)
    x = hs.infer(hs.ConfusionMatrix(table), prior="flat").of("balanced_accuracy")
    assert x.mean == pytest.approx(0.999499, abs=5.1e-7)
    assert tuple(x.interval(0.95, "central")) == pytest.approx((0.99947, 0.99952), abs=5.1e-6)
    assert on_a_grid([(n - wrong + 1, wrong + 1)] * 3) == pytest.approx(0.999, abs=5.1e-7)
