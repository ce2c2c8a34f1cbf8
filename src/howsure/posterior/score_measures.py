"""Numbers of scores, of all thresholds: their names and grammar, and the way to the data that have them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from howsure.errors import HowsureError, InvalidArgument, UnknownLabel, UnknownMetric, excerpt, listing
from howsure.metrics import Measure, Metric, parse

GRAMMAR = re.compile(r"\s*(?P<name>[A-Za-z_]+)\s*(?:@\s*(?P<where>.*?))?\s*", re.DOTALL)
AT = re.compile(r"(?P<rate>fpr|tpr)\s*=\s*(?P<value>[0-9.eE%-]+)")

#: Averages over classes: one against all others, and one against one (Hand and Till 2001).
OVER: dict[str, Literal["ovr", "ovo"]] = {"ovr": "ovr", "macro": "ovr", "ovo": "ovo"}


#: Bins of a calibration error, as they are asked for: ``ece@uniform=15``.
BINS = re.compile(r"(?P<strategy>quantile|uniform)\s*=\s*(?P<bins>\d{1,4})")
USUAL_BINS, MOST_BINS = 10, 1000

#: Of three classes or more: the probability of the class that is called, and whether it is the true one.
CONFIDENCE = "confidence"


@dataclass(frozen=True)
class ScoreKind:
    """A number of scores: its range, direction, source, and the rate that it is taken at.

    Parameters
    ----------
    name : str
    better : "higher", "lower" or "neither"
    reference : str
    at : "fpr", "tpr", "quantile", "uniform" or None
        The rate, or the bins, that it is taken at.
    range : (float, float)
    family : str
        What it is made of: the "order" of the scores; or, where they are probabilities, a "mean" of losses, a logistic
        "fit", the "share" of events, or a number that is "biased" upwards by noise.
    """

    name: str
    better: Literal["higher", "lower", "neither"]
    reference: str
    at: Literal["fpr", "tpr", "quantile", "uniform"] | None = None
    range: tuple[float, float] = (0.0, 1.0)
    family: Literal["order", "mean", "fit", "share", "biased"] = "order"


CORP = "Dimitriadis, Gneiting and Jordan 2021, equation 4"
COX = "Cox 1958; Van Calster et al. 2019"

SCORE_KINDS: dict[str, ScoreKind] = {
    kind.name: kind
    for kind in (
        ScoreKind("roc_auc", "higher", "Hanley and McNeil 1982"),
        ScoreKind("average_precision", "higher", "Boyd, Eng and Page 2013"),
        ScoreKind("tpr", "higher", "Pepe 2003, section 4.2", "fpr"),
        ScoreKind("fpr", "lower", "Pepe 2003, section 4.2", "tpr"),
        ScoreKind("partial_auc", "higher", "McClish 1989, equation 5", "fpr"),
        ScoreKind("brier_score", "lower", "Brier 1950", family="mean"),
        ScoreKind("brier_mcb", "lower", CORP, family="biased"),
        ScoreKind("brier_dsc", "higher", CORP, range=(0.0, 0.25), family="biased"),
        ScoreKind("brier_unc", "neither", CORP, range=(0.0, 0.25), family="share"),
        ScoreKind("log_loss", "lower", "Good 1952", range=(0.0, math.inf), family="mean"),
        ScoreKind("log_loss_mcb", "lower", CORP, range=(0.0, math.inf), family="biased"),
        ScoreKind("log_loss_dsc", "higher", CORP, range=(0.0, math.log(2)), family="biased"),
        ScoreKind("log_loss_unc", "neither", CORP, range=(0.0, math.log(2)), family="share"),
        ScoreKind("ece", "lower", "Naeini, Cooper and Hauskrecht 2015", family="biased"),
        ScoreKind("calibration_in_the_large", "neither", COX, range=(-1.0, 1.0), family="mean"),
        ScoreKind("calibration_intercept", "neither", COX, range=(-math.inf, math.inf), family="fit"),
        ScoreKind("calibration_slope", "neither", COX, range=(-math.inf, math.inf), family="fit"),
    )
}


class ScoreMeasure(Measure):
    """A number of scores, of the positive class, of one class against all others, or over classes."""

    kind: ScoreKind
    at: float | None
    over: Literal["ovr", "ovo"] | None

    def __init__(
        self, kind: ScoreKind, at: float | None, label: str | None, over: Literal["ovr", "ovo"] | None
    ) -> None:
        name = kind.name if at is None else f"{kind.name}@{kind.at}={at:g}"
        name = f"{name}@{label or over}" if label or over else name
        super().__init__(Metric(name, _no_table, "table", kind.range, kind.better, kind.reference))
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "at", at)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "over", over)

    @property
    def name(self) -> str:
        return self.metric.name


def _no_table(tables: Any) -> Any:
    raise InvalidArgument("a number of all thresholds needs scores; ask infer(scores).of(...)")


def score_measure(asked: Any, labels: Sequence[str]) -> ScoreMeasure:
    """Read ``name``, ``name@fpr=0.1``, and of three classes or more ``name@label``, ``name@ovr`` and ``roc_auc@ovo``.

    Examples
    --------
    >>> made = score_measure("tpr@fpr=10%", ["well", "ill"])
    >>> made.name, made.at
    ('tpr@fpr=0.1', 0.1)
    >>> score_measure("roc_auc@macro", ["a", "b", "c"]).name
    'roc_auc@ovr'
    """
    if isinstance(asked, ScoreMeasure):
        return asked
    if isinstance(asked, str):
        return _read(asked, tuple(labels))
    raise UnknownMetric(asked, SCORE_KINDS, _EXAMPLES)


@lru_cache(256)  # the same measure each time, so that a number less itself is 0
def _read(asked: str, labels: tuple[str, ...]) -> ScoreMeasure:
    found = GRAMMAR.fullmatch(asked)
    if found is None or found["name"].lower() not in SCORE_KINDS:
        raise UnknownMetric(found["name"] if found else asked, SCORE_KINDS, _EXAMPLES)
    kind = SCORE_KINDS[found["name"].lower()]
    parts = [part.strip() for part in (found["where"] or "").split("@") if part.strip()]
    at: float | None = None
    if kind.name == "ece":
        kind, at = _bins(kind, parts, str(asked))
    elif kind.at is not None:
        rate = AT.fullmatch(parts.pop(0)) if parts else None
        if rate is None or rate["rate"] != kind.at:
            raise InvalidArgument(f"{kind.name} is taken at a rate: {kind.name}@{kind.at}=0.1; not {excerpt(asked)}")
        at = _rate(rate["value"], str(asked))
    where = "@".join(parts) or None
    if len(labels) == 2:
        if where is not None and where != labels[1]:
            raise InvalidArgument(
                f"the scores are those of {excerpt(labels[1])}, and nothing else is asked of two classes; say "
                f"{kind.name if at is None else f'{kind.name}@{kind.at}={at:g}'}, not {excerpt(asked)}"
            )
        return ScoreMeasure(kind, at, None, None)
    if where is None and kind.name in ("brier_score", "log_loss"):
        # the Brier score of K classes is the sum over them
        return ScoreMeasure(replace(kind, range=(0.0, 2.0)) if kind.name == "brier_score" else kind, None, None, None)
    if where is not None and where not in labels and kind.family != "order":
        if where != CONFIDENCE:
            raise UnknownLabel(where, (*labels, CONFIDENCE))
        return ScoreMeasure(kind, at, CONFIDENCE, None)
    if where is None and kind.family != "order":
        raise InvalidArgument(
            f"{kind.name} is about one event, and there are {len(labels)} classes; say {kind.name}@{CONFIDENCE} (is "
            f"the class that is called the true one?), or {kind.name}@ and one of {listing(labels)}"
        )
    if where is None:
        raise InvalidArgument(
            f"{kind.name} is about two classes, and there are {len(labels)}; say {kind.name}@ovr (each against all "
            f"others, averaged){', roc_auc@ovo (Hand and Till)' if kind.name == 'roc_auc' else ''}, or "
            f"{kind.name}@ and one of {listing(labels)}"
        )
    if where in labels:
        return ScoreMeasure(kind, at, where, None)
    if where in OVER:
        if OVER[where] == "ovo" and kind.name != "roc_auc":
            raise InvalidArgument(f"pairs of classes are averaged for roc_auc@ovo only; say {kind.name}@ovr")
        return ScoreMeasure(kind, at, None, OVER[where])
    raise UnknownLabel(where, (*labels, *OVER))


_EXAMPLES = [k.name if k.at is None else f"{k.name}@{k.at}=0.1" for k in SCORE_KINDS.values()]


def _bins(kind: ScoreKind, parts: list[str], asked: str) -> tuple[ScoreKind, float]:
    """Bins of a calibration error, taken out of what was asked, before or after the event."""
    place = next((i for i, part in enumerate(parts) if BINS.fullmatch(part)), None)
    if place is None and not (parts and "=" in parts[0]):
        return replace(kind, at="quantile"), float(USUAL_BINS)
    found = BINS.fullmatch(parts.pop(place or 0))
    if found is None or not 0 < int(found["bins"]) <= MOST_BINS:
        raise InvalidArgument(
            f"the bins of ece hold as many cases each, ece@quantile=10, or are equally wide, ece@uniform=15; 1 to "
            f"{MOST_BINS} of them, not {excerpt(asked)}"
        )
    return replace(kind, at="uniform" if found["strategy"] == "uniform" else "quantile"), float(found["bins"])


def _rate(text: str, asked: str) -> float:
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise InvalidArgument(f"the rate in {excerpt(asked)} lies between 0 and 1, without the two")
    return value


def is_about_scores(metric: object) -> bool:
    """Whether a metric is a number of scores, of all thresholds.

    Examples
    --------
    >>> is_about_scores("roc_auc@ovr"), is_about_scores("f1@macro")
    (True, False)
    """
    if isinstance(metric, ScoreMeasure):
        return True
    return isinstance(metric, str) and metric.partition("@")[0].strip().lower() in SCORE_KINDS


def refuse_without_scores(metric: object) -> None:
    """Refuse a number of all thresholds where classes were called already."""
    named = metric if isinstance(metric, str | ScoreMeasure) else None
    if named is None or not is_about_scores(named):
        return
    name = named if isinstance(named, str) else named.name
    raise InvalidArgument(
        f"{excerpt(name)} is a number of all thresholds, and predicted classes have only one. Give the scores "
        "before the threshold: howsure.Scores(y_true, {'A': scores_of_a, 'B': scores_of_b}); on the command line a "
        "file with the columns y_true and a score for each classifier"
    )


def asked_measure(metric: Any, labels: Sequence[str]) -> ScoreMeasure:
    """The number of scores that is asked for; ``roc_auc``, or ``roc_auc@ovr`` of three classes or more, if left out."""
    if metric is None:
        return score_measure("roc_auc" if len(labels) == 2 else "roc_auc@ovr", labels)
    if not is_about_scores(metric):
        try:
            name = parse(metric, labels, labels[-1]).name
        except HowsureError:
            name = ""
        if name:
            raise InvalidArgument(
                f"{excerpt(name)} needs a threshold, and these are scores: say scores.of(name).confusion_at(0.5) and "
                "ask that, or howsure.curves.best_threshold(scores.of(name), metric); on the command line howsure "
                "threshold FILE. Without a threshold there are roc_auc, average_precision and their kin"
            )
    return score_measure(metric, labels)
