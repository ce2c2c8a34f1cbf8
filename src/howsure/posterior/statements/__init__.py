"""Statements about several metrics at once, and their probability."""

from howsure.posterior.statements.grammar import Statement
from howsure.posterior.statements.probability import Probability

__all__ = ["Probability", "Statement"]
