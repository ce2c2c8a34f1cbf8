"""Files as tools for evaluations write them, small: by name their ending and content, of the same 12 items each."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

__all__ = ["FILES", "RIGHT", "SECOND"]

N = 12
#: Which items are right, by one scorer and by another.
RIGHT = [i % 4 > 0 for i in range(N)]
SECOND = [i % 3 > 0 for i in range(N)]


def lines(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def table(rows: list[dict[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


HELM = [  # one object a question, statistics by name
    {
        "instance_id": f"id{i}", "train_trial_index": 0,
        "stats": [
            {"name": {"name": "exact_match", "split": "test"}, "sum": float(RIGHT[i]), "mean": float(RIGHT[i])},
            {"name": {"name": "num_prompt_tokens", "split": "test"}, "count": 1, "sum": 210 + i, "mean": 210.0 + i},
        ],
    }
    for i in range(N)
]  # fmt: skip
EVALPLUS = {
    "date": "2024-05-01 10:00", "hash": "abc",
    "eval": {
        f"HumanEval/{i}": [
            {"task_id": f"HumanEval/{i}", "solution": "def f(): ...", "base_status": "pass" if RIGHT[i] else "fail",
             "plus_status": "pass" if RIGHT[i] and SECOND[i] else "fail", "base_fail_tests": [], "plus_fail_tests": []}
        ]
        for i in range(N)
    },
}  # fmt: skip
DEEPEVAL = {
    "testRunData": None, "hyperparameters": {"model": "gpt"},
    "testCases": [
        {"name": f"test_case_{i}", "input": f"question {i}", "actualOutput": "x", "expectedOutput": "y",
         "metricsData": [
             {"name": "Answer Relevancy", "threshold": 0.5, "success": RIGHT[i], "score": 0.9 if RIGHT[i] else 0.2},
             {"name": "Faithfulness", "threshold": 0.5, "success": SECOND[i], "score": 1.0 if SECOND[i] else 0.1},
         ], "success": RIGHT[i] and SECOND[i], "runDuration": 1.0, "order": i}
        for i in range(N)
    ],
}  # fmt: skip
OPENAI = lines(
    [{"spec": {"completion_fns": ["gpt-4"], "eval_name": "x", "run_config": {"seed": 1}}}]
    + [
        row
        for i in range(N)
        for row in (
            {"run_id": "r", "event_id": 2 * i, "sample_id": f"x.dev.{i}", "type": "sampling",
             "data": {"prompt": "p", "sampled": ["a"]}},
            {"run_id": "r", "event_id": 2 * i + 1, "sample_id": f"x.dev.{i}", "type": "match",
             "data": {"correct": RIGHT[i], "expected": "a", "picked": "a"}},
        )
    ]
    + [{"final_report": {"accuracy": sum(RIGHT) / N}}]
)  # fmt: skip
HOSTED = {
    "object": "list",
    "data": [
        {"object": "eval.run.output_item", "id": f"outputitem_{i}", "run_id": "r", "datasource_item_id": i,
         "status": "pass" if RIGHT[i] else "fail", "datasource_item": {"question": f"q{i}"},
         "results": [{"name": "String check", "sample": None, "passed": RIGHT[i], "score": float(RIGHT[i])}]}
        for i in range(N)
    ],
    "has_more": False,
}  # fmt: skip
INSPECT = {
    "version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "results": {"scores": []},
    "samples": [
        {"id": i, "epoch": 1, "input": f"q{i}", "target": "a", "metadata": {},
         "scores": {"match": {"value": "C" if RIGHT[i] else "I", "answer": "a"}}}
        for i in range(N)
    ],
}  # fmt: skip
HARNESS = lines([
    {"doc_id": i, "doc": {"question": f"q{i}"}, "target": "0", "arguments": [], "resps": [], "filtered_resps": [],
     "filter": "none", "metrics": ["acc", "acc_norm"], "doc_hash": f"h{i}", "acc": float(RIGHT[i]),
     "acc_norm": float(SECOND[i])}
    for i in range(N)
])  # fmt: skip
SWEBENCH = {
    f"django__django-{i}": {"patch_is_None": False, "patch_exists": True, "patch_successfully_applied": True,
                            "resolved": RIGHT[i], "tests_status": {"FAIL_TO_PASS": {"success": [], "failure": []}}}
    for i in range(N)
}  # fmt: skip
PROMPTFOO_TABLE = {
    "version": 2,
    "results": {
        "version": 2,
        "results": [
            {"provider": {"id": "openai:gpt-4"}, "prompt": {"raw": "p", "display": "p"}, "vars": {"q": f"q{i}"},
             "response": {"output": "x"}, "success": RIGHT[i], "score": float(RIGHT[i]), "namedScores": {"tone": 0.5}}
            for i in range(N)
        ],
        "stats": {"successes": sum(RIGHT), "failures": N - sum(RIGHT)},
        "table": {"head": {"prompts": [{"provider": "openai:gpt-4"}], "vars": ["q"]},
                  "body": [{"outputs": [{"pass": RIGHT[i], "score": float(RIGHT[i])}], "vars": [f"q{i}"]}
                           for i in range(N)]},
    },
}  # fmt: skip
LANGSMITH = table([
    {"id": f"r{i}", "inputs.question": f"q{i}", "outputs.answer": "x", "reference_outputs.answer": "y",
     "feedback.correctness": int(RIGHT[i]), "status": "success", "error": "", "latency": 1.5 + i, "example_id": f"e{i}"}
    for i in range(N)
])  # fmt: skip
LANGFUSE = table([
    {"id": f"s{i}{name}", "timestamp": "2025-01-01", "trace_id": f"t{i}", "name": name, "value": int(values[i]),
     "data_type": "BOOLEAN", "source": "EVAL"}
    for i in range(N)
    for name, values in (("correct", RIGHT), ("helpful", SECOND))
])  # fmt: skip
BRAINTRUST = [
    {"id": f"b{i}", "span_id": f"s{i}", "root_span_id": f"s{i}", "input": f"q{i}", "output": "x", "expected": "y",
     "scores": {"Factuality": float(RIGHT[i])}, "metadata": {"model": "gpt"}, "metrics": {"tokens": 100 + i}}
    for i in range(N)
]  # fmt: skip
MLFLOW = {
    "columns": ["inputs", "ground_truth", "outputs", "token_count", "answer_correctness/v1/score",
                "answer_correctness/v1/justification"],
    "data": [[f"q{i}", "a", "b", 40 + i, 5 if RIGHT[i] else 2, "because"] for i in range(N)],
}  # fmt: skip
RAGAS = table([
    {"user_input": f"question {i}", "retrieved_contexts": "['x']", "response": f"answer {i}", "reference": f"text {i}",
     "faithfulness": 0.5 + i / 40, "answer_relevancy": 0.9 - i / 50}
    for i in range(N)
])  # fmt: skip
BIGBENCH = {
    "task": {"name": "x"}, "model": {"model_name": "m"}, "results": {"scores": [{"number_of_shots": 0}]},
    "queries": [
        {"function": "cond_log_prob", "shots": 0, "metrics": ["multiple_choice_grade"],
         "samples": [{"input": f"q{i}", "targets": ["a", "b"], "scores": [-0.1, -0.2], "values": {"a": 1, "b": 0},
                      "correct": RIGHT[i], "absolute_scores": [-1.0, -2.0]} for i in range(N)]}
    ],
}  # fmt: skip
ALPACA = [
    {"instruction": f"do {i}", "output_1": "x", "generator_1": "davinci", "output_2": "y", "generator_2": "mine",
     "dataset": "helpful_base", "annotator": "weighted_alpaca_eval", "preference": 1.9 if RIGHT[i] else 1.2}
    for i in range(N)
]  # fmt: skip
MTBENCH = lines([
    {"question_id": 81 + i, "model": "vicuna", "judge": ["gpt-4", "single-v1"], "user_prompt": "p", "judgment": "ok",
     "score": 7 + i % 3 if RIGHT[i] else 3, "turn": turn, "tstamp": 1.5}
    for turn in (1, 2)
    for i in range(N)
])  # fmt: skip

#: Name of the tool, the ending of its file, and what is in it.
FILES: dict[str, tuple[str, str]] = {
    "HELM": (".json", json.dumps(HELM)),
    "EvalPlus": (".json", json.dumps(EVALPLUS)),
    "DeepEval": (".json", json.dumps(DEEPEVAL)),
    "OpenAI evals": (".jsonl", OPENAI),
    "OpenAI hosted": (".json", json.dumps(HOSTED)),
    "Inspect": (".json", json.dumps(INSPECT, indent=2)),
    "lm-evaluation-harness": (".jsonl", HARNESS),
    "SWE-bench": (".json", json.dumps(SWEBENCH, indent=1)),
    "promptfoo": (".json", json.dumps(PROMPTFOO_TABLE)),
    "LangSmith": (".csv", LANGSMITH),
    "Langfuse": (".csv", LANGFUSE),
    "Braintrust": (".json", json.dumps(BRAINTRUST, indent=2)),
    "Braintrust lines": (".jsonl", lines(BRAINTRUST)),
    "MLflow": (".json", json.dumps(MLFLOW)),
    "RAGAS": (".csv", RAGAS),
    "BIG-bench": (".json", json.dumps(BIGBENCH)),
    "AlpacaEval": (".json", json.dumps(ALPACA, indent=1)),
    "MT-bench": (".jsonl", MTBENCH),
    "MT-bench, failures": (".jsonl", MTBENCH.replace('"score": 3, "turn": 2', '"score": -1, "turn": 2', 1)),
}
