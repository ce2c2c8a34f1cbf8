"""``code.python`` and ``code.command`` of each verb: what a reader runs to get the same numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.curves.operating_points import METRICS, NET_BENEFIT, OperatingPoints
from howsure.io.reading import Board
from howsure.planning.plan import Plan
from howsure.posterior.posterior import Posterior
from howsure.posterior.questions import PostTest
from howsure.questions.comparison import Comparison
from howsure.questions.ranking import Ranking
from howsure.reporting.report import Report
from howsure.web import code
from howsure.web.code import Code
from howsure.web.subjects import before_of, counted_cases, matrix_of, named_matrices, prior_word

__all__ = [
    "of_comparison",
    "of_plan",
    "of_points",
    "of_pool",
    "of_post_test",
    "of_ranking",
    "of_report",
    "of_slices",
]

Checked = Mapping[str, Any]

GOALS = ("width", "above", "below", "difference", "margin")
SUPPOSED = ("guess", "mode", "concentration", "classes", "paired", "design", "assurance")


def of_report(request: Checked, made: Report) -> Code:
    """Code of a report."""
    metrics, matrix = request.get("metrics"), request["matrix"]
    given = code.settings(request, made.draws)
    shares = f", shares={request['shares']!r}" if "shares" in request else ""
    shares += f", groups={request['about']!r}" if "about" in request else ""
    python = [
        *code.python_groups(made.confusion),
        *([f"matrix = {code.python_matrix(matrix, request.get('unlabelled'))}"] if made.groups is None else []),
        f"posterior = hs.infer(matrix{code.python_prior(request)}{shares}){_python_elsewhere(request)}",
        f"print({code.call('hs.report', ['posterior', *([repr(metrics)] if metrics else [])], given)})",
    ]
    where = _command_elsewhere(request)
    command = None
    if where is not None:
        asked = {"metric": metrics, **code.prior_and_positive(request, matrix), "shares": request.get("shares")}
        asked["missing"] = "estimate" if made.judged is not None else None
        asked |= (
            {} if made.groups is None else {"labels": ",".join(made.confusion.labels), "groups": made.groups.question}
        )
        words = code.options({**asked, **where, **given})
        text = code.matrix_text(made.confusion) if made.groups is None else code.groups_text(made.confusion)
        command = None if text is None else code.piped(text, ["howsure", "report", "-", *words])
    return code.made(python, command)


def of_comparison(request: Checked, made: Comparison) -> Code:
    """Code of a comparison."""
    given = {key: request[key] for key in ("metric", "rope") if key in request} | code.settings(request, made.draws)
    if "paired" in request:
        call = code.call("hs.compare", ["predictions"], {**given, "prior": prior_word(request)})
        python = [code.python_pairs(request["paired"]), f"print({call})"]
        return code.made(python, code.paired_command(request, ["howsure", "compare", "-"], given))
    names = [it["name"] for it in request["classifiers"]]
    python = []
    for variable, it in zip(("first", "second"), request["classifiers"], strict=True):
        python.append(f"{variable} = hs.infer({code.python_matrix(it['matrix'])}{code.python_prior(request)})")
    python.append(f"print({code.call('hs.compare', ['first', 'second'], {**given, 'names': tuple(names)})})")
    return code.made(python, _files_command(request, "compare", given))


def of_ranking(request: Checked, made: Ranking, board: Board | None, text: str) -> Code:
    """Code of a ranking, and of the ``text`` of its board."""
    given = {key: request[key] for key in ("metric", "prizes", "top", "new_test") if key in request}
    given |= code.settings(request, made.draws)
    prior = prior_word(request)
    if board is not None:
        each = f", prior={prior!r}" if prior else ""
        lines = [
            f"    {it.name!r}: hs.Posterior.from_accuracy(correct={it.correct}, n={it.n}{each}),"
            for it in board.standings
        ]
        python = ["board = {", *lines, "}", f"print({code.call('hs.rank', ['board'], given)})"]
        if not code.are_kept(entry["name"] for entry in request["entries"]):
            return code.made(python, None)
        words = code.options({**_listed(given), "prior": prior})
        return code.made(python, code.piped(text, ["howsure", "rank", "-", *words]))
    if "paired" in request:
        call = code.call("hs.rank", ["predictions"], {**given, "prior": prior})
        python = [code.python_pairs(request["paired"]), f"print({call})"]
        return code.made(python, code.paired_command(request, ["howsure", "rank", "-"], _listed(given)))
    python = ["board = {"]
    for it in request["classifiers"]:
        python.append(f"{it['name']!r}: hs.infer({code.python_matrix(it['matrix'])}{code.python_prior(request)}),")
    python += ["}", f"print({code.call('hs.rank', ['board'], given)})"]
    return code.made(python, _files_command(request, "rank", _listed(given)))


def of_plan(request: Checked, made: Plan) -> Code:
    """Code of a plan."""
    given = {key: request[key] for key in (*GOALS, *SUPPOSED) if key in request}
    given |= {key: value for key, value in code.settings(request).items() if key in ("level", "seed")}
    if "detect" in request and "assurance" not in request:
        given["assurance"] = 0.95  # the function has 0.8, the command line and the page 0.95
    python, positional, prior = [], [repr(request["metric"])], {"prior": prior_word(request)}
    if "pilot" in request:
        python.append(
            f"pilot = hs.infer({code.python_matrix(request['pilot'])}{code.python_prior(request)})"
            f"{_python_elsewhere(request, 'pilot')}"
        )
    pilot = ["pilot=pilot"] if "pilot" in request else []
    if "detect" in request:
        positional += [str(request["n"]), *pilot]
        call = code.call("hs.detect", positional, {"goal": request["detect"], **given, **prior})
    else:
        call = code.call("hs.plan", [*positional, *pilot], {"n": request.get("n"), **given, **prior})
    python.append(f"print({call})")
    where = _command_elsewhere(request, "pilot")
    if where is None or "cases" in where:
        return code.made(python, None)
    words = {key: _words(value) for key, value in given.items()} | where
    words |= {"detect": request.get("detect"), "n": request.get("n")} | prior
    command = ["howsure", "plan", request["metric"], *code.options(words)]
    if "pilot" not in request:
        return code.made(python, code.shell(command))
    more = code.options({"pilot": "-", "positive": request["pilot"].get("positive")})
    return code.made(python, code.piped(code.matrix_text(matrix_of(request["pilot"])), [*command, *more]))


def of_post_test(request: Checked, posterior: Posterior, made: PostTest) -> Code:
    """Code of a post-test question."""
    before, results, matrix = before_of(posterior, request), request.get("results"), request["matrix"]
    given = code.settings(request)
    call = code.call("posterior.post_test", [repr(before), *([repr(results)] if results else [])], given)
    python = [
        f"matrix = {code.python_matrix(matrix)}",
        f"posterior = hs.infer(matrix{code.python_prior(request)})",
        f"print({call})",
    ]
    clean = not isinstance(before, dict) or all("," not in label and label == label.strip() for label in before)
    if not clean:
        return code.made(python, None)
    words = {"pre_test": _words(before), "result": results, **code.prior_and_positive(request, matrix), **given}
    command = ["howsure", "post-test", "-", *code.options(words)]
    return code.made(python, code.piped(code.matrix_text(posterior.confusion), command))


def of_points(request: Checked, made: OperatingPoints) -> Code:
    """Code of an operating point."""
    scores, (point,) = request["scores"], made.points
    metrics = [*METRICS, NET_BENEFIT] if request.get("net_benefit") else None
    given = {"prevalence": request.get("prevalence"), **code.settings(request)}
    positive = "" if scores.get("positive") is None else f", positive={scores['positive']!r}"
    positional = ["scores", repr(point.threshold), *([repr(metrics)] if metrics else [])]
    python = [
        "from howsure.curves import operating_points",
        "",
        f"# score, cases of {', '.join(map(repr, scores['classes']))}",
        "cells = [",
        *(f"    ({value!r}, {int(first)}, {int(second)})," for value, first, second in scores["cells"]),
        "]",
        f"names = {scores['classes']!r}",
        "cases = [(names[i], cell[0]) for cell in cells for i in (0, 1) for _ in range(cell[1 + i])]",
        f"scores = hs.Scores([name for name, _ in cases], [score for _, score in cases]{positive})",
        f"print({code.call('operating_points', positional, {**given, 'prior': prior_word(request)})})",
    ]
    text = code.scores_text(scores)
    if text is None or metrics:
        return code.made(python, None)
    words = {"at": repr(point.threshold), **code.prior_and_positive(request, scores), **given}
    return code.made(python, code.piped(text, ["howsure", "threshold", "-", "--points", *code.options(words)]))


def of_pool(request: Checked) -> Code:
    """Code of a pool of sites."""
    given = {"metric": request.get("metric"), **code.settings(request)}
    unit = request.get("unit", "site")
    call = code.call("hs.pool", ["tables"], {**given, "unit": None if unit == "site" else unit})
    python = [*code.python_tables(request["tables"]), f"print({call})"]
    text = code.tables_text(request["tables"], unit)
    words = ["howsure", "pool", "-", *code.options(given)]
    return code.made(python, None if text is None else code.piped(text, words))


def of_slices(request: Checked) -> Code:
    """Code of a report by slice."""
    given = {"metric": request.get("metric"), **code.settings(request), "prior": prior_word(request)}
    call = code.call("hs.slice_report", ["hs.Slices(tables, by='name')"], given)
    tables = sorted(request["tables"], key=lambda it: str(it["name"]))
    python = [*code.python_tables(tables), f"print({call})"]
    text = code.counts_text(tables)
    if text is None:
        return code.made(python, None)
    words = ["howsure", "slices", "-", "--by=name", "--positive=positive"]
    words += code.options(given)
    return code.made(python, code.piped(text, words))


def _files_command(request: Checked, verb: str, given: Checked) -> str | None:
    """A file for each classifier, named for it."""
    positives = {it["matrix"].get("positive") for it in request["classifiers"]}
    if len(positives) > 1:
        return None
    matrices = named_matrices(request["classifiers"])
    words = {**given, "prior": prior_word(request), "positive": positives.pop()}
    return code.of_files(matrices, ["howsure", verb], code.options(words))


def _listed(given: Checked) -> dict[str, Any]:
    """Options whose lists are one text."""
    return {key: _words(value) for key, value in given.items()}


def _words(value: Any) -> Any:
    """A value as the command line writes it."""
    if isinstance(value, dict):
        return ",".join(f"{name}={number!r}" for name, number in value.items())
    return ",".join(map(repr, value)) if isinstance(value, list) else value


def _python_elsewhere(request: Checked, of: str = "matrix") -> str:
    given = request.get("prevalence")
    if given is None:
        return ""
    if isinstance(given, list):
        return f".at_prevalence({given!r})"
    if "share" in given:
        return f".at_prevalence({{{given['label']!r}: {given['share']!r}}})"
    return f".at_prevalence(cases={_counted(request, of)!r})"


def _command_elsewhere(request: Checked, of: str = "matrix") -> dict[str, str] | None:
    """--prevalence or --cases; None where a label has a mark that the option takes apart."""
    given = request.get("prevalence")
    if given is None:
        return {}
    if isinstance(given, list):
        return {"prevalence": ",".join(map(repr, given))}
    if "share" not in given:
        return {"cases": ",".join(map(str, _counted(request, of)))}
    label = given["label"]
    return None if "," in label or label != label.strip() else {"prevalence": f"{label}={given['share']!r}"}


def _counted(request: Checked, of: str) -> list[int]:
    given = request["prevalence"]
    return counted_cases(matrix_of(request[of], of), given["label"], given["cases"], given["of"])
