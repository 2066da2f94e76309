"""Findings that can change a conclusion, as warnings of Python."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from rankgauge.errors import DataWarning
from rankgauge.inputs.codes import page_of
from rankgauge.inputs.findings import Findings

_PACKAGE = str(Path(__file__).parents[1])


def warn_about(findings: Findings) -> None:
    """Warn about every finding that should be checked, at the line of the caller's own code.

    Python shows a warning once for each place and text, so a loop does not repeat it.

    >>> findings = Findings()
    >>> findings.add("RG408", "a1")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_about(findings)
    >>> print(caught[0].message)
    no item in common; a1 [RG408]; write the items of both sides the same way (more: rankgauge codes RG408)
    """
    for finding in findings:
        if finding.severity == "warning":
            code = finding.code
            text = f"{findings.line(finding, 'en')} [{code}]; {finding.remedy.en} (more: {page_of(code, 'en')})"
            warnings.warn(DataWarning(text, code), stacklevel=_callers_level())


def _callers_level() -> int:
    """Return the stack level of the first caller outside this package, as ``warn_about`` passes it to ``warn``."""
    level, frame = 1, sys._getframe(1)  # noqa: SLF001 (Python 3.11 has no skip_file_prefixes)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
