"""The built-in example: three film searches with judgments from 0 (wrong) to 3 (perfect), and two systems."""

from collections.abc import Mapping

JUDGMENTS = {
    "space opera": {"Star Wars": 3, "Dune": 3, "Serenity": 2, "Flash Gordon": 1, "Gravity": 0},
    "功夫片": {"卧虎藏龙": 3, "叶问": 3, "功夫": 2, "英雄": 2, "Rush Hour": 1, "Kung Pow": 0},
    "heist": {"Heat": 3, "Inception": 2, "Ronin": 2, "The Sting": 3, "Casino": 0},
}
"""The grade of each judged item, by query."""

SYSTEMS = {
    "keywords": {
        "space opera": {"Flash Gordon": 9.1, "Star Wars": 8.7, "Gravity": 8.0, "Space Jam": 7.7, "Dune": 5.2},
        "功夫片": {"功夫": 12.4, "Kung Pow": 9.9, "叶问": 7.1, "Rush Hour": 7.1, "卧虎藏龙": 2.0},
        "heist": {"Casino": 6.6, "Heat": 5.9, "Ocean's Eight": 5.9, "Ronin": 3.2, "The Sting": 1.1},
    },
    "embeddings": {
        "space opera": {"Dune": 0.93, "Star Wars": 0.91, "Serenity": 0.88, "Gravity": 0.71, "Flash Gordon": 0.64},
        "功夫片": {"卧虎藏龙": 0.95, "英雄": 0.90, "叶问": 0.89, "功夫": 0.77, "Kill Bill": 0.70},
        "heist": {"Inception": 0.84, "Heat": 0.82, "The Sting": 0.80, "Casino": 0.62, "Ronin": 0.61},
    },
}
"""The score of each returned item, by system and query."""

RESULTS = {
    "reranker": (0.742, 0.511, 0.368, 0.693, 0.487, 0.815, 0.604, 0.332, 0.571, 0.689, 0.446, 0.538),
    "hybrid": (0.731, 0.498, 0.352, 0.701, 0.476, 0.802, 0.588, 0.341, 0.559, 0.671, 0.452, 0.529),
    "dense large": (0.728, 0.502, 0.347, 0.688, 0.481, 0.794, 0.591, 0.318, 0.562, 0.678, 0.431, 0.533),
    "dense small": (0.684, 0.449, 0.311, 0.652, 0.433, 0.758, 0.547, 0.296, 0.518, 0.629, 0.402, 0.488),
    "sparse": (0.691, 0.443, 0.329, 0.611, 0.429, 0.771, 0.532, 0.325, 0.507, 0.622, 0.438, 0.479),
    "keywords": (0.656, 0.398, 0.302, 0.513, 0.381, 0.742, 0.471, 0.309, 0.452, 0.567, 0.421, 0.434),
}
"""Invented nDCG@10 of six systems on twelve data sets, for a leaderboard."""
DATA_SETS = (
    "news",
    "law",
    "science",
    "code",
    "finance",
    "travel",
    "recipes",
    "patents",
    "health",
    "films",
    "maths",
    "forum",
)

JUDGE = {
    "space opera": {"Star Wars": 3, "Dune": 3, "Serenity": 3, "Flash Gordon": 2, "Gravity": 1},
    "功夫片": {"卧虎藏龙": 3, "叶问": 3, "功夫": 3, "英雄": 2, "Rush Hour": 1, "Kung Pow": 0},
    "heist": {"Heat": 3, "Inception": 1, "Ronin": 2, "The Sting": 3, "Casino": 2},
}
"""The grades that a language model could have given the same items."""

METRICS = ("nDCG@5", "AP", "RR", "P@3", "HR@1")
"""The metrics of the demonstration."""


def files(*, judge: bool = False) -> dict[str, str]:
    """Return the example as CSV files: their texts by name; with those of the judge, if asked for.

    >>> print(files()["judgments.csv"].splitlines()[1])
    space opera,Star Wars,3
    """
    from rankgauge.evaluation.score_formats import table_text  # noqa: PLC0415 (only to write the files)

    sources: dict[str, Mapping[str, Mapping[str, float]]] = {"judgments": JUDGMENTS, **SYSTEMS}
    sources |= {"judge": JUDGE} if judge else {}
    texts = {}
    for name, source in sources.items():
        rows = [(query, item, value) for query, items in source.items() for item, value in items.items()]
        texts[f"{name}.csv"] = table_text(["query", "item", "score" if name in SYSTEMS else "grade"], rows, ",")
    return texts


def results_file() -> str:
    """Return the results of six systems on twelve data sets as a CSV file.

    >>> print(results_file().splitlines()[1])
    reranker,news,0.742
    """
    from rankgauge.evaluation.score_formats import table_text  # noqa: PLC0415 (only to write the file)

    rows = [(name, *cell) for name, values in RESULTS.items() for cell in zip(DATA_SETS, values, strict=True)]
    return table_text(["system", "data_set", "value"], rows, ",")
