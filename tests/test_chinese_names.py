"""Chinese names of columns and metrics are recognised."""

import json

import polars as pl
import pytest

import rankgauge as rg
from reading import columns_read


@pytest.mark.parametrize("query", ["用户", "查询", "用户ID", "查询_id"])
@pytest.mark.parametrize("item", ["物品", "电影", "商品", "文档", "商品ID"])
def test_chinese_columns_are_recognised(query, item):
    for grade in ("评分", "等级"):
        assert columns_read([query, item, grade], "judgments") == [query, item, grade]
    assert columns_read([query, item, "得分", "排名"], "ranking") == [query, item, "得分"]
    assert columns_read([query, item, "排名"], "ranking") == [query, item, "排名"]


def test_files_with_chinese_headers_are_read(tmp_path):
    judgments, ranking = tmp_path / "标注.csv", tmp_path / "结果.csv"
    judgments.write_text("用户,电影,评分\nu1,a,5\nu1,b,0\n", encoding="utf-8")
    ranking.write_text("用户,电影,得分\nu1,a,1\nu1,b,2\n", encoding="utf-8")
    assert rg.evaluate(judgments, ranking, "倒数排名").mean("RR") == 0.5


def test_results_and_values_with_chinese_headers_are_read(tmp_path):
    results, values = tmp_path / "结果.csv", tmp_path / "值.csv"
    results.write_text("系统,数据集,值\n甲,A,0.2\n甲,B,0.4\n乙,A,0.6\n乙,B,0.8\n", encoding="utf-8")
    values.write_text("系统,查询,指标,值\n甲,q1,nDCG@10,0.5\n甲,q2,nDCG@10,1\n", encoding="utf-8")

    assert [(row["system"], row["value"]) for row in rg.leaderboard(results).rows] == [
        ("乙", pytest.approx(0.7)),
        ("甲", pytest.approx(0.3)),
    ]
    assert rg.read_scores(values).per_query() == {"q1": 0.5, "q2": 1.0}


@pytest.mark.parametrize(
    ("chinese", "name"),
    [("精确率@3", "P@3"), ("召回率@10", "R@10"), ("命中率@5", "HR@5"), ("平均精度", "AP"), ("平均精度均值", "AP")],
)
def test_chinese_names_of_metrics(chinese, name):
    assert rg.parse(chinese) == rg.parse(name)
    assert rg.evaluate({"q": {"a": 1}}, {"q": ["a"]}, chinese).mean(name) > 0


def test_an_unknown_chinese_name_is_refused():
    with pytest.raises(rg.RankgaugeError, match="精确度"):
        rg.parse("精确度@3")


def own_lists(query, judged, ranked):
    return [
        {query: "退款多久", judged: ["a", "b"], ranked: ["c", "a"]},
        {query: "怎么开票", judged: ["d"], ranked: ["d"]},
    ]


@pytest.mark.parametrize("query", ["提问", "问题", "查询文本"])
@pytest.mark.parametrize("judged", ["标准片段", "相关文档", "标准答案片段", "相关文档ID"])
@pytest.mark.parametrize("ranked", ["检索结果", "召回结果", "检索到的文档", "推荐结果"])
def test_chinese_names_of_lists_are_recognised(query, judged, ranked):
    assert rg.evaluate(rg.read(own_lists(query, judged, ranked)), metrics="R@5").mean() == 0.75


@pytest.mark.parametrize("form", ["jsonl", "json", "parquet", "records", "frame"])
def test_lists_that_the_caller_names_for_each_side_are_read_from_one_source(form, tmp_path):
    records = own_lists("问", "对的", "找到的")
    path = tmp_path / f"own.{form}"
    if form == "jsonl":
        path.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in records), encoding="utf-8")
    elif form == "json":
        path.write_text(json.dumps(records), encoding="utf-8")
    elif form == "parquet":
        pl.DataFrame(records).write_parquet(path)
    source = {"records": records, "frame": pl.DataFrame(records)}.get(form, path)
    columns = {"query": "问", "judgments": {"item": "对的"}, "ranking": {"item": "找到的"}}
    data = rg.read(source, columns=columns)
    assert rg.evaluate(data, metrics="R@5").mean() == 0.75
    if form not in {"records", "frame"}:
        assert rg.evaluate(source, metrics="R@5", columns=columns).mean() == 0.75


def test_a_list_that_both_sides_name_is_one_list():
    rows = [{"问": "退款多久", "对的": ["a", "b"]}]
    with pytest.raises(rg.InputError):
        rg.read(rows, columns={"query": "问", "judgments": {"item": "对的"}, "ranking": {"item": "对的"}})


def test_a_query_that_the_caller_names_beside_known_lists(tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in own_lists("who", "gold", "retrieved")), encoding="utf-8")
    assert rg.evaluate(path, metrics="R@5", columns={"query": "who"}).mean() == 0.75
