"""Probabilities held against outcomes: cells of equal forecasts, isotonic curves, bands, recalibration."""
