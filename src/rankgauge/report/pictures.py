"""The pictures: drawn once, for the page and for files, each with its words and its data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankgauge.compare.pair import Pair
from rankgauge.compare.slices import LABELS, NO_VALUE, NONE, Slices
from rankgauge.compare.verdict import percent
from rankgauge.match.segments import Floats
from rankgauge.metrics.metric import Metric
from rankgauge.render.language import Phrase
from rankgauge.report.axes import (
    WIDTH, Scale, around, colour, line, marker, name_at, number, picture, spread_out, words, x_axis, y_axis,
)  # fmt: skip
from rankgauge.report.element import Element, both
from rankgauge.report.gather import Gathered, cutoffs, has_cutoff
from rankgauge.report.words import PICTURES, SAYS

NAMES, ROW, LISTED, SLICED = 128, 30, 8, 4
LEFT, RIGHT, LABELLED = 44.0, WIDTH - 10.0, WIDTH - 108.0
CELLS, BARS, STEPS, APART = 44, 24, 360, 60


@dataclass(frozen=True)
class Picture:
    """A drawing, what it is called, what it says, and the numbers in it."""

    name: str
    title: Phrase
    says: Phrase
    drawing: Element
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    plot: dict[str, Any] = field(default_factory=dict)
    """For pictures with a point for each query: the scales, with which the page finds the query that is pointed at."""


def of_metric(found: Gathered, metric: Metric) -> list[Picture]:
    """The pictures of one metric but those of pairs."""
    drawn = [intervals(found, metric)]
    if has_cutoff(metric):
        drawn.append(curve(found, metric))
    drawn += [distribution(found, metric), unjudged(found, metric), bounds(found, metric)]
    return [*drawn, *(sliced(found, metric, number, one) for number, one in enumerate(found.slices[metric]))]


def of_pair(pair: Pair) -> list[Picture]:
    """The pictures of two systems."""
    return [differences(pair), scatter(pair)]


def _place(found: Gathered, system: str) -> int:
    return found.scores.systems.index(system)


def _listed(entries: Sequence[str]) -> Phrase:
    """The first few of many, and how many more."""
    if len(entries) <= LISTED:
        return Phrase("; ".join(entries), "；".join(entries))
    more = both(SAYS["more"], count=len(entries) - LISTED)
    shown = entries[:LISTED]
    return Phrase("; ".join([*shown, more.en]), "；".join([*shown, more.zh]))


def _says(key: str, entries: Sequence[str], **values: Any) -> Phrase:
    listed = _listed(entries)
    return Phrase(SAYS[key].say("en", list=listed.en, **values), SAYS[key].say("zh", list=listed.zh, **values))


def _f(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4f}".replace("-", "−")


def _plain(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _dots(
    key: str, rows: Sequence[tuple[str, int, float, float, float, str]], title: Phrase | str, *, zero: bool = False
) -> Element:
    """A row for each name: a point, its interval, and a word at the right."""
    low, high = around([end for row in rows for end in row[2:5]], zero=zero)
    room = 34.0 if any(row[5] for row in rows) else 0.0
    scale = Scale(low, high, NAMES + 8.0, RIGHT - 8 - room)
    bottom = 8 + ROW * len(rows)
    marks = x_axis(scale, 4, bottom, title, 4)
    for n, (name, place, middle, start, end, word) in enumerate(rows):
        y = 8 + ROW * (n + 0.5)
        marks.append(name_at(NAMES - 4, y + 4, name, NAMES - 8, "end"))
        if math.isfinite(start) and math.isfinite(end):
            marks += [line(scale(start), y, scale(end), y, f"reach {colour(place)}")]
            marks += [line(scale(x), y - 5, scale(x), y + 5, f"reach {colour(place)}") for x in (start, end)]
        if math.isfinite(middle):
            marks.append(marker(scale(middle), y, place))
        if word:
            marks.append(words(RIGHT, y + 4, word, "label strong", "end"))
    return picture(bottom + 42, *marks, name=key)


def intervals(found: Gathered, metric: Metric) -> Picture:
    """The mean of each system with its interval and group, best first."""
    if found.comparison is None:
        rows = [
            (name, found.scores.mean(metric, name), found.interval(found.scores, metric, name), "")
            for name in found.scores.systems
        ]
    else:
        board = found.comparison.leaderboard(metric)
        rows = [(one.system, one.mean, one.interval, one.group) for one in board]
    drawing = _dots(
        "intervals",
        [(name, _place(found, name), mean, *ends, group) for name, mean, ends, group in rows],
        str(metric),
    )
    level = percent(found.level)
    listed = [f"{name} {_f(mean)} [{_f(ends.low)}, {_f(ends.high)}]" for name, mean, ends, _ in rows]
    return Picture(
        "intervals",
        both(PICTURES["intervals"], level=level),
        _says("intervals", listed, metric=metric, level=level),
        drawing,
        ("system", "mean", "low", "high", "group"),
        [[name, _plain(mean), *map(_plain, ends), group] for name, mean, ends, group in rows],
    )


def curve(found: Gathered, metric: Metric) -> Picture:
    """The mean over the cutoff."""
    ks = cutoffs(metric)
    lines = []
    for system in found.scores.systems:
        means = [found.over_k.mean(metric @ k, system) for k in ks]
        ends = [found.interval(found.over_k, metric @ k, system) for k in ks]
        lines.append((system, means, ends))
    name, level = str(metric @ None), percent(found.level)
    low, high = metric.definition.bounds
    inside = [
        (system, means, [(max(end.low, low), min(end.high, high)) for end in ends]) for system, means, ends in lines
    ]
    drawing = _lines("curve", ks, inside, f"{name}@k")
    listed = [f"{system} {_f(means[-1])}" for system, means, _ in lines]
    return Picture(
        "curve",
        both(PICTURES["curve"], level=level),
        _says("curve", listed, metric=name, low=ks[0], high=ks[-1]),
        drawing,
        ("system", "k", "mean", "low", "high"),
        [
            [system, k, _plain(mean), _plain(end.low), _plain(end.high)]
            for system, means, ends in lines
            for k, mean, end in zip(ks, means, ends, strict=True)
        ],
    )


def _lines(
    key: str, ks: Sequence[int], lines: Sequence[tuple[str, list[float], Sequence[Any]]], title: Phrase | str
) -> Element:
    """A line for each system with its band, its name at its end."""
    values = [value for _, means, ends in lines for value in [*means, *(x for pair in ends for x in pair)]]
    low, high = around(values)
    if key == "unjudged":
        low, high = 0.0, max(high, 0.05)
    far = ks[-1] > 30  # noqa: PLR2004 (many cutoffs are drawn by their logarithm)
    place_of: Callable[[float], float] = math.log10 if far else float
    across = Scale(place_of(ks[0]), place_of(ks[-1]), LEFT + 6, LABELLED)
    up = Scale(low, high, 244, 28)
    marks = y_axis(up, LEFT, LABELLED + 4, title)
    ticks = [k for k in ks if k in {1, 10, 100, 1000, 10000}] if far else [k for k in ks if k == 1 or k % 5 == 0]
    marks += [words(across(place_of(k)), 262, str(k), "tick", "middle") for k in ticks]
    marks.append(words((LEFT + LABELLED) / 2, 280, PICTURES["k"], "axis", "middle"))
    for n, (_, means, ends) in enumerate(lines):
        band = [(across(place_of(k)), *pair) for k, pair in zip(ks, ends, strict=True) if not math.isnan(pair[0])]
        if len(band) > 1:
            there = " ".join(f"{x:.1f},{up(high):.1f}" for x, _, high in band)
            back = " ".join(f"{x:.1f},{up(low):.1f}" for x, low, _ in reversed(band))
            marks.append(Element("polygon", points=f"{there} {back}", class_=f"band {colour(n)}"))
    ends_at = []
    for n, (_, means, _) in enumerate(lines):
        points = [(across(place_of(k)), up(mean)) for k, mean in zip(ks, means, strict=True) if not math.isnan(mean)]
        marks.append(Element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=f"line {colour(n)}"))
        if points:
            marks.append(marker(*points[-1], n))
        ends_at.append(points[-1][1] if points else 244.0)
    for n, y in enumerate(spread_out(ends_at, 14, 24, 250)):
        marks.append(name_at(LABELLED + 10, y + 4, lines[n][0], WIDTH - LABELLED - 12, class_=f"label name {colour(n)}"))
    return picture(290, *marks, name=key)


def unjudged(found: Gathered, metric: Metric) -> Picture:
    """The share of unjudged items in the top k."""
    ks = cutoffs(metric)
    lines = [
        (system, [1 - found.over_k.mean(found.judged_share(k), system) for k in ks], ())
        for system in found.scores.systems
    ]
    drawing = _lines("unjudged", ks, [(system, shares, [(math.nan,) * 2] * len(ks)) for system, shares, _ in lines], PICTURES["share"])
    return Picture(
        "unjudged",
        PICTURES["unjudged"],
        _says("unjudged", [f"{system} {shares[-1]:.1%}" for system, shares, _ in lines], high=ks[-1]),
        drawing,
        ("system", "k", "unjudged"),
        [[system, k, _plain(share)] for system, shares, _ in lines for k, share in zip(ks, shares, strict=True)],
    )


def bounds(found: Gathered, metric: Metric) -> Picture:
    """How far unjudged items could move each mean."""
    known = found.bounds[metric]
    rows = [(one.system, _place(found, one.system), one.mean, *one.range, "") for one in known.systems]
    document = {lang: known.document(lang).blocks[2:] for lang in ("en", "zh")}
    notes = {lang: " ".join(block.text for block in blocks if hasattr(block, "text")) for lang, blocks in document.items()}
    listed = [f"{one.system} {_f(one.mean)} ({_f(one.range[0])} … {_f(one.range[1])})" for one in known.systems]
    says = _says("bounds", listed, metric=metric, grade=f"{known.grade:g}")
    return Picture(
        "bounds",
        PICTURES["bounds"],
        Phrase(f"{says.en} {notes['en']}", f"{says.zh}{notes['zh']}"),
        _dots("bounds", rows, str(metric)),
        ("system", "unjudged", "mean", "none relevant", "all at top grade", "lowest", "highest"),
        [
            [one.system, *map(_plain, (one.unjudged, one.mean, one.none, one.all, one.lowest, one.highest))]
            for one in known.systems
        ],
    )


def distribution(found: Gathered, metric: Metric) -> Picture:
    """How many queries have which value, system by system."""
    columns = {name: _real(found.scores.system(name)[metric]) for name in found.scores.systems}
    ends = metric.definition.bounds
    everything = np.concatenate([*columns.values()])
    if not math.isfinite(ends[0]) or not math.isfinite(ends[1]):
        ends = around(everything.tolist(), margin=0.0)
    scale = Scale(*ends, NAMES + 8.0, RIGHT - 8)
    edges = np.linspace(*ends, BARS + 1)
    counts = {name: np.histogram(values, edges)[0] for name, values in columns.items()}
    most = max((int(one.max(initial=0)) for one in counts.values()), default=0) or 1
    tall = 44
    bottom = 8 + tall * len(columns)
    marks = x_axis(scale, 4, bottom, str(metric), 4)
    for n, (name, count) in enumerate(counts.items()):
        base = 8 + tall * (n + 1) - 4
        marks.append(name_at(NAMES - 4, base - 8, name, NAMES - 8, "end"))
        path = f"M{scale(edges[0]):.1f} {base}"
        for left, right, many in zip(edges[:-1], edges[1:], count, strict=True):
            top = base - (tall - 10) * many / most
            path += f"V{top:.1f}" if left == edges[0] else f"L{scale(left):.1f} {top:.1f}"
            path += f"H{scale(right):.1f}"
        marks.append(Element("path", d=f"{path}V{base}z", class_=f"bars {colour(n)}"))
        if len(columns[name]):
            x = scale(float(columns[name].mean()))
            marks.append(line(x, base - tall + 8, x, base + 3, f"mean {colour(n)}"))
    means = [f"{name} {_f(float(values.mean()) if len(values) else math.nan)}" for name, values in columns.items()]
    return Picture(
        "distribution",
        PICTURES["distribution"],
        _says("distribution", means, metric=metric),
        picture(bottom + 42, *marks, name="distribution"),
        ("system", "from", "to", "queries"),
        [
            [name, round(float(left), 10), round(float(right), 10), int(many)]
            for name, count in counts.items()
            for left, right, many in zip(edges[:-1], edges[1:], count, strict=True)
        ],
    )


def _real(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def differences(pair: Pair) -> Picture:
    """The difference of each query, the largest gain first; thousands are drawn as one shape."""
    ordered = np.sort(pair.differences)[::-1]
    low, high = around([*ordered[[0, -1]].tolist()], zero=True)
    up, count = Scale(low, high, 236, 28), len(ordered)
    across = Scale(0, count, LEFT + 4, RIGHT)
    chosen = np.unique(np.linspace(0, count - 1, min(count, STEPS)).round().astype(int))
    zero = up(0)
    marks = y_axis(up, LEFT, RIGHT, Phrase(f"{pair.second} − {pair.first}", f"{pair.second} − {pair.first}"))
    marks[-1] = name_at(LEFT - 6, 18, f"{pair.second} − {pair.first}", WIDTH - LEFT, class_="axis")
    for sign, class_ in ((1, "up"), (-1, "down")):
        if count <= APART:
            marks += _bars(ordered, sign, class_, across, up)
            continue
        mine = [(n, value) for n, value in zip(chosen.tolist(), ordered[chosen].tolist(), strict=True) if value * sign > 0]
        if mine:
            edge = [n for n, _ in mine[1:]] + [mine[-1][0] + 1 if sign < 0 else int((ordered > 0).sum())]
            path = f"M{across(mine[0][0]):.1f} {zero:.1f}"
            for (n, value), end in zip(mine, edge, strict=True):
                path += f"L{across(n):.1f} {up(value):.1f}H{across(end):.1f}"
            marks.append(Element("path", d=f"{path}V{zero:.1f}z", class_=class_))
    marks.append(words((LEFT + RIGHT) / 2, 262, PICTURES["queries"], "axis", "middle"))
    says = both(
        SAYS["differences"],
        metric=pair.metric,
        first=pair.first,
        second=pair.second,
        wins=pair.wins,
        ties=pair.ties,
        losses=pair.losses,
        low=_f(float(ordered[-1])),
        high=_f(float(ordered[0])),
    )
    plot = {"kind": "differences", "x": [*across], "y": [*up]}
    return Picture("differences", PICTURES["differences"], says, picture(272, *marks, name="differences"), plot=plot)


def _bars(ordered: Floats, sign: int, class_: str, across: Scale, up: Scale) -> list[Element]:
    """A bar for each query, as wide as there is room but not too wide."""
    wide = min(across(0.82) - across(0), 36.0)
    return [
        Element(
            "rect",
            x=float(across(n + 0.5) - wide / 2),
            y=float(min(up(value), up(0))),
            width=wide,
            height=float(abs(up(value) - up(0))),
            class_=class_,
        )
        for n, value in enumerate(ordered.tolist())
        if value * sign > 0
    ]


def scatter(pair: Pair) -> Picture:
    """Both values of each query; queries in the same small square are drawn as one."""
    low, high = around([*pair.values_first.tolist(), *pair.values_second.tolist()])
    across, up = Scale(low, high, LEFT + 4, LEFT + 304), Scale(low, high, 328, 28)
    marks = [*y_axis(up, LEFT + 4, LEFT + 304, ""), *x_axis(across, 28, 328, "")]
    marks.append(line(across(low), up(low), across(high), up(high), "diagonal"))
    size = (high - low) / CELLS
    columns = np.minimum(((pair.values_first - low) / size).astype(int), CELLS - 1)
    rows = np.minimum(((pair.values_second - low) / size).astype(int), CELLS - 1)
    cells, first, many = np.unique(columns * CELLS + rows, return_index=True, return_counts=True)
    most = int(many.max(initial=1))
    for cell, place, count in zip(cells.tolist(), first.tolist(), many.tolist(), strict=True):
        if count == 1:
            x, y = across(float(pair.values_first[place])), up(float(pair.values_second[place]))
        else:
            x = across(low + (cell // CELLS + 0.5) * size)
            y = up(low + (cell % CELLS + 0.5) * size)
        shade = 3 if most == 1 else 1 + round(3 * math.log(count) / math.log(most))
        marks.append(Element("circle", cx=round(x, 1), cy=round(y, 1), r=3.4, class_=f"dot d{shade}"))
    marks.append(name_at(LEFT - 2, 18, f"↑ {pair.second}", 300, class_="axis"))
    marks.append(name_at(LEFT + 304, 361, f"{pair.first} →", 300, "end", "axis"))
    marks.append(words(LEFT + 316, 60, both(PICTURES["better here"], second="↑", count=pair.wins), "label"))
    marks.append(words(LEFT + 316, 320, both(PICTURES["worse here"], second="↑", count=pair.losses), "label"))
    says = both(SAYS["scatter"], metric=pair.metric, first=pair.first, second=pair.second)
    plot = {"kind": "scatter", "x": [*across], "y": [*up]}
    return Picture("scatter", PICTURES["scatter"], says, picture(370, *marks, name="scatter"), plot=plot)


def sliced(found: Gathered, metric: Metric, place: int, cut: Slices) -> Picture:
    """The difference from the baseline on kinds of queries."""
    by = PICTURES[f"by {cut.by}"] if cut.by in {"judgments", "difficulty"} else Phrase(cut.by, cut.by)
    others = _best(found, metric, cut)
    drawn = [one.differences[system] for one in cut.slices for system in others]
    low, high = around([end for d in drawn for end in (d.mean, d.low, d.high)], zero=True)
    scale = Scale(low, high, NAMES + 8.0, RIGHT - 8)
    step = ROW if len(others) == 1 else 18
    marks, y = _keys(found, others) if len(others) > 1 else ([], 12.0)
    top = y - 8
    for one in cut.slices:
        label = _slice_label(one.label, cut.by)
        marks.append(_label(NAMES - 4, y + 10, label))
        marks.append(words(NAMES - 4, y + 24, both(PICTURES["queries count"], count=f"{one.count:,}"), "tick", "end"))
        tall = max(step * len(others), 34)
        for n, system in enumerate(others):
            d, at = one.differences[system], y + tall * (n + 0.5) / len(others)
            if math.isfinite(d.low):
                marks.append(line(scale(d.low), at, scale(d.high), at, f"reach {colour(_place(found, system))}"))
            marks.append(marker(scale(d.mean), at, _place(found, system)))
        y += tall + 10
    axis = x_axis(scale, top, y, both(PICTURES["difference from"], baseline=cut.baseline), 4)
    listed = [
        f"{one.label} ({one.count}): "
        + ", ".join(f"{system} {number(round(one.differences[system].mean, 4))}" for system in others)
        for one in cut.slices
    ]
    says = _says("slices", listed, metric=metric, baseline=cut.baseline, by="{by}")
    says = Phrase(says.en.replace("{by}", by.en), says.zh.replace("{by}", by.zh))
    return Picture(
        f"slices-{place + 1}",
        Phrase(PICTURES["slices"].say("en", by=by.en), PICTURES["slices"].say("zh", by=by.zh)),
        says,
        picture(y + 42, *axis, *marks, name="slices"),
        ("slice", "queries", "system", "difference", "low", "high"),
        [
            [one.label, one.count, system, _plain(d.mean), _plain(d.low), _plain(d.high)]
            for one in cut.slices
            for system, d in one.differences.items()
        ],
    )


def _best(found: Gathered, metric: Metric, cut: Slices) -> list[str]:
    """The systems that are drawn: the best few where there are many; the data have all."""
    others = [*cut.overall.differences]
    if len(others) <= SLICED or found.comparison is None:
        return others
    board = [one.system for one in found.comparison.leaderboard(metric)]
    return [system for system in board if system in others][:SLICED]


def _keys(found: Gathered, systems: Sequence[str]) -> tuple[list[Element], float]:
    """Which shape and colour is which system, four to a line; and where they end."""
    room = WIDTH / 4
    marks = []
    for n, system in enumerate(systems):
        x, y = 10 + room * (n % 4), 12 + 18.0 * (n // 4)
        marks += [marker(x, y, _place(found, system)), name_at(x + 9, y + 4, system, room - 24, class_="label key-name")]
    return marks, 12 + 18.0 * ((len(systems) - 1) // 4) + 24


def _slice_label(label: str, by: str) -> Phrase:
    if by == "difficulty" and label in LABELS:
        return LABELS[label]
    return NONE if label == NO_VALUE else Phrase(label, label)


def _label(x: float, y: float, label: Phrase) -> Element:
    if label.en == label.zh:
        return name_at(x, y, label.en, NAMES - 8, "end")
    return words(x, y, label, anchor="end")
