"""Progress on a terminal: a bar that fits, tells the rest of the time, and disappears."""

import io
import re
import time

import pytest

import rankgauge as rg
from rankgauge.rendering import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_shows_the_share_the_rest_of_the_time_and_the_queries():
    bar = progress.Bar("run.txt", 200_000_000)
    bar._count, bar._queries = 50_000_000, 1
    assert bar.line(3.0) == "run.txt  [########----------------------]  50.0/200.0 MB  9 s left  1 query"
    unknown = progress.Bar("pipe", None)
    unknown._count = 1_500_000
    assert unknown.line(2.0) == "pipe  1.5 MB  2 s"
    assert progress.Bar("empty", 0).line(0.0) == "empty  0.0 MB  0 s"


@pytest.mark.parametrize("name", ["run.txt", "r\x1b[31mun\u202e.txt", "一个名字很长的排序结果文件" * 4 + ".txt"])
def test_a_bar_fits_the_line_and_is_removed(tmp_path, monkeypatch, name):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress, "INTERVAL", 0)
    monkeypatch.setenv("COLUMNS", "60")
    lines = "".join(f"{q} Q0 d{d} 1 {9 - d} t\n" for q in range(50) for d in range(9))
    (tmp_path / name).write_text(lines)
    rg.evaluate({str(q): {"d1": 1} for q in range(50)}, tmp_path / name, "AP", progress=True)
    shown = terminal.getvalue()
    states = [state.removesuffix("\x1b[K") for state in shown.split("\r") if state]
    assert any("#" in state or len(name) > 40 for state in states)
    assert states[-1] == ""
    for state in states:
        assert state.isprintable()
        assert progress.cell_width(state) < 60


def test_no_bar_without_a_terminal(tmp_path, capsys):
    (tmp_path / "run").write_text("q Q0 a 1 1 t\n")
    rg.evaluate({"q": {"a": 1}}, tmp_path / "run", "AP", progress=True)
    assert capsys.readouterr().err == ""


def test_long_work_shows_a_clock_and_removes_it(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    clock = progress.Clock()
    clock.start("working")
    while "working" not in terminal.getvalue():
        time.sleep(0.01)
    clock.stop()
    assert re.fullmatch(r"(\rworking \d+ s )+\r\x1b\[K", terminal.getvalue())
    clock.stop()
    assert terminal.getvalue().count("\x1b[K") == 1
