"""``rankgauge completion``: the script that completes commands, options and metrics in a shell."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from rankgauge.cli.command import Argument, define_command
from rankgauge.cli.console import write
from rankgauge.cli.localization import usage_error
from rankgauge.cli.summaries import COMMANDS

SETUP = {
    "bash": '~/.bashrc:  eval "$(rankgauge completion bash)"',
    "zsh": '~/.zshrc:  eval "$(rankgauge completion zsh)"',
    "fish": "~/.config/fish/config.fish:  rankgauge completion fish | source",
}


@define_command(
    COMMANDS["completion"],
    "",
    "",
    Argument("shell", "[bash|zsh|fish]", type=click.Choice([*SETUP])),
    examples="""
    # in ~/.bashrc; for zsh in ~/.zshrc | 写入 ~/.bashrc；zsh 则写入 ~/.zshrc
    eval "$(rankgauge completion bash)"
    # for ~/.config/fish/completions | 放入 ~/.config/fish/completions
    rankgauge completion fish > rankgauge.fish
    """,
)
def command(shell: str) -> None:
    """Print the completion script."""
    from rankgauge.cli import commands

    completion = get_completion_class(shell)
    if completion is None:
        raise usage_error("click has no completion for {shell}", "click 不支持 {shell} 的补全", shell=shell)
    script = ShellComplete.source(completion(commands, {}, "rankgauge", "_RANKGAUGE_COMPLETE"))
    write(f"# {SETUP[shell]}\n{script}")
