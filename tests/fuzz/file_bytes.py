"""Judgments and rankings as the bytes of files, in every format and compression."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from typing import Any

import polars as pl

FORMATS = ("trec", "tsv", "csv", "jsonl", "parquet", "arrow")
COMPRESSIONS = {"": bytes, "gz": lambda data: gzip.compress(data, mtime=0), "bz2": bz2.compress, "xz": lzma.compress}
Rows = list[tuple[str, str, float]]


def rows_of_judgments(judgments: dict[str, dict[str, float]]) -> Rows:
    """Return a row for each judged item."""
    return [(query, item, grade) for query, grades in judgments.items() for item, grade in grades.items()]


def rows_of_ranking(ranking: dict[str, list[list[Any]]]) -> Rows:
    """Return a row for each returned item."""
    return [(query, item, score) for query, pairs in ranking.items() for item, score in pairs]


def frame_of(rows: Rows, number: str) -> pl.DataFrame:
    """Return rows as a frame whose last column is the grade or score."""
    query, item, value = ([*column] for column in zip(*rows, strict=True))
    return pl.DataFrame({"query": query, "item": item, number: pl.Series(value, dtype=pl.Float64)})


def file_bytes(rows: Rows, role: str, form: str) -> bytes:
    """Return rows as a file of a format, not compressed."""
    number = "grade" if role == "judgments" else "score"
    if form == "trec":
        lines = [
            f"{query} 0 {item} {value!r}" if role == "judgments" else f"{query} Q0 {item} {place} {value!r} tag"
            for place, (query, item, value) in enumerate(rows, start=1)
        ]
        return "".join(f"{line}\n" for line in lines).encode()
    if form in {"csv", "tsv"}:
        text = io.StringIO()
        writer = csv.writer(text, delimiter="," if form == "csv" else "\t", lineterminator="\n")
        writer.writerows([("query", "item", number), *((query, item, repr(value)) for query, item, value in rows)])
        return text.getvalue().encode()
    if form == "jsonl":
        records = [{"query": query, "item": item, number: value} for query, item, value in rows]
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()
    if form == "letor":
        lines = [f"{grade:g} qid:{query[1:]} 1:{place} # {item}" for place, (query, item, grade) in enumerate(rows)]
        return "".join(f"{line}\n" for line in lines).encode()
    file = io.BytesIO()
    frame = frame_of(rows, number)
    if form == "parquet":
        frame.write_parquet(file)
    else:
        frame.write_ipc(file)
    return file.getvalue()
