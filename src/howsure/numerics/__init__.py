"""Array algorithms: arrays in, arrays out, importing nothing else of howsure."""
