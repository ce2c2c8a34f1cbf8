"""Better than chance: one rule, its routes against each other, and how often guessers pass for skilled."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc
from scipy.stats import beta

import howsure as hs
from howsure.errors import NoInformation
from howsure.metrics import parse
from howsure.posterior.better_than_chance import (
    DEAR,
    FEWEST,
    FIRST,
    SURE,
    ChanceStatement,
    better_than_chance,
    judge_of,
    prepare_chance,
)
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.paired import PairedPosterior

ONES = [[1] * 9] * 9
THREE = [[12, 5, 3], [4, 6, 2], [1, 2, 3]]


def said(post: hs.Posterior, metric: str, draws: int | None = None) -> ChanceStatement:
    known = knowledge_of(post)
    found = better_than_chance(known, parse(metric, known.labels, known.confusion.positive), draws=draws)
    assert found is not None
    return found


def made(counts: object, prior: str | None = None) -> hs.Posterior:
    return hs.infer(hs.ConfusionMatrix(counts), prior)


def rows_of(counts: np.ndarray, masses: np.ndarray, draws: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Route of its own: shares of the classes, and rows whose pseudo-cases are even over the cells."""
    rng, size = np.random.default_rng(seed), len(counts)
    rows = rng.standard_gamma(counts + masses[:, None] / size, (draws, size, size))
    rows /= rows.sum(axis=2, keepdims=True)
    return rng.dirichlet(counts.sum(axis=1) + 1 / size, draws), rows


def correlation(counts: np.ndarray, masses: np.ndarray, draws: int, seed: int) -> float:
    """P(cov(truth, call) > 0), which is the numerator of MCC and of kappa."""
    shares, rows = rows_of(counts, masses, draws, seed)
    calls = np.einsum("si,sij->sj", shares, rows)
    return float(np.mean(np.einsum("si,sii->s", shares, rows) > (shares * calls).sum(axis=1)))


# -- whose prior ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prior", ["flat", "learned", "jeffreys", "perks"])
def test_a_table_of_ones_is_no_better_than_chance_under_any_prior(prior: str) -> None:
    for metric in ("balanced_accuracy", "recall@macro", "mcc", "kappa", "informedness@macro", "accuracy"):
        found = said(made(ONES, prior), metric, 4000)
        assert found.probability == pytest.approx(0.5, abs=0.06)
        if metric != "accuracy":
            assert (found.prior, found.rule) == ("perks", "a prior that expects chance")


def test_two_classes_keep_the_prior_of_the_report() -> None:
    for prior in ("flat", "perks"):
        post = made([[9, 3], [4, 8]], prior)
        for metric, value in (("balanced_accuracy", 0.5), ("mcc", 0.0), ("kappa", 0.0)):
            found = said(post, metric)
            assert found.probability == post.of(metric).prob(above=value)
            assert (found.value, found.prior, found.rule) == (value, prior, "the prior of the report")


def test_a_metric_without_chance_has_no_such_probability() -> None:
    known = knowledge_of(made(THREE))
    for metric in ("f1@macro", "recall@0", "worst_rate", "precision@1"):
        assert better_than_chance(known, parse(metric, known.labels)) is None
    empty = knowledge_of(made(np.zeros((3, 3), dtype=int)))
    assert better_than_chance(empty, parse("accuracy", empty.labels)) is None


def test_balanced_accuracy_is_exact_and_agrees_with_draws() -> None:
    counts = np.array(THREE)
    found = said(made(counts), "balanced_accuracy")
    _, rows = rows_of(counts, np.ones(3), 200_000, 1)
    assert found.route == "exact"
    assert found.probability == pytest.approx(np.mean(np.einsum("sii->s", rows) > 1), abs=0.003)
    assert made(counts, "perks").of("balanced_accuracy").prob(above=1 / 3) == found.probability


@pytest.mark.parametrize("metric", ["mcc", "kappa"])
def test_correlation_is_drawn_under_perks_by_class_size(metric: str) -> None:
    counts = np.array(THREE)
    found = said(made(counts), metric)
    sizes = counts.sum(axis=1)
    masses = (sizes + 1) / (sizes.max() + 1)
    assert found.prior == "perks by class size"
    assert found.probability == pytest.approx(correlation(counts, masses, 100_000, 2), abs=0.01)


def test_many_classes_are_drawn_by_their_cells_and_agree_with_whole_tables() -> None:
    rng = np.random.default_rng(3)
    sizes = np.maximum(1, 120 // np.arange(1, 61))
    counts = np.array([rng.multinomial(n, np.full(60, 1 / 60)) for n in sizes])
    masses = (sizes + 1) / (sizes.max() + 1)
    found = said(made(counts), "mcc", 8000)
    assert 0.02 < found.probability < 0.98
    assert found.probability == pytest.approx(correlation(counts, masses, 3000, 4), abs=0.03)


def test_what_would_take_minutes_is_drawn_and_lies_beside_the_exact_law() -> None:
    sizes = np.round(600 / np.linspace(1, 20, 11)).astype(int)
    always = np.pad(sizes[:, None], ((0, 0), (0, 10)))
    exact = said(made(always), "balanced_accuracy")
    assert exact.route == "exact"
    more = np.round(600 / np.linspace(1, 20, 30)).astype(int)
    found = said(made(np.pad(more[:, None], ((0, 0), (0, 29)))), "balanced_accuracy")
    assert found.route == "drawn"
    rng = np.random.default_rng(5)
    right = np.where(np.arange(30) == 0, more, 0)
    recalls = rng.beta(right + 1 / 30, more - right + 29 / 30, (50_000, 30))
    assert found.probability == pytest.approx(np.mean(recalls.sum(axis=1) > 1), abs=0.01)


# -- accuracy: paired with always answering the largest class ------------------------------------------------------


def test_the_majority_rule_agrees_with_the_pooled_dirichlet() -> None:
    counts = np.array(THREE)
    gained, lost = counts.trace() - 12, 20 - 12
    pooled = np.random.default_rng(6).dirichlet([12.5, gained + 0.5, lost + 0.5, 10.5], 400_000)
    found = said(made(counts), "accuracy")
    assert (found.route, found.prior, found.rule) == ("exact", "paired flat", "paired with always answering '0'")
    assert found.probability == pytest.approx(np.mean(pooled[:, 1] > pooled[:, 2]), abs=0.003)
    assert found.probability == pytest.approx(beta.cdf(0.5, lost + 0.5, gained + 0.5), abs=1e-12)


def test_it_is_the_paired_comparison_with_that_classifier() -> None:
    truth = [0] * 30 + [1] * 12
    ours = [0] * 26 + [1] * 4 + [1] * 7 + [0] * 5
    both = hs.Predictions(truth, {"ours": ours, "always": [0] * 42})
    joint = PairedPosterior(both)
    paired = joint["ours"].of("accuracy") - joint["always"].of("accuracy")
    assert paired.prior == said(joint["ours"], "accuracy").prior == "paired flat"
    assert said(joint["ours"], "accuracy").probability == pytest.approx(paired.prob(above=0), abs=1e-9)
    assert said(joint["ours"], "balanced_accuracy").prior == "paired flat"


def test_all_that_is_held_against_the_largest_class_says_the_same() -> None:
    for counts in (THREE, [[9, 3], [4, 20]]):
        post = made(counts)
        for move in (post, post.at_prevalence([1 / len(counts)] * len(counts))):
            first, *others = (
                said(move, name) for name in ("accuracy", "error_rate", "weighted_recall", "recall@micro", "f1@micro")
            )
            assert {(x.probability, x.rule) for x in others} == {(first.probability, first.rule)}
            assert others[0].value == pytest.approx(1 - first.value)


def test_of_classes_of_one_size_the_hardest_to_beat_counts() -> None:
    counts = np.array([[9, 1, 0], [2, 5, 3], [1, 2, 3]])
    found = said(made(counts), "accuracy")
    each = [betainc(10 - counts[m, m] + 0.5, 17 - counts[m, m] + 0.5, 0.5) for m in (0, 1)]
    assert found.probability == min(each)
    assert found.rule == "paired with always answering '1', the hardest to beat of 2 classes of that size"
    order = [2, 1, 0]
    assert said(made(counts[order][:, order]), "accuracy").probability == found.probability


def test_always_answering_the_largest_class_is_as_good_as_itself() -> None:
    for counts in ([[8, 0], [2, 0]], [[8, 0, 0], [2, 0, 0], [3, 0, 0]], [[5, 0], [0, 0]]):
        assert said(made(counts), "accuracy").probability == pytest.approx(0.5)


# -- other prevalences, odd tables -----------------------------------------------------------------------------------


@pytest.mark.parametrize("counts", [THREE, [[9, 3], [4, 20]]])
def test_at_a_stated_prevalence_the_recalls_are_weighted_by_it(counts: list[list[int]]) -> None:
    size, table = len(counts), np.array(counts)
    shares = np.linspace(1, 2, size) / np.linspace(1, 2, size).sum()
    found = said(made(counts).at_prevalence(shares), "accuracy")
    right, sizes = table.diagonal(), table.sum(axis=1)
    recalls = np.random.default_rng(7).beta(right + 1 / size, sizes - right + 1 - 1 / size, (200_000, size))
    assert found.probability == pytest.approx(np.mean(recalls @ shares > shares.max()), abs=0.004)
    assert (found.value, found.prior, found.route) == (shares.max(), "perks", "exact")
    assert found.rule == f"against always answering '{size - 1}' at that prevalence, under a prior that expects chance"


def test_of_a_prevalence_of_other_cases_the_largest_share_is_uncertain_too() -> None:
    cases, counts = [30, 25, 20], np.array(THREE)
    found = said(made(counts).at_prevalence(cases=cases), "accuracy")
    rng = np.random.default_rng(8)
    right, sizes = counts.diagonal(), counts.sum(axis=1)
    recalls = rng.beta(right + 1 / 3, sizes - right + 2 / 3, (200_000, 3))
    shares = rng.dirichlet(np.array(cases) + 1 / 3, 200_000)
    expected = np.mean((recalls * shares).sum(axis=1) > shares.max(axis=1))
    assert (found.route, found.draws) == ("drawn", 20_000)
    assert found.probability == pytest.approx(expected, abs=0.015)


UNTESTED, ONE_CLASS = [[50, 3, 2], [0, 0, 0], [4, 1, 30]], [[50, 3, 2], [0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("counts", [UNTESTED, ONE_CLASS, [[1000000, 10, 3], [1, 0, 0], [0, 0, 1]]])
def test_odd_tables_have_a_probability(counts: list[list[int]]) -> None:
    for metric in ("accuracy", "balanced_accuracy", "mcc", "kappa", "informedness@macro", "markedness@0"):
        if counts is ONE_CLASS and metric == "informedness@macro":  # at the shares of the test set nothing else came
            with pytest.raises(NoInformation, match="undefined"):
                said(made(counts), metric, 2000)
            continue
        assert 0 <= said(made(counts), metric, 2000).probability <= 1


def test_a_thousand_classes() -> None:
    counts = np.eye(1000, dtype=int) * 3
    counts[:, 0] += 2
    for metric in ("accuracy", "balanced_accuracy", "mcc"):
        assert said(made(counts), metric, 100).probability > 0.98


def test_what_is_told_of_skill_is_under_the_same_rule() -> None:
    post = made(ONES)
    known = post.informative(0.05)
    assert (known.prior, known.chance_prior) == (post.prior.name, "perks")
    assert known.informative + known.chance + known.deceptive == pytest.approx(1, abs=1e-8)
    assert post.informative().informative == said(post, "balanced_accuracy").probability
    assert "under a prior that expects chance (perks)." in str(known)
    assert known.to_dict()["chance_prior"] == "perks"


# -- guessers -------------------------------------------------------------------------------------------------------

METRICS = ("balanced_accuracy", "mcc", "kappa", "accuracy")
UNLIKE = 4


def sizes_of(size: int, mean: int, unlike: bool) -> np.ndarray:
    """Cases of each class: alike, or the first fifth of the classes ``UNLIKE`` times the others."""
    sizes = np.full(size, mean)
    if unlike:
        sizes[: max(1, size // 5)] *= UNLIKE
    return sizes


def guessers(sizes: np.ndarray) -> dict[str, np.ndarray]:
    """How often each answer is given, whatever the case."""
    size = len(sizes)
    likes = np.full(size, 0.4 / (size - 1))
    likes[0] = 0.6
    return {"uniform": np.full(size, 1 / size), "likes the first": likes, "majority": np.eye(size)[0],
            "proportional": sizes / sizes.sum()}  # fmt: skip


def alarms(size: int, mean: int, unlike: bool, runs: int, draws: int, seed: int) -> dict[str, dict[str, float]]:
    """Share of the test sets of each guesser in which each metric is better than chance with probability .95."""
    rng, sizes = np.random.default_rng([seed, size, mean, unlike]), sizes_of(size, mean, unlike)
    found = {}
    for name, answers in guessers(sizes).items():
        many = 1 if name == "majority" else runs  # whose test sets are all alike
        tables = [np.array([rng.multinomial(n, answers) for n in sizes]) for _ in range(many)]
        passed = {m: [said(made(table, "flat"), m, draws).probability >= 0.95 for table in tables] for m in METRICS}
        found[name] = {m: float(np.mean(each)) for m, each in passed.items()}
    return found


@pytest.mark.parametrize("unlike", [False, True])
def test_guessers_seldom_pass_for_skilled(unlike: bool) -> None:
    for name, shares in alarms(9, 5, unlike, 40, 400, 11).items():
        assert max(shares.values()) <= (0 if name == "majority" else 0.175), (name, shares)  # 7 of 40 at 5 %: 1 in 500


@pytest.mark.deep
@pytest.mark.parametrize("unlike", [False, True])
@pytest.mark.parametrize("mean", [5, 20, 100])
@pytest.mark.parametrize("size", [2, 3, 5, 9, 30])
def test_guessers_pass_for_skilled_as_often_as_they_may(size: int, mean: int, unlike: bool) -> None:
    runs = 40 if size == 30 else 100
    for name, shares in alarms(size, mean, unlike, runs, 400, 12).items():
        most = 0.08 + 2.6 * np.sqrt(0.08 * 0.92 / runs)
        assert max(shares.values()) <= (0 if name == "majority" else most), (name, shares)
        assert shares["mcc"] == shares["kappa"] or size == 2


def test_the_members_of_a_pair_are_asked_by_the_same_rule() -> None:
    truth = [0] * 6 + [1] * 6 + [2] * 6
    both = hs.Predictions(truth, {"a": [*truth[1:], 0], "b": [0] * 18})
    for name in "ab":
        member = knowledge_of(PairedPosterior(both)[name])
        alone = knowledge_of(hs.infer(both.confusion(name), "flat"))
        for metric in METRICS:
            measure = parse(metric, member.labels)
            assert isinstance(alone, TableKnowledge)
            assert better_than_chance(member, measure) == better_than_chance(alone, measure)


CLEAR = [[300, 8, 4], [9, 250, 6], [3, 5, 280]]


@pytest.mark.parametrize("metric", ["mcc", "kappa"])
def test_a_clear_case_is_counted_from_its_first_draws(metric: str) -> None:
    known = knowledge_of(made(CLEAR))
    measure, usual = parse(metric, known.labels), known.usual_draws
    found = said(made(CLEAR), metric)
    assert (found.draws, found.probability) == (FIRST, 1 - 1 / FIRST)
    every = judge_of(known, measure).drawn([measure], usual, 0, 0)[0]
    assert np.all(every > 0)
    assert said(made(CLEAR), metric, usual + 1).draws == usual + 1
    assert said(made(CLEAR), metric, 500).draws == 500


@pytest.mark.parametrize("metric", ["mcc", "kappa"])
def test_a_case_that_is_not_clear_is_counted_from_all_draws(metric: str) -> None:
    known = knowledge_of(made(THREE))
    measure, usual = parse(metric, known.labels), known.usual_draws
    found = said(made(THREE), metric)
    every = judge_of(known, measure).drawn([measure], usual, 0, 0)[0]
    assert found.draws == usual > FIRST
    assert found.probability == pytest.approx(np.mean(every > 0), abs=1 / usual)


def test_all_measures_of_a_report_share_their_first_draws() -> None:
    alone, together = (knowledge_of(made(CLEAR)) for _ in range(2))
    measures = [parse(name, alone.labels) for name in ("mcc", "kappa")]
    prepare_chance(together, measures)
    assert [better_than_chance(together, m) for m in measures] == [better_than_chance(alone, m) for m in measures]


def test_of_large_tables_a_far_away_law_is_bounded_by_its_distance() -> None:
    """Against the 3,000 draws that it stands for: as sure, and called a bound, not a count."""
    post = made(np.full((40, 40), 2) + np.diag(np.arange(40, 80)))
    measure = parse("kappa", post.labels)
    judge = judge_of(knowledge_of(post), measure)
    found = said(post, "kappa")
    assert judge.numbers_per_draw > DEAR
    assert (found.draws, found.probability) == (None, 1 - 1 / (1 + SURE**2))
    few, many = (judge.drawn([measure], n, 0, 0)[0] for n in (FEWEST, FIRST))
    assert found.value == 0 < many.min()
    assert few.mean() > SURE * few.std()
    assert many.mean() > 0.8 * SURE * many.std()
    assert few.mean() == pytest.approx(many.mean(), abs=4 * many.std() / FEWEST**0.5)


def test_of_large_tables_a_law_less_far_away_is_counted() -> None:
    found = said(made(np.ones((40, 40), int) + np.diag([20] * 40)), "kappa")
    assert (found.draws, found.probability) == (FIRST, 1 - 1 / FIRST)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_from_three_classes_on_the_judge_expects_chance(size: int) -> None:
    known = knowledge_of(hs.infer(hs.ConfusionMatrix(np.eye(size, dtype=int) * 5 + 2), "flat"))
    made = better_than_chance(known, parse("balanced_accuracy", known.labels))
    assert made is not None
    assert (made.prior, made.expects_chance) == (("flat", False) if size == 2 else ("perks", True))
