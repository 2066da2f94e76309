"""A logged run: one line of the store, with its provenance and the value of each metric."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from rankgauge.errors import ParameterError
from rankgauge.evaluation.provenance import time_text
from rankgauge.rendering.plain import PlainData

SCHEMA = 1
PROVENANCE = (
    "version", "time", "convention", "judgments", "queries", "ranking", "weights", "inputs", "read_options", "command",
)  # fmt: skip
"""What a line has of the provenance of the values."""


class MetricSummary(NamedTuple):
    """The value of a metric over all queries, the number of queries that count, and its standard error."""

    mean: float | None
    n: int
    se: float | None


@dataclass(frozen=True, kw_only=True)
class LoggedRun:
    """A logged result: when, under which name and fields, from what, and its values; a line has them in this order."""

    id: str
    time: str
    """In UTC, as 2026-01-31T06:00:00Z."""
    name: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    """What the caller says about the run, such as its model."""
    git: Mapping[str, Any] | None = None
    """The commit, and whether files differed from it."""
    version: str = ""
    convention: Mapping[str, Any] = field(default_factory=dict)
    judgments: str | None = None
    queries: str | None = None
    ranking: str | None = None
    """The fingerprints."""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    read_options: Mapping[str, Any] = field(default_factory=dict)
    command: str | None = None
    metrics: Mapping[str, MetricSummary]
    weights: str | None = None
    """The fingerprint of the weights of queries, if there are any."""
    values: str | None = None
    """The file with the values of the queries, in the folder beside the store."""
    kept: str | None = None
    """The file with the ranking, if it was kept."""
    parent: str | None = None
    """The run whose ranking was scored again; the time is that of this run."""
    rescored: str | None = None
    """When it was scored again."""
    others: Mapping[str, Any] = field(default_factory=dict)
    """What the line holds besides, such as keys of a newer version."""

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> LoggedRun:
        """Return the run of a line; keys that older versions lack get their defaults, others are kept."""
        metrics = {
            str(name): MetricSummary(entry.get("mean"), int(entry.get("n") or 0), entry.get("se"))
            for name, entry in data["metrics"].items()
        }
        own = {name: data[name] for name in OWN if data.get(name) is not None}
        others = {name: value for name, value in data.items() if name not in {"schema", *OWN}}
        return cls(**{**own, "id": str(data["id"]), "metrics": metrics, "others": others})

    @classmethod
    def of_provenance(cls, provenance: Mapping[str, Any], metrics: Mapping[str, MetricSummary]) -> LoggedRun:
        """Return values with this provenance as a run, so far without an id."""
        known = {name: provenance[name] for name in PROVENANCE if provenance.get(name) is not None}
        return cls(**{"id": "", "time": "", "metrics": metrics, **known})

    def to_dict(self) -> PlainData:
        """Return the run as plain data."""
        metrics = {name: summary._asdict() for name, summary in self.metrics.items()}
        own = {name: getattr(self, name) for name in OWN}
        return {"schema": SCHEMA, **own, "metrics": metrics, **self.others}

    def line(self) -> str:
        """Return the line of the store."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, default=str) + "\n"

    @property
    def provenance(self) -> PlainData:
        """The provenance of the values, as they had it."""
        own = {name: getattr(self, name) for name in PROVENANCE}
        return own if self.weights is not None else {name: value for name, value in own.items() if name != "weights"}

    @property
    def commit(self) -> str:
        """The first characters of the commit, with a plus where files differed from it; empty without one."""
        git = self.git or {}
        return f"{str(git.get('commit') or '')[:8]}{'+' if git.get('dirty') else ''}"


OWN = tuple(own.name for own in fields(LoggedRun) if own.name != "others")
"""The keys of a line, after the schema."""


def time_in_utc(role: str, moment: object) -> str | None:
    """Return a date, or a time, which is in UTC unless it says otherwise, as runs have it.

    >>> time_in_utc("since", "2026-01-31"), time_in_utc("since", "2026-01-31 06:00+02:00")
    ('2026-01-31T00:00:00Z', '2026-01-31T04:00:00Z')
    """
    if moment is None:
        return None
    try:
        parsed = dt.datetime.fromisoformat(str(moment))
        aware = parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=dt.UTC)
        return time_text(aware.timestamp())
    except (ValueError, OverflowError, OSError):
        raise ParameterError.of(role, moment, ("a date such as 2026-01-31", "日期，如 2026-01-31")) from None
