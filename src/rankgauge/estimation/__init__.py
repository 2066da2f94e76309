"""Estimates of quantities that were not observed: off-policy values, sampled metrics, a suitable cutoff."""
