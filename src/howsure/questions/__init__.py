"""What people ask of one posterior: patients, replications, deception, priors; each answer a frozen record."""

from howsure.questions.asked import Asked
from howsure.questions.deception import Informativeness
from howsure.questions.frequencies import NaturalFrequencies
from howsure.questions.methods import Questions
from howsure.questions.patient import PostTest, post_test
from howsure.questions.picture import Pictured
from howsure.questions.predictive import PredictiveValues
from howsure.questions.replication import Prediction
from howsure.questions.sensitivity import Sensitivity

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
