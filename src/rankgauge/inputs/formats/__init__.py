"""File formats: one file and one registry row each."""
