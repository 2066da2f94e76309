"""Two systems over data sets: the difference with its intervals, and who wins on each data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.leaderboards.messages import PAIR
from rankgauge.leaderboards.robustness import scores_without
from rankgauge.rendering.document import Document, Paragraph, ShownAsDocument, Table
from rankgauge.rendering.language import check_lang
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import FrameResult, columns_of, finite_or_none
from rankgauge.stats.corrections import holm
from rankgauge.stats.intervals import NO_INTERVAL, Interval
from rankgauge.stats.paired_tests import paired_t, sign
from rankgauge.stats.strengths import ELO

if TYPE_CHECKING:
    from rankgauge.leaderboards.board import Leaderboard


@dataclass(frozen=True)
class DataSetDifference:
    """Two systems on one data set."""

    data_set: str
    first: float
    second: float
    difference: float
    """Second minus first."""
    winner: str
    """The better system; empty for a tie or a missing value."""
    p: float
    """P-value of the paired t-test over queries, corrected by Holm for the data sets; NaN without values of queries."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; None for what is not a number."""
        plain: dict[str, Any] = finite_or_none(asdict(self))
        return plain


@dataclass(frozen=True)
class BoardPair(ShownAsDocument, FrameResult):
    """The difference of two systems of a leaderboard, second minus first."""

    first: str
    second: str
    difference: float
    """Difference of the aggregates; of Bradley-Terry strengths in points of Elo's scale."""
    interval: Interval
    """Interval that holds for all pairs of the board together."""
    marginal: Interval
    """Percentile interval of this pair alone."""
    separable: bool
    level: float
    wins: int
    """Data sets (or families) on which the second system is better."""
    ties: int
    losses: int
    sign_p: float
    """P-value of the sign test over data sets; NaN if all are ties."""
    without_one: Interval
    """Lowest and highest difference with one data set left out."""
    by_data_set: tuple[DataSetDifference, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; None for what is not a number."""
        plain: dict[str, Any] = finite_or_none(asdict(self))
        return plain

    def frame_columns(self) -> Mapping[str, Sequence[Any]]:
        """One row for each data set."""
        return columns_of(asdict(row) for row in self.by_data_set)

    def document(self, lang: str = "en") -> Document:
        """Return the difference and the data sets as a page."""
        language = check_lang(lang)
        values = {
            "first": self.first,
            "second": self.second,
            "difference": decimal(self.difference, 4),
            "low": decimal(self.interval.low, 4),
            "high": decimal(self.interval.high, 4),
            "level": f"{self.level:.0%}",
            "one_low": decimal(self.marginal.low, 4),
            "one_high": decimal(self.marginal.high, 4),
            "without_low": decimal(self.without_one.low, 4),
            "without_high": decimal(self.without_one.high, 4),
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "p": f"{self.sign_p:.2g}",
        }
        verdict = "separable" if self.separable else "not separable"
        lines = [PAIR[name].render(language, **values) for name in ("difference", verdict, "wins", "without one")]
        columns = [PAIR[name].render(language) for name in ("data set", "first", "second", "change", "winner", "p")]
        rows = [
            [
                row.data_set,
                *(decimal(value, 4) for value in (row.first, row.second, row.difference)),
                row.winner or "–",
                "–" if np.isnan(row.p) else f"{row.p:.2g}",
            ]
            for row in self.by_data_set
        ]
        titles = [
            title.replace("{name}", name)
            for title, name in zip(columns, ("", self.first, self.second, "", "", ""), strict=True)
        ]
        return Document([*map(Paragraph, lines), Table(titles, rows, align="lrrrlr")])


def board_pair(board: Leaderboard, first: str, second: str) -> BoardPair:
    """Compare two systems of a board."""
    one, other = board.place(first), board.place(second)
    slope = pair_slope(board)
    pairs, reach = board.uncertainty.pairs, board.uncertainty.pairs.reach
    change = float(board.scores[other] - board.scores[one])
    # With missing values a difference has two sides: what is certain for either system.
    ends = -pairs.statistic[other, one] - reach[other, one], pairs.statistic[one, other] + reach[one, other]
    low, high = min(ends), max(ends)
    samples = board.uncertainty.low[:, other] - board.uncertainty.high[:, one]
    others = board.uncertainty.high[:, other] - board.uncertainty.low[:, one]
    tail = board.alpha / 2
    marginal = float(np.nanquantile(samples, tail)), float(np.nanquantile(others, 1 - tail))
    without = scores_without(board) if len(board.units) > 1 else np.full((1, len(board.scores)), np.nan)
    left = slope * (without[:, other] - without[:, one])
    left = left[np.isfinite(left)]
    wins, ties, losses = _wins(board, one, other)
    signs = np.repeat([1.0, 0.0, -1.0], [wins, ties, losses])
    return BoardPair(
        first,
        second,
        slope * change,
        _ordered(slope * low, slope * high),
        _ordered(*(slope * end for end in marginal)),
        board.separable(first, second),
        1 - board.alpha,
        wins,
        ties,
        losses,
        sign(np.zeros(len(signs)), signs).p if wins + losses else float("nan"),
        Interval(float(left.min()), float(left.max())) if len(left) else NO_INTERVAL,
        _by_data_set(board, one, other),
    )


def _wins(board: Leaderboard, one: int, other: int) -> tuple[int, int, int]:
    """Return on how many units the second system is better, equal and worse."""
    gaps = board.contributions.low[other] - board.contributions.low[one]
    known = gaps[~np.isnan(gaps)]
    margin = 1e-12 * float(np.abs(known).max(initial=0.0))
    wins, losses = int((known > margin).sum()), int((known < -margin).sum())
    return wins, len(known) - wins - losses, losses


def pair_slope(board: Leaderboard) -> float:
    """Return the factor from mean contributions to the numbers of the aggregate."""
    if board.aggregate == "bradley-terry":
        return ELO
    return float(board.shown(np.ones(1))[0] - board.shown(np.zeros(1))[0])


def _ordered(one: float, other: float) -> Interval:
    return Interval(float(min(one, other)), float(max(one, other)))


def _by_data_set(board: Leaderboard, one: int, other: int) -> tuple[DataSetDifference, ...]:
    means, names = board.results.means, board.results.systems
    tests = np.full(len(board.data_sets), np.nan)
    for place, matrix in board.results.per_query.items():
        pair = matrix[:, [one, other]]
        if len(pair) > 1 and not np.isnan(pair).any():
            tests[place] = paired_t(pair[:, 0], pair[:, 1]).p
    tested = ~np.isnan(tests)
    if tested.any():
        tests[tested] = holm(tests[tested])
    rows = []
    for place, name in enumerate(board.data_sets):
        first, second = float(means[one, place]), float(means[other, place])
        gap = board.sign * (second - first)
        winner = names[other] if gap > 0 else names[one] if gap < 0 else ""
        rows.append(DataSetDifference(name, first, second, second - first, winner, float(tests[place])))
    return tuple(rows)
