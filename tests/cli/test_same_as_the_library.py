"""Every option reaches the library: the JSON of a command is what the call in Python answers, but for its files."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.golden.corpus import ROOT, called

import howsure as hs
from howsure.curves import best_threshold, net_benefit, operating_points, threshold_curve
from howsure.io.logs.log import read_repeats
from howsure.metrics import expected_cost
from howsure.reporting.repeats import repeats_report

INPUTS = "tests/golden/inputs"
COCAINE = "examples/cocaine.csv"
LOW = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"], positive="low"))
CELLS = "--tp 45 --fn 5 --fp 8 --tn 92"
ILL = hs.infer(hs.ConfusionMatrix.from_counts(tp=45, fn=5, fp=8, tn=92))


def columns(path: str) -> dict[str, list[str]]:
    """Columns of a file by name."""
    with open(ROOT / path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def pair(path: str, *names: str) -> hs.Predictions:
    """Answers of classifiers to the cases of a file."""
    table = columns(path)
    return hs.Predictions(table["y_true"], {name: table[f"pred_{name}"] for name in names})


def studies() -> dict[str, hs.ConfusionMatrix]:
    """A matrix of each study."""
    table = columns(f"{INPUTS}/studies.csv")
    cells = zip(*([int(x) for x in table[name]] for name in ("tp", "fn", "fp", "tn")), strict=True)
    return {
        name: hs.ConfusionMatrix.from_counts(tp=tp, fn=fn, fp=fp, tn=tn)
        for name, (tp, fn, fp, tn) in zip(table["study"], cells, strict=True)
    }


def board() -> dict[str, dict[str, tuple[int, int]]]:
    """Right answers of each classifier in each data set."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    table = columns(f"{INPUTS}/board.csv")
    for name, model, correct, n in zip(table["dataset"], table["model"], table["correct"], table["n"], strict=True):
        found.setdefault(name, {})[model] = (int(correct), int(n))
    return {name: {"forest": of["forest"], "tree": of["tree"]} for name, of in found.items()}


def risks() -> hs.Scores:
    """Probabilities of a disease."""
    table = columns("examples/breast_cancer.csv")
    return hs.Scores(table["y_true"], [float(x) for x in table["p_malignant"]], positive="malignant")


def by_language() -> Any:
    """Two classifiers in each language."""
    table = columns(f"{INPUTS}/languages.csv")
    both = pair(f"{INPUTS}/languages.csv", "new", "old")
    return hs.compare_slices(both, "new", "old", by={"language": table["language"]})


SETTINGS = {"level": 0.9, "kind": "central"}
SET = "--level 0.9 --kind central"
RUNS = f"{INPUTS}/runs.csv"
RISKS = "threshold examples/breast_cancer.csv --draws 500"
DIGITS = "examples/digits_pair.csv"
OF_COUNTS = "--correct 88 --n 100"

ASKED: dict[str, Callable[[], Any]] = {
    f"report {COCAINE} -m accuracy -m f1@macro -m precision --prevalence high=0.02,low=0.98 --positive high "
    f"--prior jeffreys {SET} --seed 3 --draws 500": lambda: hs.report(
        hs.infer(
            hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"], positive="high"), "jeffreys"
        ).at_prevalence({"low": 0.98, "high": 0.02}),
        ["accuracy", "f1@macro", "precision"], **SETTINGS, seed=3, draws=500,
    ),
    f"report {CELLS} --weights positive=2,negative=1": lambda: hs.report(ILL, [hs.class_weighted_accuracy([1, 2])]),
    f"report {CELLS} -m class_weighted_markedness --weights positive=.9,negative=.5": lambda: hs.report(
        ILL, [hs.class_weighted_markedness([0.5, 0.9])]
    ),
    f"report {CELLS} --cost fp=1,fn=20 --prevalence 2% -m ppv": lambda: hs.report(
        ILL.at_prevalence([0.98, 0.02]), ["ppv", hs.expected_cost([[0, 1], [20, 0]])]
    ),
    f"report {CELLS} -m mcc --prior 'Beta( 2 , 2 )'": lambda: hs.report(
        hs.infer(ILL.confusion, hs.Prior.from_text("beta(2,2)")), ["mcc"]
    ),
    f"compare {DIGITS} -m accuracy --rope 0.005 {SET}": lambda: hs.compare(
        pair(DIGITS, "knn3", "knn9"), metric="accuracy", rope=0.005, **SETTINGS
    ),
    f"compare {INPUTS}/languages.csv --a new --b old --by language": by_language,
    f"compare {INPUTS}/board.csv --site dataset --rope 0.01 --draws 500": lambda: hs.compare_over(
        board(), rope=0.01, draws=500
    ),
    f"rank {INPUTS}/board.csv --site dataset --draws 500": lambda: hs.rank_over(board(), draws=500),
    f"pool {INPUTS}/studies.csv --level 0.9 --draws 2000 --seed 3": lambda: hs.pool(
        studies(), level=0.9, draws=2000, seed=3, unit="study"
    ),
    f"post-test {COCAINE} --pre-test 30% --positive low": lambda: LOW.post_test(0.3),
    f"post-test {COCAINE} --pre-test low=0.3 --result positive --positive low": lambda: LOW.post_test(0.3, "positive"),
    f"post-test {CELLS} --pre-test 0.7,0.3 --result negative --result positive": lambda: ILL.post_test(
        [0.7, 0.3], ["negative", "positive"]
    ),
    f"frequencies {CELLS} --prevalence 10%": lambda: ILL.natural_frequencies(10_000, {"positive": 0.1}),
    f"frequencies {CELLS} --of 500 --cases 90,10": lambda: ILL.at_prevalence(cases=[90, 10]).natural_frequencies(500),
    f"predict {CELLS} --draws 1000 --seed 2": lambda: ILL.predict(draws=1000, seed=2),
    f"predict {CELLS} --n 20,10 --draws 1000": lambda: ILL.predict([20, 10], draws=1000),
    f"predict {CELLS} --n 50 --draws 1000": lambda: ILL.predict(50, draws=1000),
    f"sensitivity {CELLS} -m mcc": lambda: ILL.prior_sensitivity("mcc"),
    f"sensitivity {CELLS} -m tpr --prior perks": lambda: ILL.prior_sensitivity("tpr", ["perks"]),
    f"outlook {OF_COUNTS} --above 0.8 --more 50": lambda: hs.outlook(
        hs.Posterior.from_accuracy(correct=88, n=100), "accuracy", above=0.8, more=50
    ),
    f"outlook -m accuracy {DIGITS} --more 50": lambda: hs.outlook(
        hs.compare(pair(DIGITS, "knn3", "knn9"), metric="accuracy"), more=50
    ),
    "stopping-rule 50,100 --threshold 0.8 --alpha 0.1": lambda: hs.stopping_rule([50, 100], 0.8, alpha=0.1),
    f"digits {OF_COUNTS} --assurance 0.9": lambda: hs.digits(
        hs.Posterior.from_accuracy(correct=88, n=100), "accuracy", assurance=0.9
    ),
    f"{RISKS} -m f1 --prior jeffreys": lambda: best_threshold(risks(), "f1", prior="jeffreys", draws=500),
    f"{RISKS} --cost fp=1,fn=5 --prevalence 0.02": lambda: best_threshold(
        risks(), cost={"fp": 1, "fn": 5}, prevalence=0.02, draws=500
    ),
    f"{RISKS} --cost fp=1,fn=5 --curve --at 0.2": lambda: threshold_curve(
        risks(), expected_cost([[0, 1], [5, 0]]), [0.2], draws=500
    ),
    f"repeats {RUNS} --groups these": lambda: repeats_report(hs.infer(read_repeats(RUNS), groups="these")),
    f"repeats {RUNS} --groups new": lambda: repeats_report(hs.infer(read_repeats(RUNS), groups="new")),
    f"{RISKS} -m recall --at 20%,0.5": lambda: threshold_curve(risks(), "recall", [0.2, 0.5], draws=500),
    f"{RISKS} --points --at 20%,0.5 --prevalence 0.1": lambda: operating_points(
        risks(), [0.2, 0.5], prevalence=0.1, draws=500
    ),
    f"{RISKS} --net-benefit --cases 90,10 --at 0.1": lambda: net_benefit(
        risks(), [0.1], cases={"benign": 90, "malignant": 10}, draws=500
    ),
}  # fmt: skip


@pytest.mark.sweep(3, full=30)
@pytest.mark.parametrize("command", ASKED)
def test_the_json_of_a_command_is_the_librarys(command: str) -> None:
    status, printed, complaint = called(f"howsure {command} --json")
    assert status == 0, complaint
    said, known = json.loads(printed), json.loads(json.dumps(ASKED[command]().to_dict()))
    for data in (said, known):
        for name in ("notes", "columns", "source", "scored"):  # of files, which the library was not given
            data.pop(name, None)
    if "repeats" in command:  # names the column of the score
        said["verdict"] = said["verdict"].replace(" (correct)", "")
    assert said == known
