"""Words, cells and the picture of a best threshold."""

from __future__ import annotations

from typing import Protocol

from howsure.answers.sheet import Sheet
from howsure.curves.threshold_words import prevalence_words
from howsure.data.confusion import ConfusionMatrix
from howsure.laws.law import Kind
from howsure.text import formats
from howsure.text.svg import threshold_band

__all__ = ["best_picture", "best_sheet"]


class Best(Protocol):
    """A best threshold, as far as it is put into words."""

    @property
    def labels(self) -> tuple[str, str]: ...
    @property
    def metric(self) -> str: ...
    @property
    def threshold(self) -> float: ...
    @property
    def next_below(self) -> float | None: ...
    @property
    def confusion(self) -> ConfusionMatrix: ...
    @property
    def location(self) -> tuple[float, float]: ...
    @property
    def observed(self) -> float: ...
    @property
    def apparent(self) -> tuple[float, float, float]: ...
    @property
    def optimism(self) -> float: ...
    @property
    def expected(self) -> tuple[float, float, float]: ...
    @property
    def regret(self) -> float: ...
    @property
    def higher_is_better(self) -> bool: ...
    @property
    def prevalence(self) -> float: ...
    @property
    def source(self) -> str: ...
    @property
    def prior(self) -> str: ...
    @property
    def level(self) -> float: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def route(self) -> str: ...
    @property
    def draws(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def remarks(self) -> tuple[str, ...]: ...
    @property
    def tried(self) -> tuple[tuple[float, ...], tuple[float, ...]]: ...


def best_sheet(best: Best) -> Sheet:
    """The threshold and its worth as cells of text."""
    name = formats.interval_name(best.kind, best.level)
    places = formats.decimals(*best.expected[1:])
    rows = (
        ("observed, where it was chosen", formats.number(best.observed, places), ""),
        ("at this threshold, had it been given", *_cells(best.apparent, places)),
        ("on new cases", *_cells(best.expected, places)),
    )
    fine = places + 1
    worse = "less" if best.higher_is_better else "more"
    confusion = best.confusion
    (tn, fp), (fn, tp) = ([int(x) for x in row] for row in confusion.counts.tolist())
    between = "" if best.next_below is None else f"; any above {best.next_below:.6g} calls the same cases"
    below = (
        f"At it: {formats.integer(tp)} TP, {formats.integer(fn)} FN, {formats.integer(fp)} FP, "
        f"{formats.integer(tn)} TN{between}.",
        f"Choosing flatters: on new cases {best.metric} is {formats.number(best.optimism, fine)} {worse}, on average, "
        f"than on the cases the threshold was chosen on. For not knowing the "
        f"best threshold there is, {formats.number(best.regret, fine)} is lost, on average.",
    )
    how = "exact" if best.route == "exact" else f"{formats.integer(best.draws)} draws"
    notes = (
        f"{_capital(prevalence_words(best.prevalence, best.source))}, prior {best.prior}; at this threshold: {how}. "
        f"New cases: that less the optimism, by bootstrap. Location: the choice made again in "
        f"{formats.integer(best.draws)} draws, central 95 %, seed {best.seed}.",
    )
    return Sheet(_headline(best), (best.metric, "mean", name), rows, notes, below=below, remarks=best.remarks)


def _cells(ends: tuple[float, float, float], places: int) -> tuple[str, str]:
    return formats.number(ends[0], places), formats.interval(ends[1], ends[2], places)


def _headline(best: Best) -> str:
    places = formats.decimals(*best.expected[1:])
    mean, ends = _cells(best.expected, places)
    spread = formats.decimals(*best.location) if best.location[1] > best.location[0] else 4
    low, high = (formats.number(end, max(spread, 1)) for end in best.location)
    positive = formats.class_name(best.labels[1])
    return (
        f"Call {positive} from a score of {best.threshold:.6g} (the best threshold lies between {low} and {high}): "
        f"{best.metric} {mean} ({ends}) expected on new cases."
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def best_picture(best: Best) -> str:
    """The observed metric against the threshold as SVG, the best one marked."""
    x, seen = best.tried
    known = [(at, value) for at, value in zip(x, seen, strict=True) if value == value]
    if len(known) < 2:
        return ""
    xs, values = [at for at, _ in known], [value for _, value in known]
    return threshold_band(
        xs,
        (values, values, values),
        here=best.threshold,
        xlabel="threshold",
        ylabel=f"{formats.plain(best.metric)}, observed",
        title=f"{formats.plain(best.metric)} against the threshold, best at {best.threshold:.6g}",
    )
