"""Any Python function of tables as a metric, checked to be one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InvalidArgument, excerpt
from howsure.metrics.margins import Table, Tables, cells
from howsure.metrics.metric import Metric

__all__ = ["own"]

ADVICE = "it takes tables of shape (..., K, K) and gives one number for each, such as m[..., 0, 0] / m.sum((-2, -1))"


def own(function: Callable[[Tables], Any], size: int) -> Metric:
    """Metric of a function that declares nothing, of tables (..., K, K) of shares, K = ``size``; no direction is good.

    Refused where it fails, gives another shape or something that is no number, or mixes the tables of a stack.

    Examples
    --------
    >>> def first_cell(m):
    ...     return m[..., 0, 0] / m.sum((-2, -1))
    >>> metric = own(first_cell, 2)
    >>> metric.name, float(metric([[3, 1], [0, 4]]))
    ('first_cell', 0.375)
    """
    called = getattr(function, "__name__", type(function).__name__)
    formula = OwnFormula(function, "lambda" if called == "<lambda>" else called)
    some = np.random.default_rng(0).dirichlet(np.ones(size * size), 3).reshape(3, size, size)
    together = formula(some)
    alone = np.array([float(formula(table)) for table in some])
    if not np.allclose(together, alone, equal_nan=True):
        raise InvalidArgument(
            f"{formula.name}() gives a table another number alone ({alone[0]:g}) than in a stack ({together[0]:g}); "
            + ADVICE
        )
    return Metric(
        name=formula.name,
        formula=formula,
        per="table",
        range=(-np.inf, np.inf),
        better="neither",
        reference="",
    )


@dataclass(frozen=True)
class OwnFormula:
    """A function from outside, watched: its errors are told in one sentence."""

    function: Callable[[Tables], Any]
    name: str

    def __call__(self, m: Table) -> Tables:
        """One number for each table, shape (...)."""
        tables = cells(m).view()
        tables.setflags(write=False)  # other metrics read the same draws
        try:
            with np.errstate(divide="ignore", invalid="ignore"):
                given = self.function(tables)
        except Exception as error:  # whatever a function from outside may raise
            raise InvalidArgument(
                f"{self.name}() failed on an array of shape {tables.shape}: {type(error).__name__}: "
                f"{' '.join(str(error).split())}; {ADVICE}"
            ) from error
        try:
            values = np.asarray(given)
            if values.dtype.kind not in "biuf":
                raise TypeError
        except (TypeError, ValueError):
            raise InvalidArgument(f"{self.name}() gives {excerpt(given)}, which is no number; {ADVICE}") from None
        if values.shape != tables.shape[:-2]:
            raise InvalidArgument(
                f"{self.name}() gives an array of shape {values.shape} for tables of shape {tables.shape}; {ADVICE}"
            )
        infinite = int(np.isinf(values).sum())
        if infinite:
            raise InvalidArgument(
                f"{self.name}() is infinite for {infinite} of {values.size} tables; give NaN where it is undefined"
            )
        return values.astype(float)
