"""Draws the two pictures of docs/validity.md from the tables in docs/validity, and writes the table between them.

Run: python docs/make_validity_pictures.py
"""

import csv
import math
import re
from pathlib import Path

HERE = Path(__file__).parent
BEGIN, END = "<!-- from here on made by docs/make_validity_pictures.py -->\n", "<!-- up to here -->\n"

#: What is asked, the table, its column, and which number of a cell it is.
SERIES = (
    ("balanced accuracy, 2 classes", "balanced-accuracy-k-2", "default", 1),
    ("balanced accuracy, 3 to 9 classes", "balanced-accuracy-k-3-to-9", "default", 1),
    ("balanced accuracy, 12 to 1,000 classes", "balanced-accuracy-k-12-to-1-000", "default", 1),
    ("macro F1, at the test set's class shares", "the-other-metrics-of-a-report", "f1@macro", 1),
    ("MCC", "the-other-metrics-of-a-report", "mcc", 1),
    ("quadratic kappa of ratings, central", "ordinal-metrics-of-ratings", "quadratic kappa", 0),
    ("MAE of ratings, central", "ordinal-metrics-of-ratings", "MAE", 0),
    ("difference, separate test sets", "power-on-separate-test-sets", "default: P, holds", 2),
    ("difference, same cases", "two-classifiers-on-the-same-cases", "default: P, holds", 1),
    ("share of right answers under a judge", "few-true-labels-many-verdicts-two-verdicts", "ours", 0),
    ("accuracy of a new group", "cases-in-groups", "accuracy", 0),
    ("balanced accuracy of new groups", "cases-in-groups", "balanced", 0),
    ("mean score of new items", "items-that-are-tried-several-times", "new: mean", 0),
    ("mean score of 20 items, central", "scores-of-items", "n = 20", 0),
    ("accuracy, repeated cross-validation", "folds-of-a-cross-validation", "divided", 0),
    ("largest gap of slices or groups, true 0.2", "fairness-the-largest-gap-between-groups", "at .2", 0),
    ("typical site of a pool", "pooled-sites", "typical, HDI", 0),
    ("new site of a pool", "pooled-sites", "new, HDI", 0),
    ("mean difference over data sets", "classifiers-over-many-data-sets", "mean held", 0),
    ("ROC AUC", "curves-of-scores", "hdi", 0),
    ("metric at a chosen threshold, new cases", "thresholds-that-were-chosen", "held, new cases", 0),
    ("calibration error (ece), central", "calibration-of-probabilities", "ece central", 0),
    ("Krippendorff's alpha, central", "agreement-of-raters", "alpha", 0),
    ("MCC of a second test", "replications", "mcc", 1),
)
PRIORS = (("default", "#1f6fb4"), ("flat", "#d9730d"), ("bootstrap", "#777777"))
STYLE = (
    "text{font:12px sans-serif;fill:#222}.axis{stroke:#999}.goal{stroke:#2a7d2a;stroke-dasharray:4 3}rect{fill:#fff}"
)


def rows_of(name: str) -> list[dict[str, str]]:
    """A table."""
    with (HERE / "validity" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def numbers(cell: str) -> list[float]:
    """The numbers of a cell, what stands in brackets left out."""
    return [float(each) for each in re.findall(r"\d+\.?\d*", re.sub(r"\(.*?\)", "", cell))]


def coverage(name: str, column: str, place: int) -> list[float]:
    """One number of every world of a table."""
    worlds = [row for row in rows_of(name) if next(iter(row.values())) != "all"]
    return [found[place] for row in worlds if len(found := numbers(row[column])) > place]


def svg(width: int, height: int, parts: list[str]) -> str:
    """A picture."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    return "\n".join(
        [head, f"<style>{STYLE}</style>", f'<rect width="{width}" height="{height}"/>', *parts, "</svg>\n"]
    )


def every_question() -> str:
    """Coverage of 95% intervals: a dot for every world, a bar at the mean."""
    parts, left, top, step = [], 300, 40, 22
    bottom = top + step * len(SERIES)

    def at(percent: float) -> float:
        return left + (max(percent, 60) - 60) * 9

    for percent in (60, 70, 80, 90, 100):
        parts.append(
            f'<line class="axis" x1="{at(percent)}" x2="{at(percent)}" y1="{top - 8}" y2="{bottom}" opacity=".4"/>'
        )
        parts.append(f'<text x="{at(percent)}" y="{bottom + 18}" text-anchor="middle">{percent}</text>')
    parts.append(f'<line class="goal" x1="{at(95)}" x2="{at(95)}" y1="{top - 8}" y2="{bottom}"/>')
    parts.append(f'<text x="{at(95)}" y="{top - 14}" text-anchor="middle">95</text>')
    for line, (label, name, column, place) in enumerate(SERIES):
        y, found = top + step * line + 8, coverage(name, column, place)
        parts.append(f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{label}</text>')
        parts += [f'<circle cx="{at(each)}" cy="{y}" r="3" fill="#1f6fb4" opacity=".35"/>' for each in found]
        mean = at(sum(found) / len(found))
        parts.append(
            f'<line x1="{mean:.1f}" x2="{mean:.1f}" y1="{y - 8}" y2="{y + 8}" stroke="#0b3d66" stroke-width="3"/>'
        )
    parts.append(
        f'<text x="{at(80)}" y="{bottom + 38}" text-anchor="middle">intervals that contain the truth, %</text>'
    )
    return svg(700, bottom + 50, parts)


def by_classes() -> str:
    """Coverage of the balanced accuracy by the number of classes, under the default, flat, and by the bootstrap."""
    parts, left, bottom = [], 60, 300

    def at(classes: float, percent: float) -> tuple[float, float]:
        return left + 180 * math.log10(classes / 2), bottom - 2.6 * percent

    for percent in (0, 50, 95, 100):
        y = at(2, percent)[1]
        kind = "goal" if percent == 95 else "axis"
        parts.append(
            f'<line class="{kind}" x1="{left - 10}" x2="{left + 500}" y1="{y:.1f}" y2="{y:.1f}" opacity=".6"/>'
        )
        parts += [f'<text x="{left - 16}" y="{y + 4:.1f}" text-anchor="end">{percent}</text>'] if percent != 100 else []
    for classes in (2, 3, 5, 10, 30, 100, 300, 1000):
        parts.append(f'<text x="{at(classes, 0)[0]:.1f}" y="{bottom + 20}" text-anchor="middle">{classes:,}</text>')
    for place, (prior, colour) in enumerate(PRIORS):
        for name in ("k-2", "k-3-to-9", "k-12-to-1-000"):
            for row in rows_of(f"balanced-accuracy-{name}"):
                x, y = at(float(row["K"].replace(",", "")), numbers(row[prior])[1])
                parts.append(f'<circle cx="{x + 5 * place - 5:.1f}" cy="{y:.1f}" r="3" fill="{colour}" opacity=".6"/>')
        parts.append(f'<text x="{left + 90 * place + 200}" y="20" style="fill:{colour}">{prior}</text>')
    parts.append(f'<text x="{left + 240}" y="{bottom + 40}" text-anchor="middle">number of classes</text>')
    return svg(600, bottom + 50, parts)


def table() -> str:
    """Worlds, mean and least of each question."""
    lines = [
        "",
        "| 95% interval of | worlds | mean | least | below 90 | table |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for label, name, column, place in SERIES:
        found = coverage(name, column, place)
        low = sum(each < 90 for each in found)
        link = f"[{name}](validity/{name}.csv)"
        lines.append(f"| {label} | {len(found)} | {sum(found) / len(found):.1f} | {min(found):.0f} | {low} | {link} |")
    return "\n".join([*lines, "", ""])


def page() -> str:
    """The page with its table made anew."""
    before, _, rest = (HERE / "validity.md").read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


def pictures() -> dict[str, str]:
    """The pictures by their files in docs/figures."""
    return {"validity.svg": every_question(), "validity_classes.svg": by_classes()}


if __name__ == "__main__":
    (HERE / "validity.md").write_text(page(), encoding="utf-8")
    for file, drawn in pictures().items():
        (HERE / "figures" / file).write_text(drawn, encoding="utf-8")
