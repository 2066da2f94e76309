"""Which runs can be compared: the same rules, queries and judgments, and what differs where they cannot."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from rankgauge.conventions import DEFAULT, RULES, Convention
from rankgauge.errors import InputError, RankgaugeError, shown
from rankgauge.history.run import LoggedRun
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.language import Phrase

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
