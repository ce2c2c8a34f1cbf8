"""Second routes to the numbers of the numerical layer, slower and written differently."""

from __future__ import annotations

import json
from pathlib import Path

import mpmath
import numpy as np

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "numerics.json").read_text())


def imhof(c, alpha, x):
    """P(c . p <= x) for one Dirichlet row: the sign of sum (c_j - x) G_j for Gamma variables (Imhof, 1961)."""
    d = np.asarray(c, float) - x
    scale = np.sqrt((np.asarray(alpha) * d * d).sum())
    log_t = np.linspace(-38.0, 60.0, 40_001)
    t = np.exp(log_t) / scale
    angle = np.arctan(np.multiply.outer(t, d)) @ alpha
    log_size = -0.5 * np.log1p(np.multiply.outer(t, d) ** 2) @ alpha
    return 0.5 - (np.exp(log_size) * np.sin(angle)).sum() * (98.0 / 40_000) / np.pi


def beta_transform(a, b, r):
    """E e^{r theta} for a Beta by the confluent hypergeometric function."""
    with mpmath.workdps(40):
        return complex(mpmath.hyp1f1(mpmath.mpf(a), mpmath.mpf(a) + mpmath.mpf(b), mpmath.mpmathify(r)))


def two_betas(a, b, w, x):
    """P(w0 t0 + w1 t1 <= x) by conditioning on the first class, in 25 digits."""
    with mpmath.workdps(25):
        x = mpmath.mpf(x)

        def inner(t):
            y = (x - w[0] * t) / w[1]
            F = 0 if y <= 0 else 1 if y >= 1 else mpmath.betainc(a[1], b[1], 0, y, regularized=True)
            return F if w[1] > 0 else 1 - F

        points = {mpmath.mpf(0), mpmath.mpf(1)}
        for k in (0, 1):
            points.add((x - k * mpmath.mpf(w[1])) / w[0])
        for a_, b_, place in ((a[0], b[0], lambda t: t), (a[1], b[1], lambda t: (x - w[1] * t) / w[0])):
            mean = mpmath.mpf(a_) / (a_ + b_)
            sd = mpmath.sqrt(mean * (1 - mean) / (a_ + b_ + 1))
            points.update(place(mean + k * sd) for k in (-8, -3, 0, 3, 8))
        points = sorted(p for p in points if 0 <= p <= 1)
        norm = mpmath.beta(a[0], b[0])
        return float(mpmath.quad(lambda t: t ** (a[0] - 1) * (1 - t) ** (b[0] - 1) / norm * inner(t), points))


def beta_sum_arrays(case):
    """Arrays a, b, w of a reference case, grouped or not."""
    if "components" not in case:
        return case["a"], case["b"], case["w"]
    return tuple([part[key] for part in case["components"] for _ in range(part["count"])] for key in "abw")
