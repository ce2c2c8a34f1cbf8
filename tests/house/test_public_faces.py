"""What a user meets on a noun and on an answer is what docs/reference.md lists of it, neither more nor less."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import howsure as hs
from howsure.planning.plan import Plan
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.paired import PairedMember
from howsure.questions.comparison import Comparison
from howsure.questions.gate_answer import Gate
from howsure.questions.ranking import Ranking
from howsure.reporting.report import Report
from howsure.units.over_data_sets import ComparedOver, RankedOver
from howsure.units.pooled import Pooled

PAGE = (Path(__file__).parents[2] / "docs" / "reference.md").read_text(encoding="utf-8")
NOUNS = (hs.Posterior, AccuracyPosterior, hs.Distribution)
ANSWERS = (Comparison, Ranking, Plan, Report, Pooled, ComparedOver, RankedOver, Gate)

#: Of every answer: as data, and in every form.
SHARED = {"sheet", "picture", "to_dict", "to_csv", "to_markdown"}


def public(noun: type) -> set[str]:
    """Names without an underscore, attributes and fields included."""
    return {name for name in {*dir(noun), *getattr(noun, "__dataclass_fields__", ())} if not name.startswith("_")}


def section(title: str) -> str:
    """What the page has below a heading."""
    below = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert below, f"docs/reference.md has no section {title}"
    return below[1]


def first_sentence(noun: type, name: str) -> str:
    """First line of what a name says of itself."""
    return (inspect.getdoc(inspect.getattr_static(noun, name)) or "").split("\n", maxsplit=1)[0]


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: noun.__name__)
def test_the_page_says_of_each_name_of_a_noun_what_it_says_of_itself(noun: type) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", section(noun.__name__), re.MULTILINE)
    assert rows == [(name, first_sentence(noun, name)) for name in sorted(public(noun))]


def test_the_posterior_of_one_of_a_pair_looks_as_any_other() -> None:
    assert public(PairedMember) == public(hs.Posterior)
    assert len(public(hs.Posterior)) <= 17


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.__name__)
def test_the_page_lists_the_names_of_an_answer(answer: type) -> None:
    row = next(line for line in section("Answers").splitlines() if line.startswith(f"| `{answer.__name__}` |"))
    assert {*row.split("|")[2].replace("`", "").split()} | SHARED == public(answer)
    assert all(f"`{name}`" in section("Answers") for name in SHARED)
