"""The names of scikit-learn, with intervals: its report, its scorers, its cross-validation, its displays.

scikit-learn itself is imported when one of these is called, never before.
"""

from howsure.integrations.sklearn.classification_report import classification_report
from howsure.integrations.sklearn.estimators import (
    PosteriorDisplay,
    PosteriorScorer,
    from_cross_val_predict,
    from_cross_validate,
    make_posterior_scorer,
)

__all__ = [
    "PosteriorDisplay",
    "PosteriorScorer",
    "classification_report",
    "from_cross_val_predict",
    "from_cross_validate",
    "make_posterior_scorer",
]
