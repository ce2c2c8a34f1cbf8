"""Two ROC or precision-recall curves: how far apart they are at every point, and where surely."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, get_args

import numpy as np

from howsure.answers.sheet import Record, Sheet
from howsure.comparison.score_comparing import compare_scores, sources_of
from howsure.comparison.score_comparison import ScoreComparison
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument
from howsure.errors.arguments import one_of
from howsure.laws.draw_settings import SEED, checked_draws, checked_seed
from howsure.laws.law import KIND, LEVEL, Kind, checked_kind, checked_level
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.curve_bands import SLACK, pointwise, simultaneous
from howsure.numerics.curves.curve_numbers import false_rate_at, precision_at, true_rate_at
from howsure.numerics.curves.curve_weights import DrawnRates
from howsure.posterior.scored_cases import ScoresKnowledge, ScoresPosterior
from howsure.posterior.scores_together import ScoresMember
from howsure.text import formats
from howsure.text.svg import threshold_band

__all__ = ["AXES", "PAIR_DRAWS", "CurveComparison", "compare_curves"]

What = Literal["roc", "precision_recall"]

#: Places where the curves are compared, evenly from 0 to 1.
STEPS = 100

#: Random curves of each.
PAIR_DRAWS = 4_000

#: Stretches that a sentence names.
MOST_STRETCHES = 3

#: Places of the table that is read.
SHOWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)

#: Names of both axes, and of the area.
AXES = {
    "roc": ("false positive rate", "true positive rate", "roc_auc"),
    "precision_recall": ("recall", "precision", "average_precision"),
}


FIELDS = """
what names labels level draws seed x a b observed low high band_low band_high stretches[low=0 high=1 higher=2] area
verdict=sentence notes
"""


@dataclass(frozen=True, repr=False, eq=False)
class CurveComparison(Record, json="compare_curves", fields=FIELDS):
    """The curve of A minus that of B at every point; made by `compare_curves`.

    Attributes
    ----------
    what : "roc" or "precision_recall"
    x : tuple of float
        False positive rates, or recalls: 0.01 to 1.
    a, b : tuple of float
        True positive rates, or precisions, of the cases.
    low, high : tuple of float
        Central intervals of a minus b at each point by itself.
    band_low, band_high : tuple of float
        The band that holds all of the difference with probability ``level``.
    area : ScoreComparison
        Of the areas under both.
    labels : (str, str)
        The negative and the positive class.
    level : float
        Of intervals and band.
    draws, seed : int

    Examples
    --------
    >>> import howsure as hs
    >>> both = hs.Scores([0] * 40 + [1] * 40, {"new": range(80), "old": [*range(0, 80, 2), *range(1, 81, 2)]})
    >>> made = hs.compare_curves(both, draws=500)
    >>> [(round(low, 2), round(high, 2), name) for low, high, name in made.stretches]
    [(0.06, 0.8, 'new')]
    """

    what: What
    x: tuple[float, ...]
    a: tuple[float, ...]
    b: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    band_low: tuple[float, ...]
    band_high: tuple[float, ...]
    area: ScoreComparison
    labels: tuple[str, str]
    level: float
    draws: int
    seed: int

    @property
    def names(self) -> tuple[str, str]:
        """What A and B are called."""
        return self.area.names

    @property
    def observed(self) -> tuple[float, ...]:
        """A minus B of the cases."""
        return tuple(a - b for a, b in zip(self.a, self.b, strict=True))

    @property
    def stretches(self) -> tuple[tuple[float, float, str], ...]:
        """From where to where the whole band is on one side of 0, and whose curve is higher there."""
        signs = [(low > 0) - (high < 0) for low, high in zip(self.band_low, self.band_high, strict=True)]
        found = []
        for sign, run in groupby(zip(self.x, signs, strict=True), key=lambda pair: pair[1]):
            places = [x for x, _ in run]
            if sign:
                found.append((places[0], places[-1], self.names[sign < 0]))
        return tuple(found)

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        across, up, _ = AXES[self.what]
        a, b = (formats.plain(name, 30) for name in self.names)
        level = formats.level_words(self.level)
        if not self.stretches:
            return f"Nowhere does the {level} band of the difference of both curves leave 0: {a} and {b} may be alike."
        said = []
        for name in self.names:
            places = [f"{low:.2f} to {high:.2f}" for low, high, higher in self.stretches if higher == name]
            if len(places) > MOST_STRETCHES:
                places = [*places[:MOST_STRETCHES], f"{len(places) - MOST_STRETCHES} more stretches"]
            if places:
                said.append(f"{formats.plain(name, 30)} has the higher {up} at {across}s of {' and '.join(places)}")
        return f"{'; '.join(said)}: there the whole {level} band of the difference is on one side of 0."

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        across, _, _ = AXES[self.what]
        name = formats.level_words(self.level)
        same = "the same weights for both" if self.area.paired else "separate test sets"
        found = [
            f"interval: {name} at one {across} by itself. band: all of the difference lies in it with probability "
            f"{name}.",
            f"Bayesian bootstrap, two pseudo-cases a class, {same}, {formats.integer(self.draws)} draws, seed "
            f"{self.seed}.",
        ]
        if self.what == "precision_recall":
            found.append(
                "Precision depends on how many cases are positive; their share is that of the cases, if none is stated."
            )
        return (*found, *self.area.notes)

    def sheet(self) -> Sheet:
        """Some points as cells of text."""
        across, up, _ = AXES[self.what]
        a, b = (formats.plain(name, 20) for name in self.names)
        rows = []
        for at in SHOWN:
            i = min(range(len(self.x)), key=lambda k: abs(self.x[k] - at))
            places = formats.decimals(self.low[i], self.high[i])
            rows.append((
                f"{self.x[i]:.2f}",
                *(f"{value:.3f}" for value in (self.a[i], self.b[i], self.observed[i])),
                formats.interval(self.low[i], self.high[i], places),
                formats.interval(self.band_low[i], self.band_high[i], places),
            ))  # fmt: skip
        name = formats.level_words(self.level)
        header = (across, f"{up} {a}", b, f"{a} - {b}", f"{name} interval", f"{name} band")
        return Sheet(
            self.sentence,
            header,
            tuple(rows),
            self.notes,
            about=self.area._about(),
            below=(self.area.sentence,),
            left_out=f"{formats.integer(len(self.x))} points in --json and --csv.",
            warnings=self.area.warnings,
        )

    def picture(self) -> str:
        """The difference with interval and band as SVG; the dashed line is no difference."""
        across, up, _ = AXES[self.what]
        a, b = (formats.plain(name, 12) for name in self.names)
        return threshold_band(
            self.x,
            (self.band_low, self.observed, self.band_high),
            inner=(self.low, self.high),
            others=[("", [0.0] * len(self.x))],
            xlabel=across,
            ylabel=f"{up}, {a} - {b}",
            title=self.sentence,
        )

    def to_csv(self) -> str:
        """CSV with every point and every number in full."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        across, up, _ = (name.replace(" ", "_") for name in AXES[self.what])
        ends = ("low", "high", "band_low", "band_high")
        writer.writerow((across, f"{up}_a", f"{up}_b", "difference", *ends))
        columns = (self.a, self.b, self.observed, *(getattr(self, end) for end in ends))
        writer.writerows(zip(self.x, *columns, strict=True))
        return out.getvalue()


def compare_curves(
    scores: Scores | ScoresPosterior,
    a: Any = None,
    b: Any = None,
    what: What = "roc",
    *,
    names: tuple[str, str] | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = PAIR_DRAWS,
    seed: int = SEED,
    notes: Sequence[str] = (),
) -> CurveComparison:
    """The difference of two ROC or precision-recall curves at every point, with the band of all of it.

    Parameters
    ----------
    scores : Scores
        Two classes. Of several classifiers, which are paired; or of one, and ``a`` is that of the other, of separate
        cases.
    a, b : str, optional
        Two of the classifiers; the only two if left out.
    what : "roc" or "precision_recall"
    names : (str, str), optional
        What two separate classifiers are called.
    level, kind : float, "hdi" or "central"
        Of the bands, and the kind of the interval of the areas' difference.
    draws, seed : int
        Random curves of each.
    notes : sequence of str
        Sentences about the data.

    Returns
    -------
    CurveComparison

    Raises
    ------
    InvalidArgument
        More than two classes, one classifier, names that are not there; as in `howsure.compare`.

    Notes
    -----
    Random curves share the weights of cases and pseudo-cases, as in `compare`, so what both get wrong cancels. The band
    is the envelope of ranks of Besag et al. 1995. Empirical curves have steps, which do not cancel: most bands of
    true differences of smooth scores hold more than they say (docs/validity.md).

    Examples
    --------
    >>> import howsure as hs
    >>> both = hs.Scores([0] * 9 + [1] * 9, {"new": range(18), "old": [*range(4, 13), *range(9, 18)]})
    >>> made = hs.compare_curves(both, "new", "old", "precision_recall", draws=500)
    >>> made.area.metric, made.stretches
    ('average_precision', ((0.01, 0.99, 'new'),))
    """
    one_of(what, get_args(What), "what")
    level, kind, seed = checked_level(level), checked_kind(kind), checked_seed(seed)
    checked_draws(draws)
    given = [x for x in (scores, a, b) if x is not None]
    if given and isinstance(given[0], Scores | ScoresPosterior) and len(given[0].labels) > 2:
        raise InvalidArgument("compare_curves() is about two classes; say scores.one_vs_rest(label) first")
    sources, _ = sources_of(given, names)
    x = np.arange(1, STEPS + 1) / STEPS
    first, second = _drawn(sources, x, what, draws, seed)
    gap = first - second
    low, high = pointwise(gap, level)
    # rates of smooth scores differ where all cases of both are found; precisions move there with each false alarm
    slack = 0.0 if what != "roc" or not gap.any() else _slack(sources, draws, seed)
    band_low, band_high = simultaneous(gap - slack, gap + slack, level)
    seen = [_observed(source, x, what) for source in sources]
    area = compare_scores(
        given, AXES[what][2], names, {}, rope=None, level=level, kind=kind, draws=5 * draws, seed=seed, notes=notes
    )
    negative, positive = sources[0].scores.labels
    return CurveComparison(
        what,
        x=_plain(x),
        a=_plain(seen[0]),
        b=_plain(seen[1]),
        low=_plain(low),
        high=_plain(high),
        band_low=_plain(np.minimum(band_low, low)),
        band_high=_plain(np.maximum(band_high, high)),
        area=area,
        labels=(negative, positive),
        level=level,
        draws=draws,
        seed=seed,
    )


def _slack(sources: tuple[ScoresKnowledge, ScoresKnowledge], draws: int, seed: int) -> Floats:
    """A twentieth of a case, on average, up and down; shape (M, 1)."""
    cases = min(source.problem.weighing[0] for source in sources)
    return np.asarray(np.random.default_rng([seed, 9]).standard_gamma(SLACK, (draws, 1)) / cases)


def _plain(values: Floats) -> tuple[float, ...]:
    return tuple(values.tolist())


def _drawn(
    sources: tuple[ScoresKnowledge, ScoresKnowledge],
    x: Floats,
    what: What,
    draws: int,
    seed: int,
) -> tuple[Floats, Floats]:
    """Heights of the random curves of both, shape (M, G) each."""
    held: tuple[list[Floats], list[Floats]] = [], []
    for which, rates in _curves(sources, draws, seed):
        held[which].append(_heights(rates, x, what))
    first, second = (np.concatenate(each) for each in held)
    return first, second


def _curves(
    sources: tuple[ScoresKnowledge, ScoresKnowledge], draws: int, seed: int
) -> Iterator[tuple[int, DrawnRates]]:
    one = sources[0]
    if isinstance(one, ScoresMember) and one.test_set is sources[1].test_set:
        yield from one.together.curves(draws, seed)
        return
    for which, source in enumerate(sources):
        for rates in source.problem.curves(draws, [seed, which], source.prevalence):
            yield which, rates


def _heights(rates: DrawnRates, x: Floats, what: What) -> Floats:
    if what == "roc":
        return true_rate_at(rates.true, rates.false, x)
    return precision_at(x, false_rate_at(rates.true, rates.false, x), rates.odds)


def _observed(source: ScoresKnowledge, x: Floats, what: What) -> Floats:
    problem, share = source.problem, source.prevalence
    odds = problem.odds if share is None else (1 - share) / share
    rates = DrawnRates(problem.blocks.true_rate[None, :], problem.blocks.false_rate[None, :], np.array([odds]))
    return np.asarray(_heights(rates, x, what)[0])
