"""From scores to decisions: curves over all thresholds, and what they are worth."""

from __future__ import annotations

__all__: list[str] = []
