"""The application: the page and its assets, the playground, and evaluations of files."""

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

_log = logging.getLogger("uvicorn.error")  # shown with --debug
Handler = Callable[[Request], Awaitable[Response]]
INVALID, TOO_LARGE, NOT_FOUND, BUG = 422, 413, 404, 500
REPORT_POLICY = "connect-src 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-downloads"
"""Reports are sandboxed: whatever they contain cannot reach this server. The file itself has a stricter policy that
runs only its own script; browsers apply both."""


class Local:
    """The application of a server."""

    def __init__(self, folder: Path, lang: Lang, limit: int, at_once: int) -> None:
        self._lang, self._limit = lang, limit
        self.evaluations = Evaluations(folder, at_once)

    def app(self) -> Starlette:
        """Return the application with its routes."""
        get, post, delete = (["GET"], ["POST"], ["DELETE"])
        return Starlette(
            routes=[
                Route("/", self.page, methods=get),
                Route("/style.css", self.style, methods=get),
                Route("/script.js", self.script, methods=get),
                Route("/api/explain", reports_errors(self.explain), methods=post),
                Route("/api/tools", reports_errors(self.tools), methods=post),
                Route("/api/printed", reports_errors(self.printed), methods=post),
                Route("/api/example", reports_errors(self.example), methods=get),
                Route("/api/look", reports_errors(self.look), methods=post),
                Route("/api/rules", reports_errors(self.rules), methods=post),
                Route("/api/evaluations", reports_errors(self.list_all), methods=get),
                Route("/api/evaluations", reports_errors(self.evaluate), methods=post),
                Route("/api/evaluations/{number}", reports_errors(self.remove), methods=delete),
                Route("/reports/{number}", reports_errors(self.report), methods=get),
            ],
            lifespan=self._lifespan,
        )

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        yield
        await self.evaluations.close()

    # The page

    async def page(self, _: Request) -> Response:
        """Return the page."""
        return HTMLResponse(page.page(self._lang, self._limit))

    async def style(self, _: Request) -> Response:
        """Return the style of the page."""
        return Response(page.style(), media_type="text/css")

    async def script(self, _: Request) -> Response:
        """Return the script of the page."""
        return Response(page.script(), media_type="text/javascript")

    # Playground

    async def explain(self, request: Request) -> Response:
        """Return the steps for a list, and the value that each option of each rule gives."""
        query = playground.PlaygroundRequest.of(await json_of(request))
        return JSONResponse(await run_in_threadpool(playground.explanation, query))

    async def tools(self, request: Request) -> Response:
        """Return the value that each tool gives for a list."""
        query = playground.PlaygroundRequest.of(await json_of(request))
        return JSONResponse(await run_in_threadpool(playground.tools, query))

    async def printed(self, request: Request) -> Response:
        """Return which rules give a number."""
        fields = await json_of(request)
        query = playground.PlaygroundRequest.of(fields)
        return JSONResponse(await run_in_threadpool(playground.printed, query, str(fields.get("printed", ""))))

    # Files

    async def example(self, _: Request) -> Response:
        """Return the files of the built-in example."""
        return JSONResponse(example.files())

    async def look(self, request: Request) -> Response:
        """Return the role of a file, detected from its beginning; nothing is stored."""
        from rankgauge.inputs.formats.detection import inspect_source  # noqa: PLC0415 (imports polars)

        start = BytesIO(await body(request))
        start.name = request.query_params.get("name", "")[:200]
        try:
            return JSONResponse({"role": (await run_in_threadpool(inspect_source, start)).role})
        except Exception:  # noqa: BLE001 (the beginning may not suffice; the complete file is checked later)
            return JSONResponse({"role": "auto"})

    async def rules(self, request: Request) -> Response:
        """Return the rules that can affect the chosen metrics, and their options."""
        chosen = settings(await json_of(request))
        return JSONResponse(choices.rules_for_files(chosen["metrics"], chosen["convention"], chosen["rules"]))

    async def list_all(self, _: Request) -> Response:
        """Return all evaluations with their progress."""
        return JSONResponse(self.evaluations.to_list())

    async def evaluate(self, request: Request) -> Response:
        """Receive files and start an evaluation."""
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._limit + HEAD:
            raise TooLargeError(f"the request has {length} bytes; at most {self._limit + HEAD} are accepted")
        async with self.evaluations.new() as evaluation:
            received = await receive(request.stream(), evaluation.inputs, self._limit, settings)
            self.evaluations.start(evaluation, *received)
        return JSONResponse(evaluation.to_dict(), 201)

    async def remove(self, request: Request) -> Response:
        """Stop an evaluation, or remove a finished one."""
        if self.evaluations.find(request.path_params["number"]) is None:
            return JSONResponse({"error": "no such evaluation"}, NOT_FOUND)
        await self.evaluations.remove(request.path_params["number"])
        return JSONResponse({})

    async def report(self, request: Request) -> Response:
        """Return the report of an evaluation."""
        evaluation = self.evaluations.find(request.path_params["number"])
        if evaluation is None or evaluation.state != "done":
            return JSONResponse({"error": "no such report"}, NOT_FOUND)
        headers = {"content-security-policy": REPORT_POLICY}
        if "save" in request.query_params:
            headers["content-disposition"] = 'attachment; filename="report.html"'
        return FileResponse(evaluation.report, media_type="text/html; charset=utf-8", headers=headers)


def settings(fields: dict[str, Any]) -> dict[str, Any]:
    """Check the settings of an evaluation before any file is read."""
    metrics, convention, lang = fields.get("metrics"), fields.get("convention") or "default", fields.get("lang", "en")
    if not isinstance(metrics, list) or not metrics or not all(isinstance(name, str) for name in metrics):
        raise ParameterError.of("metrics", metrics, "a list of one or more metric names")
    rules = fields.get("rules", [])
    if not isinstance(rules, list) or not isinstance(convention, str) or not isinstance(lang, str):
        raise ParameterError.of("the settings", fields, "rules as a list, convention and lang as strings")
    texts = [str(rule) for rule in rules]
    convention_of(convention, texts)
    return {
        "metrics": [str(parse(name)) for name in metrics],
        "convention": convention,
        "rules": texts,
        "lang": check_lang(lang),
        "lenient": fields.get("lenient") is True,
    }


async def body(request: Request) -> bytes:
    """Return the body of a small request; a longer one is refused while it arrives."""
    content = b""
    async for piece in request.stream():
        content += piece
        if len(content) > HEAD:
            raise TooLargeError(f"the request has more than {HEAD} bytes")
    return content


async def json_of(request: Request) -> dict[str, Any]:
    """Return the JSON object of a small request."""
    content = await body(request)
    try:
        fields = json.loads(content)
    except ValueError:
        raise ParameterError("the request is not JSON") from None
    if not isinstance(fields, dict):
        raise ParameterError.of("the request", fields, "an object")
    return fields


def reports_errors(handler: Handler) -> Handler:
    """Return a handler that answers errors as messages."""

    async def guarded(request: Request) -> Response:
        try:
            return await handler(request)
        except TooLargeError as error:
            return JSONResponse({"error": str(error)}, TOO_LARGE, headers={"connection": "close"})
        except (RankgaugeError, ClientDisconnect, OSError, RecursionError) as error:
            return JSONResponse({"error": str(error) or type(error).__name__}, INVALID, headers={"connection": "close"})
        except Exception as error:  # noqa: BLE001 (the page shows every error)
            _log.exception("%s", request.url.path)
            text = f"{type(error).__name__}: {error}; this is a bug in rankgauge"
            return JSONResponse({"error": text}, BUG, headers={"connection": "close"})

    return guarded
