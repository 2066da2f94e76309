"""Simulations of simultaneous rank sets: how often all of them hold, with equal systems and with ties in truth.

``python tests/leaderboard_simulation.py [SAMPLES [WORLD...]]`` writes the rates to ``data/leaderboard_simulation.json`` and the table of
docs/leaderboards.md; ``test_leaderboard_statistics.py`` repeats a small part. What is simulated is ``rg.stats.all_pairs``.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rankgauge import stats

Floats = np.ndarray[Any, Any]
RESULTS = Path(__file__).parent / "data" / "leaderboard_simulation.json"
DOCS = Path(__file__).parents[1] / "docs"
SIZES = ((10, 10), (41, 10), (10, 41), (30, 15))
"""Systems and data sets."""
SAMPLES = 2_000
FLIPS = 499


class World(NamedTuple):
    """A kind of results: the true means of the systems, and how values scatter around them."""

    truth: Callable[[int], Floats]
    noise: Callable[[np.random.Generator, int, int], Floats]
    en: str
    zh: str


def equal(systems: int) -> Floats:
    return np.zeros(systems)


def halves(systems: int) -> Floats:
    return np.repeat([0.0, 1.0], [systems // 2, systems - systems // 2])


def ladder(systems: int) -> Floats:
    return np.arange(systems) // 3 * 0.5


def normal(random: np.random.Generator, data_sets: int, systems: int) -> Floats:
    return random.normal(size=(data_sets, systems)) + 3 * random.normal(size=(data_sets, 1))


def uneven(random: np.random.Generator, data_sets: int, systems: int) -> Floats:
    by_system, by_data_set = np.linspace(0.2, 2, systems), np.exp(0.7 * random.normal(size=(data_sets, 1)))
    return random.normal(size=(data_sets, systems)) * by_system * by_data_set


def skewed(random: np.random.Generator, data_sets: int, systems: int) -> Floats:
    return random.exponential(size=(data_sets, systems))


def heavy(random: np.random.Generator, data_sets: int, systems: int) -> Floats:
    return random.standard_t(3, size=(data_sets, systems))


def nearly_identical(random: np.random.Generator, data_sets: int, systems: int) -> Floats:
    values = random.normal(size=(data_sets, systems))
    return np.where(random.random((data_sets, systems)) < 0.7, 0.0, values) + random.normal(size=(data_sets, 1))


WORLDS = {
    "normal": World(equal, normal, "all equal, normal", "全部相等，正态"),
    "uneven": World(
        equal, uneven, "all equal, spread differs by system and data set", "全部相等，离散程度随系统与数据集而异"
    ),
    "skewed": World(equal, skewed, "all equal, skewed", "全部相等，偏斜"),
    "heavy": World(
        equal, heavy, "all equal, heavy tails (t with 3 degrees of freedom)", "全部相等，重尾（自由度 3 的 t 分布）"
    ),
    "nearly": World(equal, nearly_identical, "all equal, nearly identical", "全部相等，几乎相同"),
    "halves": World(halves, normal, "two groups of equal systems", "两组各自相等的系统"),
    "ladder": World(ladder, normal, "ties of three systems each", "每三个系统并列"),
}


def coverage(world: str, systems: int, data_sets: int, samples: int, seed: int, flips: int = FLIPS) -> float:
    """Share of the samples in which the rank set of every system contains all ranks that its ties allow."""
    random, kind = np.random.default_rng(seed), WORLDS[world]
    truth = kind.truth(systems)
    best = 1 + (truth[:, None] < truth).sum(axis=1)
    worst = systems - (truth[:, None] > truth).sum(axis=1)
    held = 0
    for sample in range(samples):
        values = truth + kind.noise(random, data_sets, systems)
        result = stats.all_pairs(values, permutations=flips, seed=sample)
        sets = np.array(stats.rank_sets(result.higher))
        held += bool((sets[:, 0] <= best).all() and (sets[:, 1] >= worst).all())
    return held / samples


def simulate(samples: int, worlds: list[str]) -> dict[str, dict[str, float]]:
    """Return the rates of all worlds; those that are not simulated again keep theirs."""
    rates = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for world in worlds:
        rates[world] = {f"{n} x {d}": coverage(world, n, d, samples, seed=1) for n, d in SIZES}
        sys.stdout.write(f"{world} {rates[world]}\n")
        sys.stdout.flush()
    return {world: rates[world] for world in WORLDS if world in rates}


def documented(text: str, rates: dict[str, dict[str, float]], lang: str) -> str:
    """Return a page with the simulated rates in its table."""
    sizes = [*next(iter(rates.values()))]
    head = ["systems x data sets" if lang == "en" else "系统数 x 数据集数", *sizes]
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * len(sizes)]
    for world, row in rates.items():
        name = WORLDS[world].en if lang == "en" else WORLDS[world].zh
        lines.append(f"| {name} | " + " | ".join(f"{rate:.3f}".lstrip("0") for rate in row.values()) + " |")
    mark = "<!-- simulated rank sets -->"
    table = "\n".join([mark, *lines, "<!-- end -->"])
    return re.sub(rf"{mark}.*?<!-- end -->", lambda _: table, text, flags=re.DOTALL)


if __name__ == "__main__":
    result = simulate(int(sys.argv[1]) if sys.argv[1:] else SAMPLES, sys.argv[2:] or [*WORLDS])
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for lang, page in (("en", "leaderboards.md"), ("zh", "leaderboards.zh-CN.md")):
        text = (DOCS / page).read_text(encoding="utf-8")
        (DOCS / page).write_text(documented(text, result, lang), encoding="utf-8")
