"""Rates that differ between sites: populations of one rate, and of sensitivity and specificity together."""
