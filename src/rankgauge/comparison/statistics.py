"""The statistics of a comparison. Each is declared once; tables, notes, reports and plain data follow from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from rankgauge.rendering.language import Phrase
from rankgauge.rendering.number_texts import interval_text, number, p_text
from rankgauge.rendering.plain import finite_or_none

if TYPE_CHECKING:
    from rankgauge.comparison.metric_comparison import LeaderboardRow
    from rankgauge.comparison.pair import SystemPair

Kind = Literal["query", "corpus"]
"""Whether a metric has a value for each query, or one for all of them."""
BOTH: tuple[Kind, ...] = ("query", "corpus")


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """A statistic of a system, or of a pair of systems; the functions take a ``LeaderboardRow`` or a ``SystemPair``."""

    key: str
    data: Mapping[str, Callable[[Any], object]] = field(default_factory=dict)
    """Its numbers by their names in plain data."""
    title: Phrase | Mapping[Kind, Phrase] = field(default=Phrase("", ""))
    """The title of its column, which may name ``{level}``."""
    text: Callable[[Any, str], str] | None = None
    """Returns its cell for a format of numbers, such as ``.4f``; None if no table shows it."""
    of: tuple[Kind, ...] = BOTH
    """The metrics that have it; for others it is None in plain data."""
    shown: tuple[Kind, ...] | None = None
    """The metrics whose table shows it, by default all that have it."""
    align: str = "r"
    optional: bool = False
    """Whether a narrow terminal leaves it out."""
    test: Phrase | None = None
    """The test that it is the p-value of, for the note on the method."""
    note: Phrase | None = None
    """A further sentence of that note. It may name every setting, as in ``{tie:g}``."""

    def is_shown(self, kind: Kind) -> bool:
        """Return whether the table of such a metric has a column for it."""
        return self.text is not None and kind in (self.of if self.shown is None else self.shown)

    def title_of(self, kind: Kind) -> Phrase:
        """Return the title of the column for such a metric."""
        return self.title if isinstance(self.title, Phrase) else self.title[kind]

    def cell(self, row: LeaderboardRow | SystemPair, form: str) -> str:
        """Return the text of its column."""
        return "" if self.text is None else self.text(row, form)


INTERVAL = Phrase("{level} interval", "{level} 区间")
SYSTEM_STATISTICS = [
    Statistic(
        key="rank", data={"rank": lambda row: row.rank}, title=Phrase("rank", "名次"), text=lambda row, _: str(row.rank)
    ),
    Statistic(
        key="system",
        data={"system": lambda row: row.system},
        title=Phrase("system", "系统"),
        text=lambda row, _: row.system,
        align="l",
    ),
    Statistic(
        key="mean",
        data={"mean": lambda row: row.mean},
        title={"query": Phrase("mean", "均值"), "corpus": Phrase("value", "值")},
        text=lambda row, form: number(row.mean, form),
    ),
    Statistic(
        key="interval",
        data={"interval_low": lambda row: row.interval.low, "interval_high": lambda row: row.interval.high},
        title=INTERVAL,
        text=lambda row, form: interval_text(row.interval, form),
        align="l",
    ),
    Statistic(
        key="bootstrap interval",
        data={
            "bootstrap_low": lambda row: row.bootstrap_interval.low,
            "bootstrap_high": lambda row: row.bootstrap_interval.high,
        },
    ),
    Statistic(
        key="median",
        data={"median": lambda row: row.median},
        title=Phrase("median", "中位数"),
        text=lambda row, form: number(row.median, form),
        shown=("query",),
        optional=True,
    ),
    Statistic(
        key="sd",
        data={"deviation": lambda row: row.deviation},
        title=Phrase("sd", "标准差"),
        text=lambda row, form: number(row.deviation, form),
        shown=("query",),
        optional=True,
    ),
    Statistic(
        key="ranks",
        data={"rank_low": lambda row: row.ranks[0], "rank_high": lambda row: row.ranks[1]},
        title=Phrase("rank interval", "名次区间"),
        text=lambda row, _: "-".join(map(str, dict.fromkeys(row.ranks))),
        optional=True,
    ),
    Statistic(
        key="group",
        data={"group": lambda row: row.group},
        title=Phrase("group", "组"),
        text=lambda row, _: row.group,
        align="l",
    ),
]
"""The statistics of a system, in the order of the leaderboard."""

PAIR_STATISTICS = [
    Statistic(
        key="pair",
        data={
            "metric": lambda pair: pair.metric,
            "first": lambda pair: pair.first,
            "second": lambda pair: pair.second,
            "queries": lambda pair: pair.queries,
        },
        title=Phrase("pair", "比较"),
        text=lambda pair, _: f"{pair.second} − {pair.first}",
        align="l",
    ),
    Statistic(
        key="means", data={"mean_first": lambda pair: pair.mean_first, "mean_second": lambda pair: pair.mean_second}
    ),
    Statistic(
        key="difference",
        data={"difference": lambda pair: pair.difference},
        title=Phrase("difference", "差异"),
        text=lambda pair, form: number(pair.difference, f"+{form}"),
    ),
    Statistic(
        key="interval",
        data={"interval_low": lambda pair: pair.interval.low, "interval_high": lambda pair: pair.interval.high},
        title=INTERVAL,
        text=lambda pair, form: interval_text(pair.interval, f"+{form}"),
        align="l",
    ),
    Statistic(
        key="bootstrap interval",
        data={
            "bootstrap_low": lambda pair: pair.bootstrap_interval.low,
            "bootstrap_high": lambda pair: pair.bootstrap_interval.high,
        },
    ),
    Statistic(
        key="effect",
        of=("query",),
        data={"deviation": lambda pair: pair.deviation, "hedges_g": lambda pair: pair.hedges_g},
    ),
    Statistic(
        key="d_z",
        of=("query",),
        data={"d_z": lambda pair: pair.d_z},
        title=Phrase("d_z", "d_z"),
        text=lambda pair, _: number(pair.d_z, "+.2f"),
        optional=True,
    ),
    Statistic(
        key="w/t/l",
        of=("query",),
        data={"wins": lambda pair: pair.wins, "ties": lambda pair: pair.ties, "losses": lambda pair: pair.losses},
        title=Phrase("W/T/L", "胜/平/负"),
        text=lambda pair, _: f"{pair.wins}/{pair.ties}/{pair.losses}",
        optional=True,
        note=Phrase(
            "W/T/L: queries won, tied (up to {tie:g}) and lost.",
            "胜/平/负：获胜、持平（不超过 {tie:g}）与落败的查询数。",
        ),
    ),
    Statistic(
        key="p t",
        of=("query",),
        data={"p_t": lambda pair: pair.t.p, "t": lambda pair: pair.t.statistic},
        title=Phrase("p (t)", "p（t）"),
        text=lambda pair, _: p_text(pair.t.p),
        optional=True,
        test=Phrase("paired t test", "配对 t 检验"),
    ),
    Statistic(
        key="p randomisation",
        of=("query",),
        data={"p_randomisation": lambda pair: pair.randomisation},
        title=Phrase("p (rand.)", "p（随机化）"),
        text=lambda pair, _: p_text(pair.randomisation),
        optional=True,
        test=Phrase("randomisation test ({randomisation})", "随机化检验（{randomisation}）"),
    ),
    Statistic(
        key="other tests",
        of=("query",),
        data={"p_wilcoxon": lambda pair: pair.wilcoxon.p, "p_sign": lambda pair: pair.sign.p},
    ),
    Statistic(
        key="p bootstrap",
        data={"p_bootstrap": lambda pair: pair.bootstrap},
        title=Phrase("p (bootstrap)", "p（自助法）"),
        text=lambda pair, _: p_text(pair.bootstrap),
        shown=("corpus",),
    ),
    Statistic(
        key="p corrected",
        data={
            "p_corrected": lambda pair: pair.corrected,
            "family": lambda pair: pair.family,
            "significant": lambda pair: pair.significant,
            "randomisation_exact": lambda pair: pair.kind == "query" and pair.exact,
        },
        title=Phrase("p corrected", "校正后 p"),
        text=lambda pair, _: p_text(pair.corrected),
    ),
    Statistic(key="detectable", of=("query",), data={"detectable": lambda pair: pair.detectable}),
]
"""The statistics of a pair, in the order of its table."""


def plain_data(statistics: list[Statistic], row: LeaderboardRow | SystemPair, kind: Kind) -> dict[str, Any]:
    """Return all numbers of a row as plain data; None for what is not a number or not applicable."""
    data = {
        name: value(row) if kind in statistic.of else None
        for statistic in statistics
        for name, value in statistic.data.items()
    }
    return dict(finite_or_none(data))
