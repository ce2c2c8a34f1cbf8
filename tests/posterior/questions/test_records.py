"""Names from outside in every record: no control character, no markup, no table border of their own."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import howsure as hs
from howsure.answers.sheet import Record

NASTY = ["<script>alert(1)</script>", "a|b\n\x1b[31m::error::`x`"]
TWO = hs.infer(hs.ConfusionMatrix([[9, 1], [2, 8]], labels=NASTY))
THREE = hs.infer(hs.ConfusionMatrix([[9, 1, 0], [2, 8, 0], [0, 1, 5]], labels=[*NASTY, "=1+1"]))

RECORDS: dict[str, Callable[[], Record]] = {
    "natural frequencies": TWO.natural_frequencies,
    "post-test": lambda: THREE.post_test({NASTY[0]: 0.3}),
    "new test": TWO.predict,
    "new test of chosen sizes": lambda: THREE.predict([5] * 3, draws=500),
    "sensitivity": lambda: THREE.prior_sensitivity(f"recall@{NASTY[1]}"),
    "classical": lambda: hs.classical(THREE.confusion),
    "survey": lambda: hs.survey({NASTY[0]: TWO.confusion, NASTY[1]: TWO.confusion}),
}


@pytest.mark.sweep(9, full=16)
@pytest.mark.parametrize("what", RECORDS)
def test_nothing_from_outside_is_more_than_text(what: str) -> None:
    made = RECORDS[what]()
    shown = str(made)
    assert all(line.isprintable() for line in shown.splitlines())
    assert repr(made).isprintable()
    markdown = made.to_markdown()
    assert "<script>" not in markdown
    assert "::" not in markdown
    rows = [line for line in markdown.splitlines() if line.startswith("| ")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1
    html = made._repr_html_()
    assert "<script>" not in html
    assert "\x1b" not in html
    json.dumps(made.to_dict(), allow_nan=False)  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        made.level = 0.5  # type: ignore[attr-defined]
