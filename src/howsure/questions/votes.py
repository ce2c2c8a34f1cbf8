"""``rank`` of votes: a leaderboard, or one for each value of a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from howsure.answers.sheet import Sheet
from howsure.errors import InvalidLabels, excerpt, listing
from howsure.knowledge.protocol import Answered, Ask
from howsure.knowledge.votes import Votes
from howsure.laws import Kind
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED
from howsure.questions.rank import rank_known as rank
from howsure.questions.ranking import Ranking
from howsure.text import formats

__all__ = ["rank_votes", "rank_votes_by"]

FIELDS = (
    "by level interval=kind draws seed verdict=sentence slices[name battles leader p_best best_set tier_size] notes"
)
CSV = "slices[name battles leader p_best best_set=best tier_size]"


@dataclass(frozen=True)
class SliceLeader:
    """Who is first among the battles of one value of a column."""

    name: str
    battles: int
    leader: str
    p_best: float
    best_set: tuple[str, ...]
    tier_size: int

    @property
    def best(self) -> str:
        """The best set as one text."""
        return "; ".join(self.best_set)


@dataclass(frozen=True, eq=False)
class VotesBy(Answered, json="votes_by", fields=FIELDS, csv=CSV):
    """Who is best in which slice of the battles; made by `rank_votes_by`.

    Attributes
    ----------
    by : str
        The column.
    slices : tuple of SliceLeader
    level, kind, draws, seed
    notes : tuple of str
        Slices that could not be ranked.
    boards : tuple of Ranking
        The leaderboard of each slice.
    """

    by: str
    slices: tuple[SliceLeader, ...]
    ask: Ask
    notes: tuple[str, ...]
    boards: tuple[Ranking, ...] = ()

    @property
    def sentence(self) -> str:
        """Who is first where."""
        leaders = list(dict.fromkeys(it.leader for it in self.slices))
        if len(leaders) == 1:
            where = "every slice" if len(self.slices) > 1 else "the only slice"
            return f"{formats.plain(leaders[0], 40)} comes first in {where} by {self.by}."
        return f"{len(leaders)} models come first in some slice by {self.by}: {listing(leaders, 6)}."

    def sheet(self) -> Sheet:
        """A row for each slice."""
        header = (self.by, "battles", "first", "P(best)", "the best is one of", "first tier")
        rows = tuple(
            (
                formats.plain(it.name, 40), formats.integer(it.battles), formats.plain(it.leader, 40),
                formats.probability(it.p_best, self.draws), listing(it.best_set, 4), str(it.tier_size),
            )
            for it in self.slices
        )  # fmt: skip
        about = f"Each slice is a leaderboard of its own; sets contain the best with probability {self.level:g}."
        return Sheet(self.sentence, header, rows, about=about, remarks=self.notes)

    def picture(self) -> str:
        """The leaderboard of the slice with most battles."""
        return max(self.boards, key=lambda it: sum(entry.n or 0 for entry in it.entries)).picture()


def rank_votes(
    votes: Votes, *, metric: str | None = None, level: float = LEVEL, kind: Kind = KIND, draws: int = DRAWS,
    seed: int = SEED, **more: Any,
) -> Ranking:  # fmt: skip
    """Rank models by votes; ``simultaneous`` rank intervals hold for all models at once.

    Examples
    --------
    >>> votes = Votes.from_columns([*"xxyyzx"], [*"yyzzxz"], ["a", "a", "a", "tie", "b", "a"])
    >>> board = rank_votes(votes, simultaneous=True)
    >>> [entry.name for entry in board.entries], board.simultaneous
    (['x', 'y', 'z'], True)
    """
    return rank(votes, metric, ask=votes.ask(level, kind, draws, seed), **more)


def rank_votes_by(
    slices: Mapping[str, Votes | str], *, by: str, draws: int = DRAWS, seed: int = SEED,
    notes: Sequence[str] = (), **more: Any,
) -> VotesBy:  # fmt: skip
    """Rank models in each slice; a slice of which there is a sentence is left out, and noted."""
    boards = {name: rank_votes(it, draws=draws, seed=seed, **more) for name, it in slices.items()
              if isinstance(it, Votes)}  # fmt: skip
    if not boards:
        raise InvalidLabels(f"no value of {excerpt(by)} has battles of two models")
    said = [f"{formats.plain(name, 40)} is left out: {it}." for name, it in slices.items() if isinstance(it, str)]
    rows = tuple(
        SliceLeader(
            name, sum(entry.n or 0 for entry in it.entries) // 2, it.entries[0].name, it.entries[0].p_best,
            it.best_set, len(it.leaders),
        )
        for name, it in boards.items()
    )  # fmt: skip
    first = next(iter(boards.values()))
    return VotesBy(by, rows, first.ask, (*notes, *said), tuple(boards.values()))
