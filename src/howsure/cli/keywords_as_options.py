"""The library's messages in the words of the command line: keywords become options."""

from __future__ import annotations

import re

__all__ = ["as_options"]

KEYWORDS = (
    *("missing", "labels", "positive", "prior", "model", "id", "by", "weight", "weights", "query", "cases", "new_test"),
    *("guess", "pilot", "mode", "concentration", "classes", "paired", "difference", "margin", "level", "seed", "draws"),
    *("entries", "shares", "judge", "verdicts", "order", "labels_from", "groups", "group", "folds", "repeat", "tries"),
    *("cost", "prevalence", "score", "width", "above", "below", "assurance", "threshold", "range"),
)
#: Of another name there.
RENAMED = {"y_true": "true", "y_pred": "pred"}
# not what is quoted: a file or a class may be called labels=; nor a name that goes on, such as a slice model=gpt; nor
# what stands in a list behind a comma, as in --guess recall=...,prevalence=...
_NAMES = "|".join(sorted((*KEYWORDS, *RENAMED), key=len, reverse=True))
_SAID = r" \(--[a-z-]+(?: [^()]*)?\)"  # the option beside the keyword
_KEYWORD = re.compile(
    rf"(?<!\w)'[^']*'|(?<![\w'\"=,-])({_NAMES})=(?:('[^']*'|\{{[^}}]*\}}|\(\d+, \d+\)|[\d.]+\b)({_SAID})?|(?![\w']))"
)
_ENTRY = re.compile(r"'(\w+)': ([^,}]*)(?:, )?")


def as_options(message: str) -> str:
    """The message with every keyword as the option of the same name.

    Examples
    --------
    >>> as_options("count it with missing='wrong', or name the classes with labels=")
    'count it with --missing wrong, or name the classes with --labels'
    >>> as_options("say guess={'recall': 0.9, 'specificity': ...}.")
    'say --guess recall=0.9,specificity=....'
    >>> as_options("by='case no' (--by) keeps them, and of model=gpt there is nothing")
    "--by 'case no' keeps them, and of model=gpt there is nothing"
    >>> as_options("about these groups: groups='these' (--groups these).")
    'about these groups: --groups these.'
    >>> as_options("say --guess recall=...,specificity=...,prevalence=...")
    'say --guess recall=...,specificity=...,prevalence=...'
    >>> as_options("name the range: range=(1, 5)")
    'name the range: --range 1,5'
    >>> as_options("no prior named 'yes,positive=2'")
    "no prior named 'yes,positive=2'"
    """
    return _KEYWORD.sub(_option, message)


def _option(found: re.Match[str]) -> str:
    name, value, said = found.groups()
    if name is None:
        return found[0]
    option = f"--{RENAMED.get(name, name).replace('_', '-')}"
    if value is None:
        return option
    if value.startswith("{"):
        value = ",".join(f"{key}={it}" for key, it in _ENTRY.findall(value))
    if re.fullmatch(r"'\w+'", value):
        value = value.strip("'")
    value = re.sub(r"\((\d+), (\d+)\)", r"\1,\2", value)
    return f"{option} {value}{'' if said in (f' ({option})', f' ({option} {value})') else said or ''}"
