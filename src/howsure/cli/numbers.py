"""Numbers and shares of classes as people write them: 0.02, 2%, 1/50, ill=2%, equal, 0.5,1."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import written
from howsure.text.formats import plain

T = TypeVar("T")

#: Shares that add to something else than 1 by more than this were not rounded, they are wrong.
MOST_ROUNDED = Fraction(1, 50)

DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+ ?%?")


@dataclass(frozen=True)
class Shares:
    """Share of each class, or of those that were named, and what was done to them."""

    of: dict[str, float]
    notes: tuple[str, ...] = ()


def shares_of(text: str, confusion: ConfusionMatrix, option: str) -> Shares:
    """Read shares of classes: of all in their order, of some by name, of the positive one of two, or ``equal``.

    Each is a number (0.02), a percentage (2%) or a fraction (1/50). Shares of all classes that miss 1 by the rounding
    of their digits (0.333 three times) are divided by their sum.

    Raises
    ------
    InvalidArgument
        What is no share, the wrong number of them, a wrong sum, or one share where nobody knows which class it is of.

    Examples
    --------
    >>> counts = ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
    >>> shares_of("2%", counts, "--prevalence").of, shares_of("1/4, 3/4", counts, "--prevalence").of
    ({'ill': 0.02}, {'healthy': 0.25, 'ill': 0.75})
    """
    labels = confusion.labels
    if text.strip().lower() == "equal":
        return Shares(dict.fromkeys(labels, 1 / len(labels)))
    parts = text.split(",")
    given: dict[str, tuple[Fraction, Fraction]] = {}
    for label, part in _labelled(parts, confusion, option):
        if label in given:
            raise InvalidArgument(f"{option} names {excerpt(label)} twice; each class has one share")
        given[label] = _share(part.rpartition("=")[2], part, option)
    if len(labels) == 2:
        _refuse_nobody([value for value, _ in given.values()], text, option)
    total = sum((value for value, _ in given.values()), Fraction(0))
    if len(given) < len(labels) or abs(total - 1) < Fraction(1, 10**9):
        return Shares({label: float(value) for label, (value, _) in given.items()})
    rounding = sum((half for _, half in given.values()), Fraction(0))
    if abs(total - 1) > min(rounding, MOST_ROUNDED):
        raise InvalidArgument(f"the shares of {option} add to {float(total):g}, and shares of all classes add to 1")
    note = f"the shares of {option} add to {float(total):g}, which is rounding; each was divided by that."
    return Shares({label: float(value / total) for label, (value, _) in given.items()}, (note,))


def _refuse_nobody(values: Sequence[Fraction], text: str, option: str) -> None:
    """Refuse 0 and 1 of two classes."""
    if any(value in (0, 1) for value in values):
        comma = re.fullmatch(r"(\d+),(\d+\s*%?)", text.strip())
        meant = f"one share is written with a point, {option} {comma[1]}.{comma[2]}; " if comma else ""
        raise InvalidArgument(
            f"{option} is {excerpt(text)}; {meant}each of two classes has a share strictly between 0 and 1; a class "
            "that nobody or everybody belongs to needs no test"
        )


def _labelled(parts: Sequence[str], confusion: ConfusionMatrix, option: str) -> list[tuple[str, str]]:
    """Each part with its class."""
    labels = confusion.labels
    if any("=" in part for part in parts):
        named = [part.rpartition("=") for part in parts]
        bare = [value for name, _, value in named if not name.strip()]
        if bare:
            raise InvalidArgument(f"{option} names some classes and not the one of {excerpt(bare[0].strip())}")
        return [(labels[confusion.index(part.rpartition("=")[0].strip())], part) for part in parts]
    if len(parts) == 1 and len(labels) == 2:
        if confusion.positive is None:
            share = parts[0].strip()
            _refuse_nobody([_share(share, share, option)[0]], share, option)
            both = " or ".join(f"{plain(label, 30)}={plain(share, 20)}" for label in labels)
            raise InvalidArgument(
                f"{option} {plain(share, 20)} is one share, and nothing says which of "
                f"{listing(map(excerpt, labels))} is the positive class; say {both}, or --positive"
            )
        return [(confusion.positive, parts[0])]
    if len(parts) != len(labels):
        raise InvalidArgument(
            f"{option} needs {len(labels)} shares, one for each class, or shares by name "
            f"({plain(labels[0], 30)}=0.2); got {len(parts)}"
        )
    return list(zip(labels, parts, strict=True))


def _share(number: str, part: str, option: str) -> tuple[Fraction, Fraction]:
    """A share exactly as it is written, and by how much it may have been rounded."""
    text = number.strip()
    of_hundred = text.endswith("%")
    body = text.removesuffix("%").strip()
    try:
        if len(body) > 40 or not body.isascii() or "_" in body or "inf" in body.lower() or "nan" in body.lower():
            raise ValueError
        value = Fraction(body) if "/" in body else Fraction(_written(body))
    except (ValueError, ArithmeticError):
        raise InvalidArgument(
            f"{option} holds {excerpt(part.strip())}; a share is a number (0.02), a percentage (2%) or a "
            "fraction (1/50)"
        ) from None
    scale = Fraction(1, 100) if of_hundred else Fraction(1)
    value *= scale
    if not 0 <= value <= 1:
        hint = " (2% is 0.02 or 2%, and decimals have a point)" if 1 < value <= 100 else ""
        raise InvalidArgument(f"{option} holds {excerpt(part.strip())}; a share lies between 0 and 1{hint}")
    decimals = len(body.lower().partition("e")[0].partition(".")[2])
    exact = "/" in body or "e" in body.lower() or value in (0, 1) or (not decimals and not of_hundred)
    return value, Fraction(0) if exact else Fraction(1, 2 * 10**decimals) * scale


def number_or_share(text: str | None, option: str) -> float | None:
    """A whole number of things (``5``), or a share of them (``2%``, ``0.02``, ``1/50``).

    Examples
    --------
    >>> number_or_share("5", "--wrong-labels"), number_or_share("2%", "--wrong-labels")
    (5, 0.02)
    """
    if text is None:
        return None
    body = text.strip()
    return int(body) if body.isascii() and body.isdigit() and len(body) < 16 else float(_share(body, body, option)[0])


def number_of(text: str, option: str) -> float:
    """A share, probability or value of a metric: a number (``0.1``), a percentage (``10%``), a fraction (``1/10``).

    Raises
    ------
    InvalidArgument
        What is none of these. Its range is what it is used for to say.

    Examples
    --------
    >>> [number_of(text, "--width") for text in ("10%", "0.1", "1/8", "-2")]
    [0.1, 0.1, 0.125, -2.0]
    """
    body = text.strip()
    try:
        if not body.isascii() or "_" in body:
            raise ValueError
        if body.endswith("%"):
            return float(_written(body.removesuffix("%").strip()) / 100)
        over, slash, under = body.partition("/")
        return float(Fraction(int(over), int(under))) if slash else float(body)
    except (ValueError, ArithmeticError):
        hint = f"; decimals have a point: {body.replace(',', '.')}" if DECIMAL_COMMA.fullmatch(body) else ""
        raise InvalidArgument(
            f"{option} is a number (0.1), a percentage (10%) or a fraction (1/10), not {excerpt(body)}{hint}"
        ) from None


def _or_say(read: Callable[[], T], what: str) -> T:
    """What is read, or a sentence on what it should be."""
    try:
        return read()
    except (ValueError, InvalidArgument):
        raise InvalidArgument(what) from None


def several_of(text: str, read: Callable[[str], T], what: str) -> list[T]:
    """What has commas between, each read alike; ``what`` they are is said where one is not that.

    Examples
    --------
    >>> several_of("50, 100", int, "--more is integers such as 50,100,200")
    [50, 100]
    """
    return _or_say(lambda: [read(part) for part in text.split(",")], f"{what}; not {excerpt(text)}")


def numbers_of(text: str, option: str, example: str) -> list[float]:
    """Several of `number_of`.

    Examples
    --------
    >>> numbers_of("90%, 0.88", "--board", "0.9,0.8")
    [0.9, 0.88]
    """
    what = f"{option} is numbers or percentages with commas between, such as {example}"
    return several_of(text, lambda part: number_of(part, option), what)


def scores_of(text: str | None, option: str) -> list[float] | None:
    """Read ``0,0.5,1``."""
    what = f"--{option} are numbers, comma separated (0,0.5,1)"
    return None if text is None else several_of(text, written, what)


def number_or(text: str | None, words: Sequence[str], option: str, what: str) -> Any:
    """A number, or one of some words."""
    if text is None or text in words:
        return text
    return _or_say(lambda: number_of(text, option), f"{option} is {what}, not {excerpt(text)}")


def number_or_names(text: str | None, option: str) -> float | dict[str, float] | None:
    """Read ``0.9`` or ``recall=0.9,specificity=0.8``."""
    if text is None:
        return None
    what = f"{option} is a number (0.9 or 90%), or names with numbers (a=0.9,b=0.8); not {excerpt(text)}"
    if "=" not in text:
        return _or_say(lambda: number_of(text, option), what)
    pairs = [part.partition("=") for part in text.split(",")]
    return _or_say(lambda: {name.strip(): number_of(value, option) for name, _, value in pairs}, what)


def share_of_positives(text: str | None, positive: str) -> float | None:
    """Share of the positive class: 0.02, 2%, 1/50, or by its name."""
    if text is None:
        return None
    what = f"--prevalence is the share of {excerpt(positive)} here (0.02, 2% or 1/50); not {excerpt(text)}"
    return _or_say(lambda: number_of(text.strip().removeprefix(f"{positive}="), "--prevalence"), what)


def _written(text: str) -> Decimal:
    """A decimal number; refuses exponents that would not fit into memory as a fraction."""
    value = Decimal(text)
    if value and not -400 < value.adjusted() < 20:
        raise ValueError(text)
    return value


def by_class(text: str, labels: Sequence[str], option: str, what: str, example: float) -> dict[str, float]:
    """Read numbers of classes, all in their order (``490,10``) or by name (``healthy=490,ill=10``)."""
    given: dict[str, float] = {}
    parts = [part.strip() for part in text.split(",")]
    named = any("=" in part for part in parts)
    if not named and len(parts) != len(labels):
        raise InvalidArgument(f"{option} needs {len(labels)} {what}, one for each class; got {len(parts)}")
    for position, part in enumerate(parts):
        label, _, value = part.rpartition("=") if named else (labels[position], "", part)
        if label.strip() in given:
            raise InvalidArgument(f"{option} names {excerpt(label.strip())} twice; each class has one number")
        try:
            given[label.strip()] = written(value)
        except ValueError:
            raise InvalidArgument(f"{option} holds {excerpt(part)}; {what} are numbers such as {example:g}") from None
    return given
