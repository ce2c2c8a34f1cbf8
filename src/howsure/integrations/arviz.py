"""Draws of metrics in the format of ArviZ."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.errors import InvalidArgument, MissingExtra
from howsure.laws.law import SEED
from howsure.metrics import parse
from howsure.posterior.knowledge import knowledge_of

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

__all__ = ["to_arviz"]

#: Draws are independent; four equal chains are what the diagnostics of ArviZ expect.
CHAINS = 4


def to_arviz(posterior: Posterior, metrics: Sequence[str], *, draws: int = 4_000, seed: int = SEED) -> Any:
    """Joint draws of metrics as an ``xarray.DataTree`` with the group ``posterior``, as ArviZ 1 reads it.

    Parameters
    ----------
    posterior : Posterior
        From `howsure.infer`.
    metrics : sequence of str
        In the grammar of metrics.
    draws, seed : int
        Draws in all, in four chains; a multiple of four.

    Raises
    ------
    InvalidArgument
        No metric, or draws that four chains cannot share.
    MissingExtra
        xarray (which comes with ArviZ) is not installed.
    """
    if draws % CHAINS or not len(metrics):
        raise InvalidArgument(f"to_arviz() takes one metric or more, and a multiple of {CHAINS} draws; got {draws}")
    try:
        xarray = import_module("xarray")
    except ModuleNotFoundError:
        raise MissingExtra("The export to ArviZ", "arviz") from None
    measures = [parse(metric, posterior.labels, posterior.confusion.positive) for metric in metrics]
    known = knowledge_of(posterior)
    values = known.drawn(measures, draws, seed, 0)
    shaped = {
        measure.name: (("chain", "draw"), np.asarray(each).reshape(CHAINS, -1))
        for measure, each in zip(measures, values, strict=True)
    }
    coordinates = {"chain": np.arange(CHAINS), "draw": np.arange(draws // CHAINS)}
    data = xarray.Dataset(shaped, coordinates, attrs={"prior": known.prior_name, "inference_library": "howsure"})
    return xarray.DataTree.from_dict({"/posterior": data})
