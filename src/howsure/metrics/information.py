"""What the prediction tells about the truth, in units of entropy; none of it asks which class was called which."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from howsure.metrics.margins import (
    Margins,
    Table,
    Tables,
    actual,
    association,
    called,
    log_terms,
    shared_entropy,
    total,
)
from howsure.metrics.metric import metric, share

COVER = "Cover and Thomas 2006, chapter 2"
VINH = "Vinh, Epps, Bailey 2010, Table 2"


def entropies(m: Table) -> tuple[Tables, Tables, Tables]:
    """Entropy of the truth, of the prediction, and what they share, in nats; each of shape (...)."""
    if not isinstance(m, Margins):
        return entropies(Margins.around(m))
    truth, prediction = (_entropy_of(m, margin) for margin in (actual, called))
    # what is 0 is not called more than all there is by a rounding
    return truth, prediction, np.minimum(shared_entropy(m), np.minimum(truth, prediction))


def _entropy_of(m: Margins, margin: Callable[[Table], Tables]) -> Tables:
    return m.remembered((entropy, margin), lambda: entropy(margin(m) / total(m)))


def entropy(p: Tables) -> Tables:
    """Entropy of shares, shape (..., K) to (...), in nats."""
    return np.asarray(-log_terms(p).sum(-1))


@metric(
    range=(0, np.inf),
    better="higher",
    reference=COVER,
    aliases=["mi", "mutual_info_score"],
    sklearn="mutual_info_score",
)
def mutual_information(m: Table) -> Tables:
    """Entropy that truth and prediction share, in nats; at most log K."""
    return np.asarray(entropies(m)[2] + 0.0)  # of one class it is 0, not -0


@share(
    reference=f"{VINH}, NMI sum; also the V-measure of Rosenberg and Hirschberg 2007",
    aliases=["nmi", "normalized_mutual_info_score", "v_measure", "symmetric_uncertainty"],
    sklearn="normalized_mutual_info_score",
)
def normalized_mutual_information(m: Table) -> Tables:
    """Shared entropy over the mean of both entropies, 2 I / (H(truth) + H(prediction))."""
    truth, prediction, shared = entropies(m)
    return np.asarray(2 * shared / (truth + prediction))


@share(reference=f"{VINH}, NMI sqrt", sklearn='normalized_mutual_info_score(average_method="geometric")')
def normalized_mutual_information_geometric(m: Table) -> Tables:
    """Shared entropy over the geometric mean of both entropies."""
    truth, prediction, shared = entropies(m)
    return np.asarray(shared / np.sqrt(truth * prediction))


@share(reference=f"{VINH}, NMI min", sklearn='normalized_mutual_info_score(average_method="min")')
def normalized_mutual_information_min(m: Table) -> Tables:
    """Shared entropy over the smaller of both entropies."""
    truth, prediction, shared = entropies(m)
    return np.asarray(shared / np.minimum(truth, prediction))


@share(reference=f"{VINH}, NMI max", sklearn='normalized_mutual_info_score(average_method="max")')
def normalized_mutual_information_max(m: Table) -> Tables:
    """Shared entropy over the larger of both entropies."""
    truth, prediction, shared = entropies(m)
    return np.asarray(shared / np.maximum(truth, prediction))


@share(
    reference="Theil 1972; Rosenberg and Hirschberg 2007, homogeneity",
    aliases=["uncertainty_coefficient", "proficiency", "homogeneity_score"],
    sklearn="homogeneity_score",
    plain=("Theil's U", "Theil's U"),
)
def theil_u(m: Table) -> Tables:
    """Share of the entropy of the truth that the prediction removes, I / H(truth)."""
    truth, _, shared = entropies(m)
    return np.asarray(shared / truth)


@share(
    reference="Theil 1972; Rosenberg and Hirschberg 2007, completeness",
    aliases=["completeness_score"],
    sklearn="completeness_score",
    plain=("Theil's U of prediction", "Theil's U of prediction"),
)
def theil_u_of_prediction(m: Table) -> Tables:
    """Share of the entropy of the prediction that the truth removes, I / H(prediction)."""
    _, prediction, shared = entropies(m)
    return np.asarray(shared / prediction)


@share(reference="Cramer 1946, section 21.9", aliases=["cramers_v"], plain=("Cramer's V", "Cramer's V"))
def cramer_v(m: Table) -> Tables:
    """Association of truth and prediction, sqrt(chi^2 / (n (k - 1))); k counts the classes in the poorer margin."""
    poorer = np.minimum((actual(m) > 0).sum(-1), (called(m) > 0).sum(-1))
    share = np.maximum(association(m) - 1, 0.0) / (poorer - 1)
    return np.where(poorer > 1, np.minimum(np.sqrt(share), 1.0), np.nan)
