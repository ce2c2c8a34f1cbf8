"""What every metric of the registry must hold, without a line for any of them."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import howsure as hs
from howsure.errors import UnknownMetric
from howsure.laws import Draws
from howsure.metrics import AVERAGES, REGISTRY, Measure, averages_of, names, parse
from howsure.metrics import metric as declared
from howsure.metrics.dependence import linear_weights
from howsure.metrics.margins import Margins
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


@pytest.mark.sweep(10, full=104)
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


@pytest.mark.sweep(5, full=55)
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
