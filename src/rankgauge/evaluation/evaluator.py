"""Evaluator: metrics of any number of rankings on the same judgments, each ranking in one pass."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from functools import partial
from typing import Any, Unpack

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.conventions.order import DECIDED_BY_GRADES
from rankgauge.errors import InputError, ParameterError, UndefinedError, shown
from rankgauge.evaluation.data_totals import DataTotals
from rankgauge.evaluation.passes import of_spans, own_chunks
from rankgauge.evaluation.provenance import ScoresOrigin
from rankgauge.evaluation.ranking_values import JudgedShareCheck, RankingValues, shares_of
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings, input_error, warn_about
from rankgauge.inputs.io.paths import file_name
from rankgauge.inputs.io.prefetch import prefetch, with_findings
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_input
from rankgauge.matching.fingerprints import id_hashes
from rankgauge.matching.from_dicts import match_dicts
from rankgauge.matching.id_types import with_like_ids, with_like_items
from rankgauge.matching.judgments import Judgments
from rankgauge.matching.matched import Matched
from rankgauge.matching.ranking import Ranking
from rankgauge.matching.source_types import JudgmentsLike, RankingLike, WeightsLike
from rankgauge.metric_core.corpus_value import CorpusValue
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import metric_plan, note_not_covered, note_relevance
from rankgauge.metric_core.metric_rules import JudgedQueries
from rankgauge.metric_core.notation import MetricsLike, parse_all
from rankgauge.metric_core.summary import query_weights, weighted_value, weights_by_query
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.progress import NO_PROGRESS, Progress, progress_bar
from rankgauge.segments import Floats, Ints
from rankgauge.side_information.item_lists import EVERY_RANK, TopItems
from rankgauge.side_information.side_information import NOTHING, SideInformationLike, check_side_information

OF_QUERY = Phrase("query {first}", "查询 {first}")
OF_METRIC = Phrase("{metric}, query {first}", "{metric}，查询 {first}")
EMPTIED = Phrase("{count:# list is|# lists are} empty, first of {first}", "{count:,} 个列表为空，首个属于 {first}")


class Evaluator:
    """Judgments that are kept and metrics that are bound to them, called with one ranking after another.

    The judgments are read, the metrics parsed and the rules resolved once. ``evaluator(ranking)`` returns the same
    ``Scores`` as ``evaluate``; ``query_values`` is the quickest way to the values of a single query. ``add`` evaluates
    a ranking under a name, and ``scores`` returns all that were added, to be compared.

    Parameters
    ----------
    judgments, metrics, convention, side_information, fingerprint, read_options, **read
        As in ``evaluate``.

    Examples
    --------
    >>> import rankgauge as rg
    >>> evaluator = rg.Evaluator({"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}, ["RR", "P@1"])
    >>> evaluator({"q1": ["b", "a"], "q2": ["c"]}).mean("RR")
    0.75
    >>> evaluator.query_values("q1", {"a": 0.1, "b": 0.7})
    {'RR': 0.5, 'P@1': 0.0}
    """

    def __init__(
        self,
        judgments: JudgmentsLike,
        metrics: MetricsLike | None = None,
        *,
        convention: ConventionLike = None,
        side_information: SideInformationLike | None = None,
        fingerprint: bool = False,
        read_options: ReadOptions | None = None,
        **read: Unpack[ReadKeywords],
    ) -> None:
        options = ReadOptions.of(type(self), read_options, read)
        self.rules = check_convention(convention)
        self.metrics = parse_all(metrics)
        self.shown = self.metrics
        """The metrics whose 0/0 is reported: those that were asked for, not what a report computes beside them."""
        self.side_information = NOTHING
        self._catalogue: Phrase | None = None
        self._longest = 0
        if side_information is not None or any(metric.definition.needs for metric in self.metrics):
            self.side_information = check_side_information(side_information)
            for metric in self.metrics:
                self.side_information.check(metric)
        self._in_judgments = Findings()
        self.judgments = Judgments.of(judgments, options, self._in_judgments)
        self.rules = self.judgments.rules(self.rules)
        if isinstance(convention, str):
            note_not_covered(self._in_judgments, convention, self.metrics)
        self._plan = plan = metric_plan(tuple(self.metrics), self.rules)
        self._in_judgments = note_relevance(self._in_judgments, self.judgments.grade_range, plan)
        count, fingerprint = len(self.judgments.queries), bool(fingerprint)
        self._empty_values = partial(RankingValues.empty, plan, count, self.rules, fingerprint=fingerprint)
        self.forget()

    def forget(self) -> None:
        """Forget all rankings that were added."""
        self.findings = Findings(where=dict(self._in_judgments.where))
        self.findings.merge(self._in_judgments)
        self._answers: dict[str, tuple[dict[Metric, Floats], Ints]] = {}
        self._corpus: dict[str, dict[Metric, CorpusValue]] = {}
        self._without_relevant: set[int] = set()
        self._unjudged: dict[str, JudgedShareCheck] = {}
        self._emptied: dict[str, Ints] = {}
        self._files: dict[str, str] = {}
        self._ranked: dict[str, str] = {}
        self._order_rules: set[Convention] = set()
        self._from_pandas = False
        self._totals = DataTotals()

    def __call__(self, ranking: RankingLike, *, weights: WeightsLike | None = None) -> Scores:
        """Return the values of one ranking, or of several as ``{"name": ranking}``; nothing is kept of it."""
        evaluator = copy(self)
        evaluator.forget()
        for system in resolve_input("Evaluator", self.judgments, ranking, self.judgments.options).rankings.values():
            evaluator.add(system)
        return evaluator.scores(weights)

    def query_values(self, query: Hashable, ranking: RankingLike) -> dict[str, float]:
        """Return the value of each metric for one query, whose ranking is ``{item: score}`` or items, best first.

        A value is NaN if the rules leave the query out. Metrics of the items themselves need a whole ranking.
        """
        findings = Findings()
        rankings: Mapping[Any, Any] = {query: [*ranking] if isinstance(ranking, Iterator) else ranking}
        if self._changes_items:
            judged, rankings = Ranking(rankings, self.judgments.options).records(self.judgments, self.rules, findings)
        else:
            judged, rankings = with_like_items(self.judgments.dicts, rankings, findings)
        if query not in judged:
            rankings = with_like_ids(judged, rankings, findings)
            (query,) = rankings
            self.judgments.check_queries([query])
        ((_, matched),) = match_dicts(judged, rankings, [query], self._plan.matching_rules, findings, with_notes=False)
        findings.raise_errors(self.judgments.options.lenient)
        values, lists = {}, JudgedQueries(matched, self.rules)
        for metric, rules in self._plan.rules.items():
            if metric.definition.of_items:
                raise ParameterError(f"{metric} evaluates the items themselves; pass a whole ranking to the evaluator")
            values[str(metric)] = float(metric.values(lists.under(rules.of_list), rules)[0])
        return values

    @property
    def _changes_items(self) -> bool:
        """Whether returned items stand for units or for judged items that they match."""
        rules, units = self.rules, self.judgments.options.units
        return units is not None or (rules.units, rules.match) != ("items", "id") or self.judgments.has_groups

    def add(self, ranking: RankingLike, name: str = "") -> None:
        """Evaluate one ranking; one without any judged query is an error unless it has no rows and may be empty."""
        ranking = Ranking.of(ranking, self.judgments.options, name)
        ranking = of_spans(ranking, self.judgments) if self.judgments.has_spans else ranking
        system = self._empty_values()
        if system.top_items is not None and system.top_items.by_id:
            self.judgments.check_item_ids()
        if system.top_items is not None and self.judgments.has_groups:
            raise ParameterError("metrics of the items themselves take no gold groups; judge the items one by one")
        with read_progress(ranking) if ranking.options.progress else nullcontext(NO_PROGRESS) as progress:
            ranking = ranking.loaded(self.findings, by_span=True) if self._plan.apart else ranking
            system = self._compute_chunks(ranking, system, progress)
        for metrics in self._plan.apart:
            self._compute_apart(ranking, metrics, system)
        missing = np.flatnonzero(~system.answered)
        if len(missing) or not system.returned:
            self._check_missing(ranking, system, missing)
        if len(missing):
            self._compute_missing(missing, system)
        self._note(ranking.name, system)
        if (file := (original := ranking.original).given_file) is not None:
            self._files[ranking.name] = file.name
        if system.fingerprint is not None:
            self._ranked[ranking.name] = str(system.fingerprint)
        self._order_rules.add(ranking.order_rules(self.rules, by_place=self.judgments.array is not None))
        self._emptied[ranking.name] = np.flatnonzero(system.emptied)
        self._unjudged[ranking.name] = system.judged_share
        self._from_pandas |= original.from_pandas
        self._totals = DataTotals(*self.judgments.grade_range, system.candidates)
        self._answers[ranking.name] = system.values, missing
        of_items = {} if system.top_items is None else self._item_values(system, system.top_items, self._plan.of_items)
        for metrics, top_items in system.own_items:
            self._item_values(system, top_items, metrics)
        for count, text in system.unknown.values():
            self.findings.add("RG412", _named(ranking.name, text), count)
        self._corpus[ranking.name] = of_items | {
            metric: weighted_value(metric, system.values[metric], weights, self.rules)
            for metric, weights in system.weights.items()
        }
        self._without_relevant.update(np.flatnonzero(system.without_relevant).tolist())

    def scores(self, weights: Mapping[object, float] | None = None) -> Scores:
        """Return the values of all rankings added so far; findings that should be checked are warned about."""
        warn_about(self.findings)
        judgments, queries = self.judgments, self.judgments.queries
        by_query = None if weights is None else weights_by_query(weights, queries, self.rules)
        without = [queries[number] for number in sorted(self._without_relevant)]
        answers, corpus = dict(self._answers), dict(self._corpus)
        names = {**self._files}, {**self._ranked}, self.side_information
        (rules, *others) = self._order_rules or {self.rules}  # as they were followed, if by all rankings
        return Scores(
            queries,
            answers,
            self.rules if others else rules,
            self.findings,
            by_query,
            judgments.grading,
            corpus,
            without,
            judgments.from_pandas or self._from_pandas,
            shares_of(self._unjudged),
            JudgedShareCheck.of(self._plan.depth).top,
            emptied=dict(self._emptied),
            origin=ScoresOrigin(judgments.options, judgments, *names),
            totals=self._totals if len(answers) == 1 else None,
            longest=self._longest,
            catalogue=self._catalogue,
        )

    def _compute_chunks(self, ranking: Ranking, system: RankingValues, progress: Progress) -> RankingValues:
        plan, depth, starts = self._plan, self._plan.depth, ranking.starts
        top = (
            EVERY_RANK if system.fingerprint is not None else 0 if system.top_items is None else system.top_items.depth
        )
        ranking_findings, lenient = Findings(), self.judgments.options.lenient
        chunks = ranking.chunks(
            self.judgments,
            plan.matching_rules,
            ranking_findings,
            depth,
            progress.on_read,
            top,
            grades=plan.needs_grades,
        )
        if ranking.source.form == "array":  # files and frames have threads of their own, dicts gain nothing
            steps = prefetch(with_findings(chunks, ranking_findings))
        else:
            steps = ((chunk, ranking_findings.drain()) for chunk in chunks)
        for (numbers, matched), chunk_findings in steps:
            self.findings.merge(chunk_findings)
            self.findings.raise_errors(lenient)
            if ranking.starts != starts:
                starts, system = ranking.starts, self._empty_values()
            system.answered[numbers] = True
            system.emptied[numbers] = matched.returned == 0
            self._longest = max(self._longest, int(matched.returned.max(initial=0)))
            if progress.on_match is not None:
                progress.on_match(int(system.answered.sum()))
            if system.fingerprint is not None:
                hashes = id_hashes([self.judgments.queries[number] for number in numbers.tolist()])
                by_grades = plan.matching_rules.ties in DECIDED_BY_GRADES
                system.fingerprint.add_ranks(hashes, matched, self.judgments.flat_sizes(numbers), by_grades=by_grades)
            lists = self._compute(numbers, matched, system, plan.together, system.top_items)
            if (matched.plain is None or matched.plain.ties) and (ties := matched.tied > 1).any():
                ties = ties if depth is None else ties & (matched.above < depth)
                system.tied[numbers] = matched.count(matched.query, ties)
            if plan.needs_grades:
                system.candidates.add(matched, self.rules)
                if ranking.source.form != "array" and not self.judgments.has_spans:  # nothing is left to be judged
                    system.judged_share.add(matched, lists, self.rules)
                system.without_relevant[numbers] = matched.relevant(self.rules) == 0
            system.returned += int(matched.returned.sum())
            system.dropped |= lenient and bool(chunk_findings.errors)
        self.findings.merge(ranking_findings)
        self.findings.raise_errors(lenient)
        return system

    def _compute_apart(self, ranking: Ranking, metrics: tuple[Metric, ...], system: RankingValues) -> None:
        """Compute metrics that see other rows of the ranking, in a pass of their own."""
        top_items = TopItems.of(metrics, self.rules)
        rules = self._plan.matching_rules
        for numbers, matched in own_chunks(ranking, metrics[0], self.judgments, rules, system.answered):
            self._compute(numbers, matched, system, metrics, top_items)
        if top_items is not None:
            system.own_items.append((metrics, top_items))

    def _check_missing(self, ranking: Ranking, system: RankingValues, missing: Ints) -> None:
        if len(missing) == len(self.judgments.queries) and not (ranking.may_be_empty and ranking.is_empty):
            raise input_error(*ranking.nothing_in_common(self.judgments))
        if system.dropped and not system.returned:
            text = Phrase("no item is valid, so that none is left", "没有一个物品有效")
            self.findings.add("RG101", _named(ranking.name, text))
            self.findings.raise_errors(lenient=False)  # with the reasons for which the rows were left out

    def _compute_missing(self, missing: Ints, system: RankingValues) -> None:
        """Apply the rule for missing queries."""
        unanswered = self.judgments.unanswered(missing)
        if self._plan.needs_grades:
            system.without_relevant[missing] = unanswered.relevant(self.rules) == 0
            system.judged_share.add(unanswered, JudgedQueries(unanswered, self.rules), self.rules)
        rule_of = {metric: self.rules.for_metric(metric.name).missing for metric in self.metrics}
        if "error" in rule_of.values():
            first = shown(self.judgments.queries[missing[0]])
            raise InputError(
                Phrase(
                    f"ranking: judged queries are missing: {len(missing)}, first {first}; set the rule missing "
                    "to 'zero' or 'skip' (--rule missing=zero)",
                    f"排序结果缺少 {len(missing)} 个有标注的查询，首个为 {first}；"
                    "请把规则 missing 设为 'zero' 或 'skip'（--rule missing=zero）",
                )
            )
        if zero := [metric for metric in self.metrics if rule_of[metric] == "zero"]:
            self._compute(missing, unanswered, system, zero, system.top_items)
            for _, top_items in system.own_items:
                self._compute(missing, unanswered, system, (), top_items)

    def _compute(
        self,
        numbers: Ints,
        matched: Matched,
        system: RankingValues,
        metrics: Iterable[Metric],
        top_items: TopItems | None,
    ) -> JudgedQueries:
        """Apply the rules and compute every metric of grades for some of the queries; collect items for the others.

        Returns the lists as the rules form them.
        """
        judged = JudgedQueries(matched, self.rules)
        if top_items is not None:
            top_items.add(numbers, matched, judged, self.rules)
        for metric in metrics:
            if not metric.definition.of_items:
                rules = self._plan.rules[metric]
                try:
                    computed = metric.without_budget.compute(judged.under(rules.of_list), rules)
                    system.values[metric][numbers] = metric.values_of(computed, rules)
                except UndefinedError as error:
                    raise self._naming_the_query(error, numbers) from None
                if (undefined := metric.assigned(computed, rules)) is not None:
                    system.undefined.setdefault(metric, np.zeros_like(system.answered))[numbers] = undefined
                if metric in system.weights:
                    system.weights[metric][numbers] = query_weights(metric, computed)
        return judged

    def _item_values(
        self, system: RankingValues, top_items: TopItems, metrics: Sequence[Metric]
    ) -> dict[Metric, CorpusValue]:
        """Fill in the values of metrics of the items themselves, and return the corpus-level ones."""
        numbers = top_items.numbers
        lists = top_items.lists(self.judgments, metrics, self.side_information, self.rules)
        corpus = {}
        for metric in metrics:
            try:
                computed: Any = metric.without_budget.compute(lists, self.rules)
                if isinstance(computed, CorpusValue):
                    corpus[metric] = computed.among(numbers)
                    continue
                system.values[metric][numbers] = metric.values_of(computed, self.rules)
            except UndefinedError as error:
                raise self._naming_the_query(error, numbers) from None
            if metric in system.weights:
                system.weights[metric][numbers] = query_weights(metric, computed)
        system.unknown |= lists.tables.unknown
        self._catalogue = lists.tables.catalogue_source or self._catalogue
        return corpus

    def _note(self, name: str, system: RankingValues) -> None:
        """Report queries without a ranking, with ties and without relevant items, each by its first query."""
        without_relevant = system.answered & system.without_relevant
        without_relevant[[*self._without_relevant]] = False  # an earlier ranking has counted them
        explained = ~system.answered | system.without_relevant
        for code, where, found, metric in (
            ("RG402", ~system.answered, None, ""),
            ("RG402", system.emptied, None, ""),
            ("RG212", system.tied > 0, int(system.tied.sum()), ""),
            ("RG404", without_relevant, None, ""),
            *(("RG413", zeros & ~explained, None, m) for m, zeros in system.undefined.items() if m in self.shown),
        ):
            if where.any():
                count = found or int(where.sum())
                text = EMPTIED if where is system.emptied else OF_METRIC if metric else OF_QUERY
                first = shown(self.judgments.queries[int(np.argmax(where))])
                self.findings.add(code, _named(name, text.fill(first=first, metric=str(metric), count=count)), count)
        if system.candidates.seem_sampled:
            description = _named(name, system.candidates.description())
            self.findings.add("RG407", description, system.candidates.queries)
        if (share := system.judged_share).is_low:
            self.findings.add("RG409", _named(name, share.description()), round(share.unjudged))

    def _naming_the_query(self, error: UndefinedError, numbers: Ints) -> UndefinedError:
        query = shown(self.judgments.queries[numbers[error.place]])
        en, zh = error.texts
        return UndefinedError((f"query {query}: {en}", f"查询 {query}：{zh}"), error.place)


def read_progress(ranking: Ranking) -> AbstractContextManager[Progress]:
    """Return a progress bar for a file, a caller's callback, or nothing."""
    callback: bool | Callable[[str, int], None] = ranking.options.progress
    if callable(callback):
        return nullcontext(Progress(partial(callback, ranking.name)))
    file = ranking.source.file
    if not callback or file is None or not file.path:
        return nullcontext(NO_PROGRESS)
    return progress_bar(file_name(file.path), file.size if file.is_regular else None)


def _named(name: str, text: Phrase) -> Phrase:
    """Return the text after the name of the ranking, if it has one."""
    return Phrase(f"{name}: {text.en}", f"{name}：{text.zh}") if name else text
