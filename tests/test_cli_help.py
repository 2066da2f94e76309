"""Every command: its help, its examples, its language."""

import inspect
import io
import re
import shlex
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from command_line import here
from rankgauge.cli import COMMANDS, chinese
from rankgauge.cli.options import Command

OURS = {
    name: command
    for name, module in COMMANDS.items()
    if isinstance(command := import_module(f"rankgauge.cli.{module}").command, Command)
}
CALLS = [
    pytest.param(one.call, id=one.call)
    for name, command in OURS.items()
    for one in command.examples
    if name != "serve"  # it runs until it is ended: test_serve.py
]


@pytest.mark.parametrize("name", OURS)
def test_the_help_has_examples(name):
    result = here(name, "--help")

    assert result.code == 0
    assert "Examples:" in result.out
    assert all(example.call in result.out for example in OURS[name].examples)
    assert "--lang" in result.out
    assert "--debug" in result.out


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize("call", CALLS)
def test_an_example_of_the_help_runs(call, monkeypatch):
    """The call as a shell would make it: a file before a pipe, redirection and substitution taken away."""
    before, _, command = call.rpartition(" | ")
    if before:
        text = Path(before.removeprefix("cat ")).read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    command = re.sub(r'^eval "\$\((.*)\)"$', r"\1", command).partition(" > ")[0]

    name, *arguments = shlex.split(command)
    result = here(*arguments)

    assert name == "rankgauge"
    assert (result.code, "error" in result.err) == (0, False), result.err
    assert result.out or "--output" in call or "convert" in call or "report" in call


def test_an_option_that_commands_share_is_declared_once():
    declared: dict[tuple[str, str], list[str]] = {}
    for name, command in OURS.items():
        source = inspect.getsource(import_module(f"rankgauge.cli.{COMMANDS[name]}"))
        for param in command.params:
            if isinstance(param, click.Option) and any(f'"{text}"' in source for text in param.opts):
                declared.setdefault((max(param.opts, key=len), param.help), []).append(name)

    assert {option: names for option, names in declared.items() if len(names) > 1} == {}


@pytest.mark.parametrize("name", OURS)
def test_the_help_is_complete_in_chinese(name):
    result = here("--lang", "zh", name, "--help")

    command = OURS[name]
    english = [param.help for param in command.params if getattr(param, "help", None)]
    assert result.code == 0
    assert [text for text in english if text not in chinese.OPTIONS] == []
    assert name in chinese.COMMANDS
    assert "选项：" in result.out
    assert "示例" in result.out
    assert "Options" not in result.out
    assert "Options" in here("--lang", "en", name, "--help").out


def test_the_list_of_commands():
    result = here("--help")

    assert all(f"\n  {name} " in result.out for name in COMMANDS)


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["eval", "--nothing"], ["eval"], ["metrics", "zzz"]])
def test_usage_errors(arguments):
    result = here(*arguments)

    assert result.code == 2
    assert "Traceback" not in result.err


def test_the_example_is_written_and_not_replaced(tmp_path):
    assert here("demo", "--write", tmp_path / "new").code == 0
    assert here("demo", "--write", tmp_path / "new").code == 2
    assert here("demo", "--write", tmp_path / "new", "--force").code == 0
    assert len([*(tmp_path / "new").iterdir()]) == 3


ROOT = Path(__file__).parent.parent


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize(("page", "language"), [("README.md", "en_US.UTF-8"), ("README.zh-CN.md", "zh_CN.UTF-8")])
def test_the_readme_shows_what_the_commands_print(page, language, monkeypatch):
    monkeypatch.setenv("LANG", language)
    blocks = re.findall(r"```console\n\$ rankgauge (.+)\n([^`]*)```", (ROOT / page).read_text(encoding="utf-8"))

    assert len(blocks) == 3
    for call, output in blocks:
        assert here(*shlex.split(call)).out == output
