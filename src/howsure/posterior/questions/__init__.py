"""What people ask of one posterior: patients, replications, deception, priors; each answer a frozen record."""

from howsure.posterior.questions.asked import Asked
from howsure.posterior.questions.deception import Informativeness
from howsure.posterior.questions.frequencies import NaturalFrequencies
from howsure.posterior.questions.patient import PostTest, post_test
from howsure.posterior.questions.posterior_picture import Pictured
from howsure.posterior.questions.predictive import PredictiveValues
from howsure.posterior.questions.prior_sensitivity import Sensitivity
from howsure.posterior.questions.question_methods import Questions
from howsure.posterior.questions.replication import Prediction

__all__ = [
    "Asked",
    "Informativeness",
    "NaturalFrequencies",
    "Pictured",
    "PostTest",
    "Prediction",
    "PredictiveValues",
    "Questions",
    "Sensitivity",
    "post_test",
]
