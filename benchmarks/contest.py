"""What a scenario is made of: tools that compute the same numbers, contests between them, bars to be met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Options = dict[str, Any]
Values = dict[str, Any]
"""A number for each metric; with ``per_query`` the numbers of all queries, by query."""
Prepare = Callable[[Path, Options, bool], Callable[[], Values]]
"""From a folder of data, options and ``per_query`` to the call that is timed; loads and imports whatever it needs."""

OURS = "rankgauge"


@dataclass(frozen=True)
class Tool:
    """One way to compute the numbers."""

    prepare: Prepare
    packages: tuple[str, ...] = ()
    """Whose versions belong to the measurement."""
    environment: str = "main"
    compares: bool = True
    """Whether it computes metrics; otherwise it is a yardstick, such as merely reading the file."""
    orders_ties: bool = True
    """Whether equal scores are ordered by item id, as by trec_eval; otherwise ties may move its numbers."""


@dataclass(frozen=True)
class Contest:
    """One comparison on data of one size."""

    case: str
    size: str
    factor: float
    """How large the data are, as a multiple of the scenario's full size."""
    tools: tuple[str, ...]
    options: Options = field(default_factory=dict)
    growth: bool = False
    """Whether it runs only with --growth: large files."""


@dataclass(frozen=True)
class Bar:
    """A promise: one measurement, or the ratio of two, on the right side of a limit."""

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
    """A section of the page."""

    name: str
    title: str
    text: str
    tools: dict[str, Tool]
    contests: tuple[Contest, ...]
    bars: tuple[Bar, ...]
    data: str
    """What its data are called; scenarios with the same data share the folders."""
    make: Callable[[Path, float], None]
    """Writes the data of a factor into a folder."""
    make_checks: Callable[[Path], dict[str, Path]]
    """Writes small data for the comparison of every single value; the key ``tied`` marks data with equal scores."""


def times(peer: str, case: str, size: str, limit: float, *, tools: dict[str, Tool]) -> Bar:
    """The usual bar: so many times as fast as a peer."""
    if peer not in tools:
        raise KeyError(peer)
    return Bar(
        f"{case}, {size}: at least {limit:g} times as fast as {peer}",
        (case, size, peer),
        limit,
        (case, size, OURS),
        at_least=True,
    )


def mean(values: dict[str, float]) -> float:
    """The mean over queries."""
    return sum(values.values()) / len(values)
