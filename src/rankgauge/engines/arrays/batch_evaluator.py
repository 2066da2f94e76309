"""BatchEvaluator: the same metrics for one batch after another, with the GPU work recorded once.

A small batch keeps a GPU busy for less time than Python needs to launch its kernels. The work of rules and kernels is
therefore recorded as a CUDA graph and replayed for later batches of the same shape. Where the code branched on the data
(does anything tie?), the graph checks the condition again; a batch that would take another branch is evaluated without
the graph. The values are those of ``rg.torch.evaluate``. With ``JudgedItems`` the graph begins after the counting, so
that the scores are read once and never copied, and large batches are divided into blocks that replay one graph.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rankgauge.conventions import Convention, ConventionLike
from rankgauge.engines.arrays.array_checks import check_arrays
from rankgauge.engines.arrays.call_checks import array_call
from rankgauge.engines.arrays.engine import ArrayEngine, match_arrays
from rankgauge.engines.arrays.judged_items import JudgedItems, RankCounts, count_ranks, match_counts, place_items
from rankgauge.engines.arrays.torch_library import Torch
from rankgauge.engines.metric_columns import column_count, compute_columns, parse_supported, to_scores
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.matching.matched import Matched
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_plan import matching_rules
from rankgauge.metric_core.notation import MetricsLike
from rankgauge.segments import Array

MAX_GRAPHS = 4
"""Graphs per shape, one for each combination of branches: with and without ties, with and without 0/0."""

BLOCK_ITEMS = 16_000_000
"""Judged items of a block, which bounds the memory that a graph holds; large, because each replay takes 0.7 ms."""

WRONG_BRANCH = (IndexError, ValueError, RuntimeError, RankgaugeError)
"""Errors of work that follows the recorded branches of another batch, where array sizes depend on the data."""


class BatchEvaluator:
    """Metrics of batches of judgments and scores, called with one batch after another.

    Parameters
    ----------
    metrics
        One or several metrics, as values or as text.
    convention
        A Convention, or the name of a preset.

    Examples
    --------
    >>> import rankgauge as rg
    >>> import torch
    >>> validate = rg.torch.BatchEvaluator(["nDCG@2", "RR"])
    >>> labels = torch.tensor([[0, 1, 0], [1, 0, 0]])
    >>> validate(judgments=labels, scores=torch.tensor([[0.2, 0.9, 0.1], [0.3, 0.2, 0.1]])).mean("RR")
    1.0
    >>> validate(judgments=labels, scores=torch.tensor([[0.9, 0.2, 0.1], [0.3, 0.2, 0.1]])).mean("RR")
    0.75

    The recorded graphs hold the GPU memory of one evaluation per shape for the lifetime of the object. Findings are
    looked for in batches that are not replayed: the first of each shape, and the first with ties or 0/0.
    """

    def __init__(self, metrics: MetricsLike | None = None, *, convention: ConventionLike = None) -> None:
        self.metrics, self.convention, depth = parse_supported(metrics, convention)
        self._computation = _Computation(
            self.metrics, self.convention, matching_rules(self.metrics, self.convention), depth
        )
        self._recordings: dict[Any, _Recordings] = {}

    @array_call("rg.torch.BatchEvaluator.__call__", "judgments=..., scores=...")
    def __call__(self, *, judgments: Any, scores: Any) -> Scores:
        """Evaluate one row per query; judgments as for ``rg.torch.evaluate``."""
        check_arrays(Torch.holding(scores), judgments, scores)
        scores = scores.detach()
        if isinstance(judgments, JudgedItems):
            work: Work = partial(self._computation.from_counts, scores.shape[1])
            blocks = _blocks(len(scores), judgments.items.shape[1])
        else:
            work, blocks = self._computation.from_labels, [slice(0, len(scores))]
        columns = np.empty((column_count(self.metrics, self.convention), len(scores)))
        for rows in blocks:
            inputs = self._inputs(judgments, scores, rows)
            key = (scores.shape[1], scores.device, *((array.shape, array.dtype) for array in inputs))
            if key not in self._recordings:
                self._recordings[key] = _Recordings(work, inputs)
            recordings = self._recordings[key]
            values = recordings.replay(inputs)
            if values is None:
                result = ArrayEngine(Torch).evaluate(
                    judgments=judgments, scores=scores, metrics=self.metrics, convention=self.convention
                )
                recordings.record()
                return result
            columns[:, rows] = values.reshape(len(columns), -1)
        return to_scores(range(len(scores)), [*columns], self.metrics, self.convention, Findings())

    def _inputs(self, judgments: Any, scores: Any, rows: slice) -> Sequence[Any]:
        """The tensors that the recorded work reads, for some rows."""
        if not isinstance(judgments, JudgedItems):
            return judgments.detach(), scores
        block = JudgedItems(*(array[rows] for array in judgments))
        counts = count_ranks(scores[rows], block, self._computation.rules)
        return *block, *(array for array in counts if array is not None)


def _blocks(rows: int, width: int) -> list[slice]:
    """Blocks of rows with few enough judged items, all of one size: the last may begin inside the one before it."""
    size = min(rows, max(1, BLOCK_ITEMS // max(1, width)))
    return [slice(start, start + size) for start in (*range(0, rows - size, max(1, size)), rows - size)]


class _Computation(NamedTuple):
    """What is computed of each batch. Recordings hold this, not the evaluator, which ends with its last reference."""

    metrics: Sequence[Metric]
    convention: Convention
    rules: Convention
    depth: int | None

    def from_labels(self, library: Torch, judgments: object, scores: object) -> list[Any]:
        """The result columns of a batch, on its device."""
        chunks, _ = match_arrays(library, judgments, scores, None, self.rules, Findings(), self.depth)
        matched, *others = chunks
        if others:
            raise RuntimeError("a CUDA graph holds one chunk of queries")
        return self._columns(matched)

    def from_counts(self, length: int, library: Torch, items: object, grades: object, *counts: object) -> list[Any]:
        """The result columns of a batch of judged items, whose ranks have been counted."""
        placed = place_items(library, JudgedItems(items, grades), length)
        return self._columns(match_counts(library, placed, RankCounts(*counts), length, self.rules, Findings()))

    def _columns(self, matched: Matched) -> list[Any]:
        return [column.array for column in compute_columns(matched, self.metrics, self.convention)]


class _BranchingTorch(Torch):
    """Torch that logs what the host reads to decide on a branch and the places of masks, or answers from a log."""

    def __init__(self, device: Any, log: _BranchLog | None = None) -> None:
        import torch  # noqa: PLC0415

        super().__init__(device)
        self._log = log
        self._cuda = torch.cuda
        self._integers = (torch.int32, torch.int64)
        self._tested: list[Any] = []
        self.conditions: list[Any] = []
        self.masks: list[tuple[Any, Any]] = []
        self._other_stream = torch.cuda.Stream(device) if log is not None and device.type == "cuda" else None

    def truth(self, name: str, array: Any) -> Any:
        """Whether ``all`` or ``any`` elements are true; a graph tests beside its other work, which need not wait."""
        if self._other_stream is None:
            return super().truth(name, array)
        self._tested.append(array)  # keeps its memory until the streams join
        self._other_stream.wait_stream(self._cuda.current_stream(self.device))
        with self._cuda.stream(self._other_stream):
            return super().truth(name, array)

    def join(self) -> None:
        """Let the work that follows wait for all conditions."""
        if self._tested:
            self._cuda.current_stream(self.device).wait_stream(self._other_stream)

    def to_host(self, array: Any) -> Array:
        """One number for the host; larger arrays cannot be recorded."""
        if array.numel() != 1:
            raise RuntimeError("a CUDA graph cannot copy an array to the host")
        self.conditions.append(array)
        if self._log is None:
            return super().to_host(array)
        return np.asarray(self._log.answers[len(self.conditions) - 1])

    def flatnonzero(self, array: Any) -> Any:
        """The places of a mask; with a log those of the logged mask, and it is a condition that the masks are equal."""
        if self._log is None:
            self.masks.append((array.clone(), super().flatnonzero(array)))
        else:
            self.masks.append(self._log.masks[len(self.masks)])
        mask, places = self.masks[-1]
        same = mask.shape == array.shape
        self.conditions.append(self.truth("all", array == mask) if same else array.new_zeros(()))
        return places

    def take(self, array: Any, key: Any) -> Any:
        return super().take(array, self._inside(key, array.shape))

    def put(self, array: Any, key: Any, value: Any) -> object:
        return super().put(array, self._inside(key, array.shape), value)

    def count_places(self, places: Any, weights: Any, length: int) -> object:
        inside = places.clamp(0, length - 1) if self._log is not None and length else places
        return super().count_places(inside, weights, length)

    def _inside(self, key: Any, shape: Sequence[int]) -> object:
        """Valid places: a batch of other branches can have invalid ones, at which CUDA ends the context."""
        if isinstance(key, tuple):
            lengths = iter(shape)
            return tuple(None if each is None else self._inside(each, (next(lengths),)) for each in key)
        if self._log is None or getattr(key, "dtype", None) not in self._integers:
            return key
        return key.clamp(-shape[0], shape[0] - 1)


class _BranchLog(NamedTuple):
    """What a batch answered."""

    answers: Sequence[Any]
    masks: Sequence[tuple[Any, Any]]
    """Masks and the places where they are true."""


Work = Callable[..., list[Any]]
"""From a library and the tensors of a batch to its result columns."""


class _Recordings:
    """Batches of one shape: the tensors that graphs read, and one recording per combination of branches."""

    def __init__(self, work: Work, inputs: Sequence[Any]) -> None:
        self._work = work
        self._inputs = [array.clone() for array in inputs]
        self._recorded: list[Callable[[], Any]] = []
        self._attempts = 0

    def replay(self, inputs: Sequence[Any]) -> Array | None:
        """The result columns of a batch, one after another; None if it takes branches that were not recorded."""
        for recorded_input, array in zip(self._inputs, inputs, strict=True):
            recorded_input.copy_(array)
        for place, run in enumerate(self._recorded):
            try:
                result: Array = run().cpu().numpy()
            except WRONG_BRANCH:
                continue
            if result[-1]:
                self._recorded.insert(0, self._recorded.pop(place))  # the next batch probably takes the same branches
                return result[:-1]
        return None

    def record(self) -> None:
        """Record the work for the last batch, unless the maximum number of recordings has been attempted."""
        if self._attempts < MAX_GRAPHS:
            self._attempts += 1
            with suppress(RuntimeError):  # a step that a CUDA graph cannot hold
                self._recorded.insert(0, self._record())

    def _record(self) -> Callable[[], Any]:
        import torch  # noqa: PLC0415

        work, inputs = self._work, self._inputs
        device = inputs[-1].device
        first = _BranchingTorch(device)
        work(first, *inputs)
        log = _BranchLog([array.item() for array in first.conditions], first.masks)
        answers = torch.tensor(log.answers, device=device)

        def run() -> Any:
            """All result columns in one tensor, followed by 1 if every condition has the recorded answer."""
            library = _BranchingTorch(device, log)
            try:
                columns = work(library, *inputs)
            finally:
                library.join()
            same = torch.cat([array.reshape(1) for array in library.conditions]) == answers
            return torch.cat([column.double() for column in (*columns, same.all().reshape(1))])

        if device.type != "cuda":
            return run
        graph = torch.cuda.CUDAGraph()
        with _no_collection(), torch.cuda.device(device), torch.cuda.graph(graph):
            result = run()

        def replay(_: object = (log, answers)) -> object:  # the graph reads both
            with torch.cuda.device(device):
                graph.replay()
                host = torch.empty_like(result, device="cpu", pin_memory=True)  # while the device works
                host.copy_(result, non_blocking=True)
                torch.cuda.current_stream().synchronize()
            return host

        return replay


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector from ending other graphs while one is recorded, which CUDA warns about."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
