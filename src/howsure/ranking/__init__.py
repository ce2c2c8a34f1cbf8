"""Leaderboards: how sure the ranks are, and what follows from them."""
