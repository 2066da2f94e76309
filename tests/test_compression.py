"""Compressed files that expand out of all proportion are refused before they fill the memory."""

import bz2
import gzip
import io
import lzma

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.io import compression

ROWS = b"q Q0 a 1 1 x\n" + b"\n" * 3000
JUDGMENTS = {"q": {"a": 1}}


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(compression, "SMALL", 2000)
    monkeypatch.setattr(compression, "MAX_EXPANSION", 10)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bzip2", "xz"])
def test_a_file_that_expands_too_much_is_refused_with_a_remedy(compress, monkeypatch):
    with pytest.raises(
        rg.InputError, match=r"(?s)expands to more than 10 times its size \([\d,]+ bytes.*RG112.*RANKGAUGE_MAX"
    ):
        rg.evaluate(JUDGMENTS, io.BytesIO(compress(ROWS)), "RR")
    monkeypatch.setenv("RANKGAUGE_MAX_EXPANSION", "1e6")
    assert rg.evaluate(JUDGMENTS, io.BytesIO(compress(ROWS)), "RR").mean("RR") == 1


COLUMNAR = {
    "parquet": lambda frame, path: frame.write_parquet(path),
    "arrow": lambda frame, path: frame.write_ipc(path, compression="zstd"),
    "stream": lambda frame, path: frame.write_ipc_stream(path, compression="lz4"),
}


@pytest.mark.parametrize("form", COLUMNAR)
@pytest.mark.parametrize("lenient", [False, True])
def test_columns_that_expand_too_much_are_refused_with_a_remedy(form, lenient, tmp_path, monkeypatch):
    """A few bytes of Parquet or Arrow can be millions of equal values, which gzip's limit does not see."""
    path = tmp_path / f"run.{'parquet' if form == 'parquet' else 'arrow'}"
    rows = 200_000
    COLUMNAR[form](pl.DataFrame({"query": ["q"] * rows, "item": ["a"] * rows, "score": [1.0] * rows}), path)
    rules = rg.Convention(duplicates="first")
    with pytest.raises(rg.InputError, match=r"(?s)run\.\w+: its columns expand to more than 10 .*RG112.*RANKGAUGE_MAX"):
        rg.evaluate(JUDGMENTS, path, "RR", convention=rules, lenient=lenient)
    monkeypatch.setenv("RANKGAUGE_MAX_EXPANSION", "inf")
    assert rg.evaluate(JUDGMENTS, path, "RR", convention=rules).mean("RR") == 1


@pytest.mark.parametrize("form", COLUMNAR)
def test_ordinary_columns_stay_far_below_the_limit(form, tmp_path, monkeypatch):
    monkeypatch.setattr(compression, "MAX_EXPANSION", 50)
    random, path = np.random.default_rng(1), tmp_path / f"run.{'parquet' if form == 'parquet' else 'arrow'}"
    table = {"query": np.repeat(np.arange(200), 100).astype(str), "item": random.integers(0, 5000, 20_000).astype(str)}
    COLUMNAR[form](pl.DataFrame({**table, "score": random.integers(0, 2, 20_000)}), path)

    assert rg.evaluate({"0": {"1": 1}}, path, "RR", convention=rg.Convention(duplicates="first")).queries == ("0",)


def test_tables_of_side_information_have_the_same_limit(tmp_path):
    table = tmp_path / "items.csv.gz"
    table.write_bytes(gzip.compress(b"item,price\na,1\n" + b"b,1\n" * 3000))
    with pytest.raises(rg.InputError, match="RG112"):
        rg.evaluate(JUDGMENTS, {"q": ["a"]}, "ItemCoverage", side_information=rg.SideInformation(items=str(table)))


def test_small_and_uncompressed_files_have_no_limit(monkeypatch):
    assert rg.evaluate(JUDGMENTS, io.BytesIO(ROWS), "RR").mean("RR") == 1
    monkeypatch.setattr(compression, "SMALL", 64 << 20)
    assert rg.evaluate(JUDGMENTS, io.BytesIO(gzip.compress(ROWS)), "RR").mean("RR") == 1


@pytest.mark.parametrize("limit", ["x", "0", "nan", "-1"])
def test_a_limit_that_is_not_a_number_is_refused(monkeypatch, limit):
    monkeypatch.setenv("RANKGAUGE_MAX_EXPANSION", limit)
    with pytest.raises(rg.ParameterError, match="RANKGAUGE_MAX_EXPANSION must be a number of at least 1, or inf"):
        rg.evaluate(JUDGMENTS, io.BytesIO(gzip.compress(ROWS)), "RR")
