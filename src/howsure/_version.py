"""The version of howsure, in one place."""

__version__ = "0.2.0"
