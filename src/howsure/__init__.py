"""Exact, honest knowledge from a confusion matrix.

How sure are you that your classifier is good, and better than the other one?

::

    ConfusionMatrix --infer(prior)--> Posterior --.of(metric)--> Distribution
        counts          Prior        what we know      Metric     what we know about one number

    two posteriors, or Predictions --compare--> Comparison      --gate--> Gate (pass, fail, inconclusive)

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
from howsure.counting import Counts, count
from howsure.digits import digits
from howsure.distribution import Distribution
from howsure.errors import HowsureError, HowsureWarning, InconclusiveWarning, PriorShiftWarning
from howsure.gate import Gate, assert_better, gate
from howsure.metrics import Metric, class_weighted_accuracy, expected_cost, metric
from howsure.plan import detect, plan
from howsure.planning.record import Plan
from howsure.posterior import Posterior, infer
from howsure.predictions import Predictions
from howsure.priors import Prior
from howsure.publish import save
from howsure.questions import Informativeness, NaturalFrequencies, PostTest, Prediction, Sensitivity, post_test
from howsure.rank import rank
from howsure.ranking import Ranking
from howsure.reconstruct import Reconstruction, reconstruct
from howsure.report import Report, report
from howsure.rule_of_thumb import rule_of_thumb
from howsure.settle import settle
from howsure.statements import Probability
from howsure.stopping import outlook, stopping_rule
from howsure.survey import Survey, survey

__all__ = [
    "Classical",
    "Comparison",
    "ConfusionMatrix",
    "Counts",
    "Distribution",
    "Gate",
    "HowsureError",
    "HowsureWarning",
    "InconclusiveWarning",
    "Informativeness",
    "Metric",
    "NaturalFrequencies",
    "Plan",
    "PostTest",
    "Posterior",
    "Prediction",
    "Predictions",
    "Prior",
    "PriorShiftWarning",
    "Probability",
    "Ranking",
    "Reconstruction",
    "Report",
    "Sensitivity",
    "Survey",
    "__version__",
    "assert_better",
    "class_weighted_accuracy",
    "classical",
    "compare",
    "count",
    "detect",
    "digits",
    "errors",
    "expected_cost",
    "gate",
    "infer",
    "laws",
    "metric",
    "outlook",
    "plan",
    "post_test",
    "rank",
    "reconstruct",
    "report",
    "rule_of_thumb",
    "save",
    "settle",
    "stopping_rule",
    "survey",
]
