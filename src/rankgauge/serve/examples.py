"""Example lists from tutorials, with the numbers that some of them give."""

from __future__ import annotations

from dataclasses import dataclass, field

from rankgauge.rendering.language import Phrase


@dataclass(frozen=True)
class PlaygroundExample:
    """A list, a metric, rules, and the number that a tutorial gives for it."""

    name: Phrase
    grades: str
    metric: str
    k: int | None = None
    missed: str = ""
    rules: dict[str, str] = field(default_factory=dict)
    printed: str = ""
    scores: str = ""


EXAMPLES = (
    PlaygroundExample(Phrase("Five results", "五个结果"), "3 2 3 0 1", "nDCG", 5, printed="0.972"),
    PlaygroundExample(
        Phrase("Films, two not returned", "电影，漏了两部"), "5 3 2 1 2", "nDCG", 5, "4 0", {"gain": "exp2"}, "0.827"
    ),
    PlaygroundExample(Phrase("A mistake in a tutorial", "教程里的笔误"), "5 3 2 1 4", "nDCG", 5, printed="0.857"),
    PlaygroundExample(
        Phrase("Hits at ranks 1, 2, 4 and 7: AP", "第 1、2、4、7 位命中：AP"), "1 1 0 1 0 0 1", "AP", printed="0.83"
    ),
    PlaygroundExample(Phrase("First hit at rank 3: RR", "首个命中在第 3 位：RR"), "0 0 1 0", "RR"),
    PlaygroundExample(
        Phrase("Precision, relevant from grade 3", "精确率，等级 ≥ 3 为相关"),
        "4 5 2 3 1",
        "P",
        3,
        rules={"rel": "3"},
        printed="0.667",
    ),
    PlaygroundExample(
        Phrase("Tied scores", "分数并列"), "0 3 1 2", "nDCG", 3, rules={"ties": "mean"}, scores="0.9 0.9 0.9 0.2"
    ),
)
