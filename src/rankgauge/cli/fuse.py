"""``rankgauge fuse``: several rankings into one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rankgauge.cli import values
from rankgauge.cli.command import Argument, Option, define_command
from rankgauge.cli.console import write_message, write_saved
from rankgauge.cli.item_options import FILE
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import READING, RULE, TAG, Reading
from rankgauge.cli.output import DOCUMENTS, Output, file_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.inputs.formats.registry import WRITABLE


@define_command(
    COMMANDS["fuse"],
    """Without --output, -t or --query: what was fused and the first items. With --output the fused ranking is written
    to a file, in one pass over files whose queries come in the same order; others are sorted on disk. --query explains
    the score of an item.""",
    """不写 --output、-t 与 --query 时，显示融合的内容与前几个物品。写 --output 时把融合结果写入文件；
    查询次序相同的文件只读一遍，否则先在磁盘上排序。--query 解释某个物品的分数。""",
    Argument("rankings", "RANKING...", nargs=-1, required=True, type=FILE, callback=values.drop_repeated),
    Option(
        "--method",
        "rrf, sum, mnz, borda, qdrant-dbsf, ...; see the page on fusion.",
        "rrf、sum、mnz、borda、qdrant-dbsf 等；见融合一页。",
        default="rrf",
    ),
    Option(
        "--k",
        "Constant of reciprocal rank fusion.  [default: 60, 2 for Qdrant]",
        "倒数排名融合的常数。  [默认：60，Qdrant 为 2]",
        type=float,
    ),
    Option(
        "--weights",
        "A weight for each ranking: 0.3,0.7 or bm25=1,dense=2.",
        "每个排序结果的权重：0.3,0.7 或 bm25=1,dense=2。",
        listed=True,
    ),
    Option(
        "--norm",
        "How scores are normalised: min-max, max, sum, z, l2, dbsf, rank, borda or none.",
        "分数的归一化：min-max、max、sum、z、l2、dbsf、rank、borda 或 none。",
    ),
    Option(
        "--missing",
        "What happens to an item that a list lacks: zero, min, skip, share or last.",
        "列表缺少的物品如何处理：zero、min、skip、share 或 last。",
    ),
    Option("--depth", "Items taken from each list.", "从每个列表中取多少个物品。", least=1),
    Option("--p", "Parameter of rbc, gmnz and logn-isr.", "rbc、gmnz 与 logn-isr 的参数。", type=float),
    Option("--query", "Explain a fused score of this query.", "解释该查询的融合分数。"),
    Option("--item", "The item to explain; by default the first.", "要解释的物品；默认为第一个。"),
    TAG,
    RULE,
    *file_options([*dict.fromkeys([*DOCUMENTS, *WRITABLE])]),
    READING,
    examples="""
    # reciprocal rank fusion, written as a file | 倒数排名融合，写入文件
    rankgauge fuse keywords.csv embeddings.csv -o fused.csv
    # a weighted sum of normalised scores | 归一化分数的加权和
    rankgauge fuse keywords.csv embeddings.csv --method sum --weights 0.3,0.7
    # how a score is made up | 分数的构成
    rankgauge fuse keywords.csv embeddings.csv --query "space opera"
    """,
)
def command(
    rankings: tuple[str, ...], weights: str | None, query: str | None, item: str | None, tag: str,
    rules: tuple[str, ...], path: Path | None, to: str | None, force: bool, reading: Reading, **parameters: Any,
) -> None:  # fmt: skip
    """Fuse rankings and write the result."""
    from rankgauge.conventions.texts import convention_of
    from rankgauge.fusion.fuse import Fusion, fuse
    from rankgauge.fusion.fused_ranking import definition_used, write_fused
    from rankgauge.matching.convert import check_target

    paths = values.parse_rankings(rankings)
    options = reading.read_options(*paths.values())
    keywords = {"weights": None if weights is None else _weights(weights), **parameters}
    convention = convention_of(None, rules)
    if path is None and to in {None, *DOCUMENTS}:
        fused = fuse(paths, convention=convention, read_options=options, **keywords)
        reading.write_findings(fused.findings)
        shown = fused.document(language()) if query is None else fused.explain(query, item, language())
        Output(to or DOCUMENTS[0], None, force).show(lambda: shown)
        return
    if query is not None or to in {*DOCUMENTS} - {*WRITABLE}:
        raise usage_error("--output writes a ranking; leave --query out", "--output 写出的是排序结果；请去掉 --query")
    target: Any = sys.stdout.buffer if path in {None, Path("-")} else path
    check_target(target, to, tag)
    fusion = Fusion.of(paths, options, convention, **keywords)
    fusion.in_any_order(lambda chunks: write_fused(fusion.frames(chunks), target, to=to, tag=tag, force=force))
    reading.write_findings(fusion.findings)
    if path is not None and target is path:
        write_saved(path, path.stat().st_size)
        write_message(definition_used(fusion, language()))


def _weights(text: str) -> object:
    """Parse weights, in the order of the rankings or by name."""
    parts = text.split(",")
    if "=" in text:
        pairs = values.parse_pairs(parts, "--weights", "bm25=1")
        return {name: _number(weight, text) for name, weight in pairs.items()}
    return [_number(part, text) for part in parts]


def _number(part: str, text: str) -> float:
    try:
        return float(part)
    except ValueError:
        raise usage_error(
            "--weights {text}: {part} is not a number", "--weights {text}：{part} 不是数", text=text, part=part
        ) from None
