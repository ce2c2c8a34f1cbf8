"""Balanced accuracy over class and stratum: what is left of it when a second variable cannot help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from howsure.answers.sheet import Record, Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.data.slices import Slices
from howsure.io.counting.result import Counts, held_slices
from howsure.laws import Law
from howsure.laws.law import KIND, LEVEL, Kind, checked_kind, checked_level
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior, fixed_default, resolve_prior
from howsure.text import formats
from howsure.units.slice_answers import StratumCells

#: A cell, and the keys of the answer.
CELL = "class=label stratum right cases weight"
FIELDS = (
    "by=slices.by n=slices.n interval=kind weights shares mean low high observed empty prior level route "
    f"raw(mean=0 low=1 high=2) bounds dropped cells[{CELL}]"
)

#: Cells of class by stratum in a table.
SHOWN = 20

#: Weight of cells without a case, and shift of the mean by the prior in sds, from which a reader is warned.
MUCH_EMPTY, MUCH_SHIFTED = 0.1, 0.5

Ends = tuple[float, float, float]

plain = partial(formats.plain, limit=30)


class Cell(NamedTuple):
    """One class in one stratum."""

    label: str
    stratum: str
    right: int
    cases: int
    weight: float


@dataclass(frozen=True, repr=False, eq=False)
class Stratified(Record, json="stratified", fields=FIELDS, csv=f"cells[{CELL}]"):
    """Balanced accuracy over class and stratum, next to the raw one; made by `stratified`.

    Attributes
    ----------
    slices : Slices
        The strata.
    weights : "equal", "pooled" or "stated"
        Of the strata.
    shares : dict of str to float
        Weight of each stratum within a class, before cells without a case left.
    law : Law
        Of the balanced accuracy over class and stratum.
    mean, low, high : float
    observed : float
        On the raw counts, cells without a case left out.
    raw : tuple of float
        Mean and both ends of the balanced accuracy of all cases together, whatever their stratum.
    empty : float
        Weight that rests on a class without a case in a stratum, where the prior stands for its recall.
    bounds : tuple of float or None
        Lower end with these recalls at 0, upper end with these recalls at 1; None where there are none.
    dropped : tuple of (str, str)
        Classes and strata without a case that left the estimand.
    prior, level, kind
        Of all numbers.
    route : str
        "exact", or "approximate" of a learned prior.

    Examples
    --------
    >>> import howsure as hs
    >>> tables = {name: hs.ConfusionMatrix([[k, n - k], [n - k, k]]) for name, k, n in [("a", 86, 90), ("b", 1, 10)]}
    >>> hs.stratified(tables).observed
    0.5277777777777778
    """

    slices: Slices
    weights: str
    shares: dict[str, float]
    law: Law
    mean: float
    low: float
    high: float
    observed: float
    raw: Ends
    empty: float
    bounds: tuple[float, float] | None
    dropped: tuple[tuple[str, str], ...]
    prior: str
    level: float
    kind: Kind
    route: str
    _strata: StratumCells

    def sheet(self) -> Sheet:
        """The cells as text, and sentences."""
        ends = formats.interval_name(self.kind, self.level)
        rows = []
        for label, stratum, right, cases, weight in self.cells[:SHOWN]:
            names, counts = map(plain, (label, stratum)), map(formats.integer, (right, cases))
            recall = formats.number(right / cases, 3) if cases else "no case"
            rows.append((*names, *counts, recall, formats.number(weight, 3)))
        more = len(self.cells) - SHOWN
        shown = formats.estimate(self.mean, self.low, self.high)
        small = (
            f"Weights of the strata: {self.weights}, the same in each class. Observed {self.observed:.3f}. Prior "
            f"{self.prior} of each recall, {self.route}."
        )
        return Sheet(
            f"balanced accuracy over class and stratum{self._by()}: {shown} {ends}; "
            f"{formats.estimate(*self.raw)} with the strata left aside.",
            ("class", "stratum", "right", "cases", "recall", "weight"), tuple(rows), (small,), words=frozenset({1}),
            left_out=f"and {formats.several(more, 'cell')} more; CSV and JSON have all." if more > 0 else "",
            below=self._findings(), warnings=self._warnings(),
        )  # fmt: skip

    @property
    def cells(self) -> list[Cell]:
        """Every class in every stratum."""
        made = self._strata
        return [
            Cell(label, name, int(made.k[i, j]), int(made.n[i, j]), float(made.weight[i, j]))
            for j, name in enumerate(self.slices.names)
            for i, label in enumerate(self.slices.labels)
        ]

    def _by(self) -> str:
        columns = ", ".join(map(plain, self.slices.by))
        strata = "1 stratum" if len(self.slices) == 1 else f"{formats.integer(len(self.slices))} strata"
        return f" ({strata} by {columns})" if columns else f" ({strata})"

    def _findings(self) -> tuple[str, ...]:
        said = []
        if self.bounds is not None:
            said.append(
                f"{100 * self.empty:.3g}% of the weight rests on a class without a case in a stratum, where the prior "
                f"stands for the recall; with these recalls at 0 or at 1 the interval would reach from "
                f"{formats.parts(None, *self.bounds)[1]}."
            )
        if self.dropped:
            named = [f"{plain(label)} in {plain(name)}" for label, name in self.dropped[:5]]
            more = len(self.dropped) - len(named)
            rest = f" and {more} more" if more else ""
            said.append(f"Left out for want of cases, so that this is another question: {', '.join(named)}{rest}.")
        return tuple(said)

    def _warnings(self) -> tuple[str, ...]:
        said = []
        if self.empty > MUCH_EMPTY:
            said.append(
                "more than a tenth of the weight rests on the prior alone; ask for cases of these classes there"
            )
        sd = self.law.sd
        if sd > 0 and abs(self.mean - self.observed) > MUCH_SHIFTED * sd and self.prior != "learned":
            said.append(
                f"the prior moved the mean by {(self.mean - self.observed) / sd:+.1f} of its own standard deviations, "
                "for the cells are small; prior 'learned' lets the strata of a class learn from each other"
            )
        return tuple(said)


def stratified(
    slices: Slices | Counts | Mapping[str, ConfusionMatrix],
    weights: Literal["equal", "pooled"] | Mapping[str, float] = "equal",
    *,
    empty: Literal["keep", "drop", "error"] = "keep",
    prior: str | Prior | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
) -> Stratified:
    """Balanced accuracy over class and stratum: the mean of the recalls of every class in every stratum.

    Parameters
    ----------
    slices : Slices, Counts or mapping of str to ConfusionMatrix
        The strata: cases by a second variable, such as site, device or sex.
    weights : "equal", "pooled" or mapping of str to float
        Of the strata, the same in each class: 1/S each; their shares of all cases, which takes away what the classifier
        owes to the association of class and stratum (direct standardisation); or a number for each stratum.
    empty : "keep", "drop" or "error"
        What is done about a class without a case in a stratum: the prior stands for its recall, and the weight and
        bounds of that are said; the other strata of the class take its weight; it is refused.
    prior : str or Prior, optional
        Of each recall; "calibrated" of two classes, "jeffreys" from three on, if left out. "learned" learns a
        population of each class over the strata.
    level, kind
        Of the intervals.

    Returns
    -------
    Stratified
        With the balanced accuracy of all cases together next to it. Both are in [0, 1].

    Raises
    ------
    InvalidArgument, UnknownPrior
        Weights that do not fit the strata, a word that is none of those above, a cell without a case where that is
        refused.
    NoInformation
        A class without a case in any stratum that has a weight.

    Notes
    -----
    With w_is >= 0 that add to 1, ``sum_is w_is theta_is`` is a sum of independent Betas, and exact (Brodersen et al.
    2010, equation 7, with class by stratum in the place of class).

    Examples
    --------
    >>> import howsure as hs
    >>> tables = {name: hs.ConfusionMatrix([[k, n - k], [n - k, k]], ["healthy", "ill"])
    ...           for name, k, n in [("marked", 86, 90), ("plain", 1, 10)]}
    >>> made = hs.stratified(tables, kind="central")
    >>> round(made.mean, 3), round(made.low, 3), round(made.high, 3)
    (0.548, 0.49, 0.631)
    """
    held = held_slices(slices, "stratified")
    level = checked_level(level)
    checked_kind(kind)
    size = len(held.labels)
    chosen = resolve_prior((fixed_default(size) if size == 2 else "jeffreys") if prior is None else prior, size)
    strata = StratumCells.of(held, weights, empty)
    law = strata.law(chosen)
    low, high = law.interval(level, kind)
    whole = knowledge_of(infer(held.confusion(), chosen)).of("balanced_accuracy")
    bare = float(strata.weight[strata.empty].sum())
    bounds = None
    if bare:
        bounds = strata.law(chosen, 0.0).interval(level, kind)[0], strata.law(chosen, 1.0).interval(level, kind)[1]
    share = StratumCells.of(held, weights, "keep").weight[0] * size
    mean, *ends = map(float, (whole.mean, *whole.interval(level, kind)))
    named = str(weights) if isinstance(weights, str) else "stated"
    return Stratified(
        held, named, dict(zip(held.names, share.tolist(), strict=True)), law, float(law.mean),
        float(low), float(high), strata.observed, (mean, ends[0], ends[1]), bare, bounds,
        tuple((held.labels[i], held.names[j]) for j, i in zip(*np.nonzero(strata.left.T), strict=True)),
        chosen.name, level, kind, law.route, strata,
    )  # fmt: skip
