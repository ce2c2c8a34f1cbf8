"""What is to be counted: which columns hold the truth, the answers, the groups, the weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

from howsure.data.labels import group_text, label_text
from howsure.data.words import bare_name, classifier_of
from howsure.errors import InvalidArgument, InvalidFile, excerpt, listing
from howsure.errors.arguments import column_name, items, one_of
from howsure.io.reading import Request
from howsure.io.roles import Columns, columns_of
from howsure.io.table import TextTable

__all__ = ["CountColumns", "Weights", "asked", "names_of", "resolved"]

Weights = Literal["frequency", "effective"]


def _count_text(value: Any) -> str | None:
    """A count as it is written: 12.000 is no other spelling of 12, it may be thousands."""
    text = group_text(value)
    return value.strip() if isinstance(value, str) and text is not None else text


@dataclass(frozen=True)
class CountColumns:
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
    count : str or None
        Column of counts: a row stands for so many cases.
    ones : str or None
        Column of weights that nobody asked for, which have to be 1.
    text : callable
        From a value of a class to its text, None where it is missing.
    """

    truth: str
    answers: Mapping[str, str]
    by: tuple[str, ...] = ()
    id: str | None = None
    model: str | None = None
    weight: str | None = None
    weights: Weights = "frequency"
    count: str | None = None
    ones: str | None = None
    text: Callable[[Any], str | None] = label_text

    @property
    def labels(self) -> tuple[str, ...]:
        """Columns of classes: truth and answers."""
        return (self.truth, *self.answers.values())

    @cached_property
    def classes(self) -> frozenset[str]:
        """The same as a set: of thousands of columns each is looked up."""
        return frozenset(self.labels)

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that tell one cell from another: truth, answers, groups."""
        return (*self.labels, *self.by)

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The keys, and the columns of the classifier and of the counts."""
        return (*self.keys, *(c for c in (self.model, self.count) if c is not None))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read."""
        others = (self.model, self.id, self.weight, self.count, self.ones)
        return (*self.keys, *(c for c in others if c is not None))

    def text_of(self, column: str) -> Callable[[Any], str | None]:
        """The rule from a value of a column to its text."""
        return self.text if column in self.classes else _count_text if column == self.count else group_text

    def called(self, names: Mapping[str, str]) -> CountColumns:
        """The same question with other names for the columns."""
        parts = {it: getattr(self, it) for it in ("truth", "id", "model", "weight", "count", "ones")}
        answers = {key: names.get(column, column) for key, column in self.answers.items()}
        by = tuple(names.get(column, column) for column in self.by)
        return replace(self, answers=answers, by=by, **{it: names.get(name, name) for it, name in parts.items()})

    def check(self, there: Iterable[str], what: str = "the table") -> None:
        """Refuse names of columns that are not there."""
        known = dict.fromkeys(there)
        absent = [c for c in self.columns if c not in known]
        if absent:
            raise InvalidArgument(
                f"no column {listing(map(excerpt, absent))} in {what}; there are {listing(map(excerpt, known), 20)}"
            )


def resolved(
    table: TextTable, y_true: Any, y_pred: Any, by: Any, id_: Any, model: Any, weight: Any, weights: Any
) -> tuple[CountColumns, Columns]:
    """Arguments of `howsure.count` as columns of a table; what is left out is found by the words of its header.

    Returns
    -------
    ask : CountColumns
    columns : Columns

    Raises
    ------
    InvalidArgument, InvalidFile
        A column that is not there, or parts that no column has.
    """
    names = names_of(table)
    ask = asked("" if y_true is None else y_true, "" if y_pred is None else y_pred, by, id_, model, weight, weights)
    absent = [c for c in (*ask.by, ask.id, ask.model, ask.weight) if c is not None and c not in names]
    known = {*names, *map(classifier_of, names), ""}
    absent = [c for c in (ask.truth, *ask.answers.values()) if c not in known] + absent
    if absent:
        there = listing(map(excerpt, names), 20)
        raise InvalidArgument(f"no column {listing(map(excerpt, absent))} in {table.source}; there are {there}")
    # what has a part already has no other
    spare = {*ask.by, *(c for c in (ask.id, ask.model, ask.weight) if c is not None)}
    header = ["" if name in spare else cell for name, cell in zip(names, table.header, strict=False)]
    place = dict(zip(names, header, strict=False))
    pred = [place.get(c, c) for c in ask.answers.values() if c]
    request = Request(true=place.get(y_true, y_true) if isinstance(y_true, str) else None, pred=pred)
    found = columns_of(TextTable(table.source, header, table.line, iter([]), head=table.peek), request)
    if found is None:
        problem = f"no column is called y_true or y_pred (or a synonym); there are {listing(names, 20)}"
        raise InvalidFile(table.source, f"{problem}. Name them: --true COLUMN --pred COLUMN")

    def at(part: int | None) -> str | None:
        return None if part is None else names[part]

    places = list(found.pred.items())
    named = list(ask.answers) if pred else [key or bare_name(names[i]) for key, i in places]
    answers = {name: names[i] for name, (_, i) in zip(named, places, strict=True)}
    if ask.model is not None and len(answers) > 1:
        raise InvalidFile(
            table.source,
            f"a row is the answer of one classifier ({excerpt(ask.model)} says which), and several columns may hold "
            f"it: {listing(map(excerpt, answers.values()))}. Name one: --pred COLUMN",
        )
    counted = at(found.count)
    if counted is not None and ask.weight is not None:
        raise InvalidArgument(f"weight= and the column of counts {excerpt(counted)} do not go together; drop one")
    made = replace(ask, truth=names[found.true], answers=answers, count=counted)
    if ask.model is None and found.model is not None and len(answers) == 1:
        made = replace(made, model=names[found.model])
    if ask.weight is None and found.weight is not None:
        made = replace(made, ones=names[found.weight])
    if made.count is not None and made.id is not None:
        problem = f"id= names cases, and the column {excerpt(made.count)} says that a row is several"
        raise InvalidArgument(f"{problem}; leave id= out")
    return made, found


def names_of(table: TextTable) -> list[str]:
    """What the columns are called where the rows are: as the header of a text is read, as data with types have it."""
    if table.origin is None or table.origin.format == "csv":
        return list(table.header)
    return list(table.origin.names)


def asked(y_true: Any, y_pred: Any, by: Any, id_: Any, model: Any, weight: Any, weights: Any) -> CountColumns:
    """Arguments of `howsure.count` that name columns; raises `InvalidArgument` with the argument's name."""
    one_of(weights, get_args(Weights), "weights")
    truth = "" if isinstance(y_true, str) and not y_true else column_name(y_true, "y_true")
    given = y_pred
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
    found = CountColumns(truth, answers, groups, named["id"], named["model"], named["weight"], weights)
    columns = [c for c in found.columns if c]
    twice = [c for c, times in Counter(columns).items() if times > 1]
    if twice or len(answers) < (1 if isinstance(given, str) else len(given)):
        raise InvalidArgument(
            f"the column {excerpt((twice or list(given))[0])} is named twice; each has one part to play"
        )
    return found
