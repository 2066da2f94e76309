"""Statistics of paired values."""
