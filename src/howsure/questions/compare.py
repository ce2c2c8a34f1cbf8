"""``compare`` of any kind of knowledge: which of two contenders is better, how surely, what a wrong choice loses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from howsure.answers.law_summary import route_words
from howsure.answers.sheet import Sheet, covered
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.errors.arguments import items, sentences
from howsure.knowledge.folds import FoldScores
from howsure.knowledge.protocol import NOTHING_BESIDE, Answered, Ask, Beside, Knowledge, Measured, Of
from howsure.laws import Draws, Kind, Law
from howsure.laws.law import KIND, LEVEL
from howsure.questions.differences import (
    Chances,
    Decided,
    Loss,
    chances,
    checked_rope,
    difference_picture,
    losses,
    places,
    sentence,
)
from howsure.text import formats
from howsure.text.formats import integer, plain
from howsure.text.text_table import csv_text

__all__ = ["Difference", "Side", "TwoSided", "compare", "compare_algorithms", "drawn_difference"]


@dataclass(frozen=True, eq=False)
class Side:
    """One of two contenders, or their difference: observed, and what is known."""

    name: str
    n: int
    observed: float | None
    law: Law


class TwoSided(Decided, Answered):
    """What answers about two contenders share: probabilities, losses, a picture, and cells of a table."""

    names: tuple[str, str]
    rope: float | None

    @property
    @abstractmethod
    def law(self) -> Law:
        """Of A minus B."""

    @property
    @abstractmethod
    def higher_is_better(self) -> bool:
        """Direction of the metric."""

    @property
    @abstractmethod
    def _called(self) -> str:
        """The word for the metric."""

    @property
    def _alike(self) -> bool:
        """Whether nothing tells A and B apart."""
        return False

    @property
    def _least(self) -> int:
        """Decimals of what was observed, at least: three of a rate."""
        return 3

    @cached_property
    def chances(self) -> Chances:
        """Probabilities that A is better than, practically equal to, and worse than B."""
        return chances(self.law, self.rope, higher=self.higher_is_better, alike=self._alike)

    @cached_property
    def expected_loss(self) -> Loss:
        """What choosing A, and choosing B, loses on average, in units of the metric."""
        return losses(self.law, higher=self.higher_is_better, alike=self._alike)

    @property
    def _header(self) -> tuple[str, ...]:
        kind = formats.interval_name(self.kind, self.level)
        return ("", "observed", "mean", kind, f"P({plain(self.ahead[0], 20)} better)", "method")

    @property
    def turned(self) -> bool:
        """Whether B is ahead: then people see B minus A, so that the difference of the better one is shown."""
        return self.p_worse > self.p_better

    @property
    def ahead(self) -> tuple[str, str]:
        """The names, the one that is ahead first."""
        return self.names[::-1] if self.turned else self.names

    def _cells(self, name: str, law: Law, observed: float | None, mean: float | None = None) -> tuple[str, ...]:
        """A row of the table; of the difference, which is this law, seen from the one that is ahead."""
        between = law is self.law
        digits = places(law, self.level, self.kind, 0.0 if between else None)
        ends = law.interval(self.level, self.kind)
        mean, low, high = law.mean if mean is None else mean, ends.low, ends.high
        if between and self.turned:
            mean, low, high, observed = -mean, -high, -low, None if observed is None else -observed
        shown = formats.interval(low, high, digits) + ("" if ends.kind == self.kind else f" ({ends.kind})")
        better = formats.probability(max(self.p_better, self.p_worse), _draws(law)) if between else ""
        return (
            name,
            self._observed(observed, digits),
            formats.number(mean, digits),
            shown,
            better,
            route_words(law),
        )

    def _observed(self, observed: float | None, digits: int) -> str:
        return formats.number(observed, max(digits, self._least))

    def picture(self, *, width: float = 460) -> str:
        """Density of the difference as SVG, cut where it begins to matter; the dashed line is no difference."""
        return drawn_difference(self, width=width)


def drawn_difference(made: TwoSided, *, width: float = 460) -> str:
    """Density of the difference as SVG, as wide as is asked; from the one that is ahead."""
    return difference_picture(
        made.law, made.ahead, made._called, falling=not made.higher_is_better, rope=made.rope or 0.0, level=made.level,
        kind=made.kind, width=width, turned=made.turned,
    )  # fmt: skip


def _draws(law: Law) -> int | None:
    return law.n if isinstance(law, Draws) else None


FIELDS = """
about unit metric better=measure.better names paired prior? groups=_groups? level interval=kind rope draws seed
verdict=sentence a(name n observed *law) b(name n observed *law) difference=between(observed *law)
p_better p_equal p_worse expected_loss beside=_beside? warnings notes
"""

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
    def metric(self) -> str:
        """Name of the metric."""
        return self.measure.name

    @property
    def _called(self) -> str:
        """The word for the metric."""
        return self.measure.called

    @property
    def higher_is_better(self) -> bool:
        """Direction of the metric."""
        return self.measure.better == "higher"

    @property
    def law(self) -> Law:
        """Of A minus B."""
        return self.between.law

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return self.beside.warnings

    @property
    def _alike(self) -> bool:
        return self.alike

    @property
    def _least(self) -> int:
        return 3 if self.prior else 2

    def _observed(self, observed: float | None, digits: int) -> str:
        return "" if observed is None and self.unit == "battle" else super()._observed(observed, digits)

    @property
    def _groups(self) -> tuple[int, ...] | None:
        return self.groups or None

    @property
    def _beside(self) -> dict[str, Any] | None:
        return dict(self.beside.keys) or None

    @cached_property
    def sentence(self) -> str:
        """The answer in plain words."""
        return sentence(
            self.names, self._called, self.law, self.law.mean, self.chances, self.expected_loss, rope=self.rope,
            level=self.level, kind=self.kind, paired=self.paired, about="new groups" if self.groups else "",
        ).replace("the same cases", f"the same {self.unit}s")  # fmt: skip

    def sheet(self) -> Sheet:
        """Rows of A, of B and of the difference."""
        sides = (self.a, self.b, self.between)
        names = (*self.names, " - ".join(plain(name, 40) for name in self.ahead))
        rows = tuple(
            self._cells(plain(name, 80), side.law, side.observed) for name, side in zip(names, sides, strict=True)
        )
        return Sheet(
            self.sentence, self._header, rows, (self._footnote(),), below=self.beside.below, warnings=self.warnings,
            about=f"{self.about} {self._called}: {self.measure.better} is better.", remarks=self.notes,
            words=frozenset([5]),
            covers=covered(self.unit, self.noise),
        )  # fmt: skip

    def _footnote(self) -> str:
        line = "Loss: expected shortfall of the choice, in units of the metric."
        if drawn := [side.law.n for side in (self.a, self.b, self.between) if isinstance(side.law, Draws)]:
            drawing = f"{integer(min(drawn))} draws, seed {self.seed}"
            line += f" simulated: {drawing}, ± Monte Carlo error of the interval's ends."
        return line

    def to_csv(self) -> str:
        """One row for each contender and for the difference; numbers in full."""
        rows: list[Sequence[object]] = []
        for side in (self.a, self.b, self.between):
            said = tuple(self.chances) if side is self.between else (None,) * 3
            ends = side.law.interval(self.level, self.kind)
            rows.append(
                (side.name, self.metric, side.observed, side.law.mean, *ends, *said, side.law.route, self.level)
            )
        return csv_text(CSV, rows)


def compare(
    known: Knowledge,
    a: str | None = None,
    b: str | None = None,
    metric: str | None = None,
    *,
    rope: float | None = None,
    ask: Ask | None = None,
    notes: Sequence[str] = (),
) -> Difference:
    """Compare two contenders by one metric, whatever the kind of data.

    Parameters
    ----------
    known : Knowledge
    a, b : str, optional
        Two contenders; they can be left out where there are just two.
    metric : str, optional
        One that it has; the usual one if left out.
    rope : float, optional
        Differences up to this size, in units of the metric, count as equivalent.
    ask : Ask, optional
        Level and kind of the intervals, draws and seed.
    notes : sequence of str
        Sentences to carry along.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> old = [5, 4, 5, 4, 4, 3, 5, 5, 3, 5]
    >>> rows = [(i, "new", x) for i, x in enumerate([5, 5, 5, 4, 5, 3, 5, 5, 4, 5])]
    >>> item, system, score = zip(*rows, *((i, "old", x) for i, x in enumerate(old)))
    >>> made = compare(Items.from_columns(item, score, system=system, range=(1, 5)))
    >>> made.names, round(made.p_better, 4)
    (('new', 'old'), 0.9228)
    """
    measure = known.metric(metric)
    ask = known.asking(measure, ask or known.ask())
    if measure.better == "neither":
        raise InvalidArgument(f"{measure.name} is neither better high nor low, so nobody wins")
    first, second = (Of(measure.name, name) for name in known.two(a, b))
    between = known.law(first - second, ask)
    low, high = measure.limits
    beside = known.beside(first - second, ask)
    sides, said = [], [*sentences(notes), *known.notes, *beside.notes]
    for of in (first, second):
        try:
            law = known.law(of, ask)
        except NoInformation as refusal:
            raise NoInformation(f"{plain(of.name, 40)}: {refusal}") from None
        sides.append(Side(of.name, known.size(of.name), known.observed(of), law))
    title = f"{plain(first.name, 40)} - {plain(second.name, 40)}"
    return Difference(
        about=known.about, unit=known.unit, measure=measure, a=sides[0], b=sides[1],
        between=Side(title, min(side.n for side in sides), known.observed(first - second), between),
        paired=known.paired, rope=checked_rope(rope, (low, high)), ask=ask,
        notes=tuple(dict.fromkeys(said)), noise=known.noise, prior=known.prior or None,
        groups=known.groups((first.name, second.name)), alike=known.alike(first.name, second.name),
        beside=beside,
    )  # fmt: skip


def compare_algorithms(
    a: Any,
    b: Any,
    *,
    folds: int | None = None,
    test_share: float | None = None,
    rope: float | None = None,
    names: Sequence[str] = ("A", "B"),
    level: float = LEVEL,
    kind: Kind = KIND,
) -> Difference:
    """Compare two algorithms by their scores in the same folds: the Bayesian correlated t-test.

    Parameters
    ----------
    a, b : array_like, shape (m,), or mapping
        Scores of both algorithms in the same m splits, in the same order; higher is better. Or what scikit-learn's
        ``cross_validate`` gives, whose ``test_score`` is read.
    folds : int
        Folds of one pass, 2 or more; the scores are one pass or several. For k-fold cross-validation.
    test_share : float
        Share of the cases that one split tests, for splits of another kind; one of ``folds`` and ``test_share``.
    rope : float, optional
        Differences up to it count as equivalent.
    names : (str, str)
        What the algorithms are called.
    level, kind
        Of the intervals.

    Returns
    -------
    Difference

    Raises
    ------
    InvalidArgument
        Scores that are not numbers, not as many of both, fewer than two, or not whole passes.
    NoInformation
        All differences are the same, so they have no spread to learn from.

    Notes
    -----
    ``delta ~ mean + sqrt((1/m + rho/(1 - rho)) var) t(m - 1)`` with ``rho`` the share that one split tests (Nadeau and
    Bengio 2003; Corani and Benavoli 2015, equation 8; Benavoli et al. 2017).

    Examples
    --------
    >>> a = [0.82, 0.85, 0.80, 0.88, 0.84, 0.86, 0.81, 0.83, 0.87, 0.85]
    >>> b = [0.80, 0.84, 0.80, 0.85, 0.82, 0.86, 0.80, 0.80, 0.85, 0.84]
    >>> made = compare_algorithms(a, b, folds=10)
    >>> round(made.p_better, 3), round(made.law.mean, 3), [round(x, 3) for x in made.law.interval()]
    (0.993, 0.015, [0.004, 0.026])
    """
    titles = items(names, "names", "those of both algorithms")
    if len(titles) != 2 or not all(isinstance(x, str) and x.strip() for x in titles) or titles[0] == titles[1]:
        raise InvalidArgument(f"names= are those of both algorithms, not {excerpt(names)}")
    known = FoldScores(dict(zip(titles, (a, b), strict=True)), folds=folds, test_share=test_share)
    return compare(known, *titles, rope=rope, ask=known.ask(level, kind))
