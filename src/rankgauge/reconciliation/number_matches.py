"""The rule settings that give a printed number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

import numpy as np

from rankgauge.metric_core.metric import Metric
from rankgauge.reconciliation.candidates import MANY_CHANGES, Candidates, Confidence, confidence, distinct_values
from rankgauge.reconciliation.missed_items import MissedItems, search_missed, tools_of_returned
from rankgauge.reconciliation.printed_number import PrintedNumber, Rounding, nearly_equal
from rankgauge.reconciliation.reconciliation_data import ReconciliationData
from rankgauge.reconciliation.rule_setting import RuleSetting, plain_setting, plain_value
from rankgauge.reconciliation.slips import NeededTerm, Slip, needed_terms, slips
from rankgauge.reconciliation.tools import Tool
from rankgauge.rendering.document import Document, ShownAsDocument
from rankgauge.rendering.plain import FrameResult, PlainData, columns_of, finite_or_none

TRUNCATION = 1.5
"""Width that is rounded or truncated to a number, relative to the width that is rounded to it."""
HAND_DEFINITIONS = 3
"""Number of definitions in which slips are sought, those of most tools."""
COMPARED = 5
"""Number of matches that a query has to distinguish."""


@dataclass(frozen=True, repr=False)
class NumberMatch:
    """A setting that gives the number, as a tool and the rules that differ from it."""

    tool: Tool
    setting: RuleSetting
    rules: tuple[str, ...]
    """Rules that differ from those of the tool."""
    value: float
    rounding: Rounding
    by_chance: float
    """How many values that assume no more than this one a random number would match."""
    tools: tuple[Tool, ...] = ()
    """All tools that give the value with no more changed rules than this match has; at least ``tool``."""
    equivalent: tuple[RuleSetting, ...] = ()
    """Other settings that give the same value."""

    @property
    def deviations(self) -> int:
        """Number of differing rules and of unusual operations on the value."""
        return len(self.rules) + self.rounding.extra

    def __repr__(self) -> str:
        changed = "".join(f", {rule}={plain_value(self.setting, rule)}" for rule in self.rules)
        others = f" and {len(self.tools) - 1} more" if len(self.tools) > 1 else ""
        return (
            f"<NumberMatch {self.value:.6g}: {self.tool.name}{others}{changed}, {self.rounding.how}, {self.confidence}>"
        )

    @property
    def confidence(self) -> Confidence:
        """How far the match can be trusted."""
        return confidence(self.by_chance, len(self.rules) + self.rounding.truncated, self.deviations)

    def to_dict(self) -> PlainData:
        """Return the match as plain data."""
        return {
            "tool": self.tool.name,
            "theirs": self.tool.metric_name,
            "tools": [*dict.fromkeys(tool.name for tool in self.tools)],
            "value": finite_or_none(self.value),
            "but": {rule: plain_value(self.setting, rule) for rule in self.rules},
            "fit": self.rounding.how,
            "confidence": self.confidence,
            "expected_by_chance": self.by_chance,
            "setting": plain_setting(self.setting if self.rules else self.tool.own),
            "alike": len(self.equivalent),
        }


@dataclass(frozen=True, repr=False)
class SlipMatch:
    """A slip in one term of a tool's definition that gives the number."""

    tool: Tool
    right: float
    """Value of the tool without the slip."""
    slip: Slip
    by_chance: float
    """How many slips, or tools without a slip, a random number would match."""
    best: Confidence = "likely"
    """How far the best definition that gives the number without a slip can be trusted: a slip is not trusted more."""

    def __repr__(self) -> str:
        return f"<SlipMatch {self.slip.value:.6g} instead of {self.right:.6g}: {self.tool.name}, {self.confidence}>"

    @property
    def confidence(self) -> Confidence:
        """How far the slip can be trusted."""
        return max(confidence(self.by_chance, 0, 1), self.best, key=get_args(Confidence).index)

    def to_dict(self) -> PlainData:
        """Return the slip as plain data."""
        head = {"tool": self.tool.name, "right": self.right, "value": self.slip.value}
        return head | {
            "slip": self.slip.to_dict() | {"text": self.slip.render("en")},
            "confidence": self.confidence,
            "expected_by_chance": self.by_chance,
        }


@dataclass(frozen=True)
class DecidingQuery:
    """The query on which the matches differ most, with the value that each of them predicts."""

    query: Any
    values: tuple[float, ...]


class NumberMatches(ShownAsDocument, FrameResult):
    """All settings that give a printed number: those with the fewest changed rules first, then the most plausible."""

    def __init__(
        self, printed: PrintedNumber, metric: Metric, data: ReconciliationData, candidates: Candidates
    ) -> None:
        self.printed = printed
        self.metric = metric
        self.tried = candidates.count
        """Number of settings tried that differ on these data."""
        self._data, self._candidates = data, candidates
        self.matches = self._one_per_value([*self._rounded(), *self._rounded_early()])

    @property
    def confidence(self) -> Confidence | None:
        """How far the best match or slip can be trusted; None if nothing gives the number."""
        levels = {*(match.confidence for match in self.matches), *(slip.confidence for slip in self.slips)}
        return next((level for level in get_args(Confidence) if level in levels), None)

    @property
    def explained(self) -> bool:
        """Whether the requested definition gives the number, or another one or a slip beyond what chance would give."""
        return self.confidence == "likely" or self.is_requested

    @property
    def is_requested(self) -> bool:
        """Whether the requested definition itself gives the number: the default, or the caller's rules."""
        return any(tool.is_requested for match in self.matches if not match.deviations for tool in match.tools)

    @property
    def expected_by_chance(self) -> tuple[float, float, float]:
        """How many distinct values a random number would match: of tools, with one rule changed, and of all."""
        tools, near, every = (self._candidates.expected(self.printed, changes) for changes in (0, 1, MANY_CHANGES))
        return tools, near, every

    @property
    def spacing(self) -> float:
        """Distance between the few values that the metric takes on the data; 0 if decimals tell its values apart."""
        return self._candidates.spacing if self._candidates.spacing > self.printed.unit else 0.0

    @property
    def distinct(self) -> tuple[int, int, int]:
        """Number of distinct values tried: of tools, with at most one rule changed, and of all settings."""
        tools, near, every = map(len, self._candidates.distinct)
        return tools, near, every

    def _rounded(self) -> list[NumberMatch]:
        """Return the settings whose value is rounded to the number."""
        values = self._candidates.values
        near = self.printed.distances(values) <= np.maximum(self.printed.unit, 1e-5) * 1.01
        return [
            self._match(place, rounding)
            for place in np.flatnonzero(near).tolist()
            if (rounding := self.printed.rounding_of(float(values[place]))) is not None
        ]

    def _rounded_early(self) -> list[NumberMatch]:
        """Return the tools whose sums, rounded before dividing, give the number."""
        if self.queries != 1:
            return []
        matches, quotients = [], []
        first = {tool.setting: place for place, tool in reversed([*enumerate(self._candidates.tools)])}
        for place in first.values():
            tool, value = self._candidates.tools[place], float(self._candidates.values[place])
            if tool.refusal or tool.setting.convention.rounding != "none":
                continue
            roundings = [*self.printed.early_roundings(self._data.sum(tool.setting))]
            early = [rounding.above / rounding.below for rounding in roundings]
            quotients += [quotient for quotient in early if abs(quotient - value) > self.printed.unit / 2]
            fitting = [rounding for rounding in roundings if rounding.fits]
            if fitting and self.printed.rounding_of(value) is None:
                rounding = min(fitting, key=lambda rounding: rounding.extra)
                matches.append(NumberMatch(tool, tool.setting, (), value, rounding, 0.0))
        by_chance = TRUNCATION * self._expected(quotients) + self.expected_by_chance[0] if matches else 0.0
        return [replace(match, by_chance=by_chance) for match in matches]

    def _match(self, place: int, rounding: Rounding) -> NumberMatch:
        """Describe a candidate by the nearest tool."""
        tool, rules = self._candidates.tool_and_rules(place)
        if tool.is_requested and not rules and not rounding.extra:  # one definition, chosen before the number was seen
            by_chance = self._candidates.expected_among(self._candidates.requested, self.printed, near=True)
        else:
            by_chance = self._candidates.expected(self.printed, len(rules), near=True)
        if rounding.extra:
            by_chance = (TRUNCATION - 1) * by_chance + self._candidates.expected(self.printed, len(rules) + 1)
        value = float(self._candidates.values[place])
        return NumberMatch(tool, self._candidates.settings[place], rules, value, rounding, by_chance)

    def _expected(self, values: Sequence[float]) -> float:
        return self._candidates.expected_among(distinct_values(np.array(values)), self.printed)

    def _one_per_value(self, matches: list[NumberMatch]) -> tuple[NumberMatch, ...]:
        """Keep the match nearest to a tool for each value, and list the others of that value with it."""
        order = {id(tool): place for place, tool in enumerate(self._candidates.tools)}
        groups: list[list[NumberMatch]] = []
        for match in sorted(matches, key=lambda match: (match.rounding.how, match.rounding.digits, match.value)):
            last = groups[-1][0] if groups else None
            if last is not None and last.rounding == match.rounding and nearly_equal(last.value, match.value):
                groups[-1].append(match)
            else:
                groups.append([match])
        kept = []
        for group in groups:
            first = min(group, key=lambda match: (match.deviations, order[id(match.tool)]))
            others = dict.fromkeys(match.setting for match in group if match.setting != first.setting)
            kept.append(replace(first, equivalent=tuple(others), tools=self._tools_of(first, group)))
        kept.sort(key=lambda match: (match.deviations, order[id(match.tool)], match.value))
        return tuple(replace(match, by_chance=_at_least(match, kept)) for match in kept)

    def _tools_of(self, first: NumberMatch, group: Sequence[NumberMatch]) -> tuple[Tool, ...]:
        """Return the tools that a match stands for, in order of plausibility."""
        settings = {match.setting for match in group if not match.rules} if not first.rules else {first.tool.setting}
        return tuple(tool for tool in self._candidates.tools if tool.setting in settings)

    @cached_property
    def missed(self) -> MissedItems | None:
        """Judged items that were not returned, of which a list alone says nothing, that would give the number."""
        if not self._data.is_list_alone or "localised" not in self.metric.definition.breaks:
            return None
        return search_missed(self.printed, self.metric, self._data, self.shared_definitions)

    @cached_property
    def of_returned(self) -> tuple[Tool, ...]:
        """The tools of arrays that give the number if only the returned items are passed to them."""
        return tools_of_returned(self.printed, self._data, self._candidates.tools)

    @property
    def list_grades(self) -> tuple[float, ...]:
        """Judged grades of a list alone, the highest first; empty if there are judgments or an ideal."""
        return tuple(np.sort(self._data.plain.pool_grade)[::-1].tolist()) if self._data.is_list_alone else ()

    # Calculations by hand

    @cached_property
    def slips(self) -> tuple[SlipMatch, ...]:
        """Slips in one term of a single list that give the number, of the definitions that most tools share.

        A slip that several of them have in common is listed once, with the first.
        """
        if self.queries != 1:
            return ()
        slipped = [
            (tool, slip)
            for tool in self.shared_definitions
            for slip in slips(self._data.sum(tool.setting), tool.setting.convention)
        ]
        by_chance = self._expected([slip.value for _, slip in slipped]) + self.expected_by_chance[0]
        levels = {match.confidence for match in self.matches} - {"coincidence"}
        best: Confidence = "uncertain" if levels == {"uncertain"} else "likely"
        by_value: dict[object, SlipMatch] = {}
        for tool, slip in slipped:
            right = self._data.mean(tool.setting)
            if self.printed.is_rounding_of(slip.value):
                by_value.setdefault(
                    (slip.render("en"), slip.value, right), SlipMatch(tool, right, slip, by_chance, best)
                )
        return tuple(by_value.values())

    @property
    def needed_terms(self) -> list[NeededTerm]:
        """What each term of a single list would have to be if it alone were wrong, by the first definition."""
        if self.queries != 1 or not self.shared_definitions:
            return []
        setting = self.shared_definitions[0].setting
        return needed_terms(self._data.sum(setting), setting.convention, self.printed.value)

    @cached_property
    def shared_definitions(self) -> list[Tool]:
        """The first tool of each of the definitions that most tools share."""
        tools = [tool for tool in self._candidates.tools if not tool.refusal]
        counts = Counter(tool.setting for tool in tools)
        first = {tool.setting: tool for tool in reversed(tools)}
        return [first[setting] for setting, _ in counts.most_common(HAND_DEFINITIONS)]

    # Other answers

    @property
    def nearest(self) -> NumberMatch | None:
        """The setting whose value is nearest to the number; None if there is no value at all."""
        return self._nearest(len(self._candidates.values))

    @property
    def nearest_tool(self) -> NumberMatch | None:
        """The tool whose value is nearest to the number; None if no tool has a value."""
        return self._nearest(len(self._candidates.tools))

    def _nearest(self, count: int) -> NumberMatch | None:
        off = self.printed.distances(self._candidates.values[:count])
        if not len(off) or np.isnan(off).all():
            return None
        match = self._match(int(np.nanargmin(off)), Rounding("rounded"))
        return replace(match, tools=self._tools_of(match, [match]))

    @property
    def deciding_query(self) -> DecidingQuery | None:
        """The query that best distinguishes the first matches; None if none does."""
        if len(self.matches) < 2 or len(self._data.queries) < 2:  # noqa: PLR2004 (two of them)
            return None
        columns = np.array([self._data.averaged_values(match.setting) for match in self.matches[:COMPARED]])
        filled = np.where(np.isnan(columns), -1.0, columns)  # a query that is left out differs from every value
        spread = filled.max(axis=0) - filled.min(axis=0)
        answered = spread * ((self._data.plain.returned > 0) & ~np.isnan(columns).any(axis=0))
        place = int(np.argmax(answered if answered.any() else spread))  # others may have no value to ask for
        if spread[place] <= 0:
            return None
        return DecidingQuery(self._data.queries[place], tuple(columns[:, place].tolist()))

    @property
    def queries(self) -> int:
        """Number of judged queries."""
        return len(self._data.queries)

    def to_dict(self) -> PlainData:
        """Return everything as plain data."""
        deciding, nearest = self.deciding_query, self.nearest
        names = ("tools", "one_change", "all")
        return {
            "printed": self.printed.text,
            **({"share": self.printed.value} if self.printed.is_share else {}),
            "decimals": self.printed.decimals,
            "explained": self.explained,
            "is_requested": self.is_requested,
            "confidence": self.confidence,
            "tried": self.tried,
            "distinct_values": dict(zip(names, self.distinct, strict=True)),
            "expected_by_chance": dict(zip(names, self.expected_by_chance, strict=True)),
            "spacing": finite_or_none(self.spacing),
            "explanations": [match.to_dict() for match in self.matches],
            "slips": finite_or_none([slip.to_dict() for slip in self.slips]),
            "telling": None
            if deciding is None
            else {"query": deciding.query, "values": finite_or_none(deciding.values)},
            "nearest": None if nearest is None else nearest.to_dict(),
            "of_returned": [*dict.fromkeys(tool.name for tool in self.of_returned)],
        }

    def __repr__(self) -> str:
        return f"<NumberMatches of {self.printed.text} for {self.metric}: {len(self.matches)}, {self.confidence}>"

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each match: the nearest tool, the rules that differ from it, and how far it can be trusted."""
        return columns_of(
            {
                "tool": match.tool.name,
                "rules": ", ".join(f"{rule}={plain_value(match.setting, rule)}" for rule in match.rules),
                "value": match.value,
                "fit": match.rounding.how,
                "confidence": match.confidence,
                "expected_by_chance": match.by_chance,
            }
            for match in self.matches
        )

    def document(self, lang: str = "en") -> Document:
        """Return the matches as a document."""
        from rankgauge.reconciliation.match_document import matches_document  # noqa: PLC0415 (it imports this module)

        return matches_document(self, lang)


def _at_least(match: NumberMatch, matches: Sequence[NumberMatch]) -> float:
    """Return the matches expected by chance, no fewer than those of a match that assumes less."""
    simpler = [other.by_chance for other in matches if other.deviations < match.deviations]
    return max(match.by_chance, min(simpler, default=0.0))
