"""An option is refused, or it changes the answer; one of intervals changes each of them that is not always of one kind.

Settings that an answer only repeats do not count: a command that forgets to pass one on repeats it all the same. And
every form says the same: a number of the CSV is in the JSON under the name of its column, an interval that had to be
central is called so.
"""

from __future__ import annotations

import csv
import io
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.golden.corpus import ANSWERS, called, furnish
from tests.moved import every, moved_numbers, unmoved_ends

from howsure.laws import Law

#: What is asked, and which of the options below rightly change nothing there: exact answers have no draws and no seed,
#: a stated prevalence has no shares, and some options are what is meant without them. McNemar's test is in sentences.
ASKED = {
    "report examples/cocaine.csv --positive low -m accuracy -m f1 -m mcc": "draws seed",
    "report examples/cocaine.csv --positive low -m recall --wrong-labels 1": "draws seed",
    "report examples/cocaine.csv --positive low -m precision --cases 9,91": "draws seed shares",
    "report inputs/three.csv -m f1@macro": "",
    "report inputs/lesions.csv --group patient -m accuracy": "draws",
    "report inputs/judge.csv --verdicts pass=20,fail=80 -m prevalence@pass": "draws seed shares",
    "log examples/epochs_new.json": "threshold",
    "log examples/epochs_new.json examples/epochs_old.json": "draws seed threshold",
    "repeats inputs/runs_few.csv --groups these": "threshold",
    "reconstruct --n 20 --accuracy 0.85 --recall 0.8 -m accuracy": "",
    "compare inputs/good.csv inputs/short.csv -m accuracy": "classical",
    "compare inputs/three.csv inputs/three_other.csv -m f1@macro": "separate classical",
    "compare inputs/languages.csv --a new --b old --by language": "",
    "compare inputs/pair_in_groups.csv -m accuracy": "classical",
    "compare inputs/board.csv --site dataset": "",
    "compare examples/breast_cancer_two.csv -m roc_auc": "",
    "compare inputs/judged.csv --a new --b old --missing estimate": "",
    "rank inputs/good.csv inputs/bad.csv inputs/alike.csv -m accuracy": "",
    "rank inputs/three.csv inputs/three_other.csv -m f1@macro": "top entries separate",
    "rank examples/kaggle_recursion.csv": "shares draws seed n separate",
    "rank inputs/languages.csv --by language": "",
    "rank inputs/board.csv --site dataset": "n",
    "rank inputs/judged.csv --missing estimate": "n entries",
    "gate --candidate inputs/good.csv --baseline inputs/bad.csv -m accuracy": "draws seed strict",
    "gate --candidate inputs/good.csv --floor 0.9 -m accuracy": "draws seed separate",
    "gate --candidate inputs/languages.csv --a new --b old --by language --margin 0.05": "",
    "gate --candidate examples/breast_cancer_two.csv --a score_two --b score_three -m roc_auc": "",
    "gate --candidate inputs/pair_in_groups.csv -m accuracy": "",
    "post-test examples/cocaine.csv --pre-test 30% --positive low": "draws seed",
    "frequencies examples/cocaine.csv --positive low": "",
    "predict examples/cocaine.csv --n 50": "",
    "sensitivity examples/cocaine.csv -m mcc": "",
    "survey inputs/studies.csv": "",
    "pool inputs/studies.csv": "",
    "slices inputs/languages.csv --pred pred_new --by language": "draws",
    "slices inputs/languages.csv --pred pred_new --by language -m f1": "",
    "slices inputs/languages.csv --pred pred_new --by language --strata pooled": "seed empty",
    "slices inputs/languages.csv --pred pred_new --by day --in-time --cut week": "",
    "fairness inputs/languages.csv --pred pred_new --by language": "",
    "threshold examples/breast_cancer.csv -m f1": "",
    "threshold examples/breast_cancer.csv --cost fp=1,fn=5": "",
    "threshold examples/breast_cancer.csv --net-benefit --at 0.2": "",
    "threshold examples/breast_cancer.csv --points --at 0.2": "draws seed",
    "threshold examples/breast_cancer.csv --curve -m f1 --at 0.2,0.4": "",
    "plan accuracy --width 0.1 --guess 0.9": "",
    "plan accuracy --above 0.8 --guess 0.9": "",
    "next-labels examples/judged_log.csv --labels-from examples/judged_labels.csv --missing estimate --more 50": "",
    "outlook -m accuracy --correct 88 --n 100 --above 0.8 --more 50": "seed",
    "stopping-rule 50,100 --threshold 0.8": "",
}

OPTIONS = {
    "prior": "beta(3,4)", "shares": "chosen", "groups": "these", "prevalence": "0.3", "cases": "30,5", "level": "0.8",
    "kind": "central", "draws": "300", "seed": "7", "rope": "0.02", "margin": "0.02", "min-prob": "0.8",
    "assurance": "0.7", "top": "2", "prizes": "5,3", "new-test": "40", "n": "33", "entries": "independent",
    "strict": "", "mode": "superiority", "wrong-labels": "2", "of": "500", "weights": "2,1", "cost": "fp=1,fn=3",
    "above": "0.7", "below": "0.75", "tries": "2", "k": "3", "threshold": "0.7", "alpha": "0.2", "empty": "drop",
    "more": "70", "concentration": "20", "classical": "", "separate": "", "at": "0.6", "quantile": "0.1", "icc": "0.2",
    "between": "0.7 0.8", "rounding": "truncated", "detect": "width", "group-size": "5", "truth": "0.7",
}  # fmt: skip

#: Ends that are of one kind whatever is asked, and those that are of one level as well.
CENTRAL = ("icc", "clustered", "delong", "winner", "largest_gap", "gaps", "location_low", "wrong_labels.metrics[0].low")
OF_95 = ("icc", "location_low", "wrong_labels.metrics[0].low")


def options_of(line: str) -> list[str]:
    """Options that the command has, by its help, beyond those that it is asked with."""
    command, *words = line.split()
    shown = (ANSWERS / command / "help.txt").read_text(encoding="utf-8")
    has = set(re.findall(r"^ +(?:-., )?--([a-z-]+)", shown, re.MULTILINE))
    return [name for name in OPTIONS if name in has and f"--{name}" not in words]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the commands read."""
    return furnish(tmp_path_factory.mktemp("options") / "here")


@cache
def answered(line: str, option: str, folder: Path) -> tuple[int, Any]:
    """Exit status and answer to a command with an option behind it, of few draws."""
    drawn = " --draws 200" if "draws" in options_of(line) and not option.startswith("--draws") else ""
    status, printed, _ = called(f"howsure {line}{drawn} {option} --json", folder)
    if status == 2 and drawn:  # where nothing is drawn, --draws is refused
        status, printed, _ = called(f"howsure {line} {option} --json", folder)
    return status, json.loads(printed) if status != 2 else None


@pytest.mark.sweep(25, full=35)
@pytest.mark.parametrize(("line", "name"), [(line, name) for line in ASKED for name in options_of(line)])
def test_an_option_is_refused_or_used(line: str, name: str, folder: Path) -> None:
    _, usual = answered(line, "", folder)
    status, other = answered(line, f"--{name} {OPTIONS[name]}", folder)
    if name in ASKED[line].split():
        assert moved_numbers(usual, other) == set()
        return
    if status != 2:
        assert moved_numbers(usual, other)
        fixed = {"kind": CENTRAL, "level": OF_95}.get(name)
        if fixed is not None:
            assert [at for at in unmoved_ends(usual, other) if not any(each in at for each in fixed)] == []


#: Whose CSV is the table of the text, with its digits, and columns that the JSON has no name for.
ROUNDED = ("gate", "post-test", "predict", "sensitivity", "frequencies")
UNNAMED = {"chance", "class", "name", "p_worse", "rank_low", "rank_high", "tp", "fn", "fp", "tn"}


@pytest.mark.sweep(12)
@pytest.mark.parametrize("line", [line for line in ASKED if not line.startswith(ROUNDED)])
def test_a_number_of_the_csv_is_in_the_json_under_its_name(line: str, folder: Path) -> None:
    drawn = " --draws 200" if "draws" in options_of(line) else ""
    status, printed, _ = called(f"howsure {line}{drawn} --csv", folder)
    if status == 2:  # nothing is drawn, or there is no such form
        status, printed, _ = called(f"howsure {line} --csv", folder)
    if status == 2:
        return
    numbers = list(every(answered(line, "", folder)[1]))
    for row in csv.DictReader(io.StringIO(printed)):
        for name, cell in row.items():
            if name not in UNNAMED and re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", cell):
                there = {value for at, value in numbers if at.endswith(f"_{name}")}
                assert float(cell) in there, (name, cell)


@pytest.mark.sweep(5, full=60)
@pytest.mark.parametrize("line", [line for line in ASKED if "kind" in options_of(line)])
def test_an_interval_that_had_to_be_central_is_called_so(
    line: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Law, "_hdi", lambda law, level: None)
    drawn = " --draws 200" if "draws" in options_of(line) else ""
    status, printed, complaint = called(f"howsure {line}{drawn} --json", folder)
    if status == 2:
        status, printed, complaint = called(f"howsure {line} --json", folder)
    assert status != 2, complaint
    # the one of the whole answer repeats what was asked
    said = {at: kind for at, kind in every(json.loads(printed)) if at.endswith("_interval") and at.count("_") > 1}
    assert {at for at, kind in said.items() if kind == "hdi" and "wrong_labels" not in at} == set()
