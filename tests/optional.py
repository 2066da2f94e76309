"""Libraries that not everybody has who runs a test."""

import os
from importlib import import_module

import pytest


def needs(name):
    """The library, or a skip where it is not installed; ``make test`` installs all, and its absence there is an error."""
    return import_module(name) if os.environ.get("RANKGAUGE_COMPLETE") else pytest.importorskip(name)
