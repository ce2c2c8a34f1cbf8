"""Solving: quantiles, highest-density intervals, modes and smooth curves of any law."""
