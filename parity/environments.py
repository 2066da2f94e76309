"""Create virtual environments, one for each group of compatible tools."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

BARE = " --no-deps"
"""Option of packages that are installed without dependencies; other options of pip may follow it."""
BASE = "@"
"""Prefix of the name of another environment whose packages can be imported, too; own packages come first."""
ROOT = Path(__file__).parent.parent
FOLDER = Path(os.environ.get("PARITY_ENVIRONMENTS", ROOT))
"""Where the environments are created."""


def python_of(name: str) -> Path:
    """Return the interpreter of an environment."""
    return FOLDER / f".venv-parity-{name}" / "bin" / "python"


def make(name: str, groups: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Create an environment if needed; return the packages that could not be installed, with the reason."""
    packages = [package for package in groups[name] if not package.startswith(BASE)]
    bases = [package.removeprefix(BASE) for package in groups[name] if package.startswith(BASE)]
    failed = {package: why for base in bases for package, why in make(base, groups).items()}
    folder = FOLDER / f".venv-parity-{name}"
    stamp = folder / "ready"
    digest = hashlib.sha256("\n".join(groups[name]).encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return failed
    if not python_of(name).exists():
        venv.create(folder, with_pip=True)
    for base in bases:
        path = next((FOLDER / f".venv-parity-{base}").glob("[Ll]ib/**/site-packages"))
        next(folder.glob("[Ll]ib/**/site-packages")).joinpath("base.pth").write_text(f"{path}\n")
    missing = install_all(name, packages)
    if not missing:
        stamp.write_text(digest)
    return failed | missing


def install_all(name: str, packages: Sequence[str]) -> dict[str, str]:
    """Install what is available, pinned packages first; return the rest with the reason."""
    together = [package for package in packages if BARE not in package]
    failed = {}
    if together and install(name, together):
        pinned = [package for package in together if "==" in package]
        failed = {package: why for package in pinned if (why := install(name, [package]))}
        installed = [package for package in pinned if package not in failed]
        others = [package for package in together if package not in pinned]
        failed |= {package: why for package in others if (why := install(name, [*installed, package]))}
    for package in packages:
        if BARE in package and (why := install(name, package.split())):
            failed[package] = why
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
