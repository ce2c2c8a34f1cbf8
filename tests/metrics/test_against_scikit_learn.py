"""Metrics against scikit-learn and other libraries."""

import ast
import inspect
import itertools
import json
import math
import re
import warnings
from collections import Counter

import numpy as np
import pytest
import sklearn.metrics
from tests.conftest import REFERENCE

from howsure.metrics import REGISTRY, names, parse

CALL = re.compile(r"(?P<function>\w+)(?:\((?P<option>\w+)=(?P<value>[^)]*)\))?")
TWINS = [name for name in names() if CALL.fullmatch(REGISTRY[name].sklearn)]
AVERAGES = ["macro", "micro", "weighted"]  # those that scikit-learn has
CLASSWISE = [name for name in TWINS if REGISTRY[name].per == "class"]
WHOLE = [name for name in TWINS if REGISTRY[name].per == "table"]

#: Undefined (0/0) for one class only; scikit-learn has a number by convention, 0 or 1.
UNDEFINED_HERE = {"adjusted_balanced_accuracy", "theil_u", "theil_u_of_prediction"} | {
    name for name in TWINS if name.startswith("normalized_mutual")
}


def random_tables(how_many, *, sparse, seed):
    """Tables of 2 to 12 classes; sparse ones hold empty classes, classes never called, and both at once."""
    rng = np.random.default_rng(seed)
    for i in range(how_many):
        size = 2 + i % 11
        table = rng.poisson(rng.gamma(0.7, 3, (size, size)))
        if sparse:
            table *= rng.random((size, 1)) < 0.7
            table *= rng.random((1, size)) < 0.7
        else:
            np.fill_diagonal(table, table.diagonal() + 1)
        if table.sum():
            yield table


FULL = list(random_tables(22, sparse=False, seed=20))
DEGENERATE = [
    *random_tables(22, sparse=True, seed=21),
    np.array([[0, 0], [3, 4]]),  # no case of the first class
    np.array([[3, 0], [4, 0]]),  # the second class never called
    np.array([[7, 0], [0, 0]]),  # one class, all right
    np.array([[0, 0], [7, 0]]),  # one class, all wrong
    np.array([[0, 5, 0], [0, 0, 6], [7, 0, 0]]),  # nothing right
]


def expand(table):
    """Answers and predictions, case by case."""
    rows, columns = np.indices(table.shape)
    return np.repeat(rows.ravel(), table.ravel()), np.repeat(columns.ravel(), table.ravel())


def theirs(name, table, **options):
    """Value by scikit-learn; NaN for 0/0 where the function lets us choose, its own answer where it does not."""
    call = CALL.fullmatch(REGISTRY[name].sklearn)
    function = getattr(sklearn.metrics, call["function"])
    offered = inspect.signature(function).parameters
    known = {"labels": np.arange(len(table)), "zero_division": np.nan, **REGISTRY[name].parameters, **options}
    if call["option"]:
        known[call["option"]] = ast.literal_eval(call["value"])
    known = {k: v for k, v in known.items() if k in offered}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of every 0/0 and of classes without cases
        try:
            return function(*expand(table), **known)
        except ValueError as refusal:
            if "zero_division" not in str(refusal):
                raise
        # jaccard_score takes no NaN: 0/0 is where 0 and 1 give two answers
        low, high = (function(*expand(table), **{**known, "zero_division": x}) for x in (0.0, 1.0))
        return np.where(low == high, low, np.nan)


def ours(measure, table):
    """Value on the counts; NaN where it is undefined."""
    labels = [str(i) for i in range(len(table))]
    value = parse(measure, labels, labels[-1] if len(labels) == 2 else None).observed(table)
    return np.nan if value is None else value


def same(x):
    return pytest.approx(x, abs=1e-12, nan_ok=True)


def test_the_twins_exist():
    assert {"accuracy", "balanced_accuracy", "f1", "kappa", "mcc", "precision", "recall"} <= set(TWINS)
    assert set(names()) - set(TWINS) >= {name for name in names() if " " in REGISTRY[name].sklearn}
    assert sum(((table.sum(0) == 0) & (table.sum(1) == 0)).any() for table in DEGENERATE) > 4


@pytest.mark.sweep(1, full=28)
@pytest.mark.parametrize("tables", [FULL, DEGENERATE], ids=["full", "degenerate"])
@pytest.mark.parametrize("name", WHOLE)
def test_one_number_for_the_whole_table(name, tables):
    values = [(ours(name, table), theirs(name, table)) for table in tables]
    if name in UNDEFINED_HERE and tables is DEGENERATE:
        assert any(np.isnan(mine) for mine, _ in values)
        values = [(mine, yours) for mine, yours in values if not np.isnan(mine)]
    assert [mine for mine, _ in values] == same([yours for _, yours in values])


@pytest.mark.full
@pytest.mark.parametrize("name", CLASSWISE)
def test_each_class(name):
    for table in [*FULL, *DEGENERATE]:
        assert [ours(f"{name}@{i}", table) for i in range(len(table))] == same(theirs(name, table, average=None))


@pytest.mark.full
@pytest.mark.parametrize("name", CLASSWISE)
@pytest.mark.parametrize("average", AVERAGES)
def test_averages_count_every_class_and_0_where_its_value_is_undefined(name, average):
    for table in [*FULL[:11], *DEGENERATE]:
        yours = theirs(name, table, average=average, zero_division=0.0)
        assert ours(f"{name}@{average}", table) == same(yours), table.tolist()


@pytest.mark.sweep(3, full=5)
@pytest.mark.parametrize("name", CLASSWISE)
def test_two_classes_without_a_label_are_about_the_positive_one(name):
    for table in [*FULL, *DEGENERATE]:
        if len(table) == 2:
            assert ours(name, table) == same(theirs(name, table, average="binary", pos_label=1, labels=[0, 1]))


@pytest.mark.parametrize("name", [name for name in CLASSWISE if REGISTRY[name].parameters])
def test_parameters_reach_the_formula(name):
    for parameter in REGISTRY[name].parameters:
        for table in FULL[:11]:
            expected = theirs(name, table, average="macro", **{parameter: 0.5})
            assert ours(f"{name}({parameter}=0.5)@macro", table) == same(expected)


# -- a class that is never true, or never predicted --------------------------------------------------------------------

UNTESTED = np.array([[8, 2, 0], [1, 8, 1], [0, 0, 0]])  # no case of the third class, which is called once
UNCALLED = np.array([[40, 10, 0], [5, 40, 0], [3, 7, 0]])  # the third class is never called


def test_macro_recall_counts_a_class_without_cases_as_0_and_balanced_accuracy_leaves_it_out():
    assert ours("recall@macro", UNTESTED) == pytest.approx(1.6 / 3)
    assert ours("balanced_accuracy", UNTESTED) == theirs("balanced_accuracy", UNTESTED) == pytest.approx(1.6 / 2)


def test_precision_of_a_class_never_called_is_undefined_and_counts_0_in_averages():
    assert np.isnan(ours("precision@2", UNCALLED))
    assert ours("precision@macro", UNCALLED) == pytest.approx((40 / 48 + 40 / 57) / 3)
    assert ours("false_discovery_rate@macro", UNCALLED) == pytest.approx(1 - (40 / 48 + 40 / 57) / 3)
    assert ours("lift@macro", UNCALLED) == pytest.approx(
        (40 / 48 / (50 / 105) + 40 / 57 / (45 / 105)) / 2
    )  # no worst value


@pytest.mark.parametrize("table", [[[7, 0], [0, 0]], [[3, 0], [4, 0]]])
def test_mcc_of_a_margin_with_one_class_is_declared_zero_as_in_scikit_learn(table):
    assert REGISTRY["mcc"].undefined == 0
    assert ours("mcc", np.array(table)) == theirs("mcc", np.array(table)) == 0


# -- point values equal those that PyCM and prob_conf_mat gave on random matrices, but for what is named here ---------

CASES = json.loads((REFERENCE / "peer_values.json").read_text(encoding="utf-8"))
MEASURES = [(peer, name) for peer in ("pycm", "prob_conf_mat") for name in CASES[0][peer]]


def ours_of_against_peers(name, table):
    labels = [str(i) for i in range(len(table))]
    where = [name + label for label in labels] if name.endswith("@") else [name]
    values = [parse(one, labels).observed(table) for one in where]
    return [math.nan if value is None else value for value in values]


def theirs_of_against_peers(value):
    return [math.nan if x is None else float(x) for x in (value if isinstance(value, list) else [value])]


def in_their_terms(peer, name, values, table):
    """What the peer calls by this name where it is something else; see "Peers" in docs/metrics.md."""
    n = table.sum()
    if peer == "pycm":
        if name == "mutual_information":
            return [x / math.log(2) for x in values]  # bits, not nats
        if name == "krippendorff_alpha":
            return [x + (1 - x) / (2 * n) for x in values]  # of n cases, not of the population
    if peer == "prob_conf_mat":
        if "gain" in name:
            return [x if math.isnan(x) else max(x, 0.0) for x in values]  # cut off at 0
        if name == "f1@micro":
            return ours_of_against_peers("f1@weighted", table)  # "micro" is another name of weighted
        if name == "precision@harmonic":
            return ours_of_against_peers("precision@geometric", table)  # the code takes the geometric mean
    return values


#: Where we have a number and the peer has none.
ONLY_OURS = {
    ("pycm", "positive_likelihood_ratio@"),  # infinite
    ("pycm", "diagnostic_odds_ratio@"),  # infinite
    ("pycm", "yule_q@"),  # 1 or -1 where the odds ratio is infinite or 0
    ("pycm", "mcc"),  # 0 where one class only is called
    ("pycm", "cramer_v"),  # with a class that is never called
    ("pycm", "precision@macro"),  # classes never called are left out
    ("prob_conf_mat", "p4@"),  # 0 where TP or TN is 0
    ("prob_conf_mat", "prevalence_threshold@"),  # 1/2 where TPR and FPR are equal
    ("prob_conf_mat", "mcc"),
    ("prob_conf_mat", "precision@harmonic"),
}


def test_the_recorded_matrices_are_many_and_of_many_sizes():
    sizes = Counter(len(case["matrix"]) for case in CASES)
    assert len(CASES) == 40
    assert min(sizes) == 2
    assert max(sizes) == 20
    assert len(MEASURES) > 85


@pytest.mark.sweep(29, full=40)
@pytest.mark.parametrize("peer", ["pycm", "prob_conf_mat"])
def test_values_are_those_of_the_peer(peer):
    for case, name in itertools.product(CASES[::2], CASES[0][peer]):
        table = np.array(case["matrix"], dtype=float)
        mine, yours = (
            in_their_terms(peer, name, ours_of_against_peers(name, table), table),
            theirs_of_against_peers(case[peer][name]),
        )
        for x, y in zip(mine, yours, strict=True):
            if math.isnan(y) and (peer, name) in ONLY_OURS:
                continue
            assert x == pytest.approx(y, rel=1e-10, abs=1e-11, nan_ok=True), (name, case["matrix"])


def test_where_only_we_have_a_number_it_happens():
    gaps = set()
    for case in CASES:
        for peer, name in ONLY_OURS:
            mine, yours = (
                ours_of_against_peers(name, np.array(case["matrix"], dtype=float)),
                theirs_of_against_peers(case[peer][name]),
            )
            if any(math.isnan(y) and not math.isnan(x) for x, y in zip(mine, yours, strict=True)):
                gaps.add((peer, name))
    assert gaps == ONLY_OURS
