"""Time and memory of a report: of the same ten metrics, and of all that each has, with the same number of draws.

A report is, for every metric, its draws (or law), median, mode, highest-density 95% interval and what else the tool
prints of it: ours with mean, sd, prior shift, chance and Monte Carlo error, prob_conf_mat's `report_metric_summaries`.
Both have the prior `flat` and one thread; ours is drawn wherever its law does not close, from one set of tables.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from peers import DRAWS, confusion, cost, line, measure, work

PCM = ("prob_conf_mat==0.4.0",)
#: Ten metrics that both have.
TEN = (
    "accuracy balanced_accuracy f1@macro mcc kappa precision@macro recall@macro jaccard@macro markedness@macro p4@macro"
)
#: What prob_conf_mat cannot summarise: macro means that are 1/K in every draw.
CONSTANT = ("diag_mass", "prevalence", "model_bias")

#: (K, rows of (job, name, packages)); the first row is the unit of the ratios
ROWS = (
    ("reports_ten", "**howsure**, ten metrics", ()),
    ("reports_all", "**howsure**, all metrics", ()),
    ("reports_pcm_ten", "prob_conf_mat 0.4.0, the same ten", PCM),
    ("reports_pcm_all", "prob_conf_mat 0.4.0, all that it summarises", PCM),
)
SIZES = (3, 100, 1000)


def prepare(job: str, size: int, repeat: int, cases: int):
    """Import the tool and make its input, untimed; return the call that is timed."""
    import numpy as np

    table = np.array(confusion(size, repeat, cases))
    if job.startswith("reports_pcm"):
        return prob_conf_mat(table, TEN.split() if job.endswith("ten") else all_of_theirs(), repeat)
    import howsure as hs
    from howsure.metrics import REGISTRY

    every = [m.name if m.per == "table" else f"{m.name}@macro" for m in dict.fromkeys(REGISTRY.values())]
    names = TEN.split() if job.endswith("ten") else every
    matrix = hs.ConfusionMatrix(table)
    return lambda: [row.mean for row in hs.report(hs.infer(matrix, "flat"), names, draws=DRAWS).rows]


def all_of_theirs() -> list[str]:
    from prob_conf_mat.metrics import METRIC_REGISTRY

    first = {made: name for name, made in reversed(METRIC_REGISTRY.items())}
    return [
        name if made.is_multiclass else f"{name}@macro" for made, name in first.items() if not name.startswith(CONSTANT)
    ]


def prob_conf_mat(table, names: list[str], seed: int):
    import numpy as np
    from prob_conf_mat import Study

    prior = np.full(table.shape, 1 / (len(table) - 1))
    np.fill_diagonal(prior, 1.0)

    def run() -> list[float]:
        study = Study(seed=seed, num_samples=DRAWS, ci_probability=0.95)
        study.add_experiment("test/model", table, confusion_prior=prior)
        for name in names:
            study.add_metric(name)
        for name in names:
            study.report_metric_summaries(metric=name, table_fmt="github", class_label=None)
        return []

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=Path, default=Path(".bench-envs"), help="folder of the peers' environments")
    parser.add_argument("--classes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work[0], *map(int, options.work[1:]), prepare)
        return
    print(f"\n### Reports, {DRAWS:,} draws, 50 cases in each of K classes\n")
    line("K", "who", "ms a call", "times our ten", "peak MB")
    line("---:", "---", "---:", "---:", "---:")
    for size in options.classes:
        unit = None
        for job, name, packages in ROWS:
            got = measure(job, size, options.envs.absolute(), packages, script=__file__)
            unit = unit or got.get("time")
            milliseconds, _, peak = cost(got, "")
            line(size, name, milliseconds, f"{got['time'] / unit:.2g}" if unit and "time" in got else "", peak)


if __name__ == "__main__":
    main()
