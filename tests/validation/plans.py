"""Do plans keep their word? Tests are simulated at the planned n, and each is read with the laws that users get.

Ten metrics, two, three and ten classes; an interval of one classifier, a difference on test sets of their own, a
difference on the same cases. Truths are built here, from recalls alone, and nothing of `howsure.planning` is used.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from tests.validation.coverage import LONGER

import howsure as hs
from howsure.metrics import Measure, parse
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior

__all__ = [
    "CLASSES",
    "KINDS",
    "LONGER",
    "METRICS",
    "RECALL",
    "Case",
    "Kept",
    "Kind",
    "cases",
    "even",
    "kept",
    "together",
]

Floats = NDArray[np.float64]
Kind = Literal["width", "separate", "paired"]

ASKED = 0.8
CLASSES = (2, 3, 10)
KINDS: tuple[Kind, ...] = ("width", "separate", "paired")
METRICS = (
    "accuracy", "error_rate", "recall", "balanced_accuracy", "informedness",
    "precision", "f1", "jaccard", "mcc", "kappa",
)  # fmt: skip
#: Metrics that more than two classes average, or ask of one class.
BY_CLASS = {"recall": "recall@0", **{name: f"{name}@macro" for name in ("informedness", "precision", "f1", "jaccard")}}
#: Recalls of one classifier; of the old and the new one; share of the cases on which only one of these is right.
RECALL, OLD, NEW, APART = 0.8, 0.75, 0.83, 0.2
WIDTHS = {"recall": 0.15, "informedness": 0.2, "jaccard": 0.18, "mcc": 0.18, "kappa": 0.18}
#: Draws for differences of laws that are not closed; ends of intervals need as many as users get.
DRAWS = 4_000


@dataclass(frozen=True)
class Case:
    """A metric, a number of classes, and what is asked."""

    metric: str
    classes: int
    kind: Kind

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the classes; the last of two is positive."""
        return tuple(map(str, range(self.classes)))

    @property
    def name(self) -> str:
        """The metric as one asks for it."""
        return BY_CLASS.get(self.metric, self.metric) if self.classes > 2 else self.metric

    @property
    def measure(self) -> Measure:
        """The metric at this number of classes."""
        return parse(self.name, self.labels, "1" if self.classes == 2 else None)

    @property
    def of_class(self) -> int | None:
        """The class whose cases are the denominator; None for all cases."""
        return None if self.metric != "recall" else 1 if self.classes == 2 else 0

    @property
    def difference(self) -> float:
        """By how much the new classifier is better, to three digits."""
        old, new = (float(self.measure(even(self.classes, r))) for r in (OLD, NEW))
        return float(f"{abs(new - old):.3g}")

    @property
    def new_recall(self) -> float:
        """Recall of the new classifier that makes just this difference."""
        old = float(self.measure(even(self.classes, OLD)))

        def short(recall: float) -> float:
            return abs(float(self.measure(even(self.classes, recall))) - old) - self.difference

        return float(brentq(short, OLD + 1e-6, 0.99))

    def planned(self) -> hs.Plan:
        """The plan."""
        settings = {"classes": self.classes, "assurance": ASKED, "prior": "flat"}
        if self.kind == "width":
            guess = float(self.measure(even(self.classes, RECALL)))
            return hs.plan(self.name, width=WIDTHS.get(self.metric, 0.12), guess=guess, **settings)  # type: ignore[arg-type]
        guess = float(self.measure(even(self.classes, OLD)))
        both = {"paired": APART} if self.kind == "paired" else {}
        return hs.plan(self.name, difference=self.difference, guess=guess, **both, **settings)  # type: ignore[arg-type]

    def reached(self, n: int, many: int, seed: int = 5) -> Floats:
        """Whether each of many simulated tests reaches the goal."""
        rng = np.random.default_rng([seed, n])
        one = {"width": self._narrow, "separate": self._seen_apart, "paired": self._seen_together}[self.kind]
        return np.array([one(n, rng) for _ in range(many)], dtype=float)

    def _table(self, n: int, recall: float, rng: np.random.Generator) -> hs.Posterior:
        shares = self._of_class(even(self.classes, recall))
        counts = rng.multinomial(n, shares.ravel()).reshape(shares.shape)
        positive = "1" if self.classes == 2 else None
        return hs.infer(hs.ConfusionMatrix(counts, labels=self.labels, positive=positive), "flat")

    def _of_class(self, shares: Floats) -> Floats:
        if self.of_class is None:
            return shares
        only = np.zeros_like(shares)
        only[self.of_class] = shares[self.of_class]
        return np.asarray(only / only.sum())

    def _narrow(self, n: int, rng: np.random.Generator) -> bool:
        known = knowledge_of(self._table(n, RECALL, rng)).of(self.measure)
        return known.interval().width <= WIDTHS.get(self.metric, 0.12)

    def _seen_apart(self, n: int, rng: np.random.Generator) -> bool:
        new, old = (
            knowledge_of(self._table(n, r, rng)).of(self.measure, draws=DRAWS, seed=int(rng.integers(10**6)))
            for r in (self.new_recall, OLD)
        )
        return self._better(new, old)

    def _seen_together(self, n: int, rng: np.random.Generator) -> bool:
        pairs = self._of_class(together(self.classes, OLD, self.new_recall))
        truth, new, old = np.unravel_index(rng.choice(pairs.size, n, p=pairs.ravel()), pairs.shape)
        cases = hs.Predictions(
            truth.astype(str), {"new": new.astype(str), "old": old.astype(str)}, labels=list(self.labels)
        )
        joint = PairedPosterior(cases, prior="flat")
        return self._better(*(knowledge_of(joint[name]).of(self.measure, draws=DRAWS) for name in ("new", "old")))

    def _better(self, new: hs.Distribution, old: hs.Distribution) -> bool:
        gain = old - new if self.measure.metric.better == "lower" else new - old
        return gain.prob(above=0) >= 0.95


@dataclass(frozen=True)
class Kept:
    """What a plan stated, and what simulated tests made of it."""

    case: Case
    plan: hs.Plan
    share: float
    tests: int

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the difference of both."""
        return math.sqrt(ASKED * (1 - ASKED) / self.tests + self.plan.assurance_error**2)

    @property
    def score(self) -> float:
        """Achieved less stated, in standard errors."""
        return (self.share - self.plan.assurance) / self.error


def kept(case: Case, tests: int) -> Kept:
    """Make the plan, and count."""
    made = case.planned()
    return Kept(case, made, float(case.reached(made.n, tests).mean()), tests)


def even(size: int, recall: float) -> Floats:
    """Joint table of equally frequent, equally well recognised classes with even errors."""
    rows = np.full((size, size), (1 - recall) / (size - 1))
    np.fill_diagonal(rows, recall)
    return rows / size


def together(size: int, old: float, new: float) -> Floats:
    """Joint table of truth, new and old answer with the disagreement `APART`.

    A mixture of erring independently and of the new one erring only where the old one does, and alike.
    """
    alone = even(size, new)[:, :, None] * even(size, old)[:, None, :] * size
    nested = np.zeros((size, size, size))
    for true in range(size):
        for wrong in set(range(size)) - {true}:
            nested[true, true, wrong] = (new - old) / (size - 1)
            nested[true, wrong, wrong] = (1 - new) / (size - 1)
        nested[true, true, true] = old
    apart = new + old - 2 * new * old
    share = (apart - APART) / (apart - (new - old))
    return np.asarray(share * nested / size + (1 - share) * alone)


def cases(classes: Sequence[int] = CLASSES) -> Iterator[Case]:
    """All of them."""
    for size in classes:
        for kind in KINDS:
            for metric in METRICS:
                yield Case(metric, size, kind)
