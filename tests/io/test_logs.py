"""Logs of evaluations: the tools' own files, and what is chosen, joined and refused."""

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

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidFile, InvalidLabels
from howsure.io.logs import Outcomes, paired, read_log
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


@pytest.mark.full
def test_repeats_that_always_agree_are_one_case_each() -> None:
    items = [str(i) for i in range(50)] * 4
    right = [i % 5 > 0 for i in range(50)] * 4
    same = Outcomes(items, right)
    report = log_report(same)
    assert report.effective_n == pytest.approx(50, rel=0.1)  # the correlation is learned, and never known to be 1
    assert same.independent == report.items == 50
    assert report.answer.observed == pytest.approx(0.8)
    assert log_report(Outcomes([str(i) for i in range(200)], right)).effective_n == 200


def test_epochs_of_an_item_are_a_group_of_a_pair() -> None:
    log = Outcomes(["a", "b", "a", "b"], [True, False, False, False])
    both = paired({"A": log, "B": log})
    assert both.n == 4
    assert both.group is not None
    assert both.group.tolist() == ["a", "b", "a", "b"]
    assert both.notes == ("Groups: the 2 questions; epochs of a question are paired by their numbers.",)
    with pytest.raises(InvalidLabels, match="no id is answered by all"):
        paired({"A": log, "B": Outcomes(["c"], [True])})


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
