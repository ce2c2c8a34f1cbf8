"""Statements about several metrics at once, and their probability."""

from howsure.statements.grammar import Statement
from howsure.statements.methods import Statements
from howsure.statements.probability import Probability, probability_of

__all__ = ["Probability", "Statement", "Statements", "probability_of"]
