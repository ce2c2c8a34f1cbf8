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


@pytest.mark.parametrize("command", ["compare", "rank", "report"])
@pytest.mark.parametrize("form", ["wide", "words", "long"])
def test_other_commands_say_who_reads_them(
    command: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[Any]
) -> None:
    (tmp_path / "x.csv").write_text(FORMS[form])
    assert main([command, str(tmp_path / "x.csv")]) == 2
    assert "howsure log" in capsys.readouterr().err
