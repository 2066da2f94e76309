"""``rankgauge judges``: agreement of judges and people, corrected metrics, planning and drift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from rankgauge.cli import values
from rankgauge.cli.command import Argument, Option, OptionGroup, define_command
from rankgauge.cli.item_options import FILE, SLICES, SliceOptions
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import ALPHA, EVALUATION, METRICS, EvaluationOptions, digits_option
from rankgauge.cli.output import DOCUMENTS, Output, output_options, to_csv
from rankgauge.cli.summaries import COMMANDS
from rankgauge.rendering.document import Document
from rankgauge.rendering.language import Phrase

ACTIONS = ("agree", "correct", "plan", "drift", "export")
EXPORTS = ("csv", "trec", "quepid", "workbench")
"""Formats of labels for other programs."""
FEWEST = {"agree": 1, "correct": 2, "plan": 3, "drift": 1, "export": 1}
"""Files that each action needs."""
CSV_OF = {(action, "csv") for action in ACTIONS}
"""Every action writes CSV."""
FILES_OF = {
    "agree": "[PEOPLE] JUDGE [RANKING...]",
    "correct": "MODEL PEOPLE [RANKING...]",
    "plan": "MODEL PEOPLE RANKING...",
    "drift": "BEFORE [AFTER] [PEOPLE]",
    "export": "LABELS... --to csv|trec|quepid|workbench",
}
NEEDED = Phrase("use: rankgauge judges {action} {files}", "用法：rankgauge judges {action} {files}")


@dataclass(frozen=True)
class JudgeOptions:
    """How labels are combined, and what is estimated."""

    target: str
    estimator: str
    strata: str | None
    clusters: str | None
    sample: str | None
    combine: str
    adjudicator: str
    scale: str | None
    rel: float
    half_width: float
    alpha: float

    @property
    def raters(self) -> dict[str, Any]:
        """How the labels of several people become one."""
        return {"combine": self.combine, "adjudicator": self.adjudicator, "alpha": self.alpha}

    @property
    def ends(self) -> tuple[float, float] | None:
        """The lowest and the highest grade."""
        if self.scale is None:
            return None
        numbers = values.parse_grades(self.scale, "--scale")
        if len(numbers) != 2 or None in numbers:  # noqa: PLR2004
            raise usage_error(
                "--scale: write the lowest and the highest grade: 0,4", "--scale：请写最低与最高等级：0,4"
            )
        return float(numbers[0] or 0), float(numbers[1] or 0)

    def estimates(self) -> dict[str, Any]:
        """Return the keywords of corrected metrics."""
        chosen = {
            "target": self.target.replace("-", " "),
            "estimator": self.estimator,
            "sample": self.sample,
            "scale": self.ends,
        }
        return {**chosen, "strata": self.strata, "clusters": self.clusters, **self.raters}


def choice(*names: str) -> Any:
    """Return the type of an option with these values."""
    return click.Choice([*names])


JUDGING = OptionGroup(
    "judging",
    JudgeOptions,
    (
        Option(
            "--target",
            "What is estimated.",
            "估计的目标。",
            type=choice("these-queries", "queries-like-these"),
            default="these-queries",
        ),
        Option("--estimator", "The estimator.", "估计方法。", type=choice("regression", "ppi++"), default="regression"),
        Option("--strata FILE", "Strata of the queries: columns query and strata.", "查询的分层：query 与 strata 列。"),
        Option(
            "--clusters FILE",
            "Clusters of the queries: columns query and clusters.",
            "查询的聚类：query 与 clusters 列。",
        ),
        Option(
            "--sample",
            "State that labels were drawn at random, so that this is not tested.",
            "声明标签是随机抽取的，因此不作检验。",
            type=choice("random"),
        ),
        Option(
            "--combine",
            "How several raters become one.",
            "多位评分者如何合成一个等级。",
            type=choice("majority", "mean", "adjudicated", "optimistic", "pessimistic"),
            default="majority",
        ),
        Option("--adjudicator NAME", "The rater who decides.", "作裁定的评分者。", default="adjudicator"),
        Option("--scale LOW,HIGH", "The lowest and the highest grade.", "最低与最高等级。", listed=True),
        Option(
            "--rel",
            "Without rankings: the lowest relevant grade.",
            "无排序结果时相关的最低等级。",
            type=float,
            default=1,
        ),
        Option("--half-width", "For plan: the wanted half width.", "用于 plan：期望的半宽。", type=float, default=0.02),
        ALPHA,
    ),
)


@define_command(
    COMMANDS["judges"],
    """agree PEOPLE JUDGE [RANKING...]: how far they agree on the same pairs; with rankings, also by rank. One file with
    a column of raters holds several.

    correct MODEL PEOPLE [RANKING...]: metrics by the model on all queries, corrected by labels of people on some;
    without rankings, the share of relevant items.

    plan MODEL PEOPLE RANKING...: labels needed for --half-width, from the labels of a pilot.

    drift BEFORE AFTER [PEOPLE]: how a judge changed; with people, how its agreement with them changed.

    export LABELS...: for other programs, --to trec (qrels), csv, quepid (a book) or workbench (OpenSearch).""",
    """agree PEOPLE JUDGE [RANKING...]：在同样的查询与物品上二者有多一致；给出排序结果时还按名次分析。
    一个带评分者列的文件可含多位评分者。

    correct MODEL PEOPLE [RANKING...]：按模型在全部查询上计算指标，并用人在部分查询上的标签修正；
    没有排序结果时修正相关物品的比例。

    plan MODEL PEOPLE RANKING...：由试标的标签推算达到 --half-width 所需的标签数。

    drift BEFORE AFTER [PEOPLE]：评判模型的变化；给出人的标签时，看它与人的一致性如何变化。

    export LABELS...：为其他程序写出标签，--to trec（qrels）、csv、quepid（book）或 workbench（OpenSearch）。""",
    Argument("action", "agree|correct|plan|drift|export", type=choice(*ACTIONS)),
    Argument("files", "FILE...", nargs=-1, required=True, type=FILE),
    METRICS,
    JUDGING,
    SLICES,
    digits_option(4),
    output_options((*DOCUMENTS, "json", *EXPORTS)),
    EVALUATION,
    examples="""
    # how far do judge and people agree? | 评判模型与人有多一致？
    rankgauge judges agree judgments.csv judge.csv
    # metrics by the judge, corrected by people | 用人的标签修正评判模型给出的指标
    rankgauge judges correct judge.csv judgments.csv keywords.csv embeddings.csv -m nDCG@5
    # how many labels are needed? | 需要多少标签？
    rankgauge judges plan judge.csv judgments.csv keywords.csv -m nDCG@5 --half-width 0.1
    # did the judge change? | 评判模型变了吗？
    rankgauge judges drift judge.csv judgments.csv
    # labels as a Quepid book | 把标签写成 Quepid book
    rankgauge judges export judge.csv --to quepid
    """,
)
def command(
    action: str,
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    judging: JudgeOptions,
    slices: SliceOptions,
    digits: int,
    output: Output,
    evaluation: EvaluationOptions,
) -> None:
    """Write the result of an action."""
    from rankgauge.judging import judges

    if len(files) < FEWEST[action] or (action == "drift" and len(files) > 3):  # noqa: PLR2004
        raise usage_error(NEEDED.en, NEEDED.zh, action=action, files=FILES_OF[action])
    if (action == "export") != (output.to in EXPORTS) and (action, output.to) not in CSV_OF:
        raise usage_error(NEEDED.en, NEEDED.zh, action=action, files=FILES_OF[action])
    if slices.by and (action != "correct" or len(files) == 2):  # noqa: PLR2004
        raise usage_error("--by is for judges correct with rankings", "--by 用于带排序结果的 judges correct")
    read: dict[str, Any] = {"read_options": evaluation.keywords(*files)["read_options"]}
    if action == "export":
        from rankgauge.judging.labels import Labels

        labels = Labels.merged([Labels.of(file, read["read_options"], file) for file in files])
        evaluation.write_findings(labels.findings)
        output.write(labels.export(output.to, judging.raters["combine"]))
        return
    if action == "agree":
        result: Any = _agreement(files, judging, read)
    elif action == "drift":
        after, people = (*files[1:], None, None)[:2]
        result = judges.drift(files[0], after, people, **judging.raters, **read)
    elif action == "correct" and len(files) == 2:  # noqa: PLR2004
        more: dict[str, Any] = {"rel": judging.rel, "sample": judging.sample, "scale": judging.ends}
        result = judges.rate(files[0], files[1], **more, **judging.raters, **read)
    else:
        rankings = values.parse_rankings(files[2:])
        given = {**judging.estimates(), **evaluation.keywords(*files[:2], *rankings.values())}
        verb = judges.correct if action == "correct" else partial(judges.plan, half_width=judging.half_width)
        result = verb(files[0], files[1], rankings, metrics or None, **given)
    evaluation.write_findings(result.findings)
    if slices.by:
        _show_slices(result, slices, digits, output)
        return
    output.show(
        lambda: result.document(language(), digits=digits),
        json=result.to_dict,
        csv=lambda: to_csv(result.to_polars().to_dicts()),
    )


def _show_slices(result: Any, slices: SliceOptions, digits: int, output: Output) -> None:
    """Write corrected metrics, and those on groups of queries by attributes."""
    from rankgauge.judging.corrected_document import slice_blocks

    parts = {by: result.slices(by, attributes=slices.attributes) for by in slices.by}
    rows = [{"attribute": "", "slice": "", **row} for row in result.rows()]
    by_slice = {by: {label: part.rows() for label, part in own.items()} for by, own in parts.items()}
    for by, own in by_slice.items():
        rows += [{"attribute": by, "slice": label, **row} for label, listed in own.items() for row in listed]

    def document() -> Document:
        more = [block for by, own in parts.items() for block in slice_blocks(own, by, language(), digits)]
        return Document([*result.document(language(), digits=digits).blocks, *more])

    output.show(document, json=lambda: result.to_dict() | {"slices": by_slice}, csv=lambda: to_csv(rows))


def _agreement(files: Sequence[str], judging: JudgeOptions, read: dict[str, Any]) -> Any:
    """Return the agreement of the first two files, or of the raters of one; by rank in the other files."""
    from rankgauge.judging import judges

    given = {"scale": judging.ends, **judging.raters, **read}
    if len(files) <= 2:  # noqa: PLR2004
        return judges.agreement(*files, **given)
    return judges.agreement(files[0], files[1], rankings=values.parse_rankings(files[2:]), **given)
