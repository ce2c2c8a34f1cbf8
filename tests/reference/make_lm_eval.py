"""Write samples of lm-evaluation-harness in this folder, with its own code (pip install lm_eval); no model is asked.

The dummy model says "lol" to everything, which is right for four of the six questions.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import lm_eval
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

TASK = """
task: sums
dataset_path: json
dataset_kwargs: {data_files: {test: FOLDER/sums.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
generation_kwargs: {until: ["."]}
filter_list:
  - name: strict-match
    filter: [{function: regex, regex_pattern: "^(lol)$"}, {function: take_first}]
  - name: flexible-extract
    filter: [{function: take_first}]
metric_list:
  - {metric: exact_match, aggregation: mean, higher_is_better: true}
"""

if __name__ == "__main__":
    folder = Path(tempfile.mkdtemp())
    questions = [{"question": f"{i}+{i}?", "answer": "lol" if i % 3 else str(2 * i)} for i in range(6)]
    (folder / "sums.jsonl").write_text("".join(json.dumps(q) + "\n" for q in questions))
    (folder / "sums.yaml").write_text(TASK.replace("FOLDER", str(folder)))
    tasks = TaskManager(include_path=str(folder), include_defaults=False)
    found = lm_eval.simple_evaluate("dummy", tasks=["sums"], task_manager=tasks, log_samples=True, bootstrap_iters=0)
    tracker = EvaluationTracker(output_path=str(folder / "out"))
    samples = found.pop("samples")
    tracker.save_results_aggregated(results=found, samples=samples)
    tracker.save_results_samples(task_name="sums", samples=samples["sums"])
    (written,) = (folder / "out").rglob("samples_sums_*.jsonl")
    shutil.copy(written, "lm_eval_samples.jsonl")
