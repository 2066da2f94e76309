"""Write the GPU tables of docs/scale.md and its translation from gpu.json: `python benchmarks/gpu_page.py`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGES = {"en": HERE.parent / "docs/scale.md", "zh": HERE.parent / "docs/scale.zh-CN.md"}
MARKS = "<!-- gpu {}: written by benchmarks/gpu_page.py -->\n", "<!-- end of gpu {} -->\n"
TEXTS = {
    "en": {
        "counting": ("what", "judged items per row", "ms"),
        "evaluations": ("scores", "judged items per row", "one read", "`topk(10)`", "`evaluate`", "`BatchEvaluator`", "MB beside the tensors"),
        "torchmetrics": ("metric", "torchmetrics, ms", "replay, ms", "times as fast", "evaluate, ms", "times as fast", "with ties, ms"),
        "amax": "torch `amax`: one read of the scores",
        "count": "counting",
        "all": "all three, in one call",
    },
    "zh": {
        "counting": ("内容", "每行标注数", "毫秒"),
        "evaluations": ("分数", "每行标注数", "读一遍", "`topk(10)`", "`evaluate`", "`BatchEvaluator`", "张量之外的显存，MB"),
        "torchmetrics": ("指标", "torchmetrics，毫秒", "重放，毫秒", "快多少倍", "evaluate，毫秒", "快多少倍", "有并列，毫秒"),
        "amax": "torch `amax`：读一遍分数",
        "count": "计数",
        "all": "三者一次算出",
    },
}  # fmt: skip


def rows_of(name: str, measured: Any, texts: dict[str, Any]) -> Iterable[tuple[object, ...]]:
    """The cells of one table."""
    for row in measured[name]:
        match name:
            case "counting":
                what = {"amax": texts["amax"], "topk(10)": "torch `topk(10)`"}.get(row["what"], texts["count"])
                yield what, row["judged"] or "", f"{row['ms']:.2f}"
            case "evaluations":
                shape = f"{row['rows']:,} × {row['items']:,} {row['dtype']}"
                times = (row[f"{call} ms"] for call in ("one read", "topk", "evaluate", "BatchEvaluator"))
                memory = max(row["evaluate extra MB"], row["BatchEvaluator extra MB"])
                yield shape, row["judged"], *(f"{time:.2f}" for time in times), f"{memory:.0f}"
            case _:
                peer, replay, ours = (row[f"{who} ms"] for who in ("torchmetrics", "repeated", "rankgauge"))
                metric = row["metric"] if " " not in row["metric"] else texts["all"]
                yield (
                    metric, f"{peer:,.0f}", f"{replay:.2f}", f"{peer / replay:,.0f}", f"{ours:.1f}",
                    f"{peer / ours:,.0f}", f"{row['tied ms']:.1f}",
                )  # fmt: skip


def with_tables(page: str, lang: str) -> str:
    """Return the page with the current tables."""
    measured, texts = json.loads((HERE / "gpu.json").read_text(encoding="utf-8")), TEXTS[lang]
    for name in ("counting", "evaluations", "torchmetrics"):
        start, end = (mark.format(name) for mark in MARKS)
        heads = texts[name]
        lines = [heads, ("---", *["---:"] * (len(heads) - 1)), *rows_of(name, measured, texts)]
        table = "".join(f"| {' | '.join(map(str, cells))} |\n" for cells in lines)
        before, _, rest = page.partition(start)
        page = f"{before}{start}\n{table}\n{end}{rest.partition(end)[2]}"
    return page


if __name__ == "__main__":
    for lang, path in PAGES.items():
        path.write_text(with_tables(path.read_text(encoding="utf-8"), lang), encoding="utf-8")
