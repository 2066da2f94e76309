"""Libraries and systems that a test may skip without."""

import os
from importlib import import_module

import pytest

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs signals or pipes of POSIX")
needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc of Linux")  # noqa: PTH110


def needs(name):
    """Import a library or skip the test; under ``make test-all``, which installs all of them, a missing one is an error."""
    return import_module(name) if os.environ.get("RANKGAUGE_COMPLETE") else pytest.importorskip(name)
