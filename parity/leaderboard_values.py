"""Compute aggregates of leaderboards with other tools on small random results, for ``tests/data/leaderboards.json``.

``python parity/leaderboard_values.py MTEB_FOLDER OUT`` needs evalica, choix and polars; MTEB_FOLDER is the folder of an
mteb package, whose own function for Borda ranks is taken from its source, because importing mteb needs torch.
"""

from __future__ import annotations

import ast
import json
import random
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import choix
import evalica
import numpy as np
import polars as pl

WORLDS = 12
SYSTEMS, DATA_SETS = (4, 7), (8, 14)


def worlds() -> list[dict[str, dict[str, float | None]]]:
    """Generate results with ties; every third data set has missing values."""
    chance, found = random.Random(34), []
    for number in range(WORLDS):
        systems = [f"s{place}" for place in range(chance.randint(*SYSTEMS))]
        data_sets = [f"d{place}" for place in range(chance.randint(*DATA_SETS))]
        found.append(
            {
                system: {
                    data_set: None if number % 3 == 2 and chance.random() < 0.15 else chance.randrange(20) / 20
                    for data_set in data_sets
                }
                for system in systems
            }
        )
    return found


def comparisons(world: dict[str, dict[str, float | None]]) -> list[tuple[str, str, float]]:
    """Return every pair on every data set that both have, with 1, 1/2 or 0 for the first."""
    systems = [*world]
    return [
        (first, second, (one > other) + 0.5 * (one == other))
        for place, first in enumerate(systems)
        for second in systems[place + 1 :]
        for data_set in world[first]
        if (one := world[first][data_set]) is not None and (other := world[second][data_set]) is not None
    ]


def evalica_strengths(world: dict[str, dict[str, float | None]]) -> dict[str, float]:
    """Return the strengths of evalica, with geometric mean 1."""
    names = {1.0: evalica.Winner.X, 0.5: evalica.Winner.Draw, 0.0: evalica.Winner.Y}
    xs, ys, results = zip(*comparisons(world), strict=True)
    winners = [names[result] for result in results]
    scores = evalica.bradley_terry(xs, ys, winners, tolerance=1e-14, limit=100_000).scores
    logs = np.log([scores[system] for system in world])
    return dict(zip(world, np.exp(logs - logs.mean()).tolist(), strict=True))


def choix_strengths(world: dict[str, dict[str, float | None]]) -> dict[str, float]:
    """Return the strengths of choix; a tie is one win of each in doubled data."""
    systems, data = [*world], []
    for first, second, result in comparisons(world):
        one, other = systems.index(first), systems.index(second)
        data += [(one, other)] * int(2 * result) + [(other, one)] * int(2 - 2 * result)
    logs = choix.mm_pairwise(len(systems), data, tol=1e-14, max_iter=100_000)
    return dict(zip(systems, np.exp(logs - logs.mean()).tolist(), strict=True))


def mteb_function(folder: Path) -> Any:
    """Return mteb's function for Borda ranks, compiled from its source."""
    source = (folder / "benchmarks" / "_create_table.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if getattr(node, "name", "") == "_borda_rank_from_long"]
    names: dict[str, Any] = {"pl": pl}
    exec(compile(ast.unparse(tree), "mteb", "exec"), names)  # noqa: S102 (the source of the tool, not data)
    return names["_borda_rank_from_long"]


def borda_ranks(function: Any, world: dict[str, dict[str, float | None]]) -> dict[str, int]:
    """Return the Borda ranks of mteb."""
    rows = [
        {"model_name": system, "task_name": data_set, "score": value}
        for system, values in world.items()
        for data_set, value in values.items()
        if value is not None
    ]
    table = function(pl.DataFrame(rows), n_models=len(world))
    return dict(table.select("model_name", "Rank (Borda)").iter_rows())


if __name__ == "__main__":
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    borda = mteb_function(folder)
    found = [
        {
            "results": world,
            "evalica": evalica_strengths(world),
            "choix": choix_strengths(world),
            "mteb": borda_ranks(borda, world),
        }
        for world in worlds()
    ]
    release = next(folder.parent.glob("mteb-*.dist-info"), Path("mteb-2.26.24.dist-info")).name
    versions = {
        "evalica": version("evalica"),
        "choix": version("choix"),
        "mteb": release.split("-")[1].split(".dist")[0],
    }
    out.write_text(json.dumps({"versions": versions, "worlds": found}, indent=1) + "\n", encoding="utf-8")
