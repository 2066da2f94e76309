"""Predictions for MIND (``prediction.txt``): an impression, and the rank of each of its items in the order shown."""

from __future__ import annotations

import json
import re

import polars as pl

from rankgauge.errors import shown
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import Codec
from rankgauge.inputs.formats.pairing import alone, text_lines
from rankgauge.rendering.language import Phrase, plural

_LINE = re.compile(r"(\S+) (\[[\d\s,]+\])\s*")


def pair(judged: pl.DataFrame, judged_name: str, content: bytes, name: str) -> pl.DataFrame:
    """Return the ranking: the items of each impression with minus their rank as score."""
    shown_items = dict(judged.group_by("query", maintain_order=True).agg("item").iter_rows())
    queries: list[str] = []
    items: list[str] = []
    scores: list[float] = []
    for number, line in text_lines(content):
        query, ranks = _ranks(line)
        if not ranks:
            message = Phrase(
                f"{name}:{number}: expected an impression and ranks such as 1 [2,1,3], found {shown(line)}",
                f"{name}:{number}：应为展示与名次，如 1 [2,1,3]，实为 {shown(line)}",
            )
            raise input_error("RG110", message)
        if query not in shown_items:
            en, zh = f"impression {shown(query)} is not in {judged_name}", f"展示 {shown(query)} 不在 {judged_name} 中"
            raise input_error("RG110", Phrase(f"{name}:{number}: {en}", f"{name}:{number}：{zh}"))
        shown_ids = shown_items[query]
        if sorted(ranks) != [*range(1, len(shown_ids) + 1)]:
            message = Phrase(
                f"{name}:{number}: impression {shown(query)} has {plural(len(shown_ids), '# item', '# items')} in "
                f"{judged_name}, and the ranks are not 1 to {len(shown_ids)}: {shown(line.partition(' ')[2])}",
                f"{name}:{number}：展示 {shown(query)} 在 {judged_name} 中有 {len(shown_ids)} 个物品，而名次不是 1 到 "
                f"{len(shown_ids)}：{shown(line.partition(' ')[2])}",
            )
            raise input_error("RG110", message)
        queries += [query] * len(shown_ids)
        items += shown_ids
        scores += [-float(rank) for rank in ranks]
    return pl.DataFrame({"query": queries, "item": items, "score": scores})


def _ranks(line: str) -> tuple[str, list[int]]:
    """Return the impression and the ranks of a line."""
    match = _LINE.fullmatch(line)
    try:
        return ("", []) if match is None else (match[1], json.loads(match[2]))
    except ValueError:
        return "", []


CODEC = Codec(read=alone, guess_role=lambda _: "ranking")
