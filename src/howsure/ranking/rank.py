"""How sure are the ranks? Rank probabilities of any number of classifiers, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from howsure.data.groups import Question
from howsure.data.judged_answers import JudgedAnswers
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import items, number, sentences
from howsure.knowledge.protocol import Knowledge
from howsure.laws import Beta, Interval, Kind, Law
from howsure.laws.draw_settings import DRAWS, SEED, checked_draws, checked_seed
from howsure.laws.law import KIND, LEVEL, checked_kind, checked_level
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.ranks import rank_matrix, shrinkage
from howsure.posterior.distribution import Distribution, measure_of
from howsure.posterior.means_over_classes import Shares
from howsure.posterior.priors import Prior
from howsure.posterior.score_measures import refuse_without_scores
from howsure.questions.contenders import are_known, board_of, refuse_beside
from howsure.questions.entries import Entry, Shrunken, ranked_groups
from howsure.questions.rank import rank as rank_known
from howsure.questions.rank import tiers as tiers_of
from howsure.questions.ranking import Ranking
from howsure.ranking.contest import Contest, Ranked, checked_new_test, replayed
from howsure.ranking.entrants import are_scores, contested, judged_entries, scored_entries
from howsure.ranking.learned_entries import EntryModel

__all__ = ["rank"]


def rank(
    classifiers: Mapping[str, Ranked] | Mapping[str, Scores] | Scores | Predictions | JudgedAnswers | Knowledge,
    *,
    metric: str | None = None,
    entries: EntryModel | None = None,
    prior: str | Prior | None = None,
    shares: Shares | None = None,
    groups: Question | None = None,
    prizes: Sequence[float] = (),
    top: int = 3,
    new_test: int | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
    notes: Sequence[str] = (),
) -> Ranking:
    """Rank classifiers by a metric, best first, and say how sure each rank is.

    Parameters
    ----------
    classifiers : Predictions, JudgedAnswers, Scores, Items, or mapping of name to posterior, Scores or Items
        Of `Predictions` and `Scores` all classifiers, paired, because they answered the same cases. Posteriors of
        `infer` or `Posterior.from_accuracy` are taken as separate test sets. All under one prior. Judged models are
        ranked by their share of right answers, each by its own labels; two of them as a pair.
    metric : str, optional
        Any metric; of scores a number of all thresholds (``roc_auc``). Its direction is respected, so that the lowest
        error rate is rank 1. Balanced accuracy if left out, with a note that says so, or accuracy where only the right
        answers are known; of judged models the share of right answers, and no other.
    entries : str, optional
        "learned": the entries are a sample from a population that is learned from the board, so that P(best) is not
        too sure where they are close; from three entries on, and then the default. "independent": each is judged
        alone.
    prior : str or Prior, optional
        Prior of a classifier. Of predictions; if left out, "calibrated" for one or two classes and "learned" for more.
        Posteriors have theirs.
    shares : str, optional
        Of predictions, as in `howsure.infer`. Separate test sets that would each be asked about their own class shares
        are asked about those of all together.
    groups : "new" or "these", optional
        Of predictions with groups: about a new case from a new group, or about these groups again. Left out: "new" from
        8 groups on, else "these". Posteriors have their question.
    prizes : sequence of float, optional
        Prize of rank 1, 2, ...; ranks beyond them earn nothing.
    top : int
        ``k`` of P(among the best k).
    new_test : int, optional
        Cases of a new test set, to say how the board would shake up; of paired classifiers by accuracy only.
    level, kind
        Of the intervals of the metric and of the ranks, and the certainty that parts two tiers.
    draws, seed : int
        For metrics without a closed law.
    notes : sequence of str
        Further sentences that the answer carries, such as how a file was read.

    Returns
    -------
    Ranking
        ``entries`` in order of expected rank, ``probabilities`` (entry by rank, rows and columns add to 1).

    Raises
    ------
    InvalidArgument
        Fewer than two classifiers, or priors that differ.
    NoInformation
        The counts and the prior say nothing about the metric, as of new groups where there are fewer than five.

    Notes
    -----
    Separate test sets judged alone are exact where every law is: the recursion of Barlow and Heidtmann 1984 over the
    number of others above x. On the same cases the ranks are counted over joint draws of the model of
    `howsure.posterior.paired.PairedPosterior`; two classifiers by a metric of right and wrong are exact. About new
    groups they are counted over the bootstrap of `howsure.posterior.paired_groups.PairedGroups`. Tiers:
    from the top, an entry opens a new tier when the first of the tier is better with probability ``level`` or more.
    Learned entries are independent given a population of two parts, whose parameters are integrated over (Laird and
    Louis 1989, with the hierarchy of Gelman et al., Bayesian Data Analysis, chapter 5); the law is "approximate", good
    to 0.005, and the prior of a classifier is taken out. Of the same cases, and by metrics between two ends that are no
    single rate, joint draws are moved to the population on a working scale, good to about 0.02; a metric without two
    ends is judged alone. Contenders: Hsu 1984. Judged alone, the first is drawn back by empirical Bayes
    (Efron and Morris 1975). Wins: Carrillo et al. 2013, section 4.5.

    Examples
    --------
    >>> import howsure as hs
    >>> right = {"a": 430, "b": 423, "c": 390}
    >>> board = {name: hs.Posterior.from_accuracy(correct=k, n=500) for name, k in right.items()}
    >>> made = hs.rank(board, prizes=[100])
    >>> [(x.name, round(x.p_best, 3), x.rank_interval, x.tier) for x in made.entries]
    [('a', 0.684, (1, 2), 1), ('b', 0.314, (1, 2), 1), ('c', 0.002, (3, 3), 2)]
    >>> [round(x.p_best, 3) for x in hs.rank(board, entries="independent").entries]
    [0.734, 0.266, 0.0]
    """
    if are_known(classifiers):
        known_board: Knowledge = board_of(classifiers)
        others = {"entries": entries, "prior": prior, "shares": shares, "groups": groups}
        refuse_beside(known_board, others)
        return rank_known(
            known_board, metric, prizes=_checked_prizes(prizes), top=_checked_top(top),
            new_test=None if new_test is None else checked_new_test(new_test),
            ask=known_board.ask(level, kind, draws, seed), notes=notes,
        )  # fmt: skip
    level, draws, seed = checked_level(level), checked_draws(draws), checked_seed(seed)
    prizes, top, kind, notes = _checked_prizes(prizes), _checked_top(top), checked_kind(kind), sentences(notes)
    asked = metric, entries, prior, shares, level, draws, seed
    if not are_scores(classifiers):
        refuse_without_scores(metric)
    board = (
        scored_entries(
            classifiers,
            metric,
            draws,
            seed,
            notes=notes,
            refused={
                "entries": entries,
                "prior": prior,
                "shares": shares,
                "groups": groups,
                "new_test": new_test,
            },
        )
        if are_scores(classifiers)
        else judged_entries(classifiers, *asked, groups=groups, new_test=new_test, notes=notes)
        if isinstance(classifiers, JudgedAnswers)
        else contested(_tables(classifiers), *asked, groups=groups, notes=notes)
    )
    names, members, known, joint, contest, learned, stay, used, paired, notes = board
    measure = _measure(known)
    if are_scores(classifiers) and contest.values is not None:
        draws = contest.values.shape[1]  # many cases take fewer
    laws = [x.law for x in known] if learned is None else learned.laws
    means = np.array([law.mean for law in laws])
    # equal expected ranks stay in the order of the means, then in the order given
    signed = -means if measure.metric.better == "higher" else means
    order = np.lexsort((np.arange(len(names)), np.round(signed, 12), np.round(contest.expected, 9)))
    matrix, above = contest.matrix[order], contest.above[np.ix_(order, order)]
    tiers = tiers_of(above, level)
    intervals = rank_matrix.rank_interval(matrix, level)
    within = rank_matrix.top_k(matrix, min(top, len(names)))
    rewards = rank_matrix.expected_reward(matrix, prizes) if prizes else None
    # of draws, half is what two standard errors do not tell from half
    even = 0.5 if learned is None or contest.route != "drawn" else 0.5 + 1 / np.sqrt(draws)
    wins = (above > even).sum(1)
    memory: dict[object, Interval] = {}
    rows = []
    for place, i in enumerate(order.tolist()):
        ends = _interval(laws[i], level, kind, memory)
        rows.append(
            Entry(
                name=names[i],
                n=_cases(members[i]),
                observed=known[i].observed,
                mean=float(means[i]),
                low=ends.low,
                high=ends.high,
                interval=ends.kind,
                p_best=float(matrix[place, 0]),
                p_top=float(within[place]),
                expected_rank=float(contest.expected[i]),
                rank_interval=(int(intervals[place, 0]), int(intervals[place, 1])),
                tier=tiers[place],
                wins=int(wins[place]),
                expected_prize=None if rewards is None else float(rewards[place]),
                p_best_alone=None if learned is None else float(learned.p_best_alone[i]),
            )
        )
    if learned is not None:
        winner: Shrunken | None = Shrunken(
            rows[0].name, float(known[order[0]].mean), rows[0].mean, rows[0].low, rows[0].high
        )
    else:
        winner = _winner(rows[0].name, order, means, np.array([x.sd for x in known]), contest, level)
    again = None
    if new_test is not None:
        again = (
            replayed(members, known, joint, new_test, draws, seed)
            if learned is None
            else learned.replayed(new_test, draws, seed)
        )[order]
    in_groups = ranked_groups([names[i] for i in order], [members[i] for i in order], paired=paired)
    return Ranking(
        metric=measure.name,
        better=measure.metric.better,
        entries=tuple(rows),
        probabilities=matrix,
        above=above,
        prior=used,
        paired=paired,
        level=level,
        kind=kind,
        route=contest.route,
        top=min(top, len(names)),
        prizes=tuple(prizes),
        winner=winner,
        new_test=new_test,
        again=again,
        draws=draws,
        seed=seed,
        notes=(
            *(() if in_groups is None else in_groups.sentences),
            *notes,
            *contest.notes,
            *_left_prizes(prizes, len(names)),
        ),
        error=contest.error,
        population=None if learned is None else learned.population,
        contenders=tuple(names[i] for i in order.tolist() if i in stay),
        groups=in_groups,
    )


def _tables(classifiers: Any) -> Mapping[str, Ranked] | Predictions:
    """What is left when scores and judged answers are taken out; `contested` says what it cannot take."""
    given: Mapping[str, Ranked] | Predictions = classifiers
    return given


def _measure(known: Sequence[Distribution]) -> Measure:
    measure = measure_of(known[0])
    assert measure is not None
    return measure


def _interval(law: Law, level: float, kind: Kind, memory: dict[object, Interval]) -> Interval:
    """Interval of a law; a long board has many equal rates, whose interval is found once."""
    key = (law.a, law.b) if isinstance(law, Beta) else id(law)
    if key not in memory:
        memory[key] = law.interval(level, kind)
    return memory[key]


def _winner(
    name: str, order: NDArray[np.intp], means: Floats, sds: Floats, contest: Contest, level: float
) -> Shrunken | None:
    """The winner's estimate, drawn back; on the same cases only what tells the entries apart is noise among them."""
    count = len(means)
    if contest.noise is not None and count > 1:
        # distances from the mean of all have the variance of one entry times (1 - 1/T)
        sds = contest.noise / np.sqrt(1 - 1 / count)
    known = np.isfinite(means).all() and np.isfinite(sds).all()  # the mean of a likelihood ratio may be infinite
    found = shrinkage.shrunken(means[order], sds[order]) if known else None
    if found is None:
        return None
    reach = float(ndtri((1 + level) / 2)) * float(np.hypot(found[1][0], contest.common))
    centre = float(found[0][0])
    return Shrunken(name, float(means[order[0]]), centre, centre - reach, centre + reach)


def _left_prizes(prizes: Sequence[float], entries: int) -> tuple[str, ...]:
    """A note on prizes that nobody can win."""
    left = len(prizes) - entries
    return (f"The last {left} of {len(prizes)} prizes go to nobody: there are {entries} entries.",) if left > 0 else ()


def _cases(member: Ranked) -> int | None:
    confusion = getattr(member, "confusion", member)
    verdicts = getattr(confusion, "verdicts", None)
    return getattr(confusion if verdicts is None else verdicts, "n", None)


def _checked_prizes(prizes: Sequence[float]) -> list[float]:
    given = [number(x) for x in items(prizes, "prizes", "a list of numbers, that of rank 1 first")]
    if not all(np.isfinite(given)) or min(given, default=0.0) < 0:
        raise InvalidArgument(f"prizes are numbers, 0 or more, that of rank 1 first; not {excerpt(prizes)}")
    return given


def _checked_top(top: int) -> int:
    if isinstance(top, bool) or not isinstance(top, int | np.integer) or top < 1:
        raise InvalidArgument(f"top is a whole number of ranks, 1 or more; not {excerpt(top)}")
    return int(top)
