"""The result of an audit: the verdict, the definition, the broken laws with their counterexamples, the diagnosis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from rankgauge.auditing.definitions import ANY_ORDER, DefinitionMatch, at
from rankgauge.auditing.laws import Law
from rankgauge.auditing.outcome import Outcome
from rankgauge.auditing.worlds import Queries, World
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.evaluate import explain
from rankgauge.metric_core.explanation import Explanation
from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.rule_setting import RuleSetting, shown_value
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.junit import JUnitCase, junit
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData, finite_or_none

SCHEMA = 2
EXPLAINED = 3
"""Number of counterexamples whose steps are shown."""
Verdict = Literal["acquitted", "accused", "undecided"]
VERDICTS: dict[Verdict, Phrase] = {
    "acquitted": Phrase("{name} computes {metric} and breaks no law", "{name} 计算的是 {metric}，没有违反定律"),
    "accused": Phrase("{name} breaks {count:# law|# laws} of {metric}", "{name} 违反了 {metric} 的 {count} 条定律"),
    "undecided": Phrase("Not decided whether {name} computes {metric}", "无法判定 {name} 计算的是否为 {metric}"),
}
WORDS = {
    "diagnosis": Phrase("What is wrong: {faults}.", "问题所在：{faults}。"),
    "untested": Phrase("What could not be tested: {reasons}.", "未能检验的：{reasons}。"),
    "exact": Phrase(
        "Definition: {definition} (the same value on all {tried:# input|# inputs})",
        "定义：{definition}（在全部 {tried} 个输入上数值相同）",
    ),
    "differing": Phrase(
        "This is not the default definition of {metric}: {rules}. Values differ where these rules matter; state the "
        "definition you mean with convention= or --convention.",
        "这不是 {metric} 的默认定义：{rules}。在这些规则起作用处数值不同；"
        "请用 convention= 或 --convention 指明想要的定义。",
    ),
    "none": Phrase(
        "No known definition gives its values. The nearest, {definition}, agrees on {agreed} of {tried} inputs.",
        "没有已知定义给出同样的数值。最接近的是 {definition}，在 {tried} 个输入中有 {agreed} 个一致。",
    ),
    "factor": Phrase(
        "No known definition gives its values. They are {factor:.6g} times those of {definition}.",
        "没有已知定义给出同样的数值。它们是 {definition} 的 {factor:.6g} 倍。",
    ),
    "metric": Phrase(
        "It gives the values of another metric, {other}: {definition}.",
        "它给出的是另一个指标 {other} 的值：{definition}。",
    ),
    "unknown": Phrase("It gave no value that could be compared.", "没有得到可以比较的数值。"),
    "partial": Phrase(
        "On lists without missed items it agrees with a known definition on {agreed} of {tried} inputs.",
        "在没有遗漏相关物品的列表上，{tried} 个输入中有 {agreed} 个与已知定义一致。",
    ),
    "called": Phrase(
        "Called as: {form}. {tried:# input|# inputs}: {answered} answered, {refused} refused, {failed} failed; "
        "{compared} compared with definitions, {tied} of them with equal scores. Longest list: "
        "{longest:# item|# items}.",
        "调用形式：{form}。{tried} 个输入：{answered} 个有结果，{refused} 个被拒绝，{failed} 个出错；"
        "{compared} 个与定义比较，其中 {tied} 个有相同分数。最长的列表有 {longest} 个物品。",
    ),
    "excused": Phrase("Laws that the definition itself breaks: {laws}.", "该定义本身就不满足的定律：{laws}。"),
    "input order": Phrase(
        "The order of items with equal scores is that of the input, or left to the sort: if relevant items are passed "
        "first, equal scores for all items may look perfect.",
        "分数相同的物品按输入的次序，或由排序算法决定：若相关物品排在输入的前面，所有分数都相同也可能显得完美。",
    ),
    "relevant": Phrase(
        "It does not read grades: it can be right only if its judgments hold relevant rows only.",
        "它不读取等级：只有当标注中全是相关的行时，它才可能正确。",
    ),
    "integers": Phrase("Ids are passed as integers, since it refuses texts.", "物品编号以整数传入，因为它拒绝文本。"),
    "printed": Phrase("It writes to standard output or standard error.", "它会向标准输出或标准错误写内容。"),
    "law": Phrase("law", "定律"),
    "before": Phrase("compared with", "对照"),
    "example": Phrase("smallest counterexample", "最小反例"),
    "returned": Phrase("returned", "返回"),
    "expected": Phrase("expected", "应为"),
    "gave": Phrase("{world}: {value:.6g}", "{world}：{value:.6g}"),
    "steps": Phrase("What the definition gives for: {example}", "按定义的计算：{example}"),
    "undefined": Phrase("no value: 0/0", "无值：0/0"),
    "refused": Phrase("a refusal", "拒绝"),
    "refusal": Phrase("a number, or a refusal", "一个数，或带说明的拒绝"),
}


class Calls(NamedTuple):
    """How many inputs were tried, and what came of them."""

    tried: int
    answered: int
    refused: int
    failed: int
    compared: int
    """Answers that were compared with definitions."""
    tied: int
    """Inputs with equal scores among those."""
    longest: int
    """Items of the longest list that was answered."""

    @classmethod
    def of(cls, answers: Sequence[tuple[World, Outcome]], compared: int, tied: int) -> Calls:
        """Count outcomes."""
        kinds = [outcome.kind for _, outcome in answers]
        longest = max((len(world.ranking) for world, outcome in answers if outcome.kind == "value"), default=0)
        values, refusals = kinds.count("value"), kinds.count("refusal")
        return cls(len(kinds), values, refusals, kinds.count("fault"), compared, tied, longest)


@dataclass(frozen=True)
class Broken:
    """A law that does not hold, with the smallest input that shows it."""

    law: str
    text: Phrase
    example: World | Queries
    outcome: Outcome
    expected: float | None
    """What the definition gives for the example; None where it gives nothing."""
    setting: RuleSetting
    """The definition."""
    compared_with: tuple[World, float] | None = None
    """The input that the example was compared with, and what the function returned for it."""

    @property
    def returned(self) -> float | str:
        """What the function returned for the example: a number, or the text of its error."""
        return self.outcome.value if self.outcome.kind == "value" else self.outcome.render()

    def steps(self) -> Explanation | None:
        """Return how the definition computes its value for the example; None if it has none, or for several queries."""
        if isinstance(self.example, Queries):
            return None
        rules = self.setting.convention
        if self.example.repeats and rules.duplicates == "error":
            rules = rules.replace(duplicates="first")
        try:
            return explain(
                {"q1": self.example.grades},
                {"q1": self.example.source},
                at(self.setting.metric, self.example.k),
                "q1",
                convention=rules,
            )
        except RankgaugeError:
            return None

    def to_dict(self) -> PlainData:
        """Return the law and its counterexample as plain data."""
        number = self.outcome.value if self.outcome.kind == "value" else None
        before = None
        if self.compared_with is not None:
            before = {"example": self.compared_with[0].to_dict(), "returned": finite_or_none(self.compared_with[1])}
        return {
            "law": self.law,
            "text": self.text.render("en"),
            "compared_with": before,
            "example": self.example.to_dict(),
            "returned": finite_or_none(number) if number is not None else self.outcome.render(),
            "expected": finite_or_none(self.expected),
        }

    def row(self, lang: Lang) -> list[str]:
        """Return the cells of a table."""
        before = ""
        if self.compared_with is not None:
            before = WORDS["gave"].render(lang, world=self.compared_with[0].render(lang), value=self.compared_with[1])
        of_value = "refused" if isinstance(self.example, Queries) else "undefined"
        nothing = WORDS[of_value if self.outcome.kind == "value" else "refusal"].render(lang)
        right = nothing if self.expected is None else f"{self.expected:.6g}"
        return [self.text.render(lang), before, self.example.render(lang), self.outcome.render(lang), right]


@dataclass(frozen=True, repr=False)
class Audit(ShownAsDocument, FrameResult, JsonResult):
    """What an audit found; true only if the function is known to compute the metric."""

    name: str
    """Name of the function or program."""
    metric: Metric
    call: str
    """The form in which it was called."""
    calls: Calls
    """How many inputs were tried, answered, refused and compared."""
    nearest: DefinitionMatch | None
    """The definition that agrees best."""
    broken: tuple[Broken, ...]
    excused: tuple[Law, ...]
    """The laws that the stated definition itself breaks; empty if none was stated."""
    diagnosis: tuple[Phrase, ...]
    """What is wrong, if it is a known fault."""
    untested: tuple[Phrase, ...]
    """What could not be tested."""
    printed: bool = False
    integers: bool = False
    """Whether ids were passed as integers."""
    partial: bool = False
    """Whether the calls could not show how a definition treats relevant items that were not returned."""
    differing: tuple[str, ...] = ()
    """The rules in which the definition found differs from the default of the metric; empty if one was stated."""

    @property
    def verdict(self) -> Verdict:
        """Whether the function is right, at fault, or neither is known."""
        return "accused" if self.broken else "undecided" if self.untested else "acquitted"

    @property
    def ok(self) -> bool:
        """Whether the function is known to be right: enough inputs were compared, and nothing is at fault."""
        return self.verdict == "acquitted"

    def __bool__(self) -> bool:
        return self.ok

    @property
    def definition(self) -> DefinitionMatch | None:
        """The definition whose value the function gave on all inputs; None if there is none, or one cannot tell."""
        return self.nearest if self.nearest is not None and self.nearest.exact and not self.partial else None

    def __repr__(self) -> str:
        laws = ", ".join(each.law for each in self.broken) or "none"
        return f"<Audit of {self.name} as {self.metric}: {self.verdict}, definition={self.definition}, broken={laws}>"

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "metric": str(self.metric),
            "verdict": self.verdict,
            "ok": self.ok,
            "diagnosis": [each.en for each in self.diagnosis],
            "untested": [each.en for each in self.untested],
            "call": self.call,
            "inputs": self.calls._asdict(),
            "definition": None if self.definition is None else self.definition.to_dict(),
            "nearest": None if self.nearest is None or self.partial else self.nearest.to_dict(),
            "differing": [*self.differing],
            "broken": [each.to_dict() for each in self.broken],
            "excused": [law.name for law in self.excused],
        }

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each broken law, with its counterexample; without rows if none is broken."""
        cells = [each.row("en") for each in self.broken]
        columns = zip(*cells, strict=True) if cells else [()] * 5
        names = ("text", "compared_with", "example", "returned", "expected")
        return {"law": [each.law for each in self.broken], **dict(zip(names, map(list, columns), strict=True))}

    def document(self, lang: str = "en") -> Document:
        """Return the verdict, what is wrong or untested, and each broken law with its counterexample and the steps."""
        language = check_lang(lang)
        title = VERDICTS[self.verdict].render(language, name=self.name, metric=self.metric, count=len(self.broken))
        blocks: list[Block] = [Heading(title), *(Paragraph(line) for line in self._lines(language))]
        if self.broken:
            keys = ("law", "before", "example", "returned", "expected")
            rows, titles = [each.row(language) for each in self.broken], [WORDS[key].render(language) for key in keys]
            shown = [place for place in range(len(keys)) if place != 1 or any(row[1] for row in rows)]
            cells = [[row[place] for place in shown] for row in rows]
            blocks.append(Table([titles[place] for place in shown], cells, align="l" * (len(shown) - 2) + "rr"))
        examples = {each.example: each for each in reversed(self.broken) if each.outcome.kind == "value"}
        for each in [*examples.values()][: -EXPLAINED - 1 : -1]:
            if (steps := each.steps()) is not None:
                blocks.append(Heading(WORDS["steps"].render(language, example=each.example.render(language)), 2))
                blocks += [block for block in steps.document(lang).blocks if not isinstance(block, Heading)]
        return Document(blocks)

    def _lines(self, lang: Lang) -> list[str]:
        """Return the paragraphs between the verdict and the table."""
        joined = {"faults": self.diagnosis, "reasons": self.untested, "laws": [law.text for law in self.excused]}
        facts: dict[str, Any] = {
            name: Phrase("; ", "；").render(lang).join(each.render(lang) for each in texts)
            for name, texts in joined.items()
        }
        facts |= self.calls._asdict() | {"form": self.call}
        keys: dict[str, Any] = {
            "diagnosis": self.diagnosis,
            "untested": self.untested,
            "called": self.calls.tried and self.call,
        }
        keys |= {
            "excused": self.excused,
            "input order": self._keeps_order,
            "relevant": "relevant frame" in self.call,
            "integers": self.integers,
            "printed": self.printed,
        }
        lines = {key: WORDS[key].render(lang, **facts) for key, holds in keys.items() if holds}
        first = [key for key in ("diagnosis", "untested") if key in lines]
        rest = [key for key in lines if key not in first]
        definition = [self._definition_line(lang), *self._differing_lines(lang)]
        return [*(lines[key] for key in first), *definition, *(lines[key] for key in rest)]

    @property
    def _keeps_order(self) -> bool:
        definition = self.definition
        return definition is not None and self.calls.tied > 0 and definition.setting.convention.ties in ANY_ORDER

    def _differing_lines(self, lang: Lang) -> list[str]:
        if self.definition is None or not self.differing:
            return []
        rules = ", ".join(f"{rule}={shown_value(self.definition.setting, rule)}" for rule in self.differing)
        return [WORDS["differing"].render(lang, metric=self.metric, rules=rules)]

    def _definition_line(self, lang: Lang) -> str:
        if self.nearest is None:
            return WORDS["unknown"].render(lang)
        facts: dict[str, Any] = {"definition": self.nearest.render(lang)}
        facts |= {"agreed": self.nearest.agreed, "tried": self.nearest.tried}
        if self.partial:
            return WORDS["partial"].render(lang, **facts)
        if self.nearest.metric is not None:
            return WORDS["metric"].render(lang, other=self.nearest.metric, **facts)
        if self.nearest.factor is not None:
            return WORDS["factor"].render(lang, factor=self.nearest.factor, **facts)
        return WORDS["exact" if self.nearest.exact else "none"].render(lang, **facts)

    def to_junit(self) -> str:
        """Return JUnit XML: a test case for each broken law, or one for the metric, which fails if it is undecided."""
        cases = [JUnitCase(each.law, self._failure(each), failed=True) for each in self.broken]
        lines = [self._definition_line("en")]
        if self.untested:
            lines.insert(0, WORDS["untested"].render("en", reasons="; ".join(each.en for each in self.untested)))
        whole = JUnitCase(str(self.metric), " ".join(lines), failed=not self.ok)
        return junit(f"audit {self.name}", "law", cases or [whole])

    def _failure(self, each: Broken) -> str:
        *_, right = each.row("en")
        what = f" ({'; '.join(fault.en for fault in self.diagnosis)})" if self.diagnosis else ""
        return f"{each.text.render('en')}: {each.example} gave {each.outcome}, not {right}{what}"
