"""``rankgauge serve``: the local page."""

from __future__ import annotations

import click

from rankgauge.cli.command import Argument, Option, define_command
from rankgauge.cli.console import write, write_message
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import language
from rankgauge.cli.summaries import COMMANDS
from rankgauge.errors import extra
from rankgauge.rendering.language import Phrase

STOP = Phrase("Press Ctrl-C to stop.", "按 Ctrl-C 结束。")


@define_command(
    COMMANDS["serve"],
    """With a judging sheet of rankgauge pool, every label is written to a file beside it as it is made.
    The page works on this machine only and opens with the printed address, which contains a token; no data leave the
    machine. Files are deleted once they are evaluated. Ctrl-C stops it.""",
    """给出 rankgauge pool 生成的标注页时，每个标签一经给出就写入它旁边的文件。
    页面只供本机使用，须用给出的含令牌的地址打开，任何数据都不会离开本机。文件评测后即被删除。按 Ctrl-C 结束。""",
    Argument("sheet", "[SHEET]", required=False, type=FILE),
    Option("--port", "Port; 0 picks a free one.", "端口；0 表示任选一个空闲端口。", least=0, most=65535, default=0),
    Option("--open open_", "Open the page in the browser.", "在浏览器中打开页面。", is_flag=True),
    Option("--limit", "Maximum size of one upload in MiB.", "一次上传的最大容量（MiB）。", least=1, default=1024),
    Option(
        "--memory",
        "Maximum memory of one evaluation in MiB (enforced on Linux).",
        "每个评测可用的最大内存（MiB，在 Linux 上强制执行）。",
        least=1024,
        default=4096,
    ),
    Option("--jobs", "Number of evaluations that run at the same time.", "同时进行的评测数。", least=1, default=2),
    examples="""
    # print an address to open | 给出要打开的地址
    rankgauge serve
    # open it, with room for large files | 直接打开，并允许大文件
    rankgauge serve --open --port 8900 --limit 4096
    # judge on a sheet; labels go to sheet.labels.jsonl | 在标注页上标注；标签写入 sheet.labels.jsonl
    rankgauge serve sheet.html
    """,
)
def command(sheet: str | None, port: int, open_: bool, limit: int, memory: int, jobs: int) -> int:
    """Run the page until it is interrupted."""
    from rankgauge.cli import debugging

    with extra("serve", "rankgauge serve"):
        from rankgauge.serve.server import serve

    def announce(address: str, address_once: str) -> None:
        write(address)
        write_message(STOP.render(language()))
        if open_:
            click.launch(address_once)

    number = serve(
        port=port,
        lang=language(),
        limit=limit << 20,
        max_jobs=jobs,
        memory=memory << 20,
        on_start=announce,
        debug=debugging(),
        sheet=sheet,
    )
    return 128 + number if number else 0
