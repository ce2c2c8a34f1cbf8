"""The ends of the support: a convergent power series for the mass within ``v`` of an end.

Near an end only one vertex of every row is in play, and its large-frequency series, inverted term by term, converges:

    P(W - X <= v) = prod_rows [Gamma(A)/Gamma(alpha_j) prod_k |d_k|^-alpha_k] v^S/Gamma(S+1) sum_n h_n v^n/(S+1)_n,

with ``S`` the sum of the alphas of all other vertices and ``h`` the product of the series ``(-1)^n e_n (alpha_j - 1) ..
(alpha_j - n)``. This is where tilting is at its worst (the tilted law keeps a singular end) and vice versa.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.normal_form import LinearForm
from howsure.numerics.beta_sum.vertices import generating_coefficients, log_gamma_ratio

__all__ = ["end_density", "end_distance", "end_mass", "series_power"]

TERMS = 80
LARGEST_TERM = 1e3  # three digits may be lost to cancellation
MOST_ROWS = 64


def series_power(f: Floats, exponent: int) -> Floats:
    """Coefficients of ``f(v)^exponent`` for ``f_0 = 1`` (J. C. P. Miller's recurrence)."""
    if exponent == 1:
        return f
    h = np.zeros_like(f)
    h[0] = 1.0
    for n in range(1, len(f)):
        k = np.arange(1, n + 1)
        h[n] = ((k * exponent - n + k) * f[1 : n + 1] * h[n - 1 :: -1][:n]).sum() / n
    return h


def end_rows(form: LinearForm, upper: bool) -> list[tuple[Floats, Floats, float, int]]:
    """For every row: distances ``|d_k|`` of the other vertices, their alphas, the alpha at the end, the count."""
    rows: list[tuple[Floats, Floats, float, int]] = []
    for a, b, w, n in zip(form.betas.a, form.betas.b, form.betas.w, form.betas.count, strict=True):
        at, other = (a, b) if (w > 0) == upper else (b, a)
        rows.append((np.array([abs(w)]), np.array([other]), float(at), int(n)))
    for row in form.wide:
        j = len(row.c) - 1 if upper else 0
        others = np.arange(len(row.c)) != j
        rows.append((np.abs(row.c[others] - row.c[j]), row.alpha[others], float(row.alpha[j]), row.count))
    return rows


def end_mass(form: LinearForm, v: float, upper: bool) -> tuple[float, float] | None:
    """Mass within ``v`` of an end and the density there, or None where the series is of no use.

    Relative error about ``1e-16`` times the largest term, which is limited to 1000.
    """
    if len(form.betas) + len(form.wide) > MOST_ROWS or not v > 0:
        return None
    total = np.zeros(TERMS)
    total[0] = 1.0
    log_factor = exponent = 0.0
    n = np.arange(1, TERMS)
    for d, alpha, at, count in end_rows(form, upper):
        if v > 0.8 * d.min() or v * at > 20 * d.min():
            return None
        size = max(at, 1.0)  # moved from one factor to the other: 80 factors of a large count are no double
        with np.errstate(over="ignore", invalid="ignore"):  # rejected below if not finite
            terms = generating_coefficients(size * v / d, alpha, TERMS)
            terms[1:] *= np.cumprod(-(at - n) / size)
            total = np.convolve(total, series_power(terms, count))[:TERMS]
        others = float(alpha.sum())
        log_factor += count * (log_gamma_ratio(at, others) - float((alpha * np.log(d)).sum()))
        exponent += count * others
        if not np.isfinite(total).all():
            return None
    with np.errstate(over="ignore", invalid="ignore"):
        rising = np.concatenate(([1.0], np.cumprod(exponent + n)))
        mass_terms = total / rising
        density_terms = mass_terms * (exponent + np.arange(TERMS))
    mass, density = float(mass_terms.sum()), float(density_terms.sum())
    tail = float(np.abs(mass_terms[-4:]).max() * TERMS)
    if not (mass > 0 and tail < 1e-14 * mass and float(np.abs(mass_terms).max()) < LARGEST_TERM * mass):
        return None
    scale = float(np.exp(log_factor + exponent * np.log(v) - special.gammaln(exponent + 1)))
    return mass * scale, density * scale / v


def log_end_factor(form: LinearForm, upper: bool) -> float:
    """Log of the product in front of ``v^S/Gamma(S + 1)``."""
    return sum(
        count * (log_gamma_ratio(at, float(alpha.sum())) - float((alpha * np.log(d)).sum()))
        for d, alpha, at, count in end_rows(form, upper)
    )


def end_distance(form: LinearForm, mass: float, upper: bool) -> float:
    """Distance from an end at which the leading power ``C v^S`` of the tail is ``mass``."""
    exponent = form.end_exponents[1 if upper else 0]
    log_mass = np.log(mass) - log_end_factor(form, upper) + float(special.gammaln(exponent + 1))
    return float(np.exp(min(log_mass / exponent, 700.0)))


def end_density(form: LinearForm, upper: bool) -> float:
    """Limit of the density at an end of the support: 0, a finite number (exponent exactly 1) or infinite."""
    exponent = form.end_exponents[1 if upper else 0]
    if exponent != 1.0:
        return 0.0 if exponent > 1 else float(np.inf)
    return float(np.exp(log_end_factor(form, upper)))
