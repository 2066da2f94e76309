"""``rankgauge doctor``: what files contain, how they fit together, and what is wrong with them."""

from __future__ import annotations

from typing import Any

from rankgauge.cli.arguments import FILE, check_one_stdin
from rankgauge.cli.command import Argument, Example, define_command
from rankgauge.cli.localization import language
from rankgauge.cli.options import READING, ROLE, Reading
from rankgauge.cli.output import DOCUMENTS, Output, output_options


@define_command(
    "doctor",
    """Inspect files and report problems.

    Shows what files of judgments and rankings contain, what is suspicious, and what to do about it. If exactly one
    file holds judgments, the rankings are matched with it. The exit code is 1 if eval would refuse the files.
    """,
    """检查文件并报告问题。

    显示标注与排序结果文件的内容、可疑之处与处理办法。只有一个标注文件时，会把各个排序结果与它对照。
    存在 eval 会拒绝的问题时，退出码为 1。""",
    Argument("files", "FILE...", "文件...", nargs=-1, required=True, type=FILE),
    ROLE,
    READING,
    output_options((*DOCUMENTS, "json")),
    examples=[
        Example(
            "rankgauge doctor judgments.csv keywords.csv embeddings.csv",
            "each file, and how they fit together",
            "每个文件，以及它们是否匹配",
        ),
        Example("rankgauge doctor keywords.csv -t json", "one file, as data", "一个文件，输出为数据"),
    ],
)
def command(files: tuple[str, ...], role: Any, reading: Reading, output: Output) -> int:
    """Inspect files; the exit code is 1 if there are errors."""
    from rankgauge.evaluation.doctor import diagnose
    from rankgauge.evaluation.profile import profile

    check_one_stdin(*files)
    diagnosis = diagnose([profile(**reading.one_file(path, role), keep_table=len(files) > 1) for path in files])
    if output.to == "json":
        output.write_json(diagnosis.to_dict())
    else:
        output.write(output.render(diagnosis.document(language())))
    return 1 if diagnosis.findings.errors else 0
