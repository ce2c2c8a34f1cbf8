"""What is kept is kept for one question: with any part of it changed, the answer is that of who was asked nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.house.leaves import differences, leaves

import howsure as hs
from howsure.answers.asking import Ask
from howsure.laws import Beta, BetaSum, Draws
from howsure.metrics import REGISTRY, parse
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior
from howsure.posterior.score_measures import score_measure
from howsure.posterior.scored_cases import ScoresTogether
from howsure.web.limits import Limits

SOURCE = Path(__file__).parents[2] / "src"
TABLE = hs.ConfusionMatrix([[20, 3, 1], [2, 18, 4], [1, 2, 15]], labels="abc")
LESS = hs.ConfusionMatrix([[18, 5, 1], [4, 16, 4], [3, 2, 13]], labels="abc")
TRUTH = np.array(["a", "b", "c"] * 12)
SAID = {"A": [*np.roll(TRUTH, 1)[:12], *TRUTH[12:]], "B": [*np.roll(TRUTH, 9)[:20], *["c"] * 16]}
PAIRS, GROUPED = (hs.Predictions(TRUTH, SAID, group=group) for group in (None, [i // 3 for i in range(36)]))
SCORES = hs.Scores([0, 1] * 8, {"x": [1, 4, 2, 6, 3, 7, 5, 8] * 2, "y": [2, 3, 5, 4, 6, 6, 1, 7] * 2})
RIVALS = hs.Scores([0, 1] * 8, {"x": [2, 4, 1, 6, 3, 7, 5, 8] * 2, "y": [2, 3, 5, 4, 6, 6, 1, 7] * 2})
CUTS, MORE_CUTS = (hs.Scores([0, 1] * 8, scores, positive="1") for scores in ([*range(16)], [*range(0, 32, 4)] * 2))
NODES = [np.linspace(low, 1, 5).tobytes() for low in (-1, 0)]
MACRO, MCC = (parse(name, "abc") for name in ("f1@macro", "mcc"))
RECALL, PRECISION = (parse(f"{name}@a", "abc") for name in ("recall", "precision"))

#: A memory by its place: arguments, and for each of them another one.
KEPT: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "metrics.measure._tried": ((RECALL, 2), (PRECISION, 3)),
    "metrics.ordinal.ranks_off": ((3, 1.0), (4, 2.0)),
    "metrics.ordinal.to_the": ((1.0,), (2.0,)),
    "metrics.measure.is_symmetric": ((REGISTRY["recall"],), (REGISTRY["informedness"],)),
    "answers.fields.layout": (("n prior",), ("n level",)),
    "metrics.metric._turned": ((REGISTRY["prevalence"], "higher"), (REGISTRY["no_information_rate"], "lower")),
    "web.words.metrics_of": ((("a", "b"),), (("a", "c"),)),
    "web.subjects.posterior_of": (
        (TABLE, "flat", 200, 0, ("mcc",), "test"), (LESS, "jeffreys", 300, 1, ("f1@macro",), "sampled")
    ),
    "web.worth._curve": (
        (hs.infer(TABLE), "a", Ask(0.9, "hdi", 200, 0)), (hs.infer(LESS), "b", Ask(0.8, "central", 300, 1))
    ),
    "web.score_cuts._made": (
        (((0.1, 2, 1), (0.5, 1, 3)), ("a", "b"), "b"), (((0.1, 2, 1), (0.5, 2, 3)), ("c", "b"), "a")
    ),
    "web.score_cuts._chosen": (
        (CUTS, "f1", None, "flat", 0.3, Ask(0.9)), (MORE_CUTS, "mcc", None, "jeffreys", 0.2, Ask(0.8, seed=1))
    ),
    "web.schema.requests": ((Limits(),), (Limits(classes=3),)),
    "publish.document.asset": (("style.css",), ("sorting.js",)),
    "numerics.two_by_two.lines._table": ((8.0, 3.0, 16), (9.0, 4.0, 32)),
    "numerics.beta_sum.vertices.standard_line": ((0.1, False, -1.0, 1.0), (0.2, True, -2.0, 2.0)),
    "numerics.populations.group_bootstrap._quantile_by_quantile": ((2.0, 3.0), (2.5, 4.0)),
    "posterior.wrong_labels._of_one_class": ((RECALL,), (MCC,)),
    "posterior.repeated_items._made": (("any", 2, 0.0, 1.0), ("all", 3, -1.0, 2.0)),
    "posterior.score_measures._read": (("brier_score", ("a", "b")), ("log_loss", ("a", "b", "c"))),
}  # fmt: skip

#: Memories of what has no arguments that a caller chooses one by one.
ELSEWHERE = {
    "numerics.two_by_two.lines.line_law": "the law of a formula; tests/numerics/two_by_two has each of them",
    "integrations.inspect_metrics.register": "no argument",
    "cli.options._words": "no argument",
    "data.refusals._sentences": "no argument",
    "integrations.inspect_metrics._register_hook": "no argument",
    "posterior.rows._last": "tests/posterior/test_rows.py",
    "verify.second_routes.ends": "made anew in every run",
    "verify.second_routes.known": "made anew in every run",
    "web.knowledge._knowledge": "tests/web/test_knowledge.py asks about two texts and two scales",
}

#: Parts of a key that only keep answers apart, in memories that live as long as their answers do.
APART = {("web.subjects.posterior_of", place) for place in (2, 3, 4)} | {
    ("metrics.measure._tried", 1),
}


def kept_functions() -> set[str]:
    """Functions whose answers functools keeps."""
    return {
        f"{'.'.join(path.relative_to(SOURCE / 'howsure').with_suffix('').parts)}.{node.name}"
        for path in (SOURCE / "howsure").rglob("*.py")
        if "cache" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        if any(
            "cache" in ast.unparse(each) and "cached_property" not in ast.unparse(each) for each in node.decorator_list
        )
    }


@pytest.mark.full
def test_every_memory_of_a_function_is_asked() -> None:
    assert kept_functions() == {*KEPT, *ELSEWHERE}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.full if name.startswith("web.") else ()) for name in KEPT]
)
def test_another_argument_has_another_answer(name: str) -> None:
    module, _, function = name.rpartition(".")
    kept = getattr(import_module(f"howsure.{module}"), function)
    arguments, others = KEPT[name]
    base = leaves(kept(*arguments))
    assert not differences(base, leaves(kept.__wrapped__(*arguments)))
    for place, other in enumerate(others):
        if other == arguments[place]:
            continue
        asked = (*arguments[:place], other, *arguments[place + 1 :])
        assert not differences(leaves(kept(*asked)), leaves(kept.__wrapped__(*asked)))
        if (name, place) not in APART:
            assert differences(base, leaves(kept(*asked))), place


Question = Callable[[Any], Any]


def drawn(measures: Any) -> list[Question]:
    """Draws of each measure, as many or fewer, by each seed and stream."""
    return [
        lambda it, asked=asked: it.drawn([asked[0]], *asked[1:])
        for asked in product(measures, (200, 150), (0, 1), (0, 1))
    ]


def intervals() -> list[Question]:
    return [lambda it, asked=asked: tuple(it.interval(*asked)) for asked in product((0.9, 0.8), ("hdi", "central"))]


#: How something that keeps its answers is made, and what it is asked, one after the other.
OWNERS: dict[str, tuple[Callable[[], Any], list[Question]]] = {
    "table": (lambda: knowledge_of(hs.infer(TABLE, "flat")), drawn([MACRO, MCC])),
    "table learned": (lambda: knowledge_of(hs.infer(TABLE)), drawn([MACRO, MCC])),
    "pair": (lambda: PairedPosterior(PAIRS, ["A", "B"], prior="flat"), drawn([MACRO, MCC])),
    "pair learned": (lambda: PairedPosterior(PAIRS, ["A", "B"]), drawn([MACRO, RECALL])),
    "pair of groups": (lambda: PairedPosterior(GROUPED, ["A", "B"]), drawn([MACRO, MCC])),
    "two scores": (
        lambda: ScoresTogether(SCORES),
        [
            lambda it, asked=asked: it.drawn(score_measure(asked[0], ("0", "1")), *asked[1:])
            for asked in product(("roc_auc", "average_precision"), (200, 150), (0, 1), (0, 1))
        ],
    ),
    "draws": (
        lambda: Draws(np.random.default_rng(0).beta(8, 3, 500)),
        [*intervals(), *(lambda it, level=level: it.interval_error(level, "hdi") for level in (0.9, 0.8))],
    ),
    "sum": (lambda: BetaSum([8, 9], [3, 2], [0.5, 0.5]), intervals()),
    "rate": (lambda: Beta(8, 3), intervals()),
    "prediction": (
        lambda: hs.infer(TABLE, "flat").predict(30, draws=200),
        [lambda it, name=name: it.of(name) for name in ("accuracy", "mcc", "f1@macro")],
    ),
    "pairs of three": (
        lambda: PairedPosterior(hs.Predictions(TRUTH, {**SAID, "C": TRUTH[::-1]}), ["A", "B", "C"]),
        [lambda it, two=two: it.only(*two).names for two in (("A", "B"), ("B", "A"), ("A", "C"), ("B", "C"))],
    ),
}  # fmt: skip


@pytest.mark.sweep(2, full=11)
@pytest.mark.parametrize("owner", OWNERS)
def test_who_was_asked_before_answers_as_who_was_not(owner: str) -> None:
    make, questions = OWNERS[owner]
    asked_before = make()
    answers = [leaves(ask(asked_before)) for ask in questions]
    for ask, answer in zip(questions, answers, strict=True):
        assert not differences(answer, leaves(ask(make())))
    for place, answer in enumerate(answers):
        assert all(differences(answer, other) for other in answers[:place]), place
