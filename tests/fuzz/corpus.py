"""The corpus: cases that failed once, as readable JSON files that every test run replays."""

from __future__ import annotations

import json
import re
from pathlib import Path

from fuzz.cases import Case
from fuzz.oracle import Failure

CORPUS = Path(__file__).parent / "corpus"


def save(fuzzer: str, seed: int, number: int, case: Case, failure: Failure, folder: Path = CORPUS) -> Path:
    """Write a failing case, with where it comes from and how it failed; return the path."""
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", failure.signature.lower()).strip("-")[:60]
    path = folder / f"{fuzzer}-{name}.json"
    record = {
        "fuzzer": fuzzer,
        "found": {"seed": seed, "number": number},
        "failure": {"signature": failure.signature, "message": failure.message.splitlines()[-1][:300]},
        "case": case,
    }
    path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return path


def load(path: Path) -> tuple[str, Case]:
    """Return the fuzzer and the case of a file of the corpus."""
    record = json.loads(path.read_text(encoding="utf-8"))
    return record["fuzzer"], record["case"]


def paths() -> list[Path]:
    """Return the files of the corpus."""
    return sorted(CORPUS.glob("*.json"))
