"""Evaluate two recommenders, from the log to the report: grades, a leak-free split, two models and their comparison.

Run: ``python examples/recommender.py report.html`` (``--lang zh`` for Chinese). The log is generated from fixed seeds.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import polars as pl

import rankgauge as rg

# Nobody rates most films, so most recommended films are unjudged; that is no surprise here.
warnings.filterwarnings("ignore", message=".*RG409", category=rg.DataWarning)

USERS, ITEMS, TASTES, INTERACTIONS = 300, 120, 6, 9_000
METRICS = ["nDCG@10", "HR@10", "RR"]
BEYOND = ["ItemCoverage@10", "Gini@10", "MIUF@10", "APLT@10", "ILD@10", "Miscalibration@10"]
FEW = 20
"""Users with fewer films in training are not warm."""


def genres(seed: int = 7) -> np.ndarray:
    """Generate the genre of each film."""
    return np.random.default_rng(seed).integers(0, TASTES, ITEMS)


def log(taste_of_item: np.ndarray, seed: int = 8) -> pl.DataFrame:
    """Generate ratings: users prefer popular films, and even more those of their favourite genre."""
    random = np.random.default_rng(seed)
    taste_of_user = random.integers(0, TASTES, USERS)
    popularity = 1 / np.arange(1, ITEMS + 1) ** 0.7
    users = random.integers(0, USERS, INTERACTIONS)
    liked = taste_of_user[users][:, None] == taste_of_item[None, :]
    weight = popularity * np.where(liked, 8, 1)
    films = (random.random((INTERACTIONS, 1)) * weight.sum(axis=1, keepdims=True) > weight.cumsum(axis=1)).sum(axis=1)
    matching = taste_of_user[users] == taste_of_item[films]
    stars = np.clip(np.round(random.normal(np.where(matching, 4.3, 3.0), 0.9)), 1, 5)
    ratings = {"user": users, "movie": films, "rating": stars, "time": np.arange(INTERACTIONS)}
    return pl.DataFrame(ratings).unique(["user", "movie"], keep="first", maintain_order=True)


def matrix(train: pl.DataFrame) -> np.ndarray:
    """Return a matrix of users by films, 1 for an interaction."""
    seen = np.zeros((USERS, ITEMS))
    seen[train["user"].to_numpy(), train["movie"].to_numpy()] = 1
    return seen


def popularity(seen: np.ndarray) -> np.ndarray:
    """Score films by their number of viewers, the same for all users."""
    return np.tile(seen.sum(axis=0), (USERS, 1))


def item_neighbours(seen: np.ndarray) -> np.ndarray:
    """Score films by their cosine similarity to the films that the user has seen."""
    lengths = np.maximum(np.linalg.norm(seen, axis=0), 1e-12)
    similar = (seen.T @ seen) / np.outer(lengths, lengths)
    np.fill_diagonal(similar, 0)
    return seen @ similar


def recommended(scores: np.ndarray, train: pl.DataFrame) -> dict[int, dict[int, float]]:
    """Return the scores of the films that each user has not seen."""
    ranking = {user: dict(enumerate(row)) for user, row in enumerate(scores.tolist())}
    return rg.holdout.without_seen(ranking, train)


def main(page: str = "", lang: str = "en") -> None:
    """Split the log, evaluate and compare two models, and write the report."""
    genre = genres()
    split = rg.holdout.leave_one_out(rg.holdout.k_core(log(genre), 5))
    print(split.render(lang), end="\n\n")
    print(split.findings.document(lang).to_text(), end="\n\n")

    seen = matrix(split.train)
    systems = {"popularity": popularity(seen), "item neighbours": item_neighbours(seen)}
    rankings = {name: recommended(scores, split.train) for name, scores in systems.items()}
    side = rg.SideInformation(items=range(ITEMS), training=split.train, categories=dict(enumerate(genre.tolist())))

    scores = rg.evaluate(split.test, rankings, METRICS + BEYOND, grades=rg.grades.stars, side_information=side)
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
        report = rg.report(
            split.test,
            rankings,
            METRICS + BEYOND,
            grades=rg.grades.stars,
            side_information=side,
            attributes=by_user,
            by=["history"],
            lang=lang,
        )
        report.save(page, force=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", nargs="?", default="", help="file for the report: .html, .md or .tex")
    parser.add_argument("--lang", choices=["en", "zh"], default="en")
    arguments = parser.parse_args()
    main(arguments.page, arguments.lang)
