"""Inputs that people have (``tests/reference/realworld``): each gives the right value, or a sentence that helps.

Today 41 are right at once, 25 with one option, 7 refused; of version 0.2.0 22 were so, and 12 were wrong in silence.
A row is an input: what is typed, and what has to come. `ONCE` needs no option, `OPTION` needs one that the refusal
without it names, `REFUSED` is rightly refused, with words that help.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from howsure.cli import main
from howsure.io import read

FOLDER = Path("tests/reference/realworld")
ONCE, OPTION, REFUSED = "right at once", "right with one option", "refused well"

Value = dict[str, Any]


class Row(NamedTuple):
    """An input, what is typed after `howsure`, which of the three it is, and a check or the words of the refusal."""

    kind: str
    words: str
    expected: Any


def matrix(counts: list[list[int]], labels: str = "") -> Callable[[Value], None]:
    """Counts, rows truth; the names of the classes too where they are given."""

    def check(answer: Value) -> None:
        assert answer["counts"] == counts
        assert not labels or answer["classes"] == labels.split("|")

    return check


def values(**expected: Any) -> Callable[[Value], None]:
    """Values of the answer by key; numbers to the digits that are written here."""

    def check(answer: Value) -> None:
        for key, value in expected.items():
            found = answer
            for part in key.split("__"):
                found = found[int(part)] if part.isdigit() else found[part]
            assert found == (pytest.approx(value, abs=0.0101) if isinstance(value, float) else value), key

    return check


def paired(both: int, first: int, second: int, neither: int) -> Callable[[Value], None]:
    """Two classifiers on the same cases, by how many each was right on."""
    n = both + first + second + neither

    def check(answer: Value) -> None:
        assert answer["paired"]
        assert [one["n"] for one in answer["classifiers"]] == [n, n]
        assert [round(one["observed"] * n) for one in answer["classifiers"]] == [both + first, both + second]
        assert [*answer["discordant"].values()] == [both, first, second, neither]

    return check


#: TP 39, FN 16, FP 15, TN 80 in every export of one classifier.
CASES = matrix([[80, 15], [16, 39]])
FAIR = values(n=6150, groups__0__cases=2454, groups__0__false_positive_rate__observed=0.235)

ROWS = {
    "weka_full_stackoverflow_2903933.txt": [Row(ONCE, "report", matrix([[59, 2], [27, 12]], "0|1"))],
    "weka_newbe2.txt": [Row(ONCE, "report", matrix([[130, 8], [15, 150]], "functional|non-functional"))],
    "caret_list_print_codedump.txt": [Row(ONCE, "report", matrix([[99, 20], [6, 88]], "-|+"))],
    "h2o_perf_so43699454.txt": [Row(ONCE, "report", matrix([[2109, 1008], [257, 350]]))],
    "stata_estat_class.txt": [Row(ONCE, "report", matrix([[118, 12], [38, 21]]))],
    "rapidminer_table.tsv": [
        Row(ONCE, "report", matrix([[638, 66, 16], [111, 75, 0], [63, 3, 28]], "neutral|positive|negative"))
    ],
    "so363382.txt": [Row(ONCE, "report", matrix([[550, 150], [50, 250]], "A|B"))],
    "orange4404.txt": [Row(ONCE, "report", matrix([[87500, 708], [21767, 347]]))],
    "azure_aibuilder.json": [Row(OPTION, "report --rows true", matrix([[71, 9, 21], [5, 0, 27], [2, 0, 45]], "0|1|2"))],
    "azure_confmatrix.json": [
        Row(OPTION, "report --rows true", matrix([[3, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]], "0|1|2|3"))
    ],
    "bq_cm.csv": [Row(ONCE, "report", matrix([[6120, 312], [845, 1723]], "0|1"))],
    "records.json": [Row(ONCE, "report", matrix([[1, 1], [0, 2]], "a|b"))],
    "wandb_cm.csv": [Row(ONCE, "report", matrix([[45, 5], [8, 92]], "cat|dog"))],
    "wandb_table.json": [Row(ONCE, "report", matrix([[45, 5], [8, 92]], "cat|dog"))],
    "r_var1.csv": [Row(OPTION, "report --true Var1 --pred Var2", matrix([[131, 3], [5, 71]], "benign|malignant"))],
    "r_table1.txt": [Row(ONCE, "report", matrix([[204, 36], [7, 63]], "no|yes"))],
    "r_table2.txt": [Row(ONCE, "report", matrix([[204, 36], [7, 63]], "no|yes"))],
    "yolo_cm.csv": [Row(REFUSED, "report", ["background", "not a class"])],
    "hf_evaluate.txt": [Row(OPTION, "report --rows true", matrix([[2, 1], [2, 1]]))],
    "torchmetrics_cuda.txt": [Row(OPTION, "report --rows true", matrix([[450, 12], [31, 507]]))],
    "torch_cpu.txt": [Row(OPTION, "report --rows true", matrix([[450, 12], [31, 507]]))],
    "sas_procfreq.txt": [Row(ONCE, "report", matrix([[425, 75], [55, 195]], "0|1"))],
    "spss_crosstab.txt": [Row(ONCE, "report", matrix([[204, 36], [7, 63]]))],
    "epir.txt": [Row(ONCE, "report", matrix([[640, 202], [74, 670]]))],
    "matlab_cm.txt": [
        Row(OPTION, "report --rows true", matrix([[50, 0, 0], [0, 47, 3], [0, 4, 46]], "setosa|versicolor|virginica"))
    ],
    "julia_mlbase.txt": [Row(ONCE, "report", matrix([[204, 36], [7, 63]], "0|1"))],
    "statsmodels_predtable.txt": [Row(OPTION, "report --rows true", matrix([[18, 3], [3, 8]]))],
    "pandas_crosstab.csv": [Row(ONCE, "report", matrix([[97, 3], [8, 42]], "0|1"))],
    "pandas_crosstab.txt": [Row(ONCE, "report", matrix([[97, 3], [8, 42]], "0|1"))],
    "wiki_md.md": [Row(ONCE, "report", matrix([[92, 8], [5, 45]]))],
    "clsrep_dict.txt": [Row(ONCE, "report", matrix([[85, 5], [11, 42]], "0|1"))],
    "clsrep_dict.json": [Row(ONCE, "report", matrix([[85, 5], [11, 42]], "0|1"))],
    "lmeval_samples_gsm8k.jsonl": [
        Row(OPTION, "log --filter strict-match", values(correct=121, n=200)),
        Row(REFUSED, "log", ["strict-match", "--filter strict-match"]),
    ],
    "lmeval_results.json": [Row(REFUSED, "log", ["log_samples"])],
    "promptfoo_results.json": [
        Row(ONCE, "log", values(paired=True, classifiers__0__observed=33 / 40, classifiers__1__observed=24 / 40))
    ],
    "promptfoo.jsonl": [
        Row(
            OPTION, "log --field success",
            values(paired=True, classifiers__0__observed=33 / 40, classifiers__1__observed=24 / 40),
        )
    ],
    "swebench_report.json": [Row(ONCE, "log", values(correct=93, n=300))],
    "openai_evals.jsonl": [Row(OPTION, "log --field data.correct", values(correct=36, n=60))],
    "deepeval_run.json": [Row(ONCE, "log", values(correct=41, n=50))],
    "humaneval_samples_results.jsonl": [
        Row(OPTION, "log --field passed", values(n=400, items=40, mean=0.39, low=0.29, high=0.48)),
        Row(ONCE, "repeats", values(items=40, most=10, metrics__0__low=0.29)),
    ],
    "he_a_task_id.jsonl": [
        Row(OPTION, "log tests/reference/realworld/he_b_task_id.jsonl --field passed", paired(106, 8, 8, 42))
    ],
    "rep_task_id.jsonl": [
        Row(OPTION, "log --field passed", values(n=200, items=20)),
        Row(ONCE, "repeats", values(items=20, most=10)),
    ],
    "arena_votes.csv": [
        Row(REFUSED, "report", ["vote", "howsure rank"]),
        Row(ONCE, "rank", values(metric="Elo", leaders=["gpt-4"], entries__0__n=212, entries__3__name="alpaca-13b")),
    ],
    "arena_leaderboard.csv": [Row(REFUSED, "rank", ["Arena Score", "not an accuracy"])],
    "hanley.csv": [
        Row(
            OPTION, "curve --true truth --score rating --positive abnormal --draws 2000",
            values(sizes=[58, 51], numbers__0__observed=0.893),
        )
    ],
    "compas_counts.csv": [Row(OPTION, "fairness --true two_year_recid --pred score_high --by race", FAIR)],
    **{
        f"cc_{name}.csv": [Row(OPTION, "fairness --true two_year_recid --pred score_high --by race", FAIR)]
        for name in ("cnt", "count_star", "nPredictions", "value")
    },
    "forensic_ames.csv": [
        Row(OPTION, "report --rows true --missing exclude", matrix([[1421, 22], [4, 1075]])),
        Row(REFUSED, "report", ["Inconclusive", "no class", "--missing exclude"]),
    ],
    "ci_kappa.txt": [Row(OPTION, "report --rows true", matrix([[31, 12], [4, 58]]))],
    "sas_skin.csv": [
        Row(
            OPTION, "report --rows true",
            matrix([[10, 4, 1, 0], [5, 10, 12, 2], [2, 4, 12, 5], [0, 2, 6, 13]], "Terrible|Poor|Marginal|Clear"),
        )
    ],
    "mcnemar_prachub.txt": [Row(ONCE, "compare", paired(8740, 300, 220, 740))],
    "mcnemar_counts.csv": [Row(ONCE, "compare --metric accuracy", paired(8740, 300, 220, 740))],
    "paper_sentence.txt": [Row(ONCE, "report", matrix([[204, 36], [7, 63]]))],
    "azure_scored.csv": [Row(OPTION, "report --true income", CASES)],
    "caret_pred.csv": [Row(ONCE, "report", CASES)],
    "tidymodels_pred.csv": [Row(ONCE, "report", CASES)],
    "spss_save.csv": [Row(OPTION, "report --true default", CASES)],
    "sas_score.csv": [Row(ONCE, "report", CASES)],
    "lbl_int_prob.csv": [Row(ONCE, "report", CASES)],
    "pandas_idx.csv": [Row(ONCE, "report", CASES)],
    "orange_pred.csv": [Row(ONCE, "report", CASES)],
    "pycaret_pred.csv": [
        Row(ONCE, "report", CASES),
        Row(ONCE, "curve --draws 2000", values(sizes=[95, 55], numbers__0__observed=0.858)),
    ],
    "mteb_gpqa.csv": [Row(ONCE, "rank", values(entries__0__name="claude-3.5-sonnet", entries__0__observed=118 / 198))],
    "kaggle_lb.csv": [Row(REFUSED, "rank", ["--n"])],
}  # fmt: skip

EACH = [(name, row) for name, rows in ROWS.items() for row in rows]


def names(name: str, row: Row) -> str:
    """What a row is called here."""
    return f"{name} {row.words.split()[0]}"


def typed(row: Row, name: str) -> list[str]:
    """The command, the input behind it, and the rest."""
    verb, *rest = row.words.split()
    return [verb, str(FOLDER / name), *rest]


@pytest.mark.sweep(2, full=52)
@pytest.mark.parametrize(("name", "row"), EACH, ids=[names(*each) for each in EACH])
def test_each_input(name: str, row: Row, capsys: pytest.CaptureFixture[str]) -> None:
    words = typed(row, name)
    if row.kind == REFUSED:
        assert main(words) == 2
        said = capsys.readouterr().err
        assert all(part in said for part in row.expected), said
        return
    if row.words.startswith("report"):
        options = dict(zip([it.removeprefix("--") for it in words[2::2]], words[3::2], strict=True))
        keywords = {"true": "y_true", "pred": "y_pred"}
        found = read(words[1], **{keywords.get(key, key): value for key, value in options.items()}).confusion
        row.expected({"counts": found.counts.tolist(), "classes": list(found.labels)})
        assert main([*words, "--draws", "200"]) == 0
        return
    assert main([*words, "--json"]) == 0, capsys.readouterr().err
    row.expected(json.loads(capsys.readouterr().out))


def test_every_input_is_here() -> None:
    there = {path.name for path in FOLDER.iterdir()} - {"README.md", "he_b_task_id.jsonl"}
    assert there == set(ROWS)
