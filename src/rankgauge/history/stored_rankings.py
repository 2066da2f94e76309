"""Rankings of runs: stored as Parquet, or found again by their file, to be scored with other judgments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import path
from pathlib import Path
from typing import Any

from rankgauge.errors import InputError, ParameterError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.evaluator import Evaluator
from rankgauge.evaluation.scores import Scores
from rankgauge.history.comparability import stored_convention
from rankgauge.history.files import write_table
from rankgauge.history.run import LoggedRun
from rankgauge.inputs.findings import Findings
from rankgauge.inputs.read_options import ReadOptions
from rankgauge.matching.copies import item_of
from rankgauge.matching.fingerprints import text_column
from rankgauge.matching.ranking import Ranking
from rankgauge.rendering.language import Phrase

ROLLED_UP = Phrase(
    "a ranking whose items are rolled up into units is not kept; log it without keep_ranking",
    "归入单位的排序结果不会保存；请不带 keep_ranking 记录",
)
GONE = Phrase(
    "run {id}: its ranking was not kept and cannot be read again ({reason}); log runs with --keep-ranking",
    "记录 {id}：未保存排序结果，也无法重新读取（{reason}）；请用 --keep-ranking 记录",
)
NO_FILE = Phrase("its file {file} is missing", "文件 {file} 不存在")
CHANGED = Phrase("its file {file} has changed", "文件 {file} 已改变")
OTHER_QUERIES = Phrase("the queries differ, so that its file cannot be verified", "查询不同，无法核对其文件")


def kept_ranking(evaluator: Evaluator, ranking: Ranking, folder: Path) -> str:
    """Store the items and scores of the judged queries, and return the name of the file."""
    import polars as pl  # noqa: PLC0415 (slow to load)

    if evaluator.rules.units != "items":
        raise ParameterError(ROLLED_UP)
    judgments = evaluator.judgments
    scores = ranking.scores_by_item(judgments, judgments.queries, Findings(), evaluator.rules)
    rows: list[tuple[Any, Any, Any]] = [
        (query, item_of(item), score) for query, own in scores.items() for item, score in own.items()
    ]
    queries, items, numbers = ([row[place] for row in rows] for place in range(3))
    columns = {"query": text_column(queries), "item": text_column(items)}
    frame = pl.DataFrame({**columns, "score": pl.Series([float(number) for number in numbers], dtype=pl.Float64)})
    return write_table(folder, frame)


def stored_ranking(
    run: LoggedRun, folder: Path, judgments: Any, options: ReadOptions, more: Mapping[str, Any]
) -> Scores:
    """Return the scores of the ranking of a run with other judgments; ``more`` are arguments of ``evaluate``."""
    metrics = [*run.metrics]
    more = {"convention": stored_convention(run.convention), "fingerprint": True, **more}
    if run.kept is not None:
        import polars as pl  # noqa: PLC0415 (slow to load)

        file = folder / Path(run.kept).name
        if not file.is_file():
            raise InputError(GONE.fill(id=run.id, reason=NO_FILE.fill(file=file)))
        frame = pl.read_parquet(file)
        return evaluate(judgments, frame, metrics, read_options=options, **more)
    name = run.inputs.get("ranking")
    if not isinstance(name, str) or not path.isfile(name):  # noqa: PTH113 (as it was given)
        raise InputError(GONE.fill(id=run.id, reason=NO_FILE.fill(file=name or "-")))
    read = {key: value for key, value in run.read_options.items() if key in {"columns", "format", "lenient", "units"}}
    scores = evaluate(judgments, name, metrics, read_options=replace(options, **read), **more)
    if scores.provenance["queries"] != run.queries:
        raise InputError(GONE.fill(id=run.id, reason=OTHER_QUERIES))
    if scores.provenance["ranking"] != run.ranking:
        raise InputError(GONE.fill(id=run.id, reason=CHANGED.fill(file=name)))
    return scores
