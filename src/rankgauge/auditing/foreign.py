"""A foreign function, called within limits: for one call, for all calls together, and for the number of crashes."""

from __future__ import annotations

import io
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from typing import Any

from rankgauge.auditing.callee import Callee, callable_of
from rankgauge.auditing.outcome import EMPTY, ENDED, KILLED, NAN, NO_NUMBER, TOO_SLOW, Outcome
from rankgauge.auditing.process import (
    WARM_UP,
    Child,
    EndedError,
    Interpreter,
    SlowError,
    fork,
    from_current_folder,
    imported,
    split_name,
)
from rankgauge.auditing.time_limit import time_limit
from rankgauge.errors import ParameterError
from rankgauge.rendering.language import Phrase

WINDOW = 32
"""Requests that are sent at a time; they fit into the buffer of a pipe."""
MAX_CRASHES = 20
MAX_SLOW = 3
"""Calls that crash or do not end before no more are made."""
FORM = Phrase("of the form package.module:function", "package.module:function 的形式")
NOT_IMPORTED = Phrase("FUNCTION: {module} cannot be imported: {error}", "函数：无法导入 {module}：{error}")
TIME_UP = Phrase("the time was up after {seconds:g} s", "总时限 {seconds:g} 秒已到")
CRASHED = Phrase("no more calls after {count} that ended the process", "{count} 次调用使进程结束后停止")
HUNG = Phrase("no more calls after {count} without an answer", "{count} 次调用没有结果后停止")


class Foreign:
    """A function in a process of its own, which is started again if it ends."""

    def __init__(self, function: Callable[..., Any] | str, timeout: float, total_timeout: float) -> None:
        self._function, self._timeout, self._total = function, timeout, total_timeout
        self._end = time.monotonic() + total_timeout
        self._importable = function if isinstance(function, str) else _name(function)
        self._forks = hasattr(os, "fork")
        self._child: Child | None = None
        self._local: Callee | None = None
        self._crashes = self._slow = 0
        self._warm = False
        self.printed = False
        """Whether anything was written to standard output or standard error."""
        self.stopped: Phrase | None = None
        """Why no more calls are made."""

    @property
    def name(self) -> str:
        """The name of the function."""
        if isinstance(self._function, str):
            return split_name(self._function)[1]
        return getattr(self._function, "__qualname__", None) or type(self._function).__name__

    @property
    def hangs(self) -> bool:
        """Whether no more calls are made since too many did not end."""
        return self._slow >= MAX_SLOW

    def forget_hangs(self) -> None:
        """Make calls again although others did not end, whose arguments mean something else to the function."""
        if self.hangs:
            self.stopped = None
        self._slow = 0

    @property
    def seconds_left(self) -> float:
        """Time for further calls."""
        return self._end - time.monotonic()

    def start(self) -> dict[str, Any]:
        """Start the process and return the description of the function."""
        if self._forks:
            self._child = fork(self._loaded, self._total)
        elif self._importable is not None:
            self._child = Interpreter(self._importable)
        else:
            self._local = Callee(self._function)
            return self._local.description()
        try:
            answer = self._child.receive(WARM_UP)
        except (EndedError, SlowError) as error:
            raise self._not_loaded(str(_ending(error, WARM_UP))) from None
        if "refused" in answer:
            raise ParameterError(tuple(answer["refused"]))
        if "failed" in answer:
            kind, message = answer["failed"]
            raise self._not_loaded(message if kind == "ModuleNotFoundError" else f"{kind}: {message}")
        self.printed |= answer["printed"]
        return answer

    def _loaded(self) -> Any:
        return from_current_folder(self._function) if isinstance(self._function, str) else self._function

    def _not_loaded(self, error: str) -> ParameterError:
        module = self.name if self._importable is None else split_name(self._importable)[0]
        return ParameterError(NOT_IMPORTED.fill(module=module, error=error))

    def calls(self, requests: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Outcome, dict[str, Any]] | None]:
        """Yield what each call gave, and the whole reply; None once no more calls are made.

        Requests are sent several at a time, since waiting for each costs more than most calls.
        """
        done = 0
        while done < len(requests):
            if self.stopped is None and self.seconds_left <= 0:
                self.stopped = TIME_UP.fill(seconds=self._total)
            if self.stopped is not None:
                yield None
                done += 1
                continue
            window = requests[done : done + (WINDOW if self._warm else 1)]
            for given in self._window(window):
                yield given
                done += 1

    def _window(self, requests: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Outcome, dict[str, Any]]]:
        """Yield what calls gave, up to one that ends the process."""
        if self._child is None and self._local is None:
            self.start()
        if self._child is not None:
            self._child.send(requests)
        for request in requests:
            limit = max(min(self._timeout, self.seconds_left), 0.0)
            try:
                reply = self._reply(request, limit)
            except (EndedError, SlowError) as error:
                self._child = None
                if isinstance(error, SlowError) and limit < self._timeout:  # cut short by the time for all calls
                    return
                if not self._try_interpreter(error):
                    yield Outcome("fault", text=_ending(error, limit)), {}
                return
            self._warm = True
            self.printed |= reply.get("printed", False)
            yield self.outcome(reply), reply

    def _reply(self, request: Mapping[str, Any], limit: float) -> dict[str, Any]:
        if self._child is not None:
            return self._child.receive(limit)
        if self._local is None:  # it could not be started
            raise EndedError(1)
        written = io.StringIO()
        with redirect_stdout(written), redirect_stderr(written), time_limit(limit):
            reply = self._local.answer(request)
        return reply | {"printed": bool(written.getvalue())}

    def _try_interpreter(self, error: EndedError | SlowError) -> bool:
        """Count a crash or a call without an end; return whether a new interpreter should try the call again.

        A fork that does not answer may lack the threads of a library.
        """
        if isinstance(error, SlowError):
            if self._forks and self._importable is not None:
                self._forks = False
                return True
            self._slow, self._warm = self._slow + 1, True
            self.stopped = HUNG.fill(count=self._slow) if self._slow >= MAX_SLOW else None
        else:
            self._crashes, self._warm = self._crashes + 1, False
            self.stopped = CRASHED.fill(count=self._crashes) if self._crashes >= MAX_CRASHES else None
        return False

    def outcome(self, reply: Mapping[str, Any]) -> Outcome:
        """Return what a reply says."""
        match reply["kind"]:
            case "value":
                return Outcome("value", reply["value"])
            case "nan":
                return Outcome("fault", text=NAN)
            case "empty":
                return Outcome("fault", text=EMPTY)
            case "no number":
                return Outcome("fault", text=NO_NUMBER.fill(kind=reply["text"]))
            case "slow":
                return Outcome("fault", text=TOO_SLOW.fill(seconds=self._timeout))
        text = Phrase(*reply["texts"]) if "texts" in reply else reply["text"]
        return Outcome(reply["kind"], text=text)

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            self._child.end()
            self._child = None


def _ending(error: EndedError | SlowError, limit: float) -> Phrase:
    """Return how a process ended."""
    if isinstance(error, SlowError):
        return TOO_SLOW.fill(seconds=round(limit, 3))
    if error.code >= 0:
        return ENDED.fill(code=error.code)
    name = str(-error.code)
    with suppress(ValueError):
        name = signal.Signals(-error.code).name
    return KILLED.fill(signal=name)


def _name(function: Any) -> str | None:
    """Return the name under which a new interpreter can import a function; None if there is none."""
    name = f"{getattr(function, '__module__', None)}:{getattr(function, '__qualname__', '')}"
    if name.startswith(("None:", "__main__:")) or "<" in name:
        return None
    with suppress(Exception):
        return name if imported(name) is function else None
    return None


def check_function(function: Any) -> None:
    """Raise an error unless a function or its name can be called at all."""
    if not isinstance(function, str):
        if not isinstance(function, type):
            callable_of(function)
        return
    if not all(split_name(function)):
        raise ParameterError.of(("FUNCTION", "函数"), function, FORM)
