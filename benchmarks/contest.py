"""Parts of a scenario: tools that compute the same values, contests between them, and goals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Options = dict[str, Any]
Values = dict[str, Any]
"""A value for each metric; with ``per_query`` a dict of values by query."""
Prepare = Callable[[Path, Options, bool], Callable[[], Values]]
"""Takes a data folder, options and ``per_query``; imports and loads what is needed and returns the call to time."""

OURS = "rankgauge"


@dataclass(frozen=True)
class Tool:
    """A tool, or a reference such as reading the file."""

    prepare: Prepare
    packages: tuple[str, ...] = ()
    """Packages whose versions are recorded."""
    environment: str = "main"
    compares: bool = True
    """Whether it computes metrics; otherwise it is a reference, such as reading the file."""
    orders_ties: bool = True
    """Whether ties are ordered by item id, as in trec_eval; otherwise its values may differ with ties."""


@dataclass(frozen=True)
class Contest:
    """A comparison of tools on data of one size."""

    case: str
    size: str
    factor: float
    """Size of the data, relative to the full size of the scenario."""
    tools: tuple[str, ...]
    options: Options = field(default_factory=dict)
    growth: bool = False
    """Whether it runs only with --growth, because the files are large."""


@dataclass(frozen=True)
class Goal:
    """A goal: a limit for a measurement or for the ratio of two."""

    text: str
    above: tuple[str, str, str]
    """Case, size, tool."""
    limit: float
    below: tuple[str, str, str] | None = None
    at_least: bool = False
    what: str = "seconds"
    unit: str = "x"


@dataclass(frozen=True)
class Scenario:
    """A benchmark scenario, which is one section of the page."""

    name: str
    title: str
    text: str
    tools: dict[str, Tool]
    contests: tuple[Contest, ...]
    goals: tuple[Goal, ...]
    data: str
    """Name of the data; scenarios with the same name share folders."""
    make: Callable[[Path, float], None]
    """Writes the data of a size into a folder."""
    make_checks: Callable[[Path], dict[str, Path]]
    """Writes small data for comparing every value; the key ``tied`` marks data with ties."""
    calls: int = 1
    """Least number of timed calls in one process, of which the median counts: the same for all tools."""


def times(peer: str, case: str, size: str, limit: float, *, tools: dict[str, Tool], ours: str = OURS) -> Goal:
    """Return the goal of being ``limit`` times as fast as another tool; ``ours`` may be a drop-in."""
    if peer not in tools:
        raise KeyError(peer)
    return Goal(
        f"{case}, {size}: {'' if ours == OURS else f'{ours} '}at least {limit:g} times as fast as {peer}",
        (case, size, peer),
        limit,
        (case, size, ours),
        at_least=True,
    )


def mean(values: dict[str, float]) -> float:
    """Return the mean over queries."""
    return sum(values.values()) / len(values)
