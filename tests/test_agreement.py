"""One metric gives the same digits by every form: dicts, rows, frames, files and arrays, bit for bit."""

import gzip
import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from registries import takes_ties
from worlds import pace

METRICS = [
    "nDCG@3", "nDCG(gain='exp2')", "AP", "AP@2", "RR@2", "P@2", "R@3", "F@2", "HR@1", "Rprec", "Fallout@2", "IAP", "Q@3",
    "ERR@3", "nERR", "RBP@3", "RBPresidual", "bpref", "infAP", "Judged@2", "AUC", "FirstRank", "NumRet", "NumRel",
]  # fmt: skip
TOP = ["nDCG@2", "AP@3", "P@1", "RR@3", "ERR@2", "Judged@3", "HR@2", "Q@2", "RBP@2"]
CONVENTIONS = {
    "default": rg.Convention(),
    "mean": rg.Convention(ties="mean", undefined="nan"),
    "input": rg.Convention(ties="input", undefined=1),
    "reversed": rg.Convention(ties="input-reversed"),
    "ascending": rg.Convention(ties="id-ascending", no_relevant="skip"),
    "together": rg.Convention(ties="together"),
    "mean rank": rg.Convention(ties="mean-rank"),
    "best": rg.Convention(ties="best", negative="zero"),
    "worst": rg.Convention(ties="worst", missing="skip"),
    "random": rg.Convention(ties="random", seed=3, score_precision="float32"),
    "removed": rg.Convention(unjudged="removed", undefined="skip"),
    "assumed": rg.Convention(unjudged=1, ties="id"),
    "outside": rg.Convention(unjudged=2, unjudged_in_ideal="no", ties="input"),
    "all tied": rg.Convention(tied_at_k="all", ties="input"),
    "all tied, mean": rg.Convention(tied_at_k="all", ties="mean", unjudged="removed"),
    "after cut": rg.Convention(unjudged="removed-after-cut", ties="input", p_over="min(k,n)"),
    "cut": rg.Convention(
        fractions="cut", per_metric={"nDCG": {"ties": "mean"}, "P": {"unjudged": 1, "hit_if": "score>0"}}
    ),
    "short": rg.Convention(short_list="zero", rounding=2, max_grade="largest", gain="binary-rel"),
}
ITEMS = ["a", "b", "c", "物品", "é", "10", "9", "Z z".replace(" ", "_"), "x" * 50]


@st.composite
def worlds(draw):
    """Judgments and a ranking of a few queries: ties, holes, missing and unjudged queries, empty lists."""
    queries = draw(st.lists(st.sampled_from(["q1", "q2", "q3", "查询", "10"]), min_size=1, max_size=4, unique=True))
    judgments, ranking = {}, {}
    for query in queries:
        judged = draw(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=5, unique=True))
        judgments[query] = {item: draw(st.sampled_from([-1, 0, 0, 1, 2, 3, 1.7, -0.5])) for item in judged}
        returned = draw(st.lists(st.sampled_from(ITEMS), max_size=6, unique=True))
        if returned and draw(st.integers(0, 4)):
            ranking[query] = {item: draw(st.sampled_from([0.5, 0.25, 1.0, -3.0, 0.1])) for item in returned}
    ranking.setdefault(queries[0], {"a": 1.0})
    if draw(st.booleans()):
        ranking["unjudged"] = {"a": 1.0}
    return judgments, ranking


def metrics_for(convention):
    """All of them, but for those that the rule for ties does not define."""
    return [m for m in METRICS if takes_ties(rg.parse(m), convention)]


def rows(table):
    return [(query, item, number) for query, numbers in table.items() for item, number in numbers.items()]


def columns(table, number):
    query, item, value = zip(*rows(table), strict=True)
    return {"query_id": list(query), "docno": list(item), number: [float(one) for one in value]}


def qrels_text(judgments):
    return "".join(f"{query} 0 {item} {grade}\n" for query, item, grade in rows(judgments))


def run_text(ranking):
    return "".join(f"{query} Q0 {item} 0 {score!r} tag\n" for query, item, score in rows(ranking))


def shuffled_text(text):
    lines = text.splitlines(keepends=True)
    return "".join(lines[::2] + lines[1::2])


FORMS = {
    "rows": lambda j, r, _: (rows(j), rows(r)),
    "polars": lambda j, r, _: (pl.DataFrame(columns(j, "rel")), pl.DataFrame(columns(r, "score"))),
    "lazy": lambda j, r, _: (pl.LazyFrame(columns(j, "relevance")), pl.LazyFrame(columns(r, "prediction"))),
    "pandas": lambda j, r, _: (pd.DataFrame(columns(j, "rating")), pd.DataFrame(columns(r, "score"))),
    "arrow": lambda j, r, _: (pa.table(columns(j, "label")), pa.table(columns(r, "score"))),
    "mixed": lambda j, r, _: (j, pl.DataFrame(columns(r, "score"))),
    "mixed back": lambda j, r, _: (pa.table(columns(j, "grade")), r),
    "trec": lambda j, r, write: (write("qrels.txt", qrels_text(j)), write("run.txt", run_text(r))),
    "trec gz": lambda j, r, write: (write("qrels.gz", qrels_text(j)), write("run.gz", run_text(r))),
    "csv": lambda j, r, write: (
        write("j.csv", pl.DataFrame(columns(j, "rel")).write_csv()), write("r.csv", pl.DataFrame(columns(r, "score")).write_csv())
    ),
    "jsonl": lambda j, r, write: (
        write("j.jsonl", pl.DataFrame(columns(j, "rel")).write_ndjson()), write("r.jsonl", pl.DataFrame(columns(r, "score")).write_ndjson())
    ),
    "stream": lambda j, r, _: (io.BytesIO(qrels_text(j).encode()), io.BytesIO(run_text(r).encode())),
}  # fmt: skip


@pytest.fixture(scope="module")
def write(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")

    def put(name, text):
        path = folder / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        return path

    return put


def table_of(scores, metrics):
    return {metric: scores.per_query(metric) for metric in metrics}


def same(first, second):
    assert first.keys() == second.keys()
    for metric, values in first.items():
        assert values.keys() == second[metric].keys(), metric
        np.testing.assert_array_equal([*values.values()], [*second[metric].values()], err_msg=metric)


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=CONVENTIONS)
@pytest.mark.parametrize("form", FORMS)
@pace(5)
@given(world=worlds())
def test_every_input_form_gives_the_same_digits(form, convention, world, write):
    judgments, ranking = world
    metrics = metrics_for(convention)
    expected = table_of(rg.evaluate(judgments, ranking, metrics, convention=convention), metrics)

    given_judgments, given_ranking = FORMS[form](judgments, ranking, write)
    same(expected, table_of(rg.evaluate(given_judgments, given_ranking, metrics, convention=convention), metrics))


@pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=CONVENTIONS)
@pace(12)
@given(world=worlds())
def test_many_queries_give_the_same_digits_as_one_at_a_time(convention, world):
    judgments, ranking = world
    metrics = metrics_for(convention)
    scores = rg.evaluate(judgments, ranking, metrics, convention=convention)

    for metric in metrics:
        for query, value in scores.per_query(metric).items():
            alone = rg.explain(judgments, ranking, metric, query, convention=convention).value
            np.testing.assert_array_equal(value, alone, err_msg=f"{metric} {query}")


@pytest.mark.parametrize("form", ["rows", "polars", "trec"])
@settings(max_examples=20, deadline=None, derandomize=True)
@given(world=worlds())
def test_truncated_lists_give_the_same_digits_as_whole_lists(form, world, write):
    judgments, ranking = world
    sides = FORMS[form](judgments, ranking, write)

    alone = table_of(rg.evaluate(*sides, TOP), TOP)
    sides = FORMS[form](judgments, ranking, write)
    same(alone, table_of(rg.evaluate(*sides, [*TOP, "AUC"]), TOP))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(world=worlds())
def test_rows_of_a_query_need_not_be_contiguous(world, write):
    judgments, ranking = world
    qrels, run = (
        write("a.qrels", shuffled_text(qrels_text(judgments))),
        write("a.run", shuffled_text(run_text(ranking))),
    )

    # Moving lines about changes the input order, so the rule for ties must not depend on it.
    expected = rg.evaluate(judgments, ranking, METRICS)
    found = rg.evaluate(qrels, run, METRICS)
    for metric in METRICS:
        assert found.per_query(metric) == pytest.approx(expected.per_query(metric), abs=0, nan_ok=True)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.integers(1, 5),
    st.integers(1, 12),
    st.randoms(use_true_random=False),
    st.sampled_from(["id", "mean", "best", "worst", "input-reversed", "together", "mean-rank"]),
)
def test_arrays_give_the_same_digits_as_dicts(queries, count, random, ties):
    labels = np.array([[random.choice([0, 0, 1, 2, np.nan]) for _ in range(count)] for _ in range(queries)])
    scores = np.array(
        [[random.choice([0.1, 0.2, 0.3, 0.7, random.random()]) for _ in range(count)] for _ in range(queries)]
    )
    convention = rg.Convention(ties="input" if ties == "id" else ties)
    judgments = {q: {i: v for i, v in enumerate(row) if not np.isnan(v)} for q, row in enumerate(labels)}
    ranking = {q: dict(enumerate(row.tolist())) for q, row in enumerate(scores)}
    metrics = metrics_for(convention)

    expected = table_of(rg.evaluate(judgments, ranking, metrics, convention=convention), metrics)
    same(expected, table_of(rg.evaluate(labels, scores, metrics, convention=convention), metrics))
    flat = rg.evaluate(labels.ravel(), scores.ravel(), metrics, convention=convention, groups=[count] * queries)
    same(expected, table_of(flat, metrics))
    offsets = rg.evaluate(
        labels.ravel(), scores.ravel(), metrics, convention=convention, offsets=range(0, queries * count + 1, count)
    )
    same(expected, table_of(offsets, metrics))
    ids = np.repeat(np.arange(queries), count)
    mixed = np.argsort(np.tile(np.arange(count), queries), kind="stable")  # the queries interleaved
    by_id = rg.evaluate(
        labels.ravel()[mixed], scores.ravel()[mixed], metrics, convention=convention, query_ids=ids[mixed].tolist()
    )
    same(expected, table_of(by_id, metrics))
    top = [name for name in ("nDCG@1", "P@1", "AP@1") if takes_ties(rg.parse(name), convention)]
    same(
        table_of(rg.evaluate(judgments, ranking, top, convention=convention), top),
        table_of(rg.evaluate(labels, scores, top, convention=convention), top),
    )


def test_lists_of_items_and_sets_of_relevant_ones():
    lists, truth = [["a", "b", "c"], ["d", "a"]], [{"b"}, {"a", "z"}]
    expected = {0: 1 / 2, 1: 1 / 2}

    assert rg.evaluate(truth, lists, "RR").per_query("RR") == expected
    assert rg.evaluate(dict(enumerate(truth)), dict(enumerate(lists)), "RR").per_query("RR") == expected
    ids = np.array([[1, 2, 3], [4, 1, 5]])
    assert rg.evaluate({0: [2], 1: [1, 9]}, ids, "RR").per_query("RR") == expected


def test_sparse_truth():
    from scipy.sparse import csr_matrix

    truth = csr_matrix(np.array([[0, 0, 2], [1, 0, 0]]))
    scores = rg.evaluate(truth, [[2, 1, 0], [1, 0, 2]], ["RR", "NumRel"])

    assert scores.per_query("RR") == {0: 1.0, 1: 0.5}


def test_duckdb_relations():
    import duckdb

    connection = duckdb.connect()
    judgments = connection.sql("select * from (values ('q', 'a', 1), ('q', 'b', 0)) t(qid, docno, rel)")
    ranking = connection.sql("select * from (values ('q', 'b', 0.9), ('q', 'a', 0.5)) t(qid, docno, score)")

    assert rg.evaluate(judgments, ranking, "RR").mean("RR") == 0.5


def test_a_rank_column_replaces_a_score():
    ranking = pl.DataFrame({"user_id": [1, 1, 2], "item_id": [7, 8, 7], "rank": [2, 1, 1]})
    judgments = pl.DataFrame({"user_id": [1, 2], "item_id": [7, 7], "rating": [1.0, 1.0]})

    assert rg.evaluate(judgments, ranking, "RR").per_query("RR") == {1: 0.5, 2: 1.0}


def test_columns_can_be_named():
    ranking = pl.DataFrame({"s": ["x"], "t": ["a"], "u": [1.0]})
    names = {"query": "s", "item": "t", "score": "u", "grade": "u"}

    assert rg.evaluate(ranking, ranking, "P@1", columns=names).mean("P@1") == 1


@pytest.mark.parametrize("ids", [("1", 1), (1, "1")])
def test_integer_and_text_ids_match_with_a_finding(ids):
    ours, theirs = ids
    scores = rg.evaluate({ours: {ours: 1}}, {theirs: {theirs: 0.5}}, "P@1")

    assert scores.mean("P@1") == 1
    assert "RG406" in {finding.code for finding in scores.findings}


def test_several_systems_at_once():
    judgments = {"q": {"a": 1}, "r": {"b": 1}}
    systems = {"first": {"q": ["a"], "r": ["b"]}, "second": {"q": {"x": 2.0, "a": 1.0}}}
    scores = rg.evaluate(judgments, systems, ["RR", "AP"])

    assert scores.systems == ("first", "second")
    assert (scores.mean("RR", "first"), scores.mean("RR", system="second")) == (1.0, 0.25)
    assert scores.system("second").per_query("RR") == {"q": 0.5, "r": 0.0}
    assert scores.to_frame().columns == ["system", "query", "metric", "value"]
    assert scores.to_frame().height == 2 * 2 * 2
    assert set(scores.to_dict()["systems"]) == {"first", "second"}
    with pytest.raises(rg.ParameterError, match="several systems"):
        scores.mean("RR")
    with pytest.raises(rg.UnknownNameError, match="second"):
        scores.mean("RR", "secnd")


def test_scores_as_frames_and_trec_text():
    scores = rg.evaluate(
        {"q": {"a": 1}, "r": {"b": 1}}, {"q": ["a"], "r": ["c", "b"]}, ["RR", "P@5", "nDCG@10", "NumRet", "Q"]
    )

    assert scores.to_frame().rows()[:2] == [("q", "RR", 1.0), ("r", "RR", 0.5)]
    assert scores.to_pandas().iloc[1].tolist() == ["r", "RR", 0.5]
    lines = scores.to_trec().splitlines()
    assert lines[0] == "recip_rank            \tq\t1.0000"
    assert [line.split("\t")[0].strip() for line in lines[-5:]] == ["recip_rank", "P_5", "ndcg_cut_10", "num_ret", "Q"]
    assert lines[-2].endswith("all\t3")


def test_result_frames_have_the_type_of_the_input_frames():
    judgments = pl.DataFrame({"query": ["q", "q", "r"], "item": ["a", "b", "a"], "grade": [1, 0, 1]})
    ranking = pl.DataFrame({"query": ["q", "q"], "item": ["b", "a"], "score": [2.0, 1.0]})
    metrics, rules = ["RR", "P@1"], rg.Convention(missing="skip")
    for first, second in ((judgments.to_pandas(), ranking), (judgments, ranking.to_pandas())):
        scores = rg.evaluate(first, second, metrics, convention=rules)
        assert isinstance(scores.to_frame(), pd.DataFrame)
        assert scores.wide().fillna(-1).to_dict("list") == {"query": ["q", "r"], "RR": [0.5, -1], "P@1": [0, -1]}
        assert isinstance(scores.to_polars(), pl.DataFrame)
    polars = rg.evaluate(judgments, ranking, metrics)
    assert isinstance(polars.to_frame(), pl.DataFrame)
    assert polars.wide().rows() == [("q", 0.5, 0.0), ("r", 0.0, 0.0)]
    assert polars.means() == {"RR": 0.25, "P@1": 0.0}
    several = rg.evaluate(judgments, {"x": ranking, "y": ranking}, "RR")
    assert several.means() == {"x": {"RR": 0.25}, "y": {"RR": 0.25}}
    assert several.wide().columns == ["system", "query", "RR"]


def test_printed_scores_have_one_line_per_system():
    judgments, ranking = {f"q{n}": {"a": 1} for n in range(500)}, {f"q{n}": ["a"] for n in range(500)}
    assert len(str(rg.evaluate(judgments, {"x": ranking, "y": ranking}, "RR")).splitlines()) < 15


def test_interval_of_a_bounded_metric_is_wilsons_with_students_t():
    scores = rg.evaluate(
        {str(q): {"a": 1} for q in range(4)}, {"0": ["a"], "1": ["x", "a"], "2": ["x"], "3": ["a"]}, ["RR", "NumRet"]
    )
    values = scores["RR"]

    t, mean = 3.182446305, values.mean()  # the 97.5 % point of t with 3 degrees of freedom
    effective = 4 * mean * (1 - mean) / values.var(ddof=1)
    middle = (mean + t**2 / (2 * effective)) / (1 + t**2 / effective)
    half = t / (1 + t**2 / effective) * (mean * (1 - mean) / effective + t**2 / (4 * effective**2)) ** 0.5
    assert scores.interval("RR") == pytest.approx((middle - half, middle + half), abs=1e-8)
    with pytest.raises(rg.ParameterError, match="arithmetic mean"):
        scores.interval("NumRet")


def test_findings_describe_problems_of_the_data():
    scores = rg.evaluate(
        {"q": {"a": 1, "b": 0}, "r": {"a": 1}, "s": {"a": 0}},
        {"q": {"a": 1.0, "b": 1.0}, "s": {"a": 1}, "t": {"a": 1}},
        "AP",
    )

    assert {finding.code: finding.count for finding in scores.findings} == {
        "RG402": 1,
        "RG403": 1,
        "RG404": 1,
        "RG212": 2,
    }


BAD = {
    "RG201": ({"q": {"a": 1}}, {"q": {"a": "high", "b": 1.0}}),
    "RG202": ({"q": {"a": 1}}, {"q": {"a": float("nan"), "b": 1.0}}),
    "RG204": ({"q": {"a": "good", "b": 1}}, {"q": {"b": 1.0}}),
    "RG301": ({"q": {"a": 1}}, {"q": ["b", "a", "b"]}),
    "RG302": ([("q", "a", 1), ("q", "a", 0)], {"q": {"a": 1.0}}),
    "RG301 frame": ({"q": {"a": 1}}, pl.DataFrame({"qid": ["q", "q"], "docno": ["b", "b"], "score": [1.0, 2.0]})),
    "RG202 frame": ({"q": {"a": 1}}, pl.DataFrame({"qid": ["q"], "docno": ["b"], "score": [float("nan")]})),
    "RG202 array": (np.array([[1, 0]]), np.array([[1.0, float("nan")]])),
}


@pytest.mark.parametrize("code", BAD)
def test_invalid_rows_are_errors_and_lenient_reading_counts_them(code):
    judgments, ranking = BAD[code]
    number = code.split()[0]

    with pytest.raises(rg.InputError, match=number):
        rg.evaluate(judgments, ranking, "AP")
    if code != "RG202 frame":  # nothing is left of it
        scores = rg.evaluate(judgments, ranking, "AP", lenient=True)
        assert number in {finding.code for finding in scores.findings}


def test_many_problems_are_reported_together():
    ranking = {f"q{n}": {"a": float("nan"), "b": "x"} for n in range(20)}
    with pytest.raises(rg.InputError) as caught:
        rg.evaluate({query: {"a": 1} for query in ranking}, ranking, "AP")

    message = str(caught.value)
    assert "40 problems of 2 kinds" in message
    assert "15 more of this kind" in message
    assert "(query 'q0', item 'a')" in message


@pytest.mark.parametrize("form", ["rows", "polars", "trec gz", "mixed"])
def test_explanations_are_equal_for_every_input_form(form, write):
    judgments, ranking = {"q": {"a": 2, "b": 1}, "r": {"a": 1}}, {"q": {"b": 2.0, "x": 1.5, "a": 1.0}, "r": {"a": 1.0}}
    explained = rg.explain(*FORMS[form](judgments, ranking, write), "nDCG@5", "q")

    assert explained.value == rg.evaluate(judgments, ranking, "nDCG@5").per_query("nDCG@5")["q"]
    assert [row.item for row in explained.steps.rows] == ["b", "x", "a"]


REFUSED = {
    "a set has no order": (lambda: rg.evaluate({"q": {"a": 1}}, {"q": {"a", "b"}}, "RR"), "best first"),
    "offsets begin at 0": (lambda: rg.evaluate(np.ones(2), np.ones(2), "RR", offsets=[1, 2]), "rise from 0 to 2"),
    "groups are sizes": (lambda: rg.evaluate(np.ones(2), np.ones(2), "RR", groups=[3, -1]), "-1"),
    "groups hold all items": (
        lambda: rg.evaluate(np.ones(2), np.ones(2), "RR", groups=[3]),
        "must add up to the number of labels, 2, not 3",
    ),
    "groups are needed": (lambda: rg.evaluate(np.ones(2), np.ones(2), "RR"), "exactly one of groups"),
    "groups are for arrays": (lambda: rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR", groups=[1]), "flat arrays"),
    "shapes differ": (lambda: rg.evaluate(np.ones((2, 2)), np.ones((2, 3)), "RR"), r"\(2, 2\)"),
    "infinite label": (lambda: rg.evaluate(np.array([[1, np.inf]]), np.ones((1, 2)), "RR"), r"RG204"),
    "misspelt column": (lambda: rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR", columns={"qeury": "x"}), "'query'"),
    "unknown form": (lambda: rg.evaluate(5, {"q": ["a"]}, "RR"), "int"),
    "unknown ranking": (lambda: rg.evaluate({"q": {"a": 1}}, 5, "RR"), "int"),
    "empty item id": (lambda: rg.evaluate({"q": {"a": 1}}, {"q": {"": 1.0, "a": 0.5}}, "RR"), "RG208"),
    "no such file": (lambda: rg.evaluate("nowhere.qrels", "nowhere.run", "RR"), "nowhere.qrels"),
}


@pytest.mark.parametrize(("call", "words"), REFUSED.values(), ids=REFUSED)
def test_contradictory_arguments_are_refused(call, words):
    with pytest.raises(rg.RankgaugeError, match=words):
        call()


def test_rows_may_be_lists():
    assert rg.evaluate([["q1", "a", 1]], [["q1", "b", 2.0], ["q1", "a", 1.0]], "RR").per_query("RR") == {"q1": 0.5}


def test_sparse_truth_and_dense_scores():
    from scipy.sparse import csr_array

    scores = rg.evaluate(
        csr_array(np.array([[0, 1, 2], [1, 0, 0]])), np.array([[0.1, 0.5, 0.2], [0.3, 0.2, 0.4]]), "RR"
    )

    assert scores.per_query("RR") == {0: 1.0, 1: 0.5}


def test_lenient_reading_drops_invalid_rows_of_every_input_form():
    # The first item has no score, so the second stands first.
    by_array = rg.evaluate(np.array([[1.0, 0, 1]]), np.array([[np.nan, 0.2, 0.1]]), ["RR", "R", "NumRet"], lenient=True)
    by_dict = rg.evaluate(
        {0: {0: 1, 1: 0, 2: 1}}, {0: {0: float("nan"), 1: 0.2, 2: 0.1}}, ["RR", "R", "NumRet"], lenient=True
    )

    same(table_of(by_array, ["RR", "R", "NumRet"]), table_of(by_dict, ["RR", "R", "NumRet"]))
    assert by_array.mean("RR") == 0.5


def test_lenient_reading_keeps_the_best_of_repeated_items():
    rows_with_repetition = [("q", "x", 0.9), ("q", "a", 0.1), ("q", "a", 0.95)]
    frame = pl.DataFrame(rows_with_repetition, schema=["query", "item", "score"], orient="row")

    for ranking in (rows_with_repetition, frame):
        scores = rg.evaluate({"q": {"a": 1}}, ranking, "RR", lenient=True)
        assert scores.mean("RR") == 1.0
        assert {finding.code for finding in scores.findings} >= {"RG301"}


@pytest.mark.parametrize("form", ["rows", "polars", "trec"])
def test_grades_that_tools_treat_differently_are_noted(form, write):
    judgments, ranking = {"q": {"a": -1, "b": 1.5, "c": 99, "d": 0}}, {"q": {"a": 1.0}}
    scores = rg.evaluate(*FORMS[form](judgments, ranking, write), "AP")

    assert {finding.code for finding in scores.findings} >= {"RG205", "RG206", "RG207"}


def test_scores_that_tie_in_single_precision_are_noted(write):
    ranking = {"q": {"a": 1.0, "b": 1.0 + 1e-9, "c": 0.5}}
    scores = rg.evaluate(*FORMS["trec"]({"q": {"a": 1}}, ranking, write), "AP")

    assert "RG211" in {finding.code for finding in scores.findings}


def test_an_interrupted_read_leaves_nothing_behind(write, monkeypatch):
    from rankgauge.inputs.io import input_file

    qrels, run = write("i.qrels", "q 0 a 1\n"), write("i.run", "q Q0 a 1 1.0 t\n")

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    before = sorted(path.name for path in run.parent.iterdir())
    monkeypatch.setattr(input_file, "open_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rg.evaluate(qrels, run, "AP", progress=True)
    assert sorted(path.name for path in run.parent.iterdir()) == before


def test_queries_with_empty_judgments_keep_their_position():
    judgments, ranking = {"q0": {}, "q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}, "q2": {"x": 1.0}}
    frame = pl.DataFrame(columns(ranking, "score"))

    for convention in (rg.Convention(), rg.Convention(missing="skip")):
        expected = rg.evaluate(judgments, ranking, "RR", convention=convention).per_query("RR")
        assert rg.evaluate(judgments, frame, "RR", convention=convention).per_query("RR") == expected


def test_explanations_agree_with_evaluate_on_odd_input():
    texts = pl.DataFrame({"query": ["q"], "item": ["1"], "score": [1.0]})
    assert rg.explain({"q": {1: 1}}, texts, "RR", "q").value == rg.evaluate({"q": {1: 1}}, texts, "RR").mean("RR") == 1

    twice = pl.DataFrame({"query": ["q"] * 3, "item": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]})
    with pytest.raises(rg.InputError, match="RG301"):
        rg.explain({"q": {"a": 1}}, twice, "RR", "q")
    assert rg.explain({"q": {"a": 1}}, twice, "RR", "q", lenient=True).value == 1
    with pytest.raises(rg.ParameterError, match="one ranking"):
        rg.explain({"q": {"a": 1}}, {"x": {"q": ["a"]}}, "RR", "q")


def test_scores_of_any_number_type_tie_by_value():
    from decimal import Decimal
    from fractions import Fraction

    for high in (2**53, Fraction(1, 3), Decimal("2.1")):
        scores = rg.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"x": high - 1, "a": high, "b": high}}, "RR")
        assert scores.mean("RR") == 0.5


def test_query_ids_may_be_an_array():
    scores = rg.evaluate(np.array([1, 0, 1]), np.array([0.1, 0.2, 0.3]), "RR", query_ids=np.array([1, 1, 2]))

    assert scores.per_query("RR") == {1: 0.5, 2: 1.0}


ODD = {
    "pairs as ranking": lambda: rg.evaluate({"q": {"a": 1}}, {"q": [("a", 0.9), ("b", 0.5)]}, "RR"),
    "pairs as judgments": lambda: rg.evaluate({"q": [("a", 3), ("b", 0)]}, {"q": ["a", "b"]}, "RR"),
    "list column": lambda: rg.evaluate(
        {"q": {"a": 1}}, pl.DataFrame({"qid": ["q"], "docno": ["a"], "score": [[1]]}), "RR"
    ),
    "mixed pandas column": lambda: rg.evaluate(
        pd.DataFrame({"qid": ["q", 2], "docno": ["a", "b"], "rel": [1, 2]}), {"q": ["a"]}, "RR"
    ),
    "text scores": lambda: rg.evaluate({"q": {"a": 1}}, {"q": {"a": "0.5", "b": "0.7"}}, "RR"),
    "convention": lambda: rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR", convention="trec_eval"),
    "metrics": lambda: rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, 5),
    "rule of the metric": lambda: (rg.nDCG @ 5).of([1, 2], gain="exp2"),
    "unknown argument": lambda: (rg.nDCG @ 5).of([1, 2], score=[1, 2]),
    "overflow": lambda: (rg.nDCG(gain="exp2") @ 5).of([2000, 1]),
    "scale": lambda: rg.RBP(graded=True).of([50]),
    "top grade": lambda: rg.Convention(max_grade=0),
    "seed": lambda: rg.Convention(seed=2**200),
}


@pytest.mark.parametrize("call", ODD.values(), ids=ODD)
def test_invalid_calls_raise_a_rankgauge_error(call):
    with pytest.raises(rg.RankgaugeError):
        call()
