"""A foreign metric in one form of call: its answers to worlds, remembered and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankgauge.auditing.definitions import at
from rankgauge.auditing.foreign import Foreign
from rankgauge.auditing.forms import Change, Form, Side
from rankgauge.auditing.outcome import Outcome
from rankgauge.auditing.worlds import World
from rankgauge.metric_core.metric import Metric

REPEATED = 40
"""Worlds of each kind that are tried again, to see whether the answer stays the same."""
AGAIN_WITH_TIES = 8
"""How often a list with ties is tried again: an order drawn at random is the same half of the time."""
DECIMALS = range(2, 6)
"""Decimals to which functions and programs round."""
EXACT_HALVES = 1e-6
"""Share by which half a unit is exceeded, for values that are rounded in double precision."""


@dataclass
class Caller:
    """A function with the form in which it is called; answers are remembered, since laws share worlds."""

    foreign: Foreign
    form: Form
    way: str
    """The container of the arguments."""
    cutoff: str | None
    """The name of its cutoff, '' if it is positional, None if it has none."""
    metric: Metric
    misfit: int = 0
    """Number of parameters whose names do not suggest the form."""
    integers: bool = False
    """Whether ids are integers, which some functions need."""
    accumulates: bool = False
    """Whether several queries are passed one by one before the value is computed."""
    repeatable: bool = True
    """Whether calls are quick enough to be made again."""
    changed: World | None = None
    """A world whose arguments the function changed."""
    unstable: tuple[World, Outcome, Outcome] | None = None
    """A world to which the function gave two answers."""
    seconds: float = 0.0
    """Processor time of all calls but the first, which may import a library."""
    _answers: dict[World, Outcome] = field(default_factory=dict)
    _tried_again: Counter[bool] = field(default_factory=Counter)

    def __call__(self, world: World) -> Outcome | None:
        """Return the answer for a world; None if the form cannot express it, or no more calls are made."""
        if world not in self._answers:
            self.ask([world])
        return self._answers.get(world)

    def ask(self, worlds: Iterable[World]) -> None:
        """Call the function with worlds that have no answer yet."""
        new = [world for world in dict.fromkeys(worlds) if world not in self._answers and self.expresses(world)]
        for world, given in zip(
            new, self.foreign.calls([self._request([world], self._again(world)) for world in new]), strict=True
        ):
            if given is not None:
                self._answers[world] = self._noted(world, *given)

    def together(
        self, worlds: Sequence[World], change: Change | None = None, side: Side | None = None
    ) -> Outcome | None:
        """Return the answer to several queries, with a change of one side or both; None if no more calls are made."""
        [given] = self.foreign.calls([self._request(worlds) | {"change": change, "side": side}])
        return None if given is None else given[0]

    def expresses(self, world: World) -> bool:
        """Return whether the form can express a world."""
        return self.form.arguments(world) is not None

    @property
    def takes_k(self) -> bool:
        """Whether the cutoff is an argument."""
        return self.cutoff is not None

    @property
    def takes_queries(self) -> bool:
        """Whether several queries can be passed."""
        return self.form.takes_queries or self.accumulates

    @property
    def answered(self) -> dict[World, Outcome]:
        """The answers so far."""
        return self._answers

    def values(self, worlds: Iterable[World]) -> list[tuple[World, float]]:
        """Return the worlds to which the function gives a number, and the number."""
        worlds = [*worlds]
        self.ask(worlds)
        answers = [(world, self._answers.get(world)) for world in worlds]
        return [(world, each.value) for world, each in answers if each is not None and each.kind == "value"]

    @property
    def decimals(self) -> int | None:
        """The number of decimals to which all answers so far are rounded; None if they are not."""
        return next(filter(self.rounds_to, DECIMALS), None)

    def rounds_to(self, decimals: int) -> bool:
        """Return whether all answers so far are rounded to this number of decimals."""
        values = (outcome.value for outcome in self.answered.values() if outcome.kind == "value")
        return all(round(value, decimals) == value for value in values)

    def _again(self, world: World) -> int:
        """Return how often a call is made again."""
        again = 0
        if self.unstable is None and self.repeatable and self._tried_again[world.ties] < REPEATED:
            again = AGAIN_WITH_TIES if world.ties else 1
            self._tried_again[world.ties] += 1
        return again

    def _request(self, worlds: Sequence[World], again: int = 0) -> dict[str, Any]:
        request: dict[str, Any] = {"form": self.form.name, "way": self.way, "cutoff": self.cutoff}
        request["integers"], request["one by one"] = self.integers, self.accumulates and not self.form.takes_queries
        request["metric"] = str(at(self.metric, worlds[0].k) if self.takes_k else self.metric)
        return request | {"worlds": [*worlds], "again": again}

    def _noted(self, world: World, outcome: Outcome, reply: Mapping[str, Any]) -> Outcome:
        """Return the outcome; note whether the arguments were changed, or another call gave another answer."""
        self.seconds += reply.get("seconds", 0.0) if self._answers else 0.0
        if reply.get("changed") and self.changed is None:
            self.changed = world
        if "second" in reply and self.unstable is None:
            self.unstable = (world, outcome, self.foreign.outcome(reply["second"]))
        return outcome


def half_unit(decimals: int) -> float:
    """Return the largest error of rounding to some decimals."""
    return 0.5 * 10.0**-decimals * (1 + EXACT_HALVES)
