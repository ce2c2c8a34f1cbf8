"""Two classifiers by their scores: paired and separate, gates and ranks, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.numerics.curves.shared_weights import MOST_WEIGHTS
from howsure.posterior.scores_together import ScoresTogether

DRAWS = 4000


def two(n=150, seed=1, groups=None, noise=(0.3, 0.9)):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    base = rng.normal(size=n) + 1.2 * truth
    made = {name: base + sd * rng.normal(size=n) for name, sd in zip(("new", "old"), noise, strict=True)}
    return hs.Scores(truth, made, groups=groups)


def three_classes(n=120, seed=2):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)

    def shares(noise):
        made = np.exp(noise * rng.normal(size=(n, 3)) + 1.2 * np.eye(3)[truth])
        return made / made.sum(1, keepdims=True)

    return hs.Scores(truth, {"new": shares(0.7), "old": shares(1.2)})


@pytest.mark.parametrize("n", [100, 400])
def test_the_sd_of_a_paired_difference_is_de_long_s(n):
    made = hs.compare(two(n), metric="roc_auc", draws=8000)
    assert made.classical is not None
    assert made.difference.sd == pytest.approx(made.classical.standard_error, rel=0.06)
    assert made.difference.mean == pytest.approx(made.classical.difference, abs=0.2 * made.difference.sd)


def test_members_have_the_law_they_have_alone():
    scores = two(120)
    made = hs.compare(scores, metric="average_precision", draws=DRAWS)
    for name, member in zip(made.names, (made.a, made.b), strict=True):
        alone = hs.infer(scores.of(name)).of("average_precision", draws=DRAWS)
        assert member.observed == alone.observed
        assert member.mean == pytest.approx(alone.mean, abs=0.005)
        assert member.sd == pytest.approx(alone.sd, rel=0.05)


@pytest.mark.parametrize(
    "metric", ["roc_auc", "average_precision", "partial_auc@fpr=0.2", "tpr@fpr=0.2", "fpr@tpr=0.9"]
)
def test_the_same_order_is_no_difference_at_all(metric):
    scores = two()
    alike = hs.Scores(scores.truth, {"x": scores.scores, "y": np.exp(scores.scores)})
    made = hs.compare(alike, metric=metric, draws=500)
    assert made.difference.interval().width == 0
    assert made.p_better == made.p_worse == 0.5


def test_two_that_separate_few_cases_in_other_orders_may_differ():
    truth = [0] * 6 + [1] * 6
    both = hs.Scores(truth, {"x": range(12), "y": [3, 1, 4, 0, 5, 2, 9, 7, 11, 6, 10, 8]})
    made = hs.compare(both, metric="roc_auc", draws=DRAWS)
    assert made.observed == 0
    assert made.difference.interval().width > 0.02


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["roc_auc", "tpr@fpr=0.3", "average_precision"]))
def test_exchanging_the_names_turns_the_difference(seed, metric):
    scores = two(40, seed)
    one = hs.compare(scores, "new", "old", metric=metric, draws=2000)
    other = hs.compare(scores, "old", "new", metric=metric, draws=2000)
    assert one.observed == pytest.approx(-other.observed)
    assert one.p_better == pytest.approx(1 - other.p_better, abs=0.06)


@pytest.mark.parametrize("metric", ["roc_auc@ovr", "roc_auc@ovo", "roc_auc@2", "average_precision@ovr"])
def test_three_classes_differ_by_what_each_shows_alone(metric):
    scores = three_classes()
    made = hs.compare(scores, metric=metric, draws=3000)
    apart = [hs.infer(scores.of(name)).of(metric, draws=3000) for name in made.names]
    assert made.observed == pytest.approx(apart[0].observed - apart[1].observed)
    assert made.difference.mean == pytest.approx(apart[0].mean - apart[1].mean, abs=0.006)
    assert made.p_better > 0.9


def test_groups_weigh_more_than_cases():
    n = 60
    plain = two(n)
    rows = np.repeat(np.arange(n), 4)
    many = {name: plain.of(name).scores[rows] for name in plain.names}
    without = hs.compare(hs.Scores(plain.truth[rows], many), metric="roc_auc", draws=DRAWS)
    within = hs.compare(hs.Scores(plain.truth[rows], many, groups=rows), metric="roc_auc", draws=DRAWS)
    alone = hs.compare(plain, metric="roc_auc", draws=DRAWS)
    assert within.difference.sd > 1.7 * without.difference.sd
    assert within.difference.sd == pytest.approx(alone.difference.sd, rel=0.1)
    assert "about new groups" in within.sentence
    assert within.classical is None


def test_many_cases_share_weights_and_keep_the_sd():
    scores = two(5 * MOST_WEIGHTS)
    together = ScoresTogether(scores)
    assert together.weights.crowded
    assert len(together.weights.shape) == 2 * MOST_WEIGHTS
    made = hs.compare(scores, metric="roc_auc", draws=2000)
    assert made.difference.sd == pytest.approx(made.classical.standard_error, rel=0.08)


def test_separate_test_sets_are_independent():
    one, other = two(120, 1).of("new"), two(80, 2).of("old")
    made = hs.compare(one, other, metric="roc_auc", draws=DRAWS, names=("x", "y"))
    assert not made.paired
    assert made.sizes == (120, 80)
    assert made.difference.sd == pytest.approx(np.hypot(made.a.sd, made.b.sd), rel=0.03)
    assert hs.compare(one, one, metric="roc_auc", draws=1000).p_better == 0.5


def test_a_rope_splits_the_probability():
    made = hs.compare(two(), metric="roc_auc", rope=0.05, draws=DRAWS)
    values = made.difference.law.values
    assert made.p_equal == pytest.approx(np.mean(np.abs(values) <= 0.05))
    assert made.p_better + made.p_equal + made.p_worse == pytest.approx(1)


def test_the_same_call_gives_the_same_bytes():
    one, other = (hs.compare(two(), metric="roc_auc", draws=1000) for _ in range(2))
    assert str(one) == str(other)
    assert one.to_csv() == other.to_csv()


def test_a_gate_reads_the_comparison():
    scores = two()
    compared = hs.compare(scores, metric="roc_auc", draws=DRAWS)
    row = hs.gate(scores, metric="roc_auc", margin=0.02, draws=DRAWS).rows[0]
    assert row.p_pass == pytest.approx(np.mean(compared.difference.law.values > -0.02), abs=2 / DRAWS)
    assert hs.assert_better(scores, "new", "old", metric="roc_auc", draws=DRAWS, min_prob=0.9).verdict == "pass"
    assert hs.gate(scores, "old", "new", metric="roc_auc", draws=DRAWS, min_prob=0.9).verdict == "fail"
    assert hs.gate(scores.of("new"), metric="roc_auc", floor=0.6, draws=DRAWS).verdict == "pass"
    few = two(40, groups=np.arange(40) // 8)
    assert hs.gate(few, metric="roc_auc", margin=0.5, draws=500).verdict == "inconclusive"


def test_a_rank_counts_the_joint_draws():
    scores = two()
    made = hs.rank(scores, metric="roc_auc", draws=DRAWS)
    assert made.paired
    assert made["new"].p_best == pytest.approx(
        hs.compare(scores, metric="roc_auc", draws=DRAWS).p_better, abs=2 / DRAWS
    )
    assert made.probabilities.sum(0) == pytest.approx([1, 1])
    apart = hs.rank({"x": scores.of("new"), "y": scores.of("old")}, metric="fpr@tpr=0.9", draws=DRAWS)
    assert not apart.paired
    assert apart.better == "lower"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s: hs.compare(s.of("new")), "two classifiers are compared"),
        (lambda s: hs.compare(s, "new", "nobody"), "no classifier is called 'nobody'"),
        (lambda s: hs.compare(s, "new", "new"), "each classifier is named once"),
        (lambda s: hs.compare(s, metric="f1"), "needs a threshold"),
        (lambda s: hs.compare(s, prior="flat"), "leave prior= out"),
        (lambda s: hs.compare(s, groups="these"), "about new groups"),
        (lambda s: hs.compare(s, rope=2), "rope is the largest"),
        (lambda s: hs.compare(s.of("new"), three_classes().of("new")), "the classes are"),
        (lambda s: hs.rank(s.of("new")), "two or more"),
        (lambda s: hs.rank(s, new_test=100), "leave new_test= out"),
        (lambda s: hs.rank({"x": s.of("new"), "y": 3}), "all of them Scores"),
        (lambda s: hs.gate(s, strict=True), "sign test"),
        (lambda s: hs.gate(s, floor=0.8), "a floor is for one classifier"),
        (lambda s: hs.gate(s, metric="roc_auc", margin=1), "margin is below 1"),
        (lambda s: hs.compare(hs.Predictions([0, 1], {"a": [0, 1], "b": [1, 1]}), metric="roc_auc"), "all thresholds"),
        (lambda s: hs.rank(hs.Predictions([0, 1], {"a": [0, 1], "b": [1, 1]}), metric="roc_auc"), "all thresholds"),
    ],
)
def test_what_cannot_be_answered_is_said(call, said):
    with pytest.raises(InvalidArgument, match=said):
        call(two(40))
