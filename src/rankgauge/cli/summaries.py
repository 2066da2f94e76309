"""The commands of ``rankgauge``: a heading and a sentence for each, so that the help loads none of them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rankgauge.rendering.language import Phrase

Heading = Literal["begin", "compute", "decide", "understand", "judge", "keep"]
HEADINGS: dict[Heading, Phrase] = {
    "begin": Phrase("Begin", "入门"),
    "compute": Phrase("Compute", "计算"),
    "decide": Phrase("Decide", "决策"),
    "understand": Phrase("Understand", "理解"),
    "judge": Phrase("Judge", "标注"),
    "keep": Phrase("Keep", "保存与分享"),
}
"""The headings of ``rankgauge --help``, by what people want."""


class Purpose(NamedTuple):
    """The heading that a command stands under, and the sentence that begins its help."""

    heading: Heading
    sentence: Phrase


COMMANDS = {
    "audit": Purpose(
        "understand",
        Phrase(
            "Check a metric: which definition it computes, and which laws it breaks.",
            "检查一个指标实现：它计算的是哪种定义，违反了哪些定律。",
        ),
    ),
    "check": Purpose(
        "decide",
        Phrase("Fail if a ranking regressed beyond a threshold.", "排序结果退步超过阈值时报错，用作 CI 质量门禁。"),
    ),
    "codes": Purpose(
        "understand", Phrase("List the codes of findings, or explain one.", "列出检查结果的代码，或说明其中一个。")
    ),
    "compare": Purpose("decide", Phrase("Compare two or more rankings.", "比较两个或更多排序结果。")),
    "completion": Purpose("begin", Phrase("Print the completion script of a shell.", "输出某个 shell 的补全脚本。")),
    "conventions": Purpose("understand", Phrase("Show conventions and how they differ.", "查看各套约定及其差别。")),
    "convert": Purpose(
        "keep", Phrase("Convert judgments or a ranking to another format.", "转换标注或排序结果的格式。")
    ),
    "curve": Purpose("compute", Phrase("Show metrics over their cutoff k.", "显示指标随截断 k 的变化。")),
    "demo": Purpose("begin", Phrase("Evaluate and explain a small built-in example.", "评测并解释一个内置的小例子。")),
    "diff": Purpose("decide", Phrase("Show what changed between two rankings.", "显示两个排序结果之间的变化。")),
    "doctor": Purpose("understand", Phrase("Inspect files and report problems.", "检查文件并报告问题。")),
    "eval": Purpose("compute", Phrase("Evaluate rankings against judgments.", "用标注评测排序结果。")),
    "explain": Purpose("compute", Phrase("Explain a number step by step.", "逐步解释一个数。")),
    "fuse": Purpose("keep", Phrase("Fuse two or more rankings into one.", "把两个或更多排序结果融合为一个。")),
    "history": Purpose("keep", Phrase("Log results, and see what changed.", "记录结果，查看变化。")),
    "judges": Purpose(
        "judge",
        Phrase(
            "Compare judges with people, and correct metrics by labels of people.",
            "比较评判模型与人，并用人的标签修正指标。",
        ),
    ),
    "leaderboard": Purpose("decide", Phrase("Rank systems over many data sets.", "对多个数据集上的系统排名。")),
    "metrics": Purpose("understand", Phrase("List all metrics, or describe one.", "列出所有指标，或说明其中一个。")),
    "pool": Purpose(
        "judge",
        Phrase(
            "Choose the pairs of query and item that people are to judge, and write a judging sheet.",
            "选出需要人标注的查询—物品对，并写出标注页。",
        ),
    ),
    "reconcile": Purpose(
        "understand", Phrase("Explain why your number differs from another tool's.", "解释不同工具算出的数为何不同。")
    ),
    "report": Purpose("keep", Phrase("Write a report on one or more rankings.", "为一个或多个排序结果生成报告。")),
    "serve": Purpose(
        "keep",
        Phrase(
            "Start a local page to evaluate files or a list of grades, or to judge on a sheet.",
            "在本机打开一个页面，评测文件或等级列表，或在标注页上标注。",
        ),
    ),
    "trec_eval": Purpose(
        "compute",
        Phrase(
            "Evaluate a run with trec_eval's arguments and output, version 9 or 10.",
            "按 trec_eval 9 或 10 的参数与输出格式评测（-h 显示帮助）。",
        ),
    ),
    "tune": Purpose(
        "decide",
        Phrase(
            "Choose the best setting, and see what the choice is worth on other queries.",
            "选出最好的设置，并看清这一选择在其他查询上的价值。",
        ),
    ),
}
"""Each is ``command`` in the module of its name, which is loaded when the command is called."""
