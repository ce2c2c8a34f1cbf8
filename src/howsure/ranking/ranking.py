"""What `rank` gives: entries, best first, with rank probabilities, tiers and prizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from howsure.errors import UnknownName, listing
from howsure.laws import Kind
from howsure.laws.law import Route
from howsure.numerics.arrays import Floats
from howsure.text import formats
from howsure.text.json_envelope import envelope
from howsure.text.sheet import Record, Sheet
from howsure.text.svg import IntervalRow, forest
from howsure.text.svg.canvas import BLUE, ORANGE
from howsure.text.text_table import csv_text

__all__ = ["Entry", "Ranking", "Shrunken", "entries_picture"]


#: Above this many entries JSON leaves the T x T matrix out.
MOST_IN_JSON = 200
#: Entries that a small picture has room for.
MOST_DRAWN = 40


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


@dataclass(frozen=True)
class Shrunken:
    """The winner's estimate, drawn back towards the others: the best of many is partly the luckiest."""

    name: str
    mean: float
    corrected: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Ranking(Record):
    """A ranking that says how sure it is; made by `rank`.

    Attributes
    ----------
    entries : tuple of Entry
        In order of expected rank.
    probabilities : ndarray, shape (T, T)
        Entry by rank, in the order of ``entries``; rows and columns add to 1.
    above : ndarray, shape (T, T)
        P(row entry is better than column entry).
    paired : bool
        Whether all answered the same cases; otherwise the test sets are separate.
    winner : Shrunken or None
        The winner's curse put right; None below three entries.
    again : ndarray or None
        Entry by rank on a new test set of ``new_test`` cases.
    """

    metric: str
    better: str
    entries: tuple[Entry, ...]
    probabilities: Floats
    above: Floats
    prior: str
    paired: bool
    level: float
    kind: Kind
    route: Route
    top: int
    prizes: tuple[float, ...]
    winner: Shrunken | None
    new_test: int | None
    again: Floats | None
    draws: int
    seed: int
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Entry:
        """Entry of that name."""
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise UnknownName(name, [entry.name for entry in self.entries])

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
        """The answer in one sentence, naming every co-leader."""
        first, share = self.entries[0], formats.probability(self.entries[0].p_best, self._draws)
        leaders = [formats.plain(name, 40) for name in self.leaders]
        if len(leaders) == 1:
            return f"{leaders[0]} leads alone: it is the best with probability {share}."
        others = leaders[1:] if len(leaders) <= 8 else [*leaders[1:7], f"{len(leaders) - 7} more"]
        shared = ", ".join(others[:-1]) + (" and " if len(others) > 1 else "") + others[-1]
        return (
            f"{formats.plain(first.name, 40)} comes first and is the best with probability {share}; "
            f"the data do not separate it from {shared}."
        )

    @property
    def _draws(self) -> int | None:
        return self.draws if self.route == "drawn" else None

    # -- as text --------------------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """A row for each entry, best first."""
        header = (
            "name", "n", "observed", "mean", formats.interval_name(self.kind, self.level), "rank", "tier", "P(best)",
            f"P(top {self.top})", "E(rank)", "wins", "E(prize)",
        )  # fmt: skip
        rows = []
        for entry in self.entries:
            places = formats.decimals(entry.low, entry.high)
            best, worst = entry.rank_interval
            rows.append(
                (
                    formats.plain(entry.name, 40),
                    "" if entry.n is None else formats.integer(entry.n),
                    formats.number(entry.observed, max(places, 3)),
                    formats.number(entry.mean, places),
                    formats.interval(entry.low, entry.high, places)
                    + ("" if entry.interval == self.kind else f" ({entry.interval})"),
                    f"{best}" if best == worst else f"{best} to {worst}",
                    str(entry.tier),
                    formats.probability(entry.p_best, self._draws),
                    formats.probability(entry.p_top, self._draws),
                    f"{entry.expected_rank:.1f}",
                    str(entry.wins),
                    "" if entry.expected_prize is None else f"{entry.expected_prize:,.2f}",
                )
            )
        footnote = (
            f"rank: interval of {100 * self.level:g} %. tier: a new one begins where its first member is worse than "
            f"the first of the tier before with probability {self.level:g}. wins: others that it exceeds with "
            "probability above 0.5. The numbers cover the sampling of cases only; not label noise, leakage or drift."
        )
        return Sheet(self.sentence, header, tuple(rows), (footnote,), about=self._about(), remarks=self.remarks)

    def _about(self) -> str:
        """Metric, prior, and how it was computed."""
        how = f"drawn, {formats.integer(self.draws)} draws, seed {self.seed}" if self.route == "drawn" else self.route
        best = "higher" if self.better == "higher" else "lower"
        cases = "paired, the same cases" if self.paired else "separate test sets"
        return (
            f"{len(self.entries)} classifiers by {formats.plain(self.metric)} ({best} is better), {cases}, "
            f"prior {formats.plain(self.prior)}, {how}."
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences under the table."""
        best = self.best_set
        lines = [f"The best is one of {len(best)} with probability {self.level:g} or more: {listing(best, 20)}."]
        if len(best) == 1:  # the headline says it
            lines = []
        if self.winner is not None:
            places = formats.decimals(self.winner.low, self.winner.high)
            drawn, alone = (formats.number(x, places) for x in (self.winner.corrected, self.winner.mean))
            moved = f"instead of {alone}" if drawn != alone else "as before"
            within = formats.interval(self.winner.low, self.winner.high, places)
            lines.append(
                f"Winner's curse: of {len(self.entries)} entries the first is partly the luckiest; drawn back towards "
                f"the others, {formats.plain(self.winner.name, 40)} is at {drawn} "
                f"({within}) {moved} (empirical Bayes, approximate)."
            )
        if self.again is not None and self.new_test is not None:
            stays = formats.probability(float(self.again[0, 0]), self.draws)
            lines.append(
                f"On a new test set of {formats.integer(self.new_test)} cases the first would come first again with "
                f"probability {stays} (drawn)."
            )
        return (*lines, *self.notes)

    def __repr__(self) -> str:
        return (
            f"<Ranking: {len(self.entries)} classifiers by {self.metric}, first {formats.plain(self.entries[0].name)}>"
        )

    def picture(self) -> str:
        """Entries with their intervals as SVG; at most the first forty."""
        return entries_picture(self)

    def to_csv(self) -> str:
        """One line for each entry, numbers in full."""
        fields = [f for f in Entry.__dataclass_fields__ if f != "rank_interval"]
        header = [*fields, "rank_low", "rank_high"]
        return csv_text(header, [[*(getattr(x, f) for f in fields), *x.rank_interval] for x in self.entries])

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: the format ``howsure/1``, kind ``rank``."""
        small = len(self.entries) <= MOST_IN_JSON
        winner = self.winner
        return {
            **envelope("rank"),
            "metric": self.metric,
            "better": self.better,
            "prior": self.prior,
            "pairing": "paired" if self.paired else "separate",
            "law": self.route,
            "level": self.level,
            "interval": self.kind,
            "seed": self.seed,
            "draws": self.draws,
            "top": self.top,
            "prizes": list(self.prizes),
            "verdict": self.sentence,
            "leaders": list(self.leaders),
            "best_set": list(self.best_set),
            "entries": [
                {key: list(v) if isinstance(v := getattr(x, key), tuple) else v for key in x.__dataclass_fields__}
                for x in self.entries
            ],
            "probabilities": self.probabilities.tolist() if small else None,
            "winner": None if winner is None else {k: getattr(winner, k) for k in winner.__dataclass_fields__},
            "new_test": self.new_test,
            "again": None if self.again is None or not small else self.again.tolist(),
            "notes": list(self.notes),
        }


def entries_picture(ranking: Ranking, *, width: float = 720) -> str:
    """Entries with their intervals as SVG; at most the first forty."""
    rows = [
        IntervalRow(
            entry.name,
            f"{formats.number(entry.mean, formats.decimals(entry.low, entry.high))}, tier {entry.tier}",
            *(entry.mean, entry.low, entry.high, entry.observed, None),
            colour=BLUE if entry.tier % 2 else ORANGE,
        )
        for entry in ranking.entries[:MOST_DRAWN]
    ]
    title = f"Mean and interval of {formats.plain(ranking.metric)} of each entry, coloured by tier"
    return forest(rows, title=title, width=width)
