"""Write docs/partners.md and its translation from the results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
TEXTS = {
    "": {
        "title": "Partners",
        "intro": "`make partners` installs the newest release of each package in an environment of its own, runs it with and without\n"
        "rankgauge, and compares every value. [migrating.md](migrating.md) shows how to use the drop-ins. `make test` compares with\n"
        "stored values and installs nothing.",
        "columns": ["partner", "version", "what runs", "values compared", "agree", "largest difference"],
        "nan": "; {count:,} are NaN there and numbers here",
        "own": "Their own tests",
        "own intro": "Tests from the repositories of the packages, run by hand with the original and with rankgauge in its place, as far as they need no\n"
        "network. Their version is the stored one closest to the release, not always its own. `make partners` does not repeat this.",
        "own columns": [
            "partner",
            "version",
            "tests",
            "pass with the original",
            "pass with rankgauge",
            "what they are, and why some fail",
        ],
    },
    ".zh-CN": {
        "title": "对接的软件包",
        "intro": "`make partners` 把每个软件包的最新版本装进各自独立的环境，分别在使用和不使用 rankgauge 的情况下运行，并逐个比较数值。\n"
        "用法见 [migrating.zh-CN.md](migrating.zh-CN.md)。`make test` 只与存好的数值比较，不安装任何软件包。",
        "columns": ["软件包", "版本", "运行内容", "比较的数值", "一致", "最大差异"],
        "nan": "；其中 {count:,} 个在对方为 NaN，在此为数值",
        "own": "它们自己的测试",
        "own intro": "取自各软件包代码库的测试，分别用原软件包和用 rankgauge 取代它之后手工运行，限于不需要网络的部分。测试取与发布版本最接近的版本，未必完全一致。`make partners` 不会重复运行这些测试。",
        "own columns": ["软件包", "版本", "测试数", "原软件包通过", "rankgauge 通过", "内容，以及未通过的原因"],
    },
}


def write(partners: dict[str, Any], results: dict[str, Any]) -> None:
    """Write both pages."""
    for ending, texts in TEXTS.items():
        rows = []
        for name, partner in partners.items():
            if name not in results:
                continue
            result = results[name]
            agree = result["values"] - result["differences"] - result["nan_in_theirs_only"]
            noted = f"{agree:,}"
            if result["nan_in_theirs_only"]:
                noted += texts["nan"].format(count=result["nan_in_theirs_only"])
            what, title = partner["what"], partner["title"]
            number = f"{result['largest_difference']:.0e}" if result["largest_difference"] else "0"
            rows.append(
                [title, result["version"], what["zh" if ending else "en"], f"{result['values']:,}", noted, number]
            )
        notes = [
            f"- **{partner['title']}**: {partner['note']['zh' if ending else 'en']}"
            for name, partner in partners.items()
            if "note" in partner and name in results
        ]
        compared = _table(texts["columns"], ["---", "---", "---", "--:", "---", "--:"], rows)
        own = _table(
            texts["own columns"],
            ["---", "---", "--:", "--:", "--:", "---"],
            [_own_row(partner, "zh" if ending else "en") for partner in partners.values() if "own_tests" in partner],
        )
        parts = [f"# {texts['title']}", texts["intro"], compared, "\n".join(notes)]
        body = "\n\n".join([*parts, f"## {texts['own']}", texts["own intro"], own]) + "\n"
        (DOCS / f"partners{ending}.md").write_text(body, encoding="utf-8")


def _own_row(partner: dict[str, Any], lang: str) -> list[str]:
    """Return how many of a package's own tests pass."""
    own = partner["own_tests"]
    counts = [str(own[key]) for key in ("tests", "original", "rankgauge")]
    return [partner["title"], own["version"], *counts, own[lang]]


def _table(columns: list[str], align: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in [columns, align, *rows])
