"""Libraries that a test may skip without."""

import os
from importlib import import_module

import pytest


def needs(name):
    """Import a library or skip the test; under ``make test``, which installs all of them, a missing one is an error."""
    return import_module(name) if os.environ.get("RANKGAUGE_COMPLETE") else pytest.importorskip(name)
