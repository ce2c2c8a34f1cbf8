"""All checks with their verdict, as what a reviewer reads."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from howsure._version import __version__
from howsure.answers.sheet import Record, Sheet
from howsure.errors import HowsureWarning, visible
from howsure.progress import along
from howsure.verify.known import Check, Checker, known_checks
from howsure.verify.second_routes import ROUTES, short_coverage

NOUNS = ("laws", "metrics", "comparisons", "ranks", "plans", "gates", "sites and slices", "curves", "judges", "readers")
#: The checks of each noun, in the order of the print-out.
GROUPS: dict[str, list[Checker]] = {
    **{name: [partial(known_checks, name), *filter(None, [ROUTES.get(name)])] for name in NOUNS},
    "coverage": [short_coverage],
}

#: Printed below every verdict.
UNCHECKED = (
    "Not checked here: whether the model fits your data, coverage of more than two classes, of learned priors, of "
    "pairs and at fixed truths, the page, plots and files that are written. Long simulations with their tables: "
    "docs/validity.md; every reader, metric and distribution: the test suite."
)

FIELDS = (
    "verdict=_word total=checks.len failed=failed.len checks[group what expected got tolerance source passed] "
    "not_checked=_unchecked"
)

HEADER = ("group", "verdict", "what is checked", "expected", "got", "tolerance", "source")


@dataclass(frozen=True)
class Verification(Record, json="verify", fields=FIELDS):
    """What `verified` found.

    Parameters
    ----------
    checks : tuple of Check
        In the order of the groups.
    """

    checks: tuple[Check, ...]
    _unchecked: ClassVar[str] = UNCHECKED

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that did not pass."""
        return tuple(check for check in self.checks if not check.passed)

    @property
    def passed(self) -> bool:
        """Whether all of them did, and there are some."""
        return bool(self.checks) and not self.failed

    @property
    def _word(self) -> str:
        return "pass" if self.passed else "fail"

    @property
    def verdict(self) -> str:
        """The total in a sentence."""
        total = len(self.checks)
        if self.passed:
            return f"howsure {__version__}: all {total} checks passed."
        return f"howsure {__version__}: {len(self.failed)} of {total} checks FAILED."

    def sheet(self) -> Sheet:
        """One row a check; the failing ones stand first."""
        ordered = [*self.failed, *(check for check in self.checks if check.passed)]
        rows = tuple(
            (c.group, "ok" if c.passed else "FAILED", c.what, c.expected, c.got, c.tolerance, visible(c.source))
            for c in ordered
        )
        return Sheet(
            self.verdict, HEADER, rows, (f"By group: {self._totals()}.", UNCHECKED), words=frozenset({0, 1, 2, 6})
        )

    def _totals(self) -> str:
        parts = []
        for group in dict.fromkeys(check.group for check in self.checks):
            of_group = [check for check in self.checks if check.group == group]
            parts.append(f"{group} {sum(check.passed for check in of_group)} of {len(of_group)}")
        return ", ".join(parts)


def verified() -> Verification:
    """Run every check, about half a minute; the same version gives the same bytes.

    Examples
    --------
    >>> from howsure.verify.verification import GROUPS
    >>> list(GROUPS)[:3]
    ['laws', 'metrics', 'comparisons']
    """
    made: list[Check] = []
    for group, checkers in along(GROUPS.items(), len(GROUPS)):
        for checks in checkers:
            made += _guarded(group, checks)
    return Verification(tuple(made))


def _guarded(group: str, checks: Checker) -> list[Check]:
    """The checks of one function; what it raises is a failed check, and the others go on."""
    made: list[Check] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", HowsureWarning)  # published tables earn some; they are not the reader's
            made += (replace(check, group=group) for check in checks())
    except Exception as error:  # a verification ends with a verdict, whatever is broken
        said = " ".join(f"{type(error).__name__}: {error}".split())
        made.append(
            Check(f"checks of {group}", "an answer", said, "exact", False, "it raised instead of answering", group)
        )
    return made
