"""Small inputs of matching, worked out by hand or read in a second way: wide matrices, files with both sides, copies."""

import io
import itertools
import json
import math

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import READ_AS_IS, ReadOptions
from rankgauge.matching.copies import Copy, kinds_of_copies
from rankgauge.matching.descending import along, count_above, descending_columns, descending_rows, descending_scores
from rankgauge.matching.from_list import places_of
from rankgauge.matching.item_places import count_ranks_above
from rankgauge.matching.judgments import Judgments
from rankgauge.segments import Segments
from reading import counts

DRAW = np.random.default_rng(7)
MATRICES = {
    "different": DRAW.permuted(np.tile(np.arange(24.0), (3, 1)), axis=1),
    "tied at the depth": DRAW.integers(0, 4, (3, 24)).astype(float),
    "all equal": np.zeros((3, 24)),
    "tall": DRAW.integers(0, 4, (40, 5)).astype(float),
    "one row": DRAW.integers(0, 9, (1, 9)).astype(float),
}


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("unjudged", [False, True])
@pytest.mark.parametrize("ties", ["input", "input-reversed", "mean"])
def test_the_top_of_matrices_is_that_of_dicts(name, unjudged, ties):
    scores = MATRICES[name]
    labels = np.random.default_rng(3).integers(0, 3, scores.shape).astype(float)
    if unjudged:
        labels[:, ::3] = np.nan
    judged, ranked = (
        {str(query): {item: number for item, number in enumerate(row) if not math.isnan(number)} for query, row in enumerate(rows)}
        for rows in (labels.tolist(), scores.tolist())
    )  # fmt: skip
    rules = rg.Convention(ties=ties)
    for metric in ("nDCG@2", "P@6", "RR@1", "nDCG", "bpref"):
        by_place = rg.evaluate(labels, scores, metric, convention=rules).per_query(metric)
        by_id = rg.evaluate(judged, ranked, metric, convention=rules).per_query(metric)
        assert [*by_place.values()] == pytest.approx([*by_id.values()], abs=1e-12), metric


NEXT = 1 + 1e-12
"""The same as 1 in single precision."""


@pytest.mark.parametrize(
    ("labels", "scores", "count"),
    [
        ([[1, 0, 0]], [[NEXT, 1, 0]], 2),
        ([[1, np.nan, 0]], [[NEXT, 1, 0]], 1),
        ([[np.nan, np.nan, 0]], [[NEXT, 1, 0]], 0),
        ([[1, 0, 0]], [[0, 1, NEXT]], 2),
        ([[1, 0, 0]], [[1, 1, 0]], 0),
        ([[1, 0], [1, 0]], [[2, NEXT], [1, 0]], 0),
        ([[1, 0], [1, 0]], [[2, 1], [NEXT, 1]], 2),
    ],
)
def test_scores_of_arrays_that_differ_in_double_precision_only_are_noted_in_their_query(labels, scores, count):
    labels, scores = np.array(labels, dtype=float), np.array(scores)
    groups = rg.ReadOptions(groups=[scores.shape[1]] * len(scores))
    for findings in (
        rg.evaluate(labels, scores, "nDCG").findings,
        rg.evaluate(labels.ravel(), scores.ravel(), "nDCG", read_options=groups).findings,
    ):
        assert counts(findings).get("RG211", 0) == count


def sorted_by_hand(scores, sizes):
    """Rows of each query by descending score, ties in input order."""
    order, start = [], 0
    for size in sizes:
        order += sorted(range(start, start + size), key=lambda row: -scores[row])
        start += size
    return order


@pytest.mark.parametrize("sizes", [[], [0], [1], [3], [2, 2], [0, 2, 0], [3, 1, 2], [1, 4, 4, 1], [5, 0, 5]])
def test_scores_are_sorted_within_their_queries(sizes):
    runs = Segments.of_sizes(np.array(sizes, dtype=np.int64))
    for scores in (np.arange(sum(sizes)) * 1.0, np.arange(sum(sizes)) % 2 * 1.0, -np.arange(sum(sizes)) * 1.0):
        order = sorted_by_hand(scores, sizes)
        assert descending_rows(scores, runs).tolist() == order
        ordered = descending_scores(scores, runs)
        assert ordered.tolist() == scores[order].tolist()
        if sum(sizes):
            query = runs.query
            for or_equal in (False, True):
                above = [
                    sum(other >= score if or_equal else other > score for other in scores[query == number])
                    for score, number in zip(scores, query, strict=True)
                ]
                assert count_above(ordered, runs, query, scores, or_equal=or_equal).tolist() == above


def test_columns_are_sorted_within_their_rows():
    for points in (np.array([[1.0, 3, 2], [5, 5, 1]]), np.zeros((2, 3)), np.array([[1.0, 2, 2, 1], [3, 3, 3, 4]])):
        order = descending_columns(points)
        assert order.tolist() == [sorted(range(points.shape[1]), key=lambda column: -row[column]) for row in points]
        assert along(points, order).tolist() == [sorted(row, reverse=True) for row in points.tolist()]


def test_copies_are_equal_if_item_and_number_are():
    assert Copy("a", 1, 1) == Copy("a", 1, 2)
    assert hash(Copy("a", 1, 1)) == hash(Copy("a", 1, 2))
    for other in (Copy("a", 2, 1), Copy("b", 1, 1), "a", ("a", 1)):
        assert Copy("a", 1, 1) != other


@pytest.mark.parametrize(
    ("scores", "kinds"),
    [
        (None, [0, 0, 1, 1]),
        ([3, 2, 1, 0], [0, 0, 1, 1]),
        ([1, 2, 3, 0], [1, 0, 0, 1]),
        ([3, 2, 3, 0], [0, 0, 2, 1]),
        ([3, 2, 3, 3], [0, 0, 2, 2]),
        ([None, 2, 1, "x"], [1, 0, 0, 1]),
        ([float("nan"), 2, 1, 10**400], [1, 0, 0, 1]),
    ],
)
def test_the_first_of_copies_is_that_with_the_highest_score(scores, kinds):
    assert kinds_of_copies(["a", "b", "a", "a"], scores, rg.Convention()).tolist() == kinds


GOLD = {"q": ["a"], "r": ["b"]}


def both(path, lists, gold=None):
    """A file with both sides."""
    gold = gold or GOLD
    rows = [{"query": query, "gold": gold[query], "retrieved": lists[query]} for query in gold]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_files_with_the_same_judgments_are_systems(tmp_path):
    first = both(tmp_path / "first.jsonl", {"q": ["a"], "r": ["x", "b"]})
    second = both(tmp_path / "second.jsonl", {"q": ["x", "a"], "r": ["x", "b"]})
    for files in ([first, second], {"first": first, "second": second}):
        means = {system: values["RR"] for system, values in rg.evaluate(files, metrics="RR").means().items()}
        assert means == {"first": 0.75, "second": 0.5}
    compared = rg.compare([first, second], metrics="RR")
    assert [*compared.scores.systems] == ["first", "second"]


@pytest.mark.parametrize(
    ("gold", "message"),
    [({"q": ["x"], "r": ["b"]}, "'q'"), ({"q": ["a"], "r": ["b", "a"]}, "'r'"), ({"q": ["a"], "s": ["b"]}, "'[rs]'")],
)
def test_files_with_other_judgments_are_refused_with_the_first_query(gold, message, tmp_path):
    first = both(tmp_path / "first.jsonl", {"q": ["a"], "r": ["x", "b"]})
    second = both(tmp_path / "second.jsonl", {query: ["a"] for query in gold}, gold)
    with pytest.raises(rg.InputError, match=message):
        rg.evaluate([first, second], metrics="RR")


def test_one_side_of_data_is_told_and_one_ranking_is_the_only_one():
    one = rg.read([{"query": "q", "gold": ["a"], "retrieved": ["b", "a"]}])
    assert one.ranking is next(iter(one.rankings.values()))
    rows = [{"system": system, "query": "q", "item": "a", "score": 1.0} for system in "xy"]
    several = rg.read(rows)
    for data, names in ((several, "x.*y"), (rg.read([{"query": "q", "gold": ["a"]}]), "none")):
        with pytest.raises(rg.RankgaugeError, match=names):
            _ = data.ranking


def test_scores_in_memory_belong_to_the_rows_of_a_letor_file(tmp_path):
    path = tmp_path / "test.txt"
    path.write_text("0 qid:1 1:1\n2 qid:1 1:2\n1 qid:2 1:3\n")
    for scores in ([0.5, 0.25, 1.5], np.array([0.5, 0.25, 1.5])):
        assert rg.evaluate(str(path), scores, "RR").per_query("RR") == {"1": 0.5, "2": 1.0}
        named = rg.evaluate(str(path), {"m": scores}, "RR")
        assert named.mean("RR", "m") == 0.75


def test_the_grades_of_a_row_of_a_matrix_are_those_that_are_known():
    labels = np.array([[np.nan, 2.0, 0.0], [1.0, np.nan, np.nan]])
    judged = Judgments(labels, READ_AS_IS, Findings())
    assert [judged.grades_of(query) for query in judged.queries] == [{1: 2.0, 2: 0.0}, {0: 1.0}]
    assert judged.counts.tolist() == [2, 1]
    options = ReadOptions(groups=[2, 1, 3])
    assert Judgments(labels.ravel(), options, Findings()).counts.tolist() == [1, 1, 1]
    assert Judgments({"q": {"a": 1, "b": 0}, "r": {"a": 1}}, READ_AS_IS, Findings()).counts.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("rank", "up_to", "around"),
    [([1, 2, 3], [1, 2, 3], [1, 2, 3]), ([2, 2, 3], [1, 2, 3], [1, 2, 3]), ([2, 2, 2], [0, 1, 2], [1, 2, 3])],
)
def test_rows_of_one_rank_take_the_places_up_to_it_or_around_it(rank, up_to, around):
    ranks = np.array(rank, dtype=float)
    assert places_of(ranks).tolist() == up_to
    assert places_of(ranks, around=True).tolist() == around


def test_ranks_above_are_counted_within_their_query():
    query, rank = np.array([0, 0, 1, 3]), np.array([1.0, 4.0, 2.0, 1.0])
    for row_query, row_rank in (([0, 0, 0, 1, 1, 2, 3], [1.0, 2, 9, 2, 3, 5, 2]), ([0], [0.0]), ([], [])):
        expected = [sum(rank[query == number] < place) for number, place in zip(row_query, row_rank, strict=True)]
        found = count_ranks_above(query, rank, np.array(row_query, dtype=int), np.array(row_rank, dtype=float))
        assert found.tolist() == expected
    assert count_ranks_above(query[:0], rank[:0], query, rank).tolist() == [0, 0, 0, 0]


GRADED, SCORED = ({"query": ["q"], "item": ["a"], number: [1.0]} for number in ("grade", "score"))
NEITHER = {"query": ["q"], "item": ["a"]}


@pytest.mark.parametrize(
    ("judgments", "ranking", "message"),
    [
        (GRADED, SCORED, None),
        (SCORED, GRADED, "the arguments look swapped"),
        (NEITHER, GRADED, "the arguments may be swapped"),
        (NEITHER, SCORED, None),
        (SCORED, SCORED, None),
        (GRADED, GRADED, "no column for score or rank"),
        (SCORED, NEITHER, "no column for score or rank"),
    ],
)
def test_only_a_ranking_before_judgments_is_taken_for_swapped_arguments(judgments, ranking, message, tmp_path):
    sides = [pl.DataFrame(judgments), pl.DataFrame(ranking)]
    paths = [tmp_path / "first.csv", tmp_path / "second.csv"]
    for side, path in zip(sides, paths, strict=True):
        side.write_csv(path)
    for pair in (sides, paths):
        if message is None:
            assert rg.evaluate(*pair, "RR").mean() == 1.0
        else:
            with pytest.raises(rg.InputError, match=message):
                rg.evaluate(*pair, "RR")


def test_the_number_of_relevant_items_is_exact_in_double_precision():
    assert rg.parse("R@1").of([1], relevant=2**53 - 1) == 1 / (2**53 - 1)
    with pytest.raises(rg.ParameterError, match=r"below 2\^53"):
        rg.parse("R@1").of([1], relevant=2**53)


def test_an_ideal_list_has_at_most_a_million_items_of_which_only_the_number_is_known():
    assert rg.nDCG.of([1], relevant=10**6 + 1) > 0
    with pytest.raises(rg.ParameterError, match="the limit is 1,000,000"):
        rg.nDCG.of([1], relevant=10**6 + 2)
    with pytest.raises(rg.ParameterError, match="the limit is 1,000,000"):
        rg.nDCG.of([1], relevant=5 * 10**6)
    assert (rg.nDCG @ 1).of([1], relevant=5 * 10**6) == 1.0


@pytest.mark.parametrize("relevant", [1, 2, 3])
def test_a_full_ideal_has_the_best_grade_at_every_rank(relevant):
    full = rg.nDCG(ideal="full")
    assert (full @ 2).of([1, 0], relevant=relevant) == pytest.approx(1 / (1 + 1 / math.log2(3)))
    assert (full @ 1).of([1, 0], relevant=relevant) == 1.0
    assert full.of([0, 2]) == pytest.approx((2 / math.log2(3)) / (2 + 2 / math.log2(3)))


@pytest.mark.parametrize("given", [{"ideal": [1, -1]}, {"ideal": [-1, 1, 0]}, {}])
def test_a_negative_grade_in_any_place_is_an_error_if_the_rules_say_so(given):
    rules = rg.Convention(negative="error")
    grades = [1] if given else [1, -1]
    with pytest.raises(rg.InputError, match="negative"):
        rg.nDCG.of(grades, convention=rules, **given)
    assert rg.nDCG.of([1], ideal=[1, 0], convention=rules) == 1.0


def test_the_first_query_without_judgments_is_shown_with_its_line(tmp_path):
    (tmp_path / "run.txt").write_text("q Q0 a 1 2 x\nr Q0 a 1 2 x\ns Q0 a 1 2 x\n")
    findings = rg.evaluate({"q": {"a": 1}}, tmp_path / "run.txt", "RR").findings
    (unjudged,) = (finding for finding in findings if finding.code == "RG403")
    assert (unjudged.count, unjudged.examples[0]) == (2, f"{tmp_path / 'run.txt'}:2: query 'r' has no judgments")


def test_ids_that_do_not_match_are_those_of_the_first_query_with_both_sides():
    judgments = {"q": {"a": 1}, "r": {"b": 1, "d": 1}, "s": {"c": 1}}
    scores = rg.evaluate(judgments, {"q": [], "r": ["x", "z"], "s": ["y"]}, "RR")
    (unmatched,) = (finding for finding in scores.findings if finding.code == "RG408")
    assert unmatched.examples[0] == "item 'b' in the judgments, 'x' in the ranking"


@pytest.mark.parametrize(("names", "rankings"), [("xx", ["DataFrame"]), ("xy", ["x", "y"])])
def test_a_table_of_one_system_is_one_ranking(names, rankings):
    rows = {"system": [*names], "query": ["q", "r"], "item": ["a", "a"], "score": [1.0, 1.0]}
    assert [*rg.read(pl.DataFrame(rows)).rankings] == rankings


def test_lengths_may_be_0():
    lengths = pl.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "score": [2.0, 1.0], "tokens": [0, 5]})
    for budget, value in ((5, 1.0), (4, 0.0)):
        assert rg.evaluate({"q": {"b": 1}}, lengths, f"Recall@{budget}tokens").mean() == value
    with pytest.raises(rg.InputError, match="-1"):
        rg.evaluate({"q": {"b": 1}}, lengths.with_columns(tokens=pl.Series([-1, 5])), "Recall@5tokens")


SCATTERED = b"query,item,score\nq,a,1\nr,a,1\nq,b,.5\n"


def test_scattered_rows_are_gathered_from_a_file_and_refused_in_a_stream(tmp_path):
    (tmp_path / "rows.csv").write_bytes(SCATTERED)
    written = io.BytesIO()
    rg.convert(tmp_path / "rows.csv", written, to="trec", role="ranking")
    assert [row.split()[::2] for row in written.getvalue().decode().splitlines()] == [
        ["q", "a", "1.0"], ["q", "b", "0.5"], ["r", "a", "1.0"],
    ]  # fmt: skip
    with pytest.raises(rg.InputError, match="a stream cannot be read twice"):
        rg.convert(io.BytesIO(SCATTERED), io.BytesIO(), to="trec", role="ranking")


@pytest.mark.parametrize(
    ("query", "message"), [("query onn", "did you mean 'query one'"), ("zzz", "not in the judgments, which have")]
)
def test_a_query_that_is_not_judged_is_named_with_the_nearest(query, message):
    with pytest.raises(rg.InputError, match=message):
        rg.explain({"query one": {"a": 1}}, {"query one": ["a"]}, "RR", query=query)


def test_texts_of_a_report_are_those_of_the_collection_or_of_the_call(tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t1\n")
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "title": "", "text": "from the collection"}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "a query"}\n')
    ranking = {"x": {"q": ["a"]}}
    assert rg.report(tmp_path, ranking, "RR").texts["a"] == "from the collection"
    assert rg.report(tmp_path, ranking, "RR", texts={"a": "of the call"}).texts["a"] == "of the call"
    assert not rg.report({"q": {"a": 1}}, ranking, "RR").texts
    assert "corpus.jsonl" in str(rg.read(tmp_path).texts)


TIED = [[1, 1, 1], [2, 2, 1, 1], [2, 1, 1, 0], [1, 1, 1, 1]]


@pytest.mark.parametrize("scores", TIED, ids=str)
@pytest.mark.parametrize("metric", ["bpref", "RR", "AP", "AP@2", "nDCG@2", "P@2", "ERR", "RBP", "Rprec"])
def test_averaged_ties_are_the_mean_over_all_orders_of_the_items(metric, scores):
    parsed = rg.parse(metric)
    averaged, ordered = rg.Convention(ties="mean"), rg.Convention(ties="input")
    for grades in ([1, 0, 0, 1], [0, 1, None, 0], [2, 0, 1, 0], [0, 0, 0, 2], [0, 0, 1, 1]):
        listed = grades[: len(scores)]
        orders = [
            parsed.of([listed[place] for place in order], scores=[scores[place] for place in order], convention=ordered)
            for order in itertools.permutations(range(len(scores)))
        ]
        mean = math.fsum(orders) / len(orders)
        assert parsed.of(listed, scores=scores, convention=averaged) == pytest.approx(mean, abs=1e-12), listed


SPANS_OF_ONE = {"q": {"d[0:5]": 1}}, {"q": ["d[0:5]"]}


@pytest.mark.parametrize("side", [0, 1])
def test_a_rule_for_spans_refuses_arrays_on_either_side(side):
    rules = rg.Convention(match="overlaps")
    sides = [*SPANS_OF_ONE]
    assert rg.evaluate(*sides, "R", convention=rules).mean() == 1.0
    sides[side] = np.array([[1.0, 0.0]])
    with pytest.raises(rg.RankgaugeError):
        rg.evaluate(*sides, "R", convention=rules)


def test_ids_of_queries_that_differ_in_type_only_are_the_same_unless_one_is_equal():
    ranking = {"7": ["a"], "8": ["b"]}
    scores = rg.evaluate({7: {"a": 1}, 8: {"a": 1}}, ranking, "RR")
    assert (scores.per_query("RR"), counts(scores.findings)["RG406"]) == ({7: 1.0, 8: 0.0}, 1)
    scores = rg.evaluate({7: {"a": 1}, "8": {"b": 1}}, ranking, "RR")
    assert (scores.per_query("RR"), counts(scores.findings).get("RG406")) == ({7: 0.0, "8": 1.0}, None)


@pytest.mark.parametrize(("files", "verb"), [(["one.jsonl", "two.jsonl"], rg.compare), (["one.jsonl"], rg.evaluate)])
def test_files_that_are_missing_are_named(files, verb, tmp_path):
    paths = [str(tmp_path / name) for name in files]
    with pytest.raises(rg.InputError, match=r"one\.jsonl: cannot be read"):
        verb({path[-9:-6]: path for path in paths} if verb is rg.compare else paths[0], metrics="RR")


@pytest.mark.parametrize(
    ("end", "precision"),
    [("cut", {4: 1.0, 5: 1.0, 6: 0.5, 9: 0.5, 10: 1 / 3}), ("kept", {4: 1.0, 5: 1.0, 6: 0.5, 9: 0.5, 10: 1 / 3}),
     ("left-out", {5: 1.0, 8: 1.0, 9: 0.5, 11: 0.5, 12: 1 / 3})],
)  # fmt: skip
def test_a_budget_that_is_used_up_ends_the_list(end, precision):
    """Chunks of 5, 4 and 3 characters, of which the first is relevant."""
    judged, returned = {"q": {"d[0:5]": 1}}, {"q": ["d[0:5]", "d[5:9]", "d[9:12]"]}
    for budget, value in precision.items():
        rules = rg.Convention(match="overlaps", budget_end=end)
        assert rg.evaluate(judged, returned, f"P@{budget}chars", convention=rules).mean() == pytest.approx(value)


@pytest.mark.parametrize("end", ["cut", "kept"])
def test_a_text_that_is_cut_counts_as_what_is_left_of_it(end):
    """Texts of 2, 3 and 1 words, of which the first word of the second is relevant."""
    judged, returned = {"q": {"c": 1}}, {"q": ["a b", "c d e", "f"]}
    rules = rg.Convention(match="contained", budget_end=end)
    for budget, recall, precision in ((2, 0, 0), (3, 1, 1 / 2), (4, 1, 1 / 2), (5, 1, 1 / 2), (6, 1, 1 / 3)):
        scores = rg.evaluate(
            judged, returned, [f"R@{budget}tokens", f"P@{budget}tokens"], convention=rules,
            tokens=lambda text: len(text.split()),
        )  # fmt: skip
        assert [*scores.means().values()] == pytest.approx([recall, precision])


@pytest.mark.parametrize("ties", ["best", "mean", "together", "id"])
def test_cutoffs_that_count_copies_need_an_order_only_where_scores_tie(ties):
    rules = rg.Convention(duplicates="close-up", k_counts="returned", ties=ties)
    judgments = {"q": {"a": 1, "b": 1}}
    for scores, is_refused in (([3, 2, 1], False), ([3, 2, 2], ties != "id"), ([2, 2, 1], ties != "id")):
        rows = [("q", item, score) for item, score in zip("aab", scores, strict=True)]
        if is_refused:
            with pytest.raises(rg.ParameterError, match="needs the place of every copy"):
                rg.evaluate(judgments, rows, "P@2", convention=rules)
        else:
            assert rg.evaluate(judgments, rows, "R@3", convention=rules).mean() == 1.0
            b_is_second = scores == [3, 2, 2]  # tied with the copy of a, and the greater id
            assert rg.evaluate(judgments, rows, "R@2", convention=rules).mean() == (1.0 if b_is_second else 0.5)


@pytest.mark.parametrize(("kind", "count"), [(np.float64, 2), (np.float32, None), (np.int64, 2)])
def test_large_scores_are_noted_where_whole_numbers_could_be_told_apart(kind, count):
    scores = np.array([[2**60, 2**55, 2]]).astype(kind)
    assert counts(rg.evaluate(np.array([[1, 0, 2]]), scores, "RR").findings).get("RG214") == count


@pytest.mark.parametrize(
    ("labels", "scores", "hint"),
    [((1, 3), (3,), None), ((3, 1), (3,), "labels"), ((3,), (3, 1), "scores"), ((3, 2), (6,), None)],
)
def test_a_column_is_flattened_by_ravel(labels, scores, hint):
    groups = {"groups": [3]} if len(labels) == 1 else {}
    with pytest.raises(rg.InputError, match="give a score for each label") as caught:
        rg.evaluate(np.zeros(labels), np.zeros(scores), "RR", **groups)
    assert str(caught.value).partition("label: pass ")[2] == ("" if hint is None else f"{hint}.ravel()")


def test_many_rows_of_flat_arrays_are_matched_as_those_of_a_matrix():
    """More than are matched at a time."""
    draw = np.random.default_rng(5)
    labels, scores = draw.integers(0, 2, (200_000, 3)), draw.permuted(np.tile([3.0, 2.0, 1.0], (200_000, 1)), axis=1)
    rank = 1 + (scores[:, :, None] < scores[:, None, :]).sum(axis=2)
    expected = np.where(labels > 0, 1 / rank, 0).max(axis=1).mean()
    assert rg.evaluate(labels, scores, "RR").mean() == pytest.approx(expected)
    assert rg.evaluate(labels.ravel(), scores.ravel(), "RR", groups=[3] * 200_000).mean() == pytest.approx(expected)


def test_relevant_items_that_are_not_listed_are_not_among_the_others():
    """One of 5 relevant items, below 1 of 2 that are not relevant."""
    assert rg.bpref.of([0, 1, 0], relevant=5) == pytest.approx((1 - 1 / 2) / 5)
    assert rg.bpref.of([0, 1, 0], relevant=1) == pytest.approx(0.0)


@pytest.mark.parametrize("judged", [int, str])
@pytest.mark.parametrize("returned", [int, str])
@pytest.mark.parametrize("form", ["dict", "list", "frame"])
def test_items_whose_ids_differ_in_type_only_are_the_same_for_every_verb(judged, returned, form):
    judgments = {"q": {judged(7): 1, judged(8): 0}}
    ranking = {
        "dict": {"q": {returned(8): 2.0, returned(7): 1.0}},
        "list": {"q": [returned(8), returned(7)]},
        "frame": pl.DataFrame({"query": ["q", "q"], "item": [returned(8), returned(7)], "score": [2.0, 1.0]}),
    }[form]
    scores = rg.evaluate(judgments, ranking, "RR")
    assert scores.mean() == rg.explain(judgments, ranking, "RR", query="q").value == 0.5
    assert ("RG406" in counts(scores.findings)) is (judged is not returned)


ASCENDING = [*map(float, range(1, 11))]


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([ASCENDING], "the scores of the list ascend"),
        ([ASCENDING[:9]], None),
        ([ASCENDING[:5]] * 3, "the scores ascend in each of the first 3 lists"),
        ([ASCENDING[:5]] * 2, None),
        ([ASCENDING[:1]] * 5 + [ASCENDING], "the scores of the list ascend"),
        (
            [ASCENDING[:1], ASCENDING[:5], ASCENDING[:6], ASCENDING[:5]],
            "the scores ascend in each of the first 3 lists",
        ),
        ([ASCENDING[:5], [2.0, 1.0], ASCENDING], None),
        ([[*ASCENDING, 10.0]], None),
        ([ASCENDING[::-1]], None),
        ([[1, 0]] + [ASCENDING] * 5, None),
    ],
)
def test_lists_that_ascend_are_noted_where_chance_would_order_them_so_once_in_a_million(lists, message):
    """10! is more than a million, as 5! 5! 5! is; 9! and 5! 5! are less."""
    names = [[f"d{place}" for place in range(len(scores))] for scores in lists]
    judgments = {str(query): {"d0": 1} for query in range(len(lists))}
    dicts = {str(query): dict(zip(names[query], scores, strict=True)) for query, scores in enumerate(lists)}
    rows = [(query, item, float(score)) for query, of_query in dicts.items() for item, score in of_query.items()]
    frame = pl.DataFrame(rows, schema=["query", "item", "score"], orient="row")
    flat = [score for scores in lists for score in scores]
    arrays = np.array([1.0] * len(flat)), np.array(flat), [*map(len, lists)]
    for scores in (
        rg.evaluate(judgments, dicts, "RR"),
        rg.evaluate(judgments, frame, "RR"),
        rg.evaluate(*arrays[:2], "RR", groups=arrays[2]),
    ):
        examples = [example for finding in scores.findings if finding.code == "RG410" for example in finding.examples]
        assert examples == ([] if message is None else [message])


LABEL_ROWS, SCORE_ROWS = [[1, 0], [0, 1]], [[0.5, 0.2], [0.1, 0.9]]


@pytest.mark.parametrize(
    ("judged", "returned", "is_refused"),
    [
        (LABEL_ROWS, SCORE_ROWS, True),
        ([[1], [0]], [[0.5], [0.2]], True),
        ([[1, 0], [1]], SCORE_ROWS, False),
        ([[1, 0, 2], [0, 1]], [[2, 1, 3], [3, 0]], True),
        ([[1, 0, 2], [0, 1]], [[2.5, 1, 3], [3, 0.5]], True),
        (LABEL_ROWS, [[0.5, 0.2], [0.1]], False),
        (LABEL_ROWS, [["a", "b"], ["c", "d"]], False),
        ([["a"], ["b"]], SCORE_ROWS, False),
        ([[1, 0], []], SCORE_ROWS, False),
        (((1, 0), (0, 1)), SCORE_ROWS, False),
    ],
)
def test_lists_of_numbers_of_the_same_lengths_on_both_sides_are_ambiguous(judged, returned, is_refused):
    if is_refused:
        with pytest.raises(rg.InputError, match="nested lists of numbers can mean two things"):
            rg.evaluate(judged, returned, "RR")
    else:
        assert rg.evaluate(judged, returned, "RR").mean() == 0.0


NO_ROWS = pl.DataFrame(schema={"query": pl.String, "item": pl.String, "score": pl.Float64})


@pytest.mark.parametrize("others", [1, 2, 3])
def test_a_ranking_without_rows_is_one_that_returned_nothing_only_beside_others(others):
    judgments, ranking = {"q": {"a": 1}}, {"q": ["a"]}
    full = {f"x{number}": ranking for number in range(others)}
    for empty in ({}, NO_ROWS):
        assert rg.evaluate(judgments, full | {"y": empty}, "RR").means()["y"] == {"RR": 0.0}
        assert rg.evaluate(judgments, {"y": empty} | full, "RR").means()["x0"] == {"RR": 1.0}
        with pytest.raises(rg.InputError, match="the ranking is empty"):
            rg.evaluate(judgments, empty, "RR")
    with pytest.raises(rg.InputError, match="y: the ranking is empty"):
        rg.evaluate(judgments, {"y": NO_ROWS}, "RR")


@pytest.mark.parametrize(
    ("judged", "returned", "is_found"),
    [
        ("a b", "x A  B! y", True),
        ("a b", "x a\tb", True),
        ("a b", "ab", False),
        ("ab", "a b", False),
        ("xy", "the x-y", True),
        ("xy", "x+y = z", True),
        ("xy", "x,y", True),
        ("x y", "x,y", False),
        ("x y", "x，y", True),
        ("xy", "x，y", False),
        ("x y", "x the y", True),
        ("then y", "the n y", False),
        ("长江", "全长江河", True),
        ("江长", "全长江河", False),
        ("6300", "全长6300公里", True),
        ("x", "x€", False),
        ("x€", "in X€.", True),
        ("the", "x", False),
        ("x1", "x1", True),
        ("x1", "x12", False),
    ],
)
def test_a_text_contains_the_words_of_another_whatever_the_punctuation(judged, returned, is_found):
    rules = rg.Convention(match="contained")
    for ranking in ({"q": [returned]}, {"q": {returned: 1.0}}, [("q", returned, 1.0)]):
        assert rg.evaluate({"q": {judged: 1}}, ranking, "RR", convention=rules).mean() == is_found


@pytest.mark.filterwarnings("ignore::rankgauge.DataWarning")
@pytest.mark.parametrize(
    ("scores", "places"),
    [([3, 2, 1], {"a b": 1, "c": 1}), ([1, 2, 3], {"a b": 3, "c": 1}), ([2, 2, 1], {"a b": 1, "c": 1})],
)
def test_the_highest_text_finds_what_it_contains_first(scores, places):
    """The first text contains both judged ones, the second c, and the third c as well."""
    texts = ["c and a b", "c", "c c"]
    rules = rg.Convention(match="contained", ties="input", duplicates="close-up")
    for judged, place in places.items():
        ranking = {"q": dict(zip(texts, map(float, scores), strict=True))}
        assert rg.evaluate({"q": {judged: 1}}, ranking, "RR", convention=rules).mean() == 1 / place
    both = rg.evaluate({"q": {"a b": 1, "c": 1}}, {"q": texts}, ["R@1", "P@1"], convention=rules)
    assert [*both.means().values()] == [1.0, 1.0]


@pytest.mark.parametrize(("items", "repeated"), [("abb", "b"), ("aba", "a"), ("abcc", "c"), ("bbaa", "b")])
def test_the_first_item_that_is_returned_again_is_named(items, repeated):
    for ranking in ({"q": [*items]}, [("q", item, 9.0 - place) for place, item in enumerate(items)]):
        with pytest.raises(rg.InputError, match=f"item '{repeated}' is returned more than once"):
            rg.evaluate({"q": {"a": 1}}, ranking, "RR")
