"""What votes follow besides merit: the length of answers, their place, their style; held equal, or noted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from howsure.errors import InvalidCounts, listing
from howsure.errors.arguments import items, numbers
from howsure.knowledge.protocol import Knowledge
from howsure.numerics.arrays import Floats
from howsure.numerics.votes import BattleFit, Battles, ControlledBattles, VoteCells, normalised
from howsure.text.formats import plain, several

#: Points of Elo in a unit of log strength, and the mean of a leaderboard.
POINTS, MEAN = 400 / float(np.log(10)), 1000.0
#: What is controlled without a column: which of the two was shown first.
PLACE = "position"
#: Standard deviation of what being shown first is worth, and one standard deviation more of a style, before the data.
SD_FIRST, SD_STYLE = 0.5, 1.0
#: Standard errors from 0 beyond which a style that is not controlled is noted, where ranks would change.
CLEAR = 2.6


class Styled(NamedTuple):
    """Battles by how far apart the answers are in what is no merit, its names, and what of it is held equal."""

    cells: VoteCells
    names: tuple[str, ...] = ()
    control: tuple[str, ...] = ()


def apart_of(name: str, pair: tuple[Any, Any], rows: int) -> Floats:
    """How far apart the answers of each battle are."""
    sides = [numbers(side, name) for side in items(pair, name, "two columns of numbers, one for each answer")]
    if len(sides) != 2 or any(side.shape != (rows,) or not np.all((side >= 0) & np.isfinite(side)) for side in sides):
        raise InvalidCounts(f"{name} is two numbers for each of {rows} battles, 0 or more")
    return normalised(*sides)


class StyledVotes(Knowledge):
    """Battles by pair, with what is held equal: the part of `howsure.knowledge.votes.Votes` that knows of styles."""

    models: tuple[str, ...]
    a_wins: Floats
    b_wins: Floats
    ties: Floats
    effect: float
    styled: Styled

    @property
    def styles(self) -> tuple[str, ...]:
        """What the answers of a battle differ in, as far as it is known: length and the like."""
        return self.styled.names

    @property
    def control(self) -> tuple[str, ...]:
        """What is held equal."""
        return self.styled.control

    @cached_property
    def counts(self) -> Battles:
        """By pair, whoever was shown first, as many as they are worth."""
        return self._counted(self.control)

    @cached_property
    def fit(self) -> BattleFit:
        """What the battles say about the strengths."""
        return BattleFit.of(self.counts)

    @property
    def effects(self) -> dict[str, tuple[float, float]]:
        """What is controlled: points of Elo of one standard deviation more (of the first place), standard error."""
        if not self.control:
            return {}
        return {name: (POINTS * float(mean), POINTS * float(error))
                for name, mean, error in zip(self.control, *self.fit.others, strict=True)}  # fmt: skip

    def _counted(self, control: Sequence[str]) -> Battles:
        """Counts of battles by pair, as many as they are worth, in cells of what is held equal."""
        wins = (self.a_wins + self.b_wins.T) / self.effect
        ties = (self.ties + self.ties.T) / self.effect
        if not control:
            return Battles(wins, ties)
        cells, names, _ = self.styled
        apart = dict(zip(names, cells.apart.T, strict=True)) | {PLACE: cells.shown}
        columns = np.stack([apart[name] for name in control], axis=1)
        spreads = np.array([SD_FIRST if name == PLACE else SD_STYLE for name in control])
        return ControlledBattles(wins, ties, cells, columns, spreads, 1 / self.effect)

    def _held_equal(self, control: Sequence[str]) -> tuple[Floats, Floats]:
        """Strengths if these were held equal, and what each is worth with its standard error, in points of Elo."""
        battles, size = self._counted(control), len(self.models)
        nu = np.log(np.array([max(self.fit.nu, 1e-300)]))
        modes, information = battles.modes(np.log(np.array([self.fit.tau])), nu, np.zeros(size + len(control)))
        errors = np.linalg.inv(information[0])[size:, size:].diagonal() ** 0.5
        return modes[0, :size], POINTS * np.stack([modes[0, size:], errors], axis=1)

    def _style_notes(self) -> tuple[str, ...]:
        """What was held equal and what that changes, or what would change ranks if it were."""
        return self._controlled(), self._style()

    def _worth(self, name: str, mean: float, error: float) -> str:
        """What a style is worth, in words."""
        ends = [mean + z * error * float(ndtri(0.975)) for z in (-1, 1)]
        worth = f"is worth {mean:.0f} points ({ends[0]:.0f} to {ends[1]:.0f})"
        if name == PLACE:
            return f"being shown first {worth}"
        scale = float(self.styled.cells.scales[self.styles.index(name)])
        times = f"{(1 + scale) / (1 - scale):.1f} times" if scale < 0.9 else "many times"
        more = f"{times} as long" if name == "length" else f"with {times} as much {plain(name, 40)}"
        return f"an answer {more} as the other (one standard deviation) {worth}"

    def _moved(self, one: Floats, other: Floats) -> str:
        """How ranks by one set of strengths differ from those by another: the first, or how many."""
        ranks = [(-it).argsort(kind="stable").argsort() for it in (one, other)]
        first = int(ranks[0].argmin())
        if first != int(ranks[1].argmin()):
            return f"{plain(self.models[first], 40)} would come first"
        many = int((ranks[0] != ranks[1]).sum())
        return f"{many} of {several(len(one), 'rank')} would differ" if many else ""

    def _controlled(self) -> str:
        """What is held equal, what it is worth, and what it changes."""
        if not self.control:
            return ""
        effects = "; ".join(self._worth(name, *pair) for name, pair in self.effects.items())
        changed = self._moved(self._held_equal(())[0], self.fit.strengths) or "no rank would differ"
        return f"At equal {listing(self.control)}: {effects}. Without this {changed}."

    def _style(self) -> str:
        """What is not held equal, and would change ranks."""
        for name in self.styles:
            if name in self.control or not self.styled.cells.scales[self.styles.index(name)]:
                continue
            strengths, effects = self._held_equal((*self.control, name))
            moved, (mean, error) = self._moved(strengths, self.fit.strengths), effects[-1].tolist()
            if moved and abs(mean) > CLEAR * error:
                worth = self._worth(name, mean, error)
                return f"{worth[:1].upper()}{worth[1:]}; at equal {name} {moved} (--control {name})."
        return ""
