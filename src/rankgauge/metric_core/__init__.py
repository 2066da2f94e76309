"""The core of metrics: declaration, notation, sums, explanation."""
