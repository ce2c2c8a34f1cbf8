"""Compare two models whose answers one judge has judged, and people some of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.comparison.comparison import Comparison
from howsure.comparison.judged_lead import JudgedLead
from howsure.data.judged_answers import JudgedAnswers
from howsure.errors import InvalidArgument, listing
from howsure.errors.arguments import sentences
from howsure.posterior.distribution import Distribution
from howsure.posterior.means_over_classes import Shares
from howsure.posterior.paired_verdicts import PairedVerdicts, alone, pass_rate
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import Prior
from howsure.text.formats import integer, plain

__all__ = ["judged_comparison", "judged_model"]


def judged_comparison(
    given: Sequence[Any],
    metric: Any,
    prior: str | Prior | None,
    shares: Shares | None,
    names: tuple[str, str] | None,
    *,
    draws: int,
    seed: int,
    notes: Sequence[str],
    **options: Any,
) -> Comparison:
    """Compare two models of `JudgedAnswers`; the arguments are those of `howsure.compare`, checked.

    Raises
    ------
    InvalidArgument
        Other than two names, another metric than the share of right answers, a prior.
    """
    judged, *asked = given
    assert isinstance(judged, JudgedAnswers)
    chosen = [name for name in asked if name is not None] or list(judged.names)
    if len(chosen) != 2 or names is not None:
        raise InvalidArgument(f"compare(judged, a, b) takes the names of two models, of {listing(judged.names)}")
    refuse_prior(prior, shares)
    a, b = chosen
    measure = pass_rate(judged, metric)
    pair = PairedVerdicts(judged, a, b, measure)
    (one, of_a), (other, of_b) = (alone(judged, name, measure, draws, seed) for name in chosen)
    label = str(measure.label)
    lead = JudgedLead(
        pair=pair,
        names=(a, b),
        label=label,
        good=measure.metric.better == "higher",
        called=(judged.passed(a, label), judged.passed(b, label)),
        rate=(of_a.mean + of_b.mean) / 2,
    )
    return Comparison(
        names=(a, b),
        posteriors=(one, other),
        measures=(measure, measure),
        a=of_a,
        b=of_b,
        draws=draws,
        seed=seed,
        remarks=(*sentences(notes), *judged.notes, *_unshared(lead)),
        judge=lead,
        **options,
    )


def judged_model(
    judged: JudgedAnswers,
    name: str,
    metric: Any,
    prior: str | Prior | None,
    shares: Shares | None,
    *,
    draws: int,
    seed: int,
) -> tuple[Posterior, Distribution]:
    """What is known of one of the models, and of its share of right answers."""
    refuse_prior(prior, shares)
    return alone(judged, name, pass_rate(judged, metric), draws, seed)


def refuse_prior(prior: str | Prior | None, shares: Shares | None) -> None:
    """Say which prior judged models have."""
    name = prior.name if isinstance(prior, Prior) else prior
    if shares is not None or name not in (None, "jeffreys"):
        what = "shares=" if shares is not None else f"prior {name!r}"
        raise InvalidArgument(
            "models under a judge have the prior jeffreys of a label given a verdict, under which intervals have the "
            "coverage "
            f"they say; leave {what} out"
        )


def _unshared(lead: JudgedLead) -> tuple[str, ...]:
    """A note on items that only one of the two answered."""
    left = [(plain(name, 40), n - lead.items) for name, (_, n) in zip(lead.names, lead.called, strict=True)]
    if not any(n for _, n in left):
        return ()
    others = ", ".join(f"{integer(n)} of {name}" for name, n in left if n)
    return (
        f"{integer(lead.items)} items are judged for both models and tell them apart; the others ({others}) count for "
        "the rate of each alone.",
    )
