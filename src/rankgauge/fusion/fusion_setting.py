"""A method of fusion with its parameters: checked, applied to lists, and described."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge.errors import ParameterError, UnknownNameError, shown
from rankgauge.fusion.aligned_lists import AlignedLists
from rankgauge.fusion.combinations import condorcet
from rankgauge.fusion.methods import METHODS, Method, Ranks
from rankgauge.fusion.norms import ALIASES, CONSTANT, NEEDS_POSITIVE, OF_RANKS, Norm
from rankgauge.inputs.findings import Findings, input_error
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import PlainData
from rankgauge.segments import Floats
from rankgauge.value_checks import is_number

LARGEST_K = 1e9
MESSAGES = {
    "no parameter": Phrase("fuse: {method} has no {name}; leave it out", "fuse：{method} 没有参数 {name}；请去掉"),
    "only": Phrase("{names} (what {method} has)", "{names}（{method} 所支持的）"),
    "k": Phrase("k={value:g}", "k={value:g}"),
    "weights": Phrase("weights={value}", "权重={value}"),
    "equal": Phrase("equal", "相等"),
    "norm": Phrase("norm={value}", "归一化={value}"),
    "p": Phrase("p={value:g}", "p={value:g}"),
    "missing": Phrase("missing items={value}", "缺失物品={value}"),
    "depth": Phrase("depth={value}", "深度={value}"),
    "all": Phrase("all", "全部"),
}


@dataclass(frozen=True)
class FusionSetting:
    """A method of fusion with all its parameters."""

    method: str
    k: float
    p: float
    weights: tuple[float, ...]
    norm: str
    missing: str
    depth: int | None

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        method: str = "rrf",
        *,
        k: float | None = None,
        weights: Mapping[str, float] | Sequence[float] | None = None,
        norm: str | None = None,
        missing: str | None = None,
        depth: int | None = None,
        p: float | None = None,
    ) -> FusionSetting:
        """Return the setting for rankings of these names; what is not given has the default of the method."""
        if not isinstance(method, str) or method not in METHODS:
            raise UnknownNameError.closest(Phrase("method of fusion", "融合方法"), str(method), METHODS)
        declared = METHODS[method]
        norm = _norm(method, declared, norm)
        return cls(
            method,
            _number(method, "k", k, declared.k, 0.0 if declared.k != 2 else 1.0, LARGEST_K),  # noqa: PLR2004 (Qdrant)
            _number(method, "p", p, *(declared.p or (None, 0.0, 0.0))),
            _weights(names, method, declared, weights),
            norm,
            _missing(method, declared, norm, missing),
            _depth(declared, depth),
        )

    @property
    def declared(self) -> Method:
        """The method."""
        return METHODS[self.method]

    @property
    def norm_declared(self) -> Norm | None:
        """The norm, None for a method of ranks."""
        return self.declared.norms[self.norm] if self.declared.norms else None

    def values(self, lists: AlignedLists) -> Floats:
        """Return the value of each item in each list, before weights; NaN where it does not count."""
        if self.missing in {"share", "last"}:
            lists = lists.ranking_missing(self.missing)
        values = np.stack([self._values_in(lists, number) for number in range(len(self.weights))], axis=1)
        if self.missing == "zero":
            return np.nan_to_num(values, nan=0.0)
        if self.missing != "min":
            return values
        lowest = np.stack([lists.rows.spread(lists.lowest(column)) for column in values.T], axis=1)
        return np.where(np.isnan(values), np.nan_to_num(lowest, nan=0.0), values)

    def _values_in(self, lists: AlignedLists, number: int) -> Floats:
        norm, rank_value = self.norm_declared, self.declared.rank_value
        if norm is not None:
            return norm.function(lists, number)
        if rank_value is None:  # condorcet
            return lists.ranks[:, number]
        candidates = lists.rows.spread(lists.rows.sizes)
        return rank_value(Ranks(lists.ranks[:, number], candidates, self.k, self.p, self.weights[number]))

    def scores(self, lists: AlignedLists) -> Floats:
        """Return the fused score of each item."""
        weights = np.array(self.weights)
        if self.declared.rank_value is None and self.norm_declared is None:
            return condorcet(lists, weights)
        return self.declared.combination(self.values(lists), weights, self.p)

    def check_scores(self, lists: AlignedLists, names: Sequence[str], findings: Findings) -> None:
        """Report scores that the norm cannot take, and lists whose scores are all equal."""
        norm = self.norm_declared
        if norm is None or self.norm in OF_RANKS:
            return
        for number, name in enumerate(names):
            score = lists.scores[:, number]
            if np.isinf(score).any():
                query = lists.queries[int(lists.query[np.isinf(score).argmax()])]
                raise _unusable(name, query, Phrase("has an infinite score", "含有无穷大的分数"), self.norm)
            high = lists.highest(score)
            if self.norm in NEEDS_POSITIVE and (high <= 0).any():
                query = lists.queries[int((high <= 0).argmax())]
                raise _unusable(name, query, Phrase("has no score above 0", "没有大于 0 的分数"), self.norm)
            flat = high == lists.lowest(score)
            if norm.constant is not None and flat.any():
                query = shown(lists.queries[int(flat.argmax())])
                findings.add(
                    "RG803",
                    Phrase(
                        f"ranking {shown(name)}, query {query}: every item gets {norm.constant:g} (norm {self.norm})",
                        f"排序结果 {shown(name)}，查询 {query}：每个物品都得 {norm.constant:g}（归一化 {self.norm}）",
                    ),
                    int(flat.sum()),
                )

    def rules(self, lang: Lang) -> str:
        """Return every rule of the fusion in one line."""
        equal = len({*self.weights}) == 1 and self.weights[0] == 1
        weights = MESSAGES["equal"] if equal else ":".join(f"{weight:g}" for weight in self.weights)
        norm = self.norm_declared
        constant = None if norm is None else norm.constant
        shown_rules: dict[str, object] = {
            "k": self.k if self.declared.k is not None else None,
            "p": self.p if self.declared.p is not None else None,
            "weights": weights if self.declared.weighted else None,
            "norm": self.norm or None,
            "missing": self.missing,
            "depth": MESSAGES["all"] if self.depth is None else str(self.depth),
        }
        parts = [MESSAGES[name].render(lang, value=value) for name, value in shown_rules.items() if value is not None]
        parts += [] if constant is None else [CONSTANT.render(lang, value=constant)]
        return " · ".join([self.method, *parts])

    def to_dict(self) -> PlainData:
        """Return the parameters as plain data; None for those that the method does not have."""
        declared = self.declared
        return {
            "method": self.method,
            "k": None if declared.k is None else self.k,
            "p": None if declared.p is None else self.p,
            "weights": [*self.weights] if declared.weighted else None,
            "norm": self.norm or None,
            "missing": self.missing,
            "depth": self.depth,
        }


def _unusable(name: str, query: object, reason: Phrase, norm: str) -> Exception:
    en = f"ranking {shown(name)}, query {shown(query)}: {reason.en}, which the norm {norm} cannot take"
    zh = f"排序结果 {shown(name)}，查询 {shown(query)}：{reason.zh}，归一化 {norm} 无法处理"
    return input_error("RG804", Phrase(en, zh))


def _refuse(method: str, name: str) -> ParameterError:
    return ParameterError(MESSAGES["no parameter"].fill(method=method, name=name))


def _number(method: str, name: str, value: Any, default: float | None, least: float, most: float) -> float:
    if default is None:
        if value is not None:
            raise _refuse(method, name)
        return 0.0
    if value is None:
        return default
    if not is_number(value) or not math.isfinite(value) or not least <= value <= most:
        allowed = Phrase(f"a number from {least:g} to {most:g}", f"{least:g} 至 {most:g} 的数")
        raise ParameterError.of(name, value, allowed, "fuse")
    return float(value)


def _norm(method: str, declared: Method, value: str | None) -> str:
    if declared.norms is None:
        if value is not None:
            raise _refuse(method, "norm")
        return ""
    name = declared.norm if value is None else ALIASES.get(value, value)
    if name not in declared.norms:
        known = MESSAGES["only"].fill(names=", ".join(map(repr, declared.norms)), method=method)
        raise ParameterError.of("norm", value, known, "fuse")
    return name


def _missing(method: str, declared: Method, norm: str, value: str | None) -> str:
    if value is None:
        return "share" if norm == "borda" else declared.missing[0]
    known = [rule for rule in declared.missing if rule != "share" or not norm or norm in OF_RANKS]
    if value not in known:
        names = MESSAGES["only"].fill(names=", ".join(map(repr, known)), method=f"{method} {norm}".strip())
        raise ParameterError.of("missing", value, names, "fuse")
    return value


def _depth(declared: Method, value: int | None) -> int | None:
    if value is None:
        return declared.depth
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ParameterError.of("depth", value, ("a whole number from 1", "不小于 1 的整数"), "fuse")
    return value


def _weights(names: Sequence[str], method: str, declared: Method, weights: object) -> tuple[float, ...]:
    """Return a weight for each ranking; raise an error for weights that do not fit."""
    if weights is None:
        default = declared.weights
        return default if default is not None and len(default) == len(names) else (1.0,) * len(names)
    if not declared.weighted:
        raise _refuse(method, "weights")
    if isinstance(weights, Mapping):
        unknown = next((name for name in weights if str(name) not in names), None)
        if unknown is not None:
            raise UnknownNameError.closest(Phrase("ranking of weights", "权重所属的排序结果"), str(unknown), names)
        by_name = {str(name): weight for name, weight in weights.items()}
        weights = [by_name.get(name) for name in names]
    listed = [*weights] if isinstance(weights, Sequence | np.ndarray) and not isinstance(weights, str) else None
    if listed is None or len(listed) != len(names):
        count = Phrase(f"a number for each of {len(names)} rankings", f"{len(names)} 个排序结果各一个数")
        raise ParameterError.of("weights", weights, count, "fuse")
    for name, weight in zip(names, listed, strict=True):
        if not is_number(weight) or not math.isfinite(weight):
            raise ParameterError.of(f"the weight of {shown(name)}", weight, ("a number", "数"), "fuse")
        if weight < 0:
            en, zh = f"the weight of ranking {shown(name)} is {weight:g}", f"排序结果 {shown(name)} 的权重为 {weight:g}"
            raise input_error("RG805", Phrase(en, zh))
    if not any(listed):
        raise input_error("RG805", Phrase("every weight is 0", "所有权重都为 0"))
    return tuple(map(float, listed))
