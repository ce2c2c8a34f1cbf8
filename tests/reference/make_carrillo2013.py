"""Exact posterior of the balanced accuracy for the nine matrices of Carrillo et al. 2013, twelve decimals.

Method, independent of the library (which inverts a characteristic function): the density of the mean of three Betas
is the double integral of a product of three Beta densities. It is split wherever an argument enters or leaves
[0, 1], so that every piece is a polynomial and Gauss-Legendre quadrature converges at once; each rate is cut off
where 1e-22 of its probability is left. Ends of the HDI solve "95% inside, equal density at both ends".

Run: python tests/reference/make_carrillo2013.py   (writes carrillo2013.json; about a minute)
"""

import json
from pathlib import Path

import numpy as np
from scipy.optimize import brentq, root
from scipy.special import betainc, betaincinv, betaln, xlog1py, xlogy

HERE = Path(__file__).parent
NODES, WEIGHTS = np.polynomial.legendre.leggauss(120)


def density(x, a, b):
    return np.exp(xlogy(a - 1, x) + xlog1py(b - 1, -x) - betaln(a, b))


def window(a, b):
    """All but 1e-22 of the probability at either end."""
    return betaincinv(a, b, 1e-22), 1 - betaincinv(b, a, 1e-22)


def pieces(low, high, cuts):
    """Gauss-Legendre nodes and weights on [low, high], split at the cuts; one row for each set of cuts."""
    ends = np.sort(np.clip(np.column_stack([*cuts, low + 0 * cuts[0], high + 0 * cuts[0]]), low, high), axis=1)
    half, middle = np.diff(ends)[..., None] / 2, (ends[:, 1:] + ends[:, :-1])[..., None] / 2
    shape = (len(ends), -1)
    return (middle + half * NODES).reshape(shape), (half * WEIGHTS).reshape(shape)


def double_integral(x, betas, inner):
    """Integral of f1(s) f2(t) inner(3x - s - t) over s and t; ``inner`` may break at 0, 1 and its window."""
    (a1, b1), (a2, b2), third = betas
    (low2, high2), breaks = window(a2, b2), (0.0, 1.0, *window(*third))
    outer = np.array([3 * x - edge - u for edge in breaks for u in (0.0, 1.0, low2, high2)])[:, None]
    s, ws = (v[0] for v in pieces(*window(a1, b1), list(outer)))
    t, wt = pieces(low2, high2, [3 * x - s - edge for edge in breaks])
    values = (wt * density(t, a2, b2) * inner(3 * x - s[:, None] - t)).sum(1)
    return float((ws * density(s, a1, b1) * values).sum())


def cdf(x, betas):
    return double_integral(x, betas, lambda u: betainc(*betas[2], np.clip(u, 0, 1)))


def pdf(x, betas):
    def inner(u):
        return np.where((u > 0) & (u < 1), density(np.clip(u, 1e-300, 1 - 1e-16), *betas[2]), 0)

    return 3 * double_integral(x, betas, inner)


def solve(betas):
    betas = sorted(betas, key=lambda ab: -sum(ab))
    means = [a / (a + b) for a, b in betas]
    variance = sum(a * b / ((a + b) ** 2 * (a + b + 1)) for a, b in betas) / 9
    mean, sd = sum(means) / 3, variance**0.5

    def quantile(p):
        return brentq(lambda x: cdf(x, betas) - p, mean - 9 * sd, min(mean + 9 * sd, 1 - 1e-9), xtol=1e-14)

    low, high = quantile(0.025), quantile(0.975)

    def conditions(ends):
        return [cdf(ends[1], betas) - cdf(ends[0], betas) - 0.95, (pdf(ends[1], betas) - pdf(ends[0], betas)) * sd]

    hdi = root(conditions, [low, high], tol=1e-13)
    assert max(np.abs(hdi.fun)) < 1e-10, hdi
    step = 1e-4 * sd

    def slope(x):
        return pdf(x + step, betas) - pdf(x - step, betas)

    mode = brentq(slope, mean - sd, mean + sd, xtol=1e-13)
    exact = {"mean": mean, "sd": sd, "median": quantile(0.5), "central95": [low, high], "hdi95": hdi.x.tolist()}
    return {k: np.round(v, 12).tolist() for k, v in exact.items()} | {"mode": round(mode, 8)}


def main():
    cases = json.loads((HERE / "published.json").read_text(encoding="utf-8"))["cases"]
    exact = {}
    for case in cases:
        if case["name"].startswith("carrillo2013_C"):
            rows = [(row[i] + 1, sum(row) - row[i] + 1) for i, row in enumerate(case["matrix"])]
            exact[case["name"]] = {"betas": rows, **solve(rows)}
            print(case["name"], exact[case["name"]])  # noqa: T201  # a script reports
    (HERE / "carrillo2013.json").write_text(json.dumps(exact, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
