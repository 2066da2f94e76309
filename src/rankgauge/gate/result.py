"""Results of a gate: every check, the queries to look at, and the commands that explain them."""

from __future__ import annotations

import math
import shlex
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, NamedTuple

from rankgauge.conventions import DEFAULT, Convention
from rankgauge.evaluation.score_document import data_notes, system_notes
from rankgauge.evaluation.scores import Scores
from rankgauge.gate.conditions import Condition
from rankgauge.inputs.findings import IN_DATA_NOTES, Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.metric_core.definition import parameters_data
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, ShellCommand, ShownAsDocument, Table
from rankgauge.rendering.junit import JUnitCase, junit
from rankgauge.rendering.language import Lang, Phrase, check_lang, naming_rows
from rankgauge.rendering.number_texts import LEAST_P, decimal, format_number, interval_text
from rankgauge.rendering.plain import FrameResult, JsonResult, PlainData, columns_of, finite_or_none
from rankgauge.rendering.text import neutral
from rankgauge.side_information.side_information import NOTHING, SideInformationLike
from rankgauge.stats.intervals import Interval
from rankgauge.stats.paired_tests import least_queries

SCHEMA = 1
DIGITS = 6
"""Digits of the values that are shown."""
MESSAGES = {
    "passed": Phrase("Passed: {count} of {all:# check|# checks}", "通过：{count}/{all} 项检查"),
    "failed": Phrase("Failed: {count} of {all:# check|# checks}", "未通过：{count}/{all} 项检查"),
    "passed and undecided": Phrase(
        "Passed: none of {all:# check|# checks} failed, {undecided} inconclusive",
        "通过：{all} 项检查均未失败，其中 {undecided} 项无定论",
    ),
    "failed and undecided": Phrase(
        "Failed: {count} of {all:# check|# checks}, {undecided} inconclusive",
        "未通过：{count}/{all} 项检查，另有 {undecided} 项无定论",
    ),
    "ok": Phrase("passed", "通过"),
    "bad": Phrase("failed", "未通过"),
    "inconclusive": Phrase("inconclusive", "无定论"),
    "undecided": Phrase("Inconclusive: {count} of {all:# check|# checks}", "无定论：{count}/{all} 项检查"),
    "too few": Phrase(
        "No change over {queries:# query|# queries} counts as significant; {least} are needed at {alpha:g}.",
        "{queries} 个查询上的任何变化都不算显著；显著性水平为 {alpha:g} 时至少需要 {least} 个。",
    ),
    "counted": Phrase("{counted:# query|# queries}", "{counted:,} 个查询"),
    "counted of": Phrase("{counted:,} of {all:# query|# queries}", "{all:,} 个查询中的 {counted:,} 个"),
    "means only": Phrase("means only, without values of queries", "只有均值，没有逐个查询的值"),
    "spans": Phrase("the interval spans the threshold", "区间跨越阈值"),
    "condition": Phrase("fails if", "失败条件"),
    "result": Phrase("result", "结果"),
    "baseline": Phrase("baseline", "基线"),
    "run": Phrase("The baseline is run {id} of {time} ({name}).", "基线为 {time} 的记录 {id}（{name}）。"),
    "value": Phrase("now", "现在"),
    "change": Phrase("change", "变化"),
    "worst": Phrase("{condition}: queries to look at", "{condition}：首先要看的查询"),
    "query": Phrase("query", "查询"),
    "explain": Phrase("Explain them with:", "用以下命令查看原因："),
}


class WorstQuery(NamedTuple):
    """A query to look at: its value in the baseline, if there is one, and now."""

    query: Any
    before: float | None
    after: float

    @property
    def change(self) -> float | None:
        """Difference from the baseline; None without a baseline."""
        return None if self.before is None else self.after - self.before


@dataclass(frozen=True)
class Check:
    """One condition and its result."""

    condition: Condition
    failed: bool
    value: float
    """Mean of the ranking."""
    baseline: float | None
    """Mean of the baseline, if the condition compares."""
    p: float | None
    """P-value of the paired t test, if the condition needs it; NaN if the test is not applicable."""
    worst: tuple[WorstQuery, ...]
    inconclusive: bool = False
    """Whether it did not fail, but its interval spans the threshold."""
    interval: Interval | None = None
    """Interval of the mean, or of the change from the baseline, if it did not fail and there is one."""

    queries: int = 0
    """Number of queries that count: with a value or, if the condition compares, with values on both sides."""
    all_queries: int = 0
    """Number of judged queries; 0 if only means are known."""

    def too_few(self, lang: Lang) -> str:
        """Return that no change over so few queries is significant, if that is what was asked."""
        alpha = self.condition.alpha
        if alpha is None or self.queries >= (least := least_queries(alpha)):
            return ""
        return MESSAGES["too few"].render(lang, queries=self.queries, least=least, alpha=alpha)

    def counted(self, lang: str = "en") -> str:
        """Return the number of queries that count, and of how many if some are left out."""
        key = "counted" if self.queries == self.all_queries else "counted of"
        key = key if self.all_queries else "means only"
        return MESSAGES[key].render(check_lang(lang), counted=self.queries, all=self.all_queries)

    @property
    def outcome(self) -> str:
        """``failed``, ``inconclusive`` or ``passed``."""
        return "failed" if self.failed else "inconclusive" if self.inconclusive else "passed"

    def line(self, digits: int = DIGITS) -> str:
        """Return the result in one line."""
        if self.baseline is None:
            return f"{self.condition.metric} = {decimal(self.value, digits)}{self._interval_text('', digits)}"
        change = self.value - self.baseline
        percent = f", {format_number(change / abs(self.baseline), '+.2%')}" if self.baseline else ""
        p = "" if self.p is None else f", p < {LEAST_P:g}" if self.p < LEAST_P else f", p = {self.p:.3g}"
        interval = self._interval_text("+", digits)
        before, after = decimal(self.baseline, digits), decimal(self.value, digits)
        changed = f"{decimal(change, digits, '+')}{interval}{percent}{p}"
        return f"{self.condition.metric}: {before} → {after} ({changed})"

    def _interval_text(self, sign: str, digits: int) -> str:
        """Return the interval that spans the threshold."""
        if not self.inconclusive or self.interval is None or math.isnan(sum(self.interval)):
            return ""
        return f" {interval_text(self.interval, f'{sign}.{digits}f')}"


@dataclass(frozen=True, repr=False)
class GateResult(ShownAsDocument, FrameResult, JsonResult):
    """All checks of a ranking; false if one failed, or is inconclusive where a conclusive answer was asked for."""

    checks: tuple[Check, ...]
    convention: Convention
    files: tuple[str, str] | None
    """The judgments and the ranking, if both are files."""
    scores: Scores
    read_options: ReadOptions
    side_information: SideInformationLike | None
    conclusive: bool = False
    """Whether a conclusive answer was asked for."""
    baseline: Scores | None = None
    """The values that conditions such as ``drops`` compare with."""

    @property
    def findings(self) -> Findings:
        """What was noticed in the data."""
        return self.scores.findings

    @property
    def passed(self) -> bool:
        """Whether no condition is met."""
        return not any(check.failed for check in self.checks)

    def __bool__(self) -> bool:
        return self.passed and not (self.conclusive and self.inconclusive)

    def __repr__(self) -> str:
        checks = "; ".join(f"{check.outcome}: {check.condition}" for check in self.checks)
        return f"<GateResult {checks}>"

    @property
    def inconclusive(self) -> bool:
        """Whether no check failed, but one is inconclusive."""
        return self.passed and any(check.inconclusive for check in self.checks)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.failed)

    def explain_command(self, metric: Metric, query: Hashable) -> str | None:
        """Return the command that explains the value of a query, quoted for a shell; None if no command can."""
        tables = self._side_information_options() if metric.definition.of_items else []
        reading = self._read_arguments()
        if self.files is None or tables is None or reading is None or not metric.definition.summary.has_query_values:
            return None
        rules, defaults = self.convention.to_dict(), DEFAULT.to_dict()
        applicable = metric.definition.query_rules
        changed = [name for name in rules if name in applicable and rules[name] != defaults[name]]
        words = ["rankgauge", "explain", *dict.fromkeys(self.files), "-m", str(metric), "--query", str(query)]
        words += [f"--rule={name}={rules[name]}" for name in changed]
        return neutral(shlex.join([*words, *tables, *reading]))

    def _side_information_options(self) -> list[str] | None:
        """Return the options for the same side information; None if a table is not a file."""
        tables = {name: value for name, value in vars(self.side_information or NOTHING).items() if value is not None}
        if not all(isinstance(value, str | PathLike | int) for value in tables.values()):
            return None
        return [f"--side-information={name}={value}" for name, value in tables.items()]

    def _read_arguments(self) -> list[str] | None:
        """Return the options that read the files in the same way; None if only Python can."""
        options = self.read_options
        units = options.units and options.units.source
        if options.grades is not None or not isinstance(units, str | PathLike | None):
            return None
        words = [
            f"--{name}={_option_value(value)}"
            for name in ("columns", "format", "split")
            if (value := getattr(options, name))
        ]
        words += [f"--units={fspath(units)}"] if units is not None else []
        return [*words, "--lenient"] if options.lenient else words

    # Output

    def to_dict(self) -> PlainData:
        """Return everything as plain data; None for what is not a number."""
        return {
            "schema": SCHEMA,
            "passed": self.passed,
            "inconclusive": self.inconclusive,
            "checks": [self._check_data(check) for check in self.checks],
            "findings": [finding.to_dict() for finding in self.findings],
            "convention": None if self.scores.from_values else self.convention.to_dict(),
            **parameters_data(self.scores.metrics),
            "provenance": self.scores.provenance,
            **({} if self.baseline is None else {"baseline_provenance": self.baseline.provenance}),
        }

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row per condition, as columns."""
        rows = (
            {
                "condition": str(check.condition),
                "metric": str(check.condition.metric),
                "failed": check.failed,
                "inconclusive": check.inconclusive,
                "value": check.value,
                "baseline": check.baseline,
                "p": finite_or_none(check.p),
                "queries": check.queries,
                "all_queries": check.all_queries,
            }
            for check in self.checks
        )
        return columns_of(rows)

    def _check_data(self, check: Check) -> PlainData:
        metric = check.condition.metric
        return {
            "condition": str(check.condition),
            "metric": str(metric),
            "failed": check.failed,
            "inconclusive": check.inconclusive,
            "interval": None if check.interval is None else [finite_or_none(end) for end in check.interval],
            "value": check.value,
            "baseline": check.baseline,
            "p": finite_or_none(check.p),
            "queries": check.queries,
            "all_queries": check.all_queries,
            "worst": [
                {**worst._asdict(), "change": worst.change, "explain": self.explain_command(metric, worst.query)}
                for worst in check.worst
            ],
        }

    def document(self, lang: str = "en", *, digits: int = DIGITS) -> Document:
        """Return a table of all checks and, for those that failed, the queries to look at."""
        with naming_rows(self.findings.rows):
            return self._document(check_lang(lang), digits)

    def _document(self, language: Lang, digits: int) -> Document:
        undecided = sum(check.inconclusive for check in self.checks)
        key, count = ("failed", len(self.failures)) if self.failures else ("passed", len(self.checks))
        if self.conclusive and self.inconclusive:
            key, count = "undecided", undecided
        elif undecided:
            key += " and undecided"
        titles = {"failed": "bad", "passed": "ok", "inconclusive": "inconclusive"}
        rows = [
            [MESSAGES[titles[check.outcome]].render(language), str(check.condition), check.line(digits)]
            for check in self.checks
        ]
        blocks: list[Block] = [
            Heading(MESSAGES[key].render(language, count=count, all=len(self.checks), undecided=undecided)),
            Table([MESSAGES["result"].render(language), MESSAGES["condition"].render(language), ""], rows),
            *map(Paragraph, self._counts(language)),
        ]
        blocks += self._baseline_run(language)
        blocks += map(Paragraph, dict.fromkeys(filter(None, (check.too_few(language) for check in self.checks))))
        blocks += map(Paragraph, self._data_notes(language))
        for check in self.failures:
            blocks += self._worst_blocks(check, language, digits)
        return Document(blocks)

    def _counts(self, lang: Lang) -> list[str]:
        """Return the number of queries, of each condition unless all have the same."""
        counts = {str(check.condition): check.counted(lang) for check in self.checks}
        same = len({*counts.values()}) == 1
        colon = "：" if lang == "zh" else ": "
        return [*counts.values()][:1] if same else [f"{name}{colon}{count}" for name, count in counts.items()]

    def _data_notes(self, lang: Lang) -> list[str]:
        """Return what in the data of either side can change a conclusion."""
        notes = data_notes(self.scores, lang)
        if self.baseline is not None:
            notes += system_notes(self.baseline, lang, MESSAGES["baseline"].render(lang))
        return [*notes, *self.findings.warning_lines(lang, IN_DATA_NOTES)]

    def _baseline_run(self, lang: Lang) -> list[Block]:
        """Return which run of the history the baseline is, if it is one."""
        origin = None if self.baseline is None else self.baseline.origin
        run = None if origin is None or origin.stored is None else origin.stored.get("run")
        named = None if run is None else {**run, "name": run["name"] or "-"}
        return [] if named is None else [Paragraph(MESSAGES["run"].render(lang, **named))]

    def _worst_blocks(self, check: Check, lang: Lang, digits: int) -> list[Block]:
        if not check.worst:
            return []
        columns = ["query", "value"] if check.baseline is None else ["query", "baseline", "value", "change"]
        rows = [
            [
                str(worst.query),
                *(decimal(number, digits) for number in (worst.before, worst.after) if number is not None),
            ]
            + ([] if worst.change is None else [decimal(worst.change, digits, "+")])
            for worst in check.worst
        ]
        metric = check.condition.metric
        commands = [command for worst in check.worst if (command := self.explain_command(metric, worst.query))]
        return [
            Heading(MESSAGES["worst"].render(lang, condition=check.condition), 2),
            Table([MESSAGES[name].render(lang) for name in columns], rows, align="l" + "r" * (len(columns) - 1)),
            *([Paragraph(MESSAGES["explain"].render(lang)), *map(ShellCommand, commands)] if commands else []),
        ]

    def to_junit(self, name: str = "rankgauge check", *, digits: int = DIGITS) -> str:
        """Return JUnit XML with a test case for each condition."""
        with naming_rows(self.findings.rows):
            cases = [self._junit_case(each, digits) for each in self.checks]
            return junit(name, "regression", cases, "\n".join(self._data_notes("en")))

    def _junit_case(self, check: Check, digits: int) -> JUnitCase:
        """Return a test case; an inconclusive one is skipped unless a conclusive answer was asked for."""
        undecided = f"{MESSAGES['inconclusive'].en}: {MESSAGES['spans'].en}; "
        line = f"{undecided * check.inconclusive}{check.line(digits)}; {check.counted()}"
        failed = check.failed or (check.inconclusive and self.conclusive)
        details = self._details(check, digits) if failed else ""
        return JUnitCase(str(check.condition), line, failed, details, skipped=check.inconclusive and not failed)

    def _details(self, check: Check, digits: int) -> str:
        lines = [f"{check.line(digits)}; {check.counted()}"]
        for worst in check.worst:
            before = "" if worst.before is None else f"{decimal(worst.before, digits)} → "
            lines.append(f"{worst.query}: {before}{decimal(worst.after, digits)}")
            command = self.explain_command(check.condition.metric, worst.query)
            lines += [f"  {command}"] if command else []
        return "\n".join(map(neutral, lines))

    def to_text(self, lang: str = "en", width: int | None = None, *, digits: int = DIGITS) -> str:
        """Return the document as text; commands are never wrapped."""
        text, previous = "", None
        for block in self.document(lang, digits=digits).blocks:
            adjacent = isinstance(block, Paragraph) and isinstance(previous, Paragraph)
            text += "" if previous is None else "\n" if adjacent else "\n\n"
            text += Document([block]).to_text(None if isinstance(block, Paragraph) else width)
            previous = block
        return text

    def __str__(self) -> str:
        return self.to_text()


def _option_value(option: object) -> str:
    """Return columns or formats as typed in a command.

    >>> _option_value({"score": "p", "ranking": {"query": "session"}}), _option_value("csv")
    ('score=p,ranking.query=session', 'csv')
    """
    if not isinstance(option, Mapping):
        return str(option)
    sides = {name: value for name, value in option.items() if isinstance(value, Mapping)}
    pairs = [f"{name}={value}" for name, value in option.items() if name not in sides]
    pairs += [f"{side}.{name}={value}" for side, names in sides.items() for name, value in names.items()]
    return ",".join(pairs)
