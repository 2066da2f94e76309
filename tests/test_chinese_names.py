"""Chinese names of columns and metrics are recognised."""

import pytest

import rankgauge as rg
from rankgauge.inputs.columns import recognise_columns


@pytest.mark.parametrize("query", ["用户", "查询", "用户ID", "查询_id"])
@pytest.mark.parametrize("item", ["物品", "电影", "商品", "文档", "商品ID"])
def test_chinese_columns_are_recognised(query, item):
    for grade in ("评分", "等级"):
        assert recognise_columns([query, item, grade], "judgments") == {"query": query, "item": item, "grade": grade}
    columns = recognise_columns([query, item, "得分", "排名"], "ranking")
    assert columns == {"query": query, "item": item, "score": "得分", "rank": "排名"}


def test_files_with_chinese_headers_are_read(tmp_path):
    judgments, ranking = tmp_path / "标注.csv", tmp_path / "结果.csv"
    judgments.write_text("用户,电影,评分\nu1,a,5\nu1,b,0\n", encoding="utf-8")
    ranking.write_text("用户,电影,得分\nu1,a,1\nu1,b,2\n", encoding="utf-8")
    assert rg.evaluate(judgments, ranking, "倒数排名").mean("RR") == 0.5


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
