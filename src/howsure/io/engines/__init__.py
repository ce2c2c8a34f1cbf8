"""What groups and counts, and nothing else: rows in Python, arrays, DuckDB, data frames."""
