"""Shared by all tests: a steady environment, the example as files, and what a run leaves out and why."""

import os
import re
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from rankgauge import example

sys.path.insert(0, str(Path(__file__).parent))

collect_ignore = [] if find_spec("torch") else ["counting_cases.py", "two_processes.py"]  # programs that import it
collect_ignore += [] if find_spec("resource") else ["fuzz/worker.py"]  # Windows has no limits of resources

settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
settings.load_profile("steady")

OPTIONAL = (
    "duckdb", "h5py", "jax", "keras", "lightgbm", "lightning", "mlflow", "pyspark", "sentence_transformers", "sklearn",
    "torch", "torchmetrics", "xgboost",
)  # fmt: skip
IMPORTED = re.compile(rf"(?:^|\s)(?:import|from)\s+({'|'.join(OPTIONAL)})\b|\brg\.({'|'.join(OPTIONAL)})\.")
QUICK, COMPLETE = (bool(os.environ.get(name)) for name in ("RANKGAUGE_QUICK", "RANKGAUGE_COMPLETE"))
PASSED = os.environ.get("RANKGAUGE_PASSED")
"""A file to which `make test` writes the tests that passed, so that `make test-all` need not run them again."""
SLOW = {
    f"{file}::{name}"
    for line in Path(__file__).with_name("slow.txt").read_text(encoding="utf-8").splitlines()[1:]
    for file, _, names in [line.partition(":")]
    for name in names.split()
}
ASKS_FOR_LIBRARIES = re.compile(r"from (optional|devices|browser|clusters) import|find_spec|importorskip")
NOT_INSTALLED = re.compile(r"could not import '(\w+)|(\w+) is not installed")


def pytest_collection_modifyitems(items):
    """Skip slow tests in a quick run, and examples that import what is not installed; `make test-all` runs everything."""
    if COMPLETE and PASSED:
        passed_before = {*Path(PASSED).read_text(encoding="utf-8").splitlines()}
        items[:] = [item for item in items if item.nodeid not in passed_before or is_to_be_run_again(item)]
    for item in items:
        if QUICK and f"{item.path.name}::{item.name.partition('[')[0]}" in SLOW:
            item.add_marker(pytest.mark.skip(reason="slow (tests/slow.txt)"))
    if COMPLETE:
        return
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            source = "".join(example.source for example in item.dtest.examples)
            names = {one or other for one, other in IMPORTED.findall(source)}
            missing = sorted(name for name in names if find_spec(name) is None)
            if missing:
                item.add_marker(pytest.mark.skip(reason=f"{missing[0]} is not installed"))


def is_to_be_run_again(item):
    """Whether a test that passed in a quick run says more in a complete one: more examples, or more libraries."""
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        return True
    return item.path.suffix == ".py" and bool(ASKS_FOR_LIBRARIES.search(item.path.read_text(encoding="utf-8")))


def pytest_runtest_logreport(report):
    """Write down what passed, once: workers report to the main process."""
    if PASSED and not COMPLETE and "PYTEST_XDIST_WORKER" not in os.environ and report.when == "call" and report.passed:
        with Path(PASSED).open("a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")


def pytest_terminal_summary(terminalreporter):
    """Say what was left out; a file that was skipped as a whole counts as one."""
    reasons = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        named = NOT_INSTALLED.search(reason)
        reasons[next(filter(None, named.groups())) if named else reason.removeprefix("Skipped: ")] += 1
    if reasons:
        terminalreporter.write_line(f"left out: {reasons.total()} tests or files")
        for reason, count in reasons.most_common():
            terminalreporter.write_line(f"{count:6}  {reason}")


@pytest.fixture(autouse=True)
def _in_english_without_a_terminal(monkeypatch):
    for name in ("COLUMNS", "LC_ALL", "LC_MESSAGES", "RANKGAUGE_HISTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")


@pytest.fixture
def example_folder(tmp_path, monkeypatch):
    """A folder with the built-in example as files, where the test runs."""
    for name, text in {**example.files(judge=True), "results.csv": example.results_file()}.items():
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
