"""Compute variants of AUC with other tools on small random data sets, for ``tests/data/auc``.

Each tool runs in its own environment. ``python parity/auc_values.py worlds FILE`` writes the data sets;
``python parity/auc_values.py TOOL FILE OUT`` (sklearn, cornac, torchmetrics, rectools, implicit) evaluates them.
"""

from __future__ import annotations

import json
import random
import sys
from importlib.metadata import version
from pathlib import Path

K = 3
FPR = (0.1, 0.3, 0.5)


def worlds() -> list[dict]:
    """Generate labels and scores of a few users; every other data set has no ties."""
    chance, found = random.Random(8), []
    for number in range(16):
        items = chance.randrange(6, 12)
        users = []
        for _ in range(chance.randrange(2, 6)):
            grid = [0.1, 0.2, 0.4, 0.7] if number % 2 else [place / 64 for place in range(64)]
            scores = chance.choices(grid, k=items) if number % 2 else chance.sample(grid, items)
            labels = [int(chance.random() < 0.35) for _ in range(items)]
            labels[:2] = [1, 0]  # both classes
            users.append({"labels": labels, "scores": scores})
        found.append({"ties": bool(number % 2), "users": users})
    return found


def sklearn(world: dict) -> dict:
    """Return values per user, up to a false positive rate, and pooled."""
    from sklearn.metrics import roc_auc_score

    users = world["users"]
    found: dict = {"roc_auc_score": [roc_auc_score(one["labels"], one["scores"]) for one in users]}
    for rate in FPR:
        found[f"max_fpr={rate}"] = [roc_auc_score(one["labels"], one["scores"], max_fpr=rate) for one in users]
    labels = [label for one in users for label in one["labels"]]
    found["pooled"] = roc_auc_score(labels, [score for one in users for score in one["scores"]])
    return found


def cornac(world: dict) -> dict:
    """Return values per user; a tied pair counts as lost."""
    import numpy as np
    from cornac.metrics import AUC

    def value(one: dict) -> float:
        relevant = np.flatnonzero(one["labels"])
        return float(AUC().compute(np.arange(len(one["labels"])), np.array(one["scores"]), relevant))

    return {"AUC()": [value(one) for one in world["users"]]}


def torchmetrics(world: dict) -> dict:
    """Return values per user: up to a false positive rate and, without ties, within the top k."""
    import torch
    from torchmetrics.functional.retrieval import retrieval_auroc

    def values(**options: float) -> list[float]:
        return [
            float(retrieval_auroc(torch.tensor(one["scores"]).double(), torch.tensor(one["labels"]), **options))
            for one in world["users"]
        ]

    found = {f"max_fpr={rate}": values(max_fpr=rate) for rate in FPR}
    return found if world["ties"] else found | {f"top_k={K}": values(top_k=K)}


def rectools(world: dict) -> dict:
    """Return values per user over the first k negatives; only without ties, since it takes ranks."""
    import pandas as pd
    from rectools.metrics import PartialAUC

    if world["ties"]:
        return {}
    recommended, relevant = [], []
    for user, one in enumerate(world["users"]):
        order = sorted(range(len(one["scores"])), key=lambda item, one=one: -one["scores"][item])
        recommended += [(user, item, rank) for rank, item in enumerate(order[: 2 * K], 1)]
        relevant += [(user, item) for item, label in enumerate(one["labels"]) if label]
    reco = pd.DataFrame(recommended, columns=["user_id", "item_id", "rank"])
    truth = pd.DataFrame(relevant, columns=["user_id", "item_id"])
    values = PartialAUC(k=K).calc_per_user(reco, truth)
    return {f"PartialAUC(k={K})": [float(values[user]) for user in range(len(world["users"]))]}


def implicit(world: dict) -> dict:
    """Return the mean over users; items after rank k are taken to be in random order."""
    import numpy as np
    from implicit.evaluation import ranking_metrics_at_k
    from scipy.sparse import csr_matrix

    if world["ties"]:
        return {}
    labels = csr_matrix(np.array([one["labels"] for one in world["users"]], dtype=np.float64))
    scores = np.array([one["scores"] for one in world["users"]])

    class Model:
        """The interface of a model: the best items of users."""

        def recommend(self, userids: object, _: object, N: int) -> tuple:  # noqa: N803 (its name in implicit)
            best = np.argsort(-scores[userids], axis=1)[:, :N].astype(np.int32)
            return best, np.take_along_axis(scores[userids], best, axis=1).astype(np.float32)

    found = ranking_metrics_at_k(Model(), csr_matrix(labels.shape), labels, K=K, show_progress=False)
    return {f"auc, K={K}": float(found["auc"])}


TOOLS = {
    "sklearn": (sklearn, "scikit-learn"),
    "cornac": (cornac, "cornac"),
    "torchmetrics": (torchmetrics, "torchmetrics"),
    "rectools": (rectools, "RecTools"),
    "implicit": (implicit, "pm-implicit"),
}


def main() -> None:
    """Write the data sets, or the values of a tool."""
    name, path = sys.argv[1], Path(sys.argv[2])
    if name == "worlds":
        path.write_text(json.dumps(worlds()) + "\n", encoding="utf-8")
        return
    function, package = TOOLS[name]
    values = [function(world) for world in json.loads(path.read_text(encoding="utf-8"))]
    text = json.dumps({"tool": package, "version": version(package), "values": values})
    Path(sys.argv[3]).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
