"""Is A better than B? Two classifiers, one metric: the difference, how sure it is, and what a wrong choice costs."""

from howsure.compare.comparison import ClassDifference, Comparison, Discordant, Loss
from howsure.compare.question import compare

__all__ = ["ClassDifference", "Comparison", "Discordant", "Loss", "compare"]
