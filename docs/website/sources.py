"""The sources of the site in one language: the pages of docs/ with links between pages, and the contents."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from generate import ENDING, FOLDER, LANGUAGES, OTHER_LANGUAGE

from rankgauge.rendering.language import Lang
from website import items, reference, reports
from website.navigation import NAVIGATION, pages

FENCED = re.compile(r"(^```.*?^```[^\S\n]*$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^()\s#]*)(#[^()\s]*)?\)")
ANCHOR = re.compile(r'^<a id="([^"]+)"></a>$', re.MULTILINE)
OUTSIDE = re.compile(r"\[([^\]]*)\]\(\.\./([^)]*)\)")
"""A link to a file of the repository outside docs/."""
COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)
ITEMS = {
    "metrics": (items.metrics_index, items.metric_pages),
    "presets": (items.presets_index, items.preset_pages),
    "codes": (items.codes_index, items.code_pages),
    "api": (reference.names_index, reference.name_pages),
    "commands": (reference.commands_index, reference.command_pages),
}
"""The generated pages: an index and the pages of items, by folder."""
SPLIT = {"metrics": "metrics", "presets": "presets", "your-data": "codes"}
"""Pages of docs/ with sections that are pages of the site, and the folders of those."""


def write(lang: Lang, folder: Path) -> None:
    """Write all sources of one language."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(FOLDER / "images", folder / "images")
    for name in ("index", *pages()):
        text = adapted((FOLDER / f"{name}{ENDING[lang]}").read_text(encoding="utf-8"), lang, name)
        put(folder, name, text + contents(lang) if name == "index" else text)
    for kind, (index, pages_of_items) in ITEMS.items():
        put(folder, f"{kind}/index", adapted(index(lang), lang, f"{kind}/index"))
        for name, text in pages_of_items(lang):
            put(folder, f"{kind}/{name}", adapted(text, lang, f"{kind}/{name}"))


def put(folder: Path, name: str, text: str) -> None:
    """Write one page."""
    path = folder / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def adapted(text: str, lang: Lang, page: str) -> str:
    """Return a text of docs/ as a page of the site."""
    other, language = OTHER_LANGUAGE[lang]
    text = re.sub(rf"^\[{language}\]\([^)]*{re.escape(ENDING[other])}\)\n+", "", text, count=1, flags=re.MULTILINE)
    if page == "your-data":
        text = text.partition("\n## RG1")[0]
    text = text.replace(reports.MARK, reports.links(lang))
    parts = FENCED.split(text)
    prose = [OUTSIDE.sub(r"\1 (`\2`)", part) for part in parts[::2]]
    prose = [LINK.sub(lambda link: f"]({target(link[1], link[2] or '', page)})", part) for part in prose]
    parts[1::2] = [re.sub(r"\n+```$", "\n```", block) for block in parts[1::2]]
    parts[::2] = [ANCHOR.sub(r"(\1)=", COMMENT.sub("", part)) for part in prose]
    return "".join(parts)


def target(path: str, anchor: str, page: str) -> str:
    """Return where a link of docs/ leads in the site, from one of its pages.

    >>> target("metrics.md", "#ndcg", "gate"), target("gate.zh-CN.md", "", "rag"), target("", "#rg301", "codes/index")
    ('metrics/ndcg.md', 'gate.md', 'rg301.md')
    """
    if "://" in path or (path and not path.endswith(".md")):
        return path + anchor
    folder = page.rpartition("/")[0]
    source = next((source for source, kind in SPLIT.items() if kind == folder), page)
    name = path.removesuffix(".md").removesuffix(".zh-CN") or source
    if name in SPLIT and item(name, anchor):
        place = f"{SPLIT[name]}/{item(name, anchor)}.md"
    elif not path or path == "index.md":
        return path + anchor
    else:
        place = f"{name}/index.md{anchor}" if name in {"metrics", "presets"} else f"{name}.md{anchor}"
    return (
        place if not folder else place.removeprefix(f"{folder}/") if place.startswith(f"{folder}/") else f"../{place}"
    )


def item(name: str, anchor: str) -> str:
    """Return the page of an item to which an anchor of a split page leads, if it is one."""
    key = anchor.removeprefix("#")
    if name == "presets":
        return key.removeprefix("preset-") if key.startswith("preset-") else ""
    if name == "your-data":
        return key if re.fullmatch(r"rg\d+", key) else ""
    return "" if key in {"", "laws", "symbols", "overview"} else key


def contents(lang: Lang) -> str:
    """Return the table of contents, which the sidebar shows."""
    blocks = []
    for section in NAVIGATION:
        listed = "\n".join(section.pages)
        blocks.append(f"\n```{{toctree}}\n:hidden:\n:caption: {section.title.render(lang)}\n\n{listed}\n```\n")
    return "".join(blocks)


__all__ = ["LANGUAGES", "adapted", "put", "target", "write"]
