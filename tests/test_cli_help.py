"""The help, examples and languages of every command."""

import inspect
import io
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import click
import pytest

import rankgauge.cli
from command_line import here
from optional import needs
from rankgauge.cli.command import Command, Option
from registries import COMMANDS

OURS = {
    name: command for name in COMMANDS if isinstance(command := import_module(f"rankgauge.cli.{name}").command, Command)
}
CALLS = [
    pytest.param(one.call, id=one.call)
    for name, command in OURS.items()
    for one in command.examples
    if name != "serve"  # it runs until it is interrupted: test_serve.py
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
    """Run the call as a shell would; pipes, redirection and substitution are removed."""
    before, _, command = call.rpartition(" | ")
    if "sklearn.metrics" in call:
        needs("sklearn")
    if before:
        text = Path(before.removeprefix("cat ")).read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    command = re.sub(r'^eval "\$\((.*)\)"$', r"\1", command).partition(" > ")[0]
    if re.match(r"rankgauge history (trend|blame)", command):  # the examples before it log
        for ranking in ("keywords.csv", "embeddings.csv"):
            assert here("history", "log", "judgments.csv", ranking, "-m", "nDCG@5").code == 0

    name, *arguments = shlex.split(command)
    result = here(*arguments)

    assert name == "rankgauge"
    assert (result.code, "error" in result.err) == (0, False), result.err
    assert result.out or " -o " in call


def test_an_option_that_commands_share_is_declared_once():
    declared: dict[tuple[str, str], list[str]] = {}
    for name, command in OURS.items():
        source = inspect.getsource(import_module(f"rankgauge.cli.{name}"))
        for param in command.params:
            names = "|".join(map(re.escape, param.opts))
            if isinstance(param, click.Option) and re.search(rf'Option\(\s*"([^"]* )?({names})[ "/]', source):
                declared.setdefault((max(param.opts, key=len), param.help), []).append(name)

    assert {option: names for option, names in declared.items() if len(names) > 1} == {}


ENGLISH = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}")
"""Three words in a row."""


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_the_help_in_chinese_has_no_english_sentence(name):
    result = here("--lang", "zh", *([name] if name else []), *([] if name == "trec_eval" else ["--help"]))

    prose = [re.sub(r"\brankgauge [!-~ ]+", "", line) for line in result.out.splitlines()]
    assert ("选项：" in result.out) == (name != "trec_eval")
    assert [line for line in prose if ENGLISH.search(line)] == []
    assert [word for word in ("Options", "Usage", "default:", "FILE", "INTEGER", "NUMBER") if word in result.out] == []


@pytest.mark.parametrize("name", OURS)
def test_every_text_of_the_help_is_in_both_languages(name):
    command = OURS[name]
    phrases = [command.help_phrase, *(example.purpose for example in command.examples)]
    phrases += [param.help_phrase for param in command.params if isinstance(param, Option)]

    assert [phrase for phrase in phrases if not re.search(r"[\u4e00-\u9fff]", phrase.zh)] == []
    assert [phrase for phrase in phrases if re.search(r"[\u4e00-\u9fff]", phrase.en)] == []


USAGE_ERRORS = [
    ("eval", "缺少参数 '标注'"),
    ("check j r", "缺少选项 '--fail-if'"),
    ("evl", "没有命令 'evl'；是否指 'eval'"),
    ("eval j r --colums x", "没有选项 --colums。是否指"),
    ("eval j r -t xml", "'xml' 不在可选值之中"),
    ("eval j r --digits x", "'x' 不是所需的数"),
    ("eval j r --digits 99", "99 不在范围 0<=x<=17 内"),
    ("eval j r --rule", "需要一个值"),
    ("eval j r --force=3", "不带值"),
    ("diff a b c", "多余的参数：c"),
    ("demo --write judgments.csv", "是文件，这里需要目录"),
    ("eval j r --columns x", "'x' 的写法应为 名称=值"),
    ("eval j r --format judgments=xml", "'xml' 不在可选值之中"),
    ("eval - -", "只能有一个文件从标准输入"),
    ("explain 1,x", "不是数的列表"),
    ("eval j r -o scores.xlsx", "扩展名不对应 eval 可写的格式"),
    ("report j r --by kind", "--by 需要 --attributes"),
    ("conventions diff", "用法：conventions"),
    ("convert judgments.csv -o -", "或标准输出的格式"),
]


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize(("call", "words"), USAGE_ERRORS)
def test_usage_errors_in_chinese(call, words):
    result = here("--lang", "zh", *call.split())

    assert result.code == 2
    assert words in result.err
    assert "错误：" in result.err
    assert not ENGLISH.search(result.err)


def test_the_list_of_commands():
    result = here("--help")

    assert all(f"\n  {name} " in result.out for name in COMMANDS)


def test_the_list_of_commands_names_every_command_and_loads_none():
    program = "import sys; from rankgauge.cli import main, run; run(['--help']); print(*sys.modules)"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    loaded = {*printed.splitlines()[-1].split()}
    assert not {f"rankgauge.cli.{name}" for name in COMMANDS} & loaded
    assert "polars" not in loaded
    modules = [import_module(f"rankgauge.cli.{module.name}") for module in iter_modules(rankgauge.cli.__path__)]
    assert {*COMMANDS} == {module.__name__.rpartition(".")[2] for module in modules if hasattr(module, "command")}


def test_without_a_command_the_help_is_shown():
    assert here() == here("--help")
    assert here().code == 0


@pytest.mark.parametrize("arguments", [["nothing"], ["eval", "--nothing"], ["eval"], ["metrics", "zzz"]])
def test_usage_errors(arguments):
    result = here(*arguments)

    assert result.code == 2
    assert "Traceback" not in result.err


def test_the_example_is_written_and_not_replaced(tmp_path):
    assert here("demo", "--write", tmp_path / "new").code == 0
    assert here("demo", "--write", tmp_path / "new").code == 6
    assert here("demo", "--write", tmp_path / "new", "--force").code == 0
    assert len([*(tmp_path / "new").iterdir()]) == 5


ROOT = Path(__file__).parent.parent


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize("ending", [".md", ".zh-CN.md"])
@pytest.mark.parametrize(("page", "count"), [("README", 1), ("docs/tour", 3)])
def test_pages_show_what_the_commands_print(page, count, ending, monkeypatch):
    monkeypatch.setenv("LANG", "zh_CN.UTF-8" if "zh" in ending else "en_US.UTF-8")
    blocks = re.findall(
        r"```console\n\$ rankgauge (.+)\n([^`]*)```", (ROOT / f"{page}{ending}").read_text(encoding="utf-8")
    )

    assert len(blocks) == count
    for call, output in blocks:
        assert here(*shlex.split(call)).out == output


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_the_questions_of_the_readme_are_answered_by_their_commands(page):
    commands = re.findall(r"^\|[^|]*\| `rankgauge ([^`]+)`", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)

    assert [command.split()[0] for command in commands] == ["explain", "compare", "report", "check", "reconcile"]
    for command in commands:
        result = here(*shlex.split(command))
        assert result.code == 0, result.err


def test_the_commands_that_the_demonstration_names_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"  rankgauge (.+)", here("demo").out)

    assert [command.split()[0] for command in commands] == ["demo", "report", "conventions"]
    for command in commands:
        result = here(*shlex.split(command))
        assert result.code == 0, result.err
    assert (tmp_path / "report.html").exists()


@pytest.mark.parametrize(
    ("option", "en", "zh"),
    [
        ("--preset", "a preset is a convention: --convention NAME", "预设即约定：--convention 名称"),
        ("--by", "slices by attributes are in reports: rankgauge report ... --attributes FILE", "分组的结果在报告中"),
        ("--attributes", "slices by attributes are in reports", "rankgauge report ... --attributes 文件 --by 名称"),
        ("--gain", "gain is a rule: --rule gain=VALUE", "gain 是一条规则：--rule gain=值"),
        ("--no-relevant", "no_relevant is a rule: --rule no_relevant=VALUE", "no_relevant 是一条规则"),
    ],
)
def test_an_option_of_another_name_hints_at_what_to_pass(option, en, zh):
    for language, text in (("en", en), ("zh", zh)):
        refused = here("eval", "j", "r", option, "x", "--lang", language)
        assert refused.code == 2
        assert text in refused.err
