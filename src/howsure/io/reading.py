"""What a reader is asked for and what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict

from howsure.data.case_columns import Missing
from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import refuse_both
from howsure.data.labels import label_texts, one_spelling
from howsure.data.predictions import Predictions
from howsure.data.refusals import say
from howsure.data.words import Role
from howsure.errors import InvalidArgument


@dataclass(frozen=True)
class Reading:
    r"""A confusion matrix and how it was found in its file.

    Parameters
    ----------
    confusion : ConfusionMatrix
        The counts; rows are truth whatever the file had.
    source : str
        What the user called the file; "standard input" for "-".
    layout : str
        One clause: "matrix, corner says true\pred", "predictions, 312 cases".
    notes : tuple of str
        Sentences for the user: a matrix that was turned, cases set aside, columns not used.
    """

    confusion: ConfusionMatrix
    source: str
    layout: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Standing:
    """One line of a leaderboard: a classifier, its right answers and its cases."""

    name: str
    correct: int
    n: int


@dataclass(frozen=True)
class Board:
    """A leaderboard and what was noticed while it was read."""

    standings: tuple[Standing, ...]
    source: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Contenders:
    """What was found: a leaderboard, predictions on the same cases, or matrices, each of its own test set.

    Of two classifiers ``names`` is what to call them, and ``lacking`` are ids that the second has answered and the
    first has no row of; none are looked for in counts and logs.
    """

    board: Board | None = None
    predictions: Predictions | None = None
    matrices: dict[str, ConfusionMatrix] | None = None
    notes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()

    def two(self, *names: str | None) -> Contenders:
        """Two of the classifiers, named or the only two; raises `InvalidArgument` where they are others, or more."""
        there = self.predictions.names if self.predictions is not None else tuple(self.matrices or ())
        chosen = [name.removeprefix("pred_") if name not in there else name for name in names if name is not None]
        chosen = chosen or list(there)
        if len(chosen) != 2 or not {*chosen} <= {*there}:
            raise InvalidArgument(say("choose", "classifiers", there, "--a and --b"))
        matrices = None if self.matrices is None else {name: self.matrices[name] for name in chosen}
        return replace(self, matrices=matrices, names=tuple(chosen))

    @property
    def in_groups(self) -> bool:
        """Whether groups of the cases were read, of all classifiers."""
        if self.predictions is not None:
            return self.predictions.group is not None
        return self.matrices is not None and all(matrix.groups is not None for matrix in self.matrices.values())


@dataclass(frozen=True)
class Grid:
    """A matrix on the page, whose rows are truth: what it lends to a text that is pasted into one of its cells.

    That is its class names, for as many classes without any. With ``shares`` cells are read as shares or percentages,
    in billionths; the page then asks for the sizes of the classes.
    """

    names: Sequence[str] = ()
    shares: bool = False


class About(TypedDict, total=False):
    """What is known of cases besides their classes: the order of verdicts, true labels elsewhere, what they come in."""

    order: Sequence[str] | None
    labels_from: str | None
    group: str | Literal[True] | None
    folds: str | None
    repeat: str | None


@dataclass(frozen=True)
class Request:
    """The keyword arguments of `read`, checked; and the ``grid`` of the page that a text is pasted into.

    ``true``, ``pred`` and ``id`` are columns, by the words of the header if left out; ``models`` are columns that are
    classifiers besides those called ``pred_NAME``. ``group`` is True for the column that is called so, if any; left
    out, the cases of all groups are added up. ``policy`` is what becomes of missing answers of several classifiers, as
    in `howsure.Predictions`. Raises `InvalidArgument` or `InvalidLabels`.
    """

    rows: Role | None = None
    positive: str | None = None
    labels: Sequence[str] | None = None
    model: str | None = None
    missing: Literal["error", "exclude", "wrong", "estimate"] = "error"
    true: str | None = None
    pred: Sequence[str] = ()
    id: str | None = None
    models: Sequence[str] = ()
    grid: Grid | None = None
    order: Sequence[str] | None = None
    labels_from: str | None = None
    group: str | Literal[True] | None = None
    folds: str | None = None
    repeat: str | None = None
    policy: Missing = "error"

    @classmethod
    def of_several(
        cls,
        *,
        missing: Missing = "error",
        y_true: str | None = None,
        y_pred: Sequence[str] = (),
        id: str | None = None,  # noqa: A002  # the word that files have for it
        **given: Any,
    ) -> Request:
        """The same of several classifiers, whose missing answers may be errors or a class as well: `policy`."""
        unlike: Literal["error", "exclude"] = "exclude" if missing == "exclude" else "error"
        return cls(missing=unlike, policy=missing, true=y_true, pred=tuple(y_pred), id=id, **given)

    @property
    def options(self) -> dict[str, Any]:
        """As `Predictions` takes them."""
        return {"labels": self.labels, "positive": self.positive, "missing": self.policy}

    @property
    def units(self) -> dict[str, str]:
        """Columns of groups, folds and repeats that are named: what only a list of cases has."""
        named = {"group": self.group, "folds": self.folds, "repeat": self.repeat}
        return {what: column for what, column in named.items() if isinstance(column, str)}

    def __post_init__(self) -> None:
        if self.rows not in (None, "true", "pred"):
            raise InvalidArgument(say("not_a", "rows", "'true' or 'pred', what a row of the matrix is", self.rows))
        if self.missing not in ("error", "exclude", "wrong", "estimate"):
            raise InvalidArgument(say("not_a", "missing", "'error', 'exclude', 'wrong' or 'estimate'", self.missing))
        names = {it: getattr(self, it) for it in ("positive", "model", "id", "group", "folds", "repeat")}
        names |= {"y_true": self.true, "group": None if self.group is True else self.group}
        for what, value in (*names.items(), *(("y_pred", name) for name in self.pred)):
            if value is not None and not isinstance(value, str):
                raise InvalidArgument(say("not_a", what, "the text of a name", value))
        for what, values, of in (("labels", self.labels, "class names"), ("order", self.order, "verdicts")):
            if isinstance(values, str):
                raise InvalidArgument(say("not_a", what, f"a list of {of}", values))
            if values is not None:
                object.__setattr__(self, what, label_texts(values))
        if self.order is not None and self.missing != "estimate":
            raise InvalidArgument(say("not_both", "order=", f"missing={self.missing!r}"))
        if self.missing == "estimate" and isinstance(self.group, str):
            refuse_both()
        if self.missing == "estimate" and self.units:
            raise InvalidArgument(say("not_both", "folds= or repeat=", "missing='estimate'"))
        if self.labels_from is not None and self.missing == "error":
            raise InvalidArgument(say("labels_of_some"))
        for name in ("positive", "model"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, one_spelling(given.strip()))
