"""Every number and word of an answer by its place, so that two answers can be held side by side."""

from __future__ import annotations

import math
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property, partial
from inspect import signature
from typing import Any

import numpy as np

from howsure.errors import HowsureError
from howsure.laws import Law
from howsure.posterior.distribution import Distribution

__all__ = ["differences", "leaves"]

#: What is kept for the next question, and functions, are no part of an answer.
SKIPPED = ("_memory", "_windows", "_lock")


def leaves(answer: Any) -> dict[str, Any]:
    """Place, such as ``entries.0.low``, to what stands there."""
    return dict(_leaves(answer, "", set()))


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Places where two answers differ by more than the last digits."""
    return [at for at in {**one, **other} if at not in one or at not in other or _differ(one[at], other[at])]


def _differ(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, int | float):
        return not (math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12) or (one != one and other != other))
    return bool(one != other) or type(one) is not type(other)


def _leaves(value: Any, at: str, above: set[int]) -> Iterator[tuple[str, Any]]:
    if value is None or isinstance(value, str | bool | int | float | complex | bytes):
        yield at, value
        return
    if isinstance(value, np.generic):
        yield at, value.item()
        return
    if id(value) in above:
        return
    above = above | {id(value)}
    if isinstance(value, np.ndarray):
        parts: Any = enumerate(value.ravel().tolist())
        yield f"{at}.shape", str(value.shape)
    elif hasattr(value, "to_dict") and not (isinstance(value, type) or signature(value.to_dict).parameters):
        parts = ({"notes": getattr(value, "notes", ())} | value.to_dict()).items()
    elif isinstance(value, Law | Distribution):
        parts = _asked(value)
    elif hasattr(value, "__dataframe__"):
        parts = {"kind": type(value).__module__, **{name: list(value[name]) for name in value.columns}}.items()
    elif isinstance(value, partial):
        parts = {"of": value.func, "with": value.args, **value.keywords}.items()
    elif isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, Sequence):
        parts = enumerate(value)
    elif isinstance(value, set | frozenset):
        parts = enumerate(sorted(map(str, value)))
    elif isinstance(value, Iterator):
        parts = enumerate(value)
    elif isinstance(value, type | types.FunctionType | types.MethodType | types.BuiltinFunctionType):
        yield at, getattr(value, "__qualname__", "")
        return
    elif is_dataclass(value):
        parts = ((field.name, getattr(value, field.name)) for field in fields(value))
    else:
        slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        held = {name: getattr(value, name) for name in slots if hasattr(value, name)} | getattr(value, "__dict__", {})
        kept = {name for name in held if isinstance(getattr(type(value), name, None), cached_property)}
        parts = ((name, part) for name, part in held.items() if name not in kept)
    for key, part in parts:
        if key not in SKIPPED:
            yield from _leaves(part, f"{at}.{str(key).replace('.', ' ')}".lstrip("."), above)


def _asked(law: Law | Distribution) -> Iterator[tuple[str, Any]]:
    """Numbers that say which law it is."""
    for name in ("mean", "sd", "error", "observed", "route", "support"):
        yield name, getattr(law, name, None)
    for kind in ("hdi", "central"):
        try:
            yield kind, law.interval(0.9, kind)[:2]  # type: ignore[arg-type]
        except HowsureError as refused:
            yield kind, str(refused)
