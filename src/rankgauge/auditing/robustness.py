"""Answers that are faults of their own: exceptions, no value, changed arguments, another value the second time."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Any

from rankgauge.auditing.calls import Caller
from rankgauge.auditing.definitions import reference
from rankgauge.auditing.identification import Identification
from rankgauge.auditing.laws import ANSWERS, REPEATABLE, SAME_ANSWER, UNCHANGED
from rankgauge.auditing.outcome import EMPTY, NAN, NONE, Outcome
from rankgauge.auditing.result import Broken
from rankgauge.auditing.worlds import World
from rankgauge.conventions import PRESETS, Convention
from rankgauge.rendering.language import Phrase

CHANGED = Phrase("the arguments were changed", "参数被改动")
THEN = Phrase("{first}, then {second}", "先是 {first}，再次调用得 {second}")


def _is_undefined(world: World, found: Identification, stated: Convention | None) -> bool:
    """Return whether the stated definition, or a tool with the definition of the function, has no value either."""
    if stated is None and not world.ranking:
        return False
    names = () if found.nearest is None or not found.nearest.exact else found.nearest.tools
    rules = [PRESETS[name].convention for name in names if name in PRESETS] if stated is None else [stated]
    return any(math.isnan(reference([world], found.expected.metric, each)[0]) for each in rules)


def robustness(
    caller: Caller, found: Identification, stated: Convention | None, graded: Collection[World], *, skips: bool
) -> Iterator[Broken]:
    """Yield faults, changed arguments and unstable answers among all calls so far, the smallest first.

    A function whose scale ends below the grades of a world need not have a value there, and one that skips queries
    without relevant items need not have any for such a query alone.
    """
    expected = found.expected

    def broken(law: str, text: Any, world: World, outcome: Outcome) -> Broken:
        [right] = reference([world], expected.metric, expected.convention)
        return Broken(law, text, world, outcome, None if math.isnan(right) else right, expected)

    answers = [(world, outcome) for world, outcome in caller.answered.items() if world not in graded]
    faults = [(world, outcome) for world, outcome in answers if outcome.kind == "fault"]
    for world, outcome in sorted(faults, key=lambda pair: (pair[0].size, len(pair[0].ranking))):
        left_out = skips and not world.has_relevant
        if outcome.text not in (EMPTY, NAN, NONE) or not (left_out or _is_undefined(world, found, stated)):
            yield broken("answers", ANSWERS, world, outcome)
            break
    if caller.changed is not None:
        yield broken("unchanged", UNCHANGED, caller.changed, Outcome("fault", text=CHANGED))
    if caller.unstable is not None:
        world, first, second = caller.unstable
        yield broken(REPEATABLE, SAME_ANSWER, world, Outcome("fault", text=THEN.fill(first=first, second=second)))
