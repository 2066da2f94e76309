"""HistoryStore: results that are logged to plain files, and what can be asked about them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.errors import InputError, ParameterError, UnknownNameError, shown
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.scores import Scores
from rankgauge.history.blame import Blame
from rankgauge.history.files import append_lines, default_path, folder_of, git_state, read_lines, write_table
from rankgauge.history.paired import LAST, Window
from rankgauge.history.run import LoggedRun, refusal, rescore_offer, run_differences, time_in_utc
from rankgauge.history.run_header import run_header
from rankgauge.history.run_rows import RunList
from rankgauge.history.stored_results import kept_ranking, run_of_scores, stored_ranking, stored_scores, value_table
from rankgauge.history.trend import Trend
from rankgauge.inputs.findings import Findings, warn_about
from rankgauge.inputs.read_options import ReadKeywords, ReadOptions
from rankgauge.matching.entrance import resolve_input
from rankgauge.matching.source_types import JudgmentsLike, RankingLike, WeightsLike
from rankgauge.metric_core.notation import MetricLike, MetricsLike, metric_or_default, parse
from rankgauge.rendering.language import Phrase
from rankgauge.side_information.side_information import SideInformationLike
from rankgauge.stats.samples import check_number, check_share

LACKING = Phrase(
    "history:{name}: run {run} has only {known}, not {metric}; log a run with it: -m {metric}",
    "history:{name}：记录 {run} 只有 {known}，没有 {metric}；请记录一条含该指标的结果：-m {metric}",
)
NO_RUNS = Phrase(
    "{path}: no runs are logged there; log one with rankgauge history log, or name another store (--store)",
    "{path}：其中没有记录；请用 rankgauge history log 记录，或用 --store 指定其他文件",
)
SHORTEST_ID = 4
"""Characters from which the beginning of an id is enough."""


class HistoryStore:
    """Logged results in an append-only file of JSON lines, with the values of queries as Parquet in a folder beside it.

    ``log`` adds a run, ``runs`` lists them, ``trend`` and ``blame`` compare those that can be compared. Lines are never
    changed, so that the file can be kept in version control (``*.history.jsonl merge=union``).
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.findings = Findings()
        """What was noticed in the data that were logged last, or in the file since it was read last."""

    def __repr__(self) -> str:
        return f"<HistoryStore {self.path}>"

    # Logging

    def log(
        self,
        judgments: JudgmentsLike | Scores,
        ranking: RankingLike | None = None,
        metrics: MetricsLike | None = None,
        *,
        name: str = "",
        keep_ranking: bool = False,
        convention: ConventionLike = None,
        side_information: SideInformationLike | None = None,
        weights: WeightsLike | None = None,
        read_options: ReadOptions | None = None,
        **fields: Any,
    ) -> LoggedRun:
        """Add a run, and return it.

        Parameters
        ----------
        judgments, ranking, metrics
            ``Scores`` of one system; or judgments, a ranking and metrics, as for ``evaluate``.
        name
            What the run is a run of, such as a branch or a job.
        keep_ranking
            Whether the ranking is stored, too, so that it can be scored again when judgments change.
        convention, side_information, weights, read_options
            As for ``evaluate``, if judgments and a ranking are given.
        **fields
            What else is known about the run, such as ``model="small"``; ``blame`` names those that changed. Names of
            read options, such as ``columns``, are read options.
        """
        kept = None
        read = {name: fields.pop(name) for name in [*fields] if name in ReadKeywords.__annotations__}
        if isinstance(judgments, Scores):
            others = (ranking, metrics, convention, side_information, weights, read_options)
            if read or keep_ranking or any(argument is not None for argument in others):
                raise ParameterError("log takes Scores and fields alone, or judgments, a ranking and metrics")
            scores = judgments
        else:
            options = ReadOptions.of(self.log, read_options, read)
            given = resolve_input("log", judgments, ranking, options, "one")
            metrics, convention = given.metrics(metrics, convention)
            evaluator = Evaluator(
                given.judgments,
                metrics,
                convention=convention,
                side_information=side_information,
                fingerprint=True,
                read_options=options,
            )
            system = given.ranking.loaded(evaluator.findings) if keep_ranking else given.ranking
            evaluator.add(system)
            scores = evaluator.scores(weights)
            kept = kept_ranking(evaluator, system, folder_of(self.path)) if keep_ranking else None
        return self._append(scores, name, fields, kept=kept)

    def _append(
        self,
        scores: Scores,
        name: str,
        fields: Mapping[str, object],
        kept: str | None = None,
        parent: LoggedRun | None = None,
    ) -> LoggedRun:
        if len(scores.systems) != 1:
            names = ", ".join(map(shown, scores.systems))
            raise ParameterError(
                Phrase(
                    "log takes one system, not several ({names}); log each: scores.system('...')",
                    "log 只接受一个系统，而不是多个（{names}）；请分别记录：scores.system('...')",
                ).fill(names=names)
            )
        self.findings = scores.findings
        run = run_of_scores(scores)
        own: dict[str, Any] = {"id": secrets.token_hex(6), "name": str(name), "kept": kept}
        own |= {"fields": {str(field): str(value) for field, value in fields.items()}}
        if scores.query_metrics:
            own |= {"values": write_table(folder_of(self.path), value_table(scores))}
        if parent is None:
            header = run_header(run.inputs.get("ranking"))
            own |= {"git": git_state(Path.cwd()), "others": {"ir_metadata": header} if header else {}}
        else:
            own |= {"parent": parent.id, "time": parent.time, "rescored": run.time}
            own |= {"git": parent.git, "others": parent.others, "inputs": {**parent.inputs, **run.inputs}}
        run = replace(run, **own)
        append_lines(self.path, [run.line()])
        return run

    def rescore(
        self,
        reference: str,
        judgments: JudgmentsLike,
        *,
        side_information: SideInformationLike | None = None,
        weights: WeightsLike | None = None,
        read_options: ReadOptions | None = None,
        **read: Unpack[ReadKeywords],
    ) -> LoggedRun:
        """Score the ranking of a run again with other judgments, by the same rules, and log the result.

        The new run has the time, the fields and the commit of the old one, so that a trend shows both together. If
        the judgments are those of the run, or of an earlier scoring of it, that run is returned and none is logged.

        Parameters
        ----------
        reference
            The id of the run. Its ranking must have been kept, or its file must be there, unchanged.
        judgments, side_information, weights, read_options, **read
            As for ``evaluate``.
        """
        run, options = self.run(reference), ReadOptions.of(self.rescore, read_options, read)
        more = {"side_information": side_information, "weights": weights}
        scores = stored_ranking(run, folder_of(self.path), judgments, options, more)
        same = self._same_run(run, run_of_scores(scores))
        if same is not None:
            self.findings = scores.findings
            return same
        return self._append(scores, run.name, run.fields, kept=run.kept, parent=run)

    def _same_run(self, run: LoggedRun, again: LoggedRun) -> LoggedRun | None:
        """Return the run, or a scoring of it again, that has the values of another scoring and can be compared."""
        scorings = (other for other in self.runs(run.name).runs if run.id in {other.id, other.parent})
        same = (other for other in scorings if other.metrics == again.metrics)
        return next(
            (other for other in same if not any(run_differences(other, again, name) for name in again.metrics)), None
        )

    def rescore_offer(self, run: LoggedRun) -> Phrase | None:
        """Return how the latest earlier run of the same name can be compared with this one after changed judgments."""
        metric = next(iter(run.metrics))
        earlier = [other for other in self.runs(run.name).runs if other.id != run.id and metric in other.metrics]
        if not earlier or run.parent is not None:
            return None
        return rescore_offer(earlier[-1], run_differences(earlier[-1], run, metric))

    # Reading

    def runs(
        self,
        name: str | None = None,
        *,
        since: str | None = None,
        until: str | None = None,
        fields: Mapping[str, object] | None = None,
        last: int | None = None,
    ) -> RunList:
        """Return the runs in the order of their times.

        Parameters
        ----------
        name
            Only runs of this name.
        since, until
            Only runs from this time on, and before that one: ``2026-01-31``, or with a time of day in UTC.
        fields
            Only runs with these fields.
        last
            Only the last ones.
        """
        lines = self._lines(name, since, until, fields)
        return RunList(tuple(map(LoggedRun.of_data, lines[-last:] if last else lines)), len(lines))

    def _lines(
        self,
        name: str | None = None,
        since: str | None = None,
        until: str | None = None,
        fields: Mapping[str, object] | None = None,
    ) -> Sequence[Mapping[str, Any]]:
        """Return the lines of these runs as data."""
        wanted = {str(field): str(value) for field, value in (fields or {}).items()}
        since, until = time_in_utc("since", since), time_in_utc("until", until)
        self.findings = Findings()
        lines = read_lines(self.path, self.findings)
        warn_about(self.findings)
        return [
            data
            for data in lines
            if (name is None or (data.get("name") or "") == name)
            and (since is None or str(data["time"]) >= since)
            and (until is None or str(data["time"]) < until)
            and wanted.items() <= {key: str(value) for key, value in (data.get("fields") or {}).items()}.items()
        ]

    def run(self, reference: str) -> LoggedRun:
        """Return the latest run of a name; else the run of an id, or of the beginning of one."""
        return LoggedRun.of_data(self._lines_of(reference)[-1])

    def _lines_of(self, reference: str) -> Sequence[Mapping[str, Any]]:
        """Return the lines of a name, else the one of an id, or of the beginning of one."""
        lines = self._existing()
        if named := [data for data in lines if reference and data.get("name") == reference]:
            return named
        ids = [str(data["id"]) for data in lines]
        places = [place for place, own in enumerate(ids) if len(reference) >= SHORTEST_ID and own.startswith(reference)]
        if len(places) > 1:
            raise ParameterError(
                Phrase(
                    "{given}: several runs begin so ({ids}); give more of the id",
                    "{given}：有多条记录以此开头（{ids}）；请写得更长",
                ).fill(given=shown(reference), ids=", ".join(ids[place] for place in places[:5]))
            )
        if not places:
            known = [*dict.fromkeys(str(data.get("name") or "") for data in lines), *ids[-20:]]
            raise UnknownNameError.closest(("run of the history", "历史记录"), reference, [*filter(None, known)])
        return [lines[places[0]]]

    def _existing(self) -> Sequence[Mapping[str, Any]]:
        """Return all lines; none are an error."""
        if lines := self._lines():
            return lines
        raise InputError(NO_RUNS.fill(path=self.path), ["RG101"])

    def values(self, run: LoggedRun, metric: str) -> dict[str, float] | None:
        """Return the value of each query of a run; None if they were not stored."""
        if run.values is None:
            return None
        table = self._table(run, ["query", metric])
        return None if table is None else dict(zip(table["query"].to_list(), table[metric].to_list(), strict=True))

    def _table(self, run: LoggedRun, columns: list[str] | None = None) -> Any:
        """Return the stored values of a run; None if the file is missing or lacks a column."""
        import polars as pl  # noqa: PLC0415 (slow to load)

        try:
            return pl.read_parquet(folder_of(self.path) / Path(str(run.values)).name, columns=columns)
        except (OSError, pl.exceptions.PolarsError):
            return None

    def scores(self, *references: str, metrics: Iterable[MetricLike] | None = None) -> Scores:
        """Return stored values as scores, one system for each run; runs that cannot be compared are an error.

        Parameters
        ----------
        references
            Ids or names of runs.
        metrics
            The metrics; by default those of all runs.
        """
        runs = [self.run(reference) for reference in references]
        shared = [name for name in runs[0].metrics if all(name in run.metrics for run in runs)]
        names = shared if metrics is None else [str(parse(metric)) for metric in metrics]
        for refused in (refusal(runs[0], other, metric) for other in runs[1:] for metric in names):
            if refused is not None:
                raise refused
        labels = [run.name if run.name and len({run.name for run in runs}) == len(runs) else run.id for run in runs]
        tables = {label: (run, self._table(run)) for label, run in zip(labels, runs, strict=True)}
        scores = stored_scores(tables, names, None)
        scores.findings.merge(self.findings)
        return scores

    def baseline(self, name: str, scores: Scores, metrics: Iterable[MetricLike], convention: Convention) -> Scores:
        """Return the latest comparable run of this name, or the run of an id, as the baseline of a check.

        If none is comparable, the error names what differs from the latest one.
        """
        current, wanted = run_of_scores(scores), [str(parse(metric)) for metric in metrics]
        lines = self._lines_of(name)
        for run in map(LoggedRun.of_data, reversed(lines)):
            if not any(run_differences(run, current, metric) for metric in wanted):
                return stored_scores({"baseline": (run, self._table(run))}, wanted, (scores.queries, convention))
        latest = LoggedRun.of_data(lines[-1])
        lacking = [metric for metric in wanted if not any(metric in data["metrics"] for data in lines)]
        if lacking:
            known = ", ".join(latest.metrics)
            raise ParameterError(LACKING.fill(name=name, run=latest.id, metric=lacking[0], known=known))
        raise next(filter(None, (refusal(latest, current, metric) for metric in wanted)))

    # Comparisons

    def _window(self, metric: MetricLike | None, name: str | None, since: str | None, last: int | None) -> Window:
        parsed = str(metric_or_default(metric))
        lines = self._lines(name, since) or self._existing()
        having = [data for data in lines if parsed in data["metrics"] and (name is None or data.get("name") == name)]
        if not having:
            known = dict.fromkeys(metric for data in lines for metric in data["metrics"])
            if not known:
                raise InputError(Phrase("no run of the history has a metric", "历史记录中没有任何指标"))
            raise UnknownNameError.closest(("metric of the history", "历史记录的指标"), parsed, known)
        runs = [*map(LoggedRun.of_data, having if last is None else having[max(len(having) - last, 0) :])]
        return Window(runs, parsed, self.values)

    def trend(
        self,
        metric: MetricLike | None = None,
        *,
        name: str | None = None,
        since: str | None = None,
        last: int | None = LAST,
        alpha: float = 0.05,
        min_effect: float = 0.0,
    ) -> Trend:
        """Return a metric over the runs of a window, with the change of each from the one before.

        Parameters
        ----------
        metric
            The metric; None for nDCG@10.
        name, since, last
            The window: runs of this name, from this time on, and the last ones of them.
        alpha
            Significance level of the whole window.
        min_effect
            Changes that are smaller count as none.
        """
        check_share("alpha", alpha)
        effect = check_number("min_effect", min_effect, 0, "trend")
        return Trend(self._window(metric, name, since, last), metric_or_default(metric), alpha, effect)

    def blame(
        self,
        metric: MetricLike | None = None,
        *,
        name: str | None = None,
        since: str | None = None,
        last: int | None = LAST,
        alpha: float = 0.05,
        min_effect: float = 0.0,
    ) -> Blame:
        """Return the runs at which a metric changed from the best comparable run before, and the fields that changed.

        After a change the reference restarts there. Parameters are those of ``trend``.
        """
        check_share("alpha", alpha)
        effect = check_number("min_effect", min_effect, 0, "blame")
        return Blame(self._window(metric, name, since, last), metric_or_default(metric), alpha, effect)


def open_store(path: str | PathLike[str] | None = None) -> HistoryStore:
    """Return the store at a path; it is created when the first run is logged.

    Parameters
    ----------
    path
        The file; by default ``rankgauge.history.jsonl`` in the current folder, or that of ``RANKGAUGE_HISTORY``.
    """
    return HistoryStore(default_path() if path is None else path)
