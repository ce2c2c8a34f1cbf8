"""``code.python`` and ``code.command`` of each verb."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.report import Report
from howsure.web import code
from howsure.web.code import Code
from howsure.web.subjects import counted_cases

__all__ = ["of_report"]

Checked = Mapping[str, Any]


def of_report(request: Checked, made: Report) -> Code:
    """Code of a report."""
    metrics = request.get("metrics")
    given = code.settings(request, made.draws)
    lines = [
        "import howsure as hs",
        "",
        f"matrix = {code.python_matrix(request['matrix'])}",
        f"posterior = hs.infer(matrix{code.python_prior(request)}){_python_elsewhere(request, made)}",
        f"print({code.call('hs.report', ['posterior', *([repr(metrics)] if metrics else [])], given)})",
    ]
    command = None
    where = _command_elsewhere(request, made)
    if not isinstance(request.get("prior"), dict) and where is not None:
        words = code.options(
            {"metric": metrics, "prior": request.get("prior"), "positive": request["matrix"].get("positive"), **where}
            | given
        )
        command = code.piped(code.matrix_text(made.confusion), ["howsure", "report", "-", *words])
    return {"python": "\n".join(lines) + "\n", "command": command}


def _python_elsewhere(request: Checked, made: Report) -> str:
    given = request.get("prevalence")
    if given is None:
        return ""
    if isinstance(given, list):
        return f".at_prevalence({given!r})"
    if "share" in given:
        return f".at_prevalence({{{given['label']!r}: {given['share']!r}}})"
    return f".at_prevalence(cases={counted_cases(made.confusion, given['label'], given['cases'], given['of'])!r})"


def _command_elsewhere(request: Checked, made: Report) -> dict[str, str] | None:
    """--prevalence or --cases; None where a label has a mark that the option takes apart."""
    given = request.get("prevalence")
    if given is None:
        return {}
    if isinstance(given, list):
        return {"prevalence": ",".join(map(repr, given))}
    if "share" not in given:
        counts = counted_cases(made.confusion, given["label"], given["cases"], given["of"])
        return {"cases": ",".join(map(str, counts))}
    label = given["label"]
    return None if "," in label or label != label.strip() else {"prevalence": f"{label}={given['share']!r}"}
