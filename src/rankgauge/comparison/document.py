"""A comparison as a document: verdict, leaderboard, pairs, notes on the method, and the definitions used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.comparison.caveats import changed_by_people
from rankgauge.comparison.metric_comparison import LeaderboardRow, QueryComparison
from rankgauge.comparison.pair import Pair, SystemPair
from rankgauge.comparison.settings import Settings
from rankgauge.comparison.statistics import PAIR_STATISTICS, SYSTEM_STATISTICS, Kind, Statistic
from rankgauge.comparison.verdict import MANY, MESSAGES, verdict
from rankgauge.evaluation.score_document import catalogue_notes, definitions_of_values, shown_order_rows, system_notes
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.rendering.number_texts import decimal, number, p_text, percent
from rankgauge.stats.corrections import P_CORRECTIONS
from rankgauge.stats.paired_tests import smallest_p
from rankgauge.stats.rank_groups import group_names

if TYPE_CHECKING:
    from rankgauge.comparison.comparison import Comparison

NAMED = 3
"""Number of systems that a sentence names before it counts the rest."""
CORRECTIONS = {
    "holm": Phrase("Holm", "Holm"),
    "bh": Phrase("Benjamini-Hochberg", "Benjamini-Hochberg"),
    "bonferroni": Phrase("Bonferroni", "Bonferroni"),
    "tukey": Phrase("Tukey's HSD with queries as blocks", "以查询为区组的 Tukey HSD"),
    "randomised_tukey": Phrase("randomised Tukey HSD", "随机化 Tukey HSD"),
    "none": Phrase("no correction", "不校正"),
}


NOTES = {
    "narrow": Phrase("Left out at this width: {columns}.", "宽度不足，未显示：{columns}。"),
    "left out": Phrase(
        "{count:# query does|# queries do} not have a value for every system ({systems}) and {count:is|are} left out "
        "for all.",
        "{count:,} 个查询并非所有系统都有值（{systems}），对所有系统均不计入。",
    ),
    "lacks": Phrase("{system} lacks {count}", "{system} 缺 {count}"),
    "how": Phrase(
        "{queries:# query|# queries}. {level} intervals: {means}, of differences by Student's t, each comparison "
        "on its own. p: {tests}. {correction}.",
        "{queries:,} 个查询。{level} 区间：{means}，差异按 Student t 分布，逐个比较计算。p：{tests}。{correction}。",
    ),
    "bounded": Phrase(
        "of means by Wilson's score with the effective number of queries", "均值按有效查询数的 Wilson 得分法"
    ),
    "unbounded": Phrase("of means by Student's t", "均值按 Student t 分布"),
    "how corpus": Phrase(
        "{metric} is a corpus-level value, so there is no test by query. {level} intervals and p by resampling the "
        "{queries:only query|# queries}, the same for all systems ({count:,} bootstrap samples, seed {seed}), each "
        "comparison on its own. {correction}.",
        "{metric} 是全部查询的总体值，无法逐个查询检验。{level} 区间与 p 由对 {queries:,} 个查询自助抽样得出，"
        "所有系统使用相同的样本（{count:,} 次，种子 {seed}），逐个比较计算。{correction}。",
    ),
    "corrected": Phrase("Corrected for all {pairs:# pair|# pairs}: {how}", "对全部 {pairs:,} 个比较校正：{how}"),
    "corrected baseline": Phrase(
        "Corrected for {pairs:# comparison|# comparisons} with the baseline: {how}",
        "对与基线的 {pairs:,} 个比较校正：{how}",
    ),
    "one pair": Phrase("One pair: nothing to correct", "只有一个比较：无需校正"),
    "flips": Phrase("{count:,} sign flips, seed {seed}", "{count:,} 次符号翻转，种子 {seed}"),
    "exact": Phrase("all signs", "全部符号组合"),
    "groups": Phrase(
        "Systems that share a group do not differ significantly (all pairs, {correction}, alpha {alpha:g}). Rank "
        "intervals: {level} of {count:,} bootstrap samples of the queries.",
        "同组的系统之间无显著差异（所有比较，{correction}，alpha {alpha:g}）。名次区间：对查询自助抽样 "
        "{count:,} 次中的 {level}。",
    ),
    "ranks": Phrase(
        "Rank intervals: {level} of {count:,} bootstrap samples of the queries.",
        "名次区间：对查询自助抽样 {count:,} 次中的 {level}。",
    ),
    "detectable": Phrase(
        "The smallest difference detectable on these queries with {power} power is {size}{pairs}.",
        "用这些查询，功效 {power} 时可检出的最小差异为 {size}{pairs}。",
    ),
    "undetectable": Phrase(
        "On these queries no difference that {metric} allows is detectable with {power} power.",
        "用这些查询，功效 {power} 时，{metric} 取值范围内的任何差异都检不出。",
    ),
    "by pair": Phrase(" (up to {largest}, depending on the pair)", "（因比较而异，最大 {largest}）"),
    "first": Phrase("{name} (the first system: no baseline was named)", "{name}（未指定基线，取第一个系统）"),
    "against": Phrase(
        "Of {count:# system|# systems} compared with {baseline}, {better:# is|# are} better, {worse:# is|# are} worse "
        "and {same:# does|# do} not differ significantly from it ({family}).",
        "与 {baseline} 相比的 {count} 个系统中，{better} 个更好，{worse} 个更差，{same} 个与之无显著差异（{family}）。",
    ),
    "too few": Phrase(
        "No difference counts as significant: with {queries:# query|# queries} the p-value of the randomisation test "
        "cannot fall below {smallest}, whatever the t test gives.",
        "任何差异都不算显著：只有 {queries:,} 个查询时，无论 t 检验结果如何，随机化检验的 p 值都不会低于 {smallest}。",
    ),
    "averaging": Phrase(
        "Compared by the arithmetic mean over queries, although {metric} is aggregated differently.",
        "按各查询的算术平均进行比较，尽管 {metric} 的汇总方式不同。",
    ),
    "caveat": Phrase("{second} − {first}: {caveat}", "{second} − {first}：{caveat}"),
    "lower": Phrase("Lower is better.", "越低越好。"),
    "rule": Phrase("{metric}: {rules}", "{metric}：{rules}"),
}


def overall_verdict(comparison: Comparison, metric: str, lang: str) -> str:
    """Return the verdict for a metric: on the pair, or on the best of several systems."""
    language = check_lang(lang)
    if len(comparison.systems) == 2:  # noqa: PLR2004 (a pair)
        return verdict(comparison.pairs(metric)[0], language)
    best, *rest = comparison.leaderboard(metric)
    by_baseline = not comparison.covers_all_pairs()
    pairs = {pair.second: pair for pair in comparison.pairs(metric)}
    shared = [row.system for row in rest if {*best.group} & {*row.group}]
    if by_baseline and best.system == comparison.baseline:
        shared = [row.system for row in rest if not pairs[row.system].significant]
    statistics = {statistic.key: statistic for statistic in SYSTEM_STATISTICS}
    values = {
        "metric": metric,
        "system": best.system,
        "what": statistics["mean"].title_of(comparison.statistics(metric).kind),
        "mean": number(best.mean, f".{comparison.settings.digits}f"),
        "count": len(comparison.systems),
        "family": family_phrase(comparison, comparison.pairs(metric)),
        "baseline": comparison.baseline,
    }
    if by_baseline and best.system != comparison.baseline:
        key = "best differs" if pairs[best.system].significant else "best shares"
        return MESSAGES[key].render(language, **values)
    if not shared:
        return MESSAGES["leads"].render(language, **values)
    others = ("、" if language == "zh" else ", ").join(shared[:NAMED])
    if len(shared) > NAMED:
        others = MESSAGES["others"].render(language, names=others, more=len(shared) - NAMED)
    elif len(shared) > 1 and language == "en":
        others = f"{', '.join(shared[:-1])} and {shared[-1]}"
    return MESSAGES["shares"].render(language, **values, others=others)


def family_phrase(comparison: Comparison, pairs: Sequence[SystemPair], *, all_pairs: bool = False) -> Phrase:
    """Return how many comparisons the p-values of these pairs are corrected for, and how."""
    covers_all = comparison.covers_all_pairs(all_pairs) or comparison.settings.correction not in P_CORRECTIONS
    key = "one pair" if pairs[0].family == 1 else "corrected" if covers_all else "corrected baseline"
    phrase = NOTES[key].fill(pairs=pairs[0].family, how=CORRECTIONS[comparison.settings.correction])
    en = phrase.render("en")
    return Phrase(en[:1].lower() + en[1:], phrase.render("zh"))


def too_few_phrase(comparison: Comparison, metric: str) -> Phrase | None:
    """Return that the queries are too few for any difference to be significant; None if they are not."""
    queries = comparison.statistics(metric).queries
    smallest = smallest_p(queries)
    if smallest < comparison.settings.alpha:
        return None
    return NOTES["too few"].fill(queries=queries, smallest=p_text(smallest))


def comparison_document(comparison: Comparison, lang: Lang, *, all_pairs: bool) -> Document:
    """Return the document of all metrics, one after the other."""
    blocks: list[Block] = []
    for metric in comparison.metrics:
        blocks += _metric_blocks(comparison, metric, lang, all_pairs=all_pairs)
    if comparison.corrected is not None:
        from rankgauge.judging.corrected_document import people_blocks  # noqa: PLC0415 (only for labels of people)

        blocks += people_blocks(comparison.corrected, lang, comparison.settings.digits, comparison.baseline)
    if comparison.scores is not None and comparison.scores.from_values:
        blocks += map(Paragraph, definitions_of_values(comparison.scores, lang))
    elif comparison.scores is not None:
        rules, triggered = comparison.scores.convention, comparison.scores.triggered_rules
        blocks += [
            Paragraph(NOTES["rule"].render(lang, metric=name, rules=metric.short_line(rules, lang, triggered)))
            for name, metric in comparison.parsed_metrics.items()
        ]
        blocks += [Paragraph((": ", "：")[lang == "zh"].join(row)) for row in shown_order_rows(triggered, lang)]
        blocks += map(Paragraph, catalogue_notes(comparison.scores, lang) + system_notes(comparison.scores, lang))
    return Document(blocks)


def _metric_blocks(comparison: Comparison, metric: str, lang: Lang, *, all_pairs: bool) -> list[Block]:
    pairs = comparison.pairs(metric, all_pairs=all_pairs)
    sentences = [overall_verdict(comparison, metric, lang)]
    if len(comparison.systems) > 2 and not all_pairs:  # noqa: PLR2004 (the verdict on a pair says it all)
        better, worse = (sum(pair.significant and pair.gain * sign > 0 for pair in pairs) for sign in (1, -1))
        family = family_phrase(comparison, pairs)
        counts = {
            "family": family,
            "count": len(pairs),
            "better": better,
            "worse": worse,
            "same": len(pairs) - better - worse,
        }
        sentences.append(NOTES["against"].render(lang, baseline=baseline_name(comparison), **counts))
        if len(pairs) <= NAMED:
            sentences += [verdict(pair, lang) for pair in pairs]
    return [
        Heading(metric),
        *map(Paragraph, sentences),
        *(Paragraph(caveat.render(lang)) for caveat in decisive_caveats(comparison, metric, pairs)),
        leaderboard_table(comparison, metric, lang, all_pairs=all_pairs),
        pair_table(pairs, lang),
        *map(Paragraph, _notes(comparison, metric, pairs, lang, all_pairs)),
    ]


def baseline_name(comparison: Comparison) -> Phrase:
    """Return the baseline; of several systems, that it is the first one if none was named."""
    name = Phrase(comparison.baseline, comparison.baseline)
    is_first = comparison.covers_all_pairs() and len(comparison.systems) > 2  # noqa: PLR2004 (a pair needs no baseline)
    return NOTES["first"].fill(name=name) if is_first else name


def decisive_caveats(comparison: Comparison, metric: str, pairs: Sequence[SystemPair]) -> list[Phrase]:
    """Return the caveats of the pairs with a verdict: all if they are few, else the best system and the baseline."""
    of_all: list[Phrase] = []
    if len(pairs) > NAMED:
        of_all = changed_by_people(comparison, pairs)
        best = comparison.leaderboard(metric)[0].system
        pairs = [pair for pair in pairs if {pair.first, pair.second} == {best, comparison.baseline}]
    if len(comparison.systems) == 2:  # noqa: PLR2004 (no doubt which pair)
        return [caveat for pair in pairs for caveat in comparison.caveats_of(pair)]
    return of_all + [
        NOTES["caveat"].fill(second=pair.second, first=pair.first, caveat=caveat)
        for pair in pairs
        for caveat in comparison.caveats_of(pair)
    ]


def leaderboard_table(comparison: Comparison, metric: str, lang: Lang, *, all_pairs: bool = False) -> Table:
    """Return the systems, best first; with groups unless p-values are corrected for pairs with the baseline only."""
    board, kind = comparison.leaderboard(metric), comparison.statistics(metric).kind
    rows = [
        row._replace(group=group) for row, group in zip(board, group_names([row.group for row in board]), strict=True)
    ]
    grouped = comparison.covers_all_pairs(all_pairs)
    columns = [statistic for statistic in SYSTEM_STATISTICS if grouped or statistic.key != "group"]
    return _table(columns, rows, kind, lang, comparison.settings)


def pair_table(pairs: Sequence[SystemPair], lang: Lang) -> Table:
    """Return differences with intervals, effect sizes, wins and p-values."""
    return _table(PAIR_STATISTICS, pairs, pairs[0].kind, lang, pairs[0].settings)


def _table(
    statistics: Sequence[Statistic],
    rows: Sequence[LeaderboardRow] | Sequence[SystemPair],
    kind: Kind,
    lang: Lang,
    settings: Settings,
) -> Table:
    columns, level = [statistic for statistic in statistics if statistic.is_shown(kind)], percent(1 - settings.alpha)
    titles = [column.title_of(kind).render(lang, level=level) for column in columns]
    cells = [[column.cell(row, f".{settings.digits}f") for column in columns] for row in rows]
    return Table(
        titles,
        cells,
        "".join(column.align for column in columns),
        keys=tuple(column.key for column in columns),
        optional=[*compress(titles, [column.optional for column in columns])],
        left_out=NOTES["narrow"].render(lang, columns="{columns}"),
    )


def _notes(comparison: Comparison, metric: str, pairs: Sequence[SystemPair], lang: Lang, all_pairs: bool) -> list[str]:
    settings, statistics = comparison.settings, comparison.statistics(metric)
    level, method = percent(1 - settings.alpha), CORRECTIONS[settings.correction]
    family = family_phrase(comparison, pairs, all_pairs=all_pairs).render(lang)
    correction = family[:1].upper() + family[1:]
    shared = {"queries": statistics.queries, "level": level, "correction": correction}
    notes = [] if statistics.higher_is_better else [NOTES["lower"].render(lang)]
    too_few = too_few_phrase(comparison, metric)
    notes += [] if too_few is None else [too_few.render(lang)]
    values: dict[str, object] = asdict(settings)
    if isinstance(statistics, QueryComparison):
        tested = [pair for pair in pairs if isinstance(pair, Pair)]
        notes += _query_notes(comparison, statistics, tested, lang)
        randomisation = NOTES["exact" if all(pair.exact for pair in tested) else "flips"]
        values["randomisation"] = randomisation.fill(count=statistics.flips, seed=settings.seed)
        means = NOTES["bounded" if np.isfinite(statistics.bounds).all() else "unbounded"]
        how = NOTES["how"].render(lang, **shared, means=means, tests=_tests(values, lang))
    else:
        setting_values = {"metric": metric, "count": statistics.resamples, "seed": settings.seed}
        how = NOTES["how corpus"].render(lang, **shared, **setting_values)
    described = [each for each in (*SYSTEM_STATISTICS, *PAIR_STATISTICS) if each.is_shown(statistics.kind)]
    further = [each.note.render(lang, **values) for each in described if each.note is not None]
    groups = {"correction": method, "alpha": settings.alpha, "level": level, "count": statistics.resamples}
    key = "groups" if comparison.covers_all_pairs(all_pairs) else "ranks"
    return [*notes, ("" if lang == "zh" else " ").join([how, *further]), NOTES[key].render(lang, **groups)]


def _tests(values: Mapping[str, object], lang: Lang) -> str:
    """Return the tests whose p-values the table of pairs shows, as an enumeration."""
    shown = [each for each in PAIR_STATISTICS if each.is_shown("query")]
    *tests, last = [each.test.render(lang, **values) for each in shown if each.test is not None]
    return f"{'、'.join(tests)}，以及{last}" if lang == "zh" else f"{', '.join(tests)} and {last}"


def _query_notes(comparison: Comparison, statistics: QueryComparison, pairs: Sequence[Pair], lang: Lang) -> list[str]:
    notes, scores = [], comparison.scores
    if scores is not None and not comparison.parsed_metrics[statistics.name].definition.summary.is_mean(
        scores.convention
    ):
        notes.append(NOTES["averaging"].render(lang, metric=statistics.name))
    if lacking := statistics.left_out:
        systems = [NOTES["lacks"].render(lang, system=name, count=count) for name, count in lacking.items()]
        notes.append(NOTES["left out"].render(lang, count=statistics.queries_left_out, systems=", ".join(systems)))
    if detectable := [pair.detectable for pair in pairs if pair.detectable > 0]:
        smallest, largest = (decimal(end(detectable), comparison.settings.digits) for end in (min, max))
        by_pair = NOTES["by pair"].render(lang, largest=largest) if largest != smallest else ""
        power = percent(comparison.settings.power)
        key = "undetectable" if min(detectable) > pairs[0].widest else "detectable"
        texts = {"size": smallest, "power": power, "pairs": by_pair, "metric": statistics.name}
        notes.append(NOTES[key].render(lang, **texts))
    if statistics.queries >= MANY:
        notes.append(MESSAGES["many"].render(lang, queries=statistics.queries))
    return notes
