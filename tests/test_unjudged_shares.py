"""The share of unjudged top items, which the metric, the footer, the warning and the report count alike."""

import warnings

import duckdb
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg

JUDGMENTS = {f"q{query}": {"a": 1, "b": 0, "c": 0, "d": 0} for query in range(20)}
SCORES = {"a": 1.0, "x": 0.9, "b": 0.8, "y": 0.7, "c": 0.6, "d": 0.6}
TIED = dict.fromkeys(JUDGMENTS, SCORES)
RULES = ["id", "input", "best", "worst", "mean", "random"]


def rows(sides, number):
    return pd.DataFrame(
        [(query, item, value) for query, items in sides.items() for item, value in items.items()],
        columns=["query", "item", number],
    )


def in_every_form(folder):
    """The same ranking as records, as a file and as a frame."""
    lines = [f"{query} Q0 {item} 1 {score} t" for query, items in TIED.items() for item, score in items.items()]
    (folder / "run.txt").write_text("\n".join(lines))
    (folder / "qrels.txt").write_text(
        "\n".join(f"{query} 0 {item} {grade}" for query, items in JUDGMENTS.items() for item, grade in items.items())
    )
    return [
        (JUDGMENTS, TIED),
        (folder / "qrels.txt", folder / "run.txt"),
        (rows(JUDGMENTS, "grade"), rows(TIED, "score")),
    ]


@pytest.mark.parametrize("ties", RULES)
def test_ties_are_counted_as_the_metric_counts_them(ties, tmp_path):
    tied = SCORES | {"y": 0.6, "z": 0.6}  # of four items at rank 4, two are in the top 5
    for judgments, ranking in [*in_every_form(tmp_path), (JUDGMENTS, dict.fromkeys(JUDGMENTS, tied))]:
        scores = rg.evaluate(judgments, ranking, ["Unjudged@5", "nDCG@5"], convention=rg.Convention(ties=ties))
        assert scores.unjudged_top[""] == pytest.approx(scores.mean("Unjudged@5"))
        assert f"Unjudged in the top 5: {scores.mean('Unjudged@5'):.0%}." in str(scores)
        if scores.mean("Unjudged@5") > 0.25:
            (finding,) = [finding for finding in scores.findings if finding.code == "RG409"]
            assert f"{scores.mean('Unjudged@5'):.0%} of what is returned in the top 5" in str(finding)
            assert finding.count == round(100 * scores.mean("Unjudged@5"))


@pytest.mark.parametrize("ties", ["together", "mean-rank"])
def test_items_that_share_a_rank_count_as_in_the_mean_over_their_orders(ties):
    over_orders = rg.evaluate(JUDGMENTS, TIED, "P@10", convention=rg.Convention(ties="mean")).unjudged_top
    assert rg.evaluate(JUDGMENTS, TIED, "RR", convention=rg.Convention(ties=ties)).unjudged_top == over_orders


def test_a_run_with_ties_and_one_without_have_the_same_share():
    runs = {"notie": dict.fromkeys(JUDGMENTS, SCORES | {"d": 0.5}), "tie": TIED}
    compared = rg.compare(JUDGMENTS, runs, "nDCG@5")
    assert compared.scores.unjudged_top == {"notie": 0.4, "tie": 0.4}
    assert "Unjudged in the top 5: notie 40%, tie 40%." in compared.table()
    assert "前 5 个中未标注的比例：notie 40%、tie 40%。" in compared.table("zh")
    assert r"Unjudged in the top 5: notie 40\%, tie 40\%." in compared.to_latex()


@pytest.mark.parametrize("ties", ["id", "mean"])
def test_an_engine_counts_the_same_share(ties):
    judgments, ranking = rows(JUDGMENTS, "grade"), rows(TIED, "score")
    connection = duckdb.connect()
    connection.register("judgments", judgments)
    connection.register("ranking", ranking)
    rules = rg.Convention(ties=ties)
    here = rg.evaluate(judgments, ranking, ["Unjudged@5", "nDCG@5"], convention=rules)
    there = rg.duckdb.evaluate(connection, "judgments", "ranking", ["Unjudged@5", "nDCG@5"], convention=rules)
    assert there.unjudged_top[""] == pytest.approx(here.unjudged_top[""])
    assert there.unjudged_k == here.unjudged_k == 5
    assert [finding.count for finding in there.findings if finding.code == "RG409"] == [40]


@pytest.mark.parametrize(("queries", "length", "warns"), [(2, 10, True), (8, 10, True), (10, 1, True), (9, 2, False)])
def test_few_queries_have_a_share_unless_they_have_few_items(queries, length, warns):
    """With 8 queries of 10 items, 80% unjudged went without a word."""
    judgments = {f"q{query}": {f"d{item}": item % 2 for item in range(10)} for query in range(queries)}
    ranking = {query: ["d1", *(f"u{item}" for item in range(length - 1))] for query in judgments}
    if length == 1:
        ranking |= {f"q{query}": ["u0"] for query in range(3)}
    scores = rg.evaluate(judgments, ranking, "nDCG@10")
    assert ("RG409" in {finding.code for finding in scores.findings}) == warns
    assert ("Unjudged in the top 10" in str(scores)) == warns
    diagnosis = rg.doctor(judgments, rg.read(ranking, role="ranking"))
    assert ("RG409" in {finding.code for finding in diagnosis.findings}) == warns


GRADED = {f"q{query}": {f"d{item}": item % 3 for item in range(10)} for query in range(10)}
FULL = {query: {f"{'u' if item < 4 else 'd'}{item}": 20 - item for item in range(10)} for query in GRADED}
MISSING = {query: FULL[query] for query in [*FULL][:9]}
SHORT = MISSING | {"q1": {"u0": 3, "u1": 2, "u2": 1}}


@pytest.mark.parametrize(("ranking", "share"), [(FULL, 0.4), (MISSING, 0.4), (SHORT, 35 / 83)])
def test_the_share_is_of_what_was_returned_in_every_verb(ranking, share):
    """One query without results made it 0 in eval, and the report counted its empty places as unjudged."""
    scores = rg.evaluate(GRADED, ranking, "nDCG@10")
    assert scores.unjudged_top[""] == pytest.approx(share)
    assert "RG409" in {finding.code for finding in scores.findings}
    compared = rg.compare(GRADED, {"a": FULL, "b": ranking}, "nDCG@10")
    assert f"Unjudged in the top 10: a 40%, b {share:.0%}." in compared.table()
    assert "RG409" in {finding.code for finding in rg.check(GRADED, ranking, "nDCG@10 < 0.1").scores.findings}
    diagnosis = rg.doctor(GRADED, rg.read(ranking, role="ranking"))
    assert diagnosis.coverages[0].unjudged_top == pytest.approx(share)
    assert rg.unjudged_bounds(GRADED, {"b": ranking}, "nDCG@10")["b"].unjudged == pytest.approx(share)
    connection = duckdb.connect()
    connection.register("judgments", rows(GRADED, "grade"))
    connection.register("ranking", rows(ranking, "score"))
    assert rg.duckdb.evaluate(connection, "judgments", "ranking", "nDCG@10").unjudged_top[""] == pytest.approx(share)


TOP_LISTS = {
    "lists": lambda ranking: ranking,
    "dict": lambda ranking: {q: {item: -float(n) for n, item in enumerate(items)} for q, items in ranking.items()},
    "polars": lambda ranking: pl.DataFrame({"query": [*ranking], "retrieved": [*ranking.values()]}),
}


@pytest.mark.parametrize("form", TOP_LISTS)
def test_every_sentence_about_unjudged_items_has_the_same_share(form):
    """The sentence averaged the shares of queries, and an empty list counted as unjudged: 51.2% beside 46%."""
    judgments = {f"q{n}": {"a": 1, "b": 0, "c": 2} for n in range(12)}
    old = {f"q{n}": ["u1", "u2", "u3", "c", "a"] if n % 2 else ["a", "b"] for n in range(12)} | {"q0": []}
    new = {f"q{n}": ["u4", "u5", "a", "c"] if n % 3 else ["b", "a"] for n in range(12)} | {"q0": []}
    share = {"old": 18 / (6 * 5 + 5 * 2), "new": 16 / (8 * 4 + 3 * 2)}

    both = {"old": TOP_LISTS[form](old), "new": TOP_LISTS[form](new)}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        compared, report = (
            verb(
                judgments, {name: TOP_LISTS[form](lists) for name, lists in {"old": old, "new": new}.items()}, "nDCG@10"
            )
            for verb in (rg.compare, rg.report)
        )
        text, page = str(compared), report.to_markdown()

    scores, bounds = rg.evaluate(judgments, both, "nDCG@10"), rg.unjudged_bounds(judgments, both, "nDCG@10")
    assert scores.unjudged_top == pytest.approx(share)
    assert {name: bounds[name].unjudged for name in share} == pytest.approx(share)
    assert "Unjudged in the top 10: old 45%, new 42%." in text
    assert "Of the top 10, 42.1% of new and 45% of old are not judged" in " ".join(text.split())
    last = {row[0]: row[2] for row in report.picture("unjudged").rows if row[1] == 10}
    assert last == pytest.approx(share)
    assert "Of the top 10, 42.1% of new and 45% of old are not judged" in " ".join(page.split())
    assert not any("RG413" in str(warning.message) for warning in warned)
    assert "RG413" not in text + page


def test_beside_a_system_with_a_share_one_with_few_items_has_its_own():
    judgments = {f"q{n}": {"a": 1, "b": 0} for n in range(8)}
    few = {"q0": ["a", "b", "u"], "q1": ["a", "u"]}
    many = {query: ["a", "u1", "u2", "b"] for query in judgments}

    assert rg.evaluate(judgments, {"few": few, "many": many}, "nDCG@10").unjudged_top == {"few": 0.4, "many": 0.5}
    assert rg.evaluate(judgments, few, "nDCG@10").unjudged_top == {"": 0.0}
