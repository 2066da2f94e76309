"""A recommender from the log to the report: grades, a split without leaks, two models, and whether one is better.

Run it: ``python examples/recommender.py report.html`` (``--lang zh`` for Chinese). The log is generated, always the
same.
"""

from __future__ import annotations

import argparse

import numpy as np
import polars as pl

import rankgauge as rg

USERS, ITEMS, TASTES, INTERACTIONS = 300, 120, 6, 9_000
METRICS = ["nDCG@10", "HR@10", "RR"]
BEYOND = ["ItemCoverage@10", "Gini@10", "MIUF@10", "APLT@10", "ILD@10", "Miscalibration@10"]
FEW = 20
"""With fewer films in training a user counts as new."""


def genres(seed: int = 7) -> np.ndarray:
    """The genre of each film."""
    return np.random.default_rng(seed).integers(0, TASTES, ITEMS)


def log(taste_of_item: np.ndarray, seed: int = 8) -> pl.DataFrame:
    """Who rated what, when, and with how many stars: people like popular films, and those of their taste even more."""
    random = np.random.default_rng(seed)
    taste_of_user = random.integers(0, TASTES, USERS)
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


def main(page: str = "", lang: str = "en") -> None:
    """From the log to the report."""
    genre = genres()
    split = rg.holdout.leave_one_out(rg.holdout.k_core(log(genre), 5))
    print(split.render(lang), end="\n\n")
    print(split.findings.document(lang).to_text(), end="\n\n")

    seen = matrix(split.train)
    systems = {"popularity": popularity(seen), "item neighbours": item_neighbours(seen)}
    rankings = {name: recommended(scores, split.train) for name, scores in systems.items()}
    known = rg.SideInformation(items=range(ITEMS), training=split.train, categories=dict(enumerate(genre.tolist())))

    scores = rg.evaluate(split.test, rankings, METRICS + BEYOND, grades=rg.grades.stars, side_information=known)
    print(scores.document(lang, per_query=False, digits=4).to_text(), end="\n\n")

    compared = rg.compare(scores, baseline="popularity")
    for metric in METRICS + BEYOND:
        print(compared.verdict(metric, lang))

    history = rg.cold_start(split.train, scores.queries, warm=FEW)
    for name in rankings:
        gaps = rg.group_gaps(scores, "nDCG@10", history, system=name)
        means = ", ".join(f"{group} {mean:.4f} ({gaps.users[group]})" for group, mean in sorted(gaps.means.items()))
        print(f"{name} nDCG@10: {means}")

    if page:
        by_user = {user: {"history": kind} for user, kind in history.items()}
        told = {"side_information": known, "attributes": by_user, "by": ["history"], "lang": lang}
        rg.report(split.test, rankings, METRICS + BEYOND, grades=rg.grades.stars, **told).save(page, force=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", nargs="?", default="", help="where to write the report: .html, .md or .tex")
    parser.add_argument("--lang", choices=["en", "zh"], default="en")
    arguments = parser.parse_args()
    main(arguments.page, arguments.lang)
