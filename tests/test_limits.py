"""Limits of sizes, depths and lengths, each at its last value that is accepted and at the next one."""

import gzip
import io
import json
import random

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.documents import Documents
from rankgauge.inputs.formats.arrow_messages import MAX_EXPANSION as ARROW_EXPANSION
from rankgauge.inputs.formats.file_groups import input_file
from rankgauge.inputs.io import compression
from rankgauge.inputs.io.compression import ByteStream, check_expansion, open_bytes
from rankgauge.inputs.io.lines import HEAD, LONGEST_LINE
from rankgauge.inputs.shapes.fields import hits_of
from rankgauge.inputs.shapes.shape import ShapeError
from rankgauge.inputs.sheet_labels import is_sheet_file
from rankgauge.inputs.span_ids import SpanIds
from rankgauge.inputs.texts import read_texts
from rankgauge.matching.common_ids import UnmatchedIds
from rankgauge.matching.judged_rankings import check_filled
from reading import named

MB = 1 << 20


def accepted(check, *arguments):
    """Whether a check raises no error of a user."""
    try:
        check(*arguments)
    except (rg.RankgaugeError, ShapeError):
        return False
    return True


@pytest.mark.parametrize(
    ("size", "expanded", "is_accepted"),
    [(1, 64 * MB, True), (1, 64 * MB + 1, False), (MB, 100 * MB, True), (MB, 100 * MB + 1, False)],
)
def test_columns_may_expand_to_64_mb_and_to_100_times_their_size(size, expanded, is_accepted):
    assert accepted(check_expansion, "file", size, expanded) is is_accepted


def test_the_sizes_that_the_documentation_names():
    assert (LONGEST_LINE, HEAD, ARROW_EXPANSION) == (256 * MB, 64 * 1024, 128 * 1024)


@pytest.mark.parametrize(("length", "shown"), [(200, "a" * 200), (201, f"{'a' * 200}…")])
def test_a_message_shows_200_characters_of_a_path(length, shown):
    with pytest.raises(rg.InputError) as caught:
        open_bytes("a" * length)
    assert str(caught.value).partition(":")[0] == shown


@pytest.mark.parametrize(("folders", "found"), [(0, True), (1, True), (2, True), (3, False)])
def test_folders_are_searched_to_the_third_level(folders, found, tmp_path):
    folder = tmp_path.joinpath(*"abc"[:folders])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.tsv").write_text("query\titem\tscore\nq\ta\t1\n")
    assert accepted(input_file, tmp_path, "ranking") is found


def nested(value, keys):
    """An object inside others."""
    for key in reversed(keys):
        value = {key: value}
    return value


@pytest.mark.parametrize(("depth", "found"), [(0, True), (7, True), (8, False)])
def test_the_id_of_a_hit_may_be_seven_objects_deep(depth, found):
    hit = nested({"id": "a"}, ["node"] * depth)
    assert accepted(hits_of, [hit], "hits", "score") is found
    if found:
        assert hits_of([hit], "hits", "score") == [("a", None)]


PLACE = {"doc_id": "d", "start": 1, "end": 3}


@pytest.mark.parametrize("wrap", [lambda value: {"x": value}, lambda value: [value]], ids=["objects", "lists"])
@pytest.mark.parametrize(("depth", "is_found"), [(10, True), (11, False)])
def test_spans_are_looked_for_in_ten_objects_or_lists_of_a_field(wrap, depth, is_found):
    value = PLACE
    for _ in range(depth):
        value = wrap(value)
    assert ("d[1:3]" in json.dumps(SpanIds(None).of_record({"field": value}))) is is_found


@pytest.mark.parametrize(("place", "is_ranking"), [(199, True), (200, False)])
def test_two_hundred_queries_say_whether_numbers_are_grades(place, is_ranking):
    numbers = {f"q{at}": {"a": 0.5 if at == place else at % 30} for at in range(201)}
    data = rg.read(named(json.dumps(numbers), "numbers.json"))
    assert (data.judgments is None, bool(data.rankings)) == (is_ranking, is_ranking)


@pytest.mark.parametrize(("length", "text"), [(400, "x" * 400), (401, f"{'x' * 400}…")])
def test_texts_are_cut_to_400_characters(length, text):
    assert read_texts({"a": "x" * length}, {"a"}) == {"a": text}


def test_the_first_record_of_a_judging_sheet_is_recognised_whatever_comes_before_it():
    mark = b'{"pool_fingerprint": "1"}'
    assert is_sheet_file(b"\xef\xbb\xbf\r\n \n" + mark)
    assert not is_sheet_file(b"{}\n" + mark)


@pytest.mark.parametrize(
    ("ranks", "queries", "is_accepted"),
    [(10**6, 1, True), (10**6 + 1, 1, False), (10**6, 100, True), (10**6, 101, False), (10**8, 1, False)],
)
def test_an_ideal_order_has_at_most_a_million_ranks_and_a_hundred_million_in_all(ranks, queries, is_accepted):
    assert accepted(check_filled, "nDCG", ranks, queries) is is_accepted


def test_a_text_is_ambiguous_at_its_second_place():
    assert [*map(str, Documents({"d": "aaaa"}).find("aa"))] == ["d[0:2]", "d[1:3]"]


@pytest.mark.parametrize("size", [1, 2, 5, 6, 7, 100])
def test_a_stream_gives_the_same_bytes_however_many_are_asked_for(size):
    content = bytes(range(40))
    stream = ByteStream(io.BytesIO(content), "file", owned=False)
    assert stream.peek(size) == content[:size]
    parts = []
    while part := stream.read(size):
        parts.append(part)
    assert (b"".join(parts), stream.consumed) == (content, len(content))
    assert max(map(len, parts)) <= size


@pytest.mark.parametrize(("place", "is_found"), [(199, True), (200, False)])
def test_two_hundred_ids_of_each_side_are_compared_to_explain_why_none_matches(place, is_found):
    judged, returned = ([f"{side}{number:03}" for number in range(201)] for side in "ab")
    judged[place], returned[place] = "same", "SAME"
    assert ("case differ" in UnmatchedIds.of(judged, returned).describe("item").en) is is_found


@pytest.mark.parametrize(("times", "is_read"), [(2, True), (2000, False)])
def test_a_stream_may_expand_as_many_times_its_size_as_the_limit(times, is_read, monkeypatch):
    monkeypatch.setattr(compression, "SMALL", 10)
    content = random.Random(1).randbytes(100) * times  # which expands to about as many times its size
    stream = open_bytes(io.BytesIO(gzip.compress(content)))
    if is_read:
        assert stream.read() == content
    else:
        with pytest.raises(rg.InputError, match="expands to more than 100 times its size"):
            stream.read()


@pytest.mark.parametrize(("place", "is_found"), [(49, True), (50, False)])
def test_fifty_items_of_a_query_are_compared_to_find_a_near_match(place, is_found):
    judged, returned = ([f"{side}{number:02}" for number in range(51)] for side in "ab")
    judged[place], returned[place] = "X", "x"
    frames = (
        pl.DataFrame({"query": ["q"] * 52, "item": [*ids, "both"], number: [1.0] * 52})
        for ids, number in ((judged, "grade"), (returned, "score"))
    )
    findings = rg.evaluate(*frames, "RR").findings
    assert any("'X'" in example for finding in findings for example in finding.examples) is is_found
