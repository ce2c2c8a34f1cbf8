"""What many data sets say of two classifiers, as an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from howsure.answers.law_summary import interval_cells, law_row
from howsure.answers.sheet import Record, Sheet
from howsure.posterior.density_picture import MOST_ROWS
from howsure.text import formats
from howsure.text.svg import forest
from howsure.units.difference_over import DifferenceOver
from howsure.units.pooled import FEW_DRAWS, SHOWN
from howsure.units.pooled_number import PooledNumber
from howsure.units.site_knowledge import FEW_SITES

__all__ = ["ComparedOver"]


#: The keys of the answer, and the columns of its CSV.
CHANCES = "p_better=chances.better p_equal=chances.equal p_worse=chances.worse"
COUNTS = "a_right a_n b_right b_n"
FIELDS = (
    f"a=counts.a b=counts.b metric paired rope level interval=kind mean_difference=_mean(*law {CHANCES}) "
    f"new_data_set=_new(*law {CHANCES}) spread=_spread data_sets=_rows[name {COUNTS} only_a only_b observed *law "
    f"{CHANCES}] draws seed draws_are_worth=population.worth verdict=sentence warnings notes"
)
CSV = f"_lines[data_set=name {COUNTS} observed *law(mean low high) {CHANCES} about]"


@dataclass(frozen=True, repr=False, eq=False)
class ComparedOver(DifferenceOver, Record, json="compare_over", fields=FIELDS, csv=CSV):
    """Difference of two classifiers over many data sets, A less B; made by `compare_over`.

    Attributes
    ----------
    counts : TwoAtSites
        What each data set showed.
    population : SitePopulation
        Weighted draws of the population of data sets.
    rope : float or None
        Differences up to this size count as equivalent.
    level, kind : float, "hdi" or "central"
        Of the intervals that are shown.
    draws, seed : int

    Examples
    --------
    >>> from howsure.units.comparing_over import compare_over
    >>> made = compare_over({name: {"A": (90 + i, 100), "B": (80, 100)} for i, name in enumerate("uvwxyz")}, draws=2000)
    >>> made.chances().better > 0.99, made.chances("new").better > 0.9
    (True, True)
    >>> made.names, made.data_sets[:2], made.paired
    (('A', 'B'), ('u', 'v'), False)
    """

    @property
    def _mean(self) -> dict[str, Any] | None:
        return {"law": self.of(), "chances": self.chances()} if self.tells_of_others else None

    @property
    def _new(self) -> dict[str, Any] | None:
        return {"law": self.of("new"), "chances": self.chances("new")} if self.tells_of_others else None

    @property
    def _spread(self) -> PooledNumber | None:
        return self.spread if self.tells_of_others else None

    @property
    def _rows(self) -> list[dict[str, Any]]:
        """What is known of each data set."""
        (n, m), (k, j) = self.counts.cases, self.counts.right
        return [
            {
                "name": name,
                "a_right": int(k[i]),
                "a_n": int(n[i]),
                "b_right": int(j[i]),
                "b_n": int(m[i]),
                "only_a": int(self.counts.cells[i, 1]) if self.paired else None,
                "only_b": int(self.counts.cells[i, 2]) if self.paired else None,
                "observed": float(self.counts.observed[i]),
                "law": self.of(data_set=name),
                "chances": self.chances(data_set=name),
                "about": "data set",
            }
            for i, name in enumerate(self.data_sets)
        ]

    @property
    def _lines(self) -> list[dict[str, Any]]:
        """The data sets, then the population."""
        others = {"mean": self._mean, "new": self._new, "spread": {"law": self._spread, "chances": None}}
        empty = dict.fromkeys(("name", "a_right", "a_n", "b_right", "b_n", "observed"))
        population = others.items() if self.tells_of_others else ()
        return [*self._rows, *({**empty, **(row or {}), "about": about} for about, row in population)]

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        a, b = (formats.plain(name, 40) for name in self.names)
        sets = formats.several(len(self.data_sets), "data set")
        if not self.tells_of_others:
            return f"{a} and {b} on {sets}: too few to say anything of others; each of them is below."
        kind = formats.interval_name(self.kind, self.level)
        mean, ends = interval_cells(self.of(), self.level, self.kind)
        metric = formats.plain(self.metric)
        average, new = self.chances(), self.chances("new")
        words = (
            f"Over data sets like these {len(self.data_sets)} {a} has {mean} ({ends}, {kind}) more {metric} than {b} "
            f"on average: better with probability {self._p(average.better)}, on a new data set with "
            f"{self._p(new.better)}"
        )
        if not self.rope:
            return f"{words}."
        equal = f"practically equal (within {self.rope:g}) with {self._p(new.equal)}"
        return f"{words}, {equal}, worse with {self._p(new.worse)}."

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        found = []
        if self.tells_of_others and len(self.data_sets) < FEW_SITES:
            found.append(
                f"{len(self.data_sets)} data sets tell little of how much data sets differ: the spread, and with it "
                "what is said of a new one, is mostly the prior's."
            )
        if self.population.worth < min(FEW_DRAWS, self.draws / 10):
            found.append(
                f"the {formats.integer(self.draws)} weighted draws are worth {self.population.worth:.0f} independent "
                "ones; take more (draws=)."
            )
        return tuple(found)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        if self.paired:
            model = (
                "Paired: both answered the same cases. Logits of the share of cases that only one has right, and of "
                "the part of these that is A's, are bivariate normal between data sets"
            )
            prior = "sds half-normal(1), their correlation uniform"
        else:
            model = (
                "Separate test sets of both, also where these were the same cases: then the intervals are too long. "
                "Logits of both accuracies are normal between data sets, a level of each and a difference"
            )
            prior = "both sds half-normal(1)"
        return (
            *self.counts.notes,
            f"{model}; counts binomial. Priors: mean rates uniform, {prior}; all integrated. "
            f"{formats.integer(self.draws)} weighted draws, equivalent to "
            f"{formats.integer(round(self.population.worth))} "
            "independent ones.",
            "A new data set: the true difference on the next data set like these, each data set having one vote. Of "
            "the trained classifiers as they were tested, not of their training.",
        )

    def sheet(self) -> Sheet:
        """The mean, a new data set, and a row for each data set."""
        a = formats.plain(self.names[0], 30)
        kind = formats.interval_name(self.kind, self.level)
        header: tuple[str, ...] = ("data set", "cases", "observed", "difference", kind, f"P({a} better)")
        header = (*header, "P(equal)") if self.rope else header
        rows: list[tuple[str, ...]] = []
        if self.tells_of_others:
            rows.append(("mean of data sets", "", "", *self._cells(self.of()), *self._chances(self.chances())))
            rows.append(("new data set", "", "", *self._cells(self.of("new")), *self._chances(self.chances("new"))))
            blank = ("",) * (len(header) - 5)
            rows.append(("sd between data sets", "", "", *self._cells(self.spread), *blank))
        (n, m), observed = self.counts.cases, self.counts.observed
        for i, name in enumerate(self.data_sets[:SHOWN]):
            size = formats.integer(int(n[i])) + ("" if n[i] == m[i] else f", {formats.integer(int(m[i]))}")
            law, chances = self.of(data_set=name), self.chances(data_set=name)
            cells = self._cells(law), self._chances(chances)
            rows.append((formats.plain(name, 30), size, f"{observed[i]:.3f}", *cells[0], *cells[1]))
        more = len(self.data_sets) - SHOWN
        return Sheet(
            self.sentence,
            header,
            tuple(rows),
            self.notes,
            left_out=f"{formats.several(more, 'more data set')} in --json." if more > 0 else "",
            warnings=self.warnings,
        )

    def picture(self) -> str:
        """Data sets, their mean and a new one as SVG."""
        rows = []
        if self.tells_of_others:
            new = self.of("new").interval(self.level, self.kind)
            rows.append(
                law_row("mean of data sets", self.of(), self.level, self.kind)._replace(outer=(new.low, new.high))
            )
        for i, name in enumerate(self.data_sets[:MOST_ROWS]):
            law, observed = self.of(data_set=name), float(self.counts.observed[i])
            rows.append(law_row(name, law, self.level, self.kind, observed=observed, chance=0.0))
        title = f"{formats.plain(self.names[0], 30)} less {formats.plain(self.names[1], 30)} by data set"
        return forest(rows, title=f"{title}; the thin line is the interval of a new data set")

    def _cells(self, law: PooledNumber) -> tuple[str, str]:
        return interval_cells(law, self.level, self.kind)

    def _chances(self, chances: tuple[float, float, float]) -> tuple[str, ...]:
        shown = (self._p(chances[0]), self._p(chances[1]))
        return shown if self.rope else shown[:1]

    def _p(self, value: float) -> str:
        return formats.probability(value, int(self.population.worth))
