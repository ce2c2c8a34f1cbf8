"""Votes between pairs of models: a kind of knowledge about their strengths, as Elo and as win rates.

The counts of each pair are all that is needed; the numbers are those of `howsure.numerics.votes`. The contenders are
the models, a sample of a population that the leaderboard tells, so that an undefeated model has an answer too. What
votes follow besides merit (length of answers, place, style) is held equal, or noted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations
from math import ceil
from typing import Any, Unpack

import numpy as np
from scipy.special import chdtrc, ndtr, ndtri

from howsure.answers.asking import spelled
from howsure.data.labels import one_each
from howsure.errors import (
    InvalidArgument,
    InvalidCounts,
    InvalidLabels,
    NoInformation,
    UnknownMetric,
    excerpt,
    listing,
)
from howsure.errors.arguments import flag, items, mapping, numbers, one_of, sentences
from howsure.frozen import kept
from howsure.knowledge.battles import Styled, Voting, apart_of, outcomes_of
from howsure.knowledge.protocol import Aim, Ask, Asked, Gap, Knowledge, Measured, Needed, Of
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.votes import BattleFit, Battles, ControlledBattles, VoteCells, design_effect
from howsure.text.formats import integer, plain, probability, several

#: Points of Elo in a unit of log strength, and the mean of a leaderboard.
POINTS, MEAN = 400 / float(np.log(10)), 1000.0
#: What is controlled without a column: which of the two was shown first.
PLACE = "position"
#: Standard deviation of what being shown first is worth, and one standard deviation more of a style, before the data.
SD_FIRST, SD_STYLE = 0.5, 1.0
#: Standard errors from 0 beyond which a style that is not controlled is noted, where ranks would change.
CLEAR = 2.6
#: Models up to which triples are looked at, and the probability below which votes are said to go in circles.
MOST_IN_TRIPLES, IN_CIRCLES = 60, 1e-3
#: Further battles, in times of those that there are, after which the top may be settled; leaderboards that are
#: simulated; times beyond which a plan is none.
SETTLING, BOARDS, MOST_TIMES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0), 200, 1e5
#: How much wider intervals are where it is noted that voters or prompts are alike.
WIDER = 1.2


class Votes(Knowledge):
    """Battles of models, counted by pair. Immutable; made by `from_columns`.

    Parameters
    ----------
    models : tuple of str
    a_wins, b_wins, ties : ndarray, shape (T, T)
        Votes for the first model (row), for the second (column), and ties, by the model shown first and the second.
    effect : float
        By how much the variance is larger because votes of one voter, or on one prompt, are alike.
    ordered : bool
        Whether the first model is the one that was shown first.
    notes : tuple of str
    styled : Styled, optional
        The same battles by how far apart the two answers are in length and the like, and what is held equal.

    Examples
    --------
    >>> votes = Votes.from_columns(["x", "y", "x"], ["y", "z", "z"], ["a", "tie", "b"])
    >>> votes.models, votes.battles
    (('x', 'y', 'z'), 3)
    """

    unit, noise = "battle", "careless votes"
    contests = True

    models: tuple[str, ...]
    a_wins: Floats
    b_wins: Floats
    ties: Floats
    effect: float
    ordered: bool
    styled: Styled
    _notes: tuple[str, ...]

    def __init__(
        self, models: Sequence[str], a_wins: Any, b_wins: Any, ties: Any, *, effect: float = 1.0,
        ordered: bool = True, notes: Sequence[str] = (), styled: Styled | None = None,
    ) -> None:  # fmt: skip
        size = len(models)
        counts = [np.asarray(it, dtype=float) for it in (a_wins, b_wins, ties)]
        if any(it.shape != (size, size) or not np.isfinite(it).all() or it.min(initial=0) < 0 for it in counts):
            raise InvalidArgument(f"{several(size, 'model')} need tables of {size} by {size} counts, 0 or more")
        if size < 2:
            raise InvalidLabels(f"a leaderboard needs at least two models, got {size}")
        if any(np.diag(it).any() for it in counts):
            own = models[int(np.argmax(sum(np.diag(it) for it in counts)))]
            raise InvalidLabels(f"model {excerpt(own)} battles itself; a battle is between two models")
        if not sum(it.sum() for it in counts):
            raise InvalidLabels("no battle is decided or tied, so nothing tells the models apart")
        self.__dict__.update(
            models=tuple(models), a_wins=counts[0], b_wins=counts[1], ties=counts[2], effect=float(effect),
            ordered=ordered, _notes=tuple(notes),
            styled=Styled(VoteCells.of_tables(*counts)) if styled is None else styled,
        )  # fmt: skip

    def _but(self, **changed: Any) -> Votes:
        """The same with other values of some of these."""
        values: dict[str, Any] = {
            "effect": self.effect, "ordered": self.ordered, "notes": self._notes, "styled": self.styled,
        }  # fmt: skip
        return Votes(self.models, self.a_wins, self.b_wins, self.ties, **(values | changed))

    @classmethod
    @spelled(Voting, both_bad="tie", ordered=True)
    def from_columns(cls, model_a: Any, model_b: Any, winner: Any, **how: Unpack[Voting]) -> Votes:
        """One row a battle, or a row for ``count`` battles.

        Parameters
        ----------
        model_a, model_b : sequence of str
        winner : sequence of str
            a, b, tie, both bad and the like, or the name of the model that won; 1, 0, 0.5 for the first model.
        voter, prompt : sequence, optional
            Who voted, and on what; votes of one are taken to be alike.
        both_bad : "tie" or "exclude"
        styles : dict of str to (sequence of float, sequence of float), optional
            What the answers of both differ in besides merit, such as their lengths; see `controlled`.
        """
        count, styles = how["count"], how["styles"]
        both_bad = one_of(how["both_bad"], ("tie", "exclude"), "both_bad")
        ordered = flag(how["ordered"], "ordered")
        texts = [str(it).strip() for it in items(winner, "winner", "a list of votes")]
        sides = [items(side, what, "a list of models") for side, what in ((model_a, "model_a"), (model_b, "model_b"))]
        names, at = one_each([*sides[0], *sides[1]], "model_a", 2 * len(texts))
        times = np.ones(len(texts)) if count is None else numbers(count, "count")
        if times.shape != (len(texts),) or not np.all((times >= 0) & np.isfinite(times)):
            raise InvalidCounts(f"count is a number of battles for each of {len(texts)} rows, 0 or more")
        first, second = at[: len(texts)], at[len(texts) :]
        outcome = outcomes_of(texts, names, first, second)
        said = list(sentences(how["notes"]))
        bad = outcome == 3
        if bad.any():
            many = integer(int(times[bad].sum()))
            kept = "count as ties (--both-bad exclude leaves them out)" if both_bad == "tie" else "are left out"
            said.append(f"{many} votes say that both are bad; they {kept}.")
        outcome[bad] = 2 if both_bad == "tie" else -1
        size = len(names)
        tables = []
        for result in range(3):
            rows = outcome == result
            flat = np.bincount(first[rows] * size + second[rows], weights=times[rows], minlength=size**2)
            tables.append(flat.reshape(size, size))
        found = cls(names, *tables, ordered=ordered, notes=said)
        if styles is not None and mapping(styles, "styles", "a mapping of a name to two columns, such as lengths"):
            apart = np.stack([apart_of(name, pair, len(texts)) for name, pair in styles.items()], axis=1)
            some = np.flatnonzero((outcome >= 0) & (times > 0))
            cells = VoteCells.of_rows(first[some], second[some], outcome[some], times[some], apart[some])
            found = found._but(styled=Styled(cells, tuple(styles)))
        clusters = {"voter": how["voter"], "prompt": how["prompt"]}
        codes = {what: one_each(it, what, len(texts))[1] for what, it in clusters.items() if it is not None}
        if count is None and codes:
            found = found._alike(first, second, outcome, codes)
        return found

    def _alike(self, first: Integers, second: Integers, outcome: Integers, codes: dict[str, Integers]) -> Votes:
        """The same where votes of one voter, or on one prompt, are alike; repeated votes are noted."""
        gap = self._residual_parts[0]
        kept = outcome >= 0
        i, j = first[kept], second[kept]
        residual = np.array([1.0, 0.0, 0.5])[outcome[kept]] - (1 + gap[i, j]) / 2
        effect, said = 1.0, list(self._notes)
        for what, code in codes.items():
            if 1 < len(np.unique(code[kept])) < kept.sum():
                one = design_effect(residual, (i, j), code[kept], len(self.models))
                effect += one - 1
                if one**0.5 > WIDER:
                    said.append(
                        f"Votes of one {what} are alike; intervals are {one**0.5:.1f} times as wide as if each vote "
                        "were independent."
                    )
        if len(codes) == 2:
            keys = np.stack([np.minimum(i, j), np.maximum(i, j), *(code[kept] for code in codes.values())], axis=1)
            again = len(keys) - len(np.unique(keys, axis=0))
            if again:
                said.append(
                    f"{several(again, 'vote')} of a voter on a prompt and a pair of models that this voter had judged "
                    "before; each counts."
                )
        return self._but(effect=effect, notes=said)

    def controlled(self, *control: str) -> Votes:
        """The same battles, with strengths as if both answers were equal in length, in place, or in another style.

        Parameters
        ----------
        *control : str
            "position", and those of ``styles``.

        Examples
        --------
        >>> battles = [*"xyxyxy" * 4], [*"yxyxyx" * 4], [*"aabaaa" * 4]
        >>> votes = Votes.from_columns(*battles, styles={"length": ([9, 5, 4, 9, 9, 4] * 4, [5, 9, 9, 5, 4, 6] * 4)})
        >>> [line for line in votes.controlled("length").notes if "length" in line][0][:16]
        'At equal length:'
        """
        for name in control:
            if name == PLACE and not self.ordered:
                raise InvalidArgument(
                    "these votes do not tell which model was shown first, so position is not controlled"
                )
            if name != PLACE and name not in self.styles:
                one_of(name, (PLACE, *self.styles), "control")
        flat = [name for name in control if name != PLACE and not self.styled.cells.scales[self.styles.index(name)]]
        if flat:
            raise InvalidArgument(
                f"{listing(flat, 4)} is the same for both answers in every battle; nothing to control"
            )
        return self._but(styled=self.styled._replace(control=tuple(dict.fromkeys(control))))

    # -- the protocol ---------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        return self.models

    @property
    def metrics(self) -> tuple[str, ...]:
        return ("elo", "win_rate", *(f"win_rate@{name}" for name in self.models))

    def measured(self, metric: str) -> Measured:
        if metric == "elo":
            return Measured("elo", "Elo", "higher", (-np.inf, np.inf))
        name, at, rival = metric.partition("@")
        if name != "win_rate" or (at and rival not in self.models):
            raise UnknownMetric(metric, self.metrics)
        called = f"win rate against {rival}" if at else "win rate against the average model"
        return Measured(metric, called, "higher", (0.0, 1.0))

    @cached_property
    def battles(self) -> int:
        return round(float((self.a_wins + self.b_wins + self.ties).sum()))

    @property
    def about(self) -> str:
        share = float(self.ties.sum()) / self.battles
        equal = f", at equal {listing(self.control)}" if self.control else ""
        return f"{several(self.battles, 'battle')} of {len(self.models)} models, {100 * share:.0f}% ties{equal}."

    @property
    def method(self) -> str:
        return f"Elo: {POINTS * np.log(10):.0f} points are odds of 10 to 1; the mean of the leaderboard is {MEAN:.0f}."

    def size(self, name: str) -> int:
        at = self.place(name)
        return round(float(self.counts.met[at].sum() * self.effect))

    def seen(self, asked: Of) -> float | None:
        metric = self.measured(asked.metric).name
        if metric == "elo":
            return None
        at, rival = self.place(asked.name), metric.partition("@")[2]
        others = [self.models.index(rival)] if rival else list(range(len(self.models)))
        if rival == asked.name:
            return 0.5
        met = float(self.counts.met[at, others].sum())
        won = float((self.counts.wins + self.counts.ties / 2)[at, others].sum())
        return won / met if met else None

    def _of(self, asked: Of, theta: Floats, nu: Floats) -> Floats:
        """A metric of one model from draws of strengths."""
        metric, at = self.measured(asked.metric).name, self.place(asked.name)
        if metric == "elo":
            elo: Floats = MEAN + POINTS * theta[:, at]
            return elo
        rival = metric.partition("@")[2]
        return _rate(theta[:, at] - (theta[:, self.models.index(rival)] if rival else 0.0), nu)

    @kept
    def simulated(self, ask: Ask) -> tuple[Floats, Floats]:
        """Strengths around their mean and the propensity of ties, the same for all questions."""
        return self.fit.draws(ask.draws, np.random.default_rng(ask.seed))

    def joint(self, asked: Sequence[Of], ask: Ask) -> Floats:
        return np.array([self._of(one, *self.simulated(ask)) for one in asked])

    def draws(self, asked: Sequence[Of], count: int, rng: np.random.Generator) -> Floats:
        theta, nu = self.fit.draws(count, rng)
        return np.column_stack([self._of(one, theta, nu) for one in asked])

    def future(self, asked: Sequence[Of], n: int, count: int, rng: np.random.Generator) -> Floats:
        theta, nu = self.fit.draws(count, rng)
        columns = []
        for one in asked:
            metric, at = self.measured(one.metric).name, self.place(one.name)
            rival = metric.partition("@")[2]
            others = np.eye(len(self.models))[self.models.index(rival)] if rival else self.counts.met[at]
            if metric == "elo" or not others.sum() or others[at]:
                raise InvalidArgument(
                    f"a new test of {n} battles shows a win rate, and no Elo, of a model that others meet; "
                    f"metric='win_rate' (-m win_rate), or win_rate@{self.models[0]}"
                )
            half = (theta[:, [at]] - theta) / 2
            z = np.exp(half) + np.exp(-half) + nu[:, None]
            won, tied = ((each / z) @ others / others.sum() for each in (np.exp(half), nu[:, None]))
            wins = rng.binomial(n, won)
            columns.append((wins + rng.binomial(n - wins, np.clip(tied / np.maximum(1 - won, 1e-300), 0, 1)) / 2) / n)
        return np.column_stack(columns)

    def needed(
        self, aim: Aim, goal: float, asked: Asked | None, assurance: float, ask: Ask
    ) -> Needed | None:  # fmt: skip
        if aim == "top":
            return self._until_settled(assurance, ask)
        if asked is not None and self.measured((asked.a if isinstance(asked, Gap) else asked).metric).name != "elo":
            return None
        if aim == "difference" and goal > 0:
            sds = float(ndtri(ask.level) + ndtri(assurance))
            return self._more(lambda more: sds * self._sd(asked, more) <= goal, assurance)
        if aim == "difference" and isinstance(
            asked, Gap
        ):  # as far apart as they are: the mean moves, the spread shrinks
            now, mean = self._sd(asked, 0.0), self.law(asked, ask).mean
            z = float(ndtri(ask.level))

            def chance(more: float) -> float:
                after = self._sd(asked, more)
                return float(ndtr((mean - z * after) / max(now**2 - after**2, 1e-12) ** 0.5))

            if chance(MOST_TIMES) < assurance:
                raise NoInformation(
                    f"no number of battles shows it with probability {assurance:g}: it is true with probability "
                    f"{float(ndtr(mean / now)):.2f}"
                )
            return self._more(lambda more: chance(more) >= assurance, assurance)
        if aim == "width" and goal > 0:
            sds = 2 * float(ndtri((1 + ask.level) / 2))
            return self._more(lambda more: sds * self._sd(asked, more) <= goal, 0.5)
        return None

    def _sd(self, asked: Asked | None, more: float) -> float:
        """Standard deviation of an Elo, or of a difference, after more battles; of two on average if none are named."""
        size = len(self.models)
        variances = self.fit.variances(more)
        if asked is None:
            return float(POINTS * (2 / (size - 1) * (np.trace(variances) - variances.sum() / size)) ** 0.5)
        contrast = np.zeros(size)
        if isinstance(asked, Gap):
            contrast[self.place(asked.a.name)], contrast[self.place(asked.b.name)] = 1, -1
        else:
            contrast = np.eye(size)[self.place(asked.name)] - 1 / size
        return float(POINTS * (contrast @ variances @ contrast) ** 0.5)

    def _more(self, reached: Callable[[float], bool], chance: float) -> Needed:
        """The least share of further battles that reaches a goal."""
        low, high = 0.0, 1.0
        while not reached(high):
            low, high = high, 2 * high
            if high > MOST_TIMES:
                raise NoInformation(f"more than {MOST_TIMES:,.0f} times these battles are needed")
        if reached(0.0):
            return Needed(0, 1.0)
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if reached(middle) else (middle, high)
        return Needed(ceil(high * self.battles), chance)

    def _until_settled(self, assurance: float, ask: Ask) -> Needed:
        """More battles until some model is the best with the level's probability, on boards that may come."""
        ahead = np.bincount(self.simulated(ask)[0].argmax(axis=1), minlength=len(self.models)) / ask.draws
        if ahead.max() >= ask.level:
            return Needed(0, 1.0, names=(self.models[int(ahead.argmax())],))
        chances = []
        for step, more in enumerate(SETTLING):
            settled = self.fit.leaders(more, BOARDS, np.random.default_rng(ask.seed)) >= ask.level
            chances.append(float(settled.mean()))
            if chances[-1] >= assurance:
                if step == 0:
                    at = more
                else:  # between two steps, on the scale of the logarithm
                    share = (assurance - chances[-2]) / (chances[-1] - chances[-2])
                    at = SETTLING[step - 1] * (more / SETTLING[step - 1]) ** share
                chance = chances[-1] if step == 0 else assurance
                error = max(chance * (1 - chance), 1 / BOARDS) ** 0.5 / BOARDS**0.5
                return Needed(ceil(at * self.battles), chance, error)
        reached = listing([f"{integer(round(more * self.battles))} more: {chance:.2f}"
                           for more, chance in list(zip(SETTLING, chances, strict=True))[::2]], 8)  # fmt: skip
        raise NoInformation(
            f"the first may be too close: probability that the top is settled by {reached}; ask for less (assurance=)"
        )

    def win_rate(self, name: str, ask: Ask) -> float | None:
        return float(self._of(Of("win_rate", name), *self.simulated(ask)).mean())

    def next_battle(self, a: str, b: str, ask: Ask) -> str:
        """The chances of the next battle of two, in a sentence."""
        theta, nu = self.simulated(ask)
        half = (theta[:, self.place(a)] - theta[:, self.place(b)]) / 2
        z = np.exp(half) + np.exp(-half) + nu
        won, tied, lost = (float((it / z).mean()) for it in (np.exp(half), nu, np.exp(-half)))
        tie = f", ties with {tied:.2f}" if self.counts.all_ties else ""
        return f"In their next battle {a} beats {b} with probability {won:.2f}{tie} and loses with {lost:.2f}."

    # -- what is held equal --------------------------------------------------------------------------------------------

    @property
    def styles(self) -> tuple[str, ...]:
        """What the answers of a battle differ in, as far as it is known: length and the like."""
        return self.styled.names

    @property
    def control(self) -> tuple[str, ...]:
        return self.styled.control

    @cached_property
    def counts(self) -> Battles:
        """By pair, whoever was shown first, as many as they are worth."""
        return self._counted(self.control)

    @cached_property
    def fit(self) -> BattleFit:
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

    @property
    def _controlled(self) -> str:
        if not self.control:
            return ""
        effects = "; ".join(self._worth(name, *pair) for name, pair in self.effects.items())
        changed = self._moved(self._held_equal(())[0], self.fit.strengths) or "no rank would differ"
        return f"At equal {listing(self.control)}: {effects}. Without this {changed}."

    @property
    def _style(self) -> str:
        for name in self.styles:
            if name in self.control or not self.styled.cells.scales[self.styles.index(name)]:
                continue
            strengths, effects = self._held_equal((*self.control, name))
            moved, (mean, error) = self._moved(strengths, self.fit.strengths), effects[-1].tolist()
            if moved and abs(mean) > CLEAR * error:
                worth = self._worth(name, mean, error)
                return f"{worth[:1].upper()}{worth[1:]}; at equal {name} {moved} (--control {name})."
        return ""

    # -- what helps a reader ----------------------------------------------------------------------------------

    @cached_property
    def notes(self) -> tuple[str, ...]:
        about = (self._lone, self._pieces, self._controlled, self._style, self._position, self._circles)
        return tuple(filter(None, (*self._notes, *about)))

    @property
    def _lone(self) -> str:
        lone = [name for name, met in zip(self.models, self.counts.met.sum(1), strict=True) if not met]
        if not lone:
            return ""
        return f"No battle of {listing(lone, 6)} counts; what is known of them is what models like these are like."

    @cached_property
    def pieces(self) -> tuple[tuple[str, ...], ...]:
        """Models that met, directly or by way of others."""
        from scipy.sparse.csgraph import connected_components  # a tenth of a second to load

        number, piece = connected_components(self.counts.met > 0, directed=False)
        return tuple(tuple(np.array(self.models)[piece == at].tolist()) for at in range(number))

    @property
    def _pieces(self) -> str:
        parts = [piece for piece in self.pieces if len(piece) > 1]
        if len(parts) < 2:
            return ""
        words = "; ".join(listing(piece, 4) for piece in parts[:4])
        return (
            f"The models are in {len(parts)} groups that never met ({words}); only inside a group do battles tell who "
            "is better."
        )

    @cached_property
    def _residual_parts(self) -> tuple[Floats, Floats]:
        """P(i wins) - P(j wins) at the most probable strengths, and the variance of a score."""
        return self.fit.battles.expected(self.fit.centre, self.fit.nu)

    @cached_property
    def position(self) -> tuple[float, float] | None:
        """Advantage of the model that is shown first, in points of Elo, with its standard error."""
        if PLACE in self.control or not (self.ordered and self.a_wins.any() and self.b_wins.any()):
            return None
        size, error = self._held_equal((*self.control, PLACE))[1][-1].tolist()
        return size, error

    @property
    def _position(self) -> str:
        if self.position is None:
            return ""
        size, error = self.position
        low, high = (size + z * error * float(ndtri(0.975)) for z in (-1, 1))
        if low <= 0 <= high:
            return ""
        which = "first" if size > 0 else "second"
        ends = sorted((abs(low), abs(high)))
        return (
            f"The model shown {which} has an advantage of {abs(size):.0f} points ({ends[0]:.0f} to {ends[1]:.0f}); "
            "show each model in both places equally often, or --control position."
        )

    @property
    def _circles(self) -> str:
        """Pairs whose results strengths alone do not explain, and the triple that is furthest from a line."""
        gap, variance = self._residual_parts
        known = self.counts.met * variance
        excess = self.counts.wins + self.counts.ties / 2 - self.counts.met * (1 + gap) / 2
        seen = np.triu(known >= 1, 1)
        freedom = int(seen.sum()) - len(self.models) + 1
        if freedom < 1:
            return ""
        p = float(chdtrc(freedom, (excess[seen] ** 2 / known[seen]).sum()))
        if p >= IN_CIRCLES:
            return ""
        line = f"Who beats whom is not a matter of one strength each (P of a fit this bad {probability(p)})"
        if len(self.models) > MOST_IN_TRIPLES:
            return f"{line}."
        known = np.where(known >= 1, known, np.nan)
        shift, spread = excess / known, 1 / known
        triples = np.array(list(combinations(range(len(self.models)), 3)))
        if not len(triples):
            return f"{line}."
        i, j, k = triples.T
        turn = shift[i, j] + shift[j, k] + shift[k, i]
        size = np.nan_to_num(turn / np.sqrt(spread[i, j] + spread[j, k] + spread[k, i]))
        at = int(np.argmax(np.abs(size)))
        names = [self.models[m] for m in (triples[at] if size[at] > 0 else triples[at][::-1])]
        return f"{line}; furthest off are {names[0]} over {names[1]} over {names[2]} over {names[0]}."

    def __repr__(self) -> str:
        return f"<Votes: {several(self.battles, 'battle')}, {several(len(self.models), 'model')}>"


def _rate(difference: Floats, nu: Floats) -> Floats:
    """Win rate, ties as halves, at a difference of log strengths."""
    wins, losses = np.exp(difference / 2), np.exp(-difference / 2)
    rate: Floats = (wins + nu / 2) / (wins + losses + nu)
    return rate
