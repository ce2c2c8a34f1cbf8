"""How many cases: sample sizes, stopping rules, and what a test of a given size can show."""
