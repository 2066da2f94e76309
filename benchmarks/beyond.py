"""Metrics beyond accuracy: 100,000 users with 100 recommendations, compared with accuracy metrics and other tools."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from contest import OURS, Contest, Goal, Options, Scenario, Tool, Values, times

USERS, LENGTH, ITEMS, DIMENSIONS, KINDS, HISTORY, K = 100_000, 100, 20_000, 64, 20, 20, 10
HAMMING = f"ILD(distance='hamming')@{K}"
ACCURACY = ["nDCG@10", "R@10", "P@10", "AP@10", "RR@10", "HR@10"]
CASES: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "accuracy, six metrics": (ACCURACY, ()),
    "coverage": (["ItemCoverage@10"], ("RecTools", "RePlay", "Recommenders")),
    "entropy": (["Entropy@10"], ("Recommenders",)),
    "novelty, of users": (["MIUF@10"], ("RecTools",)),
    "novelty, normalised": (["MIUF(normalised=True)@10"], ("RePlay",)),
    "novelty, of interactions": (["EFD(relevant=False, discount='none')@10"], ("Recommenders",)),
    "popularity": (["ARP@10"], ("RecTools",)),
    "unseen": (["Unseen@10"], ("RePlay",)),
    "unexpectedness": (["Unexpectedness@10"], ("RePlay",)),
    "serendipity, of popularity": (["PopSerendipity@10"], ("RecTools",)),
    "categories": (["CategoryCoverage@10"], ("RePlay",)),
    "diversity, hamming": ([HAMMING], ("RecTools",)),
    "diversity, cosine": (["ILD@10"], ()),
    "diversity, euclidean": (["ILD(distance='euclidean')@10"], ()),
    "calibration": (["Miscalibration@10"], ()),
    "concentration, personalisation": (["Gini@10", "Entropy@10", "Personalisation@10"], ()),
    "tail, popularity bias": (["APLT@10", "ACLT@10", "EPC@10", "PopRSP@10", "PopREO@10"], ()),
    "fairness": (["ExposureParity@10", "EEL@10", "RSP@10", "REO@10"], ()),
}
"""Metrics of each case, and the other tools that have them."""
FULL = "100,000 users"
SIZES = {FULL: 1, "25,000 users": 1 / 4, "6,250 users": 1 / 16}
GROWING = ("accuracy, six metrics", "coverage", "novelty, of users", "categories", "diversity, cosine", "calibration")
"""Cases that rankgauge runs at all sizes."""


def load(folder: Path, *names: str) -> list[Any]:
    """Load the named arrays."""
    import numpy as np

    with np.load(folder / "beyond.npz") as stored:
        return [stored[name] for name in names]


def rankgauge(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate Polars frames; side information is read in the call, like the lists."""
    import polars as pl

    import rankgauge as rg

    metrics = options["metrics"]
    user, item, score, truth_user, truth_item = load(folder, "user", "item", "score", "truth_user", "truth_item")
    had_user, had_item, base_user, base_item, features, kind = load(
        folder, "had_user", "had_item", "base_user", "base_item", "features", "kind"
    )
    ranking = pl.DataFrame({"user": user, "item": item, "score": score})
    truth = pl.DataFrame({"user": truth_user, "item": truth_item, "grade": 1.0 + 0 * truth_user})
    side = rg.SideInformation(
        items=range(len(kind)),
        training=pl.DataFrame({"user": had_user, "item": had_item}),
        baseline=pl.DataFrame({"user": base_user, "item": base_item, "score": -1.0 * (base_item + 1)}),
        features=features,
        categories=dict(enumerate(kind.tolist())),
        item_groups={number: number % 3 for number in range(len(kind))},
    )

    def call() -> Values:
        scores = rg.evaluate(truth, ranking, metrics, side_information=side)
        if not per_query:
            return {metric: scores.mean(metric) for metric in metrics}
        per_user = {metric: scores.per_query(metric) for metric in metrics}
        return {
            metric: {str(user): value for user, value in values.items()} if values else scores.mean(metric)
            for metric, values in per_user.items()
        }

    return call


def rectools(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate pandas frames with a rank column."""
    import numpy as np
    import pandas as pd
    from rectools import metrics

    (metric,) = options["metrics"]
    user, item, had_user, had_item, truth_user, truth_item, features = load(
        folder, "user", "item", "had_user", "had_item", "truth_user", "truth_item", "features"
    )
    reco = pd.DataFrame(
        {"user_id": user, "item_id": item, "rank": np.tile(np.arange(1, LENGTH + 1), len(user) // LENGTH)}
    )
    log = pd.DataFrame({"user_id": had_user, "item_id": had_item})
    truth = pd.DataFrame({"user_id": truth_user, "item_id": truth_item})
    vectors = pd.DataFrame(features, index=pd.Index(np.arange(len(features)), name="item_id"))
    catalogue = np.arange(len(features))

    def call() -> Values:
        match metric:
            case "ItemCoverage@10":
                return {metric: float(metrics.CatalogCoverage(k=K, normalize=True).calc(reco, catalogue))}
            case "MIUF@10":
                found = metrics.MeanInvUserFreq(k=K).calc_per_user(reco, log)
            case "ARP@10":
                found = metrics.AvgRecPopularity(k=K).calc_per_user(reco, log)
            case "PopSerendipity@10":
                found = metrics.Serendipity(k=K).calc_per_user(reco, truth, log, catalogue)
            case _:
                distance = metrics.PairwiseHammingDistanceCalculator(vectors)
                apart = metrics.IntraListDiversity(k=K, distance_calculator=distance)
                found = (
                    apart.calc_per_user(reco) / DIMENSIONS
                )  # RecTools counts differing coordinates, rankgauge takes their share
        return {metric: {str(one): float(v) for one, v in found.items()} if per_query else float(found.mean())}

    return call


def replay(folder: Path, options: Options, per_query: bool) -> Callable[[], Values]:
    """Evaluate Polars frames."""
    import polars as pl
    from replay import metrics

    (metric,) = options["metrics"]
    user, item, score, had_user, had_item, base_user, base_item, kind = load(
        folder, "user", "item", "score", "had_user", "had_item", "base_user", "base_item", "kind"
    )
    reco = pl.DataFrame({"user_id": user, "item_id": item, "score": score})
    log = pl.DataFrame({"user_id": had_user, "item_id": had_item})
    base = pl.DataFrame({"user_id": base_user, "item_id": base_item, "score": -1.0 * (base_item + 1)})
    columns = {"query_column": "user_id", "rating_column": "score"}
    how = {"mode": metrics.PerUser()} if per_query and metric != "ItemCoverage@10" else {}
    kinds = {
        "MIUF(normalised=True)@10": metrics.Surprisal,
        "Unseen@10": metrics.Novelty,
        "ItemCoverage@10": metrics.Coverage,
    }

    def call() -> Values:
        match metric:
            case "CategoryCoverage@10":
                of_items = reco.with_columns(category_id=pl.Series(kind[item]))
                found = metrics.CategoricalDiversity(K, category_column="category_id", **columns, **how)(of_items)
            case "Unexpectedness@10":
                found = metrics.Unexpectedness(K, item_column="item_id", **columns, **how)(reco, base)
            case _:
                found = kinds[metric](K, item_column="item_id", **columns, **how)(reco, log)
        (value,) = found.values()
        return {metric: {str(one): float(v) for one, v in value.items()} if isinstance(value, dict) else float(value)}

    return call


def recommenders(folder: Path, options: Options, _: bool) -> Callable[[], Values]:
    """Evaluate pandas frames of the top ten, since it has no cutoff; means only."""
    import pandas as pd
    from recommenders.evaluation import python_evaluation

    (metric,) = options["metrics"]
    user, item, had_user, had_item = load(folder, "user", "item", "had_user", "had_item")
    top = [column.reshape(-1, LENGTH)[:, :K].ravel() for column in (user, item)]
    reco = pd.DataFrame({"userID": top[0], "itemID": top[1]})
    log = pd.DataFrame(
        {"userID": had_user + len(user), "itemID": had_item}
    )  # other users, since it rejects recommendations of training items
    functions = {
        "ItemCoverage@10": python_evaluation.catalog_coverage,
        "Entropy@10": python_evaluation.distributional_coverage,
    }
    function = functions.get(metric, python_evaluation.novelty)
    return lambda: {metric: float(function(log, reco))}


TOOLS = {
    OURS: Tool(rankgauge, ("rankgauge", "numpy", "polars")),
    "RecTools": Tool(rectools, ("RecTools", "pandas", "numpy"), environment="rectools"),
    "RePlay": Tool(replay, ("replay-rec", "polars", "numpy"), environment="replay"),
    "Recommenders": Tool(recommenders, ("recommenders", "pandas", "numpy"), environment="recommenders"),
}


def make(folder: Path, factor: float) -> None:
    """Generate lists, relevant items, training data with every item, a baseline, vectors and categories."""
    import numpy as np

    users = max(10, round(USERS * factor))
    items = ITEMS if users >= ITEMS // HISTORY else LENGTH * 2
    chance = np.random.default_rng(0)
    starts, steps = chance.integers(0, items, users)[:, None], chance.integers(1, items // LENGTH, users)[:, None]
    lists = (starts + np.arange(LENGTH)[None, :] * steps) % items
    had = chance.zipf(1.3, (users, HISTORY)) % items
    had[:, 0] = np.arange(users) % items
    if users < items:
        had.ravel()[:items] = np.arange(items)
    had_user, had_item = np.divmod(np.unique(np.arange(users)[:, None] * items + had), items)
    truth = np.take_along_axis(lists, chance.integers(0, LENGTH, (users, 10)), axis=1)
    truth_user, truth_item = np.divmod(np.unique(np.arange(users)[:, None] * items + truth), items)
    everyone = np.arange(users)
    np.savez(
        folder / "beyond.npz",
        user=np.repeat(everyone, LENGTH),
        item=lists.ravel(),
        score=np.tile(np.arange(LENGTH, 0, -1) / LENGTH, users),
        truth_user=truth_user,
        truth_item=truth_item,
        had_user=had_user,
        had_item=had_item,
        base_user=np.repeat(everyone, K),
        base_item=np.tile(np.arange(K), users) * (items // K // 2),
        features=chance.integers(0, 3, (items, DIMENSIONS)).astype(float),
        kind=np.arange(items) * 7 % KINDS,
    )


def make_checks(folder: Path) -> dict[str, Path]:
    """Generate a hundred users and two hundred items."""
    make(folder, 100 / USERS)
    return {"plain": folder}


SCENARIO = Scenario(
    name="beyond",
    title="Beyond accuracy",
    text=(
        "100 recommendations per user from 20,000 items, all metrics at 10, from frames in memory; 20 interactions per user in "
        "training, items with vectors of 64 numbers (0, 1 or 2) and one of 20 categories. The time of rankgauge includes reading "
        "the side information (training, catalogue, vectors, categories). The goal is in CPU time, because it compares rankgauge "
        "with itself on a shared machine. Other tools run where they have the same metric. Coverage in RePlay and Recommenders "
        "refers to the items in training, which here are all items; RecTools counts differing coordinates; Recommenders has no "
        "cutoff and receives the top 10 only. Its diversity joins every item with every other, 400 million rows here, and "
        "is not run."
    ),
    tools=TOOLS,
    contests=tuple(
        Contest(case, size, factor, (OURS, *(peers if size == FULL else ())), {"metrics": metrics})
        for case, (metrics, peers) in CASES.items()
        for size, factor in SIZES.items()
        if size == FULL or case in GROWING
    ),
    goals=tuple(
        Goal(
            f"{case}, {FULL}: at most twice the CPU time of six accuracy metrics",
            (case, FULL, OURS),
            2,
            ("accuracy, six metrics", FULL, OURS),
            what="processor_seconds",
        )
        for case in CASES
        if case != "accuracy, six metrics"
    )
    + tuple(times("RecTools", case, FULL, 1, tools=TOOLS) for case, (_, peers) in CASES.items() if "RecTools" in peers),
    data="beyond",
    make=make,
    make_checks=make_checks,
)
