"""The pages of public names and commands."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from types import ModuleType

import click
from generate import literal, table

import rankgauge as rg
from rankgauge.cli import COMMANDS, commands
from rankgauge.cli.command import Command, Context
from rankgauge.cli.localization import output_language
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.markdown import escaped
from rankgauge.rendering.plain import FrameResult, JsonResult
from website.items import item_page

WORDS = {
    "api": Phrase("Python", "Python 接口"),
    "api intro": Phrase(
        "Everything public, as `import rankgauge as rg` gives it. The [metrics](metrics.md) have pages of their own.",
        "全部公开接口，以 `import rankgauge as rg` 导入。[指标](metrics.zh-CN.md)另有专页。"
        "接口说明取自源代码，为英文。"),
    "names": Phrase("Functions and classes", "函数与类"),
    "modules": Phrase("Modules", "模块"),
    "name": Phrase("name", "名称"),
    "purpose": Phrase("purpose", "用途"),
    "commands": Phrase("Command line", "命令行"),
    "commands intro": Phrase(
        "`rankgauge COMMAND --help` shows the same text. `rankgauge demo --write .` writes the files of the examples.",
        "`rankgauge 命令 --help` 给出同样的内容。`rankgauge demo --write .` 写出示例所用的文件。"),
    "options": Phrase("Options", "选项"),
    "see trec_eval": Phrase("Options: see [trec_eval](trec_eval.md).", "选项见 [trec_eval](trec_eval.zh-CN.md)。"),
    "examples": Phrase("Examples", "示例"),
    "exit codes": Phrase("Exit codes", "退出码"),
    "exit codes text": Phrase(
        "0 success; 1 a check failed or a number is not explained; 2 usage error; "
        "3 a file cannot be read or written, or its data are invalid; 4 nothing to evaluate; 130 interrupted.",
        "0：成功；1：检查未通过，或某个数得不到解释；2：用法错误；3：文件无法读写，或数据无效；4：没有可评测的内容；130：被中断。"),
}  # fmt: skip
MOCKED = ("cupy", "jax", "keras", "sentence_transformers", "torch", "torchmetrics", "triton")
"""Packages that are not needed to document the modules that import them."""
OTHER_MODULES = ("testing", "compat.pytrec_eval", "compat.ir_measures", "compat.ranx")
"""Public modules that are imported by their full name."""


def word(key: str, lang: Lang) -> str:
    """Return a text of these pages."""
    return WORDS[key].render(lang)


# Python


def definitions() -> dict[str, str]:
    """Return the public functions, classes and types with the modules that define them; metrics are left out."""
    imports = re.findall(r"from (rankgauge\S*) import (\w+) as \2$", inspect.getsource(rg), re.MULTILINE)
    modules = {name: module for module, name in imports}
    names = [name for name in rg.__all__ if name in modules and not isinstance(getattr(rg, name), Metric)]
    return {name: defining(modules[name], name) for name in names}


@cache
def defining(module: str, name: str) -> str:
    """Return the module that defines a name, where another one imports it."""
    for statement in ast.parse(inspect.getsource(import_module(module))).body:
        if isinstance(statement, ast.ImportFrom) and name in {alias.name for alias in statement.names}:
            return defining(str(statement.module), name)
    return module


def modules() -> dict[str, str]:
    """Return the public modules by the names that users write."""
    namespaces = {f"rg.{name}": module for name, module in sorted(vars(rg)["_NAMESPACES"].items())}
    return namespaces | {f"rankgauge.{name}": f"rankgauge.{name}" for name in OTHER_MODULES}


def members(module: ModuleType) -> list[str]:
    """Return the public names of a module: those it lists, or else the functions and classes that it defines."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return [*listed]
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return [name for name in own if not name.startswith("_") and callable(getattr(module, name))]


def directive(module: str, name: str, value: object) -> str:
    """Return the directive of autodoc for a name."""
    if inspect.isclass(value):
        more = "   :show-inheritance:\n" if issubclass(value, Exception) else ""
        more += "   :inherited-members: object, tuple\n" if issubclass(value, FrameResult | JsonResult) else ""
        return f".. autoclass:: {module}.{name}\n   :members:\n{more}"
    if typing_alias(value):
        return f".. autodata:: {module}.{name}\n"
    return f".. {'autofunction' if callable(value) else 'py:data'}:: {module}.{name}\n"


def public_directive(name: str) -> str:
    """Return the directive for a name of the package; the text of a type is in the module that defines it."""
    value = getattr(rg, name)
    return directive(definitions()[name] if typing_alias(value) else "rankgauge", name, value)


def typing_alias(value: object) -> bool:
    """Return whether a value is a type, such as an annotated number or a Literal."""
    return type(value).__module__ == "typing" or type(value).__name__ in {"UnionType", "GenericAlias", "TypeAliasType"}


def block(*directives: str) -> str:
    """Return directives as a block of reStructuredText."""
    return "\n".join(["```{eval-rst}", *directives, "```"])


def purpose(module: str, name: str) -> str:
    """Return the first line of a docstring."""
    return escaped(docstring(module, name).partition("\n")[0].replace("``", ""))


def docstring(module: str, name: str) -> str:
    """Return the docstring of a name; that of a type is the text after its definition."""
    loaded = import_module(module)
    value = getattr(loaded, name)
    if not typing_alias(value):
        return inspect.getdoc(value) or ""
    for statement, text in pairwise(ast.parse(inspect.getsource(loaded)).body):
        match statement, text:
            case (
                ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found)),
                ast.Expr(ast.Constant(str(words))),
            ) if found == name:
                return words
    return ""


def name_pages(lang: Lang) -> Iterator[tuple[str, str]]:
    """Yield the page of each public name; names that differ only in case share one."""
    shared: dict[str, list[str]] = {}
    for name in definitions():
        shared.setdefault(name.lower(), []).append(name)
    for page, names in shared.items():
        parts = [public_directive(name) for name in sorted(names, key=str.swapcase)]
        yield page, item_page(", ".join(f"rg.{name}" for name in names), "all names", lang, [block(*parts)])
    for shown, dotted in modules().items():
        module = import_module(dotted)
        about = (inspect.getdoc(module) or "").partition("\n")[0]
        public = shown.replace("rg.", "rankgauge.")
        parts = [directive(public, name, getattr(module, name)) for name in members(module)]
        page = item_page(shown, "all names", lang, [escaped(about.replace("``", "")), block(*parts)])
        yield shown.replace(".", "-"), page


def names_index(lang: Lang) -> str:
    """Return the index of public names."""
    columns = [word("name", lang), word("purpose", lang)]
    names = [
        [f"[{literal(f'rg.{name}')}](api/{name.lower()}.md)", purpose(module, name)]
        for name, module in definitions().items()
    ]
    listed = []
    for shown, dotted in modules().items():
        about = (inspect.getdoc(import_module(dotted)) or "").partition("\n")[0].replace("``", "")
        listed.append([f"[{literal(shown)}](api/{shown.replace('.', '-')}.md)", escaped(about)])
    return "\n\n".join(
        [
            f"# {word('api', lang)}",
            word("api intro", lang),
            f"## {word('names', lang)}",
            table(columns, names),
            f"## {word('modules', lang)}",
            table(columns, listed),
        ]
    )


# Command line


def command_pages(lang: Lang) -> Iterator[tuple[str, str]]:
    """Yield the page of each command."""
    with output_language(["--lang", lang]):
        for name in COMMANDS:
            command = commands.get_command(Context(commands), name)
            yield (
                name,
                item_page(f"rankgauge {escaped(name)}", "all commands", lang, command_blocks(name, command, lang)),
            )


def command_blocks(name: str, command: click.Command, lang: Lang) -> list[str]:
    """Return usage, description, options and examples of a command."""
    context = Context(command, info_name=f"rankgauge {name}", terminal_width=100)
    if not isinstance(command, Command):
        return [f"```text\n{command.get_help(context)}\n```", word("see trec_eval", lang)]
    records = [param.get_help_record(context) for param in command.params]
    options = [f"- {literal(record[0])}: {escaped(record[1])}" for record in records if record and record[1]]
    examples = "\n".join(f"# {example.purpose.render(lang)}\n{example.call}\n" for example in command.examples)
    return [
        f"```text\n{command.get_usage(context)}\n```",
        paragraphs(command.help_phrase.render(lang), lang),
        f"## {word('options', lang)}",
        "\n".join(options).replace("\\|", "|"),
        f"## {word('examples', lang)}",
        f"```sh\n{examples.strip()}\n```",
    ]


def paragraphs(text: str, lang: Lang) -> str:
    """Return the paragraphs of a help text, each on one line."""
    joint = "" if lang == "zh" else " "
    return "\n\n".join(escaped(joint.join(part.splitlines())) for part in text.split("\n\n"))


def commands_index(lang: Lang) -> str:
    """Return the index of commands."""
    rows = [
        [f"[{literal(f'rankgauge {name}')}](commands/{name}.md)", escaped(summary.sentence.render(lang))]
        for name, summary in COMMANDS.items()
    ]
    exit_codes = [f"## {word('exit codes', lang)}", word("exit codes text", lang)]
    columns = [word("name", lang), word("purpose", lang)]
    return "\n\n".join([f"# {word('commands', lang)}", word("commands intro", lang), table(columns, rows), *exit_codes])
