"""Values of other tools on the small worlds of ``tests/beyond_reference.py``, written to ``tests/data/beyond``.

Each tool runs in an environment of its own. ``python parity/beyond_values.py worlds FILE`` writes the worlds with this
project; ``python parity/beyond_values.py TOOL FILE OUT`` (ndeval, rectools, replay, recpack) reads them with the tool.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

K = 3


def worlds() -> list[dict]:
    """Some random worlds as plain data; every list has an item."""
    from dataclasses import asdict

    from beyond_reference import random_world

    every = [asdict(random_world(seed)) for seed in range(100, 160)]
    return [world for world in every if all(world["lists"].values())][:12]


def ndeval(world: dict) -> dict:
    """Of pyndeval: a value for each query."""
    import pyndeval

    qrels = [
        (query, topic, item, int(grade))
        for query, items in world["subtopics"].items()
        for item, topics in items.items()
        for topic, grade in topics.items()
    ]
    run = [(query, item, -float(rank)) for query, items in world["lists"].items() for rank, item in enumerate(items)]
    names = ["ERR-IA@5", "nERR-IA@5", "alpha-DCG@5", "alpha-nDCG@5", "NRBP", "nNRBP", "MAP-IA", "P-IA@5", "strec@5"]
    return pyndeval.ndeval(qrels, run, names, alpha=0.3, beta=0.6)


def _frames(world: dict) -> tuple:
    import pandas as pd

    reco = pd.DataFrame(
        [(u, i, r, -float(r)) for u, items in world["lists"].items() for r, i in enumerate(items, 1)],
        columns=["user_id", "item_id", "rank", "score"],
    )
    log = pd.DataFrame(sorted({(u, i) for u, i in world["training"]}), columns=["user_id", "item_id"])
    truth = pd.DataFrame(
        [(u, i) for u, grades in world["judgments"].items() for i, grade in grades.items() if grade >= 1],
        columns=["user_id", "item_id"],
    )
    return reco, log, truth


def rectools(world: dict) -> dict:
    """Of RecTools: a value for each user, or one."""
    from rectools import metrics

    reco, log, truth = _frames(world)
    features = _feature_frame(world)
    distance = metrics.PairwiseHammingDistanceCalculator(features)
    found = {
        "MIUF": metrics.MeanInvUserFreq(k=K).calc_per_user(reco, log),
        "ARP": metrics.AvgRecPopularity(k=K).calc_per_user(reco, log),
        "PopSerendipity": metrics.Serendipity(k=K).calc_per_user(reco, truth, log, world["items"]),
        "ILD hamming, sum of coordinates": metrics.IntraListDiversity(k=K, distance_calculator=distance).calc_per_user(
            reco
        ),
    }
    values = {name: {user: float(value) for user, value in some.items()} for name, some in found.items()}
    values["ItemCoverage"] = float(metrics.CatalogCoverage(k=K, normalize=True).calc(reco, world["items"]))
    return values


def _feature_frame(world: dict) -> object:
    import pandas as pd

    return pd.DataFrame.from_dict(world["features"], orient="index").rename_axis("item_id")


def replay(world: dict) -> dict:
    """Of RePlay: a value for each user, or one."""
    import pandas as pd
    from replay import metrics

    reco, log, _ = _frames(world)
    plain = {"query_column": "user_id", "item_column": "item_id", "rating_column": "score"}
    per_user = {**plain, "mode": metrics.PerUser()}
    base = pd.DataFrame(
        [(u, i, -float(r)) for u in world["lists"] for r, i in enumerate(world["baseline"].get(u, ["none"]), 1)],
        columns=["user_id", "item_id", "score"],
    )
    categories = reco.assign(category_id=[world["categories"][item][0] for item in reco["item_id"]])
    found = {
        "Surprisal": metrics.Surprisal(K, **per_user)(reco, log),
        "Novelty": metrics.Novelty(K, **per_user)(reco, log),
        "Unexpectedness": metrics.Unexpectedness(K, **per_user)(reco, base),
        "CategoricalDiversity": metrics.CategoricalDiversity(
            K, query_column="user_id", category_column="category_id", rating_column="score", mode=metrics.PerUser()
        )(categories),
    }
    values = {
        name: {user: float(value) for user, value in next(iter(some.values())).items()} for name, some in found.items()
    }
    values["Coverage"] = float(next(iter(metrics.Coverage(K, **plain)(reco, log).values())))
    return values


def recpack(world: dict) -> dict:
    """Of RecPack: a value for each user, or one."""
    import numpy as np
    from recpack import metrics
    from scipy.sparse import csr_matrix

    items = {item: number for number, item in enumerate(world["items"])}
    users = {user: number for number, user in enumerate(world["lists"])}
    shape = (len(users), len(items))
    predicted, truth = np.zeros(shape), np.zeros(shape)
    for user, listed in world["lists"].items():
        for rank, item in enumerate(listed):
            predicted[users[user], items[item]] = 100 - rank
            truth[users[user], items[item]] = 1  # a user without a relevant item is left out, and here none shall be
    features = np.zeros((len(items), 3))
    for item, vector in world["features"].items():
        features[items[item]] = [value > 0 for value in vector]
    ild = metrics.IntraListDiversityK(K)
    ild.fit(csr_matrix(features))
    ild.calculate(csr_matrix(truth), csr_matrix(predicted))
    scores = ild.scores_.toarray().ravel()
    coverage = metrics.CoverageK(K)
    coverage.calculate(csr_matrix(truth), csr_matrix(predicted))
    return {
        "ILD jaccard": {user: float(scores[number]) for user, number in users.items()},
        "ItemCoverage": float(coverage.value),
    }


TOOLS = {
    "ndeval": (ndeval, "pyndeval"),
    "rectools": (rectools, "rectools"),
    "replay": (replay, "replay-rec"),
    "recpack": (recpack, "recpack"),
}

if __name__ == "__main__":
    tool, source, *rest = sys.argv[1:]
    if tool == "worlds":
        sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
        Path(source).write_text(json.dumps(worlds(), indent=None), encoding="utf-8")
    else:
        function, package = TOOLS[tool]
        given = json.loads(Path(source).read_text(encoding="utf-8"))
        data = {"tool": package, "version": version(package), "k": K, "values": [function(world) for world in given]}
        Path(rest[0]).write_text(json.dumps(data, indent=None), encoding="utf-8")
