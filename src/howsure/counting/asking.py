"""What is to be counted: which columns hold the truth, the answers, the groups, the weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from howsure.arguments import column_name, items, one_of
from howsure.errors import InvalidArgument, excerpt, listing

__all__ = ["Asked", "Weights", "asked", "bare_name"]

Weights = Literal["frequency", "effective"]


@dataclass(frozen=True)
class Asked:
    """The columns of one count.

    Parameters
    ----------
    truth : str
        Column of the true class.
    answers : mapping of str to str
        Column of each classifier, under the classifier's name.
    by : tuple of str
        Columns whose values are counted apart.
    id, model, weight : str or None
        Columns of the case's name, of the classifier's name (one row a case and classifier), of the weight.
    weights : "frequency" or "effective"
        What a weight means.
    """

    truth: str
    answers: Mapping[str, str]
    by: tuple[str, ...] = ()
    id: str | None = None
    model: str | None = None
    weight: str | None = None
    weights: Weights = "frequency"

    @property
    def labels(self) -> tuple[str, ...]:
        """Columns of classes: truth and answers."""
        return (self.truth, *self.answers.values())

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that tell one cell from another: truth, answers, groups."""
        return (*self.labels, *self.by)

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The keys, and the column of the classifier."""
        return (*self.keys, *([] if self.model is None else [self.model]))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read."""
        return (*self.keys, *(c for c in (self.model, self.id, self.weight) if c is not None))

    def check(self, there: Iterable[str], what: str = "the table") -> None:
        """Refuse names of columns that are not there."""
        known = list(there)
        absent = [c for c in self.columns if c not in known]
        if absent:
            raise InvalidArgument(
                f"no column {listing(map(excerpt, absent))} in {what}; there are {listing(map(excerpt, known), 20)}"
            )


def asked(
    y_true: Any, y_pred: Any, by: Any, id_: Any, model: Any, weight: Any, weights: Any, default: str = "y_true"
) -> Asked:
    """Arguments of `howsure.count` as columns; raises `InvalidArgument` with the argument's name."""
    one_of(weights, get_args(Weights), "weights")
    truth = column_name(default if y_true is None else y_true, "y_true")
    given = "y_pred" if y_pred is None else y_pred
    if isinstance(given, str):
        answers = {bare_name(given): given}
    elif isinstance(given, Mapping):
        answers = {column_name(k, "y_pred"): column_name(v, "y_pred") for k, v in given.items()}
    elif isinstance(given, Sequence):
        answers = {bare_name(column_name(c, "y_pred")): c for c in given}
    else:
        raise InvalidArgument(f"y_pred names a column, or several, not {excerpt(given)}")
    if not answers:
        raise InvalidArgument("y_pred names no column; at least one classifier is needed")
    groups = (by,) if isinstance(by, str) else tuple(column_name(c, "by") for c in items(by, "by", "a list of columns"))
    options = {"id": id_, "model": model, "weight": weight}
    named = {k: None if v is None else column_name(v, k) for k, v in options.items()}
    if named["model"] is not None and len(answers) > 1:
        raise InvalidArgument("model= is for one row a case and classifier; then y_pred is one column")
    found = Asked(truth, answers, groups, named["id"], named["model"], named["weight"], weights)
    twice = [c for c in found.columns if found.columns.count(c) > 1]
    if twice or len(answers) < (1 if isinstance(given, str) else len(given)):
        raise InvalidArgument(
            f"the column {excerpt((twice or list(given))[0])} is named twice; each has one part to play"
        )
    return found


def bare_name(column: str) -> str:
    """Name of a classifier from its column: without ``pred_``.

    Examples
    --------
    >>> bare_name("pred_new"), bare_name("model_a")
    ('new', 'model_a')
    """
    return column.removeprefix("pred_") or column
