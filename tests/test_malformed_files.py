"""What every malformed variant of every format and shape gives: values and findings, or a message, as they are stored.

``python tests/test_malformed_files.py`` writes tests/data/malformed again; a change there is one that users see.
"""

import itertools
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from test_shapes import BOTH, GOLD, JUDGMENTS, LISTS, RANKINGS

FOLDER = Path(__file__).parent / "data" / "malformed"
REMOVED = object()
"""Stands for a place that is removed."""
VALUES = (REMOVED, 5, "x", [], {}, [None], {"a": {}}, None, "", True, -1.5, ["x", "x"], [["x", 2], ["a", 1]])
TEXTS = ("", "x", "-1", "1e400", "nan", "0.5", "2", "a b", "é", "0", "[1]", "12:3")
"""What is written at the places, one after another."""


@dataclass(frozen=True)
class Case:
    """Content that is read without an error: the records of a shape, or the lines of a text."""

    side: str
    ending: str
    content: Any
    separator: str = ""
    """What separates the fields of a line; empty for records."""
    other: str = ""
    """The lines of the file with the other side, if it is not that of the shapes."""


LETOR = "2 qid:1 1:0.5 2:0.1\n0 qid:1 1:0.2 2:0.4\n1 qid:2 1:0.3 2:0.3\n0 qid:2 1:0.1 2:0.9\n"
BEHAVIORS = "1\tU1\t11/11/2019\tN3\tN1-0 N2-1 N5-1\n2\tU2\t11/12/2019\t\tN1-1 N4-0\n"
JSON_ROWS = [json.dumps({"query": q, "item": i, "score": -r}) for q in GOLD for r, i in enumerate(LISTS[q])]
GRADES = [(query, item, grade) for query in GOLD for item, grade in [*GOLD[query].items(), ("x", 0)]]
HITS = [{"_id": item, "_score": 1.0} for item in ("x", "b", "a")]
PHRASE = {"mlflow.spanType": "RETRIEVER", "mlflow.spanInputs": '{"query": "q1"}'}
LABELS = {
    "umbrela": [
        {"query": query, "passage": item, "judgment": grade, "prediction": str(grade), "result_status": 1}
        for query, item, grade in GRADES
    ],
    "ragelo": [{"qid": query, "did": item, "answer": {"score": grade}} for query, item, grade in GRADES],
    "quepid_ratings": [
        {"query": query, "docid": item, "ann@x.org": str(grade), "bob@x.org": "unrateable"}
        for query, item, grade in GRADES
    ],
    "mlflow_assessments": [
        {
            "trace_id": query,
            "assessment_name": item,
            "source": {"source_type": "HUMAN", "source_id": "ann"},
            "feedback": {"value": bool(grade)},
        }
        for query, item, grade in GRADES
    ],
    "otto": [{"session": query, "labels": {"clicks": "a", "carts": ["b"], "orders": []}} for query in GOLD],
    "esci": [
        {"query_id": query, "product_id": item, "esci_label": "E" if grade else "I"} for query, item, grade in GRADES
    ],
    "document_spans": [
        {"query_id": query, "doc_id": "d", "start_char": 0, "end_char": 9, "relevance": 1} for query in GOLD
    ],
    "rows": [{"query": query, "item": item, "grade": grade} for query, item, grade in GRADES],
    "sources": [{"query": query, "text": item, "label": grade} for query, item, grade in GRADES],
}
SEARCHES = {
    "otto submission": [{"session_type": f"{query}_clicks", "labels": " ".join(LISTS[query])} for query in GOLD],
    "responses": {"responses": [{"hits": {"hits": HITS}, "timed_out": True}, {"error": {"reason": "full"}}]},
    "named responses": {"queries": ["q1", "q2"], "responses": [{"hits": {"hits": HITS}}, {"hits": {"hits": []}}]},
    "ranks under a key": {
        "rows": [
            {"query": query, "item": item, "rank": rank} for query in GOLD for rank, item in enumerate(LISTS[query], 1)
        ]
    },
    "lists by id": [{"id": query, "query_date": None, "retrieved_ids": LISTS[query]} for query in GOLD],
    "lists by query with ids": [
        {"id": n, "query": query, "retrieved_ids": LISTS[query]} for n, query in enumerate(GOLD)
    ],
    "mlflow_traces": [
        {
            "info": {"trace_id": "t", "assessments": []},
            "data": {
                "spans": [{"attributes": PHRASE | {"mlflow.spanOutputs": json.dumps([{"id": "a"}, {"id": "x"}])}}]
            },
        }
    ],
    "esci": [
        {"query_id": query, "product_id": item, "esci_label": "E" if grade else "I", "prediction": 1.5 - grade}
        for query, item, grade in GRADES
    ],
}
LINES = {
    "trec judgments": Case("judgments", "txt", "q1 0 a 1\nq1 0 x 0\nq2 0 c 1\nq3 0 d 2\n", " "),
    "trec ranking": Case("ranking", "txt", "q1 Q0 a 1 2.5 t\nq1 Q0 x 2 1.5 t\nq2 Q0 c 1 1 t\nq3 Q0 d 1 .5 t\n", " "),
    "tsv": Case("judgments", "tsv", "query\titem\tgrade\nq1\ta\t1\nq1\tx\t0\nq2\tc\t1\n", "\t"),
    "csv": Case("ranking", "csv", "query,item,score\nq1,a,1.5\nq1,x,1\nq2,c,1\n", ","),
    "csv with ranks": Case("ranking", "csv", "user_id;item_id;rank\nq1;a;1\nq1;x;2\nq2;c;1\n", ";"),
    "csv without names": Case("ranking", "txt", "q1,a,1.5\nq1,x,1\nq2,c,1\n", ","),
    "two fields": Case("ranking", "txt", "q1,a\nq1,x\n", ","),
    "jsonl": Case("ranking", "jsonl", "\n".join(JSON_ROWS) + "\n", " "),
    "letor": Case("judgments", "txt", LETOR, " ", '{"1": ["2", "1"], "2": ["3", "4"]}'),
    "letor with ids": Case("judgments", "txt", "1 qid:q1 1:2 # docid = a\n0 qid:q1 1:3 # docid = x\n", " "),
    "scores": Case("ranking", "txt", "0.5\n-1e3\n0.25\n7\n", " ", LETOR),
    "msmarco": Case("ranking", "tsv", "q1\ta\t1\nq1\tx\t2\nq2\tc\t1\nq2\tz\t2\n", "\t"),
    "ir_datasets": Case("judgments", "tsv", "q1\ta\t1\t0\nq1\tb\t1\t0\nq2\tc\t1\t0\nq2\tz\t0\t0\n", "\t"),
    "movielens": Case("judgments", "dat", "q1::a::5::978300760\nq1::x::3::978300761\nq2::c::4::978300762\n", "::"),
    "recbole": Case("judgments", "inter", "user_id:token\titem_id:token\trating:float\nq1\ta\t3\nq2\tc\t1\n", "\t"),
    "recbole without ratings": Case("judgments", "inter", "user_id:token\titem_id:token\nq1\ta\nq2\tc\n", "\t"),
    "mind": Case("judgments", "tsv", BEHAVIORS, "\t", '{"1": ["N2", "N1"], "2": ["N4", "N1"]}'),
    "mind_prediction": Case("ranking", "txt", "1 [2,1,3]\n2 [1,2]\n", " ", BEHAVIORS),
}
"""Texts in lines, by their format."""
RECORDS = {
    f"{name} ({side})": Case(side, "json" if form == "json" else "jsonl", content)
    for side, shapes in {"both": BOTH, "judgments": JUDGMENTS, "ranking": RANKINGS}.items()
    for name, (form, content) in shapes.items()
    if name not in {"ragas csv", "ragas parquet"}  # as JSONL, they are another shape here
} | {
    f"{name} ({side})": Case(side, "json" if isinstance(content, dict) else "jsonl", content)
    for side, shapes in {"judgments": LABELS, "ranking": SEARCHES}.items()
    for name, content in shapes.items()
}
CASES = {"lines": LINES, "records": RECORDS}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inner:
        yield (*path, key)
        yield from places(entry, (*path, key))


def kind(path: tuple[Any, ...]) -> tuple[Any, ...]:
    """A place without the query and the rank: places of a kind are read by the same code."""
    return tuple("*" if isinstance(key, int) or key in GOLD else key for key in path)


def changed(content: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy of a document with one value replaced, or removed."""
    copy = json.loads(json.dumps(content))
    *parents, last = path
    inner = copy
    for key in parents:
        inner = inner[key]
    if value is REMOVED:
        del inner[last]
    else:
        inner[last] = value
    return copy


def variants_of_records(case: Case) -> Iterator[tuple[str, bytes]]:
    """Documents with one change, by what was changed: the first or the last place of each kind."""
    kinds: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for path in places(case.content):
        kinds.setdefault(kind(path), []).append(path)
    turn = itertools.cycle(VALUES)
    for same in kinds.values():
        for path, value in ((same[0], next(turn)), (same[-1], next(turn))):
            written = "removed" if value is REMOVED else json.dumps(value)
            yield f"{'/'.join(map(str, path))} = {written}", text_of(case, changed(case.content, path, value))
    if isinstance(case.content, list):
        yield "the first row again", text_of(case, [*case.content, case.content[0]])


def text_of(case: Case, content: Any) -> bytes:
    """Records as a file holds them."""
    rows = [content] if case.ending == "json" else content
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def variants_of_lines(case: Case) -> Iterator[tuple[str, bytes]]:
    """Texts with one change, by what was changed: a field of the first or the last line, or the whole."""
    lines, turn = case.content.splitlines(), itertools.cycle(TEXTS)
    for line in (0, len(lines) - 1):
        fields = lines[line].split(case.separator)
        for place in range(len(fields)):
            written = case.separator.join([*fields[:place], value := next(turn), *fields[place + 1 :]])
            yield f"field {place + 1} of line {line + 1} = {value!r}", joined(lines, line, written)
        yield f"line {line + 1} one field shorter", joined(lines, line, case.separator.join(fields[:-1]))
        yield f"line {line + 1} one field longer", joined(lines, line, case.separator.join([*fields, "x"]))
    text = case.content.encode()
    yield "line ends of Windows", text.replace(b"\n", b"\r\n")
    yield "an empty line", text.replace(b"\n", b"\n \n", 1)
    yield "a mark of the byte order", b"\xef\xbb\xbf" + text
    yield (
        "empty lines first, and a line one field shorter",
        b"\n \n" + joined(lines, line, case.separator.join(fields[:-1])),
    )
    yield "the first field of the last line empty", joined(lines, line, case.separator.join(["", *fields[1:]]))
    yield "an empty line, and the first as a comment", b"\n#" + text
    yield "no last line end", text.rstrip(b"\n")
    yield "the last line again", text + lines[-1].encode() + b"\n"
    yield "a comment", b"# comment\n" + text
    yield "Latin-1", text.replace(b"a", b"\xe9", 1)
    yield "a NUL", text[:-2] + b"\0" + text[-2:]


def joined(lines: list[str], line: int, written: str) -> bytes:
    """The text with one line replaced."""
    return "".join(text + "\n" for text in [*lines[:line], written, *lines[line + 1 :]]).encode()


def outcome(case: Case, data: bytes, folder: Path) -> str:
    """What evaluating a file gives: values and findings, or a message and what lenient reading gives."""
    path, other = folder / f"file.{case.ending}", folder / "other.txt"
    path.write_bytes(data)
    other.write_text(case.other, encoding="utf-8")
    judged, ranked = (other, other) if case.other else (GOLD, LISTS)
    sides = {"both": (path,), "judgments": (path, ranked), "ranking": (judged, path)}[case.side]

    def values(**options: bool) -> str:
        scores = rg.evaluate(*sides, metrics=("nDCG@3", "NumRet"), **options)
        found = [str(scores.systems)] if len(scores.systems) > 1 else []
        for system in scores.systems:
            gains, returned = (scores.per_query(metric, system) for metric in scores.metrics)
            found += [f"{query}: {gains[query]:.4g} of {returned[query]:g}" for query in gains]
        return "; ".join([*found, *(f"{finding.code} {finding.count}" for finding in scores.findings)])

    try:
        return values()
    except rg.RankgaugeError as error:
        message = str(error).partition("\nremedy: ")[0].replace(str(folder / "x")[:-1], "")
    if not case.separator:
        return message
    try:
        return f"{message}; LENIENT {values(lenient=True)}"
    except rg.RankgaugeError:
        return message


def description(case: Case, folder: Path) -> str:
    """What the content is taken for, and why."""
    path = folder / f"file.{case.ending}"
    path.write_bytes(case.content.encode() if case.separator else text_of(case, case.content))
    try:
        return repr(rg.read(path)).replace(str(folder / "x")[:-1], "")
    except rg.RankgaugeError as error:
        return str(error).partition("\nremedy: ")[0].replace(str(folder / "x")[:-1], "")


def outcomes(case: Case, folder: Path) -> dict[str, str]:
    """What the content is taken for, and what all variants of it give."""
    variants = variants_of_lines(case) if case.separator else variants_of_records(case)
    found = {change: outcome(case, data, folder) for change, data in variants}
    return {"unchanged": description(case, folder)} | found


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, cases in CASES.items() for name in cases])
def test_malformed_variants_give_the_stored_values_or_messages(file, name, tmp_path):
    stored = json.loads((FOLDER / f"{file}.json").read_text(encoding="utf-8"))
    assert outcomes(CASES[file][name], tmp_path) == stored[name]


SIZES = {
    "formats.json.ROWS": 2,
    "formats.jsonl.TOGETHER": 2,
    "io.lines.PIECE": 32,
    "io.lines._SCAN": 8,
    "shapes.entry_rows.FEW": 2,
    "shapes.entry_rows.MANY": 0,
}
"""Sizes of what is read together, all of them smaller than the files."""


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, cases in CASES.items() for name in cases])
def test_what_is_read_together_changes_no_value_and_no_message(file, name, tmp_path, monkeypatch):
    for place, size in SIZES.items():
        monkeypatch.setattr(f"rankgauge.inputs.{place}", size)
    test_malformed_variants_give_the_stored_values_or_messages(file, name, tmp_path)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, cases in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            found = {name: outcomes(case, Path(folder)) for name, case in cases.items()}
        text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
        (FOLDER / f"{file}.json").write_text(text, encoding="utf-8")
