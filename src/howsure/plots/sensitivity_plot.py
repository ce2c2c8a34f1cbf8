"""One metric under several priors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.plots.estimate_rows import EstimateRow, draw_rows, estimate
from howsure.plots.style import name
from howsure.text import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from howsure.posterior.questions import Sensitivity

__all__ = ["sensitivity"]


def sensitivity(x: Sensitivity, *, ax: Axes | None = None) -> Axes:
    """A row for each prior; the tick is the value on the counts alone.

    Parameters
    ----------
    x : Sensitivity
        From ``posterior.prior_sensitivity(metric)``.
    ax : Axes, optional
        Those of a new figure if left out.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]))
    >>> sensitivity(post.prior_sensitivity("recall@low")).get_xlabel()
    'recall@low, mean and 95% HDI'
    """
    rows = [
        EstimateRow(f"prior {answer.prior}", observed=x.observed)
        if answer.known is None
        else estimate(f"prior {answer.prior}", answer.known, x.level, x.kind)
        for answer in x.answers
    ]
    return draw_rows(rows, ax, f"{name(x.metric)}, mean and {formats.interval_name(x.kind, x.level)}")
