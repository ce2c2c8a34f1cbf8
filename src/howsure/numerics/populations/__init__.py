"""Populations that are learned from their members: classes, entries of a board, slices, groups; and who ranks where."""
