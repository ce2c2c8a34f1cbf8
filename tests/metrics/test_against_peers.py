"""Point values equal those that PyCM and prob_conf_mat gave on random matrices, but for what is named here.

The values are recorded (`tests/reference/make_peer_values.py`, which compares on a thousand matrices); neither package
is needed to run this.
"""

import itertools
import json
import math
from collections import Counter

import numpy as np
import pytest
from tests.conftest import REFERENCE

from howsure.metrics import parse

CASES = json.loads((REFERENCE / "peer_values.json").read_text(encoding="utf-8"))
MEASURES = [(peer, name) for peer in ("pycm", "prob_conf_mat") for name in CASES[0][peer]]


def ours(name, table):
    labels = [str(i) for i in range(len(table))]
    where = [name + label for label in labels] if name.endswith("@") else [name]
    values = [parse(one, labels).observed(table) for one in where]
    return [math.nan if value is None else value for value in values]


def theirs(value):
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
            return ours("f1@weighted", table)  # "micro" is another name of weighted
        if name == "precision@harmonic":
            return ours("precision@geometric", table)  # the code takes the geometric mean
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


@pytest.mark.sweep(29, full=88)
@pytest.mark.parametrize("peer", ["pycm", "prob_conf_mat"])
def test_values_are_those_of_the_peer(peer):
    for case, name in itertools.product(CASES[::2], CASES[0][peer]):
        table = np.array(case["matrix"], dtype=float)
        mine, yours = in_their_terms(peer, name, ours(name, table), table), theirs(case[peer][name])
        for x, y in zip(mine, yours, strict=True):
            if math.isnan(y) and (peer, name) in ONLY_OURS:
                continue
            assert x == pytest.approx(y, rel=1e-10, abs=1e-11, nan_ok=True), (name, case["matrix"])


def test_where_only_we_have_a_number_it_happens():
    gaps = set()
    for case in CASES:
        for peer, name in ONLY_OURS:
            mine, yours = ours(name, np.array(case["matrix"], dtype=float)), theirs(case[peer][name])
            if any(math.isnan(y) and not math.isnan(x) for x, y in zip(mine, yours, strict=True)):
                gaps.add((peer, name))
    assert gaps == ONLY_OURS
