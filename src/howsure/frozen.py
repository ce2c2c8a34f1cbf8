"""Values, not sessions: what is public cannot be changed."""

from __future__ import annotations

__all__ = ["Frozen"]


class Frozen:
    """A value: its public attributes cannot be set after it is made."""

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} is immutable; {name} cannot be set")
        object.__setattr__(self, name, value)
