"""Options that go together are one record in the code, and single options on the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints

__all__ = ["flat"]


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters that are records (frozen dataclasses) are taken apart into their fields.

    The fields take the place of the record, in their order; typer reads them as if the command had declared them.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Ends:
    ...     level: float = 0.95
    ...     kind: str = "hdi"
    >>> @flat
    ... def show(name: str, ends: Ends, seed: int = 0) -> None:
    ...     print(name, ends, seed)
    >>> list(signature(show).parameters)
    ['name', 'level', 'kind', 'seed']
    >>> show(name="mcc", level=0.9, kind="hdi", seed=1)
    mcc Ends(level=0.9, kind='hdi') 1
    """
    parameters: list[Parameter] = []
    records: dict[str, Any] = {}
    for parameter in signature(command, eval_str=True).parameters.values():
        if is_dataclass(parameter.annotation):
            records[parameter.name] = parameter.annotation
            parameters += _fields(parameter.annotation)
        else:
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY))

    @wraps(command)
    def taken_apart(**given: Any) -> None:
        made = {
            name: record(**{field.name: given.pop(field.name) for field in fields(record)})
            for name, record in records.items()
        }
        command(**given, **made)

    taken_apart.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what typer and inspect read
    taken_apart.__annotations__ = {each.name: each.annotation for each in parameters}
    return taken_apart


def _fields(record: Any) -> list[Parameter]:
    hints = get_type_hints(record, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(record)
    ]
