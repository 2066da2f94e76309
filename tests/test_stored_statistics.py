"""Every statistic and whole comparisons keep the numbers that are stored: defaults, options and seeds included.

``python tests/test_stored_statistics.py`` writes tests/data/statistics.json again; a change there is a change of numbers.
"""

import inspect
import json
import math
from dataclasses import is_dataclass
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from registries import SETTINGS

FILE = Path(__file__).parent / "data" / "statistics.json"
PLACES = np.arange(60)
RANDOM = np.random.default_rng(31)
PROXIES = np.round(RANDOM.random(60), 3)
ALL = np.round(PROXIES * 0.8 + 0.1 * np.sin(PLACES), 3)
SAMPLES = {
    "first": [0.3, 0.8, 0.0, 1.0, 0.5, 0.25, 0.9, 0.4, 0.4, 0.7, 1.0, 0.6],
    "second": [0.2, 0.8, 0.1, 0.6, 0.5, 0.05, 0.7, 0.45, 0.1, 0.75, 0.6, 0.3],
    "tied": [0.3, 0.7, 0.1, 0.9, 0.6, 0.15, 0.8, 0.5, 0.3, 0.6, 0.9, 0.7],
    "one": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    "hits": [1, 0, 1, 1, 1, 0, 1, 1, 1, 1],
    "systems": np.round(RANDOM.random((15, 4)) * 0.5 + [0, 0.1, 0.12, 0.4], 2),
    "six": np.round(RANDOM.random((6, 3)) * 0.5 + [0, 0.1, 0.4], 2),
    "p": [0.01, 0.04, 0.03, 0.2, 0.9, 0.04],
    "different": [[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]],
    "higher": [[0, 1, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]],
    "wins": [[0, 3, 5], [2, 0, 4], [1, 0, 0]],
    "never": [[0, 3, 5], [2, 0, 4], [0, 0, 0]],
    "ratings": [[0, 0, 1], [2, 2, 2], [1, 2, math.nan], [0, 1, 0], [2, 2, 1], [4, 2, 4]],
    "grades": [0, 2, 1, 0, 2, 4, 1],
    "others": [0, 2, 2, 1, 2, 2, 1],
    "proxies": PROXIES,
    "labels": np.where(PLACES % 3 == 0, ALL, math.nan),
    "most": np.where((PLACES < 30) | (PLACES % 3 == 0), ALL, math.nan),
    "perfect": np.where(PLACES % 3 == 0, np.where(PLACES < 30, PROXIES, ALL), math.nan),
    "all": ALL,
    "many": ALL[:30],
    "more": PROXIES[:30],
    "ones": np.ones(60),
    "best": ["a", "b", "c", "d", "e"],
    "next": ["b", "a", "f", "c"],
    "halves": PLACES // 30,
    "fifths": PLACES // 12,
    "pairs": PLACES // 6,
    "chances": np.where(PLACES % 2, 0.5, 0.25),
}
CALLS = """
abstention_nauc first second
abstention_nauc tied second
all_pairs systems permutations=300
all_pairs systems permutations=300 seed=4
all_pairs systems permutations=300 alpha=0.2
all_pairs six
bca_interval first
bca_interval first level=0.8 resamples=500 seed=3
bca_interval one
benjamini_hochberg p
bonferroni p
bootstrap first second
bootstrap first second level=0.8 resamples=500 seed=3
bootstrap_t_interval first
bootstrap_t_interval first level=0.8 resamples=500 seed=3
bounded_interval 0.9 0.2 10
bounded_interval 0.9 0.2 10 level=0.8
bounded_interval 1 0 10
bounded_interval 0 0 10
bounded_interval 0.5 0 10
bounded_interval 0.5 0.6 10
bounded_interval 1.5 0.2 10
bounded_interval 3 1 10 bounds=[1,5]
bounded_interval 0.3 1 5 bounds=[0,Infinity]
bounded_interval 0.3 0.2 1
bounded_interval -0.3 1 5 bounds=[-Infinity,0]
bradley_terry wins
bradley_terry never
cohen_kappa grades others
cohen_kappa grades others weights="linear"
cohen_kappa grades others weights="quadratic"
compact_letters different
detectable_effect 12
detectable_effect 50 alpha=0.01 power=0.9
detectable_effect 2
gwet_ac1 ratings
gwet_ac2 ratings
gwet_ac2 ratings weights="linear"
holm p
hsu_best systems resamples=500
hsu_best systems resamples=500 seed=1 higher_is_better=false
hsu_best systems resamples=500 alpha=0.2
kendall_tau first second
kendall_tau first one
krippendorff_alpha ratings
krippendorff_alpha ratings level="ordinal"
krippendorff_alpha ratings level="interval"
krippendorff_alpha ratings level="ratio"
paired_t first second
paired_t first second alternative="greater"
paired_t first second alternative="less"
paired_t first first
paired_t_power 0.5 20
paired_t_power 0.5 20 alpha=0.01
paired_t_power 0 20
paired_t_power 3 5
ppi_mean labels proxies
ppi_mean labels proxies finite=true
ppi_mean labels proxies strata=halves
ppi_mean labels proxies ddof=1 clip=false level=0.8
ppi_mean all proxies
ppi_mean all proxies finite=true
ppi_mean labels proxies ddof=1 finite=true strata=halves
queries_needed 0.05 0.2
queries_needed 0.05 0.2 alpha=0.01 power=0.9
queries_needed 5 0.2
randomisation first second
randomisation first second alternative="less"
randomisation first second alternative="greater"
randomisation many more permutations=500 seed=2
randomisation first first
randomised_tukey_hsd systems permutations=500
randomised_tukey_hsd systems permutations=500 seed=1
rank_sets higher
rbo best next
rbo best next p=0.5
repeated_folds_interval first 0.2
repeated_folds_interval first 0.5 level=0.8
rogan_gladen 500 1000 80 100 70 100
rogan_gladen 10 1000 80 100 70 100
rogan_gladen 310 1000 80 100 70 100 level=0.8
rogan_gladen 990 1000 80 100 70 100
rogan_gladen 5 10 18 20 29 30
sign first second
sign first second tie=0.15
sign first second alternative="greater"
sign first second alternative="less"
sign first first
t_interval first
t_interval first level=0.8
t_interval one
tau_ap first second
tau_ap first tied
tukey_hsd systems
two_phase_mean labels proxies
two_phase_mean labels proxies level=0.8 finite=false
two_phase_mean labels proxies strata=halves
two_phase_mean labels proxies strata=fifths
two_phase_mean labels proxies strata=fifths finite=false
two_phase_mean labels proxies clusters=pairs
two_phase_mean all proxies
two_phase_mean labels proxies clusters=pairs finite=false
two_phase_mean labels proxies inclusion=chances
two_phase_mean all proxies finite=false
two_phase_mean most proxies strata=halves
two_phase_mean perfect proxies strata=halves
two_phase_mean labels proxies inclusion=chances finite=false
two_phase_mean labels proxies strata=halves inclusion=chances
two_phase_mean labels proxies strata=halves clusters=pairs
two_phase_mean labels ones strata=fifths
wilcoxon first second
wilcoxon first second alternative="greater"
wilcoxon first second alternative="less"
wilcoxon first tied
wilcoxon first first
wilson_interval hits
wilson_interval hits level=0.8
wilson_interval one
""".strip().splitlines()
"""A statistic, and its arguments: samples by name, or values."""


def called(text):
    """The result of a call such as ``t_interval first level=0.8``."""
    name, *words = text.split()
    given = [word.rpartition("=")[::2] for word in words]
    values = [(keyword, SAMPLES[value] if value in SAMPLES else json.loads(value)) for keyword, value in given]
    keywords = {keyword: value for keyword, value in values if keyword}
    return plain(getattr(rg.stats, name)(*(value for keyword, value in values if not keyword), **keywords))


def plain(value):
    """A result as JSON holds it."""
    if is_dataclass(value):
        value = [getattr(value, name) for name in value.__dataclass_fields__]
    if isinstance(value, tuple | list | np.ndarray):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    value = value.item() if isinstance(value, np.generic) else value
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def same(value, stored):
    """Whether two results are equal, but for rounding."""
    if isinstance(value, dict):
        return {*value} == {*stored} and all(same(value[key], stored[key]) for key in value)
    if isinstance(value, list):
        return len(value) == len(stored) and all(map(same, value, stored))
    if isinstance(value, float):
        return math.isclose(value, float(stored), rel_tol=1e-7, abs_tol=1e-12)
    return value == stored


JUDGMENTS = {
    f"q{query}": {item: int(grade) for item, grade in zip("abcdefgh", grades, strict=True)}
    for query, grades in enumerate(RANDOM.integers(0, 3, (14, 8)))
} | {"none": {"a": 0}}
RANKINGS = {
    name: {
        query: {item: round(weight * grade + noise, 1) for (item, grade), noise in zip(own.items(), row, strict=False)}
        for (query, own), row in zip(JUDGMENTS.items(), RANDOM.random((15, 8)), strict=True)
    }
    for name, weight in {"good": 0.5, "fair": 0.2, "same": 0.2, "poor": -0.1}.items()
}
RANKINGS["short"] = {
    query: dict([*own.items()][:3]) for query, own in RANKINGS["good"].items() if query not in {"q1", "q2"}
}
RANKINGS["other"] = {query: own | {"x": 0.95, "y": 0.1} for query, own in RANKINGS["fair"].items()}
FEW = {"permutations": 500, "resamples": 300}
COMPARISONS = {
    "all pairs": (("good", "fair", "same", "poor"), {"metrics": ["nDCG@5", "RR"], **FEW}),
    "a baseline": (("fair", "good", "short"), {"metrics": "AP", "baseline": "fair", "correction": "bonferroni", **FEW}),
    "unjudged and missing": (
        ("good", "other", "short"),
        {"metrics": "P@4", "tie": 0.3, "alpha": 0.2, "power": 0.6, **FEW},
    ),
    "three pairs": (("poor", "good", "short", "other"), {"metrics": "P@4", "baseline": "poor", **FEW}),
    "four pairs": (("poor", "good", "short", "other", "fair"), {"metrics": "P@4", "baseline": "poor", **FEW}),
    "two": (("good", "poor"), {"metrics": ["nDCG@3", "FirstRank"], "digits": 2}),
    "corpus": (
        ("good", "fair", "poor"),
        {"metrics": ["ItemCoverage@2", "PooledAUC"], "side_information": rg.SideInformation(items=9), **FEW},
    ),
}


def compared(name):
    """The numbers and the text of a comparison."""
    systems, given = COMPARISONS[name]
    rankings = {system: RANKINGS[system] for system in systems}
    result = rg.compare(JUDGMENTS, rankings, **given)
    numbers = json.loads(result.to_json())
    for key in ("rankgauge", "date", "inputs", "provenance"):
        numbers.pop(key, None)
    return {"numbers": plain(numbers), "text": result.to_markdown().splitlines(), "table": str(result.paper_table())}


STORED = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


@pytest.mark.parametrize("call", CALLS)
def test_a_statistic_has_the_stored_value(call):
    assert same(called(call), STORED[call])


@pytest.mark.parametrize("name", COMPARISONS)
def test_a_comparison_has_the_stored_numbers_and_text(name):
    result, stored = compared(name), STORED[f"compare {name}"]
    assert (result["text"], result["table"]) == (stored["text"], stored["table"])
    assert same(result["numbers"], stored["numbers"])


@pytest.mark.parametrize("option", ["seed=-1", "permutations=0", "resamples=0"])
def test_seeds_below_0_and_no_samples_are_refused(option):
    calls = {call.split()[0]: [word for word in call.split() if "=" not in word] for call in CALLS}
    for name, words in calls.items():
        if option.partition("=")[0] in inspect.signature(getattr(rg.stats, name)).parameters:
            with pytest.raises(rg.ParameterError, match=option.partition("=")[0]):
                called(" ".join([*words, option]))


@pytest.mark.parametrize("verb", [rg.compare, rg.report], ids=lambda verb: verb.__name__)
def test_functions_have_the_defaults_of_the_settings(verb):
    defaults = {setting.name: setting.default for setting in SETTINGS}
    assert {name: inspect.signature(verb).parameters[name].default for name in defaults} == defaults


def test_masked_ratings_are_missing():
    ratings = np.array(SAMPLES["ratings"], dtype=float)
    masked = np.ma.masked_array(np.nan_to_num(ratings, nan=9.0), mask=np.isnan(ratings))
    for agreement in (rg.stats.krippendorff_alpha, rg.stats.gwet_ac1, rg.stats.gwet_ac2):
        assert agreement(masked) == agreement(ratings)


if __name__ == "__main__":
    found = {call: called(call) for call in CALLS} | {f"compare {name}": compared(name) for name in COMPARISONS}
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in found.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
