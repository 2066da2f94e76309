"""Metrics and artifacts in a local store of MLflow: what ``rg.evaluate`` gives, and what comes back from the store."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from data import world

PACKAGE = "mlflow"
METRICS = ["nDCG@10", "P(rel=2)@5", "AP", "nDCG(gain='exp2')@10", "RR(judged_only=True)"]


def scores() -> list[Any]:
    """Return the scores of some data sets with two systems."""
    import rankgauge as rg

    return [rg.evaluate(world(seed)[0], {"a": world(seed)[1], "b": world(seed)[1]}, METRICS) for seed in range(20)]


def theirs() -> dict[str, float]:
    """Return the means before they are stored."""
    import rankgauge as rg

    return {
        f"{seed} {system}/{rg.mlflow.metric_name(metric)}": found.mean(metric, system=system)
        for seed, found in enumerate(scores())
        for system in found.systems
        for metric in METRICS
    }


def ours() -> dict[str, float]:
    """Return the means, and check the artifacts, as they are read back from the store."""
    import json

    import mlflow

    import rankgauge as rg

    found = {}
    with tempfile.TemporaryDirectory() as folder:
        mlflow.set_tracking_uri(f"sqlite:///{folder}/runs.db")
        experiment = mlflow.create_experiment("partners", artifact_location=Path(folder, "artifacts").as_uri())
        for seed, result in enumerate(scores()):
            judgments, run = world(seed)
            with mlflow.start_run(experiment_id=experiment) as active:
                rg.mlflow.log_scores(result)
                rg.mlflow.log_report(rg.report(judgments, {"a": run, "b": run}, "nDCG@10", date="2026-01-01"))
            client = mlflow.MlflowClient()
            stored = client.get_run(active.info.run_id).data.metrics
            found |= {f"{seed} {name}": value for name, value in stored.items()}
            names = {Path(item.path).name for item in client.list_artifacts(active.info.run_id, "rankgauge")}
            if names != {"definitions.json", "provenance.json", "scores.csv", "report.html"}:
                raise RuntimeError(f"artifacts: {names}")
            texts = {
                name: Path(client.download_artifacts(active.info.run_id, f"rankgauge/{name}")).read_text(
                    encoding="utf-8"
                )
                for name in names
            }
            complete = texts["report.html"].startswith("<!DOCTYPE html>")
            complete &= len(json.loads(texts["definitions.json"])["metrics"]) == len(METRICS)
            if not complete or json.loads(texts["provenance.json"]) != result.provenance:
                raise RuntimeError("the artifacts are incomplete")
    return found
