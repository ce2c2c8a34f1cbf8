"""The tables that fit what was published, and what they say about a metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation, listing
from howsure.laws import Kind, Law, Mixture
from howsure.laws.law import KIND, LEVEL
from howsure.numerics.arrays import Floats
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.reconstruction.published_rates import Published, Rounding
from howsure.reconstruction.ranges import Ranges, ranges
from howsure.text.formats import integer, several

__all__ = ["Reconstruction"]

#: Tables whose laws are mixed.
MOST_MIXED = 1_000
#: Tables that a notebook shows.
MOST_SHOWN = 3


@dataclass(frozen=True, eq=False, repr=False)
class Reconstruction:
    """Every table that fits what was published; immutable.

    Attributes
    ----------
    candidates : tuple of ConfusionMatrix
        The tables, at most 10,000 of them; ``count`` says how many fit.
    weights : ndarray, shape (candidates,)
        Probability of each before the figures were known, given that it fits.
    published : tuple of Published
        The figures, and what each may have been rounded from.
    contradictions : tuple of str
        If none fits: the figures without which some would, each alone.
    otherwise : (str, int) or None
        If none fits: the other ``rounding`` and how many tables fit with it.

    Examples
    --------
    >>> import howsure as hs
    >>> found = hs.reconstruct(n=34, recall="1.00", specificity="0.75")
    >>> found.count, found.candidates[0].counts.tolist()
    (8, [[24, 8], [0, 2]])
    >>> hs.reconstruct(n=34, recall="1.00", specificity="0.75", accuracy="0.94").candidates[0].counts.tolist()
    [[6, 2], [0, 26]]
    """

    candidates: tuple[ConfusionMatrix, ...]
    count: int
    weights: Floats
    published: tuple[Published, ...]
    contradictions: tuple[str, ...] = ()
    otherwise: tuple[Rounding, int] | None = None

    @property
    def consistent(self) -> bool:
        """Whether any table fits."""
        return self.count > 0

    def of(self, metric: str, prior: str | Prior | None = None) -> Law:
        """What is known about a metric, over all tables that fit: the mixture of their laws.

        Raises
        ------
        NoInformation
            No table fits.
        InvalidArgument
            More than 1,000 tables fit.
        """
        if not self.count:
            raise NoInformation(f"{self}")
        if self.count > MOST_MIXED:
            most = f"at most {integer(MOST_MIXED)} are mixed; more figures, or sizes=, narrow them"
            raise InvalidArgument(f"{integer(self.count)} tables fit, and {most}")
        if self.count == 1:
            return infer(self.candidates[0], prior).of(metric).law
        return Mixture([infer(c, prior).of(metric).law for c in self.candidates], self.weights)

    def report(
        self,
        metrics: Sequence[str] | None = None,
        *,
        prior: str | Prior | None = None,
        level: float = LEVEL,
        kind: Kind = KIND,
    ) -> Ranges:
        """What every table that fits says about each metric: the range of its value, its mean and its interval.

        Parameters
        ----------
        metrics : sequence of str, optional
            Accuracy, balanced accuracy, and recalls and precisions of the classes if left out.
        prior, level, kind : optional
            As everywhere.

        Raises
        ------
        NoInformation
            No table fits.

        Examples
        --------
        >>> import howsure as hs
        >>> print(hs.reconstruct(sizes=(8, 26), recall="1.00", accuracy="0.9").report(["specificity"]))
        4 tables fit recall 1.00, accuracy 0.9: what each metric may be.
        <BLANKLINE>
        metric                  observed  mean       means  95% HDI of any
        specificity@positive  0.4 to 0.8   0.6  0.4 to 0.7      0.1 to 1.0
        <BLANKLINE>
        prior calibrated; each pair is the lowest and the highest of any table.
        """
        if not self.count:
            raise NoInformation(f"{self}")
        return ranges(
            self.candidates, self.weights, self.count, self._figures(), metrics, prior=prior, level=level, kind=kind
        )

    def _figures(self) -> str:
        names = [f"{p.name} {p.shown}" for p in self.published if not p.is_share]
        return listing([*names, "the printed shares"] if len(names) < len(self.published) else names)

    def __str__(self) -> str:
        figures = self._figures()
        if self.count == 1:
            return f"One table fits {figures}:\n{self.candidates[0]}"
        if self.count:
            return f"{integer(self.count)} tables fit {figures}."
        return " ".join([f"Inconsistent: no table has {figures}.", *self._reasons()])

    def _reasons(self) -> list[str]:
        """What would have to be otherwise."""
        said = []
        if self.otherwise is not None:
            rounding, count = self.otherwise
            how = "cut, not rounded" if rounding == "truncated" else "rounded, not cut"
            option = f'rounding="{rounding}" (--rounding {rounding})'
            fit = "fits" if count == 1 else "fit"
            said.append(f"{several(count, 'table')} {fit} if the figures were {how}: {option}.")
        if self.contradictions != (self._figures(),):
            without = " or without ".join(self.contradictions)
            said.append(
                f"Without {without} some would fit." if without else "Leaving out any one figure does not help."
            )
        return said

    def _repr_html_(self) -> str:
        said, _, _ = str(self).partition("\n")
        tables = "".join(each._repr_html_() for each in self.candidates[:MOST_SHOWN])
        more = f"<p>The first {MOST_SHOWN} of them are shown.</p>" if self.count > MOST_SHOWN else ""
        return f"<section><p><strong>{escape(said)}</strong></p>{tables}{more}</section>"

    def __repr__(self) -> str:
        return f"<Reconstruction: {integer(self.count)} tables fit {listing(p.name for p in self.published)}>"
