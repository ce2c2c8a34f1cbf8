"""Every metric that is declared: ranges, laws, dependence on the prevalence, metrics of one's own."""

from __future__ import annotations

import json
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation, UnknownMetric
from howsure.laws import Draws
from howsure.metrics import AVERAGES, REGISTRY, Measure, Metric, averages_of, depends_on_prevalence, names, parse
from howsure.metrics import metric as declared
from howsure.metrics.margins import Margins
from howsure.metrics.measure import linear_weights
from howsure.metrics.metric import own
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of
from howsure.reporting.metric_cards import lookup

METRICS = [REGISTRY[name] for name in names()]
RNG = np.random.default_rng(11)
FULL = [RNG.poisson(RNG.gamma(0.8, 6, (k, k))) + 1 for k in (2, 2, 3, 5, 9, 20) for _ in range(3)]
tables = st.integers(2, 6).flatmap(lambda k: arrays(np.int64, (k, k), elements=st.integers(0, 30)))


def identify(metric):
    return metric.name


def each_measure(metric, size):
    """The metric of the whole table, or of each class and average."""
    if metric.per == "table":
        return [Measure(metric)]
    return [Measure(metric, index=i) for i in range(size)] + [Measure(metric, average=a) for a in averages_of(metric)]


def same(x):
    return pytest.approx(x, rel=1e-9, abs=1e-11, nan_ok=True)


def inside_the_range(metric):
    low, high = metric.range
    for table in FULL:
        values = np.array([measure(table.astype(float)) for measure in each_measure(metric, len(table))])
        finite = values[np.isfinite(values)]
        assert len(finite) == len(values) or metric.name == "number_needed_to_diagnose"
        assert (values >= low - 1e-12).all()
        assert (values <= high + 1e-12).all()


def shares_give_what_counts_give(metric):
    for table in FULL[::4]:
        for measure in each_measure(metric, len(table)):
            assert float(measure(7.0 * table)) == same(float(measure(table.astype(float))))
            assert float(measure(table / table.sum())) == same(float(measure(table.astype(float))))


def a_stack_of_tables_gives_what_each_gives_alone(metric):
    stack = RNG.gamma(1.0, size=(5, 2, 4, 4))
    values = metric(stack)
    assert values.shape == ((5, 2) if metric.per == "table" else (5, 2, 4))
    np.testing.assert_allclose(values[3, 1], metric(stack[3, 1]), rtol=1e-12)


def names_of_classes_do_not_matter_and_of_ordered_ones_only_their_order(metric):
    for table in FULL[::3]:
        size = len(table)
        order = np.arange(size)[::-1] if metric.family == "ordinal" else RNG.permutation(size)
        values, moved = metric(table.astype(float)), metric(table[np.ix_(order, order)].astype(float))
        np.testing.assert_allclose(moved, values if metric.per == "table" else values[..., order], rtol=1e-9)


def nothing_is_better_than_perfect(metric):
    if metric.better == "neither":
        return
    sign = 1 if metric.better == "higher" else -1
    for table in FULL:
        best = sign * metric(np.diag(table.sum(1)).astype(float))
        assert not np.isnan(best).any()
        assert (best >= sign * metric(table.astype(float)) - 1e-12).all()


@pytest.mark.full
@given(tables)
def test_any_counts_give_a_number_in_the_range_or_are_undefined(table):
    for metric in METRICS:
        low, high = metric.range
        for measure in each_measure(metric, len(table)):
            value = measure.observed(table.astype(float))
            assert value is None or low - 1e-9 <= value <= high + 1e-9, (measure.name, table.tolist())


def no_case_is_undefined_unless_declared(metric):
    for measure in each_measure(metric, 3):
        assert measure.observed(np.zeros((3, 3))) == metric.undefined


def weights_make_the_measure_of_any_table(metric):
    measure = Measure(metric, **({"label": "b", "index": 1} if metric.per == "class" else {}))
    weights = linear_weights(measure, 3, 3)
    some = np.random.default_rng(2).dirichlet(np.ones(9), 40).reshape(40, 3, 3)
    if weights is None:
        linear = ("accuracy", "error_rate", "prevalence", "bias", "detection_rate", "mean_absolute_error")
        assert metric.name not in linear
    else:
        assert (weights * some).sum((1, 2)) == pytest.approx(measure(some), abs=1e-12)


def margins_are_enough_where_it_says_so(metric):
    if not metric.by_margins:
        return
    for measure in (Measure(metric), *(Measure(metric, average=how) for how in averages_of(metric))):
        stack = np.random.default_rng(5).gamma(1.0, size=(4, 6, 6))
        assert np.allclose(measure(Margins.of(stack)), measure(stack), rtol=1e-12)


CHECKS = (
    inside_the_range,
    shares_give_what_counts_give,
    a_stack_of_tables_gives_what_each_gives_alone,
    names_of_classes_do_not_matter_and_of_ordered_ones_only_their_order,
    nothing_is_better_than_perfect,
    no_case_is_undefined_unless_declared,
    weights_make_the_measure_of_any_table,
    margins_are_enough_where_it_says_so,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_metric(check, subtests):
    for metric in METRICS:
        with subtests.test(metric.name):
            check(metric)


def test_averages_are_what_they_say():
    values = REGISTRY["precision"](FULL[-1].astype(float))
    weights = FULL[-1].sum(1)
    expected = {
        "macro": values.mean(),
        "weighted": (values * weights).sum() / weights.sum(),
        "harmonic": len(values) / (1 / values).sum(),
        "geometric": np.prod(values) ** (1 / len(values)),
        "min": values.min(),
        "max": values.max(),
        "micro": np.trace(FULL[-1]) / FULL[-1].sum(),
    }
    assert set(expected) == set(AVERAGES)
    for how, value in expected.items():
        assert float(Measure(REGISTRY["precision"], average=how)(FULL[-1].astype(float))) == pytest.approx(value)


COINS = ("accuracy", "error_rate", "bennett_s")  # one coin per case, not the sum over rows; see decisions


@pytest.mark.sweep(10, full=50)
@pytest.mark.parametrize("metric", [m for m in METRICS if m.law and m.name not in COINS], ids=identify)
def test_closed_laws_of_two_classes_agree_with_draws_while_the_prevalence_is_learned(metric):
    post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 22]], labels=["healthy", "ill"]), "jeffreys")
    measure = Measure(metric, **({"label": "ill", "index": 1} if metric.per == "class" else {}))
    law = knowledge_of(post).exact_law(measure)
    if law is None:
        assert knowledge_of(post.at_prevalence([0.6, 0.4])).exact_law(measure) is not None
        return
    drawn = Draws(knowledge_of(post).drawn([measure], 20_000, 7, 0)[0])
    for p in (0.025, 0.3, 0.5, 0.8, 0.975):
        assert law.quantile(p) == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))
    if np.isfinite(law.sd):
        assert law.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error)


@pytest.mark.sweep(5, full=25)
@pytest.mark.parametrize("metric", [m for m in METRICS if m.law], ids=identify)
def test_closed_laws_at_an_uneven_prevalence_agree_with_draws(metric):
    post = hs.infer(hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]]), "flat").at_prevalence([0.7, 0.1, 0.2])
    measure = Measure(metric, **({"label": "2", "index": 2} if metric.per == "class" else {}))
    law = knowledge_of(post).exact_law(measure)
    if law is None:  # it closes for two classes only
        return
    drawn = Draws(knowledge_of(post).drawn([measure], 20_000, 7, 0)[0])
    if np.isfinite(law.sd):
        assert law.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error + 1e-12)
    for p in (0.025, 0.5, 0.975):
        assert law.quantile(p) == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p) + 1e-12)


DEGENERATE = {
    "one class": [[9, 0], [0, 0]],
    "three, one empty": [[3, 1, 0], [2, 4, 0], [0, 0, 0]],
}


@pytest.mark.full
@pytest.mark.parametrize(("case", "prior"), [("one class", "haldane"), ("three, one empty", "flat")])
def test_degenerate_tables_get_an_answer_or_a_sentence(case, prior):
    post = hs.infer(hs.ConfusionMatrix(DEGENERATE[case]), prior)
    for metric in METRICS:
        where = "" if metric.per == "table" else f"@{post.labels[0]}"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", hs.PriorShiftWarning)
                known = post.of(metric.name + where, draws=400)
        except hs.errors.NoInformation:
            continue  # a sentence, tested where it is made
        assert not np.isnan([known.mean, known.sd, known.median, *known.interval(), known.prob(above=0.5)]).any()
        assert "nan" not in repr(known)


def test_a_report_of_everything_is_valid_json():
    cm = hs.ConfusionMatrix(DEGENERATE["three, one empty"])
    wanted = [m.name + ("@macro" if m.per == "class" else "") for m in METRICS]
    made = hs.report(hs.infer(cm, "flat"), wanted, draws=100)
    json.dumps(made.to_dict(), allow_nan=False)
    assert "nan" not in str(made)


@pytest.mark.parametrize("name", ["roc_auc", "AUROC"])
def test_numbers_of_scores_are_sent_to_the_scores(name: str) -> None:
    with pytest.raises(UnknownMetric, match=r"howsure curve FILE.*howsure\.Scores"):
        parse(name, ["a", "b"], "b")
    with pytest.raises(UnknownMetric, match="howsure curve FILE"):
        lookup(name)


@pytest.mark.parametrize(("name", "here"), [("f1_macro", "f1@macro"), ("recall_weighted", "recall@weighted")])
def test_averages_of_scikit_learn_are_sent_to_ours(name: str, here: str) -> None:
    with pytest.raises(UnknownMetric, match=f"Did you mean '{here}'"):
        parse(name, ["a", "b", "c"])
    assert parse(here, ["a", "b", "c"]).name == here


def test_a_formula_that_reads_cells_is_noticed() -> None:
    @declared(range=(0, 1), better="higher", reference="this test")
    def first_cell_of_margins_test(m):
        """Share of the first cell."""
        return m[..., 0, 0] / m.sum((-2, -1))

    del REGISTRY["first_cell_of_margins_test"]
    assert not first_cell_of_margins_test.by_margins
    assert all(REGISTRY[name].by_margins for name in ("recall", "precision", "f1", "mcc", "kappa", "accuracy"))


def test_costs_are_their_own_weights() -> None:
    costs = [[0.0, 1.0, 2.0], [5.0, 0.0, 1.0], [3.0, 3.0, 0.0]]
    assert linear_weights(parse(hs.expected_cost(costs), ["a", "b", "c"]), 3, 3).tolist() == costs
    assert linear_weights(parse(hs.expected_cost(costs), ["a", "b", "c"]), 3, 2).tolist() == costs[:2]
    assert linear_weights(parse("accuracy", [str(i) for i in range(41)]), 41, 41) is None  # too large to try


# -- metrics of two classes that need no draws: each against 40,000 of them, within its range, and what is

TABLES = {
    "nothing missed": ([[6, 2], [0, 26]], "flat"),
    "worse than chance": ([[3, 9], [5, 4]], "jeffreys"),
}
COSTS = {
    "a gain": [[0, 1], [20, -3]],
    "wrong is cheaper": [[1, 0], [0, 1]],
    "one row": [[0, 0], [5, 0]],
    "by class": [[2, 2], [7, 7]],
}
METRICS_OF_CLOSED_LAWS: list[str | Metric] = [
    "worst_rate",
    "recall@max",
    "false_negative_rate@min",
    "false_negative_rate@max",
    "number_needed_to_diagnose",
    "precision_gain",
    "fbeta_gain(beta=2)",
    "gwet_ac1",
    "scott_pi",
    "lift",
    "overdiagnosis",
    "weighted_markedness(w=0.2)",
    "mean_absolute_error",
    "root_mean_squared_error",
    *(hs.expected_cost(costs) for costs in COSTS.values()),
]


@pytest.mark.sweep(3, full=30)
@pytest.mark.parametrize(("case", "prevalence"), [("nothing missed", None), ("worse than chance", (0.7, 0.3))])
@pytest.mark.parametrize(
    "metric",
    METRICS_OF_CLOSED_LAWS,
    ids=[
        m if isinstance(m, str) else name
        for m, name in zip(METRICS_OF_CLOSED_LAWS, [""] * 14 + list(COSTS), strict=True)
    ],
)
def test_the_law_is_exact_and_that_of_the_draws(
    metric: str | Metric, case: str, prevalence: tuple[float, float] | None
) -> None:
    table, prior = TABLES[case]
    post = hs.infer(hs.ConfusionMatrix(table, labels=["healthy", "ill"]), prior)
    post = post if prevalence is None else post.at_prevalence(prevalence)
    known = post.of(metric)
    # the ends of lift and of a gain go with the prevalence: kinks, and an error that is told
    assert known.route == "exact" or (known.route == "approximate" and known.error < 1e-4)
    measure = measure_of(known)
    assert measure is not None
    drawn = Draws(
        np.concatenate([measure(block) for block in knowledge_of(post).tables(40_000, seed=5)]),
        support=measure.metric.support,
    )
    low, high = measure.metric.range
    if known.sd == 0:
        np.testing.assert_allclose(drawn.quantile([0.0, 1.0]), known.mean, rtol=1e-12)
        return
    for p in (0.025, 0.5, 0.975):
        found = known.quantile(p)
        assert low - 1e-12 <= found <= high + 1e-12
        if np.isfinite(found):
            assert found == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))
    if np.isfinite(known.sd):
        assert known.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error)
        assert known.sd == pytest.approx(drawn.sd, rel=0.05)
    ends = known.interval()
    assert low - 1e-12 <= ends.low <= ends.high <= high + 1e-12
    for end, here in zip(drawn.interval(), ends, strict=True):
        if np.isfinite(end):
            assert here == pytest.approx(end, abs=0.15 * min(known.sd, 10.0))


@pytest.mark.parametrize("classes", [2, 3])
def test_adjusted_balanced_accuracy_is_balanced_accuracy_from_chance_to_one(classes: int) -> None:
    post = hs.infer(hs.ConfusionMatrix(np.full((classes, classes), 2) + 7 * np.eye(classes, dtype=int)), "flat")
    plain, adjusted = post.of("balanced_accuracy"), post.of("adjusted_balanced_accuracy")
    scale = 1 - 1 / classes
    assert adjusted.mean == pytest.approx((plain.mean - 1 / classes) / scale, abs=1e-12)
    assert adjusted.quantile(0.1) == pytest.approx((plain.quantile(0.1) - 1 / classes) / scale, abs=1e-9)


def test_cramers_v_of_a_class_that_is_never_called_is_that_of_scipy() -> None:
    table = np.array([[5, 3, 0], [2, 7, 0], [1, 4, 0]])
    seen = hs.infer(hs.ConfusionMatrix(table)).of("cramer_v", draws=100).observed
    assert seen == pytest.approx(stats.contingency.association(table[:, :2], method="cramer"))


# -- dependence on the prevalence, found by trying, against what the definitions say ----------------------------------

TWO, THREE = ["n", "p"], ["a", "b", "c"]
FREE = {"recall@p", "specificity@p", "false_negative_rate@p", "balanced_accuracy", "informedness"}
BOUND = {"precision@p", "f1@p", "mcc", "kappa", "accuracy", "error_rate", "weighted_recall", "prevalence@p", "bias@p",
         "negative_predictive_value@p", "markedness", "recall@micro", "recall@weighted", "jaccard@macro"}  # fmt: skip


def test_two_classes() -> None:
    assert {name for name in FREE | BOUND if depends_on_prevalence(parse(name, TWO, "p"), 2)} == BOUND


@pytest.mark.parametrize(
    ("name", "depends"),
    [
        ("recall@c", False),
        ("balanced_accuracy", False),
        ("specificity@b", True),
        ("accuracy", True),
    ],
)
def test_specificity_depends_above_two_classes_and_recall_never_does(name: str, depends: bool) -> None:
    assert depends_on_prevalence(parse(name, THREE), 3) is depends
    assert depends_on_prevalence(parse(name, [*THREE, "d"]), 4) is depends


# -- any function of tables is a metric, and what is wrong with one is said in a sentence -----------------------------

CM = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])
POST = hs.infer(CM, "flat")


def share_of_first(m):
    return m[..., 0, 0] / m.sum((-2, -1))


def test_a_function_has_its_name_its_value_and_a_drawn_law():
    known = POST.of(share_of_first)
    assert known.metric == "share_of_first"
    assert known.observed == pytest.approx(30 / 46)
    assert known.route == "simulated"
    twin = POST.of("detection_rate@a")
    assert (known.mean, known.sd) == pytest.approx((twin.mean, twin.sd))


def test_a_function_of_a_module_can_be_pickled():
    metric = pickle.loads(pickle.dumps(own(np.linalg.det, 3)))
    assert metric.name == "det"
    assert float(metric(np.eye(3))) == pytest.approx(1)


def mutate(m):
    m *= 2
    return m.sum((-2, -1))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda m: m[..., 5, 5], ["failed", "IndexError", "(..., K, K)"]),
        (lambda m: m, ["shape (3, 3, 3)", "one number for each"]),
        (lambda m: m[..., 0, 0] / m.sum(), ["alone", "stack"]),
        (lambda m: "high", ["'high'", "no number"]),
        (lambda m: m[..., 0, 0] / 0, ["infinite for 3 of 3"]),
        (mutate, ["failed", "read-only"]),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(function, words):
    with pytest.raises(InvalidArgument) as raised:
        POST.of(function)
    assert "\n" not in str(raised.value)
    for word in words:
        assert word in str(raised.value)


def test_undefined_in_some_draws_is_counted_and_in_all_is_no_information():
    known = POST.of(lambda m: np.where(m[..., 0, 0] > 0.6, m[..., 0, 0], np.nan))
    assert 0 < known.law.undefined < 20_000
    with pytest.raises(NoInformation, match=r"lambda is undefined \(0/0\) in every draw"):
        POST.of(lambda m: m[..., 0, 0] * np.nan)
