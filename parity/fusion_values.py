"""Values of ``ranx.fuse`` on small worlds, stored for the tests of ``fuse``.

Run it in an environment with ranx (0.3.21 was used): ``python parity/fusion_values.py``. It writes
``tests/data/fusion/ranx.json``. Methods that are trained on judgments are not compared: ``fuse`` takes none.
"""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ranx import Run, fuse

TARGET = Path(__file__).parents[1] / "tests/data/fusion/ranx.json"
NORMS = [None, "min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda"]
WEIGHTS = [0.5, 0.3, 0.2]
OF_SCORES: dict[str, dict[str, Any]] = {
    "sum": {}, "mnz": {}, "anz": {}, "min": {}, "max": {}, "med": {}, "gmnz": {"gamma": 0.5},
    "wsum": {"weights": WEIGHTS}, "wmnz": {"weights": WEIGHTS}, "mixed": {"weights": WEIGHTS},
}  # fmt: skip
OF_RANKS: dict[str, dict[str, Any]] = {
    "rrf": {"k": 60}, "isr": {}, "log_isr": {}, "logn_isr": {"sigma": 0.2}, "rbc": {"phi": 0.8}, "bordafuse": {},
    "w_bordafuse": {"weights": WEIGHTS}, "condorcet": {}, "w_condorcet": {"weights": [0.5, 0.3, 0.19]},
}  # fmt: skip


def world(seed: int) -> list[dict[str, dict[str, float]]]:
    """Return three runs of the same queries; items are missing, and scores tie in every second world."""
    random.seed(seed)
    runs = []
    for scale in (1, 30, 0.1):
        run = {}
        for query in ("q1", "q2", "q3"):
            items = random.sample("abcdefghij", random.randint(1 if seed == 2 else 3, 8))
            scores = [random.randint(1, 4) if seed % 2 else random.uniform(0.1, 4) for _ in items]
            # ranx keeps the order in which tied items come in
            rows = sorted(zip(scores, items, strict=True), reverse=True)
            run[query] = {item: score * scale for score, item in rows}
        runs.append(run)
    return runs


def transitive(runs: list[dict[str, dict[str, float]]], weights: list[float]) -> bool:
    """Whether majorities order all items of all queries: otherwise the result of Condorcet depends on the hash seed."""
    for query in runs[0]:
        lists = [[*run[query]] for run in runs]
        items = sorted({item for items in lists for item in items})

        def before(first: str, second: str, lists: list[list[str]] = lists) -> bool:
            place = [[items.index(x) if x in items else 10**6 for x in (first, second)] for items in lists]
            votes = sum(weight for weight, (x, y) in zip(weights, place, strict=True) if x < y)
            return votes >= sum(weights) / 2

        wins = {item: sum(before(item, other) for other in items if other != item) for item in items}
        pairs = [(x, y) for x in items for y in items if x < y]
        if any(before(x, y) == before(y, x) for x, y in pairs) or len({*wins.values()}) < len(items):
            return False
    return True


def values(runs: list[dict[str, dict[str, float]]], method: str, norm: str | None, params: dict[str, Any]) -> Any:
    """Return the fused scores of one call, rounded to what double precision certainly holds."""
    fused = fuse(
        [Run(run, name=str(number)) for number, run in enumerate(runs)], norm=norm, method=method, params=params
    )
    return {
        query: {item: float(f"{score:.12g}") for item, score in items.items()}
        for query, items in fused.to_dict().items()
    }


def condorcet_worlds(count: int) -> list[Any]:
    """Return worlds of complete lists in which majorities order everything."""
    stored: list[Any] = []
    random.seed(0)
    while len(stored) < count:
        runs = [
            {
                query: {item: 5.0 - place for place, item in enumerate(random.sample("abcde", 5))}
                for query in ("q1", "q2")
            }
            for _ in range(3)
        ]
        names = [
            name for name in ("condorcet", "w_condorcet") if transitive(runs, OF_RANKS[name].get("weights", [1, 1, 1]))
        ]
        results = [result(runs, name, None, OF_RANKS[name]) for name in names]
        stored += [{"runs": runs, "results": results}] if len(names) == len(results) == 2 else []
    return stored


def result(runs: list[dict[str, dict[str, float]]], method: str, norm: str | None, params: dict[str, Any]) -> Any:
    """Return a call and its values."""
    return {"method": method, "norm": norm, "params": params, "values": values(runs, method, norm, params)}


def main() -> None:
    """Write the values of every method and norm."""
    stored = []
    for seed in range(4):
        runs = world(seed)
        calls = [(method, norm, params) for method, params in OF_SCORES.items() for norm in NORMS]
        calls += [(method, None, params) for method, params in OF_RANKS.items()]
        results = []
        for method, norm, params in calls:
            if "condorcet" in method and not transitive(runs, params.get("weights", [1, 1, 1])):
                continue
            results.append(result(runs, method, norm, params))
        stored.append({"runs": runs, "results": results})
    stored += condorcet_worlds(4)
    TARGET.write_text(json.dumps({"ranx": version("ranx"), "worlds": stored}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
