"""``rankgauge check``: a quality gate for continuous integration."""

from __future__ import annotations

from typing import Any

from rankgauge.cli.command import Option, define_command
from rankgauge.cli.localization import language
from rankgauge.cli.options import EVALUATION, JUDGMENTS, RANKINGS, EvaluationOptions, digits_option
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.values import parse_rankings

FAILED = 1


@define_command(
    "decide",
    """Fail if a ranking regressed beyond a threshold.

    Exit codes: 0 no condition is met, 1 at least one is, 2 usage, 3 invalid input, 4 nothing to evaluate. "drops 0.01"
    means by 0.01 or more; "drops 2%" by 2% of the baseline or more; "drops significantly" that the mean fell and the
    two-sided paired t-test gives p < 0.05, or another level: "significantly (0.01)". "rises" is the opposite.""",
    """排序结果退步超过阈值时报错，用作 CI 质量门禁。

    退出码：0 没有条件成立，1 至少一个条件成立，2 用法错误，3 输入无效，4 没有可评测的内容。
    drops 0.01 指下降 0.01 或更多；drops 2% 指下降基线的 2% 或更多；drops significantly 指均值下降，
    且双侧配对 t 检验 p < 0.05，也可写明水平：significantly (0.01)。rises 与之相反。""",
    JUDGMENTS,
    RANKINGS,
    Option(
        "--baseline NAME|FILE",
        "What drops and rises refer to: the name of one of two rankings, the file of a ranking, or the JSON written by "
        "Scores.to_json or eval -t json.",
        "drops 与 rises 的参照：两个排序结果之一的名称、排序结果的文件，"
        "或 Scores.to_json 或 eval -t json 写出的 JSON。",
    ),
    Option(
        "--fail-if CONDITION",
        "When to fail: 'nDCG@10 < 0.42', 'nDCG@10 drops 0.01', 'AP drops 2%' or 'AP drops significantly'. Repeatable.",
        "何时失败：'nDCG@10 < 0.42'、'nDCG@10 drops 0.01'、'AP drops 2%' 或 'AP drops significantly'。可重复。",
        multiple=True,
        required=True,
    ),
    Option("--worst", "Number of queries to list for each failure.", "每项失败列出多少个查询。", least=0, default=5),
    output_options(("text", "json", "junit", "md")),
    EVALUATION,
    digits_option(6),
    examples="""
    # fail if the mean fell by 0.01 or more | 均值下降 0.01 或更多时失败
    rankgauge check judgments.csv embeddings.csv --baseline keywords.csv --fail-if 'nDCG@5 drops 0.01'
    # the baseline among the rankings | 基线在所给的排序结果之中
    rankgauge check judgments.csv old=keywords.csv new=embeddings.csv --baseline old --fail-if 'AP drops 2%'
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
    rankings: tuple[str, ...],
    baseline: str | None,
    fail_if: tuple[str, ...],
    worst: int,
    output: Output,
    evaluation: EvaluationOptions,
    digits: int,
) -> int:
    """Check a ranking; the exit code is 1 if a condition is met."""
    from rankgauge.evaluation.value_files import read_scores
    from rankgauge.evaluation.value_formats import holds_values
    from rankgauge.gate.check import check

    if not rankings and holds_values(judgments):
        before = None if baseline is None else read_scores(baseline, split=evaluation.split)
        scores = read_scores(judgments, split=evaluation.split)
        result = check(scores, fail_if=fail_if, baseline=before, worst=worst)
    else:
        named = parse_rankings(rankings)
        files = (judgments, *named.values(), *([] if baseline is None or baseline in named else [baseline]))
        keywords = evaluation.keywords(*files)
        sides: tuple[Any, Any] = judgments, next(iter(named.values())) if len(named) == 1 else named
        if not named:
            data = evaluation.read_both(judgments)
            sides = data.judgments, data.ranking if len(data.rankings) == 1 else data.rankings
        result = check(*sides, fail_if, baseline=baseline, worst=worst, **keywords)
    evaluation.write_findings(result.scores.findings)
    output.show(
        text=lambda: result.to_text(language(), output.width, digits=digits),
        json=lambda: result.to_json(indent=1),
        junit=lambda: result.to_junit(digits=digits),
        md=lambda: result.document(language(), digits=digits).to_markdown(),
    )
    return 0 if result.passed else FAILED
