"""Priors: pseudo-counts by name, from an expert's words, from an earlier matrix; every metric under every prior."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta
from tests.conftest import matrices

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation, UnknownPrior
from howsure.metrics import REGISTRY, averages_of, names
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.priors import Prior, default_prior, resolve_prior

#: Name, classes, Beta of a recall, each wrong cell, mass of the prevalence; `learned` has none of its own.
TABLE = [
    ("calibrated", 2, (2 / 3, 2 / 3), 2 / 3, 4 / 3),
    ("calibrated", 5, (2 / 3, 2 / 3), 1 / 6, 4 / 3),
    ("flat", 2, (1, 1), 1, 2),
    ("flat", 5, (1, 1), 1 / 4, 2),
    ("jeffreys", 5, (0.5, 0.5), 1 / 8, 1),
    ("perks", 4, (0.25, 0.75), 0.25, 1),
    ("dirichlet1", 4, (1, 3), 1, 4),
    ("caelen", 2, (1, 1), 1, 4),
    ("haldane", 3, (0, 0), 0, 0),
]


@pytest.mark.parametrize(("name", "size", "recall", "wrong", "mass"), TABLE)
def test_named_priors_are_those_of_the_table(
    name: str, size: int, recall: tuple[float, float], wrong: float, mass: float
) -> None:
    prior = resolve_prior(name, size)
    assert (prior.a, prior.b) == recall
    assert prior.prevalence == mass
    rows = prior.row(size)
    np.testing.assert_allclose(np.diag(rows), recall[0])
    np.testing.assert_allclose(rows[~np.eye(size, dtype=bool)], wrong)


def test_the_default_is_decided_by_the_number_of_classes_alone() -> None:
    assert [default_prior(size) for size in (2, 3, 9, 10, 1000)] == ["calibrated", *["learned"] * 4]


@pytest.mark.parametrize("bad", [-1, float("nan"), "1"])
def test_pseudo_counts_are_numbers(bad: object) -> None:
    with pytest.raises(InvalidArgument, match="pseudo-count, 0 or more"):
        hs.Prior(bad, 1)  # type: ignore[arg-type]


def test_unknown_priors_get_the_nearest_name() -> None:
    with pytest.raises(UnknownPrior, match="Did you mean 'jeffreys'"):
        resolve_prior("jeffrey", 2)
    with pytest.raises(UnknownPrior, match="Known: calibrated, flat, learned, jeffreys"):
        resolve_prior("zzz", 2)
    with pytest.raises(InvalidArgument, match="a name or a Prior"):
        resolve_prior(1, 2)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="two classes; this matrix has 3"):
        resolve_prior("caelen", 3)


def test_haldane_has_no_answer_where_the_data_have_none() -> None:
    post = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]), "haldane")
    assert post.of("recall@low").mean == pytest.approx(0.75)
    with pytest.raises(NoInformation, match="no information on the other side: all cases of class 'high' are right"):
        post.of("recall@high")
    with pytest.raises(NoInformation):
        post.of("mcc")
    empty = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 0]], labels=["low", "high"]), "haldane")
    with pytest.raises(NoInformation, match="no case of class 'high' was tested"):
        empty.of("recall@high")
    with pytest.raises(NoInformation, match="all cases of the whole table are right"):
        hs.infer(hs.ConfusionMatrix([[6, 0], [0, 3]]), "haldane").of("accuracy")
    with pytest.raises(NoInformation):
        post.draw(100)


def test_a_prior_as_text() -> None:
    one = resolve_prior("beta(2, 0.5)", 3)
    assert (one.a, one.b, one.name) == (2, 0.5, "beta(2, 0.5)")
    several = resolve_prior("c=beta(3,1),a=beta(2,1),b=beta(1,2)", 3).aligned(["a", "b", "c"])
    assert several.row(3).tolist() == [[2, 0.5, 0.5], [1, 1, 1], [0.5, 0.5, 3]]
    assert several.shares(3).tolist() == [2 / 3] * 3
    assert several.coin == (2, 4 / 3)
    same = resolve_prior("a=beta(2,2),b=beta(2,2)", 2)
    assert (same.row(2).tolist(), same.coin) == (hs.Prior(2, 2).row(2).tolist(), hs.Prior(2, 2).coin)


def test_a_prior_of_two_rates_follows_the_positive_class() -> None:
    for labels, positive in ((["ill", "healthy"], None), (["healthy", "ill"], None), (["a", "b"], "a")):
        cm = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=labels, positive=positive)
        known = hs.infer(cm, "specificity=beta(9,1), sensitivity=beta(20,2)")
        told = cm.labels.index(str(cm.positive))
        assert known.prior.row(2)[told, told] == 20
        assert known.of("specificity").mean == pytest.approx((cm.correct[1 - told] + 9) / 60)
    unknown = hs.ConfusionMatrix([[5, 1], [2, 7]], labels=["a", "b"])
    with pytest.raises(InvalidArgument, match="is about the classes sensitivity, specificity"):
        hs.infer(unknown, "sensitivity=beta(20,2),specificity=beta(9,1)")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("prevalence=beta(1,49),sensitivity=beta(20,2),specificity=beta(9,1)", ["ill", "healthy"]),
        ("specificity=beta(9,1),prevalence=beta(1,49),sensitivity=beta(20,2)", ["healthy", "ill"]),
    ],
)
def test_a_prior_of_three_rates_is_that_of_toetsch_and_hoffmann(text: str, labels: list[str]) -> None:
    counts = np.array([[45, 5], [8, 42]])
    cm = hs.ConfusionMatrix(counts, labels=labels)
    ill = labels.index("ill")
    known = hs.infer(cm, text)
    sizes, right = counts.sum(axis=1), counts.diagonal()
    share = (sizes[ill] + 1, sizes[1 - ill] + 49)
    found, kept = (
        (right[ill] + 20, sizes[ill] - right[ill] + 2),
        (right[1 - ill] + 9, sizes[1 - ill] - right[1 - ill] + 1),
    )
    for metric, (a, b) in (("prevalence", share), ("sensitivity", found), ("specificity", kept)):
        law = known.of(metric)
        assert law.route == "exact"
        for p in (0.025, 0.5, 0.975):
            assert law.quantile(p) == pytest.approx(beta(a, b).ppf(p), abs=1e-9)
    rng = np.random.default_rng(3)
    phi, tpr, tnr = (rng.beta(a, b, 100_000) for a, b in (share, found, kept))
    values = phi * tpr / (phi * tpr + (1 - phi) * (1 - tnr))
    assert known.of("precision").mean == pytest.approx(values.mean(), abs=5 * values.std() / 100_000**0.5)
    flat = hs.infer(cm, text.replace("prevalence=beta(1,49),", "prevalence=beta(1,1),"))
    without = hs.infer(cm, "sensitivity=beta(20,2),specificity=beta(9,1)")
    assert flat.of("precision").mean == without.of("precision").mean


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prevalence=beta(1,9),sensitivity=beta(2,2)", "for prevalence, sensitivity, specificity; not"),
        ("a=beta(2,2),a=beta(1,1)", "written beta"),
        ("beta(2,two)", "two pseudo-counts"),
        ("a=beta(2,2)", "a Beta for every class"),
    ],
)
def test_a_text_that_is_no_prior_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        hs.infer(hs.ConfusionMatrix([[5, 1], [2, 7]], labels=["a", "b"]), text)


PRIORS = ("flat", "jeffreys", "learned", "haldane", "perks", "flat", "dirichlet1")

HARD = {
    "perfect": np.diag([9, 4, 7]),
    "never called": np.array([[9, 0, 1], [2, 0, 3], [1, 0, 6]]),
    "empty class": np.array([[9, 1, 1], [0, 0, 0], [1, 2, 6]]),
    "one case": np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]),
    "one class": np.array([[5, 2, 0], [0, 0, 0], [0, 0, 0]]),
    "all wrong": np.array([[0, 4], [3, 0]]),
    "empty": np.zeros((2, 2), dtype=int),
}


def questions(cm: hs.ConfusionMatrix) -> list[str]:
    """Every metric of the whole table, of the first class, and in every average."""
    found = []
    for name in names():
        metric = REGISTRY[name]
        wheres = ["@" + cm.labels[0], *(f"@{how}" for how in averages_of(metric))]
        found += [f"{name}{where}" for where in ([""] if metric.per == "table" else wheres)]
    return found


def asked(post: hs.Posterior, question: str) -> None:
    """A number inside the range and an interval around most of it, or a sentence."""
    try:
        known = post.of(question, draws=200)
    except NoInformation:
        return
    assert measure_of(known) is not None
    low, high = measure_of(known).metric.range
    if not np.isnan(known.mean):  # infinite values of both signs have no mean, and say so
        assert low - 1e-9 <= known.mean <= high + 1e-9
    assert "nan" not in repr(known)
    ends = known.interval()
    assert low - 1e-9 <= ends.low <= ends.high <= high + 1e-9


@pytest.mark.full
@pytest.mark.parametrize(("case", "prior"), list(zip(HARD, PRIORS, strict=True)))
def test_every_metric_answers_or_says_why_on_hard_matrices(case: str, prior: str) -> None:
    cm = hs.ConfusionMatrix(HARD[case])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.PriorShiftWarning)
        post = hs.infer(cm, prior)
        # the closed laws of two rough classes take a while: one in five here, all of them in their own tests
        for question in questions(cm)[:: 5 if len(cm.labels) == 2 else 1]:
            asked(post, question)


EARLY = hs.ConfusionMatrix([[40, 10], [8, 42]], labels=["healthy", "ill"])
LATE = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


@given(st.floats(0.02, 0.98), st.floats(0.05, 0.9), st.floats(0.05, 0.9), st.floats(0.5, 0.99))
def test_a_belief_has_the_mean_and_the_interval(mean: float, below: float, above: float, level: float) -> None:
    low, high = mean * (1 - below), mean + (1 - mean) * above
    if beta(1e-6 * mean, 1e-6 * (1 - mean)).cdf(high) - beta(1e-6 * mean, 1e-6 * (1 - mean)).cdf(low) >= level:
        return  # even the vaguest Beta has more there
    prior = Prior.from_beliefs(mean=mean, interval=(low, high), level=level)
    law = beta(prior.a, prior.b)
    assert law.mean() == pytest.approx(mean)
    assert law.cdf(high) - law.cdf(low) == pytest.approx(level, abs=1e-6)


@given(matrices(max_classes=4))
def test_an_earlier_matrix_of_full_weight_is_one_test_set_with_the_new_one(cm: hs.ConfusionMatrix) -> None:
    base = "calibrated" if len(cm.labels) == 2 else "flat"
    both = hs.infer(cm, Prior.from_matrix(cm))
    pooled = hs.infer(cm + cm, base)
    for metric in ("accuracy", "balanced_accuracy", "prevalence@c0", "recall@c1"):
        assert knowledge_of(both).of(metric).mean == pytest.approx(knowledge_of(pooled).of(metric).mean)
        assert knowledge_of(both).of(metric).sd == pytest.approx(knowledge_of(pooled).of(metric).sd)


def test_the_classes_are_matched_by_name_and_others_are_refused() -> None:
    turned = hs.ConfusionMatrix(LATE.counts[::-1, ::-1], ["ill", "healthy"], positive="ill")
    prior = Prior.from_matrix(EARLY)
    assert hs.infer(turned, prior).of("recall@ill").mean == hs.infer(LATE, prior).of("recall@ill").mean
    with pytest.raises(InvalidArgument, match="about the classes healthy, ill, the matrix about a, b"):
        hs.infer(hs.ConfusionMatrix([[1, 0], [0, 1]], ["a", "b"]), prior)


@pytest.mark.parametrize(
    "belief",
    [
        {"mean": 0.9, "interval": (0.95, 0.99)},
        {"mean": float("nan"), "interval": (0.1, 0.9)},
        {"mean": 0.5, "interval": (0.1, 0.9), "level": 95},
        {"mean": 0.5, "interval": (0.1, 0.5, 0.9)},
    ],
)
def test_beliefs_that_are_none(belief: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match=r"a belief is|no Beta"):
        Prior.from_beliefs(**belief)  # type: ignore[arg-type]
