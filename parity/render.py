"""From results.json to the pages docs/parity.md and docs/parity.zh-CN.md: `python parity/render.py`."""

from __future__ import annotations

import json
import math
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import beyond

from rankgauge.conventions import PRESETS
from rankgauge.rendering.document import Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
NOTICE = "<!-- Written by parity/render.py from parity/results.json. Change those, not this. -->"
PAGES: dict[Lang, tuple[str, str]] = {
    "en": ("parity.md", "[简体中文](parity.zh-CN.md)"),
    "zh": ("parity.zh-CN.md", "[English](parity.md)"),
}

TITLE = Phrase("Parity with other tools", "与其他工具的一致性")
INTRODUCTION = Phrase(
    "A preset says which rules a tool follows. “make parity” installs the tools themselves, each in an environment "
    "that suits it, lets them evaluate random worlds, and compares every number with what rankgauge gives under the "
    "preset. A world is one to four queries. Among them are queries with nothing relevant, lists shorter than the "
    "cutoff, graded labels, items without a judgment, relevant items that were not returned, equal scores, and scores "
    "that differ in double precision only, as far as the tool takes them.",
    "预设记录了某个工具遵循的规则。“make parity”会把这些工具本身安装到各自合适的环境中，让它们评估随机生成的“世界”，"
    "并把每个数字与 rankgauge 在该预设下的结果逐一比较。一个世界包含一到四个查询，其中有：没有相关物品的查询、短于截断的列表、"
    "分级标注、未标注的物品、未被返回的相关物品、相同的分数，以及只在双精度下才不同的分数（以该工具能接受的为限）。",
)
COUNT = Phrase(
    "{tools} tools, {metrics} metrics, {values} values compared; {agreeing} of the {metrics} metrics agree on every value.",
    "{tools} 个工具，{metrics} 个指标，共比较 {values} 个值；{metrics} 个指标中有 {agreeing} 个在每个值上都一致。",
)
HOW = Phrase(
    "Largest difference: the farthest that any value is from rankgauge's. What is allowed: 1e-9 where a tool computes in "
    "double precision, 1e-6 where it computes in single precision (1e-5 for sums of gains), and half of the last digit where "
    "it rounds. Values: how many were compared, with those that both leave out of the mean. Not given: values that "
    "the tool refuses (an error or not a number) and that are given here; the notes say which.",
    "最大差异：所有值中与 rankgauge 相差最大者。允许的差异：工具用双精度计算时为 1e-9，用单精度时为 1e-6（增益之和为 1e-5），"
    "工具会四舍五入时为末位的一半。值的个数：参与比较的值，包括双方都不计入均值的。未给出：该工具拒绝给出（报错或非数值）"
    "而本库给出的值；说明中写明是哪些。",
)
SUMMARY_COLUMNS = (
    Phrase("tool", "工具"),
    Phrase("version", "版本"),
    Phrase("preset", "预设"),
    Phrase("metrics", "指标数"),
    Phrase("worlds each", "每个指标的世界数"),
    Phrase("values", "值的个数"),
    Phrase("largest difference", "最大差异"),
    Phrase("", ""),
)
COLUMNS = (
    Phrase("metric of the tool", "该工具的指标"),
    Phrase("in rankgauge", "rankgauge 的写法"),
    Phrase("preset", "预设"),
    Phrase("worlds", "世界数"),
    Phrase("ties", "并列"),
    Phrase("values", "值的个数"),
    Phrase("not given", "未给出"),
    Phrase("largest difference", "最大差异"),
)
AGREES, DIFFERS = Phrase("agrees", "一致"), Phrase("differs", "不一致")
YES, NO = Phrase("yes", "有"), Phrase("no", "无")
NOT_RUN = Phrase("not run: {why}", "未运行：{why}")
EXCEPTIONS = Phrase("Not reproduced, or to be known", "未复现之处与注意事项")
EACH = Phrase("Tool by tool", "逐个工具")
STORED = Phrase("Tools that were not run", "未运行的工具")
STORED_HOW = Phrase(
    "These cannot be installed here, or were not. Their presets are checked by the ordinary tests against values that the "
    "tools themselves gave elsewhere, or that their code gives, on fixed lists; tests/data/tool_values.json has them with "
    "the versions.",
    "这些工具无法在此安装，或未安装。日常测试用固定的列表检验其预设：工具本身在别处给出的值，或由其代码得到的值，"
    "见 tests/data/tool_values.json（附版本）。",
)
STORED_COLUMNS = (
    Phrase("tool", "工具"),
    Phrase("versions", "版本"),
    Phrase("preset", "预设"),
    Phrase("values", "值的个数"),
)


def write_pages(tools: dict[str, Any], results: dict[str, Any]) -> None:
    """Both pages."""
    for lang, (name, _) in PAGES.items():
        (DOCS / name).write_text(text(tools, results, lang), encoding="utf-8")


def text(tools: dict[str, Any], results: dict[str, Any], lang: Lang) -> str:
    """A page as it is written."""
    head, _, body = page(tools, results, lang).to_markdown().partition("\n")
    return f"{NOTICE}\n\n{head}\n\n{PAGES[lang][1]}\n{body}"


def page(tools: dict[str, Any], results: dict[str, Any], lang: Lang) -> Document:
    """The whole page."""
    found = [one for part in results.values() for one in part["records"]]
    count = COUNT.render(
        lang,
        tools=len({one["tool"] for one in found}),
        metrics=len(found),
        values=f"{sum(one.get('values', 0) for one in found):,}",
        agreeing=sum(one["agree"] for one in found),
    )
    known = [name for name in tools if name in results]
    rows = [summary_row(tools[name], results[name], lang) for name in known]
    blocks: list[Any] = [Heading(TITLE.render(lang)), Paragraph(INTRODUCTION.render(lang)), Paragraph(count)]
    blocks += [
        Table([column.render(lang) for column in SUMMARY_COLUMNS], rows, "lllrrrrl"),
        Paragraph(HOW.render(lang)),
    ]
    blocks += stored({one["preset"] for one in found}, lang)
    blocks.append(Heading(EACH.render(lang), 2))
    for name in known:
        blocks += section(tools[name], results[name], lang)
    beyond_results = HERE / "beyond.json"
    if beyond_results.exists():
        blocks += beyond.blocks(json.loads(beyond_results.read_text(encoding="utf-8")), lang)
    return Document(blocks)


def stored(run: set[str], lang: Lang) -> list[Any]:
    """The presets that were checked by stored values alone."""
    known = json.loads((HERE.parent / "tests" / "data" / "tool_values.json").read_text(encoding="utf-8"))
    counts = Counter(row["preset"] for kind in ("list_values", "id_values", "mean_values") for row in known[kind])
    lines = [
        [PRESETS[name].tool, PRESETS[name].versions, name, str(counts[name])]
        for name in PRESETS
        if name in counts and name not in run
    ]
    table = Table([column.render(lang) for column in STORED_COLUMNS], lines, "lllr")
    return [Heading(STORED.render(lang), 2), Paragraph(STORED_HOW.render(lang)), table]


def summary_row(tool: dict[str, Any], part: dict[str, Any], lang: Lang) -> list[str]:
    """One tool in one line."""
    if not part["records"]:
        return [tool["name"], "", tool["preset"], "", "", "", "", NOT_RUN.render(lang, why=plain(part["error"]))]
    found = part["records"]
    agrees = all(one["agree"] for one in found)
    return [
        tool["name"],
        found[0]["version"],
        ", ".join(dict.fromkeys(one["preset"] for one in found)),
        str(len(found)),
        f"{min(one['worlds'] for one in found):,}",
        f"{sum(one.get('values', 0) for one in found):,}",
        short(max(one.get("largest", math.inf) for one in found)),
        (AGREES if agrees else DIFFERS).render(lang),
    ]


def section(tool: dict[str, Any], part: dict[str, Any], lang: Lang) -> list[Any]:
    """The metrics of one tool, and what is to be known of it."""
    blocks: list[Any] = [Heading(tool["name"], 3)]
    rows = [
        [
            one["metric"],
            one.get("ours", "–"),
            one["preset"],
            f"{one['worlds']:,}",
            (YES if "-ties-" in one["kind"] else NO).render(lang),
            f"{one.get('values', 0):,}",
            str(one.get("not_given", 0)),
            short(one.get("largest", math.inf)) + ("" if one["agree"] else " " + DIFFERS.render(lang)),
        ]
        for one in part["records"]
    ]
    if rows:
        blocks.append(Table([column.render(lang) for column in COLUMNS], rows, "lllrlrrr"))
    else:
        blocks.append(Paragraph(NOT_RUN.render(lang, why=plain(part["error"]))))
    if notes := [note[lang] for note in tool.get("exceptions", ())]:
        blocks.append(Paragraph(f"{EXCEPTIONS.render(lang)}: " + " ".join(notes)))
    return blocks


def line(name: str, part: dict[str, Any]) -> str:
    """What a run found, for the terminal."""
    found = part["records"]
    if not found:
        return f"{name}: {part['error']}"
    worst = max(one.get("largest", math.inf) for one in found)
    return f"{name} {found[0]['version']}: {sum(one['agree'] for one in found)} of {len(found)} agree, at most {short(worst)} apart"


def disagreement(one: dict[str, Any]) -> str:
    """A metric that differs, with an example."""
    start = f"{one['tool']} {one['metric']} ({one['preset']}: {one.get('ours')})"
    if "error" in one:
        return f"{start}: {one['error']}"
    if not one["largest"]:
        return f"{start}: {one['not_given']} values that are given here are not given there"
    return f"{start}: {one['theirs']} there, {one['ours']} = {one['ours_value']} here, world {one['world']} of {one['kind']}"


def short(number: float) -> str:
    """How far apart, in two digits."""
    return "0" if number == 0 else f"{number:.1e}" if math.isfinite(number) else "–"


def plain(text: str) -> str:
    """A message that names no path of the machine."""
    words = (word if not word.strip("'\"(").startswith("/") else "…" for word in text.split())
    return " ".join(words)[:120]


if __name__ == "__main__":
    table = tomllib.loads((HERE / "tools.toml").read_text(encoding="utf-8"))
    table.pop("environments")
    write_pages(table, json.loads((HERE / "results.json").read_text(encoding="utf-8")))
