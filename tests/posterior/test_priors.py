"""Priors: pseudo-counts by name, as the papers have them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation, UnknownPrior
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.named_priors import PRIORS, default_prior, resolve_prior

#: Name, classes, Beta of a recall, each wrong cell, mass of the prevalence; `learned` has none of its own.
TABLE = [
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


def test_the_table_has_every_prior() -> None:
    assert {str(row[0]) for row in TABLE} == set(PRIORS) - {"learned"}


def test_the_default_is_decided_by_the_number_of_classes_alone() -> None:
    assert [default_prior(size) for size in (2, 3, 9, 10, 1000)] == ["flat", *["learned"] * 4]


def test_a_prior_of_your_own_is_used_as_it_is() -> None:
    mine = hs.Prior(8, 2, name="last year's pilot")
    law = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]]), mine).of("recall@0")
    assert law.mean == pytest.approx(14 / 18, abs=1e-15)
    assert "prior last year's pilot" in repr(law)


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "1", True])
def test_pseudo_counts_are_numbers(bad: object) -> None:
    with pytest.raises(InvalidArgument, match="pseudo-count, 0 or more"):
        hs.Prior(bad, 1)  # type: ignore[arg-type]


def test_unknown_priors_get_the_nearest_name() -> None:
    with pytest.raises(UnknownPrior, match="Did you mean 'jeffreys'"):
        resolve_prior("jeffrey", 2)
    with pytest.raises(UnknownPrior, match="Known: flat, learned, jeffreys"):
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
    for metric in ("balanced_accuracy", "mcc", "f1@high"):
        with pytest.raises(NoInformation):
            post.of(metric)
    empty = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 0]], labels=["low", "high"]), "haldane")
    with pytest.raises(NoInformation, match="no case of class 'high' was tested"):
        empty.of("recall@high")
    with pytest.raises(NoInformation, match="all cases of the whole table are right"):
        hs.infer(hs.ConfusionMatrix([[6, 0], [0, 3]]), "haldane").of("accuracy")
    with pytest.raises(NoInformation):
        post.draw(100)


def test_every_named_prior_says_what_it_means_and_where_it_is_from() -> None:
    for name, prior in PRIORS.items():
        assert prior.name == name
        assert prior.meaning
        assert prior.reference


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
        assert (
            knowledge_of(known).with_positive(labels[0]).of("recall@" + labels[0]).mean
            == known.of("recall@" + labels[0]).mean
        )
    unknown = hs.ConfusionMatrix([[5, 1], [2, 7]], labels=["a", "b"])
    with pytest.raises(InvalidArgument, match="is about the classes sensitivity, specificity"):
        hs.infer(unknown, "sensitivity=beta(20,2),specificity=beta(9,1)")


@pytest.mark.parametrize(
    "text",
    [
        "prevalence=beta(1,49),sensitivity=beta(20,2),specificity=beta(9,1)",
        "specificity=beta(9,1),prevalence=beta(1,49),sensitivity=beta(20,2)",
    ],
)
@pytest.mark.parametrize("labels", [["ill", "healthy"], ["healthy", "ill"]])
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
    phi, tpr, tnr = (rng.beta(a, b, 200_000) for a, b in (share, found, kept))
    for metric, values in (
        ("precision", phi * tpr / (phi * tpr + (1 - phi) * (1 - tnr))),
        ("weighted_recall", phi * tpr + (1 - phi) * tnr),
    ):
        assert known.of(metric).mean == pytest.approx(values.mean(), abs=5 * values.std() / 200_000**0.5)
        assert known.of(metric).sd == pytest.approx(values.std(), rel=0.01)
    flat = hs.infer(cm, text.replace("prevalence=beta(1,49),", "prevalence=beta(1,1),"))
    without = hs.infer(cm, "sensitivity=beta(20,2),specificity=beta(9,1)")
    assert flat.of("precision").mean == without.of("precision").mean


def test_a_class_may_be_called_prevalence() -> None:
    prior = resolve_prior("prevalence=beta(2,1),b=beta(1,2)", 2)
    assert prior.row(2).tolist() == [[2, 1], [2, 1]]
    assert prior.shares(2).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prevalence=beta(1,9),sensitivity=beta(2,2)", "for prevalence, sensitivity, specificity; not"),
        ("prevalence=beta(-1,9),sensitivity=beta(2,2),specificity=beta(2,2)", "pseudo-counts, 0 or more"),
        ("prevalence=beta(nan,9),sensitivity=beta(2,2),specificity=beta(2,2)", "pseudo-counts, 0 or more"),
        ("beta(2)", "written beta"),
        ("beta(2,2),beta(1,1)", "written beta"),
        ("a=beta(2,2),a=beta(1,1)", "written beta"),
        ("a=beta(2,2),flat", "written beta"),
        ("beta(2,two)", "two pseudo-counts"),
        ("beta(-1,2)", "0 or more"),
        ("beta(nan,2)", "0 or more"),
        ("a=beta(2,2)", "a Beta for every class"),
        ("a=beta(2,2),c=beta(2,2)", "is about the classes a, c, the matrix about a, b"),
    ],
)
def test_a_text_that_is_no_prior_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        hs.infer(hs.ConfusionMatrix([[5, 1], [2, 7]], labels=["a", "b"]), text)


def test_pairs_take_one_prior_for_all_classes() -> None:
    both = hs.Predictions(["a", "b", "b"], {"x": ["a", "b", "a"], "y": ["b", "b", "b"]})
    with pytest.raises(InvalidArgument, match="classifiers on the same cases take one for all"):
        hs.compare(both, "x", "y", prior="a=beta(2,1),b=beta(1,1)")
    assert hs.compare(both, "x", "y", prior="beta(1,1)").p_better == hs.compare(both, "x", "y", prior="flat").p_better


def test_the_mass_of_the_prevalence_is_that_of_all_classes_together() -> None:
    assert hs.Prior(1, 1, prevalence=2).shares(4).tolist() == [0.5] * 4
