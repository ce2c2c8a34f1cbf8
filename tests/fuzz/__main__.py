"""Fuzz all targets one after the other, and say what was seen.

    python -m tests.fuzz --seconds 1200 --folder build/fuzz [TARGET ...]

What was found once, and does not happen again, belongs into ``corpus``: a test replays it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.fuzz.targets import TARGETS

from howsure.data import words

#: What the formats and grammars are made of; libFuzzer puts them in.
WORDS = (
    "true\\\\pred", "y_true", "y_pred", "pred_", "id,", "model", "verdict", "label", "unlabelled", "count", "weight",
    "fold", "run", "group", "site", "tp,fn,fp,tn", "TP=", "Total", "score", "correct", "NA", "nan", "inf", "1e999",
    "\\xef\\xbb\\xbf", "\\x1f\\x8b\\x08\\x00", "\\x28\\xb5\\x2f\\xfd", "BZh9", "\\xfd7zXZ\\x00", "PK\\x03\\x04", "PAR1",
    "<table><tr><td>", "\\\\begin{tabular}", "classified as", "Reference", "[[", "]]", "array(", "{\\\"classes\\\": ",
    "\\\"counts\\\": ", "\\\"cells\\\": ", "\\\"orientation\\\": \\\"true-rows\\\"",
    "\\\"samples\\\": ", "\\\"metrics\\\": ",
    "\\x0a====\\x0a", " and ", " or ", "not ", "<=", "@", "macro", "(beta=", "recall", "f1", "fbeta", "\\\"not ill\\\"",
    "9007199254740992", "1'045", "1,045", "(90 %)", "\\xe2\\x80\\xae", "\\xed\\xa0\\x80",
)  # fmt: skip


def fuzzed(name: str, seconds: float, folder: Path) -> dict[str, float]:
    """What was seen of one target; after a hang or a crash of the whole process it is started again."""
    total: dict[str, float] = {"inputs": 0, "read": 0, "slowest": 0.0, "largest": 0, "findings": 0, "ended": 0}
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 5:
        here = folder / name
        here.mkdir(parents=True, exist_ok=True)
        (here / "seen.json").unlink(missing_ok=True)
        command = [sys.executable, "-m", "tests.fuzz.worker", name, str(int(left)), str(here)]
        with Path(here, "log.txt").open("ab") as log:
            try:
                ended = subprocess.run(
                    command, stdout=log, stderr=log, check=False, timeout=left + 120, env=alone(folder)
                ).returncode
            except subprocess.TimeoutExpired:  # it does not even hear its own alarm
                ended = -1
        if (here / "seen.json").exists():
            seen = json.loads((here / "seen.json").read_text(encoding="utf-8"))
            total["inputs"] += seen["inputs"]
            total["read"] += seen["read"]
            total["slowest"] = max(total["slowest"], seen["slowest"])
            total["largest"] = max(total["largest"], seen["largest"])
            total["findings"] += len(seen["findings"])
            for problem, often in seen["findings"].items():
                print(f"  {problem} ({often} times): {here}", flush=True)
        if ended:
            total["ended"] += 1
            print(f"  the process ended with {ended}: {here / 'log.txt'}", flush=True)
            if total["ended"] == 5:
                break
    return total


def alone(folder: Path) -> dict[str, str]:
    """One core, and a place for files that are tried."""
    place = folder / "tried"
    place.mkdir(exist_ok=True)
    return {**os.environ, "OMP_NUM_THREADS": "1", "HOWSURE_FUZZ_FOLDER": str(place)}


def main() -> int:
    """Fuzz, print a table, and fail where anything was found."""
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz")
    asked.add_argument("targets", nargs="*", help=f"of {', '.join(TARGETS)}; all of them if left out")
    asked.add_argument("--seconds", type=float, default=1200, help="of all targets together")
    asked.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    given = asked.parse_args()
    names = given.targets or list(TARGETS)
    folder = given.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    known = {word for value in vars(words).values() if isinstance(value, frozenset) for word in value}
    plain = [
        word for word in sorted(map(str, known)) if word and word.isascii() and word.isprintable() and '"' not in word
    ]
    (folder / "words.dict").write_text("".join(f'"{w}"\n' for w in (*WORDS, *plain)), encoding="utf-8")
    rows = {name: fuzzed(name, given.seconds / len(names), folder) for name in names}
    print(f"{'target':14}{'inputs':>10}{'read':>10}{'slowest':>10}{'largest':>10}{'findings':>10}")
    for name, row in rows.items():
        print(
            f"{name:14}{row['inputs']:10,.0f}{row['read']:10,.0f}{row['slowest']:8.1f} s"
            f"{row['largest'] / 2**20:7,.0f} MB{row['findings'] + row['ended']:10.0f}"
        )
    return int(any(row["findings"] or row["ended"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
