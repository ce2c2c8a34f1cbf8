"""Highest-density intervals: of a law with a density, of draws, of many Betas at once."""
