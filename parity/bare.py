"""Import a module of a package without the package's own ``__init__``, which would need models and databases."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


def import_bare(name: str) -> ModuleType:
    """Import a module; of the packages that contain it nothing is executed."""
    packages = name.split(".")[:-1]
    for length in range(1, len(packages) + 1):
        skip_init(".".join(packages[:length]))
    return import_module(name)


def skip_init(package: str) -> None:
    """Make the modules of a package importable without executing the package."""
    if package not in sys.modules:
        module = ModuleType(package)
        module.__path__ = [*find_spec(package).submodule_search_locations]
        sys.modules[package] = module
