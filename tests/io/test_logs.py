"""Logs of evaluations, and slices of them."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.io.log_files import FILES, RIGHT, SECOND, N

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidArgument, InvalidFile, InvalidLabels
from howsure.io.logs import Outcomes, paired, read_log
from howsure.io.logs.log import slices_of_logs
from howsure.io.logs.shapes import lighteval
from howsure.reporting.repeats import log_report

REFERENCE = Path(__file__).parents[1] / "reference"


def harness(path: Path, right: dict[str, float], **more: Any) -> Path:
    rows = []
    for number, (item, acc) in enumerate(right.items()):
        for name in ("strict-match", "flexible-extract"):
            value = acc if name == "strict-match" else 1.0
            row = {"doc_id": number, "doc_hash": item, "filter": name, "metrics": ["exact_match"], "exact_match": value}
            rows.append({**row, **more})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("name", ["inspect.eval", "inspect.json"])
def test_logs_that_inspect_itself_wrote(name: str) -> None:
    if name.endswith(".eval"):
        pytest.importorskip("zstandard")
    log = read_log(REFERENCE / name)
    assert (log.n, log.correct, log.distinct, log.metric) == (6, 4, 3, "match")
    assert sorted(zip(log.items, log.right.tolist(), strict=True)) == [
        ("four", False), ("four", True), ("three", True), ("three", True), ("two", False), ("two", True)
    ]  # fmt: skip
    assert 3 <= log_report(log).effective_n <= 6


def test_samples_that_the_harness_itself_wrote() -> None:
    path = REFERENCE / "lm_eval_samples.jsonl"
    with pytest.raises(InvalidFile, match="--filter strict-match"):
        read_log(path)
    log = read_log(path, filter="strict-match")
    assert (log.n, log.correct, log.distinct, log.metric) == (6, 4, 6, "exact_match")
    assert all(len(item) == 64 for item in log.items)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_log_is_known_by_how_it_begins(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    plain, packed = harness(tmp_path / "a.jsonl", {"x": 1.0, "y": 0.0}), tmp_path / "packed.jsonl"
    packed.write_bytes(pack(plain.read_bytes()))
    assert read_log(packed, filter="strict-match").items == read_log(plain, filter="strict-match").items
    packed.write_bytes(packed.read_bytes()[:-12])
    with pytest.raises(InvalidFile, match="stream is damaged or cut short"):
        read_log(packed, filter="strict-match")


def archive(path: Path, method: int = zipfile.ZIP_STORED) -> bytes:
    with zipfile.ZipFile(path, "w", method) as made:
        for number in (1, 2):
            sample = {"id": number, "epoch": 1, "scores": {"match": {"value": "C"}}}
            made.writestr(f"samples/{number}_epoch_1.json", json.dumps(sample))
    return path.read_bytes()


def test_an_archive_whose_names_are_damaged_and_one_with_a_sample_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    whole = archive(path)
    assert read_log(path).n == 2
    # the second mark of a name in the list at the end says that names are UTF-8
    names = whole.rindex(b"samples/1")
    path.write_bytes(whole[: names - 37] + b"\x08" + whole[names - 36 : names] + b"\xff" + whole[names + 1 :])
    with pytest.raises(InvalidFile, match=r"it is no whole \.eval archive, and damaged or"):
        read_log(path)
    # the second sample lies further on than it says: the end of the archive comes first, or Python sees it before
    start = whole.index(b"samples/2") - 4
    path.write_bytes(whole[: start + 3] + b"\x7f" + whole[start + 4 :])
    with pytest.raises(InvalidFile, match=r"it is no whole \.eval archive, and damaged or"):
        read_log(path)


@pytest.mark.full
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_with_any_byte_damaged_is_read_or_refused_in_our_words(tmp_path: Path, method: int) -> None:
    path, refused = tmp_path / "x.eval", 0
    whole = archive(path, method)
    for place in range(len(whole)):
        for change in (0x01, 0xFF):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ change]) + whole[place + 1 :])
            try:
                read_log(path)
            except InvalidFile:
                refused += 1
    assert refused > len(whole) // 2


def test_scores_that_are_no_object_and_metrics_that_are_no_names(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"samples": [{"id": 3, "scores": 2}]}')
    with pytest.raises(InvalidFile, match="scores of sample 1 must be an object, not 2"):
        read_log(path)
    path = tmp_path / "x.jsonl"
    path.write_text('{"doc_id": 1, "metrics": [["acc"], {}, 1, "acc"], "acc": 1.0}\n')
    assert read_log(path).correct == 1
    assert lighteval("x", [(1, {"full_prompt": "x", "metrics": "{[]: 1}"})]).marks == ()


def test_the_harness_by_filter_and_hash(tmp_path: Path) -> None:
    first = harness(tmp_path / "a.jsonl", {"x": 1.0, "y": 0.0, "z": 1.0})
    second = harness(tmp_path / "b.jsonl", {"z": 1.0, "x": 0.0, "w": 1.0})
    with pytest.raises(InvalidFile, match="there are several scores of each item:"):
        read_log(first)
    a, b = (read_log(path, filter="strict-match") for path in (first, second))
    assert (a.n, a.correct) == (3, 2)
    both = paired({"A": a, "B": b})
    assert sorted(both.id.tolist()) == ["x", "z"]
    assert both.confusion("A").correct.sum() == 2
    assert both.confusion("B").correct.sum() == 1
    assert any("2 of 4 ids are answered by all classifiers" in note for note in both.notes)
    assert "paired" in str(hs.compare(both, metric="accuracy"))


def test_details_of_lighteval(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "details.parquet"
    with duckdb.connect() as db:
        db.execute(
            "COPY (SELECT {'id': i::VARCHAR, 'query': 'q' || i} AS doc, {'text': ['x']} AS model_response, "
            f"{{'em': (i % 4 > 0)::INT}} AS metric FROM range(20) r(i)) TO '{path}' (FORMAT parquet)"
        )
    log = read_log(path)
    assert (log.n, log.correct, log.metric) == (20, 15, "em")


def test_details_of_lighteval_with_metrics_that_some_rows_lack(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "details.parquet"
    with duckdb.connect() as db:
        db.execute(
            "COPY (SELECT {'query': 'q' || i, 'choices': ['A', 'B'], 'gold_index': [0], 'id': ''} AS doc, "
            "{'acc': CASE WHEN i < 3 THEN 1.0 END, 'unused': NULL::DOUBLE} AS metric, "
            "{'text': ['x']} AS model_response "
            f"FROM range(4) r(i)) TO '{path}' (FORMAT parquet)"
        )
    log = read_log(path)
    assert (log.n, log.distinct, log.correct, log.metric) == (3, 3, 3, "acc")
    assert "Set aside: 1 of 4 answers that were not scored." in log.notes


def test_any_field_of_true_and_false(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"id": 1, "ok": true}\n{"id": 2, "ok": 0}\n{"id": 3, "ok": null}\n')
    log = read_log(path, field="ok")
    assert (log.n, log.correct) == (2, 1)
    assert log.notes == ("Set aside: 1 of 3 answers that were not scored.",)
    with pytest.raises(InvalidFile, match="line 1: no field 'right'"):
        read_log(path, field="right")


def test_partial_credit_is_a_score_and_with_a_threshold_right_or_wrong(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"id": 1, "score": 0.4}\n{"id": 2, "score": 0.9}\n')
    assert read_log(path, field="score").scores.tolist() == [0.4, 0.9]
    with pytest.raises(
        InvalidLabels, match=r"'score' of '1' is 0\.4, which is neither right \(1\) nor wrong \(0\); .*"
    ):
        paired(dict.fromkeys("ab", read_log(path, field="score")))
    # from the threshold on
    assert [read_log(path, field="score", threshold=at).correct for at in (0.4, 0.5, 0.9, 0.91)] == [2, 1, 1, 0]


@pytest.mark.parametrize("command", [["report"], ["compare"], ["rank"], ["gate", "--candidate"]])
@pytest.mark.parametrize("name", ["inspect.json", "inspect.eval", "lm_eval_samples.jsonl"])
def test_other_commands_point_to_the_one_for_logs(
    name: str, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, str(REFERENCE / name)]) == 2
    assert "howsure log" in capsys.readouterr().err


def test_logs_of_right_and_wrong_have_no_classes() -> None:
    logs = {
        "a": Outcomes([str(i) for i in range(40)], [i % 4 > 0 for i in range(40)]),
        "b": Outcomes([str(i) for i in range(40)], [i % 3 > 0 for i in range(40)]),
    }
    made = hs.compare(paired(logs), metric="accuracy")
    assert (made.per_class, made.warnings) == ((), ())
    assert "recall" not in str(made)


# -- slices of logs of evaluations: a field of the questions, or each log ---------------------------------------------

LEVELS = ("school", "college")


def harness_of_slices_of_logs(folder: Path, name: str, n: int, right: int, **more: object) -> str:
    """Samples of a subtask: the first ``right`` of ``n`` are, and levels alternate."""
    rows = [
        {"doc_id": i, "doc_hash": f"{name}{i}", "filter": "none", "acc": float(i < right),
         "doc": {"level": LEVELS[i % 2]}, **more}
        for i in range(n)
    ]  # fmt: skip
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def logs(tmp_path: Path) -> list[str]:
    return [
        harness_of_slices_of_logs(tmp_path, "law", 20, 10),
        harness_of_slices_of_logs(tmp_path, "art", 30, 24),
        harness_of_slices_of_logs(tmp_path, "physics", 10, 9),
    ]


def test_a_field_makes_slices_over_all_logs(logs: list[str]) -> None:
    made, _ = slices_of_logs(logs, ["level"])
    found = {name: made.confusion(name).counts[1].tolist() for name in made.names}
    # the first ten of law, 24 of art and nine of physics are right, and levels alternate
    assert found == {"school": [30 - 22, 22], "college": [30 - 21, 21]}
    two, _ = slices_of_logs(logs[:1], ["level", "doc_id"])
    assert two.by == ("level", "doc_id")
    assert len(two) == 20


def test_the_command_reads_what_the_function_reads(
    logs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["slices", *logs, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["slices"][0]["name"] == "law"
    assert {row["name"]: row["cases"] for row in made["slices"]} == {"law": 20, "art": 30, "physics": 10}
    assert main(["slices", *logs, "--by", "level", "-o", str(tmp_path / "out.csv")]) == 0
    assert (tmp_path / "out.csv").read_text(encoding="utf-8").count("\n") == 3


def test_what_is_no_log_or_not_enough_is_told(logs: list[str], tmp_path: Path) -> None:
    table = tmp_path / "cases.csv"
    table.write_text("y_true,y_pred\n1,1\n", encoding="utf-8")
    twice = harness_of_slices_of_logs(tmp_path, "twice", 6, 3)
    rows = Path(twice).read_text(encoding="utf-8")
    Path(twice).write_text(rows.replace('"doc_hash": "twice1"', '"doc_hash": "twice0"'), encoding="utf-8")
    for paths, by, kind, words in (
        (logs[:1], [], InvalidArgument, "name the field"),
        ([logs[0], str(table)], [], InvalidFile, "not a log of an evaluation"),
        (logs, ["nothing"], InvalidFile, "to name its slice"),
        ([logs[0], logs[0]], [], InvalidArgument, "comes twice"),
    ):
        with pytest.raises(kind, match=words):
            slices_of_logs(paths, by)
    other = harness_of_slices_of_logs(tmp_path, "other", 6, 3, exact_match=1.0)
    with pytest.raises(InvalidFile, match="--pred"):
        slices_of_logs([logs[0], other])
    assert slices_of_logs([logs[0], other], score="acc")[0].n == 26


def test_epochs_are_refused_because_their_answers_are_alike() -> None:
    with pytest.raises(InvalidArgument, match="several epochs"):
        slices_of_logs(["examples/epochs_new.json"], ["passage"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--positive", "x"], "leave --positive out"),
        (["--metric", "f1"], "accuracy or error_rate"),
        (["--labels", "a,b"], "leave --labels out"),
    ],
)
def test_options_of_classes_are_refused(
    logs: list[str], words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["slices", *logs, *words]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


# -- files as evaluation tools write them: the right value at once, or a sentence that leads to it in one step --------

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
