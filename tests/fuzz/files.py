"""Fuzzer of bytes: damaged files of every format, read by the library and by several commands."""

from __future__ import annotations

import tempfile
from base64 import b64decode, b64encode
from pathlib import Path
from random import Random
from typing import Any

import rankgauge as rg
from fuzz.cases import Case, expect
from fuzz.command import run_command
from fuzz.file_bytes import COMPRESSIONS, FORMATS, file_bytes, rows_of_judgments, rows_of_ranking
from fuzz.random_worlds import random_judgments, random_ranking
from reading import blocks

TOKENS = [
    b"nan", b"inf", b"-inf", b"1e999", b"-0", b"1e-400", b"0x1p3", b"1_000", b"9" * 400, b"\xef\xbb\xbf", b"\x00",
    b"\xff\xfe", b"\xed\xa0\x80", b"\r", b"\r\n", b"\n", b"\t", b" ", b"\x0b", b"\xc2\xa0", b"\xe2\x80\xa8", b",", b";",
    b'"', b'""', b"'", b"{", b"}", b"[]", b"null", b"true", b"#", b"query", b"score", b"rank", b"PAR1", b"ARROW1",
    b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80", b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"=",
]  # fmt: skip
"""Bytes that mean something to one of the readers."""
COMMANDS = {
    "eval": ["eval", "{judgments}", "{ranking}"],
    "eval lenient": ["eval", "{judgments}", "{ranking}", "--lenient", "-t", "json", "-q"],
    "doctor": ["doctor", "{judgments}", "{ranking}"],
    "compare": ["compare", "{judgments}", "{ranking}", "same={ranking}", "--permutations", "100"],
    "diff": ["diff", "{ranking}", "{ranking}"],
    "explain": ["explain", "{judgments}", "{ranking}", "--query", "q0"],
    "curve": ["curve", "{judgments}", "{ranking}", "-m", "nDCG", "--k", "1,3"],
    "check": ["check", "{judgments}", "{ranking}", "--fail-if", "nDCG@10<0.5"],
    "baseline": ["check", "{judgments}", "{ranking}", "--baseline", "{ranking}", "--fail-if", "AP drops 0.1"],
    "reconcile": ["reconcile", "{judgments}", "{ranking}", "-m", "nDCG@3"],
    "convert": ["convert", "{ranking}", "-o", "out.jsonl"],
    "convert judgments": ["convert", "{judgments}", "-o", "out.csv", "--lenient"],
    "convert columnar": ["convert", "{ranking}", "-o", "out.parquet"],
    "trec_eval": ["trec_eval", "-q", "{judgments}", "{ranking}"],
    "side information": ["eval", "{judgments}", "{ranking}", "-m", "ItemCoverage", "-m", "EPC", "--side-information",
                         "training={judgments}"],
    "report": ["report", "{judgments}", "{ranking}", "-o", "out.html"],
}  # fmt: skip
"""Command lines that read the damaged file; ``judgments`` and ``ranking`` are filled in."""
CODES = {0, 3, 4}
MORE_CODES = {"doctor": {1}, "check": {1}, "baseline": {1}, "reconcile": {1}, "trec_eval": {1, 2, 7}}
"""Further exit codes that a command documents."""


def generate(random: Random) -> Case:
    """Return a small data set with one damaged file, and the command that reads it."""
    judgments = random_judgments(random, 3)
    ranking = random_ranking(random, judgments)
    role = random.choice(["judgments", "ranking"])
    form = random.choice([*FORMATS, *["parquet", "arrow"] * 2, *(["letor"] if role == "judgments" else [])])
    rows = rows_of_judgments(judgments) if role == "judgments" else rows_of_ranking(ranking)
    content = file_bytes(rows, role, form)
    compression = "" if form in {"parquet", "arrow"} else random.choice(["", "", "", *COMPRESSIONS])
    early = bool(compression) and random.random() < 0.5
    if early:
        content = COMPRESSIONS[compression](content)
    edits = []
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        content, edit = edited(random, content)
        edits.append(edit)
    if compression and not early:
        content = COMPRESSIONS[compression](content)
    other = "ranking" if role == "judgments" else "judgments"
    other_rows = rows_of_ranking(ranking) if role == "judgments" else rows_of_judgments(judgments)
    return {
        "about": f"{role} as {form} {compression}, edits: {'; '.join(edits)}",
        "role": role,
        "ending": random.choice([form, form, "txt", f"{form}.{compression}" if compression else form]),
        "format": random.choice([None, None, None, form, random.choice(FORMATS)]),
        "damaged": as_text(content),
        "other": as_text(file_bytes(other_rows, other, "jsonl")),
        "command": random.choice(["library", "readers", *COMMANDS]),
    }


def edited(random: Random, content: bytes) -> tuple[bytes, str]:
    """Return the content with one random change, and the change in words."""
    start = random.randrange(len(content) + 1)
    end = min(len(content), start + random.choice([1, 1, 2, 8, 64]))
    kind = random.choice(["byte", "byte", "byte", "bit", "delete", "insert", "replace", "repeat", "truncate", "move"])
    if kind == "byte" and start < end:
        value = random.randrange(256)
        return content[:start] + bytes([value]) + content[start + 1 :], f"byte {start} = {value}"
    if kind == "bit" and start < end:
        value = content[start] ^ (1 << random.randrange(8))
        return content[:start] + bytes([value]) + content[start + 1 :], f"byte {start} = {value}"
    if kind == "delete":
        return content[:start] + content[end:], f"{end - start} bytes deleted at {start}"
    if kind == "repeat":
        return content[:end] + content[start:] * random.choice([1, 20]), f"repeated from {start}"
    if kind == "truncate":
        return content[:start], f"truncated at {start}"
    if kind == "move":
        return content[end:] + content[start:end], f"{end - start} bytes moved to the end"
    token = random.choice(TOKENS)
    rest = content[end:] if kind == "replace" else content[start:]
    return content[:start] + token + rest, f"{token!r} at {start}"


def as_text(content: bytes) -> Any:
    """Return bytes as text if they are ASCII, else as base64."""
    return content.decode() if content.isascii() else {"base64": b64encode(content).decode()}


def as_bytes(content: Any) -> bytes:
    """Return the bytes that ``as_text`` was given."""
    return content.encode() if isinstance(content, str) else b64decode(content["base64"])


def check(case: Case) -> None:
    """Read the files; anything but an answer, a RankgaugeError or a documented exit code is a failure."""
    with tempfile.TemporaryDirectory() as folder:
        other = "ranking" if case["role"] == "judgments" else "judgments"
        paths = {case["role"]: Path(folder) / f"damaged.{case['ending']}", other: Path(folder) / "other.jsonl"}
        paths[case["role"]].write_bytes(as_bytes(case["damaged"]))
        paths[other].write_bytes(as_bytes(case["other"]))
        side_formats = {case["role"]: case["format"]} if case["format"] else None
        if case["command"] == "library":
            rg.evaluate(paths["judgments"], paths["ranking"], ["nDCG@10", "AP"], format=side_formats)
        elif case["command"] == "readers":
            for block in (1, 100, 1 << 20):
                [*blocks(paths[case["role"]], case["role"], format=case["format"], lenient=True, block_bytes=block)]
        else:
            _check_command(case, {name: str(path) for name, path in paths.items()}, folder)


def _check_command(case: Case, paths: dict[str, str], folder: str) -> None:
    arguments = [word.format(**paths) for word in COMMANDS[case["command"]]]
    if case["format"] and arguments[0] not in {"convert", "doctor", "diff", "trec_eval"}:
        arguments += ["--format", f"{case['role']}={case['format']}"]
    result = run_command(arguments, folder)
    allowed = CODES | MORE_CODES.get(case["command"], set())
    expect(result.code in allowed, f"{case['command']}: documented exit code", f"{result.code}\n{result.err}")
    names = ("damaged", "other")
    if result.code == 3 and "[RG" in result.err:  # a finding about the data
        expect(any(name in result.err for name in names), f"{case['command']}: a finding names its file", result.err)
