"""Options that several commands share, declared once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli.arguments import check_one_stdin, parse_columns, parse_grades, parse_pairs
from rankgauge.cli.command import NAME, Option, OptionGroup
from rankgauge.cli.completions import metric_names, preset_names, rule_names, table_names
from rankgauge.cli.localization import usage_error
from rankgauge.cli.side_information import parse_side_information
from rankgauge.comparison.settings import CORRECTIONS
from rankgauge.inputs.formats.registry import READABLE
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.conventions import Convention
    from rankgauge.matching.read_options import ReadOptions

LARGE_FILE = 16 << 20
"""Bytes from which reading takes long enough for a progress bar."""

METRICS = Option(
    "-m --metric metrics",
    "A metric, such as nDCG@10, AP or \"nDCG(gain='exp2')@10\"; trec_eval's names work, too. Repeatable.",
    "指标，如 nDCG@10、AP 或 \"nDCG(gain='exp2')@10\"；也可用 trec_eval 的名称。可重复。",
    multiple=True,
    metavar=Phrase("METRIC", "指标"),
    shell_complete=metric_names,
)
BASELINE = Option(
    "--baseline",
    "The system that the others are compared with; by default the first.",
    "其他系统与之比较的系统；默认为第一个。",
    metavar=NAME,
)
DIGITS = Option("--digits", "Digits in tables.", "表格中的小数位数。", type=click.IntRange(0, 17), default=4)
PER_QUERY = Option("-q --per-query", "Include every query.", "包括每个查询。", is_flag=True)
ROLE = Option(
    "--role",
    "What a file holds; guessed from its content by default.",
    "文件的内容；默认由内容判断。",
    type=click.Choice(["judgments", "ranking"]),
)


class SideFormat(click.Choice[str]):
    """One format for all files, or one for each side: ``judgments=trec,ranking=csv``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the format, or a mapping from side to format."""
        if "=" not in str(value):
            return super().convert(value, param, ctx)
        pairs = parse_pairs(value, "--format", "ranking=csv")
        return {side: super(SideFormat, self).convert(name, param, ctx) for side, name in pairs.items()}


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The values of the options about reading files."""

    format: Any
    columns: str | None
    lenient: bool
    progress: bool
    quiet: bool

    def read_options(self, *paths: str) -> ReadOptions:
        """Return how these files are read; a progress bar is for large ones."""
        from rankgauge.matching.read_options import ReadOptions

        check_one_stdin(*paths)
        size = sum(Path(path).stat().st_size for path in paths if Path(path).is_file())
        return ReadOptions(
            columns=parse_columns(self.columns),
            format=self.format,
            lenient=self.lenient,
            progress=self.progress and size > LARGE_FILE,
        )

    def one_file(self, path: str, role: Any) -> dict[str, Any]:
        """Return the source, role, format and columns of one file whose side may have to be recognised."""
        from rankgauge.inputs.formats.detection import inspect_source

        options = self.read_options(path)
        both_sides = {name: column for name, column in (options.columns or {}).items() if isinstance(column, str)}
        one_format = options.format if isinstance(options.format, str) else None
        info = inspect_source(path, role=role, format=one_format, columns=both_sides or None)
        side = {"format": options.format_of(info.role), "columns": options.columns_of(info.role)}
        return {"source": info.source, "role": info.role, **side}

    def check_absent(self, **others: Any) -> None:
        """Refuse options about files where a list of grades was typed."""
        given = {"format": self.format, "columns": self.columns, "lenient": self.lenient or None, **others}
        message = Phrase(
            "{command}: --{name} is for files, not for a list of grades", "{command}：--{name} 用于文件，不用于等级列表"
        )
        _refuse(given, message)


@dataclass(frozen=True, kw_only=True)
class EvaluationOptions(Reading):
    """The values of the options about rules, side information and reading files."""

    convention: str | None
    rules: tuple[str, ...]
    side_information: tuple[str, ...] = ()

    @property
    def has_rules(self) -> bool:
        """Whether ``--convention`` or ``--rule`` was given."""
        return bool(self.convention or self.rules)

    def to_convention(self) -> Convention:
        """Return the convention that the options describe."""
        from rankgauge.conventions.texts import convention_of

        return convention_of(self.convention, self.rules)

    def keywords(self, *paths: str) -> dict[str, Any]:
        """Return the convention, the side information and the read options for these files as keywords."""
        return {
            "convention": self.to_convention(),
            "side_information": parse_side_information(self.side_information),
            "read_options": self.read_options(*paths),
        }

    def check_absent(self, **others: Any) -> None:
        """Refuse options about files, side information among them."""
        super().check_absent(**others, **{"side-information": self.side_information or None})


_RULES = (
    Option(
        "--convention",
        "Use the rules of a named tool, such as trec_eval-9; see: rankgauge conventions.",
        "采用某个工具的规则，如 trec_eval-9；见 rankgauge conventions。",
        metavar=NAME,
        shell_complete=preset_names,
    ),
    Option(
        "--rule rules",
        "Change one rule, such as gain=exp2 or ties=mean. Repeatable; see: rankgauge conventions show.",
        "修改一条规则，如 gain=exp2 或 ties=mean。可重复；见 rankgauge conventions show。",
        multiple=True,
        metavar=Phrase("NAME=VALUE", "名称=值"),
        shell_complete=rule_names,
    ),
)
_SIDE_INFORMATION = Option(
    "--side-information",
    "Tables for metrics beyond accuracy: training=log.csv, items, popularity, features, categories, "
    "item_groups, subtopics or baseline. Repeatable; see: rankgauge metrics NAME.",
    "准确性以外的指标所需的辅助信息：training=log.csv，以及 items、popularity、features、categories、"
    "item_groups、subtopics 或 baseline。可重复；见 rankgauge metrics 名称。",
    multiple=True,
    metavar=Phrase("TABLE=FILE", "表=文件"),
    shell_complete=table_names,
)
_READING = (
    Option(
        "--format",
        "Format of the files, or judgments=...,ranking=...; guessed from their content by default.",
        "文件的格式，也可写 judgments=...,ranking=...；默认由内容判断。",
        type=SideFormat(READABLE),
    ),
    Option(
        "--columns",
        "Columns that are not recognised: query=session,score=p; of one side: ranking.query=session.",
        "无法识别的列：query=session,score=p；只针对其中一方时写 ranking.query=session。",
        metavar=Phrase("NAME=COLUMN,...", "名称=列名,..."),
    ),
    Option(
        "--lenient", "Skip and count invalid rows instead of failing.", "跳过无效的行并计数，而不是报错。", is_flag=True
    ),
    Option(
        "--progress/--no-progress",
        "Show a progress bar while reading large files.",
        "读取大文件时显示进度条。",
        default=True,
    ),
    Option(
        "--quiet",
        "Suppress notes; still print warnings to standard error.",
        "不输出提示；警告仍输出到标准错误。",
        is_flag=True,
    ),
)
READING = OptionGroup("reading", Reading, _READING)
RULES_AND_READING = OptionGroup("evaluation", EvaluationOptions, (*_RULES, *_READING))
EVALUATION = OptionGroup("evaluation", EvaluationOptions, (*_RULES, _SIDE_INFORMATION, *_READING))


@dataclass(frozen=True)
class GradeList:
    """The values of ``--ideal`` and ``--scores``, which describe a typed list of grades."""

    ideal: str | None
    scores: str | None

    def keywords(self) -> dict[str, Any]:
        """Return the numbers as keywords."""
        texts = {"ideal": self.ideal, "scores": self.scores}
        return {name: None if text is None else parse_grades(text, f"--{name}") for name, text in texts.items()}

    def check_absent(self, **others: Any) -> None:
        """Refuse options of a list of grades where files were given."""
        message = Phrase(
            "{command}: --{name} is for a list of grades, not for files", "{command}：--{name} 用于等级列表，不用于文件"
        )
        _refuse({"ideal": self.ideal, "scores": self.scores, **others}, message)


def _refuse(given: dict[str, Any], message: Phrase) -> None:
    for name, value in given.items():
        if value is not None:
            raise usage_error(*message, command=click.get_current_context().info_name, name=name)


GRADE_LIST = OptionGroup(
    "grade_list",
    GradeList,
    (
        Option(
            "--ideal",
            "For a list: the grades of all judged items, returned or not.",
            "用于等级列表：所有已标注物品的等级，无论是否返回。",
            metavar=Phrase("GRADES", "等级列表"),
        ),
        Option(
            "--scores",
            "For a list: the scores of the items, to find ties.",
            "用于等级列表：各物品的分数，用来判断并列。",
            metavar=Phrase("NUMBERS", "分数列表"),
        ),
    ),
)
TESTS = OptionGroup(
    "tests",
    dict,
    (
        Option("--alpha", "Significance level.", "显著性水平。", type=float, default=0.05),
        Option(
            "--correction",
            "Correction of p-values for multiple comparisons.",
            "多重比较的 p 值校正方法。",
            type=click.Choice(CORRECTIONS),
            default=CORRECTIONS[0],
        ),
        Option(
            "--permutations",
            "Number of permutations in the randomisation test.",
            "随机化检验的置换次数。",
            type=click.IntRange(1),
            default=100_000,
        ),
        Option("--seed", "Seed of the random numbers.", "随机数种子。", type=click.IntRange(0), default=0),
    ),
)
