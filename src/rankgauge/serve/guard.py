"""Access control: only a browser on this machine that knows the token, and only our own page.

Any page open in the same browser can send requests to 127.0.0.1, and a foreign host name can be made to resolve to it.
So the Host header must match, the cookie must be valid, and requests that change anything must come from our page.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

SAFE = {"GET", "HEAD"}
OWN_HEADER = "x-rankgauge"
"""A header that a foreign page can only send after a CORS preflight, which is always refused."""
OWN_SITE, NO_SITE = "same-origin", "none"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Headers of every response, unless the response has its own."""
ENTER = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>rankgauge</title>
<meta http-equiv="refresh" content="0; url=/"></head>
<body><p><a href="/">rankgauge</a></p></body></html>
"""
"""Leads to the page itself. Not a redirect: after a link from another site the browser would not send the cookie."""


class Guard:
    """Refuses requests without valid credentials and adds the headers to every response."""

    def __init__(self, app: App, port: int) -> None:
        self._app = app
        self.token = secrets.token_urlsafe(24)
        """Shown to the person who started the server, as part of the address."""
        self.once = secrets.token_urlsafe(24)
        """Works once: for a browser that is started with the address, which other users may see."""
        self._ticket = secrets.token_urlsafe(24)
        self._cookie = f"rankgauge-{port}"
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}" for name in names} | ({*names} if port == 80 else set())  # noqa: PLR2004

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                header_names = {name.lower() for name, _ in message["headers"]}
                extra = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in header_names]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        await (self._answer(Request(scope)) or self._app)(scope, receive, send_with_headers)

    def _answer(self, request: Request) -> Response | None:
        """Return the response of the guard itself, or None if the request may pass."""
        if request.headers.getlist("host") not in [[host] for host in self._hosts]:
            return _refused("the Host header does not name this server")
        token = request.query_params.get("token")
        if token is not None and request.url.path == "/" and request.method in SAFE:
            return self._entry(token)
        if not self._has_cookie(request):
            return _refused("open the address that rankgauge serve printed: it contains the token")
        site = request.headers.get("sec-fetch-site")
        if site not in {None, OWN_SITE} and not (site == NO_SITE and request.method in SAFE):
            return _refused("the request comes from another site")
        if request.method in SAFE:
            return None
        if request.headers.get("origin") not in {None, f"http://{request.headers['host']}"}:
            return _refused("the request comes from another origin")
        if OWN_HEADER not in request.headers:
            return _refused(f"a request that changes something needs the header {OWN_HEADER}")
        return None

    def _entry(self, token: str) -> Response:
        if secrets.compare_digest(token.encode(), self.once.encode()):
            self.once = secrets.token_urlsafe(24)
        elif not secrets.compare_digest(token.encode(), self.token.encode()):
            return _refused("the token in the address is not valid for this server")
        response = HTMLResponse(ENTER)
        response.set_cookie(self._cookie, self._ticket, path="/", httponly=True, samesite="strict")
        return response

    def _has_cookie(self, request: Request) -> bool:
        # Browsers also send the cookies of other servers of this host, in which anything may be written.
        for header in request.headers.getlist("cookie"):
            for cookie in header.split(";"):
                name, _, value = cookie.strip().partition("=")
                if name == self._cookie and secrets.compare_digest(value.encode(), self._ticket.encode()):
                    return True
        return False


def _refused(reason: str) -> Response:
    return PlainTextResponse(f"{reason}\n", 403, headers={"connection": "close"})
