"""Values, not sessions: what is public cannot be changed, and answers that say the same are equal."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def kept(method: Method) -> Method:
    """A method of a value that is computed once for each of its arguments, and kept as long as the value."""
    place = f"_kept_{method.__name__}"

    @wraps(method)
    def answer(value: Any, *asked: Any) -> Any:
        memory = value.__dict__.setdefault(place, {})
        if asked not in memory:
            memory[asked] = method(value, *asked)
        return memory[asked]

    return answer  # type: ignore[return-value]  # as it was


class Frozen:
    """A value: its public attributes cannot be set after it is made."""

    #: Those that are set while it is made; a class names its own, beside those of its bases.
    _attributes: tuple[str, ...] = ()

    def __setattr__(self, name: str, value: object) -> None:
        own = any(name in vars(each).get("_attributes", ()) for each in type(self).__mro__)
        if not name.startswith("_") and (name in self.__dict__ or not own):
            raise AttributeError(f"{type(self).__name__} is immutable; {name} cannot be set")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; {name} cannot be removed")


class Answer(ABC):
    """A result: equal to another of its kind whose data (`to_dict`) are the same, however it was come by.

    Posteriors and distributions are no answers: two with the same numbers may be of separate test sets, and their
    difference is not 0.
    """

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer) or type(other) is not type(self):
            return NotImplemented
        return self is other or self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(json.dumps(self.to_dict(), sort_keys=True))
