"""How large a request may be, and what is said of one that has no answer.

Everything is bounded beforehand, so that hardly a computation has to be ended.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

#: Above so many classes the further parts of a report, and an answer about one patient for every result, take longer
#: than a page may; so does a report as a page of HTML.
MOST_CLASSES_WITH_PARTS, MOST_CLASSES_ON_A_PAGE = 30, 50

#: Up to so many classes all metrics are read in a thousand continuations of a test, in three seconds; accuracy at once.
MOST_CLASSES_FORESEEN = 8

#: Above so many matrices a ranking takes longer than a page may, unless its metric is one rate: of two classes or under
#: the learned prior, whose laws are dear, and of others.
MOST_MATRICES_DEAR, MOST_MATRICES = 25, 60

#: Tables that are pooled, whose rates are integrated site by site, and tables in a report by slice.
MOST_SITES, MOST_SLICES = 60, 1000

#: Metrics that are one rate: a plan for them is counted out, and takes no time whatever the number of classes.
COUNTED = ("accuracy", "error_rate", "recall", "specificity", "false_negative_rate", "false_positive_rate")


@dataclass(frozen=True)
class Limits:
    """Bounds of one server.

    Parameters
    ----------
    classes, classifiers, label, draws : int
        Classes of a matrix, classifiers of one request, characters of a name, draws of a metric without a closed law.
    numbers : int
        Random numbers of one request, draws times cells of all matrices: some seconds of one core.
    cases, patterns : int
        Cases of a paired comparison, which are held one by one, and kinds of them.
    body, upload : int
        Bytes of a JSON body, and of a file to import.
    seconds, patience : float
        Wall time of an answer, and of the arrival of a body.
    queue : int
        Requests that wait for a free core.
    imports : bool
        Whether files are read at all.
    """

    classes: int = 200
    classifiers: int = 500
    label: int = 200
    draws: int = 200_000
    numbers: int = 50_000_000
    cases: int = 200_000
    patterns: int = 20_000
    body: int = 2**20
    upload: int = 20 * 2**20
    seconds: float = 10.0
    patience: float = 10.0
    queue: int = 16
    imports: bool = True


#: For one person on one machine.
PRIVATE = Limits()

#: For everybody: half of everything but the length of names, and no files.
PUBLIC = Limits(**{name: size // 2 for name, size in vars(PRIVATE).items() if name != "label"} | {"imports": False})


class Refusal(Exception):
    """An answer other than 200.

    Parameters
    ----------
    status : int
        Of HTTP.
    code : str
        One word for programs.
    message : str
        One sentence for people: what was expected, what came, what to do.
    field : str, optional
        The place in the request.
    wait : int, optional
        Seconds after which it is worth another try.
    """

    def __init__(self, status: int, code: str, message: str, field: str | None = None, wait: int | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.field, self.wait = status, code, message, field, wait

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.status, self.code, self.message, self.field, self.wait))

    @property
    def headers(self) -> dict[str, str]:
        """Nobody keeps it; the connection ends where the rest of a body is not read."""
        made = {"content-type": "application/json", "cache-control": "no-store"}
        if self.wait is not None:
            made["retry-after"] = str(self.wait)
        if self.status in (408, 413):
            made["connection"] = "close"
        return made

    @property
    def body(self) -> bytes:
        """As JSON."""
        return as_json({"code": self.code, "message": self.message, "field": self.field})


def as_json(value: Any) -> bytes:
    """Compact JSON in ASCII; refuses NaN and infinity, which are not JSON."""
    return json.dumps(value, allow_nan=False, ensure_ascii=True, separators=(",", ":")).encode()
