"""Questions: each one file with its answer and its words, asked of any kind of knowledge."""
