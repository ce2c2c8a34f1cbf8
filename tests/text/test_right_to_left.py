"""Names in scripts that run from right to left, beside numbers: every writer isolates them."""

from __future__ import annotations

import re

import pytest

import howsure as hs
from howsure.text.formats import isolated, isolated_html

LETTERS = re.compile("[\u0590-\u08ff]")
HEBREW, ARABIC = "\u05e2\u05d1\u05e8\u05d9\u05ea", "\u0627\u0644\u0639\u0631\u0628\u064a\u0629"
TWO, OLD = (
    hs.infer(hs.ConfusionMatrix(m, labels=[HEBREW, f"{ARABIC} {HEBREW}"], positive=f"{ARABIC} {HEBREW}"))
    for m in ([[45, 5], [8, 42]], [[40, 9], [9, 40]])
)
MADE = {
    "matrix": TWO.confusion,
    "distribution": TWO.of("recall"),
    "report": hs.report(TWO, companions=True),
    "comparison": hs.compare(TWO, OLD, metric="accuracy", names=(HEBREW, ARABIC)),
    "ranking": hs.rank({HEBREW: TWO, ARABIC: OLD}, metric="accuracy"),
    "gate": hs.gate(TWO, OLD, metric="accuracy", names=(HEBREW, ARABIC)),
    "plan": hs.plan(f"recall@{HEBREW}", pilot=TWO.confusion, width=0.3),
    "post test": TWO.post_test(0.02),
    "prediction": TWO.predict(),
    "survey": hs.survey({HEBREW: TWO.confusion, ARABIC: OLD.confusion}),
}


@pytest.mark.parametrize("kind", [kind for kind in MADE if hasattr(MADE[kind], "to_markdown")])
def test_html_isolates_with_elements(kind: str) -> None:
    words = re.sub("<svg.*?</svg>", "", MADE[kind]._repr_html_(), flags=re.DOTALL)
    assert f"<bdi>{HEBREW}" in words or f"<bdi>{ARABIC}" in words
    assert not LETTERS.search(re.sub("<bdi>[^<]*</bdi>", "", words))


def test_only_words_are_isolated_and_numbers_and_marks_stay_outside() -> None:
    assert isolated(f"{HEBREW} 0.83, {ARABIC} 0.80") == f"\u2068{HEBREW}\u2069 0.83, \u2068{ARABIC}\u2069 0.80"
    assert isolated(f"{HEBREW} {ARABIC}") == f"\u2068{HEBREW} {ARABIC}\u2069"
    assert isolated("caf\u00e9 \u65e5\u672c 1") == "caf\u00e9 \u65e5\u672c 1"
    assert isolated_html(f"<b>{HEBREW}</b>") == f"<b><bdi>{HEBREW}</bdi></b>"
