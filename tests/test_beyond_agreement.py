"""Metrics of the items themselves against other tools, whose values ``parity/beyond_values.py`` has written down."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import rankgauge as rg
from beyond_reference import ItemWorld

DATA = Path(__file__).parent / "data" / "beyond"
WORLDS = [
    ItemWorld(**{**world, "training": [tuple(pair) for pair in world["training"]]})
    for world in json.loads((DATA / "worlds.json").read_text(encoding="utf-8"))
]
ALPHA, BETA, DEPTH = 0.3, 0.6, 5


def stored(tool: str) -> list[tuple[ItemWorld, dict]]:
    values = json.loads((DATA / f"{tool}.json").read_text(encoding="utf-8"))["values"]
    return [*zip(WORLDS, values, strict=True)]


def ours(world: ItemWorld, metric: rg.Metric | str, rules: rg.Convention | None = None) -> dict[str, float] | float:
    scores = rg.evaluate(world.judgments, world.lists, metric, background=world.background, convention=rules)
    return scores.per_query(metric) or scores.mean(metric)


IDEAL_OF_ALL = sum((1 - ALPHA) ** (rank - 1) / rank for rank in range(1, DEPTH + 1))
"""What ndeval divides ERR-IA by: a list whose every item is relevant to every subtopic, without the factor alpha."""


@pytest.mark.parametrize(
    ("theirs", "metric", "factor"),
    [
        ("alpha-nDCG@5", rg.alphanDCG(alpha=ALPHA) @ DEPTH, 1),
        ("nERR-IA@5", rg.nERRIA(alpha=ALPHA) @ DEPTH, 1),
        ("nNRBP", rg.nNRBP(alpha=ALPHA, beta=BETA), 1),
        ("NRBP", rg.NRBP(alpha=ALPHA, beta=BETA), 1),
        ("P-IA@5", rg.PIA @ DEPTH, 1),
        ("strec@5", rg.StRecall @ DEPTH, 1),
        ("MAP-IA", rg.APIA, 1),
        ("ERR-IA@5", rg.ERRIA(alpha=ALPHA) @ DEPTH, 1 / (ALPHA * IDEAL_OF_ALL)),
    ],
    ids=str,
)
def test_ndeval(theirs, metric, factor):
    compared = 0
    for world, values in stored("ndeval"):
        mine = ours(world, metric)
        for query, expected in values.items():
            if not any(grade for topics in world.subtopics[query].values() for grade in topics.values()):
                continue  # 0/0, of which ndeval makes 0 or, for nNRBP, nan
            assert mine[query] * factor == pytest.approx(expected[theirs], abs=1e-6), (query, world.subtopics[query])
            compared += 1
    assert compared > 20


@pytest.mark.parametrize(
    ("theirs", "metric", "factor"),
    [
        ("MIUF", "MIUF@3", 1),
        ("ARP", "ARP@3", 1),
        ("PopSerendipity", "PopSerendipity@3", 1),
        ("ILD hamming, sum of coordinates", "ILD(distance='hamming')@3", 3),
        ("ItemCoverage", "ItemCoverage@3", 1),
    ],
)
def test_rectools(theirs, metric, factor):
    for world, values in stored("rectools"):
        mine = ours(world, metric)
        if not isinstance(mine, dict):
            assert mine == pytest.approx(values[theirs], abs=1e-12)
            continue
        for user, expected in values[theirs].items():
            assert mine[user] * factor == pytest.approx(expected, abs=1e-12), user


@pytest.mark.parametrize(
    ("theirs", "metric"),
    [
        ("Surprisal", "MIUF(normalised=True)@3"),
        ("Novelty", "Unseen@3"),
        ("Unexpectedness", "Unexpectedness@3"),
        ("CategoricalDiversity", "CategoryCoverage@3"),
    ],
)
def test_replay(theirs, metric):
    """RePlay divides by k also where a list is shorter: its surprisal is lower then, its unexpectedness higher."""
    for world, values in stored("replay"):
        single = replace(world, categories={item: some[:1] for item, some in world.categories.items()})
        mine = ours(single, metric)
        for user in world.lists.keys() & values[theirs].keys():  # its novelty is of users in training only
            full = min(len(world.lists[user]), 3) / 3
            adjusted = {"Surprisal": mine[user] * full, "Unexpectedness": 1 - (1 - mine[user]) * full}
            assert adjusted.get(theirs, mine[user]) == pytest.approx(values[theirs][user], abs=1e-12), user


def test_replay_coverage():
    for world, values in stored("replay"):
        of_training = rg.Background(training=world.training)
        scores = rg.evaluate(world.judgments, world.lists, "ItemCoverage@3", background=of_training)
        assert scores.mean("ItemCoverage@3") == pytest.approx(values["Coverage"], abs=1e-12)


def test_recpack():
    for world, values in stored("recpack"):
        mine = ours(world, "ILD(distance='jaccard')@3", rg.Convention(undefined=0))
        assert mine == pytest.approx(values["ILD jaccard"], abs=1e-12)
        assert ours(world, "ItemCoverage@3") == pytest.approx(values["ItemCoverage"], abs=1e-12)
