"""Evaluations started from the page: each in its own process, a few at a time, with progress and a way to stop.

The files are in a private folder. Those of an evaluation are removed when it ends for any reason; its report stays
until it is removed or the server ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import rankgauge
from rankgauge.errors import InputError
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import PlainData
from rankgauge.serve.uploads import File

KEPT = 24
"""Maximum number of evaluations; the oldest finished one is removed for a new one."""
LINE = 1 << 24
"""Maximum length of a line from a worker; its summary is one line."""
UNEXPECTED = Phrase(
    "the evaluation ended unexpectedly (exit code {code}); it may have needed more memory than one evaluation may use, "
    "{memory} MiB: start rankgauge serve with a larger --memory",
    "评测意外结束（退出码 {code}）；所需内存可能超过每次评测的上限 {memory} MiB：请用更大的 --memory 启动 rankgauge "
    "serve",
)
NOT_RUN = Phrase("the evaluation could not be run: {reason}", "评测无法运行：{reason}")
GIVE_WAY_SECONDS = 5
"""An upload that has been silent for this long gives way to a new one if there are too many."""


@dataclass
class EvaluationJob:
    """An evaluation with its state."""

    number: str
    folder: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: Sequence[File] = ()
    state: str = "receiving"
    """``receiving``, ``waiting``, ``running``, ``done`` or ``failed``."""
    progress: dict[str, Any] = field(default_factory=lambda: {"stage": "sending"})
    """The latest from the upload or the worker: stage, share read, summary, error."""
    task: asyncio.Task[None] | None = None
    """What it is doing: receiving its files, or the evaluation."""
    heard: float = field(default_factory=time.monotonic)
    """When bytes of its files last arrived."""

    def name(self, settings: Mapping[str, object], files: Sequence[File]) -> None:
        """Take what the first line of the request says."""
        self.settings, self.files = settings, files

    async def counted(self, stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Pass on the pieces of an upload and note how much has arrived."""
        arrived = 0
        async for piece in stream:
            arrived += len(piece)
            self.heard = time.monotonic()
            total = sum(file.size for file in self.files)
            self.progress = {"stage": "sending", "read": min(round(arrived / total, 3), 1) if total else None}
            yield piece

    @property
    def inputs(self) -> Path:
        """Folder of its files."""
        return self.folder / "files"

    @property
    def report(self) -> Path:
        """Path of its report once it is done."""
        return self.folder / "report.html"

    def to_dict(self) -> PlainData:
        """Return the state for the page."""
        tool = self.settings.get("convention", "default")
        return {
            "id": self.number,
            "state": self.state,
            "files": [file.name for file in self.files],
            "metrics": self.settings.get("metrics", []),
            "rules": [*([] if tool == "default" else [tool]), *self.settings.get("rules", [])],
            **self.progress,
        }


class Evaluations:
    """All evaluations of a server."""

    def __init__(self, folder: Path, max_jobs: int, memory: int) -> None:
        self.folder = folder
        self._memory = memory
        self._slots = asyncio.Semaphore(max_jobs)
        self.jobs: dict[str, EvaluationJob] = {}

    def to_list(self) -> list[dict[str, Any]]:
        """Return the state of all evaluations, newest first."""
        return [evaluation.to_dict() for evaluation in reversed(self.jobs.values())]

    @contextlib.asynccontextmanager
    async def new(self) -> AsyncIterator[EvaluationJob]:
        """Yield a new evaluation to be started; it is removed on an error."""
        if len(self.jobs) >= KEPT:
            ended = [number for number, evaluation in self.jobs.items() if evaluation.state in {"done", "failed"}]
            if not (removable := [*ended, *self._silent_uploads()]):
                raise InputError(f"{KEPT} evaluations are in progress; wait until one ends, or stop one")
            await self.remove(removable[0])
        number = secrets.token_urlsafe(9)
        evaluation = self.jobs[number] = EvaluationJob(number, self.folder / number)
        try:
            evaluation.inputs.mkdir(parents=True, mode=0o700)
            yield evaluation
        except BaseException:
            await self.remove(number)
            raise

    def _silent_uploads(self) -> list[str]:
        """Return the uploads that are no longer arriving, the longest silent first."""
        now = time.monotonic()
        uploads = [job for job in self.jobs.values() if job.state == "receiving"]
        silent = [job for job in uploads if now - job.heard > GIVE_WAY_SECONDS]
        return [job.number for job in sorted(silent, key=lambda job: job.heard)]

    async def receive(self, evaluation: EvaluationJob, work: Coroutine[object, object, None]) -> None:
        """Wait until its files have been received; ``remove`` can stop it."""
        evaluation.task = asyncio.create_task(work)
        try:
            await evaluation.task
        except asyncio.CancelledError:
            if evaluation.number in self.jobs:  # the request itself was cancelled
                raise
            raise InputError("the upload was stopped") from None

    def start(self, evaluation: EvaluationJob) -> None:
        """Run an evaluation as soon as there is a free slot."""
        evaluation.state, evaluation.progress = "waiting", {}
        evaluation.task = asyncio.create_task(self._run(evaluation))

    async def remove(self, number: str) -> None:
        """Stop an evaluation if it is running, and remove it with its files."""
        evaluation = self.jobs.pop(number, None)
        if evaluation is None:  # removed meanwhile
            return
        if evaluation.task is not None:
            evaluation.task.cancel()
            await asyncio.wait([evaluation.task])
        await asyncio.to_thread(shutil.rmtree, evaluation.folder, ignore_errors=True)

    async def close(self) -> None:
        """Stop and remove all evaluations."""
        for number in [*self.jobs]:
            await self.remove(number)

    async def _run(self, evaluation: EvaluationJob) -> None:
        try:
            async with self._slots:
                evaluation.state = "running"
                code = await self._work(evaluation)
            evaluation.state = "done" if code == 0 and evaluation.report.exists() else "failed"
            if evaluation.state == "failed":
                text = UNEXPECTED.fill(code=code, memory=f"{self._memory >> 20:,}")
                evaluation.progress.setdefault("error", [*text])
        except Exception as error:  # noqa: BLE001 (the page shows every error)
            evaluation.state = "failed"
            evaluation.progress["error"] = [*NOT_RUN.fill(reason=error)]
        finally:
            evaluation.progress.pop("read", None)
            await asyncio.to_thread(shutil.rmtree, evaluation.inputs, ignore_errors=True)

    async def _work(self, evaluation: EvaluationJob) -> int:
        """Run the worker, record its messages and return its exit code."""
        job = {**evaluation.settings, "folder": str(evaluation.inputs), "report": str(evaluation.report)}
        job |= {"files": [*map(asdict, evaluation.files)], "memory": self._memory}
        source = str(Path(rankgauge.__file__).parents[1])
        path = os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH")])])
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "rankgauge.serve.worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LINE,
            start_new_session=True,  # Ctrl-C goes to the server, which ends its workers
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
            env={**os.environ, "PYTHONPATH": path},
        )
        try:
            if worker.stdin is None or worker.stdout is None:  # never: both are pipes
                raise RuntimeError("a worker without pipes")
            worker.stdin.write(json.dumps(job).encode() + b"\n")  # left open: the worker exits when it is closed
            with contextlib.suppress(ConnectionError):  # a worker that was killed: its exit code tells
                await worker.stdin.drain()
            async for line in worker.stdout:
                evaluation.progress.update(json.loads(line))
            return await worker.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                worker.kill()
            await worker.wait()
