"""Strengths of systems from wins against each other: the model of Bradley and Terry (1952) by maximum likelihood."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError
from rankgauge.segments import Floats

STEPS = 100
TOLERANCE = 1e-12
ELO = 400 / float(np.log(10))
"""Points of Elo's scale per unit of a logarithm of strengths: 400 points are odds of 10 to 1."""
PHANTOM = 0.5
"""Wins and losses of every system against an average opponent, where the wins alone have no finite maximum."""


class BradleyTerryResult(NamedTuple):
    """Strengths of systems, by maximum likelihood."""

    logs: Floats
    """Logarithms of the strengths, with mean 0."""
    regularised: bool
    """Whether half a win and half a loss against an average opponent were added to every system."""

    @property
    def strengths(self) -> Floats:
        """The strengths, with geometric mean 1."""
        return np.exp(self.logs)

    def elo(self, mean: float = 1500.0) -> Floats:
        """Return the strengths on the scale of Elo ratings; the order of the matches plays no role."""
        return mean + ELO * self.logs


def bradley_terry(wins: npt.ArrayLike) -> BradleyTerryResult:
    """Strengths of systems by maximum likelihood: i beats j with probability s_i / (s_i + s_j).

    ``wins`` is a matrix: how often the system of a row beat that of a column; a tie is half a win of each. If a group
    of systems never lost to the others, or was never compared with them, the maximum is not finite: then half a win and
    half a loss against an average opponent are added to every system, and the result says so.

    >>> bradley_terry([[0, 3], [1, 0]]).strengths.round(6).tolist()  # odds of 3 to 1
    [1.732051, 0.57735]
    >>> bradley_terry([[0, 3], [1, 0]]).elo().round(2).tolist()
    [1595.42, 1404.58]
    """
    matrix = _checked(wins)
    regularised = not _connected(matrix)
    logs = _maximise(matrix, PHANTOM * regularised)
    return BradleyTerryResult(logs, regularised)


def _checked(wins: npt.ArrayLike) -> Floats:
    try:
        matrix = np.array(wins, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError("bradley_terry: expected a square matrix of wins") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:  # noqa: PLR2004 (systems x systems)
        raise ParameterError(f"bradley_terry: expected a square matrix of wins, found shape {matrix.shape}")
    if not (np.isfinite(matrix) & (matrix >= 0)).all():
        raise ParameterError("bradley_terry: wins must be numbers from 0")
    np.fill_diagonal(matrix, 0.0)
    return matrix


def _connected(wins: Floats) -> bool:
    """Whether every system beat every other, directly or through others: the condition of a finite maximum."""
    for edges in (wins > 0, wins.T > 0):
        reached = np.arange(len(wins)) == 0
        count = 0
        while reached.sum() > count:
            count = int(reached.sum())
            reached |= edges[reached].any(axis=0)
        if count < len(wins):
            return False
    return True


def _maximise(wins: Floats, phantom: float) -> Floats:
    """Newton's method on the logarithms; halve a step that does not raise the likelihood.

    Adding a constant to all logarithms changes nothing; the constant added to the matrix keeps their sum.
    """
    games, logs = wins + wins.T, np.zeros(len(wins))
    value = _likelihood(wins, logs, phantom)
    for _ in range(STEPS):
        gradient = bradley_terry_gradient(wins, logs) + phantom * (1 - 2 * _logistic(logs))
        step = np.linalg.solve(bradley_terry_information(games, logs, phantom) + 1 / len(logs), gradient)
        size = 1.0
        while _likelihood(wins, logs + size * step, phantom) < value - TOLERANCE * abs(value) and size > TOLERANCE:
            size /= 2
        logs = logs + size * step
        logs -= logs.mean() * (phantom == 0)
        value = _likelihood(wins, logs, phantom)
        if np.abs(size * step).max() <= TOLERANCE * max(1.0, float(np.abs(logs).max())):
            break
    return logs - logs.mean()


def _likelihood(wins: Floats, logs: Floats, phantom: float) -> float:
    gaps = logs[:, None] - logs
    against = -np.logaddexp(0, -logs) - np.logaddexp(0, logs)
    return float(-(wins * np.logaddexp(0, -gaps)).sum() + phantom * against.sum())


def bradley_terry_gradient(wins: Floats, logs: Floats) -> Floats:
    """Return the derivative of the log likelihood: wins minus expected wins of each system."""
    expected: Floats = (wins + wins.T) * _logistic(logs[:, None] - logs)
    result: Floats = wins.sum(axis=1) - expected.sum(axis=1)
    return result


def bradley_terry_information(games: Floats, logs: Floats, phantom: float = 0.0) -> Floats:
    """Return minus the second derivatives of the log likelihood; ``games`` is how often each pair was compared."""
    chances = _logistic(logs[:, None] - logs)
    curvature = games * chances * (1 - chances)
    diagonal = 2 * phantom * _logistic(logs) * _logistic(-logs)
    result: Floats = np.diag(curvature.sum(axis=1) + diagonal) - curvature
    return result


def _logistic(gaps: Floats) -> Floats:
    result: Floats = np.exp(-np.logaddexp(0, -gaps))
    return result
