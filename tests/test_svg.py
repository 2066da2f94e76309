"""The SVG kit: scales, labels that fit and do not overlap, and a colour and marker for each system."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.rendering import svg
from rankgauge.rendering.assets import asset


@given(st.lists(st.floats(0, 100), min_size=1, max_size=8))
def test_labels_never_overlap(wanted):
    placed = sorted(svg.spread_out(wanted, 10, -100, 300))
    assert all(b - a >= 10 - 1e-9 for a, b in pairwise(placed))


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3))
def test_ticks_are_inside_the_scale(low, width):
    scale = svg.Scale(low, low + width, 0, 100)
    ticks = scale.ticks()
    assert all(low - width * 1e-6 <= tick <= low + width * (1 + 1e-6) for tick in ticks)
    assert len(ticks) <= 8


@given(st.text(max_size=60))
def test_names_fit_their_space(name):
    assert len(svg.fitted(name, 80)) <= 14


def test_twenty_systems_differ_by_colour_and_shape_and_by_colour_and_dash():
    """Eight colours were repeated, and those of the first two systems were those of gains and losses."""
    assert len({svg.colour(n) for n in range(20)}) == 20
    drawn = [svg.marker(0, 0, n).attributes for n in range(20)]
    assert len({(mark["d"], svg.colour(n).split()[0]) for n, mark in enumerate(drawn)}) == 20
    style = asset("page.css")
    colours = re.findall(r"--(?:s\d|better|worse|warn): light-dark\((#\w+), (#\w+)\)", style)
    assert len({light for light, _ in colours}) == len({dark for _, dark in colours}) == len(colours) == svg.COLOURS + 3


def test_shortened_names_keep_the_part_that_differs():
    assert svg.fitted("bm25-dense-hybrid-rerank-v10", 100) != svg.fitted("bm25-dense-hybrid-rerank-v11", 100)


@pytest.mark.parametrize("room", [91, 120, 240])
def test_labels_of_long_names_differ_where_the_names_differ_at_any_place(room):
    """Names that differ in the middle had the same label: the beginning and the end."""
    base = "the-quick-brown-fox-jumps-over-a-lazy-dog-while-it-watches-him"
    names = [base[:at] + text + base[at:] for at in range(0, 60, 7) for text in ("03", "12", "名称")]
    names += [base + ending for ending in ("", "-a", "-b")] + ["bm25"]
    labels = svg.fitted_names(names, room)

    assert [*labels] == [*dict.fromkeys(names)]
    assert len({*labels.values()}) == len(labels)
    assert labels["bm25"] == "bm25"
    assert all(sum(12 if letter in "名称" else 7.2 for letter in label) <= room + 0.1 for label in labels.values())


def test_labels_show_the_part_that_differs_with_what_is_next_to_it():
    names = ["model-epoch-03-distilled-int8", "model-epoch-12-distilled-int8", "bm25-then-a-reranker"]
    assert [*svg.fitted_names(names, 100).values()] == ["…poch-03-dis…", "…poch-12-dis…", "bm25-…eranker"]


def test_labels_of_twenty_lines_that_end_close_together_do_not_overlap():
    placed = sorted(svg.spread_out([30.0] * 19 + [200.0], 12.6, 20, 272))
    assert all(b - a >= 12.6 - 1e-9 for a, b in pairwise(placed))
    assert (placed[0], placed[-1]) == (pytest.approx(20), pytest.approx(20 + 19 * 12.6))


def test_shortening_a_name_takes_time_in_proportion_to_the_room():
    """It took the square of the length: a report with a name of 20,000 letters took 102 seconds."""
    assert svg.fitted("x" * 10**6, 60) == svg.fitted("x" * 100, 60) == "xxx…xxxx"
    assert svg.fitted("名" * 10**6, 60) == svg.fitted("名" * 100, 60)
    assert [svg.fitted("abc", room) for room in (0, 8, 15, 22)] == ["…", "…", "a…", "abc"]
