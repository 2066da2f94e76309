"""Names of metrics in other tools: trec_eval, ir_measures, and spellings that are suggested but not accepted."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from rankgauge.conventions.gains import OTHER
from rankgauge.errors import NotationError, ParameterError, shown
from rankgauge.metric_core.registry import trec_names
from rankgauge.rendering.language import Phrase

STANDARD = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""Default cutoffs of most measures."""
TENTHS = tuple(point / 10 for point in range(11))
FAMILIES: dict[str, tuple[float, ...]] = {
    "iprec_at_recall": TENTHS,
    "P": STANDARD,
    "recall": STANDARD,
    "Rprec_mult": tuple(fifth / 5 for fifth in range(1, 11)),
    "ndcg_cut": STANDARD,
    "map_cut": STANDARD,
    "relative_P": STANDARD,
    "success": (1, 5, 10),
    "unj": (5, 10, 20),
}
"""Measures with one line per cutoff, recall point or multiple, and those printed by default."""
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"


def notation_of(text: str, is_metric: Callable[[str], bool]) -> str | None:
    """Return the notation of a trec_eval name with its parameters, or None if the text is not one.

    A family without its cutoff is an error, unless a metric of this library has the name: ``P``, ``recall`` and
    ``success`` are the metrics of the whole list.

    >>> notation_of("ndcg_cut.10", bool), notation_of("set_F_0.25", bool), notation_of("ndcg_1=3", bool)
    ('nDCG@10', 'F(beta=0.5)', 'nDCG(gain={1: 3, other: linear})')
    """
    names = trec_names()
    if text in names:
        if "{}" not in names[text]:
            return names[text]
        if is_metric(text):
            return None
        first, *_, last = (str(n) if isinstance(n, int) else f"{n:.2f}" for n in FAMILIES[text])
        raise NotationError(
            Phrase(
                f"{shown(text)} is a family of trec_eval's measures: write one of them, such as "
                f"{text}_{first}; trec_eval prints {text}_{first} to {text}_{last}",
                f"{shown(text)} 是 trec_eval 的一组指标：请写其中一个，如 {text}_{first}；trec_eval 输出 "
                f"{text}_{first} 至 {text}_{last}",
            )
        )
    for name in sorted(names, key=len, reverse=True):
        if text.startswith((f"{name}_", f"{name}.")):  # iprec_at_recall_0.10, P.5
            parameters = text[len(name) + 1 :]
            return _with_parameters(name, names[name], parameters) if re.match(r"[\d.+-]", parameters) else None
    return None


def _with_parameters(name: str, notation: str, parameters: str) -> str:
    if "{}" in notation:
        if not re.fullmatch(r"\d+(\.\d+)?", parameters):
            written = f"{name}_{shown(parameters)[1:-1]}"
            en = f"{written}: {name} takes one number, as in {name}_10; pass several metrics one by one"
            raise NotationError((en, f"{written}：{name} 只带一个数，如 {name}_10；多个指标请逐个给出"))
        return notation.format(parameters)
    numbers = re.fullmatch(rf"{_NUMBER}(?:,{_NUMBER})*", parameters)
    if numbers and name in _OF_NUMBERS:
        count, write = _OF_NUMBERS[name]
        values = [float(number) for number in parameters.split(",")]
        if len(values) == count and not (name == "set_F" and values[0] < 0):
            return write(*values)
    if re.fullmatch(rf"\d+={_NUMBER}(?:,\d+={_NUMBER})*", parameters) and name in _OF_GAINS:
        return f"{notation}(gain={{{parameters.replace('=', ': ').replace(',', ', ')}, other: linear}})"
    command = f"`rankgauge trec_eval -h -m {name}`"
    en = f"{name} does not take the parameters {shown(parameters)}; for those it takes: {command}"
    raise NotationError((en, f"{name} 不接受参数 {shown(parameters)}；可用的参数见 {command}"))


_OF_NUMBERS: dict[str, tuple[int, Callable[..., str]]] = {
    "set_F": (1, lambda weight: f"F(beta={math.sqrt(weight)!r})"),  # its parameter is beta squared
    "utility": (4, "Utility(hit={!r}, noise={!r}, miss={!r}, rest={!r})".format),
}
_OF_GAINS = {"ndcg", "dcg", "ideal_dcg", "G", "ndcg_rel", "Rndcg"}
"""Measures whose parameters are gains of grades, as in ``ndcg_1=3,2=9``."""


WHOLE_LIST = {"SetP": "P", "SetRelP": "P", "SetR": "R", "SetF": "F"}
"""Metrics of the whole list, and the metrics here that they are without a cutoff."""
RENAMED = {"cutoff": "k", "max_rel": "max_grade", "min_rel": "min_grade"}
DCG = {"log2": "linear", "exp-log2": "exp2"}
"""The gain of each formulation of DCG; the discount is log2(rank + 1) in both."""


def translate(name: str, parameters: Mapping[str, object], declared: Collection[str]) -> dict[str, Any]:
    """Return the parameters of a metric, given by this name, in the terms of this library.

    >>> translate("nDCG", {"dcg": "exp-log2", "cutoff": 10}, {"k", "gain", "discount"})
    {'gain': 'exp2', 'discount': 'log2(i+1)', 'k': 10}
    """
    if name in WHOLE_LIST and ("k" in parameters or "cutoff" in parameters):
        raise NotationError(f"{name} evaluates the whole list and takes no cutoff; write {WHOLE_LIST[name]}@10")
    translated: dict[str, object] = {"over": "min(k,R)"} if name == "SetRelP" else {}
    for key, value in parameters.items():
        if key in declared and not (name == "SetF" and key == "beta"):
            translated[key] = value
        elif key == "dcg":
            if value not in DCG:
                raise ParameterError.of("dcg", value, f"one of {', '.join(DCG)}", name)
            discounted = {"gain": DCG[value], "discount": "log2(i+1)"}
            translated |= {rule: wanted for rule, wanted in discounted.items() if rule in declared}
        elif key == "gains":
            translated["gain"] = {**value, OTHER: "linear"} if isinstance(value, Mapping) else value
        elif name == "SetP" and key == "relative":
            translated |= {"over": "min(k,R)"} if value else {}
        elif name == "SetF" and key == "beta":  # ir_measures hands it to trec_eval, which takes beta squared
            translated["beta"] = math.sqrt(value) if isinstance(value, int | float) and value >= 0 else value
        else:
            translated[RENAMED.get(key, key)] = value
    return translated


_SPELLING = re.compile(
    r"(?:(?:cosine|cos_sim|dot|euclidean|manhattan|max)[_-])?"  # the similarity, in sentence-transformers
    r"(?P<name>[a-z][a-z _-]*?)"
    r"(?:[_-]l(?P<level>\d))?"  # the level of relevance, in ranx
    r"(?:[ _-]?(?:at|cut)?[ _-]?@? ?(?P<k>[1-9]\d{0,8}))?"
    r"(?:[_-]l(?P<late>\d))?",  # the level after the cutoff
    re.IGNORECASE,
)
_PERSISTENCE = re.compile(r"rbp\.(?P<p>\d+)(?P<k>@\d+)?", re.IGNORECASE)
"""RBP with the digits of its persistence, in ranx."""
_NAMES = {
    "fmeasure": "F", "fscore": "F", "burges": "DCG(gain='exp2')", "dcgburges": "DCG(gain='exp2')",
    "ndcgburges": "nDCG(gain='exp2')",
}  # fmt: skip
"""Names without separators that no metric has here."""


def other_spelling(text: str, known: Iterable[str]) -> str | None:
    """Return what a text means where other tools write it so, None if it is not recognised.

    >>> [other_spelling(text, ["RR", "MRR", "AP", "MAP", "HitRate"]) for text in ("MRR_10", "map-l2@5", "Hit Rate@3")]
    ['MRR@10', 'MAP(rel=2)@5', 'HitRate@3']
    >>> [other_spelling(text, ["MAP"]) for text in ("map@5-l2", "rbp.95", "map_at_10")]
    ['MAP(rel=2)@5', 'RBP(p=0.95)', 'MAP@10']
    """
    if (rbp := _PERSISTENCE.fullmatch(text.strip())) is not None:
        return f"RBP(p=0.{rbp['p']}){rbp['k'] or ''}"
    spelling = _SPELLING.fullmatch(text.strip())
    if spelling is None:
        return None
    plain = _letters(spelling["name"])
    name = _NAMES.get(plain) or next((name for name in known if _letters(name) == plain), None)
    if name is None:
        return None
    number = spelling["level"] or spelling["late"]
    level = f"(rel={number})" if number and "(" not in name else ""
    return name + level + (f"@{spelling['k']}" if spelling["k"] else "")


def _letters(name: str) -> str:
    return re.sub(r"[ _-]", "", name).lower()
