"""Labels of judging sheets: read back as judgments and labels, and refused where they do not belong."""

import csv
import functools
import io
import json

import polars as pl
import pytest

import rankgauge as rg
from command_line import here
from sheet_checks import sheet_check

RANKINGS = {"old": {"q1": ["a", "b", "c"], "q2": ["a", "x"]}, "new": {"q1": ["c", "b", "a"], "q2": ["x", "a"]}}
GRADES = {("q1", "a"): 3, ("q1", "b"): 0, ("q1", "c"): 1, ("q2", "a"): 2, ("q2", "x"): 0}


@functools.cache
def pool():
    return rg.pool(RANKINGS, depth=3, max_grade=3)


def record(query, item, grade, rater="Anna", **changes):
    """A label as the page writes it."""
    made = {
        "query": query, "item": item, "rater": rater, "grade": grade, "note": None, "time": "2026-01-01T10:00:00.000Z",
        "repeat": 0, "reason": "depth", "inclusion": 1.0, "max_grade": 3, "pool_fingerprint": pool().fingerprint,
    }  # fmt: skip
    made |= changes
    return made | {"check": sheet_check(made)}


def written(path, records):
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    return path


def labels_of(**raters):
    return [record(*pair, grade, rater) for rater in raters or {"Anna": 0} for pair, grade in GRADES.items()]


def triples(frame):
    return {(query, item): grade for query, item, grade in frame.select("query", "item", "grade").iter_rows()}


def test_labels_are_judgments_for_every_verb(tmp_path):
    path = written(tmp_path / "labels.jsonl", labels_of())
    dicts = {query: {item: g for (q, item), g in GRADES.items() if q == query} for query in ("q1", "q2")}

    for source in (path, rg.read(path), str(path)):
        assert rg.evaluate(source, RANKINGS["old"], "nDCG@3").mean() == pytest.approx(
            rg.evaluate(dicts, RANKINGS["old"], "nDCG@3").mean()
        )
    assert triples(rg.read(path).judgments.frame()) == GRADES


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rater", ["Anna"]),
        ("reason", [[1]]),
        ("time", {}),
        ("query", {"a": 1}),
        ("inclusion", 10**400),
        ("inclusion", 1e300),
        ("withdrawn", []),
    ],
)
def test_labels_with_values_of_other_types_are_reported(tmp_path, field, value):
    """Lists in place of text ended in a TypeError, or in an error of polars."""
    path = written(tmp_path / "labels.jsonl", [record("q1", "b", 0), {**record("q1", "a", 3), field: value}])
    ended = here("judges", "export", str(path), "--to", "csv")
    assert "bug" not in ended.err
    assert (ended.code, "RG616" in ended.err) == ((0, False) if field == "withdrawn" else (3, True))


def test_the_grade_of_several_assessors_is_that_of_most_and_of_several_the_lowest(tmp_path):
    grades = {"Anna": 3, "Ben": 1, "Chen": 1}
    path = written(tmp_path / "labels.jsonl", [record("q1", "a", grade, rater) for rater, grade in grades.items()])
    assert triples(rg.read(path).judgments.frame()) == {("q1", "a"): 1.0}
    path = written(tmp_path / "two.jsonl", [record("q1", "a", grade, rater) for rater, grade in [*grades.items()][:2]])
    assert triples(rg.read(path).judgments.frame()) == {("q1", "a"): 1.0}
    assert pool().labels(path).raters == ["Anna", "Ben"]


def test_the_last_label_of_an_assessor_holds_and_a_withdrawn_one_does_not(tmp_path):
    log = [
        record("q1", "a", 1), record("q1", "b", 2), record("q1", "a", 3), record("q1", "b", None, withdrawn=True),
        record("q1", "c", None),
    ]  # fmt: skip
    labels = pool().labels(written(tmp_path / "log.jsonl", log))

    assert triples(labels.frame) == {("q1", "a"): 3.0, ("q1", "c"): None}
    assert [finding.code for finding in labels.findings] == ["RG608"]


def test_second_answers_are_kept_apart(tmp_path):
    log = [*labels_of(), record("q1", "a", 2, repeat=1)]
    labels = pool().labels(written(tmp_path / "log.jsonl", log))

    assert triples(labels.frame) == GRADES
    assert triples(labels.repeats) == {("q1", "a"): 2.0}


def filled(grades, separator=","):
    """The CSV sheet of the pool as a person fills it in."""
    rows = [*csv.DictReader(io.StringIO(pool().sheet(repeats=0).to_csv()))]
    for row in rows:
        row["grade"], row["rater"] = grades.get((row["query"], row["item"]), ""), "Anna"
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], delimiter=separator, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_sheet_that_was_filled_in_with_a_spreadsheet_is_read(tmp_path, separator):
    path = tmp_path / "sheet.csv"
    path.write_text(filled({**GRADES, ("q1", "b"): "u", ("q2", "x"): ""}, separator), encoding="utf-8-sig")
    expected = {**GRADES, ("q1", "b"): None}
    del expected["q2", "x"]

    assert triples(pool().labels(path).frame) == expected
    assert triples(rg.read(path).judgments.frame()) == {pair: g for pair, g in expected.items() if g is not None}


def test_ids_that_were_made_safe_for_spreadsheets_are_read_as_they_were(tmp_path):
    pool = rg.pool({"r": {"=q": ["@a", "'b", "-c"]}}, depth=3)
    rows = [*csv.DictReader(io.StringIO(pool.sheet(repeats=0).to_csv()))]
    path = tmp_path / "sheet.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row | {"grade": "1"} for row in rows)

    assert {*triples(pool.labels(path).frame)} == {*pool.pairs()}


def test_frames_and_records_of_labels_are_read():
    records = [*labels_of(), record("q1", "a", 2, repeat=1)]

    assert triples(pool().labels(pl.DataFrame(records)).frame) == GRADES
    assert triples(rg.judges.Labels.of(records, rg.ReadOptions(), "people").frame) == GRADES


# What does not belong


def test_labels_of_another_pool_are_refused(tmp_path):
    path = written(tmp_path / "labels.jsonl", labels_of())

    with pytest.raises(rg.InputError, match="RG615"):
        rg.pool(RANKINGS, depth=2).labels(path)
    mixed = written(tmp_path / "mixed.jsonl", [*labels_of(), record("q1", "a", 1, pool_fingerprint="0" * 16)])
    with pytest.raises(rg.InputError, match="RG615"):
        rg.evaluate(mixed, RANKINGS["old"])


@pytest.mark.parametrize(
    "change", [{"grade": 1}, {"inclusion": 0.5}, {"item": "c"}, {"rater": "Ben"}, {"reason": "rrf"}, {"inclusion": "x"}]
)
def test_an_edited_label_is_refused(tmp_path, change):
    path = written(tmp_path / "labels.jsonl", [*labels_of()[1:], labels_of()[0] | change])

    for call in (pool().labels, lambda source: rg.evaluate(source, RANKINGS["old"])):
        with pytest.raises(rg.InputError, match="RG616"):
            call(path)


def test_a_probability_edited_in_a_spreadsheet_is_refused(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text(filled(GRADES).replace(",depth,1.0,", ",depth,0.5,", 1), encoding="utf-8")

    with pytest.raises(rg.InputError, match="RG616"):
        pool().labels(path)


@pytest.mark.parametrize("grade", [4, -1, 1.5])
def test_a_grade_outside_the_scale_is_refused(tmp_path, grade):
    path = written(tmp_path / "labels.jsonl", [*labels_of()[1:], record("q1", "a", grade)])
    with pytest.raises(rg.InputError, match="RG607"):
        rg.evaluate(path, RANKINGS["old"])
    path = tmp_path / "sheet.csv"
    path.write_text(filled({**GRADES, ("q1", "a"): grade}), encoding="utf-8")
    with pytest.raises(rg.InputError, match="RG607"):
        pool().labels(path)


def test_a_pair_that_is_not_in_the_pool_is_refused(tmp_path):
    with pytest.raises(rg.InputError, match="not in the pool"):
        pool().labels(written(tmp_path / "labels.jsonl", [record("q1", "zzz", 1)]))


def test_an_incomplete_last_line_is_reported_and_the_others_are_read(tmp_path):
    path = written(tmp_path / "labels.jsonl", labels_of())
    path.write_text(path.read_text(encoding="utf-8") + '{"query": "q1", "it', encoding="utf-8")
    labels = pool().labels(path)

    assert triples(labels.frame) == GRADES
    assert "RG617" in [finding.code for finding in labels.findings]
    damaged = path.read_text(encoding="utf-8").replace('"item"', "item", 1)
    path.write_text(damaged, encoding="utf-8")
    with pytest.raises(rg.InputError, match="RG102"):
        pool().labels(path)
