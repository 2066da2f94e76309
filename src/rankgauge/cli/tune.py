"""``rankgauge tune``: choose a setting, and see what the choice is worth on other queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankgauge.cli import values
from rankgauge.cli.command import Option, OptionGroup, define_command
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import COSTS, SYSTEMS, Systems
from rankgauge.cli.output import DOCUMENTS, PICTURES, Output, output_options
from rankgauge.cli.setting_options import setting_option
from rankgauge.cli.summaries import COMMANDS
from rankgauge.comparison.settings import SETTINGS

SHARED = tuple(setting_option(setting) for setting in SETTINGS if setting.name in {"alpha", "seed", "digits"})
METRICS = 1


@dataclass(frozen=True)
class Sweep:
    """What is tried, what it costs and how the choice is judged."""

    method: str | None
    grid: tuple[str, ...]
    baseline: str | None
    settings: str | None
    clusters: str | None
    costs: str | None
    limits: tuple[str, ...]
    folds: int
    repeats: int
    resamples: int

    def keywords(self, rankings: Callable[[], Mapping[str, str]]) -> dict[str, Any]:
        """Return the arguments of ``tune``."""
        from rankgauge.tuning.settings import parameters_of_name

        grid = {name: _values(name, text) for name, text in values.parse_pairs(self.grid, "--grid", "k=10,60").items()}
        table = None
        if self.settings is not None:
            table = {name: parameters_of_name(self.settings, Path(path).name) for name, path in rankings().items()}
        return {
            "method": self.method,
            "grid": grid or None,
            "baseline": _baseline(self.baseline, bool(grid)),
            "settings": table,
            "clusters": self.clusters,
            "costs": self.costs,
            "limits": self.limits,
            "folds": self.folds,
            "repeats": self.repeats,
            "resamples": self.resamples,
        }


SWEEP = OptionGroup(
    "sweep",
    Sweep,
    (
        Option(
            "--grid PARAMETER=VALUES",
            "Fuse the rankings with every combination: k=10,60 or weights=0.3:0.7,0.5:0.5. Repeatable. Without it each "
            "ranking is a setting.",
            "用所有组合融合排序结果：k=10,60 或 weights=0.3:0.7,0.5:0.5。可重复。不写时每个排序结果是一个设置。",
            multiple=True,
        ),
        Option(
            "--method NAME", "Method of fusion of the grid; see: rankgauge fuse.", "网格的融合方法；见 rankgauge fuse。"
        ),
        Option(
            "--baseline SETTING",
            "The default setting: a name, or parameters such as k=60,weights=0.5:0.5; by default the first.",
            "默认设置：名称，或参数如 k=60,weights=0.5:0.5；默认为第一个。",
            listed=True,
        ),
        Option(
            "--settings PATTERN",
            'Parameters in the names of the files, such as "{model}_{k}.run".',
            '文件名中的参数，如 "{model}_{k}.run"。',
        ),
        Option(
            "--clusters FILE|RULE",
            "Queries that stay in one fold: a table of queries and clusters, or a rule such as 'before last _'.",
            "须在同一折内的查询：查询与分组的表，或 'before last _' 这样的规则。",
        ),
        COSTS,
        Option(
            "--limit limits",
            'Choose only settings within a limit, such as "p95_ms < 200". Repeatable.',
            '只在满足限制的设置中选择，如 "p95_ms < 200"。可重复。',
            multiple=True,
        ),
        Option("--folds", "Number of folds.", "折数。", least=2, default=5),
        Option("--repeats", "Number of random partitions into folds.", "随机划分的次数。", least=1, default=20),
        Option(
            "--resamples",
            "Number of bootstrap samples of the procedure.",
            "对整个过程的 bootstrap 抽样次数。",
            least=2,
            default=1_000,
        ),
    ),
)


@define_command(
    COMMANDS["tune"],
    """With --grid the rankings are fused with every combination of parameters; without it each ranking is a setting,
    such as a chunk size or a model. The value of the tuned procedure is cross-validated; the verdict may be to keep the
    default. svg shows the quality over a cost or a parameter. Without -m: nDCG@10.""",
    """写 --grid 时，用参数的所有组合融合排序结果；不写时，每个排序结果是一个设置，如文本块大小或模型。
    调参过程的价值由交叉验证得出；结论可能是保留默认设置。svg 显示质量随成本或参数的变化。不写 -m 时为 nDCG@10。""",
    *SYSTEMS.listed,
    SWEEP,
    Option(
        "--over NAME", "Cost or parameter of the picture; by default the first.", "图的横轴：成本或参数；默认为第一个。"
    ),
    Option(
        "--all every",
        "List every setting; by default the best 20.",
        "列出所有设置；默认只列最好的 20 个。",
        is_flag=True,
    ),
    *SHARED,
    output_options((*DOCUMENTS, "json", "csv", *PICTURES)),
    SYSTEMS,
    examples="""
    # which weights, and are they worth it? | 哪组权重，值得吗？
    rankgauge tune judgments.csv keywords.csv embeddings.csv -m nDCG@5 --folds 3 --grid k=10,60 --grid weights=1:1,1:2
    # stored rankings as settings | 存好的排序结果作为设置
    rankgauge tune judgments.csv keywords.csv embeddings.csv -m nDCG@5 --folds 3 -t json
    """,
)
def command(
    sweep: Sweep, over: str | None, every: bool, alpha: float, seed: int, digits: int, output: Output, systems: Systems
) -> None:
    """Tune settings and write the result."""
    from rankgauge.tuning.tune import tune

    if len(systems.metrics) > METRICS:
        raise usage_error("tune chooses by one metric; pass -m once", "tune 按一个指标选择；-m 只能写一次")

    def one_metric(judgments: Any, rankings: Any = None, metrics: Any = None, **keywords: Any) -> Any:
        return tune(judgments, rankings, metrics[0] if metrics else None, **keywords)

    result = systems.call(one_metric, **sweep.keywords(systems.ranking_files), alpha=alpha, seed=seed)
    systems.write_findings(result.findings)
    output.show(
        lambda: result.document(language(), digits=digits, rows=None if every else 20),
        json=lambda: result.to_json(indent=1),
        csv=result.to_csv,
        svg=lambda: result.to_svg(over, language()),
    )


def _values(name: str, text: str) -> list[Any]:
    """Parse the values of a parameter of a grid."""
    from rankgauge.tuning.settings import check_parameter

    check_parameter(name)
    return [_value(name, part.strip()) for part in text.split(",")]


def _value(name: str, text: str) -> Any:
    if name in {"method", "norm", "missing"}:
        return text
    try:
        if name == "weights":
            return [float(part) for part in text.split(":")]
        return int(text) if name == "depth" or text.isdecimal() else float(text)
    except ValueError:
        raise usage_error(
            "--grid {name}: {text} is not a number", "--grid {name}：{text} 不是数", name=name, text=text
        ) from None


def _baseline(text: str | None, in_grid: bool) -> Any:
    """Parse the baseline: a name, or parameters of a grid."""
    if text is None or not in_grid:
        return text
    pairs = values.parse_pairs(text.split(","), "--baseline", "k=60")
    return {name: _value(name, part) for name, part in pairs.items()}
