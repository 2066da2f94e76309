"""Descriptions of metrics for the reference pages and the command line."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rankgauge.conventions import DEFAULT, RULES
from rankgauge.conventions.rule import written
from rankgauge.errors import ParameterError
from rankgauge.metric_core.definition import Definition
from rankgauge.metric_core.laws import LAWS, law_name
from rankgauge.metric_core.parameters import Parameter
from rankgauge.metric_core.registry import metrics
from rankgauge.metric_core.requirements import NEEDS
from rankgauge.rendering.document import Block, Document, Formula, Heading, Mathematics, Paragraph, Table
from rankgauge.rendering.formula import to_text
from rankgauge.rendering.formula_words import translated
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import PlainData

FAMILIES = {
    "gain": Phrase("Cumulated gain", "累计增益"),
    "precision": Phrase("Relevant items in the top k", "前 k 个中的相关物品"),
    "average": Phrase("Average precision", "平均精确率"),
    "first_hit": Phrase("The first relevant item", "第一个相关物品"),
    "user_models": Phrase("User models", "用户模型"),
    "pairs": Phrase("Pairs of items", "物品对"),
    "pooled": Phrase("Pairs of items of all users", "全体用户的物品对"),
    "incomplete": Phrase("Incomplete judgments", "不完整的标注"),
    "counts": Phrase("Counts", "计数"),
    "coverage": Phrase("Coverage and concentration", "覆盖与集中度"),
    "span_coverage": Phrase("Covered text", "文本覆盖"),
    "popularity": Phrase("Popularity and novelty", "流行度与新颖性"),
    "diversity": Phrase("Diversity and surprise", "多样性与惊喜"),
    "intents": Phrase("Subtopics and intents", "子主题与意图"),
    "calibration": Phrase("Calibration", "校准"),
    "fairness": Phrase("Fairness to groups of items", "物品组间的公平"),
    "experimental": Phrase("Experimental metrics of trec_eval", "trec_eval 的实验性指标"),
    "compatibility": Phrase("Compatibility", "相容度"),
    "cwl": Phrase("Metrics of the C/W/L framework", "C/W/L 框架的指标"),
}
"""Families of metrics in display order, by the file that declares them."""
OWN_FAMILY = Phrase("Your own", "自定义")

SYMBOLS = {
    "k": Phrase("the cutoff", "截断"),
    "i": Phrase("a rank, from 1", "名次，从 1 开始"),
    "g_i": Phrase("the grade of the item at rank i", "第 i 位物品的相关性等级"),
    "rel_i": Phrase("1 if the item at rank i is relevant, else 0", "第 i 位物品相关为 1，否则为 0"),
    r"\pi": Phrase("an order of the judged items", "已标注物品的一种排列"),
    "G, D": Phrase("gain and discount", "增益与折损"),
    "n": Phrase("the number of returned items", "返回的物品数"),
    "R": Phrase("the number of relevant items, returned or not", "相关物品总数，无论是否被返回"),
    "N": Phrase("the number of items known to be non-relevant", "已知不相关的物品数"),
    "U, I": Phrase("all users, and all items of the catalogue", "全部用户，全部可推荐的物品"),
    "L_u^k": Phrase("the items in the top k of user u", "用户 u 的前 k 个物品"),
    "I_u": Phrase("the items of user u in training", "用户 u 在训练数据中的物品"),
    "B_u": Phrase("what the baseline recommends to user u", "基线系统给用户 u 的推荐"),
    r"\phi(i)": Phrase("the number of users of item i in training", "训练数据中拥有物品 i 的用户数"),
}
"""Symbols used in the formulas."""

WORDS = {
    "metrics": Phrase("Metrics", "指标"),
    "metric": Phrase("metric", "指标"),
    "meaning": Phrase("meaning", "含义"),
    "aliases": Phrase("other names", "别名"),
    "trec_eval": Phrase("trec_eval", "trec_eval"),
    "range": Phrase("range", "取值范围"),
    "better": Phrase("better", "方向"),
    "ties": Phrase("ties", "并列"),
    "cutoff": Phrase("cutoff", "截断"),
    "higher": Phrase("higher", "越高越好"),
    "lower": Phrase("lower", "越低越好"),
    "yes": Phrase("yes", "是"),
    "no": Phrase("no", "否"),
    "depends": Phrase("depends on parameters", "视参数而定"),
    "parameter": Phrase("parameter", "参数"),
    "allowed": Phrase("allowed", "可取的值"),
    "default": Phrase("default", "默认值"),
    "edge cases": Phrase("Edge cases:", "特殊情形："),
    "example": Phrase("Example:", "示例："),
    "over queries": Phrase("Over several queries:", "多个查询："),
    "needs": Phrase("Needs (see SideInformation):", "需要（见 SideInformation）："),
    "or": Phrase(" or ", " 或 "),
    "table": Phrase("side information", "附加信息"),
    "reference": Phrase("Reference:", "文献："),
    "law": Phrase("law", "性质"),
    "a number": Phrase("a number", "一个数"),
    "a whole number": Phrase("a whole number", "一个整数"),
}
_PAGE = {
    "formula": Phrase("Formula:", "公式："),
    "where": Phrase("where", "其中"),
    "convention": Phrase("{value} (convention)", "{value}（约定）"),
    "rules": Phrase("Rules that apply:", "适用的规则："),
    "typed": Phrase("On the command line: --side-information TABLE=FILE.", "命令行：--side-information 表=文件。"),
    "broken": Phrase("law it violates", "不满足的性质"),
    "colon": Phrase(": ", "："),
    "why": Phrase("reason", "原因"),
    "nothing": Phrase("No metric has {word!r} in its name or meaning.", "没有指标的名称或含义包含 {word!r}。"),
}


def message(key: str, lang: Lang, **values: object) -> str:
    """Return a label in the given language."""
    return (WORDS | _PAGE)[key].render(lang, **values)


def built_in() -> list[Definition]:
    """Return the definitions of the built-in metrics."""
    definitions = [metric.definition for metric in metrics().values()]
    return [definition for definition in definitions if definition.kernel.__module__.startswith("rankgauge.")]


def family(definition: Definition) -> Phrase:
    """Return the title of the family that a metric belongs to."""
    module = definition.kernel.__module__
    if not module.startswith("rankgauge."):
        return OWN_FAMILY
    name = module.rpartition(".")[2]
    title = (inspect.getmodule(definition.kernel).__doc__ or name).partition("\n")[0].partition(":")[0].rstrip(".")
    return FAMILIES.get(name, Phrase(title, title))


def needed(definition: Definition, lang: Lang) -> str:
    """Describe the side information that a metric needs."""
    parts = []
    for need in definition.needs or ():
        what, tables = NEEDS[need].what.render(lang), message("or", lang).join(NEEDS[need].tables)
        parts.append(what if not tables else f"{what} ({tables})" if lang == "en" else f"{what}（{tables}）")
    return {"en": "; ", "zh": "；"}[lang].join(parts)


def tables_needed(definition: Definition, lang: Lang) -> str:
    """Return the tables of side information that a metric needs."""
    tables = [message("or", lang).join(NEEDS[need].tables) for need in definition.needs or ()]
    return ", ".join(filter(None, tables))


def interval(low: float, high: float) -> str:
    """Format the range of possible values."""
    return f"{low:g} … {'∞' if math.isinf(high) else f'{high:g}'}"


def trec_name(name: str, notation: str) -> str:
    """Return a trec_eval name with N for its parameter."""
    return f"{name}_N" if "{}" in notation else name


def exact_ties(definition: Definition) -> str:
    """Return whether the mean over tied items is exact, as a key of ``WORDS``."""
    return "depends" if callable(definition.ties_mean) else "yes" if definition.ties_mean else "no"


def can_be_passed(rule: str, value: object) -> bool:
    """Return whether a listed value of a rule can be passed literally, rather than describing what to pass."""
    try:
        RULES[rule].check(rule, value)
    except ParameterError:
        return False
    return True


def kind_of_number(rule: str) -> str:
    """Return which numbers a rule takes, as a key of ``WORDS``."""
    return "a number" if can_be_passed(rule, 0.5) else "a whole number"


def takes_unlisted_numbers(rule: str) -> bool:
    """Return whether a rule takes numbers that its list of values does not mention."""
    described = any(not can_be_passed(rule, value) for value in RULES[rule].values)
    return isinstance(getattr(DEFAULT, rule), int | float) or (RULES[rule].number is not None and not described)


def broken_laws(definition: Definition) -> Mapping[Phrase, list[str]]:
    """Return the laws that a metric violates, by reason."""
    laws_of: dict[Phrase, list[str]] = {}
    for law, reason in definition.breaks.items():
        laws_of.setdefault(reason, []).append(law)
    return laws_of


# For the terminal


@dataclass(frozen=True)
class Overview:
    """The metrics by family, or those with ``word`` in their name or meaning."""

    word: str = ""

    def definitions(self) -> dict[str, Definition]:
        """Return the matching metrics by name."""
        known = {name: metric.definition for name, metric in metrics().items()}
        return {name: definition for name, definition in known.items() if self._has_word(definition)}

    def document(self, lang: Lang) -> Document:
        """Return one table per family."""
        families: dict[str, list[Definition]] = {phrase.render(lang): [] for phrase in FAMILIES.values()}
        for definition in self.definitions().values():
            families.setdefault(family(definition).render(lang), []).append(definition)
        filled = {title: members for title, members in families.items() if members}
        widest = max((len(member.name) for members in filled.values() for member in members), default=0)
        blocks: list[Block] = [_family_table(title, members, widest, lang) for title, members in filled.items()]
        return Document(blocks or [Paragraph(message("nothing", lang, word=self.word))])

    def to_list(self, lang: Lang) -> list[dict[str, Any]]:
        """Return the metrics as plain data."""
        return [summary(definition, lang) for definition in self.definitions().values()]

    def _has_word(self, definition: Definition) -> bool:
        texts = (definition.name, *definition.aliases, *definition.meaning, *definition.trec, *family(definition))
        return any(self.word.lower() in text.lower() for text in texts)


def _family_table(title: str, definitions: Iterable[Definition], widest: int, lang: Lang) -> Table:
    rows = [[each.name.ljust(widest), each.meaning.render(lang), tables_needed(each, lang)] for each in definitions]
    if any(row[2] for row in rows):
        return Table(["", "", message("table", lang)], rows, caption=title)
    return Table(["", ""], [row[:2] for row in rows], caption=title)


def summary(definition: Definition, lang: Lang) -> PlainData:
    """Return a metric as plain data."""
    return {
        "name": definition.name,
        "family": family(definition).render(lang),
        "meaning": definition.meaning.render(lang),
        "formula": translated(definition.formula, lang),
        "aliases": [*definition.aliases],
        "trec_eval": {trec_name(*pair): pair[1].format("N") for pair in definition.trec.items()},
        "range": [definition.bounds[0], None if math.isinf(definition.bounds[1]) else definition.bounds[1]],
        "higher_is_better": definition.higher_is_better,
        "parameters": [
            {"name": p.name, "allowed": allowed(p, "en"), "default": _default(p), "rule": p.rule}
            for p in definition.parameters.values()
        ],
        "rules": [*definition.applicable_rules],
        "needs": [*(definition.needs or ())],
        "side_information": [[*NEEDS[need].tables] for need in definition.needs or () if NEEDS[need].tables],
        "edge_cases": definition.edge_cases.render(lang),
        "breaks": {law: reason.render(lang) for law, reason in definition.breaks.items()},
        "reference": definition.reference,
    }


def document(definition: Definition, lang: Lang) -> Document:
    """Return the description of one metric for the terminal."""
    blocks: list[Block] = [Heading(definition.name), Paragraph(definition.meaning.render(lang))]
    blocks.append(Formula(translated(definition.formula, lang), message("formula", lang)))
    # In metrics of items these letters mean something else, which the edge cases explain.
    letters = {"i", "n"} if definition.of_items else set()
    symbols = [
        [Mathematics(to_text(symbol), symbol), meaning.render(lang)]
        for symbol, meaning in SYMBOLS.items()
        if symbol not in letters and _used(symbol, definition.formula)
    ]
    if symbols:
        blocks.append(Table([message("where", lang), ""], symbols))
    blocks.append(_facts(definition, lang))
    if definition.parameters:
        rows = [[p.name, allowed(p, lang), _default_words(p, lang)] for p in definition.parameters.values()]
        blocks.append(Table([message(column, lang) for column in ("parameter", "allowed", "default")], rows))
    blocks.append(Paragraph(f"{message('rules', lang)} {', '.join(definition.applicable_rules)}"))
    blocks.append(Paragraph(f"{message('edge cases', lang)} {definition.edge_cases.render(lang)}".replace("``", "")))
    if definition.needs:
        typed = [message("typed", lang)] if tables_needed(definition, lang) else []
        blocks.append(Paragraph(" ".join([f"{message('needs', lang)} {needed(definition, lang)}.", *typed])))
    if definition.summary.note is not None:
        blocks.append(Paragraph(f"{message('over queries', lang)} {definition.summary.note.render(lang)}"))
    broken = [
        [f"{law_name(law, lang)}{message('colon', lang)}{LAWS[law].render(lang)}", reason.render(lang)]
        for reason, laws in broken_laws(definition).items()
        for law in laws
    ]
    if broken:
        blocks.append(Table([message("broken", lang), message("why", lang)], broken))
    blocks.append(Paragraph(f"{message('reference', lang)} {definition.reference}"))
    return Document(blocks)


def _facts(definition: Definition, lang: Lang) -> Table:
    """Return a one-row table of the main properties."""
    cells = {
        "range": interval(*definition.bounds),
        "better": message("higher" if definition.higher_is_better else "lower", lang),
        "ties": message(exact_ties(definition), lang),
        "cutoff": message("yes" if "k" in definition.parameters else "no", lang),
        "aliases": ", ".join(definition.aliases) or "–",
        "trec_eval": ", ".join(trec_name(*pair) for pair in definition.trec.items()) or "–",
    }
    return Table([message(column, lang) for column in cells], [[*cells.values()]])


def _used(symbol: str, formula: str) -> bool:
    letters = formula.replace("\\frac", " ").replace("\\", " ")
    words = re.split(r"[\s{}(@]+", letters)
    parts = symbol.split(", ")
    return any(part in words or f"{part}(" in formula or (len(part) > 1 and part in formula) for part in parts)


def allowed(parameter: Parameter, lang: Lang) -> str:
    """Describe the values that a parameter accepts."""
    if parameter.rule is None:
        return parameter.allowed.render(lang)
    numbers = [message(kind_of_number(parameter.rule), lang)] * takes_unlisted_numbers(parameter.rule)
    return ", ".join([*numbers, *RULES[parameter.rule].values])


def _default(parameter: Parameter) -> object:
    return parameter.default if parameter.rule is None else written(getattr(DEFAULT, parameter.rule))


def _default_words(parameter: Parameter, lang: Lang) -> str:
    value = str(_default(parameter))
    return value if parameter.rule is None else message("convention", lang, value=value)
