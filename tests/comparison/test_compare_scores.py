"""Two classifiers by their scores: paired and separate, gates and ranks, and what is refused."""

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument

DRAWS = 4000


def two(n=150, seed=1, groups=None, noise=(0.3, 0.9)):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    base = rng.normal(size=n) + 1.2 * truth
    made = {name: base + sd * rng.normal(size=n) for name, sd in zip(("new", "old"), noise, strict=True)}
    return hs.Scores(truth, made, groups=groups)


@pytest.mark.full
@pytest.mark.parametrize("n", [100])
def test_the_sd_of_a_paired_difference_is_de_long_s(n):
    made = hs.compare(two(n), metric="roc_auc", draws=8000)
    test = made.to_dict()["beside"]["delong"]
    assert made.law.sd == pytest.approx(test["standard_error"], rel=0.06)
    assert made.law.mean == pytest.approx(test["difference"], abs=0.2 * made.law.sd)


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "fpr@tpr=0.9"])
def test_the_same_order_is_no_difference_at_all(metric):
    scores = two()
    alike = hs.Scores(scores.truth, {"x": scores.scores, "y": np.exp(scores.scores)})
    made = hs.compare(alike, metric=metric, draws=500)
    assert made.law.interval().width == 0
    assert made.p_better == made.p_worse == 0.5


def test_groups_weigh_more_than_cases():
    n = 60
    plain = two(n)
    rows = np.repeat(np.arange(n), 4)
    many = {name: plain.of(name).scores[rows] for name in plain.names}
    without = hs.compare(hs.Scores(plain.truth[rows], many), metric="roc_auc", draws=DRAWS)
    within = hs.compare(hs.Scores(plain.truth[rows], many, groups=rows), metric="roc_auc", draws=DRAWS)
    alone = hs.compare(plain, metric="roc_auc", draws=DRAWS)
    assert within.law.sd > 1.7 * without.law.sd
    assert within.law.sd == pytest.approx(alone.law.sd, rel=0.1)
    assert "about new groups" in within.sentence
    assert "delong" not in within.beside.keys


@pytest.mark.parametrize("classes", [2, 3])
def test_losses_of_the_same_cases_are_paired(classes):
    rng = np.random.default_rng(4)
    truth = np.arange(120) % classes
    said = [0.5 * rng.dirichlet(np.ones(classes), 120) + 0.5 * np.eye(classes)[truth] for _ in range(2)]
    said[1] = 0.9 * said[0] + 0.1 * said[1]
    gap = np.subtract(*(((each - np.eye(classes)[truth]) ** 2).sum(1) for each in said)) / (2 if classes == 2 else 1)
    scores = hs.Scores(truth, {name: p[:, 1] if classes == 2 else p for name, p in zip("xy", said, strict=True)})
    made = hs.compare(scores, metric="brier_score", draws=8000)
    assert made.between.observed == pytest.approx(gap.mean(), abs=1e-12)
    assert made.law.sd == pytest.approx(gap.std() / 120**0.5, rel=0.15)  # two pseudo-cases widen it a little
    assert made.law.mean == pytest.approx(gap.mean(), abs=0.3 * made.law.sd)
    assert made.law.sd < 0.3 * np.hypot(made.a.law.sd, made.b.law.sd)
    assert hs.rank(scores, metric="brier_score", draws=2000).better == "lower"


def test_separate_test_sets_are_independent():
    one, other = two(120, 1).of("new"), two(80, 2).of("old")
    made = hs.compare(one, other, metric="roc_auc", draws=DRAWS, names=("x", "y"))
    assert not made.paired
    assert (made.a.n, made.b.n) == (120, 80)
    assert made.law.sd == pytest.approx(np.hypot(made.a.law.sd, made.b.law.sd), rel=0.03)
    assert hs.compare(one, one, metric="roc_auc", draws=1000).p_better == 0.5


@pytest.mark.full
def test_a_gate_reads_the_comparison():
    scores = two()
    compared = hs.compare(scores, metric="roc_auc", draws=DRAWS)
    row = hs.gate(scores, metric="roc_auc", margin=0.02, draws=DRAWS).rows[0]
    assert row.p_pass == pytest.approx(np.mean(compared.law.values > -0.02), abs=2 / DRAWS)
    assert hs.assert_better(scores, "new", "old", metric="roc_auc", draws=DRAWS, min_prob=0.9).verdict == "pass"
    assert hs.gate(scores, "old", "new", metric="roc_auc", draws=DRAWS, min_prob=0.9).verdict == "fail"
    assert hs.gate(scores.of("new"), metric="roc_auc", floor=0.6, draws=DRAWS).verdict == "pass"
    few = two(40, groups=np.arange(40) // 8)
    assert hs.gate(few, metric="roc_auc", margin=0.5, draws=500).verdict == "inconclusive"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s: hs.compare(s.of("new")), "two classifiers are compared"),
        (lambda s: hs.compare(s, "new", "new"), "each classifier is named once"),
        (lambda s: hs.compare(s, prior="flat"), "leave prior= out"),
        (lambda s: hs.compare(s, rope=2), "rope is the largest"),
        (lambda s: hs.rank(s.of("new")), "two or more"),
        (lambda s: hs.compare(hs.Scores(s.truth, {"x": s.truth / 2, "y": s.truth / 3}), metric="ece"), "by itself"),
        (lambda s: hs.rank(hs.Scores(s.truth, {"x": s.truth / 2, "y": s.truth / 3}), metric="brier_mcb"), "by itself"),
        (lambda s: hs.rank({"x": s.of("new"), "y": 3}), "all of them Scores"),
        (lambda s: hs.gate(s, floor=0.8), "a floor is for one classifier"),
        (lambda s: hs.compare(hs.Predictions([0, 1], {"a": [0, 1], "b": [1, 1]}), metric="roc_auc"), "all thresholds"),
    ],
)
def test_what_cannot_be_answered_is_said(call, said):
    with pytest.raises(InvalidArgument, match=said):
        call(two(40))
