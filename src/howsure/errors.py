"""Everything howsure can complain about, and the one place where the sentences are made.

::

    HowsureError (ValueError)            what was expected, what came, what to do
    |-- InvalidCounts                    a confusion matrix that is not one
    |-- InvalidLabels                    class names, or answers that are no class
    |-- InvalidArgument                  any other argument out of its range
    |-- InvalidFile                      names the file and, where there is one, the line
    |-- UnknownName                      a name that is not in its list; offers the nearest
    |   |-- UnknownMetric
    |   |-- UnknownPrior
    |   `-- UnknownLabel
    |-- NoInformation                    the question has no answer from these counts and this prior
    `-- MissingExtra (also ImportError)  an optional part is not installed

    HowsureWarning (UserWarning)
    `-- PriorShiftWarning                the prior, not the data, decides the number

None derives from KeyError, whose message prints as a repr.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class HowsureError(ValueError):
    """Base of all errors: the message says what was expected, what came, and what to do."""


class InvalidCounts(HowsureError):
    """The counts do not form a confusion matrix."""


class InvalidLabels(HowsureError):
    """The class labels, true answers or predictions cannot be used as they are."""


class InvalidArgument(HowsureError):
    """An argument is outside what the call can answer."""


class InvalidFile(HowsureError):
    """A file (or standard input) cannot be read as it stands.

    Parameters
    ----------
    source : str
        What the user calls the file.
    problem : str
        What was expected, what came, what to do.
    line : int, optional
        The line, counted from 1, where it shows.
    """

    def __init__(self, source: str, problem: str, line: int | None = None) -> None:
        self.source, self.problem, self.line = source, problem, line
        super().__init__(f"{source}{'' if line is None else f', line {line}'}: {problem}")


class UnknownName(HowsureError):
    """A name that is not in its list."""

    kind = "name"

    def __init__(self, name: str, known: Iterable[str], advice: str = "") -> None:
        names = list(known)
        self.name = name
        near = get_close_matches(name.lower(), [n.lower() for n in names], n=1, cutoff=0.6)
        if near:
            advice = f"Did you mean {next(n for n in names if n.lower() == near[0])!r}?"
        elif not advice:
            advice = f"Known: {listing(names)}."
        super().__init__(f"No {self.kind} named {excerpt(name)}. {advice}")


class UnknownMetric(UnknownName):
    """No metric of that name in the registry."""

    kind = "metric"


class UnknownPrior(UnknownName):
    """No prior of that name."""

    kind = "prior"


class UnknownLabel(UnknownName):
    """No class of that label in the matrix."""

    kind = "class"


class NoInformation(HowsureError):
    """The posterior is improper: the counts and the prior say nothing about this."""


class MissingExtra(HowsureError, ImportError):
    """An optional dependency is absent."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs more than the bare library: pip install 'howsure[{extra}]'")


class HowsureWarning(UserWarning):
    """Base of all warnings."""


class PriorShiftWarning(HowsureWarning):
    """The prior moved an average over classes by more than its own uncertainty."""


def excerpt(text: object, limit: int = 60) -> str:
    """Quote a value that came from outside: one line, no control characters, cut to ``limit``."""
    shown = repr(text)
    return shown if len(shown) <= limit else shown[: limit - 4] + "..." + shown[0]


def listing(names: Iterable[str], limit: int = 12) -> str:
    """Join names for a sentence, cut after ``limit`` of them."""
    quoted = [n if len(n) <= 40 else n[:37] + "..." for n in names]
    rest = len(quoted) - limit
    return ", ".join(quoted[:limit]) + (f" and {rest} more" if rest > 0 else "")
