"""Quality gate: conditions that fail a build."""
