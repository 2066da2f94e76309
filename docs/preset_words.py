"""Texts of the page on presets, in both languages."""

from __future__ import annotations

from rankgauge.rendering.language import Phrase

WORDS = {
    "presets": Phrase("Why do our numbers differ?", "为什么你我算出的数不一样？"),
    "presets intro": Phrase(
        "Tools disagree because they follow different rules, not because one of them is wrong. A preset is the "
        "[convention](conventions.md) of one tool: with it rankgauge reproduces the numbers of that tool, and "
        "comparing two presets shows the rules in which two tools differ. Presets are versioned and never change once "
        "released.",
        "各工具的结果不同，是因为规则不同，而不是谁算错了。预设就是某个工具的[约定](conventions.zh-CN.md)："
        "使用它，rankgauge 给出与该工具相同的数字；比较两个预设，就能看出两个工具在哪些规则上不同。"
        "预设带版本，发布后不再修改。",
    ),
    "preset": Phrase("preset", "预设"),
    "tool": Phrase("tool", "工具"),
    "versions": Phrase("versions", "版本"),
    "precision": Phrase("precision", "精度"),
    "one list": Phrase("Two lists, many values", "两个列表，多种结果"),
    "one list text": Phrase(
        "nDCG@3 of six items with the labels {labels} and the scores {scores}, the first three of which are tied; and "
        "AP@3 of eight items with the grades {binary}, five of them relevant. Values under each preset whose tool has "
        "the metric:",
        "nDCG@3：六个物品，标签为 {labels}，分数为 {scores}，前三个并列；AP@3：八个物品依次为 {binary}，其中五个相关。"
        "各预设（若该工具有此指标）给出的值：",
    ),
    "reconcile": Phrase("On your own data: reconcile", "用你自己的数据：reconcile"),
    "reconcile text": Phrase(
        "`rankgauge reconcile JUDGMENTS RANKING -m nDCG@10` (in Python `rg.reconcile`) shows the value that every tool "
        "above gives on your data, and which rules make them differ; `--value 0.4537` finds the rules that give a "
        "printed number; `--between sklearn lightgbm` goes from one tool to another, one rule at a time. It also "
        "accepts a list of grades: {command}",
        "`rankgauge reconcile JUDGMENTS RANKING -m nDCG@10`（Python 中为 `rg.reconcile`）列出上述各工具在你的"
        "数据上给出的值，以及造成差别的规则；`--value 0.4537` 找出给出某个已公布的数的规则；"
        "`--between sklearn lightgbm` 从一个工具逐条规则变到另一个工具。也可以只给出一串等级：{command}",
    ),
    "reconcile value": Phrase(
        "With `--value 0.827`, a number printed in a tutorial:", "加上 `--value 0.827`，即某教程给出的数："
    ),
    "reconcile between": Phrase("With `--between trec_eval-9 letor`:", "加上 `--between trec_eval-9 letor`："),
    "using": Phrase("Using a preset", "使用预设"),
    "using text": Phrase(
        "The name of a preset is accepted wherever a convention is. `preset` returns the convention itself; its method "
        "`replace` returns a copy with changes.",
        "凡可传入约定之处都可写预设的名称。`preset` 返回约定本身，用其 `replace` 方法可得到修改后的约定。",
    ),
    "of versions": Phrase("{tool} {versions}. {about}", "{tool} {versions}。{about}"),
    "agrees to": Phrase(
        "Values agree with those of the tool within {precision:g}.", "与该工具给出的值相差不超过 {precision:g}。"
    ),
    "as by default": Phrase("All rules are at their defaults.", "所有规则均取默认值。"),
    "its name": Phrase("name in the tool", "该工具中的名称"),
    "here": Phrase("in rankgauge", "本库写法"),
    "defect": Phrase("Defect:", "缺陷："),
}
