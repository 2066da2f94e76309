"""The section of the parity pages on audits: every function under the preset of its tool, and the faults found."""

from __future__ import annotations

from typing import Any

from rankgauge.auditing.laws import ANSWERS, DEFINITION, LAWS, REPEATABLE, UNCHANGED
from rankgauge.auditing.worlds import World, listed
from rankgauge.rendering.document import Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase

TEXTS = {law.name: law.text for law in LAWS} | {
    "answers": ANSWERS,
    "unchanged": UNCHANGED,
    "repeatable": REPEATABLE,
    "definition": DEFINITION,
}
TITLE = Phrase("Audits", "审查")
HOW = Phrase(
    "“parity/run --audit” passes every function above to rg.audit as a black box, with the preset of its tool as the stated definition. "
    "Named: functions whose values are those of the preset on every input tried, or of a definition equal to it there. Excused: laws "
    "that the definition itself breaks. Tools: {tools}; functions: {functions}; {named} named, {ok} without a fault.",
    "“parity/run --audit”把上面的每个函数作为黑盒交给 rg.audit，以其工具的预设为指定的定义。认出：在全部输入上与该预设"
    "（或在这些输入上与之相同的定义）取值一致的函数。除外：该定义本身就不满足的定律。"
    "共 {tools} 个工具、{functions} 个函数；认出 {named} 个，{ok} 个没有问题。",
)
COLUMNS = (
    Phrase("tool", "工具"),
    Phrase("version", "版本"),
    Phrase("functions", "函数数"),
    Phrase("named", "认出"),
    Phrase("without a fault", "没有问题"),
    Phrase("laws excused", "除外的定律"),
)
FAULTS = Phrase("Faults found", "发现的问题")
FAULTS_HOW = Phrase(
    "What the tools do on inputs that their definitions do not foresee, each with the smallest input that shows it. They are items "
    "that are returned twice and counted twice, queries without relevant items, results without any item, lists shorter than k, and "
    "scores so large that a sigmoid makes them equal.",
    "各工具在其定义未涉及的输入上的表现，各附最小的输入。它们是：重复返回的物品被重复计入、没有相关物品的查询、没有任何物品的结果、短于 k 的列表，以及大到经 sigmoid 后相等的分数。",
)
FAULT_COLUMNS = (
    Phrase("tool", "工具"),
    Phrase("function", "函数"),
    Phrase("law", "定律"),
    Phrase("smallest input", "最小输入"),
    Phrase("returned", "返回"),
    Phrase("expected", "应为"),
)
REFUSAL = Phrase("a number, or a refusal", "一个数，或带说明的拒绝")


def blocks(results: dict[str, Any], tools: dict[str, Any], lang: Lang) -> list[Any]:
    """Return the section: a row for each tool, and a row for each broken law."""
    audits = [each for part in results.values() for each in part["audits"]]
    counts = {
        "tools": len(results),
        "functions": len(audits),
        "named": sum(each["named"] for each in audits),
        "ok": sum(each["ok"] for each in audits),
    }
    rows = [_summary(tools[name]["name"], part, lang) for name, part in results.items()]
    faults = [
        _fault(tools[name]["name"], each, broken, lang)
        for name, part in results.items()
        for each in part["audits"]
        for broken in each["broken"][:1]
    ]
    found: list[Any] = [Heading(TITLE.render(lang), 2), Paragraph(HOW.render(lang, **counts))]
    found.append(Table([column.render(lang) for column in COLUMNS], rows, "llrrrl"))
    found += [Heading(FAULTS.render(lang), 3), Paragraph(FAULTS_HOW.render(lang))]
    return [*found, Table([column.render(lang) for column in FAULT_COLUMNS], faults, "llllrr")]


def _summary(name: str, part: dict[str, Any], lang: Lang) -> list[str]:
    audits = part["audits"]
    excused = dict.fromkeys(law for each in audits for law in each["excused"])
    return [
        name,
        part["version"],
        str(len(audits)),
        str(sum(each["named"] for each in audits)),
        str(sum(each["ok"] for each in audits)),
        Phrase("; ", "；").render(lang).join(TEXTS[law].render(lang) for law in excused),
    ]


def _fault(name: str, audit: dict[str, Any], broken: dict[str, Any], lang: Lang) -> list[str]:
    expected, returned = broken["expected"], broken["returned"]
    return [
        name,
        audit["function"],
        TEXTS[broken["law"]].render(lang),
        world_of(broken["example"]).render(lang),
        f"{returned:.6g}" if isinstance(returned, float | int) else returned,
        REFUSAL.render(lang) if expected is None else f"{expected:.6g}",
    ]


def world_of(example: dict[str, Any]) -> World:
    """Return the input that was stored as plain data."""
    ranking = example["ranking"]
    pairs = tuple(ranking.items()) if isinstance(ranking, dict) else listed(tuple(ranking))
    return World(tuple(example["judgments"].items()), pairs, example["k"])
