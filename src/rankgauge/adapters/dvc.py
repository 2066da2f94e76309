"""``rg.dvc``: means in a metrics file of DVC, with the rules and fingerprints that make them comparable."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path

from rankgauge.adapters.tracker_record import record_of
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.io.atomic_file import atomic_write

__all__ = ["write_metrics"]


def write_metrics(
    scores: Scores, path: str | PathLike[str] = "metrics.json", *, prefix: str = "", force: bool = True
) -> dict[str, float]:
    """Write the mean of every metric to a file that ``dvc metrics`` reads, and return what was written.

    The file also names the convention and the fingerprints, so that ``dvc metrics diff`` shows which of them changed.
    The whole provenance is in a file beside it: ``metrics.provenance.json``.

    Parameters
    ----------
    scores
        The values of one or several systems, as ``rg.evaluate`` returns them.
    path
        The file, named under ``metrics`` in ``dvc.yaml``.
    prefix
        What the names of the metrics start with.
    force
        Whether a file that exists is replaced.
    """
    record = record_of(scores, prefix)
    contents = {**record.means, "rankgauge": record.identity}
    for target, data in ((path, contents), (Path(path).with_suffix(".provenance.json"), record.provenance)):
        with atomic_write(target, force=force) as file:
            file.write(f"{json.dumps(data, ensure_ascii=False, indent=1, default=str)}\n".encode())
    return record.means
