"""Names from outside in every record: no control character, no markup, no table border of their own."""

from __future__ import annotations

import json

import pytest

import howsure as hs
from howsure.text.sheet import Record

NASTY = ["<script>alert(1)</script>", "a|b\n\x1b[31m::error::`x`"]
TWO = hs.infer(hs.ConfusionMatrix([[9, 1], [2, 8]], labels=NASTY))
THREE = hs.infer(hs.ConfusionMatrix([[9, 1, 0], [2, 8, 0], [0, 1, 5]], labels=[*NASTY, "=1+1"]))

RECORDS: list[Record] = [
    made
    for post in (TWO, THREE)
    for made in (
        post.natural_frequencies(),
        post.post_test({NASTY[0]: 0.3}),
        post.predict(),
        post.predict([5] * len(post.labels)),
        post.informative(0.1),
        post.prior_sensitivity(f"recall@{NASTY[1]}"),
        hs.classical(post.confusion),
        hs.survey({NASTY[0]: TWO.confusion, NASTY[1]: TWO.confusion}),
    )
]


@pytest.mark.parametrize("made", RECORDS, ids=[type(made).__name__ for made in RECORDS])
def test_nothing_from_outside_is_more_than_text(made: Record) -> None:
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


@pytest.mark.parametrize("made", RECORDS, ids=[type(made).__name__ for made in RECORDS])
def test_records_are_frozen(made: Record) -> None:
    with pytest.raises(AttributeError):
        made.level = 0.5  # type: ignore[attr-defined]
