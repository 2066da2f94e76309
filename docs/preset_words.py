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
    "reconcile chance": Phrase(
        "A number is explained only if chance would hardly give it. The definition of every tool, the same with one "
        "rule or the cutoff changed (1, 3, 5, 10, 15, 20, 30, 100, one more, one less, none), and combinations of "
        "rules are tried. The density of their distinct values around the number tells how many of them a random "
        "number with "
        "as many decimals would match, or a random one of the values that the metric can take: precision, recall, hit "
        "rates and reciprocal ranks of few queries take few values, which are counted on shuffled rankings, and more "
        "decimals of them say nothing. A match is *likely* if that is fewer than 0.05, else *uncertain*; it is a "
        "*coincidence* if two or more rules were changed, or if a rule was changed or digits were cut off and chance "
        "gives more than one match. What needs further steps is trusted no more than a tool as it is that gives the "
        "number, too. The requested definition (the default, or your `--convention` and `--rule`) was chosen before "
        "the number was seen: only the number of its own values counts for it, and a number that it gives is "
        "explained, whatever the verdict. Tools that need no change are all named, and come first; then those with the "
        "fewest "
        "changes, those that the data suggest (TREC files: evaluators of search) before others. For a single list, "
        "rounding before dividing and slips in one term are tried as well: a term left out, without its discount or "
        "with that of the next rank, another logarithm, a misread grade, a sum that ends too early. "
        "That no definition gives a number is an answer, too; the nearest values are shown. The exit code of the "
        "command is 1 if a number is not explained, else 0.",
        "只有偶然难以得到的数才算得到解释。试过的有：各工具的定义；只改变一条规则或截断"
        "（1、3、5、10、15、20、30、100、加一、减一、不截断）的定义；以及规则的各种组合。"
        "由这些不同的值在该数附近的密度，可知位数相同的随机数会与其中多少个相符，或该指标可能取到的一个随机值会与其中多少个相符："
        "查询很少时，精确率、召回率、命中率和倒数排名只取为数不多的值（用打乱的排序计数），位数再多也说明不了什么。"
        "少于 0.05 个为“可信”，否则为“不确定”；"
        "改变了两条以上规则，或改变了规则、截去了数位而偶然预期多于一个时，为“巧合”。"
        "若有工具无须改变规则就给出该数，需要更多步骤的解释不会比它更可信。"
        "所要求的定义（默认规则，或由 `--convention` 与 `--rule` 指定的规则）在看到该数之前就已选定："
        "对它只计它自己的值，它给出的数无论判断如何都算得到解释。"
        "无须改变规则的工具全部列出并排在最前；其余按改变的规则数排列，"
        "数据形式所提示的工具（TREC 文件：检索评测程序）优先。"
        "对单个列表还会考虑先舍入再相除，以及某一项的差错：漏掉一项、漏乘折损、误用邻位的折损、换了对数、误读等级、"
        "求和提前结束。"
        "没有定义给出某个数也是一种回答，此时列出最接近的值。有数得不到解释时命令的退出码为 1，否则为 0。",
    ),
    "reconcile measured": Phrase(
        "Measured on twelve data sets (one list; 1 to 20 queries, with and without ties; nDCG, AP, P, R, RR and HR) "
        "with 30 random numbers from 0 to 1 each: with 2, 3 and 4 decimals, {any} % of them match some definition, and "
        "{likely} % are called likely; of as many random numbers within 0.05 of a tool's value, {near} % match and "
        "{likely_near} % are called likely; of the values of the same metric for other rankings of the same items, "
        "{other} % match and {likely_other} % are called likely (`tests/reconcile_rates.py`). "
        "All {named} numbers that tools give on these data, printed with 3 and 4 "
        "decimals, are "
        "matched with the tool among those named.",
        "在十二组数据上实测（单个列表；1 至 20 个查询，有并列或无并列；nDCG、AP、P、R、RR、HR），"
        "每组取 30 个 0 到 1 的随机数："
        "2、3、4 位小数时，{any}% 与某种定义相符，{likely}% 被判为可信；"
        "与某工具的值相差不到 0.05 的随机数中，{near}% 相符，{likely_near}% 被判为可信；"
        "同样物品的其他排序在同一指标上的值中，{other}% 相符，{likely_other}% 被判为可信"
        "（`tests/reconcile_rates.py`）。"
        "各工具在这些数据上给出的 {named} 个数（保留 3 位与 4 位小数）全部相符，且列出的工具中都有该工具。",
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
