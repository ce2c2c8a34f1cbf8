"""``predict``: what a new test of the same contenders would show, of any kind of knowledge and of a posterior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from howsure.answers.asking import Asking, spelled
from howsure.answers.fields import interval_cells, law_row
from howsure.answers.sheet import Sheet
from howsure.errors import InvalidArgument, excerpt
from howsure.knowledge.protocol import Answered, Ask, Knowledge, Measured, Of
from howsure.laws import Draws
from howsure.posterior.posterior import Posterior
from howsure.posterior.questions import Prediction
from howsure.text import formats
from howsure.text.formats import integer, plain, several
from howsure.text.svg import forest

#: Units of a new test that are drawn one by one.
MOST_NEW = 1_000_000


@dataclass(frozen=True, eq=False)
class ForeseenRow:
    """What the metric of a contender comes out as."""

    name: str
    observed: float | None
    law: Draws


FIELDS = "about unit n metric level interval=kind draws seed verdict=sentence rows[name observed *law] notes"


@dataclass(frozen=True, eq=False)
class ForeseenResult(Answered, json="foreseen", fields=FIELDS, csv="rows[name observed *law(mean low high interval)]"):
    """What a new test of so many units would show; made by `predict` of a kind of knowledge.

    Attributes
    ----------
    about, unit : str
        The data in a sentence, and what is sampled.
    n : int
        Units of the new test.
    measure : Measured
    rows : tuple of ForeseenRow
    level, kind, draws, seed
        Of intervals and of what is drawn.
    notes : tuple of str
    """

    about: str
    unit: str
    n: int
    measure: Measured
    rows: tuple[ForeseenRow, ...]
    ask: Ask
    notes: tuple[str, ...] = ()

    @property
    def metric(self) -> str:
        """Name of the metric."""
        return self.measure.name

    @property
    def sentence(self) -> str:
        """The first row in words."""
        row = self.rows[0]
        mean, ends = interval_cells(row.law, self.level, self.kind)
        whose = f" of {plain(row.name, 40)}" if row.name else ""
        name = formats.interval_name(self.kind, self.level)
        many = several(self.n, self.unit)
        return f"A new test of {many} would show a {self.measure.called}{whose} of {mean} ({name} {ends})."

    def sheet(self) -> Sheet:
        """A row for each contender."""
        kind = formats.interval_name(self.kind, self.level)
        named = any(row.name for row in self.rows)
        rows = [
            (*((plain(row.name, 40),) if named else ()), formats.number(row.observed, 3),
             *interval_cells(row.law, self.level, self.kind))
            for row in self.rows
        ]  # fmt: skip
        how = f"simulated: {integer(self.draws)} draws, seed {self.seed}: what is true, then who comes to the new test."
        header = (*(("name",) if named else ()), "observed now", "new mean", kind)
        return Sheet(self.sentence, header, tuple(rows), (how,), about=self.about, remarks=self.notes)

    def picture(self) -> str:
        """Each contender with its interval, as SVG."""
        rows = [
            law_row(row.name or self.measure.called, row.law, self.level, self.kind, observed=row.observed)
            for row in self.rows
        ]
        return forest(rows, title=f"{self.measure.called} of a new test, mean (dot) and interval; now observed (tick)")


def predict_known(
    known: Knowledge,
    n: Any = None,
    metric: str | None = None,
    *,
    names: Sequence[str] | None = None,
    ask: Ask | None = None,
    notes: Sequence[str] = (),
) -> ForeseenResult:
    """What a metric comes out as on ``n`` new units; as many as now if left out.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> made = predict_known(Items.from_columns(range(20), [3, 4, 5, 4] * 5, range=(1, 5)), 10)
    >>> made.rows[0].observed, round(made.rows[0].law.mean)
    (4.0, 4)
    """
    ask, measure = ask or known.ask(), known.metric("win_rate" if metric is None and known.contests else metric)
    whose = known.names if names is None else tuple(names)
    many = known.size(whose[0]) if n is None else n
    if isinstance(many, bool) or not isinstance(many, int | np.integer) or not 1 <= many <= MOST_NEW:
        raise InvalidArgument(f"n is a number of new {known.unit}s, 1 to {MOST_NEW:,d}; not {excerpt(many)}")
    asked = [Of(measure.name, name) for name in whose]
    values = known.future(asked, int(many), ask.draws, np.random.default_rng(ask.seed))
    rows = [ForeseenRow(of.name, known.observed(of), Draws(column)) for of, column in zip(asked, values.T, strict=True)]
    said = tuple(dict.fromkeys([*known.notes, *notes]))
    return ForeseenResult(known.about, known.unit, int(many), measure, tuple(rows), ask, said)


@spelled(Asking, draws=None)
def predict(
    known: Posterior | Knowledge, n: Any = None, metric: str | None = None, **how: Unpack[Asking]
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
        return predict_known(known, n, metric, ask=known.ask(**how))
    if not isinstance(known, Posterior):
        raise InvalidArgument(f"a prediction is of a posterior, of Items, Ratings or Votes, not of {excerpt(known)}")
    if metric is not None:
        raise InvalidArgument("a posterior predicts its usual metrics; leave metric= out")
    return known.predict(n, **how)
