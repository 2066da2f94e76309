"""How often corrected intervals cover the truth where the labels come from a pool: ``pool_simulation.py queries 400``."""

import sys
import warnings

import numpy as np

import rankgauge as rg

QUERIES, ITEMS, BUDGET = 200, [f"d{number}" for number in range(8)], 480


def world(seed=5):
    """The grades of people, those of a judge that is wrong in a quarter of the items, and two rankings."""
    random = np.random.default_rng(seed)
    truth, model = {}, {}
    for number in range(QUERIES):
        share = random.beta(1.5, 2)
        grades = {item: int(random.random() < share) * int(random.integers(1, 4)) for item in ITEMS}
        if not any(grades.values()):
            grades[ITEMS[0]] = 1
        truth[f"q{number}"] = grades
        model[f"q{number}"] = {
            item: grade if random.random() < 0.75 else int(random.integers(0, 4)) for item, grade in grades.items()
        }
    rankings = {
        "first": {query: [*random.permutation(ITEMS)] for query in truth},
        "second": {
            query: sorted(ITEMS, key=lambda item: -grades[item] - random.normal() * 1.5)
            for query, grades in truth.items()
        },
    }
    return truth, model, rankings


def coverage(unit, metric, draws, *, strata=True, first_seed=0):
    """Return how often the intervals of means and of the difference hold the truth, over sheets filled in by people."""
    truth, model, rankings = world()
    means = {name: rg.evaluate(truth, ranking, metric).mean() for name, ranking in rankings.items()}
    of_means, of_difference = [], []
    for seed in range(first_seed, first_seed + draws):
        pool = rg.pool(
            rankings, depth=8, budget=BUDGET, purpose="correct", model=model, metric=metric, unit=unit, seed=seed,
            max_grade=3,
        )  # fmt: skip
        rows = pool.sheet(repeats=0).to_dicts()
        filled = [row | {"grade": truth[row["query"]][row["item"]], "rater": "Anna"} for row in rows]
        given = {"strata": pool.strata} if strata and pool.strata else {}
        result = rg.judges.correct(model, pool.labels(filled), rankings, metric, **given)
        for name, mean in means.items():
            found = result.estimate(metric, name)
            of_means.append(found.low <= mean <= found.high)
        found = result.difference("first", "second", metric)
        of_difference.append(found.low <= means["second"] - means["first"] <= found.high)
    return float(np.mean(of_means)), float(np.mean(of_difference))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    kind, count = sys.argv[1], int(sys.argv[2])
    print(kind, count, coverage(kind, "nDCG@5" if kind == "queries" else "DCG@5", count))
