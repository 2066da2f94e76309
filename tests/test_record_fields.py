"""Values of the fields of records: ids, numbers and lists of items in all the forms that tools write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rankgauge.inputs.columns import MOST_FIELDS
from rankgauge.inputs.shapes.fields import (
    are_pairs,
    at,
    groups_of,
    has_objects,
    hits_of,
    id_of,
    key_of,
    number_of,
    numbers_of,
    objects,
    required,
)
from rankgauge.inputs.shapes.list_cells import split_cell
from rankgauge.inputs.shapes.shape import ShapeError


def refused(call: Callable[..., Any], *arguments: Any) -> str:
    """The place and the reason with which a value is refused."""
    with pytest.raises(ShapeError) as caught:
        call(*arguments)
    return f"{caught.value.code} {caught.value.reason.en}"


def test_keys_are_found_whatever_their_case_and_punctuation() -> None:
    """The first name wins, then the first key; a key without a value is none."""
    assert key_of({5: "y", "doc-id": 1, "DOCID": 2}, "docid") == "doc-id"
    assert key_of({"Doc_ID": None, "text": "x"}, "docid", "text") == "text"
    assert key_of({"Doc_ID": None, "doc-id": 1}, "docid") == "doc-id"
    assert key_of({"Text": "x", "id": 1}, "id", "text") == "id"
    assert key_of({}, "id") is None
    many = {f"name {number}": number for number in range(MOST_FIELDS)}
    assert key_of({**many, "ID": 1}, "id") is None
    assert key_of({**many, "id": 1}, "id") == "id"
    assert key_of({**many, "id": None}, "id") is None
    assert key_of({**dict([*many.items()][1:]), "ID": 1}, "id") == "ID"


def test_paths_lead_through_objects() -> None:
    """A part that is missing is named, with the object in which it is missing."""
    record = {"a": {"b": {"c": 1}}, "d": 2}
    assert (at(record, "a.b.c"), at(record, "a.x.c"), at(record, "d.x"), at(record, "d")) == (1, None, None, 2)
    assert required(record, "a.b") == {"c": 1}
    assert refused(required, record, "a.x.c").endswith("field 'x' is missing in 'a'")
    assert refused(required, record, "x").endswith("field 'x' is missing")
    assert refused(required, record, "a.b.c.d").endswith("field 'd' is missing in 'a.b.c'")


def test_lists_of_objects() -> None:
    """Nothing is an empty list; the place of anything else in the list is told."""
    assert objects(None, "hits") == []
    assert objects(({"a": 1},), "hits") == [{"a": 1}]
    assert "expected a list of objects, found 'x'" in refused(objects, "x", "hits")
    assert "hits[1]: expected an object, found 3" in refused(objects, [{}, 3], "hits")


def test_ids_are_text_or_whole_numbers() -> None:
    """A float without a fraction is a whole number as long as it is exact."""
    assert [id_of(value, "p") for value in ("a", 7, 7.0, -3.0, 2.0**53 - 1)] == ["a", 7, 7, -3, 2**53 - 1]
    assert type(id_of(7.0, "p")) is int
    for value, code in (
        (2.0**53, "RG215"),
        (-(2.0**53), "RG215"),
        ("", "RG208"),
        (True, "RG216"),
        (1.5, "RG216"),
        (None, "RG216"),
        ([1], "RG216"),
    ):
        assert refused(id_of, value, "p").startswith(code)


def test_numbers_may_be_written_as_text() -> None:
    """Truth values, words and numbers beyond doubles are refused."""
    assert [number_of(value, "p") for value in ("3.50", 2, None, "1e2")] == [3.5, 2.0, None, 100.0]
    assert type(number_of(2, "p")) is float
    for value in ("x", True, [1], 10**400):
        assert "is not a number" in refused(number_of, value, "p")
    assert numbers_of("[1, null, 2.5]", "p") == [1.0, None, 2.5]
    assert numbers_of((1, "2"), "p") == [1.0, 2.0]
    assert "expected a list of numbers, found {'a': 1}" in refused(numbers_of, {"a": 1}, "p")
    assert "p[1]: 'x' is not a number" in refused(numbers_of, [1, "x"], "p")


@pytest.mark.parametrize(
    ("value", "kind", "hits"),
    [
        (None, "score", []),
        ([], "score", []),
        (["a", "b"], "score", [("a", None), ("b", None)]),
        (("a", 7), "score", [("a", None), (7, None)]),
        ([7.0, 8], "score", [(7, None), (8, None)]),
        ({"a": 0.5, "b": 1.5}, "score", [("a", 0.5), ("b", 1.5)]),
        ({"a": 1, 7: "0.5", "b": None}, "score", [("a", 1.0), (7, 0.5), ("b", None)]),
        ([["a", 0.5], ["b", 1]], "score", [("a", 0.5), ("b", 1.0)]),
        ([[7, 0.5], [8, 1.5]], "score", [(7, 0.5), (8, 1.5)]),
        ([[7, 8], [9, 10]], "grade", [(7, None), (8, None), (9, None), (10, None)]),
        ([["a", "b"], "c", ["d"]], "grade", [("a", None), ("b", None), ("c", None), ("d", None)]),
        ([["a", True], ["b", True]], "grade", None),
        ("a b c", "score", [("a", None), ("b", None), ("c", None)]),
        ('{"a": 1}', "score", [("a", 1.0)]),
        ({"b", "a"}, "grade", [("a", None), ("b", None)]),
        ([{"id": "a", "score": 1}, {"id": "b"}], "score", [("a", 1.0), ("b", None)]),
        ([{"id": "a", "rank": 2}, {"id": "b", "rank": 1}], "score", [("b", -1.0), ("a", -2.0)]),
        ([{"id": "a", "rank": 2}, {"id": "b", "rank": 1}], "grade", [("a", None), ("b", None)]),
        ([{"id": "a", "rank": 2}, {"id": "b"}], "score", [("a", -2.0), ("b", None)]),
        ([{"id": "a", "rank": 2}, "b"], "score", [("a", -2.0), ("b", None)]),
        ([{"id": "a", "rank": 3, "score": 5}, {"id": "b", "rank": 0, "score": 6}], "score", [("b", 6.0), ("a", 5.0)]),
        ([{"id": "a", "rank": None}, {"id": "b", "rank": 1}], "score", [("a", None), ("b", -1.0)]),
        ([{"id": "a", "position": "2"}, {"id": "b", "pos": 1}], "score", [("b", -1.0), ("a", -2.0)]),
        ([{"id": "a", "relevant": True}, {"id": "b", "relevant": False}], "grade", [("a", 1.0), ("b", 0.0)]),
        ([{"id": "a", "rating": 3, "score": 0.5}], "grade", [("a", 3.0)]),
        ([{"id": "a", "rating": 3, "score": 0.5}], "score", [("a", 0.5)]),
        ([{"id": "a", "rating": 3, "score": 0.5}], "number", [("a", 0.5)]),
        ([{"id": "a", "rating": 3, "rank": 1}], "number", [("a", -1.0)]),
        ([{"id": "a", "rating": 3}], "number", [("a", 3.0)]),
        ([{"id": "a", "score": 0.5}], "grade", [("a", 0.5)]),
        ([{"text": "t", "metadata": {"doc_id": 5}}], "score", [(5, None)]),
        ([{"content": "t", "metadata": {"page": 5}}], "score", [("t", None)]),
        ([{"id": "", "text": "t"}], "score", [("t", None)]),
        ([{"id": "own", "node": {"doc_id": "inner"}}], "score", [("inner", None)]),
        ([{"id": "own", "node": {"url": "inner"}}], "score", [("own", None)]),
        ([{"node": {"metadata": {"source": "s"}}}], "score", [("s", None)]),
    ],
)
def test_items_of_lists_in_every_form(value: Any, kind: str, hits: Any) -> None:
    """Ids, pairs, objects, groups, and text cells."""
    if hits is None:
        assert "is not an id" in refused(hits_of, value, "p", kind)
    else:
        assert hits_of(value, "p", kind) == hits


@pytest.mark.parametrize(
    ("value", "kind", "reason"),
    [
        (5, "score", "p: expected a list of items, found 5"),
        (b"ab", "score", "p: expected a list of items, found b'ab'"),
        ({"a"}, "score", "a set has no order"),
        (["a", ""], "score", "p[1]: the id is empty"),
        ({"": 1.0}, "score", "p: the id is empty"),
        ({"a": "x"}, "score", "p['a']: 'x' is not a number"),
        ([["a", 1.0], ["", 2.0]], "score", "p[1]: the id is empty"),
        ([["a", None, 1]], "grade", "p[0][1]: None is not an id"),
        ([["a", "b"]], "score", "p[0]: a ranking cannot be a list of lists"),
        ([{"score": 1}], "score", "p[0]: no id or text in the fields 'score'"),
        ([{}], "score", "p[0]: an empty object has no id"),
        ([{"id": "a"}, {"id": "b", "score": "x"}], "score", "p[1].score: 'x' is not a number"),
        ([{"id": "a", "rank": "x"}], "score", "p: 'x' is not a number"),
        ([{"id": "a"}, {"id": "b", "rank": "x"}], "score", "p[1].rank: 'x' is not a number"),
    ],
)
def test_lists_that_hold_anything_else_are_refused_with_the_place(value: Any, kind: str, reason: str) -> None:
    """Counted from 0, as in JSON."""
    assert reason in refused(hits_of, value, "p", kind)


def test_pairs_are_of_an_id_and_a_number() -> None:
    """Two whole numbers are two ids; one float says that it is a score."""
    for pairs in ([["a", 1]], [("a", 0.5), ["b", 2]], [[7, 0.5]]):
        assert are_pairs(pairs)
    for others in (
        [],
        [["a", 1, 2]],
        [["a"]],
        [["a", "b"]],
        [["a", True]],
        [[7, 8]],
        ["ab"],
        [["a", 1], "b"],
        [["a", None]],
    ):
        assert not are_pairs(others)


def test_groups_are_numbered_where_a_list_has_several_items() -> None:
    """Lists of one item, and pairs, are no groups."""
    for value, groups in (
        ([["a", "b"], "c", ["d"], ["e", "f", "g"]], [1, 1, None, None, 4, 4, 4]),
        ([["a"], ["b"]], [None, None]),
        (["a", "b"], None),
        ([["a", 1], ["b", 0.5]], None),
        ("[['a', 'b'], 'c']", [1, 1, None]),
        ({"a": 1}, None),
        ([[], ["a", "b"]], [2, 2]),
        ([("a", "b")], [1, 1]),
    ):
        assert groups_of(value, "p") == groups
    assert has_objects([1, {}])
    assert has_objects(({},))
    assert not has_objects([1])
    assert not has_objects({"a": {}})


CELLS = {
    "a": ["a"],
    " a  b ": ["a", "b"],
    "a, b,": ["a", "b"],
    "a;b": ["a", "b"],
    "a|b": ["a", "b"],
    "": [],
    "[1, 2.5]": [1, 2.5],
    '["a b"]': ["a b"],
    "('a', 'b')": ("a", "b"),
    "{'a': 1}": {"a": 1},
    "['a' 'b']": ["a", "b"],
    "['a'  'b c']": ["a", "b c"],
    "[1. 2.]": [1.0, 2.0],
    "[a b]": ["a", "b"],
    "[a, b]": ["a", "b"],
    "array(['a', 'b'], dtype=object)": ["a", "b"],
    "np.array([1, 2])": [1, 2],
    "[np.str_('a'), np.int64(7)]": ["a", 7],
    "[]": [],
    "Ends.": ["Ends."],
    "a.b c": ["a.b", "c"],
}


@pytest.mark.parametrize("text", CELLS)
def test_lists_in_text_cells(text: str) -> None:
    """As JSON, Python and NumPy write them, or ids with one separator."""
    assert split_cell(text) == CELLS[text]
    assert type(split_cell(text)) is type(CELLS[text])


@pytest.mark.parametrize(
    "text",
    [
        "nan",
        "None",
        " N/A ",
        "a 'b",
        "is it? yes",
        "A sentence. Another one.",
        "[1 2 ... 9]",
        "[a b, c]",
        "[nan a]",
        "[a",
        "{a",
        "a (b), c",
        "[1, 2",
        "['a' , 'b' 'c']",
    ],
)
def test_texts_that_are_no_clean_list_are_refused(text: str) -> None:
    """Never split what is no list."""
    assert "is no clean list" in refused(split_cell, text, "p")
