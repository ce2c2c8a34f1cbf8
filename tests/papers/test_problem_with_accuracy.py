"""The blog post "The problem with accuracy": its two tables, recomputed, with what is misprinted.

Names there: confidence_top is the precision, confidence_bot the negative predictive value. Rows are true.
"""

import numpy as np
import pytest
from tests.papers.printed import CASES, half_up

import howsure as hs

CASE = CASES["blog_problem_with_accuracy"]
MATRIX = hs.ConfusionMatrix(CASE["matrix"], labels=["A", "B", "C"])
AS_SEEN = hs.infer(MATRIX, prior="flat")
NORMALISED = AS_SEEN.at_prevalence([1 / 3, 1 / 3, 1 / 3])

NAMES = {
    "sensitivity": "recall",
    "specificity": "specificity",
    "confidence_top": "precision",
    "confidence_bot": "npv",
}

#: Table, class: printed, right. Truncated 30/31, or computed from cells that were rounded before.
MISPRINTS = {
    ("confidence_bot", "B"): (0.967, 0.968),
    ("confidence_bot", "C"): (0.967, 0.968),
    ("normalised_sensitivity", "A"): (0.978, 0.977),
    ("normalised_confidence_top", "B"): (0.495, 0.494),
    ("normalised_confidence_top", "C"): (0.495, 0.494),
}


def observed(column, label):
    """The value that a column of the blog's tables should have."""
    post = NORMALISED if column.startswith("normalised_") else AS_SEEN
    return post.of(f"{NAMES[column.removeprefix('normalised_')]}@{label}").observed


PRINTED = [
    (column, label, number)
    for column, entry in CASE["published"].items()
    if column != "accuracy"
    for label, number in zip(MATRIX.labels, entry["value"], strict=True)
]


def test_accuracy():
    assert AS_SEEN.of("accuracy").observed == CASE["published"]["accuracy"]["value"] == 0.92


def test_printed_numbers_are_right_to_three_decimals_but_for_five_misprints():
    assert len(PRINTED) == 3 * (4 + 3)  # confidence_bot of the normalised table is not printed
    wrong = {(c, x): (number, half_up(observed(c, x), 3)) for c, x, number in PRINTED}
    assert {key: pair for key, pair in wrong.items() if pair[0] != pair[1]} == MISPRINTS


@pytest.mark.parametrize("column", NAMES)
def test_exact_values_of_both_tables(column):
    for prefix, stored in (("", CASE["computed"]), ("normalised_", CASE["computed"]["normalised"])):
        for label, exact in zip(MATRIX.labels, stored[column], strict=True):
            assert observed(prefix + column, label) == pytest.approx(exact, abs=5.1e-8)


def test_normalised_cells_are_shares_of_their_rows():
    assert MATRIX.normalised().sum(1) == pytest.approx([1, 1, 1])
    assert [[half_up(x, 3) for x in row] for row in MATRIX.normalised()] == [
        [0.977, 0.011, 0.011],
        [0, 0.5, 0.5],
        [0, 0.5, 0.5],
    ]


def test_two_misprints_come_from_cells_that_were_rounded_first():
    rounded = np.array([[half_up(x, 3) for x in row] for row in MATRIX.normalised()])
    assert half_up(rounded[0, 0] / rounded[0].sum(), 3) == 0.978  # .977 / .999
    assert half_up(rounded[1, 1] / rounded[:, 1].sum(), 3) == 0.495  # .5 / 1.011


def test_true_negatives_are_all_cells_outside_the_row_and_the_column_of_a_class():
    """The formula of the running text sums F_{n,i} where it means F_{i,k}; the tables used the right one."""
    assert [MATRIX.one_vs_rest(label).counts[0, 0] for label in MATRIX.labels] == [12, 90, 90]
    assert [observed("specificity", x) for x in MATRIX.labels] == pytest.approx([12 / 12, 90 / 94, 90 / 94])


def test_sensitivity_does_not_depend_on_the_class_mix_and_specificity_does():
    """The post says that neither does; its own tables show .957 and .744."""
    for label in MATRIX.labels:
        assert observed("normalised_sensitivity", label) == pytest.approx(observed("sensitivity", label), abs=1e-15)
    assert half_up(observed("specificity", "B"), 3) == 0.957
    assert half_up(observed("normalised_specificity", "B"), 3) == 0.744


def test_the_accuracy_of_the_worst_class_mix_is_the_smallest_sensitivity():
    """Not the smallest of sensitivities and specificities, which bounds the one-against-rest accuracies."""
    worst = AS_SEEN.at_prevalence([0, 1, 0]).of("accuracy").observed
    assert worst == min(observed("sensitivity", x) for x in MATRIX.labels) == CASE["computed"]["T"] == 0.5
    shares = [[i / 4, j / 4, (4 - i - j) / 4] for i in range(5) for j in range(5 - i)]
    assert min(AS_SEEN.at_prevalence(p).of("accuracy").observed for p in shares) == pytest.approx(worst)


def test_posterior_of_the_balanced_accuracy_in_place_of_one_number():
    stored = CASE["computed"]["posterior_bac_beta11"]
    x = AS_SEEN.of("balanced_accuracy")
    assert x.mean == pytest.approx(stored["mean"], abs=5.1e-7)
    assert x.sd == pytest.approx(stored["sd"], abs=5.1e-8)
    assert tuple(x.interval(0.95, "central")) == pytest.approx(stored["central95"], abs=1e-6)
    assert tuple(x.interval(0.95, "hdi")) == pytest.approx(stored["hdi95"], abs=1e-5)
    assert x.median == pytest.approx(stored["median"], abs=1e-6)
