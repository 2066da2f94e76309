"""What differs on Windows: paths, encodings of files and consoles, signals, closed pipes and old terminals."""

import errno
import json
import os
import re
import threading
from pathlib import Path

import pytest

import rankgauge as rg
from command_line import here
from rankgauge import cli
from rankgauge.auditing import time_limit

QRELS, RUN = "功夫 0 a 1\r\n功夫 0 b 0\r\n", "功夫 Q0 b 1 2.0 x\r\n功夫 Q0 a 2 1.0 x\r\n"
DRIVE = "C:\\data\\"


def written(folder, encoding):
    """Two files as a Windows program writes them."""
    (folder / "qrels.txt").write_bytes(QRELS.encode(encoding))
    (folder / "run.txt").write_bytes(RUN.encode(encoding))
    return folder / "qrels.txt", folder / "run.txt"


@pytest.mark.skipif(os.name == "nt", reason="there, these are paths of another folder")
def test_a_path_with_a_drive_and_backslashes_is_a_path(tmp_path, monkeypatch):
    """Not a named ranking, a pattern, an option text or an address."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("qrels.txt", QRELS), ("run.txt", RUN), ("log.csv", "user,item\n功夫,a\n")):
        (tmp_path / f"{DRIVE}{name}").write_bytes(text.encode())
    for named, name in ((f"new={DRIVE}run.txt", "new"), (f"{DRIVE}run.txt", f"{DRIVE}run")):
        result = here("eval", f"{DRIVE}qrels.txt", named, "-m", "RR", "-t", "json")
        data = json.loads(result.out)
        assert {system: values["mean"] for system, values in data["systems"].items()} == {name: {"RR": 0.5}}
    side = f"training={DRIVE}log.csv"
    result = here("eval", f"{DRIVE}qrels.txt", f"{DRIVE}run.txt", "-m", "Novelty@1", "--side-information", side)
    assert result.code == 0, result.err
    assert rg.evaluate(f"{DRIVE}qrels.txt", f"{DRIVE}run.txt", "RR").mean("RR") == 0.5


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_windows_line_ends_and_byte_order_marks_are_accepted(encoding, tmp_path):
    assert rg.evaluate(*written(tmp_path, encoding), "RR").per_query("RR") == {"功夫": 0.5}


@pytest.mark.parametrize(
    ("encoding", "reason"), [("gb18030", "not UTF-8 text"), ("utf-16", "UTF-16 text"), ("utf-32", "UTF-32 text")]
)
def test_another_encoding_is_named_with_a_remedy_that_fits(encoding, reason, tmp_path):
    """The remedy was to convert from Latin-1, which turns Chinese ids into others without an error."""
    result = here("eval", *written(tmp_path, encoding), "-m", "RR")

    assert result.code == 3
    assert reason in result.err
    assert "save it as UTF-8" in result.err
    assert "GB18030" in result.err


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "gbk", "ascii"])
@pytest.mark.parametrize("language", ["en_US.UTF-8", "zh_CN.UTF-8"])
def test_a_console_of_any_code_page_shows_results(encoding, language, monkeypatch):
    """Chinese needs a console that has its characters: escapes would be unreadable."""
    monkeypatch.setenv("LANG", language)
    result = here("compare", "judgments.csv", "keywords.csv", "embeddings.csv", "-m", "nDCG@5", encoding=encoding)

    assert result.code == 0
    chinese = language.startswith("zh") and encoding == "gbk"
    assert ("查询" in result.out) == chinese
    assert ("queries" in result.out) != chinese


@pytest.mark.parametrize("to", ["md", "html", "latex"])
def test_redirected_output_is_utf_8(to):
    """Pages declare UTF-8; a redirection on Windows had the code page of the console."""
    result = here("explain", "3,2,0", "-m", "nDCG@3", "-t", to, "--lang", "zh")
    redirected = here("explain", "3,2,0", "-m", "nDCG@3", "-t", to, "--lang", "zh", encoding="latin-1")

    assert redirected.out.encode("latin-1").decode() == result.out


def test_a_call_is_stopped_without_alarm_signals():
    """Alarms need the main thread, and Windows has none: an audit waited for ever."""
    ended = []

    def wait():
        try:
            with time_limit.time_limit(0.05):
                while True:
                    pass
        except time_limit.TooSlowError:
            ended.append("stopped")

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    thread.join(20)

    assert ended == ["stopped"]


def test_a_call_that_is_quick_enough_is_not_stopped_later():
    values = []

    def work():
        with time_limit.time_limit(30):
            values.append(1)
        values.append(2)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(20)

    assert values == [1, 2]


def test_a_closed_pipe_is_not_an_error_on_windows(monkeypatch, capfd):
    """Windows reports the end of `rankgauge ... | more` as an invalid argument."""
    closed = OSError(errno.EINVAL, "Invalid argument")
    monkeypatch.setattr(cli.console, "WINDOWS", True)
    monkeypatch.setattr("rankgauge.cli.discard_output", lambda: None)

    assert cli._report(closed) == 141
    assert capfd.readouterr().err == ""
    assert not cli.console.is_closed_pipe(OSError(errno.EINVAL, "Invalid argument", "a file"))


@pytest.mark.parametrize(("terminal", "shown"), [({}, False), ({"WT_SESSION": "1"}, True), ({"TERM": "xterm"}, True)])
def test_colours_only_on_windows_terminals_that_support_them(terminal, shown, monkeypatch):
    class Terminal:
        @staticmethod
        def isatty():
            return True

    for name in ("TERM", "WT_SESSION", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in terminal.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(cli.console, "WINDOWS", True)

    assert cli.console.styled(Terminal()) is shown


def test_no_text_file_is_opened_in_the_code_page_of_the_system():
    """Windows would read and write cp1252 or cp936."""
    text_mode = re.compile(r"\.(?:read_text|write_text)\((?!self)|\bopen\((?!\))|\btext=True")
    without = [
        f"{path.name}: {line.strip()}"
        for path in Path(rg.__file__).parent.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if text_mode.search(line)
        and not re.search(r"encoding=|[rwxa]\+?b|os\.open|history\.open|def |# |webbrowser|tarfile|\"\"\"", line)
    ]
    assert without == []
