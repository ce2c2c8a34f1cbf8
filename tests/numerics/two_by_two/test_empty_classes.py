"""Metrics of a table with an empty class: a rate nobody knows, and a prevalence close to 0 or 1."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.numerics.two_by_two import table_laws
from howsure.numerics.two_by_two.parallel_lines import ParallelLines, slow_errors
from howsure.numerics.two_by_two.table_laws import BinaryMetric, resolvable

EMPTY = (1.0, 55.0), (1.0, 1.0), (51.0, 5.0)  # 50 right and 4 wrong of the other class, uniform priors
FULL = (60.0, 50.0), (42.0, 9.0), (50.0, 8.0)
OTHER = (1.0, 89.0), (51.0, 5.0), (1.0, 1.0)


@pytest.mark.parametrize(("metric", "model"), [("kappa", EMPTY), ("markedness", OTHER), ("mcc", EMPTY)])
def test_what_vanishes_with_a_class_of_no_cases_is_left_to_draws(metric, model):
    """Its density has a needle at 0 that no rule of few lines sees."""
    assert not resolvable(metric, *model)
    assert resolvable(metric, 0.1, *model[1:])
    assert resolvable(metric, (3.0, 50.0), *model[1:])
    assert BinaryMetric(metric, *model).residual > 1e-8  # and a law that is asked for all the same tells its error


@pytest.mark.parametrize("metric", ["positive_likelihood_ratio", "negative_likelihood_ratio"])
def test_a_density_that_is_level_from_its_end_is_widest_there(metric):
    """Of a recall nobody knows all values are alike, and so are likelihood ratios up to that of a sure recall."""
    law = BinaryMetric(metric, *EMPTY)
    low, high = law.highest_density(0.95)
    assert low == law.mode() == 0.0
    assert high == pytest.approx(float(law.quantile(0.95)), rel=1e-9)


@pytest.mark.sweep(9, full=10)
@pytest.mark.parametrize(("metric", "model"), [("kappa", FULL), ("f1", OTHER), ("scott_pi", EMPTY)])
def test_quantiles_come_back(metric, model):
    law = BinaryMetric(metric, *model)
    p = np.array([1e-4, 0.01, 0.08, 0.09, 0.1, 0.5, 0.9, 0.9999])
    assert law.cdf(law.quantile(p)) == pytest.approx(p, abs=1e-8)


@pytest.mark.full
@pytest.mark.parametrize(("metric", "model"), [("f1", EMPTY), ("kappa", OTHER)])
def test_the_stated_error_is_of_the_size_of_the_error(metric, model):
    """Against a rule of a quarter of the step; a kink between few nodes hid an error fifty times the stated one."""
    law = BinaryMetric(metric, *model)
    table_laws._settled.cache_clear()  # the lines of the other are about to be changed
    fine = BinaryMetric(metric, *model)
    inner = fine._lines
    steps = [inner._lines.steps[0] / 4, min(0.25, inner._lines.steps[1])]
    inner._settled = inner._carried(inner._settled, steps)
    ends = np.array(law.interval())
    table_laws._settled.cache_clear()
    assert np.abs(law.cdf(ends) - fine.cdf(ends)).max() <= 3 * law.residual


@pytest.mark.parametrize(
    ("metric", "model", "rounds", "evaluations"),
    [
        ("f1", FULL, 19, 50),
        ("kappa", FULL, 22, 57),
        # a table of L at 35 places begins each search; from tangents alone it took 113 rounds
        ("negative_predictive_value", (0.5, (1.0, 1.0), (5101.0, 301.0)), 55, 470),
    ],
)
def test_a_report_takes_few_evaluations(metric, model, rounds, evaluations, monkeypatch):
    """A quantile or a root that is found is not sought again."""
    table_laws._settled.cache_clear()
    numbers = []
    for name in ("along", "along_some"):
        asked = getattr(ParallelLines, name)

        def counted(self, t, *where, asked=asked):
            numbers.append(np.count_nonzero(where[0]) if where else t.size)
            return asked(self, t, *where)

        monkeypatch.setattr(ParallelLines, name, counted)
    law = BinaryMetric(metric, *model)
    law.quantile([0.5]), law.highest_density(0.95), law.mode(), law.outline(101), law.sf([0.0])
    assert len(numbers) < rounds
    assert sum(numbers) < evaluations * law.terms


def test_a_gap_that_does_not_fall_is_an_error():
    first = (1e-4, 1e-9), [0.7, 0.7]
    assert slow_errors(first, ((1e-4, 1e-9), [0.1, 0.7])) == [1e-4, 0.0]
    assert slow_errors(first, ((2e-4, 1e-9), [0.1, 0.7])) == [2e-4, 0.0]
    power = np.log(8) / np.log(7)
    assert slow_errors(first, ((1e-4 / 8, 1e-9), [0.1, 0.7])) == pytest.approx([1e-4 / 8 / 2**power, 0.0])
    assert slow_errors(first, ((1e-13, 1e-9), [0.1, 0.7])) == [0.0, 0.0]


def test_probing_changes_nothing_until_it_is_done(monkeypatch):
    """Neither an interrupt nor another thread finds a law on its coarse rule."""
    model = (1.0, 6.0), (1.0, 1.0), (4.0, 2.0)
    known = BinaryMetric("kappa", *model).cdf([0.1])
    table_laws._settled.cache_clear()
    law = BinaryMetric("kappa", *model)
    terms = law.terms
    assert terms > 1000

    def interrupted(*_):
        assert law.terms == terms
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("howsure.numerics.two_by_two.lines.Lines._refined", interrupted)
        with pytest.raises(KeyboardInterrupt):
            law.cdf([0.1])
    assert law.terms == terms
    assert law.cdf([0.1]).tolist() == known.tolist()


@pytest.mark.full
def test_roots_that_come_from_far_out_are_not_left_there():
    """Each of their steps is short and next to no mass lies there, but all of it lies before them."""
    law = BinaryMetric("weighted_markedness", (1.5, 0.5), (0.5, 3.0), (0.5, 1719.9))
    assert law.cdf(law.quantile([0.975])) == pytest.approx([0.975], abs=1e-8)
