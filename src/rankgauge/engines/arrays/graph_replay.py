"""Repeated: the same metrics of one batch after the other, with what a GPU is to do recorded once.

A small batch keeps a GPU busy for less time than Python takes to tell it what to do. All that rules and kernels do for
a batch is therefore recorded as a CUDA graph while they run, and replayed for later batches of the same shape. Where
they looked at the data (does anything tie?) and went one way, the graph looks again; a batch that would have
gone another way is evaluated step by step. The values are those of ``rg.torch.evaluate``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from rankgauge.conventions import ConventionLike
from rankgauge.conventions.convention import check_convention
from rankgauge.engines.arrays.device_array import DeviceArray
from rankgauge.engines.arrays.libraries import Torch
from rankgauge.engines.arrays.tensors import AT_A_TIME, MATRIX, as_scores, computed, evaluate
from rankgauge.engines.supported_metrics import check_asked
from rankgauge.errors import InputError, ParameterError, RankgaugeError
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings
from rankgauge.matching.from_arrays import match_dense
from rankgauge.metric_core.metric import Metric
from rankgauge.metric_core.metric_list import common_depth, parse_all

WAYS = 4
"""How many different ways of batches of one shape are recorded: with ties and without, with 0/0 and without."""

ASTRAY = (IndexError, ValueError, RuntimeError, RankgaugeError)
"""How steps end that follow the answers of another batch, where there is no graph and rows are as many as data say."""


class Repeated:
    """Metrics of batches of scores and labels; call it with one after the other.

    Parameters
    ----------
    metrics
        One or several metrics, as values or as text.
    convention
        The rules in force.

    Examples
    --------
    >>> import rankgauge as rg
    >>> import torch
    >>> validate = rg.torch.Repeated(["nDCG@2", "RR"])
    >>> labels = torch.tensor([[0, 1, 0], [1, 0, 0]])
    >>> validate(torch.tensor([[0.2, 0.9, 0.1], [0.3, 0.2, 0.1]]), labels).mean("RR")
    1.0
    >>> validate(torch.tensor([[0.9, 0.2, 0.1], [0.3, 0.2, 0.1]]), labels).mean("RR")
    0.75

    What was recorded holds the GPU memory of one evaluation for each shape, until the object is gone.
    """

    def __init__(self, metrics: str | Metric | Iterable[str | Metric], *, convention: ConventionLike = None) -> None:
        self.metrics = parse_all(metrics)
        self.convention = check_convention(convention)
        check_asked(self.metrics)
        self._batches: dict[Any, _Batches] = {}

    def __call__(self, scores: Any, labels: Any) -> Scores:
        """The values of every query: one a row, labels of the same shape, NaN where an item is not judged."""
        if not hasattr(labels, "shape"):
            raise ParameterError("labels: give a tensor of the shape of the scores; JudgedItems cannot be recorded")
        shapes = tuple(scores.shape), tuple(labels.shape)
        if shapes[0] != shapes[1] or len(shapes[0]) != MATRIX:
            raise InputError(f"labels have the shape {shapes[1]} and scores {shapes[0]}; a row is a query in both")
        kind = (shapes[0], scores.dtype, labels.dtype, scores.device)
        if kind not in self._batches:
            self._batches[kind] = _Batches(self._outcomes, scores, labels)
        batches = self._batches[kind]
        found = batches.replay(scores.detach(), labels.detach())
        if found is not None:
            return as_scores(range(len(scores)), [*found], self.metrics, self.convention, Findings())
        by_steps = evaluate(Torch(scores.device), scores, labels, self.metrics, convention=self.convention)
        batches.record()
        return by_steps

    def _outcomes(self, library: Torch, scores: Any, labels: Any) -> list[Any]:
        """What rules and kernels make of a batch, on its device."""
        depth = common_depth(self.metrics, self.convention)
        ours: Any = DeviceArray(labels, library)
        theirs: Any = DeviceArray(scores, library)
        chunks = match_dense(ours, theirs, self.convention, Findings(), depth, at_a_time=AT_A_TIME)
        (_, matched), *others = chunks
        if others:
            raise _CannotBeRecordedError
        return [outcome.array for outcome in computed(matched, self.metrics, self.convention)]


class _CannotBeRecordedError(Exception):
    """Something happens that no graph can do."""


class _RecordedAnswers(Torch):
    """Torch whose every answer to a question of the host is written down, or read from what was written down."""

    def __init__(self, device: Any, answers: Sequence[Any] | None = None) -> None:
        super().__init__(device)
        self.answers = answers
        self.asked: list[Any] = []

    def to_host(self, array: Any) -> np.ndarray[Any, Any]:
        """The answer; one number at a time, for whole arrays are no questions."""
        if array.numel() != 1:
            raise _CannotBeRecordedError
        self.asked.append(array)
        if self.answers is None:
            return super().to_host(array)
        return np.asarray(self.answers[len(self.asked) - 1])


Work = Callable[[Torch, Any, Any], list[Any]]


class _Batches:
    """Batches of one shape: the tensors that graphs read, and the few ways in which batches went so far."""

    def __init__(self, work: Work, scores: Any, labels: Any) -> None:
        self._work = work
        self._scores, self._labels = scores.detach().clone(), labels.detach().clone()
        self._ways: list[Callable[[], Any]] = []
        self._tries = 0

    def replay(self, scores: Any, labels: Any) -> np.ndarray[Any, Any] | None:
        """The outcomes of a batch, a row each; None where it goes a way that was not recorded."""
        self._scores.copy_(scores)
        self._labels.copy_(labels)
        for place, way in enumerate(self._ways):
            try:
                found: np.ndarray[Any, Any] = way().cpu().numpy()
            except ASTRAY:
                continue
            if found[-1]:
                self._ways.insert(0, self._ways.pop(place))  # the next is likely to go the same way
                return found[:-1].reshape(-1, len(scores))
        return None

    def record(self) -> None:
        """Record what is done for the batch that was given last, unless too many went other ways before."""
        if self._tries < WAYS:
            self._tries += 1
            with suppress(_CannotBeRecordedError, RuntimeError):  # RuntimeError: CUDA cannot record a step
                self._ways.insert(0, self._recorded())

    def _recorded(self) -> Callable[[], Any]:
        import torch  # noqa: PLC0415

        first = _RecordedAnswers(self._scores.device)
        self._work(first, self._scores, self._labels)
        answers = [array.item() for array in first.asked]

        def way() -> Any:
            """All outcomes, and whether the answers are those of the first batch, in one tensor."""
            told = _RecordedAnswers(self._scores.device, answers)
            found = self._work(told, self._scores, self._labels)
            same = [array.reshape(()) == answer for array, answer in zip(told.asked, answers, strict=True)]
            return torch.cat([*(column.double() for column in found), torch.stack(same).all().double().reshape(1)])

        if self._scores.device.type != "cuda":
            return way
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.device(self._scores.device), torch.cuda.graph(graph):
            outcome = way()

        def replayed() -> Any:
            graph.replay()
            return outcome

        return replayed
