"""The parts of the page that stand in it as text: verdict, leaderboard, pairs, definition, data health."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rankgauge.comparison.document import (
    BOARD,
    BOARD_OF_WHOLE,
    CORRECTIONS,
    HEADS,
    PAIRS,
    PAIRS_OF_WHOLE,
    interval_text,
    query_cells,
)
from rankgauge.comparison.document import number as number_text
from rankgauge.comparison.pair import Pair, SystemPair
from rankgauge.comparison.verdict import p_text, percent, verdict
from rankgauge.conventions import RULES, Convention
from rankgauge.conventions.rule import written
from rankgauge.evaluation.definition_table import shared_rules
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.element import Element
from rankgauge.rendering.formula import to_mathml
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.svg import colour
from rankgauge.reports.contents import Gathered
from rankgauge.reports.messages import PAGE

Cell = Element | Phrase | str
Rows = list[list[Cell]]
EVERY = Phrase("Every metric", "所有指标")
OVER_QUERIES = ("missing", "score_precision", "averaging")
"""The rules for all queries together, beside those that move the value of each."""
FEW = 3
"""Up to so many pairs each has its sentence."""


def verdicts(found: Gathered, metric: Metric, pairs: Sequence[SystemPair]) -> list[Phrase]:
    """What the comparison amounts to."""
    if found.comparison is None:
        return [_one_system(found, metric)]
    compared, name = found.comparison, str(metric)
    sentences = [Phrase(compared.verdict(name, "en"), compared.verdict(name, "zh"))]
    if 1 < len(pairs) <= FEW:
        sentences += [Phrase(verdict(pair, "en"), verdict(pair, "zh")) for pair in pairs]
    if not metric.definition.higher_is_better:
        sentences.append(PAGE["lower"])
    return sentences


def _one_system(found: Gathered, metric: Metric) -> Phrase:
    system = found.scores.systems[0]
    low, high = found.interval(found.scores, metric, system)
    interval = (
        Phrase("", "")
        if math.isnan(low)
        else PAGE["its interval"].fill(level=percent(found.level), low=f"{low:.4f}", high=f"{high:.4f}")
    )
    values = {
        "system": system,
        "metric": metric,
        "mean": number_text(found.scores.mean(metric, system), ".4f"),
        "queries": f"{len(found.scores.queries):,}",
    }
    return Phrase(
        PAGE["one system"].render("en", interval=interval.en, **values),
        PAGE["one system"].render("zh", interval=interval.zh, **values),
    )


def leaderboard(found: Gathered, metric: Metric) -> Element:
    """The systems, best first."""
    level = percent(found.level)
    if found.comparison is None:
        heads = [HEADS["system"], HEADS["mean"], HEADS["interval"].fill(level=level)]
        alone: Rows = [
            [
                _system(found, name),
                number_text(found.scores.mean(metric, name), ".4f"),
                interval_text(found.interval(found.scores, metric, name)),
            ]
            for name in found.scores.systems
        ]
        return table(PAGE["leaderboard"], heads, alone, "lrr")
    whole = not metric.definition.summary.has_query_values
    keys = [key for key in BOARD if not whole or key in BOARD_OF_WHOLE]
    named = HEADS | ({"mean": HEADS["value"]} if whole else {}) | {"interval": HEADS["interval"].fill(level=level)}
    rows: list[dict[str, Cell]] = [
        {
            "rank": str(one.rank),
            "system": _system(found, one.system),
            "mean": Element("strong", number_text(one.mean, ".4f")),
            "interval": interval_text(one.interval),
            "median": number_text(one.median, ".4f"),
            "sd": number_text(one.deviation, ".4f"),
            "ranks": f"{one.ranks[0]}–{one.ranks[1]}" if one.ranks[0] < one.ranks[1] else str(one.ranks[0]),
            "group": Element("span", *(Element("b", letter) for letter in one.group), class_="group"),
        }
        for one in found.comparison.leaderboard(metric)
    ]
    align = "".join("l" if key in {"system", "group"} else "r" for key in keys)
    return table(PAGE["leaderboard"], [named[key] for key in keys], [[row[key] for key in keys] for row in rows], align)


def _system(found: Gathered, name: str) -> Element:
    place = found.scores.systems.index(name)
    return Element(
        "span", Element("i", class_=f"key {colour(place)}"), Element("bdi", name or "–", title=name), class_="system"
    )


def pairs_table(found: Gathered, pairs: Sequence[SystemPair], caption: Phrase) -> Element:
    """Differences with intervals, effect, wins and p-values."""
    whole = not all(isinstance(pair, Pair) for pair in pairs)
    keys = PAIRS_OF_WHOLE if whole else tuple(PAIRS)
    named = HEADS | {"interval": HEADS["interval"].fill(level=percent(found.level))}
    rows: list[dict[str, Cell]] = [
        {
            "pair": Element("span", Element("bdi", pair.second), " − ", Element("bdi", pair.first), class_="pair"),
            "difference": Element("strong", _signed(pair.difference, "+.4f"), class_=_direction(pair)),
            "interval": interval_text(pair.interval, "+.4f").replace("-", "−"),
            "p corrected": p_text(pair.corrected),
            **(_query_cells(pair) if isinstance(pair, Pair) else {"p bootstrap": p_text(pair.bootstrap)}),
        }
        for pair in pairs
    ]
    real = [
        Element("b", PAGE["yes" if pair.significant else "no"], class_="yes" if pair.significant else "no")
        for pair in pairs
    ]
    cells = [[*(row[key] for key in keys), last] for row, last in zip(rows, real, strict=True)]
    return table(caption, [*(named[key] for key in keys), PAGE["real"]], cells, f"l{'r' * (len(keys) - 1)}l")


def _query_cells(pair: Pair) -> dict[str, Cell]:
    return {**query_cells(pair), "d_z": _signed(pair.d_z, "+.2f")}


def _signed(value: float, form: str) -> str:
    return number_text(value, form).replace("-", "−")


def _direction(pair: SystemPair) -> str:
    return "better" if pair.gain > 0 else "worse" if pair.gain < 0 else ""


def pairs_note(found: Gathered) -> Phrase:
    """How the p-values were corrected."""
    name = CORRECTIONS[found.settings.correction]
    alpha = found.settings.alpha
    return Phrase(
        f"Corrected: {name.en}. A difference is called real where the corrected p-value is below {alpha:g}.",
        f"校正方法：{name.zh}。校正后的 p 值低于 {alpha:g} 时称差异显著。",
    )


def definition(found: Gathered) -> Element:
    """Every metric with its formula and the rules that move it."""
    metrics, rules = found.scores.metrics, found.scores.convention
    shared = [
        *shared_rules(metrics, rules),
        *(rule for rule in OVER_QUERIES if all(_follows(one, rule) for one in metrics)),
    ]
    return Element(
        "section",
        Element("h2", PAGE["definition"], id="definition-title"),
        *(_metric_card(metric, rules, shared) for metric in metrics),
        Element(
            "div",
            Element("h3", EVERY),
            _rules(metrics[0].effective_convention(rules), shared, "all"),
            class_="metric-card",
        ),
        id="definition",
        class_="card",
        aria_labelledby="definition-title",
    )


def _metric_card(metric: Metric, convention: Convention, shared: Sequence[str]) -> Element:
    known, force = metric.definition, metric.effective_convention(convention)
    over_queries = (rule for rule in OVER_QUERIES if _follows(metric, rule))
    own = [rule for rule in (*known.applicable_rules, *over_queries) if rule not in shared]
    return Element(
        "div",
        Element("h3", str(metric)),
        Element("p", known.meaning),
        Element("div", to_mathml(known.formula), class_="formula") if known.formula else None,
        _rules(force, own, str(metric)) if own else None,
        Element(
            "p",
            PAGE["edge cases"].fill(text=Phrase(*(text.replace("``", "") for text in known.edge_cases))),
            class_="small",
        )
        if known.edge_cases.en
        else None,
        Element("p", PAGE["reference"].fill(text=known.reference), class_="small") if known.reference else None,
        class_="metric-card",
    )


def _follows(metric: Metric, rule: str) -> bool:
    """Whether a rule for all queries holds here: what is one number of them all is no mean."""
    return rule != "averaging" or metric.definition.summary.has_query_values


def _rules(convention: Convention, names: Sequence[str], what: str) -> Element:
    rows: Rows = [
        [
            RULES[name].title,
            Element("code", written(getattr(convention, name))),
            Phrase(convention.meaning(name, "en"), convention.meaning(name, "zh")),
        ]
        for name in names
    ]
    caption = (
        Phrase(f"Rules of {what}", f"{what} 的规则")
        if what != "all"
        else Phrase("Rules of every metric", "所有指标的规则")
    )
    return table(caption, [PAGE["rule"], PAGE["value"], PAGE["meaning"]], rows, "lll", wraps=True)


def health(found: Gathered) -> Element:
    """What is to be known of the data."""
    scores = found.scores
    lines = [PAGE["judged queries"].fill(count=f"{len(scores.queries):,}")]
    missing = {name: len(scores.system(name).missing) for name in scores.systems}
    lines += [PAGE["missing"].fill(system=name, count=count) for name, count in missing.items() if count]
    if not any(missing.values()):
        lines.append(PAGE["no missing"])
    findings = [*scores.findings]
    heads = [PAGE[key] for key in ("code", "severity", "what", "count", "example", "remedy")]
    rows: Rows = [
        [
            Element("code", one.code),
            Element("b", PAGE[one.severity], class_=one.severity),
            one.title,
            f"{one.count:,}",
            one.examples[0] if one.examples else "",
            one.remedy,
        ]
        for one in findings
    ]
    return Element(
        "section",
        Element("h2", PAGE["health"], id="health-title"),
        Element("ul", *(Element("li", text) for text in lines)),
        table(PAGE["health"], heads, rows, "lllrll", wraps=True) if rows else Element("p", PAGE["nothing found"]),
        id="health",
        class_="card",
        aria_labelledby="health-title",
    )


def table(
    caption: Phrase, heads: Sequence[Cell], rows: Sequence[Sequence[Cell]], align: str, *, wraps: bool = False
) -> Element:
    """A table that scrolls by itself where the screen is narrow."""
    head = Element(
        "tr", *(Element("th", cell, scope="col", class_=f"{side}") for cell, side in zip(heads, align, strict=True))
    )
    body = [
        Element("tr", *(Element("td", cell, class_=side) for cell, side in zip(row, align, strict=True)))
        for row in rows
    ]
    made = Element(
        "table",
        Element("caption", caption, class_="away"),
        Element("thead", head),
        Element("tbody", *body),
        class_="wraps" if wraps else None,
    )
    return Element("div", made, class_="scrolls", tabindex="0", role="group", label=caption)
