"""The server: a socket on this machine only, and a private folder that is removed at the end."""

from __future__ import annotations

import signal
import socket
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import uvicorn

from rankgauge.errors import ParameterError
from rankgauge.rendering.language import Lang
from rankgauge.serve.app import Local
from rankgauge.serve.guard import Guard

HOST = "127.0.0.1"
SHUTDOWN_SECONDS = 2
"""Time that requests in progress have to finish at the end."""


def serve(
    *, port: int, lang: Lang, limit: int, max_jobs: int, on_start: Callable[[str, str], None], debug: bool = False
) -> int:
    """Serve the page until a signal ends it; return the number of the signal.

    ``on_start`` is called with the address, and with one that works once, for a browser: other users can see the
    arguments that programs are started with.
    """
    signals: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        signals.append(number)
        server.should_exit = True

    with (
        _listen(port) as listener,
        tempfile.TemporaryDirectory(prefix="rankgauge-", ignore_cleanup_errors=True) as folder,
    ):
        port = listener.getsockname()[1]
        guard = Guard(Local(Path(folder), lang, limit, max_jobs).app(), port)
        server = uvicorn.Server(
            uvicorn.Config(
                guard,
                log_config=None,
                log_level="info" if debug else "critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                http="h11",
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


def _listen(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as reason:
        raise ParameterError(
            f"port {port} cannot be used: {reason.strerror}; pass another --port, or 0 for any free one"
        ) from None
