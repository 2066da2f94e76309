"""The help of the commands in Chinese, by the name of the command and by the English text of the option."""

from __future__ import annotations

COMMANDS = {
    "rankgauge": "评测排序列表，并看清每个数是怎样得出的。",
    "demo": "看一个内置的小例子。",
    "eval": """用标注评测排序。

    文件可以是 TREC、CSV、TSV、JSONL、Parquet 或 Arrow，压缩与否均可；- 表示标准输入。
    系统以文件名命名，也可以写成 名称=文件。不写 -m 时计算 nDCG@10、AP、RR、P@10 与 R@100。

    csv 与 tsv 中，每个系统、查询（all 表示总体）与指标各占一行，并附所用定义。
    csv 中以 = + - @ 制表符或回车开头的文字前会加一个单引号，以免被电子表格当作公式执行。""",
    "explain": """逐步解释一个数。

    可以给出一串等级，或标注、排序与一个查询。不写 -m 时解释 nDCG@10。""",
    "metrics": """列出指标，或说明其中一个。

    NAME 是指标的名称，或要查找的词。""",
    "conventions": """查看约定，以及它们的不同。

    约定是所有会影响数值的规则。不写名称时，show 显示默认约定，diff 与默认约定比较。""",
    "curve": "指标随截断 k 的变化。不写 -m 时为 nDCG。",
    "doctor": """查看文件里有什么，有什么问题。

    说明标注与排序文件的内容、可疑之处与处理办法。只有一个标注文件时，会把各个排序与它对照。
    发现 eval 会拒绝的问题时，退出码为 1。""",
    "reconcile": """为什么你的数与别人的不同。

    给出标注与排序，或一串等级：列出各工具对同样数据的取值，以及使它们不同的规则。--value 说明哪些规则给出某个数；
    --between 从一个工具逐条规则走到另一个工具。不写 -m 时为 nDCG@10。没有规则能给出 --value 的数时，退出码为 1。""",
    "convert": """转换标注或排序的格式。

    可读 TREC、CSV、TSV、JSONL、Parquet、Arrow 与 LETOR；除 LETOR 外均可写。OUT 要么完整写出，要么不写。
    标识原样写出，包括会被电子表格当作公式的标识。""",
    "completion": "输出某个 shell 的补全脚本。",
    "compare": """比较两个或更多排序：结论、排行榜、带区间与检验的差异。

    系统以文件名命名，也可以写成 名称=文件。以第一个系统为基线，除非 --baseline 指定另一个。
    不写 -m 时比较 nDCG@10 与 AP。csv 中每对系统与指标占一行。""",
    "diff": "从排序 FIRST 到排序 SECOND 有哪些变化：重合、次序、进入与离开的物品。",
    "check": """RANKING 变差到不能接受时报告失败。

    退出码：0 没有条件成立，1 有条件成立，2 用法错误，3 输入有误，4 没有可评测的内容。
    drops 0.01 指下降 0.01 或更多；drops 2% 指下降基线的 2% 或更多；drops significantly 指均值下降，
    且配对 t 检验（双侧）p < 0.05，也可写成 significantly (0.01)。rises 与之相反。""",
    "report": """为一个或多个 RANKING 写一份报告：结论、排行榜、图、每个查询、每条规则。

    页面是一个无需联网的文件。不写 -m 时为 nDCG@10 与 AP。""",
    "serve": """在本机打开一个页面：拖入文件，或试一个等级列表。

    页面只供本机使用，须用所印出的含令牌的地址打开，任何内容都不会离开本机。文件评测后即被删除。按 Ctrl-C 结束。""",
    "trec_eval": "按 trec_eval 9 或 10 的参数与输出格式评测（-h 显示帮助）。",
}

OPTIONS = {
    "The language to speak; auto: that of the environment.": "使用的语言；auto 表示随环境而定。",
    "Show the traceback of an error (also: RANKGAUGE_DEBUG=1).": "显示错误的调用栈（或设 RANKGAUGE_DEBUG=1）。",
    "A metric, such as nDCG@10, AP or \"nDCG(gain='exp2')@10\"; trec_eval's names work, too. Repeatable.": (
        "指标，如 nDCG@10、AP 或 \"nDCG(gain='exp2')@10\"；trec_eval 的名称也可以。可重复。"
    ),
    "Change one rule, such as gain=exp2 or ties=mean. Repeatable; see: rankgauge conventions show.": (
        "修改一条规则，如 gain=exp2 或 ties=mean。可重复；见 rankgauge conventions show。"
    ),
    "The rules of a named tool, such as trec_eval-9; see: rankgauge conventions.": (
        "采用某个工具的规则，如 trec_eval-9；见 rankgauge conventions。"
    ),
    (
        "What metrics beyond accuracy need to know: training=log.csv, items, popularity, features, categories, "
        "item_groups, subtopics or baseline. Repeatable; see: rankgauge metrics NAME."
    ): (
        "准确性之外的指标所需的背景：training=log.csv，以及 items、popularity、features、categories、"
        "item_groups、subtopics 或 baseline。可重复；见 rankgauge metrics NAME。"
    ),
    "Leave out what is wrong in the files and count it, instead of stopping.": "略去文件中有误之处并计数，而不是中止。",
    "Names of columns that are not recognised: query=session,score=p; of one side: ranking.query=session.": (
        "无法识别的列名：query=session,score=p；只指其中一方时写 ranking.query=session。"
    ),
    "The format of the files, or judgments=...,ranking=...; guessed from their content where it is not given.": (
        "文件的格式，也可写 judgments=...,ranking=...；不写时由内容判断。"
    ),
    "Replace the file of --output where it exists.": "--output 的文件已存在时将其替换。",
    "Write to a file, whole or not at all, instead of standard output.": "写入文件，要么完整写出，要么不写。",
    "The format.": "输出格式。",
    "Write the value of each query, too.": "同时写出每个查询的值。",
    "Digits in tables.": "表格中的小数位数。",
    "Show on a terminal how far the reading has come.": "在终端上显示读取进度。",
    "Tell warnings on standard error, but no notes.": "标准错误上只报告警告，不报告提示。",
    "Write judgments.csv, keywords.csv and embeddings.csv to a folder instead.": (
        "把 judgments.csv、keywords.csv 与 embeddings.csv 写入一个目录。"
    ),
    "Replace these files where they exist.": "文件已存在时将其替换。",
    "The query to explain; not needed where there is only one.": "要解释的查询；只有一个查询时可不写。",
    "Of a list: the grades of all judged items, returned or not.": "对列表：所有已标注物品的等级，无论是否返回。",
    "Of a list: the scores of the items, for ties.": "对列表：物品的分数，用于并列。",
    "Of a list: the names of the items.": "对列表：物品的名称。",
    "Of a list: how many items are relevant in all.": "对列表：相关物品的总数。",
    "One metric, such as nDCG@10 or AP.": "一个指标，如 nDCG@10 或 AP。",
    "A number to explain, with the digits it was printed with. Repeatable.": "要解释的数，按印出的位数书写。可重复。",
    "Go from one tool to another, one rule at a time.": "从一个工具走到另一个工具，每次改变一条规则。",
    "Digits of the values; as many as tell them apart where it is not given.": (
        "取值的小数位数；不写时以能区分各值为准。"
    ),
    "Show as many ranks at most.": "最多显示多少个名次。",
    "Change a rule of what show shows.": "修改 show 所显示的一条规则。",
    "The cutoffs: 1:20, 10:100:10 or 1,5,10.": "截断：1:20、10:100:10 或 1,5,10。",
    "Draw the curves in the terminal instead of a table.": "在终端上画出曲线，而不是表格。",
    "What the files are; guessed file by file.": "文件的内容；不写时逐个判断。",
    "What IN is; guessed from its columns.": "IN 的内容；不写时由列判断。",
    "The format of OUT, where its ending does not say it.": "OUT 的格式；扩展名未说明时使用。",
    "The last column of a TREC ranking.": "TREC 排序文件的最后一列。",
    "Replace OUT where it exists.": "OUT 已存在时将其替换。",
    "The system that the others are compared with; the first otherwise.": "作为基线的系统；不写时为第一个。",
    "Compare every system with every other one.": "两两比较所有系统。",
    "The rate of false alarms that is accepted.": "可接受的误报率。",
    "How the p-values of several pairs are corrected.": "多对比较的 p 值如何校正。",
    "Random sign flips.": "随机翻转符号的次数。",
    "The seed of all random numbers.": "所有随机数的种子。",
    "The depth of the top.": "顶部的深度。",
    "The persistence of rank-biased overlap.": "RBO 的持续概率。",
    "List all queries, not only those that changed most.": "列出全部查询，而不只是变化最大的。",
    "A ranking, or the JSON that Scores.to_json or eval -o json wrote.": (
        "一个排序，或 Scores.to_json 或 eval -o json 写出的 JSON。"
    ),
    "When to fail: 'nDCG@10 < 0.42', 'nDCG@10 drops 0.01', 'AP drops 2%', 'AP drops significantly'. Repeatable.": (
        "何时失败：'nDCG@10 < 0.42'、'nDCG@10 drops 0.01'、'AP drops 2%'、'AP drops significantly'。可重复。"
    ),
    "How many queries to name.": "列出多少个查询。",
    "Where to; the ending says what: .html (a page), .md or .tex (tables).  [default: report.html]": (
        "写到哪里；扩展名决定内容：.html（页面）、.md 或 .tex（表格）。  [默认：report.html]"
    ),
    "Replace files that exist.": "文件已存在时将其替换。",
    "Also write every picture as SVG, and as PNG where a program that draws SVG is installed.": (
        "同时把每张图写成 SVG；装有可绘制 SVG 的程序时也写成 PNG。"
    ),
    "Texts of queries and items: JSONL, CSV or TSV with an id and a text.": (
        "查询与物品的文本：含 id 与 text 的 JSONL、CSV 或 TSV。"
    ),
    "Attributes of queries, for --by: a table with a column of queries.": "查询的属性（用于 --by）：含查询列的表格。",
    "Slice the differences by an attribute. Repeatable.": "按某个属性对差异分组。可重复。",
    "The title of the page.": "页面的标题。",
    "The port; 0 takes any that is free.": "端口；0 表示任一空闲端口。",
    "Open the page in the browser.": "在浏览器中打开页面。",
    "How many MiB can be dropped at once.": "一次可拖入多少 MiB。",
    "How many evaluations run at the same time.": "同时进行多少个评测。",
    "Show the version and exit.": "显示版本并退出。",
    "Show this message and exit.": "显示此帮助并退出。",
}

TITLES = {"Usage:": "用法：", "Options:": "选项：", "Commands:": "命令："}
