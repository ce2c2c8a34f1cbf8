"""Draw the gallery of the docs and the figures of the source papers, and write gallery.md.

``python docs/make_figures.py`` draws all, ``python docs/make_figures.py NAME`` one, ``--list`` names them; the page is
written each time.
Run from the top of the repository.
"""

from __future__ import annotations

import csv
import inspect
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import howsure as hs
from howsure import curves, plots
from howsure.io import read, read_scores

HERE = Path(__file__).parent
SOURCE = Path(__file__).read_text(encoding="utf-8")
OUT = HERE / "figures"
DARK = ("posterior", "confusion", "predictive_values")

FIGURES: dict[str, tuple[str, Callable[[], Any]]] = {}


def figure(draw: Callable[[], Any]) -> Callable[[], Any]:
    """Enter a function into the gallery; its docstring is the caption."""
    FIGURES[draw.__name__] = (inspect.cleandoc(draw.__doc__ or ""), draw)
    return draw


def two() -> hs.Posterior:
    """A classifier of two classes."""
    return hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))


def old() -> hs.Posterior:
    """Its predecessor."""
    return hs.infer(hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"]))


def cocaine() -> hs.Posterior:
    """The forensic classifier of Toetsch and Hoffmann, Table 1."""
    return hs.infer(read("examples/cocaine.csv").confusion, "flat")


def published(name: str) -> hs.Posterior:
    """A matrix of the source papers under the flat prior."""
    cases = json.loads(Path("tests/reference/published.json").read_text(encoding="utf-8"))["cases"]
    return hs.infer(hs.ConfusionMatrix(next(case["matrix"] for case in cases if case["name"] == name)), "flat")


# -- each kind of plot ------------------------------------------------------------------------------------------------


@figure
def posterior() -> Any:
    """The law of one metric: density, interval, mean (dot), observed value (tick) and chance (dashes)."""
    return plots.posterior(two().of("balanced_accuracy"))


@figure
def posteriors() -> Any:
    """Up to four laws together."""
    return plots.posterior({"new": two().of("recall"), "old": old().of("recall")})


@figure
def forest() -> Any:
    """A report in rows."""
    return plots.forest(hs.report(two()))


@figure
def ridge() -> Any:
    """Many laws on one axis."""
    return plots.ridge({name: two().of(name) for name in ("accuracy", "balanced_accuracy", "f1", "mcc", "precision")})


@figure
def violin() -> Any:
    """Laws side by side."""
    return plots.violin({name: made.of("balanced_accuracy") for name, made in {"new": two(), "old": old()}.items()})


@figure
def confusion() -> Any:
    """Counts, shares of the true class, and a bar for the interval of each share."""
    pets = hs.ConfusionMatrix([[45, 5, 3], [8, 42, 2], [1, 3, 30]], labels=["cat", "dog", "car"])
    return plots.confusion(hs.infer(pets))


@figure
def confusion_of_many_classes() -> Any:
    """Above twenty classes: a heat map, and the commonest confusions."""
    rng = np.random.default_rng(0)
    counts = rng.poisson(0.3, (30, 30)) + np.diag(rng.poisson(40, 30)) + 5 * np.roll(np.eye(30, dtype=int), 1, axis=1)
    return plots.confusion(hs.infer(hs.ConfusionMatrix(counts), "jeffreys"))


@figure
def worst_confusions() -> Any:
    """The commonest confusions of a matrix of any size."""
    return plots.worst_confusions(hs.infer(read("examples/digits.csv").confusion), most=6)


@figure
def difference() -> Any:
    """Which of two is better, with a region of practical equivalence."""
    compared = hs.compare(two(), old(), metric="balanced_accuracy", rope=0.02, names=("new", "old"))
    return plots.difference(compared)


@figure
def predictive_values() -> Any:
    """What a call is worth at every prevalence."""
    return plots.predictive_values(two().predictive_values())


@figure
def post_test() -> Any:
    """Probability of illness after the test, over that before it."""
    return plots.post_test(two().predictive_values())


@figure
def sensitivity() -> Any:
    """How much of an answer is the prior's."""
    return plots.sensitivity(cocaine().prior_sensitivity("recall@low"))


@figure
def planning() -> Any:
    """A plan: the width of an interval over the number of cases."""
    return plots.planning(hs.plan("recall", width=0.1, assurance=0.95, guess=0.9))


@figure
def small() -> Any:
    """Any plot fits a column of a paper: names are cut, small print and labels take more lines."""
    _, (left, right) = plt.subplots(1, 2, figsize=(6.6, 2.6), layout="constrained")
    plots.forest({f"{name}, a long name": two().of(name) for name in ("accuracy", "recall", "precision")}, ax=left)
    return plots.difference(hs.compare(two(), old(), metric="recall", rope=0.02, names=("new", "old")), ax=right)


@figure
def hostile_names() -> Any:
    """Names are text, whatever they hold."""
    labels = ["<img src=x onerror=alert(1)>", r"$\frac{1}{2}$", "right\u202eto left", "=cmd|' /C calc'!A0"]
    return plots.forest(hs.report(hs.infer(hs.ConfusionMatrix(np.eye(4, dtype=int) * 30 + 1, labels=labels))))


@figure
def right_to_left() -> Any:
    """Names in other scripts, and names that are too long."""
    labels = ["עברית", "العربية", "a very long name of a class, longer than any"]
    return plots.confusion(hs.infer(hs.ConfusionMatrix([[30, 2, 1], [3, 25, 4], [0, 2, 28]], labels=labels)))


# -- the figures of the source papers ---------------------------------------------------------------------------------


@figure
def brodersen2010_figure_1() -> Any:
    """Brodersen et al. 2010, figure 1: the accuracy of a biased classifier, and its balanced accuracy."""
    known = published("brodersen2010_C2")
    return plots.posterior({"accuracy": known.of("accuracy"), "balanced accuracy": known.of("balanced_accuracy")})


@figure
def carrillo2013_table_1() -> Any:
    """Carrillo et al. 2013, table 1: posterior balanced accuracy of nine classifiers."""
    names = [f"C{k}" for k in range(1, 10)]
    known = {name: published(f"carrillo2013_{name}").of("balanced_accuracy") for name in names}
    return plots.forest(known, kind="central")


@figure
def carrillo2013_ranking() -> Any:
    """Carrillo et al. 2013, section 5.1: which of them is better than which, as probabilities of ranks."""
    entries = {f"C{k}": published(f"carrillo2013_C{k}") for k in range(1, 10)}
    return plots.rank_matrix(hs.rank(entries, entries="independent"))


@figure
def problem_with_accuracy() -> Any:
    """The problem with accuracy: a classifier of three unequal classes."""
    known = published("blog_problem_with_accuracy")
    return plots.ridge({name: known.of(name) for name in ("accuracy", "balanced_accuracy", "f1@macro", "mcc")})


@figure
def toetsch2021_figure_1() -> Any:
    """Toetsch and Hoffmann 2021, figure 1: prevalence, true positive and true negative rate make the matrix."""
    known = cocaine()
    return plots.ridge({name: known.of(name) for name in ("prevalence@low", "recall@low", "specificity@low")})


@figure
def toetsch2021_figure_2() -> Any:
    """Toetsch and Hoffmann 2021, figure 2: accuracy as it is known, and as a new test would show it."""
    return plots.replication(cocaine().predict(), "accuracy")


@figure
def toetsch2021_figure_3() -> Any:
    """Toetsch and Hoffmann 2021, figure 3: 24 published classifiers by size, and their metric uncertainty."""
    made = hs.survey(tables_of("examples/toetsch2020.csv", "name"), "flat")
    ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")[1]
    marks = (
        ("o", "#3182bd", "mu_tpr", "circles: true positive rate"),
        ("^", "#e08214", "mu_tnr", "triangles: true negative rate"),
        ("s", "#8c8c8c", "mu_prevalence", "squares: prevalence"),
    )
    for number, (mark, colour, field, words) in enumerate(marks, 1):
        ax.plot([row.n for row in made.rows], [getattr(row, field) for row in made.rows], mark, color=colour, ms=5)
        place = {"xy": (1, 1), "xytext": (0, -14 * number), "xycoords": "axes fraction", "textcoords": "offset points"}
        ax.annotate(words, **place, color=colour, ha="right", weight="bold", fontsize=9)
    ax.set_xscale("log")
    ax.set_xticks([10, 20, 50, 100, 200], ["10", "20", "50", "100", "200"])
    ax.set_xlabel("cases")
    ax.set_ylabel("metric uncertainty (width of the 95 % HDI)")
    return ax


@figure
def toetsch2021_figure_4() -> Any:
    """Toetsch and Hoffmann 2021, figure 4: the rates of the cocaine classifier 7a."""
    known = cocaine()
    return plots.posterior({"TPR": known.of("recall@high"), "TNR": known.of("recall@low")})


def rows_of(path: str) -> list[dict[str, str]]:
    """The rows of a file."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def tables_of(path: str, name: str) -> dict[str, hs.ConfusionMatrix]:
    """The 2 x 2 tables of a file of many, by the column of their names."""
    return {
        row[name]: hs.ConfusionMatrix.from_counts(**{cell: int(row[cell]) for cell in ("tp", "fn", "fp", "tn")})
        for row in rows_of(path)
    }


def studies() -> Any:
    """Fourteen studies of one questionnaire."""
    return hs.pool(tables_of("examples/audit_c.csv", "study"), unit="study")


def entries_of(path: str) -> dict[str, Any]:
    """The accuracies of a leaderboard, of which score and number of cases were published."""
    boards = ((row["name"], float(row["score"]), int(row["n"])) for row in rows_of(path))
    return {name: hs.Posterior.from_accuracy(correct=round(score * n), n=n) for name, score, n in boards}


@figure
def forest_of_studies() -> Any:
    """Several studies: a typical and a new one, then each, drawn towards the rest (tick: what it showed)."""
    return plots.forest(studies())


@figure
def funnel_of_studies() -> Any:
    """Specificity by the number of healthy people: the farther outside of the funnel, the less it is luck."""
    return plots.funnel(studies(), rate="specificity")


@figure
def roc_curve() -> Any:
    """ROC curve of the scores of 190 tumours, with the interval at each point and the band of all of the curve."""
    return plots.curve(curves.roc_curve(read_scores("examples/breast_cancer.csv")))


@figure
def reliability() -> Any:
    """Do the probabilities of the same tumours hold? The reliability diagram with its bands, and bins as dots."""
    return plots.calibration(curves.calibration_curve(read_scores("examples/breast_cancer.csv")))


@figure
def hsroc() -> Any:
    """The same: summary point with its region, where a new study may lie (dashed), the curve, and the studies."""
    return plots.hsroc(studies())


@figure
def decision_curve() -> Any:
    """Is it worth treating by these probabilities? Net benefit of a classifier of tumours, beside treating all."""
    return plots.decision_curve(curves.net_benefit(read_scores("examples/breast_cancer.csv")))


@figure
def best_threshold_of_f1() -> Any:
    """F1 of the same scores against the threshold: the best one, and where the best one may lie."""
    return plots.threshold(curves.best_threshold(read_scores("examples/breast_cancer.csv"), "f1"))


@figure
def toetsch2021_figure_5() -> Any:
    """Toetsch and Hoffmann 2021, figure 5: ranks of the ten best entries of a competition."""
    entries = entries_of("examples/kaggle_recursion.csv")
    return plots.rank_matrix(hs.rank(entries, prizes=[10_000, 2_000, 1_000], entries="independent"))


@figure
def toetsch2021_figure_5_tiers() -> Any:
    """The same board: accuracies, and tiers that the data separate."""
    entries = entries_of("examples/kaggle_recursion.csv")
    return plots.tiers(hs.rank(entries, entries="independent"))


@figure
def toetsch2021_figure_6() -> Any:
    """Toetsch and Hoffmann 2021, figure 6: metric uncertainty over six orders of magnitude (50 to 95 % of tests)."""
    _, ax = plt.subplots(figsize=(6.0, 3.6), layout="constrained")
    for metric, colour, factor, away in (
        ("accuracy", "#3182bd", 2, (-4, -40)),
        ("informedness", "#e08214", 4, (4, 34)),
    ):
        rows = hs.rule_of_thumb(metric)
        n = np.array([row.n for row in rows])
        ax.fill_between(n, [row.typical for row in rows], [row.upper for row in rows], color=colour, alpha=0.3, lw=0)
        ax.plot(n, [row.upper for row in rows], color=colour, lw=1.8)
        ax.plot(n, factor / np.sqrt(n), color="#8c8c8c", lw=1.2, ls=(0, (4, 3)))
        words = f"{metric}\ndashed: {factor}/sqrt(n)"
        ax.annotate(words, (n[5], rows[5].upper), away, textcoords="offset points", color=colour, ha="center")
    ax.set(xscale="log", yscale="log", xlabel="cases", ylabel="metric uncertainty")
    ax.set_xticks([10**k for k in (1, 3, 5, 7)], [f"{10**k:,d}" for k in (1, 3, 5, 7)])
    ax.set_yticks([0.001, 0.01, 0.1, 1], ["0.001", "0.01", "0.1", "1"])
    ax.grid(color="#8c8c8c", alpha=0.25, lw=0.6)
    return ax


def draw(name: str) -> None:
    """One figure as SVG; some of them dark as well."""
    for dark in (False, True) if name in DARK else (False,):
        with plots.theme(dark=dark):
            ax = FIGURES[name][1]()
            ax.figure.savefig(OUT / f"{name}{'_dark' if dark else ''}.svg", metadata={"Date": None})
            plt.close("all")


def lines_of(draw: Callable[[], Any]) -> list[str]:
    """The code of a figure as a reader would type it."""
    lines = inspect.getsource(draw).splitlines()
    code = [line for line in lines if not line.startswith(("@", "def ")) and '"""' not in line]
    return [
        line.replace("return ", "ax = ")
        for line in inspect.cleandoc("\n".join(code)).splitlines()
        if line != "return ax"
    ]


def beginning() -> list[str]:
    """What stands above every figure's code, as a reader would type it: what is imported, and the posteriors drawn."""
    made = "".join(
        f"\n\n{inspect.getsource(each)}"
        for each in (two, old, cocaine, published, rows_of, tables_of, studies, entries_of)
    )
    code = made + "\n".join(line for _, draw in FIGURES.values() for line in lines_of(draw))
    imports = [line for line in SOURCE.splitlines() if line.startswith(("import ", "from "))]
    return [
        *(line for line in imports if re.search(rf"\b{line.split()[-1]}\b", code)),
        *made.splitlines(),
    ]


def write_page() -> None:
    """The gallery, from the captions and the code."""
    lines = ["# Gallery", "", "Made by `make figures`; do not edit. Each picture is one call of `howsure.plots`"]
    lines += ["(`pip install '.[plot]'`), after these lines, in the folder of howsure:", ""]
    lines += ["```py", *beginning(), "```", ""]
    lines += ['`ax` is an axes of Matplotlib: `ax.figure.savefig("picture.svg")` writes it.', ""]
    for name, (caption, made) in FIGURES.items():
        body = "\n".join(lines_of(made))
        lines += [f"## {name}", "", caption, "", f"![{caption}](figures/{name}.svg)", ""]
        lines += [f"![{caption} (dark)](figures/{name}_dark.svg)", ""] if name in DARK else []
        lines += ["```py", f"# python docs/make_figures.py {name}", body, "```", ""]
    (HERE / "gallery.md").write_text("\n".join(lines), encoding="utf-8", newline="\n")


def main(asked: list[str]) -> None:
    """Draw what is asked, or all of it; and write the page."""
    mpl.use("agg")
    OUT.mkdir(exist_ok=True)
    if asked == ["--list"]:
        print("\n".join(FIGURES))
        return
    for name in asked or FIGURES:
        draw(name)
    write_page()


if __name__ == "__main__":
    main(sys.argv[1:])
