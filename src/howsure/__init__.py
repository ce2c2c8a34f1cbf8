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

from howsure import _public

__all__ = _public.offer(__name__)  # every name of __init__.pyi, loaded when it is first used
