"""Optional dependencies: one sentence that names what is missing and the command that installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rankgauge.errors import MissingExtraError

DISTRIBUTIONS = {"sklearn": "scikit-learn", "array_api_compat": "array-api-compat", "backports": "backports.zstd"}
"""Packages whose name on PyPI is not the name that is imported."""


@contextmanager
def extra(name: str, feature: str = "") -> Iterator[None]:
    """Raise ``MissingExtraError`` where an import in the block fails; ``feature`` needs it, by default ``rg.<name>``.

    >>> with extra("zstd", "a Zstandard file"):
    ...     import not_installed
    Traceback (most recent call last):
    ...
    rankgauge.errors.MissingExtraError: a Zstandard file needs not_installed, which is not installed:
        pip install 'rankgauge[zstd]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in {"", "rankgauge"}:
            raise
        raise MissingExtraError(
            f"{feature or f'rg.{name}'} needs {DISTRIBUTIONS.get(package, package)}, which is not installed: "
            f"pip install 'rankgauge[{name}]'"
        ) from error
