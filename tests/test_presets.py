"""Every preset against the numbers that its tool gave, and the catalogue itself."""

import json
from pathlib import Path

import numpy as np
import pytest

import rankgauge as rg
from rankgauge.conventions import DEFAULT, PRESETS, RULES

DATA = json.loads((Path(__file__).parent / "data" / "tool_values.json").read_text(encoding="utf-8"))
LISTS = {name: (case["labels"], case["scores"]) for name, case in DATA["lists"].items()}


def rows(kind):
    return [
        pytest.param(row, id=f"{row['preset']}-{row['metric']}-{row.get('case', place)}")
        for place, row in enumerate(DATA[kind])
    ]


def rules_of(row):
    return PRESETS[row["preset"]].convention.but(**row.get("but", {}))


def close(got, row):
    """Within the precision of the tool, or of the digits that were printed where those are fewer."""
    printed = str(row["value"])
    digits = len(printed.partition(".")[2]) if "." in printed else 12
    return got == pytest.approx(float(row["value"]), abs=max(PRESETS[row["preset"]].precision, 0.51 * 10**-digits))


@pytest.mark.parametrize("row", rows("list_values"))
def test_one_list(row):
    labels, scores = LISTS[row["case"]]
    labels = [min(label, 1) for label in labels] if row.get("binary") else labels
    labels = [(2**label - 1) / 8 for label in labels] if row.get("exp") else labels
    got = rg.parse(row["metric"]).of(labels, scores=scores, convention=rules_of(row))

    assert str(got) == "nan" if row["value"] == "nan" else close(got, row)


@pytest.mark.parametrize("row", rows("id_values"))
def test_ids(row):
    got = rg.evaluate({"q": row["judged"]}, {"q": row["returned"]}, row["metric"], convention=rules_of(row))

    assert close(got.mean(row["metric"]), row)


@pytest.mark.parametrize("row", rows("mean_values"))
def test_five_users(row):
    users = DATA["five_users"]
    judged = {user: dict.fromkeys(items, 1) for user, items in users["relevant"].items()}
    scores = rg.evaluate(judged, users["recommended"], row["metric"], convention=rules_of(row))
    got = scores.per_query(row["metric"])[row["user"]] if "user" in row else scores.mean(row["metric"])

    assert str(got) == "nan" if row["value"] == "nan" else close(got, row)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_complete(name):
    one = PRESETS[name]

    assert one.name == name
    assert one.tool
    assert one.versions
    assert one.metrics
    for phrase in (one.about, *one.notes, *one.defects):
        assert phrase.en.endswith(".")
        assert phrase.zh.endswith("。")
    assert {*one.differences} == {rule for rule in RULES if getattr(one.convention, rule) != getattr(DEFAULT, rule)}


@pytest.mark.parametrize("name", PRESETS)
def test_the_names_of_a_preset_are_metrics_that_run_under_it(name):
    one = PRESETS[name]

    for theirs, ours in one.metrics.items():
        assert theirs.count("{k}") == ours.count("{k}") or "[k]" in theirs, theirs
        metric = rg.parse(ours.replace("{k}", "3"))
        assert np.isfinite(metric.of([1, 0, 1, 0], scores=[4, 3, 2, 1], convention=one.convention))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_preset_is_a_document(lang):
    text = PRESETS["lightgbm"].document(lang).to_text()

    assert "exp2" in text
    assert "ndcg@{k}" in text
    assert ("Defect:" in text) == (lang == "en")


def test_a_preset_is_taken_by_its_name_wherever_a_convention_is():
    grades = [0, 2, 1]
    named = rg.preset("lightgbm")

    assert rg.nDCG.of(grades, convention="lightgbm") == rg.nDCG(gain="exp2").of(grades)
    assert rg.nDCG.explain(grades, convention="lightgbm").convention.gain == "exp2"
    assert rg.nDCG.line("lightgbm") == rg.nDCG.line(named)
    assert (rg.nDCG @ 2).curve(grades, convention="lightgbm").values == (rg.nDCG @ 2).curve(
        grades, convention=named
    ).values
    scores = rg.evaluate({"q": {"a": 2}}, {"q": ["b", "a"]}, "nDCG", convention="lightgbm")
    assert scores.convention is named
    assert rg.explain({"q": {"a": 2}}, {"q": ["b", "a"]}, "nDCG", "q", convention="lightgbm").convention.gain == "exp2"


def test_a_preset_that_is_not_known_is_an_error_that_helps():
    with pytest.raises(rg.UnknownNameError, match="did you mean 'lightgbm'"):
        rg.evaluate({"q": {"a": 2}}, {"q": ["a"]}, "nDCG", convention="lightgmb")
    with pytest.raises(rg.ParameterError, match="the name of a preset"):
        rg.nDCG.of([1], convention=3)


def test_presets_cannot_be_changed():
    with pytest.raises(TypeError):
        PRESETS["mine"] = PRESETS["lightgbm"]
    with pytest.raises(TypeError):
        PRESETS["lightgbm"].metrics["mine"] = "AP"
    with pytest.raises(AttributeError):
        PRESETS["lightgbm"].name = "mine"
