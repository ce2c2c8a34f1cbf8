"""The lines of a ranking, what was learned about all of them, and the words for these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from howsure.laws import Kind
from howsure.text import formats

__all__ = ["BoardPopulation", "Entry", "Shrunken", "headline", "learned_remarks", "probability_text"]


@dataclass(frozen=True)
class Entry:
    """One classifier in a ranking.

    Attributes
    ----------
    name, n, observed, mean, low, high, interval
        What it is, its cases, what is known about its metric, and the kind of its interval.
    p_best, p_top : float
        Probability of rank 1, and of being among the best ``top``.
    expected_rank : float
        Mean of its rank.
    rank_interval : (int, int)
        Best and worst rank; the shortest run of ranks with at least the probability ``level``.
    tier : int
        1 for those that the data do not separate from the first.
    wins : int
        Others that it exceeds with a probability above one half (Carrillo et al. 2013).
    expected_prize : float or None
        Mean of its prize.
    p_best_alone : float or None
        P(best) where each entry is judged alone; None where the ranking judges so itself.
    win_rate : float or None
        Of battles: the mean win rate against the average model, ties as halves.
    """

    name: str
    n: int | None
    observed: float | None
    mean: float
    low: float
    high: float
    interval: Kind
    p_best: float
    p_top: float
    expected_rank: float
    rank_interval: tuple[int, int]
    tier: int
    wins: int
    expected_prize: float | None = None
    p_best_alone: float | None = None
    win_rate: float | None = None


@dataclass(frozen=True)
class BoardPopulation:
    """What a board says about the population that its entries are a sample from.

    Attributes
    ----------
    mean, sd : float
        Where true scores of the main group lie, and their standard deviation.
    second : float
        Expected share of the entries that belong to a second group, or stand out.
    sampling_error : float
        Standard deviation of one entry's observed score around its true one.
    """

    mean: float
    sd: float
    second: float
    sampling_error: float


@dataclass(frozen=True)
class Shrunken:
    """The winner's estimate, drawn back towards the others: the best of many is partly the luckiest."""

    name: str
    mean: float
    corrected: float
    low: float
    high: float


#: More than that apart, probabilities of being the best are told apart: each is good to 0.005.
APART = 0.01

#: Expected share of a second group from which it is worth a word.
MANY_APART = 0.25


def probability_text(value: float, draws: int | None, *, learned: bool) -> str:
    """A probability of ranks as text; under a learned population it is good to 0.005, so it has two digits."""
    if not learned:
        return formats.probability(value, draws)
    return "< 0.01" if value < 0.005 else "> 0.99" if value > 0.995 else f"{value:.2f}"


def headline(entries: Sequence[Entry], share: str, best: int) -> str:
    """The answer in one sentence: who comes first, how probably it is the best, and how many may be."""
    first, count = entries[0], len(entries)
    name = formats.plain(first.name, 40)
    if best == 1:
        return f"{name} leads alone: it is the best with probability {share}."
    one_tier = entries[-1].tier == 1
    likeliest = max(entries, key=lambda entry: entry.p_best)
    if likeliest.p_best > first.p_best + APART:
        chance = probability_text(likeliest.p_best, None, learned=True)
        return (
            f"{name} comes first by its mean; the best is most probably {formats.plain(likeliest.name, 40)} ({chance}, "
            f"{name} {share}), of which less is known; the best is one of {best}."
        )
    if best > count / 2 and first.p_best < 0.5:
        these = f"These {count}" if one_tier else f"{best} of these {count}"
        among = f"one of {best}" if one_tier else "one of them"
        return (
            f"{these} entries cannot be separated: the best is {among}; the first, {name}, is it with probability "
            f"{share}."
        )
    return f"{name} comes first and is the best with probability {share}; the best is one of {best}."


def learned_remarks(
    entries: Sequence[Entry],
    population: BoardPopulation,
    winner: Shrunken | None,
    *,
    prior: str | None = None,
    draws: int | None = None,
    paired: bool = False,
) -> tuple[str, ...]:
    """Sentences on the population, on judging each entry alone, and on the luck of the first.

    ``prior`` is that of a classifier, where it is not the flat one; ``paired`` says that the cases are the
    same, so that what all entries share does not tell them apart.
    """
    first, count = entries[0], len(entries)
    # two digits of the smaller of the two spreads
    places = formats.place(min(population.sd, population.sampling_error))
    mean, sd, error = (formats.number(x, places) for x in (population.mean, population.sd, population.sampling_error))
    of_one = f"sampling error of one entry{' against the others' if paired else ''} {error}"
    around = f"True scores lie around {mean}, standard deviation {sd} (learned); {of_one}."
    if population.second >= MANY_APART:
        around = (
            f"The entries are not one group: about {round(population.second * count)} of {count} lie apart from the "
            f"others (learned); {of_one}."
        )
    lines = [around]
    if first.p_best_alone is not None:
        flat = "independent flat priors, as in Toetsch and Hoffmann 2021"
        believed = flat if prior is None else f"entries independent, prior {formats.plain(prior)}"
        too_sure = ": too sure when entries are close" if first.p_best_alone > first.p_best else ""
        lines.append(
            f"Judged each alone ({believed}) P(best) of the first is "
            f"{formats.probability(first.p_best_alone, draws)}{too_sure}."
        )
    if winner is not None:
        places = formats.decimals(winner.low, winner.high)
        seen = "" if first.observed is None else f"; observed {formats.number(first.observed, max(places, 3))}"
        lines.append(
            f"Luck of the first is allowed for: {formats.plain(winner.name, 40)} is at "
            f"{formats.number(winner.corrected, places)} ({formats.interval(winner.low, winner.high, places)}){seen}."
        )
    return tuple(lines)
