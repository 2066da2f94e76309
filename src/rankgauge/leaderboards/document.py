"""A leaderboard as a document and as plain data: rank intervals drawn, what is certain, and how robust it is."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge.leaderboards.messages import BOARD, COLUMNS, INFLUENCE, MISSING, RULES, TARGETS
from rankgauge.leaderboards.pair import pair_slope
from rankgauge.leaderboards.robustness import ranks_without
from rankgauge.rendering.document import Document, Paragraph, Table, Value
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.number_texts import decimal
from rankgauge.rendering.plain import finite_or_none

if TYPE_CHECKING:
    from rankgauge.leaderboards.board import Leaderboard


DRAWN = 21
"""Characters of a drawn rank interval."""
MOST_INFLUENTIAL = 5


def board_document(board: Leaderboard, lang: Lang, top: int | None, digits: int | None) -> Document:
    """Return the board with notes."""
    table = board_table(board, lang, top, digits)
    influence = [influence_table(board, lang)] if len(board.systems) > 1 and len(board.units) > 1 else []
    return Document([table, *map(Paragraph, board_notes(board, lang, top)), *influence])


def drawn_ranks(best: int, worst: int, rank: int, count: int, width: int = DRAWN) -> str:
    """Return a rank interval as a line of characters, with a dot at the rank.

    >>> drawn_ranks(2, 5, 3, 9, 9)
    '.├●─┤....'
    """
    room = min(width, count)
    first, last, middle = (
        round((place - 1) * (room - 1) / max(count - 1, 1)) for place in (best, worst, min(max(rank, best), worst))
    )
    line = ["."] * first + ["─"] * (last - first + 1) + ["."] * (room - last - 1)
    line[first], line[last] = "├", "┤"
    line[middle] = "●"
    return "".join(line)


def board_table(
    board: Leaderboard, lang: Lang, top: int | None = None, digits: int | None = None, *, drawn: bool = True
) -> Table:
    """Return the board as a table; systems that may be the best are marked."""
    rows, count = board.rows[:top], len(board.systems)
    places = board.definition.digits if digits is None else digits
    shown = {"level": f"{1 - board.alpha:.0%}", "count": count, "baseline": board.baseline or ""}
    several, resampled = count > 1, len(board.units) > 1 or board.target == "queries"
    chosen = {
        "bounds": board.missing == "bounds" and not board.results.complete,
        "elo": board.aggregate == "bradley-terry",
        "ranks": several,
        "drawing": several and drawn,
        "interval": resampled,
        "marginal ranks": several and resampled,
        "without one": several and len(board.units) > 1,
        "groups": several,
        "data sets": not board.results.complete,
        "baseline": board.baseline is not None,
    }
    keys = ["rank", "system", "value", *(key for key, wanted in chosen.items() if wanted)]
    title = board.definition.title.render(lang)
    titles = [title if key == "value" else COLUMNS[key].render(lang, **shown) for key in keys]
    cells = [[_cell(board, key, row, places, count) for key in keys] for row in rows]
    caption = BOARD["caption"].render(
        lang,
        aggregate=title,
        systems=count,
        data_sets=len(board.data_sets),
        metric=BOARD["of metric"].fill(metric=board.results.metric) if board.results.metric else "",
    )
    optional = [
        titles[keys.index(key)] for key in ("groups", "without one", "marginal ranks", "interval") if key in keys
    ]
    return Table(
        titles,
        cells,
        "".join("l" if key == "system" else "r" for key in keys),
        caption,
        keys,
        optional=optional,
        left_out=BOARD["left out columns"].render(lang, columns="{columns}"),
    )


RANGES = {
    "interval": ("low", "high"),
    "bounds": ("lowest", "highest"),
    "ranks": ("best_rank", "worst_rank"),
    "marginal ranks": ("marginal_best_rank", "marginal_worst_rank"),
    "without one": ("without_one_best_rank", "without_one_worst_rank"),
    "groups": ("first_group", "last_group"),
}
"""Columns that show two numbers."""


def _cell(board: Leaderboard, key: str, row: dict[str, Any], digits: int, count: int) -> str:
    if key in RANGES:
        low, high = (row[name] for name in RANGES[key])
        return _range(low, high, digits if key in {"interval", "bounds"} else 0)
    if key == "value":
        marks = "*" if row["best_rank"] == 1 and count > 1 else ""
        return Value(decimal(row["value"], digits), best=row["rank"] == 1 and count > 1, marks=marks)
    if key == "drawing":
        return drawn_ranks(row["best_rank"], row["worst_rank"], row["rank"], count)
    if key == "baseline":
        return _against_baseline(board, row["system"], digits)
    return decimal(row["elo"], 0) if key == "elo" else str(row["data_sets" if key == "data sets" else key])


def _range(low: float | None, high: float | None, digits: int) -> str:
    """Return two numbers as a range; one number if they are equal."""
    if low is None or high is None:
        return "–"
    first, last = decimal(low, digits), decimal(high, digits)
    return first if first == last else f"{first} – {last}" if digits else f"{first}–{last}"


def _against_baseline(board: Leaderboard, system: str, digits: int) -> str:
    """Return the difference from the baseline, marked if the two are separable."""
    if system == board.baseline or board.baseline is None:
        return "–"
    places = board.place(system), board.place(board.baseline)
    change = pair_slope(board) * float(board.scores[places[0]] - board.scores[places[1]])
    return Value(decimal(change, digits, "+"), marks="*" if board.separable(system, board.baseline) else "")


class Separations(NamedTuple):
    """How many systems may be first, and how many neighbours and pairs are separable."""

    firsts: int
    neighbours: int
    same_neighbours: int
    pairs: int
    all_pairs: int


def separations(board: Leaderboard, *, marginal: bool = False) -> Separations:
    """Count what is separable on a board."""
    source = board.uncertainty.marginally_better if marginal else board.uncertainty.better
    better = source[np.ix_(board.order, board.order)]
    count = len(better)
    neighbours = count - 1
    same = neighbours - int((np.diagonal(better, 1) | np.diagonal(better, -1)).sum())
    firsts = len(board.possible_firsts(marginal=marginal))
    return Separations(firsts, neighbours, same, int(better.sum()), count * (count - 1) // 2)


def target_phrase(board: Leaderboard) -> Phrase:
    """Return what the intervals generalise to."""
    from_deviations = board.target == "queries" and not board.results.has_queries
    return TARGETS["queries from n and sd" if from_deviations else board.target]


def missing_phrase(board: Leaderboard) -> Phrase:
    """Return the rule for missing values and how many systems it concerns."""
    if board.results.complete and not board.left_out:
        return MISSING["none"]
    lacking = int(np.isnan(board.results.means).any(axis=1).sum())
    return MISSING[board.missing].fill(count=len(board.left_out) or lacking)


def board_notes(board: Leaderboard, lang: Lang, top: int | None = None) -> list[str]:
    """Return the sentences under a board."""
    notes = []
    if top is not None and top < len(board.systems):
        notes.append(BOARD["top"].render(lang, shown=top, count=len(board.systems)))
    if len(board.systems) > 1:
        level = f"{1 - board.alpha:.0%}"
        counts = separations(board)
        values = {"count": counts.firsts, "same": counts.same_neighbours, "neighbours": counts.neighbours}
        values |= {"pairs": counts.pairs, "all": counts.all_pairs}
        if np.isinf(board.uncertainty.pairs.critical):
            notes.append(BOARD["too few"].render(lang, count=_resampled(board)))
        else:
            notes.append(BOARD["firsts"].render(lang, **values, level=level, target=target_phrase(board)))
            one = separations(board, marginal=True)
            values = {"count": one.firsts, "same": one.same_neighbours, "neighbours": one.neighbours}
            notes.append(BOARD["marginal"].render(lang, **values, pairs=one.pairs, all=one.all_pairs))
        notes += mark_notes(board, lang)
    notes.append(BOARD["aggregate rule"].render(lang, rule=RULES[board.aggregate]))
    notes.append(BOARD["rule"].render(lang, rule=missing_phrase(board)))
    if board.families:
        members = [name for name in board.data_sets if name in board.families]
        families = {board.families[name] for name in members}
        counts_of = {"count": len(members), "data_sets": len(board.data_sets), "families": len(families)}
        notes.append(BOARD["families"].render(lang, **counts_of))
    if not board.contributions.fits:
        notes.append(BOARD["not fitted"].render(lang))
    taus = [f"{name} {tau:.3f}" for name, tau in board.agreement().items() if isfinite(tau)]
    if taus:  # two systems with equal values have no order
        notes.append(BOARD["agreement"].render(lang, taus=", ".join(taus)))
    return notes


def _resampled(board: Leaderboard) -> int:
    """Return how many data sets, or queries, there are to resample."""
    of_queries = board.target == "queries" and board.results.has_queries
    return sum(map(len, board.results.per_query.values())) if of_queries else len(board.units)


def mark_notes(board: Leaderboard, lang: Lang) -> list[str]:
    """Return what the marks in the table mean."""
    if len(board.systems) == 1:
        return []
    against = [BOARD["baseline"].render(lang, baseline=board.baseline)][: board.baseline is not None]
    return [BOARD["mark"].render(lang), *against]


def influence_table(board: Leaderboard, lang: Lang, most: int | None = MOST_INFLUENTIAL) -> Table:
    """Return the data sets whose absence changes the board most."""
    rows = [
        [
            entry.data_set,
            Value(entry.first, best=entry.first_changes),
            decimal(entry.tau, 3) if isfinite(entry.tau) else "–",
            str(entry.largest_change),
            entry.system,
        ]
        for entry in board.influence()[:most]
    ]
    titles = [phrase.render(lang) for phrase in INFLUENCE.values()]
    return Table(titles, rows, "llrrl", BOARD["influence"].render(lang), [*INFLUENCE])


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
