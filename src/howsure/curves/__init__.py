"""From scores to decisions: curves over all thresholds, and what they are worth."""

from howsure import _public

__all__, __getattr__, __dir__ = _public.offered(__name__)
