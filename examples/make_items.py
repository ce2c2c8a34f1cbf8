"""Writes the four tables of items with scores; needs scikit-learn for two of them.

Run: python examples/make_items.py

items_ndcg.csv and items_labels.csv are of the handwritten digits of scikit-learn: how well two distances rank the
images of the same digit (nDCG at 10, a query each), and which of four words a classifier says of an image (even, prime,
round, below five). items_rubric.csv (a judge's marks from 1 to 5, two systems, three runs) and items_wer.csv (errors
and words of utterances) are drawn, and show the form.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).parent
WORDS = {"even": {0, 2, 4, 6, 8}, "prime": {2, 3, 5, 7}, "round": {0, 6, 8, 9}, "small": {0, 1, 2, 3, 4}}


def main() -> None:
    """Write them."""
    digits = load_digits()
    x, y = digits.data, digits.target
    queries, archive = np.arange(0, 60), np.arange(200, 500)
    gain = 1 / np.log2(np.arange(2, 12))
    lines = ["query,euclidean,cosine"]
    for q in queries:
        same = (y[archive] == y[q]).astype(float)
        best = gain[: min(10, int(same.sum()))].sum()
        away = np.linalg.norm(x[archive] - x[q], axis=1)
        near = x[archive] @ x[q] / np.linalg.norm(x[archive], axis=1)
        cells = [same[np.argsort(order, kind="stable")[:10]] @ gain / best for order in (away, -near)]
        lines.append(f"q{q:02d},{cells[0]:.4f},{cells[1]:.4f}")
    _write("items_ndcg.csv", lines)
    train, test = np.arange(0, 300), np.arange(1000, 1080)
    said: list[set[str]] = [set() for _ in test]
    for word, members in WORDS.items():
        model = LogisticRegression(max_iter=200, C=0.05).fit(x[train] / 16, np.isin(y[train], [*members]))
        for labels, yes in zip(said, model.predict(x[test] / 16), strict=True):
            labels |= {word} if yes else set()
    lines = ["id,y_true,y_pred"]
    for i, labels in zip(test, said, strict=True):
        true = "|".join(word for word, members in WORDS.items() if y[i] in members)
        lines.append(f"{i},{true},{'|'.join(word for word in WORDS if word in labels)}")
    _write("items_labels.csv", lines)
    rng = np.random.default_rng(5)
    lines = ["question,model,run,score"]
    for i in range(40):
        hard = rng.normal(0, 0.6)
        for model, more in (("new", 0.2), ("old", 0.0)):
            for run in (1, 2, 3):
                mark = np.clip(round(4.2 + hard + more + rng.normal(0, 0.5)), 1, 5)
                lines.append(f"q{i:02d},{model},{run},{int(mark)}")
    _write("items_rubric.csv", lines)
    lines = ["utterance,errors,words"]
    for i in range(50):
        words = int(np.ceil(rng.lognormal(2.2, 0.6)))
        lines.append(f"u{i:02d},{rng.binomial(words, rng.beta(1, 9))},{words}")
    _write("items_wer.csv", lines)


def _write(name: str, lines: list[str]) -> None:
    (HERE / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
