"""Exact, honest knowledge from a confusion matrix.

How sure are you that your classifier is good, and better than the other one?

::

    ConfusionMatrix --infer(prior)--> Posterior --.of(metric)--> Distribution
        counts          Prior        what we know      Metric     what we know about one number

    two posteriors, or Predictions --compare--> Comparison

Rows are truth, columns are prediction; arguments are ``(y_true, y_pred)``; everywhere.

Examples
--------
>>> import howsure as hs
>>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
>>> post.of("balanced_accuracy")
balanced_accuracy 0.86 (0.79 to 0.92) 95 % HDI, prior flat, exact
"""

from howsure import errors, laws
from howsure._version import __version__
from howsure.classical import Classical, classical
from howsure.compare import Comparison, compare
from howsure.confusion import ConfusionMatrix
from howsure.distribution import Distribution
from howsure.errors import HowsureError, HowsureWarning, PriorShiftWarning
from howsure.metrics import Metric, class_weighted_accuracy, expected_cost, metric
from howsure.posterior import Posterior, infer
from howsure.predictions import Predictions
from howsure.priors import Prior
from howsure.publish import save
from howsure.questions import Informativeness, NaturalFrequencies, PostTest, Prediction, Sensitivity, post_test
from howsure.rank import rank
from howsure.ranking import Ranking
from howsure.report import Report, report
from howsure.statements import Probability
from howsure.survey import Survey, survey

__all__ = [
    "Classical",
    "Comparison",
    "ConfusionMatrix",
    "Distribution",
    "HowsureError",
    "HowsureWarning",
    "Informativeness",
    "Metric",
    "NaturalFrequencies",
    "PostTest",
    "Posterior",
    "Prediction",
    "Predictions",
    "Prior",
    "PriorShiftWarning",
    "Probability",
    "Ranking",
    "Report",
    "Sensitivity",
    "Survey",
    "__version__",
    "class_weighted_accuracy",
    "classical",
    "compare",
    "errors",
    "expected_cost",
    "infer",
    "laws",
    "metric",
    "post_test",
    "rank",
    "report",
    "save",
    "survey",
]
