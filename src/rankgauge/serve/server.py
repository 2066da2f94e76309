"""From the command to a server: a socket on this machine only, a private folder, and an end that leaves nothing."""

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

HERE = "127.0.0.1"
PATIENCE = 2
"""How many seconds an answer that is under way may still take at the end."""


def serve(
    *, port: int, lang: Lang, limit: int, at_once: int, tell: Callable[[str, str], None], debug: bool = False
) -> int:
    """Serve the page until a signal ends it, whose number is returned.

    ``tell`` is given the address, and another that works once: what programs are started with can be seen by others.
    """
    ended: list[int] = []

    def remember(number: int, _: FrameType | None) -> None:
        ended.append(number)
        server.should_exit = True

    with _bound(port) as bound, tempfile.TemporaryDirectory(prefix="rankgauge-", ignore_cleanup_errors=True) as folder:
        port = bound.getsockname()[1]
        guard = Guard(Local(Path(folder), lang, limit, at_once).app(), port)
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
                timeout_graceful_shutdown=PATIENCE,
            )
        )
        signal.set_wakeup_fd(-1)  # the command line would end at once; here there is something to put away first
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # uvicorn hands them back to us when it has ended
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), remember)
        address = f"http://{HERE}:{port}/?token="
        tell(f"{address}{guard.token}", f"{address}{guard.once}")
        server.run(sockets=[bound])
    return ended[0] if ended else 0


def _bound(port: int) -> socket.socket:
    try:
        return socket.create_server((HERE, port))
    except OSError as reason:
        raise ParameterError(f"port {port} cannot be used: {reason.strerror}; take another, or 0 for any") from None
