"""The comparison as a document: verdict first, then the leaderboard, the pairs, and the rules in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.comparison.leaderboard import LeaderboardRow
from rankgauge.comparison.pair import Pair, SystemPair
from rankgauge.comparison.query_comparison import QueryComparison
from rankgauge.comparison.verdict import MANY, WORDS, p_text, percent, verdict
from rankgauge.metric_core.notation import parse
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase, check_lang
from rankgauge.stats.intervals import Interval

if TYPE_CHECKING:
    from rankgauge.comparison.comparison import Comparison
    from rankgauge.comparison.metric_comparison import MetricComparison

NAMED = 3
"""How many systems a sentence names before it counts the rest."""
CORRECTIONS = {
    "holm": Phrase("Holm", "Holm"),
    "bh": Phrase("Benjamini-Hochberg", "Benjamini-Hochberg"),
    "bonferroni": Phrase("Bonferroni", "Bonferroni"),
    "tukey": Phrase("Tukey's HSD with queries as blocks", "以查询为区组的 Tukey HSD"),
    "randomised_tukey": Phrase("randomised Tukey HSD", "随机化 Tukey HSD"),
    "none": Phrase("no correction", "不校正"),
}
HEADS = {
    "rank": Phrase("rank", "名次"),
    "system": Phrase("system", "系统"),
    "mean": Phrase("mean", "均值"),
    "interval": Phrase("{level} interval", "{level} 区间"),
    "median": Phrase("median", "中位数"),
    "sd": Phrase("sd", "标准差"),
    "ranks": Phrase("rank interval", "名次区间"),
    "group": Phrase("group", "组"),
    "against": Phrase("{second} − {first}", "{second} − {first}"),
    "pair": Phrase("pair", "比较"),
    "difference": Phrase("difference", "差异"),
    "d_z": Phrase("d_z", "d_z"),
    "w/t/l": Phrase("W/T/L", "胜/平/负"),
    "value": Phrase("value", "值"),
    "p bootstrap": Phrase("p (bootstrap)", "p（自助法）"),
    "p t": Phrase("p (t)", "p（t）"),
    "p randomisation": Phrase("p (rand.)", "p（随机化）"),
    "p corrected": Phrase("p corrected", "p 校正"),
}
NOTES = {
    "left out": Phrase(
        "{count} queries have no value for every system ({systems}) and are left out for all.",
        "{count} 个查询并非所有系统都有值（{systems}），对所有系统均不计入。",
    ),
    "lacks": Phrase("{system} lacks {count}", "{system} 缺 {count}"),
    "how": Phrase(
        "{queries} queries. Intervals of {level} by Student's t, for each comparison alone. p: paired t test, and "
        "randomisation ({randomisation}). {correction}. W/T/L: queries won, tied (up to {tie:g}) and lost.",
        "{queries} 个查询。{level} 区间由学生氏 t 得出，逐个比较计算。p：配对 t 检验，以及随机化检验"
        "（{randomisation}）。{correction}。胜/平/负：获胜、持平（不超过 {tie:g}）与落败的查询数。",
    ),
    "how whole": Phrase(
        "{metric} is one number of all queries together, so nothing can be tested query by query. Intervals of {level} "
        "and p by drawing the {queries} queries anew, the same for all systems ({count:,} bootstrap samples, seed "
        "{seed}), for each comparison alone. {correction}.",
        "{metric} 是所有查询合在一起的一个数，无法逐个查询检验。{level} 区间与 p 由对 {queries} 个查询自助抽样得出，"
        "所有系统使用相同的样本（{count:,} 次，种子 {seed}），逐个比较计算。{correction}。",
    ),
    "corrected": Phrase("Corrected for {pairs} pairs: {how}", "对 {pairs} 个比较校正：{how}"),
    "one pair": Phrase("One pair: nothing to correct", "只有一个比较：无需校正"),
    "flips": Phrase("{count:,} sign flips, seed {seed}", "{count:,} 次符号翻转，种子 {seed}"),
    "exact": Phrase("all signs", "全部符号组合"),
    "groups": Phrase(
        "Systems that share a letter cannot be told apart (all pairs, {correction}, alpha {alpha:g}). Rank intervals: "
        "{level} of {count:,} bootstrap samples of the queries.",
        "字母相同的系统无法区分（所有比较，{correction}，alpha {alpha:g}）。名次区间：对查询自助抽样 "
        "{count:,} 次中的 {level}。",
    ),
    "detectable": Phrase(
        "With these queries a difference of {size} would have been found with {power} chance{pairs}.",
        "用这些查询，{size} 的差异有 {power} 的机会被发现{pairs}。",
    ),
    "by pair": Phrase(" (by pair, up to {largest})", "（因比较而异，最多 {largest}）"),
    "against": Phrase(
        "Of {count} systems compared with {baseline}, {better} are better, {worse} are worse and {same} cannot be told "
        "apart from it.",
        "与 {baseline} 相比的 {count} 个系统中，{better} 个更好，{worse} 个更差，{same} 个无法与之区分。",
    ),
    "averaging": Phrase(
        "Compared by the arithmetic mean over queries, although {metric} is not summed up so.",
        "按各查询的算术平均进行比较，尽管 {metric} 并非如此汇总。",
    ),
    "lower": Phrase("Lower is better.", "越低越好。"),
    "rule": Phrase("{metric}: {rules}", "{metric}：{rules}"),
}


def overall(comparison: Comparison, metric: str, lang: str) -> str:
    """The sentence for a metric: of the pair, or of the best of several systems."""
    spoken = check_lang(lang)
    if len(comparison.systems) == 2:  # noqa: PLR2004 (a pair)
        return verdict(comparison.pairs(metric)[0], spoken)
    best, *rest = comparison.leaderboard(metric)
    shared = [one.system for one in rest if {*best.group} & {*one.group}]
    named = {
        "metric": metric,
        "system": best.system,
        "what": HEADS["mean" if comparison.statistics(metric).has_query_values else "value"].render(spoken),
        "mean": number(best.mean, ".4f"),
        "count": len(comparison.systems),
    }
    if not shared:
        return WORDS["leads"].render(spoken, **named)
    comma = "、" if spoken == "zh" else ", "
    others = comma.join(shared[:NAMED])
    if len(shared) > NAMED:
        others = WORDS["others"].render(spoken, named=others, more=len(shared) - NAMED)
    return WORDS["shares"].render(spoken, **named, others=others)


def page(comparison: Comparison, lang: Lang, *, every: bool) -> Document:
    """All metrics, one after the other."""
    blocks: list[Block] = []
    for metric in comparison.metrics:
        blocks += _of_metric(comparison, metric, lang, every=every)
    if comparison.scores is not None:
        rules = comparison.scores.convention
        blocks += [
            Paragraph(NOTES["rule"].render(lang, metric=metric, rules=parse(metric).line(rules, lang)))
            for metric in comparison.metrics
        ]
    return Document(blocks)


def _of_metric(comparison: Comparison, metric: str, lang: Lang, *, every: bool) -> list[Block]:
    board, pairs = comparison.leaderboard(metric), comparison.pairs(metric, every=every)
    sentences = [overall(comparison, metric, lang)]
    if len(comparison.systems) > 2 and not every:  # noqa: PLR2004 (a pair has said it all)
        better, worse = (sum(pair.significant and pair.gain * sign > 0 for pair in pairs) for sign in (1, -1))
        counts = {"count": len(pairs), "better": better, "worse": worse, "same": len(pairs) - better - worse}
        sentences.append(NOTES["against"].render(lang, baseline=comparison.baseline, **counts))
        if len(pairs) <= NAMED:
            sentences += [verdict(pair, lang) for pair in pairs]
    return [
        Heading(metric),
        *map(Paragraph, sentences),
        _leaderboard(board, comparison, lang, whole=not comparison.statistics(metric).has_query_values),
        _pairs(pairs, comparison, lang, whole=not comparison.statistics(metric).has_query_values),
        *map(Paragraph, _notes(comparison, metric, pairs, lang)),
    ]


BOARD = {"rank": "r", "system": "l", "mean": "r", "interval": "l", "median": "r", "sd": "r", "ranks": "r", "group": "l"}
"""The columns of a leaderboard and the side to which they are aligned."""
BOARD_OF_WHOLE = ("rank", "system", "mean", "interval", "ranks", "group")
PAIRS = {
    "pair": "l", "difference": "r", "interval": "l", "d_z": "r", "w/t/l": "r", "p t": "r", "p randomisation": "r",
    "p corrected": "r",
}  # fmt: skip
PAIRS_OF_WHOLE = ("pair", "difference", "interval", "p bootstrap", "p corrected")


def _leaderboard(board: tuple[LeaderboardRow, ...], comparison: Comparison, lang: Lang, *, whole: bool) -> Table:
    level = percent(1 - comparison.settings.alpha)
    heads = BOARD_OF_WHOLE if whole else tuple(BOARD)
    rows = [
        {
            "rank": str(one.rank),
            "system": one.system,
            "mean": number(one.mean, ".4f"),
            "interval": interval_text(one.interval),
            "median": number(one.median, ".4f"),
            "sd": number(one.deviation, ".4f"),
            "ranks": f"{one.ranks[0]}-{one.ranks[1]}" if one.ranks[0] < one.ranks[1] else str(one.ranks[0]),
            "group": one.group,
        }
        for one in board
    ]
    titles = [_head("value" if whole and head == "mean" else head, lang, level) for head in heads]
    return Table(titles, [[row[head] for head in heads] for row in rows], align="".join(BOARD[head] for head in heads))


def _pairs(pairs: tuple[SystemPair, ...], comparison: Comparison, lang: Lang, *, whole: bool) -> Table:
    level = percent(1 - comparison.settings.alpha)
    heads = PAIRS_OF_WHOLE if whole else tuple(PAIRS)
    rows = [
        {
            "pair": HEADS["against"].render(lang, first=pair.first, second=pair.second),
            "difference": number(pair.difference, "+.4f"),
            "interval": interval_text(pair.interval, "+.4f"),
            "p corrected": p_text(pair.corrected),
            **(query_cells(pair) if isinstance(pair, Pair) else {"p bootstrap": p_text(pair.bootstrap)}),
        }
        for pair in pairs
    ]
    align = "".join(PAIRS.get(head, "r") for head in heads)
    return Table([_head(head, lang, level) for head in heads], [[row[head] for head in heads] for row in rows], align)


def query_cells(pair: Pair) -> dict[str, str]:
    """Return the cells of a pair that need values per query."""
    return {
        "d_z": number(pair.d_z, "+.2f"),
        "w/t/l": f"{pair.wins}/{pair.ties}/{pair.losses}",
        "p t": p_text(pair.t.p),
        "p randomisation": p_text(pair.randomisation),
    }


def _head(head: str, lang: Lang, level: str) -> str:
    return HEADS[head].render(lang, level=level)


def _notes(comparison: Comparison, metric: str, pairs: tuple[SystemPair, ...], lang: Lang) -> list[str]:
    settings, level = comparison.settings, percent(1 - comparison.settings.alpha)
    correction = CORRECTIONS[settings.correction].render(lang)
    corrected = "corrected" if pairs[0].family > 1 else "one pair"
    statistics = comparison.statistics(metric)
    if not isinstance(statistics, QueryComparison):
        return _notes_of_whole(statistics, NOTES[corrected].render(lang, pairs=pairs[0].family, how=correction), lang)
    queries, tested = statistics.queries, [pair for pair in pairs if isinstance(pair, Pair)]
    flips = "exact" if all(pair.exact for pair in tested) else "flips"
    notes = []
    if not pairs[0].higher_is_better:
        notes.append(NOTES["lower"].render(lang))
    if not _is_mean(comparison, metric):
        notes.append(NOTES["averaging"].render(lang, metric=metric))
    if lacking := comparison.left_out(metric):
        systems = [NOTES["lacks"].render(lang, system=name, count=count) for name, count in lacking.items()]
        total = statistics.queries_left_out
        notes.append(NOTES["left out"].render(lang, count=total, systems=", ".join(systems)))
    detectable = [pair.detectable for pair in tested if pair.detectable > 0]
    if detectable:
        smallest, largest = f"{min(detectable):.4f}", f"{max(detectable):.4f}"
        ranging = NOTES["by pair"].render(lang, largest=largest) if largest != smallest else ""
        power = percent(settings.power)
        notes.append(NOTES["detectable"].render(lang, size=smallest, power=power, pairs=ranging))
    if queries >= MANY:
        notes.append(WORDS["many"].render(lang, queries=f"{queries:,}"))
    notes += [
        NOTES["how"].render(
            lang,
            queries=f"{queries:,}",
            level=level,
            randomisation=NOTES[flips].render(lang, count=statistics.flips, seed=settings.seed),
            correction=NOTES[corrected].render(lang, pairs=pairs[0].family, how=correction),
            tie=settings.tie,
        ),
        NOTES["groups"].render(
            lang, correction=correction, alpha=settings.alpha, level=level, count=statistics.resamples
        ),
    ]
    return notes


def _notes_of_whole(whole: MetricComparison, correction: str, lang: Lang) -> list[str]:
    settings, level, count = whole.settings, percent(1 - whole.settings.alpha), whole.resamples
    named = {"metric": whole.name, "queries": f"{whole.queries:,}", "seed": settings.seed, "correction": correction}
    groups = {"alpha": settings.alpha, "correction": CORRECTIONS[settings.correction].render(lang)}
    return [
        *([] if whole.higher_is_better else [NOTES["lower"].render(lang)]),
        NOTES["how whole"].render(lang, level=level, count=count, **named),
        NOTES["groups"].render(lang, level=level, count=count, **groups),
    ]


def _is_mean(comparison: Comparison, metric: str) -> bool:
    """Whether the evaluation, too, sums the metric up by its arithmetic mean."""
    if comparison.scores is None:
        return True
    return parse(metric).definition.summary.is_mean(comparison.scores.convention)


def interval_text(interval: Interval, form: str = ".4f") -> str:
    """An interval as people read it."""
    return f"[{number(interval.low, form)}, {number(interval.high, form)}]"


def number(value: float, form: str) -> str:
    """A number, or a dash where there is none."""
    return "-" if value != value else f"{value:{form}}"  # noqa: PLR0124 (NaN alone differs from itself)
