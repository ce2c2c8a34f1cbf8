"""Make each seeded fault in a copy of the tree, and see whether the tests notice.

    python -m tests.mutants [--workers 2] [--tier fast] [PART ...]

PART is part of a file's name or of the line; all faults if left out. The tests that are named beside a fault run first,
the fast ones, then those of the full and of the deep tier, up to the tier that is asked for; then the fast tests of its
room, of the papers and of all print-outs: the table says which tier notices. `tests.mutants.random_faults --listed` is
a quicker way to ask the fast tier alone. The tests that caught one run once
more on the copy as it is: what fails there would "catch" anything. Ends with 1 if a fault survives, with 2 if the run
itself went wrong.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.mutants.faults import ROOT, Fault, faults, places
from tests.mutants.table import LISTED, noted

#: What no test reads.
ASIDE = (".git", ".venv", "__pycache__", ".*_cache")

#: Seconds for the tests of one fault; most take ten.
PATIENCE = 400


class Outcome(NamedTuple):
    """What the tests said: the first that failed, or how else they ended."""

    status: int | None
    said: str
    seconds: float
    tier: str = "deep"

    def caught(self, fault: Fault) -> bool:
        """Whether a test failed; an error of collection or of pytest itself is no test."""
        return fault.hangs if self.status is None else self.status == 1


class Tree:
    """A copy of the tree in which one fault at a time is made."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*ASIDE), dirs_exist_ok=True)
        self.env = {**os.environ, "PYTHONPATH": str(folder / "src"), "OMP_NUM_THREADS": "1"}
        code = "import howsure; print(howsure.__file__)"
        found = subprocess.run(
            [sys.executable, "-c", code], env=self.env, cwd=folder, capture_output=True, check=True, timeout=PATIENCE
        )
        if Path(os.fsdecode(found.stdout).strip()).parent != folder / "src" / "howsure":
            raise SystemExit(f"the copy in {folder} is not what Python imports: {os.fsdecode(found.stdout)}")

    def tested(self, tests: Iterable[str], tier: str = "deep") -> Outcome:
        """Run some tests until one fails."""
        options = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "--tier", tier]
        command = [sys.executable, "-m", "pytest", *options, *tests]
        start = time.monotonic()
        try:
            done = subprocess.run(
                command,
                cwd=self.root,
                env=self.env,
                capture_output=True,
                encoding="utf-8",
                check=False,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return Outcome(None, f"no end in {PATIENCE} s", time.monotonic() - start, tier)
        lines = done.stdout.strip().splitlines() or [done.stderr.strip()[-200:]]
        first = next((line for line in lines if line.startswith(("FAILED ", "ERROR "))), lines[-1])
        return Outcome(done.returncode, first.split(" - ")[0].removeprefix("FAILED "), time.monotonic() - start, tier)

    def with_fault(self, fault: Fault, upto: str) -> Outcome:
        """What the first tests that notice a fault say, or the last that do not; the fault is taken back."""
        path = self.root / "src" / "howsure" / fault.file
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines(keepends=True)
        (place,) = places(fault, self.root / "src" / "howsure")
        lines[place] = lines[place].replace(fault.before, fault.after)
        try:
            self._write(path, "".join(lines))
            for tier, tests in stages(fault, upto):
                outcome = self.tested(tests, tier)
                if outcome.caught(fault):
                    break
            return outcome
        finally:
            self._write(path, text)

    @staticmethod
    def _write(path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        # compiled files are told from stale ones by second and size, which a swapped sign leaves as they are
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def stages(fault: Fault, upto: str) -> list[tuple[str, tuple[str, ...]]]:
    """Which tests are tried on a fault, in turn."""
    rooms = [f"tests/{fault.file.partition('/')[0]}", "tests/papers", "tests/golden", "tests/house", "tests/cli"]
    nearby = tuple(room for room in rooms if (ROOT / room).is_dir())
    tiers = ("fast", "full", "deep")
    named = [(tier, fault.tests) for tier in tiers[: tiers.index(upto) + 1]]
    return [*(named if fault.tests else []), ("fast", nearby)]


def main() -> int:
    """Test, print a table, and fail where a fault survives."""
    asked = argparse.ArgumentParser(prog="python -m tests.mutants")
    asked.add_argument("parts", nargs="*", help="parts of names of files, or of lines; all faults if left out")
    asked.add_argument("--workers", type=int, choices=[1, 2], default=2, help="how many at a time")
    asked.add_argument(
        "--tier", choices=["fast", "full", "deep"], default="deep", help="the dearest tests that are tried"
    )
    options = asked.parse_args()
    chosen = list(dict.fromkeys(fault for part in options.parts or [""] for fault in faults(part)))
    odd = [fault for fault in chosen if len(places(fault)) != 1]
    for fault in odd:
        print(f"{fault.file}: this line is there {len(places(fault))} times, not once: {fault.before}")
    if odd or not chosen:
        print("nothing to do" if not chosen else "put the list right: tests/mutants/faults")
        return 2
    alike = [fault for fault in chosen if fault.equivalent]
    made = [fault for fault in chosen if not fault.equivalent]
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.workers) as pool:
        trees: SimpleQueue[Tree] = SimpleQueue()
        for worker in range(options.workers):
            trees.put(Tree(Path(folder, str(worker))))

        def by_any(what: Fault | list[str]) -> Outcome:
            tree = trees.get()
            try:
                return tree.with_fault(what, options.tier) if isinstance(what, Fault) else tree.tested(what)
            finally:
                trees.put(tree)

        print(f"{len(made)} faults of one line\n", flush=True)
        survived, caught_by, tiers = 0, set(), Counter()
        for fault, seen in zip(made, pool.map(by_any, made), strict=True):
            caught = seen.caught(fault)
            survived += not caught
            tiers[seen.tier] += caught
            if caught and seen.status is not None:
                caught_by.add(seen.said.partition("[")[0])
            verdict = f"{seen.tier}: caught by" if caught else "SURVIVED" if seen.status in {0, 5} else "NOT TESTED"
            print(f"{fault.file}: {fault.breaks}\n    {verdict} {seen.said} ({seen.seconds:.0f} s)", flush=True)
            if verdict != "NOT TESTED":
                noted(LISTED, {f"{fault.file} | {fault.breaks}": f"{seen.tier}: {seen.said}" if caught else "survived"})
        files = sorted({test.partition("::")[0] for test in caught_by})
        again = [[test for test in caught_by if test.partition("::")[0] == file] for file in files]
        unsound = [seen.said for seen in pool.map(by_any, again) if seen.status != 0]
    for fault in alike:
        print(f"{fault.file}: {fault.breaks}\n    equivalent: {fault.equivalent}")
    minutes = (time.monotonic() - start) / 60
    by_tier = ", ".join(f"{number} {tier}" for tier, number in tiers.items())
    print(f"\n{len(chosen)} faults of one line: {len(made) - survived} caught ({by_tier}), {survived} not,")
    print(f"{len(alike)} equivalent ({minutes:.0f} minutes)")
    for said in unsound:
        print(f"fails without any fault as well, and catches nothing: {said}")
    return 2 if unsound else int(survived > 0)


if __name__ == "__main__":
    raise SystemExit(main())
