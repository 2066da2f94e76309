"""An environment for each group of tools that can live together."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

BARE = " --no-deps"
"""After the name of a package that is installed without what it depends on."""
ROOT = Path(__file__).parent.parent


def python_of(name: str) -> Path:
    """The interpreter of an environment."""
    return ROOT / f".venv-parity-{name}" / "bin" / "python"


def make(name: str, packages: Sequence[str]) -> dict[str, str]:
    """Make an environment where it is not there; answers which packages could not be installed, and why."""
    folder = ROOT / f".venv-parity-{name}"
    stamp = folder / "ready"
    wanted = hashlib.sha256("\n".join(packages).encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return {}
    if not python_of(name).exists():
        venv.create(folder, with_pip=True)
    together = [package for package in packages if not package.endswith(BARE)]
    failed = {}
    if install(name, together):  # whatever can be had, what is pinned first; the table says what is missing
        pinned = [package for package in together if "==" in package]
        failed = {package: why for package in pinned if (why := install(name, [package]))}
        had = [package for package in pinned if package not in failed]
        others = [package for package in together if package not in pinned]
        failed |= {package: why for package in others if (why := install(name, [*had, package]))}
    for package in set(packages) - set(together):
        if why := install(name, ["--no-deps", package.removesuffix(BARE)]):
            failed[package] = why
    if not failed:
        stamp.write_text(wanted)
    return failed


def install(name: str, packages: Sequence[str]) -> str:
    """Install packages together; the last line of the complaint where that fails."""
    command = [str(python_of(name)), "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages]
    print(f"{name}: pip install {' '.join(packages)}", file=sys.stderr, flush=True)
    done = subprocess.run(["nice", *command], capture_output=True, text=True, check=False)  # noqa: S607 (nice is where the system has it)
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return lines[-1].removeprefix("ERROR: ") if lines else "pip failed"
