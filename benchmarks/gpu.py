"""GPU: counting ranks compared with one read of the scores, evaluations compared with torchmetrics, and agreement with the CPU.

Run on a machine with CUDA, torch, Triton and torchmetrics: ``python benchmarks/gpu.py results.json``. Times are medians of
CUDA events (counting) or of elapsed time after synchronising (evaluations), after a warm-up.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
import triton

import rankgauge as rg
from rankgauge.engines.arrays.judged_items import count_ranks
from rankgauge.engines.arrays.torch import BatchEvaluator, JudgedItems, evaluate

ROWS, ITEMS = 16_384, 50_000
PEER = "torchmetrics-1.7.4"
MAIN = ["nDCG@10", "AP", "RR"]


def wall(call: Callable[[], Any], rounds: int = 25) -> float:
    """Return the median seconds of a call, synchronised before and after."""
    call()
    times = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        start = time.perf_counter()
        call()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def extra_memory(call: Callable[..., Any], batch: dict[str, Any]) -> float:
    """Return the MB of GPU memory that two calls take at the most beside their tensors."""
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    for _ in range(2):
        call(**batch)
    return (torch.cuda.max_memory_allocated() - before) / 1e6


def counting() -> list[dict[str, Any]]:
    """Time counting by the number of judged items per row, and amax and topk for comparison."""
    generator = torch.Generator("cuda").manual_seed(0)
    scores = torch.randn(ROWS, ITEMS, device="cuda", generator=generator)
    timed = [("amax", 0, lambda: scores.amax(1)), ("topk(10)", 0, lambda: torch.topk(scores, 10, dim=1))]
    for judged in (1, 2, 4, 8, 10, 16, 20, 32):
        items = torch.randint(0, ITEMS, (ROWS, judged), device="cuda", generator=generator)
        few, rules = JudgedItems(items, torch.ones_like(items)), rg.Convention(ties="mean")
        counts = count_ranks(scores, few, rules)
        own = scores[:50].gather(1, items[:50])[:, None, :]
        assert bool((counts.above[:50] == (scores[:50, :, None] > own).sum(1)).all())  # noqa: S101
        assert bool((counts.equal[:50] == (scores[:50, :, None] == own).sum(1)).all())  # noqa: S101
        timed.append(("counting", judged, lambda few=few, rules=rules: count_ranks(scores, few, rules)))
    return [
        {"what": what, "judged": judged, "ms": triton.testing.do_bench(call, warmup=25, rep=200, return_mode="median")}
        for what, judged, call in timed
    ]


SHAPES = [
    (16_384, 50_000, 4, torch.float32),
    (16_384, 50_000, 10, torch.float32),
    (2_048, 1_000_000, 10, torch.float32),
    (2_048, 1_000_000, 10, torch.bfloat16),
    (65_536, 1_000, 20, torch.float32),
    (100_000, 500, 30, torch.float32),
]


def evaluations() -> list[dict[str, Any]]:
    """Time complete evaluations from judged items, beside one read of the scores and their top 10."""
    generator = torch.Generator("cuda").manual_seed(1)
    found = []
    for rows, items, judged, kind in SHAPES:
        scores = torch.randn(rows, items, device="cuda", generator=generator).to(kind)
        columns = torch.argsort(torch.rand(rows, 64, device="cuda", generator=generator))[:, :judged] * (items // 64)
        few = JudgedItems(columns, torch.randint(0, 4, columns.shape, device="cuda", generator=generator))
        metrics = ["nDCG@10", "R@10", "RR"]
        batch = {"judgments": few, "scores": scores}
        recorded = BatchEvaluator(metrics)
        extra, recorded_extra = (extra_memory(call, batch) for call in (partial(evaluate, metrics=metrics), recorded))
        found.append(
            {
                "rows": rows,
                "items": items,
                "judged": judged,
                "dtype": str(kind).removeprefix("torch."),
                "one read ms": 1e3 * wall(lambda scores=scores: scores.amax(1)),
                "topk ms": 1e3 * wall(lambda scores=scores: torch.topk(scores, 10, dim=1)),
                "evaluate ms": 1e3 * wall(lambda batch=batch, metrics=metrics: evaluate(**batch, metrics=metrics)),
                "evaluate extra MB": extra,
                "BatchEvaluator ms": 1e3 * wall(lambda batch=batch, recorded=recorded: recorded(**batch)),
                "BatchEvaluator extra MB": recorded_extra,
            }
        )
    return found


def compare_torchmetrics() -> list[dict[str, Any]]:
    """Compare with torchmetrics on the same tensors: values must agree; each metric alone, then all in one call.

    ``repeated ms`` is a call of ``BatchEvaluator``, which replays a recorded graph, and ``rankgauge ms`` a call of ``evaluate``,
    both with labels for every item and scores without ties; ``tied ms`` is ``evaluate`` on random scores with some ties, where each
    value is the exact mean over their orders; ``of the relevant ms`` uses ``JudgedItems`` with the relevant items only.
    """
    from torchmetrics.retrieval import RetrievalMAP, RetrievalMRR, RetrievalNormalizedDCG

    generator = torch.Generator("cuda").manual_seed(2)
    rows, items = 2_000, 1_000
    tied = torch.rand(rows, items, device="cuda", generator=generator)
    scores = tied.argsort(1).float() / items
    labels = (torch.rand(rows, items, device="cuda", generator=generator) < 0.02).long()
    index = torch.arange(rows, device="cuda").repeat_interleave(items)
    most = int(labels.sum(1).max())
    grades, columns = torch.sort(labels, dim=1, descending=True, stable=True)
    few = JudgedItems(torch.where(grades[:, :most] > 0, columns[:, :most], -1), grades[:, :most])
    found = []
    peers = {"nDCG@10": lambda: RetrievalNormalizedDCG(top_k=10), "AP": RetrievalMAP, "RR": RetrievalMRR}
    for metric, make in peers.items():

        def theirs(make: Callable[[], Any] = make) -> float:
            peer = make().to("cuda")
            peer.update(scores.ravel(), labels.ravel(), indexes=index)
            return float(peer.compute())

        ours = evaluate(judgments=labels, scores=scores, metrics=metric, convention=PEER).mean(metric)
        apart = abs(ours - theirs())
        row = {"metric": metric, "torchmetrics ms": 1e3 * wall(theirs, 3), **_ours(metric, scores, tied, labels, few)}
        found.append(row | {"apart": apart})
    together = {"metric": " ".join(peers), "torchmetrics ms": sum(row["torchmetrics ms"] for row in found)}
    return [*found, together | _ours([*peers], scores, tied, labels, few)]


def _ours(metrics: Any, scores: Any, tied: Any, labels: Any, few: JudgedItems) -> dict[str, float]:
    repeated = BatchEvaluator(metrics, convention=PEER)
    repeated(judgments=labels, scores=scores)
    return {
        "repeated ms": 1e3 * wall(lambda: repeated(judgments=labels, scores=scores), 25),
        "rankgauge ms": 1e3
        * wall(lambda: evaluate(judgments=labels, scores=scores, metrics=metrics, convention=PEER), 25),
        "tied ms": 1e3 * wall(lambda: evaluate(judgments=labels, scores=tied, metrics=metrics, convention=PEER), 25),
        "of the relevant ms": 1e3
        * wall(lambda: evaluate(judgments=few, scores=scores, metrics=metrics, convention=PEER), 25),
    }


def agreement() -> dict[str, float]:
    """Return the largest difference from NumPy over all metrics, by precision of the scores."""
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 4, (300, 400)).astype(float)
    labels[rng.random(labels.shape) < 0.9] = np.nan
    largest = {}
    for kind in (torch.float64, torch.float32, torch.bfloat16):
        scores = torch.tensor(rng.random(labels.shape), device="cuda").to(kind)
        host, apart = scores.double().cpu().numpy(), 0.0
        for ties in ("id", "mean", "best"):
            rules = rg.Convention(ties=ties)
            for name, metric in rg.metrics().items():
                if metric.definition.of_items:
                    continue
                try:
                    want = rg.evaluate(labels, host, metric, convention=rules)[metric]
                except rg.RankgaugeError:
                    continue
                got = evaluate(
                    judgments=torch.tensor(labels, device="cuda"), scores=scores, metrics=metric, convention=rules
                )[metric]
                assert np.array_equal(np.isnan(got), np.isnan(want)), name  # noqa: S101
                apart = max(apart, float(np.nanmax(np.abs(got - want), initial=0.0)))
        largest[str(kind)] = apart
    return largest


def main(target: str) -> None:
    """Measure everything and write the results."""
    versions = {"torch": torch.__version__, "triton": triton.__version__, "numpy": np.__version__}
    results = {
        "machine": torch.cuda.get_device_name(),
        "versions": versions | {"torchmetrics": version("torchmetrics")},
        "agreement": agreement(),
        "counting": counting(),
        "evaluations": evaluations(),
        "torchmetrics": compare_torchmetrics(),
    }
    Path(target).write_text(json.dumps(results, indent=1) + "\n")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "gpu.json")
