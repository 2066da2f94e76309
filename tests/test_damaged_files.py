"""Damaged files are input errors with the file and the reason, whatever the library that reads them does."""

from __future__ import annotations

import functools
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.findings import reader_errors
from rankgauge.inputs.formats.arrow_messages import check_messages
from rankgauge.inputs.formats.codec import DamagedFileError
from rankgauge.inputs.formats.parquet_pages import check_pages
from rankgauge.inputs.formats.table_files import parse_table
from reading import rows

ROWS = pl.DataFrame(
    {
        "query": [f"q{row // 4}" for row in range(24)],
        "item": [f"d{row}" for row in range(24)],
        "score": [1 / (1 + row) for row in range(24)],
    }
)


def written(write: Callable[[io.BytesIO], object]) -> bytes:
    """The bytes of a file."""
    file = io.BytesIO()
    write(file)
    return file.getvalue()


WRITERS: dict[str, Callable[[io.BytesIO], object]] = {
    "parquet": ROWS.write_parquet,
    "arrow": ROWS.write_ipc,
    "arrow stream": ROWS.write_ipc_stream,
    "zstd arrow": lambda file: ROWS.write_ipc(file, compression="zstd"),
    "categorical arrow": lambda file: ROWS.with_columns(pl.col("item").cast(pl.Categorical)).write_ipc(file),
}


@functools.cache
def content_of(kind: str) -> bytes:
    """The bytes of a file, written when needed: `make mutants` forks, and polars' threads are not copied."""
    return written(WRITERS[kind])


@pytest.mark.parametrize("kind", WRITERS)
def test_a_changed_byte_of_a_columnar_file_is_an_input_error_or_other_data_but_never_a_panic(
    kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """D1: polars raises PanicException, which is no Exception, at some damaged files."""
    content, places = content_of(kind), np.random.default_rng(7)
    for place in places.choice(len(content), 150, replace=False).tolist():
        damaged = bytearray(content)
        damaged[place] ^= int(places.choice([1, 128, 255]))
        for read in (lambda file: rows(file, "ranking", lenient=True), rg.read):
            try:
                read(io.BytesIO(bytes(damaged)))
            except rg.InputError as error:
                assert "<file>" in str(error)
        try:
            parse_table(bytes(damaged), "popularity.parquet", "popularity")
        except rg.InputError as error:
            assert "popularity.parquet" in str(error)
    capfd.readouterr()


def known_panic(tmp_path: Path) -> Path:
    """An Arrow file at which polars panics: a compressed buffer that cannot be decompressed."""
    path, content = tmp_path / "run.arrow", content_of("zstd arrow")
    start = content.index(b"\x28\xb5\x2f\xfd")
    path.write_bytes(content[:start] + b"\0\0\0\0" + content[start + 4 :])
    return path


@pytest.mark.parametrize("command", ["check", "doctor"])
def test_a_panic_of_polars_exits_with_3_and_one_message(tmp_path: Path, command: str) -> None:
    """D1: ``check`` exited with 1, which means that a check failed, after a traceback."""
    path, qrels = known_panic(tmp_path), tmp_path / "qrels.txt"
    qrels.write_text("q0 0 d0 1\n")
    arguments = {"check": ["check", str(qrels), str(path), "--fail-if", "RR < 0.1"], "doctor": ["doctor", str(path)]}[
        command
    ]
    done = subprocess.run(
        [sys.executable, "-m", "rankgauge", *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 3, done.stderr
    assert "run.arrow" in done.stderr
    assert "RG110" in done.stderr
    assert "panicked" not in done.stderr
    assert "Traceback" not in done.stderr


def test_pages_with_a_negative_number_of_values_are_refused_before_polars_aborts_the_process() -> None:
    """D1: three single-byte changes of Parquet files ended the process with 134."""
    import pyarrow.parquet as pq

    content = written(lambda file: pq.write_table(ROWS.to_arrow(), file))
    check_pages(io.BytesIO(content))
    check_pages(io.BytesIO(content_of("parquet")), ["query"])
    refused = 0
    for place in range(4, len(content) - 8):
        for flip in (1, 128):
            damaged = bytearray(content)
            damaged[place] ^= flip
            try:
                check_pages(io.BytesIO(bytes(damaged)))
            except DamagedFileError:
                refused += 1
    assert refused > 100


def arrow_file(*, stream: bool, compression: Any = "uncompressed") -> tuple[bytes, int]:
    """An Arrow file with a long column, and where its length is in the metadata."""
    frame = pl.DataFrame({"score": [float(number) for number in range(4321)]})
    write = frame.write_ipc_stream if stream else frame.write_ipc
    content = written(lambda file: write(file, compression=compression))
    return content, content.index((4321 * 8).to_bytes(8, "little"))


@pytest.mark.parametrize("stream", [False, True])
def test_arrow_buffers_beyond_the_file_are_refused_before_polars_aborts_the_process(*, stream: bool) -> None:
    """D1: a damaged length of a buffer makes polars ask for terabytes, which ends the process with 134 or 137."""
    content, at = arrow_file(stream=stream)
    check_messages(io.BytesIO(content))
    for length in (2**45, 2**63 - 1, 2**64 - 1):
        with pytest.raises(DamagedFileError, match="outside of the file"):
            check_messages(io.BytesIO(content[:at] + length.to_bytes(8, "little") + content[at + 8 :]))
    packed, at = arrow_file(stream=stream, compression="zstd")
    check_messages(io.BytesIO(packed))
    with pytest.raises(DamagedFileError, match="cannot have"):
        check_messages(io.BytesIO(packed[:at] + (2**45).to_bytes(8, "little") + packed[at + 8 :]))


def test_the_page_check_reads_headers_that_are_longer_than_usual() -> None:
    """Statistics of long ids make a page header longer than one read."""
    long = pl.DataFrame({"query": ["q" * 5_000], "item": ["d" * 40_000], "score": [1.0]})
    check_pages(io.BytesIO(written(long.write_parquet)))


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.99])
def test_a_truncated_parquet_file_is_reported_as_truncated(tmp_path: Path, cut: float) -> None:
    """D1: the reason is told."""
    path = tmp_path / "run.parquet"
    path.write_bytes(content_of("parquet")[: int(len(content_of("parquet")) * cut)])
    with pytest.raises(rg.InputError, match=r"run\.parquet.*(?s:.)*RG110"):
        rg.evaluate({"q0": {"d0": 1}}, path, "RR")


def test_every_error_of_a_reader_names_the_file(tmp_path: Path) -> None:
    """One place turns the exceptions of readers into input errors."""

    class BrokenFile(io.BytesIO):
        name = "disk.csv"

        def read(self, _: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

        readinto = read  # type: ignore[assignment]

    with pytest.raises(rg.InputError, match=r"disk\.csv: cannot be read: Input/output error"):
        rg.evaluate({"q": {"a": 1}}, BrokenFile(), "RR")
    with pytest.raises(rg.InputError, match="x: cannot be read: strange"), reader_errors("x"):
        raise ArithmeticError("strange")
    with pytest.raises(KeyboardInterrupt), reader_errors("x"):
        raise KeyboardInterrupt
    path = tmp_path / "run.csv"
    path.write_text("query,item,score\nq,a,1\n")

    def stop(_: int) -> None:
        raise LookupError

    with pytest.raises(LookupError):  # an exception of the caller is not one of the reader
        rows(path, "ranking", on_read=stop)


def test_intact_columnar_tables_are_read_as_side_information() -> None:
    """Checking a file leaves it as it was."""
    for content in map(content_of, WRITERS):
        assert parse_table(content, "table", "popularity")["score"].to_list() == ROWS["score"].to_list()


def test_categorical_ids_of_columnar_files_are_read_as_text() -> None:
    """They were refused, although the ids are text."""
    assert [item for _, item, _ in rows(io.BytesIO(content_of("categorical arrow")), "ranking")] == ROWS[
        "item"
    ].to_list()


DOCUMENTS = {
    "by query": '{"q1": {"a": 0.5, "b": true},\n "q2": {"c": "x\\\\y"}}',
    "rows": '[{"query": "q1", "item": "a", "score": 0.5},\n {"query": "q2", "item": "c", "score": 0.25}]',
    "responses": '{"responses": [{"hits": {"hits": [\n{"_id": "ä", "_score": 1.5}]}}]}',
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_json_file_that_ends_anywhere_is_said_to_be_cut_off_at_its_line_and_column(name, tmp_path):
    """The place is the one that json names for the whole document."""
    path, content = tmp_path / "run.json", DOCUMENTS[name].encode()
    for end in range(1, len(content)):
        path.write_bytes(content[:end].rstrip())
        with pytest.raises(rg.InputError, match="the file seems to be cut off") as caught:
            rg.evaluate({"q1": {"a": 1}}, path)
        text = str(caught.value)
        if "incomplete" in text:
            continue
        line, column = (int(number) for number in re.search(r"json:(\d+): .* column (\d+);", text).groups())
        with pytest.raises(json.JSONDecodeError) as fault:
            json.loads(content[:end].rstrip())
        assert (line, column) == (fault.value.lineno, fault.value.colno)
        assert "文件似乎被截断" in caught.value.render("zh")


def test_places_are_counted_across_the_pieces_in_which_a_file_is_read(tmp_path):
    path, row = tmp_path / "run.json", '{"query": "q", "item": "i", "score": 0.5}'
    path.write_text("[" + ", ".join([row] * 20_000) + "\n, {", encoding="utf-8")  # longer than a piece
    with pytest.raises(rg.InputError, match=r"run.json:2: .* column 4; the file seems to be cut off"):
        rg.evaluate({"q": {"i": 1}}, path)
    path.write_text("[" + ", ".join([row] * 20_000), encoding="utf-8")
    column = 1 + 20_000 * len(row) + 19_999 * len(", ") + 1
    with pytest.raises(rg.InputError, match=rf"run.json:1: .*end of the file, column {column}; .* cut off"):
        rg.evaluate({"q": {"i": 1}}, path)


@pytest.mark.parametrize("row", ['{"query": "q", "item": "i", "score": 0.5}', '{"query": "q", "retrieved_ids": ["i"]}'])
def test_a_line_that_ends_anywhere_is_said_to_be_cut_off(row, tmp_path):
    path = tmp_path / "run.jsonl"
    for end in range(1, len(row)):
        path.write_text(row.replace('"q"', '"p"') + "\n" + row[:end], encoding="utf-8")
        with pytest.raises(
            rg.InputError, match=r"run.jsonl:2: .* column \d+; the line or the file seems to be cut off"
        ):
            rg.evaluate({"q": {"i": 1}, "p": {"i": 1}}, path)
