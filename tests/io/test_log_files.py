"""Files as evaluation tools write them: the right value at once, or a sentence that leads to it in one step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.io.log_files import FILES, RIGHT, SECOND, N

from howsure.cli import main

BOTH = sum(a and b for a, b in zip(RIGHT, SECOND, strict=True))
SCORES = sum(7 + i % 3 if right else 3 for i, right in enumerate(RIGHT)) / N

#: What is typed after the file, how many are right or the mean score; or what the refusal says.
ROWS: list[tuple[str, str, int | float | str]] = [
    ("HELM", "", "'stats.exact_match.mean',"),
    ("HELM", "--field stats.exact_match.mean", sum(RIGHT)),
    ("EvalPlus", "", "('base_status', 'plus_status' may be it)"),
    ("EvalPlus", "--field base_status", sum(RIGHT)),
    ("EvalPlus", "--field plus_status", BOTH),
    ("DeepEval", "", BOTH),
    ("DeepEval", "--field metricsData.Faithfulness.success", sum(SECOND)),
    ("OpenAI evals", "", sum(RIGHT)),
    ("OpenAI hosted", "", sum(RIGHT)),
    ("Inspect", "", sum(RIGHT)),
    ("lm-evaluation-harness", "", "'acc', 'acc_norm'. Choose one: --metric acc"),
    ("lm-evaluation-harness", "--metric acc_norm", sum(SECOND)),
    ("SWE-bench", "", sum(RIGHT)),
    ("promptfoo", "", sum(RIGHT)),
    ("LangSmith", "", sum(RIGHT)),
    ("Langfuse", "", "'correct', 'helpful'. Choose one: --filter"),
    ("Langfuse", "--filter helpful", sum(SECOND)),
    ("Braintrust", "", sum(RIGHT)),
    ("Braintrust lines", "", sum(RIGHT)),
    ("MLflow", "", sum(5 if right else 2 for right in RIGHT) / N),
    ("MLflow", "--threshold 4", sum(RIGHT)),
    ("RAGAS", "", "'faithfulness', 'answer_relevancy'; --field names the column of scores"),
    ("RAGAS", "--field faithfulness --range 0,1", sum(0.5 + i / 40 for i in range(N)) / N),
    ("BIG-bench", "", sum(RIGHT)),
    ("AlpacaEval", "", "among 'instruction', 'output_1', 'generator_1'"),
    ("AlpacaEval", "--field preference --threshold 1.5", sum(RIGHT)),
    ("MT-bench", "--range 1,10", SCORES),
    ("MT-bench, failures", "", "-1 for 1 answers and 0 or more for all others"),
]
NAMES = (
    *(
        "HELM",
        "EvalPlus",
        "DeepEval",
        "OpenAI",
        "Inspect",
        "harness",
        "SWE-bench",
        "promptfoo",
        "LangSmith",
        "Langfuse",
    ),
    *("Braintrust", "MLflow", "RAGAS", "BIG-bench", "AlpacaEval", "MT-bench", "lighteval"),
)


@pytest.mark.parametrize(("tool", "words", "expected"), ROWS, ids=[f"{tool} {words}" for tool, words, _ in ROWS])
def test_a_tools_file_gives_the_right_value_or_asks_once(
    tool: str, words: str, expected: float | str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ending, text = FILES[tool]
    path = tmp_path / f"file{ending}"
    path.write_text(text)
    status = main(["log", str(path), *words.split(), "--json"])
    out, err = capsys.readouterr()
    others = [name for name in NAMES if name in out + err and name not in tool]
    assert not others
    if isinstance(expected, str):
        assert (status, expected in err) == (2, True), err
        return
    assert status == 0, err
    said = json.loads(out)
    assert said["items"] == N
    if isinstance(expected, int):
        assert said["correct"] == expected
    else:
        assert (said["correct"], said["observed"]) == (None, pytest.approx(expected))
    assert main(["repeats", str(path), *words.replace("--field", "--score").split(), "--json"]) in (0, 2)
    out, _ = capsys.readouterr()
    if out:  # the same number by either command
        again = json.loads(out)
        assert [again[key] for key in ("n", "mean", "low", "high")] == [
            said[key] for key in ("n", "mean", "low", "high")
        ]


def test_one_of_several_tables_of_a_document_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.json"
    rows = [[{"id": i, "passed": i % every > 0} for i in range(8)] for every in (2, 4)]
    path.write_text(json.dumps({"old": {"cases": rows[0]}, "new": {"cases": rows[1]}}))
    assert main(["log", str(path)]) == 2
    assert "x.json#old.cases" in capsys.readouterr().err
    assert main(["log", f"{path}#new.cases", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["correct"] == 6
