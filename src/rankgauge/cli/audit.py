"""``rankgauge audit``: check a metric of your own or of another library."""

from __future__ import annotations

import ast
import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Any

from rankgauge.cli.command import Argument, Option, define_command
from rankgauge.cli.localization import language
from rankgauge.cli.options import RULE
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.errors import ParameterError
from rankgauge.rendering.language import Phrase

FAILED, UNDECIDED = 1, 5
EITHER = Phrase(
    "pass either a FUNCTION, as package.module:function, or --command",
    "请给出函数（写作 package.module:function）或 --command，二者取一",
)
NO_FUNCTION = Phrase(
    "name a function of {file}: {names}; write {file}:{first}", "请指明 {file} 中的函数：{names}；写作 {file}:{first}"
)


@define_command(
    COMMANDS["audit"],
    """FUNCTION is package.module:function or file.py:function, imported with the current folder on the path; a file
    finds the modules beside it. It is called with small inputs in a process of its own; each broken law is
    shown with the smallest counterexample, and what is wrong in words. Exit codes: 0 it computes a known definition
    and breaks no law, 1 it is at fault, 2 usage, 5 not decided: what could not be tested is named.""",
    """函数写作 package.module:function 或 file.py:function，从当前目录导入；文件可导入其所在目录的模块。
    函数在单独的进程中以很小的输入调用，每条被违反的定律都给出最小反例，并用文字说明问题所在。退出码：
    0 计算的是已知定义且没有违反定律，1 有问题，2 用法错误，5 无法判定（会说明哪些方面未能检验）。""",
    Argument("function", required=False),
    Option(
        "-m --metric --as metric METRIC",
        "The metric that it is meant to compute.",
        "它应当计算的指标。",
        required=True,
        listed=True,
    ),
    Option(
        "--command program COMMAND",
        "A program instead of a function: it reads TREC files of judgments and a ranking and prints a number. "
        "{judgments} and {ranking} stand for the files; without them they are appended.",
        "用程序代替函数：读取 TREC 格式的标注与排序文件并输出一个数。"
        "{judgments} 与 {ranking} 代表文件；不写则附在末尾。",
    ),
    Option(
        "--convention NAME",
        "The definition that it is meant to follow; laws that this definition breaks are excused.",
        "它应当遵循的定义；该定义本身违反的定律不计。",
    ),
    RULE,
    Option(
        "--call FORM",
        "How the function is called, such as 'relevant, ranked'; found by trials if omitted.",
        "函数的调用形式，例如 'relevant, ranked'；省略时通过试调用判断。",
    ),
    Option("--timeout SECONDS", "Seconds for one call.", "一次调用的秒数上限。", type=float, default=5.0),
    Option("--total-timeout SECONDS", "Seconds for all calls.", "全部调用的秒数上限。", type=float, default=120.0),
    output_options(("text", "json", "junit", "md")),
    examples="""
    # a function of scikit-learn, held against its own definition | scikit-learn 的函数，与其自身定义对照
    rankgauge audit sklearn.metrics:ndcg_score -m nDCG@10 --convention sklearn
    """,
)
def command(
    function: str | None,
    metric: str,
    program: str | None,
    convention: str | None,
    rules: tuple[str, ...],
    call: str | None,
    timeout: float,
    total_timeout: float,
    output: Output,
) -> int:
    """Audit a function or a program; the exit code is 1 if it is at fault and 5 if that was not decided."""
    from rankgauge.auditing.audit import audit, audit_program
    from rankgauge.conventions.texts import convention_of

    if (function is None) == (program is None):
        raise ParameterError(EITHER)
    stated = convention_of(convention, rules) if convention or rules else None
    limits: dict[str, Any] = {"convention": stated, "timeout": timeout, "total_timeout": total_timeout}
    if program is not None:
        result = audit_program(words_of(program), metric, **limits)
    else:
        _check_names(str(function))
        result = audit(str(function), metric, call=call, **limits)
    output.show(
        text=lambda: result.document(language()).to_text(output.width),
        json=lambda: result.to_json(indent=1),
        junit=result.to_junit,
        md=lambda: result.document(language()).to_markdown(),
    )
    return {"acquitted": 0, "accused": FAILED, "undecided": UNDECIDED}[result.verdict]


def words_of(command: str, *, windows: bool = os.name == "nt") -> list[str]:
    r"""Return the words of a command line; on Windows a backslash separates folders and escapes nothing.

    >>> words_of(r'"C:\Program Files\score.exe" -q', windows=True), words_of("score 'a b'", windows=False)
    (['C:\\Program Files\\score.exe', '-q'], ['score', 'a b'])
    """
    return [word.strip('"') for word in shlex.split(command, posix=False)] if windows else shlex.split(command)


def _check_names(function: str) -> None:
    """Raise an error that names the functions of a file if none was named."""
    if not function.endswith(".py") or not Path(function).is_file():
        return
    names: list[str] = []
    with suppress(SyntaxError, ValueError):  # the import says what is wrong
        tree = ast.parse(Path(function).read_text(encoding="utf-8"))
        names = [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]
    if names:
        raise ParameterError(NO_FUNCTION.fill(file=function, names=", ".join(names), first=names[0]))
