"""The one place where a number with its uncertainty becomes text, and text from outside becomes safe to show.

Digits are a claim. A number is cut to the digits that its interval supports, further cut if a Monte Carlo
error is larger, and a probability is never printed as 0 or 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from howsure._version import __version__
from howsure.errors import visible

MOST_DECIMALS = 12

_LETTERS = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]+"
#: Words of a script that is written from right to left.
_RIGHT_TO_LEFT = re.compile(f"{_LETTERS}(?:[ '-]{_LETTERS})*")


def decimals(low: float, high: float, error: float = 0.0, near: float | None = None) -> int:
    """Decimals that an interval supports: one significant digit of its half width, two if that begins with 1 to 3.

    The rule of the Particle Data Group (leading digits up to 354 keep two): with one digit throughout, a half
    width of 0.14 would be rounded away by a third. An interval around 0 has up to two decimals more
    where an end would be shown as 0, and so has one with an end at ``near``: on which side it lies is what a reader
    looks for.

    Parameters
    ----------
    low, high : float
        Ends of the interval.
    error : float
        Monte Carlo standard error of the ends; digits below it are noise and are cut as well.
    near : float, optional
        Chance, or no difference.

    Returns
    -------
    int
        Between 0 and 12; 4 where the interval has no width (a number that is known exactly) or no end. Where one end
        is infinite, as many as the other one has, at most two significant digits.

    Examples
    --------
    >>> decimals(0.79, 0.92), decimals(0.8571, 0.8603), decimals(2.0, 31.0), decimals(-0.003, 0.13)
    (2, 4, 0, 3)
    >>> decimals(0.004, 0.13), decimals(0.004, 0.13, near=0), decimals(0.4961, 0.63, near=0.5)
    (2, 3, 3)
    >>> decimals(4.0, math.inf), decimals(-math.inf, 3.55), decimals(3.21873, math.inf)
    (0, 1, 2)
    """
    half = (high - low) / 2
    ends = [abs(end) for end in (low, high) if math.isfinite(end)]
    if half == math.inf and ends and ends[0]:
        return next(n for n in range(MOST_DECIMALS + 1) if n >= place(ends[0] / 10) or round(ends[0], n) == ends[0])
    if not math.isfinite(half) or half <= 0 or not math.isfinite(error):
        return 4
    noise = math.floor(-math.log10(error)) if error > 0 else MOST_DECIMALS
    places = max(0, min(MOST_DECIMALS, place(half), noise))
    marks = {*([0.0] if low < 0 < high else []), *([] if near is None else [near])} - {low, high}
    while places < min(place(half) + 2, noise) and marks & {round(low, places), round(high, places)}:
        places += 1
    return places


def place(half: float) -> int:
    """Last decimal that an interval of this half width supports; 0 is the unit, -1 the tens.

    Examples
    --------
    >>> place(0.065), place(14.5), place(52)
    (2, 0, -1)
    """
    return math.ceil(-math.log10(half / 3.55))


def number(value: float | None, places: int) -> str:
    """Fixed-point text with ``places`` decimals; ``undefined`` for None and NaN, never a negative zero.

    Examples
    --------
    >>> number(0.8571, 2), number(-0.001, 2), number(None, 2), number(1234.5, 0)
    ('0.86', '0.00', 'undefined', '1234')

    Where twelve decimals are not enough, 0 and 1 are not claimed.

    >>> number(1 - 1e-15, 12), number(3.5e-15, 12), number(1.0, 12), number(0.0, 12)
    ('> 0.999999999', '3.5e-15', '1', '0')
    """
    if value is None or math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinite" if value > 0 else "-infinite"
    text = f"{value:.{places}f}"
    if places >= MOST_DECIMALS and value != float(text) in (0.0, 1.0, -1.0):
        return _at_its_end(value)
    if places >= MOST_DECIMALS and value in (0.0, 1.0, -1.0):
        return f"{value:.0f}".lstrip("-" if not value else "")
    return text.lstrip("-") if float(text) == 0 else text


def _at_its_end(value: float) -> str:
    """A number so near to 0, 1 or -1 that twelve decimals do not tell them apart: on which side it is."""
    if abs(value) < 0.5:
        return f"{value:.1e}"
    text = "0.999999999" if abs(value) < 1 else "1"
    return f"{'>' if value > 0 else '<'} {text if value > 0 else '-' + text}"


def interval(low: float, high: float, places: int) -> str:
    """Ends of an interval as words.

    Examples
    --------
    >>> interval(0.789, 0.9213, 2), interval(4.0, math.inf, 0), interval(-math.inf, math.inf, 0)
    ('0.79 to 0.92', '4 or more', 'not bounded')
    """
    if math.inf in (-low, high):
        end, word = (low, "more") if math.isfinite(low) else (high, "less")
        return f"{number(end, places)} or {word}" if math.isfinite(end) else "not bounded"
    return f"{number(low, places)} to {number(high, places)}"


def parts(mean: float | None, low: float, high: float, error: float = 0.0) -> tuple[str, str]:
    """Mean, and interval in words, with the digits that it (and a Monte Carlo error) supports.

    Examples
    --------
    >>> parts(0.0123, -0.011, 0.034)
    ('0.012', '-0.011 to 0.034')
    """
    places = decimals(low, high, error)
    return number(mean, places), interval(low, high, places)


def estimate(mean: float, low: float, high: float) -> str:
    """Both in one.

    Examples
    --------
    >>> estimate(0.0123, -0.011, 0.034)
    '0.012 (-0.011 to 0.034)'
    """
    return "{} ({})".format(*parts(mean, low, high))


def interval_name(kind: str, level: float) -> str:
    """Kind and level as outputs name them: ``95% HDI``.

    Examples
    --------
    >>> interval_name("hdi", 0.95), interval_name("central", 0.999)
    ('95% HDI', '99.9% central')
    >>> interval_name("hdi", 1 - 1e-9)
    '99.9999999% HDI'
    """
    return f"{level_words(level)} {'HDI' if kind == 'hdi' else 'central'}"


def level_words(level: float) -> str:
    """A level as a percentage, which is never 100.

    Examples
    --------
    >>> level_words(0.95), level_words(0.9999999)
    ('95%', '99.99999%')
    """
    shown = (f"{100 * level:.{digits}g}" for digits in range(6, 18))
    return f"{next((text for text in shown if float(text) < 100), '100')}%"


def probability(value: float, draws: int | None = None) -> str:
    """A probability that never claims certainty it does not have.

    Parameters
    ----------
    value : float
        In [0, 1].
    draws : int, optional
        How many draws it was counted from; None for an exact law.

    Examples
    --------
    >>> probability(0.8687), probability(0.99999), probability(1.0, draws=20_000), probability(3e-9)
    ('0.869', '> 0.999', '> 0.999', '< 0.001')
    >>> probability(1.0), probability(0.0, draws=100), probability(1.0, draws=1000)
    ('> 0.999', '< 0.03', '> 0.997')
    """
    if math.isnan(value):
        return "undefined"
    if draws is not None:
        # with no hit in S draws the 95% upper bound is 3/S ("rule of three")
        bound = max(3 / draws, 0.001)
        if value < bound:
            return f"< {bound:.2g}" if bound > 0.001 else "< 0.001"
        if value > 1 - bound:
            return f"> {math.floor(round(1000 * (1 - bound), 6)) / 1000:g}" if bound > 0.001 else "> 0.999"
    if value < 0.001:
        return "< 0.001"
    return "> 0.999" if value > 0.999 else f"{value:.3f}"


def equals(value: float, draws: int | None = None) -> str:
    """A probability after its name, with the sign that belongs there.

    Examples
    --------
    >>> f"P {equals(0.8687)}", f"P {equals(0.99999)}", f"P {equals(math.nan)}"
    ('P = 0.869', 'P > 0.999', 'P is undefined')
    """
    shown = probability(value, draws)
    return shown if shown[0] in "<>" else f"is {shown}" if math.isnan(value) else f"= {shown}"


def exactly(value: float) -> str:
    """A number that somebody gave, with as many digits as tell it from all others, for a name.

    Examples
    --------
    >>> exactly(2.0), exactly(0.05), exactly(333330.5)
    ('2', '0.05', '333330.5')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def integer(value: int) -> str:
    """A count, with thin grouping of thousands for people.

    Examples
    --------
    >>> integer(34), integer(15123)
    ('34', '15,123')
    """
    return f"{value:,d}"


def cases(value: float, *, grouped: bool = False) -> str:
    """A count in a cell: whole, or of several passes of a cross-validation to a tenth of a case.

    Examples
    --------
    >>> cases(1500), cases(1500, grouped=True), cases(85.25), cases(85.0)
    ('1500', '1,500', '85.2', '85.0')
    """
    if isinstance(value, int):
        return f"{value:,d}" if grouped else str(value)
    return f"{value:,.1f}" if grouped else f"{value:.1f}"


def counted(names: Sequence[str], counts: Sequence[int], limit: int = 60) -> str:
    """How many cases each has, of the first twelve.

    Examples
    --------
    >>> counted(["ill", "well"], [12, 1500])
    'ill 12, well 1,500'
    """
    shown = [f"{plain(name, limit)} {integer(count)}" for name, count in zip(names, counts, strict=True)]
    return ", ".join(shown[:12]) + (f" and {integer(len(shown) - 12)} more" if len(shown) > 12 else "")


def several(count: int, noun: str) -> str:
    """So many of a thing, one of it in the singular.

    Examples
    --------
    >>> several(1, "row"), several(0, "row"), several(15123, "class")
    ('1 row', '0 rows', '15,123 classes')
    """
    return f"{integer(count)} {noun}{'' if count == 1 else 'es' if noun.endswith('s') else 's'}"


def plain(text: str, limit: int = 60) -> str:
    r"""Text from outside, safe on a terminal: one line, control and direction marks made visible, cut.

    Examples
    --------
    >>> plain("ill"), plain("a\nb"), len(plain("x" * 500))
    ('ill', 'a\\nb', 60)
    """
    shown = visible(text)
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def class_name(label: str) -> str:
    r"""A class in a sentence: as it is, and in quotes where it would be taken for a number.

    Examples
    --------
    >>> class_name("ill"), class_name("1"), class_name("0.5"), class_name("grade 2")
    ('ill', "'1'", "'0.5'", 'grade 2')
    """
    shown = plain(label)
    return shown if any(map(str.isalpha, shown)) else f"'{shown}'"


def isolated(text: str) -> str:
    r"""Text whose names in right-to-left scripts do not turn the numbers beside them around.

    Without the two marks of Unicode that isolate a name ("first strong isolate" and its end), a reader that knows both
    directions shows a row of numbers behind such a name in the order of its script, last number first.

    Examples
    --------
    >>> ascii(isolated("\u05d0\u05d1 0.83 0.90"))
    "'\\u2068\\u05d0\\u05d1\\u2069 0.83 0.90'"
    """
    return _RIGHT_TO_LEFT.sub("\u2068\\g<0>\u2069", text)


def isolated_html(text: str) -> str:
    """The same for HTML without names in its attributes: elements that isolate.

    Examples
    --------
    >>> isolated_html("<p>ill 0.83</p>")
    '<p>ill 0.83</p>'
    """
    return _RIGHT_TO_LEFT.sub("<bdi>\\g<0></bdi>", text)


_FORMULA = re.compile(r"""['"\s]*[=+\-@\t\r\0]""")


def unguarded(text: str) -> str:
    """Cell of text without surrounding blanks and without the guard that `guarded` adds; a number stays as it is."""
    text = text.lstrip()
    # before the end is stripped, because a tab there may be what the guard was put for
    return (text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text).strip()


def guarded(text: str) -> str:
    """Text for a CSV cell that no spreadsheet takes for a formula: a leading ``'`` where it would.

    Examples
    --------
    >>> guarded("=cmd|' /C calc'!A0"), guarded("ill")
    ("'=cmd|' /C calc'!A0", 'ill')
    """
    return "'" + text if _FORMULA.match(text) else text


def cell(text: str) -> str:
    r"""Text as one cell of a CSV file: guarded against spreadsheets that run it, quoted where needed (RFC 4180).

    Parameters
    ----------
    text : str
        A label or a name; numbers need no guard and are written as they are.

    Examples
    --------
    >>> print(cell('=1+1'), cell('a "b", c'))
    '=1+1 "a ""b"", c"
    """
    safe = guarded(text)
    if any(c in safe for c in ',;"\t\r\n') or safe != safe.strip():
        return '"' + safe.replace('"', '""') + '"'
    return safe


#: The one version there is; the number changes when an older reader would take a file wrongly.
FORMAT = "howsure/1"


def envelope(kind: str) -> dict[str, Any]:
    """The first three keys of an answer, before its own.

    Examples
    --------
    >>> list(envelope("report").items())[:2]
    [('format', 'howsure/1'), ('kind', 'report')]
    """
    return {"format": FORMAT, "kind": kind, "version": __version__}
