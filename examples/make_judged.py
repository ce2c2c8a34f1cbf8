"""Make judged_log.csv, judged_labels.csv, judged_two.csv and judged_stars.csv: answers graded by an invented judge.

The judge passes 96 of 100 right answers and 35 of 100 wrong ones; 70 % of the answers are right. Of the two models 75 %
are right each, and the judge is lenient to `b`. Grades of one to five stars are high whatever the answer. The labels of
people are those of cases drawn at random. Python's own generator with a fixed seed: the same files everywhere.
"""

import csv
import random
from pathlib import Path

HERE = Path(__file__).parent
PASS, FAIL = "pass", "fail"


def write(name: str, header: list[str], rows: list[list[object]]) -> None:
    """One table."""
    with (HERE / name).open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def judged(rng: random.Random, right: bool, sensitivity: float, leniency: float) -> str:
    """What the judge says."""
    return PASS if rng.random() < (sensitivity if right else leniency) else FAIL


def one_model() -> None:
    """2,000 answers with a verdict, and a spreadsheet with 100 labels."""
    rng = random.Random(17)
    items = [f"q{i:04d}" for i in range(1, 2001)]
    right = {item: rng.random() < 0.7 for item in items}
    write("judged_log.csv", ["item", "verdict"], [[i, judged(rng, right[i], 0.96, 0.35)] for i in items])
    checked = sorted(rng.sample(items, 100))
    write("judged_labels.csv", ["item", "label"], [[i, PASS if right[i] else FAIL] for i in checked])


def two_models() -> None:
    """1,000 questions answered by two models, 150 of them checked for both."""
    rng = random.Random(18)
    rows: list[list[object]] = []
    checked = set(rng.sample(range(1000), 150))
    for i in range(1000):
        hard = rng.random()
        for model, leniency in (("a", 0.25), ("b", 0.6)):
            right = rng.random() < (0.9 if hard < 0.6 else 0.525)
            label = (PASS if right else FAIL) if i in checked else ""
            rows.append([f"q{i + 1:04d}", model, judged(rng, right, 0.95, leniency), label])
    write("judged_two.csv", ["item", "model", "verdict", "label"], rows)


def stars() -> None:
    """800 answers with one to five stars, 60 checked."""
    rng = random.Random(19)
    checked = set(rng.sample(range(800), 60))
    rows: list[list[object]] = []
    for i in range(800):
        right = rng.random() < 0.8
        grade = rng.choices([1, 2, 3, 4, 5], [1, 1, 4, 24, 70] if right else [10, 12, 18, 30, 30])[0]
        rows.append([f"a{i + 1:03d}", grade, (PASS if right else FAIL) if i in checked else ""])
    write("judged_stars.csv", ["item", "verdict", "label"], rows)


if __name__ == "__main__":
    one_model()
    two_models()
    stars()
