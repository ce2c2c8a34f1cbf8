"""``compare`` of any kind of knowledge: which of two contenders is better, how surely, what a wrong choice loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from howsure.answers.law_summary import interval_cells
from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument, NoInformation
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Ask, Knowledge, Measured, Of
from howsure.laws import Draws, Kind, Law
from howsure.questions.chances import Chances, Decided, Loss, chances, checked_rope, losses
from howsure.questions.comparison_sentence import sentence
from howsure.questions.difference_picture import difference_picture
from howsure.text import formats
from howsure.text.formats import integer, plain
from howsure.text.text_table import csv_text

__all__ = ["Difference", "Side", "compare"]


@dataclass(frozen=True, eq=False)
class Side:
    """One of two contenders, or their difference: observed, and what is known."""

    name: str
    n: int
    observed: float | None
    law: Law


FIELDS = """
about unit metric better=measure.better names paired level interval=kind rope draws seed verdict=sentence
a(name n observed *law) b(name n observed *law) difference=between(observed *law) p_better p_equal p_worse expected_loss
notes
"""

CSV = ("what", "metric", "observed", "mean", "low", "high", "p_better", "p_equal", "p_worse", "law", "level")


@dataclass(frozen=True, eq=False)
class Difference(Decided, Record, json="difference", fields=FIELDS):
    """Two contenders by one metric; made by `compare` of a kind of knowledge.

    Attributes
    ----------
    about, unit : str
        The data in a sentence, and what is sampled.
    measure : Measured
        The metric.
    a, b, between : Side
        What is known of each, and of A minus B.
    paired : bool
        Whether both were seen on the same units.
    rope : float or None
        Differences up to this size are practically nil.
    level, kind, draws, seed
        Of intervals and of what is drawn.
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
    level: float
    kind: Kind
    draws: int
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, str]:
        """What A and B are called."""
        return self.a.name, self.b.name

    @property
    def metric(self) -> str:
        """Name of the metric."""
        return self.measure.name

    @property
    def higher_is_better(self) -> bool:
        """Direction of the metric."""
        return self.measure.better == "higher"

    @property
    def law(self) -> Law:
        """Of A minus B."""
        return self.between.law

    @cached_property
    def chances(self) -> Chances:
        """Probabilities that A is better than, practically equal to, and worse than B."""
        return chances(self.law, self.rope, higher=self.higher_is_better)

    @cached_property
    def expected_loss(self) -> Loss:
        """What choosing A, and choosing B, loses on average, in units of the metric."""
        return losses(self.law, higher=self.higher_is_better)

    @cached_property
    def sentence(self) -> str:
        """The answer in plain words."""
        return sentence(
            self.names, self.measure.called, self.law, self.law.mean, self.chances, self.expected_loss,
            rope=self.rope, level=self.level, kind=self.kind, paired=self.paired,
        ).replace("the same cases", f"the same {self.unit}s")  # fmt: skip

    def sheet(self) -> Sheet:
        """Rows of A, of B and of the difference."""
        kind = formats.interval_name(self.kind, self.level)
        number = self.law.n if isinstance(self.law, Draws) else None
        rows = [self._cells(side, "") for side in (self.a, self.b)]
        rows.append(self._cells(self.between, formats.probability(self.p_better, number)))
        header = ("", "observed", "mean", kind, f"P({plain(self.a.name, 20)} better)", "law")
        return Sheet(
            self.sentence, header, tuple(rows), (self._footnote(),),
            about=f"{self.about} {self.measure.called}: {self.measure.better} is better.", remarks=self.notes,
            words=frozenset([5]),
        )  # fmt: skip

    def _cells(self, side: Side, better: str) -> tuple[str, ...]:
        mean, ends = interval_cells(side.law, self.level, self.kind)
        places = formats.decimals(*side.law.interval(self.level, self.kind))
        law = f"drawn ±{side.law.error:.1g}" if isinstance(side.law, Draws) else side.law.route
        sign = "+" if side is self.between and (side.observed or 0) > 0 else ""
        return plain(side.name, 80), sign + formats.number(side.observed, max(places, 2)), mean, ends, better, law

    def _footnote(self) -> str:
        line = (
            "Loss: expected shortfall of the choice, in units of the metric. The numbers cover the sampling of "
            f"{self.unit}s only; not wrong scores, leakage or drift."
        )
        if drawn := [side.law.n for side in (self.a, self.b, self.between) if isinstance(side.law, Draws)]:
            drawing = f"{integer(min(drawn))} draws, seed {self.seed}"
            line += f" drawn: {drawing}, ± Monte Carlo error of the interval's ends."
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

    def picture(self, *, width: float = 460) -> str:
        """Density of A minus B as SVG, cut where a difference begins to matter; the dashed line is no difference."""
        return difference_picture(
            self.law, self.names, self.measure.called, falling=not self.higher_is_better, rope=self.rope or 0.0,
            level=self.level, kind=self.kind, width=width,
        )  # fmt: skip


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
        Differences up to this size, in units of the metric, are practically nil.
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
    ask, measure = ask or known.ask(), known.metric(metric)
    if measure.better == "neither":
        raise InvalidArgument(f"{measure.name} is neither better high nor low, so nobody wins")
    first, second = (Of(measure.name, name) for name in known.two(a, b))
    between = known.law(first - second, ask)
    low, high = measure.limits
    sides, said = [], [*known.notes, *sentences(notes)]
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
        paired=known.paired, rope=checked_rope(rope, (low, high)), level=ask.level, kind=ask.kind, draws=ask.draws,
        seed=ask.seed, notes=tuple(dict.fromkeys(said)),
    )  # fmt: skip
