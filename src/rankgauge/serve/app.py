"""The application: the page and its assets, the playground, and evaluations of files."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from rankgauge import example
from rankgauge.conventions.texts import convention_of
from rankgauge.errors import ParameterError, RankgaugeError
from rankgauge.metric_core.notation import parse
from rankgauge.pooling.sheet import page as sheet_page
from rankgauge.rendering.assets import page_script, page_style
from rankgauge.rendering.language import Lang, check_lang
from rankgauge.serve import page, playground
from rankgauge.serve.evaluations import Evaluations
from rankgauge.serve.sheet_file import SheetFile
from rankgauge.serve.uploads import HEAD, Pieces, TooLargeError, receive

_log = logging.getLogger("uvicorn.error")  # shown with --debug
Handler = Callable[[Request], Awaitable[Response]]
INVALID, TOO_LARGE, NOT_FOUND, BUG = 422, 413, 404, 500
REPORT_POLICY = "connect-src 'none'; frame-ancestors 'self'; sandbox allow-scripts allow-downloads"
"""Reports are sandboxed: whatever they contain cannot reach this server. The file itself has a stricter policy that
runs only its own script; browsers apply both."""


SHEET_POLICY = "frame-ancestors 'none'"
"""The page of a sheet has a policy of its own that runs only its script and connects only to this server."""


class JSONResponse(Response):
    """A response in JSON of ASCII characters, which can hold any text, such as half of a surrogate pair."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Return the body."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class Local:
    """The application of a server."""

    def __init__(
        self, folder: Path, lang: Lang, limit: int, max_jobs: int, memory: int, sheet: SheetFile | None = None
    ) -> None:
        self._lang, self._limit, self._sheet = lang, limit, sheet
        self.evaluations = Evaluations(folder, max_jobs, memory)

    def app(self) -> Starlette:
        """Return the application with its routes."""
        handlers: dict[str, Handler] = {
            "GET /": self.static,
            "GET /style.css": self.static,
            "GET /script.js": self.static,
            **{f"POST /api/{name}": partial(self.play, answer) for name, answer in playground.ANSWERS.items()},
            "GET /api/example": self.example,
            "POST /api/look": self.look,
            "POST /api/rules": self.rules,
            "GET /api/evaluations": self.list_all,
            "POST /api/evaluations": self.evaluate,
            "DELETE /api/evaluations/{number}": self.remove,
            "GET /reports/{number}": self.report,
        }
        if self._sheet is not None:
            judge = partial(self.judge, self._sheet)
            handlers = {"GET /": judge, "GET /api/labels": judge, "POST /api/labels": judge}
        routes = []
        for key, handler in handlers.items():
            method, path = key.split()
            routes.append(Route(path, reports_errors(handler), methods=[method]))
        return Starlette(routes=routes, lifespan=self._lifespan)

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        yield
        await self.evaluations.close()

    async def static(self, request: Request) -> Response:
        """Return the page, its style or its script."""
        match request.url.path:
            case "/style.css":
                return Response(page_style("serve", "serve.css"), media_type="text/css")
            case "/script.js":
                return Response(page_script("serve", *page.SCRIPTS), media_type="text/javascript")
        return HTMLResponse(page.page(self._lang, self._limit))

    async def judge(self, sheet: SheetFile, request: Request) -> Response:
        """Return the page of the judging sheet or its labels, or write a label."""
        if request.url.path == "/":
            headers = {"content-security-policy": SHEET_POLICY}
            return HTMLResponse(sheet_page(sheet.sheet, sheet.labels.name), headers=headers)
        if request.method == "POST":
            await run_in_threadpool(sheet.append, await json_of(request))
            return JSONResponse({})
        return Response(await run_in_threadpool(sheet.content), media_type="application/x-ndjson")

    async def play(self, answer: Callable[[playground.PlaygroundRequest], Any], request: Request) -> Response:
        """Return an answer of the playground."""
        fields = playground.PlaygroundRequest.of(await json_of(request))
        return JSONResponse(await run_in_threadpool(answer, fields))

    async def example(self, _: Request) -> Response:
        """Return the files of the built-in example."""
        return JSONResponse(example.files())

    async def look(self, request: Request) -> Response:
        """Return the role of a file, detected from its beginning; nothing is stored."""
        from rankgauge.inputs.formats.reader import inspect_source  # noqa: PLC0415 (imports polars)

        start = BytesIO(await body(request))
        start.name = request.query_params.get("name", "")[:200]
        try:
            sides = (await run_in_threadpool(inspect_source, start)).content.sides
            return JSONResponse({"role": sides[0] if len(sides) == 1 else "auto"})
        except Exception:  # noqa: BLE001 (the beginning may not suffice; the complete file is checked later)
            return JSONResponse({"role": "auto"})

    async def rules(self, request: Request) -> Response:
        """Return the rules that can affect the chosen metrics, and their options."""
        chosen = settings(await json_of(request))
        return JSONResponse(playground.rules_for_files(chosen["metrics"], chosen["convention"], chosen["rules"]))

    async def list_all(self, _: Request) -> Response:
        """Return all evaluations with their progress."""
        return JSONResponse(self.evaluations.to_list())

    async def evaluate(self, request: Request) -> Response:
        """Receive files and start an evaluation."""
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._limit + HEAD:
            raise TooLargeError(f"the request has {length} bytes; at most {self._limit + HEAD} are accepted")
        async with self.evaluations.new() as evaluation:
            stream = evaluation.counted(request.stream())
            await self.evaluations.receive(
                evaluation,
                receive(
                    stream, evaluation.inputs, self._limit, lambda head, files: evaluation.name(settings(head), files)
                ),
            )
            self.evaluations.start(evaluation)
        return JSONResponse(evaluation.to_dict(), 201)

    async def remove(self, request: Request) -> Response:
        """Stop an evaluation, or remove a finished one."""
        number = request.path_params["number"]
        if number not in self.evaluations.jobs:
            return JSONResponse({"error": "no such evaluation"}, NOT_FOUND)
        await self.evaluations.remove(number)
        return JSONResponse({})

    async def report(self, request: Request) -> Response:
        """Return the report of an evaluation."""
        evaluation = self.evaluations.jobs.get(request.path_params["number"])
        if evaluation is None or evaluation.state != "done":
            return JSONResponse({"error": "no such report"}, NOT_FOUND)
        headers = {"content-security-policy": REPORT_POLICY}
        if "save" in request.query_params:
            headers["content-disposition"] = 'attachment; filename="report.html"'
        return FileResponse(evaluation.report, media_type="text/html; charset=utf-8", headers=headers)


def settings(fields: dict[str, object]) -> dict[str, Any]:
    """Check the settings of an evaluation before any file is read."""
    metrics, convention, lang = fields.get("metrics"), fields.get("convention") or "default", fields.get("lang", "en")
    if not isinstance(metrics, list) or not metrics or not all(isinstance(name, str) for name in metrics):
        raise ParameterError.of("metrics", metrics, ("a list of one or more metric names", "一个或多个指标名称的列表"))
    rules = fields.get("rules", [])
    if not isinstance(rules, list) or not isinstance(convention, str) or not isinstance(lang, str):
        raise ParameterError.of(
            "the settings",
            fields,
            ("rules as a list, convention and lang as strings", "rules 为列表，convention 与 lang 为字符串"),
        )
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
    content, pieces = b"", Pieces(request.stream())
    while piece := await pieces.take(HEAD):
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
        raise ParameterError.of("the request", fields, ("an object", "对象"))
    return fields


def reports_errors(handler: Handler) -> Handler:
    """Return a handler that answers errors as messages."""

    async def guarded(request: Request) -> Response:
        try:
            return await handler(request)
        except (RankgaugeError, ClientDisconnect, OSError, RecursionError) as error:
            status = TOO_LARGE if isinstance(error, TooLargeError) else INVALID
            text = list(error.texts) if isinstance(error, RankgaugeError) else str(error) or type(error).__name__
        except Exception as error:  # noqa: BLE001 (the page shows every error)
            _log.exception("%s", request.url.path)
            status, text = BUG, f"{type(error).__name__}: {error}; this is a bug in rankgauge"
        return JSONResponse({"error": text}, status, headers={"connection": "close"})

    return guarded
