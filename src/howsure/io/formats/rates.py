"""Rates in place of counts: scikit-learn's classification report, and ``sensitivity 42/50, specificity 45/50``.

Counts follow where the sizes of both classes are printed beside the rates and one table of whole numbers fits them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from howsure.errors import InvalidFile, excerpt
from howsure.io.names_in_files import quoted
from howsure.io.table import Row
from howsure.text.formats import integer

__all__ = [
    "REPORT_NOTE",
    "classification_report",
    "nameless_rates",
    "rates_in_a_sentence",
    "rates_of_cases",
    "report_of_dict",
    "tables_of_report",
]

#: Said where a report was read.
REPORT_NOTE = "The counts are the only ones whose rates are printed as in this classification report."

#: Pairs of right answers that are tried; classes of 10,000 cases with two digits have as many.
MOST_TRIED = 100_000

_HEAD = re.compile(r"\s*precision\s+recall\s+f1-score\s+support\s*")
_RATE, _CASES = re.compile(r"[01]\.[0-9]{1,9}"), re.compile(r"[0-9]{1,15}(?:\.0)?")
_AVERAGES = ("micro avg", "macro avg", "weighted avg", "samples avg", "avg / total")
_OF_CASES = re.compile(
    r"\s*(?P<name>sens(?:itivity|\.)?|spec(?:ificity|\.)?)\s*(?:[=:]|was|of)?\s*(?:[0-9.,]{1,9}\s?%\s*)?\(?\s*"
    r"(?P<right>[0-9]{1,15})\s?/\s?(?P<all>[0-9]{1,15})\s*(?:\([0-9.,]{1,9}\s?%\)|[,;]\s*[0-9.,]{1,9}\s?%)?\s*\)?\s*"
    r"(?:[,;.]|and\b)?",
    re.IGNORECASE,
)
_NAMELESS = re.compile(
    r"\s*(?:[0-9.,]{1,9}\s?%\s*\(?\s*)?([0-9]{1,15})\s?/\s?([0-9]{1,15})\s*(?:\(?[0-9.,]{1,9}\s?%\)?|\))?\s*[,;]?"
)
_IN_WORDS = re.compile(
    r"\b(?P<name>sensitivity|specificity|sens\.?|spec\.?)\s*(?:[=:]|was|of|is)?\s*(?P<rate>[0-9]{1,3}(?:[.,][0-9]{1,4})?)\s?%",
    re.IGNORECASE,
)
_HEALTHY = re.compile(
    r"\b([0-9][0-9,]{0,11}) (?:(?:non[- ]?|un)diseased|healthy|controls?|negatives?|without|(?:disease|non)-?free)\b",
    re.I,
)
_ILL = re.compile(
    r"\b([0-9][0-9,]{0,11}) (?:diseased|ill|sick|patients|positives?|cases|with (?:the )?disease)\b", re.I
)
_BEGINNING = re.compile(r"(?:sens(?:itivity|\.)?|spec(?:ificity|\.)?)\s*(?:[=:]|was|of)?\s*\(?[0-9]", re.IGNORECASE)


class Printed(NamedTuple):
    """A class of a report: its rates as they are printed, and its cases."""

    name: str
    precision: str
    recall: str
    f1: str
    n: int


def classification_report(source: str, text: str) -> list[Row] | None:
    """The one matrix of two classes that a report of scikit-learn was printed from.

    Raises
    ------
    InvalidFile
        Three classes or more, of which it does not say who was taken for whom; rates that no counts have, or several.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines or not _HEAD.fullmatch(lines[0][1].lower()) or len(text) > 100_000:
        return None
    classes: list[Printed] = []
    accuracy = None
    for _, line in lines[1:]:
        *name, n = line.split()
        *name, precision, recall, f1 = ["", "", "", *name]
        called = " ".join(name).strip()
        if not _CASES.fullmatch(n) or not _RATE.fullmatch(f1):
            continue
        if [precision, recall] == ["", "accuracy"]:
            accuracy = f1
        elif _RATE.fullmatch(precision) and _RATE.fullmatch(recall) and called and called not in _AVERAGES:
            classes.append(Printed(called, precision, recall, f1, int(n.partition(".")[0])))
    return _only_table(source, classes, accuracy, lines[0][0])


def report_of_dict(source: str, value: object) -> list[Row] | None:
    """The same of ``classification_report(output_dict=True)``, a parsed document; None where it is no such thing.

    Raises
    ------
    InvalidFile
        As `classification_report`.
    """
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
    """The one table that is printed so."""
    ask = "Print confusion_matrix(y_true, y_pred), and paste that"
    if len(classes) < 2:
        raise InvalidFile(source, f"this is a classification report without lines of two classes. {ask}")
    if len(classes) > 2:
        raise InvalidFile(
            source,
            f"this is a classification report of {len(classes)} classes: it says how many of each class were right, "
            f"and not which class the others were taken for. {ask}",
        )
    first, second = classes
    tables = tables_of_report(first, second, accuracy)
    if tables is None or len(tables) > 1:
        many = "too many to be tried" if tables is None else f"{integer(len(tables))} tables"
        raise InvalidFile(
            source,
            f"this is a classification report whose rounded rates fit {many}. {ask}, or the report with digits=4; "
            f"{_command(first, second)} reports over all that fit",
        )
    if not tables:
        raise InvalidFile(
            source,
            f"this is a classification report whose rates are those of no two classes of {integer(first.n)} and "
            f"{integer(second.n)} cases. Was it averaged over folds, or weighted? {ask}",
        )
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
    ranges = [_near(it.recall, it.n) for it in (first, second)]
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


def _near(printed: str, n: int) -> range:
    """Counts out of ``n`` whose share is printed so."""
    unit = Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))
    low, high = (Fraction(printed) - unit) * n, (Fraction(printed) + unit) * n
    return range(max(-(-low.numerator // low.denominator), 0), min(high.numerator // high.denominator, n) + 1)


def _is_printed(count: int, total: int, printed: str) -> bool:
    """Whether a share is printed so; of nothing it is printed as 0."""
    share = Fraction(count, total) if total else Fraction(0)
    return abs(share - Fraction(printed)) <= Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))


def _command(first: Printed, second: Printed) -> str:
    """What lists the tables: the first class is the negative one there."""
    rates = (
        f"--specificity {first.recall} --recall {second.recall} --npv {first.precision} --precision {second.precision}"
    )
    return f"howsure reconstruct --sizes {first.n},{second.n} {rates} --f1 {second.f1}"


def rates_of_cases(source: str, text: str) -> list[Row] | None:
    """``sensitivity 84% (42/50), specificity 45/50`` as four cells.

    Raises
    ------
    InvalidFile
        Rates without their cases, or more right answers than cases.
    """
    head = text.strip()
    if len(head) > 1000 or not _BEGINNING.match(head):
        return None
    found = _in_a_row(head)
    rates = {it["name"][:4].lower(): (int(it["right"]), int(it["all"])) for it in found}
    if len(found) != 2 or len(rates) != 2:
        raise InvalidFile(
            source,
            "these are rates and no counts. Sensitivity and specificity are read as 42/50; with how many are ill and "
            "healthy also by 'From a published abstract' on the page, and by howsure reconstruct",
        )
    for name, (right, n) in rates.items():
        if right > n:
            raise InvalidFile(source, f"{excerpt(name)} is {right}/{n}, more right answers than cases")
    (tp, ill), (tn, healthy) = rates["sens"], rates["spec"]
    return [(1, ["TP", "FN", "FP", "TN"]), (1, [str(it) for it in (tp, ill - tp, healthy - tn, tn)])]


def rates_in_a_sentence(source: str, text: str) -> list[Row] | None:
    """``sensitivity 90.0 %, specificity 85.0 %; 70 diseased, 240 non-diseased`` as four cells.

    Raises
    ------
    InvalidFile
        Rates that none, or several, numbers of right answers are printed as.

    Examples
    --------
    >>> rates_in_a_sentence("x", "Sensitivity 90.0% and specificity 85.0% in 70 patients and 240 controls")[1][1]
    ['63', '7', '36', '204']
    """
    head = " ".join(text.split())
    if len(head) > 1000:
        return None
    rates = {it["name"][:4].lower(): it["rate"] for it in _IN_WORDS.finditer(head)}
    ill, healthy = ([int(it[1].replace(",", "")) for it in words.finditer(head)] for words in (_ILL, _HEALTHY))
    if len(rates) != 2 or len(ill) != 1 or len(healthy) != 1:
        return None
    found: list[int] = []
    for name, n in (("sens", ill[0]), ("spec", healthy[0])):
        share = Fraction(rates[name].replace(",", ".")) / 100
        unit = Fraction(1, 200 * 10 ** len(rates[name].replace(",", ".").partition(".")[2]))
        fits = [k for k in range(max(int((share - unit) * n) - 1, 0), min(int((share + unit) * n) + 2, n + 1))
                if abs(Fraction(k, n) - share) <= unit]  # fmt: skip
        if len(fits) != 1:
            many = "no number" if not fits else f"{len(fits)} numbers"
            raise InvalidFile(
                source,
                f"{many} of right answers of {integer(n)} {'are' if fits else 'is'} printed as {rates[name]} %; "
                f"howsure reconstruct --sizes {healthy[0]},{ill[0]} --recall {rates['sens']}% --specificity "
                f"{rates['spec']}% reports over all that fit",
            )
        found += fits
    tp, tn = found
    return [(1, ["TP", "FN", "FP", "TN"]), (1, [str(it) for it in (tp, ill[0] - tp, healthy[0] - tn, tn)])]


def nameless_rates(source: str, text: str) -> None:
    """Refuse ``45/50`` and ``92/100`` without names: which of them is of the ill, nobody can see.

    Raises
    ------
    InvalidFile
        With what to write.
    """
    head = text.strip()
    found = _in_a_row(head, _NAMELESS) if len(head) < 1000 and head[:1].isdecimal() else []
    if not found:
        return
    shown = quoted([f"{it[1]}/{it[2]}" for it in found[:4]])
    if len(found) == 2:
        one, two = (f"{it[1]}/{it[2]}" for it in found)
        advice = (
            f"two rates without names. Of a test, write which is which: sensitivity {one}, specificity {two}; of two "
            "classifiers a table name,correct,n for howsure rank"
        )
    elif len(found) == 1:
        right, n = found[0][1], found[0][2]
        advice = (
            f"one rate without a name, and both classes are needed: sensitivity {right}/{n}, specificity 92/100. Right "
            f"answers of all classes together are --correct {right} --n {n} (howsure digits, howsure outlook)"
        )
    else:
        advice = (
            "rates without names. Of classifiers, give a table name,correct,n to howsure rank; of classes, the matrix: "
            "right answers alone do not say which class the others were taken for"
        )
    raise InvalidFile(source, f"{shown}: {advice}")


def _in_a_row(text: str, figure: re.Pattern[str] = _OF_CASES) -> list[re.Match[str]]:
    """Figures one after the other from the beginning to the end; none where anything else stands between them."""
    done, found = 0, []
    while done < len(text):
        it = figure.match(text, done)
        if it is None:
            return []
        found.append(it)
        done = it.end()
    return found
