"""Cases that come in units: folds of a cross-validation, groups, repeats."""
