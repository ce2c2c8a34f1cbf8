"""One number of a pool, a law by weighted draws that says what it is about; and its curve."""

from __future__ import annotations

from dataclasses import dataclass

from howsure.laws import Draws
from howsure.numerics.arrays import Floats
from howsure.numerics.sites.site_population import ImportanceWeights
from howsure.text import formats

__all__ = ["Hsroc", "PooledNumber"]


class PooledNumber(Draws):
    """What is known about one number of a pool, with the vocabulary of every law; made by `Pooled.of`.

    Its Monte Carlo errors are those of independent weighted draws; the draws are more even, so errors are smaller.

    Examples
    --------
    >>> import howsure as hs
    >>> hs.pool([(82, 100), (75, 100), (92, 100), (85, 100), (88, 100)]).of("rate")
    rate 0.84 (0.76 to 0.92) 95% HDI, typical site, simulated (Monte Carlo error 0.001)
    """

    _attributes = ("metric", "about")

    def __init__(
        self, values: Floats, weight: Floats, *, support: tuple[float, float], metric: str, about: str
    ) -> None:
        super().__init__(values, support=support, strata=ImportanceWeights(weight))
        self.metric, self.about = metric, about

    def __repr__(self) -> str:
        ends = self.interval()
        places = formats.decimals(*ends, error=self.error)
        kind = "HDI" if ends.kind == "hdi" else "central (not unimodal)"
        name = formats.isolated(formats.plain(self.metric))
        return (
            f"{name} {formats.number(self.mean, places)} ({formats.interval(*ends, places)}) 95% {kind}, "
            f"{formats.plain(self.about)}, simulated (Monte Carlo error {self.error:.1g})"
        )


@dataclass(frozen=True, eq=False)
class Hsroc:
    """Hierarchical summary ROC curve with pointwise intervals, over the range of what sites showed.

    Attributes
    ----------
    false_positive_rate, sensitivity, low, high : ndarray, shape (m,)
        Sensitivity is the median of the curve, low and high the ends of its central interval.
    """

    false_positive_rate: Floats
    sensitivity: Floats
    low: Floats
    high: Floats
