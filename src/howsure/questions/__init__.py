"""What people ask of one posterior: patients, replications, deception, priors; each answer a frozen record."""

from howsure.questions.asked import Asked
from howsure.questions.frequencies import NaturalFrequencies
from howsure.questions.methods import Questions
from howsure.questions.patient import PostTest, post_test

__all__ = ["Asked", "NaturalFrequencies", "PostTest", "Questions", "post_test"]
