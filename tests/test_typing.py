"""The public API has the types that editors show: mypy and pyright check code as users write it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import typed_examples

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src"
PYRIGHT = Path(sys.prefix, "node_modules", ".bin", "pyright")


def checked(*command, **environment):
    return subprocess.run(
        [*map(str, command), str(HERE / "typed_examples.py")],
        capture_output=True,
        text=True,
        check=False,
        cwd=HERE.parent,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("example", typed_examples.EXAMPLES)
def test_the_examples_run(example):
    example()


def test_mypy_accepts_the_examples():
    pytest.importorskip("mypy", reason="mypy is not installed: pip install --group lint")
    result = checked(sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", MYPYPATH=str(SOURCE))

    assert result.returncode == 0, result.stdout + result.stderr


def test_pyright_accepts_the_examples(tmp_path):
    if shutil.which("node") is None or not PYRIGHT.exists():
        pytest.skip("pyright is not installed: scripts/setup test installs it where npm is available")
    settings = tmp_path / "pyrightconfig.json"
    options = {"extraPaths": [str(SOURCE)], "reportUnnecessaryTypeIgnoreComment": True}
    settings.write_text(json.dumps({"include": [str(HERE / "typed_examples.py")], **options}))
    command = [str(PYRIGHT), "--project", str(settings), "--pythonpath", sys.executable]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout + result.stderr
