"""How a foreign metric is called: the forms of arguments, which of them fits, and what it answers, contained."""

from __future__ import annotations

import copy
import inspect
import io
import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rankgauge.auditing.outcome import NAN, NO_NUMBER, TOO_SLOW, Outcome
from rankgauge.auditing.program import Program, ProgramError
from rankgauge.auditing.time_limit import TooSlowError, time_limit
from rankgauge.auditing.worlds import World
from rankgauge.errors import ParameterError
from rankgauge.rendering.language import Phrase

QUERY = "q1"
"""The only query of dicts and files."""
CUTOFF_NAMES = {"k", "topk", "kvalue", "at", "atk", "cutoff", "n", "top", "topn", "limit", "depth", "ks", "kvalues"}
AGAIN_WITH_TIES = 8
"""How often a list with ties is tried again: an order drawn at random is the same half of the time."""
DECIMALS = range(2, 6)
"""Decimals to which functions and programs round."""
LISTS = {"ks", "kvalues"}
"""Cutoffs that are passed as a list."""


class Form(NamedTuple):
    """A form of arguments: its name, the words its parameters go by, and the arguments for a world."""

    name: str
    names: tuple[str, str]
    """Patterns of the first and second parameter."""
    arguments: Callable[[World], tuple[Any, ...] | None]
    """None if the world cannot be expressed."""


def _grades(world: World) -> tuple[object, ...] | None:
    grades = world.grades
    if world.repeats or world.ties or {*grades} != {*world.items}:
        return None
    return ([_number(grades[item]) for item in world.items],)


def _labels(world: World) -> tuple[object, ...] | None:
    grades = world.grades
    if world.repeats or {*grades} != {*world.items} or not world.ranking:
        return None
    return [_number(grades[item]) for item, _ in world.ranking], [score for _, score in world.ranking]


def _relevant(world: World) -> tuple[object, ...] | None:
    if world.ties or any(grade not in (0, 1) for _, grade in world.gold):
        return None
    return [item for item, grade in world.gold if grade], world.items


def _graded(world: World) -> tuple[Any, ...] | None:
    return None if world.ties else ({item: _number(grade) for item, grade in world.gold}, world.items)


def _dicts(world: World) -> tuple[Any, ...] | None:
    if world.repeats:
        return None
    return {QUERY: {item: int(grade) for item, grade in world.gold}}, {QUERY: dict(world.ranking)}


def _nested(world: World) -> tuple[object, ...] | None:
    labels = _labels(world)
    return None if labels is None else tuple([part] for part in labels)


def _swapped(arguments: Callable[[World], tuple[Any, ...] | None]) -> Callable[[World], tuple[Any, ...] | None]:
    def swapped(world: World) -> tuple[object, ...] | None:
        made = arguments(world)
        return None if made is None else made[::-1]

    return swapped


def _number(grade: float) -> float:
    return int(grade) if grade == int(grade) else grade


_GOLD = r"rel|gold|truth|true|actual|target|expect|positive|qrel|judg|reference|correct|grade"
_LIST = r"rank|retriev|pred|result|rec|hit|return|got|list|output|response|doc|item|found"
_RUN = r"run|rank|retriev|pred|result|response|score"
_LABELS = r"true|label|target|y_|grade|gain|actual|rel"
_SCORES = r"score|pred|prob"
FORMS = (
    Form("judgments, ranking", (_GOLD, _RUN), _dicts),
    Form("ranking, judgments", (_RUN, _GOLD), _swapped(_dicts)),
    Form("relevant, ranked", (_GOLD, _LIST), _relevant),
    Form("ranked, relevant", (_LIST, _GOLD), _swapped(_relevant)),
    Form("grades by item, ranked", (_GOLD, _LIST), _graded),
    Form("ranked, grades by item", (_LIST, _GOLD), _swapped(_graded)),
    Form("labels, scores", (_LABELS, _SCORES), _labels),
    Form("scores, labels", (_SCORES, _LABELS), _swapped(_labels)),
    Form("[labels], [scores]", (_LABELS, _SCORES), _nested),
    Form("[scores], [labels]", (_SCORES, _LABELS), _swapped(_nested)),
    Form("grades", ("", ""), _grades),
)
"""Every form that can be stated or inferred; where several fit, the earlier one is preferred."""
ONE_ARGUMENT = "grades"


@dataclass
class Caller:
    """A function with the form in which it is called; answers are remembered, since laws share worlds."""

    function: Callable[..., Any]
    form: Form
    takes_k: str | None
    """The name of its cutoff, '' if it is positional, None if it has none."""
    metric_name: str = ""
    timeout: float = 5.0
    misfit: int = 0
    """Number of parameters whose names do not suggest the form."""
    convert: Callable[[Any], Any] = lambda value: value
    """From a list to the kind of array that the function takes."""
    printed: bool = False
    """Whether the function wrote to standard output or standard error."""
    changed: World | None = None
    """A world whose arguments the function changed."""
    unstable: tuple[World, Outcome, Outcome] | None = None
    """A world to which the function gave two answers."""
    _answers: dict[World, Outcome | None] = field(default_factory=dict)

    def __call__(self, world: World) -> Outcome | None:
        """Return the answer for a world; None if the form cannot express it."""
        if world not in self._answers:
            self._answers[world] = self._answer(world)
        return self._answers[world]

    @property
    def answered(self) -> dict[World, Outcome]:
        """The answers so far."""
        return {world: outcome for world, outcome in self._answers.items() if outcome is not None}

    @property
    def decimals(self) -> int | None:
        """The number of decimals to which all answers so far are rounded; None if they are not."""
        values = [outcome.value for outcome in self.answered.values() if outcome.kind == "value"]
        return next((places for places in DECIMALS if all(round(value, places) == value for value in values)), None)

    def _answer(self, world: World) -> Outcome | None:
        arguments = self.form.arguments(world)
        if arguments is None:
            return None
        given = tuple(self.convert(argument) for argument in arguments)
        before = copy.deepcopy(given)
        first = self._contained(world, given)
        if self.changed is None and not _equal(given, before):
            self.changed = world
        if first.kind == "value" and not isinstance(self.function, Program):
            for _ in range(AGAIN_WITH_TIES if world.ties else 1):
                if self.unstable is None:
                    self._call_again(world, arguments, first)
        return first

    def _call_again(self, world: World, arguments: Sequence[object], first: Outcome) -> None:
        second = self._contained(world, tuple(self.convert(argument) for argument in arguments))
        if second != first and not (math.isnan(second.value) and math.isnan(first.value)):
            self.unstable = (world, first, second)

    def _is_own(self, error: BaseException) -> bool:
        """Whether the exception is of a class that the package of the function defines, and so raised on purpose."""
        return _package(type(error)) == _package(self.function)

    def _contained(self, world: World, arguments: Sequence[object]) -> Outcome:
        """Call the function; whatever it prints or raises stays here."""
        keywords: dict[str, object] = {}
        if world.k is not None and self.takes_k is not None:
            cutoff = [world.k] if _plain(self.takes_k) in LISTS else world.k
            if self.takes_k:
                keywords[self.takes_k] = cutoff
            else:
                arguments = (*arguments, cutoff)
        written = io.StringIO()
        try:
            with (
                warnings.catch_warnings(),
                redirect_stdout(written),
                redirect_stderr(written),
                time_limit(self.timeout),
            ):
                warnings.simplefilter("ignore")
                result = self.function(*arguments, **keywords)
                value = number_of(result, self.metric_name)
        except TooSlowError:
            return Outcome("fault", text=TOO_SLOW.fill(seconds=self.timeout))
        except ProgramError as error:
            return error.outcome
        except (Exception, SystemExit) as error:  # noqa: BLE001 (the function may raise anything)
            refused = str(error) and (isinstance(error, ValueError | TypeError) or self._is_own(error))
            return Outcome("refusal" if refused else "fault", text=f"{type(error).__name__}: {error}".rstrip(": "))
        finally:
            self.printed |= bool(written.getvalue())
        if value is None:
            return Outcome("fault", text=NO_NUMBER.fill(kind=type(result).__name__))
        return Outcome("fault", text=NAN) if math.isnan(value) else Outcome("value", value)


def _package(thing: object) -> str:
    return str(getattr(thing, "__module__", "")).partition(".")[0]


def half_unit(decimals: int) -> float:
    """Return the largest error of rounding to some decimals."""
    return 0.5 * 10.0**-decimals * (1 + 1e-6)


def _equal(first: object, second: object) -> bool:
    if isinstance(first, tuple | list) and isinstance(second, tuple | list):
        return len(first) == len(second) and all(map(_equal, first, second))
    same = first == second
    return bool(same.all()) if hasattr(same, "all") else bool(same)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def number_of(result: Any, metric_name: str = "") -> float | None:
    """Return the number in a result: itself, the only value of a container, or the value under the metric's name.

    >>> number_of({"q1": {"ndcg_cut_10": 0.5, "map": 0.1}}, "nDCG@10"), number_of([0.25]), number_of("x")
    (0.5, 0.25, None)
    """
    if isinstance(result, bool | int | float):
        return float(result)
    if isinstance(result, Mapping):
        if len(result) > 1:
            wanted = _letters(metric_name)
            named = [value for name, value in result.items() if _letters(str(name)) == wanted]
            return number_of(named[0], metric_name) if len(named) == 1 else None
        return number_of(next(iter(result.values())), metric_name) if result else None
    if isinstance(result, list | tuple):
        return number_of(result[0], metric_name) if len(result) == 1 else None
    if isinstance(result, str):
        return None
    try:
        return float(result.item() if hasattr(result, "item") else result)
    except (TypeError, ValueError, RuntimeError):
        return None


def _letters(name: str) -> str:
    """Return a metric's name without case, separators and the word cut: nDCG@10 and ndcg_cut_10 are alike."""
    return re.sub(r"[^a-z0-9]|cut|_at_", "", name.lower())


def callers(function: Callable[..., Any], form: str | None, metric_name: str, timeout: float) -> list[Caller]:
    """Return the ways in which a function could be called, by its signature; those whose parameters fit come first."""
    names, takes_k = _signature(function)
    known = {each.name: each for each in FORMS}
    if form is not None and form not in known:
        raise ParameterError.of(
            "call", form, Phrase(" or ", "、").join(Phrase(repr(name), repr(name)) for name in known)
        )
    wanted = [known[form]] if form is not None else _fitting(names)
    found = []
    for each in wanted:
        k = "" if takes_k is None and len(names) > (1 if each.name == ONE_ARGUMENT else 2) else takes_k
        misfit = _misfit(each, names)
        kinds = _arrays(function, each)
        found += [Caller(function, each, k, metric_name, timeout, misfit, convert) for convert in kinds]
    return found


def _signature(function: Callable[..., Any]) -> tuple[list[str], str | None]:
    """Return the names of required parameters without the cutoff, and the name of the cutoff."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return ["", ""], None
    cutoff = next((name for name in parameters if _plain(name) in CUTOFF_NAMES), None)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [
        name
        for name, each in parameters.items()
        if each.kind in positional and each.default is inspect.Parameter.empty and name != cutoff
    ]
    if any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters.values()) and not names:
        names = ["", ""]
    if cutoff is not None and parameters[cutoff].kind is inspect.Parameter.POSITIONAL_ONLY:
        cutoff = ""
    return names, cutoff


def _fitting(names: Sequence[str]) -> list[Form]:
    if len(names) == 1:
        return [form for form in FORMS if form.name == ONE_ARGUMENT]
    two = [form for form in FORMS if form.name != ONE_ARGUMENT]
    return sorted(two, key=lambda form: _misfit(form, names))


def _misfit(form: Form, names: Sequence[str]) -> int:
    """Return how many of the first two parameters have names that do not suggest the form."""
    plain = [*(name.lower() for name in names[:2]), "", ""]
    return sum(not re.search(pattern, name) for pattern, name in zip(form.names, plain, strict=False))


def _arrays(function: Callable[..., Any], form: Form) -> list[Callable[[Any], Any]]:
    """Return the kinds of arrays to try: lists, then arrays of NumPy and of torch where numbers are passed."""
    if "labels" not in form.name and form.name != ONE_ARGUMENT:
        return [lambda value: value]
    import numpy as np  # noqa: PLC0415

    kinds: list[Callable[[Any], Any]] = [lambda value: value, np.array]
    if form.name != ONE_ARGUMENT:
        kinds.reverse()  # functions of two arrays are usually written for NumPy
    if str(getattr(function, "__module__", "")).startswith("torch"):
        import torch  # noqa: PLC0415

        kinds.insert(0, torch.tensor)
    return kinds
