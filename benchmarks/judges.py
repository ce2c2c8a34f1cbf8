"""Few labels, many verdicts: what packages say of the same answers, and whether our copies of their formulas are right.

    python benchmarks/judges.py --envs .bench-envs

Each package is installed into an environment of its own on first use; one that cannot be had is said so. The formulas
of tests/validation/judge_rivals.py are held against the packages on the same data sets, then all answer.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]

# what the table calls it, what pip installs
PACKAGES = {
    "ppi-python": "ppi-python==0.2.3",
    "truescore": "truescore==0.7.4",
    "judgy": "judgy==0.1.0",
}
#: Share of right answers, sensitivity and specificity of the judge, answers, labels.
SCENES = [
    (0.7, 0.96, 0.65, 2000, 100),
    (0.9, 0.95, 0.85, 2000, 50),
    (0.97, 0.82, 0.97, 2000, 40),
    (0.8, 0.7, 0.65, 500, 200),
]
PATIENCE = 600


def answers(scene, seed: int):
    """Labels, verdicts of the labelled answers, and verdicts of the others."""
    import numpy as np

    share, sens, spec, answers, labels = scene
    rng = np.random.default_rng([seed, labels])
    right = rng.random(answers) < share
    says = np.where(rng.random(answers) < np.where(right, sens, spec), right, ~right)
    return right[:labels].astype(float), says[:labels].astype(float), says[labels:].astype(float)


def of_package(name: str, seeds: int) -> dict[str, list]:
    """Intervals of one package, which is installed here."""
    import numpy as np

    found: dict[str, list] = {}
    start = time.process_time()
    for scene in SCENES:
        for seed in range(seeds):
            y, f, rest = answers(scene, seed)
            for method, ends in calls(name, y, f, rest, np):
                found.setdefault(method, []).append(ends)
    found["seconds"] = [time.process_time() - start]
    return found


def calls(name: str, y, f, rest, np):
    """Methods of a package, and what they say; None where they refuse."""
    if name == "ppi-python":
        from ppi_py import ppi_mean_ci

        for method, lam in (("PPI", 1), ("PPI++", None)):
            low, high = ppi_mean_ci(y, f, rest, alpha=0.05, lam=lam)
            yield method, [float(np.ravel(low)[0]), float(np.ravel(high)[0])]
        return
    every = np.concatenate([f, rest])
    if name == "truescore":
        import truescore

        for method, call in (("truescore", truescore.ppi_estimate), ("Rogan-Gladen", truescore.rogan_gladen_estimate)):
            try:
                made = call(every, y, np.arange(len(y)))
            except ValueError:
                yield method, None
            else:
                yield method, [made.low, made.high]
        return
    from judgy import estimate_success_rate

    np.random.seed(0)
    try:
        _, low, high = estimate_success_rate(y, f, rest, bootstrap_iterations=4000)
    except (ValueError, RuntimeError):
        yield "judgy", None
    else:
        yield "judgy", [low, high]


def ours(seeds: int) -> dict[str, list]:
    """Our formulas for theirs, and our answer."""
    sys.path[:0] = [str(ROOT)]
    import numpy as np
    from tests.validation import judge_rivals as rivals

    import howsure as hs

    copies = {
        "PPI": rivals.ppi,
        "PPI++": rivals.ppi_tuned,
        "truescore": rivals.truescore,
        "Rogan-Gladen": rivals.rogan_gladen,
        "judgy": lambda *counts: rivals.judgy(*counts, resamples=4000),
        "labels alone": rivals.human,
        "judge alone": rivals.naive,
    }
    found: dict[str, list] = {}
    seconds = 0.0
    for scene in SCENES:
        for seed in range(seeds):
            y, f, rest = answers(scene, seed)
            table = np.array([[np.sum((f == v) & (y == h)) for h in (0, 1)] for v in (0, 1)], dtype=float)
            others = np.array([np.sum(rest == v) for v in (0, 1)], dtype=float)
            with np.errstate(all="ignore"):
                for method, rival in copies.items():
                    low, high = rival(table[None], others[None], np.array([0.0, 1.0]))
                    given = np.isfinite(low[0]) and np.isfinite(high[0])
                    found.setdefault(method, []).append([float(low[0]), float(high[0])] if given else None)
            start = time.process_time()
            matrix = hs.ConfusionMatrix(
                table.T.astype(int), labels=["fail", "pass"], unlabelled=others.astype(int), positive="pass"
            )
            ends = hs.infer(matrix).of("prevalence@pass").interval(0.95, "central")
            seconds += time.process_time() - start
            found.setdefault("howsure", []).append([ends.low, ends.high])
    found["seconds"] = [seconds]
    return found


def environment(name: str, folder: Path) -> Path | None:
    """The Python of an environment with a package; None, and a line, where it cannot be had."""
    home = folder / f"judges-{name}"
    python = home / "bin" / "python"
    if not (home / ".done").exists():
        venv.create(home, with_pip=True, clear=True)
        made = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGES[name]],
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        if made.returncode:
            print(f"- {name}: not to be had here ({made.stderr.strip().splitlines()[-1][:100]})")
            return None
        (home / ".done").touch()
    return python


def child(python: Path, name: str, seeds: int) -> dict[str, list] | None:
    """What a package says, in its own environment."""
    made = subprocess.run(
        [python, __file__, "--as", name, "--seeds", str(seeds)], capture_output=True, text=True, timeout=PATIENCE,
        check=False, env={**os.environ, "PYTHONPATH": ""},
    )  # fmt: skip
    if made.returncode:
        print(f"- {name}: failed: {made.stderr.strip().splitlines()[-1][:200]}")
        return None
    return json.loads(made.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=Path, default=Path(".bench-envs"))
    parser.add_argument("--seeds", type=int, default=25, help="data sets of each scene")
    parser.add_argument("--as", dest="name", choices=PACKAGES, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.name:
        print(json.dumps(of_package(asked.name, asked.seeds)))
        return
    print("\n## Few labels, many verdicts\n")
    mine, theirs = ours(asked.seeds), {}
    seconds = {"howsure": mine.pop("seconds")[0]}
    for name in PACKAGES:
        python = environment(name, asked.envs)
        said = child(python, name, asked.seeds) if python else None
        if said:
            seconds[name] = said.pop("seconds")[0]
            theirs |= {method: (name, found) for method, found in said.items()}
    table(mine, theirs, seconds, asked.seeds)


def table(mine: dict[str, list], theirs: dict[str, tuple[str, list]], seconds: dict[str, float], seeds: int) -> None:
    """Held, width and refusals of each scene, and how far our copies are from the packages."""
    print(f"{seeds} data sets of each scene; held / mean width / refused; those installed answer for themselves.\n")
    heads = [f"{s[0]:g} right, judge {s[1]:g}/{s[2]:g}, {s[3]:,} answers, {s[4]} labels" for s in SCENES]
    print(f"| method | who answers | {' | '.join(heads)} | copy differs by |\n|{' --- |' * (len(heads) + 3)}")
    for method, copy in mine.items():
        who, found = theirs.get(method, ("our formula" if method not in ("howsure",) else "howsure", copy))
        cells = []
        for i, scene in enumerate(SCENES):
            part = found[i * seeds : (i + 1) * seeds]
            given = [ends for ends in part if ends]
            held = sum(low <= scene[0] <= high for low, high in given)
            width = sum(high - low for low, high in given) / max(len(given), 1)
            cells.append(f"{100 * held / len(part):.0f} / {width:.3f} / {len(part) - len(given)}")
        print(f"| {method} | {who} | {' | '.join(cells)} | {difference(copy, found) if method in theirs else ''} |")
    print("\nSeconds of one core for all data sets: " + ", ".join(f"{k} {v:.2f}" for k, v in seconds.items()) + ".")


def difference(copy: list, found: list) -> str:
    """Largest distance of both ends, and how often only one of the two answers."""
    both = [(a, b) for a, b in zip(copy, found, strict=True) if a and b]
    odd = sum((a is None) != (b is None) for a, b in zip(copy, found, strict=True))
    far = max((abs(x - y) for a, b in both for x, y in zip(a, b, strict=True)), default=float("nan"))
    return f"{far:.1g}" + (f", {odd} answered by one only" if odd else "")


if __name__ == "__main__":
    main()
