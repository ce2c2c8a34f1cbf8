"""Prizes that are shared out by rank."""

from __future__ import annotations

import howsure as hs

TRUTH = ["cat"] * 40 + ["dog"] * 40

BOTH = hs.Predictions(TRUTH, {"new": TRUTH, "old": ["cat"] * 34 + ["dog"] * 46})

NEW, OLD = (hs.infer(BOTH.confusion(name)) for name in BOTH.names)


def test_prizes_beyond_the_last_entry_are_said_to_go_to_nobody() -> None:
    made = hs.rank({"a": NEW, "b": OLD}, metric="accuracy", prizes=[3, 2, 1])
    assert any("The last 1 of 3 prizes go to nobody" in note for note in made.notes)
