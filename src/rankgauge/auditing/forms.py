"""The forms in which a foreign metric may be called, and the arguments of each for a world."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from string import ascii_lowercase
from typing import Any, Literal, NamedTuple

from rankgauge.auditing.worlds import World

QUERY = "q1"
"""The query of dicts, frames and files, if there is only one."""
LIST, NUMPY, TORCH, PANDAS, POLARS = "list", "numpy", "torch", "pandas", "polars"
PAIRS, RANKED_PAIRS = "pairs", "ranked pairs"
"""Lists of items with their numbers in place of dicts: of both arguments, or of the ranking only."""
DICTS = (LIST, RANKED_PAIRS, PAIRS)
ID_BYTES = 4
"""Length of the longest id of a world; integers of this length fit into every array."""
ARRAYS = (NUMPY, LIST, TORCH)
"""Containers of numbers; functions of two arrays are usually written for NumPy."""
COLUMN_NAMES = (
    ("query", "item", "grade", "score"),
    ("query_id", "doc_id", "relevance", "score"),
    ("qid", "docno", "label", "score"),
    ("user_id", "item_id", "rating", "score"),
    ("user", "item", "rating", "prediction"),
    ("userID", "itemID", "rating", "prediction"),
)
"""Names of the columns of frames; a last frame has all of them."""
Side = Literal["judgments", "ranking"]
Arguments = tuple[Any, ...] | None
"""None if the world cannot be expressed."""


class Frame(NamedTuple):
    """A table by the meaning of its columns, before it gets names."""

    columns: Mapping[str, Sequence[Any]]


class Form(NamedTuple):
    """A form of arguments."""

    name: str
    names: tuple[str, str]
    """Patterns of the names of the first and second parameter."""
    arguments: Callable[[World], Arguments]
    containers: tuple[str, ...] = (LIST,)
    scores: bool = False
    """Whether scores are passed, so that ties and another order of the input exist."""
    batch: bool = False
    """Whether several queries are passed at once."""

    @property
    def takes_queries(self) -> bool:
        """Whether several queries can be passed."""
        return self.batch or PANDAS in self.containers

    @property
    def arity(self) -> int:
        """Number of arguments."""
        return 1 if self.name in ONE_ARGUMENT else 2

    @property
    def names_queries(self) -> bool:
        """Whether judgments and rankings name their queries, so that one of them may lack some."""
        return self.name != "frame" and self.takes_queries and "[" not in self.name

    @property
    def has_ids(self) -> bool:
        """Whether items have ids."""
        return self.name != "frame" and not {"labels", "[labels]", "grades", "hits", "[hits]"} & {
            *self.name.split(", ")
        }

    def misfit(self, names: Sequence[str]) -> int:
        """Return how many of the parameters have names that do not suggest the form."""
        plain = [*(name.lower() for name in names[:2]), "", ""]
        return sum(not re.search(pattern, name) for pattern, name in zip(self.names, plain, strict=False))


def _number(grade: float) -> float:
    return int(grade) if grade == int(grade) else grade


def _is_complete(world: World) -> bool:
    return not world.repeats and {*world.grades} == {*world.items}


def _grades(world: World) -> Arguments:
    if not _is_complete(world) or world.ties or not world.in_order:
        return None
    return ([_number(world.grades[item]) for item in world.items],)


def _labels(world: World) -> Arguments:
    if not _is_complete(world) or not world.ranking:
        return None
    return [_number(world.grades[item]) for item, _ in world.ranking], [score for _, score in world.ranking]


def _is_binary(world: World) -> bool:
    return all(grade in (0, 1) for _, grade in world.gold)


def _relevant(world: World) -> Arguments:
    if world.ties or not world.in_order or not _is_binary(world):
        return None
    return [item for item, grade in world.gold if grade], world.items


def _graded(world: World) -> Arguments:
    if world.ties or not world.in_order:
        return None
    return {item: _number(grade) for item, grade in world.gold}, world.items


def _scored(world: World) -> Arguments:
    return None if world.repeats else ({item: int(grade) for item, grade in world.gold}, dict(world.ranking))


def _relevant_scored(world: World) -> Arguments:
    if world.repeats or not _is_binary(world):
        return None
    return [item for item, grade in world.gold if grade], dict(world.ranking)


def _frames(world: World) -> Arguments:
    if world.repeats or not world.ranking or not world.gold:
        return None
    ranks = {item: rank for rank, item in enumerate(world.items, 1)}
    gold: dict[str, list[Any]] = {
        "query": [QUERY] * len(world.gold),
        "item": [*world.grades],
        "grade": [int(g) for _, g in world.gold],
    }
    ranking: dict[str, list[Any]] = {"query": [QUERY] * len(ranks), "item": [item for item, _ in world.ranking]}
    ranking |= {"score": [score for _, score in world.ranking], "rank": [ranks[item] for item, _ in world.ranking]}
    return Frame(gold), Frame(ranking)


def _relevant_frames(world: World) -> Arguments:
    relevant = tuple(pair for pair in world.gold if pair[1] > 0)
    return _frames(world._replace(gold=relevant)) if _is_binary(world) else None


def _frame(world: World) -> Arguments:
    frames = _frames(world) if _is_complete(world) else None
    if frames is None:
        return None
    grades = [int(world.grades[item]) for item, _ in world.ranking]
    return (Frame({**frames[1].columns, "grade": grades}),)


def _listed(argument: Any) -> list[Any]:
    return [argument]


def _by_query(argument: Any) -> dict[str, Any]:
    return {QUERY: argument}


def _each(arguments: Callable[[World], Arguments], wrap: Callable[[Any], Any]) -> Callable[[World], Arguments]:
    def wrapped(world: World) -> Arguments:
        plain = arguments(world)
        return None if plain is None else tuple(map(wrap, plain))

    return wrapped


def with_integers(world: World) -> Any:
    """Return a world whose ids are integers in the order of the texts: small ones, which are quick to compute with.

    >>> with_integers(World((("a", 1.0), ("b", 0.0)), ())).gold
    ((1, 1.0), (2, 0.0))
    """
    gold, ranking = (tuple((_integer(item), number) for item, number in pairs) for pairs in (world.gold, world.ranking))
    return World(gold, ranking, world.k)  # type: ignore[arg-type]


def _integer(item: str) -> int:
    if item in ascii_lowercase:
        return 1 + ascii_lowercase.index(item)
    return int.from_bytes(item.encode().ljust(ID_BYTES, b"\0"), "big")


def joined(parts: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the arguments of several queries at once, from those of each query alone."""
    return tuple(map(_joined, zip(*parts, strict=True)))


def _joined(arguments: Sequence[Any]) -> Any:
    first = arguments[0]
    if isinstance(first, Frame):
        frames: list[Mapping[str, Sequence[Any]]] = [each.columns for each in arguments]
        queries = [query_name(number) for number, each in enumerate(frames) for _ in each["query"]]
        return Frame(
            {name: [value for each in frames for value in each[name]] for name in first.columns} | {"query": queries}
        )
    if isinstance(first, Mapping):
        return {query_name(number): each[QUERY] for number, each in enumerate(arguments)}
    return [each for argument in arguments for each in argument]


def changed(arguments: tuple[Any, ...], form: str, change: Change, side: Side | None) -> tuple[Any, ...]:
    """Return the arguments of several queries with a change of one side, or of both."""
    pairs = zip(sides(form), arguments, strict=True)
    return tuple(CHANGES[change](argument) if side in (None, of) else argument for of, argument in pairs)


def _without_first(argument: Any) -> object:
    first = query_name(0)
    if not isinstance(argument, Frame):
        return {query: each for query, each in argument.items() if query != first}
    kept = [place for place, query in enumerate(argument.columns["query"]) if query != first]
    return Frame({name: [values[place] for place in kept] for name, values in argument.columns.items()})


def _in_reverse(argument: Any) -> object:
    if not isinstance(argument, Frame):
        return dict(reversed(argument.items()))
    return Frame({name: values[::-1] for name, values in argument.columns.items()})


def _of_one_query(frame: Frame) -> Frame:
    return Frame({**frame.columns, "query": [QUERY] * len(frame.columns["query"])})


Change = Literal["lacking", "reversed", "one query"]
CHANGES: dict[Change, Callable[[Any], Any]] = {
    "lacking": _without_first,
    "reversed": _in_reverse,
    "one query": _of_one_query,
}
"""The first query is left out; queries, or rows of frames, are in the opposite order; all rows are of one query."""


def sides(form: str) -> list[Side]:
    """Return the side of each argument of a form.

    >>> sides("ranked by query, judgments"), sides("grades by item, scores by item")
    (['ranking', 'judgments'], ['judgments', 'ranking'])
    """
    return ["ranking" if name.startswith(("rank", "score")) else "judgments" for name in form.split(", ")]


def query_name(number: int) -> str:
    """Return the name of a query among several, counted from 0.

    >>> query_name(0), query_name(1)
    ('q1', 'q2')
    """
    return f"q{number + 1}"


def _swapped(form: Form) -> Form:
    def swapped(world: World) -> Arguments:
        plain = form.arguments(world)
        return None if plain is None else plain[::-1]

    name = ", ".join(reversed(form.name.split(", ")))
    return form._replace(name=name, names=form.names[::-1], arguments=swapped)


def _of_hits(form: Form) -> Form:
    def binary(world: World) -> Arguments:
        return form.arguments(world) if _is_binary(world) else None

    return form._replace(name=form.name.replace("labels", "hits").replace("grades", "hits"), arguments=binary)


def _both(*forms: Form) -> tuple[Form, ...]:
    return tuple(each for form in forms for each in (form, _swapped(form)))


_ITEMS = r"(?<!q)rel|gold|truth|true|actual|target|expect|positive|reference|correct"
_GOLD = rf"{_ITEMS}|qrel|judg|grade|label"
_LIST = r"rank|retriev|pred|result|rec|hit|return|got|list|output|response|doc|item|found"
_RUN = r"run|rank|retriev|pred|result|response|score"
_LABELS = r"true|label|target|y_|grade|gain|actual|rel"
_SCORES = r"score|pred|prob"
HITS = r"hit|bin|bool|flag|click|is_?rel|is_?pos|correct|mask"
"""Names of parameters whose numbers are 0 and 1."""
_FRAME = r"df|frame|table|data|log"
FORMS = (
    *_both(
        Form("relevant, ranked", (_ITEMS, _LIST), _relevant),
        Form("labels, scores", (_LABELS, _SCORES), _labels, ARRAYS, scores=True),
        Form("grades by item, ranked", (_GOLD, _LIST), _graded),
        Form("grades by item, scores by item", (_GOLD, _RUN), _scored, DICTS, scores=True),
        Form("relevant, scores by item", (_ITEMS, _RUN), _relevant_scored, DICTS[:2], scores=True),
        Form("judgments, ranking", (_GOLD, _RUN), _each(_scored, _by_query), DICTS, scores=True, batch=True),
        Form("[labels], [scores]", (_LABELS, _SCORES), _each(_labels, _listed), ARRAYS, scores=True, batch=True),
        Form("[relevant], [ranked]", (_ITEMS, _LIST), _each(_relevant, _listed), batch=True),
        Form("relevant by query, ranked by query", (_ITEMS, _LIST), _each(_relevant, _by_query), batch=True),
        Form("judgments, ranked by query", (_GOLD, _LIST), _each(_graded, _by_query), batch=True),
        Form("judgments frame, ranking frame", (_GOLD, _RUN), _frames, (PANDAS, POLARS), scores=True),
        Form("relevant frame, ranking frame", (_ITEMS, _RUN), _relevant_frames, (PANDAS, POLARS), scores=True),
    ),
    Form("grades", ("", ""), _grades, (LIST, NUMPY, TORCH)),
    Form("frame", (_FRAME, ""), _frame, (PANDAS, POLARS), scores=True),
)
"""Every form that can be stated or inferred; where several fit, the earlier one is preferred."""
ONE_ARGUMENT = {"grades", "hits", "frame"}
OF_HITS = {
    name: _of_hits(form)
    for form in FORMS
    if (name := form.name) == "grades" or {*re.findall(r"\w+", name)} == {"labels", "scores"}
}
"""Forms with numbers that may be grades, and the form of each in which they are 0 and 1."""
BY_NAME = {form.name: form for form in (*FORMS, *OF_HITS.values())}
OF_ITEMS = {
    "grades by item, ranked": "relevant, ranked",
    "ranked, grades by item": "ranked, relevant",
    "judgments, ranked by query": "relevant by query, ranked by query",
    "ranked by query, judgments": "ranked by query, relevant by query",
    "judgments frame, ranking frame": "relevant frame, ranking frame",
    "ranking frame, judgments frame": "ranking frame, relevant frame",
}
"""Forms with grades, and the form that remains of each if the function does not read them."""


def ways(form: Form, libraries: Sequence[str]) -> list[str]:
    """Return the containers of a form: ``numpy``, or ``pandas/2`` with the number of the names of its columns."""
    kinds = [kind for kind in form.containers if kind in (LIST, NUMPY) or kind in libraries]
    named = range(len(COLUMN_NAMES) + 1)
    return [way for kind in kinds for way in ([f"{kind}/{n}" for n in named] if kind in (PANDAS, POLARS) else [kind])]


def in_container(argument: Any, way: str, side: Side) -> object:
    """Return an argument, of the judgments or the ranking, in its container; a new one for each call."""
    kind, _, number = way.partition("/")
    if isinstance(argument, Frame):
        data = _named_columns(argument, int(number))
        return import_module(kind).DataFrame(data)
    if kind == LIST:
        return argument
    if kind in DICTS[1:]:
        return (
            _pairs(argument, side)
            if isinstance(argument, Mapping) and (kind == PAIRS or side == "ranking")
            else argument
        )
    if kind == TORCH:
        return import_module("torch").tensor(argument)
    return import_module("numpy").array(argument)


def _pairs(by_item: Mapping[str, Any], side: Side) -> object:
    """Return pairs of items and numbers, or those of each query; a list that is ranked has the best item first."""
    if any(isinstance(each, Mapping) for each in by_item.values()):
        return {query: _pairs(each, side) for query, each in by_item.items()}
    return sorted(by_item.items(), key=lambda pair: -pair[1] if side == "ranking" else 0)


def column_names() -> str:
    """Return the names of the columns of frames, in one line.

    >>> column_names()[:37]
    'query, query_id, qid, user_id, user, '
    """
    meanings = zip(*COLUMN_NAMES, strict=True)
    return "; ".join(", ".join(dict.fromkeys(names)) for names in meanings) + "; rank"


def _named_columns(frame: Frame, number: int) -> dict[str, list[Any]]:
    """Return the columns under one choice of names, or under all of them."""
    names = COLUMN_NAMES[number : number + 1] or COLUMN_NAMES
    meanings = ("query", "item", "grade", "score")
    named = {
        name: [*frame.columns[meaning]]
        for row in names
        for meaning, name in zip(meanings, row, strict=True)
        if meaning in frame.columns
    }
    return named | ({"rank": [*frame.columns["rank"]]} if "rank" in frame.columns else {})
