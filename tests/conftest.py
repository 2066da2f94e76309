"""Shared by all tests: the modules beside them can be imported, a steady environment, and the example as files."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from rankgauge import example

sys.path.insert(0, str(Path(__file__).parent))

collect_ignore = [] if find_spec("torch") else ["counting_cases.py", "two_processes.py"]  # programs that import it
collect_ignore += [] if find_spec("resource") else ["fuzz/worker.py"]  # Windows has no limits of resources

settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")


@pytest.fixture(autouse=True)
def _in_english_without_a_terminal(monkeypatch):
    for name in ("COLUMNS", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")


@pytest.fixture
def example_folder(tmp_path, monkeypatch):
    """A folder with the built-in example as files, where the test runs."""
    for name, text in example.files().items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def spark():
    """A session of Spark in this process; its Java stays for the next module."""
    from clusters import session
    from optional import needs

    needs("pyspark")
    one = session("local[2]")
    yield one
    one.stop()
