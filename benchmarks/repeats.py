"""What the rules for repeated items and units cost lists that have none: ``benchmarks/repeats.py`` writes repeats.md.

Processor time of the same calls in the versions before and after each rule was added, and now; the best of several processes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROUNDS = 3
VERSIONS = {
    "before the rule `duplicates`": "a33409d^",
    "with it": "a33409d",
    "before the rule `units`": "54b48e9^",
    "with it, too": "54b48e9",
    "now": "HEAD",
}
PROGRAM = """
import json, random, time
import numpy as np, polars as pl
import rankgauge as rg
chance, numbers = random.Random(1), np.random.default_rng(1)
items = [f"d{item}" for _ in range(2000) for item in chance.sample(range(500), 100)]
queries = [f"q{query}" for query in range(2000) for _ in range(100)]
ranking = pl.DataFrame({"query": queries, "item": items, "score": numbers.random(200_000)})
judgments = ranking.group_by("query", maintain_order=True).head(20).select("query", "item")
judgments = judgments.with_columns(grade=pl.Series(numbers.integers(0, 4, 40_000)))
def nested(frame):
    found = {}
    for query, item, number in frame.rows():
        found.setdefault(query, {})[item] = number
    return found
some, judged = nested(ranking.head(50_000)), nested(judgments.head(10_000))
one, its = {"q0": some["q0"]}, {"q0": judged["q0"]}
metrics = ["nDCG@10", "AP", "RR", "R@100"]
def best(call, times):
    found = []
    for _ in range(9):
        start = time.process_time()
        for _ in range(times):
            call()
        found.append((time.process_time() - start) / times)
    return min(found)
print(json.dumps({
    "frame, 200,000 rows": best(lambda: rg.evaluate(judgments, ranking, metrics), 1),
    "dict, 500 queries": best(lambda: rg.evaluate(judged, some, metrics), 1),
    "one query": best(lambda: rg.evaluate(its, one, metrics), 20),
}))
"""


def measured(folder: Path) -> dict[str, float]:
    """Return the processor time of each call with the source of one version."""
    one_thread = {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": str(folder / "src")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=os.environ | one_thread, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def git(*words: str) -> None:
    """Run git in this repository."""
    subprocess.run(["git", *words], cwd=ROOT, check=True)  # noqa: S607 (found on the PATH)


def page(times: dict[str, dict[str, float]]) -> str:
    """Return the page: a row for each version."""
    calls = [*times["now"]]
    method = (
        "Milliseconds of processor time of `rg.evaluate` with four metrics, on one thread; the best of "
        f"{ROUNDS} processes. Written by benchmarks/repeats.py."
    )
    lines = [
        "# Lists without repeated items, before and after the rules for them",
        "",
        method,
        "",
        f"| version | {' | '.join(calls)} |",
        f"| --- |{' ---: |' * len(calls)}",
    ]
    for name, values in times.items():
        commit = VERSIONS[name].replace("^", "~1")
        lines.append(f"| {name} ({commit}) | {' | '.join(f'{1000 * values[call]:.3g}' for call in calls)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure all versions in turn, and write the page."""
    times: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        places = {name: Path(folder, str(number)) for number, name in enumerate(VERSIONS)}
        for name, place in places.items():
            git("worktree", "add", "-q", "--detach", str(place), VERSIONS[name])
        try:
            for _ in range(ROUNDS):
                for name, place in places.items():
                    got = measured(place)
                    times[name] = {call: min(value, times.get(name, got)[call]) for call, value in got.items()}
        finally:
            for place in places.values():
                git("worktree", "remove", "--force", str(place))
    (ROOT / "benchmarks" / "repeats.md").write_text(page(times), encoding="utf-8")


if __name__ == "__main__":
    main()
