"""A recommender from the log to the verdict: grades, a split without leaks, two models, and whether one is better.

Run it: ``python examples/recommender.py`` (``--lang zh`` for Chinese). The log is generated, always the same.
"""

from __future__ import annotations

import sys

import numpy as np
import polars as pl

import rankgauge as rg

USERS, ITEMS, TASTES, INTERACTIONS = 300, 120, 6, 9_000
METRICS = ["nDCG@10", "HR@10", "RR"]


def log(seed: int = 7) -> pl.DataFrame:
    """Who rated what, when, and with how many stars: people like popular films, and those of their taste even more."""
    random = np.random.default_rng(seed)
    taste_of_user, taste_of_item = random.integers(0, TASTES, USERS), random.integers(0, TASTES, ITEMS)
    popularity = 1 / np.arange(1, ITEMS + 1) ** 0.7
    users = random.integers(0, USERS, INTERACTIONS)
    liked = taste_of_user[users][:, None] == taste_of_item[None, :]
    chance = popularity * np.where(liked, 8, 1)
    drawn = (random.random((INTERACTIONS, 1)) * chance.sum(axis=1, keepdims=True) > chance.cumsum(axis=1)).sum(axis=1)
    matching = taste_of_user[users] == taste_of_item[drawn]
    stars = np.clip(np.round(random.normal(np.where(matching, 4.3, 3.0), 0.9)), 1, 5)
    ratings = {"user": users, "movie": drawn, "rating": stars, "time": np.arange(INTERACTIONS)}
    return pl.DataFrame(ratings).unique(["user", "movie"], keep="first", maintain_order=True)


def matrix(train: pl.DataFrame) -> np.ndarray:
    """Users by films, 1 where there was an interaction."""
    seen = np.zeros((USERS, ITEMS))
    seen[train["user"].to_numpy(), train["movie"].to_numpy()] = 1
    return seen


def popularity(seen: np.ndarray) -> np.ndarray:
    """The same scores for everybody: how many have seen a film."""
    return np.tile(seen.sum(axis=0), (USERS, 1))


def item_neighbours(seen: np.ndarray) -> np.ndarray:
    """Films that were seen by the people who saw the same films (cosine similarity)."""
    lengths = np.maximum(np.linalg.norm(seen, axis=0), 1e-12)
    similar = (seen.T @ seen) / np.outer(lengths, lengths)
    np.fill_diagonal(similar, 0)
    return seen @ similar


def recommended(scores: np.ndarray, train: pl.DataFrame) -> dict[int, dict[int, float]]:
    """The scores of the films that a user has not seen."""
    ranking = {user: dict(enumerate(row)) for user, row in enumerate(scores.tolist())}
    return rg.holdout.without_seen(ranking, train)


def main(lang: str = "en") -> None:
    """From the log to the verdict."""
    split = rg.holdout.leave_one_out(rg.holdout.k_core(log(), 5))
    print(split.say(lang), end="\n\n")
    print(split.findings.document(lang).to_text(), end="\n\n")

    seen = matrix(split.train)
    systems = {"popularity": popularity(seen), "item neighbours": item_neighbours(seen)}
    rankings = {name: recommended(scores, split.train) for name, scores in systems.items()}
    scores = rg.evaluate(split.test, rankings, METRICS, grades=rg.grades.stars)
    print(scores.document(lang, per_query=False).to_text(), end="\n\n")

    compared = rg.compare(scores, baseline="popularity")
    for metric in METRICS:
        print(f"{metric}: {compared.verdict(metric, lang)}")


if __name__ == "__main__":
    main("zh" if "zh" in sys.argv[1:] else "en")
