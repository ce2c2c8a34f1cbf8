"""Weighted sums of independent Dirichlet rows: their distribution function to the last digit."""
