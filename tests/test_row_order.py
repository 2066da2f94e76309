"""Rows in any order: shuffled rows of files and frames have the values and findings of sorted ones."""

from __future__ import annotations

import gzip
import io
import os
import random
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from crowds import CONVENTIONS, crowd
from rankgauge.inputs.io import frame_file
from reading import read_in_blocks_of


@pytest.mark.parametrize("rows", ["in order", "shuffled"])
def test_ranks_against_scores_are_reported_in_every_block_of_a_long_file(tmp_path, rows):
    """Ranks are read again in the blocks in which scores rise, or in all once they did."""
    order = np.arange(300) if rows == "in order" else np.random.default_rng(2).permutation(300)
    lines = [f"q{q} Q0 d{i} {i + 1} {1000 - i} {'t' * 9_000}\n" for q in range(4) for i in order.tolist()]
    lines[900:902] = ["q3 Q0 x 1 5 t\n", "q3 Q0 y 2 6 t\n"]  # in the third block of four megabytes
    (tmp_path / "run.txt").write_text("".join(lines), encoding="utf-8")
    judged = {f"q{q}": {"d3": 1} for q in range(4)}

    found = {finding.code: finding for finding in rg.evaluate(judged, tmp_path / "run.txt", "AP").findings}
    assert any("'x' has rank 1 and score 5 and 'y' has rank 2 and score 6" in text for text in found["RG210"].examples)


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
@pytest.mark.parametrize(("place", "noted"), [(99, True), (100, False)])
def test_ids_that_only_writing_keeps_apart_are_looked_for_in_the_first_lists(monkeypatch, place, noted):
    """The search compares texts one by one, so that it must not grow with the file."""
    monkeypatch.setattr("rankgauge.matching.from_frames.BLOCK_ROWS", 7)
    judged = {f"q{number}": {"a": 1, "B": 1} for number in range(105)}
    rows = [
        (query, item, 1.0 * (item == "a")) for query in judged for item in ("a", "b" if query == f"q{place}" else "c")
    ]
    frame = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")

    assert ("RG411" in {finding.code for finding in rg.evaluate(judged, frame, "RR").findings}) == noted


@pytest.mark.parametrize("kind", [str, int])
def test_judgments_in_any_order_keep_their_items_and_the_order_of_their_queries(kind):
    rng = np.random.default_rng(4)
    rows = [(kind(query), kind(item), int(rng.integers(0, 4))) for query in range(900) for item in range(100, 103)]
    rng.shuffle(rows)
    rows = [(kind(query), kind(item), int(grade)) for query, item, grade in rows]
    judged = pl.DataFrame(rows, ["query", "item", "grade"], orient="row")

    expected: dict[object, dict[object, int]] = {}
    for query, item, grade in rows:
        expected.setdefault(query, {})[item] = grade
    for item in map(kind, range(100, 103)):
        ranking = pl.DataFrame({"query": [*expected], "item": [item] * len(expected), "score": 1.0})
        gains = rg.evaluate(judged, ranking, "CG", convention=rg.Convention(gain="linear")).per_query("CG")
        assert [*gains.items()] == [(query, grades[item]) for query, grades in expected.items()]


# Rows of a query that are not together.

METRICS = ["nDCG@5", "AP", "RR", "bpref", "Judged@3"]
OF_ORDER = {"RG210", "RG213", "RG304", "RG106"}
"""Findings about the order of the rows, or the kind of file."""


def shuffled_rows(seed: int, queries: int = 9) -> tuple[dict[str, dict[str, float]], list[tuple[str, str, float]]]:
    """Judgments and the rows of a ranking in no order: ties, repeated items, hostile ids, unjudged queries."""
    judgments, ranking = crowd(queries, seed)
    rng = random.Random(seed)
    rows = [(query, item, score) for query, items in ranking.items() for item, score in items.items()]
    rows += [(query, item, score - rng.choice([0, 0.5])) for query, item, score in rng.sample(rows, 3)]
    rng.shuffle(rows)
    return judgments, rows


def together(rows: list[tuple[str, str, float]]) -> list[tuple[str, str, float]]:
    """The same rows query by query, in their order."""
    queries = [*dict.fromkeys(query for query, *_ in rows)]
    return sorted(rows, key=lambda row: queries.index(row[0]))


def written(path: Path, rows: list[tuple[str, str, float]]) -> Path:
    frame = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
    path.write_text(frame.write_csv(), encoding="utf-8")
    return path


def through_a_pipe(path: Path) -> int:
    """The reading end of a pipe into which the content of a file is written."""
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(path.read_bytes())

    threading.Thread(target=write, daemon=True).start()
    return reading


def facts(scores: rg.Scores, metrics: list[str]) -> tuple[Any, ...]:
    """Every value of every query, and the findings that do not depend on the order."""
    values = {metric: {query: repr(value) for query, value in scores.per_query(metric).items()} for metric in metrics}
    found = {finding.code: (finding.severity, finding.count) for finding in scores.findings}
    return values, {code: fact for code, fact in found.items() if code not in OF_ORDER}


@pytest.fixture
def in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read, keep and gather a few rows at a time, so that small files take every way."""
    read_in_blocks_of(64, monkeypatch)
    monkeypatch.setattr("rankgauge.matching.scattered_rows.GATHERED_ROWS", 7)
    monkeypatch.setattr("rankgauge.matching.scattered_rows.BLOCK_ROWS", 5)
    monkeypatch.setattr("rankgauge.matching.scattered_rows.KEPT_BYTES", 300)
    monkeypatch.setattr("rankgauge.matching.streamed_rankings.REMEMBERED_ROWS", 4)


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
@pytest.mark.parametrize("convention", ["default", "random", "removed, mean", "ascending", "random, assumed"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.usefixtures("in_small_steps")
def test_shuffled_rows_have_the_values_and_findings_of_rows_together(tmp_path, seed, convention):
    judgments, rows = shuffled_rows(seed)
    rules = CONVENTIONS.get(convention, rg.Convention()).replace(duplicates="close-up")
    expected = facts(
        rg.evaluate(judgments, written(tmp_path / "together.csv", together(rows)), METRICS, convention=rules), METRICS
    )
    shuffled = written(tmp_path / "shuffled.csv", rows)
    compressed = tmp_path / "shuffled.csv.gz"
    compressed.write_bytes(gzip.compress(shuffled.read_bytes()))
    frame = pl.read_csv(shuffled, schema={"query": pl.String, "item": pl.String, "score": pl.Float64})

    for source in (shuffled, compressed, frame, io.BytesIO(shuffled.read_bytes())):
        found = rg.evaluate(judgments, source, METRICS, convention=rules)
        assert facts(found, METRICS) == expected
        assert ("RG304" in {finding.code for finding in found.findings}) == (source is not frame)
    with os.fdopen(through_a_pipe(shuffled), "rb") as pipe:
        assert facts(rg.evaluate(judgments, pipe, METRICS, convention=rules), METRICS) == expected


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
@pytest.mark.parametrize("ids", [pl.Int64, pl.UInt64, pl.Int32])
def test_shuffled_frames_of_numbers_have_the_values_of_sorted_ones(ids):
    rng = np.random.default_rng(4)
    far = 1 << 30 if ids == pl.Int32 else 1 << 40  # too far apart for an array by number
    for step in (1, far // 60):
        rows = {
            "query": rng.integers(0, 60, 900) * step,
            "item": rng.integers(0, 10_000, 900),
            "score": rng.random(900),
        }
        frame = pl.DataFrame(rows).cast({"query": ids, "item": ids}).unique(["query", "item"], maintain_order=True)
        judged = frame.sample(200, seed=1).filter(pl.col("query") < 50 * step).select("query", "item", grade=pl.lit(1))

        expected = rg.evaluate(judged, frame.sort("query", maintain_order=True), METRICS)
        assert facts(rg.evaluate(judged, frame, METRICS), METRICS) == facts(expected, METRICS)


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
@pytest.mark.usefixtures("in_small_steps")
def test_a_query_that_comes_again_late_counts_once(tmp_path):
    """Values of the queries before it were computed already: of users with items, and of shares of judged items."""
    rows = [(f"q{number}", f"d{place}", 9.0 - place) for number in range(8) for place in range(5)]
    judgments = {f"q{number}": {"d0": 1, "d4": 1, "x": 0} for number in range(8)}
    metrics = ["ItemCoverage@3", "AP"]
    side = rg.SideInformation(items=[f"d{place}" for place in range(8)])
    late = [*rows[:3], *rows[5:], *rows[3:5]]

    found = [
        rg.evaluate(judgments, written(tmp_path / f"{name}.csv", order), metrics, side_information=side)
        for name, order in (("together", rows), ("late", late))
    ]
    assert [scores.mean("ItemCoverage@3") for scores in found] == [3 / 8, 3 / 8]
    assert found[0].per_query("AP") == found[1].per_query("AP")
    assert found[0].unjudged_top == found[1].unjudged_top


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
@pytest.mark.usefixtures("in_small_steps")
def test_nothing_is_left_in_the_temporary_folder(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    judgments, rows = shuffled_rows(3)
    path = written(tmp_path / "shuffled.csv", rows)
    files: list[frame_file.FrameFile] = []
    write = frame_file.FrameFile.write
    monkeypatch.setattr(frame_file.FrameFile, "write", lambda self, frame: files.append(self) or write(self, frame))

    rg.evaluate(judgments, path, "AP", convention=rg.Convention(duplicates="first"))
    assert {*files}
    (tmp_path / "broken.csv").write_text(path.read_text(encoding="utf-8") + "q,d,high\n", encoding="utf-8")
    with pytest.raises(rg.InputError, match="RG201"):
        rg.evaluate(judgments, tmp_path / "broken.csv", "AP")
    assert all(file.is_closed for file in files)
    assert [*folder.iterdir()] == []


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
@pytest.mark.usefixtures("in_small_steps")
def test_a_temporary_file_that_cannot_be_written_is_an_error_with_a_remedy(tmp_path, monkeypatch):
    judgments, rows = shuffled_rows(3)
    path = written(tmp_path / "shuffled.csv", rows)

    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(frame_file, "TemporaryFile", full)
    with pytest.raises(rg.InputError, match="No space left on device; set TMPDIR to a folder with more space") as error:
        rg.evaluate(judgments, path, "AP", convention=rg.Convention(duplicates="first"))
    assert "TMPDIR" in error.value.render("zh")
