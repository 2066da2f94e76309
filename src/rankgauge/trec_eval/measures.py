"""Measures of trec_eval: names, parameters, how values are printed and summarised, and those of ordinary judgments.

How the values are computed is up to the module of the judgment format (``command.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from rankgauge.errors import ParameterError, shown
from rankgauge.metric_core.tool_names import FAMILIES, TENTHS
from rankgauge.segments import Floats

Version = Literal[9, 10]
Column = Floats | list[str]
"""A number or a text for each topic."""


@dataclass(frozen=True)
class MeasureLine:
    """A measure with its parameters: one line of output per topic."""

    measure: Measure
    name: str
    """The printed name."""
    numbers: tuple[float, ...] = ()
    """A cutoff, a point, or all numbers."""
    pairs: Mapping[str, float] = field(default_factory=dict)
    """Parameters of the form ``name=number``, as in ``ndcg.1=3,2=9``."""
    given: bool = False
    """Whether the parameters were given on the command line."""


@dataclass(frozen=True)
class Measure:
    """A measure of trec_eval.

    Each of its integer ``cutoffs`` or fractional ``points`` has its own output line (``P_5``, ``Rprec_mult_0.20``);
    ``numbers``, or ``pairs`` of level and number, share one line that repeats the parameters as typed (``set_F_0.5``).
    """

    name: str
    explanation: str = ""
    """One or two sentences for ``-h -m name``."""
    kind: Literal["none", "cutoffs", "points", "numbers", "pairs"] = "none"
    default: tuple[float, ...] = ()
    """Parameters used when the command line gives none."""
    shown: Literal["value", "count", "text"] = "value"
    """Printed with four decimals, as an integer, or as text."""
    per_query: bool = True
    """Whether ``-q`` prints it."""
    summary: Literal["mean", "sum", "exp", "none"] = "mean"
    """How topics are combined; ``exp`` is the exponential of the mean."""
    versions: tuple[Version, ...] = (9, 10)
    formats: tuple[str, ...] = ("qrels",)
    """Judgment formats (``-R``) from which it can be computed; empty means all."""

    @property
    def has_values(self) -> bool:
        """Whether the measure has a value for each topic."""
        return self.per_query or self.summary != "none"

    def lines(self, text: str | None = None) -> list[MeasureLine]:
        """Return the output lines of this measure for parameters given on the command line.

        >>> [line.name for line in Measure("P", kind="cutoffs", default=(5, 10)).lines()]
        ['P_5', 'P_10']
        >>> [line.name for line in Measure("P", kind="cutoffs").lines("7,3")]
        ['P_3', 'P_7']
        >>> Measure("ndcg", kind="pairs").lines("1=3,2=9")[0].name
        'ndcg_1=3,2=9'
        """
        requested = text is not None
        name = self.name if text is None else f"{self.name}_{text}"
        match self.kind:
            case "cutoffs":
                cutoffs = self._distinct([int(number) for number in self._numbers(text)], text)
                if cutoffs[0] < 1:
                    raise ParameterError(f"-m {self.name}.{text}: the cutoff {cutoffs[0]} is not at least 1")
                return [MeasureLine(self, f"{self.name}_{cut}", (cut,), given=requested) for cut in cutoffs]
            case "points":
                points = self._distinct(self._numbers(text), text)
                return [MeasureLine(self, f"{self.name}_{point:3.2f}", (point,), given=requested) for point in points]
            case "numbers":
                return [MeasureLine(self, name, tuple(self._numbers(text)), given=requested)]
            case "pairs":
                return [MeasureLine(self, name, (), self._pairs(text), given=requested)]
        return [MeasureLine(self, self.name)]

    def _numbers(self, text: str | None) -> list[float]:
        return [*self.default] if text is None else [self._number(part, text) for part in text.split(",")]

    def _number(self, part: str, text: str) -> float:
        try:
            number = float(part)
        except ValueError:
            raise ParameterError(f"-m {self.name}.{text}: {shown(part)} is not a number") from None
        if not np.isfinite(number):
            raise ParameterError(f"-m {self.name}.{text}: {shown(part)} is not a finite number")
        return number

    def _distinct(self, numbers: list[Any], text: str | None) -> list[Any]:
        if len({*numbers}) != len(numbers):
            raise ParameterError(f"-m {self.name}.{text}: a cutoff is given twice; give each once")
        return sorted(numbers)

    def _pairs(self, text: str | None) -> dict[str, float]:
        pairs = {}
        for part in text.split(",") if text is not None else ():
            name, equals, number = part.partition("=")
            if not name or not equals:
                reason = f"{shown(part)} is not of the form name=number, as in 1=3.5"
                raise ParameterError(f"-m {self.name}.{text}: {reason}")
            pairs[name] = self._number(number, str(text))
        return pairs


@dataclass(frozen=True)
class Evaluation:
    """Result of evaluating a run against a file of judgments."""

    topics: list[str]
    """Evaluated topics in output order."""
    columns: dict[str, Column]
    """For each printed name, a number or a text per topic."""
    averaged_over: int
    """Divisor of the means; larger than the number of topics with ``-c`` in version 9."""
    overall: dict[str, float | str]
    """Summary lines that are not computed from per-topic values: the run name, the number of topics, ..."""


OVERRIDE = "Parameters level=gain set the gains of these levels; other levels are their own gain."

RUNID = Measure(
    "runid", "Name of the run: column 6 of its last line.", shown="text", per_query=False, summary="none", formats=()
)
NUM_Q = Measure("num_q", "Number of topics evaluated.", shown="count", per_query=False, summary="none", formats=())


def _count(name: str, explanation: str = "") -> Measure:
    return Measure(name, explanation, shown="count", summary="sum")


def _at(name: str) -> Measure:
    return Measure(name, kind="cutoffs", default=FAMILIES[name])


def _points(name: str) -> Measure:
    return Measure(name, kind="points", default=FAMILIES[name])


def _geometric(name: str) -> Measure:
    note = "Topics with value 0 count as 0.00001. Printed in the summary only."
    return Measure(name, note, per_query=False, summary="exp")


MEASURES = (
    RUNID,
    NUM_Q,
    _count("num_ret"),
    _count("num_rel", "With -c the summary counts every grade above 0, regardless of -l."),
    _count("num_rel_ret"),
    Measure("map"),
    _geometric("gm_map"),
    Measure("Rprec"),
    Measure("bpref"),
    Measure("recip_rank"),
    _points("iprec_at_recall"),
    _at("P"),
    Measure(
        "relstring",
        "Grades of the first items, one character each: 0 to 9, > above 9, - for items that are not judged, . for\n"
        "negative grades. The parameter is the number of items. Printed per topic only.",
        kind="numbers",
        default=(10,),
        shown="text",
        summary="none",
    ),
    _at("recall"),
    Measure("infAP"),
    _geometric("gm_bpref"),
    _points("Rprec_mult"),
    Measure(
        "utility",
        "The four parameters are the values of an item that is relevant and returned, not relevant and returned,\n"
        "relevant and not returned, and neither; the last needs -N, the number of items in the collection.",
        kind="numbers",
        default=(1, -1, 0, 0),
    ),
    Measure("11pt_avg", "The parameters are the recall points to average over.", kind="numbers", default=TENTHS),
    Measure("binG"),
    Measure("G", OVERRIDE, kind="pairs"),
    Measure("dcg", OVERRIDE, kind="pairs", versions=(10,)),
    Measure("ideal_dcg", OVERRIDE, kind="pairs", versions=(10,)),
    Measure("ndcg", f"{OVERRIDE}\nAll grades count, regardless of -l.", kind="pairs"),
    Measure("ndcg_rel", OVERRIDE, kind="pairs"),
    Measure("Rndcg", OVERRIDE, kind="pairs"),
    _at("ndcg_cut"),
    _at("map_cut"),
    _at("relative_P"),
    _at("success"),
    Measure("set_P"),
    Measure("set_relative_P"),
    Measure("set_recall"),
    Measure("set_map"),
    Measure("set_F", "The parameter is beta squared.", kind="numbers", default=(1,)),
    _count("num_nonrel_judged_ret"),
    Measure("yaap"),
    Measure(
        "rbp",
        "Gains are the grades or those set by level=gain, divided by the largest of the topic if that is above 1.\n"
        "p=number sets the persistence, the probability of continuing to the next item (0.9).",
        kind="pairs",
        versions=(10,),
    ),
    Measure(
        "rbp_resid",
        "What unjudged items and the ranks below the list could add to rbp; 0 if all returned items are judged.\n"
        "p=number sets the persistence.",
        kind="pairs",
        versions=(10,),
    ),
    Measure("unj", kind="cutoffs", default=FAMILIES["unj"], versions=(10,)),
)

NOT_IN_ALL_TREC = {"dcg", "ideal_dcg", "yaap"}
NICKNAMES = {
    "official": (
        "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
        "iprec_at_recall", "P",
    ),
    "set": (
        "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P",
        "set_map", "set_F",
    ),
    "all_trec": tuple(measure.name for measure in MEASURES if measure.name not in NOT_IN_ALL_TREC),
}  # fmt: skip
"""Names for groups of measures."""
