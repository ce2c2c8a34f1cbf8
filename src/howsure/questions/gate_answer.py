"""The answer of a gate, as data, as text and as JUnit XML, which every build server shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from howsure.answers.sheet import Sheet, covered
from howsure.data.groups import ENOUGH_GROUPS, Question
from howsure.errors import visible
from howsure.errors.arguments import one_of
from howsure.knowledge.protocol import Answered, Ask
from howsure.laws import Kind, Law
from howsure.laws.law import Route
from howsure.questions.gate_rule import Verdict, together
from howsure.text import formats
from howsure.text.formats import integer, plain, several
from howsure.text.svg import IntervalRow, forest


def junit(
    rows: Sequence[tuple[str, Verdict, str]],
    on_inconclusive: Literal["warn", "fail", "pass"],
    warnings: Sequence[str] = (),
) -> str:
    """A suite with one test case for each row: its name, its verdict, the sentence on it; warnings are of the suite."""
    one_of(on_inconclusive, ("warn", "fail", "pass"), "on_inconclusive")
    failed = {"fail", "inconclusive"} if on_inconclusive == "fail" else {"fail"}
    skipped = {"inconclusive"} if on_inconclusive == "warn" else set()
    verdicts = [verdict for _, verdict, _ in rows]
    suite = Element(
        "testsuite",
        name="howsure gate",
        tests=str(len(verdicts)),
        failures=str(sum(v in failed for v in verdicts)),
        errors="0",
        skipped=str(sum(v in skipped for v in verdicts)),
    )
    for name, verdict, sentence in rows:
        said = visible(sentence)
        case = SubElement(suite, "testcase", classname="howsure.gate", name=visible(name))
        if verdict in failed:
            SubElement(case, "failure", message=said, type=verdict)
        elif verdict in skipped:
            SubElement(case, "skipped", message=said)
        SubElement(case, "system-out").text = said
    if warnings:
        SubElement(suite, "system-err").text = "\n".join(map(visible, warnings))
    indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suite, encoding="unicode") + "\n"


Mode = Literal["non-inferiority", "superiority", "floor"]

SAID = {"pass": "Pass", "fail": "Fail", "inconclusive": "Inconclusive"}
ACTS = {"pass": "passes", "fail": "fails", "inconclusive": "is not settled"}
_WHICH = {"fail": "The first that fails", "inconclusive": "The first that is not settled"}
PLURAL = {"pass": "pass", "fail": "fail", "inconclusive": "are not settled"}

MARKS = {"pass": "✅ ", "fail": "❌ ", "inconclusive": "⚠️ "}


WORDS: dict[Question, str] = {"new": "new groups", "these": "new cases of the same groups"}


@dataclass(frozen=True)
class GateGroups:
    """Groups of the cases at a gate.

    Attributes
    ----------
    question : "new" or "these"
        What the numbers are about.
    groups : tuple of int
        How many: of the same cases, or of a candidate alone, one number; of separate test sets that of each.
    few : bool
        Whether they are too few to decide about new ones, and nobody asked about these; the gate is then inconclusive.
    """

    question: Question
    groups: tuple[int, ...]
    few: bool

    @property
    def words(self) -> str:
        """How many groups, and which the numbers are about."""
        counted = " and ".join(map(formats.integer, self.groups))
        plural = "group" if self.groups == (1,) else "groups"
        return f"{counted} {plural}, about {WORDS[self.question]}"

    @property
    def why_open(self) -> str:
        """Why too few groups decide nothing."""
        return (
            f"the cases come from {formats.several(min(self.groups), 'group')}, and below {ENOUGH_GROUPS} a gate "
            "about new groups decides nothing. Gate new cases of the same groups by name, groups='these' (--groups "
            "these), "
            "or test more groups."
        )


@dataclass(frozen=True)
class Estimate:
    """What is known about one number: on the raw counts, its mean, and the ends of its interval."""

    observed: float | None
    mean: float
    low: float
    high: float
    interval: Kind
    law: Route

    @property
    def places(self) -> int:
        """Decimals that the interval supports."""
        return formats.decimals(self.low, self.high)


def estimate_of(law: Law, observed: float | None, level: float, kind: Kind) -> Estimate:
    """A law as a gate shows it."""
    ends = law.interval(level, kind)
    return Estimate(observed, law.mean, ends.low, ends.high, ends.kind, law.route)


@dataclass(frozen=True)
class GateRow:
    """One metric at the gate.

    Attributes
    ----------
    metric, better : str
        Its name, and its direction.
    verdict : "pass", "fail" or "inconclusive"
        Of this metric alone.
    p_pass, p_fail : float
        Posterior probabilities of the claim and of its opposite: that d is above, and below, the threshold.
    threshold : float
        In units of d, more is better: -margin, +margin, or 0 where the candidate is held against a floor.
    strict : float or None
        What the strict rule held against ``min_prob`` instead: 1 minus the p-value of the sign test, of the side that
        is ahead.
    candidate, baseline, difference : Estimate
        Difference: candidate minus baseline; the last two are None for a floor.
    by_prior : bool
        Whether a probability reaches ``min_prob`` by the prior alone: more than half of the distance between the mean
        and the gate is what the prior moved. The verdict is then "inconclusive".
    more_cases : int or None
        About how many more cases (in each test set) would settle it, the prior's pull taken out; None where it is
        settled, or where nothing would.
    more_groups : int or None
        The same in groups of the same size, where the gate is about new groups.
    draws : int or None
        Of a law that is drawn.
    tail : float or None
        Of two separate test sets of unlike size and two classes: the probability of the verdict with the smaller one at
        its exact tail, which has to reach ``min_prob``, too.
    """

    metric: str
    better: str
    verdict: Verdict
    p_pass: float
    p_fail: float
    threshold: float
    strict: float | None
    candidate: Estimate
    baseline: Estimate | None
    difference: Estimate | None
    by_prior: bool
    more_cases: int | None
    more_groups: int | None
    draws: int | None
    tail: float | None = None


FIELDS = """
verdict sentence mode margin floor min_prob candidate=names.0 baseline=_baseline paired cases prior level
interval=kind draws seed groups? metrics=rows warnings notes
"""


@dataclass(frozen=True, eq=False)
class Gate(Answered, json="gate", fields=FIELDS):
    """Whether a candidate may pass; made by `gate`.

    Attributes
    ----------
    names : (str, str)
        Candidate and baseline.
    rows : tuple of GateRow
        One for each metric.
    mode, margin, floor, min_prob
        What was asked.
    paired : bool or None
        Whether both answered the same cases; None for a floor, which has no baseline.
    cases : tuple of int
        Cases of the candidate and of the baseline.
    prior : str
        Of both.
    unit : str
        What a test set consists of.
    groups : GateGroups or None
        Where cases come in groups: how many, which the gate is about, and whether they are too few to decide.

    Examples
    --------
    >>> from howsure import Posterior, gate
    >>> made = gate(Posterior.from_accuracy(correct=480, n=500), metric="accuracy", floor=0.9)
    >>> made.verdict, made.passed
    ('pass', True)
    """

    names: tuple[str, str]
    rows: tuple[GateRow, ...]
    mode: Mode
    margin: float
    floor: float | None
    min_prob: float
    paired: bool | None
    cases: tuple[int, ...]
    prior: str
    ask: Ask
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    groups: GateGroups | None = None
    unit: str = "case"

    @property
    def verdict(self) -> Verdict:
        """All metrics together: any fail fails, all must pass."""
        return together([row.verdict for row in self.rows])

    @property
    def passed(self) -> bool:
        """Whether the verdict is "pass"."""
        return self.verdict == "pass"

    @property
    def _baseline(self) -> str | None:
        return None if self.mode == "floor" else self.names[1]

    @property
    def sentence(self) -> str:
        """The verdict and its reason in plain words."""
        decided = [row for row in self.rows if row.verdict == self.verdict]
        if len(self.rows) == 1:
            return self._row_sentence(decided[0])
        if self.verdict == "pass":
            least = min(decided, key=lambda row: row.p_pass)
            return f"Pass: all {len(self.rows)} metrics pass. The least sure: {self._reason(least)}"
        counted = {v: sum(row.verdict == v for row in self.rows) for v in ACTS}
        parts = [f"{many} {ACTS[v] if many == 1 else PLURAL[v]}" for v, many in counted.items() if many]
        first = f"{SAID[self.verdict]}: of {len(self.rows)} metrics {', '.join(parts)}."
        return f"{first} {_WHICH[self.verdict]}: {self._reason(decided[0])}"

    def to_junit(self, on_inconclusive: Literal["warn", "fail", "pass"] = "warn") -> str:
        """JUnit XML, a test case for each metric; what is inconclusive is skipped, a failure, or a success."""
        cases = [(f"{row.metric} {self.mode}", row.verdict, self._row_sentence(row)) for row in self.rows]
        return junit(cases, on_inconclusive, self.warnings)

    def __repr__(self) -> str:
        return f"<Gate: {self.sentence}>"

    # -- for people; no line begins with a name from outside ------------------------------------------------

    def sheet(self) -> Sheet:
        """A row for each metric."""
        what = "mean" if self.mode == "floor" else "difference"
        interval = formats.interval_name(self.kind, self.level)
        return Sheet(
            self.sentence,
            ("metric", "verdict", "P(pass)", "P(fail)", "candidate", "baseline", what, interval, "method"),
            tuple(map(self._cells, self.rows)),
            (self._footnote(),),
            about=self._about(),
            warnings=self.warnings,
            remarks=self.notes,
            words=frozenset([1, 8]),
            mark=MARKS[self.verdict],
            covers=covered(self.unit),
        )

    def _cells(self, row: GateRow) -> tuple[str, ...]:
        shown = row.difference or row.candidate
        return (
            plain(row.metric),
            row.verdict,
            formats.probability(row.p_pass, row.draws),
            formats.probability(row.p_fail, row.draws),
            _mean(row.candidate) if self.mode != "floor" else "",
            _mean(row.baseline) if row.baseline is not None else "",
            formats.number(shown.mean, shown.places),
            formats.interval(shown.low, shown.high, shown.places)
            + ("" if shown.interval == self.kind else f" ({shown.interval})"),
            shown.law,
        )

    def _row_sentence(self, row: GateRow) -> str:
        """One metric: the claim, its probability, what would settle it."""
        claim, against = self._claims(row)
        surely = formats.probability(row.p_pass, row.draws)
        wanted = f"{self.min_prob:g}"
        head = f"{SAID[row.verdict]}: "
        if row.verdict == "fail":
            said = f"{against} with probability {formats.probability(row.p_fail, row.draws)}"
            said += f" (the gate fails from {wanted})."
        elif row.verdict == "pass":
            said = f"{claim} with probability {surely} (the gate asks for {wanted})."
        elif self._few:
            assert self.groups is not None
            about = f" (about {WORDS[self.groups.question]})"
            said = f"that {claim} has probability {surely}{about}, but {self.groups.why_open}"
        elif row.by_prior:
            said = f"that {claim} has probability {surely}, but {self._prior_made(row)}"
        elif row.tail is not None:
            it = "it" if row.p_pass > row.p_fail else "the opposite"
            counts = f"{it} counts as {formats.probability(row.tail, row.draws)}; the gate asks for {wanted} of both."
            said = f"that {claim} has probability {surely}, but with the smaller test set at its exact tail "
            said += f"(Clopper and Pearson) {counts}"
        else:
            said = f"that {claim} has probability {surely}; the gate passes from {wanted} and fails "
            said += f"at {1 - self.min_prob:.4g} or less."
        if row.strict is not None and not self._few:
            # of an inconclusive answer the sentence is about passing, and the rule about the likelier side
            it = "the opposite" if row.verdict == "inconclusive" and row.p_fail > row.p_pass else "it"
            rule = "By the strict rule (sign test on the cases that only one has right)"
            said += f" {rule} {it} counts as {formats.probability(row.strict)}."
        if row.verdict == "inconclusive" and not self._few:
            said += f" {self._settling(row)}"
        return head + said

    @property
    def _few(self) -> bool:
        return self.groups is not None and self.groups.few

    def _reason(self, row: GateRow) -> str:
        """The sentence of a metric without its verdict."""
        return self._row_sentence(row).split(": ", 1)[1]

    def _claims(self, row: GateRow) -> tuple[str, str]:
        """What passes, and its opposite, in words."""
        candidate, baseline = (plain(name, 40) for name in self.names)
        metric, margin = plain(row.metric), f" by more than {self.margin:g}" if self.margin else ""
        higher = row.better == "higher"
        if self.mode == "floor":
            above, below = ("above", "below") if higher else ("below", "above")
            return (
                f"{metric} of {candidate} is {above} {self.floor:g}",
                f"{metric} of {candidate} is {below} {self.floor:g}",
            )
        if self.mode == "superiority":
            return (
                f"{candidate} is better than {baseline} in {metric}{margin}",
                f"{candidate} is not better than {baseline} in {metric}{margin}",
            )
        return (
            f"{candidate} is not worse than {baseline} in {metric}{margin}",
            f"{candidate} is worse than {baseline} in {metric}{margin}",
        )

    def _prior_made(self, row: GateRow) -> str:
        """What the prior did, where the verdict would be its own."""
        shown = row.difference or row.candidate
        assert shown.observed is not None
        what = plain(row.metric) if row.difference is None else "the difference"
        moved = f"from {formats.number(shown.observed, shown.places)} as observed"
        return (
            f"the {plain(self.prior)} prior makes more than half of what speaks for a verdict: it moves {what} {moved} "
            f"to {formats.number(shown.mean, shown.places)}."
        )

    def _settling(self, row: GateRow) -> str:
        each = " in each test set" if self.paired is False else ""
        if row.more_groups is not None:
            return (
                f"About {several(row.more_groups, 'more group')}{each}, as large as these, would settle it, if the "
                "numbers stay as they are (normal approximation)."
            )
        if row.more_cases is None:
            if self.mode == "floor":
                return f"The candidate is so near to the floor that more {self.unit}s would hardly settle it."
            near = "the margin" if self.margin else "0"
            return f"The difference is so near to {near} that more {self.unit}s would hardly settle it."
        more = several(row.more_cases, f"more {self.unit}")
        return f"About {more}{each} would settle it, if the numbers stay as they are (normal approximation)."

    def picture(self) -> str:
        """Each difference (or the metric itself) as SVG; dashes where the gate is."""
        rows = []
        for row in self.rows:
            shown = row.difference or row.candidate
            places = shown.places
            words = f"{formats.number(shown.mean, places)} ({formats.interval(shown.low, shown.high, places)})"
            bar = self.floor if row.difference is None else -row.threshold if row.better == "lower" else row.threshold
            numbers = (shown.mean, shown.low, shown.high, shown.observed)
            rows.append(IntervalRow(f"{row.metric}: {row.verdict}", words, *numbers, bar))
        what = "Metric" if self.mode == "floor" else "Candidate minus baseline"
        return forest(rows, title=f"{what}, mean and {formats.interval_name(self.kind, self.level)}; dashes: the gate")

    def _about(self) -> str:
        if self.paired is None:
            cases = several(self.cases[0], self.unit)
        elif self.unit == "battle":
            each = zip(self.cases, self.names, strict=True)
            cases = " and ".join(f"{several(n, self.unit)} of {plain(name, 40)}" for n, name in each)
        elif self.paired:
            cases = f"Paired, the same {several(self.cases[0], self.unit)}"
        else:
            cases = f"Separate test sets of {' and '.join(map(integer, self.cases))} {self.unit}s"
        cases += "" if self.groups is None else f" in {self.groups.words}"
        aim = {
            "non-inferiority": f"non-inferiority, margin {self.margin:g}",
            "superiority": f"superiority, margin {self.margin:g}",
            "floor": f"floor {self.floor:g}" if self.floor is not None else "floor",
        }[self.mode]
        prior = f". Prior: {plain(self.prior)}" if self.prior else ""
        drawn = (
            f"; simulated: {integer(self.draws)} draws, seed {self.seed}" if any(row.draws for row in self.rows) else ""
        )
        return f"{cases}. Gate: {aim}, min-prob {self.min_prob:g}{prior}{drawn}."

    def _footnote(self) -> str:
        line = (
            "P(pass), P(fail): probability that the claim, and that its opposite, is true; pass or fail where one "
            "reaches min-prob."
        )
        return line if self.mode == "floor" else f"{line} difference: candidate minus baseline."


def _mean(known: Estimate) -> str:
    return formats.number(known.mean, max(known.places, 3 if abs(known.mean) <= 1 else 0))
