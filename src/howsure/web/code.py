"""``code.python`` and ``code.command`` of each verb: what a reader runs to get the same numbers.

Expressions of Python, and commands of a POSIX shell with their input.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from howsure.curves.at_thresholds import METRICS, NET_BENEFIT, OperatingPoints
from howsure.data.confusion import ConfusionMatrix
from howsure.data.words import cleaned
from howsure.errors import InvalidLabels
from howsure.io.formats.written import matrix_csv
from howsure.io.reading import Board
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED
from howsure.posterior.posterior import Posterior
from howsure.questions.comparison import Comparison
from howsure.questions.ranking import Ranking
from howsure.reporting.report import Report
from howsure.text.formats import cell, guarded
from howsure.web.subjects import before_of, counted_cases, matrix_of, named_matrices, prior_word

#: The two texts, "python" and "command"; the second is None where the command line cannot say it.
Code = dict[str, str | None]

Checked = Mapping[str, Any]

#: What a plan aims at, and what it supposes.
GOALS = ("width", "above", "below", "difference", "margin")
SUPPOSED = ("guess", "mode", "concentration", "classes", "paired", "design")

#: Above this many classifiers a command that writes a file for each is no help.
MOST_FILES = 50


def texts(python: Sequence[str], command: str | None) -> Code:
    """Both texts."""
    return {"python": "\n".join(["import howsure as hs", "", *python]) + "\n", "command": command}


#: The four cells, and what is true and what is called in them.
CELLS = {"tp": "positive,positive", "fn": "positive,negative", "fp": "negative,positive", "tn": "negative,negative"}

#: Lines of a table of scores that a command holds; of more, Python alone.
MOST_LINES = 2_000


# -- Python ---------------------------------------------------------------------------------------------------


def _python_matrix(given: Checked, unlabelled: Sequence[int] | None = None) -> str:
    """A matrix as an expression, one row a line; with its cases without a truth."""
    rows = "".join(f"        {row!r},\n" for row in given["counts"])
    rest = "" if unlabelled is None else f", unlabelled={unlabelled!r}"
    return (
        f"hs.ConfusionMatrix(\n    [\n{rows}    ],\n    labels={given['classes']!r}{_python_positive(given)}{rest},\n)"
    )


def _python_groups(confusion: ConfusionMatrix) -> list[str]:
    """Statements that make ``matrix`` of counts by group; none where cases come in no groups."""
    if confusion.groups is None:
        return []
    labels = f"labels={list(confusion.labels)!r}{_python_positive({'positive': confusion.positive})}"
    return [
        "# group, true class, predicted class, cases",
        "cells = [",
        *(f"    {row!r}," for row in _grouped(confusion)),
        "]",
        "who, truth, said = zip(*[cell[:-1] for cell in cells for _ in range(cell[-1])])",
        f"matrix = hs.ConfusionMatrix.from_predictions(truth, said, group=who, {labels})",
    ]


def _grouped(confusion: ConfusionMatrix) -> list[tuple[str, str, str, int]]:
    """Group, true class, predicted class and cases of each cell, by name."""
    groups, names = confusion.groups, confusion.labels
    if groups is None:
        return []
    columns = groups.group.tolist(), groups.true.tolist(), groups.pred.tolist(), groups.count.tolist()
    return [(groups.names[g], names[i], names[j], n) for g, i, j, n in zip(*columns, strict=True)]


def _groups_text(confusion: ConfusionMatrix) -> str | None:
    """Counts by group as CSV; None where a label would come back changed, or is no item of a list."""
    rows = [f"{group},{cell(true)},{cell(said)},{n}" for group, true, said, n in _grouped(confusion)]
    names = confusion.labels
    return _table("group,y_true,y_pred,count", rows, names) if "," not in "".join(names) else None


def _python_pairs(given: Checked) -> str:
    """Statements that make ``predictions``."""
    names = given["classes"]
    rows = [(names[true], *(names[k] for k in said), count) for true, said, count in given["cells"] if count]
    return "\n".join([
        f"# true class, answers of {', '.join(map(repr, given['models']))}, cases",
        "cells = [",
        *(f"    {row!r}," for row in rows),
        "]",
        "cases = [cell[:-1] for cell in cells for _ in range(cell[-1])]",
        "truth, *answers = zip(*cases)",
        f"names = {given['models']!r}",
        f"predictions = hs.Predictions(truth, dict(zip(names, answers)), labels={names!r}{_python_positive(given)})",
    ])  # fmt: skip


def _python_tables(tables: Sequence[Checked]) -> list[str]:
    """Statements that make ``tables`` of their four cells."""
    calls = {it["name"]: ", ".join(f"{cell}={it[cell]}" for cell in CELLS) for it in tables}
    rows = [f"    {name!r}: hs.ConfusionMatrix.from_counts({cells})," for name, cells in calls.items()]
    return ["tables = {", *rows, "}"]


def _python_prior(request: Checked) -> list[str]:
    """The prior as the second argument of ``infer``; none for the default."""
    word = prior_word(request)
    return [] if word is None else [repr(word)]


def _inferred(request: Checked, matrix: Checked) -> str:
    """What is known from a matrix, as an expression."""
    return call("hs.infer", [_python_matrix(matrix), *_python_prior(request)], {})


def _python_positive(given: Checked) -> str:
    """The positive class as a further argument, with its comma; empty where it is not named."""
    return "" if given.get("positive") is None else f", positive={given['positive']!r}"


def settings(request: Checked, draws: int | None = None) -> dict[str, Any]:
    """Level, kind, draws and seed where they are not the usual ones."""
    usual = {"level": LEVEL, "kind": KIND, "draws": DRAWS, "seed": SEED}
    given = {key: request[key] for key in usual if key in request}
    if draws is not None:
        given["draws"] = draws
    return {key: value for key, value in given.items() if value != usual[key]}


def call(function: str, positional: Sequence[str], keywords: Checked) -> str:
    """A call as text; what is positional is written already, and None is left out."""
    named = [f"{key}={value!r}" for key, value in keywords.items() if value is not None]
    return f"{function}({', '.join([*positional, *named])})"


# -- the command line -----------------------------------------------------------------------------------------


def options(given: Checked) -> list[str]:
    """Options of the command line; a list of words is repeated, one of numbers is one text, None is left out."""
    words = []
    for key, value in given.items():
        if isinstance(value, dict):
            value = ",".join(f"{name}={number!r}" for name, number in value.items())
        elif isinstance(value, list) and not all(isinstance(each, str) for each in value):
            value = ",".join(map(repr, value))
        name = f"--{key.replace('_', '-')}"
        words += [f"{name}={each}" for each in (value if isinstance(value, list) else [value]) if each is not None]
    return words


def _matrix_text(confusion: ConfusionMatrix) -> str:
    """A matrix as CSV, or as JSON where CSV would not give its labels back."""
    try:
        if all(cleaned(guarded(label)) == label for label in confusion.labels):
            return matrix_csv(confusion)
    except InvalidLabels:
        pass
    return json.dumps(confusion.to_dict(), ensure_ascii=True) + "\n"


def printed(text: str) -> str:
    """A command that prints a text, line by line."""
    return f"printf '%s\\n' {shlex.join(text.removesuffix(chr(10)).split(chr(10)))}"


def _piped(text: str | None, verb: str, given: Checked, *first: str) -> str | None:
    """A command that reads a text from its standard input; None where there is no such text."""
    if text is None:
        return None
    return f"{printed(text)} | {shlex.join(['howsure', verb, *(first or '-'), *options(given)])}"


def _paired_command(request: Checked, verb: str, given: Checked) -> str | None:
    """A command on pairs, each kind repeated as often as it comes; None where a text would come back changed."""
    pairs, labels = request["paired"], request["paired"]["classes"]
    texts = [*labels, *pairs["models"]]
    if not _are_kept(texts) or "," in "".join(texts):
        return None
    header = ",".join(["y_true", *(cell(f"pred_{name}") for name in pairs["models"])])
    lines = [f"echo {shlex.quote(header)}"]
    for true, said, count in pairs["cells"]:
        if count:
            line = ",".join(cell(labels[k]) for k in (true, *said))
            lines.append(f"yes -- {shlex.quote(line)} | head -n {count}")
    words = {**given, "labels": ",".join(labels), "prior": prior_word(request), "positive": pairs.get("positive")}
    return "{ " + "; ".join(lines) + "; } | " + shlex.join(["howsure", verb, "-", *options(words)])


def _scores_text(given: Checked) -> str | None:
    """Scores as CSV, a case a line; None where they are too many, or a label would come back changed."""
    names = given["classes"]
    if sum(first + second for _, first, second in given["cells"]) > MOST_LINES or "," in "".join(names):
        return None
    rows = [
        f"{cell(names[i])},{value!r}"
        for value, *counts in given["cells"]
        for i, count in enumerate(counts)
        for _ in range(int(count))
    ]
    return _table("y_true,score", rows, names)


def _tables_text(tables: Sequence[Checked], unit: str) -> str | None:
    """Four cells a row as CSV; None where a name would come back changed."""
    rows = [",".join([cell(it["name"]), *(str(it[name]) for name in CELLS)]) for it in tables]
    return _table(",".join([unit, *CELLS]), rows, [it["name"] for it in tables])


def _counts_text(tables: Sequence[Checked]) -> str | None:
    """The same as counts by slice."""
    rows = [f"{cell(it['name'])},{CELLS[name]},{it[name]}" for it in tables for name in CELLS]
    return _table("name,y_true,y_pred,count", rows, [it["name"] for it in tables])


def _table(header: str, rows: Sequence[str], names: Sequence[str]) -> str | None:
    return "\n".join([header, *rows]) + "\n" if _are_kept(names) else None


def _are_kept(names: Iterable[str]) -> bool:
    """Whether names in a file are read as they are."""
    return all(cleaned(guarded(name)) == name and name.isprintable() for name in names)


# -- each verb ---------------------------------------------------------------------------------------------------------


def of_report(request: Checked, made: Report) -> Code:
    """Code of a report."""
    metrics, matrix, groups = request.get("metrics"), request["matrix"], made.groups
    given = settings(request, made.draws)
    infer = {"shares": request.get("shares"), "groups": request.get("about")}
    matrix_is = [f"matrix = {_python_matrix(matrix, request.get('unlabelled'))}"] if groups is None else []
    python = [
        *_python_groups(made.confusion),
        *matrix_is,
        f"posterior = {call('hs.infer', ['matrix', *_python_prior(request)], infer)}{_python_elsewhere(request)}",
        f"print({call('hs.report', ['posterior', *([repr(metrics)] if metrics else [])], given)})",
    ]
    where = _command_elsewhere(request)
    if where is None:
        return texts(python, None)
    asked = {"metric": metrics, **_usual(request, matrix), "shares": request.get("shares")}
    asked["missing"] = "estimate" if made.judged is not None else None
    if groups is not None:
        asked |= {"labels": ",".join(made.confusion.labels), "groups": groups.question}
    text = _matrix_text(made.confusion) if groups is None else _groups_text(made.confusion)
    return texts(python, _piped(text, "report", {**asked, **where, **given}))


def of_comparison(request: Checked, made: Comparison) -> Code:
    """Code of a comparison."""
    given = {key: request[key] for key in ("metric", "rope") if key in request} | settings(request, made.draws)
    if "paired" in request:
        return _of_pairs(request, "compare", given)
    names = tuple(it["name"] for it in request["classifiers"])
    python = []
    for variable, it in zip(("first", "second"), request["classifiers"], strict=True):
        python.append(f"{variable} = {_inferred(request, it['matrix'])}")
    python.append(f"print({call('hs.compare', ['first', 'second'], {**given, 'names': names})})")
    return texts(python, _files_command(request, "compare", given))


def of_ranking(request: Checked, made: Ranking, board: Board | None, text: str) -> Code:
    """Code of a ranking, and of the ``text`` of its board."""
    given = {key: request[key] for key in ("metric", "prizes", "top", "new_test") if key in request}
    given |= settings(request, made.draws)
    if "paired" in request:
        return _of_pairs(request, "rank", given)
    prior = {"prior": prior_word(request)}
    if board is None:
        entries = {it["name"]: _inferred(request, it["matrix"]) for it in request["classifiers"]}
        command = _files_command(request, "rank", given)
    else:
        entries = {
            it.name: call("hs.Posterior.from_accuracy", [], {"correct": it.correct, "n": it.n, **prior})
            for it in board.standings
        }
        kept = _are_kept(entry["name"] for entry in request["entries"])
        command = _piped(text if kept else None, "rank", {**given, **prior})
    lines = [f"    {name!r}: {made_of}," for name, made_of in entries.items()]
    return texts(["board = {", *lines, "}", f"print({call('hs.rank', ['board'], given)})"], command)


def of_plan(request: Checked) -> Code:
    """Code of a plan."""
    given = {key: request[key] for key in (*GOALS, *SUPPOSED) if key in request}
    given |= {key: value for key, value in settings(request).items() if key in ("level", "seed")}
    if "detect" in request and "assurance" not in request:
        given["assurance"] = 0.95  # the function has 0.8, the command line and the page 0.95
    pilot, prior, n = request.get("pilot"), {"prior": prior_word(request)}, request.get("n")
    python = [] if pilot is None else [f"pilot = {_inferred(request, pilot)}{_python_elsewhere(request, 'pilot')}"]
    positional, known = [repr(request["metric"])], [] if pilot is None else ["pilot=pilot"]
    if "detect" in request:
        line = call("hs.detect", [*positional, str(n), *known], {"goal": request["detect"], **given, **prior})
    else:
        line = call("hs.plan", [*positional, *known], {"n": n, **given, **prior})
    python.append(f"print({line})")
    where = _command_elsewhere(request, "pilot")
    if where is None or "cases" in where:
        return texts(python, None)
    words = {**given, **where, "detect": request.get("detect"), "n": n, **prior}
    if pilot is None:
        return texts(python, shlex.join(["howsure", "plan", request["metric"], *options(words)]))
    words |= {"pilot": "-", "positive": pilot.get("positive")}
    return texts(python, _piped(_matrix_text(matrix_of(pilot)), "plan", words, request["metric"]))


def of_post_test(request: Checked, posterior: Posterior) -> Code:
    """Code of a post-test question."""
    before, results, matrix = before_of(posterior, request), request.get("results"), request["matrix"]
    given = settings(request)
    line = call("posterior.post_test", [repr(before), *([repr(results)] if results else [])], given)
    python = [f"posterior = {_inferred(request, matrix)}", f"print({line})"]
    clean = not isinstance(before, dict) or all("," not in label and label == label.strip() for label in before)
    words = {"pre_test": before, "result": results, **_usual(request, matrix), **given}
    return texts(python, _piped(_matrix_text(posterior.confusion) if clean else None, "post-test", words))


def of_points(request: Checked, made: OperatingPoints) -> Code:
    """Code of an operating point."""
    scores, (point,) = request["scores"], made.points
    metrics = [*METRICS, NET_BENEFIT] if request.get("net_benefit") else None
    given = {"prevalence": request.get("prevalence"), **settings(request)}
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
        f"scores = hs.Scores([name for name, _ in cases], [score for _, score in cases]{_python_positive(scores)})",
        f"print({call('operating_points', positional, {**given, 'prior': prior_word(request)})})",
    ]
    words = {"at": repr(point.threshold), **_usual(request, scores), **given}
    return texts(python, _piped(None if metrics else _scores_text(scores), "threshold", words, "-", "--points"))


def of_pool(request: Checked) -> Code:
    """Code of a pool of sites."""
    given, unit = {"metric": request.get("metric"), **settings(request)}, request.get("unit", "site")
    line = call("hs.pool", ["tables"], {**given, "unit": None if unit == "site" else unit})
    python = [*_python_tables(request["tables"]), f"print({line})"]
    return texts(python, _piped(_tables_text(request["tables"], unit), "pool", given))


def of_slices(request: Checked) -> Code:
    """Code of a report by slice."""
    given = {"metric": request.get("metric"), **settings(request), "prior": prior_word(request)}
    line = call("hs.slice_report", ["hs.Slices(tables, by='name')"], given)
    tables = sorted(request["tables"], key=lambda it: str(it["name"]))
    python = [*_python_tables(tables), f"print({line})"]
    return texts(python, _piped(_counts_text(tables), "slices", given, "-", "--by=name", "--positive=positive"))


def _of_pairs(request: Checked, verb: str, given: Checked) -> Code:
    """Code of a question about the same cases."""
    line = call(f"hs.{verb}", ["predictions"], {**given, "prior": prior_word(request)})
    return texts([_python_pairs(request["paired"]), f"print({line})"], _paired_command(request, verb, given))


def _files_command(request: Checked, verb: str, given: Checked) -> str | None:
    """A command on a file for each classifier, in a folder of their own; None where a name is no file's name."""
    positives = {it["matrix"].get("positive") for it in request["classifiers"]}
    if len(positives) > 1 or len(request["classifiers"]) > MOST_FILES:
        return None
    lines, names = ['cd "$(mktemp -d)"'], []
    for name, matrix in named_matrices(request["classifiers"]).items():
        text = _matrix_text(matrix)
        file = f"{name}{'.json' if text.startswith('{') else '.csv'}"
        path = PurePosixPath(file)
        if path.name != file or path.stem != name or len(file.encode()) > 250 or not name.isprintable():
            return None
        names.append(f"./{file}" if file.startswith("-") else file)
        lines.append(f"{printed(text)} > {shlex.quote(names[-1])}")
    words = {**given, "prior": prior_word(request), "positive": positives.pop()}
    return " &&\n".join([*lines, shlex.join(["howsure", verb, *names, *options(words)])])


def _usual(request: Checked, matrix: Checked) -> dict[str, Any]:
    """The two options that most commands have."""
    return {"prior": prior_word(request), "positive": matrix.get("positive")}


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
