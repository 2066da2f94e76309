"""``rankgauge check``: a quality gate for continuous integration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rankgauge.cli.command import Argument, Option, define_command
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import EVALUATION, JUDGMENTS, STORE, EvaluationOptions, digits_option, opened_file
from rankgauge.cli.output import Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.cli.values import parse_rankings

FAILED, UNDECIDED = 1, 5


@define_command(
    COMMANDS["check"],
    """Exit codes: 0 no condition is met, 1 at least one is, 2 usage, 3 invalid input, 4 nothing to evaluate, 5
    inconclusive (with --conclusive). "drops 0.01"
    means by 0.01 or more; "drops 2%" by 2% of the baseline or more; "drops significantly" that the mean fell and the
    two-sided paired t-test gives p < 0.05, or another level: "significantly (0.01)". "rises" is the opposite.""",
    """退出码：0 没有条件成立，1 至少一个条件成立，2 用法错误，3 输入无效，4 没有可评测的内容，
    5 无定论（使用 --conclusive 时）。
    drops 0.01 指下降 0.01 或更多；drops 2% 指下降基线的 2% 或更多；drops significantly 指均值下降，
    且双侧配对 t 检验 p < 0.05，也可写明水平：significantly (0.01)。rises 与之相反。""",
    JUDGMENTS,
    Argument("rankings", "[RANKING...]", nargs=-1, type=FILE),  # a ranking may be checked against itself
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
    Option(
        "--against RUN",
        "A run of the history as the baseline: history:NAME, the latest comparable run of that name, or history:ID.",
        "以历史中的记录为基线：history:名称（该名称最近的可比较记录）或 history:编号。",
    ),
    STORE,
    Option(
        "--min-effect",
        "A change smaller than this does not count as significant.",
        "小于此值的变化不算显著。",
        type=float,
        default=0.0,
    ),
    Option(
        "--conclusive",
        "Exit with 5 if no condition is met, but one is inconclusive: its interval spans the threshold.",
        "没有条件成立、但有检查无定论（区间跨越阈值）时，以退出码 5 结束。",
        is_flag=True,
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
    against: str | None,
    store: Path | None,
    min_effect: float,
    conclusive: bool,
    worst: int,
    output: Output,
    evaluation: EvaluationOptions,
    digits: int,
) -> int:
    """Check a ranking; the exit code is 1 if a condition is met."""
    from rankgauge.evaluation.value_files import read_means, read_scores
    from rankgauge.evaluation.value_recognition import holds_values
    from rankgauge.gate.check import HISTORY, check
    from rankgauge.gate.conditions import parse_condition
    from rankgauge.matching.data import read_same_judgments
    from rankgauge.matching.systems import pick_one

    if against is not None:
        if baseline is not None or not against.startswith(HISTORY):
            raise usage_error(
                "--against takes history:NAME, and no --baseline",
                "--against 应写作 history:名称，且不与 --baseline 同用",
            )
        baseline = against
    rules: dict[str, Any] = {"worst": worst, "min_effect": min_effect, "conclusive": conclusive, "store": store}
    if not rankings and holds_values(judgments):
        before = None if baseline is None else read_scores(baseline, split=evaluation.split)
        if before is not None and len(before.systems) > 1:
            raise pick_one("check", baseline, before.systems)
        absolute = not conclusive and not any(parse_condition(text).compares for text in fail_if)
        means = read_means(judgments) if absolute else None
        scores = read_scores(judgments, split=evaluation.split) if means is None else means
        if len(scores.systems) > 1:
            raise pick_one("check", judgments, scores.systems)
        result = check(scores, fail_if=fail_if, baseline=before, **rules)
    else:
        named = parse_rankings(rankings)
        files = (judgments, *named.values(), *([] if baseline is None or baseline in named or against else [baseline]))
        keywords = evaluation.keywords(*files)
        ranking: Any = next(iter(named.values())) if len(named) == 1 else named or None
        judged: Any = judgments
        if rankings and judgments not in named.values():
            files_of_each = parse_rankings((judgments, *rankings))
            opened = {name: opened_file(path) for name, path in files_of_each.items()}
            if (sides := read_same_judgments(opened, keywords["read_options"])) is not None:
                judged, ranking = sides
                baseline = next((name for name, path in files_of_each.items() if path == baseline), baseline)
        result = check(judged, ranking, fail_if, baseline=baseline, **rules, **keywords)
    is_shown = output.path is None and output.to in {"text", "md"}  # with its warnings, on the same terminal or log
    evaluation.write_findings(result.findings, notes_only=is_shown)
    output.show(
        text=lambda: result.to_text(language(), output.width, digits=digits),
        json=lambda: result.to_json(indent=1),
        junit=lambda: result.to_junit(digits=digits),
        md=lambda: result.document(language(), digits=digits).to_markdown(),
    )
    return 0 if result else UNDECIDED if result.passed else FAILED
