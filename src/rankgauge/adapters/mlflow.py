"""``rg.mlflow``: means under names that MLflow accepts, and values, definitions and reports as artifacts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rankgauge.adapters.tracker_record import record_of
from rankgauge.errors import ParameterError, extra
from rankgauge.evaluation.scores import Scores
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.notation import MetricLike, parse

__all__ = ["log_report", "log_scores", "metric_name"]

if TYPE_CHECKING:
    from rankgauge.reports.model import Report

FOLDER = "rankgauge"
"""Where artifacts are stored."""


def metric_name(metric: MetricLike) -> str:
    """Return a metric as MLflow can name it: letters, digits, underscores and points.

    >>> metric_name("nDCG@10"), metric_name("P(rel=2)@5"), metric_name("nDCG(gain={1: 1.5, 2: 3})@10")
    ('nDCG_at_10', 'P_rel_2_at_5', 'nDCG_gain_1_1.5_2_3_at_10')
    """
    text = str(parse(metric)).replace("@", " at ")
    return "_".join(re.findall(r"[A-Za-z0-9.]+", text.replace("<=", " most ").replace("*", " times ")))


def log_scores(
    scores: Scores, *, prefix: str = "", step: int | None = None, artifacts: bool = True
) -> dict[str, float]:
    """Log the mean of every metric to the active run, and return what was logged.

    The tags ``rankgauge.convention``, ``rankgauge.judgments``, ``rankgauge.queries`` and, if it was asked for,
    ``rankgauge.ranking`` say which runs can be compared. With several systems the name of the system comes first:
    ``bm25/nDCG_at_10``. With ``artifacts`` the values of the queries (``rankgauge/scores.csv``), the definitions used
    (``rankgauge/definitions.json``) and the provenance (``rankgauge/provenance.json``) are stored beside them. A mean
    that is not a number is an error.

    Parameters
    ----------
    scores
        The values of one or several systems, as ``rg.evaluate`` returns them.
    prefix
        What the names of the metrics start with.
    step
        The step of the run that the values belong to.
    artifacts
        Whether the values of the queries and the definitions are stored, too.
    """
    with extra("mlflow"):
        import mlflow  # noqa: PLC0415

    def names(system: str, metric: Metric) -> tuple[str, str]:
        return re.sub(r"[^\w. :-]+", "_", system, flags=re.ASCII), metric_name(metric)  # MLflow refuses others

    record = record_of(scores, prefix, names, "log_scores")
    mlflow.log_metrics(record.means, step=step)
    mlflow.set_tags({f"rankgauge.{name}": text for name, text in record.identity.items()})
    if artifacts:
        lines = {metric_name(metric): metric.line(scores.convention) for metric in scores.metrics}
        mlflow.log_dict({"metrics": lines, "convention": str(scores.convention)}, f"{FOLDER}/definitions.json")
        mlflow.log_dict(scores.provenance, f"{FOLDER}/provenance.json")
        mlflow.log_text(scores.to_polars().write_csv(), f"{FOLDER}/scores.csv")
    return record.means


def log_report(report: Report, name: str = "report.html") -> str:
    """Store a report as the artifact ``name`` of the active run, an HTML file for MLflow; return its path there."""
    with extra("mlflow"):
        import mlflow  # noqa: PLC0415

    html: Any = getattr(report, "to_html", None)
    if html is None:
        raise ParameterError.of("report", report, "the result of rg.report", "log_report")
    path = f"{FOLDER}/{name}"
    mlflow.log_text(html(), path)
    return path
