"""Presets of tools that are scripts or not in a registry: their definitions as slow loops, on random worlds with repeats."""

import math
import random

import numpy as np
import pytest

import rankgauge as rg

COUNT = 200


def made(repeats=False, turns=False):
    """Gold and lists of many queries; of sessions, each turn named after its session."""
    chance = random.Random(7)
    gold, lists = {}, {}
    for number in range(COUNT):
        items = [f"s{place}" for place in range(9)]
        gold[f"q{number}"] = chance.sample(items, chance.randint(1, 4))
        listed = chance.sample(items, chance.randint(1, 8))
        if repeats or turns:
            listed = chance.choices(items, k=chance.randint(1, 12))
        lists[f"q{number}"] = [f"{item}_{place}" for place, item in enumerate(listed)] if turns else listed
    return gold, lists


def checked(preset, metric, gold, lists, value, **options):
    found = rg.evaluate(gold, lists, metric, convention=preset, **options).per_query(metric)
    for query, items in lists.items():
        assert found[query] == pytest.approx(value(gold[query], items), abs=1e-12), (items, gold[query])


def session_ndcg(relevant, k):
    """LongMemEval: rank 1 undivided, rank i divided by log2(i)."""

    def dcg(grades):
        return sum(grade if rank == 1 else grade / math.log2(rank) for rank, grade in enumerate(grades[:k], 1))

    def value(items):
        ideal = dcg([1] * len(relevant))
        return dcg([int(item in relevant) for item in items]) / ideal if ideal else 0.0

    return value


@pytest.mark.parametrize("k", [1, 3, 5])
def test_longmemeval_by_its_definition(k):
    gold, lists = made()
    checked("longmemeval", f"HR@{k}", gold, lists, lambda own, items: float(any(one in own for one in items[:k])))
    checked("longmemeval", f"AllHit@{k}", gold, lists, lambda own, items: float(all(one in items[:k] for one in own)))
    checked("longmemeval", f"nDCG@{k}", gold, lists, lambda own, items: session_ndcg(own, k)(items))


@pytest.mark.parametrize("k", [1, 3])
def test_longmemeval_enlarges_k_until_k_sessions_are_seen(k):
    gold, turns = made(turns=True)

    def sessions(items):
        names = [item.rpartition("_")[0] for item in items]
        reach = k
        while reach < len(names) and len({*names[:reach]}) < k:
            reach += 1
        return names[:reach]

    options = {"units": "before last _"}
    preset = "longmemeval-turns"
    checked(preset, f"HR@{k}", gold, turns, lambda own, items: float(any(s in own for s in sessions(items))), **options)
    checked(
        preset, f"AllHit@{k}", gold, turns, lambda own, items: float(all(s in sessions(items) for s in own)), **options
    )


def test_otto_by_its_definition():
    gold, lists = made(repeats=True)
    hits = sum(len({*items[:20]} & {*gold[query]}) for query, items in lists.items())
    possible = sum(min(20, len(own)) for own in gold.values())
    assert rg.evaluate(gold, lists, "R@20", convention="otto").mean("R@20") == pytest.approx(hits / possible)


def test_precision_of_weaviate_by_its_definition():
    """Its benchmark has no function for it in the released package."""
    gold, lists = made(repeats=True)
    checked("weaviate-qab", "P@5", gold, lists, lambda own, items: sum(one in own for one in items[:5]) / 5)


@pytest.mark.parametrize("k", [1, 3, 10])
def test_precision_of_rre_by_its_definition(k):
    """Every listed document is relevant, over the smaller of k and the hits, to two decimals, half up."""
    gold, lists = made()
    half_up = lambda value: math.floor(100 * value + 0.5) / 100  # noqa: E731
    checked(
        "rre", f"P@{k}", gold, lists, lambda own, items: half_up(sum(i in own for i in items[:k]) / min(k, len(items)))
    )


def test_ann_benchmarks_by_its_definition():
    chance = random.Random(3)
    exact = [sorted(chance.random() for _ in range(12)) for _ in range(COUNT)]
    returned = [sorted(chance.choice(row) + chance.choice((0, 0.0005, 0.02)) for _ in range(10)) for row in exact]
    for margin, relative in ((0.001, False), (0.01, True), (0.1, True)):
        labels = rg.neighbours.within_distance(returned, exact, k=10, margin=margin, relative=relative)
        found = rg.evaluate(labels, -np.array(returned), "P@10", convention="ann-benchmarks").per_query("P@10")
        for place, (near, true) in enumerate(zip(returned, exact, strict=True)):
            limit = true[9] * (1 + margin) if relative else true[9] + margin
            assert found[place] == sum(distance <= limit for distance in near[:10]) / 10


def covered(nuggets, items):
    return sum(any(item in items for item in nugget) for nugget in nuggets) / len(nuggets)


def test_coverage_of_freshstack_by_its_definition():
    gold, lists = made()
    chance = random.Random(1)
    nuggets = {
        query: [chance.sample(own, chance.randint(1, len(own))) for _ in range(3)] for query, own in gold.items()
    }
    rows = [
        (query, str(number), item, 1)
        for query, own in nuggets.items()
        for number, nugget in enumerate(own)
        for item in nugget
    ]
    sides = rg.SideInformation(subtopics=rows)
    scores = rg.evaluate(gold, lists, "StRecall@5", convention="freshstack-coverage", side_information=sides)
    found = scores.per_query("StRecall@5")
    for query, items in lists.items():
        assert found[query] == pytest.approx(covered(nuggets[query], items[:5]))


def test_coverage_of_freshstack_breaks_ties_in_input_order():
    sides = rg.SideInformation(subtopics={"q": {"a": ["n1"]}})
    for tied, expected in (({"a": 0.5, "c": 0.5}, 1), ({"c": 0.5, "a": 0.5}, 0)):
        scores = rg.evaluate(
            {"q": {"a": 1}}, {"q": tied}, "StRecall@1", convention="freshstack-coverage", side_information=sides
        )
        assert scores.mean("StRecall@1") == expected


def test_repeats_under_the_preset_of_mlflow():
    """Its precision counts a repeated id again and its recall takes sets; only ndcg has no rule here."""
    scores = rg.evaluate({"q": {"a": 1, "b": 1}}, {"q": ["a", "a", "c"]}, ["P@3", "R@3"], convention="mlflow")
    assert scores.means() == {"P@3": pytest.approx(2 / 3), "R@3": 1 / 2}


def binary_ndcg(relevant, items, k, ideal=None):
    """Gain 1, discount log2(rank + 1); the ideal has min(k, R) items unless ``ideal`` is given."""
    reached = sum(1 / math.log2(rank + 1) for rank, item in enumerate(items[:k], 1) if item in relevant)
    possible = min(k, len(relevant)) if ideal is None else ideal
    return reached / sum(1 / math.log2(rank + 1) for rank in range(1, possible + 1))


@pytest.mark.parametrize("k", [5, 10, 25])
def test_amazon_personalize_by_its_definition(k):
    gold, lists = made()
    checked("amazon-personalize", f"nDCG@{k}", gold, lists, lambda own, items: binary_ndcg(own, items, k))
    checked("amazon-personalize", f"P@{k}", gold, lists, lambda own, items: len({*own} & {*items[:k]}) / k)
    ranks = lambda own, items: [1 / rank for rank, item in enumerate(items[:k], 1) if item in own]  # noqa: E731
    checked("amazon-personalize", f"RR@{k}", gold, lists, lambda own, items: max(ranks(own, items), default=0))


@pytest.mark.parametrize("k", [1, 3, 5, 10])
def test_vertex_ai_search_by_its_definition(k):
    gold, lists = made()
    checked("vertex-ai-search", f"nDCG@{k}", gold, lists, lambda own, items: binary_ndcg(own, items, k))
    checked("vertex-ai-search", f"R@{k}", gold, lists, lambda own, items: len({*own} & {*items[:k]}) / len(own))
    checked("vertex-ai-search", f"P@{k}", gold, lists, lambda own, items: len({*own} & {*items[:k]}) / k)


def test_document_recall_of_databricks_by_its_definition():
    """Several chunks of a document are one document, and requests without expected documents have no value."""
    gold, lists = made(repeats=True)
    preset, metric = "databricks-agent-evaluation", "R"
    checked(preset, metric, gold, lists, lambda own, items: len({*own} & {*items}) / len(own))

    with_none = rg.evaluate({"q": {"a": 1}, "none": {"a": 0}}, {"q": ["a"], "none": ["a"]}, metric, convention=preset)
    assert with_none.mean(metric) == 1


def test_the_announced_ndcg_of_elasticsearch_by_its_definition():
    """Pull request 154362 ends the ideal at k, where released versions end it at the number of hits."""
    gold, lists = made()
    checked("elasticsearch-154362", "nDCG@10", gold, lists, lambda own, items: binary_ndcg(own, items, 10))
    shorter = lambda own, items: min(len(items), len(own), 10)  # noqa: E731
    checked("elasticsearch", "nDCG@10", gold, lists, lambda o, items: binary_ndcg(o, items, 10, shorter(o, items)))
