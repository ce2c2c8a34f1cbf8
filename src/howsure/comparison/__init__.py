"""Whether A is better than B, and may replace it: differences, the gate, and what further cases could change."""
