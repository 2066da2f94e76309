"""A plugin of pytest: fewer examples of every Hypothesis test."""

from mutants.plugin import shorten


def pytest_collection_modifyitems(items):
    for item in items:
        shorten(item)
