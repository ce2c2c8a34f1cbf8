"""Results in the hands of other tools: tidy frames, trackers of experiments, ArviZ."""

from howsure.exchange.arviz import to_arviz
from howsure.exchange.frames import tidy, to_frame
from howsure.exchange.tracking import log_to, logged_metrics

__all__ = ["log_to", "logged_metrics", "tidy", "to_arviz", "to_frame"]
