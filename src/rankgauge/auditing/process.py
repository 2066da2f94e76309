"""A process of its own for foreign code: its output, its time and its end do not reach the caller.

The process is a fork, so that lambdas, closures and functions of a notebook come along; where there are no forks, or a
fork does not answer because of a library with threads, it is a new interpreter that imports the function by its name. A
function that has no name is then called in this process.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

from rankgauge.auditing.callee import LIBRARIES, Callee
from rankgauge.errors import ParameterError, RankgaugeError, closest_text
from rankgauge.rendering.language import Phrase

WARM_UP = 60.0
"""Seconds for a call, or for an import, as long as modules are being imported."""
IMPORTING = b"{}\n"
"""What a process says while it imports modules."""
WATCH_SECONDS = 0.3
"""How often it looks."""
GRACE = 60
"""Seconds after its time is up at which the kernel ends a process that nobody waits for any more."""
NO_FUNCTION = Phrase("FUNCTION: {module} has no {path}{hint}", "函数：{module} 中没有 {path}{hint}")
DID_YOU_MEAN = Phrase("; did you mean {name!r}?", "；是否想用 {name!r}？")
INTERPRETER = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from rankgauge.auditing.process import main; main(sys.argv[2])"
)
BROKEN = 70
"""Exit code if the loop of a process itself fails."""


class EndedError(Exception):
    """The process ended; the code is that of ``subprocess``: negative for a signal."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class SlowError(Exception):
    """The process did not answer in time and was ended."""


class Child:
    """A process that answers one request after another."""

    def __init__(self, pid: int, requests: int, replies: int) -> None:
        self._pid, self._requests = pid, requests
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._reader = Thread(target=self._read, args=(replies,), name="rankgauge-audit", daemon=True)
        self._reader.start()

    def _read(self, replies: int) -> None:
        with os.fdopen(replies, "rb") as lines, suppress(OSError):
            for line in lines:
                self._answers.put(line)
        self._answers.put(b"")

    def receive(self, limit: float) -> dict[str, Any]:
        """Return the next answer; end the process if it takes longer than the limit, not counting imports."""
        latest = time.monotonic() + max(WARM_UP, limit)
        while True:
            try:
                line = self._answers.get(timeout=max(min(limit, latest - time.monotonic()), 0.0))
            except Empty:
                self.end()
                raise SlowError from None
            if not line.endswith(b"\n"):
                raise EndedError(self.end())
            if line != IMPORTING:
                answer: dict[str, Any] = json.loads(line)
                return answer

    def send(self, requests: Iterable[Mapping[str, Any]]) -> None:
        """Send requests, each of which will be answered; a process that has ended says so when it should answer."""
        with suppress(OSError):
            os.write(self._requests, b"".join(json.dumps(request).encode() + b"\n" for request in requests))

    def end(self) -> int:
        """End the process with everything that it started, and return its exit code."""
        with suppress(OSError):
            os.close(self._requests)
        return self._end()

    def _end(self) -> int:
        code = 0
        with suppress(ChildProcessError):
            done, status = os.waitpid(self._pid, os.WNOHANG)
            self._kill()
            if not done:
                _, status = os.waitpid(self._pid, 0)
            code = os.waitstatus_to_exitcode(status)
        self._reader.join()
        return code

    def _kill(self) -> None:
        for kill in (os.killpg, os.kill):  # the group does not exist before the process has made it
            with suppress(ProcessLookupError, PermissionError):
                kill(self._pid, signal.SIGKILL)


class Interpreter(Child):
    """A new interpreter, which imports the function."""

    def __init__(self, name: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 (this interpreter)
            [sys.executable, "-c", INTERPRETER, json.dumps(sys.path), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        pipes: tuple[Any, Any] = self._process.stdin, self._process.stdout
        super().__init__(self._process.pid, *(os.dup(pipe.fileno()) for pipe in pipes))
        for pipe in pipes:
            pipe.close()

    def _end(self) -> int:
        ended = self._process.poll()
        if os.name == "nt":
            self._process.kill()
        else:
            self._kill()
        code = self._process.wait()
        self._reader.join()
        return code if ended is None else ended


def fork(load: Callable[[], Any], seconds: float) -> Child:
    """Start a process that has everything of this one, and calls the function that ``load`` returns."""
    requests, ask = os.pipe()
    answers, replies = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a fork beside threads: a process that does not answer is ended
        pid = os.fork()
    if pid:
        os.close(requests)
        os.close(replies)
        return Child(pid, ask, answers)
    try:
        os.close(ask)
        os.close(answers)
        _separate(seconds)
        _serve(load, requests, replies)
    except BaseException:  # noqa: BLE001 (nothing may return into the code of the caller)
        os._exit(BROKEN)
    os._exit(0)


def _separate(seconds: float) -> None:
    """Leave the session and the signals of the caller; the kernel ends the process if nobody else does."""
    os.setsid()
    faulthandler.disable()  # it would write to a file of the caller
    with suppress(ValueError):  # not the main thread
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
    signal.alarm(int(seconds) + GRACE)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # its threads are not in a fork


def main(name: str) -> None:
    """Serve the function of a name, as a new interpreter."""
    requests, replies = os.dup(0), os.dup(1)
    _serve(lambda: from_current_folder(name), requests, replies)
    os._exit(0)


def split_name(name: str) -> tuple[str, str]:
    """Return the module, or the file, and the function of a name; pytest separates them by two colons.

    >>> split_name("package.module:function"), split_name("../metrics.py::recall")
    (('package.module', 'function'), ('../metrics.py', 'recall'))
    """
    module, _, path = name.replace("::", ":").rpartition(":")
    return module, path


def from_current_folder(name: str) -> object:
    """Return what a name says, with the current folder on the path."""
    sys.path.insert(0, "")
    return imported(name)


def _module(name: str) -> object:
    """Return a module; one that is named by its file finds what is beside it, or beside its package."""
    if not name.endswith(".py"):
        return import_module(name)
    file = Path(name).resolve()
    root = next(folder for folder in file.parents if not (folder / "__init__.py").is_file())
    sys.path.insert(0, str(root))
    spec: Any = spec_from_file_location(".".join(file.relative_to(root).with_suffix("").parts), file)
    module = module_from_spec(spec)
    sys.modules.setdefault(spec.name, module)
    spec.loader.exec_module(module)
    return module


def imported(name: str) -> Any:
    """Return what ``package.module:function`` or ``file.py:function`` names."""
    module, path = split_name(name)
    value: Any = _module(module)
    for part in path.split("."):
        if not hasattr(value, part):
            known = [each for each, thing in vars(value).items() if callable(thing)]
            close = closest_text(part, known, 0.5)
            hint = Phrase("", "") if close is None else DID_YOU_MEAN.fill(name=close)
            raise ParameterError(NO_FUNCTION.fill(module=module, path=path, hint=hint))
        value = getattr(value, part)
    return value


def _serve(load: Callable[[], Any], requests: int, replies: int) -> None:
    """Answer requests until there are no more."""
    output = _contained_output()
    callee: Callee | None = None

    def reply(answer: dict[str, Any]) -> None:
        os.write(replies, json.dumps(answer | {"printed": _drain(output)}).encode() + b"\n")

    try:
        callee = Callee(load())
        reply(callee.description())
    except RankgaugeError as error:
        reply({"refused": [*error.texts]})
    except BaseException as error:  # noqa: BLE001 (an import may raise anything)
        reply({"failed": describe(error)})
    with os.fdopen(requests, "rb") as lines:
        for place, line in enumerate(lines):
            if callee is not None:
                request = json.loads(line)
                library = request["way"].partition("/")[0]
                imports = place == 0 or (library in LIBRARIES and library not in sys.modules)
                with _import_watch(replies) if imports else nullcontext():
                    answer = callee.answer(request)
                reply(answer)


@contextmanager
def _import_watch(replies: int) -> Iterator[None]:
    """Say that modules are being imported while they are: a function may import what it needs when it is called."""
    done = Event()

    def watch() -> None:
        known = len(sys.modules)
        while not done.wait(WATCH_SECONDS):
            if len(sys.modules) != known:
                known = len(sys.modules)
                os.write(replies, IMPORTING)

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def describe(error: BaseException) -> list[str]:
    """Return the class and the message of an exception."""
    try:
        return [type(error).__name__, str(error)]
    except BaseException:  # noqa: BLE001 (a foreign class may fail in its own __str__)
        return [type(error).__name__, ""]


def _contained_output() -> Any:
    """Send what this process and its children write to a file that disappears with it; they read nothing."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    output = tempfile.TemporaryFile("ab", buffering=0)  # noqa: SIM115 (as long as the process)
    for number in (1, 2):
        os.dup2(output.fileno(), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    return output


def _drain(output: Any) -> bool:
    """Return whether anything was written since the last call, and drop it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    size = os.fstat(output.fileno()).st_size
    if size:
        os.ftruncate(output.fileno(), 0)
    return size > 0
