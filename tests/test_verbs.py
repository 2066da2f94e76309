"""Verbs and words: the same word for the same thing in every function and command, and one default metric."""

import inspect
import json
from dataclasses import fields
from importlib import import_module

import click
import pytest

import rankgauge as rg
from command_line import here
from rankgauge.cli.summaries import HEADINGS
from registries import COMMANDS, SETTINGS

JUDGMENTS = {f"q{number}": {"a": 1, "b": 2} for number in range(6)}
GOOD = {query: ["b", "a"] for query in JUDGMENTS}
POOR = {query: ["x", "a", "b"] for query in JUDGMENTS}

COMMAND_OF = {
    "evaluate": "eval",
    **{
        name: name
        for name in (
            "explain",
            "curve",
            "compare",
            "leaderboard",
            "diff",
            "check",
            "reconcile",
            "report",
            "doctor",
            "convert",
        )
    },
}
"""The functions that have a command, and its name."""

IN_MEMORY = {"weights", "groups", "offsets", "query_ids", "grades", "read_options", "tuning", "tokens"}
"""Words for data in memory, and the record of read options: a command has files and options."""
OF_FILES = {"side_information", "units", "spans", "documents"}
"""Words that ``diff``, ``doctor`` and ``convert`` do not need: they compute no metric."""
LANGUAGE_AND_OUTPUT = {"lang", "debug", "help", "path", "to", "force", "quiet", "progress", "rules"}
"""Options of commands as such; ``--rule`` changes the convention."""
OTHERWISE = {
    "eval": {"per_query": "Scores.document", "queries": "Scores.to_dict", "digits": "Scores.document",
             "parquet_queries": "parquet of Scores.save"},
    "explain": {"rows": "limit of Explanation.document", "digits": "Explanation.document", "ideal": "Metric.explain",
                "scores": "Metric.explain", "items": "Metric.explain", "relevant": "Metric.explain"},
    "curve": {"plot": "Curves.chart", "digits": "Curves.document"},
    "compare": {"all_pairs": "Comparison.document", "compact": "Comparison.paper_table",
                "store": "path of history.open"},
    "leaderboard": {"pair": "Leaderboard.compare", "top": "Leaderboard.document", "digits": "Leaderboard.document",
                    "title": "Leaderboard.to_html"},
    "diff": {"per_query": "RankingDifference.document", "digits": "RankingDifference.document"},
    "check": {"digits": "GateResult.document", "against": "baseline of check"},
    "reconcile": {"values": "Reconciliation.explain", "between": "Reconciliation.between"},
    "report": {"pictures": "Report.picture", "tune": "tuning of report", "costs": "tuning of report",
               "history_name": "history of report"},
}  # fmt: skip
"""Options that a method of the result takes instead of the function."""
DATA = {"judgments", "ranking", "rankings", "first", "second", "source", "sources", "files", "target", "results"}
"""What a verb works on; commands take it without a name."""


def words_of_function(name):
    """Return the words of a function with their defaults, those of reading among them."""
    parameters = inspect.signature(getattr(rg, name)).parameters
    words = {
        word: parameter.default for word, parameter in parameters.items() if parameter.kind is not parameter.VAR_KEYWORD
    }
    return words | (dict.fromkeys(field.name for field in fields(rg.ReadOptions)) if "read" in parameters else {})


def words_of_command(name):
    """Return the words of a command with their defaults."""
    command = import_module(f"rankgauge.cli.{name}").command
    return {parameter.name: parameter.default for parameter in command.params if parameter.name}


def alike(words):
    """Return the words without the data; one metric or several make no difference."""
    return {"metric" if word == "metrics" else word for word in words} - DATA


@pytest.mark.parametrize(("function", "command"), COMMAND_OF.items())
def test_every_option_is_a_word_of_the_function_or_of_its_result(function, command):
    options = words_of_command(command).keys() - LANGUAGE_AND_OUTPUT - OTHERWISE.get(command, {}).keys()
    assert alike(options) - alike(words_of_function(function)) == set()


@pytest.mark.parametrize(("function", "command"), COMMAND_OF.items())
def test_every_word_of_a_function_is_an_option(function, command):
    reads_only = OF_FILES if command in {"diff", "doctor", "convert"} else set()
    words = words_of_function(function).keys() - IN_MEMORY - reads_only - LANGUAGE_AND_OUTPUT
    assert alike(words) - alike(words_of_command(command)) == set()


@pytest.mark.parametrize(("function", "command"), COMMAND_OF.items())
def test_an_option_has_the_default_of_the_function(function, command):
    ours, theirs = words_of_function(function), words_of_command(command)
    different = {
        word: (ours[word], theirs[word])
        for word in ours.keys() & theirs.keys() - {"progress"}
        if theirs[word] not in (None, (), False, getattr(click.core, "UNSET", None)) and ours[word] != theirs[word]
    }
    assert different == {}


@pytest.mark.parametrize("verb", [rg.compare, rg.report])
def test_every_setting_of_a_comparison_is_a_word_with_its_default(verb):
    parameters = inspect.signature(verb).parameters
    assert {setting.name: setting.default for setting in SETTINGS} == {
        setting.name: parameters[setting.name].default for setting in SETTINGS if setting.name in parameters
    }


def public_functions():
    """Yield the public functions and classes, and the public functions of the namespaces."""
    for name in rg.__all__:
        if inspect.isfunction(getattr(rg, name)) or inspect.isclass(getattr(rg, name)):
            yield name, getattr(rg, name)
    for module in (rg.off_policy, rg.duckdb, rg.spark):
        yield from (
            (f"{module.__name__}.{name}", getattr(module, name))
            for name in module.__all__
            if callable(getattr(module, name))
        )


def test_an_optional_metric_defaults_to_none_everywhere():
    """A metric that may be left out is None, whatever computes it."""
    said = {}
    for name, function in public_functions():
        if inspect.isclass(function) and function.__init__ is object.__init__:
            continue
        parameters = inspect.signature(function).parameters
        for word in {"metric", "metrics"} & parameters.keys():
            if parameters[word].default not in (inspect.Parameter.empty, None) and name not in {"Comparison", "Data"}:
                said[name] = parameters[word].default
    assert said == {}


REPLACED = {
    "level": "alpha",
    "samples": "resamples",
    "conditions": "fail_if",
    "cutoffs": "k",
    "every": "all_pairs or per_query",
}


def test_no_function_uses_a_second_word():
    used = {
        (name, word): REPLACED[word]
        for name, function in public_functions()
        if not inspect.isclass(function)
        for word in REPLACED.keys() & inspect.signature(function).parameters.keys()
    }
    assert used == {}


DEFAULT = "nDCG@10"
ONE_LIST = {"q": {"a": 1, "b": 2}}
WITHOUT_METRIC = {
    "evaluate": lambda: rg.evaluate(JUDGMENTS, GOOD).metrics,
    "explain": lambda: [rg.explain(ONE_LIST, {"q": ["a", "b"]}).metric],
    "compare": lambda: rg.compare(JUDGMENTS, {"good": GOOD, "poor": POOR}).metrics,
    "report": lambda: rg.report(JUDGMENTS, {"good": GOOD}).contents.scores.metrics,
    "reconcile": lambda: [rg.reconcile(JUDGMENTS, GOOD).metric],
    "attribute": lambda: [rg.attribute(JUDGMENTS, GOOD, POOR).metric],
    "unjudged_bounds": lambda: [rg.unjudged_bounds(JUDGMENTS, {"good": GOOD}).metric],
    "Evaluator": lambda: rg.Evaluator(JUDGMENTS).metrics,
    "StreamingScores": lambda: rg.StreamingScores().metrics,
    "curve": lambda: [metric @ 10 for metric in rg.curve(JUDGMENTS, GOOD).metrics],
    "eval": lambda: json.loads(here("eval", "judgments.csv", "keywords.csv", "-t", "json").out)["systems"]["keywords"][
        "mean"
    ],
    "compare -t json": lambda: json.loads(
        here("compare", "judgments.csv", "keywords.csv", "embeddings.csv", "-t", "json").out
    )["metrics"],
}


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize("verb", WITHOUT_METRIC)
def test_every_verb_computes_the_same_metric_if_none_is_given(verb):
    assert [*map(str, WITHOUT_METRIC[verb]())] == [DEFAULT]


def test_results_take_their_first_metric_if_none_is_given():
    scores = rg.evaluate(JUDGMENTS, {"good": GOOD, "poor": POOR}, ["RR", "AP"])
    assert scores.mean(system="poor") == scores.mean("RR", "poor")
    assert scores.per_query(system="poor") == scores.per_query("RR", "poor")
    assert scores.interval(system="poor") == scores.interval("RR", "poor")
    assert rg.slices(scores, None, "difficulty").metric == rg.RR
    assert rg.group_gaps(scores, None, dict.fromkeys(JUDGMENTS, "all"), "poor").metric == rg.RR
    assert rg.compare(scores).statistics().name == "RR"


def test_an_empty_list_of_metrics_is_not_the_default():
    for verb in (rg.evaluate, rg.curve):
        with pytest.raises(rg.ParameterError, match="one metric or more"):
            verb(JUDGMENTS, GOOD, [])


@pytest.mark.parametrize("baseline", ["poor", POOR])
def test_a_baseline_is_a_name_or_a_ranking(baseline):
    rankings = {"good": GOOD, "poor": POOR} if baseline == "poor" else {"good": GOOD}
    compared = rg.compare(JUDGMENTS, rankings, "RR", baseline=baseline)
    assert compared.pairs()[0].difference == 0.5
    assert rg.report(JUDGMENTS, rankings, "RR", baseline=baseline).contents.comparison.pairs()[0].difference == 0.5
    (checked,) = rg.check(JUDGMENTS, rankings if baseline == "poor" else GOOD, "RR rises 0.1", baseline=baseline).checks
    assert (checked.baseline, checked.value, checked.failed) == (0.5, 1.0, True)


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize("baseline", ["keywords", "keywords.csv"])
def test_the_baseline_of_a_command_is_a_name_or_a_file(baseline):
    files = ["judgments.csv", "embeddings.csv", *(["keywords.csv"] if baseline == "keywords" else [])]
    compared = json.loads(here("compare", *files, "--baseline", baseline, "-t", "json").out)
    assert compared["baseline"] == "keywords"
    checked = here("check", *files, "--baseline", baseline, "--fail-if", "nDCG@10 rises 0.1", "-t", "json")
    assert (checked.code, round(json.loads(checked.out)["checks"][0]["baseline"], 4)) == (1, 0.6251)
    reported = here("report", *files, "--baseline", baseline, "-o", "-", "-t", "json")
    assert json.loads(reported.out)["comparison"]["baseline"] == "keywords"


@pytest.mark.usefixtures("example_folder")
def test_an_unknown_baseline_is_reported_with_the_names():
    wrong = here("compare", "judgments.csv", "embeddings.csv", "keywords.csv", "--baseline", "keyword")
    assert (wrong.code, "did you mean 'keywords'?" in wrong.err) == (2, True)


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("eval judgments.csv keywords.csv", "0.63"),
        ("explain 3,2,3,0,1", "0.97"),
        ("curve judgments.csv keywords.csv", "0.63"),
        ("compare judgments.csv keywords.csv embeddings.csv", "+0.32"),
        ("diff keywords.csv embeddings.csv", "0.73"),
        ("check judgments.csv keywords.csv --fail-if nDCG@10<0.9", "0.63"),
        ("reconcile judgments.csv keywords.csv", "0.63"),
        ("report judgments.csv keywords.csv embeddings.csv -o - -t md", "+0.32"),
    ],
)
def test_numbers_have_the_requested_digits(call, shown):
    text = here(*call.split(), "--digits", "2").out
    assert shown in text
    assert f"{shown}0" not in text


@pytest.mark.usefixtures("example_folder")
def test_tie_and_power_reach_the_comparison():
    files = "judgments.csv", "keywords.csv", "embeddings.csv"
    for call in (("compare", *files), ("report", *files, "-o", "-")):
        data = json.loads(here(*call, "--tie", "0.5", "--power", "0.9", "--resamples", "99", "-t", "json").out)
        settings = data.get("comparison", data)["settings"]
        assert (settings["tie"], settings["power"], settings["resamples"]) == (0.5, 0.9, 99)


def test_doctor_and_convert_take_data_in_memory(tmp_path):
    diagnosis = rg.doctor(rg.read(JUDGMENTS, role="judgments"), rg.read(GOOD, role="ranking"))
    assert diagnosis.coverages[0].answered == len(JUDGMENTS)
    path = tmp_path / "good.jsonl"
    assert not [*rg.convert(GOOD, path, role="ranking")]
    assert rg.evaluate(JUDGMENTS, path, "nDCG").mean() == rg.evaluate(JUDGMENTS, GOOD, "nDCG").mean()


def test_every_command_is_listed_under_a_heading():
    assert {summary.heading for summary in COMMANDS.values()} == HEADINGS.keys()
    text = here("--help", "--lang", "en").out
    under_compute = text.partition("Compute:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in under_compute.splitlines() if line[2] != " "] == [
        "curve",
        "eval",
        "explain",
        "trec_eval",
    ]


def test_the_first_format_of_every_command_that_prints_is_text():
    for name in COMMANDS:
        command = import_module(f"rankgauge.cli.{name}").command
        for option in command.params:
            if option.name == "to" and name not in {"convert", "report"}:
                assert option.type.choices[0] == "text", name


@pytest.mark.parametrize(
    ("verb", "name", "en", "zh"),
    [
        ("report", "output", r"rg\.report\(\.\.\.\)\.save\(path\)", "请保存其结果"),
        ("evaluate", "path", r"rg\.evaluate\(\.\.\.\)\.save\(path\)", "请保存其结果"),
        ("evaluate", "gain", r"convention=rg\.Convention\(gain=\.\.\.\)", "它是一条规则"),
        ("compare", "preset", "pass its name as convention=", "预设的名称请用 convention= 传入"),
    ],
)
def test_an_argument_of_another_name_hints_at_what_to_pass(verb, name, en, zh):
    with pytest.raises(rg.UnknownNameError, match=en) as error:
        getattr(rg, verb)({"q": {"a": 1}}, {"s": {"q": ["a"]}}, "RR", **{name: "x"})
    assert zh in error.value.render("zh")
