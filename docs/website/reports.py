"""The reports of the gallery, as files beside the pages."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import rankgauge as rg
from rankgauge.example import JUDGMENTS, SYSTEMS
from rankgauge.rendering.language import Lang, Phrase

TITLES = {
    "films": Phrase("Films: two systems, three queries", "电影：两个系统，三个查询"),
    "search": Phrase("Search: three systems, sixty queries (simulated)", "搜索：三个系统，六十个查询（模拟数据）"),
}
MARK = "<!-- live reports -->"


def write(folder: Path, lang: Lang) -> None:
    """Write the reports."""
    folder.mkdir(parents=True)
    judgments, systems = simulated()
    rg.report(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP", "RR"], lang=lang).save(folder / "films.html")
    rg.report(judgments, systems, ["nDCG@10", "AP"], lang=lang).save(folder / "search.html")


def simulated(queries: int = 60, items: int = 30) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, list[str]]]]:
    """Return judgments and three systems of rising quality."""
    random = np.random.default_rng(7)
    judgments: dict[str, dict[str, int]] = {}
    systems: dict[str, dict[str, list[str]]] = {name: {} for name in ("bm25", "dense", "reranked")}
    for number in range(1, queries + 1):
        grades = random.choice(4, items, p=[0.7, 0.15, 0.1, 0.05])
        names = [f"d{number}-{place}" for place in range(items)]
        judgments[f"q{number}"] = {name: int(grade) for name, grade in zip(names, grades, strict=True)}
        for quality, lists in zip((0.5, 0.8, 1.1), systems.values(), strict=True):
            order = np.argsort(-(grades * quality + random.normal(0, 1, items)))
            lists[f"q{number}"] = [names[place] for place in order[:20]]
    return judgments, systems


def links(lang: Lang) -> str:
    """Return the links to the reports."""
    listed = (f'<li><a href="reports/{name}.html">{title.render(lang)}</a></li>' for name, title in TITLES.items())
    return f"<ul>{''.join(listed)}</ul>"
