"""Tables that say right or wrong of each item, for `howsure log`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from scipy import special

from howsure.cli import main
from howsure.errors import InvalidFile
from howsure.io.logs import read_log
from howsure.io.logs.log import read_logs

A = [1, 1, 0, 1, 1, 1, 0, 1, 1, 1]
B = [1, 0, 0, 1, 0, 1, 1, 1, 0, 1]
#: P(A better) by the closed form of docs/compare.md: three cases only A has right, one only B.
BETTER = special.betainc(1 + 1 / 3, 3 + 1 / 3, 0.5)

PAIRS = list(enumerate(zip(A, B, strict=True)))
FORMS = {
    "wide": "item,llama,mistral\n" + "".join(f"q{i},{a},{b}\n" for i, (a, b) in PAIRS),
    "words": "question_id,llama,mistral\n" + "".join(f"q{i},{bool(a)},{bool(b)}\n" for i, (a, b) in PAIRS),
    "windows": "\ufeffid;llama;mistral\r\n" + "".join(f"q{i};{a},0;{b},0\r\n" for i, (a, b) in PAIRS),
    "topic": "item,topic,llama,mistral\n" + "".join(f"q{i},art,{a},{b}\n" for i, (a, b) in PAIRS),
    "long": "item,model,correct\n" + "".join(f"q{i},llama,{a}\nq{i},mistral,{b}\n" for i, (a, b) in PAIRS),
}


@pytest.mark.sweep(6, full=10)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("packed", [False, True])
def test_models_are_compared_on_the_same_items(
    form: str, packed: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, data = tmp_path / ("x.csv.gz" if packed else "x.csv"), FORMS[form].encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    assert main(["log", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["paired"]
    assert [(x["name"], x["observed"]) for x in said["classifiers"]] == [("llama", 0.8), ("mistral", 0.6)]
    assert said["p_better"] == pytest.approx(BETTER, abs=1e-12)


def test_one_model_a_file_and_three_in_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, marks in {"llama": A, "mistral": B}.items():
        rows = "".join(f"q{i},{'pass' if mark else 'fail'}\n" for i, mark in enumerate(marks))
        (tmp_path / f"{name}.csv").write_text("item,passed\n" + rows)
    log = read_log(tmp_path / "llama.csv")
    assert (log.n, log.correct, log.metric) == (10, 8, "passed")
    files = [str(tmp_path / f"{name}.csv") for name in ("llama", "mistral")]
    assert main(["log", *files, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["p_better"] == pytest.approx(BETTER, abs=1e-12)
    three = tmp_path / "three.csv"
    three.write_text("item,a,b,c\n" + "".join(f"q{i},{a},{b},0\n" for i, (a, b) in PAIRS))
    assert main(["log", str(three)]) == 0
    assert "Each column of right and wrong is a model: 'a', 'b', 'c'." in capsys.readouterr().out
    with pytest.raises(InvalidFile, match=r"there are several models: 'a', 'b', 'c'\."):
        read_log(three)


def test_a_column_of_notes_with_a_yes_among_them_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("item,llama,note\n1,1,yes\n2,0,asked twice\n3,1,ambiguous\n")
    assert {name: log.correct for name, log in read_logs(path).items()} == {"": 2}


def test_scores_thresholds_groups_and_blanks(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("item,passage,llama\n1,p,0.9\n2,p,0.2\n3,q,\n4,q,0.7\n")
    assert read_log(path, field="llama").scores.tolist() == [0.9, 0.2, 0.7]
    log = read_log(path, field="llama", threshold=0.5, group="passage")
    assert (log.right.tolist(), log.group) == ([True, False, True], ("p", "p", "q"))
    assert log.notes == ("Set aside: 1 of 4 answers that were not scored.",)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("item,llama\n1,maybe\n2,perhaps\n", "right and wrong has the columns.*'llama'; --field names the column"),
        ("id,y_true,a,b\n1,1,1,0\n", "howsure compare"),
        ("llama,mistral\n1,0\n", "right and wrong has the columns item,model_a,model_b"),
        ("item,llama\n", "no row below"),
        ("item,llama,mistral\n1,1,0\n1,1,0\n", "line 3: the item '1' comes twice"),
        ("item,llama\n,1\n", "the item of a row is missing; fill it in, or"),
        ("item,model,correct\n1,a,1\n1,,0\n2,NA,1\n", "line 3: the model of a row is missing; fill it"),
        ("item,model,correct\n1,a,1\n2,NA,1\n", "line 3: the model of a row is missing; fill it"),
        ("item,model,correct,passed\n1,a,1,0\n", "there are several scores of each answer:"),
        ("item,llama\n1,1\n2,1\n3,perhaps\n", "line 4: 'llama' of '3' .line 4. holds 'perhaps'"),
    ],
)
def test_what_is_wrong_is_named(text: str, match: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(InvalidFile, match=match):
        read_logs(tmp_path / "x.csv")


@pytest.mark.parametrize("command", ["compare", "rank", "report"])
@pytest.mark.parametrize("form", ["wide", "words", "long"])
def test_other_commands_say_who_reads_them(
    command: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[Any]
) -> None:
    (tmp_path / "x.csv").write_text(FORMS[form])
    assert main([command, str(tmp_path / "x.csv")]) == 2
    assert "howsure log" in capsys.readouterr().err


def test_groups_of_a_column_a_model_are_those_of_the_items(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("item,passage,a,b\n1,p,1,0\n2,p,0,0\n3,q,1,1\n4,q,1,0\n")
    logs = read_logs(path, group="passage")
    assert {name: (log.correct, log.group) for name, log in logs.items()} == {
        "a": (3, ("p", "p", "q", "q")),
        "b": (1, ("p", "p", "q", "q")),
    }
