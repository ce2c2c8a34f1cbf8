"""How an answer is asked for, once for all of them: level and kind of the intervals, draws, seed, and their keywords.

A question takes ``**how: Unpack[Asking]``, or more than that, and makes an `Ask` of it. `spelled` writes the keywords
out in its signature, so that ``help()`` shows them with their defaults, and refuses others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypedDict, TypeVar

from howsure.laws import Kind
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED, checked_draws, checked_kind, checked_level, checked_seed

Function = TypeVar("Function", bound=Callable[..., Any])


class Showing(TypedDict, total=False):
    """Keywords of an answer whose number of draws follows from the data."""

    level: float
    kind: Kind
    seed: int


class Asking(TypedDict, total=False):
    """Keywords of `Ask`."""

    level: float
    kind: Kind
    draws: int | None
    seed: int


#: What stands for a keyword that is left out; None for all others.
LEFT_OUT = {"level": LEVEL, "kind": KIND, "draws": DRAWS, "seed": SEED}


def spelled(keywords: type, **left_out: Any) -> Callable[[Function], Function]:
    """Write out the keywords of a typed dict, in the signature of a function that takes them together as its last one.

    Examples
    --------
    >>> @spelled(Asking, draws=None)
    ... def size(n, **how):
    ...     return n * how["level"]
    >>> size(100), size(100, level=0.5)
    (95.0, 50.0)
    >>> size(100, alpha=0.05)
    Traceback (most recent call last):
    TypeError: size() got an unexpected keyword argument 'alpha'
    """
    words = keywords.__annotations__
    usual = {name: left_out.get(name, LEFT_OUT.get(name)) for name in words}

    def spell(function: Function) -> Function:
        own = list(signature(function).parameters.values())[:-1]
        rest = [
            Parameter(
                name, Parameter.KEYWORD_ONLY, default=usual[name], annotation=getattr(kind, "__forward_arg__", kind)
            )
            for name, kind in words.items()
        ]
        taken = {each.name for each in own} | usual.keys()

        @wraps(function)
        def called(*given: Any, **how: Any) -> Any:
            __tracebackhide__ = True
            for name in how:
                if name not in taken:
                    raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}")
            return function(*given, **{**usual, **how})

        called.__signature__ = signature(function).replace(parameters=[*own, *rest])  # type: ignore[attr-defined]
        return called  # type: ignore[return-value]  # takes what the function takes

    return spell


def picked(how: Mapping[str, Any], keywords: type) -> dict[str, Any]:
    """The keywords of one typed dict among those of a question.

    Examples
    --------
    >>> picked({"prior": "flat", "level": 0.9, "seed": 1}, Asking)
    {'level': 0.9, 'seed': 1}
    """
    return {name: value for name, value in how.items() if name in keywords.__annotations__}


@dataclass(frozen=True)
class Ask:
    """How an answer is to be computed and shown, once for all of it.

    Attributes
    ----------
    level, kind
        Of intervals; kinds of knowledge may have a ``usual_kind`` other than the shortest one.
    draws, seed
        Of what has no closed law.

    Examples
    --------
    >>> Ask(level=0.9).level
    0.9
    """

    level: float = LEVEL
    kind: Kind = KIND
    draws: int = DRAWS
    seed: int = SEED

    @classmethod
    def of(cls, how: Mapping[str, Any], usual: int | None = None) -> Ask:
        """Those of the keywords of a question that are about this; as many draws as usual there, if none are named."""
        asked = picked(how, Asking)
        return cls(**(asked if asked.get("draws") is not None or usual is None else {**asked, "draws": usual}))

    def __post_init__(self) -> None:
        checked_kind(self.kind)
        for name, check in (("level", checked_level), ("draws", checked_draws), ("seed", checked_seed)):
            object.__setattr__(self, name, check(getattr(self, name)))
