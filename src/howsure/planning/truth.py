"""What a plan supposes to be true: a guess, the worst case, or a pilot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, Integers, repeat
from howsure.numerics.populations.group_bootstrap import design_effect
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import LearnedPrior, Prior, fixed_default, resolve_prior

TWO_CLASSES = ("negative", "positive")


@dataclass(frozen=True, eq=False)
class Truths:
    """Equally likely truths."""

    #: Joint probabilities, rows truth, columns prediction, shape (T, K, K).
    tables: Floats
    words: str
    #: Stated prevalence at which the metric is asked for, shape (K,).
    known: Floats | None = None
    #: Class shares of the test, where they are a matter of design, shape (K,).
    shares: Floats | None = None

    @property
    def size(self) -> int:
        """Number of classes."""
        return int(self.tables.shape[-1])

    def designed(self, shares: Floats | None) -> Truths:
        """With class sizes fixed by design; the metric is then asked for at the supposed prevalence."""
        if shares is None:
            return self
        known = self.tables.sum(-1).mean(0) if self.known is None else self.known
        rows = self.tables / self.tables.sum(-1, keepdims=True)
        return replace(self, tables=rows * known[:, None], known=known, shares=shares)


@dataclass(frozen=True, eq=False)
class GroupSizes:
    """Groups that a test is supposed to come in."""

    #: Cases of groups, each as likely as the others, shape (S,).
    sizes: Integers
    #: Correlation of two cases of one group (ICC), each as likely as the others, shape (C,).
    correlation: Floats

    @property
    def size(self) -> float:
        """Average cases of a group."""
        return float(self.sizes.mean())

    @property
    def icc(self) -> float:
        """Average correlation."""
        return float(self.correlation.mean())

    @property
    def effect(self) -> float:
        """By how much the variance of a mean grows."""
        return design_effect(self.icc, self.sizes)

    def drawn(self, tests: int, groups: int, rng: np.random.Generator) -> tuple[Floats, Integers]:
        """Correlation (R,) and group sizes (R, G) of so many tests."""
        return rng.choice(self.correlation, tests), rng.choice(self.sizes, (tests, groups))


def optimal_shares(truths: Truths, weights: Floats) -> Floats:
    """Class shares at which a weighted sum of recalls is known best for a given number of cases.

    Its variance is sum w_i^2 p_i q_i / n_i, least where n_i is proportional to w_i sqrt(p_i q_i) (Neyman 1934); the
    mean of sqrt(p_i q_i) over the truths is taken.
    """
    recalls = np.diagonal(truths.tables, axis1=1, axis2=2) / truths.tables.sum(-1)
    spread = np.abs(weights) * np.sqrt(recalls * (1 - recalls)).mean(0)
    # a class that is thought perfect still has to be looked at
    spread = np.maximum(spread, 0.02 * spread.max()) if spread.max() > 0 else np.ones_like(spread)
    return np.asarray(spread / spread.sum())


def table_of(recalls: Floats, shares: Floats) -> Floats:
    """Joint tables with these recalls (..., K) and class shares (..., K); errors spread evenly."""
    size = recalls.shape[-1]
    rows = np.broadcast_to(((1 - recalls) / (size - 1))[..., None], (*recalls.shape, size)).copy()
    place = np.arange(size)
    rows[..., place, place] = recalls
    return np.asarray(rows * shares[..., None])


def _evenly(recalls: Floats, size: int) -> Floats:
    """Tables of equally frequent classes that are all recognised equally well."""
    return table_of(repeat(recalls[:, None], size, axis=1), np.full((len(recalls), size), 1 / size))


def symmetric(measure: Measure, value: float, size: int) -> Truths:
    """The table of equally frequent classes, equal recalls and even errors at which the metric has this value."""
    grid = np.linspace(0.0, 1.0, 4001)
    values = measure(_evenly(grid, size))
    found = np.flatnonzero(np.diff(np.sign(values - value)))
    exact = np.flatnonzero(np.abs(values - value) < 1e-12)
    if len(exact):
        recall = float(grid[exact[-1]])
    elif len(found):
        i = int(found[-1])
        recall = float(grid[i] + (value - values[i]) / (values[i + 1] - values[i]) * (grid[i + 1] - grid[i]))
    else:
        low, high = np.nanmin(values), np.nanmax(values)
        raise InvalidArgument(
            f"guess={value:g} is out of reach of {measure.name}: with {size} equally frequent classes and equal "
            f"recalls it goes from {low:.3g} to {high:.3g}. Give a pilot, or "
            "guess={'recall': ..., 'specificity': ...}."
        )
    words = (
        f"{size} equally frequent classes, each recognised with probability {recall:.4g}, errors spread evenly, "
        f"which makes {measure.name} {value:g}"
    )
    return Truths(_evenly(np.array([recall]), size), words)


def worst(measure: Measure, size: int) -> Truths:
    """The symmetric table at which the metric is most uncertain (delta method)."""
    recalls = np.linspace(1 / size, 0.99, 120)
    tables = _evenly(recalls, size)
    step = 1e-6
    slope = np.empty_like(tables)
    for cell in np.ndindex(size, size):
        moved = tables.copy()
        moved[(slice(None), *cell)] += step
        slope[(slice(None), *cell)] = (measure(moved) - measure(tables)) / step
    variance = (tables * slope**2).sum((1, 2)) - (tables * slope).sum((1, 2)) ** 2
    recall = float(recalls[int(np.nanargmax(variance))])
    words = (
        f"no guess was given: the worst case over {size} equally frequent classes that are recognised equally well, "
        f"which is a recall of {recall:.2g}"
    )
    return Truths(_evenly(np.array([recall]), size), words)


def of_rates(rates: Mapping[str, float]) -> Truths:
    """Two classes from recall, specificity and prevalence."""
    known = {"recall", "specificity", "prevalence"}
    odd = [key for key in rates if key not in known]
    if odd or not {"recall", "specificity"} <= set(rates):
        raise InvalidArgument(
            "a guess of two classes names recall and specificity, and prevalence if it is not 0.5; "
            f"got {excerpt(dict(rates))}"
        )
    for key, value in rates.items():
        checked_share(f"guess[{key!r}]", value)
    share = float(rates.get("prevalence", 0.5))
    if not 0 < share < 1:
        raise InvalidArgument(f"guess['prevalence'] is strictly between 0 and 1, not {share:g}")
    words = f"recall {rates['recall']:g}, specificity {rates['specificity']:g}, prevalence {share:g}" + (
        "" if "prevalence" in rates else " (none was given)"
    )
    recalls, shares = np.array([[rates["specificity"], rates["recall"]]]), np.array([[1 - share, share]])
    return Truths(table_of(recalls, shares), words)


def believed(mode: float, concentration: float, size: int, many: int, seed: int) -> Truths:
    """Equally frequent classes whose recalls are independent draws of a Beta of this mode and concentration."""
    a, b = beta_of(mode, concentration)
    recalls = np.random.default_rng([seed, 71]).beta(a, b, (many, size))
    words = (
        f"{size} equally frequent classes, the recall of each a Beta({a:g}, {b:g}) (mode {mode:g}, concentration "
        f"{concentration:g}), errors spread evenly"
    )
    return Truths(table_of(recalls, np.full((many, size), 1 / size)), words)


def of_pilot(pilot: Posterior, many: int, seed: int) -> Truths:
    """Truths drawn from the posterior of a pilot; one at a stated prevalence keeps the class sizes of its study."""
    cases, known = pilot.n, knowledge_of(pilot)
    words = f"the truth follows the posterior of the pilot ({cases:,d} cases, prior {known.prior_name})"
    shares = None
    if known.known_prevalence is not None:
        sizes = pilot.confusion.class_sizes
        if not np.all(sizes > 0):
            raise InvalidArgument("the pilot has an empty class, so its class sizes cannot be those of the test")
        shares = sizes / sizes.sum()
        words += "; the test has its class sizes, the metric its stated prevalence"
    return Truths(pilot.draw(many, seed=seed), words, known.known_prevalence, shares)


def improved(truths: Truths, measure: Measure, difference: float) -> Floats:
    """The same truths with a share of all errors put right, so that the metric is better by ``difference``."""
    perfect = truths.tables.sum(-1)[..., None] * np.eye(truths.size)
    sign = -1.0 if measure.metric.better == "lower" else 1.0
    start = sign * measure(truths.tables)
    room = sign * measure(perfect) - start
    if np.mean(room) < difference:
        raise InvalidArgument(
            f"a difference of {difference:g} in {measure.name} is impossible: the supposed truth leaves room for "
            f"{np.mean(room):.3g} only"
        )
    low, high = np.zeros(len(start)), np.ones(len(start))
    for _ in range(50):
        share = (low + high) / 2
        moved = sign * measure(_mixed(truths.tables, perfect, share)) - start
        low, high = np.where(moved < difference, share, low), np.where(moved < difference, high, share)
    return _mixed(truths.tables, perfect, (low + high) / 2)


def _mixed(first: Floats, second: Floats, share: Floats) -> Floats:
    return np.asarray(first + share[:, None, None] * (second - first))


def beta_of(mode: float, concentration: float) -> tuple[float, float]:
    """Beta of a mode and a concentration a + b above 2 (Kruschke 2014, section 6.2)."""
    checked_share("mode", mode)
    if not 2 < number(concentration) < 1e9:
        raise InvalidArgument(f"concentration is a number above 2 (2 is flat), not {excerpt(concentration)}")
    return mode * (concentration - 2) + 1, (1 - mode) * (concentration - 2) + 1


def checked_share(name: str, value: object) -> float:
    """A number from 0 to 1, or the sentence that says so."""
    share = number(value)
    if not 0 <= share <= 1:
        raise InvalidArgument(f"{name} is a number from 0 to 1, not {excerpt(value)}")
    return share


Pilot: TypeAlias = Posterior | AccuracyPosterior | ConfusionMatrix | Predictions | Scores


def cases_apart(pair: Predictions, index: int | None = None) -> tuple[int, int]:
    """Cases that only one of two classifiers got right, and all cases; of one true class, or of all."""
    here = slice(None) if index is None else pair.truth == index
    new, old = (pair.answers(name)[here] == pair.truth[here] for name in pair.names)
    return int(np.count_nonzero(new != old)), len(new)


def known_of(
    pilot: Pilot | None, prior: str | Prior | None
) -> tuple[Posterior | AccuracyPosterior | None, Predictions | None]:
    """What a pilot says of the (old) classifier, and the pair that it holds, the new one first."""
    if isinstance(pilot, ConfusionMatrix):
        pilot = infer(pilot, prior)
    if pilot is None or isinstance(pilot, Posterior | AccuracyPosterior):
        return pilot, None
    if isinstance(pilot, Scores):
        raise InvalidArgument("a pilot of Scores is for roc_auc; of other metrics it is scores.confusion_at(0.5)")
    if not isinstance(pilot, Predictions):
        raise InvalidArgument(
            "pilot is a posterior, a ConfusionMatrix, or the Predictions of two classifiers; "
            f"not {excerpt(type(pilot).__name__)}"
        )
    if len(pilot.names) == 1:
        return infer(pilot.confusion(pilot.names[0]), prior), None
    if len(pilot.names) > 2:
        raise InvalidArgument(
            f"the pilot holds {len(pilot.names)} classifiers ({', '.join(map(excerpt, pilot.names[:4]))}, ...); "
            "make Predictions of two, the new one first"
        )
    # pairs are read with priors of fixed mass
    chosen = resolve_prior(prior, len(pilot.labels))
    fixed = fixed_default(len(pilot.labels)) if isinstance(chosen, LearnedPrior) else chosen
    return infer(pilot.confusion(pilot.names[1]), fixed), pilot
