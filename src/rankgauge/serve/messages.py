"""Messages of the local page."""

from __future__ import annotations

from rankgauge.inputs.formats.registry import format_titles
from rankgauge.rendering.language import Phrase

FORMATS = format_titles()
PAGE = {
    "title": Phrase("Ranking metrics, step by step", "逐步看懂排序指标"),
    "subtitle": Phrase(
        "rankgauge runs on this machine. Nothing you enter or drop leaves it.",
        "rankgauge 在本机运行，输入和拖入的内容都不会离开本机。",
    ),
    "views": Phrase("Sections", "页面各部分"),
    "playground": Phrase("Playground", "练习场"),
    "files": Phrase("Your files", "评测文件"),
    # The playground
    "try": Phrase("Try a list", "试一个排序结果"),
    "grades": Phrase("Grades of the returned items, best rank first", "返回物品的等级，按名次先后"),
    "grades hint": Phrase(
        "One number per item, such as 5 3 2 1 2. Write a dash for an unjudged item.",
        "每个物品一个数，如 5 3 2 1 2。未标注的物品写短横线。",
    ),
    "missed": Phrase("Grades of judged items that were not returned", "有标注但未返回的物品的等级"),
    "missed hint": Phrase("Optional. They count for the ideal order, too.", "可以不填。它们也计入理想排序。"),
    "metric": Phrase("Metric", "指标"),
    "cutoff": Phrase("Cutoff k", "截断 k"),
    "convention": Phrase("Rules of", "采用哪个工具的规则"),
    "default": Phrase("rankgauge (default)", "rankgauge（默认）"),
    "scores": Phrase("Scores of the items, if some are tied", "物品的分数（有并列时）"),
    "scores hint": Phrase(
        "Optional: without scores the list has no ties. With tied scores the rule for ties matters.",
        "可以不填，即没有并列。分数相同时，并列规则会起作用。",
    ),
    "more": Phrase("Tied items", "分数相同的物品"),
    "blocks": Phrase("The list; click an item to move it up", "排序结果；点击物品可使其上移"),
    "examples": Phrase("Examples", "例子"),
    "result": Phrase("Result", "结果"),
    "how": Phrase("How it is computed", "计算过程"),
    "rules": Phrase("Why do numbers differ? Change a rule", "为什么算出的数不一样？改一条规则试试"),
    "rules hint": Phrase(
        "Each option shows the value it gives for this list. Choose one and watch the steps above change.",
        "每个选项旁附有它给出的值。选一个，看上面的步骤如何变化。",
    ),
    "tools": Phrase("Values that tools give", "各工具给出的值"),
    "tools hint": Phrase(
        "The same list under the rules of every tool that has this metric.",
        "同一个排序结果，按每个支持此指标的工具的规则计算。",
    ),
    "meanings": Phrase(
        "What these rules mean, and which tools lack the metric", "这些规则的含义，以及不支持此指标的工具"
    ),
    "printed": Phrase("You have another number? Find its rules", "别处给出的数不一样？查查它用的规则"),
    "printed hint": Phrase("Enter the number with all the digits you have.", "按原有的位数输入这个数。"),
    "find": Phrase("Find the rules", "查找规则"),
    # Files
    "drop title": Phrase("Evaluate your files", "评测文件"),
    "drop": Phrase("Drop judgments and rankings here", "把标注文件和排序结果文件拖到这里"),
    "choose": Phrase("or choose files", "或选择文件"),
    "drop hint": Phrase(
        f"One file with judgments and one or more rankings, or a file that holds both: {FORMATS.en}, compressed or "
        "not. Up to {limit} MiB in total.",
        f"一个标注文件和一个或多个排序结果文件，或同时含有两者的文件：{FORMATS.zh}，压缩与否均可。"
        "总共不超过 {limit} MiB。",
    ),
    "example files": Phrase("Try the built-in example", "用内置例子试试"),
    "metrics": Phrase("Metrics, separated by commas", "指标，用逗号分隔"),
    "metrics hint": Phrase(
        "Such as nDCG@10, AP, RR; the names of trec_eval work, too. The report opens with the first.",
        "如 nDCG@10, AP, RR；也可用 trec_eval 的名称。报告默认显示第一个指标。",
    ),
    "single rules": Phrase("Change single rules", "修改单条规则"),
    "single rules hint": Phrase(
        "The rules that affect the metrics above. Changes here override the rules of the tool.",
        "能影响上述指标的规则。此处的选择优先于所选工具的规则。",
    ),
    "lenient": Phrase("Skip and count invalid rows", "跳过无效的行并计数"),
    "evaluate": Phrase("Evaluate", "开始评测"),
    "evaluations": Phrase("Evaluations", "评测"),
    "no evaluations": Phrase("None yet.", "还没有。"),
    "report": Phrase("Report", "报告"),
    "back": Phrase("Back", "返回"),
    "no script": Phrase("This page needs JavaScript, which is disabled.", "此页面需要 JavaScript，但已被禁用。"),
}

SCRIPT = {
    "moved": Phrase(
        "{before} under the rules of {tool}; your changes: {change}",
        "按 {tool} 的规则为 {before}；修改规则带来的变化：{change}",
    ),
    "same": Phrase("the same as under the rules of {tool}", "与按 {tool} 的规则得到的值相同"),
    "reset": Phrase("Reset to the rules of the tool", "恢复该工具的规则"),
    "copy steps": Phrase("Copy the steps", "复制计算过程"),
    "copy link": Phrase("Copy a link", "复制链接"),
    "copied": Phrase("Copied", "已复制"),
    "copy this": Phrase("Press Ctrl+C to copy", "按 Ctrl+C 复制"),
    "move up": Phrase("rank {rank}, grade {grade}: move up", "第 {rank} 位，等级 {grade}：上移"),
    "click to move": Phrase("Click an item to move it up.", "点击物品可使其上移一位。"),
    "still": Phrase(
        "{count:# rule has|# rules have} no effect on this list", "对此排序结果没有影响的规则（{count} 条）"
    ),
    "searching": Phrase("Trying about a thousand definitions …", "正在尝试约一千种定义……"),
    "failed": Phrase(
        "The server does not respond: {reason}. Is rankgauge serve still running?",
        "服务器没有响应：{reason}。rankgauge serve 还在运行吗？",
    ),
    # Files
    "role": Phrase("What is {name}?", "{name} 是什么？"),
    "auto": Phrase("detect", "自动判断"),
    "judgments": Phrase("judgments", "标注"),
    "ranking": Phrase("ranking", "排序结果"),
    "texts": Phrase("texts", "文本"),
    "remove": Phrase("Remove", "移除"),
    "remove file": Phrase("Remove {name}", "移除 {name}"),
    "stop": Phrase("Stop", "停止"),
    "open": Phrase("Open the report", "打开报告"),
    "tab": Phrase("Open in a new tab", "在新标签页中打开"),
    "save": Phrase("Save the file", "保存文件"),
    "too many": Phrase("Too many files; the maximum is {most}.", "一次最多 {most} 个文件。"),
    "too large": Phrase(
        "{size} MiB in total, but this server accepts {limit} MiB: start rankgauge serve with a larger --limit.",
        "总共 {size} MiB，而此服务器只接受 {limit} MiB：请用更大的 --limit 启动 rankgauge serve。",
    ),
    "none yet": PAGE["no evaluations"],
    "nothing": Phrase("Add files first.", "请先添加文件。"),
    "sending": Phrase("Copying the files …", "正在复制文件……"),
    "waiting": Phrase("Waiting for another evaluation to end …", "等待其他评测结束……"),
    "starting": Phrase("Starting …", "正在启动……"),
    "reading": Phrase("Reading and evaluating …", "正在读取与评测……"),
    "comparing": Phrase("Comparing the systems …", "正在比较系统……"),
    "writing": Phrase("Writing the report …", "正在写报告……"),
    "done": Phrase("Done", "完成"),
    "wrong": Phrase("Evaluation failed: ", "评测失败："),
    "explained": Phrase("What {code} means", "{code} 的含义"),
    "kib": Phrase("{size} KiB", "{size} KiB"),
}

ERRORS = {
    "no grades": Phrase("enter the grades of the items, such as 3 2 3 0 1", "请输入各物品的等级，如 3 2 3 0 1"),
    "not numbers": Phrase(
        "scores and the grades of items that were not returned must be numbers", "分数和未返回物品的等级必须是数"
    ),
    "number of scores": Phrase(
        "expected one score for each of the grades ({grades}) or none, found {scores}",
        "分数应与等级一一对应（{grades} 个）或全部不填，现有 {scores} 个",
    ),
    "needs more": Phrase(
        "{metric} needs more than grades; evaluate files with it", "只有等级无法计算 {metric}；请用它评测文件"
    ),
    "too long": Phrase(
        "the list is too long ({n}, at most {most}); evaluate a file instead",
        "列表太长（{n} 个，最多 {most} 个）；请改为评测文件",
    ),
}

REMEDIES = {
    "RG107": Phrase("remove the line", "删除该行"),
    "RG110": Phrase("fix the line, or write the file again", "修正该行，或重新写出文件"),
    "RG111": Phrase(
        "rename the columns of the file, for example query, item and grade or score",
        "修改文件的列名，例如 query、item 和 grade 或 score",
    ),
    "RG112": Phrase("decompress the file and add it again", "解压该文件后重新添加"),
    "RG114": Phrase("select the role of each file in the list above", "在上面的列表中选择每个文件的内容"),
    "RG204": Phrase(
        f'write grades as finite numbers; leave an item out that is not judged, or check "{PAGE["lenient"].en}" above, '
        "which leaves such rows out",
        f"等级应写成有限的数字；未标注的物品请去掉，或勾选上方的“{PAGE['lenient'].zh}”，这些行将不计入",
    ),
    "RG301": Phrase(
        f'remove the duplicate, or choose how copies count (duplicates) under "{PAGE["single rules"].en}"',
        f"删除重复的行，或在“{PAGE['single rules'].zh}”中选择副本如何计入（duplicates）",
    ),
}
"""Remedies of findings where the page offers something else than commands and Python."""

STEPS = {
    "gain title": Phrase("How much is each item worth? The gain", "每个物品值多少？增益"),
    "gain": Phrase(
        "The grade is how good an item is; the gain is how much that counts.",
        "等级表示物品有多好；增益表示它计多少分。",
    ),
    "discount title": Phrase("How much does the rank count? The discount", "名次的影响有多大？折损"),
    "discount": Phrase(
        "Few people look far down the list, so the same item counts less at a lower rank.",
        "越往下看的人越少，所以同一个物品排得越靠后，计分越少。",
    ),
    "relevant title": Phrase("Is it relevant?", "是否相关？"),
    "relevant": Phrase(
        "From a certain grade on, an item is relevant (1); below it, it is not (0).",
        "等级达到阈值的物品为相关，记 1，否则记 0。",
    ),
    "precision title": Phrase("How precise is the list down to this rank? The precision", "到此名次为止有多准？精确率"),
    "precision": Phrase("The share of relevant items among the first i.", "前 i 个物品中相关物品的比例。"),
    "reciprocal": Phrase("One divided by the rank.", "1 除以名次。"),
    "multiply and add": Phrase("Multiply along each row, add up the column", "逐行相乘，再把该列相加"),
    "add": Phrase("Add up the column", "把该列相加"),
    "row product": Phrase(
        "In each row, the contribution is the product of the factors; the running sum adds up the contributions.",
        "每一行的贡献是各因子的乘积；累计是贡献之和。",
    ),
    "row sum": Phrase("Each row adds its contribution to the running sum.", "每一行的贡献计入累计。"),
    "ideal title": Phrase("How good could it be? The ideal order: {name}", "最好能有多好？理想排序：{name}"),
    "ideal": Phrase(
        "The same sum for the best possible order: the highest grades first.",
        "对最好的排序做同样的求和：等级高的排在前面。",
    ),
    "divide title": Phrase("Divide", "相除"),
    "divide ideal": Phrase(
        "The share of the best possible sum: 1 is perfect, and lists of different queries become comparable.",
        "占可能的最大总和的比例：1 为完美，不同查询的排序结果也因此可以比较。",
    ),
    "divide": Phrase("Divide the sum by its maximum or by a count.", "用总和除以其最大值或个数。"),
    "returned list": Phrase("The returned list", "返回的排序结果"),
    "bars with discount": Phrase(
        "Light: the gain of each item. Dark: what is left after the discount, with its value above the bar. The dark "
        "bars add up to the sum.",
        "浅色：每个物品的增益。深色：折损之后的部分，数值标在柱上方。深色各柱相加即为总和。",
    ),
    "bars": Phrase("The contribution of each rank.", "每个名次的贡献。"),
    "every k": Phrase("The same list at every cutoff k", "同一排序结果在各截断 k 处的值"),
    "every k hint": Phrase(
        "Choose a cutoff as deep as people look. Compare values only at the same k.",
        "截断应与人们查看的深度相当。只有 k 相同的值才能比较。",
    ),
}
