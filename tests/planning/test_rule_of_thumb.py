"""The rule of thumb of Toetsch and Hoffmann, and where it fails."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import howsure as hs
from howsure.planning.rule_of_thumb import thumb_csv, thumb_table


@pytest.mark.deep
def test_figure_6_of_toetsch_and_hoffmann() -> None:
    rows = hs.rule_of_thumb()
    assert rows[-1].n == 10**6 * rows[0].n
    hundred = next(row for row in rows if row.n == 100)
    assert hundred.upper == pytest.approx(0.1921, abs=5e-5)
    assert hundred.rule == 0.2
    assert all(row.holds for row in rows)
    assert all(0.7 < row.upper / row.rule < 1 for row in rows)
    assert [a.upper > b.upper for a, b in pairwise(rows)] == [True] * (len(rows) - 1)


def test_the_rule_fails_for_informedness_by_a_factor_of_two() -> None:
    rows = hs.rule_of_thumb("informedness", mode=0.5, concentration=1e6, sizes=[50, 1000, 100_000, 10**7])
    assert not any(row.holds for row in rows)
    for row in rows[-2:]:
        assert row.upper * np.sqrt(row.n) == pytest.approx(4, rel=0.03)
    assert "no" in thumb_table(rows).text()
    assert thumb_csv(rows).startswith("n,typical,upper,rule")


def test_the_rule_is_two_over_the_root_of_n() -> None:
    assert [row.rule for row in hs.rule_of_thumb(sizes=[25, 100, 400])] == pytest.approx([0.4, 0.2, 0.1])
