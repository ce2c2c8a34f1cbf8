"""Write toetsch2020.csv: the 24 published classifiers of Toetsch and Hoffmann 2021, Table S1, from the test suite."""

import csv
import json
from pathlib import Path

HERE = Path(__file__).parent
CASES = json.loads((HERE.parent / "tests/reference/published.json").read_text(encoding="utf-8"))["cases"]

with (HERE / "toetsch2020.csv").open("w", newline="", encoding="utf-8") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["name", "tp", "fn", "fp", "tn"])
    tables = {c["name"].removeprefix("toetsch2020_"): c["matrix"] for c in CASES if c["name"].startswith("toetsch2020")
              and "matrix" in c}  # fmt: skip
    for name, ((tp, fn), (fp, tn)) in sorted(tables.items(), key=lambda x: (int(x[0].rstrip("ab")), x[0])):
        writer.writerow([name, tp, fn, fp, tn])
