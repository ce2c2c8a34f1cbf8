"""The sentence on top of a report."""

from __future__ import annotations

import numpy as np

from howsure.errors import NoInformation, OutOfReach, excerpt
from howsure.knowledge.protocol import Ask
from howsure.laws import Draws, Law
from howsure.metrics import Measure, parse
from howsure.posterior.better_than_chance import OF_REPORT, ChanceStatement, better_than_chance
from howsure.posterior.carried import carried_rates
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.questions.groups import in_groups
from howsure.questions.thresholds import NOTHING, Thresholds
from howsure.text import formats

__all__ = ["threshold_sentence", "verdict", "width_sentence"]

#: Probability up to which a classifier is called worse, and of the opposite up to which it is called better.
UNLIKELY = 0.05


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
    posterior: Posterior,
    asked: Measure | None,
    ask: Ask,
    *,
    held: Thresholds = NOTHING,
    title: str = "Balanced accuracy",
) -> str:
    """What is known about a metric (balanced accuracy if left out), ``title``: thresholds, then against chance."""
    measure = asked or parse("balanced_accuracy", posterior.labels)
    try:
        known = knowledge_of(posterior).of(measure, draws=ask.draws, seed=ask.seed)
        ends = known.interval(ask.level, ask.kind)
    except (NoInformation, OutOfReach) as error:
        return f"{title} has no answer: {error}"
    places = formats.decimals(*ends, error=known.error if known.route == "simulated" else 0.0)
    answer = threshold_sentence(title, known.law, held, places)
    text = f"{answer} It is" if answer else f"{title} is"
    text += f" {formats.number(known.mean, places)}"
    if ends.width > 0:
        text += f" ({formats.interval_name(ends.kind, ask.level)} {formats.interval(*ends, places)})"
    if knowledge_of(posterior).estimand(measure).held:
        text += f" {knowledge_of(posterior).held_at}"
    text += in_groups(knowledge_of(posterior).about_groups)
    if not posterior.n:
        name = knowledge_of(posterior).prior_name
        return f"There are no cases, so this is the {name} prior: {text[0].lower()}{text[1:]}."
    if (carried := carried_rates(knowledge_of(posterior))) is not None:
        return f"{carried.lead}{text}{'' if carried.lead else ', rates carried over'}."
    text += _against_chance(better_than_chance(knowledge_of(posterior), measure, draws=ask.draws, seed=ask.seed))
    sentence = width_sentence(posterior) if measure.metric.name == "balanced_accuracy" else ""
    return f"{text} {sentence}".strip()


def threshold_sentence(title: str, law: Law, held: Thresholds, places: int) -> str:
    """The answer to the thresholds and quantiles that were asked for, of one metric; blank where there are none.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> from howsure.questions.thresholds import thresholds
    >>> threshold_sentence("Balanced accuracy", Beta(46, 6), thresholds(above=0.8), 2)
    'That balanced accuracy is above 0.8 has probability 0.958.'
    >>> threshold_sentence("F1", Beta(46, 6), thresholds(above=[0.8, 0.9], quantiles=0.05), 2)
    'F1 is above 0.8 with probability 0.958, above 0.9 with 0.402; its 5% quantile is 0.80.'
    """
    answers = held.answers(law)
    if not answers or not all(map(np.isfinite, answers)):
        return ""
    name = "balanced accuracy" if title == "Balanced accuracy" else title
    cells = held.words(answers, places, law.n if isinstance(law, Draws) else None)
    first = len(cells) - len(held.quantiles)
    quantiles = [f"its {100 * p:g}% quantile is {cell}" for p, cell in zip(held.quantiles, cells[first:], strict=True)]
    if first == 1 and not quantiles:
        open_ = UNLIKELY < answers[0] < 1 - UNLIKELY and not held.between
        return f"That {name} is {held.spoken[0]} has probability {cells[0]}{': not settled' if open_ else ''}."
    if not first:
        told = " and ".join(f"{cell} ({100 * p:g}%)" for p, cell in zip(held.quantiles, cells, strict=True))
        return f"Quantile{'' if len(cells) == 1 else 's'} of {name}: {told}."
    said = [f"{what} with {cell}" for what, cell in zip(held.spoken, cells[:first], strict=True)]
    said[0] = said[0].replace(" with ", " with probability ", 1)
    return f"{'; '.join([f'{title} is ' + ', '.join(said), *quantiles])}."


def _against_chance(said: ChanceStatement | None) -> str:
    """Half a sentence about skill, or under another prior a sentence of its own, and its full stop."""
    if said is None:
        return "."
    base = formats.number(said.value, 2 if said.value == 0 or said.value >= 0.1 else 4)
    rule = said.how.removesuffix(f" ({said.prior})")  # the small print names the prior
    what, how = f"chance ({base})", "" if said.rule == OF_REPORT else f", {rule}"
    better, worse = (formats.probability(p, said.draws) for p in (said.probability, 1 - said.probability))
    unlikely, likely = said.probability <= UNLIKELY, said.probability >= 1 - UNLIKELY
    if said.expects_chance:
        which, p = ("Worse", worse) if unlikely else ("Better", better)
        return f". {which} than {what} with probability {p}{how}."
    if likely:
        return f", better than {what} with probability {better}{how}."
    if unlikely:
        return f", worse than {what} with probability {worse}{how}."
    return f"; that it is better than {what} has probability {better}{how}: not settled."
