"""Reconcile: whether a number is explained, or chance, a misprint or a slip gives it just as well."""

import json
import random
import re
from itertools import pairwise, product

import numpy as np
import pytest

import rankgauge as rg
from command_line import display_width, here
from rankgauge.reconciliation.candidates import expected_matches
from rankgauge.reconciliation.printed_number import PrintedNumber
from rankgauge.reconciliation.slips import slips

FILMS, ALL_FILMS = [5, 3, 2, 1, 2], [5, 3, 2, 1, 2, 4, 0]
CROFT = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]


def world(seed, queries, items=12):
    """Return random judgments and a random ranking, with ties, unjudged items and items that were not returned."""
    draw = random.Random(seed)
    judgments, ranking = {}, {}
    for query in range(queries):
        ids = [f"d{item}" for item in range(items)]
        judgments[query] = {item: draw.choices([0, 1, 2, 3], [5, 2, 2, 1])[0] for item in ids if draw.random() < 0.8}
        returned = [item for item in ids if draw.random() < 0.8] + ["x", "y"]
        ranking[query] = {item: draw.randint(0, 30) / 2 for item in draw.sample(returned, len(returned))}
    return judgments, ranking


@pytest.fixture(scope="module")
def worlds():
    several = [(*world(seed, 5), metric) for seed, metric in enumerate(["nDCG@5", "AP@5", "RR@10"])]
    return [rg.reconcile(FILMS, metric="nDCG@5", ideal=ALL_FILMS), *(rg.reconcile(*data) for data in several)]


@pytest.fixture(scope="module")
def films(worlds):
    return worlds[0]


# Chance


@pytest.mark.parametrize("decimals", [2, 3, 4])
def test_random_numbers_are_not_explained_without_a_warning(worlds, decimals):
    draw = random.Random(decimals)
    results = [found.explain(f"{draw.random():.{decimals}f}") for found in worlds for _ in range(40)]

    assert sum(result.explained for result in results) <= 0.05 * len(results)
    if decimals == 2:  # where 52 % of random numbers matched some definition
        assert sum(bool(result.matches) for result in results) > 0.3 * len(results)


@pytest.mark.parametrize("decimals", [3, 4])
def test_the_tool_that_gave_a_number_is_always_named(worlds, decimals):
    for found in worlds:
        texts = {}
        for tool, value in zip(found.tools, found.values, strict=True):
            number = f"{value:.{decimals}f}"
            if number not in texts:
                result = found.explain(number)
                named = {name for match in result.to_dict()["explanations"] for name in match["tools"]}
                texts[number] = result.document().to_text(), named
            text, named = texts[number]
            assert re.search(rf"(?<![\w-]){re.escape(tool.name)}(?![\w-])", text), (tool.name, number)
            assert tool.name in named


@pytest.mark.parametrize("metric", ["P(rel=2)@10", "R@10", "HR@10", "RR@10"])
@pytest.mark.parametrize("queries", [1, 2, 5])
def test_values_of_other_rankings_are_not_called_likely(metric, queries):
    draw, data = random.Random(queries), world(queries, queries, items=20)
    found, likely = rg.reconcile(*data, metric), 0
    for _ in range(10):
        shuffled = {
            query: dict(zip(draw.sample([*items], len(items)), items.values(), strict=True))
            for query, items in data[1].items()
        }
        result = found.explain(f"{rg.evaluate(data[0], shuffled, metric).mean():.4f}")
        likely += result.confidence == "likely"

    assert likely <= 1


def test_a_note_warns_of_metrics_that_take_few_values(worlds):
    assert {found.explain("0.8296").to_dict()["spacing"] for found in worlds[:3]} == {0}  # nDCG and AP
    found = rg.reconcile(*world(1, 5), "HR@1")
    hits = found.explain(f"{found.values[0]:.4f}")
    assert hits.to_dict()["spacing"] >= 0.2
    assert "HR@1 takes few values" in hits.document().to_text()
    assert "位数再多也无法排除偶然" in hits.document("zh").to_text()


def test_the_expected_matches_are_those_of_random_numbers(worlds):
    found, draw = worlds[1], np.random.default_rng(3)
    values = found._candidates.distinct[-1]
    middle = np.quantile(values, [0.2, 0.8])
    hits, expected = [], []
    for number in draw.uniform(*middle, 400):
        printed = PrintedNumber.of(f"{number:.3f}")
        hits.append(int((np.abs(values - printed.value) <= printed.unit / 2).sum()))
        expected.append(expected_matches(values, printed, values))

    assert np.mean(expected) == pytest.approx(np.mean(hits), rel=0.35)


def test_a_number_with_two_decimals_is_called_chance(films):
    result = films.explain("0.83")

    assert {match.confidence for match in result.matches if not match.deviations} == {"uncertain"}
    assert {match.confidence for match in result.matches if match.deviations} == {"coincidence"}
    assert not result.explained
    text = result.document().to_text()
    assert "a random number with 2 decimals in this range would match" in text
    assert "Chance cannot be ruled out" in text
    assert "仅凭偶然" in result.document("zh").to_text()


def test_more_decimals_make_chance_matches_rarer(films):
    expected = [films.explain(f"{0.829613:.{digits}f}").expected_by_chance for digits in (2, 3, 4)]

    for fewer, more in pairwise(expected):
        assert more == pytest.approx([count / 10 for count in fewer], rel=0.5)
    assert films.explain("0.8296").explained


def test_two_changed_rules_are_a_coincidence(worlds):
    matches = [match for found in worlds for text in ("0.42", "0.417", "0.83") for match in found.explain(text).matches]

    assert any(len(match.rules) > 1 for match in matches)
    assert {match.confidence for match in matches if len(match.rules) > 1} == {"coincidence"}


def test_a_misprint_in_a_textbook_is_not_explained():
    found = rg.reconcile(CROFT, metric="nDCG@4")

    assert round(found.value("jarvelin-kekalainen-2002"), 3) == 0.775  # printed as 0.76
    assert not found.explain("0.76").explained
    assert not rg.reconcile(CROFT, metric="nDCG(discount='log2(i)')@4").explain("0.76").explained


def test_no_definition_is_a_regular_answer(films):
    result = films.explain("0.5555")

    assert (result.confidence, result.explained, result.matches, result.slips) == (None, False, (), ())
    assert result.nearest_tool.tool.name == "pyg"
    assert not result.nearest_tool.rules
    data = result.to_dict()
    assert data["confidence"] is None
    assert data["nearest"]["value"] == pytest.approx(0.5555, abs=0.01)


# Cutoffs and plausibility


def test_the_usual_cutoffs_are_tried():
    judgments, ranking = world(15, 17, items=40)
    p15 = rg.evaluate(judgments, ranking, "P@15", convention="trec_eval-9").mean("P@15")

    first = rg.reconcile(judgments, ranking, "P@10").explain(f"{p15:.4f}").matches[0]

    assert (first.rules, first.setting.metric.k) == (("k",), 15)  # a column of a published table, under another title


def test_the_usual_cutoffs_are_tried_for_a_metric_without_one():
    judgments, ranking = world(12, 5, items=40)
    cut = rg.evaluate(judgments, ranking, "nDCG@20").mean("nDCG@20")

    first = rg.reconcile(judgments, ranking, "nDCG").explain(f"{cut:.6f}").matches[0]

    assert (first.rules, first.setting.metric.k, first.tool.name) == (("k",), 20, "default")


def test_one_rule_is_changed_around_every_tool():
    judgments, ranking = world(13, 6)
    del ranking[2]
    rules = rg.preset("letor").replace(missing="skip")  # which no tool combines with its other rules
    value = rg.evaluate(judgments, ranking, "nDCG@5", convention=rules).mean("nDCG@5")

    result = rg.reconcile(judgments, ranking, "nDCG@5").explain(f"{value:.6f}")

    assert [(match.deviations, match.confidence) for match in result.matches][:1] == [(1, "likely")]


def test_trec_files_name_trec_eval_before_other_tools(tmp_path):
    judgments, ranking = world(14, 5)
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text("".join(f"{q} 0 {i} {g}\n" for q, items in judgments.items() for i, g in items.items()))
    run.write_text("".join(f"{q} Q0 {i} 1 {s} t\n" for q, items in ranking.items() for i, s in items.items()))
    for metric in ("AP", "nDCG", "RR"):
        found = rg.reconcile(qrels, run, metric)
        names = [tool.name for tool in found.explain(f"{found.value('trec_eval-9'):.4f}").matches[0].tools]
        assert next(name for name in names if name != "default") == "trec_eval-9"


def test_the_tool_whose_spelling_was_used_comes_first():
    judgments, ranking = world(15, 5)
    found = rg.reconcile(judgments, ranking, "ndcg_cut_5")
    value = f"{found.value('trec_eval-9'):.4f}"
    again = rg.reconcile(judgments, ranking, "NDCG@5")

    names = [[tool.name for tool in other.explain(value).matches[0].tools] for other in (found, again)]
    assert names[0][:2] == ["default", "trec_eval-9"]
    assert names[1][:2] == ["default", "beir"]


def test_matches_come_in_the_same_order_every_time():
    data = [world(16, 5) for _ in range(2)]
    first, second = (rg.reconcile(*each, "nDCG@5").explain("0.50").to_dict() for each in data)

    assert first == second


# Slips in calculations by hand


def test_a_tutorial_with_wrong_discounts_in_single_terms():
    result = rg.reconcile([4, 5, 2, 3, 1], metric="nDCG@5").explain("0.861")

    terms = {(match.slip.place, match.slip.rank, match.slip.kind) for match in result.slips}
    assert ("ideal", 4, "neighbour") in terms  # its log2(4), log2(5) and log2(6) are misprinted
    assert {round(match.right, 6) for match in result.slips} == {0.864548}
    assert not result.explained  # several terms are wrong: no single slip is beyond chance
    text = result.document().to_text()
    assert "rank 4 of the ideal order with the discount of rank 3: 1.5 instead of 1.292" in text
    assert "理想排序中第 4 位误用第 3 位的折损系数" in result.document("zh").to_text()


def test_several_wrong_terms_show_the_required_value_of_one():
    result = rg.reconcile([5, 3, 2, 1, 4], metric="nDCG@5").explain("0.857")

    assert not result.explained
    assert {match.confidence for match in result.matches} <= {"coincidence"}
    assert result.slips == ()
    needed = {(term.place, term.rank): round(term.needed, 3) for term in result.needed_terms}
    assert needed["list", 2] == 0.825  # 3 / log2(3) = 1.893, printed as 1.585 among other wrong terms
    text = result.document().to_text()
    assert "No definition gives 0.857" in text
    assert "No known slip in one term gives it either" in text
    assert "某一项的常见差错也得不到它" in result.document("zh").to_text()


@pytest.mark.parametrize(
    ("slip", "wrong"),
    [
        (("omitted", "list", 2), 0),
        (("without", "ideal", 3), 3),
        (("neighbour", "both", 2), 3 / np.log2(4)),
        (("base", "ideal", 5), 1 / np.log(6)),
        (("grade", "list", 5), 3 / np.log2(6)),
    ],
)
def test_a_slip_in_one_term_is_found(slip, wrong):
    found = rg.reconcile([5, 3, 2, 1, 4], metric="nDCG@5")
    tool = next(tool for tool in found.tools if tool.name == "default")
    kind, place, rank = slip
    values = [
        each
        for each in slips(found._data.sum(tool.setting), tool.setting.convention)
        if (each.kind, each.place, each.rank) == slip and np.isclose(each.wrong, wrong)
    ]
    assert values, (kind, place, rank)

    matches = found.explain(f"{values[0].value:.9f}").slips
    assert (values[0].kind, values[0].place, values[0].rank) in {
        (match.slip.kind, match.slip.place, match.slip.rank) for match in matches
    }


def test_slips_of_metrics_with_other_terms():
    precision = rg.reconcile([1, 0, 1, 0, 0], metric="P@5").explain("0.6000")
    reciprocal = rg.reconcile([0, 0, 1], metric="RR").explain("0.5000")

    assert ("relevant", 2) in {(match.slip.kind, match.slip.rank) for match in precision.slips}
    assert ("neighbour", 3) in {(match.slip.kind, match.slip.rank) for match in reciprocal.slips}


# The command line


@pytest.mark.usefixtures("example_folder")
def test_exit_code_of_a_number_that_is_not_explained():
    films = ("reconcile", "5,3,2,1,2", "--ideal", "5,4,3,2,2,1,0", "-m", "nDCG@5", "-t", "json")

    results = {number: here(*films, "--value", number) for number in ("0.8296", "0.5555", "0.83")}

    assert {number: result.code for number, result in results.items()} == {"0.8296": 0, "0.5555": 1, "0.83": 1}
    assert "The exit code is 1 if a number" in " ".join(here("reconcile", "--help").out.split())
    data = json.loads(results["0.83"].out)["values"][0]
    assert data["decimals"] == 2
    assert set(data["expected_by_chance"]) == set(data["distinct_values"]) == {"tools", "one_change", "all"}
    assert data["explained"] is False
    assert len(data["explanations"][0]["tools"]) > 10


@pytest.mark.parametrize(
    ("lang", "answer", "last"),
    [("en", "No known tool gives", "By chance alone"), ("zh", "没有已知工具给出", "仅凭偶然")],
)
def test_the_answer_comes_first_and_coincidences_last(lang, answer, last):
    result = rg.reconcile(FILMS, metric="nDCG@5", ideal=ALL_FILMS).explain("0.857")
    texts = result.document(lang).to_text().split("\n\n")
    coincidences = next(place for place, text in enumerate(texts) if text.startswith(("Coincidences:", "巧合：")))
    assert texts[1].startswith(answer)
    assert coincidences == len(texts) - 3  # then its table
    assert texts[-1].startswith(last)


def test_the_tools_that_give_a_number_are_named_first():
    result = rg.reconcile(FILMS, metric="nDCG@5", ideal=ALL_FILMS).explain("0.7834")
    texts = result.document().to_text().split("\n\n")
    assert texts[1].endswith("with no rule changed.")
    assert {tool.name for tool in result.matches[0].tools} <= {*re.findall(r"[\w.-]+", texts[2])}


@pytest.mark.parametrize("number", ["0.827", "0.83", "0.829613", "0.857", "0.5555"])
def test_no_number_of_a_reconciliation_is_cropped(number):
    matches = rg.reconcile(FILMS, metric="nDCG@5", ideal=ALL_FILMS).explain(number)
    for lang, width in product(("en", "zh"), (60, 80)):
        document = matches.document(lang)
        lines = document.to_text(width).splitlines()
        numbers = re.findall(r"\d\.\d{4,}", document.to_text())
        assert max(map(display_width, lines)) <= width, (lang, width)
        assert sorted(re.findall(r"\d\.\d{4,}", "\n".join(lines))) == sorted(numbers), (lang, width)
