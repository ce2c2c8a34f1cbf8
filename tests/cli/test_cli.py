"""The command line as a user meets it: real processes, exit status, one line on standard error."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE

import howsure as hs
from howsure.cli import main

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


def test_the_published_table_on_standard_input() -> None:
    rows = answers(process("report", "-", "--json", stdin=COCAINE))
    assert (rows["recall@high"]["low"], rows["recall@high"]["high"]) == pytest.approx((0.89498, 1), abs=1e-5)
    assert (rows["recall@low"]["low"], rows["recall@low"]["high"]) == pytest.approx((0.43237, 0.94576), abs=1e-5)


def test_the_other_orientation_gives_the_transposed_answer_and_says_so() -> None:
    done = howsure("report", "-", "--json", stdin=COCAINE.replace("true\\pred", "pred\\true"))
    rows = answers(done)
    assert (rows["recall@high"]["low"], rows["recall@high"]["high"]) == pytest.approx((0.79, 0.99), abs=0.005)
    assert (rows["recall@low"]["low"], rows["recall@low"]["high"]) == pytest.approx((0.65, 1.0), abs=0.005)
    data = json.loads(done.stdout)
    assert data["orientation"] == "true-rows"
    assert data["counts"] == [[26, 2], [0, 6]]
    assert any("rows are predicted classes" in note and "turned" in note for note in data["notes"])
    assert (
        "rows are predicted classes" in howsure("report", "-", stdin=COCAINE.replace("true\\pred", "pred\\true")).stdout
    )


def test_every_surface_has_the_same_numbers() -> None:
    library = hs.report(hs.infer(hs.ConfusionMatrix([[26, 0], [2, 6]], labels=["high", "low"]))).to_dict()
    printed = json.loads(howsure("report", "-", "--json", stdin=COCAINE).stdout)
    assert printed["metrics"] == library["metrics"]
    assert printed["verdict"] == library["verdict"]
    text = howsure("report", "-", stdin=COCAINE).stdout
    markdown = howsure("report", "-", "--markdown", stdin=COCAINE).stdout
    assert library["verdict"] in text
    assert library["verdict"].replace(">", "\\>") in markdown.replace(">", "\\>")
    for shown in ("0.43 to 0.95", "0.89 to 1.00", "0.69 to 0.96"):
        assert shown in text
        assert shown in markdown


def test_a_report_can_be_read_again(tmp_path: Path) -> None:
    first = howsure("report", "-", "--json", stdin=COCAINE).stdout
    saved = tmp_path / "report.json"
    saved.write_text(first, encoding="utf-8")
    assert json.loads(howsure("report", str(saved), "--json").stdout)["metrics"] == json.loads(first)["metrics"]


def test_options_reach_the_answer() -> None:
    rows = answers(
        howsure("report", "-", "--json", "-m", "accuracy", "-m", "f1@macro",
                "-m", "precision", "--prevalence", "high=0.02,low=0.98",
                "--positive", "high", "--prior", "jeffreys", "--level", "0.9", "--kind", "central", "--seed", "3",
                "--draws", "500", stdin=COCAINE)
    )  # fmt: skip
    assert list(rows) == ["accuracy", "f1@macro", "precision@high"]
    post = hs.infer(hs.ConfusionMatrix([[26, 0], [2, 6]], labels=["high", "low"]), "jeffreys").at_prevalence(
        [0.02, 0.98]
    )
    assert (rows["accuracy"]["low"], rows["accuracy"]["high"]) == post.of("accuracy").interval(0.9, "central")
    assert rows["f1@macro"]["draws"] == 500
    assert rows["precision@high"]["law"] == "exact"


def test_a_process_complains_like_a_call() -> None:
    done = process("report", "-", stdin="1,2\n3,4\n")
    assert complaint(done) == complaint(howsure("report", "-", stdin="1,2\n3,4\n"))


def test_a_metric_as_an_option_is_answered_where_metrics_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for command, said in (("report", True), ("compare", True), ("plan", False), ("pool", False), ("rank", False)):
        assert main([command, "--sensitivity", "0.9"]) != 0
        assert ("--metric sensitivity" in capsys.readouterr().err) is said


def test_an_option_that_takes_one_value_is_given_once() -> None:
    """The first would be left out in silence: 10 % healthy and 5 % ill are no prevalence."""
    cells = ("report", "--tp", "45", "--fn", "5", "--fp", "8", "--tn", "92")
    told = complaint(howsure(*cells, "--prevalence", "positive=0.1", "--prevalence", "negative=0.1"))
    assert told == "howsure: --prevalence is given twice, and takes one value; leave one out\n"
    assert "--tp is given twice" in complaint(howsure(*cells, "--tp", "44"))
    ranges = howsure(*cells, "-m", "accuracy", "--between", "0.7", "80%", "--between", "0.8", "0.9", "--json")
    (row,) = json.loads(ranges.stdout)["metrics"]
    assert [it["between"] for it in row["asked"]] == [[0.7, 0.8], [0.8, 0.9]]
    assert len(howsure(*cells, "-m", "mcc", "--metric", "kappa", "--json", "--json").stdout) > 1000
    # settings of an alias are said again
    assert howsure(*cells, "--level", "0.9", "--level", "0.8").stdout == howsure(*cells, "--level", "0.8").stdout != ""


def test_help_and_version_and_citations() -> None:
    assert howsure("--version").stdout == f"howsure {hs.__version__}\n"
    assert "Rows are truth, columns are prediction" in " ".join(howsure("--help").stdout.split())
    assert "--prior" in howsure("report", "--help").stdout
    assert "10.7717/peerj-cs.398" in howsure("cite").stdout
    bibtex = howsure("cite", "--bibtex").stdout
    assert bibtex.count("@") == 4
    assert bibtex.count("{") == bibtex.count("}")


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        (["report", "-"], "", ["standard input", "empty"]),
        (["report", "-"], "true\\pred,a,b\na,1,-2\nb,3,4\n", ["line 2", "'a'", "'b'", "-2"]),
        (["report", "-"], "true\\pred,a,b\na,1,2.5\nb,3,4\n", ["line 2", "2.5", "whole numbers"]),
        (["report", "-"], "true\\pred,a,b\na,1,nan\nb,3,4\n", ["line 2", "nan"]),
        (["report", "-"], "true\\pred,a,b\na,93 %,7 %\nb,3 %,97 %\n", ["line 2", "93 %"]),
        (["report", "-"], "true\\pred,a,b\na,1\nb,3,4\n", ["line 2"]),
        (["report", "-"], "true\\pred,a,a\na,1,2\na,3,4\n", ["'a'"]),
        (["report", "-"], "true\\pred,a\na,1\n", ["two"]),
        (["report", "-"], "a,b\n1,2\n3,4\n", ["y_true", "y_pred"]),
        (["report", "-"], "1,2\n3,4\n", ["--rows true", "--rows pred"]),
        (["report", "-"], ",a,b\na,1,2\nb,3,4\n", ["--rows true", "--rows pred"]),
        (["report", "-"], b"\x89PNG\r\n\x1a\n\0\0\0", ["standard input"]),
        (["report", "-"], "true\\pred,a,b\na,1," + "9" * 10_000_000 + "\n", ["line 2"]),
        (["report", "-"], f"true\\pred,a,b\na,1,{2**53}\nb,3,4\n", ["2**53"]),
        (["report", "-"], "y_true,y_pred\na,b\nb\n", ["line 3"]),
        (["report", "-"], "y_true,y_pred\na,b\nb,\n", ["1 of 2", "--missing exclude"]),
        (["report", "-", "--metric", "balanced_acuracy"], COCAINE, ["Did you mean 'balanced_accuracy'?"]),
        (["report", "-", "--metric", "recall@hihg"], COCAINE, ["Did you mean 'high'?"]),
        (["report", "-", "--prior", "jefreys"], COCAINE, ["Did you mean 'jeffreys'?"]),
        (["report", "-", "--prior", "haldanne"], COCAINE, ["Did you mean 'haldane'?"]),
        (["report", "-", "--level", "95"], COCAINE, ["0.95"]),
        (["report", "-", "--kind", "eti"], COCAINE, ["hdi", "central"]),
        (["report", "-", "--rows", "columns"], COCAINE, ["true", "pred"]),
        (["report", "-", "--prevalence", "0.5"], COCAINE, ["high=0.5 or low=0.5"]),
        (["report", "-", "--prevalence", "high=x,low=1"], COCAINE, ["'high=x'"]),
        (["report", "-", "--prevalence", "0.5,0.6"], COCAINE, ["add to 1.1"]),
        (["report", "-", "--positive", "ill"], COCAINE, ["'ill'"]),
        (["report", "-", "--draws", "5"], COCAINE, ["100"]),
        (["report", "-", "--json", "--markdown"], COCAINE, ["exclude each other"]),
        (["report", "nowhere.csv"], "", ["nowhere.csv"]),
        (["report", "benchmarks"], "", ["benchmarks", "the folder holds no file that ends in"]),
        (["report"], "", ["FILE", "--tp, --fn, --fp and --tn"]),
        (["reprot", "-"], "", ["Did you mean 'report'"]),
        (["report", "-", "--jsn"], COCAINE, ["--jsn"]),
        (["report", "--sensitivity", "0.86"], "", ["--metric sensitivity", "--tp", "reconstruct --n CASES"]),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)  # fmt: skip
def test_bad_input_gets_one_readable_line(arguments: list[str], stdin: str | bytes, words: list[str]) -> None:
    line = complaint(howsure(*arguments, stdin=stdin))
    assert len(line) < 600
    for word in words:
        assert word in line


@pytest.mark.parametrize(
    "label", ["<img src=x onerror=alert(1)>", "=cmd|' /C calc'!A0", "\x1b[2Jgone", "../../etc/passwd"]
)
def test_a_label_that_is_code_is_only_a_label(label: str) -> None:
    table = f'true\\pred,"{label}",b\n"{label}",5,1\nb,2,6\n'
    printed = howsure("report", "-", stdin=table)
    assert printed.returncode == 0
    assert "\x1b" not in printed.stdout
    data = json.loads(howsure("report", "-", "--json", stdin=table).stdout)
    assert data["classes"][0] == label


def test_without_the_command_line_extra_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None; from howsure.cli import main; sys.exit(main(['report', '-']))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert done.stderr == "howsure: The command line needs more than the bare library: pip install 'howsure[cli]'\n"


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


PAIR = "examples/digits_pair.csv"


def test_compare_has_the_numbers_of_the_library() -> None:
    cases = [line.split(",") for line in (ROOT / PAIR).read_text(encoding="utf-8").splitlines()[1:]]
    _, truth, one, two = zip(*cases, strict=True)
    both = hs.Predictions(truth, {"knn3": one, "knn9": two})
    library = hs.compare(both, metric="accuracy", rope=0.005, level=0.9, kind="central").to_dict()
    options = ("-m", "accuracy", "--rope", "0.005", "--level", "0.9", "--kind", "central")
    done = howsure("compare", PAIR, *options, "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer.pop("columns")[0]["roles"]["pred_knn3"] == "prediction of knn3"
    assert answer == library
    for view in ((), ("--markdown",), ("--csv",)):
        shown = howsure("compare", PAIR, *options, *view).stdout
        assert "paired learned" in shown
        assert "exact" in shown
    assert library["verdict"] in howsure("compare", PAIR, *options).stdout


def test_compare_of_two_files_says_whether_it_paired(tmp_path: Path) -> None:
    matrix = tmp_path / "old.csv"
    matrix.write_text(COCAINE, encoding="utf-8")
    separate = howsure("compare", "-", str(matrix), stdin=COCAINE.replace("2,6", "1,7"))
    assert separate.returncode == 0, separate.stderr
    assert "Not paired: separate test sets of 34 and 34 cases. Prior: jeffreys." in separate.stdout
    assert "WARNING: Both have the same class sizes" in separate.stdout
    paired = howsure("compare", "examples/digits.csv", PAIR, "--b", "knn3")
    assert "Paired: 899 cases answered by both. Prior: paired learned." in paired.stdout
    assert "digits - knn3" in paired.stdout


def test_compare_complains_in_one_line() -> None:
    for arguments in (
        ("compare", "examples/cocaine.csv"),
        ("compare", PAIR, "--rope", "2"),
        ("compare", PAIR, "--prior", "haldane"),
        ("compare", PAIR, "-m", "nonsense"),
        ("compare", PAIR, "--json", "--csv"),
        ("compare", "nowhere.csv", PAIR),
    ):
        complaint(howsure(*arguments))


def test_a_leaderboard_with_prizes() -> None:
    asked = "rank", "examples/kaggle_recursion.csv", "--prizes", "10000,2000,1000", "--json"
    done = howsure(*asked)
    assert done.returncode == 0
    first = json.loads(done.stdout)["entries"][0]
    assert (round(first["p_best"], 2), round(first["p_best_flat"], 4)) == (0.91, 0.9311)
    data = json.loads(howsure(*asked, "--entries", "independent").stdout)
    assert [round(x["expected_prize"], 2) for x in data["entries"]][:5] == [9445.70, 2350.78, 986.35, 128.26, 87.70]
    assert "9 of the 10 scores" in data["notes"][0]
    shown = howsure("rank", "examples/kaggle_recursion.csv").stdout
    assert "3467175 comes first and is the best with probability 0.91; the best is one of 2." in shown
    shown = howsure("rank", "examples/kaggle_recursion.csv", "--entries", "independent").stdout
    assert "3467175 comes first and is the best with probability 0.931" in shown
    assert "the data do not separate it from 3394520" in shown
    for option, first in (("--csv", "name,n,observed"), ("--markdown", "**3467175 comes first")):
        assert howsure("rank", "examples/kaggle_recursion.csv", option).stdout.startswith(first)


def test_several_matrices_are_ranked_by_their_file_names() -> None:
    done = howsure("rank", "examples/cocaine.csv", "examples/digits.csv", "--metric", "accuracy", "--prior", "flat")
    assert done.returncode == 0
    assert "2 classifiers by accuracy" in done.stdout
    mixed = complaint(howsure("rank", "examples/cocaine.csv", "examples/digits.csv"))
    assert "one ranking uses one prior; these have flat, learned. Name one for all of them: --prior flat" in mixed
    assert "two files are called" in complaint(howsure("rank", "examples/cocaine.csv", "examples/cocaine.csv"))
    assert "exclude each other" in complaint(howsure("rank", "examples/kaggle_recursion.csv", "--csv", "--json"))
    assert "--prizes are numbers" in complaint(howsure("rank", "examples/kaggle_recursion.csv", "--prizes", "a"))
    assert "name,correct,n" in complaint(howsure("rank", "examples/cocaine.csv"))


def test_metrics_are_listed_by_family_and_explained() -> None:
    listed = howsure("metrics").stdout
    for word in ("diagnosis: ", "ordinal: ", "number_needed_to_diagnose", "@harmonic", "mutual_information"):
        assert word in listed
    shown = howsure("metrics", "lr+").stdout
    for line in (
        "positive_likelihood_ratio, of the family diagnosis",
        "  range: 0 to infinite",
        "  better: higher",
        "  law: exact for two classes, drawn for more",
        "  also called: plr, lr+, lr_plus",
    ):
        assert line + "\n" in shown
    assert "  empty: a class without cases: undefined; " in shown
    assert "Did you mean 'weighted_kappa'?" in complaint(howsure("metrics", "wieghted_kappa"))
