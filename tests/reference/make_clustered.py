"""Clustered standard errors by Inspect: ``pip install inspect-ai`` and ``python tests/reference/make_clustered.py``.

Made with inspect-ai 0.3.285, `inspect_ai.scorer._metrics.std._clustered_stderr`, which is what ``stderr(cluster=...)``
calls on the values of each cluster. Writes clustered.json beside it: right cases and cases of every group, the error.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from inspect_ai.scorer._metrics.std import _clustered_stderr


def main() -> None:
    """Write 40 tables."""
    rng = np.random.default_rng(18)
    made = []
    for groups in (2, 3, 8, 20, 100):
        for _ in range(8):
            n = rng.integers(1, 30, groups)
            k = rng.binomial(n, rng.beta(4, 1.5, groups))
            partition = [[1.0] * int(a) + [0.0] * int(b - a) for a, b in zip(k, n, strict=True)]
            made.append({"k": k.tolist(), "n": n.tolist(), "error": float(_clustered_stderr(partition))})
    Path(__file__).with_name("clustered.json").write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
