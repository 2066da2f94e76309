"""A campaign: the fuzzers take turns in processes of their own; what fails is minimised and saved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fuzz import FUZZERS, corpus, fuzzer
from fuzz.cases import Case, random_of
from fuzz.minimiser import minimise
from fuzz.oracle import WAIT, Failure
from fuzz.worker import Job

TESTS = Path(__file__).parents[1]
GRACE = 3 * WAIT + 60
"""Seconds after which a worker that should have ended hangs: the last case, and the time to minimise it."""
REPLAY_LIMIT = WAIT + 30


@dataclass
class Slice:
    """What one worker found."""

    checked: int = 0
    refused: int = 0
    failed: int = 0
    """Cases that failed, repeated signatures included."""
    defects: dict[str, tuple[int, Failure, Case]] = field(default_factory=dict)
    """Number, failure and minimised case by signature."""


def environment(source: Path | None = None) -> dict[str, str]:
    """Return this environment with the tests and the library importable; ``source`` is another copy of the library."""
    path = os.pathsep.join([str(TESTS), *([str(source)] if source else []), *filter(None, sys.path)])
    return {**os.environ, "PYTHONPATH": path, "POLARS_MAX_THREADS": "2", "OMP_NUM_THREADS": "2", "LANG": "en_US.UTF-8"}


def run_slice(
    name: str, seed: int, first: int, cases: int, seconds: float, *, source: Path | None = None, **limits: Any
) -> Slice:
    """Check cases of one fuzzer in a process; one that ends or hangs the process is a defect, too."""
    found = Slice()
    with tempfile.TemporaryDirectory() as folder:
        marker, errors = Path(folder) / "number", Path(folder) / "stderr"
        job = Job(name, seed, first, cases, seconds, str(marker), **limits)
        command = [sys.executable, "-m", "fuzz.worker", json.dumps(asdict(job))]
        with errors.open("wb") as stderr:
            try:
                ended = subprocess.run(
                    command,
                    stdout=subprocess.PIPE,
                    stderr=stderr,
                    env=environment(source),
                    timeout=seconds + GRACE,
                    check=False,
                )
                code, lines = ended.returncode, ended.stdout
            except subprocess.TimeoutExpired as expired:
                code, lines = None, expired.stdout or b""
        last = _collect(found, name, seed, lines)
        if code != 0:
            number = int(marker.read_text()) if marker.exists() else first
            how = "hangs" if code is None else f"ends with code {code}"
            failure = Failure(f"the process {how}", errors.read_text(errors="replace")[-2000:] or how)
            found.checked = number - first + 1
            case = fuzzer(name).generate(random_of(seed, name, number))
            if crashes(name, case, source):
                found.failed += 1
                smallest = minimise(case, lambda smaller: crashes(name, smaller, source), seconds=60)
                found.defects[failure.signature] = (number, failure, smallest)
            else:  # something else ended the process
                say(f"{name} case {number}: the process {how}, but not when the case is checked alone")
        else:
            found.checked, found.refused = last["checked"], last["refused"]
    return found


def _collect(found: Slice, name: str, seed: int, lines: bytes) -> dict[str, Any]:
    """Add the reports of a worker, and return the last one."""
    data: dict[str, Any] = {}
    for line in lines.splitlines():
        data = json.loads(line)
        if "failure" in data:
            found.failed += 1
            failure, number = Failure(**data["failure"]), data["number"]
            case = fuzzer(name).generate(random_of(seed, name, number))
            found.defects.setdefault(failure.signature, (number, failure, case))
        elif "minimised" in data:
            signature = next(key for key, (number, *_) in found.defects.items() if number == data["number"])
            number, failure, _ = found.defects[signature]
            found.defects[signature] = (number, failure, data["minimised"])
    return data


def crashes(name: str, case: Case, source: Path | None = None) -> bool:
    """Return whether a case ends or hangs a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.json"
        path.write_text(json.dumps({"fuzzer": name, "case": case}))
        command = [sys.executable, "-m", "fuzz", "--replay", str(path)]
        try:
            ended = subprocess.run(
                command, capture_output=True, env=environment(source), timeout=REPLAY_LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            return True
        return ended.returncode not in {0, 1}


@dataclass
class Campaign:
    """Fuzzers taking turns until the time is up, with what each has found so far."""

    seed: int
    names: tuple[str, ...] = tuple(FUZZERS)
    folder: Path = corpus.CORPUS
    totals: dict[str, Slice] = field(default_factory=dict)

    def run(self, seconds: float, turn: float = 60) -> None:
        """Run for some seconds, and print a line after each turn."""
        end = time.monotonic() + seconds
        self.totals = {name: Slice() for name in self.names}
        while (left := end - time.monotonic()) > 0:
            for name in self.names:
                share = min(turn, max(left / len(self.names), 1))
                started, total = time.monotonic(), self.totals[name]
                found = run_slice(name, self.seed, total.checked, sys.maxsize, share)
                self._add(name, found)
                say(
                    f"{name:10} {total.checked:8,} cases ({found.checked / (time.monotonic() - started):6.1f}/s), "
                    f"{total.refused:,} refused, {total.failed:,} failed, {len(total.defects)} different"
                )

    def _add(self, name: str, found: Slice) -> None:
        total = self.totals[name]
        for count in ("checked", "refused", "failed"):
            setattr(total, count, getattr(total, count) + getattr(found, count))
        for signature, (number, failure, case) in found.defects.items():
            if signature not in total.defects:
                total.defects[signature] = (number, failure, case)
                path = corpus.save(name, self.seed, number, case, failure, self.folder)
                say(
                    f"FAILED {name} case {number}: {signature}\n  {failure.message.strip().splitlines()[-1][:300]}\n  {path}"
                )

    @property
    def failed(self) -> bool:
        """Whether anything failed."""
        return any(total.failed for total in self.totals.values())


def say(text: str) -> None:
    """Print progress at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
