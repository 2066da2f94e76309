"""Fuzzer of options: random command lines over the built-in example.

Options are read from the commands themselves, so that a new one is tried without further code.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import click

import rankgauge as rg
from fuzz.cases import Case, expect
from fuzz.command import run_command
from fuzz.random_worlds import random_rules
from rankgauge import example
from registries import COMMANDS, PRESETS, RULES, commands

CODES = {0, 1, 2, 3, 4, 5, 6}
TREC_EVAL_CODES = CODES | {7}
FILES = ["judgments.csv", "keywords.csv", "embeddings.csv"]
PATHS = [*FILES, *FILES, "missing.txt", "", ".", "-x", "name=keywords.csv", "a=b=c", "empty", "out.html", "\udcff"]
NUMBERS = [
    "0", "1", "-1", "2", "10", "0.5", "1e-320", "5e-324", "nan", "inf", "-inf", "1e308", "1e309", "-0", "18446744073709551616",
    "4294967296", "0x10", "1_0", "１", "", " 3", "1e3", "9" * 400, "2.5", "true", "½",
]  # fmt: skip
TEXTS = [
    "",
    "x",
    "q1",
    "é",
    "\x00",
    "\n",
    "a=b",
    "=",
    "--",
    "-",
    "*",
    "[",
    "%s",
    "{0}",
    "中文",
    "x" * 3000,
    "q1,q2",
    ",",
]
CUTOFFS = ["1:20", "1,5,10", "10:1", "0", "1:", ":", "5:1:-1", "1:10:0", "a", "", "1,,2", "1:1000000:250000"]
GRADE_LISTS = ["3,2,0", "1 0 1", "-", "3,-,1", "", ",", "nan", "1e400", "-1,0", "0.5", "1" * 50, "3,2,x"]
CONDITIONS = [
    "nDCG@5<0.5",
    "AP drops 0.1",
    "mean(nDCG@5)",
    "nDCG@5 < nan",
    "<",
    "AP",
    "AP<",
    "AP drops -1",
    "AP drops 2%",
    "AP drops significantly",
    "x<1",
]
METRICS = ["nDCG@5", "AP", "RR", "P@10", "nDCG@0", "nDCG@-1", "nDCG@1e3", "@5", "nDCG@", "nDCG(gain=exp2)@3", "nDCG(", ")",
           "nDCG(gain='exp2')", "RBP(p=2)", "RBP(p=nan)", "ndcg_cut_10", "P_5", "map", "nDCG@99999999999999999999", "R@100",
           "ERR(max_grade=0)", "nDCG@10000000"]  # fmt: skip
VALUES = {
    "metrics": METRICS, "metric": METRICS, "rules": ["gain=exp2", "ties=mean", "gain=", "=", "x=1", "rel=>0.5", "rel=nan",
    "gain={0:0,1:1}", "gain={", "seed=-1", "max_grade=0", f"seed={'9' * 4400}"], "cutoffs": CUTOFFS,
    "fail_if": CONDITIONS, "sources": [*PATHS, *GRADE_LISTS], "ideal": GRADE_LISTS, "scores": GRADE_LISTS,
    "columns": ["query=query", "ranking.query=query", "x", "query=", "score=rank", "item=query", "a.b.c=d", "=,="],
    "format": ["csv", "parquet", "trec", "judgments=csv", "ranking=jsonl,judgments=csv", "x", "ranking="],
    "side_information": ["items=40", "items=0", "items=-1", "training=keywords.csv", "features=embeddings.csv", "x=1",
                         "baseline=embeddings.csv", "popularity=missing", "categories=judgments.csv", "items=9" + "9" * 30],
    "path": ["out.html", "out.csv", "out.json", "-", "", ".", "missing/out.csv", "keywords.csv", "out.parquet", "out"],
    "target": ["out.jsonl", "out.csv", "out.parquet", "out.trec.gz", "out.tsv", "-", "keywords.csv", "out", "a/b.csv"],
    "between": ["trec_eval-9", "lightgbm", "default", "x"], "lang": ["en", "zh", "xx"], "by": ["length", "x", "query"],
    "names": [*rg.metrics(), *METRICS], "query": ["comedy", "q1", "heist film", ""], "values": [*NUMBERS, "0.857", "85.7%"],
    "convention": [*PRESETS, "default", "x", ""], "arguments": ["-q", "-m", "map", "-c", "-M", "3", "-l", "2", *FILES],
}  # fmt: skip
"""Values of parameters by name; the others get values by their type."""


@cache
def command_of(name: str) -> click.Command:
    """Return a command."""
    command = commands.get_command(click.Context(commands), name)
    if command is None:
        raise LookupError(name)
    return command


def generate(random: Random) -> Case:
    """Return a random command line."""
    name = random.choice([command for command in COMMANDS if command != "serve"])
    command = command_of(name)
    words: list[str] = []
    if isinstance(command, click.Group):
        words.append(random.choice([*command.list_commands(click.Context(command)), "x"]))
        command = command.get_command(click.Context(command), words[0]) or command
    if name == "trec_eval":
        words += _trec_eval(random)
    for parameter in command.params:
        words += _argument(random, parameter) if isinstance(parameter, click.Argument) else []
    options = [option for option in command.params if isinstance(option, click.Option) and option.name != "debug"]
    for option in random.sample(options, min(len(options), random.choice([0, 1, 1, 2, 3]))):
        words += _option(random, option)
    if random.random() < 0.05:
        random.shuffle(words)
    if random.random() < 0.05:
        words.append(random.choice(["--x", "-", "--", "--help", "--lang=zh", *TEXTS]))
    before = random.choice([[], [], [], [], ["--lang", "zh"], ["--lang", "xx"]])
    return {"command": [*before, name, *(word.replace("\0", "") for word in words)]}


def _trec_eval(random: Random) -> list[str]:
    flags = [
        "-q",
        "-c",
        "-n",
        "-J",
        "-l",
        "-M",
        "-N",
        "-m",
        "-Z",
        "-R",
        "-T",
        "-D",
        "-h",
        "--compat",
        "--level_for_rel",
    ]
    words = []
    for flag in random.sample(flags, random.choice([0, 1, 2, 3])):
        words += [flag] if flag in {"-q", "-c", "-n", "-J", "-h"} else [flag, random.choice([*NUMBERS, *METRICS])]
    return words + [random.choice(PATHS) for _ in range(random.choice([2, 2, 2, 1, 3]))]


def _argument(random: Random, argument: click.Argument) -> list[str]:
    count = random.choice([1, 1, 2, 3, 0]) if argument.nargs == -1 else max(1, argument.nargs)
    if random.random() < 0.05:
        count = 0
    if random.random() < 0.6:  # what makes sense
        known = {"judgments": ["judgments.csv"], "sources": ["3,2,0"], "files": FILES, "source": ["keywords.csv"]}
        values = known.get(argument.name or "", ["keywords.csv", "embeddings.csv"])
        if argument.name == "sources" and random.random() < 0.5:
            return ["judgments.csv", "keywords.csv"]
        if argument.name in {"target", "names", "arguments", "shell", "name"}:
            values = _values(argument)
        return [random.choice(values) for _ in range(count)]
    return [random.choice(_values(argument)) for _ in range(count)]


def _option(random: Random, option: click.Option) -> list[str]:
    name = random.choice([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return [name]
    values = _values(option)
    if option.name == "rules" and random.random() < 0.5:
        rules = random_rules(random, 0.1)
        values = [f"{rule}={value}" for rule, value in rules.items()] or values
    return [name, *(random.choice(values) for _ in range(max(1, option.nargs)))]


def _values(parameter: click.Parameter) -> list[str]:
    if isinstance(parameter.type, click.Choice):
        return [*map(str, parameter.type.choices), "x", ""]
    if parameter.name in VALUES:
        return VALUES[parameter.name]
    if isinstance(parameter.type, click.IntRange | click.types.IntParamType | click.types.FloatParamType):
        return NUMBERS
    return PATHS if "FILE" in str(parameter.metavar or "") else [*TEXTS, *NUMBERS, *RULES]


def check(case: Case) -> None:
    """Run the command line; its exit code must be documented."""
    arguments: list[Any] = case["command"]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in example.files().items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        (Path(folder) / "empty").touch()
        result = run_command(arguments, folder)
    allowed = TREC_EVAL_CODES if "trec_eval" in arguments else CODES
    expect(result.code in allowed, "documented exit code", f"{arguments}: {result.code}\n{result.err[-500:]}")
    if result.code:
        spoke = bool(result.err.strip()) or (result.code == 1 and bool(result.out.strip()))
        expect(spoke, "a failure says why", f"{arguments}: {result.code}")
