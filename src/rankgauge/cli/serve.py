"""``rankgauge serve``: the local page."""

from __future__ import annotations

import click

from rankgauge.cli import options
from rankgauge.cli.options import Example
from rankgauge.extras import extra


@options.command(
    "serve",
    [
        Example("rankgauge serve", "print an address to open"),
        Example("rankgauge serve --open --port 8900 --limit 4096", "open it, with room for large files"),
    ],
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="The port; 0 takes any that is free."
)
@click.option("--open", "open_", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--limit", type=click.IntRange(1), default=1024, show_default=True, help="How many MiB can be dropped at once."
)
@click.option(
    "--jobs", type=click.IntRange(1), default=2, show_default=True, help="How many evaluations run at the same time."
)
def command(port: int, open_: bool, limit: int, jobs: int) -> int:
    """Start a page on this machine: drop files, or try a list of grades.

    The page is for this machine only, and is opened by the address that is printed, which holds a token; nothing leaves
    the machine. Files are removed when they have been evaluated. Ctrl-C ends it.
    """
    from rankgauge.cli.console import say, tell

    with extra("serve", "rankgauge serve"):
        from rankgauge.serve.server import serve

    def told(address: str, once: str) -> None:
        say(address)
        tell(ENDS[options.language()])
        if open_:
            click.launch(once)

    context = click.get_current_context()
    debug = bool(context.find_root().obj.get("debug"))
    number = serve(port=port, lang=options.language(), limit=limit << 20, at_once=jobs, tell=told, debug=debug)
    return 128 + number if number else 0


ENDS = {"en": "Ctrl-C ends it.", "zh": "按 Ctrl-C 结束。"}
