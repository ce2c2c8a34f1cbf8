"""The report of scikit-learn with intervals, of one label a case or several."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypedDict, Unpack

import numpy as np

from howsure.answers.asking import spelled
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation, PriorShiftWarning, listing, visible
from howsure.integrations.sklearn.estimators import counted, sklearn_module
from howsure.knowledge.items import Items
from howsure.knowledge.protocol import Of
from howsure.laws import Kind, Law
from howsure.laws.law import DRAWS, KIND, LEVEL, checked_kind, checked_level
from howsure.metrics import of_class, parse
from howsure.posterior.distribution import Distribution, shift_note
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import Prior
from howsure.text import formats

#: Columns of scikit-learn, and what they are called here.
COLUMNS = {"precision": "precision", "recall": "recall", "f1-score": "f1"}
#: Rows of averages, and what they are called of items.
AVERAGES = {"micro avg": "micro", "macro avg": "macro", "weighted avg": "weighted", "samples avg": "samples"}


class OfScikit(TypedDict, total=False):
    """Keywords of scikit-learn's own report."""

    labels: Any
    target_names: Sequence[str] | None
    sample_weight: Any
    digits: int
    output_dict: bool
    zero_division: Any


@spelled(OfScikit, digits=2, output_dict=False, zero_division="warn")
def classification_report(
    y_true: Any, y_pred: Any, *, interval: float = LEVEL, kind: Kind = KIND, prior: str | Prior | None = None,
    **scikit: Unpack[OfScikit],
) -> str | dict[str, Any]:  # fmt: skip
    """Report of scikit-learn, its numbers to the digit, and a credible interval for each of them.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,), or indicators of shape (n, labels)
        Classes, as in scikit-learn; or several labels of each item, whose averages are about new items.
    labels, target_names, digits, output_dict, zero_division
        As in ``sklearn.metrics.classification_report``; an average in which 0/0 counts as something else than 0 has
        no interval.
    sample_weight : array_like of integers, shape (n,), optional
        Numbers of cases; fractional weights are refused, because a width needs counts.
    interval : float
        Probability inside the intervals.
    kind : "hdi" or "central"
        Of the intervals.
    prior : str or Prior, optional
        As in `howsure.infer`.

    Returns
    -------
    str or dict
        The text is scikit-learn's, each line followed by the intervals, and a last line on their kind and prior. The
        dictionary is scikit-learn's, and under ``"interval"`` it has, for each row, ``{"precision": [low, high],
        ...}``; ``[None, None]`` where the counts and the prior say nothing.

    Warns
    -----
    PriorShiftWarning
        The prior moved an average over classes by more than its own uncertainty.

    Raises
    ------
    InvalidArgument, InvalidLabels
        Fractional weights, an impossible level, a single class.
    MissingExtra
        scikit-learn is not installed.

    Examples
    --------
    >>> truth, said = ["ill"] * 40 + ["well"] * 60, ["ill"] * 36 + ["well"] * 57 + ["ill"] * 7
    >>> print(classification_report(truth, said), end="")
                  precision    recall  f1-score   support  precision 95% HDI  recall 95% HDI  f1-score 95% HDI
    <BLANKLINE>
             ill       0.84      0.90      0.87        40       0.71 to 0.93    0.79 to 0.97      0.77 to 0.93
            well       0.93      0.88      0.91        60       0.85 to 0.98    0.79 to 0.95      0.84 to 0.95
    <BLANKLINE>
        accuracy                           0.89       100                                         0.82 to 0.94
       macro avg       0.88      0.89      0.89       100       0.81 to 0.94    0.82 to 0.94      0.81 to 0.94
    weighted avg       0.89      0.89      0.89       100       0.82 to 0.94    0.82 to 0.94      0.82 to 0.94
    <BLANKLINE>
    95% HDI, prior calibrated, 4 of 13 simulated (20,000 draws).
    """
    level = checked_level(interval)
    checked_kind(kind)
    labels, weights, zero = scikit["labels"], scikit["sample_weight"], scikit["zero_division"]
    metrics = sklearn_module("metrics", "classification_report")
    seen = sklearn_module("utils.multiclass", "classification_report").unique_labels(y_true, y_pred)
    # a label that no case has is a class all the same: scikit-learn's row of zeros, and our prior
    classes = seen if labels is None else np.union1d(seen, np.asarray(labels))
    asked = classes if labels is None else np.asarray(labels)
    names = [str(x) for x in (asked if scikit["target_names"] is None else scikit["target_names"])]
    laws: _Cells
    if (y_true.ndim if hasattr(y_true, "ndim") else np.ndim(y_true)) == 2:
        if weights is not None:
            raise InvalidArgument("items with several labels count once each; leave sample_weight out")
        laws = _OfLabels(y_true, y_pred, [int(i) for i in asked], prior)
    else:
        table = counted(y_true, y_pred, classes, weights)
        true, pred = np.nonzero(table)
        posterior = infer(ConfusionMatrix.from_cells(true, pred, table[true, pred], labels=range(len(table))), prior)
        places = [int(i) for i in np.searchsorted(classes, asked)]
        laws = _OfClasses(posterior, places, zero == "warn" or zero == 0)
    laws.level, laws.kind = level, kind

    # scikit-learn warns of zero divisions in one of its two answers, not in both
    options = {"labels": labels, "sample_weight": weights, "zero_division": zero}
    if scikit["output_dict"]:
        found: dict[str, Any] = metrics.classification_report(
            y_true, y_pred, target_names=names, output_dict=True, **options
        )
        averages = [row for row in found if row.endswith(" avg") and row not in names]
        rows: dict[str, int | str] = {name: i for i, name in enumerate(names)} | {row: row for row in averages}
        ends: dict[str, Any] = {
            name: {column: laws.ends(row, metric) for column, metric in COLUMNS.items()} for name, row in rows.items()
        }
        if "accuracy" in found and "accuracy" not in names:
            ends["accuracy"] = laws.ends("micro avg", "recall")
        laws.warn()
        return found | {"interval": ends}

    shown, digits = [visible(name) for name in names], scikit["digits"]
    text = metrics.classification_report(y_true, y_pred, target_names=shown, digits=digits, **options)
    made = _beside(text, laws, len(names), digits)
    laws.warn()
    return f"{made}\n{formats.interval_name(kind, level)}, {laws.known}.\n"


class _Cells:
    """What is known about each cell of the report."""

    level: float
    kind: Kind

    def ends(self, row: int | str, column: str) -> list[float | None]:
        """Interval of a cell, ``[None, None]`` where nothing is known."""
        try:
            return list(self.of(row, column).interval(self.level, self.kind))
        except NoInformation:
            return [None, None]

    @abstractmethod
    def of(self, row: int | str, column: str) -> Distribution | Law:
        """What is known of a cell."""

    @property
    @abstractmethod
    def known(self) -> str:
        """The prior, and how the intervals are known."""

    def warn(self) -> None:
        """Say once where the prior, not the data, decides a number, to the caller of the report."""


class _OfLabels(_Cells):
    """Of several labels: a label is a table of two classes, averages are over items, and no prior decides them."""

    def __init__(self, y_true: Any, y_pred: Any, asked: list[int], prior: str | Prior | None) -> None:
        truth, answers = (np.asarray(it.toarray() if hasattr(it, "toarray") else it) for it in (y_true, y_pred))
        self._items = Items.from_labels(truth[:, asked], answers[:, asked], zero_division="0")
        self._tables = []
        for column in asked:
            t, p = truth[:, column] > 0, answers[:, column] > 0
            table = [[int((~t & ~p).sum()), int((~t & p).sum())], [int((t & ~p).sum()), int((t & p).sum())]]
            self._tables.append(infer(ConfusionMatrix(table, ["no", "yes"], positive="yes"), prior))
        self._drawn = False

    def of(self, row: int | str, column: str) -> Distribution | Law:
        if isinstance(row, int):
            return self._tables[row].of(column)
        if row not in AVERAGES:
            raise NoInformation("this row is no average")
        law = self._items.law(Of(f"{column}@{AVERAGES[row]}"), self._items.ask())
        self._drawn |= law.route == "simulated"
        return law

    @property
    def known(self) -> str:
        how = f"; averages of labels simulated ({DRAWS:,d} draws)" if self._drawn else ""
        return f"labels as tables of two classes, prior {self._tables[0].prior.name}, averages over new items{how}"


class _OfClasses(_Cells):
    """Of one label a case."""

    def __init__(self, posterior: Posterior, asked: Sequence[int], zero: bool) -> None:
        self._posterior, self._asked, self._zero = knowledge_of(posterior), asked, zero
        self._known: dict[tuple[int | str, str], Distribution] = {}
        self._all = sorted(asked) == list(range(len(posterior.labels)))
        per_class = [of_class(name, posterior.labels, i) for name in COLUMNS.values() for i in asked]
        rows = ("micro", "macro", "weighted") if self._all else ()
        averages = [parse(f"{name}@{a}", posterior.labels) for name in COLUMNS.values() for a in rows]
        with suppress(NoInformation):  # comes again for the cells that it concerns
            self._posterior.prepare([*per_class, *averages])

    def of(self, row: int | str, column: str) -> Distribution:
        self._known[row, column] = known = self._of(row, column)
        return known

    @property
    def known(self) -> str:
        routes = [known.route for known in self._known.values()]
        drawn, many = routes.count("simulated"), len(routes)
        how = "exact" if routes.count("exact") == many else "approximate"
        if drawn:
            how = f"{'simulated' if drawn == many else f'{drawn} of {many} simulated'} ({DRAWS:,d} draws)"
        return f"prior {self._posterior.prior_name}, {how}"

    def warn(self) -> None:
        notes = {str(known.metric): shift_note(known) for known in self._known.values()}
        moved = [name for name, note in notes.items() if note is not None and note.warning]
        if moved:
            text = (
                f"the {self._posterior.prior_name} prior moves {listing(moved)} by more than their uncertainty; "
                "take prior='learned', or test more cases of each class"
            )
            warnings.warn(text, PriorShiftWarning, stacklevel=4)

    def _of(self, row: int | str, metric: str) -> Distribution:
        posterior = self._posterior
        if isinstance(row, int):
            return posterior.of(of_class(metric, posterior.labels, self._asked[row]))
        average = parse(f"{metric}@{AVERAGES[row]}", posterior.labels)
        if posterior.absent(average) and not self._zero:
            raise NoInformation("an average in which 0/0 counts as zero_division= has no interval, unless that is 0")
        if self._all:
            return posterior.of(average)
        each = [of_class(metric, posterior.labels, i) for i in self._asked]
        # 0/0 counts as 0, as in scikit-learn's number beside it
        parts = [posterior.of(m) * float(posterior.observed(m) is not None) for m in each]
        sizes = posterior.confusion.class_sizes[self._asked]
        if row == "micro avg" or (row == "weighted avg" and not sizes.any()):
            raise NoInformation("the micro average of some of the classes is no metric of the whole table")
        # of some classes: a mean with equal weights, or with those of the cases as they were counted
        weights = sizes / sizes.sum() if row == "weighted avg" else np.full(len(parts), 1 / len(parts))
        total = parts[0] * float(weights[0])
        for part, weight in zip(parts[1:], weights[1:], strict=True):
            total = total + part * float(weight)
        return total


def _beside(text: str, laws: _Cells, classes: int, digits: int) -> str:
    """scikit-learn's lines, each with its intervals to the right."""
    heads = [f"{column} {formats.interval_name(laws.kind, laws.level)}" for column in COLUMNS]
    lines = text.split("\n")
    width = max(map(len, lines))
    made = [lines[0].ljust(width) + "".join(f"  {head}" for head in heads)]
    rows: list[int | str] = [*range(classes)]
    for line in lines[1:]:
        if not line.strip():
            made.append("")
            continue
        row = rows.pop(0) if rows else line.strip().split("  ")[0]
        cells = []
        for (column, metric), head in zip(COLUMNS.items(), heads, strict=True):
            low, high = laws.ends("micro avg", "recall") if row == "accuracy" else laws.ends(row, metric)
            known = low is not None and high is not None and (row != "accuracy" or column == "f1-score")
            cells.append((f"{low:.{digits}f} to {high:.{digits}f}" if known else "").rjust(len(head) + 2))
        made.append((line.ljust(width) + "".join(cells)).rstrip())
    return "\n".join(made)
