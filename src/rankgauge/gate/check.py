"""The gate: conditions under which a ranking must not pass, and what to look at when it does not."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from os import PathLike
from typing import Any, NamedTuple, Unpack

import numpy as np

from rankgauge.conventions import DEFAULT, Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.scores import Scores
from rankgauge.gate.baselines import check_scores, saved_scores, scores_of_saved
from rankgauge.gate.conditions import Condition, parse_condition
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.sided_columns import as_option
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.ranking import Ranking, named_rankings
from rankgauge.matching.read_options import ReadKeywords, ReadOptions
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.text import neutral
from rankgauge.side_information.information import SideInformation, check_side_information
from rankgauge.stats.paired_tests import paired_t
from rankgauge.stats.samples import deviation

SCHEMA = 1
WORDS = {
    "passed": Phrase("Passed: {count} of {all} checks", "通过：{all} 项检查中的 {count} 项"),
    "failed": Phrase("Failed: {count} of {all} checks", "未通过：{all} 项检查中的 {count} 项"),
    "ok": Phrase("passed", "通过"),
    "bad": Phrase("failed", "未通过"),
    "condition": Phrase("fails if", "失败条件"),
    "result": Phrase("result", "结果"),
    "baseline": Phrase("baseline", "基线"),
    "value": Phrase("now", "现在"),
    "change": Phrase("change", "变化"),
    "worst": Phrase("{condition}: the queries to look at", "{condition}：首先要看的查询"),
    "query": Phrase("query", "查询"),
    "explain": Phrase("Explained by:", "用以下命令查看原因："),
}


class WorstQuery(NamedTuple):
    """A query to look at: its value in the baseline, where there is one, and now."""

    query: Any
    before: float | None
    after: float

    @property
    def change(self) -> float | None:
        """The difference; None without a baseline."""
        return None if self.before is None else self.after - self.before


@dataclass(frozen=True)
class Check:
    """One condition and what became of it."""

    condition: Condition
    failed: bool
    value: float
    """The mean of the ranking."""
    baseline: float | None
    p: float | None
    """Of the paired t test, where the condition asks for it; NaN where the test says nothing."""
    worst: tuple[WorstQuery, ...]

    def line(self) -> str:
        """The result in one line."""
        if self.baseline is None:
            return f"{self.condition.metric} = {self.value:.6f}"
        change = self.value - self.baseline
        share = f", {change / abs(self.baseline):+.2%}" if self.baseline else ""
        tested = "" if self.p is None else f", p = {self.p:.3g}"
        return f"{self.condition.metric}: {self.baseline:.6f} → {self.value:.6f} ({change:+.6f}{share}{tested})"


@dataclass(frozen=True)
class GateResult:
    """All checks of a ranking."""

    checks: tuple[Check, ...]
    convention: Convention
    files: tuple[str, str] | None
    """The judgments and the ranking, where both are files."""
    scores: Scores
    read_options: ReadOptions
    side_information: SideInformation | None

    @property
    def passed(self) -> bool:
        """Whether no condition was met."""
        return not any(check.failed for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.failed)

    def explain_command(self, metric: Metric, query: Any) -> str | None:
        """The command that explains the value of a query, quoted for a shell; None where the data are not files."""
        known = self._background() if metric.definition.of_items else []
        if self.files is None or known is None or not metric.definition.summary.has_query_values:
            return None
        rules, usual = self.convention.to_dict(), DEFAULT.to_dict()
        moving = {*metric.definition.applicable_rules, "seed", "score_precision"}
        changed = [f"--rule={name}={rules[name]}" for name in rules if name in moving and rules[name] != usual[name]]
        words = ["rankgauge", "explain", *self.files, "-m", str(metric), "--query", str(query), *changed]
        return neutral(shlex.join([*words, *known, *self._as_read()]))

    def _background(self) -> list[str] | None:
        """The options that give the same side information; None where a table is no file."""
        if self.side_information is None:
            return []
        tables = {
            table.name: value
            for table in fields(self.side_information)
            if (value := getattr(self.side_information, table.name)) is not None
        }
        if not all(_is_path(value) or isinstance(value, int) for value in tables.values()):
            return None
        return [f"--side-information={name}={value}" for name, value in tables.items()]

    def _as_read(self) -> list[str]:
        """The options that read the files in the same way."""
        options = self.read_options
        words = [f"--{name}={as_option(given)}" for name in ("columns", "format") if (given := getattr(options, name))]
        return [*words, "--lenient"] if options.lenient else words

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; what is not a number is None."""
        return {
            "schema": SCHEMA,
            "passed": self.passed,
            "checks": [
                {
                    "condition": str(check.condition),
                    "metric": str(check.condition.metric),
                    "failed": check.failed,
                    "value": check.value,
                    "baseline": check.baseline,
                    "p": None if check.p is None or math.isnan(check.p) else check.p,
                    "worst": [
                        {**one._asdict(), "change": one.change, "explain": self._explain(check, one)}
                        for one in check.worst
                    ],
                }
                for check in self.checks
            ],
            "convention": self.convention.to_dict(),
        }

    def _explain(self, check: Check, one: WorstQuery) -> str | None:
        return self.explain_command(check.condition.metric, one.query)

    def to_json(self, indent: int | None = None) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent, default=str)

    def document(self, lang: str = "en") -> Document:
        """What to read: every check, and of those that failed the queries to look at."""
        spoken = check_lang(lang)
        failed, all_ = len(self.failures), len(self.checks)
        key, count = ("failed", failed) if failed else ("passed", all_)
        blocks: list[Block] = [Heading(WORDS[key].render(spoken, count=count, all=all_))]
        rows = [
            [WORDS["bad" if check.failed else "ok"].render(spoken), str(check.condition), check.line()]
            for check in self.checks
        ]
        blocks.append(Table([WORDS["result"].render(spoken), WORDS["condition"].render(spoken), ""], rows))
        for check in self.failures:
            blocks += self._worst(check, spoken)
        return Document(blocks)

    def _worst(self, check: Check, lang: Lang) -> list[Block]:
        if not check.worst:
            return []
        names = ["query", *([] if check.baseline is None else ["baseline"]), "value"]
        titles = [WORDS[name].render(lang) for name in [*names, *(["change"] if check.baseline is not None else [])]]
        rows = [
            [str(one.query), *(f"{number:.6f}" for number in (one.before, one.after) if number is not None)]
            + ([] if one.change is None else [f"{one.change:+.6f}"])
            for one in check.worst
        ]
        heading = Heading(WORDS["worst"].render(lang, condition=check.condition), 2)
        table = Table(titles, rows, align="l" + "r" * (len(titles) - 1))
        commands = [command for one in check.worst if (command := self._explain(check, one))]
        explained = [Paragraph(WORDS["explain"].render(lang)), *map(Paragraph, commands)] if commands else []
        return [heading, table, *explained]

    def to_text(self, lang: str = "en", width: int | None = None) -> str:
        """As text for a terminal or a log; commands are never broken."""
        lines, above = "", None
        for block in self.document(lang).blocks:
            together = isinstance(block, Paragraph) and isinstance(above, Paragraph)
            lines += "" if above is None else "\n" if together else "\n\n"
            lines += Document([block]).to_text(None if isinstance(block, Paragraph) else width)
            above = block
        return lines

    def __str__(self) -> str:
        return self.to_text()


def check(
    judgments: Any,
    ranking: Any,
    conditions: str | Condition | Iterable[str | Condition],
    *,
    baseline: Any = None,
    convention: ConventionLike = None,
    worst: int = 5,
    side_information: SideInformation | None = None,
    weights: Mapping[Any, float] | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> GateResult:
    """Whether a ranking may pass: ``conditions`` say when it must not.

    Parameters
    ----------
    judgments, ranking
        As for ``evaluate``.
    conditions
        One or more, such as ``"nDCG@10 < 0.42"``, ``"nDCG@10 drops 0.01"``, ``"AP drops 2%"``,
        ``"AP drops significantly"`` or ``"Fallout@10 rises 0.02"``.
    baseline
        What ``drops`` and ``rises`` compare with: another ranking, ``Scores``, or a file written by ``Scores.to_json``.
    convention
        The rules in force.
    worst
        How many queries to name for each condition.
    side_information, weights
        As for ``evaluate``.
    read_options, **read
        How data are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> judgments = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> old, new = {"q1": ["a"], "q2": ["b"]}, {"q1": ["a"], "q2": ["x", "b"]}
    >>> result = rg.check(judgments, new, ["RR drops 0.1", "RR < 0.5"], baseline=old)
    >>> [(str(one.condition), one.failed) for one in result.checks]
    [('RR drops 0.1', True), ('RR < 0.5', False)]
    >>> result.failures[0].worst
    (WorstQuery(query='q2', before=1.0, after=0.5),)
    """
    options = ReadOptions.of(check, read_options, read)
    asked = [parse_condition(one) for one in ([conditions] if isinstance(conditions, str | Condition) else conditions)]
    if not asked:
        raise ParameterError("check: there is no condition; give one, such as 'nDCG@10 drops 0.01'")
    rules = check_convention(convention)
    needing = next((one for one in asked if one.compares), None)
    if needing is not None and baseline is None:
        raise ParameterError(f"check: {str(needing)!r} needs a baseline, a ranking or saved scores")
    metrics = [*dict.fromkeys(one.metric for one in asked)]
    now, before = _scores(judgments, ranking, baseline, metrics, rules, side_information, weights, options)
    files = (str(judgments), str(ranking)) if _is_path(judgments) and _is_path(ranking) else None
    checks = tuple(_checked(one, now, before, worst) for one in asked)
    return GateResult(checks, rules, files, now, options, side_information)


def _is_path(source: object) -> bool:
    return isinstance(source, str | PathLike)


def _scores(
    judgments: Any,
    ranking: Any,
    baseline: Any,
    metrics: Sequence[Metric],
    rules: Convention,
    side_information: SideInformation | None,
    weights: Mapping[Any, float] | None,
    options: ReadOptions,
) -> tuple[Scores, Scores | None]:
    """Return the scores of the ranking and of the baseline, if there is one; the judgments are read once."""
    saved = None if isinstance(baseline, Scores) else saved_scores(baseline)
    is_ranking = baseline is not None and saved is None and not isinstance(baseline, Scores)
    information, findings = check_side_information(side_information), Findings()
    for metric in metrics:
        information.check(metric)
    current = named_rankings("check", judgments, ranking, options, one=True)[""]
    parsed = Judgments.of(judgments, options, findings)
    evaluators = [Evaluator(parsed, metrics, rules, information, findings) for _ in range(1 + is_ranking)]
    for evaluator, source in zip(evaluators, (current, baseline), strict=False):
        evaluator.add(Ranking.of(source, options))
    scores = [evaluator.scores(weights) for evaluator in evaluators]
    if is_ranking:
        return scores[0], scores[1]
    if saved is not None:
        return scores[0], scores_of_saved(saved, metrics, scores[0].queries, rules)
    if baseline is not None:
        check_scores(baseline, metrics, scores[0].queries, rules)
    return scores[0], baseline


def _checked(condition: Condition, now: Scores, before: Scores | None, worst: int) -> Check:
    metric = condition.metric
    value = _mean(now, metric, "ranking")
    if before is None or not condition.compares:
        values = [WorstQuery(query, None, one) for query, one in now.per_query(metric).items() if not math.isnan(one)]
        lowest = sorted(values, key=lambda one: one.after if condition.downward else -one.after)
        return Check(condition, condition.holds(value, math.nan, math.nan), value, None, None, tuple(lowest[:worst]))
    baseline = _mean(before, metric, "baseline")
    old, new = ({str(query): one for query, one in scores.per_query(metric).items()} for scores in (before, now))
    names = {str(query): query for query in now.queries}
    pairs = [
        WorstQuery(names[query], old[query], one)
        for query, one in new.items()
        if query in old and not math.isnan(one + old[query])
    ]
    sign = 1 if condition.downward else -1
    against = [one for one in pairs if sign * (one.after - (one.before or 0.0)) < 0]
    against.sort(key=lambda one: sign * (one.after - (one.before or 0.0)))
    p = None if condition.level is None else _p(pairs, now.convention, metric)
    failed = condition.holds(value, baseline, math.nan if p is None else p)
    return Check(condition, failed, value, baseline, p, tuple(against[:worst]))


def _mean(scores: Scores, metric: Metric, what: str) -> float:
    mean = scores.mean(metric)
    if math.isnan(mean):
        raise InputError(f"{what}: {metric} has no value for any query, so there is nothing to check", ["RG401"])
    return mean


def _p(pairs: Sequence[WorstQuery], rules: Convention, metric: Metric) -> float:
    """The p-value of the paired t test; where all queries moved by the same amount, and there are several, 0."""
    if rules.averaging != "mean":
        raise ParameterError(f"{metric} significantly: the t test is of the arithmetic mean, not {rules.averaging!r}")
    if not pairs:
        return math.nan
    before, after = np.array([(one.before or 0.0, one.after) for one in pairs]).T
    if len(pairs) > 1 and (after != before).any() and deviation(after - before) == 0:
        return 0.0
    return paired_t(before, after).p
