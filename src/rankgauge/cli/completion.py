"""``rankgauge completion``: the script that completes commands, options and metrics in a shell."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from rankgauge.cli import options
from rankgauge.cli.console import say
from rankgauge.cli.options import Example

WHERE = {
    "bash": '~/.bashrc:  eval "$(rankgauge completion bash)"',
    "zsh": '~/.zshrc:  eval "$(rankgauge completion zsh)"',
    "fish": "~/.config/fish/config.fish:  rankgauge completion fish | source",
}


@options.command(
    "completion",
    [
        Example('eval "$(rankgauge completion bash)"', "in ~/.bashrc; zsh in ~/.zshrc likewise"),
        Example("rankgauge completion fish > rankgauge.fish", "for ~/.config/fish/completions"),
    ],
)
@click.argument("shell", type=click.Choice([*WHERE]))
def command(shell: str) -> None:
    """Print the completion script of a shell."""
    from rankgauge.cli import commands

    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"click knows no completion for {shell}")
    script = ShellComplete.source(made(commands, {}, "rankgauge", "_RANKGAUGE_COMPLETE"))
    say(f"# {WHERE[shell]}\n{script}")
