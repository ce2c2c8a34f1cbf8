"""A gate for one classifier alone."""

from __future__ import annotations

import howsure as hs

TRUTH = ["cat"] * 40 + ["dog"] * 40

BOTH = hs.Predictions(TRUTH, {"new": TRUTH, "old": ["cat"] * 34 + ["dog"] * 46})

NEW, OLD = (hs.infer(BOTH.confusion(name)) for name in BOTH.names)


def test_a_floor_alone_may_be_asserted_and_shows_its_mean() -> None:
    made = hs.assert_better(NEW, floor=0.5, metric="accuracy")
    assert (made.mode, made.verdict) == ("floor", "pass")
    header = str(made).splitlines()[3].split()
    assert header.count("metric") == 1
    assert "mean" in header
    assert str(hs.gate(BOTH, "new", "old", metric="mcc").rows[0].threshold) == "0.0"
