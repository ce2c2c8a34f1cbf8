"""What groups and counts, and nothing else: columns in memory, data frames, DuckDB; one interface."""
