"""The program: its exit status, its terminal and its output."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from tests.patience import PATIENCE

import howsure as hs
from howsure.cli import main
from howsure.cli.options import Options
from howsure.cli.output import refuse_two_forms
from howsure.cli.terminal import show_report
from howsure.errors import InvalidArgument, MissingExtra
from howsure.text.text_table import breadth

COCAINE = "true\\pred,high,low\nhigh,26,0\nlow,2,6\n"
ROOT = Path(__file__).parents[2]


def howsure(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    """Run the command line inside this process, with streams of its own."""
    given = stdin if isinstance(stdin, bytes) else stdin.encode()
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        status = main(list(arguments))
    shown = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        shown.append(stream.read())
    return subprocess.CompletedProcess(arguments, status, *shown)


def process(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run it as a process of its own."""
    command = [sys.executable, "-m", "howsure", *arguments]
    return subprocess.run(
        command, input=stdin, capture_output=True, encoding="utf-8", check=False, cwd=ROOT, timeout=PATIENCE
    )


def answers(done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, float]]:
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    rows = json.loads(done.stdout)["metrics"]
    return {"@".join(filter(None, (r["metric"], r["average"] or r["label"]))): r for r in rows}


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("howsure: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.full
def test_the_published_table_on_standard_input() -> None:
    rows = answers(process("report", "-", "--prior", "flat", "--json", stdin=COCAINE))
    assert (rows["recall@high"]["low"], rows["recall@high"]["high"]) == pytest.approx((0.89498, 1), abs=1e-5)
    assert (rows["recall@low"]["low"], rows["recall@low"]["high"]) == pytest.approx((0.43237, 0.94576), abs=1e-5)


def test_without_the_command_line_extra_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None; from howsure.cli import main; sys.exit(main(['report', '-']))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert done.stderr == f"howsure: {MissingExtra('The command line', 'cli')}\n"


@pytest.mark.full
def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m howsure report examples/digits.csv --json | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        timeout=PATIENCE,
    )
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_a_defect_is_a_line_not_a_traceback() -> None:
    code = (
        "import howsure.cli.program as app, howsure.cli as cli, sys\n"
        "def broken(*a, **k): raise RuntimeError('boom')\n"
        "app.app = broken\n"
        "sys.exit(cli.main(['report', '-']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE
    )
    assert done.returncode == 70
    assert done.stderr == "howsure: a defect of howsure, RuntimeError: boom. HOWSURE_DEBUG=1 shows where.\n"


# -- what a terminal shows: the same cells, with colour, whatever its width -------------------------------------------


def test_markup_in_labels_is_text() -> None:
    made = hs.report(
        hs.infer(hs.ConfusionMatrix([[9, 1], [2, 8]], labels=["[bold red]x[/]", "[link=http://a]b"]), "flat")
    )
    screen = io.StringIO()
    show_report(made, Console(file=screen, width=200, force_terminal=False))
    assert "[bold red]x[/]" in screen.getvalue()
    assert "[link=http://a]b" in screen.getvalue()


PAIR = "id,y_true,pred_new,pred_an_older_model\n" + "".join(
    f"{i},{'ill' if i % 2 else 'healthy'},{'ill' if i % 2 and i % 7 else 'healthy'},{'ill' if i % 3 else 'healthy'}\n"
    for i in range(60)
)
MATRIX = "true\\pred,healthy,ill\nhealthy,45,5\nill,8,42\n"
COMMANDS = [
    ["report", "{matrix}", "--classical"],
    ["compare", "{pair}"],
    ["rank", "{pair}"],
    ["gate", "--candidate", "{pair}"],
    ["plan", "accuracy", "--width", "0.2"],
    ["post-test", "{matrix}", "--pre-test", "0.02"],
    ["predict", "{matrix}"],
    ["frequencies", "{matrix}"],
    ["sensitivity", "{matrix}", "-m", "recall@ill"],
    ["outlook", "-m", "recall", "--above", "0.7", "{matrix}", "--more", "20,50"],
    ["outlook", "-m", "accuracy", "{pair}", "--more", "20,50"],
    ["stopping-rule", "20,40", "--threshold", "0.8", "--truth", "0.7,0.9"],
    ["digits", "{matrix}", "--metric", "recall"],
    ["reconstruct", "--n", "34", "--recall", "1.00", "--specificity", "0.75"],
    ["metrics"],
    ["metrics", "mcc"],
    ["cite"],
]


@pytest.mark.sweep("60")
@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize(
    "command",
    [pytest.param(it, id=" ".join(it), marks=pytest.mark.full if it[0] == "outlook" else ()) for it in COMMANDS],
)
def test_every_line_fits_the_terminal(
    command: list[str],
    width: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {"matrix": MATRIX, "pair": PAIR}
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
    given = [word.format(**{name: tmp_path / f"{name}.csv" for name in files}) for word in command]
    assert main(given) == 0
    words = capsys.readouterr().out.split()
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(given)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert max(map(breadth, shown.splitlines())) <= width
    if command[0] not in ("report", "plan"):  # the one drops columns, the other adds a curve
        assert sorted(shown.split()) == sorted(words)


def test_errors_break_between_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["report", "nothing.csv", "--prevalence", "0.5,0.5"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 40


# -- records of options are single options on the command line, and every answer is printed in the same way -----------

SHOWN = [
    ["report", "examples/cocaine.csv"],
    ["compare", "examples/digits_pair.csv"],
    ["rank", "examples/kaggle_recursion.csv"],
    ["survey", "examples/toetsch2020.csv"],
]


def test_two_forms_exclude_each_other_before_anything_is_read() -> None:
    with pytest.raises(InvalidArgument, match="--json and --markdown exclude each other"):
        refuse_two_forms(Options(json=True, markdown=True))
    with pytest.raises(InvalidArgument, match="--json and --csv"):
        refuse_two_forms(Options(json=True, csv=True))
    with pytest.raises(InvalidArgument, match="--out chooses"):
        refuse_two_forms(Options(csv=True, out="x.md"))
    assert main(["report", "absent.csv", "--json", "--csv"]) == 2


@pytest.mark.full
@pytest.mark.parametrize("command", SHOWN, ids=lambda command: str(command[0]))
def test_every_form_ends_with_one_line_end(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for form in ([], ["--json"], ["--markdown"], ["--csv"]):
        assert main([*command, *form]) == 0
        shown = capsys.readouterr().out
        assert shown.endswith("\n")
        assert not shown.endswith("\n\n")
        if form == ["--json"]:
            assert json.loads(shown)["format"] == "howsure/1"
