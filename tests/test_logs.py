"""Logs without grades: every row is relevant, by the names of the columns or because the caller says so."""

import json

import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from command_line import here

CHINESE = {"用户": ["u", "u", "v", "v"], "电影": ["a", "b", "a", "c"], "时间": [1, 2, 3, 4]}
ENGLISH = dict(zip(["user", "movie", "when"], CHINESE.values(), strict=True))
DEVICES = ENGLISH | {"device": ["x", 'y"z', "x", "x"], "watch_seconds": [3, 5, 8, 9]}
LISTS = {"u": ["a", "b"], "v": ["c"]}
NO_GRADE = [{"grade": None}, {"judgments": {"grade": None}}]
WRITERS = {
    "csv": lambda frame, path: frame.write_csv(path),
    "tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "parquet": lambda frame, path: frame.write_parquet(path),
    "arrow": lambda frame, path: frame.write_ipc(path),
    "jsonl": lambda frame, path: frame.write_ndjson(path),
    "json": lambda frame, path: frame.write_json(path),
}


def recall(judgments, **read):
    return rg.evaluate(judgments, LISTS, "R@2", **read).mean("R@2")


@pytest.mark.parametrize("time", ["时间", "日期", "时间戳", "评分时间"])
def test_a_log_with_chinese_columns_is_a_log(time):
    log = pd.DataFrame(CHINESE).rename(columns={"时间": time})
    assert recall(log) == 0.75
    assert rg.holdout.leave_one_out(log).test["电影"].to_list() == ["b", "c"]


@pytest.mark.parametrize("columns", [{"time": "when"}, {"judgments": {"time": "when"}}])
def test_the_time_of_a_log_can_be_named_for_judgments_or_for_both_sides(columns):
    assert recall(pd.DataFrame(ENGLISH), columns=columns) == 0.75
    with pytest.raises(rg.RankgaugeError, match="did you mean 'when'"):
        recall(pd.DataFrame(ENGLISH), columns={"time": "wen"})


@pytest.mark.parametrize("columns", NO_GRADE)
@pytest.mark.parametrize("form", ["pandas", "polars", "rows", *WRITERS])
def test_every_row_is_relevant_if_no_column_is_the_grade(form, columns, tmp_path):
    frame = pl.DataFrame(DEVICES | {"rating": [0, 1, 0, 1]})
    log = {"pandas": frame.to_pandas(), "polars": frame, "rows": frame.to_dicts()}.get(form)
    if log is None:
        log = tmp_path / f"log.{form}"
        WRITERS[form](frame, log)
    assert recall(log, columns=columns) == 0.75


@pytest.mark.parametrize("log", [CHINESE, {**ENGLISH}], ids=["known time", "named time"])
@pytest.mark.parametrize("form", ["pandas", "polars", "rows", "tuples", *WRITERS])
def test_every_row_of_a_user_and_an_item_is_relevant_in_every_form(form, log, tmp_path):
    """As a file it was RG111, and tuples were refused."""
    columns = {} if "时间" in log else {"columns": {"time": "when"}}
    for width in (2, 3):
        frame = pl.DataFrame(log)[:, :width]
        read = columns if width == 3 else {}
        source = {"pandas": frame.to_pandas(), "polars": frame, "rows": frame.to_dicts()}.get(form)
        if form == "tuples":
            source, read = frame[:, :2].rows(), {}
        elif source is None:
            source = tmp_path / f"log.{form}"
            WRITERS[form](frame, source)
        assert recall(source, **read) == 0.75


def test_a_file_of_users_and_items_is_judgments(tmp_path):
    pl.DataFrame(CHINESE).write_csv(tmp_path / "log.csv")
    data = rg.read(tmp_path / "log.csv")
    assert (data.judgments is None, data.rankings) == (False, {})
    assert recall(data) == 0.75
    for other in ({"stars_given": [0, 1, 0, 1]}, {"日期": [1, 2, 3, 4]}):  # which may be the grade
        pl.DataFrame(CHINESE | other).write_csv(tmp_path / "log.csv")
        with pytest.raises(rg.RankgaugeError, match="no column for grade"):
            recall(tmp_path / "log.csv")


def test_pairs_are_no_ranking_nor_lists_of_items():
    with pytest.raises(rg.RankgaugeError, match=r"tuples are rows of \(query, item, score\)"):
        rg.evaluate({"u": ["a"]}, [("u", "a"), ("u", "b")], "RR")
    with pytest.raises(rg.RankgaugeError, match=r"pass dict\(pairs\)"):
        recall([("u", ["a"]), ("v", ["b"])])
    with pytest.raises(rg.RankgaugeError, match="row 1 has 2 fields"):
        recall([("u", "a"), ("v", "b", 1)])


@pytest.mark.parametrize(
    "text", ["user,movie,device\nu,a,x\n", 'user,movie,device\nu,a,"x\ny"\n', 'user,movie\nu,"a"\n']
)
def test_files_are_read_without_a_grade_whatever_their_quotes(text, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(text)
    assert rg.evaluate(path, {"u": ["a"]}, "P@1", columns={"grade": None}).mean("P@1") == 1.0


@pytest.mark.parametrize("option", ["grade=", "judgments.grade="])
def test_an_empty_column_name_on_the_command_line_makes_every_row_relevant(option, tmp_path):
    log, run = tmp_path / "log.csv", tmp_path / "run.csv"
    pl.DataFrame(DEVICES).write_csv(log)
    run.write_text("query,item,score\nu,a,2\nu,b,1\nv,c,1\n")
    refused = here("eval", str(log), str(run), "-m", "R@2")
    assert (refused.code, "if every row is relevant: --columns grade=" in refused.err) == (3, True)
    assert "0.7500" in here("eval", str(log), str(run), "-m", "R@2", "--columns", option).out


@pytest.mark.parametrize("columns", [{"item": None}, {"ranking": {"score": None}}])
def test_only_the_grade_can_have_no_column(columns):
    ranking = pd.DataFrame({"user": ["u"], "movie": ["a"], "score": [1.0]})
    with pytest.raises(rg.RankgaugeError, match="the name of a column"):
        rg.evaluate(pd.DataFrame(DEVICES), ranking, "R@2", columns=columns)


def test_columns_as_tables_in_chinese_name_them():
    numbered = {"用户编号": ["u", "u"], "商品编号": ["a", "b"]}
    judgments = pd.DataFrame({**numbered, "是否相关": [True, False]})
    ranking = pd.DataFrame({**numbered, "预测得分": [0.1, 0.9]}).rename(columns={"商品编号": "物品编号"})
    both = rg.compare(judgments, {"one": ranking, "two": ranking}, "RR")
    assert both.scores.mean("RR", "one") == 0.5
    assert "1 user" in both.document().to_text()


@pytest.mark.parametrize("form", ["frame", "records", "jsonl"])
def test_a_column_relevant_holds_the_grade(form, tmp_path):
    """It was known as the name of a list only, also where each row had one item and true or false."""
    records = [{"query_id": "q", "doc_id": item, "relevant": item == "b"} for item in "ab"]
    source = pd.DataFrame(records) if form == "frame" else records
    if form == "jsonl":
        source = tmp_path / "verdicts.jsonl"
        source.write_text("\n".join(map(json.dumps, records)))
    assert rg.evaluate(source, {"q": ["a", "b"]}, "RR").mean("RR") == 0.5
    assert rg.evaluate([{"query": "q", "relevant": ["b"]}], {"q": ["a", "b"]}, "RR").mean("RR") == 0.5


@pytest.mark.parametrize(
    ("name", "metric"),
    [("覆盖率", "ItemCoverage"), ("类别覆盖率", "CategoryCoverage"), ("新颖性", "MIUF"), ("基尼系数", "Gini")],
)
def test_metrics_beyond_accuracy_have_chinese_names(name, metric):
    assert rg.parse(f"{name}@10") == rg.parse(f"{metric}@10")


def test_slices_of_users_say_users():
    """A comparison said users, and its slices said queries."""
    log = pd.DataFrame({"user": [*"uvwx"], "item": [*"aaaa"]})
    worse = {user: ["b", "a"] for user in "uv"} | {user: ["a"] for user in "wx"}
    better = {user: ["a"] for user in "uv"} | {user: ["b", "a"] if user == "x" else ["a"] for user in "wx"}
    comparison = rg.compare(log, {"one": worse, "two": better}, "RR")
    text = (
        comparison.slices("kind", attributes={user: {"kind": "uv".find(user) < 0} for user in "uvwx"})
        .document()
        .to_text()
    )
    assert "users" in text
    assert "2 users" in text
    assert "quer" not in text
