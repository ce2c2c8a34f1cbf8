"""A table out of a paper, typed on the command line instead of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from howsure.cli.options import option
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.text.formats import integer, plain

if TYPE_CHECKING:
    from howsure.io.reading import Pair

__all__ = ["FnOption", "FpOption", "PairedCounts", "PublishedTable", "TableOption", "TnOption", "TpOption"]

#: 1,000, 1.000, 1'000 and 1 000: a thousand to some, and one to others where there is one sign only.
THOUSANDS = re.compile(r"\d{1,3}([,.' \u2009\u202f]\d{3})+")

CELLS = ("tp", "fn", "fp", "tn")

TpOption = Annotated[str | None, option("tp")]
FnOption = Annotated[str | None, option("fn")]
FpOption = Annotated[str | None, option("fp")]
TnOption = Annotated[str | None, option("tn")]
TableOption = Annotated[str | None, option("table")]


BothOption = Annotated[int | None, option("both")]
OnlyAOption = Annotated[int | None, option("only-a")]
OnlyBOption = Annotated[int | None, option("only-b")]
NeitherOption = Annotated[int | None, option("neither")]


@dataclass(frozen=True)
class PairedCounts:
    """On how many of the same cases two classifiers were right, in place of a file."""

    both: BothOption = None
    only_a: OnlyAOption = None
    only_b: OnlyBOption = None
    neither: NeitherOption = None

    @property
    def given(self) -> bool:
        """Whether any of them is."""
        return any(value is not None for value in vars(self).values())

    def pair(self, a: str, b: str, files: Sequence[str]) -> Pair:
        """The two classifiers.

        Raises
        ------
        InvalidArgument
            Fewer than four counts, or a file beside them.
        """
        from howsure.io.answers import pair_of_counts

        counts = [value for value in vars(self).values() if value is not None]
        if files or len(counts) < 4:
            raise InvalidArgument(
                "a pair is typed as four counts, --both, --only-a, --only-b and --neither, and without a FILE"
            )
        return pair_of_counts((a, b), *counts)


@dataclass(frozen=True)
class PublishedTable:
    """The four cells of a published table, or the rows of a larger one."""

    tp: TpOption = None
    fn: FnOption = None
    fp: FpOption = None
    tn: TnOption = None
    table: TableOption = None

    @property
    def given(self) -> list[str]:
        """Options that were used."""
        return [f"--{name}" for name in (*CELLS, "table") if getattr(self, name) is not None]

    def confusion(self, labels: Sequence[str] | None, positive: str | None) -> tuple[ConfusionMatrix, str]:
        """The counts, and a sentence that says them back.

        Raises
        ------
        InvalidArgument
            A cell that is missing, or no whole number of cases; names that do not say which class is positive.
        """
        if self.table is not None:
            if len(self.given) > 1:
                raise InvalidArgument(
                    f"{' and '.join(self.given)} exclude each other; choose one way to give the table"
                )
            if ";" in self.table:
                return _rows(self.table, labels, positive)
            cells = self.table.split(",")
            if len(cells) != 4:
                raise InvalidArgument(
                    f"--table takes four counts, TP,FN,FP,TN, not {len(cells)}; a larger table has one row of counts "
                    "for each true class, with ; between them and --labels"
                )
        else:
            missing = [f"--{name}" for name in CELLS if getattr(self, name) is None]
            if missing:
                raise InvalidArgument(f"{listing(missing)} missing: a table has four cells, --tp, --fn, --fp and --tn")
            cells = [getattr(self, name) for name in CELLS]
        whole = [
            _count(text, name.upper() if self.table else f"--{name}") for name, text in zip(CELLS, cells, strict=True)
        ]
        if not any(whole):
            raise InvalidArgument(
                "the four cells of the table are 0: it has no case, so there is nothing to learn from it"
            )
        return _four(*whole, labels=labels, positive=positive)


def _four(
    tp: int, fn: int, fp: int, tn: int, *, labels: Sequence[str] | None, positive: str | None
) -> tuple[ConfusionMatrix, str]:
    made = ConfusionMatrix.from_counts(tp=tp, fn=fn, fp=fp, tn=tn)
    if labels is not None:
        if len(labels) != 2:
            raise InvalidArgument(f"TP, FN, FP and TN are of two classes, and --labels names {len(labels)}")
        named = ConfusionMatrix(made.counts, labels, positive=positive)
        if named.positive is None:
            raise InvalidArgument(
                f"nothing says which of {listing(map(excerpt, labels))} the positives are; say --positive "
                f"{plain(named.labels[0], 30)} or --positive {plain(named.labels[1], 30)}"
            )
        if named.positive == named.labels[0]:
            named = ConfusionMatrix([[tp, fn], [fp, tn]], labels, positive=positive)
        made = named
    elif positive is not None and positive != made.positive:
        raise InvalidArgument("--tp, --fn, --fp and --tn say what is positive; to name the classes, use --labels")
    name = plain(str(made.positive), 30)
    other = plain(next(label for label in made.labels if label != made.positive), 30)
    return made, (
        f"TP {integer(tp)}, FN {integer(fn)}, FP {integer(fp)}, TN {integer(tn)}: {integer(tp)} of {integer(tp + fn)} "
        f"{name} cases were predicted {name}, {integer(tn)} of {integer(fp + tn)} {other} cases {other}."
    )


def _rows(text: str, labels: Sequence[str] | None, positive: str | None) -> tuple[ConfusionMatrix, str]:
    if labels is None:
        raise InvalidArgument(
            "--table with rows needs --labels, the classes in the order of its rows and columns; rows are truth"
        )
    rows = [row.split(",") for row in text.strip().removesuffix(";").split(";")]
    for number, row in enumerate(rows, 1):
        if len(row) != len(labels):
            raise InvalidArgument(
                f"row {number} of --table has {len(row)} counts, and --labels names {len(labels)} classes"
            )
    counts = [[_count(cell, f"row {i} of --table") for cell in row] for i, row in enumerate(rows, 1)]
    made = ConfusionMatrix(counts, labels, positive=positive)
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
