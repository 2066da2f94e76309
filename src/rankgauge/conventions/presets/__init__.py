"""Presets: the conventions of named tools, by version."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rankgauge.conventions.convention import DEFAULT, DEFAULT_NAME, Convention
from rankgauge.conventions.presets.boosting import BOOSTING
from rankgauge.conventions.presets.classics import CLASSICS
from rankgauge.conventions.presets.ir_measures import IR_MEASURES
from rankgauge.conventions.presets.learning import LEARNING
from rankgauge.conventions.presets.links import LINKS
from rankgauge.conventions.presets.rag import RAG
from rankgauge.conventions.presets.recommendation import RECOMMENDATION
from rankgauge.conventions.presets.record import Preset
from rankgauge.conventions.presets.search import SEARCH
from rankgauge.conventions.presets.services import SERVICES
from rankgauge.conventions.presets.spans import SPANS
from rankgauge.conventions.presets.trained_models import TRAINED_MODELS
from rankgauge.conventions.presets.vector_search import VECTOR_SEARCH
from rankgauge.errors import UnknownNameError
from rankgauge.rendering.document import Document, Table
from rankgauge.rendering.language import Lang, Phrase

PRESET_GROUPS: Mapping[Phrase, tuple[Preset, ...]] = MappingProxyType(
    {
        Phrase("Search", "搜索"): SEARCH,
        Phrase("ir_measures and the tools that it calls", "ir_measures 及其调用的工具"): IR_MEASURES,
        Phrase("Retrieval for language models (RAG)", "大模型检索（RAG）"): RAG + SPANS,
        Phrase("Vector search and agent memory", "向量检索与智能体记忆"): VECTOR_SEARCH,
        Phrase("Boosted trees", "提升树"): BOOSTING,
        Phrase("Machine learning and learning to rank", "机器学习与排序学习"): LEARNING,
        Phrase("Recommendation", "推荐"): RECOMMENDATION + TRAINED_MODELS,
        Phrase("Link prediction and metric learning", "链接预测与度量学习"): LINKS,
        Phrase("Hosted services", "托管服务"): SERVICES,
        Phrase("Papers", "论文"): CLASSICS,
    }
)
"""The presets by field."""
PRESETS: Mapping[str, Preset] = MappingProxyType(
    {preset.name: preset for group in PRESET_GROUPS.values() for preset in group}
)
"""Every preset by its name."""


def preset(name: str) -> Convention:
    """Return the convention of a tool by its name, such as ``trec_eval-9``, or ``default``.

    >>> preset("trec_eval-9").score_precision
    'float32'
    >>> preset("lightgmb")
    Traceback (most recent call last):
    ...
    rankgauge.errors.UnknownNameError: unknown preset 'lightgmb'; did you mean 'lightgbm'?
    """
    if name == DEFAULT_NAME:
        return DEFAULT
    if name not in PRESETS:
        raise UnknownNameError.closest("preset", name, (DEFAULT_NAME, *PRESETS))
    return PRESETS[name].convention


def presets_page(lang: Lang) -> Document:
    """Return a table of all presets with their tools and their differences from the default."""
    rows = [
        [each.name, f"{each.tool} {each.versions}", each.convention.line(each.differences, lang) or "="]
        for each in PRESETS.values()
    ]
    return Document([Table([phrase.render(lang) for phrase in _COLUMNS], rows)])


_COLUMNS = (
    Phrase("preset", "预设"),
    Phrase("tool", "工具"),
    Phrase("differences from the default", "与默认约定的不同"),
)

__all__ = ["PRESETS", "PRESET_GROUPS", "Preset", "preset", "presets_page"]
