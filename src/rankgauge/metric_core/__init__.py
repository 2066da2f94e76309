"""What every metric is made of: declaration, notation, sums, explanation."""
