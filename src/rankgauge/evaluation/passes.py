"""Passes of their own: metrics that see other rows of a ranking, cut at a budget or with the spans themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rankgauge.conventions import Convention
from rankgauge.errors import ParameterError
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.source import Source
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Chunk
from rankgauge.matching.ranking import Ranking
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.language import Phrase
from rankgauge.segments import Bools
from rankgauge.side_information.item_lists import EVERY_RANK


def of_spans(ranking: Ranking, judgments: Judgments) -> Ranking:
    """Return a ranking with the chunks of tools named by their place in a document, if the judgments are spans."""
    held, options = ranking.source, ranking.options
    if options.spans or held.is_clean or held.form == "array" or not judgments.has_spans:
        return ranking
    value = held.value if held.raw is None else held.raw
    source = Source.of(value, "ranking", replace(options, spans=True))
    return Ranking(source, source.options, ranking.name, may_be_empty=ranking.may_be_empty)


def ranking_for(metric: Metric, ranking: Ranking, judgments: Judgments, rules: Convention) -> Ranking:
    """Return the ranking that a metric evaluates: cut at its budget, if it has one."""
    of_spans = metric.definition.of_spans
    if of_spans and not judgments.has_spans:
        en = f"{metric} counts characters of spans; give document, start and end of gold and chunks"
        raise ParameterError((en, f"{metric} 计的是片段的字符；请给出标准答案与文本块的 document、start、end"))
    if of_spans and judgments.has_groups:
        raise ParameterError(
            Phrase(
                f"{metric} adds up the characters of all judged spans, and some are groups of which one will do; leave "
                "out the groups",
                f"{metric} 累计全部已标注片段的字符，而有些片段成组、任一即可；请去掉分组",
            )
        )
    if metric.budget is None:
        return ranking
    from rankgauge.matching.budgets import within_budget  # noqa: PLC0415 (loads polars)

    if metric.definition.of_items and not of_spans:
        en = f"{metric} evaluates the items themselves; budgets are for metrics of grades and of covered text"
        raise ParameterError((en, f"{metric} 针对物品本身；预算用于等级指标与文本覆盖指标"))
    return within_budget(ranking, metric.budget, rules, Findings())


def own_chunks(
    ranking: Ranking, metric: Metric, judgments: Judgments, rules: Convention, answered: Bools
) -> Iterator[Chunk]:
    """Match a ranking again for a metric that has a pass of its own, some queries at a time.

    ``answered`` says which queries the whole ranking has; a budget may have left their list empty.
    """
    seen, emptied = ranking_for(metric, ranking, judgments, rules), answered.copy()
    if metric.definition.of_spans:
        chunks = seen.chunks(judgments, rules.replace(match="id"), Findings(), top=EVERY_RANK, grades=False)
    else:
        chunks = seen.chunks(judgments, rules, Findings())
    for numbers, matched in chunks:
        emptied[numbers] = False
        yield numbers, matched
    if emptied.any():
        yield np.flatnonzero(emptied), judgments.unanswered(np.flatnonzero(emptied))
