"""A difference of two: probabilities that it is above and below 0, the loss of a wrong choice, words and picture."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from math import isinf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from howsure.answers.fields import route_words
from howsure.answers.sheet import Sheet, covered
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.knowledge.protocol import NOTHING_BESIDE, Answered, Ask, Beside, Measured
from howsure.laws import Draws, Kind, Law
from howsure.laws.law import outline
from howsure.text import formats
from howsure.text.formats import integer, plain
from howsure.text.svg import Marks, difference, three_parts
from howsure.text.svg.canvas import pixels
from howsure.text.text_table import csv_text

if TYPE_CHECKING:
    from howsure.posterior.distribution import Distribution

#: Beyond this many standard deviations from the mean an expected loss is below 1e-12 of one.
REACH = 7.0
NODES = 48


class Chances(NamedTuple):
    """Probabilities that A is better than, practically equal to, and worse than B; they add to 1."""

    better: float
    equal: float
    worse: float


class Loss(NamedTuple):
    """What choosing A, and choosing B, loses on average, in units of the metric."""

    a: float
    b: float


def chances(law: Law, rope: float | None, *, higher: bool, alike: bool = False) -> Chances:
    """Split of the probability of ``A - B`` at ``-rope`` and ``rope``; without a rope ties are split equally.

    ``alike`` where nothing tells A and B apart: then each is better as probably as the other.

    Examples
    --------
    >>> from howsure.laws import PairedDifference
    >>> [round(p, 3) for p in chances(PairedDifference([[60.5, 12.5, 5.5, 23.5]]), 0.02, higher=True)]
    [0.888, 0.098, 0.014]
    """
    width = rope or 0.0
    above, below = law.prob(above=width), law.prob(below=-width)
    between = max(0.0, 1 - above - below)
    better, worse = (above, below) if higher else (below, above)
    if not rope:
        better, between, worse = better + between / 2, 0.0, worse + between / 2
    if isinstance(law, Draws):  # draws cannot make certain
        better, worse = (min(max(p, 1 / law.n), 1 - 1 / law.n) for p in (better, worse))
        between = max(0.0, 1 - better - worse) if rope else 0.0
    if alike:
        better = worse = (1 - between) / 2
    return Chances(better, between, worse)


def losses(law: Law, *, higher: bool, alike: bool = False) -> Loss:
    """Expected loss of either choice, ``E[max(0, B - A)]`` and ``E[max(0, A - B)]`` where higher is better.

    ``alike`` where nothing tells A and B apart: then both lose the same.

    For a law with a distribution function the lighter side is integrated, within about 1e-9 standard deviations; the
    other side follows, because their difference is the mean.

    Examples
    --------
    >>> from howsure.laws import BetaSum
    >>> loss = losses(BetaSum([1, 1], [1, 1], [1, -1]), higher=True)  # two uniform rates: E|A - B| / 2 = 1 / 6
    >>> round(loss.a, 9), round(loss.b, 9)
    (0.166666667, 0.166666667)
    """
    if isinstance(law, Draws):
        up = law.expectation(lambda x: np.maximum(x, 0.0))
        down = law.expectation(lambda x: np.maximum(-x, 0.0))
    elif law.mean <= 0:
        up = _excess(law, 1)
        down = up - law.mean
    else:
        down = _excess(law, -1)
        up = down + law.mean
    if alike:
        down = up = (down + up) / 2
    return Loss(down, up) if higher else Loss(up, down)


def checked_rope(rope: float | None, reach: tuple[float, float]) -> float | None:
    """The largest difference that counts as equivalent, of a metric from one end of its reach to the other."""
    if rope is None:
        return None
    low, high = reach
    size = number(rope)
    if not 0 <= size < min(high - low, 1e300):
        hint = " (1 point is 0.01)" if size > 0 else ""
        raise InvalidArgument(
            f"rope is the largest difference that counts as equivalent, from 0 to below {high - low:g}; "
            f"not {excerpt(rope)}{hint}"
        )
    return size


def _excess(law: Law, sign: int) -> float:
    """E[max(0, sign X)] as the integral of a tail; nodes are dense at 0, where a density may be singular."""
    end = law.support[1] if sign > 0 else -law.support[0]
    top = min(end, sign * law.mean + REACH * law.sd)
    if top <= 0:
        return 0.0
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    u = (nodes + 1) / 2
    x = top * u * u
    tail = law.sf(x) if sign > 0 else law.cdf(-x)
    return float((weights * u * tail).sum()) * top


def lost(loss: float, digits: int) -> str:
    """A loss is never printed as 0: there is always some."""
    if isinf(loss):
        return "infinitely much"
    return formats.number(loss, digits) if round(loss, digits) else f"less than {10.0**-digits:g}"


def places(law: Law, level: float, kind: Kind, near: float | None = 0.0) -> int:
    """Decimals that the interval of a difference supports, and its Monte Carlo error."""
    return formats.decimals(*law.interval(level, kind), law.error if isinstance(law, Draws) else 0.0, near)


#: Points of the density.
POINTS = 121


def short_names(names: tuple[str, str]) -> tuple[str, str]:
    """Names that a picture has room for."""
    return formats.plain(names[0], 30), formats.plain(names[1], 30)


@dataclass(frozen=True, eq=False)
class Side:
    """One of two contenders, or their difference: observed, and what is known."""

    name: str
    n: int
    observed: float | None
    law: Law


class TwoSided(Answered):
    """What answers about two contenders share: probabilities, losses, a sentence, a picture, rows of a table."""

    measure: Measured
    names: tuple[str, str]
    a: Side | Distribution
    b: Side | Distribution
    rope: float | None
    paired: bool
    #: Whether nothing tells A and B apart.
    alike: bool
    #: What is sampled, in the singular.
    unit: str

    @property
    @abstractmethod
    def law(self) -> Law:
        """Of A minus B."""

    @property
    @abstractmethod
    def observed(self) -> float | None:
        """Difference on the raw counts."""

    @property
    def metric(self) -> str:
        """Name of the metric."""
        return self.measure.name

    @property
    def higher_is_better(self) -> bool:
        """Direction of the metric."""
        return self.measure.better == "higher"

    @property
    def _mean(self) -> float:
        """Mean of A minus B."""
        return self.law.mean

    @property
    def _which_groups(self) -> str:
        """Which groups the difference is about, where units come in groups."""
        return ""

    @cached_property
    def chances(self) -> Chances:
        """Probabilities that A is better than, practically equal to, and worse than B."""
        return chances(self.law, self.rope, higher=self.higher_is_better, alike=self.alike)

    @property
    def p_better(self) -> float:
        """Probability that A is better than B (by more than ``rope``, if there is one; ties split)."""
        return self.chances.better

    @property
    def p_equal(self) -> float:
        """Probability that the difference is at most ``rope``; 0 without one."""
        return self.chances.equal

    @property
    def p_worse(self) -> float:
        """Probability that A is worse than B (by more than ``rope``, if there is one; ties split)."""
        return self.chances.worse

    @cached_property
    def expected_loss(self) -> Loss:
        """What choosing A, and choosing B, loses on average, in units of the metric."""
        return losses(self.law, higher=self.higher_is_better, alike=self.alike)

    @property
    def turned(self) -> bool:
        """Whether B is ahead: then people see B minus A, so that the difference of the better one is shown."""
        return self.p_worse > self.p_better

    @property
    def ahead(self) -> tuple[str, str]:
        """The names, the one that is ahead first."""
        return self.names[::-1] if self.turned else self.names

    @cached_property
    def sentence(self) -> str:
        """Who is better, how surely, by how much, and what either choice loses; of the one that is ahead."""
        a, b = (plain(name, 40) for name in self.names)
        said, law, rope, draws = self.chances, self.law, self.rope, _draws(self.law)
        wins, loses, surely = (a, b, said.better) if said.better >= said.worse else (b, a, said.worse)
        margin = f" by more than {rope:g}" if rope else ""
        what = plain(self.measure.called)
        alike = bool(rope) and said.equal > 0.95
        within = f"(within {rope:g}) with probability {formats.probability(said.equal, draws)}" if rope else ""
        chance = formats.probability(surely, draws)
        if alike:
            text = f"{a} and {b} are practically equal in {what} {within}"
        elif abs(said.better - said.worse) < 1e-9:
            text = f"{a} and {b} are equally likely to be better in {what}{margin}"
        elif surely > 0.95:
            text = f"{wins} is better than {loses} in {what}{margin} with probability {chance}"
        else:
            text = f"That {wins} is better than {loses} in {what}{margin} has probability {chance}: not settled"
        ends, digits = law.interval(self.level, self.kind), places(law, self.level, self.kind)
        mean, low, high = (self._mean, *ends) if wins == a else (-self._mean, -ends.high, -ends.low)
        text += f". The difference {wins} - {loses} is {formats.number(mean, digits)}"
        if ends.width > 0:
            text += f" ({formats.interval_name(ends.kind, self.level)} {formats.interval(low, high, digits)})"
        about = f", about {self._which_groups}" if self._which_groups else ""
        text += f", from {f'the same {self.unit}s' if self.paired else 'separate test sets'}{about}."
        if rope and not alike:
            text += f" It is negligible {within}."
        first, second = (lost(x, digits + 1) for x in self.expected_loss)
        return f"{text} Choosing {a} loses {first} on average, choosing {b} {second}."

    @property
    def _header(self) -> tuple[str, ...]:
        kind = formats.interval_name(self.kind, self.level)
        return ("", "observed", "mean", kind, f"P({plain(self.ahead[0], 20)} better)", "method")

    @property
    def _rows(self) -> tuple[tuple[str, ...], ...]:
        """Cells of A, of B, and of the difference."""
        what = " - ".join(plain(name, 40) for name in self.ahead)
        sides = zip(self.names, (self.a, self.b), strict=True)
        return (
            *(self._cells(plain(name, 40), side.law, side.observed, side.law.mean) for name, side in sides),
            self._cells(what, self.law, self.observed, self._mean),
        )

    def _cells(self, name: str, law: Law, observed: float | None, mean: float) -> tuple[str, ...]:
        """A row of the table; of the difference, which is this law, seen from the one that is ahead."""
        between = law is self.law
        digits = places(law, self.level, self.kind, 0.0 if between else None)
        ends = law.interval(self.level, self.kind)
        low, high = ends.low, ends.high
        if between and self.turned:
            mean, low, high, observed = -mean, -high, -low, None if observed is None else -observed
        shown = formats.interval(low, high, digits) + ("" if ends.kind == self.kind else f" ({ends.kind})")
        better = formats.probability(max(self.p_better, self.p_worse), _draws(law)) if between else ""
        return (name, self._seen(observed, digits), formats.number(mean, digits), shown, better, route_words(law))

    def _seen(self, observed: float | None, digits: int) -> str:
        """What was observed, of a rate to three decimals at least."""
        return formats.number(observed, max(digits, 3))

    def _lines(self, *shared: object) -> list[tuple[object, ...]]:
        """Lines of CSV of A, of B, and of the difference, numbers in full; all end with what they share."""
        none: tuple[float | None, ...] = (None,) * 3
        what = " - ".join(self.names)
        lines = [
            (name, x.observed, x.law, x.law.mean, none) for name, x in zip(self.names, (self.a, self.b), strict=True)
        ]
        lines.append((what, self.observed, self.law, self._mean, self.chances))
        return [
            (name, self.metric, seen, mean, *law.interval(self.level, self.kind), *said, law.route, *shared)
            for name, seen, law, mean, said in lines
        ]

    def picture(self, *, width: float = 460) -> str:
        """Density of the difference as SVG, cut where it begins to matter; the dashed line is no difference."""
        law, falling = self.law, not self.higher_is_better
        a, b = short_names(self.ahead)
        x, heights = outline(law, POINTS)
        ends, digits = law.interval(self.level, self.kind), places(law, self.level, self.kind)
        mean, low, high = law.mean, ends.low, ends.high
        if self.turned:
            x, heights, mean, low, high = -x[::-1], heights[::-1], -mean, -high, -low
        words = f"{formats.number(mean, digits)} ({formats.interval(low, high, digits)})"
        sides, metric = (f"{b} is better", f"{a} is better"), plain(self.measure.called)
        interval = formats.interval_name(self.kind, self.level)
        return difference(
            x.tolist(), heights.tolist(), known=Marks(mean, low, high, falling=falling), words=words,
            rope=self.rope or 0.0, sides=sides[::-1] if falling else sides, label=f"{metric} of {a} - {b}",
            title=f"Density of {metric}, {a} minus {b}, {words}, with the {interval}; dashes at 0", width=pixels(width),
        )  # fmt: skip

    def _chances_picture(self, *, width: float = 680) -> str:
        """Probabilities that the one behind, neither, and the one ahead is better, as SVG."""
        said, rope = self.chances[::-1] if self.turned else self.chances, self.rope or 0.0
        a, b = short_names(self.ahead)
        sides = (f"{b} is better", f"within {rope:g}", f"{a} is better")
        parts = (said[2], said[1], said[0])
        words = [formats.probability(p, _draws(self.law)) if rope or i != 1 else "" for i, p in enumerate(parts)]
        told = ". ".join(f"{name}: {word}" for name, word in zip(sides, words, strict=True) if word)
        return three_parts(parts, words, sides, title=f"{told}.", width=width)


def _draws(law: Law) -> int | None:
    return law.n if isinstance(law, Draws) else None


FIELDS = """
about unit metric better=measure.better names paired prior? groups=_groups? level interval=kind rope draws seed
verdict=sentence a(name n observed *law) b(name n observed *law) difference=between(observed *law)
p_better p_equal p_worse expected_loss beside=_beside? warnings notes
"""

#: The column that holds words, the law.
WORDS = frozenset([5])

CSV = ("what", "metric", "observed", "mean", "low", "high", "p_better", "p_equal", "p_worse", "method", "level")


@dataclass(frozen=True, eq=False)
class Difference(TwoSided, json="difference", fields=FIELDS):
    """Two contenders by one metric; made by `compare` of a kind of knowledge.

    Attributes
    ----------
    about, unit, noise : str
        The data in a sentence, what is sampled, and what may be wrong with data besides.
    measure : Measured
        The metric.
    a, b, between : Side
        What is known of each, and of A minus B.
    paired : bool
        Whether both were seen on the same units.
    rope : float or None
        Differences up to this size count as equivalent.
    level, kind, draws, seed
        Of intervals and of what is drawn.
    prior : str or None
        Where one can pull a number.
    groups : tuple of int
        Groups of the units, where numbers are about new ones.
    alike : bool
        Whether nothing tells A and B apart.
    more : str
        What further units are, where that is not plain.
    beside : Beside
        What a reader should know besides.
    notes : tuple of str

    Examples
    --------
    >>> import howsure as hs
    >>> rows = [(i, name, i % 5 + more) for name, more in (("new", 0.5), ("old", 0.0)) for i in range(20)]
    >>> item, system, score = zip(*rows)
    >>> made = hs.compare(hs.Items.from_columns(item, score, system=system, range=(0, 5)))
    >>> made.between.observed, made.p_better > 0.9
    (0.5, True)
    """

    about: str
    unit: str
    measure: Measured
    a: Side
    b: Side
    between: Side
    paired: bool
    rope: float | None
    ask: Ask
    notes: tuple[str, ...] = ()
    more: str = field(default="", repr=False)
    noise: str = "wrong scores"
    prior: str | None = None
    groups: tuple[int, ...] = ()
    alike: bool = False
    beside: Beside = NOTHING_BESIDE

    @property
    def difference(self) -> Law:
        """The law of A minus B."""
        return self.law

    @property
    def names(self) -> tuple[str, str]:  # type: ignore[override]  # of the two sides
        """What A and B are called."""
        return self.a.name, self.b.name

    @property
    def law(self) -> Law:
        """Of A minus B."""
        return self.between.law

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return self.beside.warnings

    @property
    def caveats(self) -> tuple[str, ...]:
        """The same."""
        return self.warnings

    @property
    def cases(self) -> tuple[int, int]:
        """Units of both."""
        return self.a.n, self.b.n

    @property
    def observed(self) -> float | None:
        """Difference on the raw data."""
        return self.between.observed

    @property
    def _which_groups(self) -> str:
        return "new groups" if self.groups else ""

    def _seen(self, observed: float | None, digits: int) -> str:
        if observed is None and self.unit == "battle":
            return ""
        return formats.number(observed, max(digits, 3 if self.prior else 2))

    @property
    def _groups(self) -> tuple[int, ...] | None:
        return self.groups or None

    @property
    def _beside(self) -> dict[str, Any] | None:
        return dict(self.beside.keys) or None

    def sheet(self) -> Sheet:
        """Rows of A, of B and of the difference."""
        return Sheet(
            self.sentence, self._header, self._rows, (self._footnote(),), below=self.beside.below, remarks=self.notes,
            warnings=self.warnings, about=f"{self.about} {self.measure.called}: {self.measure.better} is better.",
            words=WORDS, covers=covered(self.unit, self.noise),
        )  # fmt: skip

    def _footnote(self) -> str:
        line = "Loss: expected shortfall of the choice, in units of the metric."
        if drawn := [side.law.n for side in (self.a, self.b, self.between) if isinstance(side.law, Draws)]:
            drawing = f"{integer(min(drawn))} draws, seed {self.seed}"
            line += f" simulated: {drawing}, ± Monte Carlo error of the interval's ends."
        return line

    def to_csv(self) -> str:
        """One row for each contender and for the difference; numbers in full."""
        return csv_text(CSV, self._lines(self.level))
