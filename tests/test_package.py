"""The wheel and the sdist: what they hold, what the package index shows of them, and that the wheel alone runs."""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

import rankgauge as rg
from optional import needs

pytestmark = pytest.mark.xdist_group("package")  # built once

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
RELATIVE_LINK = re.compile(r"\]\((?!https?://|#)[^)]*\)")


def run(*words, cwd=ROOT):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = subprocess.run([*map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with the wheel and the sdist."""
    needs("hatchling")
    needs("hatch_fancy_pypi_readme")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    [path] = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def metadata(wheel):
    with ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The Python of an environment with nothing but the wheel; dependencies come from the environment of the tests."""
    needs("pip")
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    python = folder / PROGRAMS / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel)
    [site] = {*folder.glob("lib/python*/site-packages"), *folder.glob("Lib/site-packages")}
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in source.glob("rankgauge/**/*") if path.is_file()}
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.startswith("rankgauge-")}

    assert names == {name for name in files if not name.endswith(".pyc")}
    assert {"rankgauge/py.typed", "rankgauge/reports/assets/page.css", "rankgauge/serve/assets/main.js"} <= names


def test_the_sdist_holds_what_the_tests_read(built):
    [path] = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    folders = ("tests", "docs", "examples", "parity", "partners", "benchmarks", "scripts")
    suffixes = (".py", ".md", ".toml", ".json", ".png")
    wanted = {
        found.relative_to(ROOT).as_posix()
        for folder in folders
        for found in ROOT.glob(f"{folder}/**/*")
        if found.is_file()
        and found.suffix in suffixes
        and "." not in {part[0] for part in found.parts[len(ROOT.parts) :]}
    }
    wanted = {name for name in wanted if not name.startswith("tests/artefacts/")}
    assert wanted - names == set()
    assert {"Makefile", "pyproject.toml", "README.zh-CN.md", "LICENSE", "CITATION.cff", "SECURITY.md"} <= names


def test_the_index_shows_licence_versions_and_every_extra(metadata):
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Version"] == rg.__version__
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert {*metadata.get_all("Provides-Extra")} == {
        name.replace("_", "-") for name in PROJECT["optional-dependencies"]
    }
    versions = [f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13, 14)]
    assert {*versions} <= {*metadata.get_all("Classifier")}


def test_the_page_of_the_index_has_no_link_that_leads_nowhere(metadata):
    """Relative links and images of the README do not exist on the index."""
    page = metadata.get_payload()

    assert RELATIVE_LINK.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert RELATIVE_LINK.findall(page) == []
    assert "pip install rankgauge" in page


def test_the_command_runs_from_the_wheel(installed, tmp_path):
    out = run(installed.with_name("rankgauge"), "demo", cwd=tmp_path)
    where = run(installed, "-c", "import rankgauge; print(rankgauge.__file__)", cwd=tmp_path)

    assert "nDCG" in out
    assert Path(where.strip()).is_relative_to(installed.parents[1])


def test_the_requirements_of_the_wheel_are_met(installed):
    """`pip check`, of this package only: the environment of the tests has many others."""
    code = (
        "from importlib.metadata import requires, version\n"
        "from packaging.requirements import Requirement\n"
        "for each in map(Requirement, requires('rankgauge')):\n"
        "    if each.marker is None or each.marker.evaluate({'extra': ''}):\n"
        "        assert each.specifier.contains(version(each.name), prereleases=True), each\n"
        "print('met')"
    )
    assert run(installed, "-c", code).strip() == "met"


def test_the_citation_names_the_version():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")

    assert f"\nversion: {rg.__version__}\n" in text
    assert f"\nlicense: {PROJECT['license']}\n" in text


def test_workflows_run_targets_of_the_makefile():
    if not (ROOT / ".github").is_dir():
        pytest.skip("an sdist has no workflows")
    targets = {*re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)}
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")]
    called = {name for text in texts for words in re.findall(r"- run: make (.+)", text) for name in words.split()}

    assert {"test", "test-all", "lint", "types", "test-latex", "test-lowest", "package", "site"} == called
    assert called <= targets


def test_every_slow_test_exists():
    lines = (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").splitlines()[1:]
    missing = [
        f"{file}::{name}"
        for file, _, names in (line.partition(":") for line in lines)
        for name in names.split()
        if f"def {name}(" not in (ROOT / "tests" / file).read_text(encoding="utf-8")
    ]
    assert missing == [], "rename or remove them in tests/slow.txt"


def test_laws_and_loops_of_metrics_are_part_of_the_quick_run():
    """A new metric that breaks a law, or differs from its loop, is noticed by the quick run."""
    slow = (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8")
    assert "test_laws.py" not in slow
    assert "test_ties.py" not in slow
    assert "test_kernel_equals_loop" not in slow


def test_setup_installs_everything_into_the_chosen_environment():
    """Packages of npm went to .venv whatever VENV was."""
    script = (ROOT / "scripts" / "setup").read_text(encoding="utf-8")
    commands = "".join(line for line in script.splitlines(keepends=True) if not line.startswith("#"))
    assert "venv=${VENV:-.venv}" in commands
    assert ".venv" not in commands.replace("venv=${VENV:-.venv}", "")
    assert '--prefix "$venv"' in commands


def test_a_complete_run_skips_what_a_quick_run_has_passed(tmp_path):
    """Tests with random examples are run again, with all of them."""
    passed = tmp_path / "passed"
    passed.touch()

    def run(**variables):
        command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "-vv", "tests/test_choose_k.py"]
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("RANKGAUGE", "PYTEST"))
        }
        return subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**environment, "RANKGAUGE_PASSED": str(passed), **variables},
        ).stdout

    quick, complete = run(RANKGAUGE_QUICK="1"), run(RANKGAUGE_COMPLETE="1")
    assert "test_k_from_clicks" in quick
    assert "test_the_choice_is_the_smallest_k_that_covers_the_share" in quick
    assert "test_k_from_clicks" not in complete
    assert "test_the_choice_is_the_smallest_k_that_covers_the_share" in complete
