"""Write the reference pages from the library itself, in both languages: metrics, conventions, your data, examples.

``python docs/generate.py`` writes them; ``python docs/generate.py --check`` only says which are out of date.
"""

from __future__ import annotations

import argparse
import doctest
import inspect
import io
import re
import sys
from code import InteractiveInterpreter
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from pathlib import Path

import preset_words
import your_data
from worked_examples import MEAN, WORKED_EXAMPLES, Figure, Ranking, WorkedExample

import rankgauge as rg
from rankgauge.conventions import DEFAULT, PRESETS, RULES, Preset, Rule
from rankgauge.conventions.rule import written
from rankgauge.inputs.codes import CODES
from rankgauge.inputs.columns import COLUMN_NAMES as NAMES_OF_COLUMNS
from rankgauge.inputs.findings import SHOWN
from rankgauge.inputs.formats.reader import BLOCK_BYTES
from rankgauge.metric_core import description as described
from rankgauge.metric_core.definition import Definition
from rankgauge.metric_core.description import (
    SYMBOLS,
    built_in,
    can_be_passed,
    exact_ties,
    interval,
    kind_of_number,
    needed,
    trec_name,
)
from rankgauge.metric_core.laws import LAWS
from rankgauge.metric_core.parameters import Parameter
from rankgauge.rendering.document import Document, Formula
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.markdown import escaped

FOLDER = Path(__file__).parent
LANGUAGES: tuple[Lang, ...] = ("en", "zh")
ENDING = {"en": ".md", "zh": ".zh-CN.md"}
OTHER_LANGUAGE = {"en": ("zh", "简体中文"), "zh": ("en", "English")}
NOTICE = "<!-- Written by docs/generate.py from the library. Change that, not this. -->"

WORDS = {
    # Metrics
    "metrics intro": Phrase(
        "Every metric that rankgauge ships. A metric is written the same way everywhere: `nDCG(gain='exp2')@10` in "
        "Python, on the command line and in reports.",
        "rankgauge 自带的全部指标。指标的写法处处相同：在 Python、命令行与报告中都写作 `nDCG(gain='exp2')@10`。",
    ),
    "overview": Phrase("Overview", "一览"),
    "overview notes": Phrase(
        "*Ties* says whether `ties='mean'` gives the exact mean over all orders of tied items. *N* in a name of "
        "trec_eval stands for its parameter.",
        "“并列”一列表示 `ties='mean'` 能否对并列物品的所有排列给出精确平均。trec_eval 名称中的 *N* 代表其参数。",
    ),
    "symbols": Phrase("Symbols", "符号"),
    "symbol": Phrase("symbol", "符号"),
    "from the convention": Phrase("[convention]({page}#{rule}): {value}", "[约定]({page}#{rule})：{value}"),
    "broken laws": Phrase("[Laws](#laws) it does not keep:", "不满足的[性质](#laws)："),
    "laws": Phrase("Laws", "性质"),
    "laws intro": Phrase(
        "What one expects of a metric for which higher is better. Each metric above names those that it does not keep, "
        "with the reason.",
        "人们对“越高越好”的指标的期待。上面每个指标都列出了它不满足的性质及原因。",
    ),
    # Conventions
    "conventions": Phrase("Conventions", "约定"),
    "conventions intro": Phrase(
        "A `Convention` holds every rule that can move a number. Two people whose numbers differ can compare their "
        "conventions line by line.",
        "`Convention` 收集了所有会影响数值的规则。两个人算出的数不同时，逐条比较各自的约定即可找到原因。",
    ),
    "rule": Phrase("rule", "规则"),
    "question": Phrase("question", "问题"),
    "value": Phrase("value", "取值"),
    "that number": Phrase("that number", "取这个数"),
    "printed as": Phrase(" (In one line: *{title}*.)", "（一行打印时写作“{title}”。）"),
    "any number": Phrase("The value is a number.", "取值为一个数。"),
    "any whole number": Phrase("The value is a whole number.", "取值为一个整数。"),
    "default is": Phrase("Default: {value}.", "默认值：{value}。"),
    "placeholders": Phrase(
        "Values in `code` are written as they stand, with quotes in Python; those in *italics* describe what to pass.",
        "`代码`形式的取值照原样书写（在 Python 中加引号）；*斜体*的取值说明应传入什么。",
    ),
    "own parameters": Phrase("A metric's own parameters win", "指标自身的参数优先"),
    "own parameters text": Phrase(
        "A rule that a metric reads is also a parameter of the metric. Where the metric sets it, the metric wins; "
        "where it does not, the convention decides.",
        "指标用到的规则同时也是它的参数。指标自己设定了的，以指标为准；没有设定的，由约定决定。",
    ),
    "in force text": Phrase(
        "`in_force` gives the convention with what the metric itself sets, `line` the rules that move the metric.",
        "`in_force` 返回并入指标自身设定之后的约定，`line` 只列出会影响该指标的规则。",
    ),
    "changing": Phrase("Changing rules", "修改规则"),
    "changing text": Phrase(
        "A convention is a value: it cannot be changed, but `but` makes another one. A value that is not allowed is an "
        "error that lists what is.",
        "约定是不可变的值；用 `but` 可以得到修改后的另一个约定。不允许的取值会报错，并列出允许的取值。",
    ),
    "printing": Phrase("Printing a convention", "打印约定"),
    "one line text": Phrase("In one line, all rules or only some of them:", "一行写出全部规则，或只写其中几条："),
    "in full text": Phrase(
        "In full, with what each value means and why the default is so, as text, Markdown, HTML or LaTeX:",
        "完整写出，附各取值的含义与默认值的理由，可输出文本、Markdown、HTML 或 LaTeX：",
    ),
    "in full result": Phrase("The default convention in full:", "默认约定的完整内容："),
    # Worked examples
    "worked examples": Phrase("Worked examples", "示例详解"),
    "worked examples intro": Phrase(
        "Five Chinese tutorials, here called documents 000 to 004, teach ranking metrics by worked examples. Their "
        "formulas are right; several of their printed numbers are not. Here is every example with the code that "
        "computes it, the steps as rankgauge explains them, the right number, and why the printed one differs.",
        "五篇中文教程（这里称为文档 000 至 004）用例题讲解排序指标。它们的公式都对，但印出的数字有几处不对。"
        "下面逐个给出每道例题的计算代码、rankgauge 的逐步解释、正确的数值，以及印出的数字为何不同。",
    ),
    "tutorials": Phrase("The five tutorials", "五篇教程"),
    "document": Phrase("document", "文档"),
    "subject": Phrase("subject", "内容"),
    "all examples": Phrase("All examples", "全部例题"),
    "an example": Phrase("example", "例题"),
    "right value": Phrase("right value", "正确的值"),
    "printed": Phrase("printed there", "原文印出的值"),
    "agrees": Phrase("agrees", "是否一致"),
    "section title": Phrase("Document {document}, {place}: {title}", "文档 {document}，{place}：{title}"),
    "of list": Phrase("{metric}, list {number}", "{metric}，列表 {number}"),
    "why": Phrase("Why they differ:", "为何不同："),
    "note": Phrase("Note:", "说明："),
    "all agree": Phrase("The printed numbers are right to the digits shown.", "印出的数字在所示位数内都正确。"),
    **described.WORDS,
    **your_data.WORDS,
    **preset_words.WORDS,
}

TUTORIALS = {
    "000": Phrase("nDCG for recommender systems, with code", "推荐系统中的 nDCG，附代码"),
    "001": Phrase("nDCG@k and the hit rate HR@k", "nDCG@k 与命中率 HR@k"),
    "002": Phrase("MAP, MRR and nDCG, and why two nDCGs can differ", "MAP、MRR 与 nDCG，以及 nDCG 的算法为何会有差异"),
    "003": Phrase("P@k and nDCG of a ranking model, with code", "排序模型的 P@k 与 nDCG，附代码"),
    "004": Phrase("CG, DCG and nDCG step by step, with films", "逐步计算 CG、DCG 与 nDCG，以电影为例"),
}
DASH = "–"


# Markdown


def literal(text: object) -> str:
    """A piece of code in running text or in a table."""
    return f"`{text}`".replace("|", r"\|")


def prose(text: str) -> str:
    """A sentence of the library: what stands between double backticks is code, everything else is plain."""
    pieces = re.split(r"``(.+?)``", text)
    return "".join(literal(piece) if place % 2 else escaped(piece) for place, piece in enumerate(pieces))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> str:
    """A table; the cells are Markdown already."""
    rule = ["---:" if letter == "r" else ":---" for letter in align or "l" * len(columns)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (columns, rule, *rows))


def session(examples: Iterable[tuple[str, str]]) -> str:
    """A Python session of (source, expected output); the blank line at its end keeps the fence out of the doctest."""
    lines = []
    for source, expected in examples:
        first, *more = source.splitlines()
        lines += [f">>> {first}", *(f"... {line}" for line in more), *expected.splitlines()]
    return "\n".join(["```pycon", *lines, "", "```"])


def run_in(heading: str, text: str) -> str:
    """A paragraph with its title at the beginning."""
    return f"**{heading}** {text}"


def page(name: str, lang: Lang, title: str, blocks: Iterable[str]) -> str:
    """A whole page: notice, title, link to the other language, blocks."""
    other, language = OTHER_LANGUAGE[lang]
    return "\n\n".join([NOTICE, f"# {title}", f"[{language}]({name}{ENDING[other]})", *blocks]) + "\n"


def say(key: str, lang: Lang, **values: object) -> str:
    """One of the words of these pages."""
    return WORDS[key].render(lang, **values)


# Metrics


def metrics_page(lang: Lang) -> str:
    """All metrics: overview, one section each, the laws."""
    definitions = built_in()
    blocks = [say("metrics intro", lang), f"## {say('overview', lang)}", overview(definitions, lang)]
    blocks += [say("overview notes", lang), f"## {say('symbols', lang)}", symbols(lang)]
    for definition in definitions:
        blocks += metric_section(definition, lang)
    return page("metrics", lang, say("metrics", lang), blocks + laws_section(lang))


def overview(definitions: Iterable[Definition], lang: Lang) -> str:
    """One row a metric."""
    columns = ["metric", "aliases", "trec_eval", "range", "better", "ties", "cutoff"]
    return table([say(column, lang) for column in columns], [overview_row(one, lang) for one in definitions])


def overview_row(definition: Definition, lang: Lang) -> list[str]:
    """The properties of a metric at a glance."""
    return [
        f"[{definition.name}](#{definition.name.lower()})",
        ", ".join(map(literal, definition.aliases)) or DASH,
        ", ".join(literal(trec_name(*pair)) for pair in definition.trec.items()) or DASH,
        interval(*definition.bounds),
        say("higher" if definition.higher_is_better else "lower", lang),
        say(exact_ties(definition), lang),
        say("yes" if "k" in definition.parameters else "no", lang),
    ]


def symbols(lang: Lang) -> str:
    """What the letters in the formulas stand for."""
    rows = [[f"${symbol}$", meaning.render(lang)] for symbol, meaning in SYMBOLS.items()]
    return table([say("symbol", lang), say("meaning", lang)], rows)


def metric_section(definition: Definition, lang: Lang) -> list[str]:
    """Everything about one metric."""
    blocks = [f"## {definition.name}", prose(definition.meaning.render(lang)), formula(definition.formula)]
    blocks += [parameters(definition, lang), run_in(say("edge cases", lang), prose(definition.edge_cases.render(lang)))]
    if definition.needs:
        blocks.append(run_in(say("needs", lang), prose(needed(definition, lang))))
    if definition.summary in {"sum", "exp", "weighted", "whole"}:
        blocks.append(run_in(say("over queries", lang), say(definition.summary, lang)))
    blocks += [run_in(say("example", lang), ""), example(definition), *broken_laws(definition, lang)]
    if definition.trec:
        blocks.append(run_in("trec_eval:", trec_notations(definition)))
    blocks.append(run_in(say("reference", lang), prose(definition.reference)))
    return [block.rstrip() for block in blocks]


def formula(latex: str) -> str:
    """A formula, as the library writes it."""
    return Document([Formula(latex)]).to_markdown()


def parameters(definition: Definition, lang: Lang) -> str:
    """What can be set, to what, and what is taken where it is not set."""
    if not definition.parameters:
        return say("no parameters", lang)
    rows = [
        [literal(one.name), allowed(one, lang), parameter_default(one, lang)] for one in definition.parameters.values()
    ]
    return table([say(column, lang) for column in ("parameter", "allowed", "default")], rows)


def allowed(parameter: Parameter, lang: Lang) -> str:
    """What a parameter may be."""
    if parameter.rule is None:
        return prose(parameter.allowed)
    names = [value_name(parameter.rule, name) for name in RULES[parameter.rule].values]
    return ", ".join(names) or number_kind(parameter.rule, lang)


def parameter_default(parameter: Parameter, lang: Lang) -> str:
    """The default, or the rule of the convention that gives it."""
    if parameter.rule is None:
        return literal(parameter.default)
    value = literal(written(getattr(DEFAULT, parameter.rule)))
    where = f"conventions{ENDING[lang]}"
    return say("from the convention", lang, page=where, rule=parameter.rule, value=value)


def example(definition: Definition) -> str:
    """The example of the docstring with its output."""
    found = doctest.DocTestParser().get_examples(inspect.getdoc(definition.kernel) or "")
    return session([(f"from rankgauge import {definition.name}", ""), *((one.source, one.want) for one in found)])


def broken_laws(definition: Definition, lang: Lang) -> list[str]:
    """The laws that a metric does not keep, with the reasons."""
    if not definition.breaks:
        return []
    laws_of = described.broken_laws(definition)
    reasons = "\n".join(
        f"- {', '.join(map(literal, laws))}: {prose(reason.render(lang))}" for reason, laws in laws_of.items()
    )
    return [f"**{say('broken laws', lang)}**", reasons]


def trec_notations(definition: Definition) -> str:
    """What trec_eval's names stand for."""
    return ", ".join(
        f"{literal(trec_name(name, notation))} = {literal(notation.format('N'))}"
        for name, notation in definition.trec.items()
    )


def laws_section(lang: Lang) -> list[str]:
    """All laws that some metric breaks, in words."""
    rows = [[literal(law), escaped(meaning.render(lang))] for law, meaning in LAWS.items()]
    title = f'<a id="laws"></a>\n\n## {say("laws", lang)}'
    return [title, say("laws intro", lang), table([say("law", lang), say("meaning", lang)], rows)]


# Conventions


def conventions_page(lang: Lang) -> str:
    """All rules, then how to use them."""
    rows = [[f"[{literal(name)}](#{name})", escaped(rule.question.render(lang))] for name, rule in RULES.items()]
    overview_of_rules = table([say("rule", lang), say("question", lang)], rows)
    blocks = [
        say("conventions intro", lang),
        f"## {say('overview', lang)}",
        overview_of_rules,
        say("placeholders", lang),
    ]
    for name, rule in RULES.items():
        blocks += rule_section(name, rule, lang)
    blocks += own_parameters_section(lang) + changing_section(lang) + printing_section(lang)
    return page("conventions", lang, say("conventions", lang), blocks)


def rule_section(name: str, rule: Rule, lang: Lang) -> list[str]:
    """One rule: the question, the values, the default and its reason."""
    title = escaped(rule.title.render(lang))
    question = escaped(rule.question.render(lang)) + ("" if title == name else say("printed as", lang, title=title))
    default = say("default is", lang, value=literal(written(getattr(DEFAULT, name))))
    blocks = [f"## {literal(name)}", question]
    blocks.append(
        values_table(name, rule, lang) if rule.values else say(f"any {kind_of_number(name).removeprefix('a ')}", lang)
    )
    return [*blocks, f"**{default}** {escaped(rule.why.render(lang))}"]


def values_table(name: str, rule: Rule, lang: Lang) -> str:
    """The named values, and the number where one is allowed beside them."""
    rows = [[value_name(name, value), prose(meaning.render(lang))] for value, meaning in rule.values.items()]
    if isinstance(getattr(DEFAULT, name), int | float):
        rows.insert(0, [number_kind(name, lang), say("that number", lang)])
    return table([say("value", lang), say("meaning", lang)], rows)


def value_name(rule: str, value: str) -> str:
    """A named value as code where it can be passed as it stands, in italics where it describes what to pass."""
    return literal(value) if can_be_passed(rule, value) else f"*{escaped(value)}*"


def number_kind(rule: str, lang: Lang) -> str:
    """Which numbers a rule takes, in italics."""
    return f"*{say(kind_of_number(rule), lang)}*"


def evaluated(*sources: str) -> str:
    """A session with the output that the library gives now."""
    return Recorder().session("import rankgauge as rg", *sources)


class Recorder(InteractiveInterpreter):
    """Runs the sessions of a page one after another, as doctest does, and keeps what is printed."""

    def session(self, *sources: str) -> str:
        """A session with its output; names from earlier sessions are known."""
        examples = []
        for source in sources:
            with redirect_stdout(io.StringIO()) as output:
                self.runsource(source)
            examples.append((source, output.getvalue()))
        return session(examples)

    def showtraceback(self) -> None:
        """An error of the library is part of the session; any other is a mistake in the page."""
        error = sys.exception()
        match error:
            case rg.RankgaugeError():
                name = f"{type(error).__module__}.{type(error).__name__}"
                print(f"Traceback (most recent call last):\n...\n{name}: {error}")
            case _:
                raise RuntimeError("an example of a page failed") from error


def own_parameters_section(lang: Lang) -> list[str]:
    """How a metric's own parameter wins."""
    grades = "[3, 2, 3, 0, 1]"
    compared = evaluated(
        'rules = rg.Convention(gain="exp2")',
        f"round((rg.nDCG @ 5).of({grades}, convention=rules), 6)",
        f'round((rg.nDCG(gain="linear") @ 5).of({grades}, convention=rules), 6)',
        f"round((rg.nDCG @ 5).of({grades}), 6)",
    )
    shown = evaluated(
        'rules = rg.Convention(gain="exp2")',
        'rg.nDCG(gain="linear").effective_convention(rules).gain',
        f'print(rg.nDCG(gain="linear").line({arguments("rules", language(lang))}))',
    )
    texts = [say("own parameters text", lang), compared, say("in force text", lang), shown]
    return [f"## {say('own parameters', lang)}", *texts]


def changing_section(lang: Lang) -> list[str]:
    """How to make a convention of another."""
    shown = evaluated(
        'rules = rg.Convention(gain="exp2")', "rules.replace(rel=2).rel", 'rules.replace(ties="mean").gain'
    )
    return [f"## {say('changing', lang)}", say("changing text", lang), shown]


def printing_section(lang: Lang) -> list[str]:
    """How to print a convention."""
    some = arguments('only=["gain", "discount", "ideal"]', language(lang))
    in_one_line = evaluated(
        f"print(rg.Convention().line({some}))", f"print(rg.Convention().line({arguments(language(lang))}))"
    )
    in_full = evaluated(
        f"document = rg.Convention().document({arguments(language(lang))})",
        "print(document.to_markdown().splitlines()[0])",
    )
    return [
        f"## {say('printing', lang)}",
        say("one line text", lang),
        in_one_line,
        say("in full text", lang),
        in_full,
        say("in full result", lang),
        DEFAULT.document(lang).to_markdown(level=3),
    ]


def language(lang: Lang) -> str:
    """The argument that asks for a language; none for English."""
    return "" if lang == "en" else f'lang="{lang}"'


def arguments(*given: str) -> str:
    """Arguments of a call, those that are empty left out."""
    return ", ".join(filter(None, given))


# Your data


def your_data_page(lang: Lang) -> str:
    """The forms of data, how they are recognised, strict and lenient, all codes."""
    recorder = Recorder()
    blocks = [say("your data intro", lang), f"## {say('forms', lang)}", say("forms text", lang)]
    for form in your_data.FORMS:
        blocks += [f"### {form.title.render(lang)}", form.text.render(lang), recorder.session(*form.code)]
    blocks += columns_section(lang) + formats_section(lang) + strict_section(recorder, lang) + codes_section(lang)
    for family, meaning in your_data.FAMILIES.items():
        blocks.append(f"## {say('family', lang, family=family, meaning=meaning.render(lang))}")
        blocks += [block for code in CODES if code.startswith(family) for block in code_section(code, lang)]
    return page("your-data", lang, say("your data", lang), blocks)


def columns_section(lang: Lang) -> list[str]:
    """The names by which columns are recognised."""
    groups_of = {ours: groups for words in NAMES_OF_COLUMNS.values() for ours, groups in words.items()}
    rows = []
    for ours, (strong, *weak) in groups_of.items():
        weaker = [name for group in weak for name in group]
        rows.append([literal(ours), ", ".join(map(literal, strong)), ", ".join(map(literal, weaker)) or DASH])
    names = table([say(column, lang) for column in ("column", "names", "weaker names")], rows)
    title = f'<a id="columns"></a>\n\n## {say("columns", lang)}'
    return [title, say("columns text", lang), names, say("columns notes", lang)]


def formats_section(lang: Lang) -> list[str]:
    """By what formats are recognised."""
    rows = [[literal(name), meaning.render(lang)] for name, meaning in your_data.FORMATS.items()]
    formats = table([say(column, lang) for column in ("format", "recognised by")], rows)
    return [f"## {say('formats', lang)}", say("formats text", lang), formats]


def strict_section(recorder: Recorder, lang: Lang) -> list[str]:
    """Strict and lenient with real messages; the folder in them differs from run to run."""
    folder = str(recorder.locals["folder"])
    lenient_code = [source.replace('say("en")', f'say("{lang}")') for source in your_data.LENIENT_CODE]
    return [
        f"## {say('strict and lenient', lang)}",
        say("strict text", lang, shown=SHOWN, size=BLOCK_BYTES >> 20),
        recorder.session(*your_data.STRICT_CODE).replace(folder, "..."),
        say("lenient text", lang),
        recorder.session(*lenient_code).replace(folder, "..."),
        say("lenient notes", lang),
    ]


def codes_section(lang: Lang) -> list[str]:
    """All codes at a glance."""
    rows = [
        [
            f"[{code}](#{code.lower()})",
            your_data.SEVERITIES[kind.severity].render(lang),
            marked(kind.title.render(lang), lang),
        ]
        for code, kind in CODES.items()
    ]
    codes = table([say(column, lang) for column in ("code", "severity", "what")], rows)
    return [f"## {say('codes', lang)}", say("codes text", lang), codes]


def code_section(code: str, lang: Lang) -> list[str]:
    """One code: how bad it is, what it means, what to do, what lenient reading does."""
    kind = CODES[code]
    title, severity = kind.title.render(lang), your_data.SEVERITIES[kind.severity].render(lang)
    values = {"title": marked(title[0].upper() + title[1:], lang), "severity": severity}
    remedy, does = marked(kind.remedy.render(lang), lang), marked(kind.lenient.render(lang), lang)
    return [
        f"### {code}",
        say("finding", lang, explanation=marked(kind.explanation.render(lang), lang), **values),
        f"- {say('remedy', lang, remedy=remedy)}\n- {say('lenient', lang, does=does)}",
    ]


def marked(text: str, lang: Lang) -> str:
    """A text of the library: what stands between backticks is code, and a link where it is a rule."""
    pieces = text.split("`")
    return "".join(rule_link(piece, lang) if place % 2 else escaped(piece) for place, piece in enumerate(pieces))


def rule_link(name: str, lang: Lang) -> str:
    """A name as code, with a link to its rule where it has one."""
    return f"[{literal(name)}](conventions{ENDING[lang]}#{name})" if name in RULES else literal(name)


# Worked examples


def worked_examples_page(lang: Lang) -> str:
    """All worked examples: the tutorials, a table, one section each."""
    tutorials = [[literal(key), subject.render(lang)] for key, subject in TUTORIALS.items()]
    rows = [row for example in WORKED_EXAMPLES for row in summary_rows(example, lang)]
    columns = ["an example", "metric", "right value", "printed", "agrees"]
    blocks = [
        say("worked examples intro", lang),
        f"## {say('tutorials', lang)}",
        table([say("document", lang), say("subject", lang)], tutorials),
        f"## {say('all examples', lang)}",
        table([say(column, lang) for column in columns], rows, align="llrrl"),
    ]
    for worked in WORKED_EXAMPLES:
        blocks += worked_section(worked, lang)
    return page("worked-examples", lang, say("worked examples", lang), blocks)


def summary_rows(worked: WorkedExample, lang: Lang) -> list[list[str]]:
    """The figures of an example, the first one with a link to its section; of an average only what was printed."""
    link = f"[{worked.document} {escaped(worked.place)}](#{worked.key}) {escaped(worked.title.render(lang))}"
    figures = [figure for figure in worked.figures if figure.printed or len(worked.rankings) == 1]
    return [
        [link if place == 0 else "", *figure_cells(worked, figure, lang), verdict(figure, lang)]
        for place, figure in enumerate(figures)
    ]


def figure_cells(worked: WorkedExample, figure: Figure, lang: Lang) -> list[str]:
    """Name, right value and printed value."""
    return [figure_name(worked, figure, lang), f"{figure.right:.6f}", figure.printed or DASH]


def figure_name(worked: WorkedExample, figure: Figure, lang: Lang) -> str:
    """The metric, and which of several lists it is for."""
    if figure.name:
        return literal(figure.name)
    if len(worked.rankings) == 1 or figure.of is MEAN:
        return literal(figure.metric)
    return say("of list", lang, metric=literal(figure.metric), number=figure.of + 1)


def verdict(figure: Figure, lang: Lang) -> str:
    """Whether what was printed is right."""
    if not figure.printed:
        return DASH
    return f"**{say('no', lang)}**" if figure.differs else say("yes", lang)


def worked_section(worked: WorkedExample, lang: Lang) -> list[str]:
    """One example: what goes in, the code, the numbers, why they differ, the steps."""
    values = {"document": worked.document, "place": worked.place, "title": worked.title.render(lang)}
    columns = [say(column, lang) for column in ("metric", "right value", "printed")]
    return [
        f'<a id="{worked.key}"></a>\n\n## {escaped(say("section title", lang, **values))}',
        escaped(worked.setting.render(lang)),
        worked_code(worked),
        table(columns, [figure_cells(worked, figure, lang) for figure in worked.figures], align="lrr"),
        remark(worked, lang),
        *(explanation(worked, worked.figures[place], lang) for place in worked.explained),
    ]


def remark(worked: WorkedExample, lang: Lang) -> str:
    """Why the printed numbers differ, or that they do not."""
    note = escaped(worked.note.render(lang))
    if any(figure.differs for figure in worked.figures):
        return run_in(say("why", lang), note)
    return run_in(say("note", lang), note or say("all agree", lang))


def explanation(worked: WorkedExample, figure: Figure, lang: Lang) -> str:
    """The steps, as the library explains them."""
    metric = rg.parse(figure.metric)
    ranking = worked.rankings[figure.of or 0]
    explained = metric.explain(ranking.grades, convention=worked.convention, **ranking.given(metric))
    return explained.to_markdown(lang=lang, level=3)


def worked_code(worked: WorkedExample) -> str:
    """The session that computes all figures of an example."""
    lines = [("import rankgauge as rg", "")]
    if worked.convention != DEFAULT:
        lines.append((f"rules = {convention_code(worked.convention)}", ""))
    return session([*lines, *(several_lists(worked) if len(worked.rankings) > 1 else one_list(worked))])


def one_list(worked: WorkedExample) -> list[tuple[str, str]]:
    """The session for an example with one list: every figure in its turn."""
    ranking = worked.rankings[0]
    lines = [(f"grades = {list(ranking.grades)}", "")]
    if ranking.ideal:
        lines.append((f"ideal = {list(ranking.ideal)}", ""))
    for figure in worked.figures:
        call = call_code(worked, figure.metric, ranking)
        lines.append((f"round({call}, 6)", repr(figure.right)))
    return lines


def several_lists(worked: WorkedExample) -> list[tuple[str, str]]:
    """The session for an average over several lists."""
    mean = next(figure for figure in worked.figures if figure.of is MEAN)
    lists = ", ".join(str(list(ranking.grades)) for ranking in worked.rankings)
    lines, loop = [(f"lists = [{lists}]", "")], "for grades in lists"
    if worked.rankings[0].relevant is not None:
        counts = [ranking.relevant for ranking in worked.rankings]
        lines.append((f"relevant = {counts}", ""))
        loop = "for grades, count in zip(lists, relevant)"
    call = call_code(worked, mean.metric, worked.rankings[0], relevant="count")
    each = [round(value, 6) for value in worked.values(mean)]
    return [
        *lines,
        (f"values = [{call} {loop}]", ""),
        ("[round(value, 6) for value in values]", repr(each)),
        ("round(sum(values) / len(values), 6)", repr(mean.right)),
    ]


def call_code(worked: WorkedExample, metric: str, ranking: Ranking, relevant: str = "") -> str:
    """The call that computes a metric of the list ``grades``."""
    given = ranking.given(rg.parse(metric))
    ideal = "ideal=ideal" if "ideal" in given else ""
    count = f"relevant={relevant or given['relevant']}" if "relevant" in given else ""
    rules = "convention=rules" if worked.convention != DEFAULT else ""
    return f"{metric_code(metric)}.of({arguments('grades', ideal, count, rules)})"


def metric_code(metric: str) -> str:
    """A metric as it is written in Python."""
    name, at, cutoff = metric.partition("@")
    name = name.replace("'", '"')
    return f"(rg.{name} @ {cutoff})" if at else f"rg.{name}"


def convention_code(convention: rg.Convention) -> str:
    """A convention as it is written in Python: the rules that are not as by default."""
    changed = [
        f"{name}={getattr(convention, name)!r}" for name in RULES if getattr(convention, name) != getattr(DEFAULT, name)
    ]
    return f"rg.Convention({', '.join(changed)})".replace("'", '"')


# Presets

TIED_LABELS, TIED_SCORES = [0, 2, 1, 0, 3, 0], [0.5, 0.5, 0.5, 0.2, 0.2, 0.1]
BINARY = [0, 1, 0, 0, 1, 1, 1, 1]


def presets_page(lang: Lang) -> str:
    """All presets: a table, one list under each of them, one section each."""
    rows = [
        [f"[{literal(name)}](#{anchor(name)})", escaped(one.tool), escaped(one.versions)]
        for name, one in PRESETS.items()
    ]
    columns = [say(column, lang) for column in ("preset", "tool", "versions")]
    text = say("one list text", lang, labels=literal(TIED_LABELS), scores=literal(TIED_SCORES), binary=literal(BINARY))
    shown = evaluated(
        f'round((rg.nDCG @ 3).of({TIED_LABELS}, scores={TIED_SCORES}, convention="lightgbm"), 6)',
        'rg.preset("xgboost-2").replace(gain="linear").gain',
    )
    blocks = [
        say("presets intro", lang),
        f"## {say('overview', lang)}",
        table(columns, rows),
        f"## {say('using', lang)}",
        say("using text", lang),
        shown,
        f"## {say('one list', lang)}",
        text,
        table([say("preset", lang), "nDCG@3", "AP@3"], one_list_rows(), align="lrr"),
        *reconcile_section(lang),
    ]
    for one in PRESETS.values():
        blocks += preset_section(one, lang)
    return page("presets", lang, say("presets", lang), blocks)


def reconcile_section(lang: Lang) -> list[str]:
    """What each tool says of one list, what explains a number, and the way from one tool to another."""
    found = rg.reconcile([5, 3, 2, 1, 2], metric="nDCG@5", ideal=[5, 4, 3, 2, 2, 1, 0])
    command = literal("rankgauge reconcile 5,3,2,1,2 --ideal 5,4,3,2,2,1,0 -m nDCG@5")
    return [
        f"## {say('reconcile', lang)}",
        say("reconcile text", lang, command=command),
        without_title(found.document(lang)),
        say("reconcile value", lang),
        without_title(found.explain("0.827").document(lang)),
        say("reconcile between", lang),
        without_title(found.between("trec_eval-9", "letor").document(lang)),
    ]


def without_title(document: Document) -> str:
    """A document as a part of a page."""
    return Document(document.blocks[1:]).to_markdown()


def one_list_rows() -> Iterable[list[str]]:
    """The two lists under every preset that has nDCG or AP at a cutoff."""
    for name, one in PRESETS.items():
        ours, cells = {*one.metrics.values()}, [DASH, DASH]
        if "nDCG@{k}" in ours:
            cells[0] = f"{(rg.nDCG @ 3).of(TIED_LABELS, scores=TIED_SCORES, convention=one.convention):.6f}"
        if "AP@{k}" in ours:
            cells[1] = f"{(rg.AP @ 3).of(BINARY, convention=one.convention):.6f}"
        if cells != [DASH, DASH]:
            yield [literal(name), *cells]


def preset_section(one: Preset, lang: Lang) -> list[str]:
    """One preset: the tool, the rules that are its own, its names, what to know."""
    about = {"tool": escaped(one.tool), "versions": escaped(one.versions), "about": prose(one.about.render(lang))}
    rules = [
        [rule_link(name, lang), literal(written(value)), prose(one.convention.meaning(name, lang))]
        for name, value in one.differences.items()
    ]
    names = [[literal(theirs), literal(ours)] for theirs, ours in one.metrics.items()]
    columns = [say(column, lang) for column in ("rule", "value", "meaning")]
    notes = [prose(note.render(lang)) for note in one.notes]
    defects = [run_in(say("defect", lang), prose(defect.render(lang))) for defect in one.defects]
    return [
        f'<a id="{anchor(one.name)}"></a>\n\n## {literal(one.name)}',
        say("of versions", lang, **about),
        table(columns, rules) if rules else say("as by default", lang),
        table([say("its name", lang), say("here", lang)], names),
        say("agrees to", lang, precision=one.precision),
        *(["\n".join(f"- {line}" for line in (*notes, *defects))] if notes or defects else []),
    ]


def anchor(name: str) -> str:
    """A name that can stand in a link."""
    return f"preset-{name.replace('.', '-')}"


# Files

PAGES: dict[str, Callable[[Lang], str]] = {
    "metrics": metrics_page,
    "conventions": conventions_page,
    "presets": presets_page,
    "your-data": your_data_page,
    "worked-examples": worked_examples_page,
}


def pages() -> dict[str, str]:
    """Every page by its file name."""
    return {f"{name}{ENDING[lang]}": write(lang) for name, write in PAGES.items() for lang in LANGUAGES}


def out_of_date(folder: Path = FOLDER) -> list[str]:
    """The pages that are missing or differ from what would be written now."""
    return [
        name
        for name, text in pages().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]


def main(given: Sequence[str] | None = None, folder: Path = FOLDER) -> int:
    """Write the pages, or check them."""
    parser = argparse.ArgumentParser(description="Write the reference pages from the library.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a page is out of date")
    if parser.parse_args(given).check:
        stale = out_of_date(folder)
        for name in stale:
            print(f"docs/{name} is out of date; run: python docs/generate.py")
        return 1 if stale else 0
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
