"""Scores and thresholds: weighted curves, their areas and their bands."""
