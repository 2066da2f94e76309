"""Where a difference comes from: the pieces add up, the values are those of the hand, every form gives the same."""

import io
import json
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.example import JUDGMENTS, SYSTEMS
from registries import RULES, takes_ties
from worlds import pace, plain_metrics

ITEMS = [f"d{number}" for number in range(7)]
CONVENTIONS = [
    rg.Convention(),
    rg.Convention(ties="mean"),
    rg.Convention(ties="best", ideal="returned", ap_over="hits", p_over="min(k,n)"),
    rg.Convention(unjudged="removed", undefined="skip", ideal_cut="returned"),
    rg.Convention(unjudged=1, gain="exp2", undefined=0.5, p_over="returned", r_over="min(k,R)"),
    rg.Convention(missing="skip", negative="zero", ap_over="min(R,k)"),
    rg.Convention(ties="together"),
]
NOT_RANDOM = {"seed", "per_metric", "max_grade", "rel", "averaging", "match", "units"}
NAMED_ONLY = {"function", "{grade: gain}", "jk(b)", "grade", "decimals", "number", "error"}
"""Values of rules that are placeholders, or that refuse these worlds."""


@st.composite
def rankings(draw):
    """Three queries: what is judged, and what two systems returned, with ties, holes and missing queries."""
    grades = st.sampled_from([0, 0, 1, 2, 3, 1.5, -1])
    scores = st.sampled_from([0.1, 0.2, 0.2, 0.3, 0.9])
    judgments, first, second = {}, {}, {}
    for query in ("p", "q", "r"):
        judgments[query] = draw(st.dictionaries(st.sampled_from(ITEMS), grades, min_size=1, max_size=5))
        for system in (first, second):
            if query == "p" or draw(st.integers(0, 7)):
                system[query] = draw(st.dictionaries(st.sampled_from(ITEMS), scores, min_size=query == "p"))
    return judgments, first, second


def asked():
    for metric in plain_metrics().values():
        yield metric
        if "k" in metric.definition.parameters:
            yield metric @ 2


ASKED = [*asked(), rg.RBP(graded=True), rg.F(beta=2) @ 3, rg.GMAP(floor=0.2), rg.IPrec(recall=0.1)]


def attribution(world, metric, convention):
    """The attribution, or None where the convention leaves nothing to compare."""
    try:
        return rg.attribute(*world, metric, convention=convention)
    except rg.ParameterError:
        assert not takes_ties(metric, convention)
    except rg.InputError as error:
        assert "not a number" in str(error) or "not on the scale" in str(error)
    return None


def close(left, right, scale):
    return math.isclose(left, right, rel_tol=1e-12, abs_tol=1e-12 * max(scale, 1.0))


def check_that_pieces_add_up(world, metric, convention):
    """Queries add up to the difference of the means, and the items and other pieces of a query to its change."""
    found = attribution(world, metric, convention)
    if found is None:
        return
    beside = found.unpaired.contribution if found.unpaired else 0.0
    scale = sum(abs(one.contribution) for one in found.queries)
    assert close(math.fsum(one.contribution for one in found.queries) + beside, found.difference, scale), metric
    for one in found.queries:
        parts = found.query(one.query)
        changes = [part.change for part in (*parts.items, *parts.pieces)]
        assert (parts.first, parts.second) == (one.first, one.second), metric
        assert close(math.fsum(changes), one.change, sum(map(abs, changes))), (metric, parts)


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda convention: f"{CONVENTIONS.index(convention)}")
@pace(3)
@given(world=rankings())
def test_contributions_add_up_for_every_metric(convention, world):
    for metric in ASKED:
        check_that_pieces_add_up(world, metric, convention)


@st.composite
def conventions(draw):
    """A value of every rule, most of them the default."""
    numbers = {"undefined": [0.5, 1], "unjudged": [0, 1, 2], "rounding": [1], "denominator_plus": [0.5]}
    values = {name: [*(rule.values.keys() - NAMED_ONLY), *numbers.get(name, [])] for name, rule in RULES.items()}
    chosen = {name: draw(st.sampled_from(sorted(values[name], key=str))) for name in RULES if name not in NOT_RANDOM}
    kept = draw(st.sets(st.sampled_from(sorted(chosen)), max_size=5)) | {"ties"}
    stop = {"stop": "exp2"}  # grades of these worlds are no probabilities
    return rg.Convention(**({name: chosen[name] for name in kept} | stop))


@pace(25)
@given(world=rankings(), metrics=st.lists(st.sampled_from(ASKED), min_size=8, max_size=8), convention=conventions())
def test_contributions_add_up_under_every_rule(world, metrics, convention):
    for metric in metrics:
        check_that_pieces_add_up(world, metric, convention)


def test_items_at_the_last_rank_of_a_tie_share_the_change():
    pair = {"q": {"a": 1, "b": 0}}, {"q": {"b": 1.0}}, {"q": {"a": 1.0, "b": 1.0}}
    parts = rg.attribute(*pair, "AP", convention=rg.Convention(ties="together")).query("q")
    assert (parts.change, [(part.item, part.change) for part in parts.items]) == (0.5, [("a", 0.5)])


@pace(10)
@given(world=rankings(), metric=st.sampled_from(ASKED), convention=st.sampled_from(CONVENTIONS))
def test_exchanging_the_systems_changes_every_sign(world, metric, convention):
    judgments, first, second = world
    there, back = (attribution((judgments, *pair), metric, convention) for pair in ((first, second), (second, first)))
    if there is None or back is None:
        return
    for one in there.queries:
        pieces, opposite = ({part.name: part.change for part in a.query(one.query).pieces} for a in (there, back))
        assert pieces == pytest.approx({name: -change for name, change in opposite.items()}, abs=1e-12)
        items, others = ({part.item: part for part in a.query(one.query).items} for a in (there, back))
        assert items.keys() == others.keys()
        for item, part in items.items():
            assert part.change == pytest.approx(-others[item].change, abs=1e-12)
            assert {part.kind, others[item].kind} in ({"up", "down"}, {"entered", "left"}, {"stayed"})


@pace(10)
@given(world=rankings())
def test_with_equal_normalisers_contributions_equal_those_of_the_explanation(world):
    judgments, first, second = world
    for metric in ("nDCG@3", "AP", "RR", "ERR", "bpref", "infAP"):
        found = rg.attribute(*world, metric)
        for one in found.queries:
            steps = [rg.explain(judgments, ranking, metric, one.query).steps.rows for ranking in (first, second)]
            for item in found.query(one.query).items:
                shares = [sum(row.share for row in rows if row.item == item.item) for rows in steps]
                assert [item.first, item.second] == pytest.approx(shares, abs=1e-12), metric


def test_each_item_by_hand():
    judgments = {"q": {"a": 3, "b": 1, "c": 2, "z": 0}}
    found = rg.attribute(judgments, {"q": ["a", "z", "b", "c"]}, {"q": ["c", "a", "z", "x", "b"]}, "nDCG@3").query("q")

    ideal = 3 + 2 / math.log2(3) + 1 / 2
    expected = {  # kind, ranks, what it adds under each
        "a": ("down", 1, 2, 3 / ideal, 3 / math.log2(3) / ideal),
        "b": ("left", 3, 5, 1 / 2 / ideal, 0),
        "c": ("entered", 4, 1, 0, 2 / ideal),
    }
    assert {one.item for one in found.items} == expected.keys()
    for one in found.items:
        kind, before, after, first, second = expected[one.item]
        assert (one.kind, one.first_rank, one.second_rank) == (kind, before, after)
        assert (one.first, one.second) == pytest.approx((first, second))
    assert found.pieces == ()
    assert [abs(one.change) for one in found.items] == sorted((abs(one.change) for one in found.items), reverse=True)


def test_an_item_that_keeps_its_rank_can_gain_from_items_above():
    """AP: (1/1 + 2/3) / 2 becomes (1/1 + 2/2) / 2; b gains 1/6 by moving up, a keeps its half."""
    found = rg.attribute({"q": {"a": 1, "b": 1}}, {"q": ["x", "y", "b", "a"]}, {"q": ["x", "a", "b"]}, "AP").query("q")

    by_item = {one.item: one for one in found.items}
    assert by_item["b"].kind == "stayed"
    assert by_item["b"].change == pytest.approx((2 / 3 - 1 / 3) / 2)  # a stands above it now
    assert by_item["a"].change == pytest.approx((1 / 2 - 2 / 4) / 2)


def test_a_different_normaliser_is_a_separate_contribution():
    """P over the number returned: 1/2 becomes 1/4; a is worth the same in both, 1 x (1/2 + 1/4) / 2."""
    convention = rg.Convention(p_over="returned")
    first, second = {"q": ["a", "x"]}, {"q": ["a", "x", "y", "z"]}
    found = rg.attribute({"q": {"a": 1}}, first, second, "P", convention=convention).query("q")

    assert [(one.item, one.first, one.second) for one in found.items] == [("a", 0.375, 0.375)]
    assert found.pieces == (("normaliser", "n", -0.25),)


def test_zero_over_zero_is_a_separate_contribution():
    """AP over hits is 0/0 where nothing was found, here 0.25 by the rule, and 1/1 where a stands first."""
    convention = rg.Convention(ap_over="hits", undefined=0.25)
    found = rg.attribute({"q": {"a": 1}}, {"q": ["x"]}, {"q": ["a"]}, "AP", convention=convention).query("q")

    assert (found.first, found.second, found.change) == (0.25, 1.0, 0.75)
    assert [(one.item, one.change) for one in found.items] == [("a", 1.0)]
    assert found.pieces == (("0/0", "AP", -0.25),)


def test_tied_items_share_the_contribution_of_their_tie_by_grade():
    """Two tied items at ranks 1 and 2: each adds its gain times the mean discount."""
    judgments, tied = {"q": {"a": 3, "b": 1}}, {"q": {"a": 0.5, "b": 0.5}}
    convention = rg.Convention(ties="mean")
    found = rg.attribute(judgments, {"q": {"b": 2, "a": 1}}, tied, "DCG", convention=convention).query("q")

    mean = (1 + 1 / math.log2(3)) / 2
    assert {one.item: one.second for one in found.items} == pytest.approx({"a": 3 * mean, "b": 1 * mean})
    assert {one.item: one.second_rank for one in found.items} == {"a": 1.5, "b": 1.5}


def test_the_number_of_queries_that_explain_the_difference():
    judgments = {f"q{number}": {"a": 1} for number in range(10)}
    first = {query: ["x", "a"] for query in judgments}
    second = {**first, "q3": ["a"], "q7": ["x", "y", "z", "a"], "q8": ["a"]}
    found = rg.attribute(judgments, first, second, "RR")

    assert found.difference == pytest.approx((0.5 + 0.5 - 0.25) / 10)
    assert [one.query for one in found.queries[:3]] == ["q3", "q8", "q7"]
    assert [one.query for one in found.fewest_queries(0.8)] == ["q3", "q8"]  # 0.05 of 0.075 is too little
    assert [one.query for one in found.fewest_queries(0.6)] == ["q3"]
    assert rg.attribute(judgments, first, first, "RR").fewest_queries() == ()
    with pytest.raises(rg.ParameterError, match="share must be"):
        found.fewest_queries(1.2)


@pytest.mark.parametrize(
    ("metric", "convention"),
    [("GMAP", rg.Convention()), ("AP", rg.Convention(averaging="geometric")), ("NumRelRet@2", rg.Convention())],
)
def test_other_averages_add_up_as_well(metric, convention):
    found = rg.attribute(JUDGMENTS, *SYSTEMS.values(), metric, convention=convention)

    assert math.fsum(one.contribution for one in found.queries) == pytest.approx(found.difference, abs=1e-12)
    assert found.difference


def test_weights_and_medians():
    weights = {"space opera": 1, "功夫片": 3, "heist": 0}
    convention = rg.Convention(averaging="weighted")
    found = rg.attribute(JUDGMENTS, *SYSTEMS.values(), "AP", convention=convention, weights=weights)

    assert math.fsum(one.contribution for one in found.queries) == pytest.approx(found.difference, abs=1e-12)
    assert {one.query: one.contribution for one in found.queries}["heist"] == 0
    with pytest.raises(rg.ParameterError, match="medians is not a sum"):
        rg.attribute(JUDGMENTS, *SYSTEMS.values(), "AP", convention=rg.Convention(averaging="median"))


def test_a_query_that_only_one_system_answers_has_no_pair():
    judgments = {"q": {"a": 1}, "r": {"a": 1}}
    convention = rg.Convention(missing="skip")
    found = rg.attribute(judgments, {"q": ["a"], "r": ["x", "a"]}, {"q": ["a"]}, "RR", convention=convention)

    assert found.means == (0.75, 1.0)
    assert found.unpaired == (("r",), 0.25)
    assert "1 query has a value for one system only (first: r)" in found.to_text()


def test_systems_that_answer_different_queries_have_no_pair():
    judgments, convention = {"q": {"a": 1}, "r": {"a": 1}}, rg.Convention(missing="skip")
    for metric, rules in (("RR", convention), ("RR", convention.replace(averaging="geometric")), ("GMAP", convention)):
        found = rg.attribute(judgments, {"q": ["x", "a"]}, {"r": ["a"]}, metric, convention=rules)
        assert (found.queries, found.unpaired.queries) == ((), ("q", "r"))
        assert found.unpaired.contribution == found.difference == pytest.approx(0.5)


def by_form(tmp_path):
    """The same judgments and two rankings as dicts, rows, frames and files."""
    judged = [(query, item, grade) for query, grades in JUDGMENTS.items() for item, grade in grades.items()]
    runs = [[(q, item, s) for q, scores in run.items() for item, s in scores.items()] for run in SYSTEMS.values()]
    yield JUDGMENTS, *SYSTEMS.values()
    yield judged, *runs
    table = pl.DataFrame(judged, schema=["query", "item", "grade"], orient="row")
    frames = [pl.DataFrame(run, schema=["query", "item", "score"], orient="row") for run in runs]
    yield table, *frames
    yield table.to_pandas(), *(frame.to_pandas() for frame in frames)
    paths = [tmp_path / f"{name}.csv" for name in ("judgments", "first", "second")]
    for path, frame in zip(paths, (table, *frames), strict=True):
        frame.write_csv(path)
    yield tuple(map(str, paths))


def test_every_input_form_gives_the_same_attribution(tmp_path):
    pages = {rg.attribute(*form, "nDCG@4").to_text("zh") for form in by_form(tmp_path)}

    assert len(pages) == 1


def test_items_of_arrays_are_named_by_position():
    labels = np.array([[3, 0, 1], [np.nan, 1, 2]])
    first, second = np.array([[1.0, 2, 3], [3, 2, 1]]), np.array([[3.0, 2, 1], [3, np.nan, 4]])
    dense = rg.attribute(labels, first, second, "DCG", lenient=True)  # an item without a score
    flat = rg.attribute(labels.ravel(), first.ravel(), second.ravel(), "DCG", groups=[3, 3], lenient=True)

    for found in (dense, flat):
        assert [one.query for one in found.queries] == [0, 1]
        [one] = [item for item in found.query(0).items if item.item == 0]
        assert (one.grade, one.kind, one.first_rank, one.second_rank) == (3, "up", 3, 1)
        assert one.change == pytest.approx(3 - 3 / 2)
        assert {item.item: item.kind for item in found.query(1).items} == {1: "left", 2: "up"}


def test_every_file_is_read_once(tmp_path, monkeypatch):
    *_, files_of = by_form(tmp_path)
    opened = []
    from rankgauge.inputs.io import input_file

    real = input_file.open_bytes
    monkeypatch.setattr(input_file, "open_bytes", lambda source: opened.append(source) or real(source))
    found = rg.attribute(*files_of, "AP")
    found.document()
    found.document("zh")

    assert sorted(opened) == sorted(files_of)


def test_ids_of_another_kind_are_the_same_items():
    judgments, ranking = {"q": {1: 1, 2: 0}}, {"q": ["2", "1"]}

    assert rg.explain(judgments, ranking, "RR", "q").value == rg.evaluate(judgments, ranking, "RR").mean("RR") == 0.5
    [one] = rg.attribute(judgments, ranking, {"q": ["1", "2"]}, "RR").query("q").items
    assert (one.item, one.kind, one.change) == (1, "up", 0.5)


def test_attributions_as_json_and_as_text():
    found = rg.attribute(JUDGMENTS, *SYSTEMS.values(), "nDCG@5", systems=("keywords", "embeddings"))

    data = json.loads(found.to_json())
    assert data["difference"] == pytest.approx(sum(one["contribution"] for one in data["queries"]))
    assert [one["query"] for one in data["breakdowns"]] == [one.query for one in found.queries]
    assert found.to_frame().height == 3
    assert found.items_frame(["heist"])["item"].to_list() == ["Inception", "Heat", "The Sting", "Ronin"]
    assert "entered at rank 1 (before: not returned)" in str(found)
    assert "进入第 1 名（之前：未返回）" in found.document("zh").to_markdown()
    assert repr(found) == "<Attribution of nDCG@5: +0.319384 over 3 queries>"


def test_hostile_ids_are_neutralised():
    judgments = {"q\x1b[31m{x}": {"<b>\u202ea": 1, "b|c": 1}}
    first, second = (dict.fromkeys(judgments, items) for items in (["b|c"], ["<b>\u202ea", "b|c"]))
    found = rg.attribute(judgments, first, second, "AP")

    assert "\x1b" not in found.to_text()
    assert "\u202e" not in found.document().to_html()
    assert "<b>" not in found.document().to_html()
    assert "b\\|c" in found.document().to_markdown()


def test_attributions_that_are_undefined_are_refused_with_the_reason():
    with pytest.raises(rg.InputError, match="query 'nope' is not in the judgments, which have 'space opera'"):
        rg.attribute(JUDGMENTS, *SYSTEMS.values(), "AP").query("nope")
    with pytest.raises(rg.InputError, match="set undefined to a number or to 'skip'"):
        rg.attribute({"q": {"a": 0}}, {"q": ["a"]}, {"q": ["b"]}, "AP", convention=rg.Convention(undefined="nan"))
    stream = io.BytesIO(b"q Q0 a 1 1 s\n")
    assert rg.attribute({"q": {"a": 1}}, stream, {"q": ["x", "a"]}, "RR").query("q").change == -0.5
    same = rg.attribute(JUDGMENTS, SYSTEMS["keywords"], SYSTEMS["keywords"], "AP")
    assert "do not differ on any query" in same.to_text()
    assert same.breakdowns() == []


def test_a_comparison_attributes_its_differences():
    compared = rg.compare(JUDGMENTS, SYSTEMS, ["nDCG@5", "AP"])
    alone = rg.attribute(JUDGMENTS, *SYSTEMS.values(), "AP", systems=tuple(SYSTEMS))

    assert compared.attribution("keywords", "embeddings", "AP").to_text() == alone.to_text()
    assert compared.slices("difficulty").metric == rg.nDCG @ 5
    assert [part.count for part in compared.slices("judgments", "AP")] == [3]
    assert compared.unjudged("AP")["keywords"].unjudged == pytest.approx(2 / 15)
    weights = {"space opera": 2, "功夫片": 1, "heist": 1}
    weighted = rg.Convention(averaging="weighted")
    loud = rg.compare(JUDGMENTS, SYSTEMS, "AP", convention=weighted, weights=weights, progress=True)
    found = loud.attribution("keywords", "embeddings")
    assert sum(one.contribution for one in found.queries) == pytest.approx(found.difference)
    assert len(found.breakdowns()) == 3
    assert loud.unjudged()["keywords"].mean == pytest.approx(loud.scores.mean("AP", "keywords"))
    with pytest.raises(rg.ParameterError, match="needs judgments and rankings"):
        rg.compare(compared.scores).attribution("keywords", "embeddings")
    with pytest.raises(rg.ParameterError, match="needs scores by query"):
        rg.Comparison.of({"A": {"q": 1.0}, "B": {"q": 0.5}}).slices("difficulty")


@pytest.mark.parametrize(
    ("metric", "rules"), [("R@5", {"short_list": "zero", "undefined": "skip"}), ("Fallout@2", {"no_relevant": "zero"})]
)
def test_contributions_add_up_under_rules_applied_after_the_formula(metric, rules):
    first, second = {"q": ["a", "b"], "r": ["c"]}, {"q": ["b", "x"], "r": ["x", "c"]}
    judgments = {"q": {"a": 0, "b": 0}, "r": {"c": 1}}
    part = rg.attribute(judgments, first, second, metric, convention=rg.Convention(**rules)).query("q")

    assert sum(item.change for item in part.items) + sum(piece.change for piece in part.pieces) == pytest.approx(
        part.change
    )
