"""What Inspect loads, by its entry point, to know our metric by its name; without Inspect it does nothing."""

from __future__ import annotations

from contextlib import suppress

from howsure.errors import MissingExtra
from howsure.integrations.inspect_metrics import register

__all__: list[str] = []

with suppress(MissingExtra):
    register()
