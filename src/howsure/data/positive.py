"""Which of two classes is the positive one, where its name alone says so."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Names that everyone reads alike, each line the negative ones and the positive ones, in small letters.
NAMES: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(negative.split(", ")), frozenset(positive.split(", ")))
    for negative, positive in (
        ("0, -1", "1, +1"),
        ("no, n", "yes, y"),
        ("nein", "ja"),
        ("non", "oui"),
        ("no", "s\u00ed, si"),
        ("false, f", "true, t"),
        ("negative, neg, -, \u2212", "positive, pos, +"),
        ("negativ", "positiv"),
        ("n\u00e9gatif, negatif", "positif"),
        ("negativo", "positivo"),
        ("gesund", "krank"),
        ("sain", "malade"),
        ("sano", "enfermo"),
        ("absent", "present"),
        (
            "healthy, well, normal, benign, control, controls, unaffected, uninfected",
            "ill, sick, unwell, unhealthy, diseased, disease, abnormal, pathological, malignant, cancer, tumour, "
            "tumor, case, cases, patient, patients, affected, infected",
        ),
        ("ham", "spam"),
        ("genuine, legitimate, legit, normal", "fraud, fraudulent"),
        ("normal, inlier", "anomaly, anomalous, outlier"),
    )
)

#: Pairs that are complete, beside those: who says the one may say the other, and nothing else is true.
OPPOSITES = frozenset(
    frozenset(pair.split(", "))
    for pair in ("fail, pass", "failed, passed", "wrong, right", "incorrect, correct", "bad, good", "reject, accept",
                 "rejected, accepted", "invalid, valid", "unsafe, safe", "i, c")
)  # fmt: skip

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
    if any(negative in there and positive in here for there, here in NAMES):
        return True
    if any(
        negative.endswith(minus) and positive.endswith(plus) and negative[: -len(minus)] == positive[: -len(plus)] != ""
        for minus, plus in ENDS
    ):
        return True
    negated = NEGATED.fullmatch(negative)
    # "not healthy" against "healthy": what is negated is itself the good news, so nobody can tell
    return negated is not None and negated[1] == positive and not any(positive in there for there, _ in NAMES)
