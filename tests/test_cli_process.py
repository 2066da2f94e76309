"""The command line as real processes: pipes, terminals, locales, interruptions."""

import gzip
import json
import os
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from command_line import SOURCE, environment, here, process
from rankgauge.inputs.io.atomic_file import atomic_write
from registries import commands

fcntl, termios, pty = (pytest.importorskip(name) for name in ("fcntl", "termios", "pty"))  # not on Windows
BASH = shutil.which("bash") or "bash"
RANKGAUGE = f"{shlex.quote(sys.executable)} -m rankgauge"


def test_compressed_standard_input_is_read(example_folder):
    compressed = gzip.compress((example_folder / "keywords.csv").read_bytes())
    arguments = ("eval", "judgments.csv", "-", "-m", "AP", "-t", "jsonl", "-q")

    result = process(*arguments, cwd=example_folder, stdin=compressed, PYTHONIOENCODING="gbk", LC_ALL="C")

    rows = [json.loads(line) for line in result.stdout.decode("utf-8").splitlines()]
    assert [row["query"] for row in rows] == ["space opera", "功夫片", "heist", "all"]
    assert {row["system"] for row in rows} == {"stdin"}


@pytest.mark.parametrize(
    ("encoding", "there", "lacking"),
    [
        ("gbk", ["────", " · ", "功夫片"], ["\\u", "?"]),
        ("ascii", ["----", " | ", r"\u529f\u592b\u7247"], ["?"]),
        ("latin-1", ["----", " · "], ["?"]),
    ],
)
def test_output_is_limited_to_the_encoding_of_the_console(example_folder, encoding, there, lacking):
    result = process("eval", "judgments.csv", "keywords.csv", "-q", cwd=example_folder, PYTHONIOENCODING=encoding)

    text = result.stdout.decode(encoding)
    assert result.returncode == 0
    assert [piece for piece in there if piece not in text] == []
    assert [piece for piece in lacking if piece in text] == []


def test_the_c_locale_works(example_folder):
    changes = {"LC_ALL": "C", "PYTHONIOENCODING": "", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    result = process("eval", "judgments.csv", "keywords.csv", "-q", "-m", "AP", cwd=example_folder, **changes)

    assert result.returncode == 0
    assert b"\n--------" in result.stdout
    assert b"?" not in result.stdout


def on_a_terminal(arguments, cwd, columns=60, **changes):
    """What a process writes to a terminal of some width, and its exit code."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    child = subprocess.Popen(
        [sys.executable, "-m", "rankgauge", *arguments],
        stdin=follower, stdout=follower, stderr=follower, cwd=cwd, env=environment(TERM="xterm", **changes),
    )  # fmt: skip
    os.close(follower)
    seen = b""
    while select.select([leader], [], [], 30)[0]:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # the terminal is gone when the process is
            break
        if not piece:
            break
        seen += piece
    os.close(leader)
    return seen.decode().replace("\r\n", "\n"), child.wait(30)


def test_a_narrow_terminal_shows_whole_columns(example_folder):
    files = ["judgments.csv", "keywords.csv", "embeddings.csv"]

    text, code = on_a_terminal(
        ["eval", *files, "-m", "nDCG@10,AP,RR,P@10,R@100", "-q", "--no-progress", "--quiet"], example_folder
    )

    assert code == 0
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 60
    assert all(metric in text for metric in ("nDCG@10", "AP", "RR", "P@10", "R@100"))
    assert text.count("space opera") == 4  # two systems, two tables


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_are_used_only_on_terminals_that_support_them(example_folder, no_color, coloured):
    text, code = on_a_terminal(["eval", "judgments.csv", "nowhere.csv"], example_folder, NO_COLOR=no_color)

    assert code == 3
    assert ("\x1b[31merror\x1b[0m: nowhere.csv" in text) == coloured
    assert "error" in text


def test_process_substitution_can_be_read(example_folder):
    script = f"{RANKGAUGE} convert <(cat keywords.csv) --to tsv"

    result = subprocess.run(
        [BASH, "-c", script], capture_output=True, check=False, cwd=example_folder, env=environment()
    )

    assert (result.returncode, len(result.stdout.splitlines())) == (0, 16)


def test_a_closed_pipe_ends_quietly(example_folder):
    many = "".join(f"q{number},d,1\n" for number in range(20_000))
    (example_folder / "j.csv").write_text(f"query,item,grade\n{many}")
    (example_folder / "r.csv").write_text(f"query,item,score\n{many}")
    script = f"{RANKGAUGE} eval j.csv r.csv -m P@1 -q -t tsv --quiet | head -1; echo ${{PIPESTATUS[0]}}"

    result = subprocess.run(
        [BASH, "-c", script], capture_output=True, check=False, cwd=example_folder, env=environment()
    )

    assert result.stdout.splitlines() == [b"system\tquery\tmetric\tvalue\tconvention\tschema", b"141"]
    assert result.stderr == b""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_ends_at_once_and_leaves_nothing_half_written(example_folder, number, code):
    os.mkfifo(example_folder / "slow.csv")
    before = sorted(path.name for path in example_folder.iterdir())
    child = subprocess.Popen(
        [sys.executable, "-m", "rankgauge", "convert", "slow.csv", "-o", "out.csv", "--role", "ranking", "--format", "csv"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=example_folder, env=environment(),
    )  # fmt: skip
    with os.fdopen(os.open(example_folder / "slow.csv", os.O_RDWR), "wb", buffering=0) as slow:
        slow.write(b"query,item,score\n" + b"q,d,1\n" * 20_000)
        wait_until_read(slow)
        child.send_signal(number)
        begun = time.monotonic()
        out, err = child.communicate(timeout=20)

    assert (child.returncode, out, err) == (code, b"", b"")
    assert time.monotonic() - begun < 2
    assert sorted(path.name for path in example_folder.iterdir()) == before


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="the system has no files without a name")
def test_a_process_that_is_killed_leaves_no_temporary_file(tmp_path):
    script = """
import os, signal
from rankgauge.inputs.io.atomic_file import atomic_write
with atomic_write("out.csv") as file:
    file.write(b"x" * 100_000)
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment(), check=False)

    assert ended.returncode == -signal.SIGKILL
    assert [*tmp_path.iterdir()] == []


def test_a_file_is_complete_where_the_system_lacks_files_without_a_name(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr(os, "link", refuse)
        with atomic_write(tmp_path / "copied") as file:
            file.write(b"content")
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    with atomic_write(tmp_path / "named") as file:
        file.write(b"content")

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == dict.fromkeys(
        ("copied", "named"), b"content"
    )


def test_ctrl_c_is_handled_before_other_modules_are_loaded():
    """Python's own start and the search for the package are all that is left to interrupt with a traceback."""
    command = [sys.executable, "-S", "-X", "importtime", "-c", "import rankgauge"]
    ended = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(SOURCE)}, check=False
    )

    loaded = [line.rpartition("|")[2].strip() for line in ended.stderr.splitlines() if line.startswith("import time:")]
    after_start = loaded[loaded.index("rankgauge.command_start") + 1 :]
    assert {"typing", "enum", "contextlib", "rankgauge.errors"} & {*after_start}
    assert not {"typing", "enum", "signal", "re"} & {*loaded[: loaded.index("rankgauge.command_start")]}


def wait_until_read(pipe, limit=20):
    """Wait until the process has taken everything out of a pipe, and so is running."""
    deadline = time.monotonic() + limit
    while int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_ctrl_c_while_a_ranking_is_read(example_folder):
    os.mkfifo(example_folder / "slow.csv")
    child = subprocess.Popen(
        [sys.executable, "-m", "rankgauge", "eval", "judgments.csv", "slow.csv"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=example_folder, env=environment(),
    )  # fmt: skip
    with os.fdopen(os.open(example_folder / "slow.csv", os.O_RDWR), "wb", buffering=0) as slow:
        slow.write(b"query,item,score\nheist,Heat,1\n")
        wait_until_read(slow)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)

    assert (child.returncode, out, err) == (130, b"", b"")


def test_tracebacks_are_shown_only_on_request(example_folder, monkeypatch):
    missing = ("eval", example_folder / "judgments.csv", example_folder / "nowhere.csv")
    plain, debugged = here(*missing), here(*missing, "--debug")
    monkeypatch.setenv("RANKGAUGE_DEBUG", "1")

    assert (plain.code, debugged.code) == (3, 3)
    assert "Traceback" not in plain.err
    assert "Traceback" in debugged.err
    assert "Traceback" in here(*missing).err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell):
    script = here("completion", shell).out

    assert "_RANKGAUGE_COMPLETE" in script
    if shell == "bash":
        assert subprocess.run([BASH, "-n"], input=script.encode(), check=False, capture_output=True).stderr == b""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("rankgauge ev", "plain,eval"),
        ("rankgauge eval -m nd", "plain,nDCG"),
        ("rankgauge eval --convention trec_eval-9", "plain,trec_eval-9"),
        ("rankgauge eval --rule gain=ex", "plain,gain=exp2"),
        ("rankgauge eval j", "file,j"),
    ],
)
def test_completions(words, expected):
    shell = BashComplete(commands, {}, "rankgauge", "_RANKGAUGE_COMPLETE")
    _, *before, begun = words.split()

    assert expected in [f"{found.type},{found.value}" for found in shell.get_completions(before, begun)]


@pytest.mark.parametrize(
    ("command", "unneeded"),
    [
        (
            ["eval", "judgments.csv", "keywords.csv", "-t", "trec"],
            {"scipy", "rankgauge.comparison", "rankgauge.judging"},
        ),
        (
            ["report", "judgments.csv", "keywords.csv", "embeddings.csv", "-o", "report.html"],
            {"rankgauge.fusion", "rankgauge.history", "rankgauge.judging", "rankgauge.tuning"},
        ),
    ],
)
def test_a_command_imports_nothing_that_is_not_needed(command, unneeded, example_folder):
    code = (
        "import sys; from rankgauge.cli import run\n"
        f"code = run({[*command, '--quiet']})\n"
        f"loaded = {{'pandas', 'pyarrow', *{unneeded}}} & {{*sys.modules}}\n"
        "sys.exit(code or (repr(loaded) if loaded else 0))"
    )

    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, cwd=example_folder, env=environment()
    )

    assert (result.returncode, result.stderr) == (0, b"")


# Closed and full outputs


def shell(folder, script):
    """Run a line of bash in which ``rankgauge`` is the command; the exit codes of its parts, and both outputs."""
    body = f'rankgauge() {{ {RANKGAUGE} "$@"; }}; {script}'
    done = subprocess.run(
        [BASH, "-c", body], capture_output=True, check=False, cwd=folder, env=environment(), text=True
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("eval judgments.csv keywords.csv >&-", 3, "error: standard output: cannot be written: it is closed"),
        ("convert keywords.csv --to tsv >&-", 3, "error: standard output: cannot be written: [Errno 9] it is closed"),
        ("--help >&-", 3, "error: standard output: cannot be written: it is closed"),
        ("eval judgments.csv - <&-", 3, "error: <stdin>: cannot be read: standard input is closed"),
        ("eval judgments.csv nowhere.csv 2>&-", 3, ""),
        ("eval judgments.csv keywords.csv >/dev/full", 3, "error: standard output: cannot be written: No space left"),
        ("convert keywords.csv --to tsv >/dev/full", 3, "error: standard output: cannot be written: No space left"),
        (
            "eval judgments.csv keywords.csv -t csv -o /dev/full",
            3,
            "error: /dev/full: cannot be written: No space left",
        ),
    ],
)
def test_closed_and_full_streams_are_errors_that_name_them(example_folder, command, code, message):
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    status, _, err = shell(example_folder, f"rankgauge {command}")
    assert (status, message in err, "Traceback" in err) == (code, True, False), err


@pytest.mark.parametrize("to", ["csv", "jsonl", "parquet"])
def test_convert_ends_at_a_closed_pipe_like_other_commands(example_folder, to):
    rows = "".join(f"q,d{number},{number}\n" for number in range(20_000))
    (example_folder / "many.csv").write_text(f"query,item,score\n{rows}")
    script = f"rankgauge convert many.csv --to {to} | true; echo ${{PIPESTATUS[0]}}"
    assert shell(example_folder, script) == (0, "141\n", "")


def test_files_that_cannot_be_read_have_one_exit_code(example_folder, monkeypatch):
    monkeypatch.chdir(example_folder)
    (example_folder / "folder.csv").mkdir()
    empty = here("eval", "judgments.csv", "folder.csv")
    assert (empty.code, "folder.csv: the folder has no data" in empty.err) == (4, True)
    (example_folder / "secret.csv").touch(0o000)
    for name in ("nowhere.csv", *(["secret.csv"] if os.getuid() else [])):
        for command in (
            f"eval judgments.csv {name}",
            f"eval {name} keywords.csv",
            f"doctor {name}",
            f"convert {name} -o x.csv",
        ):
            result = here(*command.split())
            assert (result.code, f"{name}: cannot be read" in result.err) == (3, True), (command, result.err)


def test_pictures_are_not_written_to_the_file_of_the_report(example_folder):
    result = process(
        "report", "judgments.csv", "keywords.csv", "-o", "r.html", "--pictures", "r.html", cwd=example_folder
    )
    assert (result.returncode, b"--pictures r.html is also the file of --output" in result.stderr) == (2, True)
    assert not (example_folder / "r.html").exists()


@pytest.mark.parametrize("module", ["numpy", "click"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_command_loads_ends_it_as_later(example_folder, module, number):
    """A program that starts the command saw a death by the signal, and 130 or 143 a second later."""
    (example_folder / f"{module}.py").write_text(
        f"import os, time\nos.kill(os.getpid(), {int(number)})\ntime.sleep(20)\n"
    )
    path = os.pathsep.join([str(example_folder), str(SOURCE)])
    for start in (["-m", "rankgauge"], ["-c", "import sys; sys.argv[0] = '/bin/rankgauge'; import rankgauge.cli"]):
        result = subprocess.run(
            [sys.executable, *start], capture_output=True, check=False, env=environment(PYTHONPATH=path), timeout=15
        )
        assert (result.returncode, result.stderr) == (128 + number, b"")
    library = subprocess.run(
        [sys.executable, "-c", "import rankgauge.cli"],
        capture_output=True,
        check=False,
        env=environment(PYTHONPATH=path),
    )
    assert (b"KeyboardInterrupt" in library.stderr) == (
        number == signal.SIGINT
    )  # a program that uses the library decides for itself


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["compare", "judgments.csv", "keywords.csv", "embeddings.csv", "--alpha", "1e-320"], 2, "alpha must be"),
        (["eval", "judgments.csv", "keywords.csv", "--rule", "rel=" + "9" * 4400], 2, "rel must be a finite number"),
        (["eval", "judgments.csv", "keywords.csv", "--rule", "seed=" + "9" * 4400], 2, "seed must be a whole number"),
        (["eval", "judgments.csv", "keywords.csv", "-m", "P@" + "9" * 400], 2, "below 2^53"),
    ],
    ids=["alpha", "rule", "seed", "cutoff"],
)  # fmt: skip
def test_numbers_out_of_range_are_usage_errors(example_folder, monkeypatch, arguments, code, message):
    monkeypatch.chdir(example_folder)
    result = here(*arguments)
    assert (result.code, message in result.err, "bug" in result.err) == (code, True, False), result.err


def test_trec_eval_treats_a_depth_beyond_64_bits_as_unlimited(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 2 x\nq Q0 b 2 1 x\n")
    huge, plain = here("trec_eval", "-M", "18446744073709551616", "qrels", "run"), here("trec_eval", "qrels", "run")
    assert (huge.code, huge.out) == (0, plain.out)
