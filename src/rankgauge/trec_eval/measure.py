"""What trec_eval calls a measure: a name, its parameters, how it is printed and how it is summarised.

A measure says nothing about how its values come about: that is the affair of the module that reads its
format of judgments (``formats.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankgauge.errors import ParameterError, shown

Floats = npt.NDArray[Any]
Version = Literal[9, 10]
Kind = Literal["none", "cutoffs", "points", "numbers", "pairs"]
Column = Floats | list[str]
"""A value, or a text, for each query."""


@dataclass(frozen=True)
class Setting:
    """A measure with its parameters: one line of output for each query."""

    name: str
    """As it is printed."""
    numbers: tuple[float, ...] = ()
    """A cutoff, a point, or all numbers."""
    pairs: Mapping[str, float] = field(default_factory=dict)
    """What ``name=number`` says, as in ``ndcg.1=3,2=9``."""
    given: bool = False
    """Whether the parameters come from the command line."""


@dataclass(frozen=True)
class Measure:
    """One measure of trec_eval.

    Parameters
    ----------
    name
        As in ``-m name``.
    explanation
        What ``-h -m name`` says, in a sentence or two.
    kind
        What its parameters are: whole ``cutoffs`` or fractional ``points``, each printed as a line of its own
        (``P_5``, ``iprec_at_recall_0.10``); ``numbers`` or ``pairs`` of level and number, printed as one line with the
        parameters as they were written (``set_F_0.5``, ``ndcg_1=3,2=9``).
    default
        The numbers in force when the command line gives none.
    shown
        As a ``value`` with four decimals, a whole ``count``, or a ``text``.
    per_query
        Whether ``-q`` prints it.
    summary
        How the queries become one line: their ``mean``, their ``sum``, the exponential of the mean (``exp``), or
        ``none``.
    versions
        The versions of trec_eval that have it.
    formats
        The formats of judgments (``-R``) that it can be computed from; none: from all.
    """

    name: str
    explanation: str = ""
    kind: Kind = "none"
    default: tuple[float, ...] = ()
    shown: Literal["value", "count", "text"] = "value"
    per_query: bool = True
    summary: Literal["mean", "sum", "exp", "none"] = "mean"
    versions: tuple[Version, ...] = (9, 10)
    formats: tuple[str, ...] = ("qrels",)

    @property
    def has_values(self) -> bool:
        """Whether there is something to compute for each topic."""
        return self.per_query or self.summary != "none"

    def settings(self, text: str | None = None) -> list[Setting]:
        """The lines of this measure, for parameters as they stand on the command line.

        >>> [setting.name for setting in Measure("P", kind="cutoffs", default=(5, 10)).settings()]
        ['P_5', 'P_10']
        >>> [setting.name for setting in Measure("P", kind="cutoffs").settings("7,3")]
        ['P_3', 'P_7']
        >>> Measure("ndcg", kind="pairs").settings("1=3,2=9")[0].name
        'ndcg_1=3,2=9'
        """
        match self.kind:
            case "cutoffs":
                cutoffs = self._distinct([int(number) for number in self._numbers(text)], text)
                if cutoffs[0] < 1:
                    raise ParameterError(f"-m {self.name}.{text}: the cutoff {cutoffs[0]} is not at least 1")
                return [Setting(f"{self.name}_{cut}", (cut,), given=text is not None) for cut in cutoffs]
            case "points":
                points = self._distinct(self._numbers(text), text)
                return [Setting(f"{self.name}_{point:3.2f}", (point,), given=text is not None) for point in points]
            case "numbers":
                return [Setting(self._with(text), tuple(self._numbers(text)), given=text is not None)]
            case "pairs":
                return [Setting(self._with(text), (), self._pairs(text), given=text is not None)]
        return [Setting(self.name)]

    def _with(self, text: str | None) -> str:
        return self.name if text is None else f"{self.name}_{text}"

    def _numbers(self, text: str | None) -> list[float]:
        if text is None:
            return [*self.default]
        return [self._number(part, text) for part in text.split(",")]

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
                raise ParameterError(
                    f"-m {self.name}.{text}: {shown(part)} is not of the form name=number, as in 1=3.5"
                )
            pairs[name] = self._number(number, str(text))
        return pairs


@dataclass
class Evaluated:
    """What evaluating one run against one file of judgments gives, whatever the format of the judgments."""

    queries: list[str]
    """The topics that count, in the order in which they are printed."""
    columns: dict[str, Column]
    """For each printed name a value, or a text, for each topic."""
    averaged_over: int
    """By how many topics sums are divided: more than there are with ``-c`` in version 9."""
    overall: dict[str, float | str]
    """Lines of the summary that are not made of values of topics: the name of the run, the number of topics, ..."""
