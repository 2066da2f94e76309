"""Values of the fields of records: ids, numbers and lists of items in all the forms that tools write them."""

from __future__ import annotations

from typing import Any

import pytest

import rankgauge as rg


def ranked(items: Any, **more: Any) -> list[tuple[Any, ...]]:
    """The items of a ranking in a record, with their scores; without scores, these are minus the ranks."""
    source = rg.read([{"query": "q", "retrieved_ids": items, **more}], role="ranking").ranking
    return source.frame()["item", "score"].rows()


def judged(items: Any) -> list[tuple[Any, ...]]:
    """The items of judgments in a record, with their grades."""
    source = rg.read([{"query": "q", "relevant_ids": items}], role="judgments").judgments
    assert source is not None
    return source.frame()["item", "grade"].rows()


def by_query(items: Any) -> list[tuple[Any, ...]]:
    """The items of a dict by query, with their scores."""
    return rg.read({"q": items}, role="ranking").ranking.frame()["item", "score"].rows()


READERS = {"score": ranked, "grade": judged, "number": by_query}


def refused(read: Any, *arguments: Any, **more: Any) -> str:
    """The code, the place and the reason with which a value is refused."""
    with pytest.raises(rg.InputError) as caught:
        read(*arguments, **more)
    return f"{caught.value.codes[0]} {caught.value}"


@pytest.mark.parametrize(
    ("record", "item"),
    [
        ({5: "y", "doc-id": 1, "DOCID": 2}, 1),
        ({"Doc_ID": None, "text": "x"}, "x"),
        ({"Doc_ID": None, "doc-id": 1}, 1),
        ({"Text": "x", "id": 1}, 1),
    ],
)
def test_the_id_of_an_object_is_found_whatever_the_case_and_punctuation_of_its_key(record: Any, item: Any) -> None:
    """The first name wins, then the first key; a key without a value is none."""
    assert ranked([record]) == [(item, -1)]


def test_keys_of_objects_with_very_many_fields_are_taken_as_written() -> None:
    """Up to 20,000 fields, case does not matter."""
    many = {f"name {number}": number for number in range(20_000)}
    fewer = dict([*many.items()][1:])
    assert ranked([{**fewer, "ID": "x"}]) == ranked([{**many, "id": "x"}]) == [("x", -1)]
    for record in ({**many, "ID": "x"}, {**many, "id": None}):
        assert "no id or text" in refused(ranked, [record])


RUN = {"inputs": {"question": "q"}, "outputs": {"documents": ["a"]}, "run_type": "retriever"}
NUGGETS = {"query_id": "q", "nuggets": [{"relevant_corpus_ids": ["a"]}]}


@pytest.mark.parametrize(
    ("first", "second", "role", "reason"),
    [
        (RUN, {**RUN, "outputs": {}}, "ranking", "field 'documents' is missing in 'outputs'"),
        (RUN, {**RUN, "outputs": 5}, "ranking", "field 'documents' is missing in 'outputs'"),
        (NUGGETS, {"query_id": "r"}, "judgments", "field 'nuggets' is missing ["),
        (NUGGETS, {**NUGGETS, "nuggets": "x"}, "judgments", "nuggets: expected a list of objects, found 'x'"),
        (
            NUGGETS,
            {**NUGGETS, "nuggets": [*NUGGETS["nuggets"], 3]},
            "judgments",
            "nuggets[1]: expected an object, found 3",
        ),
    ],
)
def test_a_part_that_is_missing_is_named_with_the_object_around_it(
    first: Any, second: Any, role: Any, reason: str
) -> None:
    """Paths lead through objects, and lists of objects have places."""

    def read() -> Any:
        data = rg.read([first, second], role=role)
        return (data.ranking if role == "ranking" else data.judgments).frame()  # type: ignore[union-attr]

    assert reason in refused(read)


def test_ids_are_text_or_whole_numbers() -> None:
    """A float without a fraction is a whole number as long as it is exact."""
    assert ranked([7, 7.0, -3.0, 2.0**53 - 1]) == [(7, -1), (7, -2), (-3, -3), (2**53 - 1, -4)]
    for value, code in (
        (2.0**53, "RG215"),
        (-(2.0**53), "RG215"),
        ("", "RG208"),
        (True, "RG216"),
        (1.5, "RG216"),
        (None, "RG216"),
    ):
        assert refused(ranked, [value]).startswith(code)


def test_numbers_may_be_written_as_text() -> None:
    """Truth values, words and numbers beyond doubles are refused."""
    assert ranked({"a": "3.50", "b": 2, "c": "1e2"}) == [("a", 3.5), ("b", 2.0), ("c", 100.0)]
    for value in ("x", True, [1], 10**400):
        assert "is not a number" in refused(ranked, {"a": value})
    assert ranked(["a", "b"], scores="[1, 2.5]") == [("a", 1.0), ("b", 2.5)]
    assert ranked(["a", "b"], scores=(1, "2")) == [("a", 1.0), ("b", 2.0)]
    assert "scores: expected a list of numbers, found {'a': 1}" in refused(ranked, ["a"], scores={"a": 1})
    assert "scores[1]: 'x' is not a number" in refused(ranked, ["a", "b"], scores=[1, "x"])
    assert refused(ranked, ["a", "b"], scores="[1, null]").startswith("RG201")


MISSING = "RG201 ranking: score is missing"


@pytest.mark.parametrize(
    ("value", "kind", "items"),
    [
        ([], "score", []),
        (["a", "b"], "score", [("a", -1), ("b", -2)]),
        (("a", "7"), "score", [("a", -1), ("7", -2)]),
        ([7.0, 8], "score", [(7, -1), (8, -2)]),
        ({"a": 0.5, "b": 1.5}, "score", [("a", 0.5), ("b", 1.5)]),
        ({"a": 1, "7": "0.5"}, "score", [("a", 1.0), ("7", 0.5)]),
        ({"a": 1, "b": None}, "score", MISSING),
        ([["a", 0.5], ["b", 1]], "score", [("a", 0.5), ("b", 1.0)]),
        ([("a", 0.5), ["b", 2]], "score", [("a", 0.5), ("b", 2.0)]),
        ([[7, 0.5], [8, 1.5]], "score", [(7, 0.5), (8, 1.5)]),
        ("a b c", "score", [("a", -1), ("b", -2), ("c", -3)]),
        ('{"a": 1}', "score", [("a", 1.0)]),
        ("{'b', 'a'}", "grade", [("a", 1.0), ("b", 1.0)]),
        ([{"id": "a", "score": 1}, {"id": "b"}], "score", MISSING),
        ([{"id": "a", "rank": 2}, {"id": "b", "rank": 1}], "score", [("b", -1.0), ("a", -2.0)]),
        ([{"id": "a", "rank": 2}, {"id": "b", "rank": 1}], "grade", [("a", 1.0), ("b", 1.0)]),
        ([{"id": "a", "rank": 2}, {"id": "b"}], "score", MISSING),
        ([{"id": "a", "rank": 2}, "b"], "score", MISSING),
        ([{"id": "a", "rank": 3, "score": 5}, {"id": "b", "rank": 0, "score": 6}], "score", [("b", 6.0), ("a", 5.0)]),
        ([{"id": "a", "rank": None}, {"id": "b", "rank": 1}], "score", MISSING),
        ([{"id": "a", "position": "2"}, {"id": "b", "pos": 1}], "score", [("b", -1.0), ("a", -2.0)]),
        ([{"id": "a", "relevant": True}, {"id": "b", "relevant": False}], "grade", [("a", 1.0), ("b", 0.0)]),
        ([{"id": "a", "rating": 3, "score": 0.5}], "grade", [("a", 3.0)]),
        ([{"id": "a", "rating": 3, "score": 0.5}], "score", [("a", 0.5)]),
        ([{"id": "a", "rating": 3, "score": 0.5}], "number", [("a", 0.5)]),
        ([{"id": "a", "rating": 3, "rank": 1}], "number", [("a", -1.0)]),
        ([{"id": "a", "rating": 3}], "number", [("a", 3.0)]),
        ([{"id": "a", "score": 0.5}], "grade", [("a", 0.5)]),
        ([{"text": "t", "metadata": {"doc_id": 5}}], "score", [(5, -1)]),
        ([{"content": "t", "metadata": {"page": 5}}], "score", [("t", -1)]),
        ([{"id": "", "text": "t"}], "score", [("t", -1)]),
        ([{"id": "own", "node": {"doc_id": "inner"}}], "score", [("inner", -1)]),
        ([{"id": "own", "node": {"url": "inner"}}], "score", [("own", -1)]),
        ([{"node": {"metadata": {"source": "s"}}}], "score", [("s", -1)]),
    ],
)
def test_items_of_lists_in_every_form(value: Any, kind: str, items: Any) -> None:
    """Ids, pairs, objects, and text cells; without a number of their own, they are in order."""
    if items == MISSING:
        assert refused(READERS[kind], value).startswith(MISSING)
    else:
        assert READERS[kind](value) == items


@pytest.mark.parametrize(
    ("value", "kind", "reason"),
    [
        ("{'a'}", "score", "a set has no order"),
        (["a", ""], "score", "[1]: the id is empty"),
        ({"": 1.0}, "score", ": the id is empty"),
        ({"a": "x"}, "score", "['a']: 'x' is not a number"),
        ([["a", 1.0], ["", 2.0]], "score", "[1]: the id is empty"),
        ([["a", None, 1]], "grade", "[0][1]: None is not an id"),
        ([["a", "b"]], "score", "[0]: a ranking cannot be a list of lists"),
        ([{"score": 1}], "score", "[0]: no id or text in the fields 'score'"),
        ([{}], "score", "[0]: an empty object has no id"),
        ([{"id": "a"}, {"id": "b", "score": "x"}], "score", "[1].score: 'x' is not a number"),
        ([{"id": "a", "rank": "x"}], "score", ": 'x' is not a number"),
        ([{"id": "a"}, {"id": "b", "rank": "x"}], "score", "[1].rank: 'x' is not a number"),
    ],
)
def test_lists_that_hold_anything_else_are_refused_with_the_place(value: Any, kind: str, reason: str) -> None:
    """Counted from 0, as in JSON."""
    assert reason in refused(READERS[kind], value)


@pytest.mark.parametrize("value", [5, b"ab"])
def test_a_list_that_becomes_something_else_is_refused(value: Any) -> None:
    """Its record is known by the one before it."""
    records = [{"query": "q", "retrieved_ids": ["a"]}, {"query": "r", "retrieved_ids": value}]
    assert f"expected a list of items, found {value!r}" in refused(rg.read(records, role="ranking").ranking.frame)


def partition(gold: Any) -> list[str]:
    """Which of the items a, b, c, ... count as one relevant item: two of a group add nothing to the recall of one."""

    def recall(*items: str) -> float:
        data = rg.read([{"query": "q", "relevant_ids": gold, "retrieved_ids": items}])
        return rg.evaluate(data, metrics="R@9", convention=rg.Convention(duplicates="first")).mean()

    groups: list[str] = []
    for item in filter(recall, "abcdefg"):
        place = next((place for place, group in enumerate(groups) if recall(group[0], item) == recall(item)), None)
        if place is None:
            groups.append(item)
        else:
            groups[place] += item
    return groups


def test_lists_of_several_items_are_groups() -> None:
    """Lists of one item, and pairs of an item and a grade, are none: two whole numbers could be either."""
    for value, groups in (
        ([["a", "b"], "c", ["d"], ["e", "f", "g"]], ["ab", "c", "d", "efg"]),
        ([["a"], ["b"]], ["a", "b"]),
        (["a", "b"], ["a", "b"]),
        ([["a", 1], ["b", 0.5]], ["a"]),
        ("[['a', 'b'], 'c']", ["ab", "c"]),
        ({"a": 1}, ["a"]),
        ([[], ["a", "b"]], ["ab"]),
        ([("a", "b")], ["ab"]),
        ([["a", "b", "c"]], ["abc"]),
        ([["a", 1], "b"], ["a", "b"]),
    ):
        assert partition(value) == groups, value
    assert "could be an item and its grade, or a group of two items" in refused(judged, [[7, 8], [9, 10]])
    for value in ([["a", True]], [["a", None]]):
        assert "is not an id" in refused(judged, value)


CELLS = {
    "a": ["a"],
    " a  b ": ["a", "b"],
    "a, b,": ["a", "b"],
    "a;b": ["a", "b"],
    "a|b": ["a", "b"],
    "": [],
    "[1, 2]": [1, 2],
    '["a b"]': ["a b"],
    "('a', 'b')": ["a", "b"],
    "['a' 'b']": ["a", "b"],
    "['a'  'b c']": ["a", "b c"],
    "[1. 2.]": [1, 2],
    "[a b]": ["a", "b"],
    "[a, b]": ["a", "b"],
    "array(['a', 'b'], dtype=object)": ["a", "b"],
    "np.array([1, 2])": [1, 2],
    "[np.str_('a'), np.int64(7)]": ["a", "7"],
    "[]": [],
    "Ends.": ["Ends."],
    "a.b c": ["a.b", "c"],
}


@pytest.mark.parametrize("text", CELLS)
def test_lists_in_text_cells(text: str) -> None:
    """As JSON, Python and NumPy write them, or ids with one separator."""
    assert [item for item, _ in ranked(text)] == CELLS[text]


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
    assert "is no clean list" in refused(ranked, text)
