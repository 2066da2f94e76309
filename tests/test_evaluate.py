"""Evaluating judgments and rankings: forms of input, order, digits."""

import json

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.example import JUDGMENTS, METRICS, SYSTEMS
from worlds import graded_metrics


def test_values_have_the_order_of_the_judgments():
    scores = rg.evaluate({"b": {"x": 1}, "a": {"y": 1}}, {"a": ["y"], "b": ["z", "x"]}, "RR")

    assert scores.queries == ("b", "a")
    assert scores.per_query("RR") == {"b": 0.5, "a": 1.0}
    assert scores["RR"].tolist() == [0.5, 1.0]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("metric", METRICS)
def test_each_query_gives_the_digits_of_its_list_alone(system, metric):
    scores = rg.evaluate(JUDGMENTS, SYSTEMS[system], metric)

    for query, grades in JUDGMENTS.items():
        returned = SYSTEMS[system][query]
        alone = rg.parse(metric).of(
            [grades.get(item) for item in returned], scores=returned.values(), items=returned, ideal=grades.values()
        )
        assert scores.per_query(metric)[query] == alone
        assert rg.explain(JUDGMENTS, SYSTEMS[system], metric, query).value == alone


def test_lists_and_scores_agree():
    by_score = {"q": {"a": 0.1, "b": 0.9, "c": 0.5}}
    in_order = {"q": ["b", "c", "a"]}
    judgments = {"q": {"a": 3, "c": 1}}

    for metric in graded_metrics().values():
        values = [rg.evaluate(judgments, ranking, metric).per_query(metric)["q"] for ranking in (by_score, in_order)]
        assert values[0] == values[1], metric


def test_weights_of_queries_come_from_the_metric():
    judgments = {"u": {"a": 1, "b": 0}, "v": {"a": 1, "b": 0, "c": 1, "d": 1}, "only": {"a": 1}}
    lists = {"u": ["a", "b"], "v": ["a", "b", "c", "d"], "only": ["a"]}
    kinds = [rg.GAUC, rg.GAUC(weight="positives"), rg.GAUC(weight="equal")]
    scores = rg.evaluate(judgments, lists, kinds)

    # u won 1 of 1 pairs, v 1 of 3; the third has no pair and is left out
    expected = [(2 * 1 + 4 * 1 / 3) / 6, (1 * 1 + 3 * 1 / 3) / 4, (1 + 1 / 3) / 2]
    assert [scores.mean(metric) for metric in kinds] == pytest.approx(expected)
    assert scores.per_query(rg.GAUC)["u"] == 1
    low, high = scores.interval(rg.GAUC)
    assert low <= expected[0] <= high


def test_items_that_were_not_returned_count():
    scores = rg.evaluate({"q": {"a": 1, "b": 1, "c": 0}}, {"q": ["a"]}, ["R", "NumRel", "AP"])

    assert (scores.mean("R"), scores.mean("NumRel"), scores.mean("AP")) == (0.5, 2, 0.5)


def test_arguments_are_not_modified():
    judgments, ranking = {"q": {"a": -1, "b": 1}}, {"q": {"a": 1.0, "b": 0.5}}
    rg.evaluate(judgments, ranking, ["nDCG", "AP"], convention=rg.Convention(unjudged=1))

    assert (judgments, ranking) == ({"q": {"a": -1, "b": 1}}, {"q": {"a": 1.0, "b": 0.5}})
    scores = rg.evaluate(judgments, ranking, "AP")
    scores["AP"][:] = 7
    assert scores.mean("AP") == 0.5


def test_scores_as_json_and_as_text():
    scores = rg.evaluate({"q|1": {"a": 1}, "无": {"a": 0}}, {"q|1": ["a"]}, ["AP", rg.FirstRank])

    data = json.loads(scores.to_json())
    assert data["schema"] == 1
    assert data["per_query"] == {"q|1": {"AP": 1.0, "FirstRank": 1.0}, "无": {"AP": 0.0, "FirstRank": None}}
    assert data["missing"] == ["无"]
    assert "q\\|1" in scores.document("zh", per_query=True).to_markdown()
    with pytest.raises(rg.UnknownNameError, match="metric of these scores 'nDCG'"):
        scores["nDCG"]
    assert (
        str(rg.evaluate({"q": {"a": 0}}, {"q": ["a"]}, "AP", convention=rg.Convention(undefined="skip")).mean("AP"))
        == "nan"
    )


def test_frames_of_many_chunks_equal_frames_of_one(monkeypatch):
    from rankgauge.matching import from_frames as frames

    ranking = pl.DataFrame({"query": [q for q in range(40) for _ in range(30)], "item": [*range(30)] * 40})
    ranking = ranking.with_columns(score=(pl.col("item") * 7 + pl.col("query")) % 11 * 1.0)
    judgments = ranking.filter(pl.col("item") % 4 == 0).select("query", "item", grade=pl.col("item") % 3)
    twice = pl.concat([ranking, ranking.filter(pl.col("item") == 3)]).sort("query", maintain_order=True)
    whole = [rg.evaluate(judgments, one, ["nDCG@5", "AP"], lenient=True) for one in (ranking, twice)]
    monkeypatch.setattr(frames, "BLOCK_ROWS", 100)
    parts = [rg.evaluate(judgments, one, ["nDCG@5", "AP"], lenient=True) for one in (ranking, twice)]

    for one, other in zip(whole, parts, strict=True):
        assert all(one.per_query(metric) == other.per_query(metric) for metric in one.metrics)
        assert [(f.code, f.count) for f in one.findings] == [(f.code, f.count) for f in other.findings]


def test_each_side_can_have_its_own_columns(tmp_path):
    judgments = pl.DataFrame({"query": ["the text", "the text"], "who": ["1", "1"], "what": ["a", "b"], "mark": [1, 0]})
    ranking = pl.DataFrame({"s": ["1", "1"], "item": ["b", "a"], "p": [2.0, 1.0]})
    said = {"judgments": {"query": "who", "item": "what", "grade": "mark"}, "ranking": {"query": "s"}, "score": "p"}
    assert rg.evaluate(judgments, ranking, "RR", columns=said).per_query("RR") == {"1": 0.5}
    assert rg.explain(judgments, ranking, "RR", "1", columns=said).value == 0.5

    (tmp_path / "qrels.txt").write_text("1 0 a 1\n1 0 b 0\n")
    ranking.write_csv(tmp_path / "run.csv")
    files, of_ranking = (tmp_path / "qrels.txt", tmp_path / "run.csv"), {"ranking": {"query": "s", "score": "p"}}
    for said in (None, {"ranking": "csv"}, {"judgments": "trec", "ranking": "csv"}):
        assert rg.evaluate(*files, "RR", columns=of_ranking, format=said).mean("RR") == 0.5


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"columns": {"rankng": {"query": "s"}}}, "unknown key of columns 'rankng'; did you mean 'ranking'"),
        ({"columns": {"ranking": {"qury": "s"}}}, "key of columns of the ranking 'qury'; did you mean 'query'"),
        ({"columns": {"ranking": "s"}}, r"columns\['ranking'\] must be a mapping"),
        ({"columns": {"query": {"item": "s"}}}, r"columns\['query'\] must be the name of a column"),
        ({"format": {"run": "csv"}}, "unknown key of format 'run'"),
    ],
)
def test_an_option_for_an_unknown_side_is_refused(said, message):
    with pytest.raises(rg.ParameterError, match=message):
        rg.evaluate({"1": {"a": 1}}, {"1": ["a"]}, "RR", **said)
