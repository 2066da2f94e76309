"""Texts of the judging sheet in English and Chinese."""

from __future__ import annotations

from rankgauge.rendering.language import Phrase

GRADE_NAMES = {
    1: [Phrase("not relevant", "不相关"), Phrase("relevant", "相关")],
    2: [Phrase("not relevant", "不相关"), Phrase("partly relevant", "部分相关"), Phrase("relevant", "相关")],
    3: [
        Phrase("not relevant", "不相关"),
        Phrase("related", "略有关联"),
        Phrase("relevant", "相关"),
        Phrase("perfect", "完全满足"),
    ],
    4: [
        Phrase("not relevant", "不相关"),
        Phrase("slightly relevant", "略微相关"),
        Phrase("fairly relevant", "比较相关"),
        Phrase("highly relevant", "高度相关"),
        Phrase("perfect", "完全满足"),
    ],
}
"""Names of the grades of scales from 0."""

PAGE = {
    "title": Phrase("Judging sheet", "标注页"),
    "subtitle": Phrase(
        "Grade each item for its query. Works offline; nothing leaves this machine.",
        "为每个查询下的物品给出等级。可离线使用，数据不会离开本机。",
    ),
    "no script": Phrase("This page needs JavaScript.", "此页面需要 JavaScript。"),
    "footer": Phrase("Pool {fingerprint} · rankgauge {version}", "标注池 {fingerprint} · rankgauge {version}"),
    "begin": Phrase("Before you begin", "开始之前"),
    "rater": Phrase("Your name", "你的名字"),
    "rater hint": Phrase(
        "It is stored with each of your labels. Use the same name to continue later.",
        "会随每个标签一起保存。下次继续时请使用同一个名字。",
    ),
    "how 1": Phrase("Press a number for the grade, or u if you cannot tell.", "按数字键给出等级；无法判断时按 u。"),
    "how 2": Phrase(
        "z takes the last grade back; arrow keys move without grading.", "z 撤销上一个等级；方向键只移动，不评分。"
    ),
    "how 3": Phrase("n opens a note for the item; Enter closes it.", "n 为物品写备注；回车结束。"),
    "how 4": Phrase(
        "Every grade is kept in this browser at once. Save the labels to a file when you are done.",
        "每个等级都会立即保存在本浏览器中。完成后请把标签保存为文件。",
    ),
    "start": Phrase("Start", "开始"),
    "progress": Phrase("Progress", "进度"),
    "save": Phrase("Save labels", "保存标签"),
    "end": Phrase("Overview", "概览"),
    "query": Phrase("Query", "查询"),
    "guideline": Phrase("Guideline", "标注准则"),
    "item": Phrase("Item", "物品"),
    "note": Phrase("Note (n)", "备注（n）"),
    "keys": Phrase("Single keys give grades", "用单个按键评分"),
    "grades": Phrase("Grade", "等级"),
    "previous": Phrase("← Back", "← 上一个"),
    "next": Phrase("Skip →", "跳过 →"),
    "undo": Phrase("Undo (z)", "撤销（z）"),
    "summary": Phrase("Overview", "概览"),
    "merge": Phrase("Add labels from a file", "加入文件中的标签"),
    "back": Phrase("Continue judging", "继续标注"),
}

_SAMPLE = Phrase(
    "Then: rankgauge judges correct MODEL LABELS RANKING RANKING. With the judge's grades in MODEL, rankgauge judges "
    "agree LABELS MODEL shows how far it agrees with you.",
    "接下来：rankgauge judges correct 模型标注 标签文件 排序结果 排序结果。"
    "rankgauge judges agree 标签文件 模型标注 可看出评判模型与你的一致程度。",
)
_JUDGMENTS = Phrase(
    "Then: rankgauge eval LABELS RANKING, or rankgauge compare LABELS RANKING RANKING. With a second assessor: "
    "rankgauge judges agree LABELS LABELS.",
    "接下来：rankgauge eval 标签文件 排序结果，或 rankgauge compare 标签文件 排序结果 排序结果。"
    "若有第二位评分者：rankgauge judges agree 标签文件 标签文件。",
)
THEN = {
    "depth": _JUDGMENTS,
    "rrf": _JUDGMENTS,
    "compare": Phrase(
        "Then: rankgauge compare LABELS RANKING RANKING. Judgments that you had before are not on the sheet: add them "
        "to the file first. With a second assessor: rankgauge judges agree LABELS LABELS.",
        "接下来：rankgauge compare 标签文件 排序结果 排序结果。此前已有的标注不在本标注页中，请先并入该文件。"
        "若有第二位评分者：rankgauge judges agree 标签文件 标签文件。",
    ),
    "query sample": _SAMPLE,
    "item sample": _SAMPLE,
    "part": Phrase(
        "These decide where assessors disagree: sign with the name adjudicator, and add the labels to theirs.",
        "这些标签用于裁定评分者的分歧：请署名 adjudicator，并与他们的标签合并。",
    ),
}
"""What to do with the labels, by the reason for which the pairs were chosen."""

SCRIPT = {
    "progress": Phrase("{done:,} of {total:,} graded", "已评 {done:,} / {total:,}"),
    "position": Phrase(
        "Question {place:,} of {total:,} · query {query:,} of {queries:,}",
        "第 {place:,} 题，共 {total:,} 题 · 查询 {query:,} / {queries:,}",
    ),
    "in browser": Phrase("Kept in this browser, not saved to a file yet", "已存于本浏览器，尚未保存为文件"),
    "saved": Phrase("Saved", "已保存"),
    "in file": Phrase("Saved to the file at every grade", "每次评分都会写入文件"),
    "sent": Phrase("Saved to {file}", "已写入 {file}"),
    "sending": Phrase("Saving {count:# label|# labels} …", "正在保存 {count:,} 个标签……"),
    "not kept": Phrase(
        "This browser keeps nothing: save the labels to a file before you close the page",
        "本浏览器无法保存：请在关闭页面前把标签保存为文件",
    ),
    "cannot tell": Phrase("cannot tell", "无法判断"),
    "all done": Phrase(
        "All {total:# question is|# questions are} graded. Save the labels.", "{total:,} 题均已评分。请保存标签。"
    ),
    "not done": Phrase("{done:,} of {total:# question is|# questions are} graded.", "{total:,} 题中已评 {done:,} 题。"),
    "grade": Phrase("grade", "等级"),
    "count": Phrase("count", "次数"),
    "agreement": Phrase("Agreement", "一致性"),
    "compared": Phrase("compared with", "比较对象"),
    "pairs": Phrase("pairs", "对数"),
    "agreed": Phrase("same grade", "等级相同"),
    "yourself": Phrase("yourself, asked again", "你自己（重复的题）"),
    "agreement note": Phrase(
        "κ is Cohen's kappa without weights. rankgauge judges agree gives intervals, base rates and other measures.",
        "κ 为不加权的 Cohen's kappa。rankgauge judges agree 给出区间、基准比例及其他指标。",
    ),
    "merged": Phrase(
        "Added {own:# label|# labels} of yours and {others:# label|# labels} of others. ",
        "加入了你的 {own:,} 个标签和他人的 {others:,} 个标签。",
    ),
    "foreign": Phrase(
        "{foreign:# label belongs|# labels belong} to another pool and were left out. ",
        "{foreign:,} 个标签属于另一个标注池，未加入。",
    ),
    "invalid": Phrase(
        "{invalid:# label is|# labels are} invalid or edited and were left out. ",
        "{invalid:,} 个标签无效或被改动过，未加入。",
    ),
}
