"""``rankgauge history``: results over time, comparable or refused."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import values
from rankgauge.cli.command import Argument, Option, OptionGroup, define_command
from rankgauge.cli.console import discard_output, is_closed_pipe, terminal_width, write_findings, write_message
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import ALPHA, EVALUATION, METRICS, STORE, EvaluationOptions, digits_option
from rankgauge.cli.output import DOCUMENTS, Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.errors import InputError
from rankgauge.rendering.language import Phrase

if TYPE_CHECKING:
    from rankgauge.history import HistoryStore, LoggedRun

ACTIONS = ("log", "list", "trend", "blame", "rescore")
MAX_WIDTH = 100
LISTED = 50
"""Runs that ``list`` shows on a terminal unless another number is given."""
FILES_OF = {"log": "JUDGMENTS [RANKING]", "list": "", "trend": "", "blame": "", "rescore": "ID JUDGMENTS"}
MOST = {"log": 2, "list": 0, "trend": 0, "blame": 0, "rescore": 2}
FEWEST = {"log": 1, "list": 0, "trend": 0, "blame": 0, "rescore": 2}
_RUNS = {"name", "since", "last"}
_TESTED = {"metrics", "min_effect", "alpha", "digits", *_RUNS}
_EVALUATED = {parameter.name for parameter in EVALUATION.options} - {"quiet"}
TAKES = {
    "log": {"metrics", "name", "settings", "keep_ranking", *_EVALUATED},
    "list": {"settings", "until", "digits", *_RUNS},
    "trend": {"plot", *_TESTED},
    "blame": _TESTED,
    "rescore": _EVALUATED - {"convention", "rules"},
}
"""The options of each action, beside the store and the output; a stored ranking is scored again by its own rules."""
NOT_TAKEN = Phrase("history {action} takes no {option}", "history {action} 不接受 {option}")
NEEDED = Phrase("use: rankgauge history {action} {files}", "用法：rankgauge history {action} {files}")
UNCHANGED = Phrase(
    "nothing changed: run {id} has these judgments and values already; nothing was added to {path}",
    "没有变化：记录 {id} 已有这些标注与值；未向 {path} 添加任何内容",
)
LOGGED = Phrase("logged run {id} in {path}", "已将记录 {id} 写入 {path}")
UNSHOWN = Phrase(
    "run {id} is logged, but standard output cannot be written: {reason}",
    "已写入记录 {id}，但无法写到标准输出：{reason}",
)
CHANGED = Phrase(
    "the judgments changed since the last run of this name; {offer}", "自上一条同名记录以来标注已改变；{offer}"
)


@dataclass(frozen=True)
class HistoryOptions:
    """The store, what is said about a run, and which runs are looked at."""

    store: Path | None
    name: str | None
    settings: tuple[str, ...]
    keep_ranking: bool
    since: str | None
    until: str | None
    last: int | None
    min_effect: float
    plot: bool
    alpha: float

    @property
    def fields(self) -> dict[str, str]:
        """The fields of ``--set``."""
        return values.parse_pairs(self.settings, "--set", "model=small")

    def window(self) -> dict[str, Any]:
        """Return the runs that a trend looks at, and how they are tested."""
        from rankgauge.history.paired import LAST

        last = LAST if self.last is None else self.last
        return {
            "name": self.name,
            "since": self.since,
            "last": last,
            "alpha": self.alpha,
            "min_effect": self.min_effect,
        }


MIN_EFFECT = Option(
    "--min-effect",
    "Changes smaller than this count as none, significant or not.",
    "小于此值的变化不计，无论是否显著。",
    type=float,
    default=0.0,
)
HISTORY = OptionGroup(
    "history",
    HistoryOptions,
    (
        STORE,
        Option(
            "--name",
            "For log: what the run is a run of; else only runs of this name.",
            "用于 log：记录的名称；否则只看该名称的记录。",
        ),
        Option(
            "--set settings NAME=VALUE",
            "What is known about the run, such as model=small; for list, only such runs. Repeatable.",
            "关于此次运行的说明，如 model=small；用于 list 时只列出相符的记录。可重复。",
            multiple=True,
        ),
        Option(
            "--keep-ranking",
            "For log: also store the ranking, so that it can be scored again when judgments change.",
            "用于 log：同时保存排序结果，以便标注改变后重新评测。",
            is_flag=True,
        ),
        Option(
            "--since DATE",
            "Only runs from this time on (UTC): 2026-01-31.",
            "只看此时间（UTC）及以后的记录：2026-01-31。",
        ),
        Option("--until DATE", "For list: only runs before this time.", "用于 list：只列出此时间以前的记录。"),
        Option(
            "--last",
            f"Only the last runs; list shows {LISTED} as text, trend and blame look at 60.",
            f"只看最近的若干条；list 以文字列出 {LISTED} 条，trend 与 blame 看 60 条。",
            least=1,
        ),
        MIN_EFFECT,
        Option(
            "--plot",
            "For trend: draw it in the terminal instead of a table.",
            "用于 trend：在终端画图，而不是表格。",
            is_flag=True,
        ),
        ALPHA,
    ),
)


@define_command(
    COMMANDS["history"],
    """log JUDGMENTS RANKING: evaluate a ranking and add a line to the store, with the rules, fingerprints of judgments,
    queries and ranking, the commit, and the fields of --set.

    list: the runs. trend: a metric over time, with the change of each run. blame: the runs at which the metric changed
    from the best comparable run before, and the fields that changed there; p-values are corrected for all pairs of
    comparable runs in the window.

    rescore ID JUDGMENTS: score the ranking of a run again with other judgments. Runs of other rules, queries or
    judgments are never compared. See also: check --against history:NAME, compare history:ID history:ID.""",
    """log JUDGMENTS RANKING：评测排序结果，并在历史文件中添加一行，含规则、标注与查询及排序结果的指纹、提交，
    以及 --set 给出的说明。

    list：列出记录。trend：指标随时间的变化。blame：指标相对此前最好的可比较记录发生变化的记录，以及当时改变的内容；
    p 值按窗口内所有可比较的记录对校正。

    rescore ID JUDGMENTS：用另一份标注重新评测某条记录的排序结果。规则、查询或标注不同的记录不作比较。
    另见：check --against history:名称，compare history:编号 history:编号。""",
    Argument("action", "log|list|trend|blame|rescore", type=click.Choice(ACTIONS)),
    Argument("files", "[FILE...]", nargs=-1, type=FILE),
    METRICS,
    HISTORY,
    digits_option(4),
    output_options((*DOCUMENTS, "json", "csv", "svg")),
    EVALUATION,
    examples="""
    # log a result | 记录一个结果
    rankgauge history log judgments.csv keywords.csv -m nDCG@5 --name main --set model=keywords
    # log another one | 再记录一个
    rankgauge history log judgments.csv embeddings.csv -m nDCG@5 --name main --set model=embeddings
    # the runs | 列出记录
    rankgauge history list
    # the metric over time | 指标随时间的变化
    rankgauge history trend -m nDCG@5
    # where it changed | 在何处变化
    rankgauge history blame -m nDCG@5
    """,
)
def command(
    action: str,
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    history: HistoryOptions,
    digits: int,
    output: Output,
    evaluation: EvaluationOptions,
) -> None:
    """Carry out an action of the history."""
    from rankgauge.history import open as open_store
    from rankgauge.history.store import NO_RUNS

    _check_options(action)
    if not FEWEST[action] <= len(files) <= MOST[action]:
        raise usage_error(NEEDED.en, NEEDED.zh, action=action, files=FILES_OF[action])
    store = open_store(history.store)
    if action in {"log", "rescore"}:
        _log(store, files, metrics, history, output, evaluation, again=action == "rescore")
        return
    if action == "list":
        if history.store is not None and not history.store.exists():
            raise InputError(NO_RUNS.fill(path=history.store), ["RG101"])
        last = LISTED if history.last is None and output.to in DOCUMENTS else history.last
        runs = store.runs(history.name, since=history.since, until=history.until, fields=history.fields, last=last)
        result: Any = runs
    else:
        if len(metrics) > 1:
            raise usage_error("history {action} takes one metric", "history {action} 只接受一个指标", action=action)
        verb = store.trend if action == "trend" else store.blame
        result = verb(metrics[0] if metrics else None, **history.window())
    evaluation.write_findings(store.findings)
    _show(result, history, output, digits)


def _check_options(action: str) -> None:
    """Raise an error for an option that the action would ignore."""
    context, known = click.get_current_context(), {name for names in TAKES.values() for name in names}
    for parameter in context.command.params:
        is_given = context.get_parameter_source(str(parameter.name)) is click.core.ParameterSource.COMMANDLINE
        if is_given and parameter.name in known - TAKES[action]:
            raise usage_error(NOT_TAKEN.en, NOT_TAKEN.zh, action=action, option=max(parameter.opts, key=len))


def _log(
    store: HistoryStore,
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    history: HistoryOptions,
    output: Output,
    evaluation: EvaluationOptions,
    *,
    again: bool,
) -> None:
    """Log a result, and say under which id."""
    from rankgauge.inputs.read_options import ReadKeywords

    known: set[str] = set()
    if again:
        keywords = evaluation.keywords(files[1])
        del keywords["convention"]  # that of the run
        known = {run.id for run in store.runs().runs}
        run = store.rescore(files[0], files[1], **keywords)
    else:
        keywords = evaluation.keywords(*files)
        sides: tuple[Any, Any] = (files[0], files[1]) if len(files) > 1 else (files[0], None)
        fields = history.fields
        for reserved in signature(store.log).parameters.keys() | ReadKeywords.__annotations__.keys():
            if reserved in fields:
                raise usage_error("--set {name}: the name is taken", "--set {name}：名称已被占用", name=reserved)
        named: dict[str, Any] = {"name": history.name or "", "keep_ranking": history.keep_ranking}
        run = store.log(sides[0], sides[1], metrics or None, **named, **keywords, **dict[str, Any](fields))
    evaluation.write_findings(store.findings)
    if output.to != "json" and not evaluation.quiet:
        message = UNCHANGED if run.id in known else LOGGED
        write_message(message.render(language(), id=run.id, path=store.path), "note")
        _offer_rescoring(store, run)
    if output.to != "text" or output.path is not None or not evaluation.quiet:
        _show_logged(run, output)


def _offer_rescoring(store: HistoryStore, run: LoggedRun) -> None:
    """Say how earlier runs become comparable; a history that cannot be read does not undo that the run is logged."""
    try:
        offer = store.rescore_offer(run)
    except InputError as error:
        write_message(error.render(language()), "warning")
        return
    write_findings(store.findings)
    if offer is not None:
        write_message(CHANGED.render(language(), offer=offer), "note")


def _show_logged(run: LoggedRun, output: Output) -> None:
    """Write the run; it is logged even if standard output is full, and logging it again would add another."""
    from rankgauge.history import RunList

    runs = RunList((run,), 1)
    try:
        output.show(lambda: runs.document(language()), csv=runs.to_csv, json=run.to_dict)
        sys.stdout.flush()
    except OSError as error:
        if output.path is not None or is_closed_pipe(error):
            raise
        discard_output()
        write_message(UNSHOWN.render(language(), id=run.id, reason=error.strerror or error), "warning")


def _show(result: Any, history: HistoryOptions, output: Output, digits: int) -> None:
    """Write the runs, a trend or what changed."""
    formats = {"json": lambda: result.to_json(indent=1), "csv": result.to_csv}
    if hasattr(result, "to_svg"):
        lang = language()
        formats |= {"svg": lambda: result.to_svg(lang), "html": lambda: result.to_html("", lang)}
        if history.plot:
            width = min(terminal_width() or MAX_WIDTH, MAX_WIDTH)
            formats["text"] = lambda: result.plot_text(lang, width)
    elif output.to == "svg":
        raise usage_error("svg is for history trend", "svg 用于 history trend")
    output.show(lambda: result.document(language(), digits=digits), **formats)
