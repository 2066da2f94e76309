"""Tuning: what was chosen, what it seems to be worth, and what the choice is worth on other queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from rankgauge.errors import UnknownNameError
from rankgauge.evaluation.scores import Scores
from rankgauge.inputs.findings import Findings, ShownWithFindings
from rankgauge.metric_core.metric import Metric
from rankgauge.rendering.document import Document
from rankgauge.rendering.language import Phrase, check_lang, naming_rows
from rankgauge.rendering.plain import FrameResult, JsonResult, columns_of, finite_or_none
from rankgauge.segments import Floats, Ints
from rankgauge.stats.best_settings import BestResult
from rankgauge.stats.intervals import Interval
from rankgauge.tuning.costs import front
from rankgauge.tuning.cross_validation import CrossValidated, Procedure
from rankgauge.tuning.settings import Setting
from rankgauge.value_checks import is_number

SCHEMA = 1


class TuningOptions(NamedTuple):
    """How the setting was chosen and judged."""

    folds: int
    repeats: int
    resamples: int
    alpha: float
    seed: int
    method: str
    """The method of fusion of a grid, empty for rankings that are settings themselves."""
    units: int = 0
    """Number of queries, or of clusters of queries, that folds are made of."""


@dataclass(frozen=True, eq=False, repr=False)
class Tuning(ShownWithFindings, FrameResult, JsonResult):
    """The result of ``tune``. Gains and the optimism are positive where tuning is better, whatever the metric."""

    metric: Metric
    settings: tuple[Setting, ...]
    baseline_place: int
    values: Floats
    """Queries x settings."""
    queries: tuple[Any, ...]
    costs: Mapping[str, Floats]
    allowed: Ints
    """The settings within the limits."""
    procedure: Procedure
    best: BestResult
    options: TuningOptions
    scores: Scores

    def _public(self, place: int) -> Any:
        setting = self.settings[place]
        return dict(setting.parameters) if self.options.method else setting.name

    @property
    def _sign(self) -> float:
        return 1.0 if self.metric.definition.higher_is_better else -1.0

    @property
    def findings(self) -> Findings:
        """What was noticed in the data."""
        return self.scores.findings

    @property
    def chosen(self) -> Any:
        """The setting chosen on all queries: a dict of parameters with a grid, else the name of a ranking."""
        return self._public(self.procedure.chosen)

    @property
    def baseline(self) -> Any:
        """The setting that would be used without tuning."""
        return self._public(self.baseline_place)

    @cached_property
    def means(self) -> dict[str, float]:
        """The mean of each setting over all queries, by name."""
        return dict(zip((setting.name for setting in self.settings), self.values.mean(axis=0).tolist(), strict=True))

    @property
    def naive(self) -> float:
        """The value of the chosen setting on the queries it was chosen by."""
        return float(self.values[:, self.procedure.chosen].mean())

    @property
    def naive_gain(self) -> float:
        """How much better the chosen setting is than the baseline on the queries it was chosen by."""
        return float(self._sign * (self.naive - self.values[:, self.baseline_place].mean()))

    @property
    def honest(self) -> CrossValidated:
        """The cross-validated value of the tuned procedure, with ``.value``, ``.low`` and ``.high``."""
        value, low, high = self.procedure.honest
        ends = Interval(low, high)
        if self._sign < 0:
            value, ends = -value, Interval(-high, -low)
        return CrossValidated(value, *ends.cut(value, self.metric.definition.bounds))

    @property
    def gain(self) -> CrossValidated:
        """The cross-validated gain over the baseline, with ``.value``, ``.low`` and ``.high``."""
        value, low, high = self.procedure.gain
        least, most = self.metric.definition.bounds
        return CrossValidated(value, *Interval(low, high).cut(value, (least - most, most - least)))

    @property
    def optimism(self) -> float:
        """How much better the naive value looks than the honest one."""
        return self._sign * (self.naive - self.honest.value)

    @property
    def stability(self) -> dict[str, float]:
        """The share of bootstrap samples of the queries in which each setting is chosen, by name."""
        shares = self.procedure.stability.tolist()
        return {setting.name: share for setting, share in zip(self.settings, shares, strict=True)}

    @cached_property
    def plateau_places(self) -> list[int]:
        """The places of the settings that could be the best of those within the limits."""
        could = [*self.allowed[self.best.could_be_best].tolist()]
        return sorted({*could, self.procedure.chosen})

    @property
    def plateau(self) -> list[Any]:
        """The settings that could be the best (Hsu's multiple comparisons with the best), in declared order."""
        return [*map(self._public, self.plateau_places)]

    @cached_property
    def cheapest_place(self) -> int:
        """The place of the cheapest setting of the plateau."""
        if not self.costs:
            return self.plateau_places[0]
        rank = [*self.costs.values()]
        better = self._sign * self.values.mean(axis=0)
        return min(self.plateau_places, key=lambda place: (*(float(column[place]) for column in rank), -better[place]))

    @property
    def cheapest(self) -> Any:
        """The cheapest setting of the plateau, by the first column of costs; without costs, the first one declared."""
        return self._public(self.cheapest_place)

    @cached_property
    def front(self) -> dict[str, float]:
        """The settings on the Pareto front of quality and costs, with the share of samples in which each is on it."""
        if not self.costs:
            return {}
        on_front = front(self._sign * self.values.mean(axis=0)[None, :], self.costs)[0]
        shares = front(self.procedure.means, self.costs).mean(axis=0).tolist()
        return {setting.name: share for setting, share, on in zip(self.settings, shares, on_front, strict=True) if on}

    @cached_property
    def front_shares(self) -> list[float]:
        """The share of bootstrap samples in which each setting is on the Pareto front."""
        return front(self.procedure.means, self.costs).mean(axis=0).tolist() if self.costs else []

    def verdict(self, lang: str = "en") -> str:
        """Return in one sentence whether to use the chosen setting or to keep the default."""
        from rankgauge.tuning.tuning_document import verdict  # noqa: PLC0415 (imports this module)

        checked = check_lang(lang)
        with naming_rows(self.findings.rows):
            return verdict(self).render(checked)

    def document(self, lang: str = "en", *, digits: int = 4, rows: int | None = 20) -> Document:
        """Return the verdict, the estimates and a table of the settings, at most ``rows`` of them (None for all)."""
        from rankgauge.tuning.tuning_document import tuning_document  # noqa: PLC0415 (imports this module)

        checked = check_lang(lang)
        with naming_rows(self.findings.rows):
            return tuning_document(self, checked, digits, rows)

    def to_svg(self, x: str | None = None, lang: str = "en") -> str:
        """Return a picture of the quality of the settings over a cost or a numeric parameter, by default the first."""
        from rankgauge.tuning.quality_picture import quality_svg  # noqa: PLC0415

        return quality_svg(self, self.axis(x), check_lang(lang))

    @property
    def axes(self) -> list[str]:
        """The costs and the numeric parameters, over which a picture can show the settings."""
        names = self.parameter_names
        return [*self.costs, *(n for n in names if all(is_number(s.parameters.get(n)) for s in self.settings))]

    def axis(self, x: str | None) -> str:
        """Return the name of a cost or a numeric parameter; raise an error for an unknown one."""
        known = self.axes
        name = x if x is not None else next(iter(known), None)
        if name is None or name not in known:
            raise UnknownNameError.closest(Phrase("cost or numeric parameter", "成本或数值参数"), str(name), known)
        return name

    def positions(self, x: str) -> list[float]:
        """Return the cost or the parameter of each setting."""
        if x in self.costs:
            return self.costs[x].tolist()
        return [float(setting.parameters[x]) for setting in self.settings]

    @property
    def parameter_names(self) -> list[str]:
        """The names of all parameters."""
        return list(dict.fromkeys(name for setting in self.settings for name in setting.parameters))

    def rows(self) -> list[dict[str, Any]]:
        """Return plain data with a row for each setting, in declared order."""
        plateau, allowed = {*self.plateau_places}, {*self.allowed.tolist()}
        baseline = self.values[:, self.baseline_place].mean()
        result = []
        for place, setting in enumerate(self.settings):
            mean = float(self.values[:, place].mean())
            row = {"setting": setting.name, **{name: setting.parameters.get(name) for name in self.parameter_names}}
            row |= {"mean": mean, "gain": float(self._sign * (mean - baseline))}
            row |= {"chosen": float(self.procedure.stability[place]), "plateau": place in plateau}
            row |= {name: float(column[place]) for name, column in self.costs.items()}
            row |= {"front": self.front_shares[place]} if self.costs else {}
            row |= {"within_limits": place in allowed} if len(allowed) < len(self.settings) else {}
            result.append(row)
        return result

    def frame_columns(self) -> dict[str, list[Any]]:
        """Return a row for each setting, as columns."""
        return columns_of(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; None for what is not a number."""
        estimates = {name: getattr(self, name) for name in ("honest", "gain")}
        data = {
            "schema": SCHEMA,
            "metric": str(self.metric),
            "convention": self.scores.convention.to_dict(),
            "queries": len(self.queries),
            "options": self.options._asdict(),
            "baseline": self.baseline,
            "chosen": self.chosen,
            "naive": self.naive,
            "naive_gain": self.naive_gain,
            **{name: {"value": e.value, "low": e.low, "high": e.high} for name, e in estimates.items()},
            "optimism": self.optimism,
            "plateau": self.plateau,
            "cheapest": self.cheapest,
            "verdict": self.verdict(),
            "settings": self.rows(),
        }
        return dict(finite_or_none(data))

    def to_csv(self) -> str:
        """Return a row for each setting as CSV, with names that are safe for spreadsheets."""
        from rankgauge.evaluation.score_formats import table_text  # noqa: PLC0415

        rows = self.rows()
        return table_text(rows[0], (map(_cell, row.values()) for row in rows), ",")

    def __repr__(self) -> str:
        return f"<Tuning of {len(self.settings):,} settings by {self.metric}: {self.verdict()}>"


def _cell(value: Any) -> Any:
    return ":".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else value
