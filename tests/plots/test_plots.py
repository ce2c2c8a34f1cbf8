"""Every plot draws what the numbers say, on any axes, and its text stays text."""

from __future__ import annotations

import io
import itertools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from tests.golden.numbers import alike, number_of, recorded
from tests.hostile import LABELS
from tests.house.leaves import leaves

import howsure as hs
from howsure import plots
from howsure.curves import (
    best_threshold,
    calibration_curve,
    net_benefit,
    precision_recall_curve,
    roc_curve,
    threshold_curve,
)
from howsure.errors import InvalidArgument

TWO = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
OLD = hs.infer(hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"]))
MANY = hs.infer(hs.ConfusionMatrix(np.eye(30, dtype=int) * 20 + np.roll(np.eye(30, dtype=int), 1, 1)), "jeffreys")
SCORED = hs.Scores([0, 1] * 30, [i + 15 * (i % 2) for i in range(60)])
SITES = hs.pool([TWO.confusion, OLD.confusion, TWO.confusion], draws=500)
SLICES = hs.slice_report({f"s{k}": TWO.confusion if k else OLD.confusion for k in range(9)}, "accuracy")
SETS = {name: {"new": (80 + 2 * i, 100), "old": (78, 100)} for i, name in enumerate("abcd")}
OVER = hs.compare_over(SETS, rope=0.01, draws=500)
SURVEY = hs.survey({"new": TWO.confusion, "bad": hs.ConfusionMatrix.from_counts(tp=28, fn=9, fp=4, tn=3)})
BOARD = hs.rank({f"m{k}": hs.Posterior.from_accuracy(correct=80 + k, n=100) for k in range(6)})

RISKS = hs.Scores(["ill", "well"] * 20, np.linspace(0.05, 0.9, 40) ** np.array([1, 2] * 20))

DRAWN: dict[str, Callable[[Any], Any]] = {
    "posterior": lambda ax: plots.posterior(TWO.of("mcc"), ax=ax),
    "posterior of a ratio": lambda ax: plots.posterior(TWO.of("lr+"), ax=ax),
    "posteriors": lambda ax: plots.posterior({"new": TWO.of("recall"), "old": OLD.of("recall")}, ax=ax),
    "forest of many": lambda ax: plots.forest(hs.report(MANY, [f"recall@{k}" for k in range(30)]), ax=ax),
    "forest of sites": lambda ax: plots.forest(SITES, ax=ax),
    "funnel": lambda ax: plots.funnel(SITES, rate="sensitivity", ax=ax),
    "funnel of slices": lambda ax: plots.funnel(SLICES, ax=ax),
    "forest of data sets": lambda ax: plots.forest(OVER, ax=ax),
    "forest of leads": lambda ax: plots.forest(hs.rank_over(SETS, draws=300), ax=ax),
    "curve": lambda ax: plots.curve(roc_curve(SCORED, draws=300), ax=ax),
    "curve of precision": lambda ax: plots.curve(precision_recall_curve(SCORED, draws=300), ax=ax),
    "calibration": lambda ax: plots.calibration(calibration_curve(RISKS, draws=200), ax=ax),
    "hsroc": lambda ax: plots.hsroc(SITES, ax=ax),
    "threshold": lambda ax: plots.threshold(threshold_curve(RISKS, "recall"), ax=ax),
    "best threshold": lambda ax: plots.threshold(best_threshold(RISKS, "f1", draws=200), ax=ax),
    "decision_curve": lambda ax: plots.decision_curve(net_benefit(RISKS), ax=ax),
    "ridge": lambda ax: plots.ridge({name: TWO.of(name) for name in ("accuracy", "mcc")}, ax=ax),
    "violins": lambda ax: plots.violin({str(k): TWO.of("mcc") for k in range(9)}, ax=ax),
    "violins of 24": lambda ax: plots.violin({f"number {k}": TWO.of("mcc") for k in range(24)}, ax=ax),
    "survey": lambda ax: plots.survey(SURVEY, ax=ax),
    "confusion of many": lambda ax: plots.confusion(MANY, ax=ax),
    "worst confusions": lambda ax: plots.worst_confusions(MANY, ax=ax),
    "difference": lambda ax: plots.difference(hs.compare(TWO, OLD, metric="recall", rope=0.01), ax=ax),
    "rank_matrix": lambda ax: plots.rank_matrix(BOARD, ax=ax),
    "tiers": lambda ax: plots.tiers(BOARD, ax=ax),
    "predictive_values": lambda ax: plots.predictive_values(TWO.predictive_values(), ax=ax),
    "post_test": lambda ax: plots.post_test(TWO.predictive_values(), ax=ax),
    "replication": lambda ax: plots.replication(TWO.predict([50, 50]), "recall@ill", ax=ax),
    "sensitivity": lambda ax: plots.sensitivity(TWO.prior_sensitivity("recall@ill"), ax=ax),
    "planning": lambda ax: plots.planning([50, 100, 200], [0.2, 0.7, 0.97], goal=0.95, chosen=190, ax=ax),
}


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    mpl.use("agg")
    yield
    plt.close("all")


def parts_of(ax: Any) -> dict[str, Any]:
    """Where everything is that is drawn on axes, and on those beside them."""
    return leaves(
        [
            [
                [*each.get_xlim(), *each.get_ylim(), *(text.get_position() for text in each.texts)],
                [line.get_xydata() for line in each.lines],
                [patch.get_path().vertices for patch in each.patches],
                [(it.get_offsets(), *(path.vertices for path in it.get_paths())) for it in each.collections],
            ]
            for each in (ax, *ax.child_axes)
        ]
    )


def written(figure: Any) -> str:
    out = io.BytesIO()
    figure.savefig(out, format="svg")
    return out.getvalue().decode()


def outside(figure: Any) -> list[str]:
    """Texts that stick out of the figure."""
    figure.draw_without_rendering()
    renderer, edge = figure.canvas.get_renderer(), figure.bbox
    found = []
    for text in figure.findobj(mpl.text.Text):
        if text.get_visible() and text.get_text().strip() and text.axes is not None:
            box = text.get_window_extent(renderer)
            if box.x0 < edge.x0 - 1 or box.x1 > edge.x1 + 1 or box.y0 < edge.y0 - 1 or box.y1 > edge.y1 + 1:
                found.append(text.get_text())
    return found


@pytest.mark.full
@pytest.mark.parametrize("name", DRAWN)
def test_every_plot_draws_on_axes_with_text_inside_and_as_text(name: str) -> None:
    number = list(DRAWN).index(name)
    with plots.theme(dark=number % 2 == 0):
        given = plt.subplots()[1] if number % 3 == 0 else None
        made = DRAWN[name](given)
        assert given in (None, made)
        assert "<text" in written(made.figure)
        assert given is not None or not outside(made.figure)


DEAR = ("violins of 24", "confusion of many", "worst confusions")


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.full if name in DEAR else ()) for name in DRAWN])
def test_what_is_drawn_is_on_record(name: str) -> None:
    assert alike(number_of(parts_of(DRAWN[name](None))), recorded("plots")[name])


def test_the_interval_drawn_is_the_interval() -> None:
    known = TWO.of("balanced_accuracy")
    low, high = known.interval()
    ends = [line.get_xdata() for line in plots.posterior(known).lines]
    assert any(len(x) == 2 and x[0] == pytest.approx(low) and x[1] == pytest.approx(high) for x in ends)
    ends = [line.get_xdata() for line in plots.forest({"a": known}).lines]
    assert any(len(x) == 2 and x[0] == pytest.approx(low) and x[1] == pytest.approx(high) for x in ends)


def test_the_chance_line_stands_at_chance() -> None:
    ends = [list(line.get_xdata()) for line in plots.posterior(TWO.of("balanced_accuracy")).lines]
    assert [0.5, 0.5] in ends
    assert TWO.of("balanced_accuracy").chance == 0.5
    assert (TWO.of("recall") - OLD.of("recall")).chance is None
    assert hs.Posterior.from_accuracy(correct=8, n=10).of("accuracy").chance is None


def test_the_legend_of_one_posterior_has_every_mark_with_its_number() -> None:
    known = TWO.of("balanced_accuracy")
    ax = plots.posterior(known)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "95% HDI 0.79 to 0.92", "mean 0.86", "median 0.86", "mode 0.87", "observed 0.870", "chance 0.50",
    ]  # fmt: skip
    upright = [list(line.get_xdata()) for line in ax.lines if len(set(line.get_xdata())) == 1 < len(line.get_xdata())]
    assert [[value] * 2 for value in (known.mean, known.median, known.mode)] == upright[1:]
    assert plots.posterior({"new": known, "old": OLD.of("recall")}).get_legend() is None


@pytest.mark.sweep(4)
@pytest.mark.parametrize("asked", ["accuracy", "recall@ill", "prevalence@ill"])
@pytest.mark.parametrize("counts", [(1, 0, 0, 0), (45, 5, 8, 42), (0, 1, 0, 50), (200, 0, 0, 100)])
def test_a_replication_stays_where_the_metric_can_lie(asked: str, counts: tuple[int, int, int, int]) -> None:
    tp, fn, fp, tn = counts
    table = hs.ConfusionMatrix([[tn, fp], [fn, tp]], labels=["well", "ill"])
    ax = plots.replication(hs.infer(table, "flat").predict(), asked)
    left, right = ax.get_xlim()
    assert 0 <= left < right <= 1
    ends = [edge for bar in ax.patches for edge in (bar.get_x(), bar.get_x() + bar.get_width())]
    assert -1e-12 <= min(ends) < max(ends) <= 1 + 1e-12


@pytest.mark.full
def test_many_violins_are_ridges_and_prizes_stand_on_a_board() -> None:
    ax = plots.violin({f"number {k}": TWO.of("mcc") for k in range(24)})
    assert [text.get_text() for text in ax.get_yticklabels()] == [f"number {k}" for k in range(24)]
    entries = {f"m{k}": hs.Posterior.from_accuracy(correct=900 + 10 * k, n=1000) for k in range(4)}
    prizes = hs.rank(entries, prizes=[10_000, 2_000], entries="independent")
    expected = f"{prizes.entries[0].expected_prize:,.0f}"
    for drawn in (plots.tiers(prizes), plots.rank_matrix(prizes)):
        (right,) = drawn.child_axes
        assert any(text.get_text().split()[-1].startswith(expected[:3]) for text in right.get_yticklabels())


def test_a_survey_has_cases_and_deception_beside_each_posterior() -> None:
    ax = plots.survey(SURVEY)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["new  n = 100", "bad  n = 44"]
    (right,) = ax.child_axes
    assert [text.get_text() for text in right.get_yticklabels()] == ["< 0.001", "0.151"]


@pytest.mark.full
def test_the_picture_of_a_report_on_one_metric_is_its_density() -> None:
    one, usual = hs.report(TWO, ["recall@ill"]), hs.report(TWO)
    assert one.distribution is not None
    assert one.distribution.title == "recall@ill"
    assert usual.distribution is None
    for made, words in ((one, "mode "), (usual, "dot: mean")):
        assert words in _saved(made)


def _saved(made: Any) -> str:
    with tempfile.TemporaryDirectory() as folder:
        hs.save(made, Path(folder) / "x.svg")
        return (Path(folder) / "x.svg").read_text(encoding="utf-8")


def test_the_cells_hold_the_counts_and_truth_is_down() -> None:
    ax = plots.confusion(TWO)
    texts = [text.get_text() for text in ax.texts]
    assert [text for text in texts if "%" not in text] == ["45", "5", "8", "42"]
    assert ax.get_ylabel() == "true class"
    assert ax.get_xlabel() == "predicted class"
    assert [t.get_text() for t in ax.get_yticklabels()] == ["healthy\nn = 50", "ill\nn = 50"]


@pytest.mark.full
def test_hostile_labels_are_drawn_as_text() -> None:
    labels = LABELS[:8]
    post = hs.infer(hs.ConfusionMatrix(np.eye(8, dtype=int) * 30 + 1, labels=labels), "jeffreys")
    with plots.theme():
        for ax in (plots.confusion(post), plots.forest(hs.report(post))):
            found = written(ax.figure)
            assert "<img" not in found
            assert "<script" not in found
            assert "\0" not in found
            assert not outside(ax.figure)


def test_a_metric_that_is_known_exactly_has_a_picture() -> None:
    gain = TWO.of("recall") - TWO.of("recall")
    assert plots.posterior(gain).lines
    assert plots.ridge({"nothing": gain, "recall": TWO.of("recall")}).lines


def test_too_many_or_none_is_said() -> None:
    with pytest.raises(InvalidArgument, match="ridge"):
        plots.posterior({str(k): TWO.of("recall") for k in range(5)})
    with pytest.raises(InvalidArgument, match="as many values"):
        plots.planning([1, 2], [0.5])


@pytest.mark.full
@pytest.mark.parametrize(
    ("size", "label"), [((3.3, 2.4), "a very long name of a class that goes on"), ((6.4, 3.6), "עברית")]
)
def test_words_stay_inside_and_apart_at_any_size(size: tuple[float, float], label: str) -> None:
    post, old = (
        hs.infer(hs.ConfusionMatrix(m, labels=["no", label], positive=label))
        for m in ([[45, 5], [8, 42]], [[40, 9], [9, 40]])
    )
    made = [
        lambda ax: plots.difference(hs.compare(post, old, metric="recall", rope=0.01, names=("no", label)), ax=ax),
        lambda ax: plots.predictive_values(post.predictive_values(), ax=ax),
        lambda ax: plots.post_test(post.predictive_values(), ax=ax),
        lambda ax: plots.posterior({label: post.of("recall"), "no": old.of("recall")}, ax=ax),
        lambda ax: plots.violin({label: post.of("recall"), "no": old.of("recall")}, ax=ax),
        lambda ax: plots.confusion(post, ax=ax),
        lambda ax: plots.worst_confusions(post, ax=ax),
        lambda ax: plots.sensitivity(post.prior_sensitivity(f"recall@{label}"), ax=ax),
        lambda ax: plots.planning(hs.plan(f"recall@{label}", pilot=post.confusion, width=0.2), ax=ax),
        lambda ax: plots.tiers(hs.rank({"no": post, label: old}, metric="recall"), ax=ax),
    ]
    for draw in made:
        _, ax = plt.subplots(figsize=size, layout="constrained")
        draw(ax)
        assert not outside(ax.figure)
        renderer = ax.figure.canvas.get_renderer()
        boxes = [text.get_window_extent(renderer) for text in ax.texts]
        assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))


@pytest.mark.full
def test_a_plan_is_drawn_with_its_band_its_goal_and_the_rule_where_it_holds() -> None:
    plan = hs.plan("accuracy", width=0.2, guess=0.8)
    drawn = plots.planning(plan)
    assert list(drawn.lines[0].get_xdata()) == [p.n for p in plan.curve]
    assert any(f"{plan.n} cases" in text.get_text() for text in drawn.texts)
    assert any("goal 0.2" in text.get_text() for text in drawn.texts)
    assert drawn.get_legend() is not None
    assert drawn.get_ylabel() == "95% width of accuracy"
    assert not outside(drawn.figure)
    compared = plots.planning(hs.plan("accuracy", difference=0.2, guess=0.5))
    assert compared.get_legend() is None
    with pytest.raises(InvalidArgument, match="draws a Plan"):
        plots.planning([1, 2])


def test_every_plot_is_drawn_here() -> None:
    drawn = {name for draw in DRAWN.values() for name in draw.__code__.co_names}
    assert set(plots.__all__) - drawn == {"theme"}


def test_chance_of_a_precision_recall_curve_is_the_share_of_the_positives() -> None:
    scores = hs.Scores([0] * 30 + [1] * 10, range(40))
    for prevalence, share in ((None, 0.25), (0.02, 0.02)):
        ax = plots.curve(precision_recall_curve(scores, prevalence, draws=200))
        assert list(ax.lines[0].get_ydata()) == [share, share]
