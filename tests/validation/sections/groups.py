"""Cases that come in groups: how often intervals hold the rate on a new case from a new group, beside rivals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats
from tests.validation.sections import text_of

import howsure as hs
from howsure.laws import GroupMeans
from howsure.numerics.populations.group_bootstrap import clustered_error
from howsure.numerics.populations.groups import MeanBySize, PopulationMean, population_of
from howsure.posterior.grouped_rows import GOES_WITH_SIZE
from howsure.posterior.knowledge import knowledge_of

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

LEVEL = 0.95


@dataclass(frozen=True)
class World:
    """Groups of cases of two classes.

    Parameters
    ----------
    groups, size : int
        How many, and cases of each on average.
    recalls : (float, float)
        Means of the population of groups.
    icc : float
        Correlation of two cases of one group and class.
    kind : str
        ``nested``: a group has cases of one class. ``mixed``: half of each, rates of a group independent. ``hard``:
        the same, and a group that is hard for one class is hard for the other. ``logit``: nested, the logits of the
        rates are normal, not the rates Beta. ``unequal``: nested, sizes from a tenth to three times the average.
    """

    groups: int
    size: int
    recalls: tuple[float, float]
    icc: float
    kind: str = "nested"

    @property
    def name(self) -> str:
        """A row's first cells."""
        return f"{self.groups} x {self.size} | {self.recalls[0]:g}, {self.recalls[1]:g} | {self.icc:g} | {self.kind}"

    def rates(self, rng: np.random.Generator) -> Floats:
        """Rates of every group in every class, shape (G, 2); their means are the recalls."""
        shape = self.groups, 2
        mu = np.array(self.recalls)
        if self.icc == 0:
            return np.broadcast_to(mu, shape).copy()
        if self.kind == "logit":
            spread = self._of_logits
            return np.asarray(special.expit(rng.normal(0, spread[2:], shape) + spread[:2]))
        kappa = 1 / self.icc - 1
        if self.kind == "hard":
            u = special.ndtr(np.repeat(rng.standard_normal((self.groups, 1)), 2, axis=1))
            return np.asarray(special.betaincinv(mu * kappa, (1 - mu) * kappa, u))
        return rng.beta(mu * kappa, (1 - mu) * kappa, shape)

    @property
    def _of_logits(self) -> Floats:
        """Means and sds of logits whose rates have the wanted means, and about the wanted correlation."""
        z = stats.norm.ppf((np.arange(400) + 0.5) / 400)
        found = []
        for mu in self.recalls:
            sd = float(np.sqrt(self.icc / (mu * (1 - mu))))
            low, high = -10.0, 12.0
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if special.expit(middle + sd * z).mean() < mu else (low, middle)
            found.append((low, sd))
        return np.array([*(f[0] for f in found), *(f[1] for f in found)])

    def test(self, rng: np.random.Generator) -> tuple[hs.ConfusionMatrix, Floats]:
        """A test, and the recalls that its intervals should hold."""
        rates, truth = self.rates(rng), np.array(self.recalls)
        sizes = np.full(self.groups, self.size)
        if self.kind == "unequal":
            sizes = np.maximum(1, np.round(self.size * rng.choice([0.1, 0.3, 0.6, 3.0], self.groups))).astype(int)
        y: list[Whole] = []
        p: list[Whole] = []
        g: list[Whole] = []
        both = self.kind in ("mixed", "hard")
        for i in range(self.groups):
            for c in (0, 1) if both else (i % 2,):
                n = max(1, sizes[i] // 2) if both else sizes[i]
                right = rng.random(n) < rates[i, c]
                y.append(np.full(n, c))
                p.append(np.where(right, c, 1 - c))
                g.append(np.full(n, i))
        made = hs.ConfusionMatrix.from_predictions(
            np.concatenate(y), np.concatenate(p), labels=[0, 1], group=np.concatenate(g)
        )
        return made, truth


#: None of them in the documents that the model was chosen by: other sizes, means, correlations, and two classes.
WORLDS = [
    *(
        World(groups, size, recalls, icc)
        for groups, size in ((8, 5), (16, 5), (16, 50), (40, 12), (100, 12))
        for recalls in ((0.5, 0.7), (0.85, 0.92), (0.96, 0.98))
        for icc in (0.0, 0.15, 0.5)
    ),
    *(World(groups, 12, (0.85, 0.92), 0.15, kind) for groups in (16, 40) for kind in ("mixed", "hard", "unequal")),
    *(World(groups, 12, (0.75, 0.9), 0.15, "logit") for groups in (16, 40)),
]
#: Below eight groups, for accuracy alone.
FEW = [
    World(groups, size, (mu, mu), icc)
    for groups in (5, 6)
    for size in (5, 30)
    for mu in (0.75, 0.95)
    for icc in (0.0, 0.3)
]

ASKED = ("accuracy", "recall@0", "balanced_accuracy")
DRAWN = ("f1@1", "precision@1", "mcc")


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a world."""
    runs = max(10, runs // 3)
    yield from text_of("groups 1")
    for world in WORLDS:
        yield coverage_of(world, ASKED, runs)
    for world in FEW:
        yield coverage_of(world, ("accuracy",), runs)
    yield from text_of("groups 2")
    few = max(10, runs // 4)
    for groups in (12, 24, 40):
        for kind in ("nested", "mixed", "hard"):
            yield drawn_row(World(groups, 12, (0.85, 0.92), 0.15, kind), few)
    yield from size_lines(2 * runs)


@dataclass(frozen=True)
class Sizes:
    """Groups whose sizes are lognormal, and whose rates go with them.

    Parameters
    ----------
    groups : int
        How many.
    spread : float
        Standard deviation of the logarithm of the size; 0: all of 20 cases.
    together : float
        Correlation of size and rate, both as normal scores; 1 or -1: in one order.
    """

    groups: int
    spread: float
    together: float

    @property
    def name(self) -> str:
        """A row's first cells."""
        sizes = f"lognormal, {self.spread:g}" if self.spread else "equal"
        order = {1.0: "one order", -1.0: "opposite order", 0.0: "independent"}
        return f"{self.groups} | {sizes} | {order.get(self.together, f'correlation {self.together:+g}')}"

    def draw(self, groups: int, rng: np.random.Generator) -> tuple[Floats, Whole]:
        """Rates and sizes of groups."""
        size, rate = rng.standard_normal((2, groups))
        rate = self.together * size + np.sqrt(1 - self.together**2) * rate
        n = np.maximum(1, np.round(20 * np.exp(self.spread * size))).astype(int)
        return np.asarray(special.betaincinv(*OF_RATES, special.ndtr(rate))), n

    @property
    def of_cases(self) -> float:
        """The accuracy where each case counts alike."""
        rates, n = self.draw(100_000, np.random.default_rng(9))
        return float((rates * n).sum() / n.sum())


#: Beta of the rates of groups whose sizes differ: mean 0.8, correlation of two cases 0.2.
OF_RATES = (3.2, 0.8)

SIZES = [
    Sizes(groups, spread, together)
    for groups in (10, 20, 60, 200)
    for spread, together in ((0.0, 0.0), (0.8, 0.0), (0.8, -0.5), (0.8, 0.5), (0.8, 1.0), (0.8, -1.0))
]


def size_lines(runs: int) -> Iterator[str]:
    """Groups whose rates go with their size."""
    yield from text_of("groups 3", runs, 100 * np.sqrt(0.95 * 0.05 / runs))
    for world in SIZES:
        yield size_row(world, runs)


def size_row(world: Sizes, runs: int) -> str:
    """Coverage and width of one of them."""
    rng = np.random.default_rng([20, world.groups, int(10 * world.spread), int(2 * world.together) + 5])
    of_groups, of_cases = OF_RATES[0] / sum(OF_RATES), world.of_cases
    student = float(stats.t.ppf((1 + LEVEL) / 2, world.groups - 1))
    hits, widths, noted = np.zeros(7), np.zeros(7), 0
    for _ in range(runs):
        rates, n = world.draw(world.groups, rng)
        k = rng.binomial(n, rates)
        made = population_of(k, n, (2 / 3, 2 / 3))
        law = GroupMeans([(made, 1.0)])
        cases = law
        if isinstance(made, MeanBySize):
            noted += max(made.rises, 1 - made.rises) >= GOES_WITH_SIZE
            cases = GroupMeans([(population_of(k, n, (2 / 3, 2 / 3), by_cases=True), 1.0)])
        share = k / n
        middles = share.mean(), k.sum() / n.sum()
        error = share.std(ddof=1) / np.sqrt(world.groups), clustered_error(k, n)
        each, before = cases.interval(LEVEL), GroupMeans([(PopulationMean(k, n, (2 / 3, 2 / 3)), 1.0)]).interval(LEVEL)
        ends = [
            *((found.low, found.high) for found in (law.interval(LEVEL), law.interval(LEVEL, "central"))),
            (before.low, before.high),
            (middles[0] - student * error[0], middles[0] + student * error[0]),
            (each.low, each.high),
            (middles[1] - 1.96 * error[1], middles[1] + 1.96 * error[1]),
            (middles[1] - student * error[1], middles[1] + student * error[1]),
        ]
        low, high = np.array(ends).T
        truth = np.array([of_groups] * 4 + [of_cases] * 3)
        hits += (low <= truth) & (truth <= high)
        widths += high - low
    cells = [f"{100 * hit / runs:.0f} ({width / runs:.3f})" for hit, width in zip(hits, widths, strict=True)]
    note = f"{100 * noted / runs:.0f}" if world.spread else "-"
    return f"| {world.name} | {' | '.join(cells)} | {note} | {runs} |"


def coverage_of(world: World, asked: tuple[str, ...], runs: int) -> str:
    """A row of the table."""
    rng = np.random.default_rng([18, world.groups, world.size, int(1000 * sum(world.recalls)), int(100 * world.icc)])
    hits, rivals, wider = np.zeros((len(asked), 2)), np.zeros(3), 0.0
    student = float(stats.t.ppf((1 + LEVEL) / 2, world.groups - 1))
    for _ in range(runs):
        made, recalls = world.test(rng)
        new, these = (knowledge_of(hs.infer(made, groups=question)) for question in ("new", "these"))
        first = made.class_sizes / made.n
        truth = {"recall@0": recalls[0], "balanced_accuracy": recalls.mean(), "accuracy": float(first @ recalls)}
        for i, metric in enumerate(asked):
            law = new.of(metric).law
            for j, kind in enumerate(("hdi", "central")):
                ends = law.interval(LEVEL, kind)
                hits[i, j] += ends.low <= truth[metric] <= ends.high
        groups = made.groups
        assert groups is not None
        share, error = made.correct.sum() / made.n, clustered_error(groups.correct, groups.cases)
        away = abs(share - truth["accuracy"])
        naive = these.of("accuracy").interval(LEVEL)
        rivals += [away <= 1.96 * error, away <= student * error, naive.low <= truth["accuracy"] <= naive.high]
        wider += new.of("accuracy").interval(LEVEL).width / naive.width
    cells = [f"{100 * a / runs:.0f}/{100 * b / runs:.0f}" for a, b in hits]
    cells += ["-"] * (len(ASKED) - len(asked)) + [f"{100 * r / runs:.0f}" for r in rivals]
    return f"| {world.name} | {' | '.join(cells)} | {100 * wider / runs:.0f} | {runs} |"


def drawn_row(world: World, runs: int) -> str:
    """Coverage of metrics that are drawn."""
    rng = np.random.default_rng([19, world.groups, world.size, len(world.kind)])
    r0, r1 = world.recalls
    table = np.array([[r0, 1 - r0], [1 - r1, r1]]) / 2
    hits = np.zeros((len(DRAWN), 2))
    for _ in range(runs):
        made, _ = world.test(rng)
        new = knowledge_of(hs.infer(made, groups="new"))
        for i, name in enumerate(DRAWN):
            measure = hs.metrics.parse(name, made.labels, "1")
            law, truth = new.of(measure, draws=1000).law, float(measure(table))
            for j, kind in enumerate(("hdi", "central")):
                ends = law.interval(LEVEL, kind)
                hits[i, j] += ends.low <= truth <= ends.high
    cells = [f"{100 * a / runs:.0f}/{100 * b / runs:.0f}" for a, b in hits]
    return f"| {world.name} | {' | '.join(cells)} | {runs} |"
