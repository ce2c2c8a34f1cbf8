"""Bayes@N of scorio for random tables of graded answers: scorio.json.

    python -m venv /tmp/scorio && /tmp/scorio/bin/pip install scorio==0.1.0
    /tmp/scorio/bin/python tests/reference/make_bayes_at_n.py

Items x runs with outcomes 0..C and a weight for each; mean and standard deviation as scorio gives them (Hariri et al.
2025, "Don't Pass@k", equations 5 and 6): Dirichlet rows with one pseudo-run for each outcome.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from scorio.eval import bayes

rng = np.random.default_rng(18)
cases = []
example = [[0, 1, 2, 2, 1], [1, 1, 0, 2, 2]]
mu, sigma = bayes(np.array(example), np.array([0.0, 0.5, 1.0]))
cases.append({"runs": example, "weights": [0.0, 0.5, 1.0], "mean": float(mu), "sd": float(sigma)})
for _ in range(200):
    outcomes = int(rng.integers(2, 6))
    items, runs = int(rng.integers(1, 9)), int(rng.integers(1, 8))
    weights = np.unique(np.round(rng.random(outcomes), 3))
    while len(weights) < outcomes:
        weights = np.unique(np.round(rng.random(outcomes), 3))
    table = rng.integers(0, outcomes, (items, runs))
    mu, sigma = bayes(table, weights)
    cases.append({"runs": table.tolist(), "weights": weights.tolist(), "mean": float(mu), "sd": float(sigma)})
path = Path(__file__).with_name("scorio.json")
path.write_text(json.dumps({"scorio": "0.1.0", "cases": cases}, separators=(",", ":")) + "\n", encoding="utf-8")
