"""``howsure report --wrong-labels``: a number, a share, per cent; as text, JSON and Markdown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from howsure.cli import main

TABLE = "true\\pred,healthy,ill\nhealthy,45,5\nill,8,42\n"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "m.csv"
    path.write_text(TABLE)
    return str(path)


@pytest.mark.parametrize("said", ["5", "5%", "0.05", "1/20"])
def test_a_number_or_a_share(said: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", file, "-m", "mcc", "--wrong-labels", said]) == 0
    shown = capsys.readouterr().out
    assert "With up to 5 of the 100 reference labels wrong:" in shown
    assert "0.64 to 0.85" in shown


def test_json_and_markdown(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", file, "-m", "mcc", "--wrong-labels", "5", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["wrong_labels"]
    assert (made["wrong"], made["n"]) == (5, 100)
    assert made["metrics"][0]["range"] == "exact"
    for name in ("out.md", "out.html"):
        assert main(["report", file, "-m", "mcc", "--wrong-labels", "5", "--out", str(tmp_path / name)]) == 0
        assert "With up to 5 of the 100 reference labels wrong" in (tmp_path / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("said", "why"), [("-1", "between 0 and 1"), ("101", "more than"), ("x", "percentage"), ("1.5", "0 and 1")]
)
def test_what_is_no_number_of_labels(said: str, why: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", file, f"--wrong-labels={said}"]) != 0
    assert why in capsys.readouterr().err
