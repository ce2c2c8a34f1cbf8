"""Temporary stand-in for the exact engine."""

from __future__ import annotations
from functools import cached_property
import numpy as np
from scipy import special as sp
from howsure.numerics.bisection import bisect_increasing, shortest_interval


class LinearEngine:
    def __init__(self, rows=(), *, betas=None, shift=0.0):
        if len(rows):
            raise NotImplementedError
        a, b, w = (np.asarray(v, float) for v in (betas if betas is not None else ([], [], [])))
        neg = w < 0
        self.a, self.b, self.w = np.where(neg, b, a), np.where(neg, a, b), abs(w)
        self.shift = float(shift) + float(w[neg].sum())
        n = self.a + self.b
        m = self.a / n
        self.mean = self.shift + float((self.w * m).sum())
        self.sd = float(np.sqrt((self.w**2 * m * (1 - m) / (n + 1)).sum()))
        self.support = (self.shift, self.shift + float(self.w.sum()))
        self.one = len(w) == 1
        self.method = "point" if not len(w) else "beta" if self.one else "fourier series"
        self.terms = 0
        self.residual = 0.0

    @cached_property
    def series(self):
        lo, hi = max(self.support[0], self.mean - 40 * self.sd), min(self.support[1], self.mean + 40 * self.sd)
        L = 1.1 * (hi - lo)
        dt = 2 * np.pi / L
        M = 64
        while True:
            t = dt * np.arange(1, M + 1)
            phi = np.ones(M, complex)
            for a, b, w in zip(self.a, self.b, self.w):
                s = np.sqrt((a + b) / (a * b))
                h = min(0.3, 2 * np.pi * s / (40 + 10 * t[-1] * w * np.sqrt(a * b / (a + b + 1)) / (a + b)))
                u0 = np.log(a / b)
                R = 40 / min(a, 1) + 3
                R2 = 40 / min(b, 1) + 3
                u = np.arange(-min(R, 12 * s + 42 / a), min(R2, 12 * s + 42 / b), h) + u0
                th = sp.expit(u)
                lw = a * -np.logaddexp(0, -u) - b * np.logaddexp(0, u)
                W = np.exp(lw - lw.max())
                W /= W.sum()
                for j in range(0, M, 512):
                    phi[j : j + 512] *= np.exp(1j * np.multiply.outer(t[j : j + 512], w * (th - a / (a + b)))) @ W
            if abs(phi[-1]) / M < 1e-12 or M >= 8192:
                break
            M *= 4
        k = self.mean
        self.terms = M
        self.residual = float(abs(phi[-1]) / M)
        return t, phi * 2 / (t * L), L, lo, hi

    def both(self, x):
        t, C, L, lo, hi = self.series
        z = np.clip(x, lo, hi).ravel()
        E = np.exp(-1j * np.multiply.outer(z - self.mean, t)) * C
        F = (0.5 + (z - self.mean) / L - E.imag.sum(1)).reshape(x.shape)
        f = (1 / L + (E.real * t).sum(1)).reshape(x.shape)
        return np.where(x <= lo, 0.0, np.where(x >= hi, 1.0, np.clip(F, 0, 1))), np.where((x < lo) | (x > hi), 0, f)

    def cdf(self, x):
        if self.sd == 0:
            return (x >= self.mean) * 1.0
        if self.one:
            return sp.betainc(self.a[0], self.b[0], np.clip((x - self.shift) / self.w[0], 0, 1))
        return self.both(x)[0]

    def sf(self, x):
        if self.one:
            return sp.betaincc(self.a[0], self.b[0], np.clip((x - self.shift) / self.w[0], 0, 1))
        return 1 - self.cdf(x)

    def pdf(self, x):
        if self.one:
            z = (x - self.shift) / self.w[0]
            a, b = self.a[0], self.b[0]
            return np.exp(sp.xlogy(a - 1, z) + sp.xlog1py(b - 1, -z) - sp.betaln(a, b)) / self.w[0]
        return self.both(x)[1]

    def quantile(self, p):
        p = np.asarray(p, float)
        if self.sd == 0:
            return np.full(p.shape, self.mean)
        if self.one:
            return self.shift + self.w[0] * sp.betaincinv(self.a[0], self.b[0], p)
        return bisect_increasing(self.cdf, p, *self.support)

    def interval(self, level, kind):
        if self.sd == 0:
            return self.mean, self.mean
        if self.one:
            a, b = self.a[0], self.b[0]
            if a < 1 and b < 1:
                return None
            if b <= 1 <= a and a > 1:
                return float(self.quantile(1 - level)), self.support[1]
            if a <= 1 <= b and b > 1:
                return self.support[0], float(self.quantile(level))
        return shortest_interval(self.quantile, level)

    def mode(self):
        if self.one:
            a, b = self.a[0], self.b[0]
            if b <= 1:
                return self.support[1]
            if a <= 1:
                return self.support[0]
            return self.shift + self.w[0] * (a - 1) / (a + b - 2)
        lo, hi = self.interval(1e-3, "hdi")
        return (lo + hi) / 2
