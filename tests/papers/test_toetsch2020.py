"""Toetsch and Hoffmann 2021 (preprint 2020): classifier uncertainty, evidence, potential impact.

Three independent Betas, flat: prevalence, true positive rate, true negative rate. Intervals are highest-density 95%.
Table S1 is transcribed by a third party; its sizes, and every number printed in the text, agree with it.
"""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.special import beta as beta_function
from scipy.stats import beta, betabinom, norm
from tests.papers.printed import CASES, flat, half_up, value

import howsure as hs

TWO = {"labels": ["positive", "negative"], "positive": "positive"}
TABLE = sorted(name for name, case in CASES.items() if name.startswith("toetsch2020") and "matrix" in case)
COCAINE = flat("toetsch2020_7a", **TWO)
RATES = {"MU_prev": "prevalence", "MU_TPR": "recall", "MU_TNR": "specificity"}

SIX_DIGITS = 5.1e-6  # relative: values stored with six significant digits


@cache
def deceptive(name):
    """Probability that the classifier is worse than guessing: informedness below 0."""
    return flat(name, **TWO).of("informedness").prob(below=0)


# -- the forensic classifier, printed in Table 1 -------------------------------------------------------------------


def test_point_estimates_of_the_cocaine_classifier():
    assert COCAINE.of("tpr").observed == value("toetsch2020_7a", "TPR_point") == 1
    assert COCAINE.of("tnr").observed == value("toetsch2020_7a", "TNR_point") == 0.75


@pytest.mark.parametrize(
    ("rate", "key", "printed", "exact"),
    [
        ("tpr", "TPR_hdi95", (89, 100), (0.8949808, 1.0)),  # "89% to almost 100%"
        ("tnr", "TNR_hdi95", (43, 95), (0.4323730, 0.9457636)),
    ],
)
def test_printed_intervals_are_highest_density(rate, key, printed, exact):
    ends = COCAINE.of(rate).interval(0.95, "hdi")
    assert tuple(ends) == pytest.approx(exact, abs=5.1e-7)
    assert [half_up(100 * x, 0) for x in ends] == list(printed)
    assert [half_up(x, 2) for x in ends] == value("toetsch2020_7a", key)


def test_central_intervals_would_print_other_numbers():
    assert [half_up(100 * x, 0) for x in COCAINE.of("tpr").interval(0.95, "central")] == [87, 100]
    assert [half_up(100 * x, 0) for x in COCAINE.of("tnr").interval(0.95, "central")] == [40, 93]


def test_table_1_is_printed_with_rows_predicted_and_read_otherwise_gives_other_intervals():
    table_1 = [[26, 2], [0, 6]]  # rows: prediction positive, negative
    right = hs.infer(hs.ConfusionMatrix(table_1, **TWO, orientation="pred-rows"), prior="flat")
    wrong = hs.infer(hs.ConfusionMatrix(table_1, **TWO), prior="flat")
    assert right.confusion == COCAINE.confusion == wrong.confusion.transpose()
    assert [half_up(x, 2) for x in wrong.of("tpr").interval()] == [0.79, 0.99]
    assert [half_up(x, 2) for x in wrong.of("tnr").interval()] == [0.65, 1.00]


DRAWN_BY_THEM = CASES["toetsch2020_7a"]["computed"]["all_metrics_MC_1e7_draws_beta11"]


@pytest.mark.parametrize("name", DRAWN_BY_THEM)
def test_all_metrics_of_the_cocaine_classifier(name):
    """Reference: 1e7 draws. Ours are 20,000 draws or exact; a flat top lets the HDI's ends move by sd / 10."""
    listed = DRAWN_BY_THEM[name]
    x = COCAINE.of({"ACC": "weighted_recall", "PREVALENCE": "prevalence", "BIAS": "bias"}.get(name, name.lower()))
    assert x.mean == pytest.approx(listed["mean"], abs=4 * listed["sd"] / 20_000**0.5)
    assert x.sd == pytest.approx(listed["sd"], rel=0.02)
    assert tuple(x.interval(0.95, "hdi")) == pytest.approx(listed["hdi"], abs=listed["sd"] / 10)
    assert x.interval().width == pytest.approx(listed["MU"], abs=listed["sd"] / 10)


def test_their_default_prior_knows_nothing_here_and_says_so_in_a_sentence():
    """Their code's default is Haldane, and raises "b <= 0" on the paper's own example."""
    with pytest.raises(hs.errors.NoInformation, match="no information on the other side"):
        hs.infer(COCAINE.confusion, prior="haldane").of("tpr")


def test_caelens_joint_prior_differs_in_the_prevalence_only():
    """A Dirichlet(1, 1, 1, 1) over the cells is Beta(2, 2) for the prevalence and Beta(1, 1) for both rates."""
    joint = hs.infer(COCAINE.confusion, prior="caelen")
    for rate in ("tpr", "tnr"):
        assert tuple(joint.of(rate).interval()) == tuple(COCAINE.of(rate).interval())
    assert joint.of("prevalence").mean == pytest.approx(28 / 38)
    assert COCAINE.of("prevalence").mean == pytest.approx(27 / 36)


# -- the 24 classifiers of Table S1 ---------------------------------------------------------------------------------


def test_table_s1_has_24_classifiers_of_8_to_350_cases():
    sizes = [flat(name).confusion.n for name in TABLE]
    assert (len(sizes), min(sizes), max(sizes)) == (24, 8, 350)


@pytest.mark.parametrize("name", TABLE)
def test_size_and_uncertainty_of_each_classifier(name):
    post, stored = flat(name, **TWO), CASES[name]["computed"]
    assert post.confusion.n == value(name, "N")
    for key, rate in RATES.items():
        assert post.of(rate).interval().width == pytest.approx(stored[key], rel=SIX_DIGITS)
    assert post.of("informedness").mean == pytest.approx(stored["BM_mean"], rel=SIX_DIGITS)
    assert tuple(post.of("recall").interval()) == pytest.approx(stored["TPR_hdi95"], rel=4 * SIX_DIGITS)
    assert tuple(post.of("specificity").interval()) == pytest.approx(stored["TNR_hdi95"], rel=4 * SIX_DIGITS)


@pytest.mark.parametrize("name", sorted(set(TABLE) - {"toetsch2020_16"}))
def test_probability_of_being_deceptive(name):
    stored = CASES[name]["computed"]["r_deceptive"]
    assert flat(name, **TWO).of("informedness").route == "exact"
    # abs=0: relative accuracy, down to 1e-13
    assert deceptive(name) == pytest.approx(stored, rel=SIX_DIGITS, abs=0)


@pytest.mark.parametrize("number", ["1", "7a", "16"])
def test_probability_of_being_deceptive_in_closed_form_where_no_case_was_missed(number):
    """Then TPR is Beta(TP + 1, 1), and P(TPR < 1 - TNR) = B(TN + 1, FP + TP + 2) / B(TN + 1, FP + 1)."""
    (tp, fn), (fp, tn) = CASES[f"toetsch2020_{number}"]["matrix"]
    assert fn == 0
    exact = beta_function(tn + 1, fp + tp + 2) / beta_function(tn + 1, fp + 1)
    assert deceptive(f"toetsch2020_{number}") == pytest.approx(exact, rel=1e-9, abs=0)


def test_the_stored_tail_of_classifier_16_has_four_right_digits():
    """A grid found 7.11624e-20; it is 7.11536e-20."""
    assert CASES["toetsch2020_16"]["computed"]["r_deceptive"] == 7.11624e-20
    assert deceptive("toetsch2020_16") == pytest.approx(7.115356526497245e-20, rel=1e-9, abs=0)


def test_the_four_largest_are_the_four_that_the_paper_names_number_8_with_14_percent():
    ranked = sorted(TABLE, key=lambda name: -deceptive(name))
    assert {name.removeprefix("toetsch2020_") for name in ranked[:4]} == {"5b", "6a", "8", "14b"}
    assert deceptive(ranked[3]) > 0.06 > 0.01 > deceptive(ranked[4])
    assert half_up(deceptive("toetsch2020_8"), 2) == value("toetsch2020_8", "r_deceptive") == 0.14


# -- how many cases --------------------------------------------------------------------------------------------------

SAMPLE_SIZE = CASES["toetsch2020_sample_size"]["computed"]
GENERATING = {"mode": 0.8, "concentration": 10}  # omega and k of figure 6


@pytest.mark.parametrize("n", [20, 1000, 10_000])
def test_two_over_root_n_bounds_the_uncertainty_of_a_rate(n):
    widest = hs.laws.Beta(n / 2 + 1, n / 2 + 1).interval(0.95, "hdi").width
    assert widest == pytest.approx(SAMPLE_SIZE["worst_case_hdi_width_beta11"][str(n)], abs=5.1e-6)
    assert widest < 2 / n**0.5


def widths(n):
    """Width of the HDI after each possible count of n, and the probability of that count (Beta(7.4, 2.6) ahead)."""
    width = np.array([hs.laws.Beta(k + 1, n - k + 1).interval(0.95, "hdi").width for k in range(n + 1)])
    return width, betabinom(n, *SAMPLE_SIZE["generating_beta"]).pmf(np.arange(n + 1))


def test_100_cases_give_19_points_at_95_percent_only_when_rounded():
    width, probability = widths(100)
    order = np.argsort(width)
    reached = width[order][np.searchsorted(np.cumsum(probability[order]), 0.95)]
    assert reached == pytest.approx(SAMPLE_SIZE["w95_N100_prior_beta11"], abs=5.1e-6)
    assert half_up(100 * reached, 0) == value("toetsch2020_sample_size", "N100_MU95_pp") == 19
    assert probability[width <= 0.19].sum() == pytest.approx(SAMPLE_SIZE["P_MU_le_0.19_N100_beta11"], abs=5.1e-5)


@pytest.mark.sweep(2, full=3)
@pytest.mark.parametrize(("n", "reached"), [(100, 0.87744), (102, 0.93897), (103, 1.0)])
def test_19_points_need_103_cases(n, reached):
    width, probability = widths(n)
    enough = probability[width <= 0.19].sum()
    assert enough == pytest.approx(reached, abs=5.1e-6)
    assert hs.plan("accuracy", width=0.19, n=n, prior="flat", **GENERATING).assurance == pytest.approx(enough, abs=1e-9)


def test_the_plan_finds_103():
    made = hs.plan("accuracy", width=0.19, assurance=0.95, prior="flat", **GENERATING)
    assert (made.n, made.first) == (103, 103)


@pytest.mark.full
def test_figure_6_ends_in_the_normal_limit():
    """Of many cases the width is 2 z sqrt(p (1 - p) / n), p a draw of the generating Beta."""
    variance = np.sort((p := beta(*SAMPLE_SIZE["generating_beta"]).ppf((np.arange(4000) + 0.5) / 4000)) * (1 - p))
    (row,) = hs.rule_of_thumb(sizes=[10**7], **GENERATING)
    for share, found in ((0.5, row.typical), (0.95, row.upper)):
        limit = 2 * norm.ppf(0.975) * np.quantile(variance, share) ** 0.5
        assert found * row.n**0.5 == pytest.approx(limit, rel=2e-4)


@pytest.mark.parametrize("n", [20, 1000])
def test_two_over_root_n_fails_for_informedness_whose_bound_is_four_over_root_n(n):
    worst = hs.infer(hs.ConfusionMatrix([[n // 4, n // 4], [n // 4, n // 4]], **TWO), prior="flat")
    factor = worst.of("informedness").interval().width * n**0.5
    assert 3.4 < factor < 4
    assert worst.of("balanced_accuracy").interval().width * n**0.5 == pytest.approx(factor / 2)
    (row,) = hs.rule_of_thumb("informedness", sizes=[n], **GENERATING)
    assert not row.holds
    assert row.rule < row.upper <= 4 / n**0.5


def test_the_uncertainty_of_no_data_is_095_for_a_rate_and_more_for_informedness():
    nothing = hs.infer(hs.ConfusionMatrix([[0, 0], [0, 0]], **TWO), prior="flat")
    assert nothing.of("recall").interval().width == pytest.approx(0.95)
    assert nothing.of("informedness").interval().width == pytest.approx(
        2 * (1 - 0.05**0.5), abs=1e-9
    )  # 1.553, not below 1


# -- the leaderboard (Recursion, section "Kaggle") -------------------------------------------------------------------

KAGGLE = CASES["toetsch2020_kaggle_recursion"]


def board():
    """Accuracy of each entry, Beta(correct + 1, wrong + 1); accuracy asks a table for its trace only."""
    n = KAGGLE["N"]
    tables = [hs.ConfusionMatrix([[right, n - right], [0, 0]]) for right in KAGGLE["correct"]]
    return [hs.infer(table, prior="flat").of("accuracy") for table in tables]


@pytest.mark.full
def test_the_first_entry_is_the_best_with_93_percent():
    entries, x = board(), np.linspace(0.985, 1, 20_001)
    below = np.array([entry.cdf(x) for entry in entries])
    best = [trapezoid(e.pdf(x) * np.delete(below, i, 0).prod(0), x) for i, e in enumerate(entries)]
    assert half_up(best[0], 2) == value("toetsch2020_kaggle_recursion", "P_rank1_is_best") == 0.93
    assert best == pytest.approx(KAGGLE["computed"]["P_best_exact_quadrature"], abs=5.1e-5)
    assert sum(best) == pytest.approx(1, abs=1e-9)


def test_the_printed_number_of_cases_cannot_give_the_printed_scores():
    """Scores have five decimals; of all N up to 20,000 only eight reproduce the ten."""

    def reproduced(n):
        return sum(round(round(score * n) / n, 5) == score for score in KAGGLE["scores"])

    assert reproduced(KAGGLE["N"]) == 1
    assert [n for n in range(1, 20_001) if reproduced(n) == 10] == list(range(14_344, 14_352))
