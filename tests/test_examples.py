"""The examples run as they are, from the command line and in both languages."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import rankgauge as rg

FOLDER = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        (
            "recommender.py",
            ["report.html"],
            [
                "leave one out",
                "RG504",
                "Grades: values from 3",
                "better than popularity on nDCG@10 by",
                "better than popularity on ItemCoverage@10 by",
                "300 queries resampled",
                "nDCG@10: cool",
            ],
        ),
        (
            "recommender.py",
            ["报告.md", "--lang", "zh"],
            ["留一法", "检查结果", "等级：数值从 3 起为等级 1", "的 ItemCoverage@10 比 popularity 好"],
        ),
    ],
)
def test_an_example_runs(name, arguments, words, tmp_path):
    result = subprocess.run(
        [sys.executable, "-W", "error", str(FOLDER / name), *arguments],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(Path(rg.__file__).parents[1])},
    )
    assert (result.returncode, result.stderr.decode()) == (0, "")
    assert [word for word in words if word not in result.stdout.decode("utf-8")] == []
    written = (tmp_path / arguments[0]).read_text(encoding="utf-8")
    assert "Miscalibration@10" in written
    assert written.startswith("<!DOCTYPE html>" if arguments[0].endswith(".html") else "#")


def test_the_rag_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["rag.py", str(tmp_path / "report.md")])
    runpy.run_path(str(FOLDER / "rag.py"), run_name="__main__")
    assert "units=rolled-up" in capsys.readouterr().out
    assert "AllHit@10" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_every_example_is_tested():
    assert sorted(path.name for path in FOLDER.glob("*.py")) == [
        "lightning_ranker.py",
        "rag.py",
        "recommender.py",
    ]  # the first in test_training.py
