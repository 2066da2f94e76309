"""Chunks rolled up to documents, gold groups, and gold found by its text: what counts as found, and once or again."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import here

GOLD = {"q": ["d1", "d2"], "p": {"d3": 2, "d1": 1}}
CHUNKS = {"q": ["d1_0", "d1_1", "d3_0", "d2_5"], "p": ["d2_0", "d3_1", "d3_0", "d1_9"]}
UNIT_OF = {chunk: chunk.rpartition("_")[0] for listed in CHUNKS.values() for chunk in listed}
ROWS = [(query, chunk, 1.0 - place / 10) for query, listed in CHUNKS.items() for place, chunk in enumerate(listed)]
METRICS = ["R@2", "P@2", "AP", "nDCG@3", "AllHit@3", "RR"]
RULES = [
    {"duplicates": duplicates, "k_counts": k_counts}
    for duplicates in ("first", "close-up", "again", "set")
    for k_counts in ("places", "returned", "different")
]


def values(judgments: Any, ranking: Any, metrics: Any = tuple(METRICS), *, convention: Any, **read: Any) -> Any:
    scores = rg.evaluate(judgments, ranking, metrics, convention=convention, **read)
    return {str(metric): scores.per_query(metric) for metric in scores.metrics}


def frame() -> pl.DataFrame:
    return pl.DataFrame(ROWS, schema=["query", "item", "score"], orient="row")


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_units_equal_renamed_items_in_every_input_form(rules, tmp_path):
    plain, rolled = rg.Convention(**rules), rg.Convention(**rules, units="rolled-up")
    expected = values(
        GOLD, {query: [UNIT_OF[chunk] for chunk in listed] for query, listed in CHUNKS.items()}, convention=plain
    )
    file, table = tmp_path / "run.tsv", tmp_path / "units.csv"
    frame().write_csv(file, separator="\t")
    pl.DataFrame({"chunk": [*UNIT_OF], "unit": [*UNIT_OF.values()]}).write_csv(table)
    for ranking in (CHUNKS, ROWS, frame(), frame().to_pandas(), file):
        assert values(GOLD, ranking, convention=rolled, units="before last _") == expected
    for units in (UNIT_OF, pl.DataFrame({"item": [*UNIT_OF], "unit": [*UNIT_OF.values()]}), table):
        assert values(GOLD, file, convention=rolled, units=units) == expected
    for metric in METRICS:
        explained = rg.explain(GOLD, file, metric, "q", convention=rolled, units=UNIT_OF)
        assert explained.value == expected[metric]["q"]
        assert "units=rolled-up" in explained.to_text()


def top(items: list[str], k: int, duplicates: str, k_counts: str) -> list[tuple[str, bool]]:
    """The places of the top k, by slow and obvious loops: each an item, and whether it counts."""
    places: list[tuple[str, bool]] = []
    for place, item in enumerate(items):
        seen = item in items[:place]
        different = len({*items[:place]})
        if duplicates == "close-up":
            ends = place >= k if k_counts == "returned" else different >= k and not seen
            if not ends and not seen:
                places.append((item, True))
        elif (place if k_counts != "different" else different) < k:
            places.append((item, not seen or duplicates == "again"))
    return places


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_what_k_counts_against_slow_loops(rules):
    chance = random.Random(3)
    lists = {f"q{number}": chance.choices("abcdef", k=chance.randint(1, 9)) for number in range(200)}
    gold = {query: chance.sample("abcdefg", chance.randint(1, 4)) for query in lists}
    convention = rg.Convention(**rules, p_over="min(k,n)")
    for k in range(1, 7):
        found = values(gold, lists, [f"R@{k}", f"P@{k}", f"HR@{k}"], convention=convention)
        for query, items in lists.items():
            places = top(items, k, **rules)
            hits = [counts and item in gold[query] for item, counts in places]
            shown = len({item for item, _ in places}) if rules["duplicates"] == "set" else len(places)
            expected = [sum(hits) / len(gold[query]), sum(hits) / shown, float(any(hits))]
            assert [value[query] for value in found.values()] == pytest.approx(expected), (items, gold[query], k)


def test_the_rule_for_units_needs_a_mapping(tmp_path):
    rolled = rg.Convention(units="rolled-up", duplicates="first")
    with pytest.raises(rg.ParameterError, match="pass units="):
        rg.evaluate(GOLD, CHUNKS, "R", convention=rolled)
    with pytest.raises(rg.InputError, match=r"item 'd2_5' has no unit \(query 'q'\)"):
        rg.evaluate(GOLD, CHUNKS, "R", convention=rolled, units=dict([*UNIT_OF.items()][:3]))
    with pytest.raises(rg.ParameterError, match="units must be"):
        rg.evaluate(GOLD, CHUNKS, "R", convention=rolled, units=3)
    twice = tmp_path / "units.csv"
    twice.write_text("item,unit\na,1\na,2\n")
    with pytest.raises(rg.InputError, match="item 'a' has two units"):
        rg.evaluate(GOLD, CHUNKS, "R", convention=rolled, units=twice)
    with pytest.raises(rg.ParameterError, match="arrays have no ids"):
        rg.evaluate(np.array([[1, 0]]), np.array([[0.5, 0.2]]), "R", convention=rolled, units=UNIT_OF)
    with pytest.raises(rg.InputError, match="returned more than once"):
        rg.evaluate(GOLD, CHUNKS, "R", convention=rg.Convention(units="rolled-up"), units=UNIT_OF)


@pytest.mark.parametrize(
    ("rules", "said"), [({"units": "rolled-up"}, "units='rolled-up'"), ({"match": "contained"}, "match=")]
)
def test_engines_refuse_rules_for_items_with_the_reason(rules, said):
    con = duckdb.connect()
    con.execute("CREATE TABLE j AS FROM (VALUES ('q', 'a', 1)) t(query, item, grade)")
    con.execute("CREATE TABLE r AS FROM (VALUES ('q', 'a', 1.0)) t(query, item, score)")
    with pytest.raises(rg.ParameterError, match=f"{said}.*SELECT query, document AS item") as refusal:
        rg.duckdb.evaluate(con, "j", "r", "R", convention=rg.Convention(**rules))
    assert "引擎不这样做：请在表中归并或匹配" in refusal.value.render("zh")
    with pytest.raises(rg.ParameterError, match=said):
        rg.StreamingScores("R", convention=rg.Convention(**rules))
    with pytest.raises(rg.ParameterError, match="does not take units: select the unit as the item"):
        rg.duckdb.evaluate(con, "j", "r", "R", units=UNIT_OF)
    with pytest.raises(rg.ParameterError, match="does not take units"):
        rg.diff(CHUNKS, CHUNKS, units=UNIT_OF)


@pytest.mark.parametrize("metric", METRICS)
def test_reconcile_rolls_the_ranking_up_before_the_tools_see_it(metric):
    rolled_up = {query: [*dict.fromkeys(UNIT_OF[chunk] for chunk in listed)] for query, listed in CHUNKS.items()}
    expected = rg.reconcile(GOLD, rolled_up, metric).to_dict()
    rows = [(query, chunk, 1 - place / 10) for query, listed in CHUNKS.items() for place, chunk in enumerate(listed)]
    for chunks in (CHUNKS, rows, pl.DataFrame(rows, ["query", "item", "score"], orient="row")):
        assert rg.reconcile(GOLD, chunks, metric, units=UNIT_OF).to_dict() == expected


def test_refused_options_give_reason_and_remedy_in_chinese():
    """Refusals of engines were English only."""
    with pytest.raises(rg.ParameterError) as refusal:
        rg.torch.evaluate(judgments=[[1]], scores=[[1.0]], metrics="R", units=UNIT_OF)
    assert (
        refusal.value.render("zh") == "rg.torch.evaluate() 不接受 units：数组没有可归并的 id；请把 id 传给 rg.evaluate"
    )
    for engine, tables in ((rg.duckdb.evaluate, (None, None, None)), (rg.spark.evaluate, (None, None))):
        with pytest.raises(rg.ParameterError) as refusal:
            engine(*tables, "R", units=UNIT_OF)
        assert "不接受 units：请在查询语句中把单位选作物品：SELECT query, document AS item" in refusal.value.render(
            "zh"
        )


def test_what_k_counts_is_refused_where_copies_have_no_place():
    tied = {"q": {"a_1": 1.0, "a_2": 1.0}}
    for rules in ({"ties": "best"}, {"unjudged": "removed"}, {"tied_at_k": "all"}):
        convention = rg.Convention(units="rolled-up", duplicates="close-up", k_counts="returned", **rules)
        with pytest.raises(rg.ParameterError, match="needs the place of every copy"):
            rg.evaluate({"q": ["a"]}, tied, "R@1", units="before last _", convention=convention)


def test_units_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame().write_csv("run.csv")
    judged = [(query, item, 1) for query, items in GOLD.items() for item in items]
    pl.DataFrame(judged, schema=["query", "item", "grade"], orient="row").write_csv("gold.csv")
    rules = ["--rule", "units=rolled-up", "--rule", "duplicates=close-up", "-t", "tsv"]
    result = here("eval", "gold.csv", "run.csv", "-m", "R@2", "--units", "before last _", *rules)
    assert result.out.splitlines()[1].split("\t")[:4] == ["run", "all", "R@2", "0.5"]


def test_units_of_one_query_at_a_time():
    rules = rg.Convention(units="rolled-up", duplicates="first")
    evaluator = rg.Evaluator(GOLD, METRICS, convention=rules, units="before last _")
    expected = values(GOLD, CHUNKS, convention=rules, units="before last _")
    assert evaluator.query_values("q", CHUNKS["q"]) == {metric: expected[metric]["q"] for metric in METRICS}
    groups = rg.Evaluator({"q": [["a", "b"], ["c"]]}, "R", convention=rg.Convention(duplicates="first"))
    assert groups.query_values("q", ["b"]) == {"R": 1 / 2}
    with pytest.raises(rg.ParameterError, match="pass units="):
        rg.Evaluator(GOLD, "R", convention=rules).query_values("q", CHUNKS["q"])


# Gold groups


def test_one_item_finds_a_group_and_all_groups_count():
    gold, ranking = {"q": [["a", "b"], ["c"], ["z"]]}, {"q": ["b", "x", "a", "c"]}
    first = values(
        gold,
        ranking,
        ["R", "P", "RR(of='all')", "AllHit", "NumRel", "AP"],
        convention=rg.Convention(duplicates="first"),
    )
    assert {name: value["q"] for name, value in first.items()} == {
        "R": 2 / 3,
        "P": 2 / 4,
        "RR(of='all')": (1 + 1 / 4) / 3,
        "AllHit": 0,
        "NumRel": 3,
        "AP": (1 + 2 / 4) / 3,
    }
    again = values(gold, ranking, ["P", "AP"], convention=rg.Convention(duplicates="again"))
    assert again == {"P": {"q": 3 / 4}, "AP": {"q": (1 + 2 / 3 + 3 / 4) / 3}}
    with pytest.raises(rg.InputError, match=r"'a \| b' is returned more than once"):
        rg.evaluate(gold, ranking, "R")
    explained = rg.explain(gold, ranking, "R", convention=rg.Convention(duplicates="first"))
    assert explained.value == 2 / 3
    assert "a | b" in explained.to_text()


def test_an_item_of_several_groups_finds_them_all():
    """As AutoRAG 0.3.27: recall counts every group, and mrr is the mean of 1/rank over the groups."""
    gold, ranking = {"q": [["a", "b"], ["b", "c"], ["z"]]}, {"q": ["x", "b", "a"]}
    rules = rg.preset("autorag")
    found = values(gold, ranking, ["R", "RR", "RR@1"], convention=rules)
    assert {name: value["q"] for name, value in found.items()} == {"R": 2 / 3, "RR": (1 / 2 + 1 / 2) / 3, "RR@1": 0}


def test_groups_from_a_column_of_a_file(tmp_path):
    file = tmp_path / "gold.csv"
    file.write_text("query,item,grade,g\nq,a,1,one\nq,b,1,one\nq,c,1,\nq,z,1,two\n")
    ranking = pl.DataFrame({"query": ["q"] * 4, "item": [*"bxac"], "score": [4.0, 3, 2, 1]})
    rules = rg.Convention(duplicates="first")
    for ranked in (ranking, {"q": [*"bxac"]}):
        assert values(file, ranked, ["R"], convention=rules, columns={"group": "g"}) == {"R": {"q": 2 / 3}}
    file.write_text("query,item,grade,g\nq,a,1,one\nq,b,2,one\n")
    with pytest.raises(rg.InputError, match="group 'one' of query 'q' has the grades 1 and 2"):
        rg.evaluate(file, ranking, "R", columns={"group": "g"})
    with pytest.raises(rg.UnknownNameError, match="column"):
        rg.evaluate(file, ranking, "R", columns={"group": "h"})


def test_lists_that_could_be_pairs_are_not_groups():
    for unclear in ([("a", 1)], [["a", 1]], [[1, 2]]):
        with pytest.raises(rg.InputError, match="a list of groups"):
            rg.evaluate({"q": unclear}, {"q": ["a"]}, "R")


# Texts


TEXTS = {"q": ["We know: Paris is in France; the Seine flows.", "nothing", "Seine!"]}


RIVER = "众所周知，长江是中国最长的河流，全长六千公里。"
LANGUAGES = [
    ("Paris is in France", "We know: Paris is in France; it rains.", True),
    ("ris is", "We know: Paris is in France; it rains.", False),
    ("长江是中国最长的河流", RIVER, True),
    ("长江是中国最长的河流。", RIVER, True),
    ("中国最长的河流全长", RIVER, True),  # punctuation goes, as in English
    ("长江是最长的河流", RIVER, False),
    ("全长 6300 公里", "长江（全长6300公里）。", True),
    ("300 公里", "长江（全长6300公里）。", False),
    ("Python", "可用Python，Java 等", True),
    ("ython", "可用Python，Java 等", False),
    ("カメラ", "新しいカメラを買う。", True),
    ("it’s late", "It's late…", True),
    ("가방을", "새 가방을 샀다.", True),
    ("가방", "새 가방을 샀다.", False),
]


@pytest.mark.parametrize("form", ["dict", "rows", "frame", "json", "jsonl", "self-contained"])
@pytest.mark.parametrize(("gold", "text", "is_there"), LANGUAGES)
def test_a_gold_text_is_found_in_every_language_and_form(gold, text, is_there, form, tmp_path):
    """A Chinese sentence without spaces was one word, so that no gold text was part of it."""
    both = [{"query": "q", "relevant": [gold], "retrieved": [text]}]
    sides = {
        "dict": lambda: ({"q": [gold]}, {"q": [text]}),
        "rows": lambda: ([("q", gold, 1)], [("q", text, 0.5)]),
        "frame": lambda: (pl.DataFrame({"query": ["q"], "item": [gold], "grade": [1]}), {"q": [text]}),
        "json": lambda: (_written(tmp_path / "j.json", {"q": [gold]}), _written(tmp_path / "r.json", {"q": [text]})),
        "jsonl": lambda: (_written(tmp_path / "b.jsonl", both[0]), None),
        "self-contained": lambda: (rg.read(both), None),
    }[form]()

    scores = rg.evaluate(*sides, "R@1", convention=rg.Convention(match="contained", duplicates="first"))

    assert scores.mean("R@1") == is_there


def _written(path, content):
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def test_gold_texts_contained_in_returned_ones():
    gold = {"q": ["Paris is in France", "the Seine"]}
    for duplicates, precision in (("first", 1 / 3), ("again", 2 / 3)):
        rules = rg.Convention(match="contained", duplicates=duplicates)
        found = values(gold, TEXTS, ["R@1", "AllHit@1", "P@3", "RR"], convention=rules)
        assert {name: value["q"] for name, value in found.items()} == {
            "R@1": 1,
            "AllHit@1": 1,
            "P@3": precision,
            "RR": 1,
        }
        assert rg.explain(gold, TEXTS, "R@1", convention=rules).value == 1
        listed = pl.DataFrame({"query": ["q"] * 3, "item": TEXTS["q"], "score": [3.0, 2, 1]})
        assert values(gold, listed, ["R@1"], convention=rules) == {"R@1": {"q": 1}}
        assert "match=contained" in rg.R.line(rules)
    with pytest.raises(rg.ParameterError, match="one returned item stands for several"):
        rg.evaluate(gold, TEXTS, "F@1", convention=rg.Convention(match="contained", duplicates="first"))
    with pytest.raises(rg.InputError, match="matches judged items of different grades"):
        rg.evaluate({"q": {"Paris": 1, "Seine": 2}}, TEXTS, "R", convention=rg.Convention(match="contained"))
    with pytest.raises(rg.ParameterError, match="use another rule for ties"):
        rg.evaluate(gold, TEXTS, "R", convention=rg.Convention(match="contained", ties="mean"))
    with pytest.raises(rg.ParameterError, match="match='contained' is for metrics of grades"):
        rg.evaluate(
            gold,
            TEXTS,
            "ItemCoverage",
            side_information=rg.SideInformation(items=9),
            convention=rg.Convention(match="contained"),
        )


@pytest.fixture
def edit_distance(monkeypatch):
    """A stand-in for rapidfuzz, slow and obvious."""

    def distance(first: str, second: str) -> float:
        row = [*range(len(second) + 1)]
        for i, a in enumerate(first, 1):
            previous, row[0] = row[0], i
            for j, b in enumerate(second, 1):
                previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
        return row[-1] / max(len(first), len(second), 1)

    package, module = ModuleType("rapidfuzz"), ModuleType("rapidfuzz.distance")
    module.Levenshtein = type("Levenshtein", (), {"normalized_distance": staticmethod(distance)})
    monkeypatch.setitem(sys.modules, "rapidfuzz", package)
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", module)


@pytest.mark.usefixtures("edit_distance")
def test_gold_texts_similar_to_returned_ones():
    gold, ranking = {"q": ["abcd"]}, {"q": ["xxxx", "abxx", "abcd"]}  # similarity 0, 0.5 and 1
    for match, expected in (("similar>=0.5", (1 / 2, 2 / 3)), ("similar>0.5", (1 / 3, 1 / 3)), ("id", (1 / 3, 1 / 3))):
        rules = rg.Convention(match=match, duplicates="again")
        found = values(gold, ranking, ["RR", "P"], convention=rules)
        assert (found["RR"]["q"], found["P"]["q"]) == expected
    assert rg.Convention(match=" similar >= 0.50".strip()).match == "similar>=0.5"
    assert "0.5" in rg.Convention(match="similar>0.5").line(["match"])
    assert "edit similarity" in rg.Convention(match="similar>0.5").meaning("match", "en")
    for wrong in ("similar", "similar>=2", 0.5, "equal"):
        with pytest.raises(rg.ParameterError, match="match must be"):
            rg.Convention(match=wrong)


@pytest.mark.usefixtures("edit_distance")
def test_ragas_without_a_language_model_finds_the_same_texts():
    """Values that ragas 0.4.3 gave for random texts, some of them repeated or similar to several references."""
    rows = json.loads((Path(__file__).parent / "data" / "ragas_texts.json").read_text(encoding="utf-8"))
    gold, found = ({str(place): row[side] for place, row in enumerate(rows)} for side in ("gold", "found"))
    for metric, preset, name in (("AP", "ragas-text", "precision"), ("R", "ragas-text-recall", "recall")):
        values = rg.evaluate(gold, found, metric, convention=preset).per_query(metric)
        assert [*values.values()] == pytest.approx([row[name] for row in rows], abs=1e-12)


def test_similarity_without_its_package_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(rg.RankgaugeError, match=r"rankgauge\[texts\]"):
        rg.evaluate({"q": ["a"]}, {"q": ["b"]}, "R", convention=rg.Convention(match="similar>=0.5"))


def test_units_apply_to_all_metrics_and_k_counts_to_each():
    for rules in ({"match": "contained"}, {"units": "rolled-up"}):
        with pytest.raises(rg.ParameterError, match=r"changes what an item is, .* not a rule of a single metric"):
            rg.Convention(per_metric={"R": rules})
    rules = rg.Convention(duplicates="first", per_metric={"R": {"k_counts": "different"}})
    found = values({"q": ["a", "b"]}, {"q": ["a", "a", "b"]}, ["R@2", "P@2"], convention=rules)
    assert found == {"R@2": {"q": 1}, "P@2": {"q": 1 / 2}}


@pytest.mark.parametrize("rules", RULES[:9], ids=str)  # a set of different items has no matching query
def test_what_k_counts_in_duckdb_and_in_matched_results(rules):
    con, convention = duckdb.connect(), rg.Convention(**rules)
    judged = [(query, item, 1) for query, items in GOLD.items() for item in items]
    rows = [(query, UNIT_OF[chunk], score) for query, chunk, score in ROWS]
    for name, data, number in (("j", judged, "grade"), ("r", rows, "score")):
        con.execute(f"CREATE TABLE {name} (query VARCHAR, item VARCHAR, {number} DOUBLE)")
        con.executemany(f"INSERT INTO {name} VALUES (?, ?, ?)", data)
    expected = rg.evaluate({"q": ["d1", "d2"], "p": ["d3", "d1"]}, rows, METRICS, convention=convention)
    found = rg.duckdb.evaluate(con, "j", "r", METRICS, convention=convention)
    sql = rg.duckdb.matching_sql(con, "j", "r", METRICS, convention=convention)
    matched = rg.duckdb.evaluate_matched(con.sql(sql).to_arrow_table(), METRICS, convention=convention)
    for metric in METRICS:
        assert found.per_query(metric) == matched.per_query(metric) == expected.per_query(metric), (metric, rules)


def test_units_imply_their_rules_in_every_verb_that_takes_them():
    judgments = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1}}
    old, new = (dict.fromkeys(judgments, items) for items in (["d2#0", "d1#1", "d1#0"], ["d1#1", "d2#0"]))
    rolled = {query: [*dict.fromkeys(item[:2] for item in items)] for query, items in old.items()}
    units = {"units": "before last #"}
    bounds = rg.unjudged_bounds(judgments, {"old": old}, "RR@2", **units)
    assert bounds["old"] == rg.unjudged_bounds(judgments, {"old": rolled}, "RR@2")["old"]
    attribution = rg.attribute(judgments, old, new, "RR", **units)
    assert attribution.means == (0.5, 1.0)
    assert [item.item for item in attribution.query("q1").items if item.change] == ["d1"]


def test_units_of_judged_chunks_are_named_with_a_remedy():
    with pytest.warns(rg.DataWarning) as warnings:
        rg.evaluate({"q": {"d1#0": 1}}, {"q": ["d1#0", "d2#1"]}, "RR", units="before last #")
    (text,) = (str(warning.message) for warning in warnings if "RG408" in str(warning.message))
    assert "the judgments name chunks: leave it out, or judge 'd1'" in text
    with pytest.warns(rg.DataWarning) as warnings:
        rg.evaluate({"q": {"other": 1}}, {"q": ["d1#0", "d2#1"]}, "RR", units={"d1#0": "d1", "d2#1": "d2"})
    assert "chunks" not in "".join(str(warning.message) for warning in warnings)
