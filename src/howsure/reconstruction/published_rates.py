"""A figure as it was printed, and the values that it may have been rounded from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import items

__all__ = ["Published", "Rounding", "published_shares"]

Rounding = Literal["nearest", "truncated"]

#: Share by which an end that does not belong to an interval is moved in.
OPEN = Decimal("1e-11")
#: A row of printed shares that adds up to more than this is one of percentages.
LARGEST_SUM = 2.0
#: What is said of 86/100.
COUNTS = (
    "counts need no reconstruction: sensitivity 86/100 and specificity 170/200 are from_counts(tp=86, fn=14, fp=30, "
    "tn=170) (howsure report --tp 86 --fn 14 --fp 30 --tn 170)"
)


@dataclass(frozen=True)
class Published:
    """A figure as it was printed, and the values that it may have been rounded from.

    Examples
    --------
    >>> Published.of("accuracy", "0.880", "nearest")
    Published(name='accuracy', shown='0.880', low=0.8795, high=0.8805)
    >>> Published.of("recall", "88%", "truncated")  # 0.89 itself would be printed as 89%
    Published(name='recall', shown='88%', low=0.88, high=0.88999999999)
    """

    name: str
    shown: str
    low: float
    high: float
    is_share: bool = field(default=False, repr=False)

    @classmethod
    def of(cls, name: str, value: object, rounding: Rounding) -> Published:
        """Read a number, or its text, which keeps the zeros at its end."""
        shown = value.strip() if isinstance(value, str) else excerpt(value)
        try:
            percent = shown.endswith("%")
            number = Decimal(shown.removesuffix("%").strip())
            places = number.as_tuple().exponent
        except InvalidOperation:
            counts = f"; {COUNTS}" if re.fullmatch(r"\d+ *(/|of) *\d+", shown) else ""
            raise InvalidArgument(
                f"{name} is a printed number such as 0.88 or '0.880', not {excerpt(value)}{counts}"
            ) from None
        if not isinstance(places, int) or isinstance(value, bool):
            raise InvalidArgument(f"{name} is a printed number such as 0.88 or '0.880', not {excerpt(value)}")
        scale = 100 if percent else 1
        number, step = number / scale, Decimal(1).scaleb(min(places, 0)) / scale
        if rounding == "nearest":
            return cls(name, shown, float(number - step / 2), float(number + step / 2))
        # cut towards 0: the end that is further from it is printed as another figure
        step -= OPEN * max(Decimal(1), abs(number))
        low, high = (number if number > 0 else number - step), (number if number < 0 else number + step)
        return cls(name, shown, float(low), float(high))


def published_shares(shares: Any, labels: Sequence[str], rounding: Rounding) -> list[list[Published]]:
    """Shares of each true class that were given each answer, one row a true class; percentages are recognised.

    Raises
    ------
    InvalidArgument
        Not one row of K numbers for each of K classes, or a row that adds up to neither 1 nor 100.

    Examples
    --------
    >>> rows = published_shares([["88", "12"], ["5", "95"]], ["a", "b"], "nearest")
    >>> rows[0][1]
    Published(name='share of a called b', shown='12%', low=0.115, high=0.125)
    """
    size = len(labels)
    table = [
        items(row, "a row of shares", f"{size} numbers") for row in items(shares, "shares", f"a list of {size} rows")
    ]
    if [len(row) for row in table] != [size] * size:
        raise InvalidArgument(f"shares are a row for each of {size} true classes, each of {size} numbers")
    rows = []
    for true, row in zip(labels, table, strict=True):
        names = [f"share of {true} called {pred}" for pred in labels]
        figures = [Published.of(n, v, rounding) for n, v in zip(names, row, strict=True)]
        if sum(f.high for f in figures) > LARGEST_SUM:
            figures = [Published.of(n, f"{f.shown}%", rounding) for n, f in zip(names, figures, strict=True)]
        if sum(f.low for f in figures) > 1 or sum(f.high for f in figures) < 1:
            shown = ", ".join(f.shown for f in figures)
            cut = rounding == "nearest" and sum(f.high for f in figures) < 1
            hint = ', or below if they were cut (rounding="truncated")' if cut else ""
            raise InvalidArgument(
                f"the shares of {excerpt(true)} are {shown}; a row of shares adds up to 1 or 100%{hint}"
            )
        rows.append([replace(figure, is_share=True) for figure in figures])
    return rows
