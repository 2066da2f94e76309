"""What is wrong with a function that breaks a law, where that is known."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.auditing.laws import NAMES, NOTHING_PERFECT, REPEATABLE, REPEATED, SCORES
from rankgauge.auditing.rule_faults import RULE_FAULTS
from rankgauge.rendering.language import Phrase

PERFECT_OF_NOTHING = Phrase(
    "returns the best value where nothing is relevant; the definition gives 0 there or no value (0/0)",
    "没有相关物品时返回满分；按定义此时取 0，或无值（0/0）",
)
OF_LAWS = {
    REPEATED: RULE_FAULTS["duplicates"]["again"],
    NAMES: Phrase(
        "ids are not compared as a whole: a part of an id, its case or its order changes the value",
        "id 没有按整体比较：id 的一部分、大小写或次序会改变取值",
    ),
    SCORES: Phrase(
        "reads more of the scores than their order: caps them or leaves some out, for example",
        "除分数的次序外还用到了分数本身，例如设了上限，或略去其中一些",
    ),
    REPEATABLE: Phrase("the answer depends on chance or on earlier calls", "结果取决于随机因素或之前的调用"),
}
"""What is wrong with a function that breaks a law, if nothing else is known to be."""


def faults_of(laws: Sequence[str], known: Sequence[Phrase], *, exact: bool) -> tuple[Phrase, ...]:
    """Return what is wrong with a function: the faults known from its values, or else those of the laws it breaks.

    Only a function whose values are exactly those of a definition otherwise breaks a law for one reason alone.
    """
    faults = (*known, PERFECT_OF_NOTHING) if NOTHING_PERFECT in laws else (*known,)
    alone = {*OF_LAWS} if exact else {REPEATABLE, SCORES}
    return faults or tuple(OF_LAWS[law] for law in laws if law in alone)
