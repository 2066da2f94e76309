"""Random judgments, rankings, conventions and metrics, as plain data."""

from __future__ import annotations

from random import Random
from typing import Any

import rankgauge as rg
from rankgauge import Convention, ParameterError
from registries import RULES

Judgments = dict[str, dict[str, float]]
Ranking = dict[str, list[list[Any]]]
"""Pairs of item and score by query, in the order of the rows."""

IDS = {
    "letters": [f"d{number}" for number in range(12)],
    "digits": [str(number) for number in (*range(8), 10, 11, 100, 20)],
    "zeros": ["7", "07", "007", "70", "0", "00", "1", "01", "1e1", "10", "+1", "-1"],
    "unicode": ["é", "e\u0301", "中", "文", "ß", "ü", "z", "Z", "a", "\U0001f600", "ñ", "Ω"],
    "odd": ["a,b", '"', "'", "=1", "a;b", "#x", "{", "\\n", "NA", "null", "nan", "Q0"],
}
"""Item ids by style; none has a blank, which a TREC file cannot hold."""
GRADES = {
    "binary": [0, 1],
    "graded": [0, 1, 2, 3, 4],
    "fractional": [0, 0.5, 1, 1.5, 2.25],
    "negative": [-2, -1, 0, 1, 3],
    "large": [0, 1, 7, 30],
    "huge": [0, 1, 1e9, 2.0**70, 1e300],
}
SCORES = {
    "ties": [0.0, 1.0, 1.5, -2.0],
    "close": [1.0, 1.0 + 2**-30, 1.0 + 2**-52, 1.0 - 2**-53],
    "extreme": [1e300, -1e300, 5e-324, 0.0, -0.0, 1e-300, 3.4e38, 1e39],
    "integers": [*range(-3, 9)],
}
LITERALS = {
    "function",
    "given",
    "grade",
    ">x (such as >0.5)",
    "jk(b)",
    "{}",
    "{grade: gain}",
    "{metric: {rule: value}}",
}
"""Placeholders among the named values of rules."""
NUMBERS = {"rel": [0.5, 1, 2], "max_grade": [1, 4], "seed": [0, 3], "undefined": [0, 1], "unjudged": [0, 1, 2]}
EXTRA = {"rel": [">0", ">1.5"], "discount": ["jk(2)", "jk(3)"]}
CUTOFFS = (None, 1, 2, 3, 5, 10, 100)


def random_judgments(random: Random, queries: int = 4, style: str | None = None) -> Judgments:
    """Return judgments of some queries; one query may have nothing relevant."""
    items = IDS[style or random.choice([*IDS])]
    scale = GRADES[random.choice([*GRADES])]
    return {
        f"q{query}": {item: random.choice(scale) for item in random.sample(items, random.randint(1, 6))}
        for query in range(random.randint(1, queries))
    }


def random_ranking(random: Random, judgments: Judgments, *, stray: bool = True) -> Ranking:
    """Return a ranking of most judged queries, of judged and other items, with ties; with ``stray``, of others, too."""
    kind = random.choice(["distinct", *SCORES])
    ranking = {}
    for query, grades in judgments.items():
        if stray and len(judgments) > 1 and random.random() < 0.1:
            continue
        pool = [*grades, *(f"{item}x" for item in grades)]
        items = random.sample(pool, random.randint(1, min(len(pool), 9)))
        ranking[query] = [[item, _score(random, kind, place)] for place, item in enumerate(items)]
    if not ranking:
        ranking = {query: [[next(iter(grades)), 1.0]] for query, grades in judgments.items()}
    if stray and random.random() < 0.2:
        ranking["unjudged"] = [["d1", 1.0], ["d2", 0.5]]
    return ranking


def _score(random: Random, kind: str, place: int) -> float:
    return random.gauss(0, 1) + place if kind == "distinct" else random.choice(SCORES[kind])


def random_rules(random: Random, share: float = 0.2, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return some rules with random values, as far as the convention accepts them together."""
    chosen: dict[str, Any] = {}
    for name, rule in RULES.items():
        values = [value for value in rule.values if value not in LITERALS]
        values += NUMBERS.get(name, []) + EXTRA.get(name, [])
        likely = min(1.0, 2 * share) if name == "ties" else share
        if values and name not in without and random.random() < likely:
            try:
                Convention(**chosen, **{name: (value := random.choice(values))})
            except ParameterError:
                continue
            chosen[name] = value
    return chosen


def random_metrics(random: Random, count: int, rules: dict[str, Any]) -> list[str]:
    """Return metrics of grades with random cutoffs, which the rules for ties allow."""
    known = [
        metric
        for metric in rg.metrics().values()
        if not metric.definition.of_items and not (rules.get("ties") == "mean" and metric.definition.ties_mean is False)
    ]
    chosen = random.sample(known, count)
    cut = [metric @ random.choice(CUTOFFS) if "k" in metric.definition.parameters else metric for metric in chosen]
    return [*dict.fromkeys(map(str, cut))]


def as_dicts(ranking: Ranking) -> dict[str, dict[str, float]]:
    """Return a ranking as ``{query: {item: score}}``."""
    return {query: dict(map(tuple, rows)) for query, rows in ranking.items()}


def weights_of(judgments: Judgments, rules: dict[str, Any]) -> dict[str, float] | None:
    """Return weights of the queries if the rules need them."""
    if rules.get("averaging") != "weighted":
        return None
    return {query: 1.0 + number for number, query in enumerate(judgments)}
