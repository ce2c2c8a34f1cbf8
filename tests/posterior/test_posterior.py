"""The posterior of one table: its laws, at a stated prevalence, and means over classes."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import gammaincc
from tests.conftest import matrices

import howsure as hs
from howsure.errors import InvalidArgument, UnknownLabel, UnknownMetric
from howsure.laws import Beta, Draws
from howsure.metrics import REGISTRY, names, parse
from howsure.posterior.distribution import measure_of, shift_note
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior, at_pooled_shares

ill = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
three = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])


def test_prevalence_is_exchanged_not_the_classifier() -> None:
    clinic = hs.infer(ill, "flat").at_prevalence([0.98, 0.02])
    assert clinic.of("recall@ill").mean == hs.infer(ill, "flat").of("recall@ill").mean
    assert clinic.of("accuracy").mean == pytest.approx(0.98 * 46 / 52 + 0.02 * 43 / 52)
    assert clinic.of("accuracy").route == "exact"
    assert clinic.of("prevalence").mean == 0.02
    assert clinic.of("prevalence").interval() == (0.02, 0.02)
    assert clinic.of("precision@ill").observed == pytest.approx(0.02 * 0.84 / (0.02 * 0.84 + 0.98 * 0.1))
    named = hs.infer(ill, "flat").at_prevalence({"ill": 0.02, "healthy": 0.98})
    assert named.of("accuracy").mean == clinic.of("accuracy").mean


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        ([0.5, 0.6], "add to 1"),
        ([0.2, 0.3, 0.5], "2 classes need 2 shares"),
        ({"ill": 1.2}, "leaves nothing for healthy"),
        ([True, False], "one share for each class, not"),
    ],
)
def test_bad_prevalences_are_refused(shares: object, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        hs.infer(ill, "flat").at_prevalence(shares)  # type: ignore[arg-type]


def test_unknown_metrics_get_the_nearest_name() -> None:
    with pytest.raises(UnknownMetric, match="Did you mean 'balanced_accuracy'"):
        hs.infer(ill).of("balanced_acuracy")
    with pytest.raises(UnknownLabel, match="Did you mean 'ill'"):
        hs.infer(ill).of("recall@ll")
    with pytest.raises(InvalidArgument, match="takes no @"):
        hs.infer(ill).of("mcc@ill")


def test_tables_are_joint_probabilities() -> None:
    tables = hs.infer(three, "flat").draw(4000, seed=3)
    assert tables.shape == (4000, 3, 3)
    np.testing.assert_allclose(tables.sum((1, 2)), 1)
    recalls = np.diagonal(tables, axis1=1, axis2=2) / tables.sum(-1)
    np.testing.assert_allclose(recalls.mean(0), [31 / 34, 4 / 6, 9 / 12], atol=0.015)
    np.testing.assert_allclose(tables.sum(-1).mean(0), (np.array([32, 4, 10]) + 2 / 3) / 48, atol=0.006)
    with pytest.raises(InvalidArgument, match="do not fit"):
        hs.infer(hs.ConfusionMatrix(np.eye(200, dtype=int))).draw(20_000)


@pytest.mark.sweep(7, full=60)
@pytest.mark.parametrize(
    ("name", "cm"),
    [(name, ill) for name in names()] + [(name, three) for name in ("balanced_accuracy", "npv", "prevalence")],
)
def test_exact_laws_agree_with_drawn_tables(name: str, cm: hs.ConfusionMatrix) -> None:
    """Two routes to every closed law: the series, and the formula on joint draws."""
    metric = REGISTRY[name]
    where = "" if metric.per == "table" else f"@{cm.labels[1]}"
    # accuracy is one coin per case, not the sum over rows: its drawn route is exact only at a stated prevalence
    post = hs.infer(cm, "flat").at_prevalence(np.full(len(cm.labels), 1 / len(cm.labels)))
    known = post.of(f"{name}{where}")
    drawn = Draws(measure_of(known)(post.draw(20_000, seed=5)))  # type: ignore[misc]
    assert known.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error + 1e-12)
    if drawn.sd > 1e-9:
        for p in (0.05, 0.5, 0.95):
            assert known.quantile(p) == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))
    low, high = metric.range
    assert low <= known.interval()[0] <= known.interval()[1] <= high


def test_drawn_metrics_are_weighted_by_the_exact_law_of_balanced_accuracy() -> None:
    post = hs.infer(hs.ConfusionMatrix([[40, 6, 4], [5, 50, 9], [2, 8, 30]]))
    law = post.of("mcc").law
    assert isinstance(law, Draws)
    assert law.weighted
    plain = Draws(law.values)
    assert law.mean == pytest.approx(plain.mean, abs=5 * plain.mean_error)
    assert law.mean_error < plain.mean_error / 3
    # a class that never comes has no recall in the draws
    never = post.at_prevalence([0.5, 0.5, 0]).of("mcc").law
    assert isinstance(never, Draws)
    assert not never.weighted


@pytest.mark.parametrize("cases", [10**8])
def test_a_handful_of_errors_in_very_many_cases_is_a_sum_of_gammas(cases: int) -> None:
    law = hs.infer(hs.ConfusionMatrix([[cases, 3], [5, cases]]), "flat").of("balanced_accuracy").law
    for wrong in (2.0, 4.5, 9.0):
        # (Gamma(4) + Gamma(6)) / (2 cases), as the Betas of so many cases are
        assert law.cdf(1 - wrong / (2 * cases)) == pytest.approx(float(gammaincc(10, wrong)), abs=1e-4)


A = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
B = hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"])


@pytest.mark.parametrize("metric", ["accuracy", "mcc"])
def test_a_number_minus_itself_is_exactly_zero(metric: str) -> None:
    known = hs.infer(A, "flat").of(metric)
    nothing = known - known
    assert (nothing.mean, nothing.sd) == (0, 0)
    assert nothing.interval() == (0, 0)
    assert nothing.prob(above=0) == 0
    assert nothing.quantile(0.3) == 0


def test_laws_on_different_rows_of_one_posterior_are_drawn_jointly_and_say_so() -> None:
    post = hs.infer(A, "flat")
    gap = post.of("accuracy") - post.of("balanced_accuracy")
    assert gap.route == "simulated"
    assert "accuracy simulated as weighted_recall" in repr(gap)
    tables = post.draw(20_000, seed=9)
    expected = np.trace(tables, axis1=1, axis2=2) - (np.diagonal(tables, axis1=1, axis2=2) / tables.sum(-1)).mean(-1)
    assert gap.mean == pytest.approx(expected.mean(), abs=5 * expected.std() / 140)
    assert gap.sd == pytest.approx(expected.std(), rel=0.05)


def test_scaling_shifting_and_averages_follow_the_law() -> None:
    known = hs.infer(A, "flat").of("balanced_accuracy")
    low, high = known.interval()
    assert (100 * known).interval() == pytest.approx((100 * low, 100 * high), rel=1e-9)
    assert (1 - known).interval() == pytest.approx((1 - high, 1 - low), rel=1e-9)
    assert (-known / 2).mean == pytest.approx(-known.mean / 2)
    drawn = hs.infer(A, "flat").of("mcc")
    assert (1 + drawn).mean == pytest.approx(1 + drawn.mean, abs=0.003)
    with pytest.raises(TypeError):
        known * known  # type: ignore[operator]


def test_a_notebook_shows_the_same_cells_escaped() -> None:
    post = hs.infer(hs.ConfusionMatrix(A.counts, labels=["healthy", "<b>ill"]), "flat")
    html = post.of("recall@<b>ill")._repr_html_()
    assert "<b>" not in html
    for cell in ("recall@&lt;b&gt;ill", "0.83", "0.72 to 0.92", "95% HDI", "flat", "exact"):
        assert cell in html


@pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")
@pytest.mark.parametrize("classes", [3, 5, 12])
def test_a_shifted_interval_is_said_to_cover_what_a_noncentral_chi_square_does(classes: int) -> None:
    known = hs.infer(hs.ConfusionMatrix(30 * np.eye(classes, dtype=int)), "flat").of("balanced_accuracy")
    note = shift_note(known)
    assert note is not None
    covered = stats.ncx2.cdf(1.96**2, 1, note.shift**2)
    assert f"(about {100 * covered:.0f}% instead of 95%" in note.text


def test_a_notebook_shows_the_lowest_recalls_of_many_classes() -> None:
    counts = np.diag([9] * 14) + np.eye(14, k=1, dtype=int)
    counts[13, [0, 1, 2, 13]] = 3, 3, 3, 1
    shown = hs.infer(hs.ConfusionMatrix(counts, labels=[f"class{i}" for i in range(14)]))._repr_html_()
    assert "recall@class13" in shown.replace("<wbr>", "")


# -- the same classifier elsewhere: shares stated for some classes, or learned from other cases -----------------------

TWO = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
THREE = hs.ConfusionMatrix([[9, 1, 0], [2, 27, 1], [0, 1, 9]], labels=["a", "b", "c"])


def test_classes_that_are_left_out_share_the_rest_as_they_were_counted() -> None:
    assert knowledge_of(hs.infer(THREE).at_prevalence({"c": 0.2})).shares.tolist() == pytest.approx([0.2, 0.6, 0.2])
    assert knowledge_of(hs.infer(TWO).at_prevalence({"ill": 0.02})).shares.tolist() == pytest.approx([0.98, 0.02])


@pytest.mark.parametrize("shares", [{"ill": 0.0}, [1, 0]])
def test_a_class_of_two_that_nobody_or_everybody_belongs_to_is_refused(shares: Any) -> None:
    pair = PairedPosterior(hs.Predictions(["healthy", "ill"] * 9, {"a": ["healthy", "ill"] * 9, "b": ["ill"] * 18}))
    for known in (hs.infer(TWO), pair, pair["a"]):
        with pytest.raises(InvalidArgument, match="strictly between 0 and 1; a class that nobody or everybody belongs"):
            known.at_prevalence(shares)
    with pytest.raises(InvalidArgument, match="strictly between"):
        hs.infer(TWO).post_test(shares)
    assert hs.infer(THREE).at_prevalence({"c": 0.0}).of("recall@a").mean > 0.5  # one of three may not be met


@given(matrices(min_classes=3, max_classes=4), st.just(0.0) | st.floats(1e-9, 1 - 1e-9) | st.just(1.0))
def test_any_one_share_completes_to_a_prevalence(cm: hs.ConfusionMatrix, share: float) -> None:
    try:
        shares = knowledge_of(hs.infer(cm).at_prevalence({"c0": share})).shares
    except InvalidArgument:
        assert cm.class_sizes[1:].sum() == 0
        return
    assert shares[0] == pytest.approx(share)
    assert shares.sum() == pytest.approx(1)


def test_a_prevalence_of_other_cases_is_a_dirichlet_with_the_priors_mass() -> None:
    there = hs.infer(TWO, "flat").at_prevalence(cases={"healthy": 490, "ill": 10})
    assert knowledge_of(there).known_prevalence is None
    law = there.of("prevalence@ill").law
    assert isinstance(law, Beta)
    assert (law.a, law.b) == (11, 491)
    assert knowledge_of(hs.infer(TWO, "jeffreys").at_prevalence(cases=[490, 10])).shares.tolist() == pytest.approx(
        [490.5 / 501, 10.5 / 501]
    )


@pytest.mark.parametrize("metric", ["precision@ill", "mcc", "accuracy"])
def test_laws_of_two_classes_stay_exact_at_other_cases_and_agree_with_draws(metric: str) -> None:
    there = hs.infer(TWO).at_prevalence(cases=[190, 10])
    known = there.of(metric)
    assert known.route == "exact"
    drawn = knowledge_of(there).drawn([measure_of(known)], 20_000, 3, 0)[0]  # type: ignore[list-item]
    assert known.mean == pytest.approx(drawn.mean(), abs=5 * known.sd / 20_000**0.5)
    assert known.sd == pytest.approx(drawn.std(), rel=0.03)


@pytest.mark.parametrize(
    ("cases", "sentence"),
    [
        ([1], "2 integers"),
        ([float("nan"), 2], "counts must be integers"),
    ],
)
def test_bad_cases_are_refused(cases: object, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        hs.infer(TWO).at_prevalence(cases=cases)  # type: ignore[arg-type]


def test_shares_and_cases_exclude_each_other_and_labels_are_checked() -> None:
    with pytest.raises(InvalidArgument, match="one of the two"):
        hs.infer(TWO).at_prevalence([0.9, 0.1], cases=[9, 1])
    with pytest.raises(InvalidArgument, match="one of the two"):
        hs.infer(TWO).at_prevalence()
    with pytest.raises(UnknownLabel, match="ill"):
        hs.infer(TWO).at_prevalence({"il": 0.1})
    with pytest.raises(InvalidArgument, match="its share is unknown"):
        hs.infer(TWO, "haldane").at_prevalence(cases=[5, 0])


def test_one_test_set_at_two_prevalences_moves_together() -> None:
    post = hs.infer(TWO, "flat")
    half, clinic, again = (post.at_prevalence(p) for p in ([0.5, 0.5], [0.98, 0.02], [0.98, 0.02]))
    assert (half.of("accuracy") - post.of("balanced_accuracy")).sd == 0
    assert (post.of("accuracy") - half.of("accuracy")).sd < 0.01
    assert (clinic.of("precision") - again.of("precision")).sd == 0
    gap = post.at_prevalence([0.9, 0.1]).of("precision") - clinic.of("precision")
    assert gap.prob(above=0) == 1
    assert gap.sd == pytest.approx(0.0466, abs=0.003)
    twin = copy.copy(post)
    assert (twin.of("f1") - post.of("f1")).sd == 0


# -- shares of the classes: of the test set, uncertain, chosen; what each metric is about, and that the

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
