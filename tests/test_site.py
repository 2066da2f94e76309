"""The sources of the documentation site: every link leads somewhere, every code block runs, everything public has a page."""

import importlib
import inspect
import os
import re
import shlex
import sys
import tomllib
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

import rankgauge as rg
from command_line import here
from rankgauge import example
from registries import COMMANDS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))
navigation = importlib.import_module("website.navigation")
reference = importlib.import_module("website.reference")
items = importlib.import_module("website.items")
bigrams = importlib.import_module("website.bigrams")
sources = importlib.import_module("website.sources")

PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
TEXTS = {path: path.read_text(encoding="utf-8") for path in PAGES}
FENCED = re.compile(r"^```(\w*)\n(.*?)^```[^\S\n]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)")


@cache
def anchors(path):
    """The anchors of a page, as repository hosts make them from headings."""
    text = FENCED.sub("", TEXTS[path])
    titles = [
        re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    ]
    slugs = [re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles]
    return {*slugs, *re.findall(r'<a id="([^"]+)">', text)}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_of_a_page_leads_to_a_file_and_an_anchor(path):
    lost = []
    for link in LINK.findall(FENCED.sub("", TEXTS[path])):
        file, _, anchor = link.partition("#")
        if "://" in link or link.startswith("mailto:"):
            continue
        target = Path(os.path.normpath(path.parent / unquote(file))) if file else path
        if not target.exists() or (anchor and target in TEXTS and unquote(anchor) not in anchors(target)):
            lost.append(link)

    assert lost == []


WORKFLOW = (ROOT / "examples" / "github-actions" / "ranking-quality.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [path for path in PAGES if path.parent == DOCS], ids=lambda path: path.name)
def test_every_code_block_runs_or_gives_a_reason(path):
    text, idle = TEXTS[path], []
    for block in FENCED.finditer(text):
        kind, code = block.groups()
        noted = re.search(r"<!-- (not run: |不运行：)[^\n]*-->\n$", text[: block.start()])
        elsewhere = path.name.startswith("training.")  # test_training.py runs its blocks
        if not (">>>" in code or kind in {"math", "console", "text"} or noted or elsewhere or code == WORKFLOW):
            idle.append(code[:80])

    assert idle == []


CONSOLE = [path for path in PAGES if "```console\n$ rankgauge" in TEXTS[path]]
CONSOLE = [path for path in CONSOLE if not path.name.startswith(("README", "tour"))]  # test_cli_help.py runs them


@pytest.mark.parametrize("path", CONSOLE, ids=lambda path: path.name)
def test_the_consoles_of_a_page_show_what_the_commands_print(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8" if ".zh-CN" in path.name else "en_US.UTF-8")
    consoles = re.findall(r"(?<!-->\n)```console\n\$ rankgauge (.+)\n([^`]*)```", TEXTS[path])
    if consoles and not consoles[0][0].startswith("demo --write"):
        for name, content in example.files().items():
            (tmp_path / name).write_text(content, encoding="utf-8")
    for call, output in consoles:
        result = here(*shlex.split(call))

        assert result.out == output
        assert result.code == call.startswith("check")  # the check of the example fails


@pytest.mark.parametrize("path", [path for path in PAGES if "```text\n" in TEXTS[path]], ids=lambda path: path.name)
def test_text_blocks_are_files_or_output_of_commands(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block in FENCED.finditer(TEXTS[path]):
        if block[1] != "text":
            continue
        named = re.findall(r"`([^`\n]+)`", TEXTS[path][: block.start()].rstrip().rpartition("\n\n")[2])
        calls = [name for name in named if name.startswith("rankgauge ")]
        if calls:
            assert block[2] in here(*shlex.split(calls[-1])[1:]).out
        else:
            Path(next(name for name in named if name.endswith(".txt"))).write_text(block[2], encoding="utf-8")


def test_every_page_is_in_the_navigation_and_exists_in_both_languages():
    named = {path.name.removesuffix(".md").removesuffix(".zh-CN") for path in DOCS.glob("*.md")}

    assert named == {"index", *navigation.pages(), "metrics", "presets"}
    assert [name for name in named if not (DOCS / f"{name}.zh-CN.md").exists()] == []
    assert len(navigation.pages()) == len({*navigation.pages()})


def test_every_extra_is_named_where_installation_is_described():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]

    for ending in (".md", ".zh-CN.md"):
        assert [name for name in extras if f"`{name}`" not in TEXTS[DOCS / f"install{ending}"]] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_metric_preset_and_code_has_a_page(lang):
    metrics = dict(items.metric_pages(lang))
    assert len(metrics) == len(rg.metrics())
    assert "d\\[30:90\\]" in metrics["spanrecall"]
    assert len(dict(items.preset_pages(lang))) == len(items.PRESETS)
    assert len(dict(items.code_pages(lang))) == len(items.CODES)


def test_every_public_name_has_a_page():
    documented = {*reference.definitions()}
    metrics = {name for name in rg.__all__ if isinstance(getattr(rg, name), rg.Metric)}

    assert {*rg.__all__} == documented | metrics
    assert {f"rg.{name}" for name in rg._NAMESPACES} <= {*reference.modules()}


def public_values():
    for name in reference.definitions():
        yield f"rg.{name}", getattr(rg, name)
    for shown, dotted in reference.modules().items():
        if dotted.endswith((".keras", ".torchmetrics")):  # importing them takes seconds
            continue
        module = importlib.import_module(dotted)
        for name in reference.members(module):
            yield f"{shown}.{name}", getattr(module, name)


def described(value):
    return bool(inspect.getdoc(value))


def test_everything_public_has_a_docstring():
    bare = []
    for shown, value in public_values():
        if reference.typing_alias(value) or not callable(value):
            continue
        if not described(value):
            bare.append(shown)
        if inspect.isclass(value):
            own = {name: member for name, member in vars(value).items() if not name.startswith("_")}
            functions = {name for name, member in own.items() if callable(member) or isinstance(member, property)}
            bare += [f"{shown}.{name}" for name in functions if not described(getattr(value, name))]

    assert bare == []


def test_every_public_type_is_documented():
    assert [name for name, module in reference.definitions().items() if not reference.docstring(module, name)] == []


def test_every_parameter_of_a_public_function_is_described():
    silent = [
        f"{shown}({name})"
        for shown, value in public_values()
        if inspect.isfunction(value)
        for name in inspect.signature(value).parameters
        if not re.search(rf"\b{name}\b", inspect.getdoc(value) or "")
    ]

    assert silent == []


def test_every_parameter_of_a_public_function_has_a_type():
    untyped = []
    for shown, value in public_values():
        if inspect.isfunction(value):
            for name, parameter in inspect.signature(value).parameters.items():
                if parameter.annotation is parameter.empty:
                    untyped.append(f"{shown}({name})")

    assert untyped == []


def test_every_command_has_a_page_in_both_languages():
    for lang in ("en", "zh"):
        pages = dict(reference.command_pages(lang))
        assert [*pages] == [*COMMANDS]
        assert all("```" in page for page in pages.values())


def test_chinese_is_searched_by_pairs_of_characters():
    assert bigrams.split("归一化折损累计增益 nDCG@10") == [
        *("归一", "一化", "化折", "折损", "损累", "累计", "计增", "增益"), "nDCG", "10",
    ]  # fmt: skip
    assert bigrams.split("并列") == ["并列"]


@pytest.mark.parametrize(
    ("link", "page", "expected"),
    [
        (("metrics.zh-CN.md", "#ndcg"), "rag", "metrics/ndcg.md"),
        (("metrics.md", "#laws"), "metrics/ap", "index.md#laws"),
        (("your-data.md", "#rg301"), "metrics/ap", "../codes/rg301.md"),
        (("conventions.md", "#gain"), "presets/ranx", "../conventions.md#gain"),
        (("", "#rg301"), "your-data", "codes/rg301.md"),
    ],
)
def test_links_of_pages_lead_to_pages_of_the_site(link, page, expected):
    assert sources.target(*link, page) == expected
