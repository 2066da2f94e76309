"""Checks that fail a build."""
