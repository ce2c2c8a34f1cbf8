"""Ratios of two such sums: precision, F1, kappa at a stated prevalence."""
