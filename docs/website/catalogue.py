"""Chinese texts of the theme that Sphinx does not translate."""

from __future__ import annotations

from pathlib import Path

TEXTS = {
    "Skip to content": "跳到正文",
    "Back to top": "回到顶部",
    "Next": "下一页",
    "Previous": "上一页",
    "Home": "首页",
    "On this page": "本页内容",
    "Search": "搜索",
    "Made with ": "构建工具：",
    '<a href="https://www.sphinx-doc.org/">Sphinx</a> and ': '<a href="https://www.sphinx-doc.org/">Sphinx</a> 与 ',
}


def write(folder: Path) -> None:
    """Write the texts where Sphinx looks for translations."""
    from babel.messages.catalog import Catalog  # noqa: PLC0415 (installed with Sphinx)
    from babel.messages.mofile import write_mo  # noqa: PLC0415

    catalogue = Catalog(locale="zh_CN")
    for english, chinese in TEXTS.items():
        catalogue.add(english, chinese)
    target = folder / "zh_CN" / "LC_MESSAGES" / "sphinx.mo"
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        write_mo(file, catalogue)
