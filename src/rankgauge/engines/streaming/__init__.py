"""Metrics of batches, in constant memory."""
