"""The sentence on top of a report."""

from __future__ import annotations

import numpy as np

from howsure.errors import NoInformation, OutOfReach, excerpt
from howsure.laws import Kind
from howsure.laws.draw_settings import SEED
from howsure.metrics import Measure, parse
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.text import formats

__all__ = ["verdict", "width_sentence"]


def width_sentence(posterior: Posterior) -> str:
    """Which class makes balanced accuracy uncertain, if one makes more than half of its variance."""
    confusion = posterior.confusion
    variance = knowledge_of(posterior).recall_sds ** 2
    worst = int(np.argmax(variance))
    size = int(confusion.class_sizes[worst])
    if variance[worst] <= 0.5 * variance.sum() or not confusion.n:
        return ""
    cases = f"{formats.integer(size)} case{'s' if size != 1 else ''}"
    return f"Most of its width comes from the {cases} of class {excerpt(confusion.labels[worst])}."


def verdict(
    posterior: Posterior, asked: Measure | None, level: float, kind: Kind, *, draws: int | None = None, seed: int = SEED
) -> str:
    """What is known about the first metric asked for (balanced accuracy otherwise), against chance."""
    measure = asked or parse("balanced_accuracy", posterior.labels)
    title = formats.plain(measure.name)
    title = "Balanced accuracy" if title == "balanced_accuracy" else title
    try:
        known = knowledge_of(posterior).of(measure, draws=draws, seed=seed)
        ends = known.interval(level, kind)
    except (NoInformation, OutOfReach) as error:
        return f"{title} has no answer: {error}"
    places = formats.decimals(*ends, error=known.error if known.route == "drawn" else 0.0)
    text = f"{title} is {formats.number(known.mean, places)}"
    if ends.width > 0:
        text += f" ({formats.interval_name(ends.kind, level)} {formats.interval(*ends, places)})"
    if knowledge_of(posterior).estimand(measure).tested:
        text += f" {knowledge_of(posterior).held_at}"
    if not posterior.n:
        name = knowledge_of(posterior).prior_name
        return f"There are no cases, so this is the {name} prior: {text[0].lower()}{text[1:]}."
    text += _against_chance(known, measure, knowledge_of(posterior).chance(measure))
    sentence = width_sentence(posterior) if measure.metric.name == "balanced_accuracy" else ""
    return f"{text} {sentence}".strip()


def _against_chance(known: Distribution, measure: Measure, chance: float | None) -> str:
    """Half a sentence about skill, and its full stop."""
    if chance is None:
        return "."
    better = known.prob(below=chance) if measure.metric.better == "lower" else known.prob(above=chance)
    draws = None if known.route == "exact" else getattr(known.law, "n", None)
    base = formats.number(chance, 2 if chance == 0 or chance >= 0.1 else 4)
    if better >= 0.95:
        return f", better than chance ({base}) with probability {formats.probability(better, draws)}."
    if better <= 0.05:
        return f", worse than chance ({base}) with probability {formats.probability(1 - better, draws)}."
    return (
        f"; that it is better than chance ({base}) has probability {formats.probability(better, draws)}: not settled."
    )
