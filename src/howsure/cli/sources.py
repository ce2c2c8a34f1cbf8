"""One classifier: its table from a file, or typed instead, and the posterior where another prevalence is said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from howsure.cli.numbers import by_class, shares_of
from howsure.cli.options import CELLS, UNITS, Options
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.text.formats import integer, plain

if TYPE_CHECKING:
    from howsure.data.confusion import ConfusionMatrix
    from howsure.io import Reading
    from howsure.posterior.posterior import Posterior

#: 1,000, 1.000, 1'000 and 1 000: a thousand to some, and one to others where there is one sign only.
THOUSANDS = re.compile(r"\d{1,3}([,.' \u2009\u202f]\d{3})+")

#: How a file is read, as the reader calls it.
HOW = "rows positive labels model missing y_true=true y_pred=pred order labels_from"


def read_table(ask: Options, file: str | None = None, *, units: bool = False) -> Reading:
    """Counts of the files, of one of them or of what was typed, and what was said of them on the way."""
    from howsure.io import read

    if typed := ask.used(CELLS):
        return _typed(ask, typed)
    if not ask.files and file is None:
        raise InvalidArgument(
            "name a FILE, - for standard input, or type a table: --tp, --fn, --fp and --tn (or --table)"
        )
    if len(ask.files) == 4 and all(cell.isascii() and cell.isdigit() for cell in ask.files):
        raise InvalidArgument(f"four numbers are not a FILE; a table is typed as --table {','.join(ask.files)}")
    # groups by the names of columns where none is named; rates that are carried over are those of cases
    grouped = units and (ask.verdicts is None or bool(ask.used(UNITS)))
    columns: dict[str, Any] = {"group": ask.group or True, "repeat": ask.repeat, "folds": ask.folds} if grouped else {}
    return read(file or ask.files, **ask.given(HOW), **columns)


def _typed(ask: Options, typed: list[str]) -> Reading:
    from howsure.io import Reading

    if ask.files:
        names = listing(map(excerpt, ask.files))
        raise InvalidArgument(f"FILE ({names}) and {listing(typed)} exclude each other; cases come from one of them")
    ask.refuse(
        f"rows true pred model order labels_from {UNITS}",
        "{} tell how to read a FILE; leave them out with " + listing(typed),
    )
    if ask.table is not None and len(typed) > 1:
        raise InvalidArgument(f"{' and '.join(typed)} exclude each other; choose one way to give the table")
    confusion, echo = (_rows if ";" in (ask.table or "") else _four)(ask)
    return Reading(confusion, "the command line", "table as typed", (echo,))


def _four(ask: Options) -> tuple[ConfusionMatrix, str]:
    """Four cells, and a sentence that says them back."""
    from howsure.data.confusion import ConfusionMatrix

    names = CELLS.split()[:4]
    if ask.table is not None:
        cells: list[Any] = ask.table.split(",")
        if len(cells) != 4:
            raise InvalidArgument(
                f"--table takes four counts, TP,FN,FP,TN, not {len(cells)}; a larger table has one row of counts "
                "for each true class, with ; between them and --labels"
            )
    else:
        cells = [getattr(ask, name) for name in names]
        if missing := [f"--{name}" for name, cell in zip(names, cells, strict=True) if cell is None]:
            raise InvalidArgument(f"{listing(missing)} missing: a table has four cells, --tp, --fn, --fp and --tn")
    called = [name.upper() if ask.table else f"--{name}" for name in names]
    tp, fn, fp, tn = (_count(text, name) for name, text in zip(called, cells, strict=True))
    if not any((tp, fn, fp, tn)):
        raise InvalidArgument("the four cells of the table are 0: it has no case, so there is nothing to learn from it")
    made = ConfusionMatrix.from_counts(tp=tp, fn=fn, fp=fp, tn=tn)
    if ask.labels is not None:
        made = _named(ask, made)
    elif ask.positive is not None and ask.positive != made.positive:
        raise InvalidArgument("--tp, --fn, --fp and --tn say what is positive; to name the classes, use --labels")
    name = plain(str(made.positive), 30)
    other = plain(next(label for label in made.labels if label != made.positive), 30)
    return made, (
        f"TP {integer(tp)}, FN {integer(fn)}, FP {integer(fp)}, TN {integer(tn)}: {integer(tp)} of {integer(tp + fn)} "
        f"{name} cases were predicted {name}, {integer(tn)} of {integer(fp + tn)} {other} cases {other}."
    )


def _named(ask: Options, made: ConfusionMatrix) -> ConfusionMatrix:
    """Four cells with the names of their classes, the positive one where it stands among them."""
    from howsure.data.confusion import ConfusionMatrix

    labels = ask.labels or []
    if len(labels) != 2:
        raise InvalidArgument(f"TP, FN, FP and TN are of two classes, and --labels names {len(labels)}")
    named = ConfusionMatrix(made.counts, labels, positive=ask.positive)
    if named.positive is None:
        raise InvalidArgument(
            f"nothing says which of {listing(map(excerpt, labels))} the positives are; say --positive "
            f"{plain(named.labels[0], 30)} or --positive {plain(named.labels[1], 30)}"
        )
    if named.positive == named.labels[1]:
        return named
    return ConfusionMatrix(made.counts[::-1, ::-1], labels, positive=ask.positive)


def _rows(ask: Options) -> tuple[ConfusionMatrix, str]:
    """A row of counts for each true class, and a sentence that says the first back."""
    from howsure.data.confusion import ConfusionMatrix

    labels = ask.labels
    if labels is None:
        raise InvalidArgument(
            "--table with rows needs --labels, the classes in the order of its rows and columns; rows are truth"
        )
    rows = [row.split(",") for row in (ask.table or "").strip().removesuffix(";").split(";")]
    for number, row in enumerate(rows, 1):
        if len(row) != len(labels):
            raise InvalidArgument(
                f"row {number} of --table has {len(row)} counts, and --labels names {len(labels)} classes"
            )
    counts = [[_count(cell, f"row {i} of --table") for cell in row] for i, row in enumerate(rows, 1)]
    made = ConfusionMatrix(counts, labels, positive=ask.positive)
    first, size = made.counts[0], int(made.class_sizes[0])
    called = ", ".join(
        f"{integer(int(count))} called {plain(name, 30)}"
        for name, count in list(zip(made.labels, first.tolist(), strict=True))[:5]
    )
    more = ", ..." if len(made.labels) > 5 else ""
    return made, f"the table as given, rows truth: of {integer(size)} truly {plain(made.labels[0], 30)} {called}{more}."


def _count(text: str, what: str) -> int:
    """A number of cases."""
    body = text.strip()
    if not (body.isascii() and body.isdigit() and len(body) <= 20):
        digits = "".join(sign for sign in body if sign not in ",.' \u2009\u202f")
        hint = f"; say {digits}" if THOUSANDS.fullmatch(body) else ""
        raise InvalidArgument(f"{what} is {excerpt(text)}, and a count of cases is an integer, 0 or more{hint}")
    return int(body)


def other_prevalence(ask: Options, confusion: ConfusionMatrix) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Another prevalence than that of the test set as the library takes it, and what was done to shares on the way."""
    odd = ask.used("prevalence cases verdicts")
    if len(odd) > 1:
        raise InvalidArgument(f"{' and '.join(odd[:2])} exclude each other; choose one")
    if ask.prevalence is not None:
        shares = shares_of(ask.prevalence, confusion, "--prevalence")
        return {"prevalence": shares.of}, shares.notes
    return {
        name: by_class(text, confusion.labels, f"--{name}", "counts", example)
        for name, text, example in (("cases", ask.cases, 490), ("verdicts", ask.verdicts, 700))
        if text is not None
    }, ()


def at_other_prevalence(ask: Options, known: Posterior) -> Posterior:
    """The posterior where --prevalence, --cases or --verdicts say."""
    where, _ = other_prevalence(ask, known.confusion)
    return known.at_prevalence(where.pop("prevalence", None), **where) if where else known


def read_elsewhere(ask: Options, *, units: bool = False) -> tuple[Reading, list[str]]:
    """The table, and what is to be said of it and of the shares there."""
    read = read_table(ask, units=units)
    return read, [*read.notes, *other_prevalence(ask, read.confusion)[1]]


def known_elsewhere(ask: Options) -> tuple[Posterior, list[str]]:
    """The posterior of the table where options say, and what is to be said of it."""
    from howsure.posterior.posterior import infer

    read, notes = read_elsewhere(ask)
    return at_other_prevalence(ask, infer(read.confusion, **ask.given("prior shares"))), notes


def refuse_groupless(ask: Options, *, known: bool) -> None:
    """Refuse --groups where no column of groups was read."""
    if ask.groups is not None and not known:
        raise InvalidArgument(
            f"--groups {ask.groups} is about cases that come in groups, and no column of groups was read of all cases; "
            "name one with --group"
        )
