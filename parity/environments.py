"""Create virtual environments, one for each group of compatible tools."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

BARE = " --no-deps"
"""Option of packages that are installed without dependencies; other options of pip may follow it."""
ROOT = Path(__file__).parent.parent


def python_of(name: str) -> Path:
    """Return the interpreter of an environment."""
    return ROOT / f".venv-parity-{name}" / "bin" / "python"


def make(name: str, packages: Sequence[str]) -> dict[str, str]:
    """Create an environment if needed; return the packages that could not be installed, with the reason."""
    folder = ROOT / f".venv-parity-{name}"
    stamp = folder / "ready"
    digest = hashlib.sha256("\n".join(packages).encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return {}
    if not python_of(name).exists():
        venv.create(folder, with_pip=True)
    together = [package for package in packages if BARE not in package]
    failed = {}
    if together and install(name, together):  # install what is available, pinned packages first
        pinned = [package for package in together if "==" in package]
        failed = {package: why for package in pinned if (why := install(name, [package]))}
        installed = [package for package in pinned if package not in failed]
        others = [package for package in together if package not in pinned]
        failed |= {package: why for package in others if (why := install(name, [*installed, package]))}
    for package in packages:
        if BARE in package and (why := install(name, package.split())):
            failed[package] = why
    if not failed:
        stamp.write_text(digest)
    return failed


def install(name: str, packages: Sequence[str]) -> str:
    """Install packages together; return the last line of the error, if any."""
    command = [str(python_of(name)), "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages]
    print(f"{name}: pip install {' '.join(packages)}", file=sys.stderr, flush=True)
    done = subprocess.run(["nice", *command], capture_output=True, text=True, check=False)  # noqa: S607 (found on the PATH)
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return lines[-1].removeprefix("ERROR: ") if lines else "pip failed"
