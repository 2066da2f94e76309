"""What the local page says, in both languages."""

from __future__ import annotations

from rankgauge.rendering.language import Phrase

PAGE = {
    "title": Phrase("Ranking metrics, step by step", "排序指标，一步一步看"),
    "subtitle": Phrase(
        "rankgauge on this machine. Nothing you type or drop leaves it.",
        "本机上的 rankgauge。输入与拖入的内容都不会离开本机。",
    ),
    "views": Phrase("Parts of the page", "页面各部分"),
    "playground": Phrase("Playground", "练习场"),
    "files": Phrase("Your files", "你的文件"),
    # The playground
    "try": Phrase("Try a list", "试一个列表"),
    "grades": Phrase("Grades of the returned items, best rank first", "返回物品的等级，按名次先后"),
    "grades hint": Phrase(
        "One number for each item, such as 5 3 2 1 2. A dash stands for an item that nobody judged.",
        "每个物品一个数，如 5 3 2 1 2。未标注的物品写作短横线。",
    ),
    "missed": Phrase("Grades of judged items that were not returned", "有标注但未返回的物品的等级"),
    "missed hint": Phrase("May be empty. They belong to the ideal order, too.", "可以不填。它们也属于理想排序。"),
    "metric": Phrase("Metric", "指标"),
    "cutoff": Phrase("Cutoff k", "截断 k"),
    "convention": Phrase("Rules of", "采用的规则"),
    "default": Phrase("rankgauge (default)", "rankgauge（默认）"),
    "scores": Phrase("Scores of the items, where some are equal", "物品的分数（有并列时）"),
    "scores hint": Phrase(
        "May be empty: then the list has no ties. Equal scores make the rule for ties matter.",
        "可以不填，即没有并列。分数相同时，并列规则会起作用。",
    ),
    "more": Phrase("Items with equal scores", "分数相同的物品"),
    "blocks": Phrase("The list; an item that is clicked moves up", "列表；点击某个物品使其上移"),
    "examples": Phrase("Examples", "例子"),
    "result": Phrase("Result", "结果"),
    "how": Phrase("How the number comes about", "这个数怎样得出"),
    "rules": Phrase("Why do my numbers differ? Change a rule", "为什么数值不同？改一条规则试试"),
    "rules hint": Phrase(
        "Each choice shows the number that it gives for this list. Choose one and watch the steps above change.",
        "每个选项旁是它对这个列表给出的数。选一个，看上面的步骤如何变化。",
    ),
    "tools": Phrase("Which tool prints which number", "哪个工具会印出哪个数"),
    "tools hint": Phrase(
        "The same list through the rules of every tool that has this metric.",
        "同一个列表，按每个有此指标的工具的规则计算。",
    ),
    "meanings": Phrase(
        "What these rules mean, and which tools lack the metric", "这些规则的含义，以及没有此指标的工具"
    ),
    "printed": Phrase("Somebody printed another number", "别人印出的是另一个数"),
    "printed hint": Phrase(
        "Type it with the digits it was printed with: which rules give it?", "按印出的位数输入：哪些规则会给出它？"
    ),
    "find": Phrase("Find the rules", "查找规则"),
    # Files
    "drop title": Phrase("Evaluate your files", "评测你的文件"),
    "drop": Phrase("Drop judgments and rankings here", "把标注与排序文件拖到这里"),
    "choose": Phrase("or choose files", "或选择文件"),
    "drop hint": Phrase(
        "One file of judgments and one or more rankings: TREC, CSV, TSV, JSONL, Parquet or Arrow, packed or not. Up to "
        "{limit} MiB together.",
        "一个标注文件和一个或多个排序文件：TREC、CSV、TSV、JSONL、Parquet 或 Arrow，压缩与否均可。"
        "总共不超过 {limit} MiB。",
    ),
    "example files": Phrase("Try with the built-in example", "用内置例子试试"),
    "metrics": Phrase("Metrics, parted by commas", "指标，用逗号分隔"),
    "metrics hint": Phrase(
        "Such as nDCG@10, AP, RR; trec_eval's names work, too. The report opens with the first.",
        "如 nDCG@10, AP, RR；trec_eval 的名称也可以。报告以第一个开头。",
    ),
    "single rules": Phrase("Change single rules", "修改单条规则"),
    "single rules hint": Phrase(
        "Those that can move the metrics above. What is chosen here wins over the rules of the tool.",
        "能影响上述指标的规则。此处的选择优先于所选工具的规则。",
    ),
    "lenient": Phrase("Leave out what is wrong in the files and count it", "略去文件中有误之处并计数"),
    "evaluate": Phrase("Evaluate", "开始评测"),
    "evaluations": Phrase("Evaluations", "评测"),
    "no evaluations": Phrase("None yet.", "还没有。"),
    "report": Phrase("Report", "报告"),
    "back": Phrase("Back", "返回"),
    "no script": Phrase("This page needs scripts; they are off.", "此页面需要脚本，而脚本已禁用。"),
}

SCRIPT = {
    "no value": Phrase("no value", "没有值"),
    "moved": Phrase(
        "{before} under the rules of {tool}, {change} by your change",
        "按 {tool} 的规则为 {before}，你的改动使其变化 {change}",
    ),
    "same": Phrase("as under the rules of {tool}", "与 {tool} 的规则相同"),
    "reset": Phrase("Back to the rules of the tool", "恢复该工具的规则"),
    "move up": Phrase("rank {rank}, grade {grade}: move up", "第 {rank} 位，等级 {grade}：上移"),
    "click to move": Phrase("Click an item to move it up.", "点击物品可使其上移一位。"),
    "still": Phrase("Rules that change nothing on this list ({count})", "在这个列表上不改变数值的规则（{count} 条）"),
    "searching": Phrase("Trying about a thousand definitions …", "正在试约一千种定义……"),
    "failed": Phrase(
        "The server does not answer: {reason}. Is rankgauge serve still running?",
        "服务器没有应答：{reason}。rankgauge serve 还在运行吗？",
    ),
    # Files
    "role": Phrase("What is {name}?", "{name} 是什么？"),
    "auto": Phrase("find out", "自动判断"),
    "judgments": Phrase("judgments", "标注"),
    "ranking": Phrase("ranking", "排序"),
    "texts": Phrase("texts", "文本"),
    "remove": Phrase("Remove", "移除"),
    "remove file": Phrase("Remove {name}", "移除 {name}"),
    "stop": Phrase("Stop", "停止"),
    "open": Phrase("Open the report", "打开报告"),
    "tab": Phrase("In a tab of its own", "在新标签页中打开"),
    "save": Phrase("Save the file", "保存文件"),
    "too many": Phrase("Up to {most} files at once.", "一次最多 {most} 个文件。"),
    "too large": Phrase(
        "{size} MiB together, but this server takes {limit} MiB: start rankgauge serve with a larger --limit.",
        "总共 {size} MiB，而此服务器只接受 {limit} MiB：请用更大的 --limit 启动 rankgauge serve。",
    ),
    "none yet": PAGE["no evaluations"],
    "nothing": Phrase("Drop some files first.", "请先拖入文件。"),
    "sending": Phrase("Copying the files …", "正在复制文件……"),
    "waiting": Phrase("Waiting for another evaluation to end …", "等待其他评测结束……"),
    "starting": Phrase("Starting …", "正在启动……"),
    "reading": Phrase("Reading and evaluating …", "正在读取与评测……"),
    "comparing": Phrase("Comparing the systems …", "正在比较系统……"),
    "writing": Phrase("Writing the report …", "正在写报告……"),
    "done": Phrase("Done", "完成"),
    "wrong": Phrase("Not evaluated", "未能评测"),
    "kib": Phrase("{size} KiB", "{size} KiB"),
}

STEPS = {
    "gain title": Phrase("What is each item worth? Its gain", "每个物品值多少？增益"),
    "gain": Phrase(
        "A grade says how good an item is; the gain says how much a good item counts.",
        "等级说明物品有多好；增益说明好的物品算多少。",
    ),
    "discount title": Phrase("How much does its place count? The discount", "所在名次算多少？折损"),
    "discount": Phrase(
        "Few people look far down, so the same item counts less at a lower rank.",
        "往下看的人少，所以同一个物品排得越靠后，算得越少。",
    ),
    "relevant title": Phrase("Is it relevant?", "是否相关？"),
    "relevant": Phrase(
        "From a certain grade on, an item counts as relevant: 1, otherwise 0.",
        "等级达到阈值的物品算相关，记 1，否则记 0。",
    ),
    "precision title": Phrase("How clean is the list down to here? The precision", "到此为止列表有多准？精确率"),
    "precision": Phrase("The share of relevant items among the first i.", "前 i 个物品中相关物品的比例。"),
    "reciprocal": Phrase("One divided by the rank.", "1 除以名次。"),
    "multiply and add": Phrase("Multiply along each row, add up the column", "逐行相乘，逐列相加"),
    "add": Phrase("Add up the column", "逐列相加"),
    "row product": Phrase(
        "In each row, the contribution is the product of the numbers before it; the running sum adds them up.",
        "每一行的贡献是前面各数的乘积；累计把它们加起来。",
    ),
    "row sum": Phrase("Each row adds its contribution to the running sum.", "每一行把贡献加进累计。"),
    "ideal title": Phrase("How good could it be? The ideal order: {name}", "最好能有多好？理想排序：{name}"),
    "ideal": Phrase(
        "The same sum over the best order there could be: the highest grades first.",
        "对最好的次序做同样的求和：等级高的排在前面。",
    ),
    "divide title": Phrase("Divide", "相除"),
    "divide ideal": Phrase(
        "How much of the best possible was reached: 1 is perfect, and lists of different queries can be compared.",
        "达到了最好可能的多少：1 为完美，不同查询的列表也因此可以比较。",
    ),
    "divide": Phrase(
        "The sum, divided by what it could be at most or by how many there are.", "用总和除以可能的最大值或个数。"
    ),
    "bars list": Phrase("The list as it was returned", "返回的列表"),
    "bars ideal": Phrase("The ideal order", "理想排序"),
    "bars with discount": Phrase(
        "Pale: the gain of each item. Solid: what the discount leaves of it, written above. The solid bars add up to "
        "the sum.",
        "浅色：每个物品的增益。深色：折损之后所剩，数值写在上方。深色各柱相加即为总和。",
    ),
    "bars": Phrase("What each rank adds.", "每个名次的贡献。"),
    "every k": Phrase("The same list at every cutoff k", "同一列表在各个截断 k 处"),
    "every k says": Phrase(
        "A cutoff should be as deep as people look. Compare numbers only at the same k.",
        "截断应与人们查看的深度相当。只有 k 相同的数才能比较。",
    ),
    "rank axis": Phrase("rank", "名次"),
}
