"""What people ask of one posterior: patients, replications, priors; each answer a frozen record."""

from howsure.posterior.questions.frequencies import NaturalFrequencies
from howsure.posterior.questions.patient import PostTest, post_test
from howsure.posterior.questions.predictive import PredictiveValues
from howsure.posterior.questions.prior_sensitivity import Sensitivity
from howsure.posterior.questions.replication import Prediction

__all__ = [
    "NaturalFrequencies",
    "PostTest",
    "Prediction",
    "PredictiveValues",
    "Sensitivity",
    "post_test",
]
