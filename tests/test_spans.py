"""Gold as spans of documents: reading, the rules of ``match`` for spans, explanation, and brute force over characters."""

from __future__ import annotations

import io
import json

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from span_reference import random_world

GOLD = [
    {"query": "q", "document": "d", "start": 10, "end": 30, "grade": 2},
    {"query": "q", "document": "d", "start": 50, "end": 60, "grade": 1},
    {"query": "q", "document": "e", "start": 0, "end": 8, "grade": 1},
]
CHUNKS = [
    {"query": "q", "document": "d", "start": 0, "end": 20},
    {"query": "q", "document": "d", "start": 20, "end": 70},
    {"query": "q", "document": "x", "start": 0, "end": 8},
    {"query": "q", "document": "e", "start": 0, "end": 8},
]


def value(metric, match, gold=GOLD, chunks=CHUNKS, **rules):
    return rg.evaluate(gold, chunks, metric, convention=rg.Convention(match=match, **rules)).mean(metric)


@pytest.mark.parametrize(
    ("match", "recall", "precision"),
    [
        ("overlaps", 3 / 3, 3 / 4),  # d[0:20], d[20:70] (which finds d[50:60]) and e[0:8]
        ("contains", 2 / 3, 2 / 4),  # d[20:70] contains d[50:60] only
        ("covers>=0.5", 3 / 3, 3 / 4),  # d[0:20] has 10 of 20 characters of d[10:30]
        ("covers>=0.51", 2 / 3, 2 / 4),
        ("covers>=0.51 joint", 3 / 3, 2 / 4),  # d[0:20] and d[20:70] have all of it, and d[20:70] finds two
        ("contains joint", 3 / 3, 2 / 4),
        ("covers>=0.5 of chunk", 2 / 3, 2 / 4),  # half of d[0:20] is gold; of d[20:70] 10 and 10 of 50 are
        ("contains of chunk", 1 / 3, 1 / 4),  # e[0:8] alone is inside
    ],
)
def test_each_rule_for_spans_by_hand(match, recall, precision):
    assert value("R", match) == recall
    assert value("P", match) == precision


@pytest.mark.parametrize(("side", "code"), [("grade", "RG204"), ("score", "RG201")])
@pytest.mark.parametrize("form", ["records", "null", "polars", "csv", "jsonl"])
def test_a_span_without_the_number_of_the_others_is_refused_in_every_form(side, code, form, tmp_path):
    """A missing grade was 1 in some forms, and "cannot be read: 'grade'" in others."""
    spans = [{**span, side: 2.0} for span in CHUNKS]
    spans[1] = {**CHUNKS[1], side: None} if form in {"null", "polars", "csv"} else CHUNKS[1]
    source = spans if form in {"records", "null"} else pl.DataFrame(spans)
    if form in {"csv", "jsonl"}:
        source = tmp_path / f"spans.{form}"
        text = pl.DataFrame(spans).write_csv() if form == "csv" else "\n".join(map(json.dumps, spans))
        source.write_text(text)
    sides = (source, CHUNKS) if side == "grade" else (GOLD, source)

    with pytest.raises(rg.InputError) as refused:
        rg.evaluate(*sides, "R")
    assert {*refused.value.codes} == {code}
    assert rg.evaluate(*sides, "R", lenient=True).mean("R") > 0


def test_rows_that_hold_both_sides_may_lack_either_number():
    both = [{**CHUNKS[0], "grade": 1, "score": 1.0}, {**CHUNKS[1], "score": 0.5}, {**CHUNKS[3], "grade": 1}]
    for source in (both, pl.DataFrame(both)):
        assert rg.evaluate(rg.read(source), None, ["R", "NumRet"]).means() == {"R": 1 / 2, "NumRet": 2.0}


def test_a_chunk_has_the_highest_grade_of_what_it_finds_first():
    gold = [{**GOLD[1], "start": 12, "end": 14, "grade": 3}, GOLD[0]]
    chunks = [CHUNKS[0], {"query": "q", "document": "d", "start": 5, "end": 40}]
    assert value("DCG@5", "overlaps", gold, chunks) == 3.0  # both are found by the first chunk, whose grade is 3
    assert value("R(rel=3)", "overlaps", gold, chunks) == 1.0
    assert value("R(rel=2)", "overlaps", gold, chunks) == 1.0
    assert value("DCG@5", "covers>=0.6", gold, chunks) == pytest.approx(3 + 2 / np.log2(3))


def test_recall_counts_only_the_further_golds_that_are_relevant():
    gold = [GOLD[0], {**GOLD[1], "start": 12, "end": 14, "grade": 1}, {**GOLD[2], "grade": 2}]
    chunks = [{"query": "q", "document": "d", "start": 0, "end": 40}]
    assert value("R(rel=2)", "contains", gold, chunks) == 1 / 2
    assert value("R(rel=1)", "contains", gold, chunks) == 2 / 3


def test_spans_match_as_covers_half_joint_unless_a_rule_is_set_and_it_is_printed():
    scores = rg.evaluate(GOLD, CHUNKS, "R")
    assert scores.convention.match == "covers>=0.5 joint"
    assert "match=covers>=0.5 joint" in str(scores)
    assert scores.mean("R") == value("R", "covers>=0.5 joint")


def test_identical_golds_count_once_and_conflicting_grades_are_reported():
    scores = rg.evaluate([*GOLD, GOLD[0]], CHUNKS, "R")
    assert scores.mean("R") == 1.0
    assert "RG303" in [finding.code for finding in scores.findings]
    with pytest.raises(rg.InputError, match="RG302"):
        rg.evaluate([*GOLD, {**GOLD[0], "grade": 1}], CHUNKS, "R")


def test_a_chunk_at_the_place_of_a_gold_that_was_found_already_finds_nothing():
    chunks = [
        {"query": "q", "document": "d", "start": 0, "end": 70},
        {"query": "q", "document": "d", "start": 10, "end": 30},
    ]
    scores = rg.evaluate(GOLD[:1], chunks, ["P", "R"], convention=rg.Convention(match="contains"))
    assert (scores.mean("P"), scores.mean("R")) == (1 / 2, 1.0)


def test_a_chunk_that_is_returned_twice_follows_the_rule_for_repeated_items():
    chunks = [CHUNKS[1], CHUNKS[1], CHUNKS[3]]
    with pytest.raises(rg.InputError, match="RG301"):
        value("R", "overlaps", chunks=chunks)
    assert value("P", "overlaps", chunks=chunks, duplicates="first") == 2 / 3
    assert value("P", "overlaps", chunks=chunks, duplicates="close-up") == 2 / 2
    assert value("P", "overlaps", chunks=chunks, duplicates="again") == 3 / 3


def test_any_span_of_a_group_will_do():
    gold = [
        {"query": "q", "document": "d", "start": 0, "end": 10, "group": "a"},
        {"query": "q", "document": "e", "start": 0, "end": 10, "group": "a"},
        {"query": "q", "document": "f", "start": 0, "end": 10, "group": None},
    ]
    chunks = [
        {"query": "q", "document": "e", "start": 0, "end": 10},
        {"query": "q", "document": "d", "start": 0, "end": 9},
    ]
    for source in (gold, pl.DataFrame(gold)):
        assert value("R", "overlaps", source, chunks) == 1 / 2
        assert value("P", "overlaps", source, chunks) == 1 / 2


def test_groups_of_two_queries_are_not_one_group():
    gold = [{"query": q, "document": "d", "start": s, "end": s + 5, "group": 1} for q in ("q", "r") for s in (0, 10)]
    chunks = [{"query": q, "document": "d", "start": 10, "end": 15} for q in ("q", "r")]
    assert rg.evaluate(gold, chunks, "R").per_query("R") == {"q": 1.0, "r": 1.0}


def frames(rows):
    return pl.DataFrame(rows), pl.DataFrame(rows).to_pandas()


def test_records_frames_ids_and_files_of_every_table_format_agree(tmp_path):
    expected = value("nDCG@3", "covers>=0.5")
    rule = rg.Convention(match="covers>=0.5")
    sources = [(GOLD, CHUNKS), *zip(frames(GOLD), frames(CHUNKS), strict=True)]
    ids = ["{document}[{start}:{end}]".format_map(row) for row in CHUNKS]
    sources.append(({"q": {"{document}[{start}:{end}]".format_map(row): row["grade"] for row in GOLD}}, {"q": ids}))
    writers = {
        "csv": lambda frame, path: frame.write_csv(path),
        "tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
        "jsonl": lambda frame, path: frame.write_ndjson(path),
        "parquet": lambda frame, path: frame.write_parquet(path),
        "arrow": lambda frame, path: frame.write_ipc(path),
        "json": lambda frame, path: path.write_text(json.dumps(frame.to_dicts())),
    }
    for ending, write in writers.items():
        paths = tmp_path / f"gold.{ending}", tmp_path / f"run.{ending}"
        write(pl.DataFrame(GOLD), paths[0])
        write(pl.DataFrame(CHUNKS), paths[1])
        sources.append(tuple(map(str, paths)))
    for gold, chunks in sources:
        assert rg.evaluate(gold, chunks, "nDCG@3", convention=rule).mean() == expected, gold


@pytest.mark.parametrize("column", ["score", "rank"])
def test_retrieved_spans_are_ordered_by_score_or_rank(column):
    numbers = {"score": [0.1, 0.4, 0.3, 0.2], "rank": [4, 1, 2, 3]}[column]
    chunks = [{**row, column: number} for row, number in zip(CHUNKS, numbers, strict=True)]
    expected = value("nDCG", "overlaps", chunks=[CHUNKS[place] for place in (1, 2, 3, 0)])
    for source in (chunks, pl.DataFrame(chunks)):
        assert value("nDCG", "overlaps", chunks=source) == expected


def test_tied_chunks_are_ordered_by_their_own_ids_before_golds_are_found():
    chunks = [{**row, "score": 1.0} for row in CHUNKS[:2]]
    by_id = value("RR", "covers>=0.5", GOLD[1:2], chunks)  # d[20:70] comes before d[0:20] in descending order of ids
    assert by_id == 1.0
    assert value("RR", "covers>=0.5", GOLD[1:2], chunks, ties="input") == 1 / 2
    with pytest.raises(rg.ParameterError, match="ties"):
        value("RR", "overlaps", GOLD[1:2], chunks, ties="mean")


def test_the_explanation_shows_the_part_of_the_gold_that_each_chunk_covers():
    text = str(rg.explain(GOLD, CHUNKS, "nDCG@3"))
    assert "d[0:20] ∩ d[10:30] = [10:20], 10/20" in text
    assert rg.explain(GOLD, CHUNKS, "nDCG@3").value == rg.evaluate(GOLD, CHUNKS, "nDCG@3").mean()
    covered = [row.item for row in rg.explain(GOLD, CHUNKS, "SpanRecall(rel=2)@30chars").steps.rows]
    assert covered == ["d[0:20] ∩ d[10:30] = [10:20], 10/20", "d[20:30] ∩ d[10:30] = [20:30], 10/20"]


BAD = {
    "RG217": [{"start": 30, "end": 30}, {"start": 30, "end": 10}],
    "RG110": [{"start": -1}, {"start": 1.5}, {"end": "x"}, {"end": None}, {"end": float("nan")}, {"end": 2**70}],
    "RG219": [{"start": 0, "end": 6, "text": "日本"}],
}


@pytest.mark.parametrize(("code", "change"), [(code, change) for code, changes in BAD.items() for change in changes])
def test_bad_offsets_are_reported_with_their_row_and_code(code, change, tmp_path):
    rows = [{**GOLD[2], "text": None}, {**GOLD[0], "text": None} | change]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for source, place in ((rows, "record 2"), (str(path), "gold.jsonl:2")):
        with pytest.raises(rg.InputError, match=code) as raised:
            rg.evaluate(source, CHUNKS, "R")
        assert place in str(raised.value)
    assert rg.evaluate(str(path), CHUNKS, "R", lenient=True).mean() == 1.0


def test_text_of_the_right_length_in_characters_is_accepted():
    gold = [{"query": "q", "document": "d", "start": 4, "end": 6, "text": "日😀"}]
    assert rg.evaluate(gold, [{"query": "q", "document": "d", "start": 0, "end": 9}], "R").mean() == 1.0


def test_a_rule_for_spans_needs_spans():
    with pytest.raises(rg.InputError, match="is not a span"):
        rg.evaluate({"q": {"a": 1}}, CHUNKS, "R", convention=rg.Convention(match="overlaps"))
    with pytest.raises(rg.InputError, match="is not a span"):
        rg.evaluate(GOLD, {"q": ["a"]}, "R")
    for wrong in ("covers", "covers>=0", "covers>=2", "overlaps joint", "contains  of  chunk joint"):
        with pytest.raises(rg.ParameterError, match="covers"):
            rg.Convention(match=wrong)
    assert rg.Convention(match="covers >= 1.0 joint").match == "contains joint"


def by_characters(gold, chunks, match):
    """Return ``{query: [(grade or None, [further grades])]}`` by sets of characters, chunk after chunk."""
    name, _, suffix = match.partition(" ")
    level = {"overlaps": 1e-9, "contains": 1.0}.get(name) or float(name.removeprefix("covers>="))
    lists = {}
    for query in {key[0] for key in gold}:
        left = {key: set(range(key[2], key[3])) for key in gold if key[0] == query}
        covered = {key: set() for key in left}
        rows = []
        for _, document, start, end in (chunk for chunk in chunks if chunk[0] == query):
            characters, found = set(range(start, end)), []
            for key, wanted in left.items():
                shared = characters & wanted if document == key[1] else set()
                covered[key] |= shared
                part = covered[key] if suffix == "joint" else shared
                share = len(part) / (len(characters) if suffix == "of chunk" else len(wanted))
                if shared and share >= level:
                    found.append(key)
            for key in found:
                del left[key]
            grades = sorted((gold[key] for key in found), reverse=True)
            rows.append((grades[0] if grades else None, grades[1:]))
        lists[query] = rows
    return lists


@pytest.mark.parametrize(
    "match",
    ["overlaps", "contains", "covers>=0.5", "covers>=0.34", "covers>=0.5 joint", "contains joint", "covers>=0.5 of chunk",
     "contains of chunk"],
)  # fmt: skip
def test_random_worlds_agree_with_brute_force_over_characters(match):
    random = np.random.default_rng(sum(map(ord, match)))
    for _ in range(60):
        gold, chunks = random_world(random)
        rows = [dict(zip(("query", "document", "start", "end"), key, strict=True), grade=g) for key, g in gold.items()]
        returned = [dict(zip(("query", "document", "start", "end"), key, strict=True)) for key in chunks]
        if not {key[0] for key in gold} & {key[0] for key in chunks}:
            continue
        scores = rg.evaluate(rows, returned, ["R", "R(rel=2)", "DCG@4", "P"], convention=rg.Convention(match=match))
        for query, items in by_characters(gold, chunks, match).items():
            grades = [gold[key] for key in gold if key[0] == query]
            found = [[grade, *further] for grade, further in items if grade is not None]
            for rel, name in ((1, "R"), (2, "R(rel=2)")):
                of = sum(grade >= rel for grade in grades)
                hits = sum(grade >= rel for row in found for grade in row)
                assert scores.per_query(name)[query] == (hits / of if of else 0.0), (match, gold, chunks)
            dcg = sum((grade or 0) / np.log2(place + 2) for place, (grade, _) in enumerate(items[:4]))
            assert scores.per_query("DCG@4")[query] == pytest.approx(dcg, abs=1e-12)
            precision = len(found) / len(items) if items else 0.0
            assert scores.per_query("P")[query] == pytest.approx(precision, abs=1e-12)


@pytest.mark.parametrize("duplicates", ["error", "first"])
@pytest.mark.parametrize("match", ["overlaps", "covers>=0.5 joint"])
def test_frames_whose_spans_stay_columns_agree_with_ids(match, duplicates, tmp_path):
    """Ties, scattered rows, queries that are numbers, chunks that find several spans, and budgets."""
    random, rule = np.random.default_rng(9), rg.Convention(match=match, duplicates=duplicates)
    names, metrics = ("query", "document", "start", "end"), ["R", "nDCG", "P@2", "R@9chars"]
    for world in range(40):
        gold, chunks = random_world(random)
        queries = {query: number if world % 2 else query for number, query in enumerate(("q0", "q1", "q2"))}
        rows = [dict(zip(names, (queries[key[0]], *key[1:]), strict=True), grade=grade) for key, grade in gold.items()]
        returned = [dict(zip(names, (queries[key[0]], *key[1:]), strict=True)) for key in chunks]
        if not {row["query"] for row in rows} & {row["query"] for row in returned}:
            continue
        frame = pl.DataFrame(returned).with_columns(score=pl.Series(random.integers(0, 3, len(returned))))
        item = pl.format("{}[{}:{}]", "document", "start", "end").alias("item")
        by_id = rg.evaluate(rows, frame.select("query", item, "score"), metrics, convention=rule)
        path = str(tmp_path / "chunks.parquet")
        frame.write_parquet(path)
        for source in (frame, path):
            scores = rg.evaluate(pl.DataFrame(rows), source, metrics, convention=rule)
            for metric in metrics:
                found = {str(query): value for query, value in scores.per_query(metric).items()}
                assert found == {str(query): value for query, value in by_id.per_query(metric).items()}, (metric, world)


@pytest.mark.parametrize("duplicates", ["error", "first"])
def test_queries_that_are_not_judged_and_ids_of_another_type_are_reported(duplicates):
    gold = [{**row, "query": 7} for row in GOLD]
    chunks = pl.DataFrame([{**row, "query": query} for query in ("8", "7", "9") for row in CHUNKS])
    chunks = chunks.with_columns(score=pl.Series(range(chunks.height)))  # from worst to best
    rules = rg.Convention(match="overlaps", duplicates=duplicates)
    with pytest.warns(rg.DataWarning, match="RG406"):
        scores = rg.evaluate(gold, chunks, ["R", "RR", "SpanRecall@1", "R@8chars"], convention=rules)
    expected = {"R": 1.0, "RR": 1.0, "SpanRecall@1": 8 / 38, "R@8chars": 1 / 3}
    assert scores.means() == expected
    assert {each.code: each.count for each in scores.findings if each.code == "RG403"} == {"RG403": 2}
    assert rg.evaluate(gold, chunks.with_columns(pl.col("query").cast(int)), "SpanRecall@1").mean() == 8 / 38


@pytest.mark.parametrize(
    ("names", "code", "reason"),
    [
        (["docs/d", "docs/e"], "RG408", "the ids of the ranking have the prefix 'docs/'"),
        (["D", "E"], "RG408", "upper and lower case differ"),
        (["D", "e"], "RG411", "upper and lower case differ"),
        (["d", "e"], None, ""),
    ],
)
@pytest.mark.parametrize("duplicates", ["error", "again"])
def test_documents_that_only_their_names_keep_apart_are_reported(names, code, reason, duplicates):
    chunks = [{"query": "q", "document": name, "start": 0, "end": 8, "score": 1 / n} for n, name in enumerate(names, 1)]
    scores = rg.evaluate(GOLD, chunks, "R", convention=rg.Convention(duplicates=duplicates))
    found = {finding.code: finding.examples for finding in scores.findings if finding.code in {"RG408", "RG411"}}
    (example,) = found.get(code, ("",))
    assert set(found) == {code} - {None}
    assert example.endswith(reason)


def test_doctor_takes_the_first_of_two_ambiguous_sources_for_judgments():
    plain = [json.dumps({key: value for key, value in row.items() if key != "grade"}).encode() for row in GOLD[:2]]
    for sources in (map(io.BytesIO, plain), [{"q": ["a"]}, {"q": ["b"]}]):
        assert [profile.info.role for profile in rg.doctor(*sources).profiles] == ["judgments", "ranking"]
    with pytest.raises(rg.InputError, match="RG114"):
        rg.doctor(io.BytesIO(plain[0]))
    roles = [profile.info.role for profile in rg.doctor(io.BytesIO(plain[0]), GOLD).profiles]
    assert roles == ["ranking", "judgments"]


def test_spans_that_touch_share_nothing():
    """The shared characters of all pairs of spans of up to 4 characters, as sets."""
    ends = [(start, end) for start in range(5) for end in range(start + 1, 5)]
    pairs = {f"{first} {second}": (first, second) for first in ends for second in ends}
    gold = [{"query": query, "document": "d", "start": a, "end": b} for query, ((a, b), _) in pairs.items()]
    for document in "de":
        chunks = [{"query": query, "document": document, "start": a, "end": b} for query, (_, (a, b)) in pairs.items()]
        scores = rg.evaluate(gold, chunks, ["SpanRecall", "RR"], convention=rg.Convention(match="overlaps"))
        common = {query: {*range(*a)} & {*range(*b)} if document == "d" else {} for query, (a, b) in pairs.items()}
        assert scores.per_query("RR") == {query: float(bool(common[query])) for query in pairs}
        assert scores.per_query("SpanRecall") == pytest.approx(
            {query: len(common[query]) / (a[1] - a[0]) for query, (a, _) in pairs.items()}
        )
