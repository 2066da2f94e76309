"""Hand-worked values, and the step-by-step explanation of each."""

import json
import math

import pytest

import rankgauge as rg
from cases import CASES


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.metric}-{case.grades}")
def test_value_is_the_hand_worked_one(case):
    assert rg.parse(case.metric).of(case.grades, **case.given) == pytest.approx(case.expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.metric}-{case.grades}")
def test_explanation_adds_up_to_the_hand_worked_value(case):
    explained = rg.parse(case.metric).explain(case.grades, **case.given)

    rest = explained.steps.rest or 0.0
    below = 1.0 if explained.below is None else explained.below
    added = math.fsum(row.contribution for row in explained.steps.rows) + rest
    assert explained.value == pytest.approx(case.expected, rel=1e-12, abs=1e-15)
    assert explained.steps.total == pytest.approx(added, abs=1e-12)
    if below and not explained.last_name:
        assert math.fsum(row.share for row in explained.steps.rows) + rest / below == pytest.approx(case.expected)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.metric}-{case.grades}")
def test_explanation_renders_in_every_format_and_language(case):
    explained = rg.parse(case.metric).explain(case.grades, **case.given)

    for lang in ("en", "zh"):
        for page in (
            explained.to_text(lang),
            explained.to_markdown(lang),
            explained.to_latex(lang),
            explained.to_html(lang),
        ):
            assert f"{case.expected:.4f}"[:5] in page.replace("\\_", "_") or f"{case.expected:.0f}" in page
    assert json.loads(explained.to_json())["value"] == pytest.approx(case.expected)
