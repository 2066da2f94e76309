"""Presets: the conventions of named tools, by version."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
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


def function_of_tool(name: str) -> tuple[Preset, str] | None:
    """Return the preset and the metric of a function that a tool calls so; None if no tool has it, or several.

    >>> [own] = [function_of_tool("average_precision_score")]
    >>> own[0].name, own[1]
    ('sklearn-average-precision', 'AP')
    """
    named = [(each, each.metrics[name]) for each in PRESETS.values() if name in each.metrics]
    same = len({each.tool for each, _ in named}) == len({metric for _, metric in named}) == 1
    return named[-1] if same and "_" in name else None


def siblings(name: str) -> list[Preset]:
    """Return the other presets of the tool of a preset.

    >>> [each.name for each in siblings("mteb")]
    ['mteb-mrr', 'mteb-mrr-2.18.18']
    """
    return [each for each in PRESETS.values() if each.tool == PRESETS[name].tool and each.name != name]


@lru_cache(maxsize=256)
def not_covered(name: str, metric: str, *, is_quality: bool = True) -> Phrase | None:
    """Return what to say of a metric that a preset does not cover, and which presets of the tool do; None if it does.

    Counts, which are no measure of quality, need not be known to a tool.

    >>> not_covered("sklearn", "AP").en
    "AP: use convention sklearn-average-precision, the rules of scikit-learn's average_precision_score"
    >>> not_covered("xgboost-2", "AUC").en, not_covered("xgboost-2", "nDCG@10")
    ('AUC: XGBoost does not have it', None)
    """
    if name not in PRESETS:
        return None
    chosen = PRESETS[name]
    named = {each.name: own for each in siblings(name) if (own := each.name_of(metric)) is not None}
    if chosen.has(metric):  # with and without a cutoff it may be two functions, if not of other versions
        same = any(PRESETS[other].versions == chosen.versions for other in named)
        if chosen.name_of(metric) is not None or not same:
            return None
    if not named:
        named = {each.name: uncut for each in siblings(name) if (uncut := each.name_of(metric.partition("@")[0]))}
    if not named and not is_quality:
        return None
    if not named:
        return Phrase(f"{metric}: {chosen.tool} does not have it", f"{metric}：{chosen.tool} 没有该指标")
    function = next(iter(named.values()))
    return Phrase(
        f"{metric}: use convention {' or '.join(named)}, the rules of {chosen.tool}'s {function}",
        f"{metric}：请改用约定 {' 或 '.join(named)}，即 {chosen.tool} 的 {function} 的规则",
    )


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

__all__ = [
    "PRESETS",
    "PRESET_GROUPS",
    "Preset",
    "function_of_tool",
    "not_covered",
    "preset",
    "presets_page",
    "siblings",
]
