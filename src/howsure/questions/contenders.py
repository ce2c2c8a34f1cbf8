"""Who is asked about: posteriors, one kind of knowledge with names in it, or several on data of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from howsure.answers.asking import Asking
from howsure.data.groups import Question
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.knowledge.protocol import Knowledge
from howsure.knowledge.separate import Separate
from howsure.metrics.plain_names import plain_name
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.means_over_classes import Shares
from howsure.posterior.posterior import Posterior
from howsure.posterior.priors import Prior

__all__ = [
    "Contender", "Contending", "Inferring", "are_known", "board_of", "called", "cases", "class_sizes", "pair_of",
    "refuse_inferred",
]  # fmt: skip

Contender = Posterior | AccuracyPosterior


class Inferring(TypedDict, total=False):
    """Keywords of `howsure.infer`, for questions that infer posteriors from predictions."""

    prior: str | Prior | None
    shares: Shares | None
    groups: Question | None


class Contending(Inferring, Asking, total=False):
    """Keywords of what compares, ranks and gates, besides its own."""


def cases(posterior: Contender) -> int:
    """Number of cases, with and without a truth."""
    if isinstance(posterior, AccuracyPosterior):
        return posterior.n
    verdicts = posterior.confusion.verdicts
    return posterior.confusion.n if verdicts is None else verdicts.n


def called(metric: str, posterior: Contender) -> str:
    """A metric by the name that people know, where it has one."""
    if isinstance(posterior, AccuracyPosterior) or len(posterior.labels) > 2:
        return plain_name(metric, None)
    return plain_name(metric, posterior.confusion.positive)


def class_sizes(posterior: Contender) -> dict[str, int]:
    """Cases of each class; empty where only the right answers are known."""
    if isinstance(posterior, AccuracyPosterior):
        return {}
    return dict(zip(posterior.labels, posterior.confusion.class_sizes.tolist(), strict=True))


def are_known(given: Any) -> bool:
    """Whether a question is asked of a kind of knowledge: one, or a mapping of names to several."""
    if isinstance(given, Mapping):
        return bool(given) and all(isinstance(it, Knowledge) for it in given.values())
    return isinstance(given, Knowledge)


def pair_of(given: Sequence[Any], names: Sequence[str] | None = None) -> tuple[Knowledge, str | None, str | None]:
    """One kind and the names of two contenders, or two kinds on data of their own.

    Examples
    --------
    >>> from howsure.knowledge.items import Items
    >>> one = Items.from_columns(["a", "b"], [1, 2])
    >>> pair_of([one, one], ("new", "old"))[1:]
    ('new', 'old')
    """
    first, *others = given
    if len(others) == 1 and isinstance(others[0], Knowledge):
        a, b = names or ("A", "B")
        return Separate({a: first, b: others[0]}), a, b
    if names is not None or len(others) > 2 or not all(it is None or isinstance(it, str) for it in others):
        raise InvalidArgument(
            f"after {type(first).__name__} come the names of two contenders, of {listing(first.names)}, or the same of "
            f"another test set; not {excerpt(others)}"
        )
    a, b = [*others, None, None][:2]
    return first, a, b


def board_of(given: Any) -> Knowledge:
    """All contenders of one kind, or of a mapping of names to several."""
    return Separate(given) if isinstance(given, Mapping) else given


def refuse_inferred(call: str, *, prior: object, shares: object, groups: object) -> None:
    """Refuse beside posteriors what was said when they were inferred."""
    if prior is not None:
        raise InvalidArgument(f"posteriors have their prior; name it in infer(), not in {call}()")
    if shares is not None:
        raise InvalidArgument(f"posteriors have their class shares; say shares= in infer(), not in {call}()")
    if groups is not None:
        raise InvalidArgument("posteriors are about the groups that infer() made them for; say groups= there")
