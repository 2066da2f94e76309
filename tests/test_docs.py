"""The documentation is current, its numbers are right, and it leaves nothing out."""

import doctest
import importlib
import re
import sys
from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.inputs.columns import recognise_columns
from registries import CODES, PRESETS, RULES

DOCS = Path(__file__).parent.parent / "docs"
sys.path.insert(0, str(DOCS))
generate = importlib.import_module("generate")
worked_examples = importlib.import_module("worked_examples")
counts = importlib.import_module("counts")

FIGURES = [
    pytest.param(example, figure, id=f"{example.key}-{place}")
    for example in worked_examples.WORKED_EXAMPLES
    for place, figure in enumerate(example.figures)
]
SEVERITIES = {"error": ("error", "错误"), "warning": ("warning", "警告"), "note": ("note", "提示")}
BUILT_IN = {definition.name: definition for definition in generate.built_in()}
LANGUAGES = [pytest.param(ending, id=lang) for lang, ending in generate.ENDING.items()]


def written(name, ending):
    return (DOCS / f"{name}{ending}").read_text(encoding="utf-8")


def test_the_pages_are_current():
    assert generate.out_of_date() == [], "run: python docs/generate.py"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_speeds_in_the_readme_equal_the_measurements(lang, monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS.parent / "benchmarks"))
    summary = importlib.import_module("summary")
    page = summary.PAGES[lang].read_text(encoding="utf-8")

    assert summary.with_table(page, lang) == page
    assert page.count(summary.START) == page.count(summary.END) == 1


def test_pages_that_differ_or_are_missing_are_named(tmp_path, capsys, monkeypatch):
    short = {"metrics": lambda lang: f"metrics in {lang}", "conventions": lambda lang: f"conventions in {lang}"}
    monkeypatch.setattr(generate, "PAGES", short)
    assert generate.main([], tmp_path) == 0
    assert generate.main(["--check"], tmp_path) == 0
    (tmp_path / "metrics.md").write_text("old", encoding="utf-8")
    (tmp_path / "conventions.zh-CN.md").unlink()

    assert generate.main(["--check"], tmp_path) == 1
    named = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert named == ["docs/metrics.md", "docs/conventions.zh-CN.md"]


@pytest.mark.parametrize(("example", "figure"), FIGURES)
def test_a_worked_example_has_the_expected_value(example, figure):
    assert round(example.computed(figure), 6) == figure.right


@pytest.mark.parametrize(("example", "figure"), [one for one in FIGURES if one.values[1].printed])
def test_values_printed_by_tutorials_differ_only_where_stated(example, figure):
    digits = min(len(figure.printed.partition(".")[2]), 6)
    off_by = abs(float(figure.printed) - example.computed(figure))

    assert figure.differs == (off_by > 0.5 * 10**-digits)


@pytest.mark.parametrize("example", worked_examples.WORKED_EXAMPLES, ids=lambda example: example.key)
def test_a_worked_example_that_differs_says_why_in_both_languages(example):
    differs = any(figure.differs for figure in example.figures)

    assert bool(example.note.en) == bool(example.note.zh)
    assert example.note.en or not differs


def test_worked_examples_have_unique_keys():
    keys = [example.key for example in worked_examples.WORKED_EXAMPLES]

    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("ending", LANGUAGES)
def test_every_metric_has_a_section(ending):
    page = written("metrics", ending)

    assert [name for name in BUILT_IN if f"\n## {name}\n" not in page] == []
    assert [name for name in BUILT_IN if f"\n| [{name}](#{name.lower()}) |" not in page] == []


@pytest.mark.parametrize("ending", LANGUAGES)
def test_every_rule_has_a_section(ending):
    page = written("conventions", ending)

    assert [name for name in RULES if f"\n## `{name}`\n" not in page] == []


@pytest.mark.parametrize("lang", generate.LANGUAGES)
def test_every_preset_has_a_section_with_its_rules_and_defects(lang):
    page = written("presets", generate.ENDING[lang])

    for name, one in PRESETS.items():
        section = page.partition(f"\n## `{name}`\n")[2].partition("\n## ")[0]
        assert [
            rule for rule in one.differences if f"[`{rule}`](conventions{generate.ENDING[lang]}#{rule})" not in section
        ] == []
        assert [their for their in one.metrics if f"| `{their}` |" not in section] == []
        assert [note for note in (*one.notes, *one.defects) if generate.prose(note.render(lang)) not in section] == []


@pytest.mark.parametrize("ending", LANGUAGES)
def test_every_worked_example_has_a_section(ending):
    page = written("worked-examples", ending)

    assert [one.key for one in worked_examples.WORKED_EXAMPLES if f'\n<a id="{one.key}"></a>\n' not in page] == []


@pytest.mark.parametrize("ending", LANGUAGES)
def test_every_code_has_a_section(ending):
    page = written("your-data", ending)

    assert [code for code in CODES if page.count(f"\n### {code}\n") != 1] == []
    assert [code for code in CODES if f"\n| [{code}](#{code.lower()}) |" not in page] == []


@pytest.mark.parametrize("lang", generate.LANGUAGES)
def test_the_section_of_a_code_says_everything_about_it(lang):
    page = written("your-data", generate.ENDING[lang])
    sections = {text[:5]: text for text in page.split("\n### ") if text.startswith("RG")}

    for code, kind in CODES.items():
        for part in (kind.explanation, kind.remedy, kind.lenient):
            assert generate.marked(part.render(lang), lang) in sections[code]
        assert SEVERITIES[kind.severity][lang == "zh"] in sections[code]


@pytest.mark.parametrize("lang", generate.LANGUAGES)
def test_the_documented_column_names_are_those_recognised(lang):
    rows = [line for line in generate.columns_section(lang)[2].splitlines() if line.startswith("| `")]
    names = {line.split("`")[1]: line.split("`")[3::2] for line in rows}

    assert list(names) == ["query", "item", "grade", "score", "rank", "system", "time"]
    for name in names.pop("system"):
        table = pl.DataFrame({"query": ["q", "q"], "item": ["i", "i"], "score": [1, 1], name: ["A", "B"]})
        assert rg.evaluate({"q": {"i": 1}}, table, "P@1").systems == ("A", "B")
    for ours, theirs in names.items():
        others = {"query": "query", "item": "item"} | ({"score": "score"} if ours in {"query", "item"} else {})
        role = {"grade": "judgments", "time": "interactions"}.get(ours, "ranking")
        for name in theirs:
            columns = others | {ours: name}
            assert recognise_columns([*columns.values()], role) == columns


def test_chinese_pages_have_one_word_for_item():
    assert [path.name for path in DOCS.glob("*.zh-CN.md") if "条目" in path.read_text(encoding="utf-8")] == []


def test_a_failing_example_stops_the_generation_of_a_page():
    with pytest.raises(RuntimeError, match="an example of a page failed"):
        generate.Recorder().session("1 / 0")


def test_every_broken_law_is_described():
    broken = {law for definition in BUILT_IN.values() for law in definition.breaks}

    assert broken - set(generate.LAWS) == set()


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_example_of_a_metric_runs(name):
    kernel = BUILT_IN[name].kernel
    names = {**kernel.__globals__, **rg.metrics()}
    [found] = doctest.DocTestFinder(recurse=False).find(kernel, name, globs=names)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(found, out=lambda _: None)

    assert found.examples, f"{name} has no example"
    assert runner.failures == 0, f"the example of {name} does not print what it says"


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md", "docs/tour.md", "docs/tour.zh-CN.md"])
def test_pages_count_the_metrics_and_presets(page):
    text = (DOCS.parent / page).read_text(encoding="utf-8")
    of_items = sum(definition.of_items for definition in BUILT_IN.values())

    assert re.search(rf"\b{len(BUILT_IN)} (metrics|个指标)", text)
    assert "tour" not in page or re.search(rf"\b{of_items} (of which|个取决)", text)
    assert re.search(rf"{counts.counts()['tools']} (tools and versions|多个工具与版本)", text)


def test_counts_in_pages_are_written_by_make_docs(monkeypatch):
    monkeypatch.setattr(counts, "counts", lambda: {"metrics": 1234, "of_items": 5, "tools": 70})

    for name, text in counts.counted_pages().items():
        assert "70 " in text, name
    assert "There are 1,234 metrics, 5 of which" in counts.counted_pages()["docs/tour.md"]


def test_a_page_without_a_declared_phrase_is_named():
    with pytest.raises(ValueError, match=r"README.md: no phrase such as '\d+ metrics for search,'"):
        counts.with_counts("README.md", "no count at all")


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("*.md")))
def test_no_page_types_the_number_of_metrics_or_tools(page):
    if page.partition(".")[0] in {*generate.PAGES, "parity", "partners"}:
        return  # written by programs
    text = (DOCS / page).read_text(encoding="utf-8")
    text = counts.CONSOLE.sub("", text)
    declared = counts.PHRASES.get(f"docs/{page}", ())
    values = counts.counts()
    for phrase in declared:
        text = text.replace(phrase.format(**values), "")
    typed = re.findall(r"\b(?:9\d|1\d\d) metrics|\b\d+ more tools|\d+ 个指标|\d+ 多个工具|more than \d+ tools", text)
    assert typed == [], "declare the phrase in docs/counts.py"
