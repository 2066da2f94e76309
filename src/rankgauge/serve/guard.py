"""Who may ask: a browser on this machine that was shown the token, and no page but our own.

Any page that is open in the same browser can send requests to 127.0.0.1, and a name of somebody else's may be made to
point there. So the Host must be ours, the secret must be known, and what changes anything must come from our page.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

SAFE = {"GET", "HEAD"}
ASKED_BY_US = "x-rankgauge"
"""A header that no page elsewhere can send without being asked for leave, which is never given."""
OURS, TYPED = "same-origin", "none"
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
"""On every answer; an answer may say something stricter itself."""
ENTER = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>rankgauge</title>
<meta http-equiv="refresh" content="0; url=/"></head>
<body><p><a href="/">rankgauge</a></p></body></html>
"""
"""Leads on to the page itself. Not a redirect: the browser would not send the cookie after a link from elsewhere."""


class Guard:
    """Refuses whatever does not come from a browser that knows the token; puts the headers on every answer."""

    def __init__(self, app: App, port: int) -> None:
        self._app = app
        self.token = secrets.token_urlsafe(24)
        """Shown to the person who started the server, as part of the address."""
        self.once = secrets.token_urlsafe(24)
        """Works one time: for a browser that is started with the address, which others may see."""
        self._ticket = secrets.token_urlsafe(24)
        self._cookie = f"rankgauge-{port}"
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}" for name in names} | ({*names} if port == 80 else set())  # noqa: PLR2004

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on what may pass."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message["headers"]}
                extra = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in own]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        await (self._answer(Request(scope)) or self._app)(scope, receive, headed)

    def _answer(self, request: Request) -> Response | None:
        """What the guard itself answers; None where the request may pass."""
        if request.headers.getlist("host") not in [[host] for host in self._hosts]:
            return _refused("the Host of this request is not this server")
        token = request.query_params.get("token")
        if token is not None and request.url.path == "/" and request.method in SAFE:
            return self._entry(token)
        if not self._knows(request):
            return _refused("open the address that rankgauge serve printed: it holds the token")
        site = request.headers.get("sec-fetch-site")
        if site not in {None, OURS} and not (site == TYPED and request.method in SAFE):
            return _refused("this request comes from another site")
        if request.method in SAFE:
            return None
        if request.headers.get("origin") not in {None, f"http://{request.headers['host']}"}:
            return _refused("this request comes from another origin")
        if ASKED_BY_US not in request.headers:
            return _refused(f"a request that changes something needs the header {ASKED_BY_US}")
        return None

    def _entry(self, token: str) -> Response:
        if secrets.compare_digest(token.encode(), self.once.encode()):
            self.once = secrets.token_urlsafe(24)
        elif not secrets.compare_digest(token.encode(), self.token.encode()):
            return _refused("the token in the address is not that of this server")
        made = HTMLResponse(ENTER)
        made.set_cookie(self._cookie, self._ticket, path="/", httponly=True, samesite="strict")
        return made

    def _knows(self, request: Request) -> bool:
        try:
            found = SimpleCookie(request.headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return False
        return found is not None and secrets.compare_digest(found.value.encode(), self._ticket.encode())


def _refused(reason: str) -> Response:
    return PlainTextResponse(f"{reason}\n", 403, headers={"connection": "close"})
