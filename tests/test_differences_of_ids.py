"""How ids of two sides differ, and what is said of it: pairs of lists with the reason in the message."""

import pytest

import rankgauge as rg
from rankgauge.inputs.grade_checks import LARGE_GRADE
from rankgauge.matching.common_ids import NearMatch, UnmatchedIds, first_near_match, near_match, written_alike

BYTES, BLANKS, CASE = "are bytes", "have blanks at their ends", "upper and lower case differ"
NUMBERS, MARK, FORM = "1, 01 and 1.0 are different ids", "byte order mark", "Unicode forms differ"


@pytest.mark.parametrize(
    ("judged", "returned", "pair", "reason"),
    [
        ([b"a"], ["a"], ("b'a'", "'a'"), BYTES),
        (["a"], ["b'a'"], ("'a'", "\"b'a'\""), BYTES),
        (["x", "a"], ["y", 'b"a"'], ("'a'", "'b\"a\"'"), BYTES),
        (["a "], ["a"], ("'a '", "'a'"), BLANKS),
        (["é"], ["e\u0301"], ("'é'", "'e\u0301'"), FORM),
        (["\ufeffa"], ["a"], (r"'\ufeffa'", "'a'"), MARK),
        (["A"], ["a"], ("'A'", "'a'"), CASE),
        (["01"], ["1"], ("'01'", "'1'"), NUMBERS),
        (["1"], ["1.0"], ("'1'", "'1.0'"), NUMBERS),
        ([1], ["1.0"], ("1", "'1.0'"), NUMBERS),
        (["a", "A"], ["b", "AB"], ("'a'", "'b'"), None),
        (["d1", "d2"], ["x-d1", "x-d2"], ("'d1'", "'x-d1'"), "the ids of the ranking have the prefix 'x-'"),
        (["d1.txt", "d2.txt"], ["d1", "e"], ("'d1.txt'", "'d1'"), "the ids of the judgments have the suffix '.txt'"),
        ([("a",)], ["('a',)"], ("('a',)", "\"('a',)\""), None),
        (["d1"], ["d7_3", "d1_0"], ("'d1'", "'d1_0'"), "roll chunks up with --units (units=) 'before last _'"),
    ],
)
def test_the_reason_why_ids_differ_is_given_with_a_pair(judged, returned, pair, reason):
    text = UnmatchedIds(judged, returned).describe("item").en
    first = f"item {pair[0]} in the judgments, {pair[1]} in the ranking"
    assert text.split("; ")[0] == first
    assert (reason or "") in text.partition("; ")[2]
    assert (reason is None) == ("; " not in text)


@pytest.mark.parametrize(
    ("judged", "returned", "is_named"),
    [
        (["a"], [3, 2, 0], True),
        (["a"], [LARGE_GRADE, 0], True),
        (["a"], [LARGE_GRADE + 1, 0], False),
        (["a"], [-1, 0], False),
        (["a"], ["3", "2"], True),
        (["a"], ["b", 2], False),
        ([7], [3, 2], False),
        (["a", 7], [3, 2], False),
    ],
)
def test_small_numbers_in_the_place_of_ids_may_be_grades(judged, returned, is_named):
    assert ("if these are grades" in UnmatchedIds(judged, returned).describe("item").en) is is_named


@pytest.mark.parametrize(
    ("kind", "returned", "is_named"),
    [
        ("query", ["1", "2"], True),
        ("query", [1, 2, 3], True),
        ("query", ["2", "1"], False),
        ("query", ["0", "1"], False),
        ("item", ["1", "2"], False),
    ],
)
def test_numbered_queries_may_be_those_of_a_response(kind, returned, is_named):
    text = UnmatchedIds(["a b"], returned).describe(kind).en
    assert ("the queries of the ranking are numbered" in text) is is_named


@pytest.mark.parametrize(
    ("item", "alike"),
    [
        (" A ", "a"),
        ("\ufeffa", "a"),
        (b"A", "a"),
        ("b'A'", "a"),
        ("007", "7"),
        ("000", "0"),
        ("é", "é"),
        ("e\u0301", "é"),
        ("0a", "0a"),
        (7, 7),
        (1.5, 1.5),
    ],
)
def test_ids_are_alike_without_what_writing_may_change(item, alike):
    assert written_alike(item) == alike


@pytest.mark.parametrize(
    ("judged", "returned", "match"),
    [
        (["a", "B"], ["a", "b"], ("B", "b")),
        (["a"], ["a"], None),
        (["A", "a"], ["a"], None),
        (["a"], ["a", "A"], None),
        (["a"], ["b"], None),
        ([1, 2], [1, 3], None),
        (["01", "a"], ["1", "a"], ("01", "1")),
        (["C", "B"], ["c", "b"], ("B", "b")),
        ([" a"], ["a"], (" a", "a")),
        (["a\0b", "X"], ["x"], ("X", "x")),
    ],
)
def test_the_first_id_that_would_match_if_written_alike_is_a_near_match(judged, returned, match):
    found = near_match(judged, returned)
    assert (None if found is None else found[:2]) == match
    lists = [(["q"], ["r"]), (judged, returned)]
    assert first_near_match(lists) == (None if match is None else NearMatch(*match, query=1))


@pytest.mark.parametrize(
    ("budget", "tokens", "value"),
    [("3 chars", None, 0.0), ("9 chars", None, 1.0), ("2 tokens", len, 0.0), ("20 tokens", len, 1.0)],
)
def test_texts_have_lengths_in_characters_or_counted_tokens(budget, tokens, value):
    unit = budget.split()[1]
    texts = {"q": {"abc abc": 1}}
    metric = f"Recall@{budget.split()[0]}{unit}"
    rules = rg.Convention(match="contained")
    options = {} if tokens is None else {"tokens": tokens}
    scores = rg.evaluate(texts, {"q": ["abc abc"]}, metric, convention=rules, **options)
    assert scores.mean() == value


WORDS, CHINESE = "ab cd ef gh", "一二三四五六七八"


@pytest.mark.parametrize(
    ("judged", "returned", "are_texts"),
    [
        (["text"], ["one two text four"], True),
        (["abc"], ["one two abc four"], False),
        (["text"], ["one two text"], False),
        (["text"], ["one two three four"], False),
        ([WORDS], ["one two three four"], True),
        ([CHINESE], ["one two three four"], True),
        ([CHINESE[1:]], ["one two three four"], False),
        ([WORDS], ["a1"], False),
        ([WORDS, "a1"], ["one two three four"], False),
        ([WORDS, WORDS.upper(), "a1"], ["one two three four"], True),
        ([WORDS], ["one two three four", "a1"], False),
    ],
)
def test_ids_are_texts_if_most_have_four_words_or_eight_characters_or_one_contains_another(judged, returned, are_texts):
    text = UnmatchedIds(judged, returned).describe("item", by_id=True).en
    assert ("match=contained" in text) is are_texts
    assert "match=contained" not in UnmatchedIds(judged, returned).describe("item").en


@pytest.mark.parametrize(("query", "is_near"), [("red", True), ("blue", False), (None, False)])
def test_a_query_that_is_written_differently_is_named_beside_others_that_match(query, is_near):
    ranking = {"q": ["a"]} | ({} if query is None else {query: ["a"]})
    findings = rg.evaluate({"q": {"a": 1}, "Red": {"a": 1}}, ranking, "RR").findings
    examples = [example for finding in findings if finding.code == "RG411" for example in finding.examples]
    assert examples == ["query 'Red' in the judgments, 'red' in the ranking; upper and lower case differ"] * is_near
