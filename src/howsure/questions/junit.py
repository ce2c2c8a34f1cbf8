"""A gate as JUnit XML, which every build server shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from howsure.errors import visible
from howsure.errors.arguments import one_of
from howsure.questions.gate_rule import Verdict

__all__ = ["xml"]


def xml(
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
