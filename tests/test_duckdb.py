"""DuckDB gives exactly the values of rg.evaluate, and handles names, types and invalid rows in the same way."""

import random

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given

import rankgauge as rg
from crowds import CONVENTIONS, crowd, digits, flat
from devices import metrics_for
from rankgauge.engines.tables.duckdb import sort_rows
from rankgauge.engines.tables.query_values import BESIDE_SQL
from test_agreement import worlds
from worlds import pace


def connect(judgments, ranking, seed=0):
    """A connection with both tables, their rows shuffled."""
    con = duckdb.connect()
    rng = random.Random(seed)
    for name, table, number in (("judgments", judgments, "grade"), ("ranking", ranking, "score")):
        query, item, value = map(list, zip(*flat(table, rng), strict=True))
        rows = pa.table({"query": query, "item": item, number: value})
        con.register("given", rows)
        con.execute(f"CREATE TABLE {name} AS FROM given")
        con.unregister("given")
    return con


def test_tables_have_the_fingerprints_of_dicts(monkeypatch):
    monkeypatch.setattr("rankgauge.engines.tables.row_blocks.BLOCK_ROWS", 3)
    judged = {f"q{number}": {"ä": number, "b": 0.5} for number in range(9)}
    ranking = {query: {"b": 2, "x": 1} for query in [*judged, "unjudged"]}

    expected, tables = (
        scores.provenance
        for scores in (
            rg.evaluate(judged, ranking, "RR"),
            rg.duckdb.evaluate(connect(judged, ranking), "judgments", "ranking", "RR"),
        )
    )

    assert [tables[name] for name in ("judgments", "queries")] == [expected[name] for name in ("judgments", "queries")]


ANY_ORDER = {name: rules for name, rules in CONVENTIONS.items() if not rules.ties.startswith("input")}


@pytest.mark.parametrize("convention", ANY_ORDER.values(), ids=ANY_ORDER)
@pace(8)
@given(world=worlds())
def test_small_worlds_give_the_digits_of_the_local_engine(convention, world):
    judgments, ranking = world
    metrics = metrics_for(convention)
    expected = rg.evaluate(judgments, ranking, metrics, convention=convention)
    result = rg.duckdb.evaluate(connect(judgments, ranking), "judgments", "ranking", metrics, convention=convention)

    assert digits(result, metrics) == digits(expected, metrics)


def small():
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE judgments AS FROM (VALUES ('q1', 'a', 1), ('q1', 'b', 0), ('q2', 'c', 2)) t(qid, docno, rel)"
    )
    con.execute(
        "CREATE TABLE ranking AS FROM (VALUES ('q1', 'b', 0.9), ('q1', 'a', 0.5), ('q2', 'c', 1)) t(qid, docno, score)"
    )
    return con


EXPECTED = {"q1": 0.5, "q2": 1.0}


def test_a_side_is_a_table_a_view_a_file_a_query_or_a_relation(tmp_path):
    con = small()
    path = tmp_path / "it's.a run.parquet"
    con.sql("FROM ranking").write_parquet(str(path))
    con.execute('CREATE VIEW "v""; DROP TABLE judgments; --" AS FROM ranking')
    con.execute("CREATE SCHEMA other; CREATE TABLE other.ranking AS FROM ranking")

    for ranking in (
        "ranking", "main.ranking", "other.ranking", 'v"; DROP TABLE judgments; --', str(path), "FROM ranking",
        "select * from ranking where docno <> ';' ; -- all; of it", "WITH judgments AS (FROM ranking) SELECT * FROM judgments",
        con.table("ranking"), con.sql("SELECT qid, docno, score FROM ranking"),
    ):  # fmt: skip
        assert rg.duckdb.evaluate(con, "judgments", ranking, "RR").per_query("RR") == EXPECTED, ranking
    assert con.sql("SELECT count(*) FROM judgments").fetchall() == [(3,)]


def test_hostile_names_of_columns():
    con = small()
    names = ['"', "'; --", "a\nb", "score DESC) --"]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    con.execute(
        f"CREATE TABLE odd AS SELECT qid AS {quoted[0]}, docno AS {quoted[1]}, score AS {quoted[2]} FROM ranking"
    )
    columns = {"query": names[0], "item": names[1], "score": names[2]}
    con.execute(f"CREATE TABLE odder AS SELECT qid AS {quoted[0]}, docno AS {quoted[1]}, rel AS grade FROM judgments")

    assert rg.duckdb.evaluate(con, "odder", "odd", "RR", columns=columns).per_query("RR") == EXPECTED
    only = {"ranking": columns}  # the columns of the judgments have the usual names
    assert rg.duckdb.evaluate(con, "judgments", "odd", "RR", columns=only).per_query("RR") == EXPECTED
    with pytest.raises(rg.UnknownNameError, match="did you mean 'ranking'"):
        rg.duckdb.evaluate(con, "judgments", "odd", "RR", columns={"rankng": columns})


def test_a_table_of_several_systems_is_refused_with_the_remedy():
    con = small()
    two = "SELECT *, {name} AS {column} FROM ranking CROSS JOIN (SELECT unnest(['a', 'b']) AS name)"
    for column, columns in (("system", None), ("variant", {"system": "variant"})):
        query = two.format(name="name", column=column)
        with pytest.raises(rg.InputError, match=f"WHERE {column} = 'a'"):
            rg.duckdb.evaluate(con, "judgments", f"SELECT * EXCLUDE name FROM ({query})", "RR", columns=columns)
    one = "SELECT *, 'a' AS system FROM ranking"
    assert rg.duckdb.evaluate(con, "judgments", one, "RR").per_query("RR") == EXPECTED
    model = "SELECT *, docno AS model FROM ranking"  # a product has a model, too
    assert rg.duckdb.evaluate(con, "judgments", model, "RR").per_query("RR") == EXPECTED


def test_a_column_holds_the_input_order_or_the_rank():
    con = small()
    con.execute("CREATE TABLE tied AS SELECT qid, docno, 1.0 AS score, row_number() OVER () AS turn FROM ranking")
    rules = rg.Convention(ties="input")

    with pytest.raises(rg.ParameterError, match="input_order"):
        rg.duckdb.evaluate(con, "judgments", "tied", "RR", convention=rules)
    for order, value in (("turn", 0.5), ("backward", 1.0)):
        query = "SELECT *, -turn AS backward FROM tied"
        scores = rg.duckdb.evaluate(con, "judgments", query, "RR", convention=rules, input_order=order)
        assert scores.per_query("RR") == {"q1": value, "q2": 1.0}
    with pytest.raises(rg.ParameterError, match="'nowhere'"):
        rg.duckdb.evaluate(con, "judgments", "tied", "RR", convention=rules, input_order="nowhere")
    by_rank = "SELECT qid, docno, rank() OVER (PARTITION BY qid ORDER BY score DESC) AS rank FROM ranking"
    assert rg.duckdb.evaluate(con, "judgments", by_rank, "RR").per_query("RR") == EXPECTED


def test_integer_ids_are_kept_and_compared_with_text_as_text():
    con = duckdb.connect()
    con.execute("CREATE TABLE judgments AS SELECT range AS user_id, range % 3 AS item_id, 1 AS rating FROM range(12)")
    con.execute("CREATE TABLE ranking AS SELECT range AS user_id, range % 3 AS item_id, 1.0 AS score FROM range(12)")
    numbers = rg.duckdb.evaluate(con, "judgments", "ranking", "RR")
    assert numbers.queries == tuple(range(12))

    text = rg.duckdb.evaluate(con, "judgments", "SELECT user_id::TEXT AS user_id, item_id, score FROM ranking", "RR")
    assert set(text.queries) == {str(number) for number in range(12)}
    assert "RG406" in {finding.code for finding in text.findings}


WRONG = {
    "RG201": "SELECT * REPLACE (CASE docno WHEN 'b' THEN NULL ELSE score END AS score) FROM ranking",
    "RG202": "SELECT * REPLACE (CASE docno WHEN 'b' THEN 'nan'::DOUBLE ELSE score END AS score) FROM ranking",
    "RG208": "SELECT * REPLACE (CASE docno WHEN 'b' THEN NULL ELSE docno END AS docno) FROM ranking",
    "RG301": "FROM ranking UNION ALL SELECT 'q1', 'a', 1.5",
}


@pytest.mark.parametrize("code", WRONG)
def test_invalid_rows_are_errors_and_lenient_counts_them(code):
    con = small()
    with pytest.raises(rg.InputError, match=code):
        rg.duckdb.evaluate(con, "judgments", WRONG[code], "RR")
    scores = rg.duckdb.evaluate(con, "judgments", WRONG[code], "RR", lenient=True)
    assert scores.per_query("RR") == {"q1": 1.0, "q2": 1.0}
    assert {finding.code: finding.count for finding in scores.findings}[code] == 1


REFUSED = {
    "no such table": ("judgments", "nosuch", "no table 'nosuch'"),
    "two statements": ("judgments", "SELECT 1; DROP TABLE judgments", "one query"),
    "no query": ("judgments", "SELECT FROM WHERE", "cannot read"),
    "no column": ("judgments", "SELECT qid, score FROM ranking", "item"),
    "ids of no kind": ("judgments", "SELECT qid, 1.5 AS docno, score FROM ranking", "neither text nor whole numbers"),
    "scores of no kind": ("judgments", "SELECT qid, docno, 'x' AS score FROM ranking", "does not hold numbers"),
    "no judgments": ("SELECT * FROM judgments WHERE false", "ranking", "no judged queries"),
    "nothing in common": ("judgments", "SELECT 'x' AS qid, docno, score FROM ranking", "RG401"),
    "no rows at all": ("FROM judgments LIMIT 0", "FROM ranking LIMIT 0", "no judged queries"),
    "judged twice": ("FROM judgments UNION ALL SELECT 'q1', 'a', 0", "ranking", "RG302"),
    "infinite grade": ("SELECT qid, docno, 'inf'::DOUBLE AS rel FROM judgments", "ranking", "RG204"),
    "no table": ({"q": {"a": 1}}, "ranking", "not the name of a table"),
}


@pytest.mark.parametrize(("judgments", "ranking", "words"), REFUSED.values(), ids=REFUSED)
def test_invalid_sources_are_refused(judgments, ranking, words):
    with pytest.raises(rg.InputError, match=words):
        rg.duckdb.evaluate(small(), judgments, ranking, "RR")


def test_texts_are_compared_byte_by_byte():
    con = small()
    con.execute("SET default_collation = 'NOCASE'")
    with pytest.raises(rg.InputError, match="collation"):
        rg.duckdb.evaluate(con, "judgments", "ranking", "RR")


@pytest.mark.parametrize("convention", ANY_ORDER.values(), ids=ANY_ORDER)
def test_matching_in_sql_alone_gives_the_same_digits(convention):
    judgments, ranking = crowd(60, seed=2)
    metrics = metrics_for(convention)
    con = connect(judgments, ranking)
    text = rg.duckdb.matching_sql(con, "judgments", "ranking", metrics, convention=convention)
    result = rg.duckdb.evaluate_matched(con.sql(text).to_arrow_table(), metrics, convention=convention)
    expected = rg.duckdb.evaluate(con, "judgments", "ranking", metrics, convention=convention)

    assert digits(result, metrics) == digits(expected, metrics)
    assert {(each.code, each.count) for each in result.findings} == {
        (each.code, each.count) for each in expected.findings if each.code not in BESIDE_SQL
    }
    assert result.missing == expected.missing


def test_the_query_can_be_read_and_run_by_itself():
    con = small()
    text = rg.duckdb.matching_sql(con, "judgments", "ranking", "nDCG@7")

    assert "above < 7" in text
    assert {row[0]: row[1] for row in con.sql(text).fetchall()} == {"q1": 2, "q2": 1}


def test_the_query_in_other_dialects():
    pytest.importorskip("sqlglot")
    con = small()
    for dialect in ("spark", "snowflake", "bigquery", "databricks"):
        other = rg.duckdb.matching_sql(con, "judgments", "ranking", "nDCG", dialect=dialect)
        assert "RANK() OVER" in other
        assert "STRUCT_PACK" not in other


def test_data_larger_than_memory_are_spilled_to_disk(tmp_path):
    con = duckdb.connect()
    con.execute("SET memory_limit = '60MB'; SET threads = 2")
    con.execute(f"SET temp_directory = '{tmp_path}/it''s here'")
    ranking = "SELECT i // 500 AS query, (i * 7919) % 8841823 AS item, hash(i) % 1000 AS score FROM range(1000000) t(i)"
    judgments = "SELECT query, item, hash(item) % 3 AS grade FROM ranking WHERE item % 50 = 0"
    con.execute(f"COPY ({ranking}) TO '{tmp_path}/ranking.parquet'")
    judgments = judgments.replace("FROM ranking", f"FROM '{tmp_path}/ranking.parquet'")
    con.execute("SET preserve_insertion_order = false")
    scores = rg.duckdb.evaluate(con, judgments, f"{tmp_path}/ranking.parquet", ["nDCG@10", "AP"])
    local = rg.evaluate(con.sql(judgments), con.sql(f"FROM '{tmp_path}/ranking.parquet'"), ["nDCG@10", "AP"])

    assert scores.per_query("AP") == local.per_query("AP")
    assert scores.per_query("nDCG@10") == local.per_query("nDCG@10")
    assert not [*tmp_path.glob("it's here/rankgauge-*")]


def test_partitions_hold_complete_groups_and_are_removed(tmp_path):
    con = duckdb.connect()
    con.execute(f"SET memory_limit = '40MB'; SET threads = 2; SET temp_directory = '{tmp_path}'")
    rows = "SELECT CASE WHEN i % 7 > 0 THEN 'q' || i % 7 END AS query, i FROM range(100000) t(i)"
    batches = sort_rows(con, rows, 2_000_000)
    first = next(batches)
    assert len([*tmp_path.glob("rankgauge-*/rows/*")]) > 1
    table = pa.Table.from_batches([first, *batches])

    assert sorted(table.column("i").to_pylist()) == [*range(100000)]
    assert len(table.column("query").combine_chunks().dictionary_encode().dictionary) == 6
    assert len(pc.run_end_encode(table.column("query").combine_chunks()).values) == 7
    assert not [*tmp_path.glob("rankgauge-*")]
    closed = sort_rows(con, rows, 2_000_000)
    next(closed)
    closed.close()  # also after an early stop
    assert not [*tmp_path.glob("rankgauge-*")]


@pytest.mark.parametrize("name", ["evaluate", "matching_sql"])
@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("query_ids", "does not take query_ids: the query is a column of the table"),
        ("format", "does not take format: no file is read"),
        ("colums", "did you mean 'columns'"),
    ],
)
def test_an_unsupported_option_is_refused_with_the_name_of_the_function(name, option, reason):
    with pytest.raises(rg.ParameterError, match=rf"rg\.duckdb\.{name}\(\) .*{reason}"):
        getattr(rg.duckdb, name)(small(), "judgments", "ranking", "RR", **{option: [1]})


def test_read_options_are_one_record():
    con = small()
    con.execute("CREATE TABLE renamed AS SELECT qid AS session, docno, score FROM ranking")
    read = rg.ReadOptions(columns={"ranking": {"query": "session"}}, lenient=True)
    assert rg.duckdb.evaluate(con, "judgments", "renamed", "RR", read_options=read).per_query("RR") == EXPECTED
    table = con.sql(rg.duckdb.matching_sql(con, "judgments", "renamed", "RR", columns=read.columns)).to_arrow_table()
    assert rg.duckdb.evaluate_matched(table, "RR", lenient=True).per_query("RR") == EXPECTED
    with pytest.raises(rg.ParameterError, match=r"rg\.duckdb\.evaluate_matched\(\) does not take columns"):
        rg.duckdb.evaluate_matched(table, "RR", read_options=read)
    with pytest.raises(rg.ParameterError, match=r"rg\.duckdb\.matching_sql\(\) does not take lenient"):
        rg.duckdb.matching_sql(con, "judgments", "renamed", "RR", read_options=read)
