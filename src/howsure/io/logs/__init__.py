"""Evaluation logs of language models: which items were answered rightly, by item.

=========================  ============================================================================
lm-evaluation-harness      ``samples_TASK_DATE.jsonl``: an item by its ``doc_hash``, one row a filter
Inspect                    ``.eval`` archives and JSON: an item by its ``id``, several epochs
lighteval                  Parquet of details: an item by its document
anything else              JSON Lines with a true-or-false field
tables                     ``item,model_a,model_b`` or ``item,model,correct``
=========================  ============================================================================

Such logs say right or wrong, and no more: they have an accuracy, can be paired, and have no confusion matrix.

`read_log` gives `Outcomes`, right or wrong by item, `read_logs` those of each model of a table; `log_report` says how
sure their accuracy is, as a `LogReport`; `paired` puts several side by side, for `howsure.compare` and `howsure.gate`.
"""

from howsure.io.logs.log import read_log, read_logs
from howsure.io.logs.log_accuracy import LogReport, log_report
from howsure.io.logs.outcomes import Outcomes
from howsure.io.logs.pairing import paired

__all__ = ["LogReport", "Outcomes", "log_report", "paired", "read_log", "read_logs"]
