"""How the price grows: times of howsure and of its peers over classes, cases and classifiers, as pictures.

python benchmarks/growth.py [--envs .bench-envs] [--redraw]

Prints the section of docs/other-tools.md, and writes the pictures and the numbers behind them to docs/benchmarks/.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure
from peers import CASES, INTERVALS, RESAMPLES, measure

FOLDER = Path("docs/benchmarks")
STYLE = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "howsure",  # the same numbers give the same bytes
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "Helvetica"],
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#888888",
    "xtick.color": "#444444",
    "ytick.color": "#444444",
}
GRID = "#e6e6e6"
SIZE = 7.6, 4.0  # inches
LINE_HEIGHT = 14.0  # points between two labels
FITTED = 30.0  # the exponent is that of sizes within this factor of the largest


@dataclass(frozen=True)
class Who:
    """A line of a picture; colours of Okabe and Ito (2008), told apart by the colour-blind."""

    label: str
    job: str
    color: str
    sizes: tuple[int, ...]
    marker: str = "o"
    dashed: bool = False


@dataclass(frozen=True)
class Picture:
    """Sizes against times; one of the sizes of a job is fixed."""

    name: str
    title: str
    axis: str
    lines: tuple[Who, ...]
    classes: int | None = None  # fixed; the cases grow

    def task(self, size: int) -> tuple[int, int]:
        """Classes (or classifiers) and cases per class."""
        return (size, CASES) if self.classes is None else (self.classes, size)


BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#AA4499", "#555555"
FEW, MORE = (2, 3, 5, 10, 30, 100), (300, 1000)
POWERS = tuple(10**k for k in range(1, 10))

PICTURES = (
    Picture(
        "classes",
        f"95% interval of balanced accuracy, {CASES} cases in each class",
        "number of classes",
        (
            Who("howsure, exact", "ours_counts", BLUE, (*FEW, *MORE, 3000, 10_000, 30_000, 100_000)),
            Who("howsure, no two classes alike", "ours_unlike", BLUE, (*FEW, *MORE, 10_000, 100_000), dashed=True),
            Who("NumPy, 20,000 draws", "draws", ORANGE, (*FEW, *MORE), "s"),
            Who("convolution, 0.001 grid", "convolution", GREEN, (2, 3, 5), "^"),
            Who("prob_conf_mat", "prob_conf_mat", PURPLE, FEW, "D"),
            Who(f"scikit-learn, {RESAMPLES:,} resamples", "bootstrap", GREY, (2, 10, 100, 1000), "v"),
        ),
    ),
    Picture(
        "cases",
        "95% interval of balanced accuracy, 3 classes",
        "cases in each class",
        (
            Who("howsure, exact", "ours_counts", BLUE, POWERS),
            Who("NumPy, 20,000 draws", "draws", ORANGE, POWERS[::2], "s"),
            Who("convolution, 0.001 grid", "convolution", GREEN, POWERS[:3], "^"),
            Who("prob_conf_mat", "prob_conf_mat", PURPLE, POWERS[::2], "D"),
            Who(f"scikit-learn, {RESAMPLES:,} resamples", "bootstrap", GREY, POWERS[:4], "v"),
        ),
        classes=3,
    ),
    Picture(
        "ranks",
        "Probability of every rank of every classifier, 200 cases each",
        "number of classifiers",
        (
            Who("howsure, exact", "ranks_ours", BLUE, (*FEW, *MORE)),
            Who("NumPy, 20,000 argsorted draws", "ranks_draws", ORANGE, (*FEW, *MORE), "s"),
        ),
    ),
)


def times(picture: Picture, envs: Path) -> dict[str, list[list[float]]]:
    """Sizes and milliseconds of every line; a failure ends its line."""
    found: dict[str, list[list[float]]] = {}
    for who in picture.lines:
        packages = INTERVALS[who.job][1] if who.job in INTERVALS else ()
        found[who.job] = []
        for size in who.sizes:
            got = measure(who.job, picture.task(size)[0], envs, packages, picture.task(size)[1])
            if "failed" in got:
                break
            found[who.job].append([size, round(1e3 * got["time"], 4)])
    return found


def exponent(points: list[list[float]]) -> float:
    """Least-squares slope of log time over log size, at the large sizes."""
    top = points[-1][0]
    logs = [(math.log(size), math.log(time)) for size, time in points if size * FITTED >= top]
    if len(logs) < 2:
        return math.nan
    mean = [sum(column) / len(logs) for column in zip(*logs, strict=True)]
    return sum((x - mean[0]) * (y - mean[1]) for x, y in logs) / sum((x - mean[0]) ** 2 for x, _ in logs)


def readable(milliseconds: float) -> str:
    return f"{milliseconds / 1000:g} s" if milliseconds >= 1000 else f"{milliseconds:g} ms"


def round_size(size: float) -> str:
    """Write 1,000 and 10 million."""
    return f"{size:,.0f}" if size < 1e6 else f"{size / 1e6:,.0f} million" if size < 1e9 else f"{size / 1e9:g} billion"


def apart(wanted: list[float], gap: float) -> list[float]:
    """Move labels (given from the lowest) apart to a least gap, as little as may be."""
    blocks = [[place, 1.0] for place in wanted]  # middle and number of labels
    k = 0
    while k + 1 < len(blocks):
        (low, n), (high, m) = blocks[k], blocks[k + 1]
        if high - low < gap * (n + m) / 2:
            blocks[k : k + 2] = [[(low * n + high * m) / (n + m), n + m]]
            k = max(k - 1, 0)
        else:
            k += 1
    return [middle + gap * (i - (n - 1) / 2) for middle, n in blocks for i in range(int(n))]


def draw(picture: Picture, found: dict[str, list[list[float]]], path: Path) -> None:
    """Lines on logarithmic axes, each with its name beside its last point."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=SIZE)
        axes = figure.add_axes((0.1, 0.13, 0.53, 0.72))
        axes.set(xscale="log", yscale="log")
        lines = [who for who in picture.lines if found.get(who.job)]
        for who in lines:
            ours = who.color == BLUE
            x, y = zip(*found[who.job], strict=True)
            axes.plot(
                x, y, color=who.color, marker=who.marker, markersize=4, zorder=3 + ours,
                linewidth=1.3 if who.dashed or not ours else 2.4, linestyle="--" if who.dashed else "-",
            )  # fmt: skip
        axes.grid(color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.tick_params(which="both", length=0)
        axes.minorticks_off()
        axes.margins(x=0.03, y=0.06)
        largest = max(who.sizes[-1] for who in lines)
        decades = [10**k for k in range(10) if 1 < 10**k <= largest]
        axes.set_xticks(
            decades,
            [
                f"{s:,}" if s < 10_000 else f"{s // 1000}k" if s < 10**6 else f"{s // 10**6}M" if s < 10**9 else "1B"
                for s in decades
            ],
        )
        low, high = (math.log10(limit) for limit in axes.get_ylim())
        marks = [10.0**k for k in range(math.ceil(low), math.floor(high) + 1)]
        axes.set_yticks(marks, [readable(m) for m in marks])
        axes.set_xlabel(picture.axis, color="#444444")
        figure.text(0.02, 0.94, picture.title, fontsize=11.5, fontweight="bold", color="#222222")
        figure.text(0.02, 0.885, "CPU time of one call, one thread", fontsize=9.5, color="#555555")
        label(figure, axes, lines, found)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=110)


def label(figure: Figure, axes: mpl.axes.Axes, lines: list[Who], found: dict[str, list[list[float]]]) -> None:
    """Names at the right of the axes, in the order and colour of the lines, joined to their last points."""
    figure.canvas.draw()  # from here on the limits of the axes are final
    order = sorted(lines, key=lambda who: found[who.job][-1][1])
    height = axes.get_window_extent().height / figure.dpi * 72
    inside = axes.transAxes.inverted()
    ends = [inside.transform(axes.transData.transform(found[who.job][-1])) for who in order]
    for who, end, place in zip(order, ends, apart([float(end[1]) for end in ends], LINE_HEIGHT / height), strict=True):
        axes.plot(
            [end[0] + 0.012, 1.02], [end[1], place], transform=axes.transAxes, color=who.color, linewidth=0.6,
            alpha=0.55, linestyle=(0, (1, 2)), clip_on=False,
        )  # fmt: skip
        weight = "bold" if who.color == BLUE and not who.dashed else "normal"
        axes.text(
            1.03, place, who.label, transform=axes.transAxes, color=who.color, va="center", fontsize=9.5,
            fontweight=weight,
        )  # fmt: skip


def section(pictures: dict[str, dict[str, list[list[float]]]]) -> str:
    """Give the pictures and the exponents as Markdown."""
    text = ["## Growth", "", f"Time ~ size^exponent, fitted to the sizes within a factor of {FITTED:g} of the largest."]
    text += [
        f"With {CASES} cases in each class at most {CASES + 1} classes differ, and howsure counts equal ones once;"
    ]
    text += [
        "the dashed line has no two alike. Beyond 1,000 cases the grid of the convolution is coarser than the law."
    ]
    for picture in PICTURES:
        text += ["", f"![{picture.title}: time by {picture.axis}](benchmarks/growth_{picture.name}.svg)", ""]
        text += [f"| {picture.title} | {picture.axis} | ms a call | exponent |", "| --- | ---: | ---: | ---: |"]
        for who in picture.lines:
            points = pictures[picture.name][who.job]
            if not points:
                text.append(f"| {who.label} | | not measured | |")
                continue
            (first, start), (last, stop) = points[0], points[-1]
            name = f"**{who.label}**" if who.color == BLUE else who.label
            sizes, cost = f"{round_size(first)} to {round_size(last)}", f"{start:.3g} to {stop:,.3g}"
            text.append(f"| {name} | {sizes} | {cost} | {exponent(points):.2f} |")
    return "\n".join(text) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--envs", type=Path, default=Path(".bench-envs"), help="folder of the peers' environments")
    parser.add_argument("--redraw", action="store_true", help="measure nothing, draw the numbers that are there")
    parser.add_argument("--format", default="svg", choices=["svg", "png"])
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    numbers = FOLDER / "growth.json"
    if options.redraw:
        found = json.loads(numbers.read_text())
    else:
        found = {picture.name: times(picture, options.envs.absolute()) for picture in PICTURES}
        numbers.write_text(json.dumps(found, indent=1).replace("\n    ", " ").replace("\n   ]", " ]") + "\n")
    for picture in PICTURES:
        draw(picture, found[picture.name], FOLDER / f"growth_{picture.name}.{options.format}")
    print(section(found))


if __name__ == "__main__":
    main()
