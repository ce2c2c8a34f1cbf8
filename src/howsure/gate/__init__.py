"""May the candidate replace the baseline? Pass, fail or inconclusive, for pull requests and tests."""

from howsure.gate.question import assert_better, gate
from howsure.gate.result import Estimate, Gate, GateRow

__all__ = ["Estimate", "Gate", "GateRow", "assert_better", "gate"]
