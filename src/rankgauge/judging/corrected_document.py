"""Corrected metrics as a document and as plain data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from rankgauge.analysis.slices import label_phrase
from rankgauge.judging.agreement_document import bias_blocks, bias_data
from rankgauge.judging.number import Number
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase

if TYPE_CHECKING:
    from rankgauge.judging.corrected import Corrected
    from rankgauge.judging.estimates import Verdict

TEXTS = {
    "title": Phrase("Metrics by the judge, corrected by people", "评判模型给出的指标，经人的标签修正"),
    "these queries": Phrase(
        "Target: these {queries:# query|# queries}; what people would say if they labelled all of them.",
        "目标：这 {queries:,} 个查询；即人若全部标注会得到的值。",
    ),
    "queries like these": Phrase(
        "Target: queries like these; what people would say on all queries of which these {queries:,} are a sample.",
        "目标：此类查询；即这 {queries:,} 个查询所代表的全部查询上人会得到的值。",
    ),
    "in part": Phrase(
        "For {metrics} with the labelled items only: people did not label all that the judge judged, and this changes "
        "the ideal ranking or the number of relevant items.",
        "{metrics} 只计有标签的物品：评判模型判断过的物品中有些没有人的标签，而它们会影响理想排序或相关物品数。",
    ),
    "labels": Phrase("{metric}: {labels:# labelled query|# labelled queries}.", "{metric}：{labels:,} 个查询有标签。"),
    "items": Phrase(
        "{metric}: {labels:# labelled item|# labelled items} with inclusion probabilities (difference estimator).",
        "{metric}：{labels:,} 个物品有标签和入选概率（差值估计）。",
    ),
    "regression": Phrase(
        "Two-phase regression with Student's t, {level:.0%} intervals.", "两相回归，Student t，{level:.0%} 区间。"
    ),
    "difference": Phrase("Student's t, {level:.0%} intervals.", "Student t，{level:.0%} 区间。"),
    "ppi++": Phrase(
        "PPI++ as ppi_py computes it, with the normal distribution, {level:.0%} intervals; too narrow for few labels.",
        "PPI++，与 ppi_py 相同，用正态分布，{level:.0%} 区间；标签少时偏窄。",
    ),
    "expected": Phrase(
        "The judge gave probabilities: its values are expectations; for RR and AP items are taken to be independent, "
        "and AP divides by the expected number of relevant items.",
        "评判模型给出概率：其值为期望；RR 与 AP 假定物品相互独立，AP 除以相关物品数的期望。",
    ),
    "metric": Phrase("metric", "指标"),
    "system": Phrase("system", "系统"),
    "corrected": Phrase("corrected", "修正值"),
    "interval": Phrase("interval", "区间"),
    "people": Phrase("people alone", "仅人的标签"),
    "model": Phrase("judge alone", "仅评判模型"),
    "worth": Phrase("labels worth", "相当于标签数"),
    "note": Phrase(
        "Labels worth: how many labels people alone would need for the same variance.",
        "相当于标签数：仅凭人的标签达到同样方差所需的标签数。",
    ),
    "people are better": Phrase(
        "For {names} the labels are worth fewer than there are: people alone give the narrower interval.",
        "{names} 的相当于标签数少于实有标签数：仅用人的标签，区间更窄。",
    ),
    "no width": Phrase(
        "No label contradicts the judge for {names}, so these intervals have no width: they say nothing about queries "
        "without a label, of which the judge may still be wrong on up to {share:.0%} (95 % upper limit).",
        "{names} 没有标签与评判模型相左，因此区间宽度为 0：它对无标签的查询没有说明，评判模型在其中至多可能有 "
        "{share:.0%} 出错（95% 上限）。",
    ),
    "verdicts": Phrase("Differences and verdicts for queries like these", "差值与结论（推断到同类查询）"),
    "pair": Phrase("difference", "差值"),
    "verdict": Phrase("verdict", "结论"),
    "same": Phrase("same", "不变"),
    "lost": Phrase("no longer significant", "不再显著"),
    "gained": Phrase("becomes significant", "变为显著"),
    "reversed": Phrase("reversed", "反转"),
    "flips": Phrase(
        "* significant for queries like these. The correction changes {count:# verdict|# verdicts} of {total:,}.",
        "* 对此类查询显著。在仅凭评判模型得出的 {total:,} 个结论中，修正改变了 {count:,} 个。",
    ),
    "paired": Phrase(
        "A corrected difference is estimated from the differences of each query, in one regression of its own; it need "
        "not be the difference of the corrected means.",
        "修正后的差值由各查询的差值单独做一次回归得出，不一定等于两个修正均值之差。",
    ),
    "leaderboard": Phrase(
        "{metric}: order of the systems by the judge against the corrected one: tau {tau:.4f}, tau-AP {tau_ap:.4f}, "
        "RBO {rbo:.4f}.",
        "{metric}：评判模型给出的系统次序与修正后的次序：tau {tau:.4f}，tau-AP {tau_ap:.4f}，RBO {rbo:.4f}。",
    ),
    "no order": Phrase(
        "{metric}: all systems have the same value by the judge or after the correction, so no orders are compared.",
        "{metric}：按评判模型或修正后各系统的值全部相同，没有可比较的次序。",
    ),
    "by": Phrase("By {by}", "按 {by} 分组"),
    "queries": Phrase("queries", "查询"),
    "line": Phrase("{metric}: {line}", "{metric}：{line}"),
}


def _sentences(texts: Iterable[str], lang: Lang) -> str:
    """Return sentences as a paragraph."""
    return ("" if lang == "zh" else " ").join(texts)


def corrected_data(result: Corrected) -> dict[str, Any]:
    """Return everything as plain data."""
    design, several = result.design, len(result.systems) > 1
    data: dict[str, object] = {
        "target": design.target,
        "estimator": design.estimator,
        "alpha": design.alpha,
        "queries": len(result.queries),
        "labelled": {str(metric): count for metric, count in result.label_counts.items()},
        "estimates": result.rows(),
    }
    if result.labelled_in_part:
        data["labelled_in_part"] = {str(metric): count for metric, count in result.labelled_in_part.items()}
    if several:
        data["verdicts"] = [verdict_data(verdict) for verdict in result.verdicts()]
        data["leaderboards"] = {str(m): result.leaderboard_agreement(m)._asdict() for m in result.metrics}
        data["bias_by_system"] = {
            str(metric): [bias_data(bias) for bias in result.bias_by_system(metric)]
            for metric in result.metrics
            if metric not in result.items
        }
    return data


def verdict_data(verdict: Verdict) -> dict[str, object]:
    """Return one verdict as plain data."""
    sides = {name: getattr(verdict, name).to_dict() for name in ("model", "corrected", "people")}
    names = {"first": verdict.first, "second": verdict.second, "metric": str(verdict.metric)}
    return {**names, **sides, "change": verdict.change}


def corrected_document(result: Corrected, lang: Lang, digits: int) -> Document:
    """Return the corrected metrics as a page."""
    blocks: list[Block] = [Heading(TEXTS["title"].render(lang)), Paragraph(_target(result, lang))]
    blocks.append(Paragraph(_counts(result, lang)))
    if result.expected:
        blocks.append(Paragraph(TEXTS["expected"].render(lang)))
    blocks += [_estimates(result, lang, digits), Paragraph(_worth(result, lang))]
    if len(result.systems) > 1:
        blocks += verdict_blocks(result, lang, digits)
        for metric in result.metrics:
            if metric not in result.items:
                names = ("people", "judge")
                blocks += bias_blocks(result.bias_by_system(metric), "system", names, lang, digits, str(metric))
    blocks += [
        Paragraph(TEXTS["line"].render(lang, metric=metric, line=metric.short_line(result.rules, lang)))
        for metric in result.metrics
    ]
    return Document(blocks)


def _target(result: Corrected, lang: Lang) -> str:
    """Return what is estimated."""
    target = TEXTS[result.design.target].render(lang, queries=len(result.queries))
    if not result.labelled_in_part:
        return target
    metrics = ", ".join(map(str, result.labelled_in_part))
    return _sentences([target, TEXTS["in part"].render(lang, metrics=metrics)], lang)


def _worth(result: Corrected, lang: Lang) -> str:
    """Return what the labels are worth, where the judge makes the interval wider, and where it has no width."""
    wider, without, labels = [], [], 0
    for metric in result.metrics:
        for system in result.systems:
            found, people = result.estimate(metric, system), result.people_only(metric, system)
            if found.labels_worth < found.labels and found.high - found.low > people.high - people.low:
                wider.append(f"{metric} {system}".strip())
            if found.half_width == 0 and found.labels < len(result.queries) and metric not in result.items:
                without.append(f"{metric} {system}".strip())
                labels = min(labels, found.labels) or found.labels
    texts = [TEXTS["note"].render(lang)]
    if wider:
        texts.append(TEXTS["people are better"].render(lang, names=", ".join(wider)))
    if without:
        texts.append(TEXTS["no width"].render(lang, names=", ".join(without), share=1 - 0.05 ** (1 / labels)))
    return _sentences(texts, lang)


def _counts(result: Corrected, lang: Lang) -> str:
    """Return the number of labels of each metric, and the method."""
    counts = [
        TEXTS["items" if metric in result.items else "labels"].render(
            lang, metric=metric, labels=len(result.items[metric].query) if metric in result.items else count
        )
        for metric, count in result.label_counts.items()
    ]
    method = result.design.estimator if len(result.items) < len(result.metrics) else "difference"
    return _sentences([*counts, TEXTS[method].render(lang, level=result.design.level)], lang)


def people_blocks(result: Corrected, lang: Lang, digits: int, baseline: str | None = None) -> list[Block]:
    """Return the corrected values, and the differences with the verdicts that flip, below a heading."""
    about = _sentences([_target(result, lang), _counts(result, lang)], lang)
    blocks: list[Block] = [Heading(TEXTS["title"].render(lang)), Paragraph(about)]
    blocks += [_estimates(result, lang, digits), Paragraph(_worth(result, lang))]
    return blocks + (verdict_blocks(result, lang, digits, baseline) if len(result.systems) > 1 else [])


def _estimates(result: Corrected, lang: Lang, digits: int) -> Table:
    return _table({"": result}, [], lang, digits)


def slice_blocks(slices: Mapping[str, Corrected], by: str, lang: Lang, digits: int) -> list[Block]:
    """Return the estimates on groups of queries by an attribute, below a heading."""
    named = {label_phrase(by, label).render(lang): part for label, part in slices.items()}
    table = _table(named, [by, TEXTS["queries"].render(lang)], lang, digits)
    return [Heading(TEXTS["by"].render(lang, by=by), 2), table]


def _table(parts: Mapping[str, Corrected], first: list[str], lang: Lang, digits: int) -> Table:
    """Return the estimates of results by name; with titles of first columns, each row starts with name and size."""
    named = any(result.systems != ("",) for result in parts.values())
    keys = ["metric", *(["system"] if named else []), "corrected", "interval", "worth", "people", "interval", "model"]
    rows = []
    for name, result in parts.items():
        for metric, system in product(result.metrics, result.systems):
            found, people = result.estimate(metric, system), result.people_only(metric, system)
            start = [name, f"{len(result.queries):,}"] if first else []
            labels = [str(metric), *([system] if named else [])]
            worth = "–" if math.isnan(found.labels_worth) else f"{found.labels_worth:.1f}"
            model = result.model_only(metric, system).cells(digits)[0]
            rows.append([*start, *labels, *found.cells(digits), worth, *people.cells(digits), model])
    titles = [*first, *(TEXTS[key].render(lang) for key in keys)]
    return Table(titles, rows, align="lr"[: len(first)] + "l" * (1 + named) + "r" * 6)


def _starred(number: Number, digits: int) -> str:
    """Return a difference with a star if its interval excludes 0."""
    return number.cells(digits, signed=True)[0] + "*" * number.excludes_zero


def verdict_blocks(result: Corrected, lang: Lang, digits: int, baseline: str | None = None) -> list[Block]:
    """Return the differences of systems by the judge, corrected and by people, and which verdicts flip."""
    verdicts = result.verdicts(baseline=baseline)
    keys = ["pair", "metric", "model", "corrected", "interval", "people", "worth", "verdict"]
    rows = [
        [
            f"{verdict.second} − {verdict.first}",
            str(verdict.metric),
            _starred(verdict.model, digits),
            *verdict.corrected.cells(digits, signed=True),
            _starred(verdict.people, digits),
            f"{verdict.corrected.labels_worth:.1f}",
            TEXTS[verdict.change].render(lang),
        ]
        for verdict in verdicts
    ]
    table = Table([TEXTS[key].render(lang) for key in keys], rows, align="ll" + "r" * 5 + "l")
    flips = sum(verdict.flips for verdict in verdicts)
    lines = [TEXTS["flips"].render(lang, count=flips, total=len(verdicts))]
    if any(metric not in result.items for metric in result.metrics):
        lines.append(TEXTS["paired"].render(lang))
    orders = [(metric, result.leaderboard_agreement(metric)._asdict()) for metric in result.metrics]
    lines += [
        TEXTS["no order" if math.isnan(order["tau"]) else "leaderboard"].render(lang, metric=metric, **order)
        for metric, order in orders
    ]
    return [Heading(TEXTS["verdicts"].render(lang), 2), table, *map(Paragraph, lines)]
