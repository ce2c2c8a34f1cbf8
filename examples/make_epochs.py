"""Write epochs_new.json and epochs_old.json: logs as Inspect writes them, cut down to what is read of them.

Two invented models answered 24 questions on 6 passages in 5 epochs: rates of questions are drawn from a Beta(2, 1.3),
and the new model is better by 0.15.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

HERE = Path(__file__).parent
QUESTIONS, EPOCHS = 24, 5

if __name__ == "__main__":
    draw = random.Random(20261123)
    rates = [draw.betavariate(2, 1.3) for _ in range(QUESTIONS)]
    for name, better in (("new", 0.15), ("old", 0.0)):
        samples = [
            {
                "id": f"q{i + 1}",
                "epoch": epoch,
                "metadata": {"passage": f"p{i // 4 + 1}"},
                "scores": {"match": {"value": "C" if draw.random() < rates[i] + better else "I"}},
            }
            for epoch in range(1, EPOCHS + 1)
            for i in range(QUESTIONS)
        ]
        about = {"task": "reading", "model": f"none/{name}"}
        log = {"version": 2, "status": "success", "eval": about, "samples": samples}
        lines = json.dumps(log, separators=(",", ":")).replace('{"id"', '\n{"id"')
        (HERE / f"epochs_{name}.json").write_text(f"{lines}\n")
