"""A gate by slice: the candidate may be worse than the baseline in no slice by more than a margin; `gate_slices`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack

import numpy as np

from howsure.answers.asking import Showing, spelled
from howsure.answers.sheet import Sheet
from howsure.data.predictions import Predictions
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Ask
from howsure.metrics import Measure, Metric
from howsure.questions.gate_answer import MARKS, junit
from howsure.questions.gate_rule import Verdict, checked_margin, checked_probability, prior_decides, refuse_wide_margin
from howsure.questions.slices_of_two import (
    COLUMNS,
    SHOWN,
    BySlice,
    SliceDifference,
    cells_of,
    header_of,
    named,
    paired_cells,
    picture_of,
    slice_differences,
    small_print,
)
from howsure.text import formats


@dataclass(frozen=True)
class GatedSlice:
    """One slice at the gate.

    Attributes
    ----------
    difference : SliceDifference
        Candidate minus baseline.
    p_fail : float
        Probability that the candidate is worse here by more than the margin.
    p_alone : float
        Probability, by its own cases, that it is not; exact.
    by_borrowing : bool
        Whether more than half of the distance from the margin to the mean is what the other slices moved it, away from
        what its own cases show; or whether there is no case. Then this slice fails nothing.
    """

    difference: SliceDifference
    p_fail: float
    p_alone: float
    by_borrowing: bool

    @property
    def name(self) -> str:
        """Values of the slice."""
        return self.difference.name


FIELDS = """
verdict sentence metric margin min_prob p_pass decides borrowed n level candidate=names.0 baseline=names.1 by
interval=kind draws seed slices=rows[*difference p_fail p_not_worse_alone=p_alone by_borrowing] notes
"""
CSV = f"rows[*difference({COLUMNS}) p_fail p_not_worse_alone=p_alone]"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class SliceGate(BySlice, json="gate_slices", fields=FIELDS, csv=CSV):
    """Whether a candidate is worse in no slice; made by `gate_slices`.

    Attributes
    ----------
    names, by, metric, borrowed, n, level, kind, draws, seed, notes
        As in `howsure.questions.slices_of_two.BySlice`; the candidate is the first of the names.
    margin, min_prob : float
        What was asked.
    verdict : "pass", "fail" or "inconclusive"
    p_pass : float
        Joint probability that it is worse by more than the margin in no slice.
    decides : str
        The slice that decides: most probably worse by more than the margin, or whose own cases speak least against it.
    rows : tuple of GatedSlice
        The most dangerous slice first.

    Examples
    --------
    >>> from howsure import Predictions, gate_slices
    >>> both = Predictions([1] * 900, {"a": [1] * 900, "b": [1, 1, 0] * 300})
    >>> gate_slices(both, "a", "b", by=["x", "y", "z"] * 300, margin=0.05).verdict
    'pass'
    """

    margin: float
    min_prob: float
    verdict: Verdict
    p_pass: float
    decides: str
    rows: tuple[GatedSlice, ...]

    @property
    def passed(self) -> bool:
        """Whether the verdict is "pass"."""
        return self.verdict == "pass"

    @property
    def sentence(self) -> str:
        """The verdict, and the slice that decides."""
        one, other = (formats.plain(name, 40) for name in self.names)
        by = f" by more than {self.margin:g}" if self.margin else ""
        surely = formats.probability(self.p_pass, self.draws)
        claim = f"{one} is worse than {other} in {self.metric}{by} in no slice ({self._slices})"
        row = self[self.decides]
        here, danger = formats.plain(self.decides, 30), formats.probability(row.p_fail, self.draws)
        known = formats.estimate(row.difference.mean, row.difference.low, row.difference.high)
        if self.verdict == "pass":
            return (
                f"Pass: {claim} with probability {surely} (the gate asks for {self.min_prob:g}). The least sure is "
                f"{here}: {known}."
            )
        if self.verdict == "fail":
            failed = [each.name for each in self.rows if _fails(each, self.min_prob)]
            rest = f" So is it in {named(failed[1:])}." if len(failed) > 1 else ""
            return (
                f"Fail: {one} is worse than {other} in {self.metric}{by} in slice {here} with probability {danger} "
                f"(the gate fails from {self.min_prob:g}): {known}.{rest}"
            )
        if self.p_pass >= self.min_prob:
            own = f"shows it on its own cases with probability {formats.probability(row.p_alone)} only"
            if row.difference.observed is None:
                own = "has no case"
            why = f", but slice {here} {own}, and the gate asks each slice for {self.min_prob:g}."
        else:
            why = (
                f"; the gate asks for {self.min_prob:g}. Slice {here} decides: worse{by} with probability {danger}, "
                f"{known}."
            )
        return f"Inconclusive: that {claim} has probability {surely}{why}"

    def _sheet(self, most: int) -> Sheet:
        """The slices nearest to failing."""
        header = header_of(self.names[0], self.kind, self.level, borrowed=self.borrowed)
        return Sheet(
            self.sentence,
            (*header, "P(fail)"),
            tuple(
                (
                    *cells_of(row.difference, self.draws, borrowed=self.borrowed),
                    formats.probability(row.p_fail, self.draws) + (" *" if row.by_borrowing else ""),
                )
                for row in self.rows[:most]
            ),
            (*small_print(self.borrowed, self.draws, self.seed), self._footnote(most)),
            about=f"Paired: {formats.several(self.n, 'case')} answered by both. Gate: non-inferiority in every slice, "
            f"margin {self.margin:g}, min-prob {self.min_prob:g}.",
            left_out=self._left_out(most),
            remarks=self.notes,
            mark=MARKS[self.verdict],
        )

    def _footnote(self, most: int) -> str:
        starred = any(row.by_borrowing for row in self.rows[:most])
        star = " *: more than half of the way from the margin is what the other slices say." if starred else ""
        return (
            "It passes where the joint probability of all slices and that of each by its own cases reach min-prob, and "
            f"fails where one slice has P(fail) that high: that the candidate is worse there by more than the "
            f"margin.{star}"
        )

    def picture(self) -> str:
        """Differences of the slices nearest to failing as SVG."""
        title = f"{self.metric}, {self.names[0]} minus {self.names[1]}, by slice: {self.verdict}"
        return picture_of([row.difference for row in self.rows[:SHOWN]], title)

    def to_junit(self, on_inconclusive: Literal["warn", "fail", "pass"] = "warn") -> str:
        """JUnit XML with one test case; what is inconclusive is skipped, a failure, or a success."""
        return junit([(f"{self.metric} in no slice worse", self.verdict, self.sentence)], on_inconclusive)

    def __repr__(self) -> str:
        return f"<SliceGate: {self.sentence}>"


@spelled(Showing)
def gate_slices(
    predictions: Predictions,
    candidate: str,
    baseline: str,
    *,
    by: Any,
    margin: float = 0.0,
    metric: str | Metric | Measure | None = None,
    min_prob: float = 0.95,
    notes: Sequence[str] = (),
    **how: Unpack[Showing],
) -> SliceGate:
    """Decide whether a candidate is worse than a baseline in no slice: pass, fail, or inconclusive.

    Parameters
    ----------
    predictions, by, metric, level, kind, seed, notes
        As in `compare_slices`.
    candidate, baseline : str
        The classifiers.
    margin : float
        0 or more, in units of the metric: worse by so much is accepted in a slice.
    min_prob : float
        Probability from which the gate decides, above 0.5 and below 1.

    Raises
    ------
    InvalidArgument
        Numbers out of range, and whatever `compare_slices` refuses.

    Notes
    -----
    It passes where the joint probability that no slice is worse by more than the margin reaches ``min_prob``, so that
    having looked at every slice is in it, and where each slice by its own cases reaches it, too: borrowing never makes
    a pass, and of one slice that is at the margin no more than about 5% of passes are false (an intersection-union
    test: Berger 1982, Technometrics 24: 295). It fails where that one slice is worse has this probability, unless more
    than half of the distance between the margin and its mean is what the other slices moved it.

    Examples
    --------
    >>> from howsure import Predictions
    >>> truth, place = [0, 1] * 300, ["north", "south", "west"] * 200
    >>> new = [1 - t if p == "west" and i % 4 else t for i, (t, p) in enumerate(zip(truth, place))]
    >>> both = Predictions(truth, {"new": new, "old": [1 - t if i % 10 == 0 else t for i, t in enumerate(truth)]})
    >>> made = gate_slices(both, "new", "old", by=place, margin=0.05)
    >>> made.verdict, made.decides
    ('fail', 'west')
    """
    ask = Ask.of(how)
    margin, min_prob = checked_margin(margin), checked_probability(min_prob)
    cells = paired_cells(predictions, candidate, baseline, by, metric, "gate_slices")
    refuse_wide_margin(margin, cells.measure.name, cells.measure.metric.range)
    found = slice_differences(cells, ask, margin)
    rows = [
        GatedSlice(row, float(p), float(own), _pulled(row, cells.sign, margin, borrowed=found.borrowed))
        for row, p, own in zip(found.rows, found.p_beyond, found.p_alone, strict=True)
    ]
    rows.sort(key=lambda each: (-each.p_fail, cells.sign * each.difference.mean, each.name))
    failing = [each for each in rows if _fails(each, min_prob)]
    # a slice that only others speak for holds a pass up; it is named where nothing else does
    unclear = min(rows, key=lambda each: each.p_alone)
    verdict: Verdict = "inconclusive"
    decides = unclear if unclear.p_alone < min_prob <= found.p_above else rows[0]
    if failing:
        verdict, decides = "fail", failing[0]
    elif found.p_above >= min_prob and unclear.p_alone >= min_prob:
        verdict = "pass"
    return SliceGate(
        names=(candidate, baseline), by=cells.by, metric=cells.measure.name, margin=margin, min_prob=min_prob,
        verdict=verdict, p_pass=found.p_above, decides=decides.name, rows=tuple(rows), borrowed=found.borrowed,
        n=cells.n, ask=replace(ask, draws=found.draws), notes=(*predictions.notes, *sentences(notes)),
    )  # fmt: skip


def _fails(row: GatedSlice, min_prob: float) -> bool:
    return row.p_fail >= min_prob and not row.by_borrowing


def _pulled(row: SliceDifference, sign: float, margin: float, *, borrowed: bool) -> bool:
    """Whether what is known of a slice is mostly what the others say."""
    if row.observed is None:
        return True
    distance, pull = sign * row.mean + margin, sign * (row.mean - row.observed)
    return borrowed and prior_decides(distance, pull) and bool(np.isfinite(distance))
