"""What the server answers: the page and its parts, one list of grades, evaluations of files."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from rankgauge import example
from rankgauge.conventions.texts import convention_of
from rankgauge.errors import ParameterError, RankgaugeError
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Lang, check_lang
from rankgauge.serve import choices, page, playground
from rankgauge.serve.evaluations import Evaluations
from rankgauge.serve.uploads import HEAD, TooLargeError, receive

_log = logging.getLogger("uvicorn.error")  # heard with --debug
Answer = Callable[[Request], Awaitable[Response]]
WRONG, TOO_LARGE, GONE, MISTAKE = 422, 413, 404, 500
REPORT_POLICY = "connect-src 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-downloads"
"""A report lies in a sandbox of its own: whatever is in it cannot reach this server. Its file holds a stricter policy,
by which only its own script runs; a browser keeps to both."""


class Local:
    """The application of one server."""

    def __init__(self, folder: Path, lang: Lang, limit: int, at_once: int) -> None:
        self._lang, self._limit = lang, limit
        self.evaluations = Evaluations(folder, at_once)

    def app(self) -> Starlette:
        """The routes."""
        get, post, delete = (["GET"], ["POST"], ["DELETE"])
        return Starlette(
            routes=[
                Route("/", self.page, methods=get),
                Route("/style.css", self.style, methods=get),
                Route("/script.js", self.script, methods=get),
                Route("/api/explain", told(self.explain), methods=post),
                Route("/api/tools", told(self.tools), methods=post),
                Route("/api/printed", told(self.printed), methods=post),
                Route("/api/example", told(self.example), methods=get),
                Route("/api/look", told(self.look), methods=post),
                Route("/api/rules", told(self.rules), methods=post),
                Route("/api/evaluations", told(self.all), methods=get),
                Route("/api/evaluations", told(self.evaluate), methods=post),
                Route("/api/evaluations/{number}", told(self.remove), methods=delete),
                Route("/reports/{number}", told(self.report), methods=get),
            ],
            lifespan=self._lifespan,
        )

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        yield
        await self.evaluations.close()

    # The page

    async def page(self, _: Request) -> Response:
        """The page."""
        return HTMLResponse(page.page(self._lang, self._limit))

    async def style(self, _: Request) -> Response:
        """Its style."""
        return Response(page.style(), media_type="text/css")

    async def script(self, _: Request) -> Response:
        """Its script."""
        return Response(page.script(), media_type="text/javascript")

    # One list

    async def explain(self, request: Request) -> Response:
        """The steps of a list, and what every rule would make of it."""
        asked = playground.Asked.of(await said(request))
        return JSONResponse(await run_in_threadpool(playground.explained, asked))

    async def tools(self, request: Request) -> Response:
        """What each tool says of a list."""
        asked = playground.Asked.of(await said(request))
        return JSONResponse(await run_in_threadpool(playground.tools, asked))

    async def printed(self, request: Request) -> Response:
        """Which rules give a number."""
        whole = await said(request)
        asked = playground.Asked.of(whole)
        return JSONResponse(await run_in_threadpool(playground.printed, asked, str(whole.get("printed", ""))))

    # Files

    async def example(self, _: Request) -> Response:
        """The files of the built-in example."""
        return JSONResponse(example.files())

    async def look(self, request: Request) -> Response:
        """What a file is, from its beginning; nothing is kept."""
        from rankgauge.inputs.formats.detection import inspect_source  # noqa: PLC0415 (brings polars)

        head = BytesIO(await body(request))
        head.name = request.query_params.get("name", "")[:200]
        try:
            return JSONResponse({"role": (await run_in_threadpool(inspect_source, head)).role})
        except Exception:  # noqa: BLE001 (the beginning may not be enough; the whole is looked at later)
            return JSONResponse({"role": "auto"})

    async def rules(self, request: Request) -> Response:
        """The rules that can move the metrics that were chosen, and what can be chosen for them."""
        asked = settings(await said(request))
        return JSONResponse(choices.of_files(asked["metrics"], asked["convention"], asked["rules"]))

    async def all(self, _: Request) -> Response:
        """All evaluations and how far they have come."""
        return JSONResponse(self.evaluations.to_list())

    async def evaluate(self, request: Request) -> Response:
        """Take files in and begin."""
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._limit + HEAD:
            raise TooLargeError(f"the request says that it has {length} bytes; {self._limit + HEAD} are taken")
        async with self.evaluations.new() as one:
            stream = request.stream()
            one.settings, one.files = await receive(stream, one.inputs, self._limit, settings)
            self.evaluations.start(one)
        return JSONResponse(one.to_dict(), 201)

    async def remove(self, request: Request) -> Response:
        """Stop an evaluation, or forget one that has ended."""
        if self.evaluations.find(request.path_params["number"]) is None:
            return JSONResponse({"error": "there is no such evaluation"}, GONE)
        await self.evaluations.remove(request.path_params["number"])
        return JSONResponse({})

    async def report(self, request: Request) -> Response:
        """The report of an evaluation."""
        one = self.evaluations.find(request.path_params["number"])
        if one is None or one.state != "done":
            return JSONResponse({"error": "there is no such report"}, GONE)
        headers = {"content-security-policy": REPORT_POLICY}
        if "save" in request.query_params:
            headers["content-disposition"] = 'attachment; filename="report.html"'
        return FileResponse(one.report, media_type="text/html; charset=utf-8", headers=headers)


def settings(head: dict[str, Any]) -> dict[str, Any]:
    """What a page may say of an evaluation, checked before any file is read."""
    metrics, convention, lang = head.get("metrics"), head.get("convention") or "default", head.get("lang", "en")
    if not isinstance(metrics, list) or not metrics or not all(isinstance(one, str) for one in metrics):
        raise ParameterError.of("metrics", metrics, "one or more names of metrics")
    rules = head.get("rules", [])
    if not isinstance(rules, list) or not isinstance(convention, str) or not isinstance(lang, str):
        raise ParameterError.of("the settings", head, "texts")
    texts = [str(rule) for rule in rules]
    convention_of(convention, texts)
    return {
        "metrics": [str(parse(one)) for one in metrics],
        "convention": convention,
        "rules": texts,
        "lang": check_lang(lang),
        "lenient": head.get("lenient") is True,
    }


async def body(request: Request) -> bytes:
    """The body of a small request; more is refused while it comes."""
    held = b""
    async for piece in request.stream():
        held += piece
        if len(held) > HEAD:
            raise TooLargeError(f"more than {HEAD} bytes")
    return held


async def said(request: Request) -> dict[str, Any]:
    """The JSON of a small request."""
    content = await body(request)
    try:
        found = json.loads(content)
    except ValueError:
        raise ParameterError("the request is not JSON") from None
    if not isinstance(found, dict):
        raise ParameterError.of("the request", found, "an object")
    return found


def told(answer: Answer) -> Answer:
    """The answer, with errors as messages."""

    async def whole(request: Request) -> Response:
        try:
            return await answer(request)
        except TooLargeError as error:
            return JSONResponse({"error": str(error)}, TOO_LARGE, headers={"connection": "close"})
        except (RankgaugeError, ClientDisconnect, OSError, RecursionError) as error:
            return JSONResponse({"error": str(error) or type(error).__name__}, WRONG, headers={"connection": "close"})
        except Exception as error:  # noqa: BLE001 (whatever happened, the page is told)
            _log.exception("%s", request.url.path)
            said = f"{type(error).__name__}: {error}; this is a mistake in rankgauge"
            return JSONResponse({"error": said}, MISTAKE, headers={"connection": "close"})

    return whole
