"""How much of an answer is the prior's: the same question under several priors, and on the counts alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from howsure.answers.fields import interval_cells, law_row
from howsure.answers.sheet import Answered, Ask, Sheet
from howsure.errors import NoInformation
from howsure.errors.arguments import items
from howsure.laws import Kind
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED
from howsure.metrics import parse
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.priors import PRIORS, Prior
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

#: The keys of the answer.
FIELDS = "metric observed spread level answers[prior prior_shift=shift silence *known=known.law?]"

#: Asked for by default, as far as there are such priors.
USUAL = ("calibrated", "flat", "jeffreys", "perks", "learned")


@dataclass(frozen=True)
class UnderPrior:
    """One prior's answer.

    Parameters
    ----------
    prior : str
        Its name.
    known : Distribution or None
        The answer; None where the prior says nothing (`silence` says why).
    shift : float or None
        (mean - observed) / sd.
    silence : str or None
        Why there is no answer.
    """

    prior: str
    known: Distribution | None
    shift: float | None
    silence: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class Sensitivity(Answered, json="prior_sensitivity", fields=FIELDS):
    """The answers of several priors side by side; made by `Posterior.prior_sensitivity`.

    Attributes
    ----------
    metric : str
        The measure.
    observed : float or None
        Its value on the counts, without any prior.
    answers : tuple of UnderPrior
        One for each prior; the posterior's own comes first.
    """

    metric: str
    observed: float | None
    answers: tuple[UnderPrior, ...]
    ask: Ask

    @property
    def spread(self) -> float | None:
        """Largest difference between the means, in units of the own prior's sd.

        None with less than two answers, and where a mean or the sd is infinite or undefined.
        """
        known = [answer.known for answer in self.answers if answer.known is not None]
        means = [each.mean for each in known]
        if len(known) < 2 or not 0 < known[0].sd < math.inf or not all(map(math.isfinite, means)):
            return None
        return (max(means) - min(means)) / known[0].sd

    def sheet(self) -> Sheet:
        name = self._interval_name
        rows = []
        places = 3
        for answer in self.answers:
            if answer.known is None:
                rows.append((answer.prior, "no information", "", "", "", ""))
                continue
            mean, ends = interval_cells(answer.known.law, self.level, self.kind)
            places = len(mean.partition(".")[2])
            shift = "" if answer.shift is None else formats.number(answer.shift, 1)
            rows.append(
                (answer.prior, mean, ends, formats.number(answer.known.sd, places + 1), shift, answer.known.route)
            )
        rows.append(("none (the counts)", formats.number(self.observed, max(places, 3)), "", "", "", ""))
        silent = tuple(f"{a.prior}: {a.silence}" for a in self.answers if a.silence)
        note = "prior effect: (mean - observed) / sd, how far prior and smoothing moved the number."
        return Sheet(
            self._words(), ("prior", "mean", name, "sd", "prior effect", "method"), tuple(rows), (*silent, note)
        )

    def picture(self, *, width: float = 720) -> str:
        rows = [
            IntervalRow(answer.prior, "no information")
            if answer.known is None
            else law_row(answer.prior, answer.known.law, self.level, self.kind, observed=self.observed)
            for answer in self.answers
        ]
        return forest(rows, title=f"{formats.plain(self.metric)} under several priors", width=width)

    def _words(self) -> str:
        title = formats.plain(self.metric)
        found = [answer.known.mean for answer in self.answers if answer.known is not None]
        means = [mean for mean in found if not math.isnan(mean)]
        if found and not means:
            return f"{title} has an undefined mean under all of these priors."
        if not means:
            return f"{title} has no answer under any of these priors."
        first = next(answer.known for answer in self.answers if answer.known is not None)
        ends = first.interval(self.level, self.kind)
        places = formats.decimals(*ends, error=first.error if first.route == "simulated" else 0.0)
        between = formats.interval(min(means), max(means), places)
        counts = formats.number(self.observed, places)
        if len(found) == 1:
            alone = formats.number(means[0], places)
            return f"{title} is {alone} under prior {first.prior}, {counts} on the counts alone."
        line = f"{title} is {between} under {len(means)} priors, {counts} on the counts alone"
        return f"{line}; the prior decides {self.spread:.2g} sd of it." if self.spread is not None else f"{line}."


def prior_sensitivity(
    posterior: Posterior,
    metric: str,
    priors: Sequence[str | Prior] | None = None,
    *,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Sensitivity:
    """The same answer under other priors, and how far each moved it.

    Parameters
    ----------
    metric : str
        As in `Posterior.of`.
    priors : sequence of str or Prior, optional
        Flat, Jeffreys, Perks and learned (those that there are) if left out; the posterior's own is always among
        them.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    draws, seed : int
        For metrics without a closed form.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]))
    >>> post.prior_sensitivity("recall@low")
    recall@low is 0.70 to 0.75 under 5 priors, 0.75 on the counts alone; the prior decides 0.35 sd of it.
    """
    own = knowledge_of(posterior)
    ask = Ask(level, kind, draws, seed)
    confusion = own.confusion
    measure = parse(metric, confusion.labels, confusion.positive)
    usual = [name for name in USUAL if name in PRIORS]
    verdicts = posterior.confusion.verdicts
    if verdicts is not None and verdicts.truths > 2:  # what is true of a verdict is learned of two classes only
        usual.remove("learned")
    wanted = usual if priors is None else items(priors, "priors", "a list of names or priors")
    beside = [own, *(own.under(prior) for prior in wanted)]
    answers: dict[str, UnderPrior] = {}
    for each in beside:
        name = each.prior.name
        if name in answers:
            continue
        try:
            known = each.of(measure, draws=ask.draws, seed=ask.seed)
        except NoInformation as error:
            answers[name] = UnderPrior(name, None, None, str(error))
        else:
            answers[name] = UnderPrior(name, known, known.prior_shift)
    return Sensitivity(measure.name, own.observed(measure), tuple(answers.values()), ask)
