"""``rankgauge codes``: the codes of findings about data, and a page about each."""

from __future__ import annotations

from rankgauge.cli.command import Argument, define_command
from rankgauge.cli.localization import language
from rankgauge.cli.output import DOCUMENTS, Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.cli.values import code_names


@define_command(
    COMMANDS["codes"],
    """CODE is a code such as RG301, as in an error message, a warning or the output of doctor.""",
    """代码如 RG301，见于错误信息、警告以及 doctor 的输出。""",
    Argument("code", "[CODE]", default="", shell_complete=code_names),
    output_options((*DOCUMENTS, "json")),
    examples="""
    # all codes with their severity | 所有代码及其级别
    rankgauge codes
    # meaning, remedy and the effect of --lenient | 含义、处理办法以及 --lenient 的作用
    rankgauge codes RG301
    # as data, in Chinese | 输出为中文数据
    rankgauge codes RG301 --lang zh -t json
    """,
)
def command(code: str, output: Output) -> None:
    """Write the list of codes or the page of one."""
    from rankgauge.inputs.code_pages import code_data, code_document, code_named, codes_document
    from rankgauge.inputs.codes import CODES

    name = code_named(code) if code else ""
    output.show(
        lambda: code_document(name, language()) if name else codes_document(language()),
        json=lambda: code_data(name, language()) if name else [code_data(each, language()) for each in CODES],
    )
