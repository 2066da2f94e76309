"""The command `rankgauge judges`, and rates, plans and drift."""

import json
import random

import numpy as np
import polars as pl
import pytest

import rankgauge as rg
from command_line import here

pytestmark = pytest.mark.usefixtures("example_folder")


def test_agree():
    result = here("judges", "agree", "judgments.csv", "judge.csv")

    assert (result.code, result.err) == (0, "")
    assert "Agreement of people and judge" in result.out
    assert "一致性" in here("judges", "agree", "judgments.csv", "judge.csv", "--lang", "zh").out


def test_agree_by_rank():
    data = json.loads(here("judges", "agree", "judgments.csv", "judge.csv", "keywords.csv", "-t", "json").out)

    assert [row["group"] for row in data["bias_by_rank"]] == ["1", "2", "3", "4–5", "–"]


def test_correct():
    files = "judge.csv", "judgments.csv", "keywords.csv", "embeddings.csv"
    data = json.loads(here("judges", "correct", *files, "-m", "nDCG@5", "-t", "json", "--quiet").out)

    assert data["target"] == "these queries"
    assert [round(row["value"], 4) for row in data["estimates"]] == [0.6251, 0.9445]  # all queries are labelled
    assert data["verdicts"][0]["second"] == "embeddings"
    assert here("judges", "correct", *files, "-t", "csv").out.startswith("metric,system,value,low,high,labels_worth")


def test_correct_by_an_attribute_of_the_queries(tmp_path):
    (tmp_path / "kinds.csv").write_text("query,kind\nspace opera,genre\n功夫片,genre\nheist,\n", encoding="utf-8")
    call = "judges", "correct", "judge.csv", "judgments.csv", "keywords.csv", "--attributes", tmp_path / "kinds.csv"
    data = json.loads(here(*call, "--by", "kind", "-t", "json", "--quiet").out)

    assert {label: rows[0]["labels"] for label, rows in data["slices"]["kind"].items()} == {"genre": 2, "(none)": 1}
    assert "（无值）" in here(*call, "--by", "kind", "--lang", "zh").out
    lines = here(*call, "--by", "kind", "-t", "csv", "--quiet").out.splitlines()
    assert [line.split(",")[:2] for line in lines[1:]] == [["", ""], ["kind", "genre"], ["kind", "(none)"]]
    assert here(*call[:4], "--attributes", call[-1], "--by", "kind").code == 2
    assert here(*call[:5], "--by", "kind").code == 2


def test_correct_without_rankings_is_a_rate():
    data = json.loads(here("judges", "correct", "judge.csv", "judgments.csv", "--rel", "2", "-t", "json").out)

    assert data["corrected"]["value"] == pytest.approx(data["people"]["value"])
    assert (data["rel"], data["items"], data["labels"]) == (2, 16, 16)


def test_plan():
    call = "judges", "plan", "judge.csv", "judgments.csv", "keywords.csv", "--half-width", "0.1"

    assert json.loads(here(*call, "-t", "json").out)["needed"][0]["corrected"] <= 3
    assert "pilot" in here(*call).out


def test_drift():
    assert "Drift from before to after" in here("judges", "drift", "judge.csv", "judgments.csv").out
    with_people = json.loads(here("judges", "drift", "judge.csv", "judgments.csv", "judgments.csv", "-t", "json").out)
    assert with_people["kappa_after"]["value"] == 1


def test_every_result_is_a_frame_of_its_rows():
    people, judge = rg.read("judgments.csv").judgments.frame(), rg.read("judge.csv").judgments.frame()
    results = {
        "agree": rg.judges.agreement(people, judge),
        "drift": rg.judges.drift(judge, people, people),
        "correct": rg.judges.rate(judge, people),
    }
    for action, result in results.items():
        frame = result.to_pandas()
        assert [*frame.columns] == ["measure", "value", "low", "high"]
        assert dict(zip(frame["measure"], frame["value"], strict=True)) == {
            name: number.value for name, number in result.numbers().items()
        }
        files = ("judgments.csv", "judge.csv") if action == "agree" else ("judge.csv", "judgments.csv")
        written = here("judges", action, *files, *(["judgments.csv"] if action == "drift" else []), "-t", "csv").out
        assert pl.read_csv(written.encode())["measure"].to_list() == [*result.numbers()]
    planned = rg.judges.plan(judge, people, "keywords.csv", "P@3", half_width=0.1)
    assert planned.to_pandas()["metric"].to_list() == ["P@3"]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("judges", 2),
        ("judges agree", 2),
        ("judges plan judge.csv judgments.csv", 2),
        ("judges judge judge.csv", 2),
        ("judges agree judge.csv nowhere.csv", 3),
        ("judges agree judge.csv", 2),
        ("judges correct judge.csv judgments.csv keywords.csv --scale 0", 2),
        ("judges correct judge.csv judgments.csv keywords.csv --scale 0,1", 3),
    ],
)
def test_wrong_calls_end_with_a_message(call, code):
    result = here(*call.split())

    assert result.code == code
    assert result.err.count("Traceback") == 0
    assert result.err


def test_a_rate_is_that_of_rogan_and_gladen():
    random = np.random.default_rng(0)
    truth = {f"q{q}": {str(i): int(random.random() < 0.4) for i in range(20)} for q in range(50)}
    judge = {
        q: {i: int(random.random() < (0.8 if g else 0.3)) for i, g in grades.items()} for q, grades in truth.items()
    }
    people = {q: truth[q] for q in [*truth][::3]}
    found = rg.judges.rate(judge, people, sample="random")
    pairs = [(truth[q][i], judge[q][i]) for q in people for i in people[q]]
    counts = {(a, b): pairs.count((a, b)) for a in (0, 1) for b in (0, 1)}
    expected = rg.stats.rogan_gladen(
        sum(sum(grades.values()) for grades in judge.values()), 1000,
        counts[1, 1], counts[1, 0] + counts[1, 1], counts[0, 0], counts[0, 0] + counts[0, 1],
    )  # fmt: skip

    assert found.value == pytest.approx(expected.value)
    assert found.sensitivity.value == pytest.approx(expected.sensitivity)
    assert found.low < 0.4 < found.high


def test_a_rate_divides_labels_by_their_inclusion_probabilities():
    """The judge is better on items that are labelled more often."""
    random = np.random.default_rng(0)
    pairs = [(f"q{query}", f"d{item}", item < 7) for query in range(150) for item in range(20)]
    truth = random.random(len(pairs)) < 0.3
    is_easy = np.array([easy for *_, easy in pairs])
    judge = np.where(random.random(len(pairs)) < np.where(is_easy, 0.95, 0.65), truth, ~truth)
    chances = np.where(is_easy, 0.5, 0.08)
    table = pl.DataFrame([pair[:2] for pair in pairs], schema=["query", "item"], orient="row")
    model = table.with_columns(grade=pl.Series(judge.astype(int)))
    values, inside = [], []
    for _ in range(20):
        drawn = table.with_columns(grade=pl.Series(truth.astype(int)), inclusion=pl.Series(chances))
        rate = rg.judges.rate(model, drawn.filter(pl.Series(random.random(len(pairs)) < chances)), resamples=100)
        values.append(rate.value)
        inside.append(rate.low <= truth.mean() <= rate.high)

    assert np.mean(values) == pytest.approx(truth.mean(), abs=0.03)  # without the probabilities 0.06 too high
    assert np.mean(inside) >= 0.8


def test_a_rate_of_labels_chosen_by_the_judge_is_refused():
    judge = {f"q{q}": {str(i): (q + i) % 4 for i in range(20)} for q in range(30)}
    people = {q: {i: 1 for i, grade in grades.items() if grade >= 2} for q, grades in judge.items()}

    with pytest.raises(rg.InputError) as caught:
        rg.judges.rate(judge, people, rel=2)
    assert caught.value.codes == ("RG605",)


def test_a_plan_is_met_by_a_sample_of_its_size():
    random = np.random.default_rng(1)
    queries = [f"q{n}" for n in range(400)]
    truth = {q: {str(i): int(random.random() < random.beta(1, 2)) for i in range(10)} for q in queries}
    judge = {q: {i: g if random.random() < 0.8 else 1 - g for i, g in grades.items()} for q, grades in truth.items()}
    ranking = {q: [*grades] for q, grades in truth.items()}
    pilot = {q: truth[q] for q in queries[:60]}
    (row,) = rg.judges.plan(judge, pilot, ranking, "P@10", half_width=0.02, sample="random").rows
    labelled = {q: truth[q] for q in queries[: int(row.corrected)]}

    assert 60 < row.corrected < row.people < 400
    assert rg.judges.correct(judge, labelled, ranking, "P@10", sample="random").estimate().half_width == pytest.approx(
        0.02, rel=0.15
    )


def test_a_plan_that_needs_more_queries_says_so():
    judge = {f"q{n}": {"a": n % 2, "b": n % 3 == 0} for n in range(40)}
    people = {q: grades for q, grades in judge.items() if int(q[1:]) < 20}
    ranking = {q: ["a", "b"] for q in judge}
    found = rg.judges.plan(judge, people, ranking, "P@2", half_width=0.01, target="queries like these", sample="random")

    assert found.rows[0].corrected == np.inf
    assert "not with these queries" in str(found)
    assert found.to_dict()["needed"][0]["corrected"] is None


def test_drift_compares_two_versions_of_a_judge_in_one_table():
    random = np.random.default_rng(2)
    people = {f"q{q}": {str(i): int(random.integers(0, 3)) for i in range(10)} for q in range(30)}
    rows = [
        (q, i, "model", version, int(np.clip(g + random.integers(-spread, spread + 1), 0, 2)))
        for version, spread in (("v1", 1), ("v2", 0))
        for q, grades in people.items()
        for i, g in grades.items()
    ]
    table = pl.DataFrame(rows, schema=["query", "item", "rater", "prompt_version", "grade"], orient="row")
    found = rg.judges.drift(table, people=people)

    assert (found.before, found.after, found.verdict) == ("model v1", "model v2", "better")
    assert found.agreements[1].kappa.value == 1
    assert found.discordant[0] == 0
    assert found.p < 1e-10
    assert "上升" in found.document("zh").to_text()
    with pytest.raises(rg.ParameterError, match="two judges"):
        rg.judges.drift(people)


def test_equal_judgments_show_no_drift():
    judge = {f"q{q}": {str(i): (q + i) % 3 for i in range(10)} for q in range(10)}
    found = rg.judges.drift(judge, {q: dict(grades) for q, grades in judge.items()}, judge)

    assert (found.verdict, found.changed.value, found.p) == ("same", 0, 1)


FILES = "judge.csv", "keywords.csv", "embeddings.csv"


def test_compare_with_labels_of_people():
    data = json.loads(here("compare", *FILES, "-m", "nDCG@5", "--people", "judgments.csv", "-t", "json").out)
    text = here("compare", *FILES, "-m", "nDCG@5", "--people", "judgments.csv").out

    assert [round(row["value"], 4) for row in data["people"]["estimates"]] == [0.6251, 0.9445]
    assert round(data["metrics"]["nDCG@5"]["systems"][0]["mean"], 4) == 0.9205  # by the judge
    assert "corrected by people" in text
    assert "经人的标签修正" in here("compare", *FILES, "--people", "judgments.csv", "--lang", "zh").out


def test_a_report_has_a_card_with_the_labels_of_people():
    page = here("report", *FILES, "-m", "nDCG@5", "--people", "judgments.csv", "-o", "-", "-t", "html").out
    data = json.loads(here("report", *FILES, "-m", "nDCG@5", "--people", "judgments.csv", "-o", "-", "-t", "json").out)

    assert 'id="people"' in page
    assert data["people"]["target"] == "these queries"
    assert 'id="people"' not in here("report", *FILES, "-m", "nDCG@5", "-o", "-", "-t", "html").out


def test_labels_of_people_need_judgments(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("ndcg\tq1\t0.5\nndcg\tq2\t0.6\n", encoding="utf-8")
    result = here("compare", tmp_path / "a.txt", tmp_path / "b.txt", "--people", "judgments.csv")

    assert (result.code, "--people" in result.err) == (2, True)
    with pytest.raises(rg.ParameterError, match="Scores alone"):
        rg.compare(rg.evaluate({"q": {"a": 1}}, {"x": {"q": ["a"]}, "y": {"q": ["b"]}}), people={"q": {"a": 1}})


@pytest.mark.parametrize("seed", range(20))
def test_a_plan_agrees_with_the_interval_of_its_pilot(seed):
    """9 labels were said to give a half width that the 10 of the pilot did not have."""
    chance = random.Random(seed)
    people = {f"q{n}": {item: chance.randint(0, 1) for item in "abc"} for n in range(22)}
    judge = {
        query: {item: grade if chance.random() < 0.8 else 1 - grade for item, grade in grades.items()}
        for query, grades in people.items()
    }
    pilot = {query: people[query] for query in chance.sample([*people], 10)}
    ranking = {query: ["a", "b"] for query in people}
    now = rg.judges.plan(judge, pilot, ranking, "P@2", sample="random").rows[0].half_width
    for wanted in (now * 0.99, now * 1.01):
        needed = rg.judges.plan(judge, pilot, ranking, "P@2", half_width=wanted, sample="random").rows[0].corrected
        assert (needed > 10) == (now > wanted)
