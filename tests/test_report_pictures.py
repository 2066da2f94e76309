"""The pictures of a report: colours, order, captions, and what is left out."""

import re

import numpy as np
import pytest

import rankgauge as rg


def build_report(judgments, rankings, metrics):
    return rg.report(judgments, rankings, metrics, permutations=200, resamples=100)


def some_world(systems, queries=12, judged=8):
    chance = np.random.default_rng(5)
    judgments = {f"q{q}": {f"d{n}": int(chance.integers(0, 3)) for n in range(judged)} for q in range(queries)}
    rankings = {
        f"system-{s}": {
            q: {d: grade * ((s * 7) % systems) + 3 * chance.random() for d, grade in items.items()}
            for q, items in judgments.items()
        }
        for s in range(systems)
    }
    return judgments, rankings


def test_pictures_without_information_are_omitted():
    """One slice, nothing unjudged, or bounds from 0 to 1."""
    judgments, rankings = some_world(2)
    names = [picture.name for picture in build_report(judgments, rankings, "nDCG@5").pictures["nDCG@5"]]
    assert names == ["intervals", "distribution", "topics", "curve", "slices-1"]  # all queries have 8 judgments
    unjudged = {name: {q: [f"x{n}" for n in range(9)] for q in judgments} for name in rankings}
    names = [picture.name for picture in build_report(judgments, unjudged, "P@5").pictures["P@5"]]
    assert "unjudged" in names
    assert "bounds" not in names


def test_all_pictures_and_tables_have_one_order_of_systems():
    judgments, rankings = some_world(5)
    report = build_report(judgments, rankings, "nDCG@3")
    order = [row.system for row in report.contents.comparison.leaderboard()]
    assert order != [*rankings]
    for picture in report.pictures["nDCG@3"]:
        if "system" in picture.columns:
            place = picture.columns.index("system")
            shown = [*dict.fromkeys(row[place] for row in picture.rows)]
            assert [name for name in order if name in shown] == shown or picture.name.startswith("slices")
    assert [pair.second for pair in report.pairs["nDCG@3"]] == [name for name in order if name != "system-0"]
    assert [report.data()["systems"][place] for place in report.data()["orders"][0]] == order


def test_captions_are_sentences_and_not_lists_that_are_cut():
    report = build_report(*some_world(10), ["nDCG@3", "P@5"])
    for metric in report.pictures:
        pictures = [*report.pictures[metric], *report.pair_pictures[metric]["system-3"]]
        for text in (text for picture in pictures for text in picture.caption):
            assert "…" not in text
            assert text.endswith((".", "。"))
            assert len(text) < 240


def test_only_the_best_system_and_the_baseline_have_a_band():
    report = build_report(*some_world(6), "nDCG@5")
    drawing = report.picture("curve").drawing.markup("en")
    assert drawing.count("<polygon") == 2
    assert drawing.count("<polyline") == 6


@pytest.mark.parametrize(("metric", "heights"), [("nDCG@5", [60, 320]), ("FirstRank", [320, 60])])
def test_counts_of_the_scatter_plot_stand_on_their_side_of_the_diagonal(metric, heights):
    """Above the diagonal the second system is worse if lower is better; the label said "better" with an arrow."""
    drawing = build_report(*some_world(2), metric).picture("scatter").drawing.markup("en")
    labels = dict(re.findall(r'y="(\d+)" class="label (gained|lost)"', drawing))
    assert labels == {str(heights[0]): "gained", str(heights[1]): "lost"}


def test_captions_have_the_right_plural():
    """They said "overlaps with 0 of 2 others" and "on 0 queries every system is below 0.25"."""
    judgments, rankings = some_world(3)
    html = build_report(judgments, rankings, ["nDCG@5", "RR"]).to_html()

    assert not re.search(r"overlaps with (0|1 of 1)|[Oo]n 0 queries every", html)


def test_the_title_of_an_axis_fits_with_a_long_name():
    judgments, rankings = some_world(3)
    rankings = {f"{name}-{'x' * 60}-{name}": ranking for name, ranking in rankings.items()}
    html = build_report(judgments, rankings, ["nDCG@5"]).to_html()
    (title,) = {*re.findall(r"difference from ([^<]+)<", html)} - {*rankings}

    assert len(title) < 40
    assert "…" in title


def test_systems_whose_names_differ_in_the_middle_have_labels_that_differ():
    judgments, rankings = some_world(3)
    rankings = {f"{'x' * 30}-{n}-{'y' * 30}": ranking for n, ranking in enumerate(rankings.values())}
    report = build_report(judgments, rankings, ["nDCG@5"])
    for name in ("intervals", "curve", "distribution", "topics"):
        drawing = report.picture(name).drawing.markup("en")
        labels = dict(re.findall(r">([^<]*)<title>([^<]*)</title></text>", drawing))
        assert {*labels.values()} == {*rankings}
        assert all(f"-{full.split('-')[1]}-" in label for label, full in labels.items())


def test_only_the_best_mean_is_bold():
    judgments, rankings = some_world(3)
    html = build_report(judgments, rankings, ["nDCG@5"]).to_html()
    board = html[html.index("Leaderboard") :]

    assert len(re.findall(r"<strong>0\.\d{4}</strong>", board[: board.index("</table>")])) == 1


def test_the_picture_of_intervals_explains_its_marks_and_has_no_letters_beside_a_baseline():
    judgments = {f"q{n}": {"a": 1, "b": 0, "c": 0} for n in range(30)}
    lists = {"low": ["b", "c", "a"], "middle": ["b", "a", "c"], "high": ["a", "b", "c"]}
    runs = {name: dict.fromkeys(judgments, items) for name, items in lists.items()}
    beside = rg.compare(judgments, runs, "RR", baseline="middle").plot()
    text = beside.to_svg()
    assert "significantly better and worse than the baseline" in text
    assert "corrected for 2 comparisons with the baseline: Holm" in text
    assert ">baseline</text>" in text
    assert ">+</text>" in text
    assert ">−</text>" in text
    assert "letter" not in text
    assert {*beside.to_frame()["group"]} == {""}
    assert ">基线</text>" in beside.to_svg("zh")

    pairs = rg.compare(judgments, runs, "RR").plot()
    assert "Systems that share a letter do not differ significantly" in pairs.to_svg()
    assert "Lines: 95% intervals" in pairs.to_svg()
    assert [*pairs.to_frame()["group"]] == ["a", "b", "c"]
