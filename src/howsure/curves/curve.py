"""A ROC or precision-recall curve as an answer: its points, two bands, and the area under it."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Literal

from howsure.answers.law_summary import interval_cells
from howsure.answers.sheet import Answered, Ask, Sheet
from howsure.curves.cut_tables import turned_words
from howsure.laws.law import Kind
from howsure.posterior.distribution import Distribution
from howsure.text import formats
from howsure.text.svg import rising

__all__ = ["COLUMNS", "FEW_POSITIVES", "Curve", "area_sentence", "area_warnings"]

#: Of a curve: the axis, what was observed, and both bands.
COLUMNS = ("x", "observed", "low", "high", "band_low", "band_high")

#: Below so many cases of a class intervals are known to be short where scores are skewed.
FEW_POSITIVES = 30

#: Points of the table that is read; all of them are in JSON and CSV.
SHOWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 0.9)

#: Names of both axes.
AXES = {
    "roc": ("false positive rate", "true positive rate"),
    "precision_recall": ("recall", "precision"),
}


FIELDS = """
what labels sizes prevalence level x observed low high band_low band_high area(observed *law) draws seed
verdict=sentence warnings notes
"""


@dataclass(frozen=True, repr=False, eq=False)
class Curve(Answered, json="curve", fields=FIELDS):
    """A curve over all thresholds with its bands; made by `roc_curve` and `precision_recall_curve`.

    Attributes
    ----------
    what : "roc" or "precision_recall"
    x : tuple of float
        False positive rates, or recalls: 0.01 to 1.
    observed : tuple of float
        True positive rate, or precision, of the cases.
    low, high : tuple of float
        Central intervals at each point by itself.
    band_low, band_high : tuple of float
        The band that holds all of the curve with probability ``level``.
    area : Distribution
        Of ``roc_auc``, or of ``average_precision``.
    labels : (str, str)
        The negative and the positive class.
    sizes : (int, int)
        Cases of each.
    prevalence : float or None
        Stated share of the positive class.
    level, kind : float, "hdi" or "central"
        Of the bands, and the kind of the interval of the area.
    draws, seed : int
        Behind the bands.
    """

    what: Literal["roc", "precision_recall"]
    x: tuple[float, ...]
    observed: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    band_low: tuple[float, ...]
    band_high: tuple[float, ...]
    area: Distribution
    labels: tuple[str, str]
    sizes: tuple[int, int]
    prevalence: float | None
    ask: Ask

    @property
    def axes(self) -> tuple[str, str]:
        """What both axes are."""
        return AXES[self.what]

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return area_sentence(self.area, self.labels, self.level, self.kind)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        name = formats.level_words(self.level)
        across, up = self.axes
        found = [
            f"interval: {name} at one {across} by itself. band: all of the curve lies in it with probability {name}.",
            f"Bayesian bootstrap of {formats.several(sum(self.sizes), 'case')}, two pseudo-cases a class, "
            f"{formats.integer(self.draws)} draws.",
        ]
        if self.what == "precision_recall":
            share = (
                "their share is that of the cases, and as uncertain"
                if self.prevalence is None
                else f"their share is stated: {self.prevalence:g}"
            )
            found.insert(1, f"{up.capitalize()} depends on how many cases are positive; {share}.")
        return tuple(found)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return area_warnings(self.area, self.labels, self.sizes)

    def sheet(self) -> Sheet:
        """Some points as cells of text."""
        across, up = self.axes
        shown = [min(range(len(self.x)), key=lambda i: abs(self.x[i] - at)) for at in SHOWN]
        rows = []
        for i in dict.fromkeys(shown):
            places = formats.decimals(self.low[i], self.high[i])
            rows.append(
                (
                    f"{self.x[i]:.2f}",
                    f"{self.observed[i]:.3f}",
                    formats.interval(self.low[i], self.high[i], places),
                    formats.interval(self.band_low[i], self.band_high[i], places),
                )
            )
        name = formats.level_words(self.level)
        header = (across, up, f"{name} interval", f"{name} band")
        left = f"{formats.integer(len(self.x))} points in --json and --csv."
        return Sheet(self.sentence, header, tuple(rows), self.notes, left_out=left, warnings=self.warnings)

    def picture(self, *, width: float | None = None) -> str:
        """The curve with both bands as SVG; with a width, one in which a hand moves a point."""
        across, up = self.axes
        positive = self.sizes[1] / sum(self.sizes) if self.prevalence is None else self.prevalence
        chance = ((0.0, 0.0), (1.0, 1.0)) if self.what == "roc" else ((0.0, positive), (1.0, positive))
        bands = ((self.band_low, self.band_high), (self.low, self.high))
        said = self.sentence
        return rising(self.x, self.observed, bands, chance=chance, axes=(across, up), title=said, width=width)

    def to_csv(self) -> str:
        """CSV with every point and every number in full."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        across, up = (name.replace(" ", "_") for name in self.axes)
        writer.writerow((across, up, *COLUMNS[2:]))
        writer.writerows(zip(*(getattr(self, name) for name in COLUMNS), strict=True))
        return out.getvalue()


def area_sentence(area: Distribution, labels: tuple[str, ...], level: float, kind: Kind) -> str:
    """What an area says, in a sentence for someone who has never seen a curve."""
    mean, ends = interval_cells(area.law, level, kind)
    said = f"{mean} ({formats.interval_name(kind, level)} {ends})"
    negative, positive = (formats.plain(repr(label)) for label in labels)
    if area.metric == "roc_auc":
        pairs = formats.number(100 * area.mean, 0)
        return (
            f"ROC AUC is {said}: of a case of {positive} and one of {negative}, the first has the higher score in "
            f"about {pairs} of 100 such pairs."
        )
    chance = 0.0 if area.chance is None else area.chance
    return (
        f"Average precision is {said}, where scores that say nothing have {chance:.2g}: the mean share of {positive} "
        "among the cases predicted so, over thresholds."
    )


def area_warnings(area: Distribution, labels: tuple[str, ...], sizes: tuple[int, ...]) -> tuple[str, ...]:
    """What would mislead a reader of an area."""
    found = []
    negative, positive = (formats.plain(repr(label)) for label in labels)
    if area.metric == "roc_auc" and area.observed is not None and area.observed < 0.5:
        found.append(turned_words(labels[1]))
    for size, name in ((sizes[1], positive), (sizes[0], negative)):
        if size < FEW_POSITIVES:
            found.append(
                f"there are only {formats.several(size, 'case')} of {name}. With 10 and 20 of them, 95% intervals of "
                "the area contained the truth in 92% to 100% of simulated tests (docs/validity.md, Curves of scores)."
            )
            break
    return tuple(found)
