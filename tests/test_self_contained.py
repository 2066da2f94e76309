"""Files that hold judgments and a ranking are compared by one command."""

import json

import pytest

from command_line import here

GOLD = {"q one": ["d1"], "q two": ["d6"], "q three": ["d8"]}


def write(path, retrieved, gold=GOLD):
    rows = [
        {"user_input": query, "retrieved_context_ids": retrieved[query], "reference_context_ids": items}
        for query, items in gold.items()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path):
    old = write(tmp_path / "old.jsonl", {"q one": ["d1", "d2"], "q two": ["d5", "d6"], "q three": ["d7", "d8"]})
    new = write(tmp_path / "new.jsonl", {"q one": ["d1"], "q two": ["d6"], "q three": ["d7", "d8"]})
    return old, new


def test_two_self_contained_files_are_compared(files):
    result = here("compare", *files, "-m", "RR", "-t", "json")
    assert result.code == 0
    systems = json.loads(result.out)["metrics"]["RR"]["systems"]
    assert {row["system"]: round(row["mean"], 4) for row in systems} == {"new": 0.8333, "old": 0.6667}
    named = here("compare", *files, "-m", "RR", "--baseline", "new", "-t", "json")
    assert json.loads(named.out)["baseline"] == "new"


def test_other_judgments_are_refused_with_the_query(files, tmp_path):
    other = write(tmp_path / "other.jsonl", {query: ["d1"] for query in GOLD}, GOLD | {"q two": ["d9"]})
    result = here("compare", files[0], other, "-m", "RR")
    assert result.code == 3
    assert "different judgments of query 'q two'" in result.err
