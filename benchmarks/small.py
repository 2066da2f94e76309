"""Import time and an evaluation of ten queries, each in new processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

ROUNDS = 7
START = "import gc, json, time\ngc.disable()\n"
"""The garbage collector is off, as in ``timeit``: one full collection, of all that polars and others loaded, falls by chance into
the import, the first call or none."""
END = """
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024
print(json.dumps({"seconds": seconds, "peak_mb": peak}))
"""
IMPORT = """
started = time.perf_counter()
import {module}
seconds = time.perf_counter() - started
"""
DATA = """
import polars as pl
import rankgauge as rg
judgments = {f"q{q}": {f"d{d}": d % 4 for d in range(0, 50, 3)} for q in range(10)}
ranking = {f"q{q}": {f"d{d}": (d * 37 + q) % 101 / 7 for d in range(100)} for q in range(10)}
metrics = ["nDCG@10", "AP", "RR"]
"""
FRAMES = """
def frame(nested, name):
    rows = [(query, item, value) for query, items in nested.items() for item, value in items.items()]
    return pl.DataFrame(rows, schema=["query_id", "item_id", name], orient="row")
judgments, ranking = frame(judgments, "grade"), frame(ranking, "score")
"""
FIRST = """
started = time.perf_counter()
rg.evaluate(judgments, ranking, metrics)
seconds = time.perf_counter() - started
"""
LATER = """
rg.evaluate(judgments, ranking, metrics)
def one():
    started = time.perf_counter()
    rg.evaluate(judgments, ranking, metrics)
    return time.perf_counter() - started
seconds = sorted(one() for _ in range(101))[50]
"""
PREPARED = """
evaluator = rg.Evaluator(judgments, metrics)
evaluator.query_values("q0", ranking["q0"])
def one():
    started = time.perf_counter()
    evaluator.query_values("q0", ranking["q0"])
    return time.perf_counter() - started
seconds = sorted(one() for _ in range(1001))[500]
"""
PROGRAMS = {
    ("import rankgauge", "first"): IMPORT.format(module="rankgauge"),
    ("import numpy, for comparison", "first"): IMPORT.format(module="numpy"),
    ("import polars, for comparison", "first"): IMPORT.format(module="polars"),
    ("ten queries from dicts", "first call"): DATA + FIRST,
    ("ten queries from dicts", "later calls"): DATA + LATER,
    ("one query, prepared evaluator", "later calls"): DATA + PREPARED,
    ("ten queries from Polars frames", "first call"): DATA + FRAMES + FIRST,
    ("ten queries from Polars frames", "later calls"): DATA + FRAMES + LATER,
}
LIMITS = {
    ("import rankgauge", "first"): 0.15,
    ("ten queries from dicts", "first call"): 0.010,
    ("ten queries from dicts", "later calls"): 0.0006,
    ("one query, prepared evaluator", "later calls"): 0.00015,
    ("ten queries from Polars frames", "first call"): 0.030,
    ("ten queries from Polars frames", "later calls"): 0.005,
}
TEXT = (
    "Seconds in new processes. Ten queries of 100 items, nDCG@10, AP and RR, after `import polars`: "
    "the first call, and the median of the next 101 calls. `query_values` of a prepared evaluator evaluates one of the queries. "
    "The garbage collector is off, as in `timeit`."
)


def measure() -> list[dict[str, Any]]:
    """Return a record for each program."""
    return [
        {"case": case, "size": size, "limit": LIMITS.get((case, size)), **best_of(program)}
        for (case, size), program in PROGRAMS.items()
    ]


def best_of(program: str) -> dict[str, Any]:
    """Return the best of several new processes, or the error."""
    results = []
    # Packages installed by pip have bytecode; here the first round writes it, unless that is disabled.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(ROUNDS):
        done = subprocess.run(
            [sys.executable, "-c", START + program + END],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            return {"error": done.stderr.strip().splitlines()[-1][:300]}
        results.append(json.loads(done.stdout))
    best = min(results, key=lambda one: one["seconds"])
    return best | {"rounds": [one["seconds"] for one in results]}
