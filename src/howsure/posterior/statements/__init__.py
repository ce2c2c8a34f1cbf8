"""Statements about several metrics at once, and their probability."""

from howsure.posterior.statements.grammar import Statement
from howsure.posterior.statements.probability import Probability, probability_of
from howsure.posterior.statements.statement_methods import Statements

__all__ = ["Probability", "Statement", "Statements", "probability_of"]
