"""What a board says where its entries are a sample from a population learned from it."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.questions.entry import BoardPopulation, Entry, Shrunken
from howsure.text import formats

__all__ = ["headline", "learned_remarks", "probability_text"]

#: More than that apart, probabilities of being the best are told apart: each is good to 0.005.
APART = 0.01

#: Expected share of a second group from which it is worth a word.
MANY_APART = 0.25


def probability_text(value: float, draws: int | None, *, learned: bool) -> str:
    """A probability of ranks as text; under a learned population it is good to 0.005, so it has two digits."""
    if not learned:
        return formats.probability(value, draws)
    return "< 0.01" if value < 0.005 else "> 0.99" if value > 0.995 else f"{value:.2f}"


def headline(entries: Sequence[Entry], share: str, best: int) -> str:
    """The answer in one sentence: who comes first, how probably it is the best, and how many may be."""
    first, count = entries[0], len(entries)
    name = formats.plain(first.name, 40)
    if best == 1:
        return f"{name} leads alone: it is the best with probability {share}."
    one_tier = entries[-1].tier == 1
    likeliest = max(entries, key=lambda entry: entry.p_best)
    if likeliest.p_best > first.p_best + APART:
        chance = probability_text(likeliest.p_best, None, learned=True)
        return (
            f"{name} comes first by its mean; the best is most probably {formats.plain(likeliest.name, 40)} ({chance}, "
            f"{name} {share}), of which less is known; the best is one of {best}."
        )
    if best > count / 2 and first.p_best < 0.5:
        these = f"These {count}" if one_tier else f"{best} of these {count}"
        among = f"one of {best}" if one_tier else "one of them"
        return (
            f"{these} entries cannot be separated: the best is {among}; the first, {name}, is it with probability "
            f"{share}."
        )
    return f"{name} comes first and is the best with probability {share}; the best is one of {best}."


def learned_remarks(
    entries: Sequence[Entry],
    population: BoardPopulation,
    winner: Shrunken | None,
    *,
    prior: str | None = None,
    draws: int | None = None,
    paired: bool = False,
) -> tuple[str, ...]:
    """Sentences on the population, on judging each entry alone, and on the luck of the first.

    ``prior`` is that of a classifier, where it is not the flat one; ``paired`` says that the cases are the
    same, so that what all entries share does not tell them apart.
    """
    first, count = entries[0], len(entries)
    # two digits of the smaller of the two spreads
    places = formats.place(min(population.sd, population.sampling_error))
    mean, sd, error = (formats.number(x, places) for x in (population.mean, population.sd, population.sampling_error))
    of_one = f"sampling error of one entry{' against the others' if paired else ''} {error}"
    around = f"True scores lie around {mean}, standard deviation {sd} (learned); {of_one}."
    if population.second >= MANY_APART:
        around = (
            f"The entries are not one group: about {round(population.second * count)} of {count} lie apart from the "
            f"others (learned); {of_one}."
        )
    lines = [around]
    if first.p_best_alone is not None:
        flat = "independent flat priors, as in Toetsch and Hoffmann 2021"
        believed = flat if prior is None else f"entries independent, prior {formats.plain(prior)}"
        too_sure = ": too sure when entries are close" if first.p_best_alone > first.p_best else ""
        lines.append(
            f"Judged each alone ({believed}) P(best) of the first is "
            f"{formats.probability(first.p_best_alone, draws)}{too_sure}."
        )
    if winner is not None:
        places = formats.decimals(winner.low, winner.high)
        seen = "" if first.observed is None else f"; observed {formats.number(first.observed, max(places, 3))}"
        lines.append(
            f"Luck of the first is allowed for: {formats.plain(winner.name, 40)} is at "
            f"{formats.number(winner.corrected, places)} ({formats.interval(winner.low, winner.high, places)}){seen}."
        )
    return tuple(lines)
