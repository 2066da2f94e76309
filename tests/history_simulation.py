"""How often `blame` gives a false alarm in histories without any change; `python tests/history_simulation.py 1000`."""

import json
import re
import sys
from pathlib import Path

import numpy as np

import rankgauge as rg
from rankgauge.history.paired import Window

STORED = Path(__file__).parent / "data" / "history" / "rates.json"
DOCS = Path(__file__).parents[1] / "docs"
MARK = "<!-- rate: written by tests/history_simulation.py -->"
RUNS, QUERIES, ALPHA = 30, 50, 0.05


def history(generator, runs=RUNS, queries=QUERIES, drops=()):
    """Runs of one system with noise; at each of ``drops`` the values fall by a fifth and the field model changes."""
    difficulty, lowered, values, logged = generator.uniform(0.2, 0.9, queries), 0.0, [], []
    for number in range(runs):
        lowered += 0.2 * (number in drops)
        own = difficulty - lowered + generator.normal(0, 0.08, queries)
        values.append({str(query): float(value) for query, value in enumerate(own)})
        model = str(sum(drop <= number for drop in drops))
        summary = rg.history.MetricSummary(float(own.mean()), queries, float(own.std(ddof=1)) / queries**0.5)
        logged.append(
            rg.history.LoggedRun(
                id=str(number),
                time=f"2026-01-01T00:00:{number:02}Z",
                metrics={"AP": summary},
                fields={"model": model},
                judgments="j",
                queries="q",
                values=str(number),
            )
        )
    return logged, lambda run, _: values[int(run.id)]


def blame(logged, values, family=None):
    window = Window(logged, "AP", values)
    window.family = window.family if family is None else family
    return rg.history.Blame(window, rg.AP, ALPHA, 0.0)


def rate(histories, seed=0, family=None):
    """The share of null histories with any alarm, with p-values corrected for this many pairs."""
    generator = np.random.default_rng(seed)
    return sum(bool(blame(*history(generator), family).alarms) for _ in range(histories)) / histories


def sentences(result):
    """What the pages say of the rates."""
    values = result | {"share": f"{result['false_alarms']:.1%}", "naive": f"{result['looks_only']:.1%}"}
    en = (
        "In {histories:,} simulated histories of {runs} runs on {queries} queries without any change, the rate of "
        "false positives of `blame` was {share} at `--alpha {alpha}`; corrected for the {runs} runs alone it would be {naive}."
    )
    zh = (
        "在 {histories:,} 个毫无变化的模拟历史（各 {runs} 条记录、{queries} 个查询）中，`blame` 在 `--alpha {alpha}` 下误报的占 "
        "{share}；若只按 {runs} 条记录校正，则为 {naive}。"
    )
    return {"history.md": en.format(**values), "history.zh-CN.md": zh.format(**values)}


if __name__ == "__main__":
    count = int(sys.argv[1])
    result = {"histories": count, "runs": RUNS, "queries": QUERIES, "alpha": ALPHA, "false_alarms": rate(count)}
    result["looks_only"] = rate(count, family=RUNS)
    STORED.write_text(json.dumps(result) + "\n", encoding="utf-8")
    for name, sentence in sentences(result).items():
        page = DOCS / name
        text = re.sub(f"(?m)^{MARK}\n.*$", f"{MARK}\n{sentence}", page.read_text(encoding="utf-8"))
        page.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{result}\n")
