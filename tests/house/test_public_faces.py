"""What users meet of each noun, listed once here and once for them in docs/reference.md."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import howsure as hs
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.paired import PairedMember

PAGE = (Path(__file__).parents[2] / "docs" / "reference.md").read_text(encoding="utf-8")

#: A name more is a decision: what only rooms of the package share lies behind `howsure.posterior.knowledge`.
FACES: dict[type, str] = {
    hs.Posterior: """
        at_prevalence confusion draw from_accuracy informative labels n natural_frequencies of post_test predict
        predictive_values prior prior_sensitivity prob shares under
    """,
    AccuracyPosterior: "correct labels n of prior",
    hs.Distribution: """
        cdf chance error interval law mean median metric mode observed pdf prior prior_shift prob quantile route sample
        sd sf support title with_wrong_labels
    """,
}


def public(noun: type) -> list[str]:
    """Names without an underscore that a noun has, its attributes included."""
    return sorted(name for name in dir(noun) if not name.startswith("_"))


def first_sentence(noun: type, name: str) -> str:
    """First line of what a name says of itself."""
    return (inspect.getdoc(inspect.getattr_static(noun, name)) or "").split("\n", maxsplit=1)[0]


@pytest.mark.parametrize(("noun", "names"), FACES.items(), ids=lambda x: getattr(x, "__name__", ""))
def test_a_noun_has_the_names_that_its_users_need(noun: type, names: str) -> None:
    assert public(noun) == names.split()


def test_the_posterior_of_one_of_a_pair_looks_as_any_other() -> None:
    assert public(PairedMember) == public(hs.Posterior)
    assert len(public(hs.Posterior)) <= 17


@pytest.mark.parametrize("noun", FACES, ids=lambda noun: noun.__name__)
def test_the_page_says_of_each_name_what_the_name_says_of_itself(noun: type) -> None:
    found = re.search(rf"^## {noun.__name__}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found, f"docs/reference.md has no section {noun.__name__}"
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", found[1], re.MULTILINE)
    assert rows == [(name, first_sentence(noun, name)) for name in public(noun)]
