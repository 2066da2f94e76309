"""Groups of options that commands share: declared once here, and handed to a command as one record each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import Output
from rankgauge.cli.side_information import side_information_option, the_side_information
from rankgauge.comparison.settings import CORRECTIONS

if TYPE_CHECKING:
    from rankgauge.conventions import Convention

INPUT_FORMATS = ("trec", "csv", "tsv", "jsonl", "parquet", "arrow", "letor")
Option = Callable[[Callable[..., Any]], Callable[..., Any]]


class FormatOfSides(click.Choice[str]):
    """One format for all files, or one for each side: ``judgments=trec,ranking=csv``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The format, or a mapping from side to format."""
        if "=" not in str(value):
            return super().convert(value, param, ctx)
        pairs = (part.strip().partition("=") for part in value.split(","))
        return {side.strip(): super(FormatOfSides, self).convert(name.strip(), param, ctx) for side, _, name in pairs}


@dataclass(frozen=True)
class Rules:
    """``--convention`` and ``--rule``: the rules in force."""

    convention: str | None
    rules: tuple[str, ...]

    @property
    def given(self) -> bool:
        """Whether anything was said of the rules."""
        return bool(self.convention or self.rules)

    def settled(self) -> Convention:
        """The convention that the options say."""
        return options.the_convention(self.convention, self.rules)


@dataclass(frozen=True)
class Reading:
    """``--format``, ``--columns``, ``--lenient``: how files are read."""

    format: Any
    columns: str | None
    lenient: bool

    def arguments(self) -> dict[str, Any]:
        """The same, as functions that read files take it."""
        return {"columns": options.the_columns(self.columns), "format": self.format, "lenient": self.lenient}


@dataclass(frozen=True)
class Data(Reading):
    """``--side-information``, too: all that is known beside judgments and rankings."""

    side_information: tuple[str, ...]

    def with_side_information(self) -> dict[str, Any]:
        """The same, as functions that evaluate take it."""
        return {"side_information": the_side_information(self.side_information), **self.arguments()}


@dataclass(frozen=True)
class OfList:
    """``--ideal`` and ``--scores``: what belongs to a list of grades that was typed."""

    ideal: str | None
    scores: str | None

    def arguments(self) -> dict[str, Any]:
        """The numbers, as functions that look at one list take them."""
        given = {"ideal": self.ideal, "scores": self.scores}
        return {name: None if text is None else options.the_grades(text, f"--{name}") for name, text in given.items()}

    def check_absent(self, **others: Any) -> None:
        """Refuse what belongs to a list where there are files."""
        given = {"ideal": self.ideal, "scores": self.scores, **others}
        if wrong := [name for name, value in given.items() if value is not None]:
            raise click.UsageError(f"--{wrong[0]} belongs to a list of grades, not to files")


def as_record(name: str, record: Callable[..., Any], declared: Mapping[str, Option]) -> Option:
    """Declare options, and hand their values to the command as one argument of this name.

    >>> @click.command
    ... @as_record("size", dict, {"width": click.option("--width"), "height": click.option("--height")})
    ... def draw(size):
    ...     return size
    >>> draw.main(["--width", "3"], standalone_mode=False)
    {'width': '3', 'height': None}
    """

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def called(**given: Any) -> Any:
            own = {option: given.pop(option) for option in declared}
            return function(**given, **{name: record(**own)})

        whole: Callable[..., Any] = called
        for option in reversed([*declared.values()]):
            whole = option(whole)
        return whole

    return decorated


RULES = {
    "convention": click.option(
        "--convention",
        metavar="NAME",
        shell_complete=options.preset_names,
        help="The rules of a named tool, such as trec_eval-9; see: rankgauge conventions.",
    ),
    "rules": click.option(
        "--rule",
        "rules",
        multiple=True,
        metavar="NAME=VALUE",
        shell_complete=options.rule_names,
        help="Change one rule, such as gain=exp2 or ties=mean. Repeatable; see: rankgauge conventions show.",
    ),
}
READING = {
    "format": click.option(
        "--format",
        type=FormatOfSides(INPUT_FORMATS),
        help="The format of the files, or judgments=...,ranking=...; guessed from their content where it is not given.",
    ),
    "columns": click.option(
        "--columns",
        metavar="OURS=THEIRS,...",
        help="Names of columns that are not recognised: query=session,score=p; of one side: ranking.query=session.",
    ),
    "lenient": click.option(
        "--lenient", is_flag=True, help="Leave out what is wrong in the files and count it, instead of stopping."
    ),
}
OF_LIST = {
    "ideal": click.option(
        "--ideal", metavar="GRADES", help="Of a list: the grades of all judged items, returned or not."
    ),
    "scores": click.option("--scores", metavar="NUMBERS", help="Of a list: the scores of the items, for ties."),
}
TESTS = {
    "alpha": click.option(
        "--alpha", type=float, default=0.05, show_default=True, help="The rate of false alarms that is accepted."
    ),
    "correction": click.option(
        "--correction",
        type=click.Choice(CORRECTIONS),
        default=CORRECTIONS[0],
        show_default=True,
        help="How the p-values of several pairs are corrected.",
    ),
    "permutations": click.option(
        "--permutations", type=click.IntRange(1), default=100_000, show_default=True, help="Random sign flips."
    ),
    "seed": click.option(
        "--seed", type=click.IntRange(0), default=0, show_default=True, help="The seed of all random numbers."
    ),
}

rules_options = as_record("rules", Rules, RULES)
reading_options = as_record("reading", Reading, READING)
data_options = as_record("data", Data, {"side_information": side_information_option, **READING})
list_options = as_record("of_list", OfList, OF_LIST)
tests_options = as_record("tests", dict, TESTS)


def output_options(formats: Sequence[str]) -> Option:
    """``-o``, ``--output`` and ``--force``: what is written, and where to."""
    written = click.option(
        "-o", "--to", "to", type=click.Choice([*formats]), default=formats[0], show_default=True, help="The format."
    )
    path = click.option(
        "--output",
        "path",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write to a file, whole or not at all, instead of standard output.",
    )
    force = click.option("--force", is_flag=True, help="Replace the file of --output where it exists.")
    return as_record("output", Output, {"to": written, "path": path, "force": force})
