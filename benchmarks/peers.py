"""Time, error and memory of howsure and of its peers on the same inputs; each peer in a process of its own."""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import time
import venv
import warnings
from pathlib import Path

# The parent imports no NumPy: a child's peak memory starts from its parent's.
CASES = 50  # per class
CLASSES = (2, 3, 10, 100, 1000)
CLASSIFIERS = (10, 100, 1000)
MANY = 10_000  # cases per class that are not drawn one by one
DRAWS = 20_000
RESAMPLES = 1000
REPEATS = 5  # warm calls, each on a table of its own, so that nothing can be remembered
PATIENCE = 20.0  # seconds after which no further repeat starts
TIMEOUT = 300  # seconds for one process
MEMORY = 12  # GB of address space for one process

# key: what the table calls it, what pip installs (nothing: our own Python), prior, kind of interval, largest K
INTERVALS = {
    "ours": ("**howsure**, exact", (), "flat", "central", 1000),
    "ours_hdi": ("**howsure**, exact", (), "flat", "hdi", 1000),
    "draws": (f"NumPy, {DRAWS:,} draws of K Betas", (), "flat", "central", 1000),
    "convolution": ("np.convolve on a 0.001 grid", (), "flat", "central", 5),
    "prob_conf_mat": ("prob_conf_mat 0.4.0, 10,000 draws", ("prob_conf_mat==0.4.0",), "flat", "hdi", 1000),
    "bootstrap": (f"scikit-learn, {RESAMPLES:,} resamples", ("scikit-learn", "numpy"), "haldane", "central", 1000),
}
RANKS = {"ranks_ours": "**howsure**, exact", "ranks_draws": f"NumPy, {DRAWS:,} argsorted draws"}


def confusion(size: int, repeat: int, cases: int = CASES) -> list[list[int]]:
    """Seeded counts by the standard library, so that every environment sees the same ones."""
    rng = random.Random(1000 * size + repeat)
    table = [[0] * size for _ in range(size)]
    for i, row in enumerate(table):
        recall = rng.uniform(0.6, 0.8)  # no class all right, where the flattest prior says nothing
        if cases > MANY:  # the expected counts
            row[i] = round(recall * cases)
            row[(i + 1) % size] += cases - row[i]
            continue
        for _ in range(cases):
            row[i if rng.random() < recall else (i + rng.randrange(1, size)) % size] += 1
    return table


def scores(count: int, repeat: int) -> tuple[list[int], list[int]]:
    """Right and wrong cases of classifiers with 200 cases each, one more of both as the flat prior has it."""
    rng = random.Random(1000 * count + repeat)
    right = [sum(rng.random() < skill for _ in range(200)) for skill in (rng.uniform(0.7, 0.9) for _ in range(count))]
    return [1 + k for k in right], [201 - k for k in right]


def prepare(job: str, size: int, repeat: int, cases: int):
    """Import the peer and make its input, untimed; return the call that is timed."""
    import numpy as np

    rng = np.random.default_rng(repeat)
    if job.startswith("ranks"):
        a, b = (np.array(x, float) for x in scores(size, repeat))
        if job == "ranks_draws":
            return ranks_by_draws(a, b, rng)
        from howsure.numerics.populations.ranks import beta_ranks

        return lambda: beta_ranks(a, b).matrix
    if job in ("ours_counts", "ours_unlike"):
        return from_counts(size, cases, rng, alike=job == "ours_counts")
    table = np.array(confusion(size, repeat, cases))
    if job in ("ours", "ours_hdi", "reference"):
        return exact(table, job)
    if job == "prob_conf_mat":
        return prob_conf_mat(table, repeat)
    if job == "bootstrap":
        return bootstrap(table, rng)
    return {"draws": draws, "convolution": convolution}[job](1 + table.diagonal(), 1 + cases - table.diagonal(), rng)


def exact(table, job: str):
    import howsure as hs

    def interval(prior: str, kind: str) -> list[float]:
        law = hs.infer(hs.ConfusionMatrix(table), prior).of("balanced_accuracy")
        return [*law.interval(0.95, kind), law.sd]

    if job == "reference":
        return lambda: {
            f"{prior} {kind}": interval(prior, kind)
            for prior, kind in (("flat", "central"), ("flat", "hdi"), ("haldane", "central"))
        }
    return lambda: interval("flat", "hdi" if job == "ours_hdi" else "central")[:2]


def from_counts(size: int, cases: int, rng, alike: bool):
    """Ours from the right and wrong cases of each class: a table of 100,000 classes would not fit.

    Not ``alike``: fractional cases, so that no two classes are equal.
    """

    from howsure.laws import BetaSum

    recall = rng.uniform(0.6, 0.8, size)
    right = rng.binomial(cases, recall) if alike else cases * recall
    return lambda: BetaSum(1 + right, 1 + cases - right).interval(0.95, "central")


def draws(a, b, rng):
    import numpy as np

    return lambda: np.percentile(rng.beta(a, b, (DRAWS, len(a))).mean(1), [2.5, 97.5]).tolist()


def convolution(a, b, _):
    import numpy as np
    from scipy.stats import beta

    def run() -> list[float]:
        grid = np.linspace(0, 1, 1001)
        density = np.ones(1)
        for i in range(len(a)):
            density = np.convolve(density, beta.pdf(grid, a[i], b[i]))
        cumulative = np.cumsum(density) / density.sum()
        return [int(np.searchsorted(cumulative, p)) / (len(density) - 1) for p in (0.025, 0.975)]

    return run


def prob_conf_mat(table, seed: int):
    import numpy as np
    from prob_conf_mat import Study
    from prob_conf_mat.stats import summarize_posterior

    prior = np.full(table.shape, 1 / (len(table) - 1))
    np.fill_diagonal(prior, 1.0)

    def run() -> list[float]:
        study = Study(seed=seed, num_samples=10_000, ci_probability=0.95)
        study.add_experiment("test/model", table, confusion_prior=prior)
        study.add_metric("balanced_accuracy")
        values = study.get_metric_samples("balanced_accuracy", "test/model", "posterior").values[:, 0]
        return [float(x) for x in summarize_posterior(values, 0.95).hdi]

    return run


def bootstrap(table, rng):
    import numpy as np
    from sklearn.metrics import balanced_accuracy_score

    true, predicted = (np.repeat(cells.ravel(), table.ravel()) for cells in np.indices(table.shape))

    def run() -> list[float]:
        values = []
        for _ in range(RESAMPLES):
            chosen = rng.integers(0, len(true), len(true))
            values.append(balanced_accuracy_score(true[chosen], predicted[chosen]))
        return np.percentile(values, [2.5, 97.5]).tolist()

    return run


def ranks_by_draws(a, b, rng):
    import numpy as np

    def run():
        order = np.argsort(-rng.beta(a, b, (DRAWS, len(a))), axis=1)  # order[d, r]: who has rank r
        held = np.bincount((order * len(a) + np.arange(len(a))).ravel(), minlength=len(a) ** 2)
        return held.reshape(len(a), len(a)) / DRAWS

    return run


def work(job: str, size: int, cases: int, prepare=prepare) -> None:
    """In the child: run the job warm, print its times, results and peak memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY << 30, MEMORY << 30))
    warnings.simplefilter("ignore")
    times, results, start = [], [], time.perf_counter()
    try:
        for repeat in range(REPEATS + 1):
            if repeat > 1 and time.perf_counter() - start > PATIENCE and job != "reference":
                break
            run = prepare(job, size, repeat, cases)
            began = time.process_time()
            result = run()
            times.append(time.process_time() - began)
            # of a matrix of ranks: the chances to be among the best tenth
            results.append(result[:, : size // 10].sum(1).tolist() if job.startswith("ranks_") else result)
    except Exception as problem:
        print(json.dumps({"failed": f"{type(problem).__name__}: {problem}"}))
        return
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    print(json.dumps({"time": statistics.median(times[1:]), "results": results, "peak": peak}))


def environment(folder: Path, packages: tuple[str, ...]) -> str:
    """Path of a Python that has the packages, installed on first use."""
    if not packages:
        return sys.executable
    home = folder / "-".join(packages).replace("==", "-")
    python, stamp = home / "bin" / "python", home / ".installed"
    if not stamp.exists():
        print(f"installing {' '.join(packages)}", file=sys.stderr)
        venv.create(home, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        subprocess.run(pip, check=True, capture_output=True, text=True)
        stamp.touch()
    return str(python)


def measure(
    job: str, size: int, folder: Path, packages: tuple[str, ...] = (), cases: int = CASES, script: str = __file__
) -> dict:
    """Run one job in its process; whatever goes wrong is its result."""
    try:
        python = environment(folder, packages)
        threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        command = [python, script, "--work", job, str(size), str(cases)]
        print(f"{job} {size} {cases}", file=sys.stderr)
        done = subprocess.run(
            command, env=os.environ | threads, capture_output=True, text=True, timeout=TIMEOUT, check=True
        )
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"failed": f"not done after {TIMEOUT} s"}
    except subprocess.CalledProcessError as problem:
        step = "installing" if any("pip" in part for part in problem.cmd) else "running"
        said = str(problem.stderr or problem.output or "").strip()
        return {"failed": f"{step} ended with {problem.returncode}: {said[-100:]}"}
    except (OSError, ValueError) as problem:
        return {"failed": f"{type(problem).__name__}: {problem}"}


def line(*cells: object) -> None:
    print("| " + " | ".join(str(cell).replace("|", "/") for cell in cells) + " |", flush=True)


def cost(got: dict, error: str) -> tuple[str, str, str]:
    if "failed" in got:
        return f"failed: {' '.join(got['failed'].split())[:150]}", "", ""
    milliseconds = 1000 * got["time"]
    return f"{milliseconds:.3g}" if milliseconds < 1000 else f"{milliseconds:,.0f}", error, f"{got['peak']:.0f}"


def interval_rows(folder: Path, sizes: list[int]) -> None:
    line("K", "who", "prior, interval", "ms a call", "error of the ends / sd", "peak MB")
    line(*["---:", "---", "---", "---:", "---:", "---:"])
    for size in sizes:
        reference = measure("reference", size, folder)
        for job, (name, packages, prior, kind, largest) in INTERVALS.items():
            if size > largest:
                continue
            got, error = measure(job, size, folder, packages), "0 (reference)"
            if "failed" in reference:
                error = "no reference"
            elif "failed" not in got and not job.startswith("ours"):
                truth = [result[f"{prior} {kind}"] for result in reference["results"]]
                pairs = zip(got["results"], truth, strict=False)
                off = [(x - y) / sd for ends, (*exact, sd) in pairs for x, y in zip(ends, exact, strict=True)]
                error = f"{math.sqrt(statistics.fmean(x * x for x in off)):.1g}"
            line(size, name, f"{'none' if job == 'bootstrap' else prior}, {kind}", *cost(got, error))


def rank_rows(folder: Path, counts: list[int]) -> None:
    line("T", "who", "ms a call", "largest error of P(best tenth)", "peak MB")
    line(*["---:", "---", "---:", "---:", "---:"])
    for count in counts:
        truth = {}
        for job, name in RANKS.items():
            got, error = measure(job, count, folder), "0 (reference)"
            truth = truth or got
            if got is not truth and "results" in got:
                pairs = zip(got["results"], truth.get("results", []), strict=False)
                error = f"{max((abs(x - y) for p in pairs for x, y in zip(*p, strict=True)), default=math.nan):.1g}"
            line(count, name, *cost(got, error))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=Path, default=Path(".bench-envs"), help="folder of the peers' environments")
    parser.add_argument("--classes", type=int, nargs="*", default=CLASSES)
    parser.add_argument("--classifiers", type=int, nargs="*", default=CLASSIFIERS)
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work[0], *map(int, options.work[1:]))
        return
    print(f"## Peers\n\nOne thread and at most {MEMORY} GB for each process.")
    print(f"\n### 95% interval of balanced accuracy, {CASES} cases in each of K classes\n")
    interval_rows(options.envs.absolute(), options.classes)
    print("\n### Ranks of T classifiers, 200 cases each\n")
    rank_rows(options.envs.absolute(), options.classifiers)


if __name__ == "__main__":
    main()
