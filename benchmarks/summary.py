"""Write the speed tables of the READMEs from the measurements: `python benchmarks/summary.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from contest import OURS

HERE = Path(__file__).parent
START, END = "<!-- written by benchmarks/summary.py -->\n", "<!-- end of benchmarks/summary.py -->"
PAGES = {"en": HERE.parent / "README.md", "zh": HERE.parent / "README.zh-CN.md"}
COLUMNS = {"en": ("input", "rankgauge", "other tools take"), "zh": ("输入", "rankgauge", "其他工具的用时")}
Records = list[dict[str, Any]]


class Line(NamedTuple):
    """A row of the table."""

    scenario: str
    case: str
    size: str
    en: str
    zh: str
    peers: dict[str, str]
    """Other tools and their names in the table."""


SCIKIT = {"sklearn ndcg_score": "scikit-learn"}
TREC = {"ir_measures": "ir_measures", "ranx": "ranx", "pytrec_eval": "pytrec_eval (C)"}
LINES = (
    Line("trec", "one judged", "1x", "TREC files, 7 million lines in rank order", "TREC 文件，七百万行，按名次排列", TREC),
    Line("dicts", "one judged", "6,980 queries", "dicts, 7 million scores", "字典，七百万个分数",
         {"ranx": "ranx", "pytrec_eval": "pytrec_eval (C)"}),
    Line("frames", "five metrics", "100,000 users", "frames, 10 million rows in score order", "DataFrame，一千万行，按分数排序",
         {"RecTools": "RecTools", "RePlay": "RePlay"}),
    Line("dense", "nDCG@10", "10,000 rows", "arrays, 10 million scores, nDCG@10", "数组，一千万个分数，nDCG@10", SCIKIT),
    Line("dense", "nDCG", "10,000 rows", "arrays, 10 million scores, full nDCG", "数组，一千万个分数，完整 nDCG", SCIKIT),
)  # fmt: skip


def table(lang: str) -> str:
    """Return the Markdown table."""
    results, gpu = (json.loads((HERE / name).read_text(encoding="utf-8")) for name in ("results.json", "gpu.json"))
    rows = [COLUMNS[lang], ("---", "---:", "---"), *(row(one, results[one.scenario]["records"], lang) for one in LINES)]
    on_gpu = gpu["torchmetrics"][0]
    times = on_gpu["torchmetrics ms"] / on_gpu["repeated ms"]
    what = {"en": "tensors on a GPU, 2 million scores, nDCG@10", "zh": "GPU 张量，二百万个分数，nDCG@10"}[lang]
    rows.append((what, f"{on_gpu['repeated ms']:.2g} ms", f"torchmetrics {times:,.0f}x"))
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def row(line: Line, records: Records, lang: str) -> tuple[str, str, str]:
    """Return a row: the time of rankgauge, and the times of other tools relative to it."""
    seconds = {one["tool"]: one["seconds"] for one in records if (one["case"], one["size"]) == (line.case, line.size)}
    times = (f"{shown} {seconds[tool] / seconds[OURS]:.2g}x" for tool, shown in line.peers.items())
    return getattr(line, lang), f"{seconds[OURS]:.2g} s", ", ".join(times)


def with_table(page: str, lang: str) -> str:
    """Return the page with the current table."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}{table(lang)}{END}{after}"


def write() -> None:
    """Update both READMEs."""
    for lang, path in PAGES.items():
        path.write_text(with_table(path.read_text(encoding="utf-8"), lang), encoding="utf-8")


if __name__ == "__main__":
    write()
