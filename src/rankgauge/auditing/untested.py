"""What the calls of a function could not show, so that one without a fault is not known to be right."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.auditing.calls import Caller
from rankgauge.auditing.definitions import Reference
from rankgauge.auditing.identification import ENOUGH, Identification
from rankgauge.auditing.worlds import World, listed
from rankgauge.reconciliation.rule_setting import RuleSetting
from rankgauge.rendering.language import Phrase

USUAL_SCALE = 3
"""Grades that a function should know; many scales end there."""
FEW = 0.05
"""Share of the inputs tried that have to be answered."""
TOO_FEW = Phrase(
    "only {answered} of {tried:# input|# inputs} gave a number that could be compared",
    "{tried} 个输入中只有 {answered} 个得到可以比较的数",
)
GRADES_UNANSWERED = Phrase("higher grades: {answer}", "更高的等级：{answer}")
NO_TIES = Phrase("no input with equal scores gave a number", "分数相同的输入都没有得到数")
TIES_UNKNOWN = Phrase(
    "the order of items with equal scores follows no known rule", "分数相同时的次序不符合任何已知规则"
)
UNDEFINED_UNKNOWN = Phrase(
    "the value of lists without relevant items follows no known rule", "没有相关物品时的取值不符合任何已知规则"
)
NOT_MISSED = Phrase(
    "relevant items that were not returned: one list of grades cannot show them, so that a wrong denominator or ideal "
    "order goes unnoticed",
    "未返回的相关物品：一个等级列表无法体现它们，分母或理想排序的错误因此看不出来",
)
ONLY_A_MULTIPLE = Phrase(
    "its values are {factor:.6g} times those of {definition}, as with another base of the logarithm, and no known "
    "definition gives them",
    "其值是 {definition} 的 {factor:.6g} 倍（例如对数的底不同），没有已知定义给出这些数值",
)
NO_DEFINITION = Phrase(
    "no known definition gives its values, and no law is broken", "没有已知定义给出同样的数值，也没有违反定律"
)


def untested(caller: Caller, found: Identification, graded: Sequence[World], *, decided: bool) -> tuple[Phrase, ...]:
    """Return what the calls could not show, so that a function without a fault is not known to be right."""
    tried = len(caller.answered)
    answered = sum(outcome.kind == "value" for outcome in caller.answered.values())
    reasons = []
    if caller.foreign.stopped is not None:
        reasons.append(caller.foreign.stopped)
    if found.compared < ENOUGH or answered < FEW * tried:
        reasons.append(TOO_FEW.fill(answered=min(answered, found.compared), tried=tried))
    elif caller.form.scores and not found.tied and found.ties_matter:
        reasons.append(NO_TIES)
    reasons += found.limits
    outcomes = (caller.answered.get(world) for world in graded if world.highest <= USUAL_SCALE)
    fault = next((each for each in outcomes if each is not None and each.kind == "fault"), None)
    if fault is not None and not found.limits:
        reasons.append(GRADES_UNANSWERED.fill(answer=Phrase(fault.render("en"), fault.render("zh"))))
    if caller.form.name in ("grades", "hits") and _depends_on_missed(found.expected):
        reasons.append(NOT_MISSED)
    if not decided and not reasons:
        match = found.nearest
        reasons += [TIES_UNKNOWN] * (not found.ties_known) + [UNDEFINED_UNKNOWN] * (not found.undefined_known)
        if match is not None and match.factor is not None:
            reasons.append(ONLY_A_MULTIPLE.fill(factor=match.factor, definition=match))
        elif (match is None or not match.exact) and not reasons:
            reasons.append(NO_DEFINITION)
    return tuple(reasons)


def _depends_on_missed(setting: RuleSetting) -> bool:
    """Return whether relevant items that were not returned change the value of the definition."""
    world = World((("a", 1.0), ("b", 0.0)), listed(("a", "b")), setting.metric.k)
    first, second = Reference([world, world.judging(y=1.0)]).values(setting)
    return bool(first != second)
