"""How sure are the ranks? Of contenders of any kind of knowledge, and of classifiers by their tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from howsure.answers.asking import Asking, picked, spelled
from howsure.data.judged_answers import JudgedAnswers
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import items, number, sentences
from howsure.knowledge.judged import Judged
from howsure.knowledge.protocol import Ask, Knowledge, Measured, Of
from howsure.knowledge.scored import Scored, are_scores
from howsure.laws import Beta, Interval, Law
from howsure.metrics import Measure, Metric
from howsure.numerics.arrays import Floats
from howsure.numerics.populations import ranks as rank_laws
from howsure.numerics.populations.ranks import Ranks, contenders
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import (
    PairedMember,
    PairedPosterior,
    asked_or_usual,
    at_pooled_shares,
    only_right_or_wrong,
    prior_names,
    separate,
    under_one_default,
)
from howsure.posterior.score_measures import refuse_without_scores
from howsure.progress import along
from howsure.questions.compare import Contending, Inferring, are_known, board_of, refuse_inferred
from howsure.questions.contest import (
    Contest,
    Entrants,
    Ranked,
    apart,
    checked_new_test,
    monte_carlo_error,
    paired_contest,
    replayed,
    separate_contest,
)
from howsure.questions.gate_rule import OneSet, cases_to_settle
from howsure.questions.groups import checked_questions, ranked_groups
from howsure.questions.learned_entries import EntryModel, checked_entries, learned_contest, learned_jointly
from howsure.questions.ranking import Entry, Ranking, Shrunken
from howsure.text.formats import integer, plain

#: Numbers that the draws of joint errors may hold.
MOST_DRAWN = 2_000_000

#: Of two entries the probability that one is better says the same.
FEWEST = 3


class Leaderboard(NamedTuple):
    """Entries in the order given, what is known of each, and who is above whom."""

    names: Sequence[str]
    sizes: Sequence[int | None]
    observed: Sequence[float | None]
    #: Of each judged alone.
    laws: Sequence[Law]
    contest: Contest
    measure: Measured
    prior: str
    paired: bool
    #: What the probability of being better has to exceed to count as a win.
    even: float
    #: Places of those that may be the best, whatever the true scores.
    stay: NDArray[np.intp]
    #: What is said of them before and after the caller's notes.
    before: Sequence[str]
    #: From cases of a new test, draws and seed to P(entry i has rank r on it).
    replayed: Callable[[int, int, int], Floats]
    after: Sequence[str] = ()
    unit: str = "case"
    win_rates: Sequence[float | None] | None = None
    members: Sequence[Ranked] = ()

    def ranking(
        self, ask: Ask, top: int, prizes: Sequence[float], new_test: int | None, notes: Sequence[str],
        *, simultaneous: bool = False,
    ) -> Ranking:  # fmt: skip
        """The entries, best first; equal expected ranks stay in the order of the means, then in the order given."""
        contest, learned, better, count = self.contest, self.contest.learned, self.measure.better, len(self.names)
        laws = self.laws if learned is None else learned.laws
        means = np.array([law.mean for law in laws])
        signed = np.round(-means if better == "higher" else means, 12)
        order = np.lexsort((np.arange(count), signed, np.round(contest.ranks.expected, 9)))
        ranks = contest.ranks.ordered(order)
        spans = ranks.interval(ask.level)
        if simultaneous and contest.values is not None:
            values = contest.values if better == "higher" else -contest.values
            spans = rank_laws.simultaneous_intervals(values[order], ask.level)
        best, within, top = ranks.top(1), ranks.top(min(top, count)), min(top, count)
        tiers, wins = ranks.tiers(ask.level), ranks.wins(self.even)
        prized = ranks.reward(prizes) if prizes else None
        rows, memory = [], dict[object, Interval]()
        for i, at in enumerate(order.tolist()):
            ends = _interval(laws[at], ask, memory)
            rows.append(Entry(
                name=self.names[at], n=self.sizes[at], observed=self.observed[at], mean=float(means[at]), low=ends.low,
                high=ends.high, interval=ends.kind, p_best=float(best[i]), p_top=float(within[i]),
                expected_rank=float(ranks.expected[i]), rank_interval=(int(spans[i, 0]), int(spans[i, 1])),
                tier=tiers[i], wins=int(wins[i]), expected_prize=None if prized is None else float(prized[i]),
                p_best_alone=None if learned is None else float(learned.p_best_alone[at]),
                win_rate=None if self.win_rates is None else self.win_rates[at],
            ))  # fmt: skip
        again = None if new_test is None else self.replayed(new_test, ask.draws, ask.seed)[order]
        names, members = [row.name for row in rows], [self.members[i] for i in order.tolist() if self.members]
        in_groups = ranked_groups(names, members, paired=self.paired)
        said = [*(() if in_groups is None else in_groups.sentences), *self.before, *notes, *self.after, *contest.notes]
        if (left := len(prizes) - count) > 0:
            said.append(f"The last {left} of {len(prizes)} prizes go to nobody: there are {count} entries.")
        return Ranking(
            metric=self.measure.called, better=better, entries=tuple(rows), ranks=ranks, prior=self.prior,
            paired=self.paired, ask=ask, route=contest.route, top=top, prizes=tuple(prizes),
            winner=self._winner(rows[0], order, ask.level), new_test=new_test, again=again,
            notes=tuple(dict.fromkeys(said)), error=contest.error,
            population=None if learned is None else learned.population,
            contenders=tuple(self.names[i] for i in order.tolist() if i in self.stay), groups=in_groups,
            unit=self.unit, simultaneous=simultaneous,
        )  # fmt: skip

    def _winner(self, first: Entry, order: NDArray[np.intp], level: float) -> Shrunken | None:
        """The first one's estimate, drawn back; None where no prior and no population could."""
        means, sds = (np.array([getattr(self.laws[i], part) for i in order.tolist()]) for part in ("mean", "sd"))
        if self.contest.learned is not None:
            return Shrunken(first.name, float(means[0]), first.mean, first.low, first.high)
        if self.contest.noise is not None:
            # distances from the mean of all have the variance of one entry times (1 - 1/T)
            sds = self.contest.noise[order] / np.sqrt(1 - 1 / len(means))
        known = np.isfinite(means).all() and np.isfinite(sds).all()  # the mean of a likelihood ratio may be infinite
        found = rank_laws.shrunken(means, sds) if known and self.prior else None
        if found is None:
            return None
        # what tells entries not apart adds to the width
        reach = float(ndtri((1 + level) / 2)) * float(np.hypot(found[1][0], self.contest.common))
        centre = float(found[0][0])
        return Shrunken(first.name, float(means[0]), centre, centre - reach, centre + reach)


def _interval(law: Law, ask: Ask, memory: dict[object, Interval]) -> Interval:
    """Interval of a law; a long board has many equal rates, whose interval is found once."""
    key = (law.a, law.b) if isinstance(law, Beta) else id(law)
    if key not in memory:
        memory[key] = law.interval(ask.level, ask.kind)
    return memory[key]


def possible_best(
    better: str, laws: Sequence[Law], ask: Ask, values: Floats | None, alike: Sequence[Hashable]
) -> NDArray[np.intp]:
    """Places of the contenders among three entries or more, none where a score has no mean and variance.

    Scores are the entries' own means; their errors are independent on separate test sets, and on the same cases
    those of the joint draws. It asks no population, so a board that none calibrates (all equal, a pile-up at the top)
    has them too.
    """
    means, sds = (np.array([getattr(law, part) for law in laws]) for part in ("mean", "sd"))
    if len(means) < FEWEST or not (np.isfinite(means).all() and np.isfinite(sds).all()):
        return np.zeros(0, dtype=np.intp)
    covariance = sds**2
    if values is not None:
        covariance = np.cov(values[:, np.isfinite(values).all(0)])
        # entries that answered alike are one column; their draws of what was not seen differ
        place = {key: i for i, key in reversed(list(enumerate(alike)))}
        first = [place[key] for key in alike]
        covariance, means = covariance[np.ix_(first, first)], means[first]
    sign = 1.0 if better == "higher" else -1.0
    return contenders(sign * means, covariance, ask.level, min(ask.draws, MOST_DRAWN // len(means)), ask.seed)


def rank_known(
    known: Knowledge,
    metric: str | None = None,
    *,
    prizes: Sequence[float] = (),
    top: int = 3,
    new_test: int | None = None,
    simultaneous: bool = False,
    ask: Ask | None = None,
    notes: Sequence[str] = (),
) -> Ranking:
    """Rank contenders by a metric, best first, and say how sure each rank is, whatever the kind of data.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> bonus = {"a": 1.0, "b": 0.5, "c": 0.0}
    >>> item, system, score = zip(*((i, name, i * 7% 5 + more) for name, more in bonus.items() for i in range(30)))
    >>> [entry.name for entry in rank_known(Items.from_columns(item, score, system=system)).entries]
    ['a', 'b', 'c']
    """
    measure, names = known.metric(metric), known.names
    ask = known.asking(measure, ask or known.ask())
    if len(names) < 2:
        raise InvalidArgument("contenders are ranked, two or more, and there is one")
    if measure.better == "neither":
        raise InvalidArgument(f"{measure.name} is neither better high nor low, so nobody is first")
    asked = [Of(measure.name, name) for name in names]
    values, up = known.joint(asked, ask), measure.better == "higher"
    above = rank_laws.drawn_exceedance(values if up else -values)
    ranks = Ranks.of(rank_laws.drawn_ranks(values if up else -values), above, expected=0.5 + above.sum(0))
    laws = [known.law(of, ask) for of in asked]
    noise, common = apart(values) if known.paired else (None, 0.0)
    joint, keys = values if known.paired else None, range(len(names))

    def replayed(n: int, draws: int, seed: int) -> Floats:
        shown = known.future(asked, n, draws, np.random.default_rng([seed, 0xA6])).T
        return rank_laws.drawn_ranks(shown if up else -shown)

    made = Leaderboard(
        names, [known.size(name) for name in names], [known.observed(of) for of in asked], laws,
        Contest(ranks, "simulated", noise, common, error=monte_carlo_error(ask.draws), values=values),
        measure, known.prior, known.paired, even=0.5 + 1 / ask.draws**0.5,
        stay=possible_best(measure.better, laws, ask, joint, keys) if known.prior else np.zeros(0, dtype=np.intp),
        before=[*([] if known.prior else [known.about]), *known.notes], replayed=replayed, unit=known.unit,
        win_rates=[known.win_rate(name, ask) for name in names],
    ).ranking(ask, top, prizes, new_test, sentences(notes), simultaneous=simultaneous)  # fmt: skip
    one, other = (entry.name for entry in made.entries[:2])
    lead = values[known.place(one)] - values[known.place(other)]
    settling = [
        *known.leading(Of(measure.name, one) - Of(measure.name, other), ask),
        *_settling(known, lead if up else -lead, (one, other), ask.level),
    ]
    return replace(made, notes=tuple(dict.fromkeys([*made.notes, *settling])))


def _settling(known: Knowledge, lead: Floats, first: Sequence[str], level: float) -> list[str]:
    """How many more contests part the first two, where each is between two contenders."""
    if not known.contests or (lead > 0).mean() >= level:
        return []
    a, b = (plain(name, 40) for name in first)
    total = sum(map(known.size, known.names)) // 2
    more = cases_to_settle(float(lead.mean()), [OneSet(total, float(lead.std()), 0.0)], level)
    if more is None:
        return [f"{a} and {b} are too close for more {known.unit}s to part them."]
    return [f"If they stay as far apart, about {integer(more)} more {known.unit}s like these part {a} and {b}."]


@spelled(Contending)
def rank(
    classifiers: Mapping[str, Ranked] | Mapping[str, Scores] | Scores | Predictions | JudgedAnswers | Knowledge,
    *,
    metric: str | None = None,
    entries: EntryModel | None = None,
    prizes: Sequence[float] = (),
    top: int = 3,
    new_test: int | None = None,
    notes: Sequence[str] = (),
    **how: Unpack[Contending],
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
        Of predictions with groups: about a new case from a new group, or about new cases of the same groups. Left out:
        "new" from         8 groups on, else "these". Posteriors have their question.
    prizes : sequence of float, optional
        Prize of rank 1, 2, ...; ranks beyond them earn nothing.
    top : int
        ``k`` of P(among the best k).
    new_test : int, optional
        Cases of a new test set, to say how the board would shake up; of paired classifiers by accuracy only.
    level, kind
        Of the intervals of the metric and of the ranks, and the certainty that parts two tiers.
    draws, seed : int
        For metrics without a closed form.
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
    groups they are counted over the bootstrap of `howsure.posterior.paired_rows.PairedGroups`. Tiers:
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
    inferring = picked(how, Inferring)
    if are_known(classifiers) or are_scores(classifiers) or isinstance(classifiers, JudgedAnswers):
        board: Knowledge = Scored(classifiers) if are_scores(classifiers) else board_of(classifiers)
        board = Judged(classifiers) if isinstance(classifiers, JudgedAnswers) else board
        others = {"entries": entries, **inferring}
        board.refuse_options({**others, "new_test": new_test} if isinstance(board, Judged) else others)
        return rank_known(
            board, metric, prizes=_checked_prizes(prizes), top=_checked_top(top),
            new_test=None if new_test is None else checked_new_test(new_test),
            ask=board.ask(**picked(how, Asking)), notes=notes,
        )  # fmt: skip
    ask = Ask.of(how)
    prizes, top, notes = _checked_prizes(prizes), _checked_top(top), sentences(notes)
    refuse_without_scores(metric)
    given: Any = classifiers  # `contested` says what it cannot take
    return contested(given, metric, entries, inferring, ask).ranking(ask, top, prizes, new_test, notes)


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
        raise InvalidArgument(f"top is an integer number of ranks, 1 or more; not {excerpt(top)}")
    return int(top)


# -- Entries of a ranking: classifiers whose cases all have a truth ----------------------------------------------------


#: What is said where nobody named a metric and all classes are known.
BY_DEFAULT = (
    "ranked by balanced accuracy, the mean recall of the classes, because no metric was named and no class should "
    "count more for being frequent; metric accuracy ranks by the share of right answers."
)


def contested(
    classifiers: Mapping[str, Ranked] | Predictions,
    metric: str | None,
    entries: EntryModel | None,
    inferring: dict[str, Any],
    ask: Ask,
) -> Leaderboard:
    """Classifiers of which every case has a truth."""
    draws, seed = ask.draws, ask.seed
    names, members, joint = _entrants(classifiers, inferring)
    checked_questions(names, members)
    members = under_one_default(members)
    priors = prior_names(members)
    if len(priors) > 1:
        problem = f"one ranking uses one prior; these have {listing(priors)}"
        raise InvalidArgument(f"{problem}. Name one for all of them: prior='flat'.")
    notes: tuple[str, ...] = ()
    if metric is None:
        whole = all(hasattr(member, "confusion") and not only_right_or_wrong(member) for member in members)
        asked: str | Metric | Measure = "balanced_accuracy" if whole else "accuracy"
        notes = (BY_DEFAULT,) if whole else ()
    else:
        asked = asked_or_usual(metric, members)
    if isinstance(asked, Metric):
        asked = asked.name
    known = [knowledge_of(member).of(asked, draws=draws, seed=seed) for member in along(members, len(members))]
    entrants = Entrants(names, members, known, joint)
    measure = entrants.measure
    if measure.metric.better == "neither":
        raise InvalidArgument(f"{measure.name} has no better or worse, so it ranks nothing")
    named = (each.name for each in map(measure_of, known) if each is not None)
    other = next((name for name in named if name != measure.name), None)
    if other is not None:
        raise InvalidArgument(
            f"the metric is {measure.name} of one and {other} of another, because their positive classes differ; "
            f"name the class, {measure.name}"
        )
    if joint is None:
        members, pooled = at_pooled_shares(members, measure)
        if pooled:
            known, notes = [knowledge_of(x).of(measure, draws=draws, seed=seed) for x in members], (*notes, *pooled)
            entrants = Entrants(names, members, known, None)
    wanted = checked_entries(entries, len(names))
    contest = learned_contest(entrants) if wanted and joint is None else None
    if contest is None:
        contest = (separate_contest if joint is None else paired_contest)(entrants, draws, seed)
    laws, better = [x.law for x in known], measure.metric.better
    stay = possible_best(better, laws, ask, None if contest.noise is None else contest.values, contest.alike)
    if wanted and contest.learned is None:
        found = learned_jointly(entrants, contest, draws, seed)
        if not isinstance(found, str):
            contest = found
        elif entries == "learned":
            raise InvalidArgument(f"{found}. Leave entries='learned' out, or say entries='independent'.")
        else:
            notes = (*notes, f"{found}; each is judged alone.")
    # of draws, half is what two standard errors do not tell from half
    learned, drawn = contest.learned, contest.learned is not None and contest.route == "simulated"
    return Leaderboard(
        names, [_cases(member) for member in members], [x.observed for x in known], laws, contest,
        Measured(measure.name, measure.name, better, measure.metric.range), priors[0], joint is not None,
        even=0.5 + 1 / np.sqrt(draws) if drawn else 0.5, stay=stay, members=members,
        before=() if joint is None else joint.predictions.notes, after=notes,
        replayed=partial(replayed, entrants) if learned is None else learned.replayed,
    )  # fmt: skip


def _entrants(
    classifiers: Mapping[str, Ranked] | Predictions, inferring: dict[str, Any]
) -> tuple[list[str], list[Ranked], PairedPosterior | None]:
    """Names, posteriors, and what pairs them if they answered the same cases."""
    if isinstance(classifiers, Predictions):
        if len(classifiers.names) < 2:
            raise InvalidArgument("rank() takes predictions of two classifiers or more; these have one")
        joint = PairedPosterior(classifiers, **inferring)
        return list(joint.names), [joint[name] for name in joint.names], joint
    refuse_inferred("rank", **inferring)
    if not isinstance(classifiers, Mapping) or len(classifiers) < 2:
        raise InvalidArgument(
            "rank() takes predictions, or a mapping of at least two names to posteriors, such as {'a': ..., 'b': ...}"
        )
    odd = [x for x in classifiers.values() if not isinstance(x, Ranked)]
    if odd:
        raise InvalidArgument(f"rank() takes posteriors, not {type(odd[0]).__name__}; make one with infer(matrix)")
    names, members = [str(name) for name in classifiers], list(classifiers.values())
    if any(not name.strip() for name in names) or len(set(names)) < len(names):
        raise InvalidArgument(f"classifiers have names, each its own; not {listing(map(excerpt, names))}")
    paired = [knowledge_of(x) for x in members if isinstance(x, PairedMember)]
    places, joints = [x.name for x in paired], {id(x.joint): x.joint for x in paired}
    if len(places) == len(set(places)) == len(members) and len(joints) == 1:
        whole = next(iter(joints.values()))
        joint = whole.of_these(places)
        return names, [joint[place] for place in places], joint
    return names, [separate(x) if isinstance(x, PairedMember) else x for x in members], None
