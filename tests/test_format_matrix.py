"""One matrix of all formats and shapes: every row of the registries is read, and malformed files give one clear error."""

import json

import polars as pl
import pytest

import rankgauge as rg
import test_data_set_files as data_sets
import test_shapes as shapes
from optional import needs
from rankgauge.inputs.shapes.registry import shape_named
from registries import FORMATS, SHAPES
from test_shapes import EXPECTED, GOLD, LISTS, METRICS, digits

GOLD_ROWS = [(query, item, 1) for query in GOLD for item in GOLD[query]]
LIST_ROWS = [(query, item, 9 - rank) for query in LISTS for rank, item in enumerate(LISTS[query])]
FRAMES = {
    "judgments": pl.DataFrame(GOLD_ROWS, schema=["query", "item", "grade"], orient="row"),
    "ranking": pl.DataFrame(LIST_ROWS, schema=["query", "item", "score"], orient="row"),
}
OTTO = [
    {"session": query, "labels": {"clicks": [*GOLD[query]]}} for query in GOLD
]  # queries have the type of the event after their id
SAMPLES = {
    **{name: ("both", *content) for name, content in shapes.BOTH.items() if name != "rank_eval"},
    **{name: ("judgments", *content) for name, content in shapes.JUDGMENTS.items()},
    **{f"{name} ranking": ("ranking", *content) for name, content in shapes.RANKINGS.items()},
}
"""Records and documents: what they hold, the format and the content."""
MORE_SHAPES = {
    "esci": "test_data_set_files", "otto": "test_otto", "mlflow_traces": "test_format_samples",
    "document_spans": "test_spans",
    **dict.fromkeys(("umbrela", "ragelo", "mlflow_assessments", "quepid_ratings"), "test_judges_files"),
}  # fmt: skip
"""Shapes whose samples are read elsewhere."""
RECORDS = {
    name: content
    for name, content in SAMPLES.items()
    if isinstance(content[2], list) and (shape := shape_named(name.split()[0])) and not shape.is_document
}


def table(role, form, path):
    """Write the rows of a side in a format whose columns have names, or as TREC."""
    frame = FRAMES[role]
    if form == "trec":
        rows = GOLD_ROWS if role == "judgments" else LIST_ROWS
        line = "{0} 0 {1} {2}\n" if role == "judgments" else "{0} Q0 {1} 1 {2} tag\n"
        path.write_text("".join(line.format(*row) for row in rows))
    elif form == "ir_datasets":
        path.write_text("".join(f"{query}\t{item}\t{grade}\t0\n" for query, item, grade in GOLD_ROWS))
    elif form == "json":
        path.write_text(json.dumps(frame.to_dicts()))
    else:
        writers = {"csv": "write_csv", "tsv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet"}
        options = {"separator": "\t"} if form == "tsv" else {}
        getattr(frame, writers.get(form, "write_ipc"))(path, **options)
    return path


TABLES = [
    *((role, form) for form in ("trec", "tsv", "csv", "jsonl", "json", "parquet", "arrow") for role in FRAMES),
    ("judgments", "ir_datasets"),
]


@pytest.mark.parametrize(("role", "form"), TABLES)
def test_the_same_rows_in_every_table_give_the_same_digits(role, form, tmp_path):
    path = table(role, form, tmp_path / "rows.data")

    assert rg.read(path).format == form
    assert digits(rg.evaluate(*((path, LISTS) if role == "judgments" else (GOLD, path)), METRICS)) == digits(EXPECTED)


def test_every_row_of_the_registries_is_in_a_matrix():
    """Those of test_shapes and test_data_set_files compare their digits with the same expected ones."""
    elsewhere = {*data_sets.JUDGMENTS, *data_sets.RANKINGS, *data_sets.PAIRED}
    forms = {form for _, form in TABLES} | {name.split()[0] for name in elsewhere} | {"hdf5"}
    named = {name.split()[0] for name in SAMPLES} | {"rank_eval"}

    assert {row.name for row in FORMATS} <= forms
    assert {row.name for row in SHAPES} - named == {*MORE_SHAPES}


def problem(call, *sides):
    """The error of a call, without the remedy; there must be one problem."""
    with pytest.raises(rg.InputError) as raised:
        call(*sides, metrics=METRICS)
    text = str(raised.value)
    lines = [line for line in text.splitlines() if not line.startswith(("remedy", "and "))]
    assert len(lines) == 1, text
    return lines[0]


def sides_of(held, path):
    return {"both": (path,), "judgments": (path, LISTS), "ranking": (GOLD, path)}[held]


def second_record(records, change):
    """Records of which the second, after those that are skipped, has another value at one field."""
    copy = json.loads(json.dumps(records))
    change(copy[-1])
    return copy


def list_fields(name):
    """The top-level fields of a record by which its shape is recognised."""
    _, _, records = RECORDS[name]
    fit = shape_named(name.split()[0]).fit(records[-1])
    fields = dict.fromkeys(field.partition(".")[0].partition("[")[0] for field in fit.evidence)
    return [field for field in fields if field in records[-1]]


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_without_a_field_or_with_a_wrong_type_is_one_error(name, tmp_path):
    held, _, records = RECORDS[name]
    path = tmp_path / "records.jsonl"
    for field in list_fields(name):
        for change in (lambda record: record.pop(field), lambda record: record.update({field: 5.5})):  # noqa: B023
            shapes.write(tmp_path, "records", "jsonl", second_record(records, change))
            try:
                scores = (
                    rg.evaluate(*sides_of(held, path), METRICS)
                    if held != "both"
                    else rg.evaluate(path, metrics=METRICS)
                )
            except rg.InputError:
                message = problem(rg.evaluate, *sides_of(held, path))
                assert f"records.jsonl:{len(records)}: " in message, message
            else:  # an optional field, or an id that is a number
                assert len(scores.queries) >= len(GOLD) - 1


@pytest.mark.parametrize("name", SAMPLES)
def test_a_truncated_file_is_one_error(name, tmp_path):
    held, form, content = SAMPLES[name]
    path = shapes.write(tmp_path, "file", form, content)
    path.write_bytes(path.read_bytes()[:-20])
    if form == "csv":  # a table that ends early is a table, unless it ends in a list
        return

    assert "file." in problem(rg.evaluate, *sides_of(held, path))


@pytest.mark.parametrize("name", RECORDS)
def test_two_shapes_at_once_are_one_error(name, tmp_path):
    """A record that also has the fields of another tool is refused with both names."""
    held, _, records = RECORDS[name]
    own = name.split()[0]
    if own == "lists":  # the shape of a tool is more specific than any list
        return
    other = "vertex" if own != "vertex" else "freshstack"
    extra = next(content[2][0] for key, content in SAMPLES.items() if key.split()[0] == other)
    path = shapes.write(tmp_path, "file", "jsonl", [extra | record for record in records])

    message = problem(rg.evaluate, *sides_of(held, path))
    assert "fits several shapes" in message
    assert own in message
    assert other in message


LIMIT = 1 << 18
LONG_LINES = {
    "trec": "q1 0 {} 1",
    "tsv": "query\titem\tgrade\nq1\t{}\t1",
    "csv": "query,item,grade\nq1,{},1",
    "jsonl": '{{"query": "q1", "item": "{}", "grade": 1}}',
    "json": '[{{"query": "q1", "item": "{}", "grade": 1}}]',
    "letor": "1 qid:1 1:0.5 # docid = {}",
    "movielens": "1::{}::5::978300760",
    "recbole": "user_id:token\titem_id:token\nq1\t{}",
    "mind": "1\tU1\ttime\tN9\t{}-1",
    "ir_datasets": "q1\ta\t1\t0\nq1\tb\t1\t0\nq1\t{}\t1\t0",
}


@pytest.mark.parametrize("form", LONG_LINES)
def test_a_line_longer_than_the_limit_is_one_error(form, tmp_path, monkeypatch):
    """A line of 1 GB must not fill the memory; the limit is lowered here."""
    monkeypatch.setattr("rankgauge.inputs.formats.json_values.LONGEST_LINE", LIMIT)
    monkeypatch.setattr("rankgauge.inputs.io.lines.LONGEST_LINE", LIMIT)
    path = tmp_path / "file.data"
    path.write_text(LONG_LINES[form].format("x" * (1 << 23)) + "\n")

    with pytest.raises(rg.InputError, match=r"file\.data.*longer than"):
        rg.evaluate(path, LISTS, METRICS, format=form)


@pytest.mark.parametrize("form", ["parquet", "arrow", "hdf5"])
def test_a_truncated_table_of_columns_is_one_error(form, tmp_path):
    path = tmp_path / "file"
    if form == "hdf5":
        needs("h5py")
        data_sets.neighbours(path, [[1, 2], [3, 4]])
    else:
        table("judgments", form, path)
    path.write_bytes(path.read_bytes()[:300])

    assert "file" in problem(rg.evaluate, path, LISTS)
