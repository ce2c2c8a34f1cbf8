"""Three priors of the typical rate of a pool: ``python -m benchmarks.pool_priors`` (a table of docs/slices.md).

Sites of n cases each; their logits are normal around the typical one with an sd of tau, half-normal(1) as in `pool`.
The posterior of the typical logit and tau is summed on a grid, without draws.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray
from scipy import special

from howsure.numerics.sites import arcsine_rates, half_normal, log_likelihood

Floats = NDArray[np.float64]

#: Logits of the typical rate, and sds.
CENTRES, SDS = np.linspace(-12, 16, 281), np.linspace(0.02, 4, 45)

#: Shares of the error below a 95% interval, of which the shortest is the HDI.
BELOW = np.linspace(0, 0.05, 101)


def priors(mean: Floats) -> dict[str, Floats]:
    """Log density of the logit of the typical rate."""
    return {
        "flat on the logit scale, within 8": np.where(np.abs(mean) <= 8, 0.0, -np.inf),
        "uniform": special.log_expit(mean) + special.log_expit(-mean),
        "Beta(1/2, 1/2)": arcsine_rates(mean),
    }


def held(typical: float, tau: float, sites: int, table: Floats, rng: np.random.Generator) -> dict[str, Floats]:
    """One run: whether the HDI and the central interval hold the typical rate, and how far off the median is."""
    cases = table.shape[1] - 1
    k = rng.binomial(cases, special.expit(special.logit(typical) + tau * rng.standard_normal(sites)))
    mean, sd = (x.ravel() for x in np.meshgrid(CENTRES, SDS, indexing="ij"))
    made = {}
    for name, prior in priors(mean).items():
        log_p = table[:, k].sum(axis=1) + prior + half_normal(sd)
        weight = np.exp(log_p - log_p.max()).reshape(len(CENTRES), len(SDS)).sum(axis=1)
        weight /= weight.sum()
        reached = np.cumsum(weight) - weight / 2
        low, high = (special.expit(np.interp(p, reached, CENTRES)) for p in (BELOW, BELOW + 0.95))
        low[0], high[-1] = 0.0, 1.0
        inside = (low <= typical) & (typical <= high)
        median = special.expit(np.interp(0.5, reached, CENTRES))
        made[name] = np.array([inside[np.argmin(high - low)], inside[len(BELOW) // 2], median - typical], dtype=float)
    return made


def main() -> None:
    """Print the lowest cells, and the largest bias."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--runs", type=int, default=150)
    runs: int = reader.parse_args().runs
    rng = np.random.default_rng(1)
    mean, sd = (x.ravel()[:, None] for x in np.meshgrid(CENTRES, SDS, indexing="ij"))
    found: dict[str, list[Floats]] = {name: [] for name in priors(mean)}
    for cases in (10, 30, 100):
        k = np.arange(cases + 1.0)[:, None]
        table = log_likelihood(mean, sd, 0 * mean[:, 0], k, np.full_like(k, cases), nodes=9)
        for sites in (3, 6, 12):
            for typical in (0.9, 0.95, 0.98, 0.995):
                for tau in (0.0, 0.4, 0.9):
                    made = [held(typical, tau, sites, table, rng) for _ in range(runs)]
                    for name, cells in found.items():
                        cells.append(np.mean([run[name] for run in made], axis=0))
    print("| prior of the typical rate | HDI | central | bias |\n| --- | --- | --- | --- |")
    for name, cells in found.items():
        hdi, central, off = np.array(cells).T
        print(f"| {name} | {100 * hdi.min():.0f} | {100 * central.min():.0f} | {off[np.abs(off).argmax()]:+.3f} |")


if __name__ == "__main__":
    main()
