"""Who is above whom among many: rank probabilities, and the luck of the best."""
