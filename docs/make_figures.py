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
    """One metric: density, interval, mean, median, mode, observed value, chance; `report -m NAME -o x.png` draws it."""
    return plots.posterior(two().of("balanced_accuracy"))


@figure
def posteriors() -> Any:
    """Up to four distributions together."""
    return plots.posterior({"new": two().of("recall"), "old": old().of("recall")})


@figure
def forest() -> Any:
    """A report in rows."""
    return plots.forest(hs.report(two()))


@figure
def ridge() -> Any:
    """Many distributions on one axis."""
    return plots.ridge({name: two().of(name) for name in ("accuracy", "balanced_accuracy", "f1", "mcc", "precision")})


@figure
def violin() -> Any:
    """Distributions side by side; more than twelve become ridges."""
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
    """Predictive values at every prevalence."""
    return plots.predictive_values(two().predictive_values())


@figure
def post_test() -> Any:
    """Probability of illness after the test, over that before it."""
    return plots.post_test(two().predictive_values())


@figure
def sensitivity() -> Any:
    """One metric under several priors."""
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
    """Brodersen et al. 2010, figure 1: three measures of two classifiers, each with its error bar, and chance."""
    _, axes = plt.subplots(1, 2, figsize=(7.2, 3.2), sharey=True, layout="constrained")
    for ax, name in zip(axes, ("C1", "C2"), strict=True):
        known = published(f"brodersen2010_{name}")
        share, n = known.of("accuracy").observed, known.n
        two_errors = 2 * np.sqrt(share * (1 - share) / n)
        bars = [("average accuracy\n± 2 standard errors", "#d6604d", share, share - two_errors, share + two_errors)]
        for metric, words, colour in (
            ("accuracy", "posterior\naccuracy", "#3182bd"),
            ("balanced_accuracy", "posterior\nbalanced accuracy", "#35978f"),
        ):
            bars.append((words, colour, known.of(metric).mean, *known.of(metric).interval(kind="central")))
        for x, (_, colour, middle, low, high) in enumerate(bars):
            ax.bar([x], [middle], 0.6, color=colour, alpha=0.45)
            ax.plot([x, x], [low, high], color=colour, lw=2.5)
            words = f"{low:.2f} to {high:.2f}"
            ax.annotate(words, (x, high), (0, 3), textcoords="offset points", ha="center", fontsize=8)
        ax.axhline(0.5, color="#8c8c8c", lw=1.2, ls=(0, (4, 3)))
        ax.set_xticks(range(3), [words for words, *_ in bars], fontsize=8)
        (tp, fn), (fp, tn) = known.confusion.counts
        ax.set_title(f"{name}: {tp}, {fn} / {fp}, {tn} (rows are truth)", fontsize=9)
    axes[0].set(ylim=(0, 1.12), ylabel="dashes: chance")
    return axes[0]


@figure
def brodersen2010_figure_2() -> Any:
    """Brodersen et al. 2010, figure 2: posterior accuracy and posterior balanced accuracy of C2."""
    _, axes = plt.subplots(1, 2, figsize=(7.4, 3.2), layout="constrained")
    known = published("brodersen2010_C2")
    for ax, metric in zip(axes, ("accuracy", "balanced_accuracy"), strict=True):
        plots.posterior(known.of(metric), ax=ax, kind="central")
        ax.axvline(0.5, 0.1, 0.7, color="#8c8c8c", lw=1.2, ls=(0, (4, 3)))  # the chance of the paper, for both
        ax.set_xlim(0.38, 0.95)
    return axes[0]


@figure
def carrillo2013_figure_1() -> Any:
    """Carrillo et al. 2013, figure 1 b: conventional metrics of C1, C2, C3 with the error bars of its table 1."""
    _, axes = plt.subplots(1, 3, figsize=(8.4, 3.0), sharey=True, layout="constrained")
    for ax, name in zip(axes, ("C1", "C2", "C3"), strict=True):
        known = published(f"carrillo2013_{name}")
        share, n = known.of("accuracy").observed, known.n
        half = 2 * np.sqrt(share * (1 - share) / (n - 1))
        counts = known.confusion.counts
        by_luck = float(counts.sum(0) @ counts.sum(1)) / n**2
        bars = {
            "acc": (share, half),
            "bac": (known.of("balanced_accuracy").observed, half),
            "F": (known.of("f1@macro").observed, 0.0),
            "kappa": (known.of("kappa").observed, 1.96 * np.sqrt(share * (1 - share) / n) / (1 - by_luck)),
        }
        values, halves = zip(*bars.values(), strict=True)
        ax.bar(range(4), values, 0.6, color="#3182bd", alpha=0.45)
        ax.errorbar(range(4), values, halves, fmt="none", ecolor="#3182bd", elinewidth=2)
        ax.axhline(1, color="#8c8c8c", lw=1)
        ax.set_xticks(range(4), bars)
        ax.set_title(name, fontsize=10)
    return axes[0]


@figure
def carrillo2013_figure_3() -> Any:
    """Carrillo et al. 2013, figure 3: posterior balanced accuracy of C1, C2, C3, with central intervals."""
    _, axes = plt.subplots(3, 1, figsize=(6.0, 7.2), sharex=True, layout="constrained")
    for ax, name in zip(axes, ("C1", "C2", "C3"), strict=True):
        plots.posterior(published(f"carrillo2013_{name}").of("balanced_accuracy"), ax=ax, kind="central")
        ax.set_xlabel(f"balanced accuracy of {name}")
        ax.tick_params(labelbottom=True)
    return axes[0]


@figure
def carrillo2013_table_1() -> Any:
    """Carrillo et al. 2013, table 1: posterior balanced accuracy of nine classifiers."""
    names = [f"C{k}" for k in range(1, 10)]
    known = {name: published(f"carrillo2013_{name}").of("balanced_accuracy") for name in names}
    return plots.forest(known, kind="central")


@figure
def carrillo2013_figure_5() -> Any:
    """Carrillo et al. 2013, figure 5: the difference of each pair of C1, C2, C3."""
    _, axes = plt.subplots(3, 1, figsize=(6.4, 8.4), layout="constrained")
    for ax, (a, b) in zip(axes, (("C1", "C2"), ("C3", "C1"), ("C3", "C2")), strict=True):
        pair = published(f"carrillo2013_{a}"), published(f"carrillo2013_{b}")
        plots.difference(hs.compare(*pair, metric="balanced_accuracy", kind="central", names=(a, b)), ax=ax)
    return axes[0]


@figure
def carrillo2013_ranking() -> Any:
    """Carrillo et al. 2013, section 5.1: the ranking of C1, C2 and C3, as probabilities of ranks."""
    entries = {name: published(f"carrillo2013_{name}") for name in ("C1", "C2", "C3")}
    return plots.rank_matrix(hs.rank(entries, entries="independent"))


@figure
def problem_with_accuracy() -> Any:
    """The problem with accuracy: a classifier of three unequal classes (the post has tables, and no figure)."""
    known = published("blog_problem_with_accuracy")
    return plots.ridge({name: known.of(name) for name in ("accuracy", "balanced_accuracy", "f1@macro", "mcc")})


@figure
def toetsch2021_figure_1() -> Any:
    """Toetsch and Hoffmann 2021, figure 1: prevalence, true positive and true negative rate make the matrix."""
    known = cocaine()
    return plots.ridge({name: known.of(name) for name in ("prevalence@high", "recall@high", "specificity@high")})


@figure
def toetsch2021_figure_2() -> Any:
    """Toetsch and Hoffmann 2021, figure 2: after (1, 0, 0, 0): accuracy as known (B), as one new case shows it (A)."""
    one = hs.infer(hs.ConfusionMatrix.from_counts(tp=1, tn=0, fp=0, fn=0), "flat")
    return plots.replication(one.predict(), "accuracy")


@figure
def toetsch2021_figure_3() -> Any:
    """Toetsch and Hoffmann 2021, figure 3: 24 classifiers: cases (A), metric uncertainty (B), informedness (C)."""
    tables = tables_of("examples/toetsch2020.csv", "name")
    by_size = sorted((table.n, name) for name, table in tables.items())
    made = hs.survey({name: tables[name] for _, name in by_size}, "flat")
    _, (a, b, c) = plt.subplots(1, 3, figsize=(9.6, 7.6), sharey=True, width_ratios=(1, 1.6, 2.6), layout="constrained")
    plots.survey(made, ax=c)
    at = np.arange(len(made.rows))
    a.barh(at, [row.n for row in made.rows], color="#8c8c8c")
    a.set_xlabel("A: cases")
    marks = (
        ("o", "#3182bd", "mu_tpr", "TPR"),
        ("^", "#e08214", "mu_tnr", "TNR"),
        ("s", "#8c8c8c", "mu_prevalence", "prevalence"),
    )
    for mark, colour, field, words in marks:
        b.plot([getattr(row, field) for row in made.rows], at, mark, color=colour, ms=5, label=words)
    b.legend(frameon=False, fontsize=8)
    b.set(xlabel="B: metric uncertainty", xlim=(0, 1))
    c.set_xlabel("C: informedness")
    for ax in (a, b):
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelleft=ax is a)
    c.tick_params(labelleft=False)
    return c


@figure
def toetsch2021_figure_4() -> Any:
    """Toetsch and Hoffmann 2021, figure 4: true positive and true negative rate of the cocaine classifier 7a."""
    _, axes = plt.subplots(1, 2, figsize=(7.4, 3.2), layout="constrained")
    for ax, metric in zip(axes, ("recall@high", "recall@low"), strict=True):
        plots.posterior(cocaine().of(metric), ax=ax)
    return axes[0]


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


def entries_of(path: str, prior: str | None = None) -> dict[str, Any]:
    """The accuracies of a leaderboard, of which score and number of cases were published."""
    boards = ((row["name"], float(row["score"]), int(row["n"])) for row in rows_of(path))
    return {name: hs.Posterior.from_accuracy(correct=round(score * n), n=n, prior=prior) for name, score, n in boards}


@figure
def forest_of_studies() -> Any:
    """Several studies: a typical and a new one, then each, pulled towards the rest (tick: what it showed)."""
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
    """Is it worth treating by these probabilities? Net benefit of a classifier of tumours, next to treating all."""
    return plots.decision_curve(curves.net_benefit(read_scores("examples/breast_cancer.csv")))


@figure
def best_threshold_of_f1() -> Any:
    """F1 of the same scores against the threshold: the best one, and where the best one may lie."""
    return plots.threshold(curves.best_threshold(read_scores("examples/breast_cancer.csv"), "f1"))


@figure
def toetsch2021_figure_5() -> Any:
    """Toetsch and Hoffmann 2021, figure 5 B: ranks of the ten best entries of a competition, and expected prizes."""
    entries = entries_of("examples/kaggle_recursion.csv", "flat")
    return plots.rank_matrix(hs.rank(entries, prizes=[10_000, 2_000, 1_000], entries="independent"))


@figure
def toetsch2021_figure_5_a() -> Any:
    """Toetsch and Hoffmann 2021, figure 5 A: the accuracies of these entries."""
    entries = entries_of("examples/kaggle_recursion.csv", "flat")
    return plots.ridge({name: known.of("accuracy") for name, known in entries.items()})


@figure
def tiers() -> Any:
    """The same leaderboard, its entries learned from all of it: accuracies, tiers that the data separate, prizes."""
    entries = entries_of("examples/kaggle_recursion.csv")
    return plots.tiers(hs.rank(entries, prizes=[10_000, 2_000, 1_000]))


@figure
def survey() -> Any:
    """Many published classifiers: cases, informedness and P(deceptive); also by `howsure survey FILE -o x.png`."""
    return plots.survey(hs.survey(tables_of("examples/toetsch2020.csv", "name"), "flat"))


@figure
def replication() -> Any:
    """What is known of a metric, and what a new test of so many cases would show."""
    return plots.replication(cocaine().predict(), "accuracy")


@figure
def toetsch2021_figure_6() -> Any:
    """Toetsch and Hoffmann 2021, figure 6: metric uncertainty over six orders of magnitude, at a power of 95%."""
    _, (ax, inset) = plt.subplots(1, 2, figsize=(8.0, 3.4), layout="constrained")
    rows = hs.rule_of_thumb("accuracy", mode=0.8, concentration=10, prior="flat")
    n, upper = np.array([row.n for row in rows]), [row.upper for row in rows]
    for panel in (ax, inset):
        panel.plot(n, upper, "o-", color="#3182bd", lw=1.8, label="95% of tests are narrower")
        panel.plot(n, 2 / np.sqrt(n), color="#8c8c8c", lw=1.2, ls=(0, (4, 3)), label="2 / sqrt(n)")
        panel.set_xlabel("cases")
        panel.grid(color="#8c8c8c", alpha=0.25, lw=0.6)
    ax.set(xscale="log", yscale="log", ylabel="metric uncertainty")
    ax.set_xticks([10**k for k in (1, 3, 5, 7)], [f"{10**k:,d}" for k in (1, 3, 5, 7)])
    ax.set_yticks([0.001, 0.01, 0.1, 1], ["0.001", "0.01", "0.1", "1"])
    inset.set(xlim=(0, 1050), ylim=(0, 0.65))
    inset.legend(frameon=False, fontsize=8)
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
        lines += [f"## {name}", "", caption, "", f"![{name}](figures/{name}.svg)", ""]
        lines += [f"![{name}, dark](figures/{name}_dark.svg)", ""] if name in DARK else []
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
