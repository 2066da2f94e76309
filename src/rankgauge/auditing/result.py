"""The result of an audit: the definition, the broken laws with their smallest counterexamples, and the verdict."""

from __future__ import annotations

import json
from dataclasses import dataclass

from rankgauge.auditing.definitions import DefinitionMatch, at
from rankgauge.auditing.laws import Law
from rankgauge.auditing.outcome import Outcome
from rankgauge.auditing.worlds import World
from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.evaluate import explain
from rankgauge.metric_core.explanation import Explanation
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.junit import JUnitCase, junit
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.plain import PlainData, finite_or_none

SCHEMA = 1
EXPLAINED = 3
"""Number of counterexamples whose steps are shown."""
WORDS = {
    "ok": Phrase("{name} breaks no law of {metric}", "{name} 符合 {metric} 的所有定律"),
    "broken": Phrase("{name} breaks {count:# law|# laws} of {metric}", "{name} 违反了 {metric} 的 {count} 条定律"),
    "exact": Phrase(
        "Definition: {definition} (the same value on all {tried:# input|# inputs})",
        "定义：{definition}（在全部 {tried} 个输入上数值相同）",
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
    "called": Phrase("Called as: {form}; {calls:# input|# inputs} tried.", "调用形式：{form}；试了 {calls} 个输入。"),
    "excused": Phrase("Laws that the definition itself breaks: {laws}.", "该定义本身就不满足的定律：{laws}。"),
    "printed": Phrase("It writes to standard output or standard error.", "它会向标准输出或标准错误写内容。"),
    "law": Phrase("law", "定律"),
    "example": Phrase("smallest counterexample", "最小反例"),
    "returned": Phrase("returned", "返回"),
    "expected": Phrase("expected", "应为"),
    "steps": Phrase("What the definition gives for: {example}", "按定义的计算：{example}"),
    "refusal": Phrase("a number, or a refusal", "一个数，或带说明的拒绝"),
}


@dataclass(frozen=True)
class Broken:
    """A law that does not hold, with the smallest input that shows it."""

    law: str
    text: Phrase
    example: World
    outcome: Outcome
    expected: float | None
    """What the definition gives for the example; None where it gives nothing."""
    metric: Metric
    convention: Convention

    @property
    def returned(self) -> float | str:
        """What the function returned for the example: a number, or the text of its error."""
        return self.outcome.value if self.outcome.kind == "value" else self.outcome.render()

    def steps(self) -> Explanation | None:
        """Return how the definition computes its value for the example; None where it has none."""
        rules = self.convention
        if self.example.repeats and rules.duplicates == "error":
            rules = rules.replace(duplicates="first")
        try:
            return explain(
                {"q1": self.example.grades},
                {"q1": self.example.source},
                at(self.metric, self.example.k),
                "q1",
                convention=rules,
            )
        except RankgaugeError:
            return None

    def to_dict(self) -> PlainData:
        """Return the law and its counterexample as plain data."""
        number = self.outcome.value if self.outcome.kind == "value" else None
        return {
            "law": self.law,
            "text": self.text.render("en"),
            "example": self.example.to_dict(),
            "returned": finite_or_none(number) if number is not None else self.outcome.render(),
            "expected": finite_or_none(self.expected),
        }


@dataclass(frozen=True, repr=False)
class Audit(ShownAsDocument):
    """What an audit found; true if no law is broken."""

    name: str
    """Name of the function or program."""
    metric: Metric
    call: str
    """The form in which it was called."""
    calls: int
    """Number of inputs tried."""
    nearest: DefinitionMatch | None
    """The definition that agrees best."""
    broken: tuple[Broken, ...]
    excused: tuple[Law, ...]
    """The laws that the stated definition itself breaks; empty if none was stated."""
    printed: bool

    @property
    def ok(self) -> bool:
        """Whether no law is broken."""
        return not self.broken

    def __bool__(self) -> bool:
        return self.ok

    @property
    def definition(self) -> DefinitionMatch | None:
        """The definition whose value the function gave on all inputs; None if there is none."""
        return self.nearest if self.nearest is not None and self.nearest.exact else None

    def __repr__(self) -> str:
        laws = ", ".join(each.law for each in self.broken) or "none"
        return f"<Audit of {self.name} as {self.metric}: definition={self.definition}, broken={laws}>"

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "metric": str(self.metric),
            "ok": self.ok,
            "call": self.call,
            "inputs": self.calls,
            "definition": None if self.definition is None else self.definition.to_dict(),
            "nearest": None if self.nearest is None else self.nearest.to_dict(),
            "broken": [each.to_dict() for each in self.broken],
            "excused": [law.name for law in self.excused],
        }

    def to_json(self, indent: int | None = None) -> str:
        """Return everything as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def document(self, lang: str = "en") -> Document:
        """Return the verdict, the definition, and each broken law with its counterexample and the right steps."""
        language = check_lang(lang)

        def word(key: str, **values: object) -> str:
            return WORDS[key].render(language, **values)

        verdict = word("broken" if self.broken else "ok", name=self.name, metric=self.metric, count=len(self.broken))
        blocks: list[Block] = [Heading(verdict), Paragraph(self._definition_line(language))]
        blocks.append(Paragraph(word("called", form=self.call, calls=self.calls)))
        if self.excused:
            laws = Phrase("; ", "；").render(language).join(law.text.render(language) for law in self.excused)
            blocks.append(Paragraph(word("excused", laws=laws)))
        if self.printed:
            blocks.append(Paragraph(word("printed")))
        if self.broken:
            rows = [
                [
                    each.text.render(language),
                    each.example.render(language),
                    each.outcome.render(language),
                    self._expected(each, language),
                ]
                for each in self.broken
            ]
            titles = [word(key) for key in ("law", "example", "returned", "expected")]
            blocks.append(Table(titles, rows, align="llrr"))
        examples = {each.example: each for each in reversed(self.broken) if each.outcome.kind == "value"}
        for each in [*examples.values()][: -EXPLAINED - 1 : -1]:
            if (steps := each.steps()) is not None:
                blocks.append(Heading(word("steps", example=each.example.render(language)), 2))
                blocks += [block for block in steps.document(lang).blocks if not isinstance(block, Heading)]
        return Document(blocks)

    def _definition_line(self, lang: Lang) -> str:
        if self.nearest is None:
            return WORDS["unknown"].render(lang)
        facts = {"definition": self.nearest.render(lang), "agreed": self.nearest.agreed, "tried": self.nearest.tried}
        if self.nearest.metric is not None:
            return WORDS["metric"].render(lang, other=self.nearest.metric, **facts)
        if self.nearest.factor is not None:
            return WORDS["factor"].render(lang, factor=self.nearest.factor, **facts)
        return WORDS["exact" if self.nearest.exact else "none"].render(lang, **facts)

    def _expected(self, each: Broken, lang: Lang) -> str:
        return WORDS["refusal"].render(lang) if each.expected is None else f"{each.expected:.6g}"

    def to_junit(self) -> str:
        """Return JUnit XML with a test case for each broken law, or one for the metric if there is none."""
        cases = [JUnitCase(each.law, self._failure(each), failed=True) for each in self.broken]
        passed = JUnitCase(str(self.metric), self._definition_line("en"), failed=False)
        return junit(f"audit {self.name}", "law", cases or [passed])

    def _failure(self, each: Broken) -> str:
        right = self._expected(each, "en")
        return f"{each.text.render('en')}: {each.example} gave {each.outcome}, not {right}"
