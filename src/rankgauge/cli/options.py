"""Arguments and options that several commands share, and the records that commands receive them as."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rankgauge.cli import values
from rankgauge.cli.command import Argument, Option, OptionGroup
from rankgauge.cli.console import write_findings, write_message
from rankgauge.cli.item_options import FILE, SPANS, UNITS
from rankgauge.cli.localization import language, usage_error
from rankgauge.conventions import Convention
from rankgauge.inputs.formats.registry import READABLE
from rankgauge.inputs.io.paths import is_regular_file
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.evaluation.scores import Scores
    from rankgauge.inputs.read_options import ReadOptions
    from rankgauge.inputs.source import Source
    from rankgauge.matching.data import Data

LARGE_FILE = 16 << 20
"""Bytes from which reading takes long enough for a progress bar."""
Result = TypeVar("Result")
IMPLIED = Phrase(
    "--units implies {rules}; pass another --rule duplicates=... to count copies of a unit otherwise",
    "--units 隐含 {rules}；若要以其他方式计同一单位的副本，请另给 --rule duplicates=...",
)

FOLDER = click.Path(file_okay=False, path_type=Path)
JUDGMENTS = Argument("judgments", type=FILE)
RANKINGS = Argument("rankings", "[RANKING...]", nargs=-1, type=FILE, callback=values.drop_repeated)
GRADES_OR_FILES = Argument("sources", "GRADES | JUDGMENTS [RANKING]", nargs=-1, required=True, type=FILE)
METRICS = Option(
    "-m --metric metrics METRIC",
    "A metric, such as nDCG@10, AP or \"nDCG(gain='exp2')@10\"; trec_eval's names work, too. Several: nDCG@10,AP.",
    "指标，如 nDCG@10、AP 或 \"nDCG(gain='exp2')@10\"；也可用 trec_eval 的名称。多个指标：nDCG@10,AP。",
    multiple=True,
    shell_complete=values.metric_names,
)
BASELINE = Option(
    "--baseline NAME|FILE",
    "The system that the others are compared with: its name, or the file of a ranking; by default the first.",
    "其他系统与之比较的系统：名称，或排序结果的文件；默认为第一个。",
)
K = "-k --k"
"""The names of an option for cutoffs."""
PEOPLE = Option(
    "--people FILE",
    "Labels of people for some queries, where the judgments are those of a model, to correct by.",
    "判断由模型给出时，人对部分查询的标签，用于修正。",
    type=FILE,
)
ALPHA = Option("--alpha", "Significance level.", "显著性水平。", type=float, default=0.05)
STORE = Option(
    "--store FILE",
    "The history; by default rankgauge.history.jsonl, or that of the variable RANKGAUGE_HISTORY.",
    "历史文件；默认为 rankgauge.history.jsonl，或环境变量 RANKGAUGE_HISTORY 指定的文件。",
    type=click.Path(path_type=Path),
)
PER_QUERY = Option("-q --per-query", "Include every query.", "包括每个查询。", is_flag=True)
COSTS = Option(
    "--costs", "A table of the costs of the settings, such as latency.csv.", "设置的成本表，如 latency.csv。", type=FILE
)
TEXTS = Option(
    "--texts FILE",
    "Texts of queries and items: JSONL, CSV or TSV with an id and a text.",
    "查询与物品的文本：含 id 与 text 的 JSONL、CSV 或 TSV。",
)
TITLE = Option("--title", "Title of the page.", "页面的标题。", default="")
TAG = Option("--tag", "The last column of a TREC run.", "TREC run 文件的最后一列。", default="rankgauge")
ROLE = Option(
    "--role",
    "What a file holds; guessed from its content by default.",
    "文件的内容；默认由内容判断。",
    type=click.Choice(["judgments", "ranking"]),
)


def digits_option(default: int | None, about: Phrase = Phrase("Digits in tables.", "表格中的小数位数。")) -> Option:
    """Return ``--digits`` with the default of a command."""
    settings: dict[str, Any] = {} if default is None else {"default": default}
    return Option("--digits", about.en, about.zh, least=0, most=17, **settings)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How files are read, and what is reported about them."""

    format: Any
    columns: str | None
    lenient: bool
    progress: bool
    quiet: bool
    split: str | None = None

    def read_options(self, *paths: str, **more: Any) -> ReadOptions:
        """Return how these files are read, with ``more`` options; a progress bar is for large ones."""
        from rankgauge.inputs.read_options import ReadOptions

        if paths.count("-") > 1:
            raise usage_error("only one file can be read from standard input (-)", "只能有一个文件从标准输入（-）读取")
        size = sum(Path(path).stat().st_size for path in paths if is_regular_file(path))
        return ReadOptions(
            columns=values.parse_columns(self.columns),
            format=self.format,
            lenient=self.lenient,
            split=self.split,
            progress=self.progress and size > LARGE_FILE,
            **more,
        )

    def read_both(self, source: object) -> Data:
        """Return the data of a file that holds judgments and rankings."""
        from rankgauge.matching.data import read_both

        return read_both(source, str(click.get_current_context().info_name), self.read_options(str(source)))

    def write_findings(self, findings: object, *, notes_only: bool = False) -> None:
        """Write what was noticed in the files to standard error."""
        write_findings(findings, quiet=self.quiet, notes_only=notes_only)


@dataclass(frozen=True, kw_only=True)
class EvaluationOptions(Reading):
    """The rules, the side information, and how files are read."""

    convention: str | None
    rules: tuple[str, ...]
    side_information: tuple[str, ...] = ()
    units: str | None = None
    documents: str | None = None
    spans: bool = False

    def read_options(self, *paths: str, **more: Any) -> ReadOptions:
        """Return how these files are read, with what their items stand for."""
        return super().read_options(*paths, units=self.units, documents=self.documents, spans=self.spans, **more)

    def to_convention(self) -> Convention:
        """Return the convention that the options describe."""
        from rankgauge.conventions.texts import convention_of

        convention = convention_of(self.convention, self.rules)
        if self.units is None:
            return convention
        named_rules = {rule.partition("=")[0].strip() for rule in self.rules}
        implied: dict[str, Any] = {} if "units" in named_rules else {"units": "rolled-up"}
        if "duplicates" not in named_rules and convention.duplicates == "error":
            implied["duplicates"] = "close-up"
        if implied and not self.quiet:
            rules = " ".join(f"--rule {name}={value}" for name, value in implied.items())
            write_message(IMPLIED.render(language(), rules=rules), "note")
        return convention.replace(**implied)

    def keywords(self, *paths: str) -> dict[str, Any]:
        """Return the convention, the side information and the read options for these files as keywords."""
        return {
            "convention": self.to_convention() if self.rules or self.units else self.convention,
            "side_information": values.parse_side_information(self.side_information),
            "read_options": self.read_options(*paths),
        }


def opened_file(path: str) -> Any:
    """Return a file that is looked at and read through one opening; a folder, a pattern or a stream as its path."""
    from rankgauge.inputs.io.input_file import InputFile

    return InputFile(path) if is_regular_file(path) else path


@dataclass(frozen=True, kw_only=True)
class Systems(EvaluationOptions):
    """Judgments, the rankings of one or more systems, and how they are evaluated."""

    judgments: str
    rankings: tuple[str, ...]
    metrics: tuple[str, ...]
    _files: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    _of_both: dict[str, str] = field(default_factory=dict, init=False, repr=False)
    """The files by name if each holds judgments and a ranking."""

    def call(self, verb: Callable[..., Result], *, takes_scores: bool = False, **more: object) -> Result:
        """Call a function of the library with the judgments, the rankings by name, the metrics and all keywords.

        Files of which each holds judgments and a ranking are the rankings of several systems. With ``takes_scores``,
        files of values that were computed elsewhere are passed as scores.
        """
        if takes_scores:
            from rankgauge.comparison.compare import with_baseline
            from rankgauge.comparison.settings import SETTINGS

            files = values.parse_rankings((self.judgments, *self.rankings))  # one file of values may be two systems
            named, baseline = with_baseline(files, more["baseline"])
            if (scores := self.scores_of_values(named)) is not None:
                kept = {"tuning", "history", "title", "date", "lang", *(setting.name for setting in SETTINGS)}
                settings = {name: value for name, value in more.items() if name in kept}
                return verb(scores, **settings, baseline=baseline)
        paths = values.parse_rankings(self.rankings)
        keywords = self.keywords(self.judgments, *paths.values())
        if paths and (sides := self._sides_of_each(keywords["read_options"])) is not None:
            return verb(*sides, self.metrics or None, **keywords, **more)
        if paths:
            rankings = {name: self._opened(path) for name, path in paths.items()}
            return verb(self._opened(self.judgments), rankings, self.metrics or None, **keywords, **more)
        data = self.read_both(self._opened(self.judgments))
        metrics = self.metrics or data.metrics or None
        if metrics is data.metrics and not self.convention and not self.rules:
            keywords["convention"] = data.convention
        return verb(data.judgments, data.rankings, metrics, **keywords, **more)

    def ranking_files(self) -> dict[str, str]:
        """Return the files of the rankings by name: also the first if each holds judgments and a ranking."""
        paths = values.parse_rankings(self.rankings)
        sides = self._sides_of_each(self.read_options(self.judgments, *paths.values())) if paths else None
        return paths if sides is None else self._files_by_name()

    def _files_by_name(self) -> dict[str, str]:
        """Return all files by name; judgments that are one of the rankings as well count once."""
        paths = values.parse_rankings(self.rankings)
        names = {path: name for name, path in paths.items()}
        first = () if self.judgments in names else (self.judgments,)
        files = values.parse_rankings((*first, *self.rankings))
        return {names.get(path, name): path for name, path in files.items()}

    def _sides_of_each(self, options: ReadOptions) -> tuple[Source, dict[str, Source]] | None:
        """Return the judgments that the files share and the ranking of each; None unless each holds both."""
        from rankgauge.matching.data import read_same_judgments

        files = self._files_by_name()
        sides = read_same_judgments({name: self._opened(path) for name, path in files.items()}, options)
        if sides is not None:
            self._of_both.update(files)
        return sides

    def provenance(self) -> dict[str, object]:
        """Return what JSON says about its origin: the version, the date and the names of the files."""
        from rankgauge import __version__
        from rankgauge.rendering.plain import today

        inputs = {"judgments": self.judgments, "rankings": self._of_both or values.parse_rankings(self.rankings)}
        return {"rankgauge": __version__, "date": today(), "inputs": inputs}

    def scores_of_values(self, files: Mapping[str, str] | None = None) -> Scores | None:
        """Return the values in the files, by default all, as scores; None if they are judgments and rankings."""
        from rankgauge.evaluation.value_recognition import holds_values, values_error

        paths = values.parse_rankings((self.judgments, *self.rankings)) if files is None else files
        of_values = [path for path in paths.values() if holds_values(self._opened(path))]
        if of_values and len(of_values) < len(paths):
            raise values_error(of_values[0])
        if not of_values:
            return None
        from rankgauge.evaluation.value_files import read_scores

        return read_scores(paths, self.metrics or None, split=self.split)

    def _opened(self, path: str) -> Any:
        """Return a file that is looked at and read through one opening; a folder, a pattern or a stream as its path."""
        if path not in self._files:
            self._files[path] = opened_file(path)
        return self._files[path]

    def call_with_grades(self, verb: Callable[..., Result], **more: object) -> Result:
        """Call a function of the library with the grades typed in place of the judgments as one ranked list."""
        grades = values.parse_grades(self.judgments, "GRADES")
        return verb(grades, None, self.metrics or None, **self.keywords(), **more)


RULE = Option(
    "--rule rules NAME=VALUE",
    "Change one rule, such as gain=exp2 or ties=mean. Repeatable; see: rankgauge conventions show.",
    "修改一条规则，如 gain=exp2 或 ties=mean。可重复；见 rankgauge conventions show。",
    multiple=True,
    shell_complete=values.rule_names,
)
_RULES = (
    Option(
        "--convention NAME",
        "Use the rules of a named tool, such as trec_eval-9; see: rankgauge conventions.",
        "采用某个工具的规则，如 trec_eval-9；见 rankgauge conventions。",
        shell_complete=values.preset_names,
    ),
    RULE,
)
_SIDE_INFORMATION = Option(
    "--side-information TABLE=FILE",
    "Tables for metrics beyond accuracy: training=log.csv, items, popularity, features, categories, "
    "item_groups, subtopics or baseline. Repeatable; see: rankgauge metrics NAME.",
    "准确性以外的指标所需的辅助信息：training=log.csv，以及 items、popularity、features、categories、"
    "item_groups、subtopics 或 baseline。可重复；见 rankgauge metrics 名称。",
    multiple=True,
    shell_complete=values.table_names,
)
_READING = (
    Option(
        "--format FORMAT",
        "Format of the files, such as trec or csv, or judgments=...,ranking=...; guessed from their content by "
        "default. All formats: rankgauge convert --help.",
        "文件的格式，如 trec、csv，也可写 judgments=...,ranking=...；默认由内容判断。"
        "全部格式见 rankgauge convert --help。",
        type=values.SideFormat(READABLE),
        listed=True,
    ),
    Option(
        "--columns NAME=COLUMN,...",
        "Columns that are not recognised: query=session,score=p; of one side: ranking.query=session; grade= if every "
        "row of the judgments is relevant; system=variant if a column of the rankings names systems.",
        "无法识别的列：query=session,score=p；只针对其中一方时写 ranking.query=session；标注的每行都相关时写 grade=；"
        "排序结果中有系统列时写 system=variant。",
        listed=True,
    ),
    Option(
        "--split NAME",
        "The split of a folder that has several, such as test; of ESCI, the rows of that split.",
        "目录有多个划分时所用的划分，如 test；对 ESCI 则为该划分的行。",
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
        "Print only warnings and errors to standard error: no notes, and not which files were written.",
        "标准错误只输出警告与错误：不输出提示，也不报告写入了哪些文件。",
        is_flag=True,
    ),
)
READING = OptionGroup("reading", Reading, _READING)
RULES_AND_READING = (*_RULES, UNITS, *SPANS, *_READING)
EVALUATION = OptionGroup("evaluation", EvaluationOptions, (*_RULES, _SIDE_INFORMATION, UNITS, *SPANS, *_READING))
SYSTEMS = OptionGroup("systems", Systems, EVALUATION.options, (JUDGMENTS, RANKINGS, METRICS))
GRADE_LIST = (
    Option(
        "--ideal GRADES",
        "For a list: the grades of all judged items, returned or not.",
        "用于等级列表：所有已标注物品的等级，无论是否返回。",
        listed=True,
    ),
    Option(
        "--scores NUMBERS",
        "For a list: the scores of the items, to find ties.",
        "用于等级列表：各物品的分数，用来判断并列。",
        listed=True,
    ),
)
