"""An evaluation in its own process: the job is a line of JSON on standard input, progress lines of JSON on output."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from rankgauge.errors import InputError, RankgaugeError, Texts, texts
from rankgauge.inputs.codes import CODES, page_of
from rankgauge.inputs.finding_kind import DROPS
from rankgauge.inputs.findings import Findings
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import to_json
from rankgauge.serve.messages import PAGE, REMEDIES
from rankgauge.serve.uploads import ROLES, File, system_names

if TYPE_CHECKING:
    from rankgauge.reports.model import Report


WRONG_ROLES = Phrase(
    "expected 1 file with judgments, 1 or more with rankings and at most 1 with texts; found {judgments}, {rankings} "
    "and {texts}; select the role of each file",
    "应有 1 个标注文件、1 个或多个排序结果文件，至多 1 个文本文件；实有 {judgments}、{rankings} 和 {texts} 个；请选择"
    "每个文件的内容",
)
Send = Callable[[Mapping[str, Any]], None]
STEP = 0.01
"""Smallest progress that is reported."""


def main() -> None:
    """Read the job, run it and report the outcome."""
    job = json.loads(sys.stdin.readline())
    Thread(target=_exit_with_server, daemon=True).start()
    _limit_memory(job["memory"])
    output, sys.stdout = sys.stdout, sys.stderr  # nothing else may write to the protocol

    def send(message: Mapping[str, object]) -> None:
        output.write(to_json(message) + "\n")
        output.flush()

    try:
        run_job(job, send)
    except Exception as error:  # noqa: BLE001 (the server shows every error)
        send({"error": [*error_texts(error, job)], "explanations": explanations(getattr(error, "codes", ()))})
        sys.exit(1)


def run_job(job: Mapping[str, Any], send: Send) -> None:
    """Write the report of a job."""
    send({"stage": "starting"})
    from rankgauge.conventions.texts import convention_of  # noqa: PLC0415 (slow imports, after the first message)
    from rankgauge.evaluation.value_files import read_scores  # noqa: PLC0415
    from rankgauge.evaluation.value_recognition import holds_values  # noqa: PLC0415
    from rankgauge.reports.report import report  # noqa: PLC0415

    os.chdir(job["folder"])  # so that messages show the file names as uploaded
    files = [File(**fields) for fields in job["files"]]
    if not files:
        en = "no file was chosen; choose a file with judgments and one or more with rankings"
        raise InputError((en, "没有选择文件；请选择一个标注文件，以及一个或多个排序结果文件"))
    if all(file.role == "auto" and holds_values(file.stored) for file in files):
        systems = dict(zip(system_names(files), files, strict=True))
        values = read_scores({name: file.stored for name, file in systems.items()})
        _finish(report(values, lang=job.get("lang", "en")), job, send)
        return
    files = _with_roles(files)
    judgments, rankings, texts = ([file for file in files if file.role == role] for role in ROLES[1:])
    if len(judgments) != 1 or not rankings or len(texts) > 1:
        counts = len(judgments), len(rankings), len(texts)
        raise InputError(WRONG_ROLES.fill(**dict(zip(("judgments", "rankings", "texts"), counts, strict=True))))
    systems = dict(zip(system_names(rankings), rankings, strict=True))
    result = report(
        judgments[0].stored,
        {name: file.stored for name, file in systems.items()},
        job["metrics"],
        convention=convention_of(job.get("convention"), job.get("rules") or ()),
        texts=texts[0].stored if texts else None,
        lang=job.get("lang", "en"),
        lenient=bool(job.get("lenient")),
        progress=ReadProgress(sum(file.size for file in rankings), send),
    )
    names = {name: file.name for name, file in systems.items()}
    origin = result.contents.origin._replace(judgments=judgments[0].name, rankings=names)  # as uploaded
    result.contents = replace(result.contents, origin=origin)
    _finish(result, job, send)


def _finish(result: Report, job: Mapping[str, Any], send: Send) -> None:
    """Write the page of a report."""
    send({"stage": "writing", "read": None})
    page, summary = result.to_html(), _summary(result)
    lines = finding_lines(result.contents.scores.findings, job)
    Path(job["report"]).write_text(page, encoding="utf-8")
    send({"stage": "done", "summary": summary, "findings": [[*line] for line in lines]})


def _with_roles(files: list[File]) -> list[File]:
    """Return the files with their roles, one that holds both sides twice.

    A file that could be judgments or a ranking is what the others lack.
    """
    assigned: list[File] = []
    unclear: list[tuple[File, InputError]] = []
    for file in files:
        try:
            assigned += [replace(file, role=role) for role in _roles(file)]
        except InputError as error:
            if "RG114" not in error.codes:
                raise
            unclear.append((file, error))
    has_judgments = any(file.role == "judgments" for file in assigned)
    if unclear and not has_judgments and len(unclear) > 1:
        raise unclear[0][1]
    role = "ranking" if has_judgments else "judgments"
    return assigned + [replace(file, role=role) for file, _ in unclear]


def _roles(file: File) -> tuple[str, ...]:
    """Return the role of a file; one whose role is not selected may hold judgments and a ranking."""
    if file.role != "auto":
        return (file.role,)
    from rankgauge.inputs.formats.reader import inspect_source  # noqa: PLC0415 (slow import)

    return inspect_source(file.stored).content.sides


def _summary(report: Report) -> list[dict[str, Any]]:
    """Return the verdict and the leaderboard of each metric as elements in plain data."""
    from rankgauge.reports.cards import leaderboard, verdict_paragraphs  # noqa: PLC0415

    summary = []
    for metric in report.contents.scores.metrics:
        paragraphs = verdict_paragraphs(report.contents, metric, report.pairs.get(str(metric), ()))
        content = [*paragraphs, leaderboard(report.contents, metric)]
        summary.append({"metric": str(metric), "content": [element.tree() for element in content]})
    return summary


class ReadProgress:
    """Reports how much of all rankings has been read."""

    def __init__(self, total: int, send: Send) -> None:
        self._total, self._send = total, send
        self._done: dict[str, int] = {}
        self._reported = -1.0

    def __call__(self, name: str, count: int) -> None:
        """Take the number of bytes of a ranking that have been read."""
        self._done[name] = count
        share = sum(self._done.values()) / max(self._total, 1)
        if share >= 1:
            self._send({"stage": "comparing", "read": None})
        elif share - self._reported >= STEP:
            self._reported = share
            self._send({"stage": "reading", "read": round(share, 3)})


def _limit_memory(size: int) -> None:
    """Let this process allocate at most this many bytes, where the system can enforce it (Linux)."""
    try:
        import resource  # noqa: PLC0415 (not on Windows)
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (size if most == resource.RLIM_INFINITY else min(size, most), most))


def _exit_with_server() -> None:
    """Exit when standard input ends, which it does when the server ends for any reason."""
    while sys.stdin.readline():
        pass
    os._exit(1)


SKIP = Phrase(
    f'or check "{PAGE["lenient"].en}" above and evaluate again', f"或勾选上方的“{PAGE['lenient'].zh}”，再重新评测"
)


def error_texts(error: Exception, job: Mapping[str, Any]) -> Texts:
    """Return the message of an error in English and Chinese; lines are separated by line breaks."""
    if isinstance(error, MemoryError):
        limit = f"{job['memory'] >> 20:,} MiB"
        return (
            f"one evaluation may use {limit} of memory, and this one needs more: start rankgauge serve with --memory",
            f"每次评测最多使用 {limit} 内存，而此次需要更多：请用更大的 --memory 启动 rankgauge serve",
        )
    if not isinstance(error, RankgaugeError | OSError):
        text = f"{type(error).__name__}: {str(error) or type(error).__name__}"
        return f"{text}; this is a bug in rankgauge", f"{text}；这是 rankgauge 的错误"
    both = error.texts if isinstance(error, RankgaugeError) else texts(str(error) or type(error).__name__)
    codes = getattr(error, "codes", ())
    on_page = [_on_page(text, place, codes) for place, text in enumerate(both)]
    skippable = bool(codes) and all(CODES[code].lenient == DROPS for code in codes)
    if skippable and PAGE["lenient"].en not in on_page[0]:
        on_page = [f"{text}\n{more}" for text, more in zip(on_page, SKIP, strict=True)]
    return as_uploaded(on_page[0], job), as_uploaded(on_page[1], job)


def _on_page(text: str, place: int, codes: Iterable[str]) -> str:
    """Replace what only commands and Python offer by what the page offers; a code is explained below the message."""
    for code in codes:
        if code in REMEDIES:
            text = text.replace(CODES[code].remedy[place], REMEDIES[code][place])
        lang = ("en", "zh")[place]
        for more in (f" (more: {page_of(code, lang)})", f"（详见：{page_of(code, lang)}）"):
            text = text.replace(more, "")
    return text


def explanations(codes: Iterable[str]) -> list[dict[str, Any]]:
    """Return the meaning of each code."""
    return [{"code": code, "text": list(CODES[code].explanation)} for code in dict.fromkeys(codes)]


def finding_lines(findings: Findings, job: Mapping[str, Any]) -> list[Texts]:
    """Return every finding that is more than a note, such as skipped rows, in a line."""
    shown = (finding for finding in findings if finding.severity != "note")
    return [
        (as_uploaded(f"{findings.line(finding, 'en')} [{finding.code}]", job),
         as_uploaded(f"{findings.line(finding, 'zh')} [{finding.code}]", job))
        for finding in shown
    ]  # fmt: skip


def as_uploaded(text: str, job: Mapping[str, Any]) -> str:
    """Write the names of files as they were uploaded."""
    for file in job["files"]:
        name = file["name"].replace("\\", r"\\")
        text = re.sub(rf"(?<![\w.-]){re.escape(file['stored'])}(?![\w-])", name, text)
    return text


if __name__ == "__main__":
    main()
