"""Writes the lists that the docs read from the code: docs/commands.md, and the words of columns in docs/files.md.

Run: python docs/make_lists.py   (or: make lists, which writes the metrics too)
"""

import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

import typer

from howsure.cli.program import COMMANDS, function_of
from howsure.data import labels, words

DOCS = Path(__file__).parent
BEGIN, END = "<!-- from here on made by docs/make_lists.py -->\n", "<!-- up to here -->\n"

#: What each group of words of `howsure.data.words` says, in the order of the page.
GROUPS = {
    "a column of truth": words.TRUE,
    "the same, where no other column is": words.ELSE_TRUE,
    "a column of predictions": words.PRED,
    "the same, where no other column is; next to one, a judge's verdict": words.VERDICT,
    "the beginning of the column of one classifier of several": words.PREDICTION_OF,
    "the beginning of a column of scores, before its own word": words.SCORE_OF,
    "what people say, where there is a column of verdicts": words.HUMAN,
    "the beginning of the column of verdicts on one model of several": words.VERDICT_OF,
    "the same, of what people say": words.LABEL_OF,
    "changes nothing in the name of a column": words.FILLER,
    "a column of counts": words.COUNT,
    "the same, for integers, where the other columns never repeat": words.MAYBE_COUNT,
    "a column of classifiers' names": words.PARTS["model"],
    "the same, where each of its values has as many rows": words.MAYBE_MODEL,
    "a column of cases' names": words.PARTS["id"],
    "how the names of columns end that name a row or an item": words.OF_A_KEY,
    "a column of folds": words.PARTS["fold"],
    "a column of runs, seeds": words.PARTS["repeat"],
    "a column of groups": words.PARTS["group"],
    "of repeats, a column of items": words.ITEM,
    "of items, how many of their tries were right": words.PASSED,
    "of items, how many tries there were": words.TRIED,
    "of a leaderboard, a column of names": words.NAME,
    "of a leaderboard, a column of right answers": words.CORRECT,
    "of a leaderboard, a column of shares of right answers": words.SCORE,
    "of a leaderboard, the number of cases": words.ASKED,
    "of a leaderboard, answers that are not right": words.WRONG_ANSWERS,
    "of a leaderboard, a place": words.PLACE,
    "of a leaderboard, what the score is": words.METRIC,
    "of a leaderboard, other scores": words.OTHER_SCORE,
    "of repeats, a column of runs": words.RUN,
    "of ratings, the column of the rater, or the beginning of a rater's own": words.RATERS,
    "of ratings, the column of the rating": words.RATING,
    "of ratings, no rater: what they agreed on": words.AGREED,
    "of battles, the first model": words.FIRST_MODEL,
    "of battles, the second model": words.SECOND_MODEL,
    "of battles, the winner": words.WINNER,
    "of battles, the loser": words.LOSER,
    "of battles, the wins of the first model": words.FIRST_WINS,
    "of battles, the wins of the second model": words.SECOND_WINS,
    "of battles, the ties": words.TIES,
    "of battles, who voted": words.VOTER,
    "of battles, what the models answered": words.PROMPT,
    "of battles, how long an answer is, before or after the side (`length_a`)": words.LENGTH,
    "of battles, the text of an answer, before the side (`response_a`)": words.ANSWER,
    "of repeats, a column of right and wrong or scores": words.OUTCOME,
    "a column that cases may share; not used, with a note, unless it is named as groups": words.UNITS | words.WHOLES,
    "a column of weights": words.PARTS["weight"],
    "never a classifier, as well as these": words.RESERVED.difference(words.TRUE, *words.PARTS.values()),
    "a cell without an answer": words.MISSING - {""},
    "the same, where two classes are left": words.GAPS,
    "an error of a spreadsheet, refused as a class": words.SHEET_ERRORS,
    "a row or column of sums": words.TOTALS,
    "the same, or a class: sums where they add up": words.TOTALS_OR_CLASS,
    "the row of the cases without a truth": words.UNLABELLED,
    "an answer that names no class": words.ABSTENTIONS,
    "what the rows are, alone in the corner cell": words.OF_CORNER,
    "the true side of a printed table": words.SAID_TRUE,
    "the predicted side": words.SAID_PRED,
    "the true side, where neither is named: what is tested for": words.OF_TRUTH,
    "the predicted side, where neither is named: the test": words.OF_TEST,
    "changes nothing on a side": words.BESIDE,
    "the positive side of a printed table": words.POSITIVE,
    "the negative side": words.NEGATIVE,
    "what turns the name of a class around": words.NEGATION,
    "of tries, how many of an item are right": words.PASSED,
    "of tries, of how many": words.TRIED,
    "of a board, the column of names": words.NAME,
    "of a board, right answers": words.CORRECT,
    "of a board, the accuracy": words.SCORE,
    "of a board, the number of cases": words.ASKED,
    "of a board, a score that is no accuracy": words.OTHER_SCORE,
    "of a board, wrong answers": words.WRONG_ANSWERS,
    "of a board, the place": words.PLACE,
    "of a board, the column that names the score": words.METRIC,
    "the positive one of two classes": frozenset().union(*(here for _, here in labels.POSITIVE_NAMES)),
    "the negative one, where its opposite is there": frozenset().union(*(there for there, _ in labels.POSITIVE_NAMES)),
}


def generated_words() -> str:
    """The groups as a table of Markdown."""
    lines = ["", "| what it means | words |", "| --- | --- |"]
    for meaning, group in GROUPS.items():
        written = textwrap.wrap(
            " ".join(f"`{word}`" for word in sorted(group)), min(150, 190 - len(meaning)), break_long_words=False
        )
        lines += [f"| {meaning if part == 0 else ''} | {words_of} |" for part, words_of in enumerate(written)]
    return "\n".join([*lines, "", ""])


def files_page() -> str:
    """The page of files with its words made anew."""
    before, _, rest = (DOCS / "files.md").read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + generated_words() + END + after


#: An option that so many commands have, with the same help, stands once, at the end of the page.
COMMON = 3


def commands_page() -> str:
    """Every command with its arguments and options, as its help has them; the common ones once."""
    lines = [
        "# Commands",
        "",
        "What `howsure COMMAND --help` says, in one page. Exit status: 0 for an answer, 2 for bad usage or bad input; "
        "`howsure gate` has 1 for a fail and 3 for inconclusive.",
        "",
        "<!-- made by docs/make_lists.py -->",
    ]
    commands = {}
    for name in COMMANDS:
        app = typer.Typer(add_completion=False)
        app.command(name)(function_of(name))
        commands[name] = typer.main.get_command(app)
    rows = {name: [row(each) for each in made.params if getattr(each, "help", None)] for name, made in commands.items()}
    times = Counter(each for options in rows.values() for each in options)
    often = {called(each): each for each, number in reversed(times.most_common()) if number >= COMMON}
    common = [each for each in times if often.get(called(each)) == each]
    for name, options in rows.items():
        lines += ["", f"## howsure {name}", "", *textwrap.wrap(" ".join((commands[name].help or "").split()), 150), ""]
        own = [each for each in options if each not in common]
        lines += ["| option | what it is |", "| --- | --- |", *own, ""] if own else []
        shared = runs([common.index(each) for each in options if each in common])
        written = [f"`{called(common[a])}`" + (f" to `{called(common[b])}`" if b > a else "") for a, b in shared]
        words_of = f"[Common options](#common-options): {', '.join(written)}"
        lines += textwrap.wrap(words_of, 150, break_on_hyphens=False) if shared else []
    return "\n".join([*lines, "", "## Common options", "", "| option | what it is |", "| --- | --- |", *common, ""])


def runs(places: list[int]) -> list[tuple[int, int]]:
    """The first and the last of each run of numbers."""
    ends: list[tuple[int, int]] = []
    for place in sorted(places):
        if ends and ends[-1][1] == place - 1:
            ends[-1] = ends[-1][0], place
        else:
            ends.append((place, place))
    return ends


def called(line: str) -> str:
    """The first spelling of an option, of its row of the table."""
    return line.split("`")[1].split(" ")[0].rstrip(",")


def row(parameter: Any) -> str:
    """An option or an argument as a row of a table."""
    spelled = [parameter.metavar] if parameter.param_type_name == "argument" else [*parameter.opts]
    spelled = [*spelled, *parameter.secondary_opts]
    if parameter.metavar and parameter.metavar not in spelled:
        spelled[-1] += f" {parameter.metavar}"
    unsaid = parameter.default is None or isinstance(parameter.default, bool)
    cells = f"`{', '.join(spelled)}`", parameter.help + ("" if unsaid else f" Default {parameter.default}.")
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    (DOCS / "commands.md").write_text(commands_page(), encoding="utf-8")
    (DOCS / "files.md").write_text(files_page(), encoding="utf-8")
