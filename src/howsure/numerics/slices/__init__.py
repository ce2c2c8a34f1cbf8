"""Laws of thousands of slices at once: mixtures of Betas, sums of independent ones, and what is largest of all."""
