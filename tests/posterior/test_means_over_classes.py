"""Shares of the classes: of the test set, uncertain, chosen; what each metric is about, and that the numbers agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.conftest import matrices, tries

import howsure as hs
from howsure.comparison.outlook import outlook
from howsure.errors import InvalidArgument, NoInformation
from howsure.laws import Linear
from howsure.metrics import AVERAGES, parse
from howsure.numerics.learned.hierarchical_draws import tables_learned_together
from howsure.numerics.trials.simulated_tests import posterior_tables
from howsure.planning.goal import Goal
from howsure.planning.pose import Supposition, pose
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.means_over_classes import is_mean_over_classes
from howsure.posterior.paired import PairedPosterior

TABLE = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])
WITH_EMPTY = hs.ConfusionMatrix([[30, 0, 2, 1], [0, 3, 1, 0], [1, 1, 8, 0], [0, 0, 0, 0]], labels=["a", "b", "c", "d"])
SHARES = TABLE.class_sizes / TABLE.n
MEANS = ("f1@macro", "precision@weighted", "jaccard@min", "f1@max", "f1@harmonic", "precision@geometric")
OTHERS = ("mcc", "kappa", "f1@a", "precision@b", "jaccard@micro", "weighted_recall")


def test_which_measures_are_means_over_classes() -> None:
    labels = list(TABLE.labels)
    assert all(is_mean_over_classes(parse(name, labels), 3) for name in (*MEANS, "specificity@macro"))
    assert not any(
        is_mean_over_classes(parse(name, labels), 3) for name in (*OTHERS, "recall@macro", "recall@weighted")
    )
    assert not is_mean_over_classes(parse("specificity@macro", labels[:2]), 2)


def test_unasked_the_learned_prior_holds_the_shares_from_three_classes_on() -> None:
    two = hs.ConfusionMatrix([[6, 2], [0, 26]])
    assert [hs.infer(TABLE, prior).shares for prior in ("learned", "flat", "jeffreys")] == [
        "test",
        "sampled",
        "sampled",
    ]
    assert hs.infer(two).shares == hs.infer(two, "learned").shares == "sampled"
    assert hs.infer(hs.ConfusionMatrix(np.diag([5] * 12) + 1)).shares == "test"
    assert hs.infer(TABLE).at_prevalence([0.2, 0.3, 0.5]).shares is None
    assert hs.infer(TABLE, "learned").at_prevalence(cases=[20, 30, 50]).shares is None


@pytest.mark.parametrize("prior", ["learned", "flat"])
@pytest.mark.parametrize("name", MEANS)
def test_a_mean_over_classes_is_the_one_at_these_shares(prior: str, name: str) -> None:
    held = hs.infer(TABLE, prior, shares="test").of(name)
    stated = hs.infer(TABLE, prior).at_prevalence(SHARES).of(name)
    assert held.law.mean == pytest.approx(stated.law.mean, abs=1e-12)
    assert held.interval() == pytest.approx(stated.interval(), abs=1e-12)
    assert held.observed == pytest.approx(stated.observed)


@pytest.mark.parametrize("name", OTHERS)
def test_other_metrics_keep_uncertain_shares(name: str) -> None:
    test, sampled = (hs.infer(TABLE, "learned", shares=shares).of(name) for shares in ("test", "sampled"))
    assert (test.mean, test.sd) == (sampled.mean, sampled.sd)


def test_precision_at_known_shares_by_draws_and_by_exact_laws_of_each_class() -> None:
    """The mean of a macro average is the mean of means, and those of precision are exact where shares are known."""
    drawn = hs.infer(TABLE, "flat", shares="test").of("precision@macro")
    exact = [hs.infer(TABLE, "flat", shares="chosen").of(f"precision@{label}") for label in TABLE.labels]
    assert drawn.route == "drawn"
    assert {law.route for law in exact} == {"exact"}
    mean = sum(law.mean for law in exact) / 3
    assert drawn.mean == pytest.approx(mean, abs=5 * drawn.sd / np.sqrt(20_000))


def test_macro_f1_against_draws_of_its_own_rows() -> None:
    rng = np.random.default_rng(7)
    alphas = TABLE.counts + np.where(np.eye(3, dtype=bool), 1.0, 0.5)
    tables = np.stack([rng.dirichlet(row, 100_000) for row in alphas], axis=1) * SHARES[:, None]
    hits = np.diagonal(tables, axis1=1, axis2=2)
    values = (2 * hits / (tables.sum(1) + tables.sum(2))).mean(1)
    law = hs.infer(TABLE, "flat", shares="test").of("f1@macro")
    assert law.mean == pytest.approx(values.mean(), abs=5 * law.sd / np.sqrt(20_000))
    assert law.sd == pytest.approx(values.std(), rel=0.03)


def test_chosen_sizes_hold_everything() -> None:
    post = hs.infer(TABLE, "learned", shares="chosen")
    stated = hs.infer(TABLE, "learned").at_prevalence(SHARES)
    for name in ("accuracy", "mcc", "f1@a", "f1@macro", "prevalence@b"):
        assert post.of(name).mean == pytest.approx(stated.of(name).mean, abs=1e-9)
    assert post.of("prevalence@b").sd == 0
    assert post.of("accuracy").sd != hs.infer(TABLE, "learned").of("accuracy").sd
    assert post.of("mcc").observed == pytest.approx(hs.infer(TABLE, "learned").of("mcc").observed)
    two = hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"], positive="high")
    chosen, known = hs.infer(two, shares="chosen"), hs.infer(two).at_prevalence([8 / 34, 26 / 34])
    assert isinstance(chosen.of("accuracy").law, Linear)
    for name in ("accuracy", "precision", "mcc"):
        assert chosen.of(name).mean == pytest.approx(known.of(name).mean, abs=1e-9)


def test_two_classes_hold_the_shares_of_means_only_if_asked() -> None:
    two = hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"], positive="high")
    held, stated = hs.infer(two, shares="test"), hs.infer(two).at_prevalence([8 / 34, 26 / 34])
    assert held.of("f1@macro").mean == pytest.approx(stated.of("f1@macro").mean, abs=1e-3)
    assert held.of("f1").mean == hs.infer(two).of("f1").mean


def test_a_stated_prevalence_wins() -> None:
    for shares in ("test", "sampled", "chosen"):
        here = hs.infer(TABLE, "learned", shares=shares)
        assert here.at_prevalence([0.2, 0.3, 0.5]).of("f1@macro").mean == pytest.approx(
            hs.infer(TABLE, "learned").at_prevalence([0.2, 0.3, 0.5]).of("f1@macro").mean
        )
        elsewhere = here.at_prevalence(cases=[20, 30, 50])
        assert (
            elsewhere.of("f1@macro").mean
            == hs.infer(TABLE, "learned").at_prevalence(cases=[20, 30, 50]).of("f1@macro").mean
        )
        assert elsewhere.of("prevalence@a").sd > 0


@pytest.mark.parametrize("shares", ["test", "chosen"])
def test_classes_without_a_case_are_left_out_and_counted(shares: str) -> None:
    post = hs.infer(WITH_EMPTY, "learned", shares=shares)
    f1 = post.of("f1@macro")
    # what is left of the mean: three of four
    each = [knowledge_of(post.at_prevalence(WITH_EMPTY.class_sizes / WITH_EMPTY.n)).of(f"f1@{x}").mean for x in "abc"]
    assert f1.mean == pytest.approx(np.mean(each), abs=4 * f1.sd / np.sqrt(20_000))
    table = WITH_EMPTY.counts.astype(float)
    observed = [2 * table[i, i] / (table[i].sum() + table[:, i].sum()) for i in range(3)]
    assert f1.observed == pytest.approx(np.mean(observed))
    assert "1 class without a case left out" in str(hs.report(post, ["f1@macro"]))


def test_no_cases_at_all() -> None:
    nothing = hs.ConfusionMatrix(np.zeros((3, 3), int))
    assert (
        hs.infer(nothing, "learned").of("f1@macro").mean
        == hs.infer(nothing, "learned", shares="sampled").of("f1@macro").mean
    )
    with pytest.raises(NoInformation, match="no case at all"):
        hs.infer(nothing, shares="chosen")


@pytest.mark.parametrize("odd", ["foo", "", 3, ["test"], None])
def test_other_words_are_refused(odd) -> None:
    if odd is None:
        assert hs.infer(TABLE, shares=None).shares == hs.infer(TABLE).shares
        return
    with pytest.raises(InvalidArgument, match=r"shares= takes 'test' .*'sampled' .*'chosen'"):
        hs.infer(TABLE, shares=odd)


def test_another_prior_is_about_the_same_shares() -> None:
    post = hs.infer(TABLE, "learned")
    assert post.under("flat").shares == "test"
    assert post.under("flat").of("f1@macro").mean == hs.infer(TABLE, "flat", shares="test").of("f1@macro").mean


def test_means_and_other_metrics_move_together() -> None:
    post = hs.infer(TABLE, "learned")
    gap = post.of("f1@macro") - post.of("mcc")
    apart = np.hypot(post.of("f1@macro").sd, post.of("mcc").sd)
    assert gap.sd < 0.6 * apart
    assert (post.of("f1@macro") - post.of("f1@macro")).sd == 0


@settings(max_examples=tries(12))
@given(matrices(min_classes=3, max_count=9))
def test_every_mean_has_an_answer_at_the_shares_of_any_table(table: hs.ConfusionMatrix) -> None:
    post = hs.infer(table, "learned", shares="test")
    for how in AVERAGES:
        law = post.of(f"f1@{how}", draws=200)
        assert 0 <= law.mean <= 1


def test_many_classes_by_their_cells_and_all_at_once() -> None:
    """Rows at other shares: whole tables and tables by cells agree, also where single cells stand at their mean."""
    rng = np.random.default_rng(5)
    counts = rng.poisson(0.3, (60, 60)) + np.diag(rng.poisson(8, 60) + 1)
    known = knowledge_of(hs.infer(hs.ConfusionMatrix(counts), "learned"))
    shares = counts.sum(1) / counts.sum()
    for block in known.blocks(400):
        moved = block.at(shares)
        assert moved.margins.actual == pytest.approx(np.broadcast_to(shares, moved.margins.actual.shape))
        assert moved.margins.called.sum(1) == pytest.approx(1)
        recalls = block.margins.hits / block.margins.actual
        assert moved.margins.hits / moved.margins.actual == pytest.approx(recalls)
        whole = np.concatenate(list(moved.whole()))
        assert whole.sum((1, 2)) == pytest.approx(1)
        # beyond the atoms the tables hold means, so columns agree on average
        assert whole.sum(1).mean(0) == pytest.approx(moved.margins.called.mean(0), abs=2e-3)


# -- two classifiers --------------------------------------------------------------------------------------------

OTHER = hs.ConfusionMatrix([[8, 1, 1], [1, 25, 4], [0, 2, 18]], labels=["a", "b", "c"])


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


def test_classes_in_another_order_are_pooled_by_name() -> None:
    turned = hs.ConfusionMatrix(OTHER.counts[np.ix_([2, 0, 1], [2, 0, 1])], labels=["c", "a", "b"])
    straight = hs.compare(hs.infer(TABLE, "learned"), hs.infer(OTHER, "learned"), metric="f1@macro")
    other = hs.compare(hs.infer(TABLE, "learned"), hs.infer(turned, "learned"), metric="f1@macro")
    assert other.b.mean == pytest.approx(straight.b.mean, abs=0.003)
    assert other.b.observed == pytest.approx(straight.b.observed)


def test_chosen_sizes_of_two_test_sets_are_pooled_for_every_metric() -> None:
    pooled = (TABLE.class_sizes + OTHER.class_sizes) / (TABLE.n + OTHER.n)
    one, two = (hs.infer(cm, "flat", shares="chosen") for cm in (TABLE, OTHER))
    made = hs.compare(one, two, metric="accuracy")
    assert made.a.mean == pytest.approx(hs.infer(TABLE, "flat").at_prevalence(pooled).of("accuracy").mean)
    assert hs.compare(one, two).a.mean == one.of("balanced_accuracy").mean


def test_unlike_questions_are_not_compared() -> None:
    one, two = hs.infer(TABLE, "learned"), hs.infer(OTHER, "learned", shares="sampled")
    with pytest.raises(InvalidArgument, match=r"shares='sampled'.*shares='test'.*one shares="):
        hs.compare(one, two, metric="f1@macro")
    assert hs.compare(one, two, metric="mcc").metric == "mcc"
    with pytest.raises(InvalidArgument, match="say shares= in infer"):
        hs.compare(one, one, metric="f1@macro", shares="test")


def test_a_board_of_separate_test_sets_is_ranked_at_their_pooled_shares() -> None:
    members = {"x": hs.infer(TABLE, "learned"), "y": hs.infer(OTHER, "learned")}
    board = hs.rank(members, metric="f1@macro")
    made = hs.compare(members["x"], members["y"], metric="f1@macro")
    assert {x.name: x.mean for x in board.entries} == pytest.approx({"x": made.a.mean, "y": made.b.mean})
    assert any("together" in note for note in board.notes)


@pytest.mark.filterwarnings("ignore::howsure.errors.PriorShiftWarning")
def test_classifiers_on_the_same_cases_have_the_shares_of_these() -> None:
    rng = np.random.default_rng(3)
    truth = rng.choice(3, 80, p=[0.7, 0.2, 0.1])
    answers = {name: np.where(rng.random(80) < 0.8, truth, rng.choice(3, 80)) for name in "AB"}
    both = hs.Predictions(truth.tolist(), {name: said.tolist() for name, said in answers.items()})
    shares = np.bincount(truth) / 80
    asked = hs.compare(both, metric="f1@macro", prior="flat", shares="test", draws=4_000)
    joint = PairedPosterior(both, prior="flat").at_prevalence(shares)
    assert asked.a.mean == pytest.approx(joint["A"].of("f1@macro", draws=4_000).mean, abs=1e-12)
    gap = joint["A"].of("f1@macro", draws=4_000) - joint["B"].of("f1@macro", draws=4_000)
    assert asked.difference.mean == pytest.approx(gap.mean, abs=1e-12)
    assert asked.difference.sd == pytest.approx(gap.sd, abs=1e-12)
    chosen = hs.compare(both, metric="mcc", prior="flat", shares="chosen", draws=4_000)
    assert chosen.a.mean == pytest.approx(joint["A"].of("mcc", draws=4_000).mean, abs=1e-12)
    ranked = hs.rank(both, metric="f1@macro", prior="flat", shares="test", draws=4_000)
    assert {x.name: x.mean for x in ranked.entries} == pytest.approx({"A": asked.a.mean, "B": asked.b.mean})


# -- what a report says, and what is foreseen -------------------------------------------------------------------


def test_the_report_says_what_it_is_about() -> None:
    made = hs.report(hs.infer(TABLE, "learned"), ["f1@macro", "mcc"])
    assert "f1@macro **" in str(made)
    assert "mcc *" in str(made)
    assert "**: over the classes, at this test set's class shares." in str(made)
    assert made.verdict.endswith("at this test set's class shares.")
    plain = made.to_dict()
    assert plain["shares"] == "test"
    assert [row["at_test_shares"] for row in plain["metrics"]] == [True, False]
    sampled = hs.report(hs.infer(TABLE, "learned", shares="sampled"), ["f1@macro"])
    assert "**" not in str(sampled)
    assert sampled.to_dict()["shares"] == "sampled"
    chosen = hs.report(hs.infer(TABLE, "learned", shares="chosen"), ["f1@macro", "mcc"])
    assert "Class sizes were chosen, everything is at their shares: a 0.69" in str(chosen)
    assert chosen.to_dict()["prevalence_source"] == "chosen"
    assert hs.report(hs.infer(TABLE).at_prevalence([0.2, 0.3, 0.5]), ["mcc"]).to_dict()["shares"] is None


def test_unknown_shares_of_rare_classes_are_a_warning() -> None:
    rare = hs.ConfusionMatrix(np.diag([40, 30, 2, 1]) + np.diag([2, 2, 1], 1), labels=list("abcd"))
    warned = hs.report(hs.infer(rare, "learned", shares="sampled"), ["f1@macro", "precision@min"]).warnings
    assert (
        "Half of the classes have fewer than 4 cases; f1@macro, precision@min rest on their unknown shares. "
        "shares='test' is about those of this test set."
    ) in warned
    for post, names in (
        (hs.infer(rare, "learned"), ["f1@macro"]),
        (hs.infer(rare, "learned", shares="sampled"), ["mcc"]),
        (hs.infer(TABLE, "learned", shares="sampled"), ["f1@macro"]),
    ):
        assert not any("unknown shares" in text for text in hs.report(post, names).warnings)


def test_the_text_of_a_distribution_says_it_too() -> None:
    assert "prior learned, at this test set's class shares, drawn" in repr(hs.infer(TABLE, "learned").of("f1@macro"))
    assert "class shares" not in repr(hs.infer(TABLE, "learned").of("mcc"))
    assert "chosen class sizes" in repr(hs.infer(TABLE, shares="chosen"))


def test_a_new_test_is_foreseen_at_the_same_shares() -> None:
    post = hs.infer(TABLE, "learned")
    many = post.predict(100_000, draws=4_000)
    known = post.of("f1@macro")
    assert many.of("f1@macro").mean == pytest.approx(known.mean, abs=0.005)
    assert many.of("f1@macro").sd == pytest.approx(known.sd, rel=0.05)
    uncertain = hs.infer(TABLE, "learned", shares="sampled").predict(100_000, draws=4_000)
    assert uncertain.of("mcc").mean == pytest.approx(many.of("mcc").mean, abs=1e-12)
    assert "f1@macro" in str(post.predict())


def test_what_further_cases_would_change_is_about_the_same_shares() -> None:
    later = outlook(hs.infer(TABLE, "learned"), "f1@macro", above=0.5, more=20)
    known = hs.infer(TABLE, "learned").of("f1@macro")
    assert later.p_now == pytest.approx(known.prob(above=0.5))
    both = outlook(hs.compare(hs.infer(TABLE, "learned"), hs.infer(OTHER, "learned"), metric="f1@macro"), more=20)
    assert sum(both.later.values()) == pytest.approx(1)


def test_a_plan_reads_its_tests_at_their_own_shares() -> None:
    """Whatever the sizes of a simulated test, a mean over classes is about their shares, under the learned prior."""
    counts = np.stack([TABLE.counts, OTHER.counts, WITH_EMPTY.counts[:3, :3]])
    sizes = counts.sum(-1)
    known = sizes / sizes.sum(1, keepdims=True)
    for blocks in (
        tables_learned_together(counts, known, 500, np.random.default_rng(0)),
        posterior_tables(counts, np.ones((3, 3)), 1.0, known, 500, np.random.default_rng(0)),
    ):
        tables = np.concatenate(list(blocks))
        assert tables.sum(-1) == pytest.approx(np.broadcast_to(known[:, None], (3, 500, 3)))
    goal = Goal("width", 0.2, 0.95)
    learned, flat = (hs.infer(TABLE, prior) for prior in ("learned", "flat"))
    assert pose("f1@macro", goal, Supposition(pilot=learned), "learned", 0).measure.tested
    assert not pose("f1@macro", goal, Supposition(pilot=flat), "flat", 0).measure.tested
