"""Mutants that no test can kill, each with the reason why it changes no result; they are listed in ``equivalent.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path

Key = tuple[str, str, str]
"""File, line before and line after: an entry stays valid when lines move."""


def reasons() -> dict[Key, str]:
    """The reason for each mutant that is listed."""
    entries = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text(encoding="utf-8"))["mutants"]
    return {
        (entry["file"], old, new): entry["reason"]
        for entry in entries
        for old, *changes in entry["lines"]
        for new in changes
    }
