"""Shares of the classes: of the test set, uncertain, chosen; what each metric is about, and that the numbers agree."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.metrics import parse
from howsure.posterior.common_ground import at_pooled_shares
from howsure.posterior.knowledge import knowledge_of

TABLE = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])
WITH_EMPTY = hs.ConfusionMatrix([[30, 0, 2, 1], [0, 3, 1, 0], [1, 1, 8, 0], [0, 0, 0, 0]], labels=["a", "b", "c", "d"])
SHARES = TABLE.class_sizes / TABLE.n


def test_macro_f1_against_draws_of_its_own_rows() -> None:
    rng = np.random.default_rng(7)
    alphas = TABLE.counts + np.where(np.eye(3, dtype=bool), 1.0, 0.5)
    tables = np.stack([rng.dirichlet(row, 100_000) for row in alphas], axis=1) * SHARES[:, None]
    hits = np.diagonal(tables, axis1=1, axis2=2)
    values = (2 * hits / (tables.sum(1) + tables.sum(2))).mean(1)
    law = hs.infer(TABLE, "flat", shares="test").of("f1@macro")
    assert law.mean == pytest.approx(values.mean(), abs=5 * law.sd / np.sqrt(20_000))
    assert law.sd == pytest.approx(values.std(), rel=0.03)


@pytest.mark.sweep(1, full=2)
@pytest.mark.parametrize("shares", ["test", "chosen"])
def test_classes_without_a_case_count_as_0_and_are_named(shares: str) -> None:
    post = hs.infer(WITH_EMPTY, "learned", shares=shares)
    f1 = post.of("f1@macro")
    each = [knowledge_of(post.at_prevalence(WITH_EMPTY.class_sizes / WITH_EMPTY.n)).of(f"f1@{x}").mean for x in "abc"]
    assert f1.mean == pytest.approx(np.sum(each) / 4, abs=4 * f1.sd / np.sqrt(20_000))
    table = WITH_EMPTY.counts.astype(float)
    observed = [2 * table[i, i] / (table[i].sum() + table[:, i].sum()) for i in range(3)]
    assert f1.observed == pytest.approx(np.sum(observed) / 4)
    assert "'d' was never true and counts as 0 in f1@macro." in hs.report(post, ["f1@macro"]).notes
    assert "'d' never true, counted as 0" in repr(f1)


NEVER_PREDICTED = hs.ConfusionMatrix([[40, 10, 0], [5, 40, 0], [3, 7, 0]], labels=["a", "b", "c"])
NEVER_TRUE = hs.ConfusionMatrix([[8, 0, 2], [1, 9, 0], [0, 0, 0]], labels=["a", "b", "c"])


@pytest.mark.parametrize("options", [{}, {"shares": "sampled"}, {"shares": "chosen"}, {"prior": "flat"}], ids=str)
def test_what_was_observed_is_of_the_counts_alone(options: dict[str, str]) -> None:
    never_true, never_predicted = hs.infer(NEVER_TRUE, **options), hs.infer(NEVER_PREDICTED, **options)
    assert never_true.of("precision@macro").observed == pytest.approx((8 / 9 + 1) / 3)
    assert never_true.of("recall@macro").observed == pytest.approx((0.8 + 0.9) / 3)
    assert never_predicted.of("precision@macro").observed == pytest.approx((40 / 48 + 40 / 57) / 3)
    assert never_predicted.of("precision@c").observed is None


AVERAGED = [
    "precision",
    "recall",
    "f1",
    "jaccard",
    "false_discovery_rate",
    "specificity",
    "fowlkes_mallows",
    "informedness",
]


@pytest.mark.full
@pytest.mark.parametrize("prior", ["learned", "flat", "jeffreys"])
@pytest.mark.parametrize("seed", range(4))
def test_what_was_observed_of_many_cases_lies_where_the_posterior_does(prior: str, seed: int) -> None:
    """Of classes that are never predicted, never true, both, or as usual; also where 0/0 would be another number."""
    rng = np.random.default_rng(seed)
    size = 3 + seed
    rates = rng.dirichlet(np.full(size, 0.5) + 4 * np.eye(size)[0], size)
    rates = np.stack([np.roll(row, i) for i, row in enumerate(rates)])
    predicted = rng.random(size) < 0.7
    predicted[0] = True
    counts = np.stack(
        [
            rng.multinomial(int(rng.integers(150, 400)), row)
            for row in rates * predicted / (rates * predicted).sum(1, keepdims=True)
        ]
    )
    counts[rng.integers(size)] *= seed % 2
    post = hs.infer(hs.ConfusionMatrix(counts), prior, shares="test")
    for metric in AVERAGED:
        for average in ("macro", "weighted", "min"):
            known = post.of(f"{metric}@{average}")
            assert known.observed is not None
            assert abs(known.mean - known.observed) < 3 * known.sd + 0.01, known
            assert (
                known.interval(0.999, "central").low - 0.01
                < known.observed
                < known.interval(0.999, "central").high + 0.01
            )


def test_recall_of_a_class_never_true_counts_as_0_in_closed_form_and_in_draws() -> None:
    post = hs.infer(NEVER_TRUE, "flat")
    law, measure = post.of("recall@macro"), parse("recall@macro", "abc")
    assert law.route == "exact"
    drawn = knowledge_of(post).drawn([measure], 20_000, 3, 0)[0]
    assert law.mean == pytest.approx(drawn.mean(), abs=5 * law.sd / np.sqrt(20_000))
    assert law.mean == pytest.approx((9 / 12 + 10 / 12) / 3)


@pytest.mark.full
def test_two_classifiers_of_which_one_never_predicts_a_class() -> None:
    truth = ["a"] * 20 + ["b"] * 20 + ["c"] * 6
    one, other = [*truth], [*truth[:40], *["b"] * 6]
    cases = hs.Predictions(truth, {"one": one, "other": other})
    made = hs.compare(cases, metric="precision@macro")
    assert made.b.observed == pytest.approx((1 + 20 / 26) / 3)
    assert made.b.mean == pytest.approx(hs.infer(cases.confusion("other")).of("precision@macro").mean, abs=0.01)
    assert made.a.mean - made.b.mean == pytest.approx(made.difference.mean, abs=0.01)
    assert "other: 'c' was never predicted and counts as 0 in precision@macro." in made.notes


OTHER = hs.ConfusionMatrix([[8, 1, 1], [1, 25, 4], [0, 2, 18]], labels=["a", "b", "c"])


@pytest.mark.full
def test_separate_test_sets_are_compared_at_their_pooled_shares() -> None:
    pooled = (TABLE.class_sizes + OTHER.class_sizes) / (TABLE.n + OTHER.n)
    one, two = (hs.infer(cm, "learned") for cm in (TABLE, OTHER))
    made = hs.compare(one, two, metric="f1@macro")
    assert made.a.mean == pytest.approx(one.at_prevalence(pooled).of("f1@macro").mean, abs=1e-9)
    assert made.b.mean == pytest.approx(two.at_prevalence(pooled).of("f1@macro").mean, abs=1e-9)
    assert made.a.observed == pytest.approx(one.at_prevalence(pooled).of("f1@macro").observed)
    assert "f1@macro of both is at the class shares of both test sets together." in str(made)
    assert "at the class shares of the test sets together" in repr(made.a)
    for name in ("balanced_accuracy", "mcc"):
        same = hs.compare(one, two, metric=name)
        assert same.a.mean == one.of(name).mean
        assert "together" not in str(same)
    assert "together" not in str(hs.compare(one, one, metric="f1@macro"))


def test_unlike_questions_are_not_compared() -> None:
    one, two = hs.infer(TABLE, "learned"), hs.infer(OTHER, "learned", shares="sampled")
    with pytest.raises(InvalidArgument, match=r"shares='sampled'.*shares='test'.*one shares="):
        hs.compare(one, two, metric="f1@macro")
    assert hs.compare(one, two, metric="mcc").metric == "mcc"
    with pytest.raises(InvalidArgument, match="say shares= in infer"):
        hs.compare(one, one, metric="f1@macro", shares="test")


def test_pooled_shares_go_by_the_name_of_a_class() -> None:
    one = hs.ConfusionMatrix([[8, 1, 1], [2, 17, 1], [1, 1, 38]], labels=["a", "b", "c"])
    other = hs.ConfusionMatrix([[9, 2, 0], [3, 50, 1], [2, 2, 6]], labels=["a", "b", "c"])
    for second in (other, other.subset(["c", "a", "b"])):
        both = [hs.infer(cm, "flat", shares="test") for cm in (one, second)]
        made, _ = at_pooled_shares(both, parse("f1@macro", one.labels))
        for known in map(knowledge_of, made):
            shares = dict(zip(known.labels, known.held_shares, strict=True))
            assert shares == pytest.approx({"a": 21 / 145, "b": 74 / 145, "c": 50 / 145})
