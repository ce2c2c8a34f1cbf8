"""Large frequencies and the ends of the support: series over the vertices of the simplex of each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from howsure.numerics.arrays import Complexes, Floats, Integers, repeat
from howsure.numerics.beta_sum.normal_form import BetaRows, LinearForm
from howsure.numerics.beta_sum.transforms import power_ladder

# -- Large frequencies: the characteristic function of a row as a sum over the vertices of its simplex -----------------

# Each vertex ``j`` contributes a pure oscillation times an algebraic series in ``1/t`` (steepest descent at a branch
# point of the contour integral, or Watson's lemma for a Beta): with ``d_k = c_k - c_j``
#
#     phi(t) ~ sum_j e^{it c_j} G_j(t),
#     G_j(t) = Gamma(A)/Gamma(alpha_j) prod_{k != j} (-it d_k)^{-alpha_k} sum_n e_n (alpha_j-1) .. (alpha_j-n) (it)^-n,
#
# where ``sum e_n z^n = prod_k (1 - z/d_k)^{-alpha_k}``. A narrow Beta (one huge parameter) has a second expansion, in
# which ``(1 - v)^beta`` is split as ``e^{-beta v}`` times a slow factor; it holds from ``t ~ 10 sqrt(beta)`` on
# instead of ``t ~ beta``. Each ``G`` is analytic to the right of a vertical line, which is what the remainder of the
# Fourier series needs.


MOST_TERMS = 64
CONVERGED = 1e-17  # two consecutive terms below it: a single one can vanish by accident
LARGEST_TERM = 50.0
GROWTH = 1.25 ** np.arange(24)  # trial starts, in units of the first one
GROWTH_POWERS = GROWTH[:, None] ** -np.arange(float(MOST_TERMS))
POWERS_AT_A_TIME = 1 << 19
LARGEST_RESCALING = 100.0
NARROW_ABOVE = 200.0
NARROW_OTHER = 20.0


def log_gamma_ratio(a: float, b: float) -> float:
    """``log Gamma(a + b)/Gamma(a)`` by the difference of two Stirling series: no cancellation at large ``a``."""
    if a < 30:
        return float(special.gammaln(a + b) - special.gammaln(a))

    def correction(z: float) -> float:
        return 1 / (12 * z) - 1 / (360 * z**3) + 1 / (1260 * z**5) - 1 / (1680 * z**7)

    return float((a - 0.5) * np.log1p(b / a) + b * np.log(a + b) - b + correction(a + b) - correction(a))


@dataclass(frozen=True)
class VertexSeries:
    """``exp(log_factor - exponent log base) sum_n terms_n (scale/base)^n`` with ``base = base0 + base1 t``."""

    c: float
    terms: Complexes
    scale: complex
    base0: complex
    base1: complex
    log_factor: complex
    exponent: float


@dataclass(frozen=True)
class RowVertices:
    """All vertices of one row, valid for ``t >= start``; ``narrow`` if a branch point lies on the imaginary axis."""

    vertices: tuple[VertexSeries, ...]
    start: float
    narrow: bool
    count: int


def is_narrow(alpha: Floats) -> bool:
    """Whether a Beta is so lopsided that its expansion around the other end would start too late."""
    return len(alpha) == 2 and float(alpha.max()) > NARROW_ABOVE and float(alpha.min()) < NARROW_OTHER


def starting_frequency(c: Floats, alpha: Floats) -> float:
    """Rough frequency from which the vertex expansion of a row holds to rounding (c increasing or two values)."""
    gap = float(np.abs(np.diff(np.sort(c))).min())
    if is_narrow(alpha):
        return 10 * float(np.sqrt(alpha.max() - 1)) / gap
    return max(34.0, 2 * float(alpha.max())) / gap


def beta_starting_frequency(betas: BetaRows) -> Floats:
    """The same for many Betas."""
    narrow = (betas.b > NARROW_ABOVE) & (betas.a < NARROW_OTHER)
    usual = np.maximum(34.0, 2 * betas.b)
    return np.where(narrow, 10 * np.sqrt(np.maximum(betas.b - 1, 0.0)), usual) / np.abs(betas.w)


def generating_coefficients(p: Floats, alpha: Floats, count: int) -> Floats:
    """Coefficients of ``prod_k (1 - p_k z)^{-alpha_k}`` (``k`` along the last axis, which they replace).

    From ``n e_n = sum_m e_{n-m} sum_k alpha_k p_k^m``, or directly for a single factor.
    """
    if p.shape[-1] == 1:
        n = np.arange(1, count)
        return np.concatenate((np.ones_like(p), np.cumprod((alpha + n - 1) / n * p, axis=-1)), axis=-1)
    powers = np.cumprod(repeat(p.astype(np.longdouble)[..., None], count - 1, axis=-1), axis=-1)
    sums = (alpha[..., None] * powers).sum(axis=-2)
    e = np.zeros((*p.shape[:-1], count), np.longdouble)
    e[..., 0] = 1
    for k in range(1, count):
        e[..., k] = (sums[..., :k] * e[..., k - 1 :: -1]).sum(axis=-1) / k
    return e.astype(float)


def scaled_terms(c: Floats, alpha: Floats, start: float) -> Floats:
    """Terms of the usual expansion of every vertex at ``t = start`` (vertices x terms)."""
    n = np.arange(1, MOST_TERMS)
    size = len(c)
    others = np.array([[k for k in range(size) if k != j] for j in range(size)])
    d = c[others] - c[:, None]
    unit = np.abs(d).min(axis=1, keepdims=True)  # both factors stay of moderate size in units of the nearest vertex
    terms = generating_coefficients(unit / d, alpha[others], MOST_TERMS)
    terms[:, 1:] *= np.cumprod((alpha[:, None] - n) / (start * unit), axis=1)
    return terms


def usual_start(c: Floats, alpha: Floats) -> Floats:
    """Smallest frequency that is tried as the start of the usual expansion (last axis: vertices)."""
    gap = np.abs(np.diff(np.sort(c, axis=-1), axis=-1)).min(axis=-1)
    return np.asarray(np.maximum(34.0, 2 * np.minimum(alpha.max(axis=-1), 1e7)) / gap)


def beta_terms(c: Floats, alpha: Floats, start: Floats) -> Floats:
    """``scaled_terms`` for many rows of two vertices (rows x 2 x terms): each is a product of simple ratios."""
    n = np.arange(1.0, MOST_TERMS)
    toward = np.sign(c[:, ::-1] - c)[:, :, None]
    unit = (start * np.abs(c[:, 1] - c[:, 0]))[:, None, None]
    terms = np.ones((*c.shape, MOST_TERMS))
    with np.errstate(over="ignore", invalid="ignore"):  # a start that is too early is found out later
        ratios = (alpha[:, ::-1, None] + n - 1) / n * toward * (alpha[:, :, None] - n) / unit
        np.cumprod(ratios, axis=2, out=terms[:, :, 1:])
    return terms


def usual_vertices(c: Floats, alpha: Floats, terms: Floats, first: Floats, counts: Sequence[int]) -> list[RowVertices]:
    """Expansion of rows of equally many vertices, from where all terms die below ``1e-17``; ``terms`` at ``first``."""
    with np.errstate(over="ignore", invalid="ignore"):
        size = np.abs(terms)[:, None] * GROWTH_POWERS[:, None, :]
        dead = np.maximum(size[..., 1:], size[..., :-1]) < CONVERGED
        good = dead.any(axis=3).all(axis=2) & (size.max(axis=3) < LARGEST_TERM).all(axis=2)
    d = c[:, None, :] - c[:, :, None]
    weight = np.where(d == 0, 0.0, alpha[:, None, :])
    exponent = weight.sum(axis=2)
    log_distance = (weight * np.log(np.where(d == 0, 1.0, np.abs(d)))).sum(axis=2)
    turn = 0.5 * np.pi * (weight * np.sign(d)).sum(axis=2)
    rows = []
    for r, count in enumerate(counts):
        if not good[r].any():
            rows.append(RowVertices((), np.inf, False, count))
            continue
        k = int(np.argmax(good[r]))
        start = float(first[r] * GROWTH[k])
        vertices = []
        for j in range(c.shape[1]):
            length = int(np.argmax(dead[r, k, j])) + 1
            kept = np.zeros(MOST_TERMS, complex)
            kept[:length] = terms[r, j, :length] * GROWTH_POWERS[k, :length]
            others = float(exponent[r, j])
            log_factor = log_gamma_ratio(float(alpha[r, j]), others) - float(log_distance[r, j])
            vertices.append(
                VertexSeries(
                    float(c[r, j]), kept, -1j * start, 0.0, 1.0, complex(log_factor, float(turn[r, j])), others
                )
            )
        rows.append(RowVertices(tuple(vertices), start, False, count))
    return rows


def narrow_terms(small: float, beta: float) -> Floats:
    """Terms ``d_k (small)_k beta^-k`` where ``(1 - v)^beta = e^{-beta v} sum d_k v^k``.

    The differential equation gives ``(k+1) d_{k+1} = k d_k - beta d_{k-1}``.
    """
    d = np.zeros(MOST_TERMS)
    d[0] = 1.0
    for k in range(1, MOST_TERMS - 1):
        d[k + 1] = (k * d[k] - d[k - 1]) / ((k + 1) * beta)
    terms = d * np.concatenate(([1.0], np.cumprod(small + np.arange(MOST_TERMS - 1))))
    large = np.flatnonzero(np.abs(terms) > 0.1 * CONVERGED)
    terms[int(large[-1]) + 1 :] = 0.0
    return terms


def narrow_vertices(c: Floats, alpha: Floats, count: int) -> RowVertices:
    """Expand a Beta with one huge parameter, beta = alpha_j - 1: one vertex carries all, the other is below rounding.

    ``Gamma(A)/Gamma(alpha_j) beta^-small sum_k d_k (small)_k beta^-k (1 - itd/beta)^{-small-k}`` is its part.
    """
    j = int(np.argmax(alpha))
    d, beta, small = float(c[1 - j] - c[j]), float(alpha[j]) - 1, float(alpha[1 - j])
    log_factor = log_gamma_ratio(float(alpha[j]), small) - small * np.log(beta)
    vertex = VertexSeries(
        float(c[j]), narrow_terms(small, beta).astype(complex), 1.0, 1.0, -1j * d / beta, complex(log_factor), small
    )
    return RowVertices((vertex,), starting_frequency(c, alpha), True, count)


def row_vertices(c: Floats, alpha: Floats, count: int) -> RowVertices:
    """Large-frequency expansion of one row."""
    if is_narrow(alpha):
        return narrow_vertices(c, alpha, count)
    first = usual_start(c, alpha)
    with np.errstate(over="ignore", invalid="ignore"):
        terms = scaled_terms(c, alpha, float(first))
    return usual_vertices(c[None], alpha[None], terms[None], first[None], [count])[0]


def expand_betas(betas: BetaRows) -> list[RowVertices]:
    """Expansions of Betas, the usual ones all at once."""
    p = betas.a / (betas.a + betas.b)
    q = betas.b / (betas.a + betas.b)
    c, alpha = np.stack((-betas.w * p, betas.w * q), axis=1), np.stack((betas.b, betas.a), axis=1)
    counts = betas.count.tolist()
    usual = [i for i in range(len(betas)) if not is_narrow(alpha[i])]
    found: dict[int, RowVertices] = {}
    if usual:
        first = usual_start(c[usual], alpha[usual])
        terms = beta_terms(c[usual], alpha[usual], first)
        many = usual_vertices(c[usual], alpha[usual], terms, first, [counts[i] for i in usual])
        found = dict(zip(usual, many, strict=True))
    return [found[i] if i in found else narrow_vertices(c[i], alpha[i], counts[i]) for i in range(len(betas))]


def expand_form(form: LinearForm) -> list[RowVertices]:
    """Expansions of all rows of a form (Betas first); one that does not exist begins at infinity."""
    return expand_betas(form.betas) + [row_vertices(row.c, row.alpha, row.count) for row in form.wide]


@dataclass(frozen=True)
class PowerGroup:
    """Vertices whose series run in the powers of one and the same ratio ``scale/(base0 + base1 t)``."""

    index: list[int]
    terms: Complexes
    scale: complex
    base0: complex
    base1: complex


def power_groups(vertices: Sequence[VertexSeries]) -> list[PowerGroup]:
    """Put vertices with the same base side by side: one ladder of powers serves a group, by a matrix product.

    The scale of a series is free: those with different scales are rescaled to the largest one, as long as the powers
    stay far from the largest double.
    """
    left = sorted(range(len(vertices)), key=lambda i: -abs(vertices[i].scale))
    powers = np.arange(float(MOST_TERMS))
    groups = []
    while left:
        head = vertices[left[0]]
        index = [
            i
            for i in left
            if (vertices[i].base0, vertices[i].base1) == (head.base0, head.base1)
            and abs(head.scale) <= LARGEST_RESCALING * abs(vertices[i].scale)
        ]
        shrink = np.array([(vertices[i].scale / head.scale).real for i in index])
        terms: Complexes = np.array([vertices[i].terms for i in index]) * shrink[:, None] ** powers
        used = int(np.flatnonzero((np.abs(terms) > 1e-40).any(axis=0))[-1]) + 1
        groups.append(PowerGroup(index, terms[:, :used], head.scale, head.base0, head.base1))
        left = [i for i in left if i not in index]
    return groups


def polynomials(terms: Complexes, r: Complexes) -> Complexes:
    """``sum_n terms_vn r_k^n``, in blocks of bounded memory; powers that are below every rounding are left out."""
    largest = float(np.abs(r).max(initial=0.0))
    if largest < 0.5:  # |terms| < 50
        terms = terms[:, : int(np.log(1e-19) / np.log(max(largest, 1e-19))) + 2]
    block = POWERS_AT_A_TIME // terms.shape[1]
    parts = [terms @ power_ladder(r[k : k + block], terms.shape[1]) for k in range(0, len(r), block)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


class VertexTable:
    """The expansions of several rows side by side."""

    def __init__(self, rows: Sequence[RowVertices]) -> None:
        flat = [vertex for row in rows for vertex in row.vertices]
        self._groups = power_groups(flat)
        self.exponent: Floats = np.array([vertex.exponent for vertex in flat])
        self.c: Floats = np.array([vertex.c for vertex in flat])
        self._log_factor = np.array([vertex.log_factor for vertex in flat])
        self.offsets: Integers = np.cumsum([0] + [len(row.vertices) for row in rows])

    def log_size(self, t: float) -> Floats:
        """Log of the modulus of the leading term of every vertex at one frequency."""
        sizes = np.empty(len(self.c))
        for group in self._groups:
            log_base = np.log(np.abs(group.base0 + group.base1 * t))
            sizes[group.index] = self._log_factor[group.index].real - self.exponent[group.index] * log_base
        return sizes

    def evaluate(self, t: Floats | Complexes) -> Complexes:
        """``G(t)`` of every vertex (vertices x frequencies)."""
        values = np.empty((len(self.c), len(t)), complex)
        with np.errstate(under="ignore", over="ignore", invalid="ignore"):
            for group in self._groups:
                base = np.asarray(group.base0 + group.base1 * t, complex)
                log_lead = self._log_factor[group.index, None] - np.multiply.outer(
                    self.exponent[group.index], np.log(base)
                )
                values[group.index] = np.exp(log_lead) * polynomials(group.terms, group.scale / base)
        return values


# -- The ends of the support: near one, one vertex of every row is in play, and the tail is a power of the distance ----

#     P(W - X <= v) ~ prod_rows [Gamma(A)/Gamma(alpha_j) prod_k |d_k|^-alpha_k] v^S/Gamma(S+1),
#
# with ``S`` the sum of the alphas of all other vertices.


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


def log_end_factor(form: LinearForm, upper: bool) -> float:
    """Log of the product in front of ``v^S/Gamma(S + 1)``."""
    return sum(
        count * (log_gamma_ratio(at, float(alpha.sum())) - float((alpha * np.log(d)).sum()))
        for d, alpha, at, count in end_rows(form, upper)
    )


def end_density(form: LinearForm, upper: bool) -> float:
    """Limit of the density at an end of the support: 0, a finite number (exponent exactly 1) or infinite."""
    exponent = form.end_exponents[1 if upper else 0]
    if exponent != 1.0:
        return 0.0 if exponent > 1 else float(np.inf)
    return float(np.exp(log_end_factor(form, upper)))
