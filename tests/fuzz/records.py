"""Fuzzer of records: damaged spans, judging sheets, labels and history stores, read by the library and by commands."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import polars as pl

import rankgauge as rg
from fuzz.cases import Case, expect
from fuzz.command import run_command
from fuzz.files import CODES, as_bytes, as_text, edited
from fuzz.forms import difference
from fuzz.oracle import outcome
from rankgauge.history.files import VARIABLE
from rankgauge.inputs.sheet_labels import check_of

RANKINGS = {"old": {"q0": ["a", "b", "c"], "q1": ["a", "x"]}, "new": {"q0": ["c", "b", "a"], "q1": ["x", "a"]}}
POOL = "2f1d0c0b0a090807"
COMMANDS = {
    "spans": [
        ["eval", "{damaged}", "{other}", "-m", "nDCG@10,R,P@5"],
        ["eval", "{damaged}", "{other}", "-m", "R@40chars", "-t", "json"],
        ["eval", "{damaged}", "{other}", "-m", "R", "--rule", "match=overlaps", "--lenient"],
        ["explain", "{damaged}", "{other}", "-m", "nDCG@5", "--query", "q0"],
        ["doctor", "{damaged}", "{other}"],
        ["compare", "{damaged}", "{other}", "same={other}", "--permutations", "100"],
    ],
    "chunks": [
        ["eval", "{other}", "{damaged}", "-m", "nDCG@10,R,P@5"],
        ["eval", "{other}", "{damaged}", "-m", "P@40chars"],
        ["doctor", "{other}", "{damaged}"],
    ],
    "labels": [
        ["judges", "agree", "{damaged}"],
        ["judges", "agree", "{other}", "{damaged}"],
        ["judges", "export", "{damaged}", "-t", "csv"],
        ["judges", "correct", "{other}", "{damaged}", "{run}", "-m", "P@2"],
        ["eval", "{damaged}", "{run}"],
        ["doctor", "{damaged}", "{run}"],
        ["pool", "{run}", "--depth", "2", "--judgments", "{damaged}"],
    ],
    "history": [
        ["history", "list", "--store", "{damaged}"],
        ["history", "trend", "-m", "RR", "--store", "{damaged}"],
        ["history", "blame", "-m", "RR", "--store", "{damaged}", "-t", "json"],
        ["history", "log", "{judged}", "{run}", "-m", "RR", "--store", "{damaged}"],
        ["check", "{judged}", "{run}", "--against", "history:main", "--fail-if", "RR drops 0.1"],
        ["doctor", "{damaged}"],
    ],
}
"""Command lines by what is damaged."""
MORE_CODES = {"doctor": {1}, "check": {1, 2}, "judges": {2}, "eval": {2}, "history": {2}}
"""Further exit codes that a command documents: 2 for an unknown run, a single rater, and a budget without spans."""
FORMS = ("records", "polars", "pandas", "jsonl", "csv", "parquet")


def generate(random: Random) -> Case:
    """Return records of one kind with their damage and the command that reads them, or spans in two forms."""
    kind = random.choice([*COMMANDS, "forms"])
    gold, chunks = _spans(random, "grade"), _spans(random, "score")
    if kind == "forms":
        match = random.choice(["overlaps", "contains", "covers>=0.5 joint", "contains of chunk"])
        return {
            "kind": kind,
            "gold": gold,
            "chunks": chunks,
            "forms": [random.choice(FORMS) for _ in range(2)],
            "match": match,
        }
    made = {"spans": gold, "chunks": chunks, "labels": _labels(random), "history": _runs(random)}[kind]
    form = "csv" if kind != "history" and random.random() < 0.3 else "jsonl"
    content = _odd(random, made, form)
    edits = []
    for _ in range(random.choice([0, 1, 1, 2])):
        content, edit = edited(random, content)
        edits.append(edit)
    other = {"spans": chunks, "chunks": gold, "labels": _labels(random)}.get(kind, [])
    return {
        "kind": kind,
        "about": f"{kind} as {form}, edits: {'; '.join(edits)}",
        "form": form,
        "damaged": as_text(content),
        "other": as_text(_lines(other)),
        "command": random.choice(COMMANDS[kind]),
    }


def _spans(random: Random, number: str) -> list[dict[str, Any]]:
    spans = []
    for place in range(random.randint(1, 6)):
        start = random.choice([0, 0, 5, 10, 12, 40])
        value = random.choice([0, 1, 2]) if number == "grade" else 1 - place / 8
        document = {"query": random.choice(["q0", "q1"]), "document": random.choice("de"), "start": start}
        spans.append({**document, "end": start + random.choice([1, 5, 10, 30]), number: value})
    return spans


def _labels(random: Random) -> list[dict[str, Any]]:
    labels = []
    for rater in random.sample(["Anna", "Ben", "模型", "=1+1"], random.randint(1, 3)):
        for query, items in RANKINGS["old"].items():
            for item in items:
                label = {
                    "query": query, "item": item, "rater": rater, "grade": random.choice([0, 1, 3, None]), "note": None,
                    "time": "2026-01-01T10:00:00.000Z", "repeat": random.choice([0, 0, 0, 1]), "reason": "depth",
                    "inclusion": random.choice([1.0, 1.0, 0.5]), "max_grade": 3, "pool_fingerprint": POOL,
                }  # fmt: skip
                labels.append(label | {"check": check_of(label)} if random.random() < 0.9 else label)
    return labels


def _runs(random: Random) -> list[dict[str, Any]]:
    return [
        {
            "schema": random.choice([1, 1, 1, 9]),
            "id": f"{number:012x}",
            "time": f"2026-01-0{1 + number}T00:00:00Z",
            "name": random.choice(["main", "main", "α"]),
            "version": "0.1.0",
            "convention": {"gain": random.choice(["linear", "exp2"])},
            "judgments": random.choice(["aa", "bb"]),
            "queries": "cc",
            "fields": {"model": random.choice(["small", "large"])},
            "metrics": {"RR": {"mean": random.random(), "n": 3, "se": 0.1}},
        }
        for number in range(random.randint(0, 5))
    ]


ODD = (None, "", "x", -1, 1e300, 10**400, True, [], {}, [[1]], {"a": None}, "\x1b[31m", "a" * 3000, 0.5, "2026-13-45")


def _odd(random: Random, records: list[dict[str, Any]], form: str) -> bytes:
    """Return the records as bytes, some with a field that is missing or has an odd value."""
    records = [dict(record) for record in records]
    for _ in range(random.choice([0, 1, 1, 3])):
        if records and (record := random.choice(records)):
            field = random.choice([*record])
            record.pop(field)
            if random.random() < 0.8:
                record[field] = random.choice(ODD)
    if form == "csv" and records:
        columns = [*dict.fromkeys(column for record in records for column in record)]
        rows = [columns, *([record.get(column) for column in columns] for record in records)]
        return "".join(",".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows).encode()
    return _lines(records)


def _lines(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def check(case: Case) -> None:
    """Read the records; anything but an answer, a RankgaugeError or a documented exit code is a failure."""
    with tempfile.TemporaryDirectory() as folder:
        if case["kind"] == "forms":
            _check_forms(case, Path(folder))
            return
        names = {
            "damaged": f"damaged.{case['form']}",
            "other": "other.jsonl",
            "run": "run.json",
            "judged": "judged.json",
        }
        paths = {name: Path(folder) / file for name, file in names.items()}
        paths["damaged"].write_bytes(as_bytes(case["damaged"]))
        paths["other"].write_bytes(as_bytes(case["other"]))
        paths["run"].write_text(json.dumps(RANKINGS["old"]))
        paths["judged"].write_text('{"q0": {"a": 1, "b": 0}, "q1": {"x": 1}}')
        arguments = [word.format(**{name: str(path) for name, path in paths.items()}) for word in case["command"]]
        with patch.dict(os.environ, {VARIABLE: str(paths["damaged"])}):  # the store, where no option names one
            result = run_command(arguments, folder)
        allowed = CODES | MORE_CODES.get(arguments[0], set())
        expect(result.code in allowed, f"{arguments[0]}: documented exit code", f"{result.code}\n{result.err}")
        expect("\x1b" not in result.out, f"{arguments[0]}: no escape sequence from the data", result.out[:300])


def _check_forms(case: Case, folder: Path) -> None:
    """Spans have the same values in every form."""
    rules = rg.Convention(match=case["match"])

    def answer(forms: list[str]) -> Any:
        sides = [_side(case[side], form, folder / side) for side, form in zip(("gold", "chunks"), forms, strict=True)]
        scores = rg.evaluate(*sides, ["R", "P", "nDCG@3", "R@40chars"], convention=rules)
        values = {str(metric): {str(q): v for q, v in scores.per_query(metric).items()} for metric in scores.metrics}
        return values, sorted({finding.code for finding in scores.findings} - {"RG106"})

    (kind, found), (usual, expected) = outcome(lambda: answer(case["forms"])), outcome(lambda: answer(["records"] * 2))
    expect(kind == usual, f"spans: {kind} instead of {usual}", f"{case['forms']}: {found} instead of {expected}")
    differing = difference(found, expected)
    expect(not differing, "spans: forms agree", f"{case['forms']} {differing}")


def _side(records: list[dict[str, Any]], form: str, path: Path) -> Any:
    """Return records in a form."""
    if form == "records":
        return records
    frame = pl.DataFrame(records)
    if form in {"polars", "pandas"}:
        return frame if form == "polars" else frame.to_pandas()
    path = path.with_suffix(f".{form}")
    write = {"jsonl": frame.write_ndjson, "csv": frame.write_csv, "parquet": frame.write_parquet}[form]
    write(path)
    return path
