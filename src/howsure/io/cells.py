"""One count: from a cell to a whole number, or to the sentence that says why not."""

from __future__ import annotations

import re

from howsure.data.confusion import LARGEST_COUNT
from howsure.data.words import is_missing
from howsure.errors import excerpt
from howsure.io.reading import Request

__all__ = ["BILLION", "NotACount", "billionths_of", "cell_value", "count_of", "is_no_name", "looks_numeric", "unasked"]

#: What `billionths_of` makes of 1.
BILLION = 1_000_000_000

_RULE = "Counts are whole numbers of cases, 0 or more"
_WHOLE = re.compile(r"([0-9]+)(\.0*)?")
#: Thousands set apart by what is no decimal sign anywhere, an apostrophe or a blank, or by commas or points that come
#: more than once. One comma or point may be a decimal sign.
_GROUPED = re.compile(
    "[1-9][0-9]{0,2}(?:(?:(['\u2019 \u00a0\u202f\u2009])[0-9]{3})(?:\\1[0-9]{3})*|([.,])[0-9]{3}(?:\\2[0-9]{3})+)"
)
#: Of some programs a whole number with three decimals, of others thousands.
_EITHER = re.compile(r"([1-9][0-9]{0,2})\.000")
#: A count with its share in brackets, or behind its share; out of a total the share must be the quotient.
_COUNT, _PER_CENT = r"(?P<count>[0-9][0-9.,'\u2019]{0,22})", r"(?P<share>[0-9]{1,3}(?:[.,][0-9]{1,9})?)\s?%"
_BESIDE = re.compile(rf"{_COUNT}\s?(?:/\s?(?P<of>[0-9]{{1,16}})\s?)?\(\s?{_PER_CENT}\s?\)")
_BEHIND = re.compile(rf"{_PER_CENT}\s?\(\s?{_COUNT}\s?\)")
_SHARE = re.compile(r"[0-9]{1,3}(\.[0-9]{0,15})?|\.[0-9]{1,15}")
_NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]{1,3})?")


class NotACount(Exception):
    """What a cell holds instead of a count; never leaves this package."""


def looks_numeric(text: str) -> bool:
    """Whether a cell is a number of any kind, a count or not."""
    number = text.strip().removesuffix("%").rstrip()
    return bool(_NUMBER.fullmatch(number) or _GROUPED.fullmatch(number))


def is_no_name(text: str) -> bool:
    """Whether a cell is a number, with its share beside it or without.

    Examples
    --------
    >>> is_no_name("-1.5 %"), is_no_name("45 (90 %)"), is_no_name("class 2")
    (True, True, False)
    """
    # 45/50 (90 %) may as well be a rate of its own
    return looks_numeric(text) or ("/" not in text and _with_share(text.strip()) is not None)


def count_of(value: object) -> int:
    """Count in a cell of a table (text) or of JSON (a number).

    Parameters
    ----------
    value : str, int or float

    Raises
    ------
    NotACount
        With a half sentence that follows the name of the cell.

    Examples
    --------
    >>> count_of(" 12 "), count_of("12.0"), count_of(3)
    (12, 12, 3)
    >>> count_of("1'234"), count_of("1.234.567"), count_of("1.00"), count_of("1234.000")
    (1234, 1234567, 1, 1234)
    >>> count_of("45 (90 %)"), count_of("45/50 (90%)"), count_of("90.0% (45)")
    (45, 45, 45)
    >>> count_of("93 %")
    Traceback (most recent call last):
    ...
    howsure.io.cells.NotACount: holds the percentage '93 %'. Enter numbers of cases, or add a column n with the ...
    """
    if isinstance(value, str):
        text = _without_share(value.strip())
        if either := _EITHER.fullmatch(text):
            problem = f"holds {excerpt(text)}, which is {either[1]} with decimals or {either[1]},000 with a point"
            raise NotACount(f"{problem}; write it with digits only")
        whole = _WHOLE.fullmatch(re.sub("[^0-9]", "", text) if _GROUPED.fullmatch(text) else text)
        if whole:
            digits = whole[1].lstrip("0") or "0"
            return _bounded(int(digits) if len(digits) <= 17 else LARGEST_COUNT + 1, value.strip())
        raise NotACount(_why_not(value.strip()))
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return _bounded(value, value)
    if isinstance(value, float) and value >= 0 and (value > LARGEST_COUNT or value.is_integer()):
        return _bounded(int(min(value, LARGEST_COUNT + 1)), value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise NotACount(_why_not(repr(value)))
    raise NotACount(f"holds {excerpt(value)}, not a number. {_RULE}.")


def unasked(column: str, weight: str) -> str:
    """Why a column of weights is not simply read, and the way out."""
    shown = "blank" if weight in ("", "blank") else excerpt(weight)
    return (
        f"the weight (column {excerpt(column, 40)}) is {shown}, and only 1 is read: a posterior counts cases, and a "
        "weight is no case. howsure count --weight COLUMN --weights effective counts the effective number of cases; "
        "or leave the column out and state the prevalence"
    )


def billionths_of(value: object) -> int:
    """Share or percentage in a cell, in billionths of it; its per cent sign is taken off.

    Raises
    ------
    NotACount
        No number from 0 to 100.

    Examples
    --------
    >>> billionths_of("0.75"), billionths_of("93.5 %"), billionths_of(1)
    (750000000, 93500000000, 1000000000)
    """
    text = str(value).strip().removesuffix("%").rstrip()
    if not _SHARE.fullmatch(text) or float(text) > 100:
        raise NotACount(f"holds {excerpt(value)}, no share and no percentage")
    return round(float(text) * BILLION)


def cell_value(value: object, request: Request) -> int:
    """Count in a cell, or its billionths where shares are read; raises `NotACount`."""
    return billionths_of(value) if request.grid is not None and request.grid.shares else count_of(value)


def _without_share(text: str) -> str:
    """The count of a cell that has its percentage beside it; any other cell as it is."""
    found = _with_share(text)
    if found is None:
        return text
    of = found.groupdict().get("of")
    if of is not None:
        share = found["share"].replace(",", ".")
        rounding = 0.5001 * 10.0 ** -len(share.partition(".")[2])
        whole = found["count"].isdecimal() and int(of) > 0
        if not whole or abs(100 * int(found["count"]) / int(of) - float(share)) > rounding:
            raise NotACount(f"holds {excerpt(text)}, whose percentage is not the count over the total. {_RULE}.")
    return found["count"]


def _with_share(text: str) -> re.Match[str] | None:
    return (_BESIDE.fullmatch(text) or _BEHIND.fullmatch(text)) if text[-1:] == ")" and len(text) < 60 else None


def _bounded(count: int, shown: object) -> int:
    if count > LARGEST_COUNT:
        problem = f"holds {excerpt(shown, 30).strip(chr(39))}, above 2**53 - 1 = {LARGEST_COUNT}"
        raise NotACount(f"{problem}, beyond which counts are not exact")
    return count


def _why_not(text: str) -> str:
    if is_missing(text):
        return f"is missing{f' ({text})' if text else ' (a blank cell)'}. {_RULE}; write 0 where there were none."
    if text.endswith("%"):
        advice = "Enter numbers of cases, or add a column n with the cases of each row, or such a last row"
        return f"holds the percentage {excerpt(text)}. {advice}."
    if not looks_numeric(text):
        return f"holds {excerpt(text)}, not a number. {_RULE}."
    if text.startswith("-"):
        return f"holds {text[:30]}. {_RULE}."
    if "," in text:
        return f"holds {excerpt(text)}, with a decimal or grouping comma. {_RULE}, written with digits only."
    if text.startswith("+") or "e" in text.lower():
        return f"holds {excerpt(text)}. {_RULE}, written with digits only."
    return f"holds {text[:30]}, a fraction. {_RULE}; if these are shares, enter share times class size."
