"""Pictures of a leaderboard: the rank interval of each system, a heat map, and the influence of each data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rankgauge.leaderboards.aggregates import AGGREGATES
from rankgauge.leaderboards.messages import PAGE
from rankgauge.rendering import svg
from rankgauge.rendering.element import Element
from rankgauge.rendering.svg import Scale

if TYPE_CHECKING:
    from rankgauge.leaderboards.board import Leaderboard

SHADES = 8
BAR, HEIGHT = 170, 16
"""Width and height of a drawn rank interval."""
NAMES, TITLES, CELL, ROW = 210, 168, 20, 16
"""Heat map: width of the names, height of the titles, and size of a cell."""
INFLUENCE = 640


def rank_picture(board: Leaderboard) -> list[Element]:
    """Return the rank interval of each system: what holds for all systems as a bar, percentiles as a thick line."""
    count = len(board.systems)
    across = Scale(1, max(count, 2), 6, BAR - 6)
    pictures = []
    for row in board.rows:
        best, worst, rank = row["best_rank"], row["worst_rank"], row["rank"]
        inner = row["marginal_best_rank"], row["marginal_worst_rank"]
        middle = HEIGHT / 2
        marks = [
            svg.line(across(1), middle, across(count), middle, class_="grid"),
            svg.line(across(best), middle, across(worst), middle, class_="ranks"),
            svg.line(across(inner[0]), middle, across(inner[1]), middle, class_="percentiles"),
            Element("circle", cx=across(rank), cy=middle, r=3.5, class_="rank-dot"),
        ]
        label = PAGE["rank"].fill(system=row["system"], best=best, worst=worst)
        pictures.append(svg.picture(BAR, HEIGHT, *marks, class_="rank-bar", label=label))
    return pictures


def heat_map(board: Leaderboard) -> Element:
    """Return the value of each system (row) on each data set (column), shaded by the share it beats there."""
    values = board.sign * board.results.means[board.order]
    share = np.nan_to_num(AGGREGATES["win rate"].contributions(values, "present").low)
    shades = np.where(np.isnan(values), -1, np.minimum(share * SHADES, SHADES - 1).astype(np.int64))
    drawn = []
    for shade in range(SHADES):
        cells = np.argwhere(shades == shade)
        starts = ((NAMES + CELL * column, TITLES + ROW * (row + 0.5)) for row, column in cells)
        path = "".join(f"M{x} {y:g}h{CELL - 1}" for x, y in starts)
        if path:
            drawn.append(Element("path", d=path, class_=f"cell c{shade}", stroke_width=ROW - 1.0))
    systems, data_sets = svg.fitted_names(board.systems, NAMES - 12), svg.fitted_names(board.data_sets, TITLES - 12)
    rows = [
        svg.name_label(NAMES - 6, TITLES + ROW * place + 12, systems[name], name, "end")
        for place, name in enumerate(board.systems)
    ]
    titles = []
    for place, name in enumerate(board.data_sets):
        x, y = NAMES + CELL * place + 14, TITLES - 6
        text = svg.name_label(x, y, data_sets[name], name)
        titles.append(text.replace(transform=f"rotate(-90 {x:g} {y:g})"))
    width, height = NAMES + CELL * len(board.data_sets) + 4, TITLES + ROW * len(board.systems) + 4
    here = Element("rect", width=CELL, height=ROW, class_="here", id="here", visibility="hidden")
    picture = svg.picture(width, height, *titles, *rows, *drawn, here, class_="picture map", label=PAGE["heat map"])
    sizes = {"data_names": NAMES, "data_titles": TITLES, "data_cell": CELL, "data_row": ROW, "id": "map"}
    return picture.replace(width=width, height=height, **sizes)


def influence_picture(board: Leaderboard) -> Element:
    """Return a bar per data set: how much the order changes without it, and the best system if it is another."""
    influences = board.influence()
    largest = max([1 - entry.tau for entry in influences if entry.tau == entry.tau] or [0.01]) or 0.01
    across = Scale(0, largest * 1.02, NAMES, INFLUENCE - 220)
    marks, top = [], 8
    data_sets = svg.fitted_names(board.data_sets, NAMES - 12)
    for place, entry in enumerate(influences):
        y = top + ROW * place
        change = 0.0 if entry.tau != entry.tau else 1 - entry.tau
        end = across(change)
        marks.append(svg.name_label(NAMES - 6, y + 12, data_sets[entry.data_set], entry.data_set, "end"))
        width = max(end - NAMES, 1.0)
        marks.append(Element("rect", x=NAMES, y=y + 2, width=width, height=ROW - 4, class_="influence"))
        if entry.first_changes:
            first = svg.fitted_names(board.systems, INFLUENCE - end - 12)[entry.first]
            marks.append(svg.name_label(end + 8, y + 12, first, entry.first))
    bottom = top + ROW * len(influences)
    axis = svg.x_axis(across, top, bottom, PAGE["one minus tau"], 4)
    return svg.picture(INFLUENCE, bottom + 42, *axis, *marks, class_="picture wide", label=PAGE["influence"])
