"""Estimates: what samples, logs and behaviour tell about numbers that nobody could observe."""
