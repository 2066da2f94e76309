"""``rankgauge doctor``: what files contain, how they fit together, and what is wrong with them."""

from __future__ import annotations

from rankgauge.cli.command import Argument, define_command
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import language
from rankgauge.cli.options import READING, ROLE, Reading
from rankgauge.cli.output import DOCUMENTS, Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.inputs.codes import Role


@define_command(
    COMMANDS["doctor"],
    """Shows what files of judgments and rankings contain, what is suspicious, and what to do about it. If exactly one
    file holds judgments, the rankings are matched with it. Of files that could be either, the first is the judgments
    unless another file is. The exit code is 1 if eval would refuse the files.""",
    """显示标注与排序结果文件的内容、可疑之处与处理办法。只有一个标注文件时，会把各个排序结果与它对照。
    无法判断是哪一种的文件，若其他文件都不是标注，则第一个按标注读取。
    存在 eval 会拒绝的问题时，退出码为 1。""",
    Argument("files", "FILE...", nargs=-1, required=True, type=FILE),
    ROLE,
    READING,
    output_options((*DOCUMENTS, "json")),
    examples="""
    # each file, and how they fit together | 每个文件，以及它们是否匹配
    rankgauge doctor judgments.csv keywords.csv embeddings.csv
    # one file, as data | 一个文件，输出为数据
    rankgauge doctor keywords.csv -t json
    """,
)
def command(files: tuple[str, ...], role: Role | None, reading: Reading, output: Output) -> int:
    """Inspect files; the exit code is 1 if there are errors."""
    from rankgauge.evaluation.doctor import doctor

    diagnosis = doctor(*files, role=role, read_options=reading.read_options(*files))
    output.show(lambda: diagnosis.document(language()), json=diagnosis.to_dict)
    return int(any(finding.severity == "error" for finding in diagnosis.findings))
