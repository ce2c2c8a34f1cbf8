"""Draws of tables of two classifiers on the same cases, with the truth known or judged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import betaln, gammaln

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount

# -- Drawing joint tables of several classifiers that answered the same cases, or only how often each is right ---------

# The cases of one true class are patterns of answers, one answer a classifier. Their law is a Dirichlet process: its
# base is the product over classifiers of the prior mean of a class row, its mass s that row's pseudo-count. After the
# data it is a mixture of the patterns that were seen, with shares Gamma(count), and of the base, with share Gamma(s)
# spread over atoms of the base by stick breaking (Ferguson 1973; Sethuraman 1994). The margin of each classifier is
# the Dirichlet row that it would have alone, and the law of some classifiers does not change when others join.
#
# Of hits alone the answers are two, right and wrong: a Dirichlet process of mass a + b whose base is one independent
# coin of mean a / (a + b) a classifier. What a draw costs is the number of distinct patterns, whatever the number of
# classes; a draw is never held longer than its block.


#: Numbers that one block may hold; of margins, of which a class takes some at a time, more.
BLOCK, HELD = 500_000, 4_000_000

#: Patterns of one case from which they are drawn as exponential variates, which cost less than half of a Gamma(1).
MANY_SINGLE = 1_000

#: Share of the base's mass that the last stick may get too much, on average.
LEFT_OVER = 1e-4


@dataclass(frozen=True, eq=False)
class AnsweredClass(ABC):
    """Cases of a true class of K, answered by several classifiers; ``answers`` (P, T) are distinct patterns."""

    answers: Integers
    counts: Floats
    size: int
    true: int

    @property
    @abstractmethod
    def mass(self) -> float:
        """Mass of the base of what was not seen."""

    @property
    def sticks(self) -> int:
        """Atoms of the base in one draw."""
        return sticks_of(self.mass)

    @property
    @abstractmethod
    def widest(self) -> int:
        """Numbers that a draw holds at most."""

    def streams(self, seed: Sequence[int]) -> list[np.random.Generator]:
        """Generators of the four kinds of numbers; with one each, the size of the blocks does not matter."""
        return [np.random.default_rng([*seed, kind]) for kind in range(4)]

    @abstractmethod
    def spread(self, held: Floats, streams: list[np.random.Generator], onto: Floats) -> Floats:
        """Draw the rows of what the class holds, (n, ...), and add them to tables (T, n, K); gives what is right."""

    def wrong(self, uniforms: Floats) -> Integers:
        """Any class but the true one, by uniform numbers from 0 to 1."""
        found = np.minimum((uniforms * (self.size - 1)).astype(np.int64), self.size - 2)
        found += found >= self.true
        return found


@dataclass(frozen=True, eq=False)
class PairedClass(AnsweredClass):
    """Recall ~ Beta(a, b), b shared evenly; the class holds its prevalence (n,)."""

    a: float
    b: float

    @property
    def mass(self) -> float:
        """Pseudo-count s of the class."""
        return self.a + self.b

    @property
    def widest(self) -> int:
        """Numbers that a draw holds at most."""
        return len(self.counts) + (2 + 3 * int(self.answers.shape[1])) * self.sticks

    def spread(self, held: Floats, streams: list[np.random.Generator], onto: Floats) -> Floats:
        """Draw the rows times the prevalence, shape (n,), and add them to a table of shape (T, n, K).

        A row has few cells that are not empty: the answers that came, and the atoms of the base. Returns what falls on
        the class itself, shape (T, n).
        """
        n, models, sticks = len(held), self.answers.shape[1], self.sticks
        seen = streams[0].standard_gamma(self.counts, (n, len(self.counts)))
        unseen = streams[1].standard_gamma(self.mass, n)
        scale = held / (seen.sum(axis=1) + unseen)
        seen *= scale[:, None]
        share = (unseen * scale)[:, None] * broken(streams[2].random((n, sticks)), self.mass)
        atoms = self.atoms(streams[3].random((n, sticks, models)))
        place = np.arange(n)[:, None] * self.size
        hits = np.empty((models, n))
        for t, (present, of_pattern) in enumerate(self._answered):
            answered = seen @ of_pattern
            np.add.at(onto[t].reshape(-1), (place + atoms[..., t]).ravel(), share.ravel())
            onto[t][:, present] += answered
            hits[t] = np.where(atoms[..., t] == self.true, share, 0.0).sum(axis=1)
            hits[t] += answered[:, present == self.true].sum(axis=1)
        return hits

    @cached_property
    def _answered(self) -> list[tuple[Integers, Floats]]:
        """For each classifier the answers that came, and which pattern has which: (answers,), (patterns, answers)."""
        return [_present(column, np.ones(len(column), bool)) for column in self.answers.T]

    def atoms(self, uniforms: Floats) -> Integers:
        """Answers from the prior mean of the class row: right with probability a / (a + b), else any wrong class."""
        p = self.a / self.mass
        return np.where(uniforms < p, self.true, self.wrong((uniforms - p) / (1 - p)))


# The four cells of a class (both right, only the first, only the second, neither) may have masses that were drawn
# elsewhere. What is called inside a cell is the Dirichlet process restricted to it: given the masses of four sets, a
# Dirichlet process is four independent ones (Ferguson 1973), each with the patterns of its set and its share of the
# base.


#: Of the cells "only the first is right", "only the second", "neither": where the first, and the second, is wrong.
WRONG = ((1, 2), (0, 2))


@dataclass(frozen=True, eq=False)
class FactoredClass(AnsweredClass):
    """Two classifiers; the class holds the masses of its four cells (n, 4), and a cell has so much of the base."""

    base: float

    @property
    def mass(self) -> float:
        """Of a cell."""
        return self.base

    @cached_property
    def _seen(self) -> tuple[Floats, Floats, list[tuple[Integers, Floats]]]:
        """Counts of patterns with an error, (P,), the cell of each, (P, 3), wrong answers that came and in which."""
        wrong = self.answers != self.true
        seen = wrong.any(axis=1)
        cell = 2 * wrong[seen, 0] + wrong[seen, 1] - 1
        called = [_present(column, amiss) for column, amiss in zip(self.answers[seen].T, wrong[seen].T, strict=True)]
        return self.counts[seen], (cell[:, None] == np.arange(3)).astype(float), called

    @property
    def widest(self) -> int:
        """Numbers that a draw holds at most."""
        return len(self._seen[0]) + 12 * self.sticks

    def spread(self, held: Floats, streams: list[np.random.Generator], onto: Floats) -> Floats:
        """Add the rows to tables (2, n, K), given masses of the cells (n, 4); gives what is right, (2, n)."""
        n, sticks = len(held), self.sticks
        hits = np.stack([held[:, 0] + held[:, 1], held[:, 0] + held[:, 2]])
        onto[:, :, self.true] += hits
        counts, cell, called = self._seen
        seen = streams[0].standard_gamma(counts, (n, len(counts)))
        unseen = streams[1].standard_gamma(self.mass, (n, 3))
        scale = held[:, 1:] / np.maximum(seen @ cell + unseen, np.finfo(float).tiny)
        seen *= scale @ cell.T
        share = broken(streams[2].random((3 * n, sticks)), self.mass).reshape(n, 3, sticks)
        share *= (unseen * scale)[:, :, None]
        atoms = self.wrong(streams[3].random((n, 4, sticks)))
        atoms += (np.arange(n) * self.size)[:, None, None]
        for t, (wrong, (present, of_pattern)) in enumerate(zip(WRONG, called, strict=True)):
            np.add.at(onto[t].reshape(-1), atoms[:, 2 * t : 2 * t + 2].ravel(), share[:, wrong].ravel())
            onto[t][:, present] += seen @ of_pattern
        return hits


def _present(column: Integers, counted: Booleans) -> tuple[Integers, Floats]:
    """Answers that came among those that count, and which pattern has which, (patterns, answers)."""
    present = np.unique(column[counted])
    return present, (column[:, None] == present).astype(float)


def sticks_of(mass: float) -> int:
    """Atoms of a base of mass s in one draw, so that E[what is left] = (s / (1 + s))^sticks <= `LEFT_OVER`."""
    return max(8, int(np.ceil(np.log(LEFT_OVER) / np.log(mass / (1 + mass)))))


def broken(uniforms: Floats, mass: float) -> Floats:
    """Shares of a stick, (n, m), broken at Beta(1, mass) of what is left each time; the last piece is all the rest."""
    left = np.cumprod(uniforms ** (1 / mass), axis=1)
    left[:, -1] = 0.0
    return -np.diff(left, axis=1, prepend=1.0)


class JointMargins(NamedTuple):
    """Diagonals (T, m, K), row sums (m, K) and column sums (T, m, K) of joint tables."""

    hits: Floats
    actual: Floats
    called: Floats


#: Masses of the four cells of each class in the next draws, shape (m, K, 4), for m as asked.
Masses = Callable[[int], Floats]


def paired_tables(
    classes: Sequence[AnsweredClass], shares: Floats | None, known: Floats | None, n: int, seed: Sequence[int],
    masses: Masses | None = None,
) -> Iterator[Floats]:  # fmt: skip
    """Draw ``n`` joint tables of T classifiers, (T, m, K, K); the prevalence is Dirichlet(shares) or ``known``.

    Classes hold their prevalence or, given ``masses`` of their four cells, these times it.
    """
    size, models = len(classes), classes[0].answers.shape[1]
    for many, prevalence, streams in _class_blocks(classes, shares, known, n, seed, BLOCK // (models * size**2)):
        tables = np.zeros((models, size, many, size))
        for one, stream, held, onto in zip(
            classes, streams, _held(prevalence, masses), tables.swapaxes(0, 1), strict=True
        ):
            one.spread(held, stream, onto)
        yield np.swapaxes(tables, 1, 2)


def paired_margins(
    classes: Sequence[AnsweredClass], shares: Floats | None, known: Floats | None, n: int, seed: Sequence[int],
    masses: Masses | None = None,
) -> Iterator[JointMargins]:  # fmt: skip
    """Draw the margins of the same tables, which never take K x K numbers a draw."""
    size, models = len(classes), classes[0].answers.shape[1]
    for many, prevalence, streams in _class_blocks(classes, shares, known, n, seed, HELD // (4 * models * size)):
        hits, called = np.empty((models, many, size)), np.zeros((models, many, size))
        for i, (one, stream, held) in enumerate(zip(classes, streams, _held(prevalence, masses), strict=True)):
            hits[..., i] = one.spread(held, stream, called)
        yield JointMargins(hits, prevalence, called)


def _held(prevalence: Floats, masses: Masses | None) -> Floats:
    """What each class holds in the draws of a block: (K, m), or (K, m, 4)."""
    held = prevalence if masses is None else masses(len(prevalence)) * prevalence[:, :, None]
    return np.asarray(held.swapaxes(0, 1))


def _class_blocks(
    classes: Sequence[AnsweredClass],
    shares: Floats | None,
    known: Floats | None,
    n: int,
    seed: Sequence[int],
    most: int,
) -> Iterator[tuple[int, Floats, list[list[np.random.Generator]]]]:
    """Size, prevalence (m, K) and generators of each class, of blocks of at most so many draws."""
    step = max(1, min(n, most, HELD // max(one.widest for one in classes)))
    streams = [one.streams([*seed, i]) for i, one in enumerate(classes)]
    of_prevalence = np.random.default_rng([*seed, len(classes)])
    for start in range(0, n, step):
        many = min(step, n - start)
        if known is None:
            gammas = of_prevalence.standard_gamma(np.asarray(shares), (many, len(classes)))
            prevalence = gammas / gammas.sum(axis=1, keepdims=True)
        else:
            prevalence = np.broadcast_to(known, (many, len(classes)))
        yield many, prevalence, streams


@dataclass(frozen=True, eq=False)
class HitPatterns:
    """Cases of one law, recall ~ Beta(a, b); ``right`` (P, T) are distinct patterns, ``counts`` (P,) their cases."""

    right: Floats
    counts: Floats
    a: float
    b: float

    def rates(self, n: int, seed: Sequence[int]) -> Floats:
        """Draw the rate of right answers of each classifier, jointly, shape (T, n)."""
        made = np.empty((self.right.shape[1], n))
        for start, seen, base, atoms in self._blocks(n, seed):
            total = seen.sum(1) + base.sum(1)
            hits = seen @ self._ordered[1] + (base[:, None, :] @ atoms)[:, 0]
            made[:, start : start + len(seen)] = (hits / total[:, None]).T
        return made

    def replays(self, n: int, cases: int, seed: Sequence[int]) -> Floats:
        """Draw the share of right answers of each classifier on ``cases`` new cases, the same for all, shape (T, n)."""
        made = np.empty((self.right.shape[1], n))
        patterns = len(self.counts)
        rng = np.random.default_rng([*seed, 4])
        for start, seen, base, atoms in self._blocks(n, seed):
            shares = np.concatenate((seen, base), axis=1)
            new = rng.multinomial(cases, shares / shares.sum(1, keepdims=True)).astype(float)
            hits = new[:, :patterns] @ self._ordered[1] + (new[:, None, patterns:] @ atoms)[:, 0]
            made[:, start : start + len(seen)] = hits.T / cases
        return made

    def _blocks(self, n: int, seed: Sequence[int]) -> Iterator[tuple[int, Floats, Floats, Floats]]:
        """First draw, masses of the seen patterns (m, P), masses (m, S) and patterns (m, S, T) of atoms of the base."""
        mass, models = self.a + self.b, self.right.shape[1]
        sticks = sticks_of(mass)
        # one stream for each kind of number, so that the size of the blocks does not matter
        streams = [np.random.default_rng([*seed, kind]) for kind in range(4)]
        single = np.random.default_rng([*seed, 5])
        step = max(1, min(n, BLOCK // (len(self.counts) + (2 + models) * sticks)))
        for start in range(0, n, step):
            many = min(step, n - start)
            seen = self._seen(many, streams[0], single)
            unseen = streams[1].standard_gamma(mass, many)
            base = unseen[:, None] * broken(streams[2].random((many, sticks)), mass)
            atoms = (streams[3].random((many, sticks, models)) < self.a / mass).astype(float)
            yield start, seen, base, atoms

    def _seen(self, many: int, rng: np.random.Generator, of_single: np.random.Generator) -> Floats:
        """Masses of the patterns that were seen, shape (many, P), in the order of `_ordered`."""
        single, _ = self._ordered
        often = self.counts[self._order[single:]]
        if not single:
            return rng.standard_gamma(often, (many, len(often)))
        seen = np.empty((many, len(self.counts)))
        seen[:, :single] = of_single.standard_exponential((many, single))
        seen[:, single:] = rng.standard_gamma(often, (many, len(often)))
        return seen

    @cached_property
    def _order(self) -> Integers:
        """Places of the patterns: as they are, or those of one case first if these are many."""
        once = self.counts == 1
        if np.count_nonzero(once) < MANY_SINGLE:
            return np.arange(len(self.counts))
        return np.argsort(~once, kind="stable")

    @cached_property
    def _ordered(self) -> tuple[int, Floats]:
        """How many patterns of one case come first, and all patterns in that order."""
        once = int(np.count_nonzero(self.counts == 1))
        return (once if once >= MANY_SINGLE else 0), self.right[self._order]


# -- Two models under one judge: draws and closed moments of the difference of their rates of right answers ------------

# With q ~ Dirichlet(N_c + 1/2) over the cells c of two verdicts, and p_c ~ Dirichlet(n_c + 1/4) over (neither, only B,
# only A, both) right in a cell, all independent,
#
#     rate of A = sum_c q_c (p_c,A + p_c,both),   d = rate of A - rate of B = sum_c q_c (p_c,A - p_c,B).
#
# A label of one answer only is used as such: it leaves p_c a finite mixture of Dirichlets over what the other answer
# is. Where no item is labelled for both, rates given a verdict are Beta(labels + 1/2), each of one model alone.


#: Pseudo-counts of a cell of verdicts, of one of four outcomes in a cell, and of a label given a verdict.
CELL, OUTCOME, LABEL = 0.5, 0.25, 0.5


@dataclass(frozen=True, eq=False)
class LabelledPairs:
    """Items some of which are labelled for both models."""

    totals: Integers  # (C,), items of each cell of verdicts
    both: Integers  # (C, 4), of these labelled for both: neither right, only B, only A, both
    only_a: Integers  # (C, 2), labelled for one: wrong, right
    only_b: Integers  # (C, 2)

    @property
    def components(self) -> int:
        """Size of the largest mixture that is added up."""
        ways = np.prod(self.only_a + 1.0, axis=1), np.prod(self.only_b + 1.0, axis=1)
        return int(np.minimum(*ways).max())

    def moments(self) -> tuple[float, float]:
        """Mean and sd of the difference, closed."""
        cells = [_Cell.of(*each) for each in zip(self.both, self.only_a, self.only_b, strict=True)]
        mean, square = np.array([cell.gain() for cell in cells]).T
        return _of_cells(_plus(self.totals, CELL), mean, square - mean**2)

    def draws(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Joint draws of the rates of A and of B, shape (n,) each."""
        q = rng.dirichlet(self.totals + CELL, n)
        a, b = np.zeros(n), np.zeros(n)
        for c, each in enumerate(zip(self.both, self.only_a, self.only_b, strict=True)):
            _, only_b, only_a, both = _Cell.of(*each).draws(n, rng)
            a += q[:, c] * (only_a + both)
            b += q[:, c] * (only_b + both)
        return a, b


@dataclass(frozen=True, eq=False)
class LabelledApart:
    """Items none of which is labelled for both models."""

    totals: Integers  # (C,), items of each cell
    of_a: Integers  # (C,), place of its verdict on A among all V
    of_b: Integers  # (C,), of that on B
    a: Integers  # (V, 2), labels of A by the verdict on A: wrong, right
    b: Integers  # (V, 2)

    def moments(self) -> tuple[float, float]:
        """Mean and sd of the difference, closed."""
        cells = _plus(self.totals, CELL)
        means = [(x + LABEL)[:, 1] / (x + LABEL).sum(1) for x in (self.a, self.b)]
        gain = means[0][self.of_a] - means[1][self.of_b]
        mean, sd = _of_cells(cells, gain, np.zeros(len(cells)))
        variance = sd**2
        for counts, place, rate in ((self.a, self.of_a, means[0]), (self.b, self.of_b, means[1])):
            share, size = bincount(place, cells) / cells.sum(), cells.sum()
            square = share * (share * size + 1) / (size + 1)
            variance += square @ (rate * (1 - rate) / (counts.sum(1) + 2 * LABEL + 1))
        return mean, float(np.sqrt(variance))

    def draws(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Joint draws of the rates of A and of B, shape (n,) each."""
        q = rng.dirichlet(self.totals + CELL, n)
        rates = [rng.beta(x[:, 1] + LABEL, x[:, 0] + LABEL, (n, len(x))) for x in (self.a, self.b)]
        return (q * rates[0][:, self.of_a]).sum(1), (q * rates[1][:, self.of_b]).sum(1)


def matched_to(values: Floats, mean: float, sd: float) -> Floats:
    """Draws moved and stretched so that their mean and sd are those that are known."""
    spread = values.std(ddof=1)
    return np.asarray(mean + (values - values.mean()) * (sd / spread if spread > 0 else 1.0))


def _plus(counts: Integers, mass: float) -> Floats:
    return np.asarray(counts + mass, dtype=np.float64)


def _of_cells(cells: Floats, mean: Floats, variance: Floats) -> tuple[float, float]:
    """Mean and sd of sum_c q_c r_c for q ~ Dirichlet(cells) and independent r_c of these means and variances."""
    size = cells.sum()
    q = cells / size
    spread = q @ mean**2 - (q @ mean) ** 2
    square = q * (q * size + 1) / (size + 1)
    return float(q @ mean), float(np.sqrt(spread / (size + 1) + square @ variance))


@dataclass(frozen=True, eq=False)
class _Cell:
    """Outcomes in one cell: A right with u ~ Beta; B right with s ~ Beta where A is, with t ~ Beta where A is not.

    A Dirichlet of four outcomes is these three; labels of A alone are about u, and labels of B alone are of answers
    where A is right or wrong, nobody knows which: all ways are added up, weighted by their probability.
    """

    u: Floats
    s: Floats
    t: Floats
    weight: Floats
    turned: bool

    @classmethod
    def of(cls, both: Integers, only_a: Integers, only_b: Integers) -> _Cell:
        """Components, Beta parameters of shape (m, 2), and weights; the model with fewer labels is summed over."""
        turned = np.prod(only_b + 1.0) > np.prod(only_a + 1.0)
        if turned:
            both, only_a, only_b = both[[0, 2, 1, 3]], only_b, only_a
        n00, n01, n10, n11 = both + OUTCOME
        wrong, right = (np.arange(k + 1.0) for k in only_b)
        # of the labels of B, those on items where A is right
        j, k = (x.ravel() for x in np.meshgrid(right, wrong, indexing="ij"))
        left_j, left_k = only_b[1] - j, only_b[0] - k
        s, t = np.stack([n11 + j, n10 + k], 1), np.stack([n01 + left_j, n00 + left_k], 1)
        u = np.stack([s.sum(1) + only_a[1], t.sum(1) + only_a[0]], 1)
        ways = -gammaln(j + 1) - gammaln(left_j + 1) - gammaln(k + 1) - gammaln(left_k + 1)
        log = ways + betaln(*u.T) + betaln(*s.T) + betaln(*t.T)
        weight = np.exp(log - log.max())
        return cls(u, s, t, weight / weight.sum(), bool(turned))

    def gain(self) -> tuple[float, float]:
        """Mean of (only A right) - (only B right), and of its square."""
        (u1, u2), (s1, s2), (t1, t2) = (_powers(x) for x in (self.u, self.s, self.t))
        # only A: u (1 - s); only B: (1 - u) t
        mean = u1 - u1 * s1 - (1 - u1) * t1
        square = u2 * (1 - 2 * s1 + s2) - 2 * (u1 - u2) * (1 - s1) * t1 + (1 - 2 * u1 + u2) * t2
        sign = -1.0 if self.turned else 1.0
        return sign * float(self.weight @ mean), float(self.weight @ square)

    def draws(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats, Floats]:
        """Draws of the four outcomes, shape (n,) each: neither, only B, only A, both."""
        at = rng.choice(len(self.weight), n, p=self.weight) if len(self.weight) > 1 else np.zeros(n, dtype=int)
        u, s, t = (rng.beta(x[at, 0], x[at, 1]) for x in (self.u, self.s, self.t))
        found = (1 - u) * (1 - t), (1 - u) * t, u * (1 - s), u * s
        return (found[0], found[2], found[1], found[3]) if self.turned else found


def _powers(shape: Floats) -> tuple[Floats, Floats]:
    a, total = shape[:, 0], shape.sum(1)
    return a / total, a * (a + 1) / (total * (total + 1))
