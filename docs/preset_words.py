"""The words of the page on presets, in both languages."""

from __future__ import annotations

from rankgauge.rendering.language import Phrase

WORDS = {
    "presets": Phrase("Why do my numbers differ?", "为什么我的数字不一样？"),
    "presets intro": Phrase(
        "Tools disagree because they follow different rules, not because one of them cannot count. A preset is the "
        "[convention](conventions.md) of one tool: with it rankgauge gives that tool's numbers, and two presets say "
        "line by line where two tools part. Presets are versioned and never edited once released.",
        "各工具的结果不同，是因为规则不同，而不是谁不会算。预设就是某个工具的[约定](conventions.zh-CN.md)："
        "使用它，rankgauge 给出与该工具相同的数字；比较两个预设，便知两个工具在哪条规则上分歧。"
        "预设带版本，发布后不再修改。",
    ),
    "preset": Phrase("preset", "预设"),
    "tool": Phrase("tool", "工具"),
    "versions": Phrase("versions", "版本"),
    "precision": Phrase("precision", "精度"),
    "one list": Phrase("Two lists, many numbers", "两个列表，多种数字"),
    "one list text": Phrase(
        "nDCG@3 of six items with the labels {labels} and the scores {scores}, of which the first three are tied; and "
        "AP@3 of eight items that stand as {binary}, five of them relevant. Under each preset whose tool has them:",
        "nDCG@3：六个物品，标签为 {labels}，分数为 {scores}，前三个并列；AP@3：八个物品依次为 {binary}，其中五个相关。"
        "各预设（若该工具有此指标）下的取值：",
    ),
    "reconcile": Phrase("On your own data: reconcile", "用你自己的数据：reconcile"),
    "reconcile text": Phrase(
        "`rankgauge reconcile JUDGMENTS RANKING -m nDCG@10` (in Python `rg.reconcile`) says what every tool above "
        "makes of your data, and which rules part them; `--value 0.4537` says which rules give a number that somebody "
        "printed; `--between sklearn lightgbm` goes from one tool to another, one rule at a time. A list of grades "
        "will do: {command}",
        "`rankgauge reconcile JUDGMENTS RANKING -m nDCG@10`（Python 中为 `rg.reconcile`）列出上述各工具对你的"
        "数据的取值，以及使它们不同的规则；`--value 0.4537` 说明哪些规则给出别人印出的某个数；"
        "`--between sklearn lightgbm` 从一个工具逐条规则走到另一个工具。只有一串等级也行：{command}",
    ),
    "reconcile value": Phrase(
        "With `--value 0.827`, the number that a tutorial prints:", "加上 `--value 0.827`，即某教程印出的数："
    ),
    "reconcile between": Phrase("With `--between trec_eval-9 letor`:", "加上 `--between trec_eval-9 letor`："),
    "using": Phrase("Using a preset", "使用预设"),
    "using text": Phrase(
        "The name of a preset can be given wherever a convention can. `preset` gives the convention itself, from which "
        "`but` makes others.",
        "凡可传入约定之处都可写预设的名称。`preset` 返回约定本身，再用 `but` 可得到其他约定。",
    ),
    "of versions": Phrase("{tool} {versions}. {about}", "{tool} {versions}。{about}"),
    "agrees to": Phrase(
        "The tool's own values are within {precision:g}.", "与该工具自身取值的差不超过 {precision:g}。"
    ),
    "as by default": Phrase("Every rule is as by default.", "所有规则均与默认相同。"),
    "its name": Phrase("its name", "该工具的名称"),
    "here": Phrase("here", "本库写法"),
    "defect": Phrase("Defect:", "缺陷："),
}
