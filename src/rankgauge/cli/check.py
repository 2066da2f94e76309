"""``rankgauge check``: a quality gate for continuous integration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgauge.cli.command import Argument, Option, define_command
from rankgauge.cli.localization import language
from rankgauge.cli.options import EVALUATION, FILE, JUDGMENTS, EvaluationOptions
from rankgauge.cli.output import Output, output_options

if TYPE_CHECKING:
    from rankgauge.gate.result import GateResult

FAILED = 1


@define_command(
    """Fail if a ranking regressed beyond a threshold.

    Exit codes: 0 no condition is met, 1 at least one is, 2 usage, 3 invalid input, 4 nothing to evaluate. "drops 0.01"
    means by 0.01 or more; "drops 2%" by 2% of the baseline or more; "drops significantly" that the mean fell and the
    two-sided paired t-test gives p < 0.05, or another level: "significantly (0.01)". "rises" is the opposite.""",
    """排序结果退步超过阈值时报错，用作 CI 质量门禁。

    退出码：0 没有条件成立，1 至少一个条件成立，2 用法错误，3 输入无效，4 没有可评测的内容。
    drops 0.01 指下降 0.01 或更多；drops 2% 指下降基线的 2% 或更多；drops significantly 指均值下降，
    且双侧配对 t 检验 p < 0.05，也可写明水平：significantly (0.01)。rises 与之相反。""",
    JUDGMENTS,
    Argument("ranking", "[RANKING]", type=FILE, required=False),
    Option(
        "--baseline FILE",
        "A ranking, or the JSON written by Scores.to_json or eval -t json.",
        "一个排序结果，或 Scores.to_json 或 eval -t json 写出的 JSON。",
    ),
    Option(
        "--fail-if conditions CONDITION",
        "When to fail: 'nDCG@10 < 0.42', 'nDCG@10 drops 0.01', 'AP drops 2%' or 'AP drops significantly'. Repeatable.",
        "何时失败：'nDCG@10 < 0.42'、'nDCG@10 drops 0.01'、'AP drops 2%' 或 'AP drops significantly'。可重复。",
        multiple=True,
        required=True,
    ),
    Option("--worst", "Number of queries to list for each failure.", "每项失败列出多少个查询。", least=0, default=5),
    output_options(("text", "json", "junit", "md")),
    EVALUATION,
    examples="""
    # fail if the mean fell by 0.01 or more | 均值下降 0.01 或更多时失败
    rankgauge check judgments.csv embeddings.csv --baseline keywords.csv --fail-if 'nDCG@5 drops 0.01'
    # several conditions | 多个条件
    rankgauge check judgments.csv embeddings.csv --baseline keywords.csv --fail-if 'AP drops 2%' \
--fail-if 'AP drops significantly' --fail-if 'RR < 0.5'
    # as JUnit XML | 输出 JUnit XML
    rankgauge check judgments.csv embeddings.csv --fail-if 'nDCG@5 < 0.4' -t junit
    # as Markdown, for the summary of a CI job | 输出 Markdown，用作 CI 任务的摘要
    rankgauge check judgments.csv embeddings.csv --fail-if 'nDCG@5 < 0.4' -t md
    """,
)
def command(
    judgments: str,
    ranking: str | None,
    baseline: str | None,
    conditions: tuple[str, ...],
    worst: int,
    output: Output,
    evaluation: EvaluationOptions,
) -> int:
    """Check a ranking; the exit code is 1 if a condition is met."""
    from rankgauge.evaluation.value_files import read_scores
    from rankgauge.evaluation.value_formats import holds_values
    from rankgauge.gate.check import check

    if ranking is None and holds_values(judgments):
        before = None if baseline is None else read_scores(baseline, split=evaluation.split)
        result = check(
            read_scores(judgments, split=evaluation.split), conditions=conditions, baseline=before, worst=worst
        )
        return _write(result, output, evaluation)
    keywords = evaluation.keywords(*(path for path in (judgments, ranking, baseline) if path is not None))
    sides: tuple[Any, Any] = judgments, ranking
    if ranking is None:
        data = evaluation.read_both(judgments)
        sides = data.judgments, data.ranking
    result = check(*sides, conditions, baseline=baseline, worst=worst, **keywords)
    return _write(result, output, evaluation)


def _write(result: GateResult, output: Output, evaluation: EvaluationOptions) -> int:
    """Write the result, and return the exit code."""
    evaluation.write_findings(result.scores.findings)
    output.show(
        text=lambda: result.to_text(language(), output.width),
        json=lambda: result.to_json(indent=1),
        junit=result.to_junit,
        md=lambda: result.document(language()).to_markdown(),
    )
    return 0 if result.passed else FAILED
