"""Build the wheel and the sdist, check them, and install both into empty environments; ``make package`` runs it.

The index must be able to show the metadata, all extras must resolve on every Python version, what is installed must not
be in conflict, and the tests must run from the sdist. Sizes are printed.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
SDIST_TESTS = ("tests/test_surface.py", "tests/test_cases.py", "tests/test_docs.py", "tests/test_extras.py")


def run(*words: str | Path, cwd: Path = ROOT) -> None:
    """Run a program, and stop at the first that fails."""
    print("+", *(str(word).removeprefix(f"{ROOT}{os.sep}") for word in words), flush=True)
    subprocess.run([str(word) for word in words], cwd=cwd, check=True, env=os.environ | {"PYTHONPATH": ""})


def build() -> tuple[Path, Path]:
    """Build the sdist, and the wheel from it; return both."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build")
    run(sys.executable, "-m", "twine", "check", "--strict", *sorted(DIST.iterdir()))
    [wheel], [sdist] = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    return wheel, sdist


def resolve_extras() -> None:
    """Let the resolver find versions of everything that all extras name, on every Python version."""
    names = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for version in PYTHONS:
        print(f"resolving {len(names)} extras on Python {version}", flush=True)
        options = ("--quiet", "--no-header", "--all-extras", "--python-version", version, "--output-file", os.devnull)
        run(sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", *options)


def try_installed(package: Path, folder: Path) -> None:
    """Install a wheel or an sdist with its dependencies into a new environment, and run the command from there."""
    environment = folder / package.suffix.strip(".")
    run(sys.executable, "-m", "venv", environment)
    python = environment / PROGRAMS / "python"
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", package)
    run(python, "-m", "pip", "check")
    run(environment / PROGRAMS / "rankgauge", "demo", cwd=folder)


def try_tests(sdist: Path, folder: Path) -> None:
    """Collect all tests from the sdist alone, and run some of them."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    [tree] = folder.glob("rankgauge-*")
    run(sys.executable, "-m", "venv", tree / ".venv")
    python = tree / ".venv" / PROGRAMS / "python"
    run(sys.executable, "-m", "uv", "pip", "install", "-q", "--python", python, "--group", "core", "-e", ".", cwd=tree)
    run(python, "-m", "pytest", "-q", "-n", "0", *SDIST_TESTS, cwd=tree)


def main() -> None:
    """Do all of it."""
    wheel, sdist = build()
    resolve_extras()
    with tempfile.TemporaryDirectory(prefix="rankgauge-package-") as folder:
        for package in (wheel, sdist):
            try_installed(package, Path(folder))
        try_tests(sdist, Path(folder))
    for package in (wheel, sdist):
        print(f"{package.name}: {package.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
