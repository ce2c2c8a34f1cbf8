"""``reconstruct``: the matrix behind the sensitivity and specificity of an abstract."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import HowsureError
from howsure.reconstruction.ranges import Published
from howsure.reconstruction.reconstruction import reconstruct
from howsure.text.formats import integer
from howsure.web.fields import InvalidRequest
from howsure.web.limits import Limits

__all__ = ["answered"]

#: Tables that are looked through for the nearest.
MOST_FITTING = 20_000
FIGURES = ("sensitivity", "specificity")


def answered(request: Mapping[str, Any], _: Limits) -> dict[str, Any]:
    """The matrix, in the shape of one that was pasted, and a note on how many others fit."""
    printed = {name: _figure(request[name]) for name in FIGURES}
    *sizes, share = _sizes(request)
    shown = f"sensitivity {printed['sensitivity']}, specificity {printed['specificity']}"
    try:
        spans = [Published.of(name, figure, "nearest") for name, figure in printed.items()]
        about = math.prod((it.high - it.low) * size + 1 for it, size in zip(spans, sizes[::-1], strict=True))
        if about > MOST_FITTING:
            raise InvalidRequest(
                f"some {integer(int(about))} tables fit {shown}; figures with more decimals leave fewer", FIGURES[0]
            )
        found = reconstruct(printed, sizes=sizes)
    except InvalidRequest:
        raise
    except HowsureError as error:
        raise InvalidRequest(str(error), next((name for name in FIGURES if name in str(error)), None)) from None
    if not found.consistent:
        guilty = [figure.partition(" ")[0] for figure in found.contradictions]  # none where both are wrong
        raise InvalidRequest(str(found), next((name for name in guilty if name in FIGURES), None))
    wanted = [(figure.low + figure.high) / 2 for figure in found.published]
    best = min(found.candidates, key=lambda table: _distance(table, wanted))
    if found.count == 1:
        note = f"One table fits {shown}."
    else:
        note = (
            f"{integer(found.count)} tables fit {shown}; this is the one nearest to the figures. "
            "howsure reconstruct reports on all of them."
        )
    matrix = {"classes": list(best.labels), "counts": best.counts.tolist(), "positive": best.positive}
    return {"kind": "matrix", "matrix": matrix, "notes": [*share, note]}


def _sizes(request: Mapping[str, Any]) -> tuple[int, int, list[str]]:
    """Cases without and with the condition, from any two of these and their sum; or from the sum and a prevalence."""
    with_it, without, n = (request.get(name) for name in ("positives", "negatives", "n"))
    said = []
    if "prevalence" in request:
        if with_it is not None:
            raise InvalidRequest("the condition has a number of cases or a prevalence, not both", "prevalence")
        if n is None:
            raise InvalidRequest("a prevalence is a share of the cases in all; say how many these are", "n")
        figure = _figure(request["prevalence"])
        share = _published("prevalence", figure)
        with_it = min(max(round((share.low + share.high) / 2 * n), 1), n - 1)
        # a share may be that of several whole numbers
        least, most = math.ceil(share.low * n - 1e-9), math.floor(share.high * n + 1e-9)
        if not least <= with_it <= most:
            raise InvalidRequest(f"no count of {integer(n)} cases is {figure} of them", "prevalence")
        if without is not None and least <= n - without <= most:
            with_it = n - without
        others = f"; it could be {integer(least)} to {integer(most)}" if least < most else ""
        said = [f"A prevalence of {figure} is taken for {integer(with_it)} of {integer(n)} cases{others}."]
    known = [x for x in (with_it, without, n) if x is not None]
    if len(known) < 2:
        field = "positives" if with_it is None else "negatives"
        raise InvalidRequest("say two of these: cases with the condition, cases without it, cases in all", field)
    if n is None:
        return int(without or 0), int(with_it or 0), said
    with_it = n - (without or 0) if with_it is None else with_it
    without = n - with_it if without is None else without
    if min(with_it, without) < 1:
        problem = f"of {integer(n)} cases in all at least one has the condition, and at least one has not"
        raise InvalidRequest(problem, "n")
    if with_it + without != n:
        problem = f"{integer(with_it)} with the condition and {integer(without)} without it are not {integer(n)} in all"
        raise InvalidRequest(problem, "n")
    return without, with_it, said


def _published(name: str, figure: str) -> Published:
    try:
        return Published.of(name, figure, "nearest")
    except HowsureError as error:
        raise InvalidRequest(str(error), name) from None


def _figure(text: str) -> str:
    """A figure as it was printed; above 1 it is per cent also where the sign was left out."""
    figure = text.strip().replace(",", ".").replace(" %", "%")
    try:
        return f"{figure}%" if float(figure) > 1 else figure
    except ValueError:
        return figure


def _distance(table: ConfusionMatrix, wanted: list[float]) -> float:
    (tn, fp), (fn, tp) = table.counts.tolist()
    return float(abs(tp / (tp + fn) - wanted[0]) + abs(tn / (tn + fp) - wanted[1]))
