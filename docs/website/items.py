"""The pages of single items: one for each metric, preset and code, with an index of each kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from generate import (
    DASH,
    anchor,
    codes_section,
    laws_section,
    literal,
    marked,
    metric_section,
    overview,
    phrase,
    preset_section,
    presets_overview,
    rule_link,
    symbols,
    table,
)

import rankgauge as rg
from rankgauge.conventions import PRESETS, RULES
from rankgauge.inputs.code_pages import code_document
from rankgauge.inputs.codes import CODES
from rankgauge.metric_core.definition import Definition
from rankgauge.metric_core.description import built_in, family
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.reconciliation import ToolGroup
from rankgauge.reconciliation.rule_setting import shown_value, title
from rankgauge.reconciliation.tools import names_of
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.markdown import escaped

USUAL_CUTOFFS = ("k", 1, 3, 5, 10, 20, 50, 100)
"""Cutoffs that people search for with the name of a metric."""
SPOKEN_CUTOFFS = ("k", 1, 5, 10)
"""Cutoffs that people write with "at"."""
MORE_NAMES = {
    "RR": ("Mean reciprocal rank", "平均倒数排名"),
    "AP": ("Mean average precision", "平均精度", "平均精确率均值"),
    "HR": ("Hit ratio", "Hits", "命中比例"),
    "P": ("Top-k precision",),
    "R": ("Top-k recall",),
}
"""Names that people search for, and that the notation does not take."""
WORDS = {
    "all metrics": Phrase("All metrics", "全部指标"),
    "all presets": Phrase("All presets", "全部预设"),
    "all codes": Phrase("All codes", "全部代码"),
    "all names": Phrase("All names", "全部名称"),
    "all commands": Phrase("All commands", "全部命令"),
    "steps": Phrase("Worked steps", "计算步骤"),
    "rules": Phrase("Rules that change it", "影响它的规则"),
    "rules text": Phrase("The metric reads these rules of the [convention](conventions.md):",
                         "该指标用到[约定](conventions.zh-CN.md)中的以下规则："),
    "tools": Phrase("In other tools", "在其他工具中"),
    "tools text": Phrase(
        "What tools give for the list above, highest value first. "
        "A name in brackets is the tool's own name of the metric.",
        "各工具对上述列表给出的值，从高到低。括号中是该工具对此指标的称呼。"),
    "tools of items": Phrase("These tools have the metric:", "以下工具有此指标："),
    "no tools": Phrase("None of the [presets](presets.md) has this metric.", "各[预设](presets.zh-CN.md)均无此指标。"),
    "value": Phrase("value", "值"),
    "tool": Phrase("tools", "工具"),
    "change": Phrase("rules that differ from the row above", "与上一行不同的规则"),
    "refused": Phrase("No value for such a list: {tools}.", "不接受这样的列表：{tools}。"),
    "codes intro": Phrase(
        "Every finding about data has a code that never changes its meaning. "
        "`rankgauge codes RG301` prints the page of a code.",
        "有关数据的每种检查结果都有一个含义不变的代码。`rankgauge codes RG301` 给出某个代码的说明。"),
    "presets title": Phrase("Presets", "预设"),
    "codes title": Phrase("Codes", "代码"),
    "family": Phrase("Family: {family}.", "类别：{family}。"),
}  # fmt: skip
GRADES = [3, 2, 3, 0, 1]
"""The list of the worked steps."""
LISTS = {"u": ["a", "b", "c"], "v": ["b", "d"]}
JUDGMENTS = {"u": {"a": 1, "d": 1}, "v": {"b": 2, "c": 0, "d": 1}}
SPAN_JUDGMENTS, SPAN_LISTS = {"u": {"d[0:40]": 1}}, {"u": ["d[30:90]", "d[10:35]"]}
"""Gold and returned spans of characters."""


def side_information() -> rg.SideInformation:
    """Return what metrics of items need, for two users and five items."""
    return rg.SideInformation(
        training=[("x", "a"), ("y", "a"), ("z", "a"), ("x", "b"), ("y", "b"), ("v", "c")],
        items=["a", "b", "c", "d", "e"],
        features={"a": [1, 0], "b": [1, 1], "c": [0, 3], "d": [1, 0], "e": [0, 0]},
        categories={"a": ["drama"], "b": ["drama", "war"], "c": ["comedy"], "d": ["war"], "e": []},
        item_groups={"a": "ours", "b": "theirs", "c": "ours", "d": "theirs", "e": "theirs"},
        subtopics={"u": {"a": {"s": 1}, "b": {"s": 1, "t": 1}, "d": {"t": 1}}, "v": {"b": {"s": 1}, "d": {"s": 1}}},
        baseline={"u": ["a", "b"], "v": ["a"]},
    )


def word(key: str, lang: Lang, **values: object) -> str:
    """Return a text of these pages."""
    return WORDS[key].render(lang, **values)


def item_page(title: str, kind: str, lang: Lang, blocks: Iterable[str]) -> str:
    """Return the page of an item: it is not in the sidebar, but links to the index of its kind."""
    return "\n\n".join(["---\norphan: true\n---", f"# {title}", f"[{word(kind, lang)}](index.md)", *blocks]) + "\n"


# Metrics


def metric_pages(lang: Lang) -> Iterator[tuple[str, str]]:
    """Yield the page of each metric, by its name."""
    for definition in built_in():
        heading, meaning, *blocks = metric_section(definition, lang)
        family_of = word("family", lang, family=family(definition).render(lang))
        blocks = [
            index_entries(definition),
            meaning,
            family_of,
            *blocks,
            *steps(definition, lang),
            *rules(definition, lang),
        ]
        yield (
            definition.name.lower(),
            item_page(heading.removeprefix("## "), "all metrics", lang, [*blocks, *tools(definition, lang)]),
        )


def index_entries(definition: Definition) -> str:
    """Return the names of a metric as entries of the index, which the search ranks before words of a text."""
    return "\n\n".join(f"```{{index}} ! {name}\n```" for name in search_names(definition))


def search_names(definition: Definition) -> list[str]:
    """Return what people call a metric, in English and Chinese, with usual cutoffs if it has one.

    >>> names = search_names(rg.R.definition)
    >>> names[:4], "Recall@10" in names, "召回率@10" in names
    (['R', 'Recall', '召回率', '查全率'], True, True)
    """
    texts = [re.split("[:：]", text)[0] for text in definition.meaning]
    written = [part for text in texts for part in re.split(r"[（）()、,;；]", text)]
    words = [definition.name, *definition.aliases, *(part.strip() for part in written)]
    words += MORE_NAMES.get(definition.name, ())
    names = [*{name.lower(): name for name in reversed(words) if name}.values()][::-1]
    if "k" not in definition.parameters:
        return names
    spoken = [f"{name} at {k}" for name in names if name.isascii() for k in SPOKEN_CUTOFFS]
    return names + [f"{name}@{k}" for name in names for k in USUAL_CUTOFFS] + spoken


def metrics_index(lang: Lang) -> str:
    """Return the index of metrics."""
    definitions = built_in()
    return "\n\n".join(
        [
            f"# {phrase('metrics', lang)}",
            phrase("metrics intro", lang),
            overview(definitions, lang),
            phrase("overview notes", lang),
            f'<a id="symbols"></a>\n\n## {phrase("symbols", lang)}',
            symbols(lang),
            *laws_section(lang),
        ]
    )


def with_cutoff(definition: Definition) -> Metric:
    """Return the metric of the worked steps: with a cutoff of 5 if it takes one."""
    metric = rg.parse(definition.name)
    return metric @ 5 if "k" in definition.parameters else metric


def steps(definition: Definition, lang: Lang) -> list[str]:
    """Return the steps of an example, as explained by the library."""
    metric = with_cutoff(definition)
    if definition.needs is None:
        explained = metric.explain(GRADES)
    elif definition.of_spans:
        explained = rg.explain(SPAN_JUDGMENTS, SPAN_LISTS, metric, "u")
    else:
        if not definition.summary.has_query_values:
            return []  # the example above shows the one value of all queries
        explained = rg.explain(JUDGMENTS, LISTS, metric, "u", side_information=side_information())
    return [f"## {word('steps', lang)}", explained.to_markdown(lang=lang, level=3)]


def rules(definition: Definition, lang: Lang) -> list[str]:
    """Return the rules that can change the metric, with the questions they answer."""
    rows = [[rule_link(name, lang), escaped(RULES[name].question.render(lang))] for name in definition.applicable_rules]
    columns = [phrase("rule", lang), phrase("question", lang)]
    return [f"## {word('rules', lang)}", word("rules text", lang), table(columns, rows)]


def tools(definition: Definition, lang: Lang) -> list[str]:
    """Return what tools compute for the metric and what they call it."""
    metric = with_cutoff(definition)
    named = {name: [own for own, _ in names_of(metric, preset)] for name, preset in PRESETS.items()}
    named = {name: names for name, names in named.items() if names}
    heading = f"## {word('tools', lang)}"
    if not named:
        return [heading, word("no tools", lang)]
    if definition.needs is not None or definition.name == "GAUC":  # reconcile has no data for it
        listed = [f"- {preset_link(name, lang)}: {', '.join(map(literal, names))}" for name, names in named.items()]
        return [heading, word("tools of items", lang), "\n".join(listed)]
    result = rg.reconcile(GRADES, metric=metric)
    rows = []
    for group in result.groups:
        cells = [tool_cell(tool.name, tool.metric_name, lang) for tool in group.tools]
        changes = [change(rule, group, lang) for rule in group.rules]
        rows.append([group.shown, ", ".join(cells), ", ".join(changes) or DASH])
    columns = [word("value", lang), word("tool", lang), word("change", lang)]
    refused = ", ".join(preset_link(tool.name, lang) for tool in result.refused)
    more = [word("refused", lang, tools=refused)] if refused else []
    return [heading, word("tools text", lang), table(columns, rows, align="rll"), *more]


def tool_cell(name: str, metric_name: str, lang: Lang) -> str:
    """Return a tool with its name of the metric."""
    if name not in PRESETS:
        return literal(name)
    return f"{preset_link(name, lang)} ({literal(metric_name)})"


def change(rule: str, group: ToolGroup, lang: Lang) -> str:
    """Return how a rule changes from one group of tools to the next."""
    before, after = (escaped(shown_value(setting, rule)) for setting in (group.before, group.after) if setting)
    return f"{escaped(title(rule, lang))}: {before} → {after}"


def preset_link(name: str, lang: Lang) -> str:
    """Return a link to a preset, as pages of docs/ have it."""
    return f"[{escaped(name)}](presets{'.md' if lang == 'en' else '.zh-CN.md'}#{anchor(name)})"


# Presets and codes


def preset_pages(lang: Lang) -> Iterator[tuple[str, str]]:
    """Yield the page of each preset, by its name."""
    for name, preset in PRESETS.items():
        _, *blocks = preset_section(preset, lang)
        yield anchor(name).removeprefix("preset-"), item_page(escaped(name), "all presets", lang, blocks)


def presets_index(lang: Lang) -> str:
    """Return the index of presets."""
    return "\n\n".join([f"# {word('presets title', lang)}", *presets_overview(lang)])


def code_pages(lang: Lang) -> Iterator[tuple[str, str]]:
    """Yield the page of each code, in lower case: the page that ``rankgauge codes`` prints."""
    for code in CODES:
        title, *texts = (getattr(block, "text", "") for block in code_document(code, lang).blocks)
        yield code.lower(), item_page(escaped(title), "all codes", lang, [marked(text, lang) for text in texts])


def codes_index(lang: Lang) -> str:
    """Return the index of codes."""
    *_, codes = codes_section(lang)
    return "\n\n".join([f"# {word('codes title', lang)}", word("codes intro", lang), codes])
