"""Pools: depth and fusion pools against slow loops, weights by brute force, chances in many draws, and the command."""

import hashlib
import json
import os
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from command_line import here
from pool_simulation import coverage
from rankgauge.example import JUDGMENTS, SYSTEMS
from rankgauge.pooling import samples

CAST = Path(os.environ.get("RANKGAUGE_DATA", "")) / "cast21"
ITEMS = "abcdefgh"
lists = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]), st.permutations(ITEMS).flatmap(lambda p: st.integers(1, 8).map(lambda n: p[:n])),
    min_size=3, max_size=3,
)  # fmt: skip
worlds = st.dictionaries(st.sampled_from(["r1", "r2", "r3"]), lists, min_size=2, max_size=3)


def slow_pool(rankings, depth, judged=None):
    """Every pair in the top of a list that is not judged."""
    pairs = set()
    for ranking in rankings.values():
        for query, items in ranking.items():
            for place, item in enumerate(items):
                if place < depth and item not in (judged or {}).get(query, {}):
                    pairs.add((query, item))
    return pairs


@settings(max_examples=60, deadline=None)
@given(worlds, st.integers(1, 8))
def test_a_depth_pool_has_every_unjudged_pair_in_the_top_of_a_list(rankings, depth):
    judged = {"q1": {"a": 1, "b": 0}}

    assert {*rg.pool(rankings, depth=depth).pairs()} == slow_pool(rankings, depth)
    assert {*rg.pool(rankings, depth=depth, judgments=judged).pairs()} == slow_pool(rankings, depth, judged)


def test_a_depth_pool_has_each_pair_once_with_probability_one():
    chosen = rg.pool(SYSTEMS, depth=3)

    assert len({*chosen.pairs()}) == len(chosen)
    assert {*chosen.frame["reason"]} == {"depth"}
    assert {*chosen.frame["inclusion"]} == {1.0}


TRECTOOLS = {5: (4253, "2e09f29b65135aa3"), 10: (8066, "b45fbc501b97b37e"), 20: (14981, "920150377b98e0c8")}
"""Pairs of the depth pools that trectools 0.0.50 makes of the five runs of cast21, and a hash of their sorted lines."""


@pytest.mark.skipif(not CAST.is_dir(), reason="the real data are not here")
@pytest.mark.parametrize("depth", TRECTOOLS)
def test_depth_pools_of_real_runs_equal_those_of_trectools(depth):
    rankings = {path.name: path for path in sorted(CAST.glob("*.run"))}
    chosen = rg.pool(rankings, depth=depth, convention=rg.Convention(ties="id-ascending"))
    lines = sorted(f"{query} {item}" for query, item in chosen.pairs())

    assert (len(chosen), hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]) == TRECTOOLS[depth]


def slow_rrf(rankings, budget):
    """The budget handed out query by query, one item at a time, best reciprocal rank fusion first."""
    queues = {}
    for query in dict.fromkeys(query for ranking in rankings.values() for query in ranking):
        scores, best = {}, {}
        for ranking in rankings.values():
            for rank, item in enumerate(ranking.get(query, []), 1):
                scores[item] = scores.get(item, 0) + 1 / (60 + rank)
                best[item] = min(best.get(item, rank), rank)
        queues[query] = sorted(scores, key=lambda item: (-round(scores[item], 12), best[item])), scores
    sizes = dict.fromkeys(queues, 0)
    while budget and any(sizes[query] < len(items) for query, (items, _) in queues.items()):
        turn = [query for query, (items, _) in queues.items() if sizes[query] < len(items)]
        turn.sort(key=lambda query: -round(queues[query][1][queues[query][0][sizes[query]]], 12))
        for query in turn[:budget]:
            sizes[query] += 1
        budget -= min(budget, len(turn))
    return sizes, queues


@settings(max_examples=60, deadline=None)
@given(worlds, st.integers(1, 30))
def test_a_fusion_pool_spends_the_budget_evenly_on_the_best_items(rankings, budget):
    chosen = rg.pool(rankings, budget=budget)
    sizes, queues = slow_rrf(rankings, budget)

    assert len(chosen) == sum(sizes.values())
    for query, (items, scores) in queues.items():
        own = [item for asked, item in chosen.pairs() if asked == query]
        assert sorted(round(scores[item], 12) for item in own) == sorted(
            round(scores[item], 12) for item in items[: len(own)]
        )
    counts = [sum(query == asked for asked, _ in chosen.pairs()) for query in queues]
    full = [len(items) for items, _ in queues.values()]
    assert all(count == most or count >= max(counts) - 1 for count, most in zip(counts, full, strict=True))


# Minimal test collections


METRICS = {
    "P@3": lambda items, grades: sum(grades.get(item, 0) > 0 for item in items[:3]) / 3,
    "DCG@4": lambda items, grades: sum(grades.get(item, 0) / np.log2(n + 2) for n, item in enumerate(items[:4])),
    "nDCG@4": lambda items, grades: _ndcg(items, grades, 4),
    "RR": lambda items, grades: next((1 / n for n, item in enumerate(items, 1) if grades.get(item, 0) > 0), 0.0),
}


def _ndcg(items, grades, k):
    def gain(ordered):
        return sum(grade / np.log2(place + 2) for place, grade in enumerate(ordered[:k]))

    ideal = gain(sorted(grades.values(), reverse=True))
    return gain([grades.get(item, 0) for item in items]) / ideal if ideal else 0.0


def _ap(items, grades):
    hits, total = 0, 0.0
    for rank, item in enumerate(items, 1):
        if grades.get(item, 0) > 0:
            hits += 1
            total += hits / rank
    relevant = sum(grade > 0 for grade in grades.values())
    return total / relevant if relevant else 0.0


METRICS["AP"] = _ap


@settings(max_examples=25, deadline=None)
@given(worlds, st.sampled_from([*METRICS]), st.dictionaries(st.sampled_from(ITEMS), st.integers(0, 2), max_size=4))
def test_weights_equal_what_an_item_adds_to_the_difference_by_brute_force(rankings, metric, known):
    judged = {"q1": known} if known else None
    chosen = rg.pool(rankings, depth=8, purpose="compare", judgments=judged, metric=metric, max_grade=2)

    value, weights = METRICS[metric], {}
    for query, item in slow_pool(rankings, 8, judged):
        before = {"q1": known}.get(query, {})
        added = [
            value(ranking.get(query, []), before | {item: 2}) - value(ranking.get(query, []), before)
            for ranking in rankings.values()
        ]
        weights[query, item] = max(abs(first - second) for first, second in combinations(added, 2))
    found = {
        (query, item): weight for query, item, weight in chosen.frame.select("query", "item", "weight").iter_rows()
    }

    assert found == {pair: pytest.approx(weight, abs=1e-9) for pair, weight in weights.items() if weight > 1e-12}
    assert chosen.outlook.deciding == len(found)


def test_an_item_at_the_same_rank_in_both_lists_decides_nothing():
    chosen = rg.pool({"old": {"q": ["a", "b", "c"]}, "new": {"q": ["a", "c", "b"]}}, purpose="compare", metric="nDCG@3")

    assert chosen.pairs() == [("q", "b"), ("q", "c")]
    assert chosen.outlook.candidates == 3


def test_a_budget_takes_the_largest_weights():
    everything = rg.pool(SYSTEMS, purpose="compare").frame
    some = rg.pool(SYSTEMS, purpose="compare", budget=5)

    assert sorted(some.frame["weight"]) == sorted(everything["weight"])[-5:]
    assert some.outlook.covered == pytest.approx(some.frame["weight"].sum() / everything["weight"].sum())


def test_a_decided_order_is_called_decided():
    judged = {"q": {"a": 1, "x": 0}}
    rankings = {"old": {"q": ["a", "b"]}, "new": {"q": ["x", "b"]}}

    assert rg.pool(rankings, purpose="compare", judgments=judged, metric="P@2").outlook.open_orders == 0
    rankings["new"] = {"q": ["c", "d"]}
    assert rg.pool(rankings, purpose="compare", judgments=judged, metric="P@2").outlook.open_orders == 1


def test_the_labels_needed_follow_from_the_spread_of_the_judge():
    model = {f"q{n}": {"a": n % 2, "b": n % 3 == 0} for n in range(400)}
    first = {query: ["a", "b"] for query in model}
    ahead = rg.pool({"run": first}, purpose="correct", model=model, metric="P@2", half_width=0.05).outlook
    values = [*rg.evaluate(model, first, "P@2").per_query("P@2").values()]

    def reach(labels):
        from scipy.stats import t

        return t.ppf(0.975, labels - 1) * np.std(values, ddof=1) * np.sqrt(1 / labels - 1 / 400)

    assert reach(ahead.queries_needed) <= 0.05 < reach(ahead.queries_needed - 1)
    assert ahead.basis == "model"
    assert ahead.what == "mean"


# Probability samples


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 10), min_size=2, max_size=30), st.integers(1, 30), st.floats(0.05, 1))
def test_chances_add_up_to_the_budget_and_keep_the_floor(sizes, budget, floor):
    budget = min(budget, len(sizes))
    chances = samples.item_chances(np.array(sizes), budget, floor)

    assert chances.sum() == pytest.approx(budget)
    assert (chances <= 1 + 1e-12).all()
    assert chances.min() >= min(1, floor * budget / len(sizes)) - 1e-9


def test_items_are_drawn_with_their_probability():
    sizes, random = np.array([5.0, 2.0, 1.0, 0.5, 0.0, 0.0]), np.random.default_rng(1)
    draws = np.array([samples.draw_items(sizes, 3, 0.2, random).chosen for _ in range(10_000)])
    chances = samples.item_chances(sizes, 3, 0.2)

    assert draws.mean(axis=0) == pytest.approx(chances, abs=4 * 0.5 / 100)
    together = (draws[:, 2] & draws[:, 3]).mean()
    assert together == pytest.approx(chances[2] * chances[3], abs=0.02)  # independent of each other


def test_queries_are_drawn_with_their_probability():
    random, values = np.random.default_rng(2), np.linspace(0, 1, 30) ** 3
    strata = samples.strata_of(values, 30, 12)
    spread = np.array([values[strata == stratum].std() for stratum in range(strata.max() + 1)])
    draws = [samples.draw_queries(strata, spread, 12, 0.2, random) for _ in range(10_000)]

    assert np.mean([draw.chosen for draw in draws], axis=0) == pytest.approx(draws[0].inclusion, abs=0.02)
    assert {int(draw.chosen.sum()) for draw in draws} == {12}
    assert draws[0].inclusion.sum() == pytest.approx(12)
    assert np.bincount(strata, draws[0].chosen).min() >= 2


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(2, 40), min_size=1, max_size=5), st.integers(2, 60), st.integers(0, 9))
def test_no_stratum_gives_more_queries_than_it_has(sizes, wanted, seed):
    spread = np.random.default_rng(seed).random(len(sizes))
    counts = samples.stratum_counts(np.array(sizes), spread, wanted, 0.2)

    assert (counts <= sizes).all()
    assert (counts >= np.minimum(sizes, 2)).all()
    assert counts.sum() >= min(wanted, sum(sizes))


def test_a_query_sample_has_whole_queries_and_one_chance_each():
    rankings = {
        name: {f"q{n}": [f"{n}{x}" for x in items] for n in range(40)} for name, items in (("r", "abc"), ("s", "bcd"))
    }
    model = {f"q{n}": {f"{n}{x}": (n + place) % 3 for place, x in enumerate("abcd")} for n in range(40)}
    chosen = rg.pool(rankings, depth=3, budget=40, purpose="correct", model=model)

    sizes = chosen.frame.group_by("query").agg(pl.len(), pl.col("inclusion").n_unique().alias("chances"))
    assert {*sizes["len"]} == {4}
    assert {*sizes["chances"]} == {1}
    assert sizes.height == 10
    by_query = dict(chosen.frame.select("query", "inclusion").iter_rows())
    drawn = {stratum: sum(chosen.strata[query] == stratum for query in by_query) for stratum in range(5)}
    size = {stratum: [*chosen.strata.values()].count(stratum) for stratum in range(5)}
    assert all(
        by_query[query] == pytest.approx(drawn[s] / size[s]) for query in by_query for s in [chosen.strata[query]]
    )


def test_another_seed_draws_another_sample_and_the_same_seed_the_same():
    rankings = {"r": {f"q{n}": ["a", "b"] for n in range(40)}}
    pools = [rg.pool(rankings, depth=2, budget=20, purpose="correct", seed=seed) for seed in (1, 1, 2)]

    assert pools[0].fingerprint == pools[1].fingerprint != pools[2].fingerprint
    assert pools[0].pairs() == pools[1].pairs()


@pytest.mark.parametrize(("unit", "metric"), [("queries", "nDCG@5"), ("items", "DCG@5")])
def test_intervals_from_filled_in_sheets_cover_the_truth(unit, metric):
    of_means, of_difference = coverage(unit, metric, 40)  # 0.93-0.95 of 600 and more draws: docs/pool.md

    assert of_means > 0.85
    assert of_difference > 0.85


# The sheet


def test_a_sheet_shows_no_system_rank_or_weight():
    columns = pl.read_csv(rg.pool(SYSTEMS, depth=3).sheet().to_csv().encode()).columns

    assert columns == [
        "query", "item", "query_text", "item_text", "grade", "rater", "note", "repeat", "reason", "inclusion",
        "max_grade", "pool_fingerprint",
    ]  # fmt: skip


def test_a_sheet_keeps_queries_together_and_asks_some_pairs_again():
    rankings = {"r": {f"q{n}": [*ITEMS] for n in range(20)}}
    chosen = rg.pool(rankings, depth=8)
    rows = chosen.sheet(repeats=0.05).rows
    first, again = [row for row in rows if not row.repeat], [row for row in rows if row.repeat]

    assert {(row.query, row.item) for row in first} == {*chosen.pairs()}
    assert [row.query for row in first] == sorted((row.query for row in first), key=[*rankings["r"]].index)
    assert len(again) == 8
    assert rows[-8:] == tuple(again)
    orders = ["".join(row.item for row in first if row.query == f"q{n}") for n in range(20)]
    assert len({*orders}) > 15
    assert chosen.sheet(repeats=0).rows == tuple(row for row in chosen.sheet(repeats=0).rows if not row.repeat)


def test_items_are_equally_often_in_each_place_of_a_sheet():
    counts = np.zeros((4, 4))
    for seed in range(400):
        rows = rg.pool({"r": {"q": [*"abcd"]}}, depth=4, seed=seed).sheet().rows
        for place, row in enumerate(rows):
            counts["abcd".index(row.item), place] += 1

    assert counts / 400 == pytest.approx(np.full((4, 4), 0.25), abs=0.09)


def test_ids_that_a_spreadsheet_would_run_are_neutral_in_csv():
    text = rg.pool({"r": {"=1+1": ["@SUM(A1)", "b"]}}, depth=2).sheet().to_csv()

    assert "\n=1" not in text
    assert ",@SUM" not in text


# Calls and commands


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "pass depth=, budget= or both"),
        ({"depth": 0}, "depth"),
        ({"budget": 2.5}, "budget"),
        ({"depth": 2, "purpose": "guess"}, "purpose"),
        ({"depth": 2, "unit": "words"}, "unit"),
        ({"depth": 2, "max_grade": 12}, "max_grade"),
        ({"depth": 2, "convention": rg.Convention(ties="mean")}, "ties='mean'"),
        ({"depth": 2, "grades": "log"}, "chooses what is to be graded"),
        ({"depth": 2, "seed": -1}, "seed"),
        ({"depth": 2, "seed": "x"}, "seed"),
        ({"budget": 9, "purpose": "correct", "unit": "items", "metric": "AP"}, "AP cannot be estimated"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments, message):
    with pytest.raises(rg.ParameterError, match=message):
        rg.pool(SYSTEMS, **arguments)


def test_labels_of_nobody_are_refused():
    with pytest.raises(rg.ParameterError, match="pass the labels"):
        rg.pool(SYSTEMS, depth=2).labels()


def test_columns_of_judgments_can_be_named():
    rows = [{"query": f"q{n}", "item": item, "grade": n % 2} for n in range(8) for item in "abc"]
    rankings = {
        name: {f"q{n}": list(items) for n in range(8)} for name, items in (("x", "ab"), ("y", "ca"), ("z", "bc"))
    }
    table = pl.DataFrame(rows)
    renamed, columns = (
        table.rename({"query": "topic", "item": "page"}),
        {"judgments": {"query": "topic", "item": "page"}},
    )
    for options in (
        {"judgments": 0, "purpose": "compare", "depth": 2},
        {"model": 0, "purpose": "correct", "budget": 6},
    ):
        first, second = (
            rg.pool(rankings, **options | {name: side for name in options if options[name] == 0}, **named)
            for side, named in ((table.head(15), {}), (renamed.head(15), {"columns": columns}))
        )
        assert first.pairs() == second.pairs()
    found = rg.reusability(renamed, rankings, "P@2", columns=columns)
    assert str(found) == str(rg.reusability(table, rankings, "P@2"))
    assert found.to_dict()["rankings"][0]["tau"] is None  # all rankings have the same mean and rank
    assert {row.rank for row in found.rows} == {1}


def test_one_ranking_cannot_be_compared():
    with pytest.raises(rg.InputError, match="RG806"):
        rg.pool({"only": SYSTEMS["keywords"]}, purpose="compare")


def test_everything_judged_gives_an_empty_pool():
    ranking = {"q": ["a"]}

    assert len(rg.pool({"r": ranking}, depth=5, judgments={"q": {"a": 1}})) == 0
    assert "0 pairs" in str(rg.pool({"r": ranking}, depth=5, judgments={"q": {"a": 1}}))


def test_a_pool_is_a_frame_and_plain_data():
    chosen = rg.pool(SYSTEMS, depth=2, judgments=JUDGMENTS)
    data = json.loads(json.dumps(chosen.to_dict(), default=str))

    assert data["fingerprint"] == chosen.fingerprint
    assert len(data["pairs"]) == len(chosen) == chosen.to_pandas().shape[0]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_command_writes_a_sheet_and_says_what_it_holds(tmp_path, lang):
    assert here("demo", "--write", tmp_path).code == 0
    files = [str(tmp_path / name) for name in ("keywords.csv", "embeddings.csv")]
    result = here("pool", *files, "--depth", "2", "-o", tmp_path / "sheet.csv", "--lang", lang)

    assert result.code == 0
    assert ("待标注的" if lang == "zh" else "pairs to judge") in result.out
    assert pl.read_csv(tmp_path / "sheet.csv").height == len(rg.pool(SYSTEMS, depth=2).sheet().rows)


def test_the_command_writes_json(tmp_path):
    here("demo", "--write", tmp_path)
    files = [str(tmp_path / name) for name in ("keywords.csv", "embeddings.csv")]
    result = here("pool", *files, "--budget", "4", "--for", "compare", "-t", "json")

    assert result.code == 0
    assert json.loads(result.out)["fingerprint"] == rg.pool(SYSTEMS, budget=4, purpose="compare").fingerprint


@pytest.mark.parametrize("depth", [0, True, 2.5, 2**64, 10**400])
def test_an_invalid_depth_is_refused(depth):
    """One of 400 digits ended in an OverflowError."""
    for call in (lambda: rg.pool(SYSTEMS, depth=depth), lambda: rg.reusability(JUDGMENTS, SYSTEMS, depth=depth)):
        with pytest.raises(rg.ParameterError, match="whole number from 1"):
            call()
    assert rg.pool(SYSTEMS, depth=2**64 - 1, purpose="compare").pairs()


def test_pairs_that_are_needed_are_unjudged_ones():
    """Of 10 queries one has an unjudged item, so that any number of queries has at most one unjudged pair."""
    judged = {f"q{n}": {"a": n % 2, "b": 1 - n % 2} for n in range(10)}
    rankings = {"old": {query: ["a", "b"] for query in judged}, "new": {query: ["b", "a"] for query in judged}}
    rankings["new"]["q3"] = ["x", "a"]
    ahead = rg.pool(rankings, judgments=judged, depth=2, half_width=0.5).outlook
    assert (ahead.candidates, ahead.pairs_needed) == (1, round(ahead.queries_needed / 10))
