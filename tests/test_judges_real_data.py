"""People and UMBRELA on the same 10,284 pairs of TREC RAG 2025, where RANKGAUGE_DATA names the folder with the data."""

import os
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg

FOLDER = Path(os.environ.get("RANKGAUGE_DATA", ""), "judges", "rag25")
if not os.environ.get("RANKGAUGE_DATA") or not FOLDER.is_dir():
    pytest.skip("RANKGAUGE_DATA has no judges/rag25", allow_module_level=True)

CONFUSION = [
    [1690, 1074, 681, 150, 24],
    [348, 446, 566, 113, 26],
    [405, 735, 1971, 547, 102],
    [80, 136, 554, 411, 137],
    [1, 8, 18, 42, 19],
]


@pytest.fixture(scope="module")
def found():
    return rg.judges.agreement(FOLDER / "people.qrels", FOLDER / "umbrela.qrels")


def test_the_confusion_of_rag25(found):
    assert [[*row[1:]] for row in found.confusion.rows()] == CONFUSION
    assert (found.pairs.height, found.queries) == (10_284, 22)


def test_the_kappas_of_rag25(found):
    kappas = [found.kappa, found.kappa_linear, found.kappa_quadratic]

    assert [round(float(kappa), 4) for kappa in kappas] == [0.2333, 0.3729, 0.4918]
    assert all(kappa.low < kappa.value < kappa.high for kappa in kappas)


def test_the_thresholds_of_rag25(found):
    assert [round(float(at.kappa), 3) for at in found.thresholds[:3]] == [0.367, 0.431, 0.310]
    at = found.at(2)
    numbers = float(at.sensitivity), float(at.specificity), at.first_rate, at.second_rate
    assert [round(number, 3) for number in numbers] == [0.736, 0.695, 0.502, 0.521]


def test_300_random_labels_of_rag25_are_worth_more_with_the_judge(found):
    people, judge = (found.pairs[column].to_numpy() >= 2 for column in ("grade_1", "grade_2"))
    random, widths = np.random.default_rng(0), []
    for _ in range(300):
        labels = np.full(len(people), np.nan)
        chosen = random.choice(len(people), 300, replace=False)
        labels[chosen] = people[chosen]
        corrected = rg.stats.two_phase_mean(labels, judge.astype(float), finite=True)
        alone = rg.stats.two_phase_mean(labels, np.zeros(len(people)), finite=True)
        widths.append([(side.high - side.low) / 2 for side in (corrected, alone)])
    with_judge, without = np.mean(widths, axis=0)

    assert [with_judge, without] == pytest.approx([0.0502, 0.0557], abs=0.0008)
    assert (without / with_judge) ** 2 == pytest.approx(1.23, abs=0.02)


def test_labels_of_rag25_only_where_the_judge_gave_2_or_more_are_refused(found):
    chosen = found.pairs.filter(found.pairs["grade_2"] >= 2).sample(300, seed=1)
    people = chosen.select("query", "item", grade="grade_1")

    with pytest.raises(rg.InputError) as caught:
        rg.judges.rate(FOLDER / "umbrela.qrels", people, rel=2)
    assert caught.value.codes == ("RG605",)


def test_random_labels_of_rag25_are_taken(found):
    people = found.pairs.sample(300, seed=2).select("query", "item", grade="grade_1")
    rate = rg.judges.rate(FOLDER / "umbrela.qrels", people, rel=2)

    assert rate.low < 0.502 < rate.high
    assert not [finding for finding in rate.findings if finding.code in {"RG605", "RG606"}]
