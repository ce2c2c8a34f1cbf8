"""What can be asked of scores: ``roc_auc``, ``average_precision``, ``tpr@fpr=0.1``, ``partial_auc@fpr=0.2`` and kin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from howsure.errors import InvalidArgument, UnknownLabel, UnknownMetric, excerpt, listing
from howsure.metrics import Measure, Metric

__all__ = ["SCORE_KINDS", "ScoreKind", "ScoreMeasure", "score_measure"]

GRAMMAR = re.compile(r"\s*(?P<name>[A-Za-z_]+)\s*(?:@\s*(?P<where>.*?))?\s*", re.DOTALL)
AT = re.compile(r"(?P<rate>fpr|tpr)\s*=\s*(?P<value>[0-9.eE%-]+)")

#: Averages over classes: one against all others, and one against one (Hand and Till 2001).
OVER: dict[str, Literal["ovr", "ovo"]] = {"ovr": "ovr", "macro": "ovr", "ovo": "ovo"}


@dataclass(frozen=True)
class ScoreKind:
    """A number of scores: its range, direction, source, and the rate that it is taken at."""

    name: str
    better: Literal["higher", "lower"]
    reference: str
    at: Literal["fpr", "tpr"] | None = None
    range: tuple[float, float] = (0.0, 1.0)


SCORE_KINDS: dict[str, ScoreKind] = {
    kind.name: kind
    for kind in (
        ScoreKind("roc_auc", "higher", "Hanley and McNeil 1982"),
        ScoreKind("average_precision", "higher", "Boyd, Eng and Page 2013"),
        ScoreKind("tpr", "higher", "Pepe 2003, section 4.2", "fpr"),
        ScoreKind("fpr", "lower", "Pepe 2003, section 4.2", "tpr"),
        ScoreKind("partial_auc", "higher", "McClish 1989, equation 5", "fpr"),
    )
}


class ScoreMeasure(Measure):
    """A number of scores, of the positive class, of one class against all others, or over classes.

    Attributes
    ----------
    kind : ScoreKind
    at : float or None
        The rate that it is taken at.
    over : "ovr", "ovo" or None
        The average over classes.
    """

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
        """The measure as it is asked for."""
        return self.metric.name


def _no_table(tables: Any) -> Any:
    raise InvalidArgument("a number of all thresholds needs scores; ask infer(scores).of(...)")


def score_measure(asked: Any, labels: Sequence[str]) -> ScoreMeasure:
    """Read ``name``, ``name@fpr=0.1``, and of three classes or more ``name@label``, ``name@ovr`` and ``roc_auc@ovo``.

    Parameters
    ----------
    asked : str or ScoreMeasure
    labels : sequence of str
        Classes of the scores.

    Raises
    ------
    UnknownMetric, UnknownLabel
        With the nearest name.
    InvalidArgument
        A rate that is missing, of the wrong side, or not between 0 and 1; no class or average where one is needed.

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
    found = GRAMMAR.fullmatch(asked) if isinstance(asked, str) else None
    examples = [k.name if k.at is None else f"{k.name}@{k.at}=0.1" for k in SCORE_KINDS.values()]
    if found is None or found["name"].lower() not in SCORE_KINDS:
        raise UnknownMetric(found["name"] if found else asked, SCORE_KINDS, examples)
    kind = SCORE_KINDS[found["name"].lower()]
    parts = [part.strip() for part in (found["where"] or "").split("@") if part.strip()]
    at = None
    if kind.at is not None:
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


def _rate(text: str, asked: str) -> float:
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise InvalidArgument(f"the rate in {excerpt(asked)} lies between 0 and 1, without the two")
    return value
