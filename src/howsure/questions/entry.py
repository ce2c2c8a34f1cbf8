"""One line of a ranking, and what was learned about all of them."""

from __future__ import annotations

from dataclasses import dataclass

from howsure.laws import Kind

__all__ = ["BoardPopulation", "Entry", "Shrunken"]


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
