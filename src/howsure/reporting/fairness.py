"""Fairness between groups of people: their rates, and the largest gap of each by fairlearn's names."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from howsure.answers.sheet import Record, Sheet, row_named
from howsure.data.confusion import ConfusionMatrix
from howsure.data.slices import Slices
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.errors.arguments import number
from howsure.io.counting.result import Counts, held_slices
from howsure.laws.draw_settings import SEED, checked_draws, checked_seed
from howsure.laws.law import KIND, LEVEL, Kind, checked_kind, checked_level
from howsure.laws.many import Betas
from howsure.numerics.arrays import Integers
from howsure.posterior.named_priors import CALIBRATED
from howsure.reporting.fairness_row import FairnessGap, FairnessRate, FairnessRow
from howsure.reporting.fairness_words import paragraph_of, picture_of, sheet_of
from howsure.text.json_envelope import envelope
from howsure.text.spreadsheet import guarded
from howsure.units.group_gaps import GroupRate, gap_knowledge

__all__ = ["Fairness", "fairness"]

#: The rates of a group.
RATES = ("selection_rate", "true_positive_rate", "false_positive_rate")

#: fairlearn's measures: the rates whose gap they are, and whether of the ratio.
MEASURES: dict[str, tuple[tuple[str, ...], bool]] = {
    "demographic_parity_difference": (RATES[:1], False),
    "demographic_parity_ratio": (RATES[:1], True),
    "equal_opportunity_difference": (RATES[1:2], False),
    "equal_opportunity_ratio": (RATES[1:2], True),
    "equalized_odds_difference": (RATES[1:], False),
    "equalized_odds_ratio": (RATES[1:], True),
}

#: Differences up to this size are practically nil; ratios below four fifths are looked at (EEOC 1978).
ROPE, FOUR_FIFTHS = 0.05, 0.8


@dataclass(frozen=True, repr=False, eq=False)
class Fairness(Record):
    """Rates of groups of people and the largest gaps between them; made by `fairness`.

    Attributes
    ----------
    slices : Slices
        The groups.
    positive : str
        The class whose selection counts.
    rows : tuple of FairnessRow
        The groups, by their observed selection rate from the lowest; groups without cases last.
    gaps : tuple of FairnessGap
        The six measures.
    rope : float
        Differences up to this size are practically nil.
    level, kind : float and str
        Of the intervals; kind is that of the groups' rates.
    draws, seed : int
        Behind the gaps.
    """

    slices: Slices
    positive: str
    rows: tuple[FairnessRow, ...]
    gaps: tuple[FairnessGap, ...]
    rope: float
    level: float
    kind: Kind
    draws: int
    seed: int

    def __getitem__(self, name: str) -> FairnessGap:
        """A gap by its name."""
        for gap in self.gaps:
            if isinstance(name, str) and gap.name == name:
                return gap
        raise InvalidArgument(f"no gap is called {excerpt(name)}; there are {listing(MEASURES)}")

    def group(self, name: str) -> FairnessRow:
        """The rates of a group.

        Raises
        ------
        InvalidArgument
            No such group.
        """
        return row_named(self.rows, name, "group")

    @property
    def paragraph(self) -> str:
        """The answer in sentences, for the paragraph on fairness of a paper or a model card."""
        return paragraph_of(self)

    def sheet(self) -> Sheet:
        """Groups as cells of text, and a sentence on each gap."""
        return sheet_of(self)

    def picture(self) -> str:
        """The rates of the groups as SVG."""
        return picture_of(self)

    def to_csv(self) -> str:
        """CSV with every rate of every group, then the gaps (``about``); texts that a spreadsheet runs are guarded."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(
            [
                "about",
                "name",
                "group",
                "hits",
                "cases",
                "observed",
                "mean",
                "low",
                "high",
                "p_alike",
                "limit",
                "p_beyond",
            ]
        )
        for row in self.rows:
            for rate in RATES:
                writer.writerow(["group", rate, guarded(row.name), *row.rate(rate).to_dict().values(), "", "", ""])
        for gap in self.gaps:
            ends = (gap.observed, gap.mean, gap.low, gap.high, gap.p_alike, gap.limit, gap.p_beyond)
            writer.writerow(["gap", gap.name, "", "", "", *ends])
        return out.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: format ``howsure/1``, kind ``fairness``."""
        return {
            **envelope("fairness"),
            "by": list(self.slices.by),
            "n": self.slices.n,
            "positive": self.positive,
            "rope": self.rope,
            "level": self.level,
            "interval": self.kind,
            "draws": self.draws,
            "seed": self.seed,
            "gaps": [gap.to_dict() for gap in self.gaps],
            "groups": [row.to_dict(RATES) for row in self.rows],
            "paragraph": self.paragraph,
        }


def fairness(
    slices: Slices | Counts | Mapping[str, ConfusionMatrix],
    positive: object | None = None,
    *,
    rope: float = ROPE,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int | None = None,
    seed: int = SEED,
) -> Fairness:
    """Demographic parity, equal opportunity and equalized odds between groups of people, each with its interval.

    Parameters
    ----------
    slices : Slices, Counts or mapping of str to ConfusionMatrix
        Counts by group: ``Slices.from_predictions(y_true, y_pred, by=sensitive_features)``, or `Counts` that were
        counted with ``by=``.
    positive : str, optional
        The class whose selection counts; that of the counts if they have one. With three classes and more it stands
        against all others.
    rope : float
        Differences up to this size are practically nil, in [0, 1); each difference has the probability that it is
        larger. Ratios are held against 0.8, the rule of four fifths (EEOC 1978).
    level, kind
        Of the intervals; ``kind`` of the groups' rates.
    draws : int, optional
        Behind the gaps; 200 to 20,000 by the number of groups if left out.
    seed : int

    Returns
    -------
    Fairness
        Rates, differences and ratios in [0, 1].

    Raises
    ------
    InvalidArgument, UnknownLabel
        Fewer than two groups, a positive class that is not named or not there, a rope outside [0, 1).
    NoInformation
        Fewer than two groups have a case.

    Notes
    -----
    Point values are fairlearn's (Bird et al. 2020; equal opportunity and equalized odds: Hardt et al. 2016), apart from
    groups without a case that counts: their rate is unknown, and not 0. The largest of many gaps is partly the
    unluckiest; the model allows for that (``docs/fairness.md``): groups may be all alike, more or less alike, and each
    may be unlike the rest.

    Examples
    --------
    >>> import howsure as hs
    >>> groups = {"women": hs.ConfusionMatrix([[70, 10], [15, 25]], ["no", "yes"]),
    ...           "men": hs.ConfusionMatrix([[50, 30], [6, 34]], ["no", "yes"])}
    >>> made = hs.fairness(groups, "yes")
    >>> gap = made["demographic_parity_difference"]
    >>> round(gap.observed, 4), gap.lowest, gap.highest
    (0.2417, 'women', 'men')
    >>> gap.low < gap.mean < gap.high, gap.p_beyond > 0.95
    (True, True)
    """
    held = held_slices(slices, "fairness")
    chosen_class = _positive_of(held, positive)
    width = number(rope)
    if not 0 <= width < 1:
        raise InvalidArgument(f"rope is a difference of rates, 0 or more and below 1; not {excerpt(rope)}")
    checked_kind(kind)
    level, seed = checked_level(level), checked_seed(seed)
    many = None if draws is None else checked_draws(draws)
    if len(held) < 2:
        raise InvalidArgument(
            f"there is one group, {excerpt(held.names[0])}, and nobody to compare it with; name a column that has two "
            "values or more"
        )
    if int((held.cases > 0).sum()) < 2:
        raise NoInformation("fewer than two groups have a case, so there is no gap between groups")
    hits, actual = held.tally(chosen_class)
    called = held._called(chosen_class)
    tallies = ((called, held.cases), (hits, actual), (called - hits, held.cases - actual))
    rates = {
        name: GroupRate(k, n, many, (seed, i)) for i, (name, (k, n)) in enumerate(zip(RATES, tallies, strict=True))
    }
    own = [_own(k, n, level, kind) for k, n in tallies]
    rows = [FairnessRow(*parts) for parts in zip(held.names, held.cases.tolist(), *own, strict=True)]
    rows.sort(key=lambda row: (row.cases == 0, row.selection_rate.observed or 0.0))  # stable: names in their order
    gaps = [
        _gap(held.names, name, [rates[x] for x in of], of, width, level, ratio)
        for name, (of, ratio) in MEASURES.items()
    ]
    return Fairness(
        held,
        chosen_class,
        tuple(rows),
        tuple(gap for gap, _ in gaps),
        width,
        level,
        kind,
        max(drawn for _, drawn in gaps),
        seed,
    )


def _positive_of(held: Slices, positive: object | None) -> str:
    """The class whose selection counts, which is there."""
    found = held.positive if positive is None else positive
    if found is None:
        raise InvalidArgument(
            f"name the class whose selection counts, positive=: one of {listing(map(excerpt, held.labels), 8)}"
        )
    return held.labels[held._index(found)]


def _own(k: Integers, n: Integers, level: float, kind: Kind) -> list[FairnessRate]:
    """A rate of each group by its own cases, under the default prior of a rate."""
    laws = Betas(k + CALIBRATED, n - k + CALIBRATED)
    low, high = laws.interval(level, kind)
    return [
        FairnessRate(hits, cases, hits / cases, *ends) if cases else FairnessRate(hits, cases, None, None, None, None)
        for hits, cases, *ends in zip(
            k.tolist(), n.tolist(), laws.mean.tolist(), low.tolist(), high.tolist(), strict=True
        )
    ]


def _gap(
    names: tuple[str, ...],
    name: str,
    rates: list[GroupRate],
    of: tuple[str, ...],
    rope: float,
    level: float,
    ratio: bool,
) -> tuple[FairnessGap, int]:
    """One measure, and the draws behind it."""
    limit = FOUR_FIFTHS if ratio else rope
    told = [rate for rate in rates if not ratio or rate.ratio is not None]  # of zeros a ratio is the prior's alone
    if not all(rate.defined for rate in rates) or not told:
        return FairnessGap(name, of[0], None, None, None, None, None, limit, None, None, None, None, None), 0
    seen = [(rate.ratio if ratio else rate.difference) or 0.0 for rate in told]
    observed = min(seen) if ratio else max(seen)
    at = seen.index(observed)
    worst, (lowest, highest) = told[at], told[at].chances()
    made = gap_knowledge(told, limit, level, ratio=ratio)
    return (
        FairnessGap(
            name,
            of[rates.index(worst)],
            observed,
            made.mean,
            made.low,
            made.high,
            made.alike,
            limit,
            made.beyond,
            names[worst.lowest],
            names[worst.highest],
            lowest,
            highest,
        ),
        made.draws,
    )
