"""Metrics of a 2 x 2 table whose prevalence is uncertain too."""
