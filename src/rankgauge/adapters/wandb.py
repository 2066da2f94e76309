"""``rg.wandb``: means in a run of Weights & Biases, with the rules and fingerprints that make them comparable."""

from __future__ import annotations

from typing import Any

from rankgauge.adapters.tracker_record import record_of
from rankgauge.errors import ParameterError
from rankgauge.evaluation.scores import Scores

__all__ = ["log_scores"]


def log_scores(scores: Scores, run: Any, *, prefix: str = "", step: int | None = None) -> dict[str, float]:
    """Log the mean of every metric to a run, and return what was logged.

    The provenance, with the convention and the fingerprints, goes to the config of the run under ``rankgauge``.

    Parameters
    ----------
    scores
        The values of one or several systems, as ``rg.evaluate`` returns them.
    run
        The run that ``wandb.init`` returned.
    prefix
        What the names of the metrics start with.
    step
        The step of the run that the values belong to.
    """
    if not (hasattr(run, "log") and hasattr(run, "config")):
        raise ParameterError.of("run", run, "the run that wandb.init returned", "log_scores")
    record = record_of(scores, prefix)
    run.config.update({"rankgauge": record.provenance}, allow_val_change=True)
    run.log(record.means, step=step)
    return record.means
