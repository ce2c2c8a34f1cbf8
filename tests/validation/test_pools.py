"""Short form of the section on pooled sites."""

from __future__ import annotations

import pytest
from tests.validation.sections.pools import Rate, Studies, diagnostic, one_rate


@pytest.mark.deep
@pytest.mark.parametrize("world", [Rate(6, 10, 0.98, 0.0), Rate(12, 30, 0.9, 0.9)], ids=["near one", "unlike sites"])
def test_typical_means_and_new_sites_are_held(world: Rate) -> None:
    """Of 60 answers: a coverage of 95% is at 51 or fewer four times in a thousand."""
    row, percent = one_rate(world, 60)
    assert percent.min() * 60 / 100 >= 52, row


@pytest.mark.deep
def test_sensitivity_and_specificity_of_studies_are_held() -> None:
    """Of 60 answers: a coverage of 95% is at 51 or fewer four times in a thousand."""
    row, percent = diagnostic(Studies(10, (0.4, 0.4)), 60)
    assert percent.min() * 60 / 100 >= 52, row
