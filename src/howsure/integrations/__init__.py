"""Results in the hands of other tools: tidy frames, trackers of experiments, ArviZ, Inspect."""

from howsure.integrations.exports import log_to, logged_metrics, tidy, to_arviz, to_frame
from howsure.integrations.inspect_metrics import howsure_accuracy

__all__ = ["howsure_accuracy", "log_to", "logged_metrics", "tidy", "to_arviz", "to_frame"]
