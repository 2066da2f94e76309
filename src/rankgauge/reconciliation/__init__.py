"""Reconciliation: the value that each tool gives on the same data, and the rules that make them differ."""
