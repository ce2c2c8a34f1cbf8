"""From the normal form to a distribution function: window, transform, series, and more terms or the exact rest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import compress

import numpy as np

from howsure.numerics.arrays import Complexes, Floats
from howsure.numerics.beta_sum.contour import (
    LARGE_TOTAL,
    MODERATE_TOTAL,
    contour_nodes,
    row_transform,
    vertical_product,
)
from howsure.numerics.beta_sum.fourier import FourierSeries, equispaced_transform, integer_power, unit_phase
from howsure.numerics.beta_sum.logit_nodes import TOO_LOPSIDED, TooManyNodes, beta_nodes
from howsure.numerics.beta_sum.normal_form import BetaRows, LinearForm, WideRow, stack_rows
from howsure.numerics.beta_sum.remainder import SeriesRemainder, combination_count
from howsure.numerics.beta_sum.vertices import (
    RowVertices,
    VertexTable,
    beta_starting_frequency,
    expand_form,
    starting_frequency,
)
from howsure.numerics.beta_sum.window import chernoff_window

__all__ = ["Inversion", "beta_product", "price", "wide_product"]

FREQUENCIES_AT_A_TIME = 2048
POWERS_AT_A_TIME = 1 << 18  # stay in the cache
FEW_WIDE_ROWS = 3


def beta_product(betas: BetaRows, t0: float, dt: float, count: int) -> Complexes:
    """``prod_k E e^{it w_k (theta_k - E theta_k)}`` (copies included) at ``t0 + m dt``, ``m < count``."""
    product = np.ones(count, complex)
    for first in range(0, count if len(betas) else 0, FREQUENCIES_AT_A_TIME):
        size = min(FREQUENCIES_AT_A_TIME, count - first)
        start = t0 + first * dt
        for nodes in beta_nodes(betas, start + size * dt):
            rows = max(1, POWERS_AT_A_TIME // (nodes.weight.shape[1] * 2 * int(np.sqrt(size) + 1)))
            copies = betas.count[nodes.index]
            for k in range(0, len(copies), rows):
                part = slice(k, k + rows)
                each = equispaced_transform(nodes.deviation[part], nodes.weight[part], start, dt, size)
                product[first : first + size] *= integer_power(each, copies[part]).prod(axis=0)
    return product


def wide_product(rows: tuple[WideRow, ...], t0: float, dt: float, count: int) -> Complexes:
    """Do the same for wide rows."""
    product = np.ones(count, complex)
    moderate = [len(rows) > FEW_WIDE_ROWS and LARGE_TOTAL < row.alpha.sum() < MODERATE_TOTAL for row in rows]
    alike = list(stack_rows(compress(rows, moderate), POWERS_AT_A_TIME))
    rest = [row for row, known in zip(rows, moderate, strict=True) if not known]
    for first in range(0, count if rows else 0, FREQUENCIES_AT_A_TIME):
        part = slice(first, min(first + FREQUENCIES_AT_A_TIME, count))
        t: Floats = t0 + dt * np.arange(part.start, part.stop, dtype=float)
        for c, alpha, copies in alike:
            product[part] *= vertical_product(c, alpha, copies, t)
        for row in rest:
            product[part] *= np.power(row_transform(row, t).transform, row.count)
    return product


TOLERANCE = 1e-13  # size of the first term left out, relative to a probability
FIRST_REACH = 9.0  # the first pass goes to t = 9/sd, where a normal characteristic function is 3e-18
LONGER = np.linspace(1.0, 4.0, 13)  # trial lengths of it
FURTHER = 2.0 ** np.arange(0, 14, 0.25)  # and of what it may have to be
FEW_ROWS = 1000
MARGIN = 1.12  # the remainder needs |W - z| < L
MOST_TERMS = 40_000
FEW_TERMS = 4000
MOST_COMBINATIONS = 3000.0
MOST_ROWS_EXPANDED = 400
FINEST = 1e-12  # sd beside the mean: below, a hundredth of it is not told apart by floats of that size
FAR_BEYOND = 8.0  # times the start of a row's vertices: from there on they are cheaper than its nodes


def log_decay(form: LinearForm, t: Floats) -> Floats:
    """Log of the size of the characteristic function at frequencies ``t``, if its rows were as skewed as Gammas."""
    n = form.betas.a + form.betas.b
    spread = form.betas.w**2 * form.betas.b / (n * n * (n + 1))  # variance over shape
    log_size: Floats = -0.5 * np.log1p(np.multiply.outer(t * t, spread)) @ (form.betas.count * form.betas.a)
    for row in form.wide:
        total, shape = float(row.alpha.sum()), float(row.alpha.sum() - row.alpha.max())
        variance = float((row.alpha * row.c**2).sum()) / (total * (total + 1))
        log_size -= 0.5 * row.count * shape * np.log1p(t * t * variance / shape)
    return log_size


def price(form: LinearForm) -> float:
    """Return how many logarithms the wide rows take until the series has decayed, roughly; told in a millisecond.

    A million are some 20 ms. What a wide row costs grows with the square of the frequency, so that a row of a few
    cases beside one of thousands is dear, whatever the exponent of the decay.
    """
    low, high = chernoff_window(form)
    t = FIRST_REACH / form.sd * FURTHER
    decayed = log_decay(form, t)[:-1] < np.log(TOLERANCE)
    last = float(t[int(np.argmax(np.append(decayed, True)))])
    terms = last * (high - low) / (2 * np.pi)
    return terms * sum(contour_nodes(row, last) * len(row.c) for row in form.wide)


class Inversion:
    """Fourier inversion of one linear form; everything is relative to the mean."""

    def __init__(self, form: LinearForm, patient: bool = False) -> None:
        if form.sd < FINEST * max(abs(form.mean), form.sd):
            raise TooManyNodes(TOO_LOPSIDED)
        self.form = form
        self.slow = False
        self.low, self.high = chernoff_window(form)
        self._phi: Complexes = np.empty(0, complex)
        self._remainder: SeriesRemainder | None = None
        self.rough = form.decay_exponent < 12.0 and form.row_count <= MOST_ROWS_EXPANDED
        self.period = (self.high - self.low) * (MARGIN if self.rough else 1.0)
        self._invert(MOST_TERMS if patient else FEW_TERMS)
        self._series = FourierSeries(self.period, self._phi)

    @property
    def _dt(self) -> float:
        return 2 * np.pi / self.period

    def _invert(self, most: int) -> None:
        """Decide between a longer plain series and the exact remainder, and take the series that far.

        If the plain series wants more than ``most`` terms and there is no remainder, the law is left unfinished and
        marked ``slow``.
        """
        first = self._first_pass()
        start = self._vertex_terms() if self.rough else np.inf
        if start > 1.5 * first or self.form.decay_exponent > 4:
            self._extend(first)
            if self._last() <= TOLERANCE:
                return self._truncate()
            wanted = self._terms_wanted()
        else:
            wanted = np.inf
        if wanted > 48 and wanted > 1.2 * start + 40 and start <= MOST_TERMS and self._sum_remainder():
            return None
        # the decay may only begin beyond the first pass: look further before giving up
        while self._last() > TOLERANCE and wanted > most and len(self._phi) < most // 4:
            self._extend(2 * len(self._phi) if len(self._phi) else first)
            wanted = self._terms_wanted()
        self.slow = most < MOST_TERMS and wanted > most and self._last() > TOLERANCE
        while not self.slow and self._last() > TOLERANCE and len(self._phi) < MOST_TERMS:
            self._extend(min(MOST_TERMS, int(max(1.1 * min(wanted, MOST_TERMS), 1.5 * len(self._phi), first))))
            wanted = self._terms_wanted()
        return self._truncate()

    def _last(self) -> float:
        """Size of the last term, in probability; 1 if there is none."""
        return float(np.abs(self._phi[-2:]).max()) / len(self._phi) if len(self._phi) else 1.0

    def _terms_wanted(self) -> float:
        """How many terms a plain series needs, if the decay goes on as over the last octave."""
        count, last = len(self._phi), self._last()
        half = float(np.abs(self._phi[count // 2 - 2 : count // 2]).max()) / (count / 2)
        rate = np.log2(max(half, 1e-300) / max(last, 1e-300))
        return float(count * min(max(last / TOLERANCE, 1.0) ** (1 / max(rate, 0.1)), 1e9))

    @cached_property
    def _vertices(self) -> list[RowVertices]:
        """Vertex expansions of all rows, Betas first; one that does not exist begins at infinity."""
        return expand_form(self.form)

    @cached_property
    def expansion(self) -> list[RowVertices] | None:
        """Vertex expansions of all rows, unless they do not exist or have too many combinations."""
        if not self.rough:
            return None
        rows = self._vertices
        if (
            any(row.start == np.inf for row in rows)
            or combination_count([len(r.vertices) for r in rows], [r.count for r in rows]) > MOST_COMBINATIONS
        ):
            return None
        return rows

    def _extend(self, count: int) -> None:
        """Take the characteristic function to ``count`` terms."""
        have = len(self._phi)
        if count <= have:
            return
        t0, dt = (have + 1) * self._dt, self._dt
        if self._first_vertex < count * dt / FAR_BEYOND:
            # a wide row beside a narrow one: nodes by the ten thousand, where two vertices say the same
            self._extend_by_vertices(count, self._vertices)
            return
        more = beta_product(self.form.betas, t0, dt, count - have)
        if self.form.wide:
            more *= wide_product(self.form.wide, t0, dt, count - have)
        self._phi = np.concatenate((self._phi, more))

    def _extend_by_vertices(self, count: int, rows: Sequence[RowVertices]) -> None:
        """Do the same where some rows are in the range of their vertex expansions: those cost next to nothing."""
        have, dt = len(self._phi), self._dt
        betas, wide = self.form.betas, self.form.wide
        t: Floats = dt * np.arange(have + 1, count + 1, dtype=float)
        more = np.ones(len(t), complex)
        earliest = int(np.searchsorted(t, min(row.start for row in rows)))
        table = VertexTable(rows)
        with np.errstate(over="ignore", invalid="ignore"):  # what comes before a row's own start is not used
            waves = unit_phase(np.multiply.outer(table.c, t[earliest:])) * table.evaluate(t[earliest:])
        for i, row in enumerate(rows):
            near = int(np.searchsorted(t, row.start))
            if near:
                if i < len(betas):
                    one = BetaRows(betas.a[i : i + 1], betas.b[i : i + 1], betas.w[i : i + 1], betas.count[i : i + 1])
                    more[:near] *= beta_product(one, t[0], dt, near)
                else:
                    more[:near] *= wide_product(wide[i - len(betas) : i - len(betas) + 1], t[0], dt, near)
            far = waves[int(table.offsets[i]) : int(table.offsets[i + 1]), near - earliest :].sum(axis=0)
            more[near:] *= far**row.count
        self._phi = np.concatenate((self._phi, more))

    def _truncate(self) -> None:
        """Leave out the trailing terms that are below rounding."""
        large = np.flatnonzero(np.abs(self._phi) > 1e-17)
        self._phi = self._phi[: int(large[-1]) + 1] if len(large) else self._phi[:1]
        self.terms = len(self._phi)
        self.method = "fourier series"
        self.residual = max(self._last() * 4, self._rounding())

    def _rounding(self) -> float:
        return 4e-16 * (4 + float(np.sqrt(self.form.row_count)))

    @cached_property
    def _starts(self) -> Floats:
        """Frequencies from which the vertices of each row hold, Betas first."""
        wide = [starting_frequency(row.c, row.alpha) for row in self.form.wide]
        return np.append(beta_starting_frequency(self.form.betas), wide)

    @cached_property
    def _first_vertex(self) -> float:
        """Frequency from which the vertices of a row hold, of the first for which they do."""
        return np.inf if self.form.row_count > MOST_ROWS_EXPANDED else float(self._starts.min())

    def _vertex_terms(self) -> float:
        """Count the terms after which the vertex expansions of all rows hold."""
        return float(self._starts.max()) / self._dt

    def _first_pass(self) -> int:
        """Number of terms to start with: where a normal law, or Gammas as skewed as the rows, would have decayed."""
        form, dt = self.form, self._dt
        first = max(16, int(np.ceil(FIRST_REACH / (form.sd * dt))))
        if self.rough or form.row_count > FEW_ROWS:
            return first
        count = first * LONGER
        log_size = log_decay(form, dt * count)
        return int(count[int(np.argmax(np.append(log_size[:-1] - np.log(count[:-1]) < np.log(0.3 * TOLERANCE), True)))])

    def _sum_remainder(self) -> bool:
        """Sum the rest of the series exactly, if the vertex expansions allow; otherwise change nothing."""
        expanded = self.expansion
        if expanded is None:
            return False
        count = int(max(row.start for row in expanded) / self._dt) + 1
        if count > MOST_TERMS:
            return False
        if count <= len(self._phi):
            self._phi = self._phi[:count]
        elif min(row.start for row in expanded) > 0.5 * count * self._dt:
            self._extend(count)
        else:
            self._extend_by_vertices(count, expanded)
        self._remainder = SeriesRemainder(expanded, self.period, count, self.high - self.low)
        self.terms = count
        self.method = "fourier series with exact remainder"
        self.residual = max(1e-14, self._rounding())
        return True

    def evaluate(self, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and slope at distances ``z`` (1-D, inside the window) from the mean."""
        F, f, slope = self._series.evaluate(z)
        if self._remainder is not None:
            more = self._remainder.evaluate(z)
            return F + more[:, 0], f + more[:, 1], slope + more[:, 2]
        return F, f, slope
