"""What an expert says or an earlier matrix shows, checked and made into pseudo-counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import number, written
from howsure.numerics.solve.peaks import beta_of_belief

__all__ = ["Told", "believed", "betas_of", "share_of"]

#: ``beta(2,2)``, or ``ill=beta(20,2)`` as one of several.
BETA = re.compile(r"\s*(?:(?P<label>.*?)\s*=\s*)?beta\(\s*(?P<a>[^(),]*),(?P<b>[^(),]*)\)\s*(?:,|$)", re.IGNORECASE)


#: What the recalls of the positive and of the negative class are called.
TWO_RATES = ("sensitivity", "specificity")
#: What the share of the positive class is called beside them.
SHARE = "prevalence"


@dataclass(frozen=True)
class Told:
    """Pseudo-counts cell by cell: class names, table (K, K) with rows truth, and those of the prevalence (K,)."""

    labels: tuple[str, ...]
    table: tuple[tuple[float, ...], ...]
    prevalence: tuple[float, ...]

    def aligned(self, labels: Sequence[str], name: str, positive: str | None = None) -> Told:
        """The same with its classes in the order of ``labels``; refuses other classes in the name of the prior.

        Of two classes with a known ``positive`` one the rows may bear the names of their rates instead.
        """
        if positive is not None and sorted(self.labels) == list(TWO_RATES):
            other = next(label for label in labels if label != positive)
            return replace(
                self, labels=tuple({TWO_RATES[0]: positive}.get(each, other) for each in self.labels)
            ).aligned(labels, name)
        if sorted(self.labels) != sorted(labels):
            raise InvalidArgument(
                f"prior {excerpt(name)} is about the classes {listing(self.labels)}, the matrix about {listing(labels)}"
            )
        order = [self.labels.index(label) for label in labels]
        table = tuple(tuple(self.table[i][j] for j in order) for i in order)
        return Told(tuple(labels), table, tuple(self.prevalence[i] for i in order))


def believed(mean: float, interval: tuple[float, float], level: float) -> tuple[float, float]:
    """Beta parameters of a mean and of an interval with its probability, or the sentence that says what is wrong."""
    try:
        low, high = map(number, interval)
        ok = 0 <= low < number(mean) < high <= 1 and 0 < number(level) < 1
    except (TypeError, ValueError):  # no pair
        ok = False
    if not ok:
        raise InvalidArgument(
            "a belief is a mean strictly inside an interval within 0 and 1, at a level below 1; "
            f"not mean {excerpt(mean)}, interval {excerpt(interval)}, level {excerpt(level)}"
        )
    found = beta_of_belief(float(mean), low, high, level)
    if found is None:
        raise InvalidArgument(
            f"no Beta with mean {mean:g} has probability {level:g} in {low:g} to {high:g}; "
            "state a narrower interval, or a higher level"
        )
    return found


def betas_of(text: str) -> dict[str | None, tuple[float, float]] | None:
    """Read one Beta for every recall, under None, or one for each class by name; None where the text is no such.

    Raises
    ------
    InvalidArgument
        Numbers that are none, a class that comes twice, or names beside a Beta without one.

    Examples
    --------
    >>> betas_of("beta(2, 2)"), betas_of("ill=beta(20,2), healthy=beta(9,1)")
    ({None: (2.0, 2.0)}, {'ill': (20.0, 2.0), 'healthy': (9.0, 1.0)})
    """
    if "beta(" not in text.lower():
        return None
    found: dict[str | None, tuple[float, float]] = {}
    place = 0
    while place < len(text):
        match = BETA.match(text, place)
        label = match["label"] if match else None
        if match is None or label in found or (found and (label is None or None in found)):
            raise InvalidArgument(
                "a prior is written beta(2,2) for every recall, or a=beta(20,2),b=beta(9,1) with each class once; "
                f"not {excerpt(text)}"
            )
        try:
            found[label] = written(match["a"]), written(match["b"])
        except ValueError:
            raise InvalidArgument(
                f"beta(a,b) takes two pseudo-counts, such as beta(20,2); not {excerpt(text)}"
            ) from None
        place = match.end()
    return found


def share_of(betas: dict[str | None, tuple[float, float]], text: str) -> tuple[float, float] | None:
    """Take the Beta of the prevalence out of those of three rates, in the order of the other two; None without one.

    Raises
    ------
    InvalidArgument
        A prevalence beside one of the other two rates only, or a negative number.

    Examples
    --------
    >>> betas = betas_of("specificity=beta(9,1), sensitivity=beta(20,2), prevalence=beta(1,49)")
    >>> share_of(betas, "as above"), list(betas)
    ((49.0, 1.0), ['specificity', 'sensitivity'])
    """
    if SHARE not in betas or betas.keys().isdisjoint(TWO_RATES):  # classes may be called anything
        return None
    if betas.keys() != {SHARE, *TWO_RATES} or not all(0 <= each <= 1e12 for each in betas[SHARE]):
        raise InvalidArgument(
            f"a prior with a prevalence has a Beta of pseudo-counts, 0 or more, for {listing((SHARE, *TWO_RATES))}; "
            f"not {excerpt(text)}"
        )
    share = betas.pop(SHARE)
    return share if next(iter(betas)) == TWO_RATES[0] else share[::-1]
