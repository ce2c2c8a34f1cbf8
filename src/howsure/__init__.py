"""howsure."""
