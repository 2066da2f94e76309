"""All shapes in a few quick tests: whatever tool wrote them, the judgments and the lists are the same."""

import json

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.column_roles import role_of_columns
from rankgauge.inputs.columns import COLUMN_NAMES
from rankgauge.inputs.formats.codec import Confidence, Sample
from rankgauge.inputs.formats.reader import guess_format
from rankgauge.inputs.formats.registry import FORMATS, format_of_signature
from reading import columns_read, named, rows
from test_malformed_files import LINES
from test_shapes import BOTH, FULL, GOLD, JUDGMENTS, LISTS, RANKINGS

CASES = {"judgments": BOTH | JUDGMENTS, "ranking": BOTH | RANKINGS}
RELEVANT = {query: {*items} for query, items in GOLD.items()}


def held(side, found):
    """The relevant items of each query, or its items by score."""
    numbers = {}
    for query, item, number, *_ in found:
        numbers.setdefault(str(query), {})[item] = number
    if side == "judgments":
        return {query: {item for item in items if items[item] > 0} for query, items in numbers.items()}
    return {query: sorted(items, key=items.get, reverse=True) for query, items in numbers.items()}


def expected(side, name):
    return RELEVANT if side == "judgments" else FULL if name == "rank_eval" else LISTS


@pytest.mark.parametrize("side", CASES)
def test_files_of_every_shape_hold_the_same(side):
    for name, (form, content) in CASES[side].items():
        if form in {"json", "jsonl"}:
            records = [content] if form == "json" else content
            text = "".join(json.dumps(record) + "\n" for record in records)
            assert held(side, rows(named(text, f"x.{form}"), side)) == expected(side, name), name


@pytest.mark.parametrize("side", CASES)
def test_records_in_memory_of_every_shape_hold_the_same(side):
    for name, (form, content) in CASES[side].items():
        if form == "jsonl":
            data = rg.read(content, role=None if name in BOTH else side)
            source = data.judgments if side == "judgments" else next(iter(data.rankings.values()))
            assert held(side, source.frame().rows()) == expected(side, name), name


def test_every_name_of_a_column_is_recognised_alone():
    places = {"query": "qid", "item": "docid", "grade": "grade", "score": "score", "rank": "rank"}
    for side, kinds in (("judgments", ("query", "item", "grade")), ("ranking", ("query", "item", "score"))):
        for kind in kinds:
            for name in {name for group in COLUMN_NAMES[side][kind] for name in group}:
                names = [name if kind == other else places[other] for other in kinds]
                assert columns_read(names, side) == names


@pytest.mark.parametrize(
    ("names", "side"),
    [
        ("grade relevance label", "judgments"),
        ("rating weight", "judgments"),
        ("score rank similarity position", "ranking"),
        ("logit relevance_score doc_position", "ranking"),
    ],
)
def test_the_name_of_a_number_tells_the_side(names, side):
    for name in names.split():
        assert role_of_columns(["qid", "docid", name], "x") == side


@pytest.mark.parametrize("name", ["x", "x.csv", "x.tsv", "x.json", "x.txt"])
def test_the_first_of_the_formats_that_are_suggested_most_is_chosen(name):
    for text in ("", "\n", "a", *(case.content for case in LINES.values())):
        for role in (None, "judgments", "ranking"):
            sample = Sample(text.encode(), name, role)
            sure = [Confidence.NONE if row.signature else row.codec.sniff(sample) for row in FORMATS]
            signed = format_of_signature(sample.line)
            assert guess_format(sample) is (signed or FORMATS[sure.index(max(sure))])


@pytest.mark.parametrize("form", ["dicts", "frame"])
def test_fields_with_dots_are_those_of_objects(form):
    examples = [
        {"inputs.question": query, "outputs.ids": LISTS[query], "reference.ids": [*items]}
        for query, items in GOLD.items()
    ]
    data = rg.read(examples if form == "dicts" else pl.DataFrame(examples))
    assert held("judgments", data.judgments.frame().rows()) == RELEVANT
    assert held("ranking", next(iter(data.rankings.values())).frame().rows()) == LISTS


NUMBERS = {
    "judgments": {"rating", "query_relevance_label", "expect_score", "gain", "score"},
    "ranking": {"_score", "score", "relevance_score", "similarity"},
}
"""The fields of the samples that hold grades and scores, beside the items of an object from items to numbers."""
ITEMS = {item for items in LISTS.values() for item in items}


def emptied(value, names):
    """Copies of a value, each with null in place of one of its numbers."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        is_number = isinstance(inner, int | float) or inner == "1.000"
        for part in [None] if is_number and key in names else emptied(inner, names):
            copy = value.copy()
            copy[key] = part
            yield copy


@pytest.mark.parametrize("side", CASES)
def test_an_empty_grade_or_score_is_no_number_in_any_shape(side):
    code, tested = {"judgments": "RG204", "ranking": "RG201"}[side], set()
    for name, (form, content) in CASES[side].items():
        if form not in {"json", "jsonl"} or name == "quepid_book":  # the mean of the raters who could tell
            continue
        for copy in emptied(content, NUMBERS[side] | ITEMS):
            text = "".join(json.dumps(record) + "\n" for record in ([copy] if form == "json" else copy))
            tested.add(name)
            with pytest.raises(rg.InputError, match=rf"is missing \(query 'q\d', item '\w'\).*{code}"):
                rows(named(text, f"x.{form}"), side)
            assert (
                len(rows(named(text, f"x.{form}"), side, lenient=True))
                == sum(map(len, expected(side, name).values())) - 1
            )
    assert (
        tested
        >= {
            "judgments": {
                "trulens",
                "azure",
                "rank_eval",
                "workbench",
                "workbench wrapped",
                "rre",
                "vertex",
                "by_query",
            },
            "ranking": {"azure", "mteb_predictions", "flashrag", "by_query", "by_query hits"},
        }[side]
    )


@pytest.mark.parametrize(
    ("side", "content"),
    [
        ("judgments", {"q1": [{"id": "a", "grade": 2}, {"id": "b"}], "q2": [{"id": "c", "grade": 1}]}),
        ("judgments", [{"query": "q1", "gold_ids": ["a", "b"], "grades": [2, None]}]),
        ("judgments", [{"query": "q1", "gold": ["a", {"id": "b", "grade": 2}]}]),
        ("ranking", [{"qid": "q1", "retrieved_ids": ["a", "b"], "retrieve_scores": [None, None]}]),
        ("ranking", {"q1": {"a": None, "b": None}, "q2": {"a": 0.5}, "q3": {"a": 1.5}}),
    ],
)
def test_an_item_without_a_number_among_others_that_have_one_is_reported(side, content):
    with pytest.raises(rg.InputError, match=r"is missing \(query 'q1'"):
        rows(named(json.dumps(content), "x.json"), side)


def test_an_item_that_only_another_row_of_a_struct_has_is_not_relevant():
    frame = pl.DataFrame([{"query": "q1", "gold": {"a": 1, "b": 0}}, {"query": "q2", "gold": {"c": 1}}])
    with pytest.raises(rg.InputError, match=r"row 1: grade is missing \(query 'q1', item 'c'\)"):
        rg.read(frame, role="judgments").judgments.frame()
    kept = rg.read(frame, role="judgments", lenient=True).judgments.frame().rows()
    assert kept == [("q1", "a", 1.0), ("q1", "b", 0.0), ("q2", "c", 1.0)]
