"""Carrillo, Brodersen and Castellanos 2013, Table 1 and the ranking of section 5.1.

The paper prints no matrices. Those in published.json are the only ones (up to the order of classes) that give all
117 printed numbers; C4-6 are C1-3 times 10, C7-9 times 100. How each column was computed and rounded:

column     rule                                                                          rounding of the print
PDBAC      mean and central 95% interval, Beta(1, 1) for each class                     half up, 3 and 2 decimals
acc        k / n +- 2 sqrt(acc (1 - acc) / (n - 1))                                      shown with 4, cut to 3 and 2
bac        mean recall +- the half width of acc                                          shown with 4, cut to 3 and 2
F          mean over classes of F1                                                       shown with 4, cut to 3
kappa      Cohen +- 1.96 sqrt(p_o (1 - p_o) / n) / (1 - p_e)                             shown with 4, cut to 3 and 2
"""

import json
from functools import cache
from math import sqrt

import pytest
from tests.conftest import REFERENCE
from tests.papers.printed import CASES, flat, half_up, shown_then_cut, value

import howsure as hs

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

NAMES = [f"C{i}" for i in range(1, 10)]

EXACT = json.loads((REFERENCE / "carrillo2013.json").read_text(encoding="utf-8"))

#: Printed, exact: two digits that the original tool got wrong on its grid of step 0.001.
GRID_ERRORS = {("C9", "PDBAC mean"): (0.966, 0.965), ("C7", "PDBAC high"): (0.85, 0.84)}


@cache
def posterior(name):
    return flat(f"carrillo2013_{name}")


@cache
def bac(name):
    return posterior(name).of("balanced_accuracy")


@cache
def ends(name, kind):
    return tuple(bac(name).interval(0.95, kind))


@cache
def reproduced(name, shown=shown_then_cut):
    """The 13 numbers of one row of Table 1, each rounded as the table is, or the classical ones in another way."""
    post, n = posterior(name), posterior(name).confusion.n
    low, high = ends(name, "central")
    acc, mean_recall, f1, kappa = (
        post.of(metric).observed for metric in ("accuracy", "balanced_accuracy", "f1@macro", "kappa")
    )
    two_sem = 2 * sqrt(acc * (1 - acc) / (n - 1))
    by_chance = (acc - kappa) / (1 - kappa)
    kappa_half = 1.96 * sqrt(acc * (1 - acc) / n) / (1 - by_chance)
    row = {"PDBAC mean": half_up(bac(name).mean, 3), "PDBAC low": half_up(low, 2), "PDBAC high": half_up(high, 2)}
    for column, point, half in (("acc", acc, two_sem), ("bac", mean_recall, two_sem), ("kappa", kappa, kappa_half)):
        row[column] = shown(point, 3)
        row[f"{column} low"] = shown(point - half, 2)
        row[f"{column} high"] = shown(point + half, 2)
    row["F"] = shown(f1, 3)
    return row


def printed(name):
    """The 13 numbers of one row of Table 1, as printed."""
    case = f"carrillo2013_{name}"
    row = {"PDBAC mean": value(case, "PDBAC_mean"), "F": value(case, "F_mu")}
    row["PDBAC low"], row["PDBAC high"] = value(case, "PDBAC_central95")
    for column in ("acc", "bac", "kappa"):
        row[column] = value(case, column)
        row[f"{column} low"], row[f"{column} high"] = value(case, f"{column}_ci")
    return row


TABLE = [(name, column, number) for name in NAMES for column, number in printed(name).items()]


def test_table_1_has_117_numbers():
    assert len(TABLE) == len({(name, column) for name, column, _ in TABLE}) == 117
    assert all(printed(name).keys() == reproduced(name).keys() for name in NAMES)


def test_table_1_is_reproduced_digit_for_digit_but_for_two_grid_errors_of_the_original_tool():
    differ = {(n, c): (number, reproduced(n)[c]) for n, c, number in TABLE if reproduced(n)[c] != number}
    assert differ == GRID_ERRORS
    assert bac("C9").mean == pytest.approx(0.965467, abs=5e-7)  # printed 0.966, the tool had 0.96571
    assert ends("C7", "central")[1] == pytest.approx(0.84472, abs=5e-6)  # printed 0.85, tool 0.84517


def test_classical_numbers_agree_when_cut_and_not_when_rounded():
    classical = [(name, column, number) for name, column, number in TABLE if not column.startswith("PDBAC")]
    agree = {
        shown: sum(reproduced(name, shown)[column] == number for name, column, number in classical)
        for shown in (shown_then_cut, half_up)
    }
    assert (len(classical), agree) == (90, {shown_then_cut: 90, half_up: 68})


def test_the_intervals_of_the_posterior_are_central_not_highest_density():
    printed_ends = [value(f"carrillo2013_{n}", "PDBAC_central95") for n in ("C1", "C3")]
    hdi_ends = [[half_up(x, 2) for x in ends(n, "hdi")] for n in ("C1", "C3")]
    assert printed_ends == [[0.62, 0.90], [0.74, 0.97]]
    assert hdi_ends == [[0.63, 0.91], [0.76, 0.98]]


@pytest.mark.parametrize("name", NAMES)
def test_posterior_is_exact_against_piecewise_quadrature(name):
    exact = EXACT[f"carrillo2013_{name}"]
    x = bac(name)
    assert x.route == "exact"
    assert x.mean == pytest.approx(exact["mean"], abs=1e-11)
    assert x.sd == pytest.approx(exact["sd"], abs=1e-11)
    assert x.median == pytest.approx(exact["median"], abs=1e-11)
    assert x.mode == pytest.approx(exact["mode"], abs=2e-8)
    assert ends(name, "central") == pytest.approx(exact["central95"], abs=1e-11)
    assert ends(name, "hdi") == pytest.approx(exact["hdi95"], abs=1e-11)


@pytest.mark.parametrize(
    ("better", "worse", "mean", "central", "above"),
    [
        ("C1", "C2", 0.277778, (0.06339, 0.46676), 0.994058),
        ("C3", "C1", 0.102941, (-0.08335, 0.28740), 0.864986),
        ("C3", "C2", 0.380719, (0.18144, 0.54690), 0.999815),
    ],
)
def test_pairwise_differences_of_separate_test_sets(better, worse, mean, central, above):
    gain = bac(better) - bac(worse)
    assert gain.route == "exact"
    assert gain.mean == pytest.approx(mean, abs=5.1e-7)
    assert tuple(gain.interval(0.95, "central")) == pytest.approx(central, abs=1e-5)
    assert gain.prob(above=0) == pytest.approx(above, abs=1e-6)
    stored = CASES["carrillo2013_ranking"]["computed"][f"delta_{better}_minus_{worse}"]
    assert stored == {"mean": mean, "central95": list(central), "P_gt_0": above}


def test_the_printed_ranking_is_the_order_of_the_posterior_means():
    ranked = sorted(("C1", "C2", "C3"), key=lambda name: -bac(name).mean)
    assert ranked == CASES["carrillo2013_ranking"]["published"]["rank"] == ["C3", "C1", "C2"]


def test_equation_2_as_printed_is_not_the_kappa_of_table_1():
    """It has the number of classes l for the number of cases n; by that C2 would be the best of the three."""

    def literal(name):
        m = posterior(name).confusion.counts
        agree, by_chance = m.trace() / 3, (m.sum(0) * m.sum(1)).sum() / 9
        return round((agree - by_chance) / (1 - by_chance), 3)

    assert [literal(name) for name in ("C1", "C2", "C3")] == [0.897, 0.926, 0.888]
    assert [value(f"carrillo2013_{n}", "kappa") for n in ("C1", "C2", "C3")] == [0.769, 0.331, 0.953]


def test_three_matrices_of_c2_agree_with_everything_printed():
    """Their margins are the same, so nothing in Table 1 tells them apart; the first one is stored."""
    found = [[[30, 0, 2], [2, 1, 1], [4, 4, 2]], [[30, 1, 1], [1, 1, 2], [5, 3, 2]], [[30, 2, 0], [0, 1, 3], [6, 2, 2]]]
    posteriors = [hs.infer(hs.ConfusionMatrix(m), prior="flat") for m in found]
    for metric in ("accuracy", "balanced_accuracy", "f1@macro", "kappa"):
        assert len({round(post.of(metric).observed, 12) for post in posteriors}) == 1
    assert CASES["carrillo2013_C2"]["matrix"] == found[0]
