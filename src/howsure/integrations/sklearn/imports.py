"""The one place that imports scikit-learn."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from howsure.errors import MissingExtra

__all__ = ["sklearn_module"]


def sklearn_module(name: str, purpose: str) -> Any:
    """A module of scikit-learn, such as ``metrics``; raises `MissingExtra` where it is not installed."""
    try:
        return import_module(f"sklearn.{name}")
    except ModuleNotFoundError as absent:
        if absent.name != "sklearn":
            raise
        raise MissingExtra(purpose, "sklearn") from None
