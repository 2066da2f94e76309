"""Exports of labels, adjudication sheets and reusability of judgments."""

import functools
import json
import random

import polars as pl
import pytest

import rankgauge as rg
from command_line import here

RANKINGS = {"old": {"q1": ["a", "b", "c"], "q2": ["a", "x"]}, "new": {"q1": ["c", "b", "a"], "q2": ["x", "a"]}}
ANNA = {("q1", "a"): 3, ("q1", "b"): 0, ("q1", "c"): 1, ("q2", "a"): 2, ("q2", "x"): 0}
BEN = {**ANNA, ("q1", "b"): 1, ("q2", "a"): "u"}


@functools.cache
def pool():
    return rg.pool(RANKINGS, depth=3, max_grade=3)


def labels():
    rows = pool().sheet(repeats=0).to_dicts()
    return pool().labels(
        [row | {"grade": own[row["query"], row["item"]], "rater": name}
         for name, own in (("anna@example.org", ANNA), ("ben@example.org", BEN)) for row in rows]
    )  # fmt: skip


@pytest.mark.parametrize(
    ("to", "name"), [("trec", "q.txt"), ("quepid", "q.csv"), ("workbench", "q.json"), ("csv", "q.csv")]
)
def test_an_export_reads_back_as_the_same_grades(tmp_path, to, name):
    path = tmp_path / name
    path.write_text(labels().export(to), encoding="utf-8")
    back = rg.judges.Labels.of(path, rg.ReadOptions(), "people").combined("pessimistic")
    expected = labels().combined("majority" if to in {"trec", "workbench"} else "pessimistic")

    assert {*back.select("query", "item", "grade").iter_rows()} == {
        *expected.select("query", "item", "grade").iter_rows()
    }


def test_a_quepid_book_has_a_column_for_each_rater():
    assert labels().export("quepid").splitlines()[0] == "query,docid,anna@example.org,ben@example.org"


def test_the_workbench_gets_ratings_as_text():
    ratings = json.loads(labels().export("workbench"))["judgmentRatings"]

    assert {entry["query"] for entry in ratings} == {"q1", "q2"}
    assert {type(rating["rating"]) for entry in ratings for rating in entry["ratings"]} == {str}


def test_ids_with_blanks_are_refused_for_trec():
    made = rg.judges.Labels(
        pl.DataFrame({"query": ["a b"], "item": ["x"], "rater": ["A"], "grade": [1.0], "inclusion": [None]})
    )
    with pytest.raises(rg.ParameterError, match="blanks"):
        made.export("trec")
    with pytest.raises(rg.ParameterError, match="workbench"):
        made.export("excel")


def test_disagreements_become_a_sheet_whose_labels_decide():
    sheet = pool().adjudication(labels())
    assert [(row.query, row.item) for row in sheet.rows] == [("q1", "b")]

    decided = [row | {"grade": 0, "rater": "adjudicator"} for row in sheet.to_dicts()]
    rows = pool().sheet(repeats=0).to_dicts()
    everybody = [row | {"grade": own[row["query"], row["item"]], "rater": name}
                 for name, own in (("anna@example.org", ANNA), ("ben@example.org", BEN)) for row in rows]  # fmt: skip
    combined = pool().labels([*everybody, *decided]).combined("adjudicated")
    assert dict(combined.filter(pl.col("query") == "q1").select("item", "grade").iter_rows()) == {
        "a": 3,
        "b": 0,
        "c": 1,
    }


def slow_reusability(judgments, rankings, metric, depth):
    """Remove what one ranking alone has in its top, evaluate all, and compare the orders."""
    full = {name: rg.evaluate(judgments, ranking, metric).mean() for name, ranking in rankings.items()}
    changes = {}
    for name, ranking in rankings.items():
        reduced = {
            query: {
                item: grade for item, grade in grades.items()
                if not (item in ranking[query][:depth]
                        and not any(item in other[query][:depth] for o, other in rankings.items() if o != name))
            } for query, grades in judgments.items()
        }  # fmt: skip
        values = {other: rg.evaluate(reduced, own, metric).mean() for other, own in rankings.items()}
        changes[name] = values[name], rg.stats.kendall_tau([*full.values()], [*values.values()])
    return changes


def test_reusability_equals_a_slow_loop():
    chance = random.Random(4)
    items = [f"d{n}" for n in range(12)]
    queries = [f"q{n}" for n in range(10)]
    judgments = {query: {item: chance.randrange(3) for item in items[:10]} | {"d11": 1} for query in queries}
    rankings = {f"r{n}": {query: chance.sample(items, 8) for query in queries} for n in range(5)}
    result = rg.reusability(judgments, rankings, "nDCG@5", depth=3)

    for name, (value, tau) in slow_reusability(judgments, rankings, "nDCG@5", 3).items():
        assert result[name].without == pytest.approx(value)
        assert result[name].tau == pytest.approx(tau)
        assert result[name].unique > 0
    assert "tau" in str(result)
    assert result.to_pandas().shape[0] == 5


def test_two_rankings_say_nothing_about_reusability():
    with pytest.raises(rg.InputError, match="RG806"):
        rg.reusability({"q1": {"a": 1}}, RANKINGS)


def test_the_command_exports_labels(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(labels().export("csv"), encoding="utf-8")
    for to in ("trec", "csv", "quepid", "workbench"):
        result = here("judges", "export", path, "--to", to)
        assert (result.code, result.out) == (0, labels().export(to))
    assert here("judges", "export", path).code == 2
    assert here("judges", "agree", path, "--to", "quepid").code == 2


def test_a_sampled_query_with_an_unrateable_pair_is_left_out():
    ranking = {f"q{n}": ["a", "b", "c"] for n in range(60)}
    model = {f"q{n}": {"a": n % 2, "b": n % 3 == 0, "c": 1} for n in range(60)}
    pool = rg.pool({"r": ranking}, depth=3, budget=90, purpose="correct", model=model, metric="nDCG@3", max_grade=1)
    rows = [
        row | {"grade": int(model[row["query"]][row["item"]]), "rater": "A"} for row in pool.sheet(repeats=0).to_dicts()
    ]
    rows[0]["grade"] = "u"
    result = rg.judges.correct(model, pool.labels(rows), {"r": ranking}, "nDCG@3", strata=pool.strata)

    assert "RG609" in [finding.code for finding in result.findings]
    assert result.estimate("nDCG@3", "r").labels == 29


@pytest.fixture
def two_assessors(tmp_path):
    """The files of two rankings and of the labels of two assessors, who disagree on one pair."""
    here("demo", "--write", tmp_path)
    rankings = [str(tmp_path / name) for name in ("keywords.csv", "embeddings.csv")]
    pool = rg.pool(dict(zip(("keywords", "embeddings"), rankings, strict=True)), depth=2, max_grade=3)
    files = []
    for name in ("Anna", "Ben"):
        rows = [row | {"grade": int(name == "Ben" and n == 0), "rater": name}
                for n, row in enumerate(pool.sheet(repeats=0).to_dicts())]  # fmt: skip
        files.append(tmp_path / f"{name}.jsonl")
        files[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return ["pool", *rankings, "--depth", "2", "--max-grade", "3"], files, len(pool)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_command_lists_disagreements_and_writes_a_second_sheet(two_assessors, tmp_path, lang):
    call, (anna, ben), size = two_assessors
    adjudicate = "--adjudicate", anna, "--adjudicate", ben
    result = here(*call, *adjudicate, "--lang", lang)
    listed = json.loads(here(*call, *adjudicate, "-t", "json").out)

    assert result.code == 0
    assert ("意见不一的有 1 对" if lang == "zh" else f"1 pair on which assessors disagree, of {size}") in result.out
    assert [row["grades"] for row in listed["disagreements"]] == [{"Anna": 0.0, "Ben": 1.0}]
    assert here(*call, *adjudicate, "-o", tmp_path / "second.csv").code == 0
    second = pl.read_csv(tmp_path / "second.csv")
    assert second["item"].to_list() == [row["item"] for row in listed["disagreements"]]
    decided = tmp_path / "decided.jsonl"
    rows = [row | {"grade": 3, "rater": "adjudicator"} for row in second.to_dicts()]
    decided.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert "0 pairs on which assessors disagree" in here(*call, *adjudicate, "--adjudicate", decided).out


def test_labels_of_another_pool_are_not_adjudicated(two_assessors):
    call, (anna, _), _ = two_assessors
    result = here(*[*call[:-4], "--depth", "3"], "--adjudicate", anna)

    assert (result.code, "RG615" in result.err, anna.name in result.err) == (3, True, True)


def test_files_of_several_assessors_are_exported_together(two_assessors, tmp_path):
    call, (anna, ben), size = two_assessors
    book = here("judges", "export", anna, ben, "--to", "quepid").out.splitlines()
    assert book[0] == "query,docid,Anna,Ben"
    assert len(book) == size + 1
    agreed = here("judges", "agree", anna, ben)
    assert agreed.out.startswith("Agreement of Anna and Ben")
    twice, once = (here("judges", "export", *files, "--to", "csv") for files in ((anna, anna), (anna,)))
    assert (twice.code, twice.out, "RG303" in twice.err) == (0, once.out, True)
    other = tmp_path / "other.jsonl"
    other.write_text(anna.read_text(encoding="utf-8").replace('"pool_fingerprint": "', '"pool_fingerprint": "0'))
    assert "RG615" in here("judges", "export", ben, other, "--to", "csv").err
    assert call


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_command_says_whether_judgments_can_be_reused(tmp_path, lang):
    here("demo", "--write", tmp_path)
    third = tmp_path / "third.csv"
    third.write_text((tmp_path / "keywords.csv").read_text(encoding="utf-8"), encoding="utf-8")
    files = [str(tmp_path / name) for name in ("keywords.csv", "embeddings.csv", "third.csv")]
    call = "pool", *files, "--judgments", tmp_path / "judgments.csv", "--reusability", "--depth", "3"
    result = here(*call, "--lang", lang)

    assert result.code == 0
    assert ("可复用性" if lang == "zh" else "Reusability of the judgments") in result.out
    rows = json.loads(here(*call, "-t", "json").out)["rankings"]
    assert [row["system"] for row in rows] == ["keywords", "embeddings", "third"]
    assert pl.read_csv(here(*call, "-t", "csv").out.encode())["unique"].to_list() == [row["unique"] for row in rows]
    for wrong in ((*call[:4], "--reusability"), (*call, "-t", "jsonl")):
        assert here(*wrong).code == 2
