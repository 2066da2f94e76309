"""Small worlds: one query with a ranked list and its judgments, as values and as Hypothesis strategies."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge import Convention, Metric, metrics
from rankgauge.matching.from_list import RankedList, rank_list
from rankgauge.segments import Segments

WHOLE_GRADES = (0, 1, 2, 3, 4)
FRACTIONAL_GRADES = (0.5, 1.5, 2.25)
NEGATIVE_GRADES = (-1, -2)


THOROUGH = float(os.environ.get("RANKGAUGE_THOROUGH", "1"))
"""How many times as many examples to try: more before a release, all in `make test-all`, fewer in `make test`."""


def graded_metrics() -> dict[str, Metric]:
    """The metrics of grades; those of the items themselves have worlds of their own (``beyond_reference.py``)."""
    return {name: metric for name, metric in metrics().items() if not metric.definition.of_items}


def plain_metrics() -> dict[str, Metric]:
    """The metrics of grades whose value of all queries is made of the values of single ones alike."""
    return {name: metric for name, metric in graded_metrics().items() if not metric.definition.summary.weighs_queries}


def pace(examples: int) -> settings:
    """The same examples on every run and every machine, however slow."""
    return settings(
        max_examples=max(round(examples * THOROUGH), 2),
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )


@dataclass(frozen=True)
class World:
    """One query: what a system returned for it, and what else was judged."""

    grades: tuple[float | None, ...] = ()
    """Of the returned items, in the order in which they were returned; None for an unjudged one."""
    unreturned: tuple[float, ...] = ()
    """The grades of judged items that were not returned."""
    scores: tuple[float, ...] | None = None
    items: tuple[str, ...] | None = None

    @property
    def size(self) -> int:
        """How much there is to read: counterexamples are reported smallest first."""
        return len(self.grades) + len(self.unreturned)

    def __str__(self) -> str:
        listed = ", ".join("u" if grade is None else f"{grade:g}" for grade in self.grades)
        others = ", ".join(f"{grade:g}" for grade in self.unreturned)
        scored = "" if self.scores is None else f" scores {list(self.scores)}"
        named = "" if self.items is None else f" items {list(self.items)}"
        return f"[{listed}]{scored}{named}" + (f" and unreturned [{others}]" if others else "")


def rank_world(
    metric: Metric, world: World, convention: Convention | None = None, *, extreme: bool = False
) -> RankedList:
    """The list of the world, ranked and matched for this metric, as ``Metric.of`` does, or ``Metric.bounds``."""
    rules = convention or rg.Convention()
    return rank_list(
        world.grades,
        scores=world.scores,
        items=world.items,
        unreturned=world.unreturned,
        rel=metric.effective_convention(rules).rel,
        convention=rules,
        worth=metric.definition.worth(metric.resolve(rules).arguments) if extreme else None,
    )


def evaluate_world(
    metric: Metric, world: World, convention: Convention | None = None, *, extreme: bool = False
) -> float:
    """The value of the one query of the world."""
    rules = convention or rg.Convention()
    return float(metric.values(rank_world(metric, world, rules, extreme=extreme).judged, rules)[0])


def grade_scale(*, fractional: bool = True, negative: bool = False) -> tuple[float, ...]:
    """The grades that a world may have."""
    return WHOLE_GRADES + (FRACTIONAL_GRADES if fractional else ()) + (NEGATIVE_GRADES if negative else ())


@st.composite
def worlds(
    draw: st.DrawFn,
    *,
    max_length: int = 8,
    max_unreturned: int = 4,
    scale: Sequence[float] = WHOLE_GRADES + FRACTIONAL_GRADES,
    holes: bool = True,
    scored: bool = False,
    ties: bool = True,
    named: bool = False,
) -> World:
    """Worlds with holes, empty and short lists, unreturned items and, where asked, scores that tie and names."""
    returned = draw(_grades(tuple(scale), max_length, holes=holes))
    unreturned = draw(_grades(tuple(scale), max_unreturned, holes=False))
    count = len(returned)
    return World(
        returned, unreturned, draw(_scores(count, ties=ties)) if scored else None, draw(names(count)) if named else None
    )


# Strategies are kept: making one anew for every draw takes longer than drawing from it.


@cache
def names(count: int) -> st.SearchStrategy[tuple[str, ...]]:
    """Different names whose byte order is not the order of the list."""
    # Names of one and of two digits, so that the order of bytes and the order of numbers differ.
    return st.permutations([f"d{number}" for number in range(7, 7 + count)]).map(tuple)


@cache
def _grades(scale: tuple[float, ...], max_length: int, *, holes: bool) -> st.SearchStrategy[tuple[float | None, ...]]:
    return st.lists(st.sampled_from((None, *scale) if holes else scale), max_size=max_length).map(tuple)


@cache
def _scores(count: int, *, ties: bool) -> st.SearchStrategy[tuple[float, ...]]:
    if not ties:
        return st.permutations([place / 4 - 1 for place in range(count)]).map(tuple)
    few = st.sampled_from((-1.5, 0.0, 0.25, 3.0))
    return st.lists(few, min_size=count, max_size=count).map(tuple)


def stacked(parts: Sequence[rg.JudgedRankings]) -> rg.JudgedRankings:
    """The queries of all parts in one JudgedRankings."""

    def joined(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    tied = any(part.tie_first is not None for part in parts)
    unsure = any(part.judged is not None for part in parts)
    return rg.JudgedRankings(
        Segments.of_sizes(np.concatenate([part.segments.sizes for part in parts])),
        joined("rank"),
        joined("grade"),
        joined("returned"),
        Segments.of_sizes(np.concatenate([part.pool.sizes for part in parts])),
        joined("pool_grade"),
        np.concatenate([part.known for part in parts]) if unsure else None,
        np.concatenate([part.rank if part.tie_first is None else part.tie_first for part in parts]) if tied else None,
        np.concatenate([np.ones_like(part.rank) if part.tie_size is None else part.tie_size for part in parts])
        if tied
        else None,
    )
