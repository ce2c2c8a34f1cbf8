"""Golden net benefit by dcurves; run in an environment of its own: ``pip install dcurves==1.1.7``.

python make_net_benefit.py > net_benefit.json
"""

from __future__ import annotations

import json
import sys

import dcurves
import numpy as np
import pandas as pd

THRESHOLDS = [round(i / 100, 2) for i in range(1, 100)]


def main() -> None:
    """Print sets of scores with dcurves' net benefit of model and of treating all, as found and at a prevalence."""
    rng = np.random.default_rng(20)
    made = []
    for n, share, skill, prevalence in ((40, 0.5, 1.0, None), (300, 0.2, 2.0, None), (300, 0.2, 2.0, 0.05)):
        truth = (rng.random(n) < share).astype(int)
        # two decimals, so that scores tie with each other and with thresholds
        score = np.round(1 / (1 + np.exp(-(rng.normal(0, 1, n) + skill * truth - 1.5))), 2)
        frame = pd.DataFrame({"truth": truth, "score": score})
        table = dcurves.dca(
            data=frame, outcome="truth", modelnames=["score"], thresholds=THRESHOLDS, prevalence=prevalence
        )
        net = {name: rows.sort_values("threshold")["net_benefit"].tolist() for name, rows in table.groupby("model")}
        made.append(
            {
                "truth": truth.tolist(),
                "score": score.tolist(),
                "prevalence": prevalence,
                "thresholds": THRESHOLDS,
                "net_benefit": net["score"],
                "treat_all": net["all"],
            }
        )
    sys.stdout.write(json.dumps({"dcurves": "1.1.7", "sets": made}) + "\n")


if __name__ == "__main__":
    main()
