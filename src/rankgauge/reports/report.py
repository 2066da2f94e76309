"""`report`: one page with the results, every query and every rule, and its pictures as files."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from rankgauge.analysis.slices import Slices, slices
from rankgauge.analysis.unjudged import UnjudgedAnalysis
from rankgauge.comparison.compare import corrected_by, system_name, with_baseline
from rankgauge.comparison.comparison import ComparedInput, Comparison
from rankgauge.comparison.document import decisive_caveats
from rankgauge.comparison.settings import Settings
from rankgauge.conventions import ConventionLike
from rankgauge.errors import ParameterError
from rankgauge.evaluation.evaluator import Evaluator, read_progress
from rankgauge.evaluation.passes import of_spans
from rankgauge.evaluation.ranking_values import unjudged_shares
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.formats.file_groups import TextFiles
from rankgauge.inputs.io.drawing import FORMATS, Format, can_render, save_svg
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.inputs.source import Source
from rankgauge.inputs.texts import read_texts
from rankgauge.matching.entrance import VerbInput, resolve_input
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.source_types import AttributesLike, JudgmentsLike, RankingLike, RankingsLike, WeightsLike
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricsLike, parse_all
from rankgauge.rendering.language import Lang, check_lang
from rankgauge.rendering.plain import today
from rankgauge.rendering.svg import standalone
from rankgauge.reports.contents import Origin, ReportContents, cut_at, cutoffs
from rankgauge.reports.model import Report
from rankgauge.reports.query_lists import QueryLists
from rankgauge.side_information.side_information import SideInformationLike
from rankgauge.stats.corrections import Correction

if TYPE_CHECKING:
    from rankgauge.history.blame import Blame
    from rankgauge.history.store import HistoryStore
    from rankgauge.history.trend import Trend
    from rankgauge.tuning.tuning import Tuning


def report(
    judgments: JudgmentsLike | Scores,
    rankings: RankingsLike | None = None,
    metrics: MetricsLike | None = None,
    *,
    baseline: RankingLike | None = None,
    people: JudgmentsLike | None = None,
    convention: ConventionLike = None,
    texts: Mapping[Any, str] | TextFiles | str | PathLike[str] | None = None,
    tuning: Tuning | Mapping[str, Any] | None = None,
    history: HistoryStore | str | PathLike[str] | Mapping[str, Any] | None = None,
    attributes: AttributesLike | None = None,
    by: Sequence[str] = (),
    title: str = "",
    date: dt.date | str | None = "today",
    lang: str = "en",
    alpha: float = 0.05,
    correction: Correction = "holm",
    permutations: int = 100_000,
    resamples: int = 10_000,
    seed: int = 0,
    tie: float = 1e-9,
    power: float = 0.8,
    digits: int = 4,
    side_information: SideInformationLike | None = None,
    weights: WeightsLike | None = None,
    read_options: ReadOptions | None = None,
    **read: Unpack[ReadKeywords],
) -> Report:
    """Return a report that can be saved as one page, with the steps to every number.

    Parameters
    ----------
    judgments
        As for ``evaluate``; or ``Scores``, such as those of ``read_scores``, for a report without lists.
        Files that each hold judgments and a ranking: a list of them, or ``{"name": file}``, without rankings.
    rankings
        ``{"name": ranking, ...}``, one or more, each as for ``evaluate``.
    metrics
        One or several metrics, as values or as text; the page opens with the first. None for nDCG@10, or for those
        that the data name.
    baseline
        The system that the others are compared with, as for ``compare``.
    people
        Labels of people for some queries, where the judgments are those of a model, as for ``compare``.
    convention
        The rules, or the name of a preset.
    texts
        Texts of queries and items: ``{id: text}``, or a file (JSONL, CSV, TSV, Parquet) with an id and a text; by
        default those in the folder of the judgments.
    tuning
        The result of ``tune`` to show as a card; or options of ``tune``, such as ``{"costs": "latency.csv"}``, to
        choose among the systems of the report by its first metric.
    history
        The store of logged results whose trend and changes are shown as a card, for each metric of the report that it
        has: what ``rg.history.open`` returns, or its path; or options of ``trend`` with the path as ``"store"``, such
        as ``{"store": "rankgauge.history.jsonl", "name": "main"}``.
    attributes, by
        Attributes of queries, and the names of those by which differences are sliced, as for ``slices``.
    title, lang
        Title and language of the page; readers can switch the language.
    date
        Date in the head of the report: today's by default (that of ``SOURCE_DATE_EPOCH`` if it is set), none for None.
    alpha, correction, permutations, resamples, seed, tie, power, digits
        As for ``compare``.
    side_information, weights
        As for ``evaluate``.
    read_options, **read
        How data are read, as for ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> from rankgauge.example import JUDGMENTS, SYSTEMS
    >>> report = rg.report(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP"])
    >>> report
    <Report of keywords, embeddings: nDCG@5, AP>
    >>> report.to_html().startswith("<!DOCTYPE html>")
    True
    """
    options, language = ReadOptions.of(report, read_options, read), check_lang(lang)
    day = _date(date)
    settings = Settings(alpha, correction, permutations, resamples, seed, tie, power, digits)
    if isinstance(judgments, Scores):
        unused = (rankings, metrics, people, convention, texts, attributes, side_information, weights, read_options)
        if by or read or any(argument is not None for argument in unused):
            raise ParameterError("report takes Scores alone, or judgments, rankings and metrics")
        first, shown_as = system_name(baseline, "report"), (day, title, language)
        return _report_of_scores(judgments, first, settings, shown_as, tuning, history)
    rankings, first = with_baseline(rankings, baseline)
    verb_input = resolve_input("report", judgments, rankings, options, "named")
    metrics, convention = verb_input.metrics(metrics, convention)
    shown = parse_all(metrics)
    evaluator = Evaluator(
        verb_input.judgments,
        _over_k(shown),
        convention=convention,
        side_information=side_information,
        read_options=options,
    )
    systems = verb_input.rankings
    if people is not None:  # read twice
        systems = {
            name: of_spans(ranking, evaluator.judgments).loaded(evaluator.findings) for name, ranking in systems.items()
        }
    evaluator.shown = shown
    unjudged, shares, lists, systems = _read_rankings(evaluator, systems, shown)
    over_k = evaluator.scores(weights)
    scores = over_k.only(shown)
    comparison, corrected = None, corrected_by(people, evaluator, systems, shown, alpha, weights, options)
    if len(systems) > 1:
        compared = ComparedInput(evaluator.judgments, systems, weights)
        more: dict[str, Any] = {"compared_input": compared, "corrected": corrected}
        comparison = Comparison(scores, baseline=first, settings=settings, **more)
        for metric in comparison.metrics:  # while the rankings are as they were evaluated
            decisive_caveats(comparison, metric, comparison.pairs(metric))
    cuts = {} if comparison is None else _slices(scores, first, alpha, evaluator.judgments, attributes, by)
    origin, tuned = _origin(day, verb_input, evaluator.judgments), _tuning(tuning, scores, first)
    bounds = unjudged.bounds()
    logged, results = _history(history, shown, alpha), (scores, over_k, settings, comparison)
    contents = ReportContents(*results, bounds, cuts, lists, origin, tuned, corrected, logged, shares)
    texts = verb_input.texts(texts)
    return Report(contents, {} if texts is None else read_texts(texts, lists.ids()), title, language)


def _over_k(metrics: Sequence[Metric]) -> list[Metric]:
    """Return the metrics of a report, and the same at other cutoffs."""
    others = [cut_at(metric, k) for metric in metrics if "k" in metric.definition.parameters for k in cutoffs(metric)]
    return [*dict.fromkeys([*metrics, *others])]


def _read_rankings(
    evaluator: Evaluator, rankings: Mapping[str, Ranking], metrics: Sequence[Metric]
) -> tuple[UnjudgedAnalysis, dict[str, dict[int | None, float]], QueryLists, dict[str, Ranking]]:
    """Evaluate each ranking; return what unjudged items could change, their shares, lists, and what to read again."""
    judgments, rules = evaluator.judgments, evaluator.rules
    bounded = [
        metric
        for metric in metrics
        if not (
            metric.has_own_pass or metric.definition.of_items or metric.definition.summary.under(rules).is_resampled
        )
    ]
    unjudged = UnjudgedAnalysis(judgments, bounded, rules)
    lists = QueryLists(judgments, metrics, rules, evaluator.side_information)
    shares, again = {}, dict(rankings)
    ks = {k for metric in bounded for k in cutoffs(metric)}
    for name, ranking in rankings.items():  # one in memory at a time, and those that cannot be read again
        with read_progress(ranking) as progress:
            loaded = of_spans(ranking, judgments).loaded(evaluator.findings, progress.on_read)
        if ranking.source.file is not None and ranking.source.file.is_one_shot:
            again[name] = loaded
        evaluator.add(loaded)
        unjudged.add(loaded, Findings())
        shares[name] = unjudged_shares(loaded, judgments, rules, ks)
        lists.add(loaded)
    return unjudged, shares, lists, again


def _report_of_scores(
    scores: Scores, baseline: str | None, settings: Settings, shown_as: tuple[str, str, Lang], tuning: Any, history: Any
) -> Report:
    """Return a report of values alone: there are no lists, cutoffs, unjudged items and slices to show."""
    comparison = Comparison(scores, baseline=baseline, settings=settings) if len(scores.systems) > 1 else None
    lists: Any = None
    day, title, lang = shown_as
    origin = Origin(day, "", dict.fromkeys(scores.systems, ""), 0)
    tuned, logged = _tuning(tuning, scores, baseline), _history(history, scores.metrics, settings.alpha)
    results = (scores, scores, settings, comparison)
    return Report(ReportContents(*results, {}, {}, lists, origin, tuned, None, logged), {}, title, lang)


def _tuning(tuning: Tuning | Mapping[str, Any] | None, scores: Scores, baseline: str | None) -> Tuning | None:
    """Return a tuning as it is, and tune the systems of the report with options."""
    if tuning is None:
        return None
    from rankgauge.tuning.tune import tune  # noqa: PLC0415 (only for this card)
    from rankgauge.tuning.tuning import Tuning  # noqa: PLC0415

    if isinstance(tuning, Tuning):
        return tuning
    if not isinstance(tuning, Mapping):
        raise ParameterError.of(
            "tuning", tuning, ("the result of tune, or its options", "tune 的结果或其选项"), "report"
        )
    return tune(scores, metric=scores.metrics[0], **{"baseline": baseline, **tuning})


def _history(history: Any, metrics: Sequence[Metric], alpha: float) -> list[tuple[Trend, Blame]]:
    """Return the trend and the changes of each metric that a store has; a store that has none of them is an error."""
    if history is None:
        return []
    from rankgauge.history.store import HistoryStore, open_store  # noqa: PLC0415 (only for this card)

    options: dict[str, Any] = {"alpha": alpha, **(history if isinstance(history, Mapping) else {"store": history})}
    store = options.pop("store", None)
    if not isinstance(store, HistoryStore | str | PathLike | None):
        raise ParameterError.of(
            "history", store, ("a store of rg.history.open, or its path", "rg.history.open 的结果或其路径"), "report"
        )
    opened = store if isinstance(store, HistoryStore) else open_store(store)
    logged = {name for run in opened.runs(options.get("name")) for name in run.metrics}
    shown = [metric for metric in metrics if str(metric) in logged] or metrics[:1]
    return [(opened.trend(metric, **options), opened.blame(metric, **options)) for metric in shown]


def _date(date: dt.date | str | None) -> str:
    """Return the date as the report shows it."""
    if date == "today":
        return today()
    if date is not None and not isinstance(date, str | dt.date):
        raise ParameterError.of(
            "date", date, ('a date, a text, "today" or None', '日期、文本、"today" 或 None'), "report"
        )
    return "" if date is None else str(date)


def _origin(day: str, verb_input: VerbInput, judgments: Judgments) -> Origin:
    """Return the date, the names of files without their folders, and the number of judgments."""
    sources = (verb_input.judgments, *(ranking.source for ranking in verb_input.rankings.values()))
    files = [source.given_file if isinstance(source, Source) else None for source in sources]
    judged, *names = ["" if file is None else file.base_name for file in files]
    if isinstance(verb_input.judgments, Source) and verb_input.judgments.files:
        judged = ", ".join(Path(name).name for name in verb_input.judgments.files)
    return Origin(day, judged, dict(zip(verb_input.rankings, names, strict=True)), int(judgments.counts.sum()))


def _slices(
    scores: Scores, baseline: str | None, alpha: float, judgments: Judgments, attributes: Any, by: Sequence[str]
) -> dict[Metric, list[Slices]]:
    """Return the slices of each metric by attribute, number of judgments and difficulty."""
    cuts: dict[Metric, list[Slices]] = {}
    for metric in scores.metrics:
        if metric.definition.summary.is_mean(scores.convention):
            cut = partial(slices, scores, metric, baseline=baseline, alpha=alpha)
            cuts[metric] = [cut(name, attributes=attributes) for name in by]
            if len(judgments.queries) > 1:
                cuts[metric] += [cut("judgments", judgments=judgments), cut("difficulty")]
    return cuts


def picture_files(report: Report, lang: Lang) -> Iterator[tuple[str, str]]:
    """Yield the file name and the SVG of every picture, in one language."""
    for metric, pictures in report.pictures.items():
        for picture in pictures:
            yield _name(metric, picture.name), standalone(picture.drawing, lang)
        for second, of_pair in report.pair_pictures.get(metric, {}).items():
            for picture in of_pair:
                yield _name(metric, picture.name, second), standalone(picture.drawing, lang)


def _name(*parts: str) -> str:
    return re.sub(r"[^\w@.=-]+", "_", "-".join(parts))[:120]


def write_pictures(report: Report, folder: Path, lang: Lang, *, force: bool = False) -> tuple[list[Path], list[Format]]:
    """Write every picture; return the paths written, and the formats that nothing installed here can write."""
    folder.mkdir(parents=True, exist_ok=True)
    paths, formats = [], [ending for ending in FORMATS if can_render(ending)]
    for name, text in picture_files(report, lang):
        for ending in formats:
            paths.append(folder / f"{name}.{ending}")
            save_svg(text, paths[-1], force=force)
    return paths, [ending for ending in FORMATS if ending not in formats]
