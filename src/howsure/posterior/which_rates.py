"""What may be carried over from a calibration: its rates, its predictive values, both, or neither; and to what.

The table of a calibration and a few true labels among the new cases say how alike the two are. Bayes factors of one set
of rates for both against one for each, with half a case in every cell beforehand, have a closed form; nothing is
selected by them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from scipy.special import gammaln

from howsure.answers.law_summary import law_row
from howsure.answers.sheet import Record, Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.data.positive import positive_or_last
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import flag
from howsure.laws.law import KIND, LEVEL
from howsure.numerics.arrays import Floats, Integers
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.json_envelope import envelope
from howsure.text.svg import forest

__all__ = ["PooledCalibrations", "WhichRates", "pool_calibrations", "which_rates"]

#: A Bayes factor above it speaks for, one below its inverse against; between them nobody can tell.
TELLING = 3.0


def same_rather_than_own(tables: Sequence[Integers]) -> float:
    """Log Bayes factor: rows of all tables from one vector of shares each, against one for each table.

    Parameters
    ----------
    tables : sequence of ndarray, shape (R, V) each
        Counts; the shares of each row are Dirichlet(1/2, ..., 1/2) beforehand.

    Examples
    --------
    >>> calibration, target = np.array([[80, 20], [15, 85]]), np.array([[8, 2], [6, 34]])
    >>> round(same_rather_than_own([calibration, target]), 1), round(same_rather_than_own([calibration.T, target.T]), 1)
    (3.3, -1.2)
    """
    evidence = [_log_evidence(np.asarray(table, dtype=float)) for table in tables]
    return float((_log_evidence(np.sum(tables, axis=0, dtype=float)) - np.sum(evidence, axis=0)).sum())


def _log_evidence(table: Floats) -> Floats:
    """Log of the multivariate beta function of each row and half a case a cell, over that of no case, shape (R,)."""
    half = np.full(table.shape, 0.5)
    return np.asarray(_log_beta(table + half) - _log_beta(half))


def _log_beta(alphas: Floats) -> Floats:
    return np.asarray(gammaln(alphas).sum(axis=-1) - gammaln(alphas.sum(axis=-1)))


def in_words(log_factor: float) -> str:
    """A Bayes factor as people say it.

    Examples
    --------
    >>> in_words(3.3), in_words(-1.2), in_words(0.2)
    ('for, 27 to 1', 'against, 3 to 1', 'cannot tell, 1.2 to 1')
    """
    size = math.exp(min(abs(log_factor), 700.0))
    odds = formats.integer(round(float(f"{size:.2g}"))) if size < 1e6 else f"{size:.0e}"
    if size <= TELLING:
        return f"cannot tell, {size:.1f} to 1"
    return f"{'for' if log_factor > 0 else 'against'}, {odds} to 1"


@dataclass(frozen=True, repr=False, eq=False)
class WhichRates(Record):
    """What speaks for carrying rates or predictive values over to new cases; made by `which_rates`, selects nothing.

    Attributes
    ----------
    metric : str
        The prevalence that the answers are about.
    calibration_cases, target_cases, target_labels : int
        Cases of the calibration, of the target, and those of the target whose truth is known.
    verdicts : tuple of str
        The verdicts, in the order of the classes of the calibration.
    here, there : tuple of float
        Their shares in the calibration and in the target.
    rates, predictive_values, shares : float
        Natural logarithms of Bayes factors, the same in both against one for each: of verdicts given the truth, of
        truths given the verdict, and of the verdicts alone.
    own : Distribution or None
        By the target alone, its verdicts and its labels; None where it has no label.
    carried : Distribution
        With the rates of the calibration.
    predicted : Distribution
        With its predictive values, for comparison: wrong wherever the prevalence is another one.
    """

    metric: str
    calibration_cases: int
    target_cases: int
    target_labels: int
    verdicts: tuple[str, ...]
    here: tuple[float, ...]
    there: tuple[float, ...]
    rates: float
    predictive_values: float
    shares: float
    own: Distribution | None
    carried: Distribution
    predicted: Distribution

    @property
    def _upshot(self) -> str:
        if self.rates < -math.log(TELLING):
            return " The rates do not carry over."
        both = min(self.rates, self.predictive_values) > math.log(TELLING)
        return " These labels cannot tell which." if both else ""

    def sheet(self) -> Sheet:
        """The answers, with what speaks for each."""
        rows = [
            ("rates of the calibration", *_cells(self.carried), in_words(self.rates)),
            ("predictive values of the calibration", *_cells(self.predicted), in_words(self.predictive_values)),
        ]
        if self.own is not None:
            labels = formats.several(self.target_labels, "label")
            rows.insert(0, (f"the target alone, {labels}", *_cells(self.own), "needs nothing of the calibration"))
        shares = "; ".join(
            f"{formats.plain(x, 30)} {100 * a:.3g} % there, {100 * b:.3g} % in the calibration"
            for x, a, b in list(zip(self.verdicts, self.there, self.here, strict=True))[:12]
        )
        notes = [
            f"Shares of verdicts: {shares}. The same in both: {in_words(self.shares)}.",
            "Bayes factors: one set of shares for both tables against one for each, half a case a cell beforehand. "
            f"They say what the {formats.several(self.target_labels, 'label')} of the target tell, and choose nothing. "
            "Predictive values move with the prevalence, and are shown for comparison only.",
        ]
        if self.shares > math.log(TELLING):
            alike = "The shares are alike, so both readings agree within their intervals; the choice hardly matters."
            notes.insert(1, alike)
        return Sheet(
            f"Rates: {in_words(self.rates)}. Predictive values: {in_words(self.predictive_values)}.{self._upshot}",
            ("by", formats.plain(self.metric), formats.interval_name(KIND, LEVEL), "same in both"),
            tuple(rows),
            tuple(notes),
            words=frozenset([3]),
        )

    def picture(self) -> str:
        """The answers side by side, as SVG."""
        known = {"the target alone": self.own, "rates": self.carried, "predictive values": self.predicted}
        rows = [law_row(name, each.law, LEVEL, KIND) for name, each in known.items() if each is not None]
        return forest(rows, title=f"{self.metric} by the target alone, by rates and by predictive values carried over")

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: format ``howsure/1``, kind ``which_rates``."""
        return {
            **envelope("which_rates"),
            "metric": self.metric,
            "calibration_cases": self.calibration_cases,
            "target_cases": self.target_cases,
            "target_labels": self.target_labels,
            "verdict_shares": {
                "target": dict(zip(self.verdicts, self.there, strict=True)),
                "calibration": dict(zip(self.verdicts, self.here, strict=True)),
            },
            "log_bayes_factors": {
                "rates": self.rates,
                "predictive_values": self.predictive_values,
                "shares": self.shares,
            },
            "answers": {
                name: None if known is None else _numbers(known)
                for name, known in (("own", self.own), ("carried", self.carried), ("predicted", self.predicted))
            },
        }


def which_rates(calibration: ConfusionMatrix, target: ConfusionMatrix, prior: str | Prior | None = None) -> WhichRates:
    """What speaks for carrying the rates of a calibration over to new cases, by a few labels among these.

    Parameters
    ----------
    calibration : ConfusionMatrix
        Truth and verdict of every case.
    target : ConfusionMatrix
        The new cases: their verdicts, and the truth of some of them (``unlabelled=``).
    prior : str or Prior, optional
        Of the rates, as in `infer`.

    Returns
    -------
    WhichRates
        Three Bayes factors and the answers side by side. Nothing is chosen: where the target has 30 labels or more,
        ``infer(target)`` needs no calibration.

    Raises
    ------
    InvalidArgument
        What is no ConfusionMatrix, other classes or verdicts in the two, a calibration with gaps.

    Notes
    -----
    Log Bayes factors are sums over the rows of ln B(C + T + 1/2) - ln B(C + 1/2) - ln B(T + 1/2) + ln B(1/2), with
    the multivariate beta function B, counts C of the calibration and T of the labelled target; of the verdicts alone
    T is all of the target.

    Examples
    --------
    >>> calibration = ConfusionMatrix([[80, 20], [15, 85]], labels=["fail", "pass"])
    >>> target = ConfusionMatrix([[8, 2], [6, 34]], labels=["fail", "pass"], unlabelled={"fail": 286, "pass": 664})
    >>> made = which_rates(calibration, target)
    >>> round(made.rates, 1), round(made.predictive_values, 1)
    (3.3, -1.2)
    >>> made.sheet().headline
    'Rates: for, 27 to 1. Predictive values: against, 3 to 1.'
    """
    for given, name in ((calibration, "calibration"), (target, "target")):
        if not isinstance(given, ConfusionMatrix):
            raise InvalidArgument(f"which_rates() takes two ConfusionMatrix; {name} is {excerpt(given)}")
    if calibration.verdicts is not None:
        raise InvalidArgument("the calibration has cases without a truth; it is a table in which all truths are known")
    labels = calibration.labels
    labelled, totals = _in_order(target, labels)
    counts = np.asarray(calibration.counts)
    called = counts.sum(axis=0)
    forward = positive_or_last(labels, calibration.positive) or labels[-1]
    metric = f"prevalence@{forward}"
    swapped = infer(ConfusionMatrix(counts.T, labels=labels), "jeffreys").at_prevalence(cases=totals.tolist())
    return WhichRates(
        metric=metric,
        calibration_cases=calibration.n,
        target_cases=int(totals.sum()),
        target_labels=int(labelled.sum()),
        verdicts=labels,
        here=tuple((called / max(1, called.sum())).tolist()),
        there=tuple((totals / max(1, totals.sum())).tolist()),
        rates=same_rather_than_own([counts, labelled]),
        predictive_values=same_rather_than_own([counts.T, labelled.T]),
        shares=same_rather_than_own([called[None], totals[None]]),
        own=knowledge_of(infer(target)).of(metric) if labelled.any() else None,
        carried=knowledge_of(infer(calibration, prior).at_prevalence(verdicts=totals.tolist())).of(metric),
        predicted=knowledge_of(swapped).of(f"bias@{forward}"),
    )


def _in_order(target: ConfusionMatrix, labels: tuple[str, ...]) -> tuple[Integers, Integers]:
    """Labelled cases (K, K) and all verdicts (K,) of the target, in the order of the calibration."""
    known = target.verdicts
    if known is not None and known.audit:
        raise InvalidArgument("the target is an audit, whose verdicts are pairs; a calibration has those of one judge")
    truths = target.labels if known is None else target.labels[: known.truths]
    names = target.labels if known is None else known.names
    if set(truths) != set(labels) or not set(names) <= set(labels):
        raise InvalidArgument(
            f"the calibration is about {listing(labels)}, and the target about "
            f"{listing(dict.fromkeys((*truths, *names)))}; classes and verdicts of both are the same"
        )
    table = np.asarray(target.counts) if known is None else known.labelled
    totals = table.sum(axis=0) if known is None else known.totals
    labelled, verdicts = np.zeros((len(labels), len(labels)), dtype=np.int64), np.zeros(len(labels), dtype=np.int64)
    rows, columns = [labels.index(x) for x in truths], [labels.index(x) for x in names]
    labelled[np.ix_(rows, columns)] = table
    verdicts[columns] = totals
    return labelled, verdicts


def _cells(known: Distribution) -> tuple[str, str]:
    ends = known.interval()
    places = formats.decimals(*ends, error=known.error if known.route == "drawn" else 0.0)
    return formats.number(known.mean, places), formats.interval(*ends, places)


def _numbers(known: Distribution) -> dict[str, Any]:
    low, high = known.interval()
    return {"mean": known.mean, "sd": known.sd, "low": low, "high": high, "prior": known.prior, "law": known.route}


@dataclass(frozen=True, repr=False, eq=False)
class PooledCalibrations(Record):
    """Several calibrations as one, and whether they are alike; made by `pool_calibrations`.

    Attributes
    ----------
    confusion : ConfusionMatrix
        All cases together.
    studies : tuple of ConfusionMatrix
        What was pooled.
    alike : float
        Natural logarithm of the Bayes factor of the same rates in all studies against their own in each.
    """

    confusion: ConfusionMatrix
    studies: tuple[ConfusionMatrix, ...]
    alike: float

    @property
    def sentence(self) -> str:
        """What was pooled, and how alike it is."""
        return (
            f"{formats.integer(len(self.studies))} calibrations of {listing([str(x.n) for x in self.studies])} cases "
            f"are pooled; that their rates are the same: {in_words(self.alike)}."
        )

    def sheet(self) -> Sheet:
        """The rates of each study."""
        labels = self.confusion.labels
        rows = [
            (str(i + 1), formats.integer(study.n), *(_rate(study, label) for label in labels))
            for i, study in enumerate(self.studies)
        ]
        rows.append(("all", formats.integer(self.confusion.n), *(_rate(self.confusion, label) for label in labels)))
        header = ("calibration", "cases", *(f"recall@{formats.plain(label, 30)}" for label in labels))
        note = (
            "Bayes factor: one set of rates for all against one for each, half a case a cell beforehand. Pooled, the "
            "cases count as of one study: where studies differ, the interval is too short for another one."
        )
        return Sheet(self.sentence, header, tuple(rows), (note,))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: format ``howsure/1``, kind ``pooled_calibrations``."""
        return {
            **envelope("pooled_calibrations"),
            **self.confusion.to_dict(),
            "studies": [study.to_dict() for study in self.studies],
            "log_bayes_factor": self.alike,
        }


def pool_calibrations(*studies: ConfusionMatrix, anyway: bool = False) -> PooledCalibrations:
    """Several calibrations of one judge as one, if their rates are alike.

    Parameters
    ----------
    *studies : ConfusionMatrix
        Two tables or more, of the same classes.
    anyway : bool
        Whether to pool studies that differ, too.

    Returns
    -------
    PooledCalibrations
        ``confusion`` is for `infer`; ``sentence`` says how alike they are.

    Raises
    ------
    InvalidArgument
        Fewer than two tables, gaps in the truth, or studies that differ: a Bayes factor of the same rates below 1/3.
    InvalidLabels
        Other classes.

    Examples
    --------
    >>> one, other = (ConfusionMatrix(m, labels=["fail", "pass"]) for m in ([[80, 20], [15, 85]], [[38, 12], [9, 41]]))
    >>> pool_calibrations(one, other).sentence
    '2 calibrations of 200, 100 cases are pooled; that their rates are the same: for, 41 to 1.'
    """
    flag(anyway, "anyway")
    odd = [x for x in studies if not isinstance(x, ConfusionMatrix)]
    if odd or len(studies) < 2:
        what = excerpt(odd[0]) if odd else f"{len(studies)} of them"
        raise InvalidArgument(f"pool_calibrations() takes two ConfusionMatrix or more, not {what}")
    if any(study.verdicts is not None for study in studies):
        raise InvalidArgument("a calibration has the truth of every case; one of these has cases without a truth")
    together = reduce(add, studies)
    alike = same_rather_than_own([_in_order(study, together.labels)[0] for study in studies])
    made = PooledCalibrations(together, studies, alike)
    if alike < -math.log(TELLING) and not anyway:
        rates = "; ".join(
            f"recall of {excerpt(label)} {listing([_rate(study, label) for study in studies])}"
            for label in together.labels[:3]
        )
        raise InvalidArgument(
            f"the rates of these {len(studies)} calibrations differ (that they are the same: {in_words(alike)}; "
            f"{rates}), so what they say of a further one is less than their cases together. Use the study that is "
            "most like the target, label some cases of the target, or pool them with anyway=True"
        )
    return made


def _rate(study: ConfusionMatrix, label: str) -> str:
    place = study.index(label)
    cases = int(study.class_sizes[place])
    return f"{study.correct[place] / cases:.2f}" if cases else "no case"
