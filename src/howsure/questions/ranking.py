"""What `rank` gives: entries, best first, with rank probabilities, tiers and prizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from howsure.answers.sheet import Sheet, covered
from howsure.errors import UnknownName, listing
from howsure.knowledge.protocol import Answered, Ask
from howsure.laws import Kind
from howsure.laws.law import Route
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.ranks import Ranks
from howsure.questions.groups import RankedGroups
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest
from howsure.text.svg.canvas import BLUE, ORANGE


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


# -- The ranking -------------------------------------------------------------------------------------------------------

#: Above this many entries JSON leaves the T x T matrix out.
MOST_IN_JSON = 200
#: Entries that a small picture has room for.
MOST_DRAWN = 40


FIELDS = """
metric better prior pairing=_pairing law error level interval=kind seed draws top prizes verdict=sentence leaders
best_set entries probabilities=_chances winner population contenders groups new_test again=_again
simultaneous=_together? notes
"""
CSV = """
entries[name n observed mean low high interval p_best p_top expected_rank tier wins expected_prize p_best_alone
rank_low=rank_interval.0 rank_high=rank_interval.1 win_rate]
"""


@dataclass(frozen=True, eq=False)
class Ranking(Answered, json="rank", fields=FIELDS, csv=CSV):
    """A ranking that says how sure it is; made by `rank`.

    Attributes
    ----------
    entries : tuple of Entry
        In order of expected rank.
    ranks : Ranks
        Who holds which rank, and who exceeds whom, in the order of ``entries``.
    paired : bool
        Whether all answered the same cases; otherwise the test sets are separate.
    winner : Shrunken or None
        The winner's curse put right; None below three entries.
    error : float
        Of any rank probability: a bound, an estimate, or the Monte Carlo error.
    population : BoardPopulation or None
        What was learned about the entries; None where each is judged alone.
    contenders : tuple of str
        Entries that a test at ``level`` leaves as possibly the best, whatever the true scores; empty where not asked.
    unit : str
        What a test set consists of.
    simultaneous : bool
        Whether the rank intervals contain all ranks at once with the probability ``level``; else each its own.
    groups : RankedGroups or None
        Of cases that come in groups: how many, which the numbers are about, and what the cases are worth.
    again : ndarray or None
        Entry by rank on a new test set of ``new_test`` cases.
    """

    metric: str
    better: str
    entries: tuple[Entry, ...]
    ranks: Ranks
    prior: str
    paired: bool
    ask: Ask
    route: Route
    top: int
    prizes: tuple[float, ...]
    winner: Shrunken | None
    new_test: int | None
    again: Floats | None
    notes: tuple[str, ...] = ()
    error: float = 0.0
    population: BoardPopulation | None = None
    contenders: tuple[str, ...] = ()
    groups: RankedGroups | None = None
    unit: str = "case"
    simultaneous: bool = False

    def __getitem__(self, name: str) -> Entry:
        """Entry of that name."""
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise UnknownName(name, [entry.name for entry in self.entries])

    @property
    def probabilities(self) -> Floats:
        """Entry by rank, shape (T, T); rows and columns add to 1."""
        return self.ranks.matrix

    @property
    def above(self) -> Floats:
        """P(row entry is better than column entry), shape (T, T)."""
        return self.ranks.above

    @property
    def leaders(self) -> tuple[str, ...]:
        """Names of the first tier: all that the data do not separate from the first."""
        return tuple(entry.name for entry in self.entries if entry.tier == 1)

    @property
    def best_set(self) -> tuple[str, ...]:
        """The smallest set that holds the best classifier with probability ``level``."""
        order = sorted(range(len(self.entries)), key=lambda i: -self.entries[i].p_best)
        total, names = 0.0, []
        for i in order:
            names.append(self.entries[i].name)
            total += self.entries[i].p_best
            if total >= self.level - 1e-12:
                break
        return tuple(names)

    @property
    def sentence(self) -> str:
        """The answer in one sentence: how many may be the best, or, where each is judged alone, who they are."""
        first, share = self.entries[0], rank_probability(self, self.entries[0].p_best)
        if self.population is not None:
            return headline(self.entries, share, len(self.best_set))
        leaders = [formats.plain(name, 40) for name in self.leaders]
        if len(leaders) == 1:
            return f"{leaders[0]} leads alone: it is the best with probability {share}."
        others = leaders[1:] if len(leaders) <= 8 else [*leaders[1:7], f"{len(leaders) - 7} more"]
        shared = ", ".join(others[:-1]) + (" and " if len(others) > 1 else "") + others[-1]
        return (
            f"{formats.plain(first.name, 40)} comes first and is the best with probability {share}; "
            f"the data do not separate it from {shared}."
        )

    def _alone(self, value: float | None) -> str:
        return "" if value is None else formats.probability(value, self._draws)

    @property
    def law(self) -> Route:
        """How the rank probabilities are known; a learned population is approximate, also where it is drawn."""
        return self.route if self.population is None else "approximate"

    @property
    def _who(self) -> str:
        return {"case": "classifiers", "battle": "models"}.get(self.unit, "systems")

    @property
    def _pairing(self) -> str:
        return "paired" if self.paired else "separate"

    @property
    def _chances(self) -> Floats | None:
        """The probability of each rank; more digits than twelve say nothing, and fill an answer of a page."""
        return np.round(self.probabilities, 12) if len(self.entries) <= MOST_IN_JSON else None

    @property
    def _together(self) -> bool | None:
        return self.simultaneous or None

    @property
    def _again(self) -> Floats | None:
        return self.again if len(self.entries) <= MOST_IN_JSON else None

    @property
    def _draws(self) -> int | None:
        return self.draws if self.route == "simulated" else None

    # -- as text --------------------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """A row for each entry, best first."""
        rated, learned = self.entries[0].win_rate is not None, self.population is not None
        hidden = {"win rate"} if not rated else set[str]()
        hidden |= {"observed"} if rated and all(entry.observed is None for entry in self.entries) else set()
        hidden |= {"alone"} if not learned else set()
        cells = [self._cells(entry) for entry in self.entries]
        header = tuple(title for title in cells[0] if title not in hidden)
        rows = tuple(tuple(row[title] for title in header) for row in cells)
        footnote = (
            f"rank: {'all intervals together' if self.simultaneous else 'interval of'} "
            f"{formats.level_words(self.level)}. "
            + ("win rate: against the average model, ties as halves. " if rated else "")
            + ("alone: P(best) where each is judged alone. " if learned else "")
            + f"tier: a new one begins where its first member is worse than "
            f"the first of the tier before with probability {self.level:g}. wins: others that it exceeds with "
            "probability above 0.5. " + ("Each entry's numbers depend on the other entries. " if learned else "")
        ).rstrip()
        return Sheet(
            self.sentence, header, rows, (footnote,), about=self._about(), remarks=self.remarks,
            covers=covered(self.unit),
        )  # fmt: skip

    def _cells(self, entry: Entry) -> dict[str, str]:
        """A row by the heads of its columns."""
        places, (best, worst) = formats.decimals(entry.low, entry.high), entry.rank_interval
        unlike = "" if entry.interval == self.kind else f" ({entry.interval})"
        return {
            "name": formats.plain(entry.name, 40),
            "n": "" if entry.n is None else formats.integer(entry.n),
            "observed": formats.number(entry.observed, max(places, 3)),
            "mean": formats.number(entry.mean, places),
            self._interval_name: formats.interval(entry.low, entry.high, places) + unlike,
            "win rate": formats.number(entry.win_rate, 3),
            "rank": f"{best}" if best == worst else f"{best} to {worst}",
            "tier": str(entry.tier),
            "P(best)": rank_probability(self, entry.p_best),
            "alone": self._alone(entry.p_best_alone),
            f"P(top {self.top})": rank_probability(self, entry.p_top),
            "E(rank)": f"{entry.expected_rank:.1f}",
            "wins": str(entry.wins),
            "E(prize)": expected_prize(self, entry.expected_prize),
        }

    def _about(self) -> str:
        """Metric, prior, and how it was computed."""
        drawn = f"{formats.integer(self.draws)} draws, seed {self.seed}"
        how = f"simulated, {drawn}" if self.route == "simulated" else self.route
        if self.population is not None:
            how = f"{self.law} (within {self.error:.2g})" + (f", {drawn}" if self.route == "simulated" else "")
        best = "higher" if self.better == "higher" else "lower"
        cases = f"paired, the same {self.unit}s" if self.paired else "separate test sets"
        cases = "battles between them" if self.unit == "battle" else cases
        cases += "" if self.groups is None else f" in {self.groups.words}"
        return (
            f"{len(self.entries)} {self._who} by {formats.plain(self.metric)} ({best} is better), {cases}, "
            f"{', '.join(filter(None, [assumption(self), how]))}."
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences under the table."""
        best = self.best_set
        lines = [f"The best is one of {len(best)} with probability {self.level:g} or more: {listing(best, 20)}."]
        if len(best) == 1:  # the headline says it
            lines = []
        if self.population is not None:
            lines += self._of_population(self.population)
        elif self.winner is not None:
            places, drawn, within = self._drawn_back(self.winner)
            alone = formats.number(self.winner.mean, places)
            lines.append(
                f"Winner's curse: of {len(self.entries)} entries the first is partly the luckiest; pulled towards "
                f"the others, {formats.plain(self.winner.name, 40)} is at {drawn} "
                f"({within}) {f'instead of {alone}' if drawn != alone else 'as before'} (empirical Bayes, approximate)."
            )
        if self.contenders:
            lines.append(
                f"Whatever the true scores, a test at {formats.level_words(self.level)} leaves {len(self.contenders)} "
                f"of {len(self.entries)} that can be the best: {listing(self.contenders, 20)}."
            )
        if self.again is not None and self.new_test is not None:
            stays = formats.probability(float(self.again[0, 0]), self.draws)
            many = f"{formats.integer(self.new_test)} {self.unit}s"
            lines.append(
                f"On a new test set of {many} the first would come first again with probability {stays} (simulated)."
            )
        return (*lines, *self.notes)

    def _of_population(self, population: BoardPopulation) -> list[str]:
        """Sentences on the population, on judging each entry alone, and on the luck of the first."""
        first, count = self.entries[0], len(self.entries)
        # two digits of the smaller of the two spreads
        near = formats.place(min(population.sd, population.sampling_error))
        mean, sd, error = (formats.number(x, near) for x in (population.mean, population.sd, population.sampling_error))
        # of the same cases, what all entries share does not tell them apart
        of_one = f"sampling error of one entry{' against the others' if self.paired else ''} {error}"
        lines = [f"True scores lie around {mean}, standard deviation {sd} (learned); {of_one}."]
        if population.second >= MANY_APART:
            many = f"about {round(population.second * count)} of {count} lie apart from the others (learned)"
            lines = [f"The entries are not one group: {many}; {of_one}."]
        if first.p_best_alone is not None:
            believed = f"entries independent, prior {formats.plain(self.prior)}"
            if self.prior == "flat":
                believed = "independent flat priors, as in Toetsch and Hoffmann 2021"
            too_sure = ": too sure when entries are close" if first.p_best_alone > first.p_best else ""
            alone = self._alone(first.p_best_alone)
            lines.append(f"Judged each alone ({believed}) P(best) of the first is {alone}{too_sure}.")
        if self.winner is not None:
            places, drawn, within = self._drawn_back(self.winner)
            seen = "" if first.observed is None else f"; observed {formats.number(first.observed, max(places, 3))}"
            name = formats.plain(self.winner.name, 40)
            lines.append(f"Luck of the first is allowed for: {name} is at {drawn} ({within}){seen}.")
        return lines

    @staticmethod
    def _drawn_back(winner: Shrunken) -> tuple[int, str, str]:
        """Decimals of the winner's interval; its estimate and its interval with these."""
        places = formats.decimals(winner.low, winner.high)
        return places, formats.number(winner.corrected, places), formats.interval(winner.low, winner.high, places)

    def __repr__(self) -> str:
        return (
            f"<Ranking: {len(self.entries)} {self._who} by {self.metric}, first {formats.plain(self.entries[0].name)}>"
        )

    def picture(self, *, width: float = 720) -> str:
        """Entries with their intervals as SVG; at most the first forty."""
        rows = [
            IntervalRow(
                entry.name,
                f"{formats.number(entry.mean, formats.decimals(entry.low, entry.high))}, tier {entry.tier}",
                *(entry.mean, entry.low, entry.high, entry.observed, None),
                colour=BLUE if entry.tier % 2 else ORANGE,
            )
            for entry in self.entries[:MOST_DRAWN]
        ]
        title = f"Mean and interval of {formats.plain(self.metric)} of each entry, coloured by tier"
        return forest(rows, title=title, width=width)


def assumption(ranking: Ranking) -> str:
    """What is believed about the entries before the data, in a few words."""
    if ranking.population is not None:
        return "entries learned"
    if not ranking.prior:
        return ""
    prior = f"prior {formats.plain(ranking.prior)}"
    return prior if len(ranking.entries) == 2 else f"each judged alone, {prior}"


def rank_probability(ranking: Ranking, value: float) -> str:
    """A probability of ranks with the digits that are known: two under a learned population."""
    draws = ranking.draws if ranking.route == "simulated" else None
    return probability_text(value, draws, learned=ranking.population is not None)


def expected_prize(ranking: Ranking, value: float | None) -> str:
    """Mean of a prize, cut to what the error of a rank probability leaves of the largest one."""
    if value is None:
        return ""
    error = ranking.error * max(ranking.prizes)
    places = min(2, formats.place(error)) if error > 0 else 2
    return f"{round(value, places):,.{max(0, places)}f}"
