"""The server: a socket on this machine only, and a private folder that is removed at the end or at the next start."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from rankgauge.errors import ParameterError
from rankgauge.inputs.io.locks import lock
from rankgauge.rendering.language import Lang
from rankgauge.serve.app import Local
from rankgauge.serve.guard import Guard
from rankgauge.serve.sheet_file import SheetFile

HOST = "127.0.0.1"
SHUTDOWN_SECONDS = 2
"""Time that requests in progress have to finish at the end."""
PREFIX = "rankgauge-serve-"
LOCK = "server.lock"
"""A file in the folder that the server keeps locked while it runs."""


class ImpatientProtocol(H11Protocol):
    """HTTP/1.1 on connections that are closed if they wait for a request for too long, before or after the first."""

    idle_seconds = 10.0
    _check: asyncio.TimerHandle | None = None
    _idle: tuple[Any] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to watch the connection."""
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop watching it."""
        if self._check is not None:
            self._check.cancel()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Close the connection if it was waiting for the same request at the last check already."""
        waiting = self.cycle is None or self.cycle.response_complete
        if waiting and self._idle == (self.cycle,):
            self.transport.close()
            return
        self._idle = (self.cycle,) if waiting else None
        self._check = self.loop.call_later(self.idle_seconds, self._watch)


def serve(
    *,
    port: int,
    lang: Lang,
    limit: int,
    max_jobs: int,
    memory: int,
    on_start: Callable[[str, str], None],
    debug: bool = False,
    sheet: str | None = None,
) -> int:
    """Serve the page until a signal ends it; return the number of the signal.

    With a judging ``sheet`` that one is served, and its labels are written to a file beside it.
    ``on_start`` is called with the address, and with one that works once, for a browser: other users can see the
    arguments that programs are started with.
    """
    signals: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        signals.append(number)
        server.should_exit = True

    judged = None if sheet is None else SheetFile(sheet)
    with _listen(port) as listener, private_folder() as folder:
        port = listener.getsockname()[1]
        guard = Guard(Local(folder, lang, limit, max_jobs, memory, judged).app(), port)
        server = uvicorn.Server(
            uvicorn.Config(
                guard,
                log_config=None,
                log_level="info" if debug else "critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                http=ImpatientProtocol,
                ws="none",
                lifespan="on",
                timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            )
        )
        signal.set_wakeup_fd(-1)  # the command line would exit at once; here the folder is removed first
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # uvicorn restores these handlers when it ends
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), stop)
        address = f"http://{HOST}:{port}/?token="
        on_start(f"{address}{guard.token}", f"{address}{guard.once}")
        server.run(sockets=[listener])
    return signals[0] if signals else 0


@contextmanager
def private_folder() -> Iterator[Path]:
    """Yield a new private folder, locked while it is in use; remove those that servers left when they were killed."""
    for other in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        if _is_abandoned(other):
            shutil.rmtree(other, ignore_errors=True)
    with (
        tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder,
        (Path(folder) / LOCK).open("xb") as file,
    ):
        lock(file.fileno(), wait=False)
        yield Path(folder)


def _is_abandoned(folder: Path) -> bool:
    """Return whether a folder is ours and its server has ended; one without a lock is just being created."""
    with suppress(OSError):
        if folder.is_symlink() or (hasattr(os, "getuid") and folder.stat().st_uid != os.getuid()):
            return False
        with (folder / LOCK).open("r+b") as file:
            return lock(file.fileno(), wait=False)
    return False


def _listen(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as reason:
        raise ParameterError(
            f"port {port} cannot be used: {reason.strerror}; pass another --port, or 0 for any free one"
        ) from None
