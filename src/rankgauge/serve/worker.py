"""One evaluation in a process of its own: a job comes as a line of JSON, what happens goes out as lines of JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

from rankgauge.errors import InputError, RankgaugeError
from rankgauge.serve.uploads import File, system_names

Say = Callable[[Mapping[str, Any]], None]
STEP = 0.01
"""How much more must be read before it is said."""


def main() -> None:
    """Read the job, do it, and say how it went."""
    job = json.loads(sys.stdin.readline())
    Thread(target=_end_with_the_server, daemon=True).start()
    say = partial(_say, sys.stdout)
    sys.stdout = sys.stderr  # whoever prints must not be taken for us
    try:
        work(job, say)
    except Exception as error:  # noqa: BLE001 (whatever happened, the server is told)
        say({"error": _told(error, job)})
        sys.exit(1)


def work(job: Mapping[str, Any], say: Say) -> None:
    """Make the report of a job."""
    say({"stage": "starting"})
    from rankgauge.conventions.texts import convention_of  # noqa: PLC0415 (what takes long is begun by saying so)
    from rankgauge.reports.report import report  # noqa: PLC0415
    from rankgauge.serve.summary import summary  # noqa: PLC0415

    os.chdir(job["folder"])  # so that messages name files as people know them
    files = roles([File(**one) for one in job["files"]])
    judgments = [one for one in files if one.role == "judgments"]
    rankings = [one for one in files if one.role == "ranking"]
    texts = [one for one in files if one.role == "texts"]
    if len(judgments) != 1 or not rankings or len(texts) > 1:
        found = f"{len(judgments)} with judgments, {len(rankings)} with rankings, {len(texts)} with texts"
        raise InputError(f"give one file with judgments and one or more rankings, not {found}; say what each file is")
    sizes = {name: one.size for name, one in zip(system_names(rankings), rankings, strict=True)}
    made = report(
        judgments[0].stored,
        dict(zip(sizes, (one.stored for one in rankings), strict=True)),
        job["metrics"],
        convention=convention_of(job.get("convention"), job.get("rules") or ()),
        texts=texts[0].stored if texts else None,
        lang=job.get("lang", "en"),
        lenient=bool(job.get("lenient")),
        progress=Reading(sizes, say),
    )
    say({"stage": "writing", "read": None})
    page = made.to_html()
    told = summary(made)
    Path(job["report"]).write_text(page, encoding="utf-8")
    say({"stage": "done", "summary": told})


def roles(files: list[File]) -> list[File]:
    """What each file is: as the page said, or as its content shows."""
    from rankgauge.inputs.formats.detection import inspect_source  # noqa: PLC0415

    return [
        one if one.role != "auto" else File(one.name, inspect_source(one.stored).role, one.size, one.stored)
        for one in files
    ]


class Reading:
    """Tells how much of all rankings has been read."""

    def __init__(self, sizes: Mapping[str, int], say: Say) -> None:
        self._sizes, self._say = sizes, say
        self._done: dict[str, int] = {}
        self._told = -1.0

    def __call__(self, name: str, count: int) -> None:
        """So many bytes of a ranking have been read."""
        self._done[name] = count
        share = sum(self._done.values()) / max(sum(self._sizes.values()), 1)
        if share >= 1:
            self._say({"stage": "comparing", "read": None})
        elif share - self._told >= STEP:
            self._told = share
            self._say({"stage": "reading", "read": round(share, 3)})


def _told(error: Exception, job: Mapping[str, Any]) -> str:
    text = str(error) or type(error).__name__
    if not isinstance(error, RankgaugeError | OSError | MemoryError):
        text = f"{type(error).__name__}: {text}; this is a mistake in rankgauge"
    for one in job["files"]:
        text = text.replace(one["stored"], one["name"])
    return text


def _say(stream: Any, what: Mapping[str, Any]) -> None:
    stream.write(json.dumps(what, allow_nan=False) + "\n")
    stream.flush()


def _end_with_the_server() -> None:
    """Standard input ends when the server does, whatever ended it."""
    while sys.stdin.readline():
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
