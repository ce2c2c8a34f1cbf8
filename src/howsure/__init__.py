"""Exact, honest knowledge from a confusion matrix.

How sure are you that your classifier is good, and better than the other one?

::

    ConfusionMatrix --infer(prior)--> Posterior --.of(metric)--> Distribution
        counts          Prior        what we know      Metric     what we know about one number

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
from howsure.confusion import ConfusionMatrix
from howsure.digits import digits
from howsure.distribution import Distribution
from howsure.errors import HowsureError, HowsureWarning, PriorShiftWarning
from howsure.metrics import Metric, metric
from howsure.plan import detect, plan
from howsure.planning.record import Plan
from howsure.posterior import Posterior, infer
from howsure.priors import Prior
from howsure.rank import rank
from howsure.ranking import Ranking
from howsure.report import Report, report
from howsure.rule_of_thumb import rule_of_thumb
from howsure.settle import settle
from howsure.stopping import outlook, stopping_rule

__all__ = [
    "ConfusionMatrix",
    "Distribution",
    "HowsureError",
    "HowsureWarning",
    "Metric",
    "Plan",
    "Posterior",
    "Prior",
    "PriorShiftWarning",
    "Ranking",
    "Report",
    "__version__",
    "detect",
    "digits",
    "errors",
    "infer",
    "laws",
    "metric",
    "outlook",
    "plan",
    "rank",
    "report",
    "rule_of_thumb",
    "settle",
    "stopping_rule",
]
