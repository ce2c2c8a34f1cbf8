"""Counts and rates in words: four counts by their names, ``sensitivity 42/50``, an abstract, a classification report.

Of rates counts follow where the sizes of both classes stand beside them and one table of whole numbers fits.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from howsure.data.refusals import refusal
from howsure.io.assembly import quoted
from howsure.io.table import Row
from howsure.text.formats import integer

#: Said where rates were read.
REPORT_NOTE = "The counts are the only ones whose rates are printed as in this classification report."
SENTENCE_NOTE = "The counts are the only ones whose sensitivity and specificity are printed so."
#: Characters of a text in words, of four counts alone, and of a report.
LONGEST, SHORT, LONGEST_REPORT = 2_000, 200, 100_000
_CELLS = ("tp", "fn", "fp", "tn")
#: Pairs of right answers that are tried; classes of 10,000 cases with two digits have as many.
MOST_TRIED = 100_000

_CELL_NAME = (
    r"(?P<name>\b(?:true|false)[ _-](?:positive|negative)s?(?![ _-](?:rate|fraction|ratio|prop))\b|"
    r"(?<![a-z0-9])[tf][pn]s?(?![a-z0-9]))"
)
_WHOLE = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+"
_NAME_FIRST = re.compile(
    _CELL_NAME + r"[\"']?(?:\s*\([^()\n]{1,30}\))?(?:\s*[=:][ \t]*[\"']?(?P<any>" + _WHOLE + r"|[^\s,;\"')}\]]+)|"
    rf"[\"']?\s*[,;\t ]\s*(?P<count>{_WHOLE})(?![0-9]|[.,][0-9]|\s?%))",
    re.IGNORECASE,
)
_COUNT_FIRST = re.compile(rf"(?<![0-9.,])(?P<count>{_WHOLE})(?:\s+(?:were|was|are))?[ \t]+{_CELL_NAME}", re.IGNORECASE)
_FOUR_NAMES = re.compile(
    r"\s*\(?\s*(?P<names>(?:\b[tf][pn]\b[\s,]*){4})(?P<sign>\)?\s*=\s*[(\[]?|(?<=\n))\s*"
    r"(?P<counts>(?:[0-9]+[\s,]+){3}[0-9]+)\s*[)\]]?\s*",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    r"\b(?P<name>sens(?:itivity|\.)?|spec(?:ificity|\.)?)(?:[\s=:]|was|of|is)*(?:[0-9.,]{1,9}\s?%\s*)?[(,]?\s*"
    r"(?P<right>[0-9]{1,15})\s?/\s?(?P<all>[0-9]{1,15})(?![0-9])",
    re.IGNORECASE,
)
_BEGINNING = re.compile(r"(?:sens(?:itivity|\.)?|spec(?:ificity|\.)?)\s*(?:[=:]|was|of)?\s*\(?[0-9]", re.IGNORECASE)

#: Words for the figures of an abstract, and what `reconstruct` calls them.
FIGURES = {
    "recall": r"sensitivity|sens\.?|recall|true positive rate|TPR",
    "specificity": r"specificity|spec\.?|true negative rate|TNR",
    "precision": r"positive predictive value|PPV|precision",
    "npv": r"negative predictive value|NPV",
    "accuracy": r"accuracy",
    "f1": r"F1(?:[- ]score)?",
    "kappa": r"(?:Cohen'?s )?kappa",
}
_FIGURE = re.compile(
    r"\b(?:" + "|".join(f"(?P<{name}>{words})" for name, words in FIGURES.items()) + r")"
    r"(?:\s*\((?:PPV|NPV|TPR|TNR|Se|Sp|ACC)\))?(?:[\s=:,]|was|of|is)*"
    r"(?P<rate>[01]?\.[0-9]{1,6}|[0-9]{1,3}(?:[.,][0-9]{1,4})?\s?%)(?!\s?CI)",
    re.IGNORECASE,
)
_N = r"(?<![0-9.,])([0-9][0-9,]{0,11})\s+(?:\w+\s+)?"
_HEALTHY = re.compile(
    _N + r"(?:(?:non[- ]?|un)(?:diseased|affected)|healthy|controls?|negatives?|without|(?:disease|non)-?free|"
    r"(?:did|had) (?:not|no)\b)",
    re.IGNORECASE,
)
_ILL = re.compile(
    _N + r"(?:diseased|ill|sick|affected|positives?|cases|with (?:the )?(?:disease|condition)|had (?:the )?"
    r"(?:disease|condition))\b",
    re.IGNORECASE,
)
_PEOPLE = re.compile(
    _N + r"(?:patients|participants|people|persons|subjects|individuals|women|men|children|samples|images|scans)\b|"
    r"\bn\s*=\s*([0-9][0-9,]{0,11})",
    re.IGNORECASE,
)


#: How many of a group tested positive or negative: "of 50 patients with the disease, 45 tested positive", "8 of 100
#: healthy people tested positive".
_VERB = r"(?:(?:were|was|had|is|are|a|the|correctly|falsely|wrongly)\s+)*"
_SIGN = rf"{_VERB}(?:test(?:ed|s)?|screen(?:ed|s)?|predicted|classified|called|flagged|results?)?\s*{_VERB}(?:as\s+)?"
_TESTED = re.compile(
    rf"\bof\s+(?:the\s+)?(?P<n>{_WHOLE})\s+(?P<who>[^.;:0-9]{{3,60}}?),?\s+(?P<k>{_WHOLE})\s+(?:\([^()]*\)\s*)?{_SIGN}"
    rf"(?P<sign>positive|negative)|(?<![\d.,])(?P<k2>{_WHOLE})\s+(?:out\s+)?of\s+(?:the\s+)?(?P<n2>{_WHOLE})\s+"
    rf"(?P<who2>[^.;:,0-9]{{3,60}}?)\s+(?:\([^()]*\)\s*)?{_SIGN}(?P<sign2>positive|negative)",
    re.IGNORECASE,
)
_NOT_ILL = re.compile(
    r"\b(?:without|healthy|controls?|unaffected|(?:disease|condition)-?free|non-?\w+|not|no)\b", re.IGNORECASE
)


_IS_ILL = re.compile(
    r"\b(?:with|disease\w*|cases?|ill|sick|(?:af|in)fected|had|has|have|condition|cancers?|positives?)\b", re.IGNORECASE
)


class Printed(NamedTuple):
    """A class of a report: its rates as they are printed, and its cases."""

    name: str
    precision: str
    recall: str
    f1: str
    n: int


class Abstract(NamedTuple):
    """Figures of an abstract as they are printed, by the names of `reconstruct`, and the numbers of cases."""

    figures: dict[str, str]
    sizes: tuple[int, int] | None
    n: int | None


def sentence(source: str, text: str) -> tuple[list[Row], list[str]] | None:
    """Rows of the table that is written in words, with a note; None where there is none.

    Examples
    --------
    >>> sentence("x", "TP=45 FN=5 FP=8 TN=92")
    ([(1, ['tp', 'fn', 'fp', 'tn']), (1, ['45', '5', '8', '92'])], [])
    """
    if len(text) <= LONGEST:
        cells = _four(source, text) or _fractions(source, text) or _tested(source, text)
        if cells is not None:
            line = 1 + text[: len(text) - len(text.lstrip())].count("\n")
            return [(line, [*cells]), (line, [*cells.values()])], []
        rates = _rates(source, text)
        if rates is not None:
            return rates, [SENTENCE_NOTE]
    report = _report(source, text)
    return None if report is None else (report, [REPORT_NOTE])


# -- four counts -------------------------------------------------------------------------------------------------


def _four(source: str, text: str) -> dict[str, str] | None:
    """The four cells by their names, each with one count.

    Examples
    --------
    >>> _four("x", "63 true positives, 36 false positives, 7 false negatives and 204 true negatives last week")
    {'tp': '63', 'fp': '36', 'fn': '7', 'tn': '204'}
    """
    found = _FOUR_NAMES.fullmatch(text)
    if found and (found["sign"] or text.strip().count("\n") == 1):
        order = [name.lower() for name in re.findall("[a-z]+", found["names"], re.IGNORECASE)]
        return _each_once([*zip(order, re.findall("[0-9]+", found["counts"]), strict=True)])
    first = re.search(_CELL_NAME, text, re.IGNORECASE)
    if first is None:
        return None
    behind = [(_initials(it["name"]), it["any"] or it["count"]) for it in _NAME_FIRST.finditer(text)]
    before = [(_initials(it["name"]), it["count"]) for it in _COUNT_FIRST.finditer(text)]
    begins = _COUNT_FIRST.search(text)
    if re.search(r",(?=[^\s\d])|,\d{1,2}(?![\d,])", text) and any(n and "," in n for _, n in (*behind, *before)):
        raise refusal(source, "thousands_or_cells", [n for _, n in (*behind, *before) if n and "," in n])
    counts_first = begins is not None and begins.start("name") == first.start()
    pairs = before if counts_first else behind
    cells = _each_once(pairs)
    names = {name for name, _ in pairs}
    if cells is None and 1 < len(names) < 4 and len(text) <= SHORT and not counts_first and "\t" not in text:
        there, missing = (quoted(name.upper() for name in _CELLS if (name in names) is held) for held in (True, False))
        raise refusal(source, "four_counts", there, missing)
    return cells and {name: count.replace(",", "").rstrip(".") for name, count in cells.items()}


def _each_once(cells: Sequence[tuple[str, str]]) -> dict[str, str] | None:
    """The cells by name, if all four are there and none says two things."""
    return dict(cells) if {name for name, _ in cells} == {*_CELLS} and len({*cells}) == 4 else None


def _initials(name: str) -> str:
    words: list[str] = re.findall("[a-z]+", name.lower())
    return words[0][:2] if len(words) == 1 else words[0][0] + words[1][0]


# -- rates -------------------------------------------------------------------------------------------------------


def _fractions(source: str, text: str) -> dict[str, str] | None:
    """``sensitivity 84% (42/50), specificity 45/50`` as four cells."""
    found = [*_FRACTION.finditer(text)]
    rates = {it["name"][:4].lower(): (int(it["right"]), int(it["all"])) for it in found}
    if len(found) != 2 or len(rates) != 2:
        return None
    for name, (right, n) in rates.items():
        if right > n:
            raise refusal(source, "more_than_all", name, right, n)
    (tp, ill), (tn, healthy) = rates["sens"], rates["spec"]
    return {"TP": str(tp), "FN": str(ill - tp), "FP": str(healthy - tn), "TN": str(tn)}


def _tested(source: str, text: str) -> dict[str, str] | None:
    """How many tested positive of those with and of those without the disease, as four cells.

    Examples
    --------
    >>> _tested("x", "Of 50 patients with the disease, 45 tested positive; of 100 without it, 8 tested positive.")
    {'TP': '45', 'FN': '5', 'FP': '8', 'TN': '92'}
    """
    found: dict[bool, tuple[int, int]] = {}
    for it in _TESTED.finditer(" ".join(text.split())):
        k, n = (int((it[name] or it[f"{name}2"]).replace(",", "")) for name in ("k", "n"))
        who, sign = it["who"] or it["who2"], (it["sign"] or it["sign2"]).lower()
        ill = _NOT_ILL.search(who) is None
        if ill and not _IS_ILL.search(who):
            return None
        if k > n:
            raise refusal(source, "more_than_all", it[0], k, n)
        positive = (k if sign == "positive" else n - k, n)
        if found.setdefault(ill, positive) != positive:
            return None
    if len(found) < 2:
        return None
    (tp, ill_n), (fp, healthy) = found[True], found[False]
    return {"TP": str(tp), "FN": str(ill_n - tp), "FP": str(fp), "TN": str(healthy - fp)}


def abstract_of(text: str) -> Abstract:
    """Figures and numbers of cases in a sentence; a figure that comes twice with two values is left out.

    Examples
    --------
    >>> abstract_of("sensitivity 90.0% (95% CI 80-96), specificity 85%, 70 diseased, 200 healthy")
    Abstract(figures={'recall': '90.0%', 'specificity': '85%'}, sizes=(200, 70), n=None)
    >>> abstract_of("accuracy was 0.88 and PPV 91% (n = 250)")
    Abstract(figures={'accuracy': '0.88', 'precision': '91%'}, sizes=None, n=250)
    """
    text = " ".join(text.split())[:LONGEST]
    figures: dict[str, set[str]] = {}
    for it in _FIGURE.finditer(text):
        rate = it["rate"] if "%" not in it["rate"] else it["rate"].replace(",", ".")
        figures.setdefault(next(name for name in FIGURES if it[name]), set()).add(rate)
    once = {name: rates.pop() for name, rates in figures.items() if len(rates) == 1}
    healthy, ill, people = (
        {int(next(filter(None, it.groups())).replace(",", "")) for it in words.finditer(text)}
        for words in (_HEALTHY, _ILL, _PEOPLE)
    )
    people -= healthy | ill
    if len(healthy) == 1 and not ill and len(people) == 1:
        ill = people  # patients beside controls
    if len(healthy) == len(ill) == 1:
        return Abstract(once, (healthy.pop(), ill.pop()), None)
    n = people.pop() if len(people) == 1 else None
    part = next((them for them in (ill, healthy) if len(them) == 1), None)
    if n is not None and part is not None and (rest := n - min(part)) > 0:
        return Abstract(once, (rest, min(part)) if part is ill else (min(part), rest), None)
    return Abstract(once, None, n)


def _rates(source: str, text: str) -> list[Row] | None:
    """``sensitivity 90.0%, specificity 85.0%; 70 diseased, 240 non-diseased`` as four cells."""
    figures, sizes, _ = abstract_of(text)
    if not {"recall", "specificity"} <= figures.keys():
        if _BEGINNING.match(text.strip()) and ("recall" in figures or "specificity" in figures or "/" in text):
            raise refusal(source, "rates_without_sizes")
        return None
    if sizes is None:
        if _BEGINNING.match(text.strip()):
            raise refusal(source, "rates_without_sizes")
        return None
    right = []
    for name, n in (("recall", sizes[1]), ("specificity", sizes[0])):
        shown = figures[name]
        digits = shown.rstrip("% ")
        per_cent = 100 if "%" in shown else 1
        unit = Fraction(1, 2 * per_cent * 10 ** len(digits.partition(".")[2]))
        fits = _near(Fraction(digits) / per_cent, unit, n)
        if len(fits) != 1:
            options = f"--recall {figures['recall']} --specificity {figures['specificity']}".replace(" %", "%")
            raise refusal(source, "no_only_count", len(fits), n, shown, f"--sizes {sizes[0]},{sizes[1]} {options}")
        right.append(fits[0])
    cells = [right[0], sizes[1] - right[0], sizes[0] - right[1], right[1]]
    return [(1, ["TP", "FN", "FP", "TN"]), (1, [*map(str, cells)])]


# -- the report of scikit-learn ----------------------------------------------------------------------------------

_HEAD = re.compile(r"^[ \t]*precision[ \t]+recall[ \t]+f1-score[ \t]+support[ \t]*$", re.IGNORECASE | re.MULTILINE)
_RATE, _CASES = re.compile(r"[01]\.[0-9]{1,9}"), re.compile(r"[0-9]{1,15}(?:\.0)?")
_AVERAGES = ("micro avg", "macro avg", "weighted avg", "samples avg", "avg / total")


def _report(source: str, text: str) -> list[Row] | None:
    """The one matrix of two classes that a report of scikit-learn was printed from, as text or as a dict."""
    if len(text) > LONGEST_REPORT:
        return None
    if text.lstrip()[:1] == "{" and "avg" in text:
        try:
            value = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return None
        return report_of_dict(source, value)
    head = _HEAD.search(text)
    if head is None or "[[" in text:  # the matrix beside it says more
        return None
    classes: list[Printed] = []
    accuracy = None
    for line in text[head.end() :].splitlines():
        *name, n = line.split() or [""]
        *name, precision, recall, f1 = ["", "", "", *name]
        called = " ".join(name).strip()
        if not _CASES.fullmatch(n) or not _RATE.fullmatch(f1):
            continue
        if [precision, recall] == ["", "accuracy"]:
            accuracy = f1
        elif _RATE.fullmatch(precision) and _RATE.fullmatch(recall) and called and called not in _AVERAGES:
            classes.append(Printed(called, precision, recall, f1, int(n.partition(".")[0])))
    return _only_table(source, classes, accuracy, 1 + text.count("\n", 0, head.start()))


def report_of_dict(source: str, value: object) -> list[Row] | None:
    """The same of ``classification_report(output_dict=True)``, a parsed document; None where it is no such thing."""
    if not isinstance(value, dict) or not {"macro avg", "weighted avg"} & value.keys():
        return None
    classes, accuracy = [], value.get("accuracy")
    for name, it in value.items():
        found = [it.get(key) for key in ("precision", "recall", "f1-score", "support")] if isinstance(it, dict) else []
        rates = [float(rate) for rate in found if isinstance(rate, int | float)]
        if name in _AVERAGES or len(rates) < 4:
            continue
        precision, recall, f1 = (f"{rate:.9f}" for rate in rates[:3])
        classes.append(Printed(str(name), precision, recall, f1, round(rates[3])))
    return _only_table(source, classes, None if not isinstance(accuracy, float) else f"{accuracy:.9f}", 1)


def _only_table(source: str, classes: Sequence[Printed], accuracy: str | None, head: int) -> list[Row]:
    if len(classes) != 2:
        raise refusal(source, "report_of_classes", len(classes))
    first, second = classes
    tables = tables_of_report(first, second, accuracy)
    if tables is None or len(tables) > 1:
        many = "too many to be tried" if tables is None else f"{integer(len(tables))} tables"
        # the first class is the negative one there
        rates = f"--specificity {first.recall} --recall {second.recall} --npv {first.precision}"
        command = f"--sizes {first.n},{second.n} {rates} --precision {second.precision} --f1 {second.f1}"
        raise refusal(source, "report_of_several", many, command)
    if not tables:
        raise refusal(source, "report_of_none", first.n, second.n)
    ((one, two),) = tables
    rows = [[first.name, str(one), str(first.n - one)], [second.name, str(second.n - two), str(two)]]
    return [(head, ["true\\pred", first.name, second.name]), *((head + 1 + i, row) for i, row in enumerate(rows))]


def tables_of_report(first: Printed, second: Printed, accuracy: str | None) -> list[tuple[int, int]] | None:
    """All pairs of right answers of two classes that are printed so; None where there are too many to try.

    Examples
    --------
    >>> tables_of_report(Printed("a", "0.85", "0.90", "0.87", 50), Printed("b", "0.89", "0.84", "0.87", 50), "0.87")
    [(45, 42)]
    """
    ranges = [_near(Fraction(it.recall), _half(it.recall), it.n) for it in (first, second)]
    if len(ranges[0]) * len(ranges[1]) > MOST_TRIED:
        return None
    found = []
    for one in ranges[0]:
        for two in ranges[1]:
            # what was called the first: its own that were right, and those of the second that were not
            called = (one + second.n - two, two + first.n - one)
            fits = all(
                _is_printed(right, total, precision) and _is_printed(2 * right, total + n, f1)
                for right, total, (_, precision, _, f1, n) in zip((one, two), called, (first, second), strict=True)
            )
            if fits and (accuracy is None or _is_printed(one + two, first.n + second.n, accuracy)):
                found.append((one, two))
    return found


def _near(share: Fraction, unit: Fraction, n: int) -> range:
    """Counts out of ``n`` whose share is at most ``unit`` away."""
    low, high = (share - unit) * n, (share + unit) * n
    return range(max(-(-low.numerator // low.denominator), 0), min(high.numerator // high.denominator, n) + 1)


def _half(printed: str) -> Fraction:
    return Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))


def _is_printed(count: int, total: int, printed: str) -> bool:
    """Whether a share is printed so; of nothing it is printed as 0."""
    share = Fraction(count, total) if total else Fraction(0)
    return abs(share - Fraction(printed)) <= _half(printed)
