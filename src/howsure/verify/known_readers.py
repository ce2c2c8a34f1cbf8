"""Readers: one table in many forms gives the same counts; what is no table gives a sentence."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from howsure.errors import HowsureError
from howsure.io.stages import read
from howsure.verify.checks import Check, Checker, same

__all__ = ["CHECKS"]

CASES = (("well", "well", 5), ("well", "ill", 2), ("ill", "well", 1), ("ill", "ill", 7))
EXPECTED = [[5, 2], [1, 7]]
TRUE_ROWS = "true\\pred,well,ill\nwell,5,2\nill,1,7\n"
FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "CSV, rows are truth": (TRUE_ROWS, {}),
    "CSV, rows are predictions": ("pred\\true,well,ill\nwell,5,1\nill,2,7\n", {}),
    "bare numbers, rows=pred": ("5,1\n2,7\n", {"rows": "pred", "labels": ["well", "ill"]}),
    "tab-separated": (TRUE_ROWS.replace(",", "\t"), {}),
    "semicolons": (TRUE_ROWS.replace(",", ";"), {}),
    "cells by name": ("true,pred,count\n" + "".join(f"{t},{p},{n}\n" for t, p, n in CASES), {}),
    "one line a case": ("y_true,y_pred\n" + "".join(f"{t},{p}\n" * n for t, p, n in CASES), {}),
    "JSON lines": ("".join(f'{{"y_true": "{t}", "y_pred": "{p}"}}\n' * n for t, p, n in CASES), {}),
    "JSON": ('{"classes": ["well", "ill"], "counts": [[5, 2], [1, 7]]}', {"rows": "true"}),
    "Markdown": ("| true\\pred | well | ill |\n|---|---|---|\n| well | 5 | 2 |\n| ill | 1 | 7 |\n", {}),
}
BROKEN = {
    "a row too short": "true\\pred,well,ill\nwell,5\nill,1,7\n",
    "a negative count": TRUE_ROWS.replace("5", "-5"),
    "half a case": TRUE_ROWS.replace("5", "5.5"),
    "a word for a count": TRUE_ROWS.replace("5", "many"),
    "nothing": "",
}


def _forms() -> Iterator[Check]:
    for name, (text, options) in FORMS.items():
        confusion = read(io.StringIO(text), **{"order": None, **options}).confusion
        order = [confusion.labels.index(label) for label in ("well", "ill")]
        counts = confusion.counts[order][:, order].tolist()
        yield same(f"counts of {name}", counts, EXPECTED, "the same table by hand")


def _refusals() -> Iterator[Check]:
    for name, text in BROKEN.items():
        try:
            said = f"counts {read(io.StringIO(text)).confusion.counts.tolist()}"
        except HowsureError:
            said = "refused"
        yield same(f"a table with {name}", said, "refused", "bad input never gives a number")


CHECKS: tuple[Checker, ...] = (_forms, _refusals)
