"""Metrics in the form that training libraries call; the adapters compute nothing themselves."""
