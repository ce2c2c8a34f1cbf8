"""Tests that have not been made yet: what they will show, and how often they reach a goal."""
