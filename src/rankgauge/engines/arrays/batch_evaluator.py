"""BatchEvaluator: the same metrics for one batch after another, with the GPU work recorded once.

A small batch keeps a GPU busy for less time than Python needs to launch its kernels. The work of rules and kernels is
therefore recorded as a CUDA graph and replayed for later batches of the same shape. Where the code branched on the data
(does anything tie?), the graph checks the condition again; a batch that would take another branch is evaluated without
the graph. The values are those of ``rg.torch.evaluate``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from rankgauge.conventions import ConventionLike
from rankgauge.engines.arrays.call_checks import array_call
from rankgauge.engines.arrays.engine import MATRIX, ArrayEngine, check_shapes, match_arrays
from rankgauge.engines.arrays.torch_library import Torch
from rankgauge.engines.metric_columns import compute_columns, parse_supported, to_scores
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_rules import matching_rules

MAX_GRAPHS = 4
"""Graphs per shape, one for each combination of branches: with and without ties, with and without 0/0."""

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

    The recorded graphs hold the GPU memory of one evaluation per shape for the lifetime of the object.
    """

    def __init__(self, metrics: str | Metric | Iterable[str | Metric], *, convention: ConventionLike = None) -> None:
        self.metrics, self.convention, self._depth = parse_supported(metrics, convention)
        self._recordings: dict[Any, _Recordings] = {}

    @array_call("rg.torch.BatchEvaluator.__call__", "judgments=..., scores=...")
    def __call__(self, *, judgments: Any, scores: Any) -> Scores:
        """Evaluate one row per query; judgments have the shape of the scores, NaN where an item is not judged."""
        if not hasattr(judgments, "shape"):
            raise ParameterError("judgments: expected a tensor of the shape of the scores; JudgedItems have no graph")
        check_shapes(judgments, scores)
        if len(scores.shape) != MATRIX:
            raise InputError(f"scores have the shape {tuple(scores.shape)}; pass one row per query")
        key = (tuple(scores.shape), scores.dtype, judgments.dtype, scores.device)
        if key not in self._recordings:
            self._recordings[key] = _Recordings(self._compute, judgments, scores)
        recordings = self._recordings[key]
        columns = recordings.replay(judgments.detach(), scores.detach())
        if columns is not None:
            return to_scores(range(len(scores)), [*columns], self.metrics, self.convention, Findings())
        result = ArrayEngine(Torch).evaluate(
            judgments=judgments, scores=scores, metrics=self.metrics, convention=self.convention
        )
        recordings.record()
        return result

    def _compute(self, library: Torch, judgments: Any, scores: Any) -> list[Any]:
        """The result columns of a batch, on its device."""
        needed = matching_rules(self.metrics, self.convention)
        chunks, _ = match_arrays(library, judgments, scores, None, needed, Findings(), self._depth)
        (_, matched), *others = chunks
        if others:
            raise RuntimeError("a CUDA graph holds one chunk of queries")
        return [column.array for column in compute_columns(matched, self.metrics, self.convention)]


class _BranchingTorch(Torch):
    """Torch that logs every number the host reads to decide on a branch, or answers from such a log."""

    def __init__(self, device: Any, answers: Sequence[Any] | None = None) -> None:
        super().__init__(device)
        self.answers = answers
        self.conditions: list[Any] = []

    def to_host(self, array: Any) -> np.ndarray[Any, Any]:
        """One number for the host; larger arrays cannot be recorded."""
        if array.numel() != 1:
            raise RuntimeError("a CUDA graph cannot copy an array to the host")
        self.conditions.append(array)
        if self.answers is None:
            return super().to_host(array)
        return np.asarray(self.answers[len(self.conditions) - 1])


Work = Callable[[Torch, Any, Any], list[Any]]


class _Recordings:
    """Batches of one shape: the tensors that graphs read, and one recording per combination of branches."""

    def __init__(self, work: Work, judgments: Any, scores: Any) -> None:
        self._work = work
        self._judgments, self._scores = judgments.detach().clone(), scores.detach().clone()
        self._recorded: list[Callable[[], Any]] = []
        self._attempts = 0

    def replay(self, judgments: Any, scores: Any) -> np.ndarray[Any, Any] | None:
        """The result columns of a batch, one per row; None if it takes branches that were not recorded."""
        self._judgments.copy_(judgments)
        self._scores.copy_(scores)
        for place, run in enumerate(self._recorded):
            try:
                result: np.ndarray[Any, Any] = run().cpu().numpy()
            except WRONG_BRANCH:
                continue
            if result[-1]:
                self._recorded.insert(0, self._recorded.pop(place))  # the next batch probably takes the same branches
                return result[:-1].reshape(-1, len(scores))
        return None

    def record(self) -> None:
        """Record the work for the last batch, unless the maximum number of recordings has been attempted."""
        if self._attempts < MAX_GRAPHS:
            self._attempts += 1
            with suppress(RuntimeError):  # a step that a CUDA graph cannot hold
                self._recorded.insert(0, self._record())

    def _record(self) -> Callable[[], Any]:
        import torch  # noqa: PLC0415

        first = _BranchingTorch(self._scores.device)
        self._work(first, self._judgments, self._scores)
        answers = [array.item() for array in first.conditions]

        def run() -> Any:
            """All result columns in one tensor, followed by 1 if every condition has the recorded answer."""
            library = _BranchingTorch(self._scores.device, answers)
            columns = self._work(library, self._judgments, self._scores)
            same = [array.reshape(()) == answer for array, answer in zip(library.conditions, answers, strict=True)]
            return torch.cat([*(column.double() for column in columns), torch.stack(same).all().double().reshape(1)])

        if self._scores.device.type != "cuda":
            return run
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.device(self._scores.device), torch.cuda.graph(graph):
            result = run()

        def replay() -> Any:
            graph.replay()
            return result

        return replay
