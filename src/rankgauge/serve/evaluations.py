"""Evaluations that a page asked for: each in a process of its own, some at once, to be watched and to be stopped.

The files lie in one private folder. Those of an evaluation are removed when it ends, however it ends; its report stays
until it is removed or the server ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rankgauge
from rankgauge.errors import InputError
from rankgauge.serve.uploads import File

KEPT = 24
"""So many evaluations are kept; the oldest that has ended makes room."""
LINE = 1 << 24
"""So long can a line be that a worker says: its summary is one."""


@dataclass
class Evaluation:
    """One evaluation and how far it has come."""

    number: str
    folder: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: Sequence[File] = ()
    state: str = "receiving"
    """``receiving``, ``waiting``, ``running``, ``done`` or ``failed``."""
    said: dict[str, Any] = field(default_factory=dict)
    """What the worker said last of each thing: the stage, how much it has read, the summary, the error."""
    task: asyncio.Task[None] | None = None

    @property
    def inputs(self) -> Path:
        """Where its files lie."""
        return self.folder / "files"

    @property
    def report(self) -> Path:
        """Where its report lies when it is done."""
        return self.folder / "report.html"

    @property
    def _tool(self) -> list[str]:
        """The tool whose rules hold, unless they are ours."""
        tool = self.settings.get("convention", "default")
        return [] if tool == "default" else [tool]

    def to_dict(self) -> dict[str, Any]:
        """What the page is told."""
        return {
            "id": self.number,
            "state": self.state,
            "files": [one.name for one in self.files],
            "metrics": self.settings.get("metrics", []),
            "rules": [*self._tool, *self.settings.get("rules", [])],
            **self.said,
        }


class Evaluations:
    """All evaluations of a server."""

    def __init__(self, folder: Path, at_once: int) -> None:
        self.folder = folder
        self._slots = asyncio.Semaphore(at_once)
        self._all: dict[str, Evaluation] = {}

    def find(self, number: str) -> Evaluation | None:
        """The evaluation of a number, where there is one."""
        return self._all.get(number)

    def to_list(self) -> list[dict[str, Any]]:
        """All of them for the page, the newest first."""
        return [one.to_dict() for one in reversed(self._all.values()) if one.state != "receiving"]

    @contextlib.asynccontextmanager
    async def new(self) -> AsyncIterator[Evaluation]:
        """A new evaluation, to be filled and started; gone where that fails."""
        ended = [one.number for one in self._all.values() if one.state in {"done", "failed"}]
        if len(self._all) >= KEPT:
            if not ended:
                raise InputError(f"{KEPT} evaluations are under way; wait until one ends, or stop one")
            await self.remove(ended[0])
        number = secrets.token_urlsafe(9)
        made = self._all[number] = Evaluation(number, self.folder / number)
        try:
            made.inputs.mkdir(parents=True, mode=0o700)
            yield made
        except BaseException:
            await self.remove(number)
            raise

    def start(self, one: Evaluation) -> None:
        """Begin as soon as there is room."""
        one.state = "waiting"
        one.task = asyncio.create_task(self._run(one))

    async def remove(self, number: str) -> None:
        """Stop an evaluation where it is under way, and forget it and its files."""
        one = self._all.pop(number)
        if one.task is not None:
            one.task.cancel()
            await asyncio.wait([one.task])
        await asyncio.to_thread(shutil.rmtree, one.folder, ignore_errors=True)

    async def close(self) -> None:
        """Stop and forget them all."""
        for number in [*self._all]:
            await self.remove(number)

    async def _run(self, one: Evaluation) -> None:
        try:
            async with self._slots:
                one.state = "running"
                code = await self._work(one)
            one.state = "done" if code == 0 and one.report.exists() else "failed"
            if one.state == "failed":
                one.said.setdefault("error", f"the evaluation ended by itself ({code}); was there enough memory?")
        except Exception as error:  # noqa: BLE001 (nobody else would hear of it)
            one.state = "failed"
            one.said["error"] = f"the evaluation could not be run: {error}"
        finally:
            one.said.pop("read", None)
            await asyncio.to_thread(shutil.rmtree, one.inputs, ignore_errors=True)

    async def _work(self, one: Evaluation) -> int:
        """Run the worker, and listen to it."""
        job = {**one.settings, "folder": str(one.inputs), "report": str(one.report)}
        job["files"] = [{"name": f.name, "stored": f.stored, "role": f.role, "size": f.size} for f in one.files]
        source = str(Path(rankgauge.__file__).parents[1])
        path = os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH")])])
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "rankgauge.serve.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LINE,
            start_new_session=True,  # Ctrl-C is for the server, which ends its workers
            env={**os.environ, "PYTHONPATH": path},
        )
        try:
            if worker.stdin is None or worker.stdout is None:  # never: both were asked for
                raise RuntimeError("a worker without pipes")
            worker.stdin.write(json.dumps(job).encode() + b"\n")  # left open: its end tells the worker that we are gone
            await worker.stdin.drain()
            async for line in worker.stdout:
                one.said.update(json.loads(line))
            return await worker.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                worker.kill()
            await worker.wait()
