"""Write the matrices of the sources as CSV, true classes in rows, from tests/reference/published.json."""

import csv
import json
from pathlib import Path

HERE = Path(__file__).parent
CASES = json.loads((HERE.parent / "tests/reference/published.json").read_text(encoding="utf-8"))["cases"]
MATRICES = {case["name"].lower(): case["matrix"] for case in CASES if "matrix" in case}

#: What the file is called, and its classes; the counts are those of the case of that name.
LABELS = {
    **{f"carrillo2013_c{i}": ["class 1", "class 2", "class 3"] for i in range(1, 10)},
    "brodersen2010_c1": ["class 1", "class 2"],
    "brodersen2010_c2": ["class 1", "class 2"],
    "brodersen2010_help": ["class 1", "class 2"],
    "blog_problem_with_accuracy": ["A", "B", "C"],
}
MATRICES["brodersen2010_help"] = [[90, 10], [5, 95]]

for name, labels in LABELS.items():
    with (HERE / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["true\\pred", *labels])
        writer.writerows([label, *row] for label, row in zip(labels, MATRICES[name], strict=True))
