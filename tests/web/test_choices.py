"""What the page offers is what the library declares: no list is written twice."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.web.sample_questions import BOARD, NEW, OLD, PAIRED, THREE

from howsure.errors import InvalidArgument
from howsure.laws import Kind
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED
from howsure.metrics import REGISTRY, names, parse
from howsure.posterior.priors import PRIORS
from howsure.web.answering import handle
from howsure.web.assets import declared, table
from howsure.web.limits import COUNTED, PRIVATE
from howsure.web.schema import ENDINGS, checked, requests
from howsure.web.words import metrics_of

ASSETS = Path(__file__).parents[2] / "src" / "howsure" / "web" / "assets"


def values(options: list[dict[str, Any]]) -> list[Any]:
    return [option["value"] for option in options]


def test_every_prior_of_the_library_is_offered_with_its_meaning() -> None:
    offered = declared()["priors"]
    assert values(offered) == list(PRIORS)
    for option, prior in zip(offered, PRIORS.values(), strict=True):
        assert option["meaning"].lower() == f"{prior.meaning}.".lower()


def test_a_prior_is_offered_for_the_classes_that_it_is_for() -> None:
    offered = {option["value"]: option["classes"] for option in declared()["priors"]}
    assert [name for name, only in offered.items() if only is not None] == ["caelen"]
    assert offered["caelen"] == 2
    with pytest.raises(InvalidArgument, match="for two classes"):
        PRIORS["caelen"].at(3)


def test_what_is_chosen_unasked_is_what_the_library_takes() -> None:
    said = declared()
    assert (said["level"], said["kind"], said["draws"]) == (LEVEL, KIND, DRAWS)
    assert said["level"] in values(said["levels"])
    assert values(said["kinds"]) == list(get_args(Kind))
    made = handle({"verb": "report", "matrix": NEW, "metrics": ["recall@ill"]})["result"]
    assert (made["level"], made["interval"], made["seed"]) == (said["level"], said["kind"], SEED)


def test_what_can_be_saved_and_sent_is_what_the_server_takes() -> None:
    said = declared()
    assert set(values(said["endings"])) == set(ENDINGS) - {".txt"}
    assert (said["most_classes"], said["most_bytes"]) == (PRIVATE.classes, PRIVATE.upload)
    prior = requests(PRIVATE)["report"]["properties"]["prior"]
    assert f"({', '.join(values(said['priors']))}, beta(2,2)" in prior["anyOf"][0]["description"]
    assert [checked(prior, name, "prior") for name in values(said["priors"])] == values(said["priors"])


def test_metrics_that_are_offered_are_those_of_the_library() -> None:
    of_two = metrics_of(("healthy", "ill"))
    assert {name.partition("@")[0] for name in of_two} == set(names()) - needing_more()
    for labels in (("healthy", "ill"), ("cat", "dog", "cow"), tuple("abcdefghijklmnop")):
        for name in metrics_of(labels):
            assert parse(name, labels).name == name
    assert set(declared()["planned"]) | set(COUNTED) | set(declared()["plain"]) <= set(names())
    assert declared()["rates"] == list(COUNTED)
    assert all(REGISTRY[name].plain[0] == word for name, word in declared()["plain"].items())


def needing_more() -> set[str]:
    """Metrics whose names need more than a class, such as costs; nothing of two classes is left out otherwise."""
    return {name for name in names() if not any(offers(name, place) for place in ("", "@ill", "@healthy"))}


def offers(name: str, place: str) -> bool:
    try:
        return parse(name + place, ("healthy", "ill"), "ill").name == name + place
    except Exception:  # whatever the sentence is, it is no name of a metric here
        return False


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize(
    ("request_", "choices"),
    [
        ({"verb": "compare", "classifiers": [{"name": "a", "matrix": NEW}, {"name": "b", "matrix": OLD}]}, NEW),
        ({"verb": "compare", "paired": PAIRED}, PAIRED),
        ({"verb": "rank", "classifiers": [{"name": "a", "matrix": THREE}, {"name": "b", "matrix": THREE}]}, THREE),
        ({"verb": "rank", "entries": BOARD}, None),
    ],
)
def test_an_answer_says_which_metrics_could_be_asked_for(request_: Any, choices: Any) -> None:
    titles = handle(request_)["shown"]["titles"]
    said = list(titles)
    if choices is None:
        assert said == ["accuracy", "error_rate"]
        return
    assert set(said) == set(metrics_of(tuple(choices["classes"])))
    whole = [name for name in said if "@" not in name]
    assert said[: len(whole)] == whole
    shown = [title for title in titles.values() if title]
    assert len(set(shown)) == len(shown)
    assert [title for title in shown if "@" in title or "_" in title] == []
    assert (titles["balanced_accuracy"], titles["mcc"], titles["kappa"]) == (
        "balanced accuracy",
        "MCC",
        "Cohen's kappa",
    )


def test_rates_of_two_classes_are_offered_by_the_names_of_a_test() -> None:
    one = {"name": "a", "matrix": NEW}
    titles = handle({"verb": "compare", "classifiers": [one, {"name": "b", "matrix": OLD}]})["shown"]["titles"]
    rates = ("recall", "specificity", "precision", "negative_predictive_value")
    assert [titles[f"{name}@ill"] for name in rates] == ["sensitivity", "specificity", "PPV", "NPV"]
    assert [titles[f"{name}@healthy"] for name in rates] == [""] * 4  # the same numbers by the same names
    assert titles["f1@healthy"] == "F1 of healthy"


def test_the_scripts_read_the_same_and_repeat_none_of_it() -> None:
    served, examples = table()["declared.js"].body.decode().splitlines()
    assert json.loads(served.removeprefix("export const declared = ").rstrip(";")) == declared()
    assert len(json.loads(examples.removeprefix("export const examples = ").rstrip(";"))) == 7
    for path in ASSETS.rglob("*.js"):
        if path.parent.name != "vendor":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r'value: "(flat|jeffreys|perks|haldane|dirichlet1|caelen|hdi|central)"', text), (
                path.name
            )
            assert not re.search(r"level: 0\.\d|20_?000\b", text), path.name


def test_the_types_of_the_page_name_every_part() -> None:
    typed = (ASSETS / "declared.d.ts").read_text(encoding="utf-8")
    said = set(re.findall(r"^  (\w+):", typed.partition("declared: {")[2].partition("};")[0], re.MULTILINE))
    assert said == set(declared())
