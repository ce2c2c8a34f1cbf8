"""Evaluations by item: logs of language models, and any table of items and scores, of one model or several.

`read_log` gives `Outcomes`, what each answer scored, `read_logs` those of each model of a file; `paired` puts several
side by side, for `howsure.compare` and `howsure.gate`. Scores say how good answers were, and no class: they have an
accuracy or a mean, can be paired, and have no confusion matrix.
"""

from howsure.data.outcomes import Outcomes
from howsure.io.logs.log import paired, read_log, read_logs

__all__ = ["Outcomes", "paired", "read_log", "read_logs"]
