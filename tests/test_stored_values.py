"""Every metric keeps the stored values: with its default parameters, on small crowds under several rules.

``python tests/test_stored_values.py`` writes tests/data/metric_values.json again; a change there is a change of numbers.
"""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

import rankgauge as rg
from beyond_reference import random_world
from test_applicable_rules import EVERY, Crowd, crowd, with_copies

FILE = Path(__file__).parent / "data" / "metric_values.json"


def deep(seed: int) -> Crowd:
    """Users with lists of different lengths and graded judgments."""
    world, chance = random_world(seed), random.Random(seed)
    judgments = {
        user: {item: chance.choice((0, 0, 1, 2, 3, 4)) for item in world.items if chance.random() < 0.8} or {"i0": 1}
        for user in world.lists
    }
    ranking = {
        user: {item: round(chance.random(), 3) for item in chance.sample([*world.items], len(world.items) - place)}
        for place, user in enumerate(world.lists)
    }
    return Crowd(judgments, ranking, world.side_information)


RULES: dict[str, tuple[Crowd, dict[str, Any]]] = {
    "defaults": (deep(0), {}),
    "ties": (crowd(1), {"ties": "mean"}),
    "best": (crowd(2), {"ties": "best", "gain": "exp2", "discount": "1/i", "rel": 2, "unjudged": 1}),
    "worst": (crowd(3), {"ties": "worst", "unjudged": "removed", "negative": "zero", "ideal": "returned"}),
    "shared": (crowd(4), {"ties": "together", "tied_at_k": "all", "undefined": 1, "max_grade": "largest"}),
    "copies": (crowd(5), {"duplicates": "close-up", "short_list": "zero", "no_relevant": "skip"}),
    "assumed": (deep(6), {"unjudged": 0.5, "unjudged_in_ideal": "no", "negative": "keep", "r_over": "min(k,R)"}),
    "seeded": (crowd(7), {"ties": "random", "seed": 3, "ideal_cut": "returned", "p_over": "returned", "ap_over": "k"}),
}
"""Data and rules by a name."""


def values(name: str) -> dict[str, list[float | str]]:
    """The value of every metric for each user and over all."""
    data, given = RULES[name]
    rules = rg.Convention(**given)
    ranking = with_copies(data.ranking) if rules.duplicates != "error" else data.ranking
    found = {}
    for metric in EVERY:
        if "spans" in (metric.definition.needs or ()):
            continue
        try:
            scores = rg.evaluate(
                data.judgments, ranking, metric, side_information=data.side_information, convention=rules
            )
        except rg.RankgaugeError as error:  # of a metric that is not defined under these rules
            found[str(metric)] = [type(error).__name__]
            continue
        found[str(metric)] = [float(f"{value:.13g}") for value in (*scores.per_query().values(), scores.mean())]
    return found


def close(value: Any, stored: Any) -> bool:
    if isinstance(value, float) and isinstance(stored, float | int):
        both_nan = math.isnan(value) and math.isnan(stored)
        return both_nan or math.isclose(value, stored, rel_tol=1e-11, abs_tol=1e-13)
    return bool(value == stored)


@pytest.mark.parametrize("name", RULES)
def test_every_metric_has_the_stored_values(name):
    stored = json.loads(FILE.read_text(encoding="utf-8"))[name]
    found = values(name)
    assert found.keys() == stored.keys()
    for metric, numbers in found.items():
        assert len(numbers) == len(stored[metric])
        assert all(map(close, numbers, stored[metric])), metric


if __name__ == "__main__":
    every = {name: values(name) for name in RULES}
    lines = (
        f"{json.dumps(name)}: {{\n"
        + ",\n".join(f"{json.dumps(metric)}: {json.dumps(numbers)}" for metric, numbers in found.items())
        + "\n}"
        for name, found in every.items()
    )
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
