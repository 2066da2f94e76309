"""The pictures of a metric over all systems, for the page and for files."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rankgauge.comparison.verdict import percent
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.blocks import Paragraph
from rankgauge.rendering.element import Element
from rankgauge.rendering.language import Phrase
from rankgauge.rendering.plain import finite_or_none
from rankgauge.rendering.svg import (
    LEFT,
    NAMES,
    RIGHT,
    ROW,
    WIDTH,
    Scale,
    around,
    colour,
    label,
    line,
    marker,
    name_label,
    picture,
    spread_out,
    x_axis,
    y_axis,
)  # fmt: skip
from rankgauge.reports.contents import ReportContents, cutoffs, has_cutoff
from rankgauge.reports.difference_pictures import slice_differences
from rankgauge.reports.messages import CAPTIONS, PICTURES
from rankgauge.reports.picture import Picture, four_digits, listing
from rankgauge.segments import Floats

LABELLED = WIDTH - 108.0
"""Where lines end and their labels begin."""
BARS = 24


def metric_pictures(contents: ReportContents, metric: Metric) -> list[Picture]:
    """Return the pictures of a metric except those of pairs."""
    pictures = [intervals(contents, metric)]
    if metric.definition.summary.has_query_values:
        pictures.append(distribution(contents, metric))
    if has_cutoff(metric):
        pictures.append(curve(contents, metric))
    if metric in contents.bounds:
        pictures += [unjudged(contents, metric), bounds(contents, metric)]
    return [
        *pictures,
        *(slice_differences(contents, metric, place, cut) for place, cut in enumerate(contents.slices[metric])),
    ]


def _message(key: str, metric: Metric) -> str:
    """Return the key of the message about a mean or about a corpus-level value."""
    return key if metric.definition.summary.has_query_values else f"corpus {key}"


def _place(contents: ReportContents, system: str) -> int:
    return contents.scores.systems.index(system)


def _dots(
    key: str, rows: Sequence[tuple[str, int, float, float, float, str]], title: Phrase | str, *, zero: bool = False
) -> Element:
    """Return a row for each name: a point, its interval and a label at the right."""
    low, high = around([end for row in rows for end in row[2:5]], zero=zero)
    room = 34.0 if any(row[5] for row in rows) else 0.0
    scale = Scale(low, high, NAMES + 8.0, RIGHT - 8 - room)
    bottom = 8 + ROW * len(rows)
    marks = x_axis(scale, 4, bottom, title, 4)
    for n, (name, place, middle, start, end, word) in enumerate(rows):
        y = 8 + ROW * (n + 0.5)
        marks.append(name_label(NAMES - 4, y + 4, name, NAMES - 8, "end"))
        if math.isfinite(start) and math.isfinite(end):
            marks += [line(scale(start), y, scale(end), y, class_=f"reach {colour(place)}")]
            marks += [line(scale(x), y - 5, scale(x), y + 5, class_=f"reach {colour(place)}") for x in (start, end)]
        if math.isfinite(middle):
            marks.append(marker(scale(middle), y, place))
        if word:
            marks.append(label(RIGHT, y + 4, word, "label strong", "end"))
    return picture(WIDTH, bottom + 42, *marks, class_=f"picture {key}")


def intervals(contents: ReportContents, metric: Metric) -> Picture:
    """Return the mean of each system with its interval and group, best first."""
    if contents.comparison is None:
        rows = [
            (name, contents.scores.mean(metric, name), contents.interval(contents.scores, metric, name), "")
            for name in contents.scores.systems
        ]
    else:
        board = contents.comparison.leaderboard(metric)
        rows = [(row.system, row.mean, row.interval, row.group) for row in board]
    drawing = _dots(
        "intervals",
        [(name, _place(contents, name), mean, *ends, group) for name, mean, ends, group in rows],
        str(metric),
    )
    level = percent(contents.level)
    listed = [
        f"{name} {four_digits(mean)} [{four_digits(ends.low)}, {four_digits(ends.high)}]"
        for name, mean, ends, _ in rows
    ]
    return Picture(
        "intervals",
        PICTURES[_message("intervals", metric)].fill(level=level),
        CAPTIONS[_message("intervals", metric)].fill(list=listing(listed), metric=metric, level=level),
        drawing,
        ("system", "mean", "low", "high", "group"),
        finite_or_none([[name, mean, *ends, group] for name, mean, ends, group in rows]),
    )


def curve(contents: ReportContents, metric: Metric) -> Picture:
    """Return the mean over the cutoff."""
    ks = cutoffs(metric)
    lines = []
    for system in contents.scores.systems:
        means = [contents.over_k.mean(metric @ k, system) for k in ks]
        ends = [contents.interval(contents.over_k, metric @ k, system) for k in ks]
        lines.append((system, means, ends))
    name, level = str(metric @ None), percent(contents.level)
    low, high = metric.definition.bounds
    inside = [
        (system, means, [(max(end.low, low), min(end.high, high)) for end in ends]) for system, means, ends in lines
    ]
    drawing = _lines("curve", ks, inside, f"{name}@k")
    listed = [f"{system} {four_digits(means[-1])}" for system, means, _ in lines]
    return Picture(
        "curve",
        PICTURES[_message("curve", metric)].fill(level=level),
        CAPTIONS[_message("curve", metric)].fill(list=listing(listed), metric=name, low=ks[0], high=ks[-1]),
        drawing,
        ("system", "k", "mean", "low", "high"),
        finite_or_none(
            [
                [system, k, mean, *end]
                for system, means, ends in lines
                for k, mean, end in zip(ks, means, ends, strict=True)
            ]
        ),
    )


def _lines(
    key: str, ks: Sequence[int], lines: Sequence[tuple[str, list[float], Sequence[Any]]], title: Phrase | str
) -> Element:
    """Return a line with a band for each system, labelled at its end."""
    values = [value for _, means, ends in lines for value in [*means, *(x for pair in ends for x in pair)]]
    low, high = around(values)
    if key == "unjudged":
        low, high = 0.0, max(high, 0.05)
    far = ks[-1] > 30  # noqa: PLR2004 (a logarithmic axis for many cutoffs)
    position: Callable[[float], float] = math.log10 if far else float
    across = Scale(position(ks[0]), position(ks[-1]), LEFT + 6, LABELLED)
    up = Scale(low, high, 244, 28)
    marks = y_axis(up, LEFT, LABELLED + 4, title)
    ticks = [k for k in ks if k in {1, 10, 100, 1000, 10000}] if far else [k for k in ks if k == 1 or k % 5 == 0]
    marks += [label(across(position(k)), 262, str(k), "tick", "middle") for k in ticks]
    marks.append(label((LEFT + LABELLED) / 2, 280, PICTURES["k"], "axis", "middle"))
    for n, (_, _, ends) in enumerate(lines):
        band = [(across(position(k)), *pair) for k, pair in zip(ks, ends, strict=True) if not math.isnan(pair[0])]
        if len(band) > 1:
            there = " ".join(f"{x:.1f},{up(high):.1f}" for x, _, high in band)
            back = " ".join(f"{x:.1f},{up(low):.1f}" for x, low, _ in reversed(band))
            marks.append(Element("polygon", points=f"{there} {back}", class_=f"band {colour(n)}"))
    ends_at = []
    for n, (_, means, _) in enumerate(lines):
        points = [(across(position(k)), up(mean)) for k, mean in zip(ks, means, strict=True) if not math.isnan(mean)]
        marks.append(
            Element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=f"line {colour(n)}")
        )
        if points:
            marks.append(marker(*points[-1], n))
        ends_at.append(points[-1][1] if points else 244.0)
    for n, y in enumerate(spread_out(ends_at, 14, 24, 250)):
        marks.append(
            name_label(LABELLED + 10, y + 4, lines[n][0], WIDTH - LABELLED - 12, class_=f"label name {colour(n)}")
        )
    return picture(WIDTH, 290, *marks, class_=f"picture {key}")


def unjudged(contents: ReportContents, metric: Metric) -> Picture:
    """Return the share of unjudged items in the top k."""
    ks = cutoffs(metric)
    lines = [
        (system, [1 - contents.over_k.mean(contents.judged_share(k), system) for k in ks], ())
        for system in contents.scores.systems
    ]
    drawing = _lines(
        "unjudged",
        ks,
        [(system, shares, [(math.nan,) * 2] * len(ks)) for system, shares, _ in lines],
        PICTURES["share"],
    )
    return Picture(
        "unjudged",
        PICTURES["unjudged"],
        CAPTIONS["unjudged"].fill(
            list=listing([f"{system} {shares[-1]:.1%}" for system, shares, _ in lines]), high=ks[-1]
        ),
        drawing,
        ("system", "k", "unjudged"),
        finite_or_none(
            [[system, k, share] for system, shares, _ in lines for k, share in zip(ks, shares, strict=True)]
        ),
    )


def bounds(contents: ReportContents, metric: Metric) -> Picture:
    """Return how far unjudged items could move each mean."""
    result = contents.bounds[metric]
    rows = [(part.system, _place(contents, part.system), part.mean, *part.range, "") for part in result.systems]
    entries = [
        f"{name} {four_digits(mean)} ({four_digits(low)} … {four_digits(high)})" for name, _, mean, low, high, _ in rows
    ]
    caption = CAPTIONS["bounds"].fill(list=listing(entries), metric=metric, grade=f"{result.grade:g}")
    notes = [
        " ".join(block.text for block in result.document(lang).blocks[2:] if isinstance(block, Paragraph))
        for lang in ("en", "zh")
    ]
    return Picture(
        "bounds",
        PICTURES["bounds"],
        Phrase(f"{caption.en} {notes[0]}", f"{caption.zh}{notes[1]}"),
        _dots("bounds", rows, str(metric)),
        ("system", "unjudged", "mean", "none relevant", "all at top grade", "lowest", "highest"),
        finite_or_none(
            [
                [part.system, part.unjudged, part.mean, part.none, part.all, part.lowest, part.highest]
                for part in result.systems
            ]
        ),
    )


def distribution(contents: ReportContents, metric: Metric) -> Picture:
    """Return the histogram of the values of each system."""
    columns = {name: _without_nan(contents.scores.system(name)[metric]) for name in contents.scores.systems}
    ends = metric.definition.bounds
    everything = np.concatenate([*columns.values()])
    if not math.isfinite(ends[0]) or not math.isfinite(ends[1]):
        ends = around(everything.tolist(), margin=0.0)
    scale = Scale(*ends, NAMES + 8.0, RIGHT - 8)
    edges = np.linspace(*ends, BARS + 1)
    counts = {name: np.histogram(values, edges)[0] for name, values in columns.items()}
    most = max((int(count.max(initial=0)) for count in counts.values()), default=0) or 1
    tall = 44
    bottom = 8 + tall * len(columns)
    marks = x_axis(scale, 4, bottom, str(metric), 4)
    for n, (name, count) in enumerate(counts.items()):
        base = 8 + tall * (n + 1) - 4
        marks.append(name_label(NAMES - 4, base - 8, name, NAMES - 8, "end"))
        path = f"M{scale(edges[0]):.1f} {base}"
        for left, right, many in zip(edges[:-1], edges[1:], count, strict=True):
            top = base - (tall - 10) * many / most
            path += f"V{top:.1f}" if left == edges[0] else f"L{scale(left):.1f} {top:.1f}"
            path += f"H{scale(right):.1f}"
        marks.append(Element("path", d=f"{path}V{base}z", class_=f"bars {colour(n)}"))
        if len(columns[name]):
            x = scale(float(columns[name].mean()))
            marks.append(line(x, base - tall + 8, x, base + 3, class_=f"mean {colour(n)}"))
    means = [
        f"{name} {four_digits(float(values.mean()) if len(values) else math.nan)}" for name, values in columns.items()
    ]
    return Picture(
        "distribution",
        PICTURES["distribution"],
        CAPTIONS["distribution"].fill(list=listing(means), metric=metric),
        picture(WIDTH, bottom + 42, *marks, class_="picture distribution"),
        ("system", "from", "to", "queries"),
        [
            [name, round(float(left), 10), round(float(right), 10), int(many)]
            for name, count in counts.items()
            for left, right, many in zip(edges[:-1], edges[1:], count, strict=True)
        ],
    )


def _without_nan(values: Floats) -> Floats:
    return values[~np.isnan(values)]
