"""Draw the model on one page: counts, recalls, rows of the matrix, shares of the classes, a metric.

Run: python docs/make_model_picture.py   (writes docs/figures/model.svg)

Every curve and number of the picture is asked of the posterior that the page asks.
"""

import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import howsure as hs
from howsure import plots
from howsure.plots.style import BLUE, GREY, ORANGE

OUT = Path(__file__).parent / "figures" / "model.svg"
LABELS = ("low", "high")
COLOURS = {"low": BLUE, "high": ORANGE}
COUNTS = [[6, 2], [0, 26]]


def density(ax: Any, law: Any, colour: str, words: str) -> None:
    """A law over 0 to 1, its 95% interval shaded, its mean a dot."""
    x = np.linspace(0, 1, 201)
    y = np.gradient([law.prob(below=float(at)) for at in x], x)
    low, high = law.interval()
    ax.plot(x, y, color=colour, lw=1.8)
    ax.fill_between(x, y, where=(low <= x) & (x <= high), color=colour, alpha=0.25, lw=0)
    ax.plot([law.mean], [0], "o", color=colour, ms=5, clip_on=False)
    ax.set(xlim=(0, 1), ylim=(0, None), yticks=[], xticks=[0, 0.5, 1])
    ax.spines[["left", "right", "top"]].set_visible(False)
    ax.set_title(f"{words}\n{law.mean:.2f} ({low:.2f} to {high:.2f})", fontsize=9.5, color=colour)


def counted(ax: Any, row: list[int], label: str) -> None:
    """The cases of one true class, a square each; wrong ones are hollow."""
    right = row[LABELS.index(label)]
    for case in range(sum(row)):
        face = COLOURS[label] if case < right else "none"
        ax.plot(case % 13, -(case // 13), "s", ms=7, mfc=face, mec=COLOURS[label], mew=1.3)
    ax.set(xlim=(-0.7, 12.7), ylim=(-1.7, 0.7))
    ax.axis("off")
    ax.set_title(f"truly {label}: {right} of {sum(row)} right", fontsize=9.5, color=COLOURS[label])


def rows_of(ax: Any, known: Any) -> None:
    """Each row of the matrix as shares: the recall called right, the rest wrong; the bar is the interval."""
    for at, label in enumerate(LABELS):
        law = known.of(f"recall@{label}")
        low, high = law.interval()
        ax.barh(-at, law.mean, color=COLOURS[label], alpha=0.55, height=0.5)
        ax.barh(-at, 1 - law.mean, left=law.mean, color="none", edgecolor=COLOURS[label], height=0.5)
        ax.plot([low, high], [-at, -at], color=GREY, lw=2.5)
    ax.set(xlim=(0, 1), ylim=(-1.5, 0.5), yticks=[0, -1], yticklabels=LABELS, xticks=[0, 0.5, 1])
    ax.tick_params(axis="y", length=0)
    ax.spines[["left", "right", "top"]].set_visible(False)
    ax.set_title("rows of the matrix:\nshare called right, and wrong", fontsize=9.5)


def draw(to: Path) -> None:
    """The picture as SVG, upright, so that it is read on a phone."""
    known = hs.infer(hs.ConfusionMatrix(COUNTS, labels=LABELS))
    with plots.theme():
        figure, axes = plt.subplots(4, 2, figsize=(5.4, 7.4), height_ratios=(0.6, 1, 1, 1))
        figure.subplots_adjust(left=0.1, right=0.96, top=0.9, bottom=0.04, hspace=1.15, wspace=0.28)
        for column, label in enumerate(LABELS):
            counted(axes[0, column], COUNTS[column], label)
            density(axes[1, column], known.of(f"recall@{label}"), COLOURS[label], f"recall of {label}")
        density(axes[2, 0], known.of("prevalence@low"), GREY, "share of low (prevalence)")
        rows_of(axes[2, 1], known)
        axes[3, 0].axis("off")
        axes[3, 0].text(0, 0.45, "one share, one row\nof each class:\nevery metric", fontsize=9.5, va="center")
        density(axes[3, 1], known.of("precision@high"), "#555555", "precision of high")
        steps = (
            "1  what was counted",
            "2  a recall for each true class",
            "3  the table they make",
            "4  a metric of it",
        )
        for row, words in enumerate(steps):
            top = axes[row, 1].get_position().y1
            figure.text(0.02, top + (0.04 if row == 0 else 0.058), words, fontsize=10.5, weight="bold")
        figure.savefig(to, metadata={"Date": None})
        plt.close(figure)


if __name__ == "__main__":
    mpl.use("agg")
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else OUT)
