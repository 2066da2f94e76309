"""A leaderboard for programs: plain data and rows, with all digits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.evaluation.score_formats import table_text
from rankgauge.leaderboards.robustness import ranks_without
from rankgauge.rendering.plain import finite_or_none

if TYPE_CHECKING:
    from rankgauge.leaderboards.board import Leaderboard

SCHEMA = 1


def board_rows(board: Leaderboard) -> list[dict[str, Any]]:
    """Return a row per system, best first."""
    values, intervals, bounds = board.values(), board.intervals(), board.value_bounds()
    sets, marginal, groups = board.rank_sets(), board.rank_sets(marginal=True), board.groups()
    elo = board.elo() if board.aggregate == "bradley-terry" else {}
    without = ranks_without(board) if len(board.units) > 1 else None
    rows = []
    for system, place in zip(board.systems, board.order.tolist(), strict=True):
        row: dict[str, Any] = {"rank": int(board.ranks[place]), "system": system, "value": values[system]}
        if board.missing == "bounds":
            row |= {"lowest": bounds[system].low, "highest": bounds[system].high}
        if elo:
            row["elo"] = elo[system]
        row |= {"low": intervals[system].low, "high": intervals[system].high}
        for name, ends in (
            ("", sets[system]),
            ("marginal_", marginal[system]),
            (
                "without_one_",
                (None, None) if without is None else (int(without[:, place].min()), int(without[:, place].max())),
            ),
        ):
            row |= {f"{name}best_rank": ends[0], f"{name}worst_rank": ends[1]}
        row |= {"first_group": groups[system][0], "last_group": groups[system][1]}
        row["data_sets"] = int((~np.isnan(board.results.means[place])).sum())
        rows.append(row)
    return rows


def board_csv(board: Leaderboard) -> str:
    """Return the rows as CSV."""
    return table_text(board.rows[0], (finite_or_none([*row.values()]) for row in board.rows), ",")


def board_data(board: Leaderboard) -> dict[str, Any]:
    """Return everything as plain data."""
    better = board.uncertainty.better[np.ix_(board.order, board.order)]
    critical = board.uncertainty.pairs.critical
    means = board.results.means[board.order]
    data = {
        "schema": SCHEMA,
        "aggregate": board.aggregate,
        "metric": board.results.metric,
        "higher_is_better": board.higher_is_better,
        "missing": board.missing,
        "left_out": [*board.left_out],
        "target": board.target,
        "families": dict(board.families),
        "baseline": board.baseline,
        "alpha": board.alpha,
        "critical_t": critical,
        "systems": board.rows,
        "better_than": {
            name: [board.systems[other] for other in np.flatnonzero(row)]
            for name, row in zip(board.systems, better, strict=True)
        },
        "possible_firsts": board.possible_firsts(),
        "data_sets": [*board.data_sets],
        "values": {name: row.tolist() for name, row in zip(board.systems, means, strict=True)},
        "influence": [entry._asdict() for entry in board.influence()],
        "agreement": board.agreement(),
        "findings": [finding.to_dict() for finding in board.findings],
    }
    plain: dict[str, Any] = finite_or_none(data)
    return plain
