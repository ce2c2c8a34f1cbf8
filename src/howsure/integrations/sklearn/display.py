"""A display in the manner of scikit-learn: made from predictions or from an estimator, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from howsure.data.confusion import ConfusionMatrix
from howsure.laws import Kind
from howsure.laws.law import KIND, LEVEL
from howsure.metrics import Measure
from howsure.posterior.distribution import Distribution
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.reporting.report import default_measures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PosteriorDisplay"]


class PosteriorDisplay:
    """Posterior densities of metrics; make it with `from_predictions` or `from_estimator`.

    Parameters
    ----------
    distributions : dict of str to Distribution
        What to draw, by name.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn last.

    Examples
    --------
    >>> shown = PosteriorDisplay.from_predictions([0, 1, 1, 0, 1, 0], [0, 1, 1, 0, 0, 0], metrics=["accuracy", "mcc"])
    >>> sorted(shown.distributions)
    ['accuracy', 'mcc']
    """

    ax_: Axes
    figure_: Figure

    def __init__(self, distributions: dict[str, Distribution]) -> None:
        self.distributions = distributions

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        metrics: Sequence[str] | None = None,
        prior: str | Prior | None = None,
        level: float = LEVEL,
        kind: Kind = KIND,
        ax: Axes | None = None,
    ) -> PosteriorDisplay:
        """Draw the posterior of metrics from true and predicted classes.

        Parameters
        ----------
        y_true, y_pred : array_like, shape (n,)
            Classes.
        labels : sequence, optional
            All classes; those seen if left out.
        metrics : sequence of str, optional
            Names in the grammar of metrics; those of a report if left out.
        prior : str or Prior, optional
            As in `howsure.infer`.
        level, kind : float, "hdi" or "central"
            Of the intervals.
        ax : Axes, optional
            Those of a new figure if left out.
        """
        posterior = infer(ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels), prior)
        asked: Sequence[str | Measure] = default_measures(posterior) if metrics is None else list(metrics)
        known = [posterior.of(name) for name in asked]
        return cls({each.title: each for each in known}).plot(ax=ax, level=level, kind=kind)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        labels: Any = None,
        **options: Any,  # its name there
    ) -> PosteriorDisplay:
        """Draw the posterior of metrics of a fitted classifier on test cases; the options of `from_predictions`."""
        labels = getattr(estimator, "classes_", None) if labels is None else labels
        return cls.from_predictions(y, estimator.predict(X), labels=labels, **options)

    def plot(self, *, ax: Axes | None = None, level: float = LEVEL, kind: Kind = KIND) -> PosteriorDisplay:
        """Draw: one density, or a ridge of several."""
        from howsure.plots import posterior, ridge
        from howsure.plots.style import figure_of

        known = self.distributions
        self.ax_ = (posterior if len(known) == 1 else ridge)(known, ax=ax, level=level, kind=kind)
        self.figure_ = figure_of(self.ax_)
        return self
