"""The answer of a gate, as data; `print` shows it as text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from howsure._version import __version__
from howsure.comparison import gate_text, junit
from howsure.comparison.gate_rule import Verdict, together
from howsure.laws import Kind
from howsure.laws.law import Route

__all__ = ["Estimate", "Gate", "GateRow", "Mode"]

Mode = Literal["non-inferiority", "superiority", "floor"]


@dataclass(frozen=True)
class Estimate:
    """What is known about one number: on the raw counts, its mean, and the ends of its interval."""

    observed: float | None
    mean: float
    low: float
    high: float
    interval: Kind
    law: Route


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
    more_cases : int or None
        About how many more cases would settle it; None where it is settled, or where nothing would.
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
    more_cases: int | None
    draws: int | None


@dataclass(frozen=True)
class Gate:
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
    level: float
    kind: Kind
    draws: int
    seed: int
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """All metrics together: any fail fails, all must pass."""
        return together([row.verdict for row in self.rows])

    @property
    def passed(self) -> bool:
        """Whether the verdict is "pass"."""
        return self.verdict == "pass"

    @property
    def sentence(self) -> str:
        """The verdict and its reason in plain words."""
        return gate_text.sentence(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: the format ``howsure/1``, kind ``gate``; see its JSON Schema."""
        return {
            "format": "howsure/1",
            "kind": "gate",
            "version": __version__,
            "verdict": self.verdict,
            "sentence": self.sentence,
            "mode": self.mode,
            "margin": self.margin,
            "floor": self.floor,
            "min_prob": self.min_prob,
            "candidate": self.names[0],
            "baseline": None if self.mode == "floor" else self.names[1],
            "paired": self.paired,
            "cases": list(self.cases),
            "prior": self.prior,
            "level": self.level,
            "interval": self.kind,
            "draws": self.draws,
            "seed": self.seed,
            "metrics": [asdict(row) for row in self.rows],
            "warnings": list(self.warnings),
            "notes": list(self.notes),
        }

    def to_markdown(self) -> str:
        """Markdown for a pull request or a job summary."""
        return gate_text.markdown(self)

    def to_junit(self, on_inconclusive: Literal["warn", "fail", "pass"] = "warn") -> str:
        """JUnit XML, a test case for each metric; what is inconclusive is skipped, a failure, or a success."""
        return junit.xml(self, on_inconclusive)

    def __str__(self) -> str:
        return gate_text.text(self)

    def __repr__(self) -> str:
        return f"<Gate: {self.sentence}>"

    def _repr_html_(self) -> str:
        return gate_text.html(self) + gate_text.picture(self)
