"""trec_eval: NIST's program, taken from the jar of Anserini that pyserini contains; one call for all worlds."""

from __future__ import annotations

import platform
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from functools import cache
from importlib.metadata import files
from pathlib import Path
from typing import Any

from trec_files import each_query, printed_for

from worlds import World

PROGRAMS = {"Linux-x86_64": "trec_eval-linux-amd64", "Darwin-x86_64": "trec_eval-macosx-x86_64"}


def values(worlds: Sequence[World], metrics: Sequence[str]) -> dict[str, Any]:
    """Return a value for each query for metrics such as ``ndcg_cut_5``; None for topics without results."""
    printed = printed_for(worlds, program(), "-q", "-m", "all_trec", "-m", "success.5", "-m", "gm_map")
    found: dict[str, dict[int, float]] = {metric: {} for metric in metrics}
    for line in printed.splitlines():
        name, topic, value = line.split()
        if name in found and topic != "all":
            found[name][int(topic)] = float(value)
    return {metric: each_query(worlds, answer) for metric, answer in found.items()}


def version() -> str:
    """Return the version that the program prints."""
    printed = subprocess.run([program(), "-v"], capture_output=True, text=True, check=True)
    return (printed.stdout + printed.stderr).split()[-1]


FOLDER = tempfile.TemporaryDirectory()
"""Holds the program until the process ends."""


@cache
def program() -> str:
    """Extract the program for this system; return its path."""
    name = PROGRAMS[f"{platform.system()}-{platform.machine()}"]
    jar = next(path for path in files("pyserini") or () if path.suffix == ".jar")
    with zipfile.ZipFile(str(jar.locate())) as archive:
        member = next(entry for entry in archive.namelist() if entry.endswith(name))
        path = Path(archive.extract(member, FOLDER.name))
    path.chmod(0o700)
    return str(path)
