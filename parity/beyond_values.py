"""Compute metrics beyond accuracy with a tool, inside the environment of the tools.

Usage: python beyond_values.py TOOL WORLDS OUT, where WORLDS is a JSON file with data sets of ``tests/beyond_reference.py``.
The output is ``{"tool": ..., "version": ..., "values": [{metric: {user: value} or value}, ...]}``, one entry per data set.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

K = 3


def ndeval(world: dict) -> dict:
    """Return a value for each query."""
    import pyndeval

    qrels = [
        (query, topic, item, int(grade))
        for query, items in world["subtopics"].items()
        for item, topics in items.items()
        for topic, grade in topics.items()
    ]
    run = [(query, item, -float(rank)) for query, items in world["lists"].items() for rank, item in enumerate(items)]
    names = ["ERR-IA@5", "nERR-IA@5", "alpha-DCG@5", "alpha-nDCG@5", "NRBP", "nNRBP", "MAP-IA", "P-IA@5", "strec@5"]
    names += ["ERR-IA@1", "ERR-IA@20", "alpha-DCG@1", "alpha-DCG@20"]
    found = pyndeval.ndeval(qrels, run, names, alpha=0.3, beta=0.6)
    return {name: {query: values[name] for query, values in found.items()} for name in names}


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
    """Return a value per user, or one for all."""
    from rectools import metrics

    reco, log, truth = _frames(world)
    features = _feature_frame(world)
    distance = metrics.PairwiseHammingDistanceCalculator(features)
    found = {
        "MeanInvUserFreq": metrics.MeanInvUserFreq(k=K).calc_per_user(reco, log),
        "AvgRecPopularity": metrics.AvgRecPopularity(k=K).calc_per_user(reco, log),
        "AvgRecPopularity(normalize=True)": metrics.AvgRecPopularity(k=K, normalize=True).calc_per_user(reco, log),
        "Serendipity": metrics.Serendipity(k=K).calc_per_user(reco, truth, log, world["items"]),
        "IntraListDiversity": metrics.IntraListDiversity(k=K, distance_calculator=distance).calc_per_user(reco),
        "SufficientReco": metrics.SufficientReco(k=K).calc_per_user(reco),
        "SufficientReco(deep=True)": metrics.SufficientReco(k=K, deep=True).calc_per_user(reco),
    }
    values = {name: {user: float(value) for user, value in of_users.items()} for name, of_users in found.items()}
    values["CatalogCoverage"] = float(metrics.CatalogCoverage(k=K).calc(reco, world["items"]))
    values["CatalogCoverage(normalize=True)"] = float(
        metrics.CatalogCoverage(k=K, normalize=True).calc(reco, world["items"])
    )
    return values


def _feature_frame(world: dict) -> object:
    import pandas as pd

    return pd.DataFrame.from_dict(world["features"], orient="index").rename_axis("item_id")


def replay(world: dict) -> dict:
    """Return a value per user, or one for all."""
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
        name: {user: float(value) for user, value in next(iter(result.values())).items()}
        for name, result in found.items()
    }
    values["Coverage"] = float(next(iter(metrics.Coverage(K, **plain)(reco, log).values())))
    return values


def recpack(world: dict) -> dict:
    """Return a value per user, or one for all."""
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
            truth[users[user], items[item]] = 1  # users without a relevant item would be left out
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
        "IntraListDiversityK": {user: float(scores[number]) for user, number in users.items()},
        "CoverageK": float(coverage.value),
    }


def recommenders(world: dict) -> dict:
    """Return a value per user, or one for all; it has no cutoff and receives the top k only."""
    import numpy as np
    import pandas as pd
    from recommenders.evaluation import python_evaluation as evaluation

    reco, log, _ = (frame.rename(columns={"user_id": "userID", "item_id": "itemID"}) for frame in _frames(world))
    reco = reco[reco["rank"] <= K].reset_index(drop=True)
    features = pd.DataFrame(
        [(item, np.array(vector, dtype=float)) for item, vector in world["features"].items() if any(vector)],
        columns=["itemID", "features"],
    )
    log["userID"] = "then " + log["userID"]  # other users, since it rejects recommendations of training items
    apart = evaluation.user_diversity(
        log, reco[["userID", "itemID"]], item_feature_df=features, item_sim_measure="item_feature_vector"
    )
    return {
        "catalog_coverage": float(evaluation.catalog_coverage(log, reco)),
        "distributional_coverage": float(evaluation.distributional_coverage(log, reco)),
        "novelty": float(evaluation.novelty(log, reco)),
        "user_diversity": dict(zip(apart["userID"], apart["user_diversity"].astype(float), strict=True)),
    }


TOOLS = {
    "ndeval": (ndeval, "pyndeval"),
    "rectools": (rectools, "rectools"),
    "replay": (replay, "replay-rec"),
    "recpack": (recpack, "recpack"),
    "recommenders": (recommenders, "recommenders"),
}

if __name__ == "__main__":
    tool, source, target = sys.argv[1:]
    function, package = TOOLS[tool]
    given = json.loads(Path(source).read_text(encoding="utf-8"))
    data = {"tool": package, "version": version(package), "values": [function(world) for world in given]}
    Path(target).write_text(json.dumps(data), encoding="utf-8")
