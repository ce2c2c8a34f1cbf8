"""Kinds of knowledge: what data say about metrics of one contender or several, behind one protocol."""
