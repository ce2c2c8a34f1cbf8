"""Counts and a prior give knowledge: the posterior, and the distribution of one number of it."""
