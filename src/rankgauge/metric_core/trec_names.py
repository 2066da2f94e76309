"""Names of trec_eval: its measures in the notation of metrics, and the cutoffs that it prints by default."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from rankgauge.errors import NotationError, shown
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
