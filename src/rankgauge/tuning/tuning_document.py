"""A tuning as a document: the verdict, the estimates, the settings, and how it was done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import decimal, interval_text

if TYPE_CHECKING:
    from rankgauge.tuning.tuning import Tuning

MESSAGES = {
    "title": Phrase("{count:# setting|# settings} tuned by {metric}", "按 {metric} 在 {count:,} 个设置中选择"),
    "keep best": Phrase(
        "Keep the default ({baseline}): no setting is better on these queries.",
        "保留默认设置（{baseline}）：在这些查询上没有更好的设置。",
    ),
    "keep": Phrase(
        "Keep the default ({baseline}): {chosen} looks better by {naive} on the {queries:query|# queries} it was "
        "chosen by, but on other queries tuning is worth {gain} {interval}, which may be nothing.",
        "保留默认设置（{baseline}）：{chosen} 在选出它的 {queries:,} 个查询上看似好 {naive}，"
        "但在其他查询上调参的收益为 {gain} {interval}，可能为零。",
    ),
    "worse": Phrase(
        "Keep the default ({baseline}): tuning on {queries:# query|# queries} makes it worse on others, "
        "{gain} {interval}.",
        "保留默认设置（{baseline}）：用 {queries:,} 个查询调参会使其他查询变差，{gain} {interval}。",
    ),
    "use": Phrase(
        "Use {chosen}: on queries it was not chosen by, tuning is worth {gain} {interval} over the default "
        "({baseline}); the {naive} on the queries it was chosen by {flatter}.",
        "采用 {chosen}：在未参与选择的查询上，调参比默认设置（{baseline}）好 {gain} {interval}；"
        "而在选出它的查询上看到的是 {naive}{flatter}。",
    ),
    "flatters": Phrase("are too good by {optimism}", "，高估了 {optimism}"),
    "fits": Phrase("are no exaggeration", "，没有高估"),
    "limited": Phrase(
        "The default is outside the limits; the best setting within them is {chosen}, worth {gain} {interval} against "
        "it on other queries.",
        "默认设置不满足限制；限制内最好的设置是 {chosen}，在其他查询上与默认设置相差 {gain} {interval}。",
    ),
    "value": Phrase("value", "值"),
    "interval": Phrase("{level} interval", "{level} 区间"),
    "naive": Phrase("chosen setting, on the queries it was chosen by (naive)", "所选设置在选出它的查询上的值（naive）"),
    "honest": Phrase("tuned procedure, on other queries (honest)", "调参过程在其他查询上的值（honest）"),
    "default": Phrase("default", "默认设置"),
    "naive gain": Phrase("naive gain over the default", "相对默认设置的表面收益"),
    "gain": Phrase("cross-validated gain over the default", "相对默认设置的交叉验证收益"),
    "optimism": Phrase("optimism (naive - honest)", "高估（naive − honest）"),
    "plateau": Phrase(
        "{count:# setting|# settings} of {all:,} could be the best (Hsu's multiple comparisons, {level}); {cheapest} "
        "is the cheapest.",
        "{all:,} 个设置中有 {count:,} 个可能是最好的（Hsu 多重比较，{level}）；其中成本最低的是 {cheapest}。",
    ),
    "first": Phrase(
        "{count:# setting|# settings} of {all:,} could be the best (Hsu's multiple comparisons, {level}); {cheapest} "
        "is the first.",
        "{all:,} 个设置中有 {count:,} 个可能是最好的（Hsu 多重比较，{level}）；其中最先列出的是 {cheapest}。",
    ),
    "limits": Phrase(
        "{count:,} of {all:# setting|# settings} are within the limits.", "{all:,} 个设置中有 {count:,} 个满足限制。"
    ),
    "how": Phrase(
        "Cross-validation: {folds} folds, {repeats:# partition|# partitions} of {units:,} {what}; the interval is a "
        "bootstrap of the whole procedure ({resamples:,} samples, seed {seed}) in which copies of a query stay in one "
        "fold. Ties go to the setting declared first.",
        "交叉验证：{units:,} 个{what}，{folds} 折，划分 {repeats:,} 次；区间由对整个过程的 bootstrap"
        "（{resamples:,} 次抽样，种子 {seed}）得出，同一查询的副本始终在同一折内。并列时取先声明的设置。",
    ),
    "queries": Phrase("queries", "查询"),
    "clusters": Phrase("clusters of queries", "查询分组"),
    "method": Phrase("Method of fusion: {method}.", "融合方法：{method}。"),
    "rules": Phrase("Definition used: {rules}", "所用定义：{rules}"),
    "more": Phrase("The best {shown:,} of {all:# setting|# settings}.", "{all:,} 个设置中最好的 {shown:,} 个。"),
    "yes": Phrase("yes", "是"),
    "no": Phrase("", ""),
}
COLUMNS = {
    "setting": Phrase("setting", "设置"),
    "mean": Phrase("mean", "均值"),
    "gain": Phrase("gain", "收益"),
    "chosen": Phrase("chosen", "被选比例"),
    "plateau": Phrase("could be best", "可能最好"),
    "front": Phrase("on the front", "在前沿上"),
}


def verdict(tuning: Tuning) -> Phrase:
    """Return the verdict in both languages."""
    chosen, default = (tuning.settings[place].name for place in (tuning.procedure.chosen, tuning.baseline_place))
    gain = tuning.gain
    values: dict[str, Any] = {
        "chosen": chosen,
        "baseline": default,
        "naive": decimal(tuning.naive_gain, 4, "+"),
        "gain": decimal(gain.value, 4, "+"),
        "interval": interval_text((gain.low, gain.high), "+.4f"),
        "queries": len(tuning.queries),
    }
    if tuning.baseline_place not in tuning.allowed.tolist():
        return MESSAGES["limited"].fill(**values)
    if tuning.procedure.chosen == tuning.baseline_place:
        return MESSAGES["keep best"].fill(**values)
    if gain.low > 0:
        flatters = tuning.optimism > 0
        optimism = decimal(tuning.optimism, 4)
        flatter = MESSAGES["flatters" if flatters else "fits"].fill(optimism=optimism)
        return MESSAGES["use"].fill(**values, flatter=flatter)
    return MESSAGES["worse" if gain.high < 0 else "keep"].fill(**values)


def tuning_document(tuning: Tuning, lang: Lang, digits: int, rows: int | None) -> Document:
    """Return the document of a tuning."""
    blocks: list[Block] = [
        Heading(MESSAGES["title"].render(lang, count=len(tuning.settings), metric=tuning.metric)),
        Paragraph(verdict(tuning).render(lang)),
        _estimates(tuning, lang, digits),
        *map(Paragraph, _sentences(tuning, lang)),
        *_settings(tuning, lang, digits, rows),
        *map(Paragraph, _method(tuning, lang)),
    ]
    return Document(blocks)


def _estimates(tuning: Tuning, lang: Lang, digits: int) -> Table:
    level = f"{1 - tuning.options.alpha:.0%}"
    columns = ["", MESSAGES["value"].render(lang), MESSAGES["interval"].render(lang, level=level)]

    honest, gain = tuning.honest, tuning.gain
    rows = [
        ["default", decimal(float(tuning.values[:, tuning.baseline_place].mean()), digits), ""],
        ["naive", decimal(tuning.naive, digits), ""],
        ["honest", decimal(honest.value, digits), interval_text((honest.low, honest.high), f".{digits}f")],
        ["naive gain", decimal(tuning.naive_gain, digits, "+"), ""],
        ["gain", decimal(gain.value, digits, "+"), interval_text((gain.low, gain.high), f"+.{digits}f")],
        ["optimism", decimal(tuning.optimism, digits, "+"), ""],
    ]
    return Table(columns, [[MESSAGES[key].render(lang), *cells] for key, *cells in rows], align="lrr")


def _sentences(tuning: Tuning, lang: Lang) -> list[str]:
    values = {
        "count": len(tuning.plateau_places),
        "all": len(tuning.allowed),
        "level": f"{1 - tuning.options.alpha:.0%}",
    }
    cheapest = tuning.settings[tuning.cheapest_place].name
    sentences = [MESSAGES["plateau" if tuning.costs else "first"].render(lang, **values, cheapest=cheapest)]
    if len(tuning.allowed) < len(tuning.settings):
        sentences.append(MESSAGES["limits"].render(lang, count=len(tuning.allowed), all=len(tuning.settings)))
    return sentences


def _settings(tuning: Tuning, lang: Lang, digits: int, rows: int | None) -> list[Block]:
    """Return the table of the settings, the best first, with the baseline and the chosen one among them."""
    records = tuning.rows()
    better = 1 if tuning.metric.definition.higher_is_better else -1
    order = sorted(range(len(records)), key=lambda place: -better * records[place]["mean"])
    listed = order if rows is None else order[:rows]
    listed += [tuning.baseline_place] if tuning.baseline_place not in listed else []
    keys = ["setting", "mean", "gain", "chosen", "plateau", *tuning.costs, *(["front"] if tuning.costs else [])]
    cells = [[_cell(key, records[place][key], digits, lang) for key in keys] for place in listed]
    columns = [COLUMNS[key].render(lang) if key in COLUMNS else key for key in keys]
    table = Table(columns, cells, align="lrrrl" + "r" * (len(keys) - 5))
    note = (
        []
        if len(listed) == len(order)
        else [Paragraph(MESSAGES["more"].render(lang, shown=len(listed), all=len(order)))]
    )
    return [table, *note]


def _cell(key: str, value: Any, digits: int, lang: Lang) -> str:
    if isinstance(value, bool):
        return MESSAGES["yes" if value else "no"].render(lang)
    if key in {"chosen", "front"}:
        return f"{value:.1%}"
    if key == "gain":
        return decimal(value, digits, "+")
    return decimal(value, digits) if key == "mean" else value if isinstance(value, str) else f"{value:g}"


def _method(tuning: Tuning, lang: Lang) -> list[str]:
    options, metric = tuning.options, tuning.metric
    what = MESSAGES["queries" if options.units == len(tuning.queries) else "clusters"]
    how = MESSAGES["how"].render(lang, **options._asdict(), what=what)
    fused = [MESSAGES["method"].render(lang, method=options.method)] if options.method else []
    line = metric.short_line(tuning.scores.convention, lang)
    rules = [] if tuning.scores.from_values else [MESSAGES["rules"].render(lang, rules=line)]
    return [how, *fused, *rules]
