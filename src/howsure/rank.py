"""How sure are the ranks? Rank probabilities of any number of classifiers, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from howsure.distribution import Distribution
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.laws import Beta, Draws, Kind, Law, rank_probabilities
from howsure.laws.law import Route, checked_level
from howsure.metrics import Measure
from howsure.numerics import pairwise, ranks, shrinkage
from howsure.numerics.rank_laws import LawEntries
from howsure.ranking import Entry, Ranking, Shrunken

__all__ = ["rank"]

Floats = NDArray[np.float64]


class Ranked(Protocol):
    """A posterior, as far as a ranking needs one."""

    @property
    def prior_name(self) -> str:
        """What outputs call the prior."""

    def quietly(self, metric: str | Measure, *, draws: int = ..., seed: int = ...) -> Distribution:
        """What is known about one metric."""

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[Floats]:
        """Joint draws of several measures."""


def rank(
    classifiers: Mapping[str, Ranked],
    *,
    metric: str | None = None,
    prizes: Sequence[float] = (),
    top: int = 3,
    new_test: int | None = None,
    level: float = 0.95,
    kind: Kind = "hdi",
    draws: int = 20_000,
    seed: int = 0,
    notes: Sequence[str] = (),
) -> Ranking:
    """Rank classifiers by a metric, best first, and say how sure each rank is.

    Parameters
    ----------
    classifiers : mapping of name to posterior
        Posteriors of `infer` or `Posterior.from_accuracy`; always taken as separate test sets. All under one prior.
    metric : str, optional
        Any metric; its direction is respected, so that the lowest error rate is rank 1. Balanced accuracy if left
        out, or accuracy where only the right answers are known.
    prizes : sequence of float, optional
        Prize of rank 1, 2, ...; ranks beyond them earn nothing.
    top : int
        ``k`` of P(among the best k).
    new_test : int, optional
        Cases of a new test set, to say how the board would shake up (accuracy only).
    level, kind
        Of the intervals of the metric and of the ranks, and the certainty that parts two tiers.
    draws, seed : int
        For metrics without a closed law.

    Returns
    -------
    Ranking
        ``entries`` in order of expected rank, ``probabilities`` (entry by rank, rows and columns add to 1).

    Raises
    ------
    InvalidArgument
        Fewer than two classifiers, or priors that differ.

    Notes
    -----
    Exact where every law is: the recursion of Barlow and Heidtmann 1984 over the number of others above x. Tiers: from
    the top, an entry opens a new tier when the first of the tier is better with probability ``level`` or more. The
    winner's curse: empirical Bayes (Efron and Morris 1975). Wins: Carrillo et al. 2013, section 3.

    Examples
    --------
    >>> import howsure as hs
    >>> right = {"a": 430, "b": 423, "c": 390}
    >>> board = {name: hs.Posterior.from_accuracy(correct=k, n=500) for name, k in right.items()}
    >>> made = hs.rank(board, prizes=[100])
    >>> [(x.name, round(x.p_best, 3), x.rank_interval, x.tier) for x in made.entries]
    [('a', 0.733, (1, 2), 1), ('b', 0.267, (1, 2), 1), ('c', 0.0, (3, 3), 2)]
    """
    level = checked_level(level)
    if not isinstance(classifiers, Mapping) or len(classifiers) < 2:
        raise InvalidArgument(
            "rank() takes a mapping of at least two names to posteriors, such as {'a': ..., 'b': ...}"
        )
    names, members = [str(name) for name in classifiers], list(classifiers.values())
    priors = list(dict.fromkeys(member.prior_name for member in members))
    if len(priors) > 1:
        raise InvalidArgument(f"one ranking uses one prior; these have {listing(priors)}. Name one for all of them.")
    if metric is None:
        metric = "balanced_accuracy" if all(hasattr(member, "confusion") for member in members) else "accuracy"
    known = [member.quietly(metric, draws=draws, seed=seed) for member in members]
    measure = known[0].measure
    assert measure is not None
    if measure.metric.better == "neither":
        raise InvalidArgument(f"{measure.name} has no better or worse, so it ranks nothing")
    upwards = measure.metric.better == "higher"
    prizes = _checked_prizes(prizes)
    laws = [x.law for x in known]
    route: Route = "drawn"
    if any(law.route == "drawn" for law in laws):
        values = np.array(
            [_values(member, x, draws, seed, i) for i, (member, x) in enumerate(zip(members, known, strict=True))]
        )
        undefined = int(np.isnan(values).sum())
        values = np.where(np.isnan(values), -np.inf, values if upwards else -values)
        matrix, above = _shared(_counted_ranks(values), pairwise.exceedance_drawn(values), members)
        notes = [*notes, f"{undefined} draws are undefined (0/0) and count as last."] if undefined else list(notes)
    else:
        matrix, above = np.maximum(rank_probabilities(laws), 0.0), _exceedance(laws)
        matrix, above = (matrix, above) if upwards else (matrix[:, ::-1], above.T)
        route = "exact" if all(law.route == "exact" for law in laws) else "approximate"
        notes = list(notes)
    expected = ranks.expected_rank(matrix)
    means = np.array([x.mean for x in known])
    # equal expected ranks stay in the order of the means, then in the order given
    order = np.lexsort((np.arange(len(names)), -means if upwards else means, np.round(expected, 9)))
    matrix, above = matrix[order], above[np.ix_(order, order)]
    tiers = _tiers(above, level)
    intervals = ranks.rank_interval(matrix, level)
    within = ranks.top_k(matrix, min(top, len(names)))
    rewards = ranks.expected_reward(matrix, prizes) if prizes else None
    wins = (above > 0.5).sum(1)
    rows = []
    for place, i in enumerate(order.tolist()):
        ends = known[i].interval(level, kind)
        rows.append(
            Entry(
                name=names[i],
                n=_cases(members[i]),
                observed=known[i].observed,
                mean=known[i].mean,
                low=ends.low,
                high=ends.high,
                interval=ends.kind,
                p_best=float(matrix[place, 0]),
                p_top=float(within[place]),
                expected_rank=float(expected[i]),
                rank_interval=(int(intervals[place, 0]), int(intervals[place, 1])),
                tier=tiers[place],
                wins=int(wins[place]),
                expected_prize=None if rewards is None else float(rewards[place]),
            )
        )
    return Ranking(
        metric=measure.name,
        better=measure.metric.better,
        entries=tuple(rows),
        probabilities=matrix,
        above=above,
        prior=priors[0],
        level=level,
        kind=kind,
        route=route,
        top=min(top, len(names)),
        prizes=tuple(prizes),
        winner=_winner(rows[0].name, means[order], np.array([known[i].sd for i in order]), level),
        new_test=new_test,
        again=None if new_test is None else _again(measure, [laws[i] for i in order], new_test, draws, seed),
        draws=draws,
        seed=seed,
        notes=tuple(notes),
    )


def _values(member: Ranked, known: Distribution, draws: int, seed: int, stream: int) -> Floats:
    """Draws of one entry; its own stream, because test sets are separate."""
    assert known.measure is not None
    if isinstance(known.law, Draws):
        return member.drawn([known.measure], draws, seed, stream)[0]
    values: Floats = known.law.sample(draws, seed=[seed, stream])
    return values


def _counted_ranks(values: Floats) -> Floats:
    """Share of draws in which entry i holds rank r; entries that tie share their ranks equally."""
    count, draws = values.shape
    matrix = np.zeros((count, count))
    for block in np.array_split(values, max(1, values.size // 2_000_000), axis=1):
        order = np.argsort(-block, axis=0, kind="stable")
        held = np.take_along_axis(block, order, axis=0)
        equal = held[1:] == held[:-1]
        columns = np.flatnonzero(equal.any(0))
        plain = np.setdiff1d(np.arange(block.shape[1]), columns)
        place = np.broadcast_to(np.arange(count)[:, None], (count, len(plain)))
        np.add.at(matrix, (order[:, plain], place), 1.0)
        for column in columns.tolist():
            starts = np.flatnonzero(np.concatenate(([True], ~equal[:, column])))
            for start, stop in zip(starts, [*starts[1:], count], strict=True):
                tied = order[start:stop, column]
                matrix[tied[:, None], np.arange(start, stop)] += 1 / (stop - start)
    return np.asarray(matrix / draws)


def _shared(matrix: Floats, above: Floats, members: Sequence[Ranked]) -> tuple[Floats, Floats]:
    """Entries with the same counts and the same prior have one law: they share ranks, and beat each other evenly."""
    keys = [_identity(member) for member in members]
    groups: dict[object, list[int]] = {}
    for i, key in enumerate(keys):
        groups.setdefault(key, []).append(i)
    for group in groups.values():
        if len(group) > 1:
            matrix[group] = matrix[group].mean(0)
            above[group], above[:, group] = above[group].mean(0), above[:, group].mean(1)[:, None]
            above[np.ix_(group, group)] = 0.5
    return matrix, above


def _identity(member: Ranked) -> object:
    confusion, prior = getattr(member, "confusion", None), getattr(member, "prior", None)
    if confusion is None or prior is None:
        return id(member)
    known = getattr(member, "known_prevalence", None)
    return confusion, prior, None if known is None else known.tobytes()


def _exceedance(laws: Sequence[Law]) -> Floats:
    if all(isinstance(law, Beta) for law in laws):
        return pairwise.exceedance_beta(*(np.array([getattr(law, x) for law in laws]) for x in ("a", "b")))
    return pairwise.exceedance(LawEntries(laws))


def _tiers(above: Floats, level: float) -> list[int]:
    """Number of each entry's tier; a tier ends where its first member is better with probability ``level``."""
    tiers, first = [1], 0
    for i in range(1, len(above)):
        if above[first, i] >= level:
            first = i
            tiers.append(tiers[-1] + 1)
        else:
            tiers.append(tiers[-1])
    return tiers


def _winner(name: str, means: Floats, sds: Floats, level: float) -> Shrunken | None:
    found = shrinkage.shrunken(means, sds)
    if found is None:
        return None
    reach = float(ndtri((1 + level) / 2)) * float(found[1][0])
    centre = float(found[0][0])
    return Shrunken(name, float(means[0]), centre, centre - reach, centre + reach)


def _again(measure: Measure, laws: Sequence[Law], n: int, draws: int, seed: int) -> Floats:
    """P(entry i has rank r on a new test set of n cases): a rate is drawn, then a Binomial number of right answers."""
    if measure.metric.name not in ("accuracy", "error_rate"):
        raise InvalidArgument(f"new_test= replays accuracy or error_rate; not {excerpt(measure.name)}")
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InvalidArgument(f"new_test is a number of cases, 1 or more; not {excerpt(n)}")
    rng = np.random.default_rng([seed, 0xA6])
    upwards = measure.metric.better == "higher"
    scores = np.array([rng.binomial(n, law.sample(draws, seed=[seed, i])) for i, law in enumerate(laws)], dtype=float)
    return _counted_ranks(scores if upwards else -scores)


def _cases(member: Ranked) -> int | None:
    confusion = getattr(member, "confusion", member)
    return getattr(confusion, "n", None)


def _checked_prizes(prizes: Sequence[float]) -> list[float]:
    given = [float(x) if isinstance(x, int | float | np.number) else float("nan") for x in prizes]
    if not all(np.isfinite(given)):
        raise InvalidArgument(f"prizes are numbers, that of rank 1 first; not {excerpt(list(prizes))}")
    return given
