"""``predict`` and ``slices`` of anything that is known: of a posterior, of items with scores, of ratings, of votes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.data.slices import Slices
from howsure.errors import InvalidArgument, excerpt
from howsure.knowledge.items import Items
from howsure.knowledge.protocol import Knowledge
from howsure.laws import Kind
from howsure.laws.draw_settings import SEED
from howsure.laws.law import KIND, LEVEL
from howsure.posterior.posterior import Posterior
from howsure.posterior.questions import Prediction
from howsure.questions import predict as predicting
from howsure.questions import slices as slicing
from howsure.questions.predict import ForeseenResult
from howsure.questions.slices import MetricSlices
from howsure.reporting.slice_report import SliceReport, slice_report

__all__ = ["predict", "slices"]


def predict(
    known: Posterior | Knowledge, n: Any = None, metric: str | None = None, *,
    level: float = LEVEL, kind: Kind = KIND, draws: int | None = None, seed: int = SEED,
) -> Prediction | ForeseenResult:  # fmt: skip
    """What a new test would show.

    Parameters
    ----------
    known : Posterior, Items, Ratings or Votes
    n : int, or mapping of class to int for a Posterior, optional
        Cases, items or battles of the new test; as many as now if left out.
    metric : str, optional
        Of items, ratings or votes; a posterior predicts its usual ones.
    level, kind, draws, seed
        Of the intervals and of what is drawn.

    Examples
    --------
    >>> import howsure as hs
    >>> hs.predict(hs.Votes.from_columns([*"xxyyzx"] * 5, [*"yyzzxz"] * 5, [*"aaabab"] * 5), 100).metric
    'win_rate'
    """
    if isinstance(known, Knowledge):
        return predicting.predict(known, n, metric, ask=known.ask(level, kind, draws, seed))
    if not isinstance(known, Posterior):
        raise InvalidArgument(f"a prediction is of a posterior, of Items, Ratings or Votes, not of {excerpt(known)}")
    if metric is not None:
        raise InvalidArgument("a posterior predicts its usual metrics; leave metric= out")
    return known.predict(n, level=level, kind=kind, draws=draws, seed=seed)


def slices(
    known: Slices | Items | Mapping[str, tuple[Knowledge, Knowledge]], metric: str | None = None, *,
    by: str = "group", name: str | None = None, level: float = LEVEL, kind: Kind = KIND, draws: int | None = None,
    seed: int = SEED,
) -> SliceReport | MetricSlices:  # fmt: skip
    """A metric by slice: each with its interval, the worst one, and which stand out from the others.

    Parameters
    ----------
    known : Slices, Items whose groups are the slices, or mapping of slice to two of a kind
        Of a mapping what is known of the slice, and of all others together.
    metric, name : str, optional
        The metric, and of items the system.
    by : str
        What the slices of items are, in words.
    level, kind, draws, seed
        Of the intervals and of what is drawn.

    Examples
    --------
    >>> import howsure as hs
    >>> hard = [i > 11 for i in range(24)]
    >>> scored = hs.Items.from_columns(range(24), [i % 12 / 11 - hard[i] / 2 for i in range(24)], group=hard)
    >>> hs.slices(scored, by="hard").rows[0].name
    'true'
    """
    if not all(it is None or isinstance(it, str) for it in (metric, name)) or not isinstance(by, str):
        raise InvalidArgument("metric=, name= and by= are texts")
    if isinstance(known, Slices):
        return slice_report(known, metric, draws=draws, seed=seed, level=level, kind=kind)
    parts = known.by_group() if isinstance(known, Items) else known
    if not isinstance(parts, Mapping) or not parts or not all(
        isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(one, Knowledge) for one in pair)
        for pair in parts.values()
    ):  # fmt: skip
        raise InvalidArgument("slices are Slices, Items in groups, or a mapping of slice to (its own, all others)")
    first = next(iter(parts.values()))[0]
    return slicing.slices(parts, by, metric, name=name, ask=first.ask(level, kind, draws, seed), notes=(
        known.notes if isinstance(known, Items) else ()
    ))  # fmt: skip
