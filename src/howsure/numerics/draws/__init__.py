"""Drawn tables: of one classifier, of several on the same cases, whole or by their non-empty cells."""
