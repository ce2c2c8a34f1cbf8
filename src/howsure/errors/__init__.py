"""Everything howsure can complain about, and the one place where the sentences are made.

::

    HowsureError (ValueError)            what was expected, what came, what to do
    |-- InvalidCounts                    a confusion matrix that is not one
    |-- InvalidLabels                    class names, or answers that are no class
    |-- InvalidArgument                  any other argument out of its range
    |   `-- OutOfReach                   a number that no method here computes at this size
    |-- InvalidFile                      names the file and, where there is one, the line
    |-- UnknownName                      a name that is not in its list; offers the nearest
    |   |-- UnknownMetric
    |   |-- UnknownPrior
    |   |-- UnknownLabel
    |   `-- UnknownClassifier
    |-- NoInformation                    the question has no answer from these counts and this prior
    `-- MissingExtra (also ImportError)  an optional part is not installed

    HowsureWarning (UserWarning)
    |-- PriorShiftWarning                the prior, not the data, decides the number
    |-- CarriedRatesWarning              verdicts that rates learned elsewhere do not explain
    `-- InconclusiveWarning              a gate that neither passes nor fails

None derives from KeyError, whose message prints as a repr.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class HowsureError(ValueError):
    """Base of all errors: the message says what was expected, what came, and what to do."""


class InvalidCounts(HowsureError):
    """The counts do not form a confusion matrix."""


class InvalidLabels(HowsureError):
    """The class labels, true answers or predictions cannot be used as they are."""


class InvalidArgument(HowsureError):
    """An argument is outside what the call can answer."""


class OutOfReach(InvalidArgument):
    """The number exists, but the counts are beyond what any method here computes."""


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
        #: What kind of refusal it is, where a reader says so: its key in data/refusals.toml; its fields.
        self.kind: str = getattr(problem, "kind", "")
        self.fields: tuple[object, ...] = getattr(problem, "fields", ())
        super().__init__(f"{source}{'' if line is None else f', line {line}'}: {problem}")

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.source, self.problem, self.line))


class UnknownName(HowsureError):
    """A name that is not in its list.

    Parameters
    ----------
    name : str
        What was asked for.
    known : iterable of str
        All that would do; the nearest is offered.
    shown : iterable of str, optional
        Those to list when nothing is near; all of ``known`` if left out.
    """

    kind = "name"

    def __init__(self, name: object, known: Iterable[str], shown: Iterable[str] | None = None) -> None:
        name = name if isinstance(name, str) else excerpt(name)
        names, shown = list(known), None if shown is None else list(shown)
        self.name, self._rest = name, (names, shown)
        said = self._known_elsewhere(name, names)
        if said is not None:
            super().__init__(f"No {self.kind} named {excerpt(name)}. {said}")
            return
        # a short name is near to everything: four letters must agree in all but one
        cutoff = 0.6 if len(name) > 4 else 0.7
        near = get_close_matches(name.lower(), [n.lower() for n in names], n=1, cutoff=cutoff)
        if not near:  # the last word of just one name: auc of roc_auc
            ends = [n for n in names if len(name) > 2 and n.lower().endswith(f"_{name.lower()}")]
            near = [ends[0].lower()] if len(ends) == 1 else []
        if near:
            advice = f"Did you mean {excerpt(next(n for n in names if n.lower() == near[0]))}?"
        else:
            advice = f"Known: {listing(names if shown is None else shown, 40)}."
        super().__init__(f"No {self.kind} named {excerpt(name)}. {advice}")

    def _known_elsewhere(self, name: str, names: Sequence[str]) -> str | None:
        """What a name means in another tool, and what it is here."""
        return None

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.name, *self._rest))


#: Numbers of all thresholds by their names and those of scikit-learn; "neg_" and "_ovr" go off before.
OF_SCORES = frozenset(
    ["auc", "auroc", "auprc", "roc_auc", "rocauc", "average_precision", "partial_auc", "brier_score", "log_loss", "ece"]
)


class UnknownMetric(UnknownName):
    """No metric of that name in the registry."""

    kind = "metric"

    def _known_elsewhere(self, name: str, names: Sequence[str]) -> str | None:
        """Scores, and the averages of scikit-learn: ``f1_macro`` is ``f1@macro``."""
        bare = name.strip().lower().removeprefix("neg_").partition("_ov")[0]
        if bare in OF_SCORES and "roc_auc" not in names:
            return (
                "It is a number of scores before the threshold, which a confusion matrix does not have: howsure curve "
                "FILE, a file with the columns y_true and score; in Python howsure.Scores(y_true, scores)."
            )
        base, _, average = name.strip().lower().rpartition("_")
        if base in names and average in ("macro", "micro", "weighted"):
            return f"Did you mean {excerpt(f'{base}@{average}')}?"
        return None


class UnknownPrior(UnknownName):
    """No prior of that name."""

    kind = "prior"


class UnknownLabel(UnknownName):
    """No class of that label in the matrix."""

    kind = "class"


class UnknownClassifier(UnknownName):
    """No classifier of that name among the predictions."""

    kind = "classifier"


class NoInformation(HowsureError):
    """The posterior is improper: the counts and the prior say nothing about this."""


class MissingExtra(HowsureError, ImportError):
    """An optional dependency is absent."""

    def __init__(self, purpose: str, extra: str) -> None:
        self._rest = purpose, extra
        from howsure.errors.installing import install_hint  # reads the metadata of what is installed

        super().__init__(f"{purpose} needs the extra '{extra}': {install_hint(extra)}")

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), self._rest)


class HowsureWarning(UserWarning):
    """Base of all warnings."""


class PriorShiftWarning(HowsureWarning):
    """The prior moved an average over classes by more than its own uncertainty."""


class CarriedRatesWarning(HowsureWarning):
    """Verdicts that the rates of a judge, learned elsewhere, do not explain, or rates that tell nothing apart."""


class InconclusiveWarning(HowsureWarning):
    """The cases are too few for a gate to pass or to fail."""


def excerpt(text: object, limit: int = 60) -> str:
    """Quote a value that came from outside: one line, no control characters, cut to ``limit``."""
    try:
        shown = repr(text)
    except Exception:  # a number of more digits than Python prints, or an object that cannot describe itself
        shown = f"<{type(text).__name__}>"
    shown = shown if shown.isprintable() else visible(shown)
    return shown if len(shown) <= limit else shown[: limit - 4] + "..." + shown[0]


def visible(text: str) -> str:
    """Text from outside with every control and direction mark made visible, on one line.

    Examples
    --------
    >>> len(visible(chr(27) + "[31m")), visible("ill")
    (8, 'ill')
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def listing(names: Iterable[str], limit: int = 12) -> str:
    """Join names for a sentence, cut after ``limit`` of them."""
    quoted = [n if len(n) <= 40 else n[:37] + "..." for n in map(visible, names)]
    rest = len(quoted) - limit
    return ", ".join(quoted[:limit]) + (f" and {rest} more" if rest > 0 else "")
