"""The pages of the site in reading order, by section."""

from __future__ import annotations

from typing import NamedTuple

from rankgauge.rendering.language import Phrase


class Section(NamedTuple):
    """A section of the sidebar; a page is the name of a file in docs/, or of a generated index."""

    title: Phrase
    pages: tuple[str, ...]


GENERATED = ("metrics/index", "presets/index", "codes/index", "api/index", "commands/index")
"""Indexes of the generated pages: one for each metric, preset, code, public name and command."""

NAVIGATION = (
    Section(Phrase("Start", "入门"), ("install", "tutorial", "tour", "gallery")),
    Section(
        Phrase("How to", "操作指南"),
        (
            "your-data",
            "formats",
            "pandas",
            "elasticsearch",
            "recommendation",
            "beyond",
            "rag",
            "chunkers",
            "learning-to-rank",
            "training",
            "paper-table",
            "fuse",
            "tune",
            "leaderboards",
            "pool",
            "judges",
            "gate",
            "history",
            "nightly",
            "scale",
            "gpu",
            "serve",
            "audit",
        ),
    ),
    Section(Phrase("Migrating", "迁移"), ("migrating", "trec_eval", "trec_eval-preferences", "partners")),
    Section(
        Phrase("Explanations", "原理"),
        (
            "why-numbers-differ",
            "ties",
            "repeated-items",
            "unjudged",
            "statistics",
            "compare",
            "attribution",
            "worked-examples",
            "glossary",
        ),
    ),
    Section(Phrase("Reference", "参考"), ("conventions", *GENERATED, "parity")),
)


def pages() -> list[str]:
    """Return the pages of docs/ that the site shows."""
    listed = [page for section in NAVIGATION for page in section.pages]
    return [page for page in listed if page not in GENERATED]
