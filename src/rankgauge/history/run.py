"""Logged runs: a line of the store each, with its provenance and values; which of them can be compared, and why not."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, NamedTuple

from rankgauge.conventions import DEFAULT, RULES, Convention
from rankgauge.errors import InputError, ParameterError, RankgaugeError, shown
from rankgauge.evaluation.provenance import time_text
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Phrase
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


FINGERPRINTS = ("queries", "judgments", "weights")
NEEDED = ("queries", "judgments")
"""Fingerprints without which nothing can be compared."""
SIDES = {
    "queries": Phrase("queries", "查询"),
    "judgments": Phrase("judgments", "标注"),
    "weights": Phrase("weights of queries", "查询权重"),
}
DIFFERS = Phrase("{field}: {before} → {after}", "{field}：{before} → {after}")
RULE = Phrase("rule {name}", "规则 {name}")
UNKNOWN = Phrase("unknown", "未知")
ABSENT = Phrase("none", "无")
CURRENT = Phrase("the current result", "当前结果")
REFUSED = Phrase(
    "{first} and {second} cannot be compared by {metric}: {differences}{remedy}",
    "{first} 与 {second} 不能按 {metric} 比较：{differences}{remedy}",
)
RESCORE = Phrase(
    "score the stored ranking of run {id} with the other judgments: rankgauge history rescore {id} JUDGMENTS",
    "可用另一份标注重新评测记录 {id} 所存的排序结果：rankgauge history rescore {id} JUDGMENTS",
)


class RunDifference(NamedTuple):
    """A field in which two runs differ, so that their values cannot be compared."""

    field: str
    """``judgments``, ``queries``, ``metric`` or the name of a rule."""
    before: Any
    after: Any

    def phrase(self) -> Phrase:
        """Return the field and both values in words; fingerprints by their first characters."""
        if self.field in SIDES:
            absent = ABSENT if self.field == "weights" else UNKNOWN
            shorts = [absent if text is None else str(text)[:8] for text in (self.before, self.after)]
            return DIFFERS.fill(field=SIDES[self.field], before=shorts[0], after=shorts[1])
        name = self.field if self.field == "metric" else RULE.fill(name=self.field)
        return DIFFERS.fill(field=name, before=shown(self.before), after=shown(self.after))


def stored_convention(data: Mapping[str, Any]) -> Convention:
    """Return the convention of a run; rules that this version does not know are left out, new ones have their default.

    >>> stored_convention({"gain": "exp2", "a rule of the future": 1}).gain
    'exp2'
    """
    return Convention(**{name: value for name, value in data.items() if name in RULES})


@lru_cache(maxsize=256)
def _used_rules(metric: str, convention: str) -> dict[str, Any]:
    """Return the rules of a convention, given as JSON, that this metric uses, with their values."""
    defaults = json.loads(json.dumps(DEFAULT.to_dict(), default=str))
    values = {**defaults, **json.loads(convention)}
    try:
        parsed = parse(metric)
        used = parsed.used_rules(parsed.effective_convention(stored_convention(json.loads(convention))))
    except (RankgaugeError, TypeError):  # a metric or a rule of another version: every rule counts
        used = tuple(values)
    return {name: values[name] for name in (*used, "per_metric") if name in values}


def used_rules(run: LoggedRun, metric: str | Metric) -> dict[str, Any]:
    """Return the rules of a run that this metric uses, with their values."""
    return _used_rules(str(metric), json.dumps(run.convention, sort_keys=True, default=str))


def comparable_key(run: LoggedRun, metric: str | Metric) -> tuple[object, ...]:
    """Return what runs that can be compared by this metric have in common; its own for a run that lacks it."""
    known = str(metric) in run.metrics and all(getattr(run, name) for name in NEEDED)
    if not known:
        return ("", run.id)
    rules = json.dumps(used_rules(run, metric), sort_keys=True, default=str)
    return (*(getattr(run, name) for name in FINGERPRINTS), rules)


def run_differences(first: LoggedRun, second: LoggedRun, metric: str | Metric) -> list[RunDifference]:
    """Return every field in which two runs differ that makes values of this metric incomparable; none if they can be.

    Parameters
    ----------
    first, second
        The runs.
    metric
        The metric, as a value or as text.
    """
    name = str(parse(metric))
    has = [name if name in run.metrics else "" for run in (first, second)]
    differences = [] if all(has) else [RunDifference("metric", *has)]
    before, after = used_rules(first, name), used_rules(second, name)
    differences += [
        RunDifference(rule, before.get(rule), after.get(rule))
        for rule in dict.fromkeys([*before, *after])
        if before.get(rule) != after.get(rule)
    ]
    for side in FINGERPRINTS:
        pair = getattr(first, side), getattr(second, side)
        if pair[0] != pair[1] or (pair[0] is None and side in NEEDED):
            differences.append(RunDifference(side, *pair))
    return differences


def in_words(differences: Sequence[RunDifference]) -> Phrase:
    """Return the fields that differ as one text."""
    if not differences:
        return Phrase("", "")
    return Phrase("; ", "；").join([difference.phrase() for difference in differences])


def refusal(first: LoggedRun, second: LoggedRun, metric: str | Metric) -> InputError | None:
    """Return an error that names every field in which two runs differ; None if they can be compared."""
    differences = run_differences(first, second, metric)
    if not differences:
        return None
    names = [Phrase(run.id, run.id) if run.id else CURRENT for run in (first, second)]
    offer = rescore_offer(first, differences)
    remedy = "" if offer is None else Phrase("; {offer}", "；{offer}").fill(offer=offer)
    told = {"metric": metric, "differences": in_words(differences), "remedy": remedy}
    return InputError(REFUSED.fill(first=names[0], second=names[1], **told))


def rescore_offer(run: LoggedRun, differences: Sequence[RunDifference]) -> Phrase | None:
    """Return how the run becomes comparable: by scoring its ranking again, where only judgments and queries differ.

    The file of a ranking that was not kept can be verified only if the queries are the same.
    """
    fields = {difference.field for difference in differences}
    found = run.kept is not None or ("queries" not in fields and isinstance(run.inputs.get("ranking"), str))
    return RESCORE.fill(id=run.id) if "judgments" in fields <= {*NEEDED} and found and run.id else None
