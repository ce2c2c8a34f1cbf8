"""Posteriors of cases in groups, of repeated items and of scored cases."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score
from tests.conftest import REFERENCE, tries

import howsure as hs
from howsure.errors import HowsureError, InvalidArgument, NoInformation
from howsure.numerics.populations.groups import PopulationMean
from howsure.posterior.posterior import Posterior
from howsure.posterior.repeated_items import observed_tries, split_of_variance, try_measure

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


def patients(
    groups: int, size: int, recalls: tuple[float, ...], icc: float, seed: int = 0, *, mixed: bool = False
) -> hs.ConfusionMatrix:
    """Each group of one class in turn, or of all."""
    rng = np.random.default_rng([seed, groups, size])
    true, pred, group = [], [], []
    many = len(recalls)
    for g in range(groups):
        for c in range(many) if mixed else (g % many,):
            mu = recalls[c]
            rate = mu if icc == 0 else rng.beta(mu * (1 / icc - 1), (1 - mu) * (1 / icc - 1))
            right = rng.random(size) < rate
            true += [c] * size
            pred += np.where(right, c, (c + 1) % many).tolist()
            group += [f"g{g}"] * size
    return hs.ConfusionMatrix.from_predictions(true, pred, labels=range(many), group=group)


MADE = patients(20, 12, (0.8, 0.9), 0.15)


def test_the_laws_are_those_of_the_population() -> None:
    groups = MADE.groups
    assert groups is not None
    new = hs.infer(MADE)
    coin = (2 / 3, 2 / 3)
    whole = PopulationMean(groups.correct, groups.cases, coin).law
    both = [PopulationMean(*groups.tally(i), coin).law for i in range(2)]
    assert new.of("accuracy").mean == pytest.approx(whole.mean)
    assert new.of("error_rate").mean == pytest.approx(1 - whole.mean)
    assert new.of("recall@1").sd == pytest.approx(both[1].sd)
    assert new.of("specificity@1").mean == pytest.approx(both[0].mean)
    assert new.of("balanced_accuracy").mean == pytest.approx((both[0].mean + both[1].mean) / 2)
    assert new.of("balanced_accuracy").sd == pytest.approx(np.hypot(both[0].sd, both[1].sd) / 2)
    assert new.at_prevalence([0.9, 0.1]).of("accuracy").mean == pytest.approx(0.9 * both[0].mean + 0.1 * both[1].mean)


def test_the_prior_is_that_of_the_mean() -> None:
    groups = MADE.groups
    assert groups is not None
    jeffreys = hs.infer(MADE, "jeffreys")
    assert jeffreys.of("recall@0").mean == pytest.approx(PopulationMean(*groups.tally(0), (0.5, 0.5)).law.mean)
    assert hs.infer(MADE).under("jeffreys").of("recall@0").mean == jeffreys.of("recall@0").mean
    with pytest.raises(NoInformation, match="adds no case"):
        hs.infer(MADE, "haldane").of("accuracy")


def test_drawn_tables_have_the_recalls_of_the_laws() -> None:
    new = hs.infer(MADE)
    tables = new.draw(20_000)
    assert tables.sum(axis=(1, 2)) == pytest.approx(1)
    recalls = tables.diagonal(axis1=1, axis2=2) / tables.sum(axis=2)
    for i in range(2):
        law = new.of(f"recall@{i}")
        assert recalls[:, i].mean() == pytest.approx(law.mean, abs=0.1 * law.sd)
        assert recalls[:, i].std() == pytest.approx(law.sd, rel=0.02)
    f1, balanced = new.of("f1@1"), new.of("balanced_accuracy")
    assert f1.route == "simulated"
    assert f1.sd > balanced.sd / 2
    assert new.of("f1@1").mean == f1.mean  # the same call gives the same bytes


@pytest.mark.parametrize(
    ("made", "metric", "said"),
    [
        (patients(4, 9, (0.8, 0.9), 0.1), "accuracy", "the cases come from 4 groups, and below 5"),
        (patients(5, 9, (0.8, 0.9), 0.1), "recall@1", "cases of class '1' come from 2 groups, and below 3"),
        (patients(5, 9, (0.8, 0.9), 0.1), "f1@1", "groups='these' answers for new cases of the same groups"),
    ],
)
def test_too_few_groups_have_no_interval(made: hs.ConfusionMatrix, metric: str, said: str) -> None:
    new = hs.infer(made, groups="new")
    with pytest.raises(NoInformation, match=said):
        new.of(metric)
    assert hs.infer(made).of("accuracy").mean > 0


def posterior(groups: int = 20, size: int = 6) -> Posterior:
    rng = np.random.default_rng(3)
    place = np.repeat(np.arange(groups), size)
    truth = np.arange(len(place)) % 2
    right = rng.random(len(place)) < rng.beta(4, 1, groups)[place]
    return hs.infer(hs.ConfusionMatrix.from_predictions(truth, np.where(right, truth, 1 - truth), group=place))


def test_moments_are_those_of_the_beta_binomial() -> None:
    post, many, size = posterior(), 10, 6
    law = post.predict(groups=many).of("accuracy")
    groups = post.confusion.groups
    assert groups is not None
    population = PopulationMean(groups.correct, groups.cases)
    mu, rho = population.law, population.correlation.mean
    assert law.mean == pytest.approx(mu.mean, abs=0.005)
    within = (mu.mean * (1 - mu.mean) - mu.sd**2) * (1 + rho * (size - 1)) / (many * size)
    assert law.sd == pytest.approx(float(np.sqrt(mu.sd**2 + within)), rel=0.03)


def test_cases_of_new_groups_and_groups_of_cases_are_refused() -> None:
    post = posterior()
    with pytest.raises(InvalidArgument, match="counts cases"):
        post.predict(100)
    with pytest.raises(InvalidArgument, match="groups= counts new groups"):
        hs.infer(post.confusion, groups="these").predict(groups=10)
    for odd in (0, 2.5, True, "ten"):
        with pytest.raises(InvalidArgument, match="integer number of new groups"):
            post.predict(groups=odd)  # type: ignore[arg-type]
    assert hs.infer(post.confusion, groups="these").predict(100).n == 100


# -- posteriors of items that were tried several times ----------------------------------------------------------------

GOLDEN = json.loads((Path(REFERENCE) / "scorio.json").read_text(encoding="utf-8"))["cases"]


def simulated(items: int, runs: int, seed: int = 0, a: float = 3.0, b: float = 1.0) -> hs.Repeats:
    rng = np.random.default_rng(seed)
    rates = rng.beta(a, b, items)
    return hs.Repeats.from_array((rng.random((items, runs)) < rates[:, None]).astype(int))


def test_graded_answers_equal_bayes_at_n() -> None:
    assert len(GOLDEN) == 201
    for case in GOLDEN:
        weights = np.array(case["weights"])
        table = weights[np.array(case["runs"])]
        known = hs.infer(hs.Repeats.from_array(table, outcomes=case["weights"]), "flat", groups="these")
        made = known.of("mean_score")
        assert (made.mean, made.sd) == pytest.approx((case["mean"], case["sd"]), abs=1e-9)
        assert made.route == "exact"
    assert (GOLDEN[0]["mean"], round(GOLDEN[0]["sd"], 6)) == (0.5625, 0.091998)


def test_an_extra_outcome_for_no_answer_is_a_column_of_the_rows() -> None:
    runs = hs.Repeats.from_columns(list("aabb"), [1, 2, 1, 2], [1, None, 1, 0], missing="class")
    made = hs.infer(runs, "flat").of("mean_score")
    # Dirichlet(1, 2, 2) and Dirichlet(2, 2, 1): right has two of five
    assert made.mean == pytest.approx(0.4)
    assert made.sd == pytest.approx(np.sqrt(2 * 0.4 * 0.6 / 6) / 2)
    assert hs.infer(runs, "flat").of("pass^2").mean == pytest.approx(2 * 3 / (5 * 6), abs=0.01)


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=7), st.integers(1, 6))
@settings(max_examples=tries(60), deadline=None)
def test_observed_is_the_share_of_all_choices_of_k_runs(table: list[list[bool]], k: int) -> None:
    runs = hs.Repeats.from_array(table)
    right = [sum(row) for row in table]
    all_right = np.mean([comb(c, k) / comb(6, k) for c in right])
    any_right = np.mean([1 - comb(6 - c, k) / comb(6, k) for c in right])
    assert observed_tries(try_measure(f"pass^{k}", runs), runs) == pytest.approx(all_right, abs=1e-12)
    assert observed_tries(try_measure(f"pass@{k}", runs), runs) == pytest.approx(any_right, abs=1e-12)


@pytest.mark.full
@pytest.mark.parametrize(("groups", "prior"), [("new", "learned"), ("these", "learned"), ("these", "flat")])
def test_exact_laws_are_those_of_the_draws(groups: Any, prior: str) -> None:
    known = hs.infer(simulated(40, 6), prior, groups=groups)
    for name in ("mean_score", "pass@3", "pass^6"):
        made = known.of(name)
        assert made.route == "exact"
        drawn = known.drawn([made._terms[0].measure], 20_000, 1, 0)[0]
        assert drawn.mean() == pytest.approx(made.mean, abs=5 * made.sd / 141)
        assert drawn.std() == pytest.approx(made.sd, rel=0.03)
        assert np.quantile(drawn, [0.1, 0.9]) == pytest.approx(made.quantile([0.1, 0.9]), abs=0.06 * made.sd)


def test_the_split_of_the_variance() -> None:
    alike = hs.Repeats.from_array([[1, 0], [0, 1]] * 40)
    unlike = hs.Repeats.from_array([[1, 1], [0, 0]] * 40)
    low, high = (split_of_variance(hs.infer(runs)) for runs in (alike, unlike))
    assert low.share_of_items < 0.1 < 0.9 < high.share_of_items
    assert low.worth == pytest.approx(160 / (1 + low.share_of_items), rel=1e-9)
    share = high.share_of_items
    one = high.more[0]
    assert one.runs == 3
    assert one.narrower == pytest.approx(1 - np.sqrt((share + (1 - share) / 3) / (share + (1 - share) / 2)))
    assert one.as_items == pytest.approx(1 / (1 - one.narrower) ** 2 - 1)
    assert high.narrower_by_items == pytest.approx(0.0871, abs=1e-4)
    assert one.low <= one.narrower <= one.high


@pytest.mark.full
def test_the_split_of_scores_is_the_analysis_of_variance() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(0, 1, (400, 1)) + rng.normal(0, 0.5, (400, 3))
    made = split_of_variance(hs.infer(hs.Repeats.from_array(scores)))
    between, within = scores.mean(axis=1).var(ddof=1), scores.var(axis=1, ddof=1).mean()
    assert made.share_of_items == pytest.approx((between - within / 3) / (between + 2 * within / 3), abs=0.01)
    assert made.low < 0.8 < made.high
    assert made.law == "simulated"


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: hs.infer(simulated(9, 3)).of("pass@0"), "a number of runs, 1 or more"),
        (lambda: hs.infer(simulated(4, 3), groups="new").of("mean_score"), "below 5 nothing but the prior"),
        (lambda: hs.infer(hs.Repeats.from_array([[0, 0.5, 1]]), "caelen").of("mean_score"), "use 'flat' or 'learned'"),
    ],
)
def test_what_has_no_answer_is_said(ask: Any, sentence: str) -> None:
    with pytest.raises(HowsureError) as caught:
        ask()
    assert sentence in str(caught.value)


# -- posteriors of scores: against scikit-learn, against each other, and what they refuse -----------------------------

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 120)
VALUES = (RNG.standard_normal(120) + TRUTH).round(1)
THREE = RNG.integers(0, 3, 150)
ROWS = np.eye(3)[THREE] * 0.3 + RNG.dirichlet([1, 1, 1], 150) * 0.7
POST = hs.infer(hs.Scores(TRUTH, VALUES))
MANY = hs.infer(hs.Scores(THREE, ROWS))


def test_observed_values_are_scikit_learn_s() -> None:
    assert POST.of("roc_auc").observed == pytest.approx(roc_auc_score(TRUTH, VALUES), abs=1e-12)
    assert POST.of("average_precision").observed == pytest.approx(average_precision_score(TRUTH, VALUES), abs=1e-12)
    part = roc_auc_score(TRUTH, VALUES, max_fpr=0.2)
    assert POST.of("partial_auc@fpr=0.2").observed == pytest.approx(part, abs=1e-12)
    for way in ("ovr", "ovo"):
        right = roc_auc_score(THREE, ROWS, multi_class=way)
        assert MANY.of(f"roc_auc@{way}").observed == pytest.approx(right, abs=1e-12)
    mean = average_precision_score(np.eye(3)[THREE], ROWS)
    assert MANY.of("average_precision@ovr").observed == pytest.approx(mean, abs=1e-12)
    assert MANY.of("average_precision@macro").metric == "average_precision@ovr"


def test_groups_of_like_cases_are_worth_fewer_of_them() -> None:
    rng = np.random.default_rng(3)
    truth = np.repeat(rng.integers(0, 2, 40), 10)
    scores = np.repeat(rng.standard_normal(40), 10) + truth + rng.standard_normal(400) / 10
    alone = hs.infer(hs.Scores(truth, scores)).of("roc_auc", draws=4000)
    grouped = hs.infer(hs.Scores(truth, scores, groups=np.arange(400) // 10)).of("roc_auc", draws=4000)
    assert grouped.sd > 2 * alone.sd
    assert "new groups" in repr(grouped)


@pytest.mark.parametrize(
    ("known", "asked", "said"),
    [
        (POST, "tpr", "say|taken at a rate: tpr@fpr=0.1"),
        (POST, "roc_auc@0", "the scores are those of '1'"),
        (MANY, "average_precision@ovo", "for roc_auc@ovo only"),
    ],
    ids=str,
)
def test_what_cannot_be_asked_says_what_can(known: object, asked: str, said: str) -> None:
    with pytest.raises(HowsureError, match=said):
        known.of(asked)  # type: ignore[attr-defined]


def test_what_cannot_be_inferred_is_said() -> None:
    scores = hs.Scores(TRUTH, VALUES)
    with pytest.raises(HowsureError, match=r"all scores are 0\.5: they tell no case"):
        hs.infer(hs.Scores([0, 1, 1], [0.5, 0.5, 0.5])).of("roc_auc").mean  # noqa: B018
    with pytest.raises(HowsureError, match="scores have one prior"):
        hs.infer(scores, "flat")
    with pytest.raises(HowsureError, match=r"scores.of\('a'\)"):
        hs.infer(hs.Scores(TRUTH, {"a": VALUES, "b": VALUES}))
    with pytest.raises(HowsureError, match="between 0 and 1"):
        POST.at_prevalence(2)
    with pytest.raises(HowsureError, match="one_vs_rest"):
        MANY.at_prevalence(0.1)
