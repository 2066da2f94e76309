"""Results over time, public as ``rg.history``: a store of plain files, and what changed between comparable runs.

>>> import tempfile, rankgauge as rg
>>> with tempfile.TemporaryDirectory() as folder:
...     store = rg.history.open(f"{folder}/rankgauge.history.jsonl")
...     scores = rg.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, "RR", fingerprint=True)
...     run = store.log(scores, name="nightly", model="small")
...     [(run.name, run.fields, run.metrics["RR"].mean) for run in store.runs()]
[('nightly', {'model': 'small'}, 0.5)]
"""

from rankgauge.history.blame import Alarm, Blame
from rankgauge.history.run import LoggedRun, MetricSummary, RunDifference, run_differences
from rankgauge.history.run_rows import RunList
from rankgauge.history.store import HistoryStore
from rankgauge.history.store import open_store as open  # noqa: A004 (rg.history.open)
from rankgauge.history.trend import Trend, TrendPoint

__all__ = [
    "Alarm",
    "Blame",
    "HistoryStore",
    "LoggedRun",
    "MetricSummary",
    "RunDifference",
    "RunList",
    "Trend",
    "TrendPoint",
    "open",
    "run_differences",
]


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
