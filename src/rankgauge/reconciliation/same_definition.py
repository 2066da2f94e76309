"""Several printed numbers that one definition gives: one of them rounded further, or truncated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rankgauge.reconciliation.number_matches import NumberMatch, NumberMatches
from rankgauge.reconciliation.printed_number import nearly_equal
from rankgauge.rendering.document import Document, Paragraph
from rankgauge.rendering.language import Lang, Phrase, check_lang

WORDS = {
    (True, True): Phrase(
        "{number} is {other} rounded: the same definition gives both.",
        "{number} 是 {other} 四舍五入的结果：同一个定义给出这两个数。",
    ),
    (True, False): Phrase("{number} is {other} rounded.", "{number} 是 {other} 四舍五入的结果。"),
    (False, True): Phrase(
        "The same definition gives {other} and {number} ({how}).", "同一个定义给出 {other} 与 {number}（{how}）。"
    ),
}
"""By whether a number is another one rounded, and whether a likely definition gives both."""


@dataclass(frozen=True)
class SameDefinition:
    """A number that needs no explanation of its own, as it goes with a more precise one."""

    number: NumberMatches
    other: NumberMatches
    rounded: bool
    """Whether the number is the other one with fewer decimals."""
    match: NumberMatch | None
    """What gives the number by the definition that most likely gives the other one; None if that does not."""

    def render(self, lang: Lang) -> str:
        """Say how the two numbers belong together."""
        how = self.match.rounding.render(lang) if self.match else ""
        key = self.rounded, self.match is not None
        return WORDS[key].render(lang, number=self.number.printed.text, other=self.other.printed.text, how=how)


def same_definitions(numbers: Sequence[NumberMatches]) -> list[SameDefinition]:
    """Pair numbers with the most precise other number that they are a rounding of, or share a definition with.

    Numbers that are likely by themselves are paired only with those that they are a rounding of.
    """
    pairs = []
    for number in numbers:
        finer = [other for other in numbers if other.printed.unit < number.printed.unit]
        found = [
            SameDefinition(number, other, rounded, match)
            for other in sorted(finer, key=lambda other: other.printed.unit)
            for rounded, match in [(number.printed.is_rounded(other.printed), _common_match(number, other))]
            if rounded or (match is not None and not number.explained)
        ]
        pairs += found[:1]
    return pairs


def _common_match(number: NumberMatches, other: NumberMatches) -> NumberMatch | None:
    """Return the match of a number that has the value of a likely match of the other one."""
    likely = [match.value for match in other.matches if match.confidence == "likely"]
    values = ((match, value) for match in number.matches for value in likely)
    return next((match for match, value in values if nearly_equal(match.value, value)), None)


def numbers_documents(numbers: Sequence[NumberMatches], pairs: Sequence[SameDefinition], lang: str) -> list[Document]:
    """Return how the numbers belong together, then a document for each that is not another one rounded."""
    language = check_lang(lang)
    matched = {id(pair.number) for pair in pairs if pair.rounded and pair.match}
    sentences = [Paragraph(pair.render(language)) for pair in pairs]
    documents = [number.document(language) for number in numbers if id(number) not in matched]
    return [Document(sentences), *documents] if sentences else documents
