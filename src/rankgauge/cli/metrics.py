"""``rankgauge metrics``: the metrics, and a page about each."""

from __future__ import annotations

from rankgauge.cli.command import Argument, define_command
from rankgauge.cli.localization import language
from rankgauge.cli.output import DOCUMENTS, Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.cli.values import metric_names


@define_command(
    COMMANDS["metrics"],
    """NAME is the name of a metric, or a word to search for.""",
    """名称是指标的名称，或要查找的词。""",
    Argument("name", "[NAME]", default="", shell_complete=metric_names),
    output_options((*DOCUMENTS, "json")),
    examples="""
    # all metrics by family | 按类别列出所有指标
    rankgauge metrics
    # those with a word in their name or meaning | 名称或含义中有某个词的指标
    rankgauge metrics precision
    # formula, parameters, rules, laws and reference | 公式、参数、规则、性质与出处
    rankgauge metrics nDCG
    # as data, in Chinese | 输出为中文数据
    rankgauge metrics --lang zh -t json
    """,
)
def command(name: str, output: Output) -> None:
    """Write the list of metrics or the page of one."""
    from rankgauge.metric_core.description import Overview, document, summary
    from rankgauge.metric_core.notation import parse

    overview = Overview(name)
    matches = overview.definitions()
    exact = [entry for entry in matches.values() if name in {entry.name, *entry.aliases, *entry.trec}]
    definition = exact[0] if exact else next(iter(matches.values())) if len(matches) == 1 else None
    if not matches:
        definition = parse(name).definition  # raises an error that suggests a name
    output.show(
        lambda: document(definition, language()) if definition else overview.document(language()),
        json=lambda: summary(definition, language()) if definition else overview.to_list(language()),
    )
