"""Time and memory of comparing two and ranking many, and of peers that answer the same question."""

from __future__ import annotations

import argparse
import contextlib
import io
from pathlib import Path

from peers import DRAWS, confusion, cost, line, measure, scores, work

PCM, AUTORANK = ("prob_conf_mat==0.4.0",), ("autorank==1.3.0",)

# question: (title, size, rows of (job, name, packages)); the first row is the unit of the ratios
QUESTIONS = {
    "compare": (
        "P(A better) in balanced accuracy, separate test sets, K = 10",
        10,
        (
            ("compare_ours", "**howsure**, exact: `compare`", ()),
            ("compare_draws", f"NumPy, {DRAWS:,} draws of 2 K Betas", ()),
            ("compare_pcm", "prob_conf_mat 0.4.0, 10,000 draws", PCM),
        ),
    ),
    "board": (
        "Board of 1,000 names with 200 cases each: ours from the CSV to all that `rank` gives, draws from the counts",
        1000,
        (
            ("board_ours", "**howsure**, exact: `read_board`, `rank`, each entry judged alone", ()),
            ("board_draws", f"NumPy, {DRAWS:,} argsorted draws, P(rank) only", ()),
        ),
    ),
    "paired": (
        "50 classifiers on the same 15,000 cases, by accuracy",
        50,
        (
            ("paired_ours", f"**howsure**, {DRAWS:,} joint draws: `rank`", ()),
            ("paired_bootstrap", "NumPy, 1,000 resamples of the cases, argsorted", ()),
            ("paired_autorank", "autorank 1.3.0, frequentist, no P(best)", AUTORANK),
        ),
    ),
}
CASES = 15_000


def answers(models: int, repeat: int):
    """Whether each classifier is right on each case; hard cases are hard for all."""
    import numpy as np

    rng = np.random.default_rng(repeat)
    easy = rng.beta(2, 0.5, CASES)
    return rng.random((models, CASES)) < np.clip(easy + 0.002 * np.arange(models)[:, None], 0, 1)


def prepare(job: str, size: int, repeat: int, cases: int):
    """Import the peer and make its input, untimed; return the call that is timed."""
    import numpy as np

    rng = np.random.default_rng(repeat)
    if job.startswith("compare"):
        tables = [np.array(confusion(size, 2 * repeat + i, cases)) for i in range(2)]
        return {"ours": compare_ours, "draws": compare_draws, "pcm": compare_pcm}[job.split("_")[1]](tables, cases, rng)
    if job.startswith("board"):
        return board(job, *(np.array(x) for x in scores(size, repeat)), rng)
    right = answers(size, repeat)
    if job == "paired_ours":
        import howsure as hs

        truth = np.arange(CASES) % 2
        data = hs.Predictions(truth, {f"m{i}": np.where(hit, truth, 1 - truth) for i, hit in enumerate(right)})
        return lambda: [x.p_best for x in hs.rank(data, metric="accuracy").entries][:1]
    if job == "paired_autorank":
        import pandas as pd
        from autorank import autorank

        frame = pd.DataFrame(right.T.astype(float), columns=[f"m{i}" for i in range(size)])

        def ranked() -> list[float]:
            with contextlib.redirect_stdout(io.StringIO()):  # it prints
                return [float(autorank(frame).pvalue)]

        return ranked

    def resample() -> list[float]:
        firsts = np.zeros(size)
        for _ in range(1000):
            weights = np.bincount(rng.integers(0, CASES, CASES), minlength=CASES)
            firsts[np.argsort(-(right @ weights))[0]] += 1
        return [float(firsts.max() / 1000)]

    return resample


def compare_ours(tables, _, __):
    import howsure as hs

    return lambda: [hs.compare(*(hs.infer(hs.ConfusionMatrix(t), "flat") for t in tables)).p_better]


def compare_draws(tables, cases: int, rng):
    import numpy as np

    def run() -> list[float]:
        a, b = (rng.beta(1 + t.diagonal(), 1 + cases - t.diagonal(), (DRAWS, len(t))).mean(1) for t in tables)
        return [float(np.mean(a > b))]

    return run


def compare_pcm(tables, _, rng):
    import numpy as np
    from prob_conf_mat import Study

    prior = np.full(tables[0].shape, 1 / (len(tables[0]) - 1))
    np.fill_diagonal(prior, 1.0)

    def run() -> list[float]:
        study = Study(seed=int(rng.integers(1000)), num_samples=10_000, ci_probability=0.95)
        for name, table in zip("ab", tables, strict=True):
            study.add_experiment(f"{name}/model", table, confusion_prior=prior)
        study.add_metric("balanced_accuracy")
        found = study.get_pairwise_comparison("balanced_accuracy", experiment_a="a/model", experiment_b="b/model")
        return [float(np.mean(found.diff_dist > 0))]

    return run


def board(job: str, a, b, rng):
    import numpy as np

    if job == "board_draws":

        def run() -> list[float]:
            order = np.argsort(-rng.beta(a, b, (DRAWS, len(a))), axis=1)
            held = np.bincount((order * len(a) + np.arange(len(a))).ravel(), minlength=len(a) ** 2)
            return [float(held.reshape(len(a), len(a))[:, 0].max() / DRAWS)]

        return run
    import howsure as hs
    from howsure.io.formats.board import read_board

    text = "name,correct,n\n" + "".join(f"m{i},{k - 1},200\n" for i, k in enumerate(a.tolist()))

    def ours() -> list[float]:
        lines = read_board(io.StringIO(text)).standings
        entries = {x.name: hs.Posterior.from_accuracy(correct=x.correct, n=x.n) for x in lines}
        made = hs.rank(entries, entries="independent")  # what the draws beside it answer
        return [made.entries[0].p_best]

    return ours


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=Path, default=Path(".bench-envs"), help="folder of the peers' environments")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work[0], *map(int, options.work[1:]), prepare=prepare)
        return
    print("\n### Comparing and ranking\n")
    line("who", "ms a call", "times ours", "peak MB")
    line("---", "---:", "---:", "---:")
    for title, size, rows in QUESTIONS.values():
        line(f"*{title}*", "", "", "")
        unit = None
        for job, name, packages in rows:
            got = measure(job, size, options.envs.absolute(), packages, script=__file__)
            unit = unit or got.get("time")
            milliseconds, _, peak = cost(got, "")
            line(name, milliseconds, f"{got['time'] / unit:.2g}" if unit and "time" in got else "", peak)


if __name__ == "__main__":
    main()
