"""Laws of the metrics of two classes."""

from __future__ import annotations

import numpy as np

from howsure.laws import BinaryLaw

#: A double integral of Gauss rules that crowd at the corners, at three places.
EXACT = [0.025, 0.2964494, 0.97443797]


def test_a_kink_in_the_prevalence_is_not_called_exact() -> None:
    """Rates that both may be at the corner where the number is the prevalence: right to 1e-5, and it says so."""
    law = BinaryLaw("bias", (191, 11), (45.5, 0.5), (0.5, 0.5))
    x = np.array([0.9050017968, 0.95, 0.9985])
    missed = np.abs(law.cdf(x) - EXACT).max()
    assert missed < 20 * law.error
    assert law.route == "approximate" or missed < 1e-6
