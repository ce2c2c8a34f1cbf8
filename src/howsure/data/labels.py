"""What a class is called: the one rule from a value to its label.

A label is its text: whole numbers without a decimal point (so 1, 1.0 and the text "1.0" are "1", and "01" is another
class), booleans and their spellings "true" and "false", all other strings as they are. A missing value is not a label,
and is never dropped.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.data.refusals import say
from howsure.errors import InvalidCounts, InvalidLabels, excerpt, listing
from howsure.errors.arguments import items, mapping
from howsure.numerics.arrays import bincount

LONGEST_LABEL = 10_000
#: Whole numbers within this range are counted in a table instead of sorted; rows that are looked at in one go.
WIDEST_RANGE, BLOCK = 2**22, 2**16

#: How the sentence about a missing truth ends.
ESTIMATE = ", or, if the labelled cases were chosen at random (given the prediction), estimate: missing='estimate'"

#: Whole numbers as a program writes them that holds them as doubles, because a column has gaps.
_WHOLE = re.compile(r"(-?(?:0|[1-9][0-9]*))\.0+")
#: A number as some program writes it, which another writes in another way; of no more digits than are told apart.
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{0,10})?([eE][+-]?[0-9]{1,2})?")
_TRUTH_VALUES = {spelling: spelling.lower() for spelling in ("True", "TRUE", "False", "FALSE")}


def one_spelling(text: str) -> str:
    """One text for one value: "1.0" is "1", and "True" and "TRUE" are "true"; any other text is itself.

    The same table holds 1 and 1.0, True and true, depending on who wrote it down.

    Examples
    --------
    >>> one_spelling("2.0"), one_spelling("TRUE"), one_spelling("01"), one_spelling("2.5")
    ('2', 'true', '01', '2.5')
    """
    whole = _WHOLE.fullmatch(text)
    if whole:
        return "0" if whole[1] == "-0" else whole[1]
    return _TRUTH_VALUES.get(text, text)


def label_text(value: object) -> str | None:
    """Text of one label; None where the value is missing (None, NaN, NaT, blank).

    Examples
    --------
    >>> [label_text(x) for x in ("ill", 1, 1.0, "1.0", "01", True, float("nan"), " ")]
    ['ill', '1', '1', '1', '01', 'true', None, None]
    """
    if isinstance(value, str):
        return one_spelling(value) if value.strip() else None
    if getattr(value, "ndim", 0) or isinstance(value, list | tuple | set | frozenset | dict | type):
        raise InvalidLabels(f"a class is named by one text or integer, not by {excerpt(value)}")
    # by their names first: pandas' NA is neither equal nor unequal to anything
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return None
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, complex | np.complexfloating):
        raise InvalidLabels(f"{excerpt(value)} is not a class; give the classes as text or integers")
    if isinstance(value, float | np.floating | Decimal):
        if not float(value).is_integer():
            raise InvalidLabels(say("fraction", f"{value!r}"))
        return str(int(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    try:
        return str(value)
    except ValueError:  # a number of more digits than Python prints
        raise InvalidLabels(f"a class is named by one text or integer, not by {excerpt(value)}") from None


def group_text(value: object) -> str | None:
    """Text of a group: that of a label, except that a fraction is allowed.

    Examples
    --------
    >>> group_text(2024.0), group_text(0.5), group_text(None)
    ('2024', '0.5', None)
    """
    if isinstance(value, float | np.floating | Decimal) and np.isfinite(float(value)) and value % 1 != 0:
        return str(value)
    return label_text(value)


def label_texts(values: Iterable[object]) -> tuple[str, ...]:
    """Texts of all labels of a matrix; raises `InvalidLabels` unless each is present and different."""
    if isinstance(values, set | frozenset | type) or not isinstance(values, Iterable):
        raise InvalidLabels(f"labels are the names of the classes in their order, one for each; not {excerpt(values)}")
    texts: list[str] = []
    seen: set[str] = set()
    for position, value in enumerate(values):
        text = label_text(value)
        if text is None:
            raise InvalidLabels(f"label {position + 1} is missing or blank; every class needs a name")
        if len(text) > LONGEST_LABEL:
            raise InvalidLabels(f"label {position + 1} has {len(text)} characters; at most {LONGEST_LABEL} are read")
        if text in seen:
            raise InvalidLabels(f"labels must differ; {excerpt(text)} comes twice")
        seen.add(text)
        texts.append(text)
    return tuple(texts)


def in_order(labels: Iterable[str]) -> list[str]:
    """Classes in their natural order: by size if all are whole numbers, else by alphabet.

    Examples
    --------
    >>> in_order({"10", "9"}), in_order({"b", "a", "10"})
    (['9', '10'], ['10', 'a', 'b'])
    """
    names = list(labels)
    if all(n.lstrip("-").isascii() and n.lstrip("-").isdigit() for n in names):
        return sorted(names, key=lambda n: (int(n), n))
    return sorted(names)


def alike(labels: Iterable[str], what: str = "class") -> list[str]:
    """Note on names that differ only in capitals, blanks, accents, a full stop or how a number is written; at most one.

    Examples
    --------
    >>> print(*alike(["Cat", "cat", "dog"]))
    Counted apart, though their names are nearly the same: 'Cat' and 'cat'. If they are one class, spell it alike.
    >>> print(*alike(["+1", "-1", "1"]))
    Counted apart, though their names are nearly the same: '+1' and '1'. If they are one class, spell it alike.
    >>> alike(["cat", "dog"])
    []
    """
    found: dict[str, list[str]] = {}
    for label in sorted(labels):
        name = label if label.isascii() else unicodedata.normalize("NFC", label)
        known = (
            str(Decimal(name).normalize()) if _NUMBER.fullmatch(name) else " ".join(name.split()).casefold().rstrip(".")
        )
        found.setdefault(known, []).append(label)
    pairs = [" and ".join(excerpt(name, 40) for name in names) for names in found.values() if len(names) > 1]
    if not pairs:
        return []
    accent = any(len({unicodedata.normalize("NFC", name) for name in names}) < len(names) for names in found.values())
    codes = " (an accented letter can be one character or two)" if accent else ""
    shown = "; ".join(pairs[:5]) + (f"; and {len(pairs) - 5} more" if len(pairs) > 5 else "")
    problem = f"Counted apart, though their names are nearly the same: {shown}{codes}"
    return [f"{problem}. If they are one {what}, spell it alike."]


def merged_labels(
    labels: Sequence[str], groups: Mapping[str, Sequence[str]], index: Callable[[str], int]
) -> tuple[tuple[str, ...], list[int]]:
    """Names of classes after some were joined, and the place of each old class among them."""
    target = {label: label for label in labels}
    taken: set[str] = set()
    mapping(groups, "groups", 'a mapping of new names to what they join, {"animal": ["cat", "dog"]}')
    for new, members in groups.items():
        for each in (members,) if isinstance(members, str) else items(members, "a group", "a list of class names"):
            member = labels[index(each)]
            if member in taken:
                raise InvalidLabels(f"class {excerpt(member)} is in two groups; each class joins one")
            taken.add(member)
            target[member] = new
    names = tuple(dict.fromkeys(target[label] for label in labels))
    if len(names) < 2:
        raise InvalidCounts("a confusion matrix needs two or more classes; the groups leave one")
    place = {name: i for i, name in enumerate(names)}
    return label_texts(names), [place[target[label]] for label in labels]


def refuse_other_order(y_true: Any, y_pred: Any, what: str = "y_pred") -> None:
    """Refuse two Series that have the same index in another order: by position, their cases are not the same.

    Examples
    --------
    >>> refuse_other_order(["a", "b"], ["a", "a"])
    """
    if not all(hasattr(x, "iloc") and hasattr(x, "index") for x in (y_true, y_pred)):
        return
    one, other = y_true.index, y_pred.index
    if len(one) != len(other) or one.equals(other) or not (one.is_unique and other.is_unique):
        return
    if not set(one).symmetric_difference(other):
        given = what.split()[0]
        raise InvalidLabels(say("other_index", what, given, given))


def code_answers(
    y_true: Any, y_pred: Any, labels: Sequence[object] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[str, ...]]:
    """Answers as row and column numbers, with the labels they number."""
    refuse_other_order(y_true, y_pred)
    true, pred = _distinct(y_true, "y_true"), _distinct(y_pred, "y_pred")
    if len(true.codes) != len(pred.codes):
        raise InvalidLabels(say("unlike_answers", len(true.codes), len(pred.codes)))
    if not len(true.codes):
        raise InvalidLabels("y_true and y_pred are empty; at least one case is needed")
    names = all_classes(["y_true", "y_pred"], [true.texts, pred.texts], labels)
    return true.among(names), pred.among(names), names


def all_classes(
    titles: Sequence[str], texts: Sequence[Sequence[str]], labels: Sequence[object] | None
) -> tuple[str, ...]:
    """All classes of columns, the truth first; refuses answers that have nothing to do with it, or with ``labels``."""
    if labels is not None:
        given = label_texts(labels)
        for title, found in zip(titles, texts, strict=True):
            odd = [t for t in found if t not in set(given)]
            if odd:
                raise InvalidLabels(f"{title} holds {listing(map(excerpt, odd))}, not among labels {listing(given)}")
        return given
    for title, found in zip(titles, texts, strict=True):
        if found and not set(found) & set(texts[0]):
            here, there = listing(map(excerpt, texts[0])), listing(map(excerpt, found))
            raise InvalidLabels(say("no_class_in_common", here, title, there))
    ordered = tuple(in_order({name for found in texts for name in found}))
    if len(ordered) < 2:
        shown = listing(map(excerpt, ordered)) or "missing"
        raise InvalidLabels(f"all answers are {shown}; name the other classes with labels=, at least two")
    return ordered


def _distinct(values: Any, what: str) -> Column:
    found = distinct_answers(values, what)
    missing = np.flatnonzero(found.codes < 0)
    if len(missing):
        rest = ESTIMATE if what == "y_true" else ""
        raise InvalidLabels(say("missing_answers", what, len(missing), len(found.codes), missing[0] + 1, rest))
    return found


class Column(NamedTuple):
    """A column with each different text once.

    Parameters
    ----------
    texts : list of str
        In the order in which they come first.
    codes : ndarray of int, shape (rows,)
        Which of them each row has; -1 where it has none.

    Examples
    --------
    >>> column = Column([" ill", "ill", "NA"], np.array([0, 1, 2, 0]))
    >>> found = column.by(lambda text: None if text == "NA" else text.strip())
    >>> found.texts, found.codes.tolist(), column.first.tolist()
    (['ill'], [0, 0, -1, 0], [0, 1, 2])
    """

    texts: list[str]
    codes: NDArray[np.int64]

    def by(self, rule: Callable[[str], str | None]) -> Column:
        """The same by a rule from text to text, None where there is none."""
        place: dict[str, int] = {}
        moved = [-1 if (text := rule(it)) is None else place.setdefault(text, len(place)) for it in self.texts]
        if moved == [*range(len(moved))]:
            return Column(list(place), self.codes)
        return Column(list(place), np.array([*moved, -1], dtype=np.int64)[self.codes])

    @property
    def first(self) -> NDArray[np.int64]:
        """Row in which each text comes first; the number of rows where it comes in none."""
        found = np.full(len(self.texts) + 1, len(self.codes), dtype=np.int64)
        found[self.codes[::-1]] = np.arange(len(self.codes) - 1, -1, -1)
        return found[:-1]

    def among(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Place of each row's text among names; -1 where it has none of them."""
        place = {name: i for i, name in enumerate(names)}
        return np.array([*(place.get(text, -1) for text in self.texts), -1], dtype=np.int64)[self.codes]

    def cells(self) -> list[str | None]:
        """The text of each row."""
        found: list[str | None] = np.array([*self.texts, None], dtype=object)[self.codes].tolist()
        return found

    def part(self, rows: NDArray[np.int64] | None = None) -> Column:
        """The column of some rows, with the texts that these have."""
        codes = self.codes if rows is None else self.codes[rows]
        there = np.zeros(len(self.texts) + 1, dtype=bool)
        there[codes] = True
        place = np.append(np.cumsum(there[:-1]) - 1, -1)
        return Column([self.texts[i] for i in np.flatnonzero(there[:-1]).tolist()], place[codes])

    @property
    def ordered(self) -> Column:
        """The same with its texts in their order."""
        names = in_order(self.texts)
        return Column(names, self.among(names))


def distinct_answers(values: Any, what: str, text: Callable[[Any], str | None] = label_text) -> Column:
    """Distinct texts of a column, and for each case which of them it is; -1 where the answer is missing.

    Examples
    --------
    >>> texts, codes = distinct_answers(["ill", None, "well", "ill"], "y_pred")
    >>> texts, codes.tolist()
    (['ill', 'well'], [0, -1, 1, 0])
    """
    if isinstance(values, Column):
        return values if text is label_text else values.by(text)
    distinct, codes = _numbered(values, what)
    return Column([*distinct], codes).by(text)


def _numbered(values: Any, what: str) -> tuple[Sequence[Any], NDArray[np.int64]]:
    """Different values, told apart by type and value, and the number of each case's; -1 for a gap of pandas."""
    listed = hasattr(values, "__iter__") or hasattr(values, "__array__")
    if not listed or isinstance(values, str | bytes | Mapping | set | frozenset):
        raise InvalidLabels(f"{what} must be one answer a case, in their order ([...]), not {excerpt(values)}")
    kind = getattr(values, "dtype", None)
    if hasattr(type(values), "factorize") and not (isinstance(kind, np.dtype) and kind.kind in "iu"):
        if isinstance(kind, np.dtype) and kind.kind == "O":
            return _by_address(np.ascontiguousarray(values), type(values), what)
        codes, found = values.factorize()
        return found.tolist(), codes.astype(np.int64, copy=False)
    if not hasattr(values, "__array__"):
        values = values if hasattr(values, "__len__") else list(values)
        array: NDArray[Any] = np.fromiter(values, dtype=object, count=len(values))
    else:
        array = np.asarray(unmasked(values))
    if array.ndim != 1:
        raise InvalidLabels(say("one_answer_a_case", what, str(array.shape)))
    if array.dtype.kind in "iu" and len(array):
        low, high = int(array.min()), int(array.max())
        if high - low < WIDEST_RANGE and high < 2**62:
            shifted = array.astype(np.int64) - low
            there = bincount(shifted) > 0
            distinct = (np.flatnonzero(there) + low).tolist()
            return distinct, shifted if len(distinct) == len(there) else (np.cumsum(there) - 1)[shifted]
    if array.dtype.kind in "biuf":
        ordered, codes = np.unique(array, return_inverse=True)
        return ordered.tolist(), codes
    return _by_key(array, what)


def _by_address(array: NDArray[Any], series: Any, what: str) -> tuple[Sequence[Any], NDArray[np.int64]]:
    """By the objects themselves where few stand for many rows, as in a column of classes, and then by their keys."""
    address = np.frombuffer(array, dtype=np.intp)
    if len(np.unique(address[:BLOCK])) > BLOCK // 100:
        return _by_key(array, what)
    codes, addresses = series(address).factorize()
    first = np.empty(len(addresses), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    distinct, key = _by_key(array[first], what)
    return distinct, key[codes]


def _by_key(array: NDArray[Any], what: str) -> tuple[Sequence[Any], NDArray[np.int64]]:
    """By a dictionary, some rows at a time."""
    place: defaultdict[Any, int] = defaultdict()
    place.default_factory = place.__len__  # a new key gets the next number
    kinds: set[type] = set()
    parts = [np.empty(0, dtype=np.int64)]
    try:
        for start in range(0, len(array), BLOCK):
            some = array[start : start + BLOCK].tolist()
            kinds.update(map(type, some))
            parts.append(np.fromiter(map(place.__getitem__, some), np.int64, len(some)))
        if len(kinds - {type(None)}) > 1 or float in kinds:  # 1, 1.0 and True are one key, and no NaN is another
            typed: dict[tuple[type, Any], int] = {}
            all_ = (None if type(v) is float and v != v else v for v in array.tolist())
            codes = np.fromiter((typed.setdefault((type(v), v), len(typed)) for v in all_), np.int64, len(array))
            return [value for _, value in typed], codes
    except TypeError:  # a list is no key
        shape = np.shape(array[0])
        if shape:
            raise InvalidLabels(say("one_answer_a_case", what, str((len(array), *shape)))) from None
        raise InvalidLabels(f"{what} holds answers that are not single values") from None
    return list(place), np.concatenate(parts)


def one_each(values: Any, what: str, cases: int, alone: str = "") -> Column:
    """Names of a column in their order, and which of them each case has; none may be missing."""
    found = distinct_answers(values, what)
    codes = found.codes
    if len(codes) != cases:
        raise InvalidLabels(f"every case needs one {what}: there are {cases} cases and {len(codes)} of them")
    gaps = np.flatnonzero(codes < 0)
    if len(gaps):
        raise InvalidLabels(f"{what} is missing in {len(gaps)} of {cases} cases (first: case {gaps[0] + 1}){alone}")
    return found.ordered


def unmasked(values: Any) -> Any:
    """A masked array with None where it is masked, for NumPy would hand over what stands below; all else as it is.

    Examples
    --------
    >>> unmasked(np.ma.array([1, 2], mask=[False, True])).tolist()
    [1, None]
    """
    if not (isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values)):
        return values
    seen = np.array(values.data, dtype=object)
    seen[np.ma.getmaskarray(values)] = None
    return seen


# -- which of two classes is the positive one, where its name alone says so --

_PAIRS = Path(__file__).with_name("opposites.txt").read_text(encoding="utf-8").splitlines()

#: Names that everyone reads alike, each the negative ones and the positive ones, in small letters.
POSITIVE_NAMES = [
    (frozenset(negative.split(", ")), frozenset(positive.split(", ")))
    for negative, sign, positive in (line.partition(" < ") for line in _PAIRS)
    if sign
]

#: Pairs that are complete, beside those.
OPPOSITES = frozenset(frozenset(line.split(" = ")) for line in _PAIRS if " = " in line)

#: Ends of names with one stem, as in HIV- and HIV+.
ENDS = (("-", "+"), ("\u2212", "+"), (" negative", " positive"), (" neg", " pos"))

NEGATED = re.compile(r"(?:non[ -]?|not[ -]|no )(.+)")


def positive_by_name(labels: Sequence[str]) -> str | None:
    """Positive one of two classes if its name says so, whatever its place and its capitals; None if not.

    Names that everyone knows (1 of 0 and 1, "ill" of "healthy" and "ill"), a name and its negation ("no relapse" and
    "relapse"), and one stem with two signs ("HIV-" and "HIV+").

    Examples
    --------
    >>> [positive_by_name(pair) for pair in (("ill", "healthy"), ("0", "1"), ("No relapse", "Relapse"))]
    ['ill', '1', 'Relapse']
    >>> [positive_by_name(pair) for pair in (("cat", "dog"), ("normal", "not normal"))]
    [None, None]
    """
    if len(labels) != 2:
        return None
    first, second = (" ".join(label.casefold().replace("_", " ").split()) for label in labels)
    found = [
        label
        for label, negative, positive in ((labels[1], first, second), (labels[0], second, first))
        if _opposed(negative, positive)
    ]
    return found[0] if len(found) == 1 else None


def are_opposites(first: str, second: str) -> bool:
    """Whether two names are a pair that is complete: one of them is true of every case.

    Examples
    --------
    >>> are_opposites("Pass", "fail"), are_opposites("1", "0"), are_opposites("cat", "dog")
    (True, True, False)
    """
    return (
        frozenset((first.casefold(), second.casefold())) in OPPOSITES or positive_by_name((first, second)) is not None
    )


def positive_or_last(labels: Sequence[str], positive: str | None) -> str | None:
    """Class that an answer about both classes puts forward where nobody asked for one; None above two classes.

    Examples
    --------
    >>> positive_or_last(("cat", "dog"), None), positive_or_last(("a", "b", "c"), None)
    ('dog', None)
    """
    return labels[-1] if positive is None and len(labels) == 2 else positive


def _opposed(negative: str, positive: str) -> bool:
    """Whether these two names, in small letters, are a negative and its positive."""
    if any(negative in there and positive in here for there, here in POSITIVE_NAMES):
        return True
    if any(
        negative.endswith(minus) and positive.endswith(plus) and negative[: -len(minus)] == positive[: -len(plus)] != ""
        for minus, plus in ENDS
    ):
        return True
    negated = NEGATED.fullmatch(negative)
    # "not healthy" against "healthy": what is negated is itself the good news, so nobody can tell
    return negated is not None and negated[1] == positive and not any(positive in there for there, _ in POSITIVE_NAMES)
