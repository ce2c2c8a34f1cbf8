"""fairlearn's fairness measures and rates by group, of random tables of 2 to 8 groups; kept in fairness.json.

Every group has both classes: fairlearn takes the rate of a group without cases for 0. Where all rates are 0 its
ratio is NaN, kept as null.

Run, in an environment of its own: pip install fairlearn==0.15.0, then python tests/reference/make_fairness.py
"""

import json
import math
from pathlib import Path

import fairlearn
import numpy as np
from fairlearn import metrics

MEASURES = (
    "demographic_parity_difference",
    "demographic_parity_ratio",
    "equal_opportunity_difference",
    "equal_opportunity_ratio",
    "equalized_odds_difference",
    "equalized_odds_ratio",
)
RATES = ("selection_rate", "true_positive_rate", "false_positive_rate")

rng = np.random.default_rng(19)
cases = []
for _ in range(40):
    groups = {}
    for i in range(int(rng.integers(2, 9))):
        sizes = rng.integers(1, 60, size=2)
        called = [int(rng.binomial(n, p)) for n, p in zip(sizes, rng.beta((1.0, 3.0), (3.0, 1.0)), strict=True)]
        groups[f"g{i}"] = [[int(sizes[0]) - called[0], called[0]], [int(sizes[1]) - called[1], called[1]]]
    truth, said, group = (
        np.array(
            [
                x
                for name, table in groups.items()
                for t in (0, 1)
                for p in (0, 1)
                for x in [value(name, t, p)] * table[t][p]
            ]
        )
        for value in (lambda g, t, p: t, lambda g, t, p: p, lambda g, t, p: g)
    )
    made = {name: float(getattr(metrics, name)(truth, said, sensitive_features=group)) for name in MEASURES}
    frame = metrics.MetricFrame(
        metrics={name: getattr(metrics, name) for name in RATES},
        y_true=truth,
        y_pred=said,
        sensitive_features=group,
    )
    cases.append(
        {
            "groups": groups,
            "measures": {name: None if math.isnan(x) else x for name, x in made.items()},
            "rates": {name: [float(frame.by_group[name][g]) for g in groups] for name in RATES},
        }
    )
file = Path(__file__).with_name("fairness.json")
file.write_text(
    json.dumps({"fairlearn": fairlearn.__version__, "tables": "[[tn, fp], [fn, tp]]", "cases": cases}) + "\n"
)
