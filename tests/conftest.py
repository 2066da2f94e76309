"""Shared by all tests: the modules beside them can be imported, and the example as files."""

import sys
from pathlib import Path

import pytest

from rankgauge import example

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def example_folder(tmp_path, monkeypatch):
    """A folder with the built-in example as files, where the test runs, in English and without a terminal."""
    for name, text in example.files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    return tmp_path
