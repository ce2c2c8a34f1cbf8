"""Tables that say right or wrong of each item, for `howsure log`."""

from __future__ import annotations

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
