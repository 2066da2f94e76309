"""The agreement of raters as a document and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rankgauge.judging.agreement import LEVELS, MEASURES
from rankgauge.judging.number import Number, number_table
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import decimal

if TYPE_CHECKING:
    from rankgauge.judging.agreement import RaterAgreement
    from rankgauge.judging.number import Bias

TEXTS = {
    "title": Phrase("Agreement of {raters}", "{raters} 的一致性"),
    "and": Phrase(" and ", " 与 "),
    "data": Phrase(
        "{pairs:# pair|# pairs} of query and item with two or more grades, {queries:# query|# queries}. Intervals "
        "({level:.0%}) resample queries, because items of one query are not independent.",
        "{pairs:,} 对查询与物品有两个或更多等级，共 {queries:,} 个查询。区间（{level:.0%}）对查询重抽样，"
        "因为同一查询的物品并不独立。",
    ),
    "interval": Phrase("interval", "区间"),
    "percent": Phrase("equal grades", "等级相同的比例"),
    "kappa": Phrase("kappa", "kappa"),
    "kappa_linear": Phrase("kappa, linear weights", "kappa（线性权重）"),
    "kappa_quadratic": Phrase("kappa, quadratic weights", "kappa（平方权重）"),
    "alpha_nominal": Phrase("Krippendorff's alpha, nominal", "Krippendorff alpha（定类）"),
    "alpha_ordinal": Phrase("Krippendorff's alpha, ordinal", "Krippendorff alpha（定序）"),
    "alpha_interval": Phrase("Krippendorff's alpha, interval", "Krippendorff alpha（定距）"),
    "ac1": Phrase("Gwet's AC1", "Gwet AC1"),
    "ac2": Phrase("Gwet's AC2, quadratic weights", "Gwet AC2（平方权重）"),
    "people": Phrase("kappa of the people among themselves", "人与人之间的 kappa"),
    "confusion": Phrase("Grades: rows {first}, columns {second}", "等级：行为 {first}，列为 {second}"),
    "grade": Phrase("grade", "等级"),
    "rates": Phrase("Share of each grade", "各等级的比例"),
    "rater": Phrase("rater", "评分者"),
    "thresholds": Phrase(
        "Relevant from a grade on: {second} against {first}", "以某等级起为相关：{second} 相对于 {first}"
    ),
    "from": Phrase("from", "起始等级"),
    "sensitivity": Phrase("sensitivity", "灵敏度"),
    "specificity": Phrase("specificity", "特异度"),
    "relevant by": Phrase("relevant by {rater}", "{rater} 认为相关"),
    "bias_by_grade": Phrase("Bias by grade: {second} minus {first}", "按等级的偏差：{second} 减 {first}"),
    "bias_by_rank": Phrase("Bias by rank: {second} minus {first}", "按名次的偏差：{second} 减 {first}"),
    "bias_by_system": Phrase(
        "Bias by system, {metric}: value by {second} minus value by {first}, less the mean of the other systems",
        "按系统的偏差，{metric}：{second}的值减{first}的值，再减其余系统的均值",
    ),
    "group grade": Phrase("grade by {first}", "{first} 的等级"),
    "group rank": Phrase("rank", "名次"),
    "group system": Phrase("system", "系统"),
    "count": Phrase("count", "个数"),
    "difference": Phrase("difference", "差值"),
    "p": Phrase("p (Holm)", "p（Holm）"),
    "regression": Phrase(
        "Where raters differ by chance alone, low grades look too high and high grades too low.",
        "即使只是偶然分歧，低等级也会显得偏高，高等级会显得偏低。",
    ),
}
NAMES = {"people": Phrase("people", "人"), "judge": Phrase("judge", "评判模型")}


def rater_names(raters: Sequence[str], lang: Lang) -> list[str]:
    """Return the names of raters; people and the judge have one in each language."""
    return [NAMES[rater].render(lang) if rater in NAMES else rater for rater in raters]


def agreement_data(found: RaterAgreement) -> dict[str, Any]:
    """Return everything as plain data."""
    data: dict[str, object] = {"raters": [*found.raters], "pairs": found.pairs.height, "queries": found.queries}
    data |= {"confidence": found.level, **{name: getattr(found, name).to_dict() for name in MEASURES}}
    data["alpha"] = {level: found.alpha(level).to_dict() for level in LEVELS}
    data["base_rates"] = {
        rater: {f"{grade:g}": share for grade, share in rates.items()} for rater, rates in found.base_rates.items()
    }
    if found.between_people is not None:
        data["between_people"] = agreement_data(found.between_people)
    if len(found.raters) == 2:  # noqa: PLR2004
        data["confusion"] = found.confusion.to_dicts()
        data["thresholds"] = [
            {
                name: value.to_dict() if isinstance(value, Number) else value
                for name, value in threshold._asdict().items()
            }
            for threshold in found.thresholds
        ]
        data["bias_by_grade"] = [bias_data(bias) for bias in found.bias_by_grade]
        data["bias_by_rank"] = [bias_data(bias) for bias in found.bias_by_rank]
    return data


def bias_data(bias: Bias) -> dict[str, object]:
    """Return one bias as plain data."""
    return {"group": bias.group, "size": bias.size, **bias.difference.to_dict(), "p": bias.p}


def agreement_document(found: RaterAgreement, lang: Lang, digits: int) -> Document:
    """Return the agreement as a page."""
    values = {"pairs": found.pairs.height, "queries": found.queries, "level": found.level}
    title = TEXTS["title"].render(lang, raters=TEXTS["and"].render(lang).join(rater_names(found.raters, lang)))
    blocks: list[Block] = [
        Heading(title),
        Paragraph(TEXTS["data"].render(lang, **values)),
        number_table(_measures(found, lang), lang, digits),
    ]
    if len(found.raters) == 2:  # noqa: PLR2004
        blocks += [*_confusion(found, lang), *_thresholds(found, lang, digits)]
        blocks += bias_blocks(found.bias_by_grade, "grade", found.raters, lang, digits)
        blocks.append(Paragraph(TEXTS["regression"].render(lang)))
        if found.bias_by_rank:
            blocks += bias_blocks(found.bias_by_rank, "rank", found.raters, lang, digits)
    else:
        blocks += [Heading(TEXTS["rates"].render(lang), 2), _rates(found, lang, digits)]
    return Document(blocks)


def _measures(found: RaterAgreement, lang: Lang) -> dict[str, Number]:
    """Return the measures by their names in a language."""
    numbers = {TEXTS[name].render(lang): number for name, number in found.numbers().items()}
    if found.between_people is not None:
        numbers[TEXTS["people"].render(lang)] = found.between_people.kappa
    return numbers


def _confusion(found: RaterAgreement, lang: Lang) -> list[Block]:
    first, second = rater_names(found.raters, lang)
    title = TEXTS["confusion"].render(lang, first=first, second=second)
    columns = [first, *found.confusion.columns[1:]]
    rows = [[str(row[0]), *(f"{count:,}" for count in row[1:])] for row in found.confusion.iter_rows()]
    return [Heading(title, 2), Table(columns, rows, align="r" * len(columns))]


def _rates(found: RaterAgreement, lang: Lang, digits: int) -> Table:
    grades = [f"{grade:g}" for grade in found.grades]
    rows = [[rater, *(decimal(share, digits) for share in rates.values())] for rater, rates in found.base_rates.items()]
    return Table([TEXTS["rater"].render(lang), *grades], rows, align="l" + "r" * len(grades))


def _thresholds(found: RaterAgreement, lang: Lang, digits: int) -> list[Block]:
    if not found.thresholds:
        return []
    first, second = rater_names(found.raters, lang)
    keys = ("kappa", "sensitivity", "specificity")
    titles = [TEXTS["from"].render(lang)]
    for key in keys:
        titles += [TEXTS[key].render(lang), TEXTS["interval"].render(lang)]
    titles += [TEXTS["relevant by"].render(lang, rater=rater) for rater in (first, second)]
    rows = [
        [
            f"{at.threshold:g}",
            *(cell for key in keys for cell in getattr(at, key).cells(digits)),
            decimal(at.first_rate, digits),
            decimal(at.second_rate, digits),
        ]
        for at in found.thresholds
    ]
    title = TEXTS["thresholds"].render(lang, first=first, second=second)
    return [Heading(title, 2), Table(titles, rows, align="r" * len(titles))]


def bias_blocks(
    rows: Sequence[Bias], by: str, raters: Sequence[str], lang: Lang, digits: int, metric: str = ""
) -> list[Block]:
    """Return a heading and a table of biases."""
    first, second = rater_names(raters, lang)
    names = {"first": first, "second": second}
    keys = ("count", "difference", "interval", "p")
    titles = [TEXTS[f"group {by}"].render(lang, **names), *(TEXTS[key].render(lang) for key in keys)]
    cells = [
        [
            row.group,
            f"{row.size:,}",
            *row.difference.cells(digits, signed=True),
            f"{row.p:.2g}" if row.p == row.p else "–",
        ]
        for row in rows
    ]
    title = TEXTS[f"bias_by_{by}"].render(lang, metric=metric, **names)
    return [Heading(title, 2), Table(titles, cells, align="lrrrr")]
