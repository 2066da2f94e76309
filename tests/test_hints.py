"""Errors and warnings that name the remedy a newcomer needs."""

import pytest

import rankgauge as rg
from command_line import here

JUDGED, RANKED = {"q": {"a": 1}}, {"q": ["a"]}
CHUNK = "The capital of France is Paris, on the Seine"
PART = "capital of France is Paris"


@pytest.mark.parametrize("name", ["k", "cutoffs", "top_k"])
@pytest.mark.parametrize("verb", [rg.evaluate, rg.compare])
def test_a_cutoff_of_its_own_is_refused_with_the_notation(verb, name):
    with pytest.raises(rg.RankgaugeError, match=r"write the cutoff in the metric, as in 'P@5'"):
        verb(JUDGED, {"one": RANKED, "two": RANKED}, "P", **{name: [5, 10]})


@pytest.mark.parametrize("name", ["diversity", "Diversity@10", "多样性@10"])
def test_diversity_is_several_metrics_of_which_one_is_suggested(name):
    with pytest.raises(rg.RankgaugeError, match="did you mean 'ILD'"):
        rg.evaluate(JUDGED, RANKED, name)


def warnings_of(judged, returned, **rules):
    with pytest.warns(rg.DataWarning, match="RG408") as caught:
        rg.evaluate({"q": {judged: 1}}, {"q": [returned]}, "P@1", convention=rg.Convention(**rules))
    return str(caught[0].message)


def test_texts_without_an_equal_one_name_the_rule_for_parts_of_texts():
    message = warnings_of(PART, CHUNK)
    assert "--rule match=contained (convention=rg.Convention(match='contained'))" in message
    side = {"q": {PART: 1}}, {"q": [CHUNK]}
    assert rg.evaluate(*side, "P@1", convention=rg.Convention(match="contained")).mean("P@1") == 1.0


def test_ids_and_texts_under_the_rule_do_not_name_it():
    assert "contained" not in warnings_of("a1", "b1")
    assert "rule match" not in warnings_of("one two three four five", CHUNK, match="contained")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("path", ["nosuchfile.txt", "guide.md", "folder/guide", r"folder\guide.html"])
def test_a_missing_file_of_a_guideline_is_an_error(path, lang, tmp_path):
    run = tmp_path / "run.csv"
    run.write_text("query,item,score\nq,a,1\n")
    result = here("pool", str(run), "--depth", "1", "--guideline", path, "--lang", lang)
    assert result.code == 2
    assert ("there is no file" if lang == "en" else "没有文件") in result.err


@pytest.mark.parametrize("text", ["Be fair.", "fair", "Grade 1/2 if in doubt."])
def test_a_text_is_a_guideline_itself(text, tmp_path):
    run = tmp_path / "run.csv"
    run.write_text("query,item,score\nq,a,1\n")
    result = here("pool", str(run), "--depth", "1", "--guideline", text, "-o", str(tmp_path / "sheet.html"))
    assert result.code == 0, result.err
    assert text in (tmp_path / "sheet.html").read_text(encoding="utf-8")


RUN = "q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\nq2 Q0 a 1 2 x\n"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_commands_name_options_rankings_in_place_of_labels_and_parameters(lang, tmp_path):
    first, second, people = (tmp_path / name for name in ("a.run", "b.run", "people.csv"))
    for path in (first, second):
        path.write_text(RUN)
    people.write_text("query,item,grade\nq1,a,1\nq1,b,0\nq2,a,1\n")

    pool = here("pool", first, second, "--lang", lang)
    assert (pool.code, "--depth" in pool.err, "depth=" in pool.err) == (2, True, False)
    wrong = here("judges", "correct", people, first, "--lang", lang)
    assert (wrong.code, {"en": "a.run is a ranking", "zh": "a.run 是排序结果"}[lang] in wrong.err) == (3, True)
    grid = here("tune", people, first, second, "--grid", "weight=1:1,1:2", "--lang", lang)
    assert (grid.code != 0, "weights" in grid.err) == (True, True)
    fused = here("fuse", first, second, "-o", tmp_path / "fused.run", "--lang", lang)
    assert (fused.code, {"en": "Definition used: rrf", "zh": "所用定义："}[lang] in fused.err) == (0, True)
