"""Published p-values and counts of significant pairs, where RANKGAUGE_DATA names the folder with the data."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg

FOLDER = Path(os.environ.get("RANKGAUGE_DATA", ""))
if not os.environ.get("RANKGAUGE_DATA"):
    pytest.skip("RANKGAUGE_DATA is not set", allow_module_level=True)


@pytest.fixture(scope="module")
def published():
    """Systems 125 and 126 of the TREC-8 ad hoc track, as in the README of Urbano, Lima and Hanjalic (2019)."""
    with (FOLDER / "significance/urbano2019/adhoc8_ap.csv").open(encoding="utf-8") as file:
        values = np.array([*csv.reader(file)][1:], dtype=float)
    return values[:, 124], values[:, 125]


@pytest.mark.parametrize(
    ("test", "one_sided", "two_sided"),
    [
        (rg.stats.paired_t, 0.0006596986, 0.0013193972),
        (rg.stats.wilcoxon, 0.001722594, 0.003445188),
        (
            lambda first, second, alternative: rg.stats.sign(first, second, alternative, tie=0.01),
            0.004779939,
            0.009559879,
        ),
    ],
)
def test_published_p_values(published, test, one_sided, two_sided):
    assert test(*published, "greater").p == pytest.approx(one_sided, rel=1e-6)
    assert test(*published, "two-sided").p == pytest.approx(two_sided, rel=1e-6)


def test_published_p_values_of_random_tests(published):
    def off(p, expected, count):
        return abs(p - expected) / np.sqrt(expected * (1 - expected) * (1 / count + 1e-6))

    shuffled = rg.stats.randomisation(*published, permutations=1_000_000, seed=1).p
    one_sided = rg.stats.randomisation(*published, "greater", permutations=1_000_000, seed=1).p
    assert off(shuffled, 0.001188, 1e6) < 3
    assert off(one_sided, 0.000603, 1e6) < 3
    assert off(rg.stats.bootstrap(*published, resamples=200_000, seed=1).p, 0.000586, 2e5) < 3


def test_significant_pairs_of_robust_2003():
    runs = {path.name: path for path in sorted(FOLDER.glob("robust03/runs/*.gz"))}
    like_trec_eval = rg.Convention(score_precision="float32", missing="skip")
    scores = rg.evaluate(FOLDER / "robust03/qrels.robust03.txt", runs, "AP", convention=like_trec_eval)
    found = {}
    for correction in ("none", "bh", "holm", "bonferroni", "tukey", "randomised_tukey"):
        pairs = rg.compare(scores, correction=correction, permutations=5_000).pairs("AP", all_pairs=True)
        assert len(pairs) == 136
        found[correction] = sum(pair.significant for pair in pairs)

    about = found.pop("randomised_tukey")
    assert found == {"none": 109, "bh": 108, "holm": 88, "bonferroni": 83, "tukey": 79}
    assert 65 <= about <= 70
