"""Parts that the public calls of `tests/house/calls.py` do not reach, each asked once and small.

Names of answers to how each is made; `tests/golden/numbers.py` keeps one number of each. A part has a second route in
a test of its own room, often a dear one; here it is held by what it said.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
from tests.house.material import both, checked, matrix, new, new3, old, old3, pairs, rest, said, scores, three, truth
from tests.io.test_detections import scene, written

import howsure as hs
from howsure import plots
from howsure.errors import HowsureError
from howsure.io.formats.written import as_dict
from howsure.io.items import read_items
from howsure.knowledge.protocol import Of
from howsure.laws import Beta, BetaSum, Draws, Law, Mixture
from howsure.metrics import REGISTRY, parse
from howsure.numerics import moved_labels
from howsure.numerics.calibration import least_rise
from howsure.numerics.populations import groups, item_powers, ranks, slices
from howsure.numerics.populations.error_shares import sums_learned_together
from howsure.numerics.populations.group_bootstrap import dealt_out, joint_factor
from howsure.numerics.populations.groups import distinct
from howsure.numerics.populations.slices import PairedSlices
from howsure.numerics.units import share_below
from howsure.planning.truth import worst
from howsure.plots.row_plot import worst_confusions
from howsure.posterior.knowledge import knowledge_of
from howsure.verify import second_routes

__all__ = ["PARTS"]

FEW: dict[str, Any] = {"draws": 100, "seed": 3}


def ring(size: int, right: int = 12) -> hs.ConfusionMatrix:
    """A table of many classes, each taken for the next one now and then."""
    counts = np.eye(size, dtype=int) * right + np.roll(np.eye(size, dtype=int), 1, axis=1) * 2
    return hs.ConfusionMatrix(counts, labels=[f"c{i}" for i in range(size)])


def drawn(axes: Any) -> list[Any]:
    """Where a plot has its lines and words."""
    return [
        [line.get_xydata() for line in axes.lines],
        [patch.get_path().vertices for patch in axes.patches],
        [(*text.get_position(), text.get_text()) for text in axes.texts],
        axes.get_title(),
    ]


def read_back(kind: Any, answer: Any) -> Any:
    """What plain data gives again."""
    return kind.from_dict(json.loads(json.dumps(answer.to_dict())))


def grouped() -> hs.Predictions:
    """Groups of unlike sizes."""
    group = [f"g{int(i**0.7)}" for i in range(36)]
    return hs.Predictions(np.array(["a", "b", "c"] * 12), {"A": ["a", "b", "c", "a"] * 9}, group=group)


def new_test_of_many() -> list[Any]:
    """A new test of many classes, at the shares of a posterior and at others: margins, and one sum over all cells."""
    (block,) = knowledge_of(hs.infer(ring(250, 3), "jeffreys")).blocks(100, seed=2)
    rng = np.random.default_rng(4)
    shown = (block, block.at(np.arange(1, 251) / 31375))
    every = [each.margins for each in (*shown, *(each.new_test(500, rng) for each in shown))]
    return [
        (each.hits.mean(0), each.actual.mean(0), each.called.mean(0), each.inside and each.inside.log_sum())
        for each in every
    ]


class Tilted(Law):
    """Density 2 x on [0, 1], by what the contract asks for and no more."""

    support, mean, sd = (0.0, 1.0), 2 / 3, (1 / 18) ** 0.5

    def _cdf(self, x: Any) -> Any:
        return np.asarray(np.clip(x, 0, 1) ** 2)


def asked_much(law: Any) -> list[Any]:
    """What any law answers, and a few draws."""
    return [law.quantile([0.1, 0.7]), law.pdf([0.2, 0.6]), law.interval(0.8), law.mode, law.sample(5, seed=4).sum()]


def gaps() -> hs.Counts:
    """Answers of two, one of whom left some out."""
    answers = {"t": list("ababc"), "A": list("abbbc"), "B": ["a", None, "a", "b", "c"]}
    return hs.count(answers, y_true="t", y_pred=["A", "B"])


def every(answer: Callable[[str], Any], label: str) -> dict[str, Any]:
    """What is answered of each metric there is, of one class where it is one of a class; the word of a refusal."""
    found: dict[str, Any] = {}
    for name in (f"{metric}@{label}" if REGISTRY[metric].per == "class" else metric for metric in sorted(REGISTRY)):
        try:
            found[name] = answer(name)
        except HowsureError as refusal:
            found[name] = type(refusal).__name__
    return found


def each_of(known: Any, label: str) -> Callable[[], Any]:
    """Of each metric the law: its moments, density, mode and a few draws."""

    def asked(name: str) -> Any:
        law = getattr(known.of(name), "law", None) or known.of(name)
        return [law.mean, law.sd, law.quantile(0.1), law.support, *([] if isinstance(law, Draws) else asked_much(law))]

    return lambda: every(asked, label)


def differences(metrics: str, one: Any, *others: Any, **options: Any) -> Callable[[], Any]:
    """Two compared in several metrics, whose laws are found in unlike ways."""
    return lambda: [hs.compare(one, *others, metric=name, **options, **FEW) for name in metrics.split()]


def beyond(module: ModuleType, part: Callable[[], Any], **limits: float) -> Callable[[], Any]:
    """What is done with very many, asked of a few: limits of a module are lowered for one part."""

    def answered() -> Any:
        with mock.patch.multiple(module, **limits):
            return part()

    return answered


def powers_of_items() -> list[Any]:
    """The law of a mean of squared rates, and draws."""
    of_items = item_powers.ItemRates(
        np.array([3, 4, 4, 6]), np.array([3, 2, 2, 0]), np.array([1.0, 2.0]), np.array([2.0, 1.0]), np.array([0.4, 0.6])
    )
    law = item_powers.ItemPowers(of_items, 2)
    return [
        law.cdf(np.array([0.2, 0.4, 0.6])),
        law.residual,
        of_items.draw(5, np.random.default_rng(2), [(2, False), (3, True)]),
    ]


def borrowed_rates() -> list[Any]:
    """Rates of twelve slices, and draws."""
    k = np.arange(1, 13)
    made = slices.BorrowedRates(k % 7, k + 3)
    return [made.rates.a, made.rates.mass, made.typical, made.draw(4, np.random.default_rng(3))]


def crowd() -> list[Any]:
    """The first of 400 entries that are nearly alike."""
    entries = {str(i): hs.Posterior.from_accuracy(correct=60 + i % 3, n=80) for i in range(400)}
    ranking = hs.rank(entries, entries="learned", **FEW)
    return [(it.p_best, it.p_top, it.expected_rank) for it in ranking.entries[:3]]


def several_labels() -> Any:
    """scikit-learn's report of items with several labels."""
    from howsure.integrations.sklearn import classification_report

    labels = np.eye(3, dtype=int)[np.arange(12) % 3]
    labels[::4, 1] = 1
    answers = np.where(np.arange(12)[:, None] % 5 > 0, labels, labels[::-1])
    return classification_report(labels, answers, output_dict=True, zero_division=0)


def displays() -> list[Any]:
    """What scikit-learn's display draws of one metric and of two."""
    from howsure.integrations.sklearn import PosteriorDisplay

    return [
        drawn(PosteriorDisplay.from_predictions(truth, said, metrics=names).ax_)
        for names in (["recall@a", "accuracy"], ["mcc"])
    ]


def boxes() -> list[Any]:
    """Precision and recall of boxes in six images."""
    with TemporaryDirectory() as folder:
        known = read_items(*written(Path(folder), *scene(6, 2)))
        return [known.observed(Of(name)) for name in ("map", "map50", "mar1", "mar10", "mar100")]


twelve = hs.Scores([0, 1] * 12, {"x": np.arange(24) * 7 % 11, "y": np.arange(24) * 5 % 9})
report_of_sklearn = {
    "no": {"precision": 36 / 38, "recall": 36 / 40, "f1-score": 72 / 78, "support": 40},
    "yes": {"precision": 18 / 22, "recall": 18 / 20, "f1-score": 36 / 42, "support": 20},
    "accuracy": 0.9,
    "macro avg": {"precision": 0.88, "recall": 0.9, "f1-score": 0.89, "support": 60},
}

PARTS: dict[str, Callable[[], Any]] = {
    **{
        f"verify: {name}": lambda each=each: list(each())  # type: ignore[misc]
        for name, each in second_routes.ROUTES.items()
        if name != "plans"
    },
    "outlook: unlike sizes": lambda: hs.outlook(hs.compare(new, hs.infer(ring(2, 90)), metric="accuracy"), more=200),
    "outlook: three classes": lambda: hs.outlook(hs.compare(pairs, "A", "B", metric="mcc", **FEW), more=20),
    "predict: many classes": new_test_of_many,
    "predict: new groups": lambda: hs.infer(grouped().confusion("A"), groups="new").predict(groups=6, draws=100),
    "plan: pilot of scores": lambda: hs.plan("roc_auc", width=0.4, n=40, pilot=twelve.of("x")),
    "plan: pilot of two": lambda: hs.plan("roc_auc", difference=0.3, n=30, pilot=twelve),
    "plan: no guess": lambda: worst(parse("mcc", ("a", "b", "c")), 3),
    "plan: picture": lambda: drawn(plots.planning(hs.plan("recall", width=0.3, guess=0.9))),
    "plan: judged pilot": lambda: hs.plan("prevalence@ill", width=0.3, pilot=checked),
    "rank: learned": lambda: hs.rank({"x": new, "y": old, "z": hs.infer(rest)}, metric="mcc", entries="learned", **FEW),
    "confusions: worst": lambda: drawn(worst_confusions(hs.infer(ring(14)))),
    "confusions: learned": lambda: drawn(worst_confusions(hs.infer(three, "learned"), most=3)),
    "law: of a cdf alone": lambda: asked_much(Tilted()),
    "mixture: nested, and drawn": lambda: asked_much(
        Mixture([Mixture([BetaSum([3, 4], [2, 5]), Beta(9, 2)]), Beta(2, 2)])
    ),
    "mixture: moved": lambda: asked_much(Mixture([Beta(3, 4) * 2.0, Beta(9, 2) * 2.0], [0.3, 0.7]) / 4),
    "units: many": lambda: share_below(
        (np.arange(900).reshape(3, 300) * 37 % 101 / 100) ** 2 - 0.3, np.ones(300), 1 + np.arange(300) % 4 / 2
    ),
    "counts: very many": lambda: distinct(np.arange(2500.0) ** 1.3),
    "groups: from plain data": lambda: read_back(hs.ConfusionMatrix, grouped().confusion("A")),
    "counts: a state": lambda: hs.io.read(
        io.StringIO(json.dumps(as_dict(hs.count({"t": truth, "A": truth[::-1]}, y_true="t", y_pred="A"))))
    ),
    "counts: one of two left some out": lambda: [gaps().confusion(model=name) for name in ("A", "B")],
    "calibration: hardly a rise": lambda: least_rise(np.full(4, 0.3), np.full(4, 0.3), np.array([5, 7, 4, 9])),
    "report of scikit-learn": lambda: hs.io.read(io.StringIO(json.dumps(report_of_sklearn))),
    "every metric: two classes": each_of(hs.infer(matrix.with_positive("ill")), "ill"),
    "every metric: two classes, elsewhere": each_of(
        hs.infer(matrix.with_positive("ill")).at_prevalence([0.8, 0.2]), "ill"
    ),
    "every metric: three classes": each_of(new3, "c"),
    "every metric: three classes, elsewhere": each_of(new3.at_prevalence([0.2, 0.3, 0.5]), "c"),
    "every metric: learned": each_of(hs.infer(three, "learned"), "c"),
    "every metric: judged": each_of(hs.infer(checked), "ill"),
    "every metric: new groups": each_of(hs.infer(grouped().confusion("A"), groups="new"), "c"),
    "every metric: a new test": each_of(old3.predict(30, **FEW), "c"),
    "every metric: a new test of sizes": each_of(old3.predict({"a": 9, "b": 4, "c": 0}, **FEW), "c"),
    "differences: a pair": differences("ac1 amae ba", pairs, "A", "B", prior="flat"),
    "differences: a learned pair": differences("amae ba", pairs, "A", "B", prior="learned"),
    "differences: a pair of two classes": differences("ac1 amae f1_gain@b recall_gain@b", both, "A", "C"),
    "differences: test sets apart": differences("ac1 amae", new3, old3),
    "scores: a floor": lambda: hs.gate(scores, "x", floor=0.3, metric="roc_auc", **FEW),
    "beyond: powers of items": beyond(item_powers, powers_of_items, MOST_POINTS=0, MOST_DRAWN=1),
    "beyond: borrowed rates": beyond(slices, borrowed_rates, MOST_TALLIES=5),
    "beyond: sizes of groups": beyond(
        groups, lambda: hs.infer(grouped().confusion("A"), groups="new").of("accuracy"), MOST=3
    ),
    "beyond: a crowd of entries": beyond(ranks, crowd, CROWD=60.0),
    "beyond: moved labels": beyond(
        moved_labels,
        lambda: moved_labels.over_all_moves(
            np.array([[9.0, 3.0], [2.0, 11.0]]), 6, lambda t: t[:, 0, 0] * t[:, 1, 1] / (1 + t[:, 0, 1]) ** 2
        ),
        MOST_TABLES=0, LATTICE=3, MOST_BORDER=3,
    ),
    "plan: sums learned together": lambda: sums_learned_together(
        np.array([[4, 7, 5], [8, 2, 6]]), np.array([[9, 8, 7], [9, 4, 6]]), np.array([0.2, 0.3, 0.5]), 5,
        np.random.default_rng(7),
    ),
    "slices: differences that borrow nothing": lambda: PairedSlices(
        np.arange(24).reshape(2, 3, 4) * 7 % 11, borrowing=False
    ).mean,
    "groups: recalls that vary together": lambda: joint_factor(
        np.array([0, 0, 0, 1, 1, 2]), np.array([0, 0, 1, 0, 1, 1]), np.array([True, True, False, False, True, True]),
        np.array([3, 2, 4, 2, 5, 1]),
    ),
    "groups: dealt out": lambda: dealt_out(np.arange(2500), 2500, np.random.default_rng(3)),
    "several labels": several_labels,
    "displays": displays,
    "boxes": boxes,
    "judged: shares of verdicts": lambda: hs.infer(checked).of("predicted_prevalence@ill"),
}  # fmt: skip
