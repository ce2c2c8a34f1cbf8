"""Small tables, predictions, scores and answers that calls are made with; made when they are first asked for."""

from __future__ import annotations

import numpy as np

import howsure as hs

# fmt: off
matrix = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["well", "ill"])
other = hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["well", "ill"])
three = hs.ConfusionMatrix([[20, 3, 1], [2, 18, 4], [1, 2, 15]], labels="abc")
worse = hs.ConfusionMatrix([[17, 5, 2], [4, 16, 4], [3, 2, 13]], labels="abc")
rest = hs.ConfusionMatrix([[30, 9], [7, 33]], labels=["well", "ill"])
checked = hs.ConfusionMatrix([[20, 5], [8, 30]], labels=["well", "ill"], unlabelled={"well": 50, "ill": 60})
new, old, new3, old3 = hs.infer(matrix), hs.infer(other), hs.infer(three, "flat"), hs.infer(worse, "flat")
truth, said = ["a", "a", "b", "b"] * 5, ["a", "b", "b", "b"] * 5
swapped = ["b" if x == "a" else "a" for x in said]
both = hs.Predictions(truth, {"A": said, "B": truth[::-1], "C": ["a", "a", "b", "a"] * 5})
fewer = hs.Predictions(truth[:16], {"A": said[:16], "B": truth[:16][::-1], "C": ["a", "a", "b", "a"] * 4})
third = np.array(["a", "b", "c"] * 12)
answers = {
    "A": np.roll(third, 1).tolist()[:12] + third.tolist()[12:],
    "B": np.roll(third, 9).tolist()[:20] + ["c"] * 16,
}
pairs = hs.Predictions(third, answers)
grouped = hs.Predictions(third, answers, group=[i // 3 for i in range(36)])
scores = hs.Scores([0, 1] * 8, {"x": [1, 4, 2, 6, 3, 7, 5, 8] * 2, "y": [2, 3, 5, 4, 6, 6, 1, 7] * 2})
rivals = hs.Scores([0, 1] * 8, {"x": [2, 1, 2, 6, 3, 7, 5, 8] * 2, "y": [2, 3, 5, 4, 6, 6, 1, 7] * 2})
scored = hs.Scores(
    ["a", "b", "a", "b"] * 3, [0.1, 0.9, 0.3, 0.2, 0.15, 0.7, 0.4, 0.8, 0.35, 0.25, 0.6, 0.5], positive="b"
)
slices = hs.Slices({"x": matrix, "y": other})
verdicts = ({"A": truth, "B": said}, {"A": said, "B": truth})
judged = hs.JudgedAnswers(*verdicts)
repeated = hs.infer(hs.Repeats.from_array(np.arange(40).reshape(10, 4) % 3 > 0))
gated = hs.gate(new, old)
counted = hs.count({"t": truth, "A": said, "B": truth, "g": ["p", "q"] * 10}, y_true="t", y_pred=["A", "B"], by="g")
law = new.of("accuracy")
board = {"x": (8, 10), "y": (5, 10), "z": (6, 12)}
over = {key: {"A": (8, 10), "B": (5 + i, 10)} for i, key in enumerate("xyz")}
over2 = {key: {"A": (7, 10), "B": (5 + i, 10)} for i, key in enumerate("xyz")}
paired_over = dict.fromkeys("xyz", both)
week = {f"2024-{month:02d}-{day:02d}": each for month in range(1, 7) for day, each in ((3, matrix), (4, other))}
months = {day: other if day.startswith("2024-02") else each for day, each in week.items()}
by = {"g": ["x", "x", "x", "y"] * 5}
rates = {"recall": 0.9, "specificity": 0.8}
few = {"draws": 200}
pooled = hs.pool([matrix, other, matrix], draws=200)
compared = hs.compare_over(over, draws=200)
squares = (np.arange(200) + 0.5) ** 2 / 40_000
scored_items = hs.Items.from_columns(range(24), [i % 7 / 6 for i in range(24)], range=(0, 1))
grouped_items = hs.Items.from_columns(range(24), [i % 7 / 6 for i in range(24)], range=(0, 1), group=[*"xyz"] * 8)
other_groups = hs.Items.from_columns(range(24), [i % 5 / 4 for i in range(24)], range=(0, 1), group=[*"xyz"] * 8)
ratings = hs.Ratings.from_table([["ab"[i % 2], "ab"[(i + i // 9) % 2], "ab"[(i + i // 5) % 2]] for i in range(24)],
                                raters=["x", "y", "z"])
ranges = hs.reconstruct({"accuracy": "0.9", "recall": "0.8"}, sizes=(10, 10))
prediction, test = new.predict(20, draws=100), new.post_test(0.3)
closed = dict.fromkeys(("draws", "seed"), "a closed form")
