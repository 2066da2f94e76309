"""Snippets of search results: the text of every page in one file, which a browser reads from a disk, too.

Sphinx would fetch the pages themselves, which browsers forbid for files on a disk.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

LONGEST = 8000
"""Characters of a page in which snippets are searched."""
SKIPPED = nodes.title | nodes.math_block | nodes.raw
FILE = "page-texts.js"


def page_text(doctree: nodes.document) -> str:
    """Return the text of a page in one line: first sentences, then tables and code; without titles and mere links."""
    sentences, others = [], []
    for node in doctree.findall(nodes.TextElement):
        if isinstance(node, SKIPPED) or isinstance(node.parent, nodes.TextElement) or _is_link(node):
            continue
        is_sentence = isinstance(node, nodes.paragraph) and not isinstance(node.parent, nodes.entry)
        (sentences if is_sentence else others).append(" ".join(node.astext().split()))
    return " ".join(filter(None, sentences + others))[:LONGEST]


def _is_link(node: nodes.TextElement) -> bool:
    """Return whether a block is nothing but a link, such as that to the list of all metrics."""
    return len(node.children) == 1 and isinstance(node.children[0], nodes.reference)


def keep_text(app: Sphinx, name: str, _template: str, _context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Keep the text of a page, and load the texts of all pages on the page of the search."""
    if doctree is not None:
        app.page_texts[name] = page_text(doctree)  # type: ignore[attr-defined]
    elif name == "search":
        app.add_js_file(FILE)
        app.add_js_file("snippets.js")


def write_texts(app: Sphinx, error: Exception | None) -> None:
    """Write the texts of all pages."""
    if error is None:
        data = json.dumps(app.page_texts, ensure_ascii=False, separators=(",", ":"))  # type: ignore[attr-defined]
        Path(app.outdir, "_static", FILE).write_text(f"const PAGE_TEXTS = {data};\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.page_texts = {}  # type: ignore[attr-defined]
    app.connect("html-page-context", keep_text)
    app.connect("build-finished", write_texts)
