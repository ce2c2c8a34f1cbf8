"""A gate as JUnit XML, which every build server shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from howsure.comparison import gate_text
from howsure.errors import visible
from howsure.errors.arguments import one_of

if TYPE_CHECKING:
    from howsure.comparison.gate import Gate

__all__ = ["xml"]


def xml(gate: Gate, on_inconclusive: Literal["warn", "fail", "pass"]) -> str:
    """A suite with one test case for each metric."""
    one_of(on_inconclusive, ("warn", "fail", "pass"), "on_inconclusive")
    failed = {"fail", "inconclusive"} if on_inconclusive == "fail" else {"fail"}
    skipped = {"inconclusive"} if on_inconclusive == "warn" else set()
    verdicts = [row.verdict for row in gate.rows]
    suite = Element(
        "testsuite",
        name="howsure gate",
        tests=str(len(verdicts)),
        failures=str(sum(v in failed for v in verdicts)),
        errors="0",
        skipped=str(sum(v in skipped for v in verdicts)),
    )
    for row in gate.rows:
        said = visible(gate_text.row_sentence(gate, row))
        case = SubElement(suite, "testcase", classname="howsure.gate", name=visible(f"{row.metric} {gate.mode}"))
        if row.verdict in failed:
            SubElement(case, "failure", message=said, type=row.verdict)
        elif row.verdict in skipped:
            SubElement(case, "skipped", message=said)
        SubElement(case, "system-out").text = said
    indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suite, encoding="unicode") + "\n"
