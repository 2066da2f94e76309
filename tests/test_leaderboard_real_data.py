"""Results of 324 models on the 41 tasks of MTEB(eng, v2), where RANKGAUGE_DATA names the folder that holds them."""

import os
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg

FOLDER = Path(os.environ.get("RANKGAUGE_DATA", ""))
if not os.environ.get("RANKGAUGE_DATA"):
    pytest.skip("RANKGAUGE_DATA is not set", allow_module_level=True)
TABLE = FOLDER / "leaderboards" / "mteb_eng_v2.csv"


@pytest.fixture(scope="module", params=["mean", "borda"])
def board(request):
    return rg.leaderboard(TABLE, aggregate=request.param)


MARGINAL = {"mean": (14_239, 178, 3, 18), "borda": (14_390, 179, 5, 21)}
"""Pairs separated, neighbours not separated, possible firsts and median width of the rank interval, as published."""


def counts(board, *, marginal):
    better = board.uncertainty.marginally_better if marginal else board.uncertainty.better
    order = better[np.ix_(board.order, board.order)]
    neighbours = len(order) - 1 - int((np.diagonal(order, 1) | np.diagonal(order, -1)).sum())
    widths = [worst - best + 1 for best, worst in board.rank_sets(marginal=marginal).values()]
    return int(order.sum()), neighbours, len(board.possible_firsts(marginal=marginal)), float(np.median(widths))


def test_complete_keeps_183_of_324_models(board):
    assert (len(board.systems), len(board.left_out), len(board.data_sets)) == (183, 141, 41)


def test_marginal_figures_are_the_published_ones_within_the_error_of_the_bootstrap(board):
    pairs, neighbours, firsts, width = counts(board, marginal=True)
    expected = MARGINAL[board.aggregate]

    assert abs(pairs - expected[0]) <= 40
    assert abs(neighbours - expected[1]) <= 2
    assert abs(firsts - expected[2]) <= 1
    assert abs(width - expected[3]) <= 2


def test_simultaneous_figures_separate_fewer(board):
    pairs, neighbours, firsts, _ = counts(board, marginal=False)

    assert 10_000 <= pairs <= 11_500
    assert neighbours == 181
    assert 15 <= firsts <= 30


def test_mean_and_borda_agree_as_published():
    assert rg.leaderboard(TABLE).agreement()["borda"] == pytest.approx(0.928, abs=0.0005)


def test_the_rule_for_missing_tasks_moves_most_models():
    loses = rg.leaderboard(TABLE, aggregate="borda", missing="loses")
    present = rg.leaderboard(TABLE, aggregate="borda", missing="present")

    assert loses.results.systems == present.results.systems
    assert (np.abs(loses.ranks - present.ranks) > 10).sum() == 295
