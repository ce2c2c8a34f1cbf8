"""A call of something public, with another value of each of its arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import howsure as hs
from howsure.metrics import REGISTRY

__all__ = ["MISSING", "Call", "exact", "first_cell", "metric", "parameters", "save", "second_cell"]


class Call(NamedTuple):
    """A callable and arguments that it takes.

    Parameters
    ----------
    function : callable
    given : tuple
        Arguments without a name.
    named : mapping
        Arguments by name.
    other : mapping
        Another value of a parameter, by name, or by place where it has none.
    idle : mapping
        Parameters that say nothing in this call, and why that is right.
    """

    function: Callable[..., Any]
    given: tuple[Any, ...] = ()
    named: Mapping[str, Any] = {}
    other: Mapping[str | int, Any] = {}
    idle: Mapping[str, str] = {}

    def slots(self) -> dict[str | int, Any]:
        """Parameters by name, or by place where they have none, with what this call has for each."""
        values = dict(zip(self._places, self.given, strict=True)) | dict(self.named)
        return {name: MISSING for name in parameters(self.function) if name not in values} | values

    def another(self, slot: str | int, value: Any) -> Any:
        """Another value of a parameter: of this call, or the common one that the call does not have."""
        if slot in self.other:
            return self.other[slot]
        default = inspect.signature(self.function).parameters.get(str(slot))
        now = value if value is not MISSING else default.default if default else None
        return next((each for each in COMMON.get(str(slot), ()) if each != now), MISSING)

    def answer(self, slot: str | int | None = None, value: Any = None) -> Any:
        """What is answered, with another argument in one slot."""
        given, named, places = list(self.given), dict(self.named), self._places
        if slot in places:
            given[places.index(slot)] = value
        elif slot is not None:
            named[str(slot)] = value
        return self.function(*given, **named)

    @property
    def _places(self) -> list[str | int]:
        """Names of the arguments without a name, or their places where they have none."""
        every = inspect.signature(self.function).parameters.values()
        names = [p.name for p in every if p.kind is p.POSITIONAL_OR_KEYWORD]
        return [names[at] if at < len(names) else at for at in range(len(self.given))]


#: Where a call has nothing for a parameter, or the table no other value.
MISSING = object()

#: Two values of parameters that mean the same everywhere: the one that the call does not have is the other one.
COMMON: dict[str, tuple[Any, ...]] = {
    "level": (0.8, 0.9), "kind": ("central", "hdi"), "seed": (1, 2), "draws": (150, 200), "prior": ("jeffreys", "flat"),
    "notes": (("Read from a file.",),), "names": (("one", "two"),), "name": ("another",), "title": ("A title",),
    "comment": ("A comment.",), "on_inconclusive": ("fail", "pass"), "missing": ("exclude", "error"), "rope": (0.05,),
    "groups": ("these", "new"), "shares": ("uniform",),
}  # fmt: skip


def parameters(function: Callable[..., Any]) -> list[str]:
    """Names of the parameters that a caller can write."""
    return [p.name for p in inspect.signature(function).parameters.values() if p.name != "self" and p.kind not in STARS]


#: Parameters that take the rest.
STARS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)


@contextmanager
def forgotten() -> Iterator[None]:
    """Metrics that are declared inside are undeclared at the end."""
    before = dict(REGISTRY)
    try:
        yield
    finally:
        REGISTRY.clear()
        REGISTRY.update(before)


def first_cell(tables: Any) -> Any:
    """Share of the first cell."""
    return tables[..., 0, 0] / tables.sum((-2, -1))


def second_cell(tables: Any) -> Any:
    """Share of the second cell."""
    return tables[..., 0, 1] / tables.sum((-2, -1))


def metric(**how: Any) -> hs.Metric:
    """A metric that is declared, and forgotten."""
    with forgotten():
        return hs.metric(**how)(first_cell)


def exact(law: Any) -> Any:
    """A law of a metric, which is forgotten."""
    with forgotten():
        return hs.metric(range=(0, 1), better="higher", reference="nobody")(first_cell).exact(law)


def save(result: Any, path: Any, **how: Any) -> Any:
    """What a file says."""
    hs.save(result, path, **how)
    return (path, Path(path).read_text(encoding="utf-8"))


for wrapper, wrapped in ((metric, hs.metric), (save, hs.save)):
    wrapper.__signature__ = inspect.signature(wrapped)  # type: ignore[attr-defined]
