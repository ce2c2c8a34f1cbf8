"""Items with scores as a kind of knowledge: what is read, what is refused in which words, and what moves nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import HowsureError, InvalidArgument, InvalidLabels, NoInformation, UnknownMetric
from howsure.knowledge.items import Items
from howsure.knowledge.protocol import Ask, Of

ASK = Ask(draws=4_000)
RUBRIC = [5, 5, 5, 4, 5, 3, 5, 5, 4, 5]
OLD = [5, 4, 5, 4, 4, 3, 5, 5, 3, 5]


def two(**options: Any) -> Items:
    """Two systems on ten items."""
    return Items.from_columns(
        [*range(10), *range(10)], [*RUBRIC, *OLD], system=["new"] * 10 + ["old"] * 10, range=(1, 5), **options
    )


def test_one_system_is_as_in_the_reference() -> None:
    law = Items.from_columns(range(10), RUBRIC, range=(1, 5)).law(Of("mean"), ASK)
    assert law.mean == pytest.approx(4.40534048513389, abs=1e-12)
    assert law.interval(kind="central") == pytest.approx((3.501102617264368, 4.91598844372222), abs=1e-9)


def test_these_items_again_as_in_the_reference() -> None:
    runs = [[5, 4, 5], [3, 3, 4], [5, 5, 5], [2, 4, 3], [4, 4, 5]]
    item, run, score = zip(*((i, j, x) for i, row in enumerate(runs) for j, x in enumerate(row)), strict=True)
    law = Items.from_columns(item, score, run=run).but(about="these").law(Of("mean"), ASK)
    assert law.interval(kind="central") == pytest.approx((3.702813115770862, 4.430520217562471), abs=1e-9)


def test_groups_of_one_item_are_items_and_big_groups_count_more() -> None:
    alone = Items.from_columns(range(10), RUBRIC, range=(1, 5), group=range(10)).law(Of("mean"), ASK)
    plain = Items.from_columns(range(10), RUBRIC, range=(1, 5)).law(Of("mean"), ASK)
    assert alone.interval(kind="central") == pytest.approx(plain.interval(kind="central"), abs=1e-9)
    scores = np.arange(24.0) % 5
    grouped = Items.from_columns(range(24), scores, range=(0, 4), group=[min(i // 2, 7) for i in range(24)])
    assert grouped.observed(Of("mean")) == pytest.approx(scores.mean())
    assert grouped.size() == 8


def test_word_errors_and_labels_have_their_metrics() -> None:
    errors, words = [0, 1, 0, 4, 1, 0, 2, 3, 0, 1], [7, 12, 3, 25, 9, 14, 6, 31, 11, 8]
    speech = Items.from_ratios(range(10), errors, words)
    assert speech.measured("wer").better == "lower"
    law = speech.law(Of("wer"), ASK)
    assert law.interval(kind="central") == pytest.approx((0.03887436295617488, 0.16375963905344507), abs=1e-9)
    tp = np.array([[1, 0], [0, 1], [1, 1], [1, 0], [1, 0], [0, 1]])
    fp, fn = np.array([[0, 1]] + [[0, 0]] * 5), np.array([[0, 0]] * 5 + [[1, 0]])
    tags = Items.from_counts([*"abcdef"], ["x", "y"], {"t": (tp, fp, fn)})
    assert tags.observed(Of("f1@micro", "t")) == pytest.approx(14 / 16)
    assert tags.observed(Of("f1@macro", "t")) == pytest.approx((8 / 9 + 6 / 7) / 2)
    assert tags.observed(Of("recall@x", "t")) == pytest.approx(4 / 5)
    assert tags.observed(Of("f1@samples", "t")) == pytest.approx((2 / 3 + 4 + 2 / 3) / 6)
    assert tags.observed(Of("exact_match", "t")) == pytest.approx(4 / 6)
    assert tags.observed(Of("iou@micro", "t")) == pytest.approx(7 / 9)
    drawn = tags.law(Of("f1@macro", "t"), ASK)
    assert 0.4 < drawn.interval(kind="central")[0] < drawn.mean < 0.9


def test_any_function_of_weights_is_a_metric() -> None:
    scores = np.random.default_rng(3).beta(4, 2, 20)
    own = Items.from_function(
        {"a": lambda w: w @ scores, "b": lambda w: w @ scores[::-1] - 0.1}, 20, range=(0, 1), name="mine"
    )
    exact = Items.from_columns(range(20), scores, range=(0, 1)).law(Of("mean"), ASK)
    drawn = own.law(Of("mine", "a"), Ask())
    assert drawn.interval(kind="central") == pytest.approx(exact.interval(kind="central"), abs=0.01)
    assert own.law(Of("mine", "a") - Of("mine", "b"), ASK).prob(above=0) > 0.8


BAD: list[tuple[str, Any, type[HowsureError], str]] = [
    (
        "a gap",
        lambda: Items.from_columns([1, 2], [5, None]),
        InvalidLabels,
        "1 row without a score (first: row 2, item '2')",
    ),
    ("infinite", lambda: Items.from_columns([1, 2], [5, np.inf]), InvalidLabels, "score of row 2 is infinite"),
    ("a word", lambda: Items.from_columns([1, 2], [5, "good"]), InvalidLabels, "score of row 2 is 'good'"),
    (
        "outside",
        lambda: Items.from_columns([1, 2], [5, 6], range=(1, 5)),
        InvalidLabels,
        "the score of item '2' (row 2) is 6, outside the range 1 to 5",
    ),
    (
        "few",
        lambda: Items.from_columns(range(4), [1, 2, 3, 4]).law(Of("mean"), ASK),
        NoInformation,
        "4 items; from 6 on there is an interval",
    ),
    (
        "equal",
        lambda: Items.from_columns(range(12), [5] * 12).law(Of("mean"), ASK),
        NoInformation,
        "all 12 items have score 5; without --range nothing tells how different an unseen one may be",
    ),
    (
        "agree",
        lambda: Items.from_columns([*range(8)] * 2, [*range(8)] * 2, system=["a"] * 8 + ["b"] * 8).law(
            Of("mean", "a") - Of("mean", "b"), ASK
        ),
        NoInformation,
        "a and b agree on all 8 items; without --range",
    ),
    (
        "no error",
        lambda: Items.from_ratios(range(8), [0] * 8, range(3, 11)).law(Of("wer"), ASK),
        NoInformation,
        "without an upper end (--range 0,1)",
    ),
    (
        "no words",
        lambda: Items.from_ratios(range(3), [0] * 3, [0] * 3),
        NoInformation,
        "the denominators add up to zero",
    ),
    (
        "lacking",
        lambda: Items.from_columns([1, 2, 1], [5, 5, 4], system=["a", "a", "b"]),
        InvalidLabels,
        "1 item of 2 are not answered by all (1 by b)",
    ),
    (
        "twice",
        lambda: Items.from_columns([1, 1, 2], [5, 4, 4]),
        InvalidLabels,
        "item '1' comes 2 times; if these are runs",
    ),
    (
        "worst of what",
        lambda: Items.from_columns([1, 2], [5, None], missing="worst"),
        InvalidArgument,
        "needs to be stated",
    ),
    ("unknown", lambda: two().law(Of("recall", "new"), ASK), UnknownMetric, "mean"),
    (
        "these",
        lambda: two().but(about="these").law(Of("mean", "new"), ASK),
        NoInformation,
        "one run an item does not tell how runs vary",
    ),
    (
        "far",
        lambda: Items.from_columns(range(8), range(8)).but(far=True).law(Of("mean"), ASK),
        NoInformation,
        "failures that no item shows lie at an end of the range",
    ),
    (
        "nobody's label",
        lambda: Items.from_counts([*"ab"], ["x", "y"], {"": ([[1, 0]] * 2, [[0, 0]] * 2, [[0, 0]] * 2)}).observed(
            Of("f1@macro")
        ),
        InvalidArgument,
        "1 of 2 labels have no case and no answer",
    ),
]


@pytest.mark.parametrize(("call", "error", "words"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_input_is_refused_with_its_sentence(call: Any, error: type[HowsureError], words: str) -> None:
    with pytest.raises(error) as refusal:
        call()
    assert words in str(refusal.value)


def test_what_is_left_out_or_filled_in_is_said() -> None:
    without = Items.from_columns([1, 2, 3], [5, None, 4], missing="exclude")
    assert without.items == ("1", "3")
    assert without.notes[0] == "1 row without a score left out (--missing exclude)."
    worst = Items.from_columns([1, 2, 3], [5, None, 4], missing="worst", range=(1, 5))
    assert worst.scores().tolist() == [5.0, 1.0, 4.0]
    assert worst.notes == ("1 row without a score count as 1.",)
    shared = Items.from_columns([1, 2, 1], [5, 5, 4], system=["a", "a", "b"], missing="exclude")
    assert shared.items == ("1",)
    assert "1 by b not answered" in shared.notes[0]


def test_ties_without_a_range_are_remarked() -> None:
    tied = Items.from_columns(range(20), [5] * 15 + [1, 2, 3, 4, 4])
    assert "15 of 20 items have the same score; with --range" in tied.remarks(Of("mean"), ASK)[0]


def test_weighted_averages_of_labels_are_those_of_scikit_learn() -> None:
    """Labels count by their cases: a sum over labels by hand, and the derivative by differences."""
    rng = np.random.default_rng(3)
    truth = (rng.random((40, 4)) < [0.6, 0.3, 0.1, 0.0]).astype(float)
    answers = np.where(rng.random((40, 4)) < 0.2, 1 - truth, truth)
    read = Items.from_labels(truth, answers)
    tp, fp, fn = (it.sum(0) for it in (truth * answers, (1 - truth) * answers, truth * (1 - answers)))
    f1 = 2 * tp / (2 * tp + fp + fn)
    assert read.observed(Of("f1@weighted")) == pytest.approx(float((f1 * (tp + fn)).sum() / (tp + fn).sum()))
    assert read.observed(Of("recall@weighted")) == pytest.approx(read.observed(Of("recall@micro")))
    figure = read.figure(Of("f1@weighted"))
    up = np.full(40, (1 - 1e-6) / 40) + 1e-6 * (np.arange(40) == 7)
    down = np.full(40, (1 + 1e-6) / 40) - 1e-6 * (np.arange(40) == 7)
    slope = (figure.at(up[None])[0] - figure.at(down[None])[0]) / 2e-6
    assert figure.contributions[7] - figure.observed == pytest.approx(slope, abs=1e-8)
    law = read.law(Of("f1@weighted"), Ask(draws=2_000))
    assert law.interval(kind="central").low < figure.observed < law.interval(kind="central").high


def test_a_quantile_that_few_items_do_not_bound_is_remarked_and_printed_with_one_end() -> None:
    scores = [1, 2, 3, 4, 4, 5, 5, 5, 3, 2] * 2
    open_end, known = Items.from_columns(range(20), scores), Items.from_columns(range(20), scores, range=(1, 5))
    assert "20 items do not bound this quantile; --range" in open_end.remarks(Of("quantile(0.9)"), ASK)[0]
    assert "5 (95% central 4 or more)" in hs.report(open_end, "quantile(0.9)").sentence
    assert not [line for line in known.remarks(Of("quantile(0.9)"), ASK) if "do not bound" in line]
    assert not [line for line in open_end.remarks(Of("median"), ASK) if "do not bound" in line]


def test_a_simulated_number_has_its_error_in_a_report() -> None:
    rng = np.random.default_rng(0)
    labels = Items.from_labels(rng.integers(0, 2, (40, 3)), rng.integers(0, 2, (40, 3)), ["x", "y", "z"])
    made = hs.report(labels, ["f1@macro", "f1@micro"])
    assert made.rows[0].law is not None
    assert f"simulated ±{made.rows[0].law.error:.1g}" in str(made)
    assert [row[-1] for row in made.sheet().rows][1] == "exact"
