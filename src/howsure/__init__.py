"""Exact, honest knowledge from a confusion matrix.

How sure are you that your classifier is good, and better than the other one?

::

    ConfusionMatrix --infer(prior)--> Posterior --.of(metric)--> Distribution
        counts          Prior        what we know      Metric     what we know about one number

    two posteriors, or Predictions --compare--> Comparison      --gate--> Gate (pass, fail, inconclusive)

Rows are truth, columns are prediction; arguments are ``(y_true, y_pred)``; everywhere.

=================================  ========================================================================
``howsure``                        the names above; everything that most need
``howsure.io``                     files of matrices, counts and predictions
``howsure.io.logs``                evaluation logs of language models
``howsure.curves``                 ROC, precision-recall and other curves of scores
``howsure.integrations.sklearn``   scikit-learn's report, scorers and displays, with intervals
``howsure.plots``                  figures with matplotlib
``howsure.publish``                pages, LaTeX and other files of results
``howsure.integrations``           data frames, ArviZ and MLflow
``howsure.metrics``                the registry of metrics, and how one is declared
``howsure.laws``                   laws of one number
``howsure.posterior.paired``       the joint posterior of classifiers on the same cases
``howsure.reporting.frequentist``  classical intervals and tests
``howsure.progress``               how far a long answer is
``howsure.web``                    the page, without a server
``howsure.errors``                 everything that can be complained about
=================================  ========================================================================

Deeper modules are not part of the promise: they move.

Examples
--------
>>> import howsure as hs
>>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
>>> post.of("balanced_accuracy")
balanced_accuracy 0.86 (0.79 to 0.92) 95% HDI, prior calibrated, exact
"""

from howsure import _public

# every name of __init__.pyi, loaded when it is first used
__all__, __getattr__, __dir__ = _public.offered(__name__)
