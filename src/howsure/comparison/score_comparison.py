"""Two classifiers by their scores, before any threshold: the answer as data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from howsure.answers.sheet import Record, Sheet
from howsure.laws import Draws, Kind, Law
from howsure.numerics.curves.area_difference import AreaTest
from howsure.posterior.distribution import Distribution
from howsure.posterior.score_measures import ScoreMeasure
from howsure.questions.differences import Chances, Decided, Loss, chances, difference_picture, losses, places, sentence
from howsure.text import formats
from howsure.text.formats import integer, plain, several
from howsure.text.text_table import csv_text

__all__ = ["ScoreComparison"]

CSV = (
    *("what", "metric", "observed", "mean", "low", "high"),
    *("p_better", "p_equal", "p_worse", "law", "prior", "paired", "level"),
)

#: With fewer cases of a class than this a note is due.
FEW = 30


FIELDS = """
metric better=measure.metric.better names paired cases=sizes groups prior level interval=kind rope draws seed
verdict=sentence a=_a b=_b difference=_difference p_better p_equal p_worse expected_loss narrowing delong=_delong
warnings notes
"""


@dataclass(frozen=True, eq=False)
class ScoreComparison(Decided, Record, json="compare_scores", fields=FIELDS):
    """Two classifiers by a number of their scores; made by `compare` of `Scores`.

    Attributes
    ----------
    names : (str, str)
        What A and B are called.
    measure : ScoreMeasure
        What they are compared by.
    a, b : Distribution
        What is known about each alone.
    difference : Distribution
        A minus B.
    paired : bool
        Whether both scored the same cases; otherwise the test sets are separate.
    sizes : tuple of int
        Cases of A's test set and of B's.
    least : int
        Cases of the smallest class, or groups that have one.
    groups : tuple of int
        Groups of either test set; none where cases are separate.
    rope : float or None
        Differences up to this size are practically nil.
    level, kind : float, str
        Probability and kind of the intervals.
    draws, seed : int
    classical : AreaTest or None
        DeLong's test, of the areas of two classes and of cases without groups.
    alike : bool
        Whether nothing tells A and B apart.
    remarks : tuple of str
        Sentences about the data, which become notes.

    Examples
    --------
    >>> import howsure as hs
    >>> both = hs.Scores([0] * 30 + [1] * 30, {"new": range(60), "old": [*range(20, 50), *range(30, 60)]})
    >>> made = hs.compare(both, metric="roc_auc", draws=4000)
    >>> made.p_better > 0.99, made.paired
    (True, True)
    """

    names: tuple[str, str]
    measure: ScoreMeasure
    a: Distribution
    b: Distribution
    difference: Distribution
    paired: bool
    sizes: tuple[int, ...]
    least: int
    groups: tuple[int, ...]
    rope: float | None
    level: float
    kind: Kind
    draws: int
    seed: int
    classical: AreaTest | None = None
    alike: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def metric(self) -> str:
        """Name of the measure."""
        return self.measure.name

    @property
    def higher_is_better(self) -> bool:
        """Direction of the metric."""
        return self.measure.metric.better == "higher"

    @property
    def prior(self) -> str:
        """Name of the prior of both."""
        return self.a.prior

    @property
    def observed(self) -> float | None:
        """Difference on the cases themselves."""
        a, b = self.a.observed, self.b.observed
        return None if a is None or b is None else a - b

    @cached_property
    def chances(self) -> Chances:
        """Probabilities that A is better than, practically equal to, and worse than B."""
        return chances(self.difference.law, self.rope, higher=self.higher_is_better, alike=self.alike)

    @cached_property
    def expected_loss(self) -> Loss:
        """What choosing A, and choosing B, loses on average, in units of the metric."""
        return losses(self.difference.law, higher=self.higher_is_better, alike=self.alike)

    @cached_property
    def narrowing(self) -> float | None:
        """Width of the interval as if the test sets were separate, over its width (by sds); None for separate ones."""
        apart = (self.a.sd**2 + self.b.sd**2) ** 0.5
        return apart / self.difference.sd if self.paired and self.difference.sd > 0 else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        found = []
        for name, x in zip(self.names, (self.a, self.b), strict=True):
            chance = x.chance
            below = None if chance is None or x.observed is None else x.observed - chance
            if below is not None and (below < 0) == self.higher_is_better and below != 0:
                found.append(
                    f"{plain(name, 40)} does worse than scores that say nothing ({self.metric} {x.observed:.3f}). "
                    "Nothing is turned round; if its low scores stand for the positive class, change their sign."
                )
        if self.least < FEW:
            what = "groups that have a case of it" if self.groups else "cases"
            found.append(
                f"the smallest class has {self.least} {what}: with fewer than {FEW} an interval of skewed scores says "
                "somewhat more than it should."
            )
        return tuple(found)

    @property
    def notes(self) -> tuple[str, ...]:
        """What helps a reader."""
        about = ("Cases come in groups: weights are those of groups, and numbers are about new groups.",)
        return (*self.remarks, *(about if self.groups else ()))

    @cached_property
    def sentence(self) -> str:
        """The answer in plain words."""
        about = "new groups" if self.groups else ""
        return sentence(
            self.names, self.metric, self.difference.law, self.difference.mean, self.chances, self.expected_loss,
            rope=self.rope, level=self.level, kind=self.kind, paired=self.paired, about=about,
        )  # fmt: skip

    @property
    def _a(self) -> dict[str, Any]:
        return {"observed": self.a.observed, **self._numbers(self.a.law)}

    @property
    def _b(self) -> dict[str, Any]:
        return {"observed": self.b.observed, **self._numbers(self.b.law)}

    @property
    def _difference(self) -> dict[str, Any]:
        return {"observed": self.observed, **self._numbers(self.difference.law)}

    @property
    def _delong(self) -> dict[str, Any] | None:
        test = self.classical
        if test is None:
            return None
        plain = {name: getattr(test, name) for name in ("difference", "standard_error", "z", "p_value", "df")}
        return {**plain, "interval": test.interval(self.level)}

    def _numbers(self, law: Law) -> dict[str, Any]:
        ends = law.interval(self.level, self.kind)
        return {
            "mean": law.mean,
            "median": law.median,
            "sd": law.sd,
            "low": ends.low,
            "high": ends.high,
            "interval": ends.kind,
            "error": law.interval_error(self.level, ends.kind) if isinstance(law, Draws) else law.error,
        }

    def to_csv(self) -> str:
        """CSV, one row for each classifier and for the difference; numbers in full."""
        shared = (self.prior, "yes" if self.paired else "no", self.level)
        rows: list[tuple[object, ...]] = [
            (name, self.metric, x.observed, x.mean, *x.interval(self.level, self.kind), *[None] * 3, x.route, *shared)
            for name, x in zip(self.names, (self.a, self.b), strict=True)
        ]
        numbers = self.observed, self.difference.mean, *self.difference.interval(self.level, self.kind), *self.chances
        rows.append((" - ".join(self.names), self.metric, *numbers, self.difference.route, *shared))
        return csv_text(CSV, rows)

    def sheet(self) -> Sheet:
        """Rows of A, of B and of the difference; DeLong's test below."""
        kind, better = formats.interval_name(self.kind, self.level), f"P({plain(self.names[0], 20)} better)"
        law = self.difference.law
        p_better = formats.probability(self.p_better, law.n if isinstance(law, Draws) else None)
        a, b = (plain(name, 40) for name in self.names)
        rows = (
            self._cells(a, self.a.law, self.a.observed, ""),
            self._cells(b, self.b.law, self.b.observed, ""),
            self._cells(f"{a} - {b}", law, self.observed, p_better),
        )
        notes = (
            f"Bayesian bootstrap, two pseudo-cases a class{', the same weights for both' if self.paired else ''}, "
            f"{integer(self.draws)} draws, seed {self.seed}. Loss: expected shortfall of the choice, in units of the "
            "metric. The numbers cover the sampling of cases only; not label noise, leakage or drift, nor a threshold "
            "or model that was chosen on these cases.",
        )
        return Sheet(
            self.sentence,
            ("", "observed", "mean", kind, better),
            rows,
            notes,
            about=self._about(),
            below=self._below(),
            warnings=self.warnings,
            remarks=self.notes,
        )

    def _cells(self, name: str, law: Law, observed: float | None, better: str) -> tuple[str, ...]:
        digits, ends = places(law, self.level, self.kind), law.interval(self.level, self.kind)
        shown = formats.interval(*ends, digits) + ("" if ends.kind == self.kind else f" ({ends.kind})")
        return name, formats.number(observed, max(digits, 3)), formats.number(law.mean, digits), shown, better

    def _about(self) -> str:
        sizes = [integer(n) for n in self.sizes]
        what = (
            f"Paired: {several(self.sizes[0], 'case')} scored by both"
            if self.paired
            else f"Not paired: separate test sets of {' and '.join(sizes)} cases"
        )
        if self.groups:
            what += f", in {' and '.join(map(integer, self.groups))} groups"
        return f"{what}. Prior: {self.prior}. {plain(self.metric)}: {self.measure.metric.better} is better."

    def _below(self) -> tuple[str, ...]:
        found = []
        if self.narrowing is not None:
            found.append(f"As separate test sets the interval would be {self.narrowing:.1f} times as wide.")
        test = self.classical
        if test is not None:
            name = "Paired DeLong test" if self.paired else "DeLong test"
            if test.z is None or test.p_value is None:
                found.append(f"{name}: the difference of the observed areas has no variance, so there is no z.")
            else:
                ends = formats.interval(*test.interval(self.level), 3)
                statistic = f"z {test.z:.2f}" if test.df is None else f"t {test.z:.2f} (df {test.df:.1f})"
                found.append(
                    f"{name}: {statistic}, p {formats.probability(test.p_value, None)} (two-sided), difference "
                    f"{test.difference:.3f} ({formats.level_words(self.level)} confidence {ends})."
                )
        return tuple(found)

    def picture(self) -> str:
        """Density of A minus B as SVG, cut where a difference begins to matter; the dashed line is no difference."""
        shown = partial(difference_picture, self.difference.law, self.names, self.metric, level=self.level)
        return shown(kind=self.kind, falling=not self.higher_is_better, rope=self.rope or 0.0, width=460)

    def __repr__(self) -> str:
        return f"<ScoreComparison: {self.sentence}>"
