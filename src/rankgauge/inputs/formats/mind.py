"""Impressions of MIND (``behaviors.tsv``): the items shown, each with ``-1`` if it was clicked, else ``-0``."""

from __future__ import annotations

from collections.abc import Iterator

from rankgauge.errors import shown
from rankgauge.inputs.formats.codec import Parser, Row, text_codec
from rankgauge.inputs.io.lines import Block
from rankgauge.rendering.language import Phrase

COLUMNS = 5


class MindParser(Parser):
    """Parses one file of impressions; the query is the impression."""

    def rows(self, block: Block) -> Iterator[Row | None]:
        """Parse the lines one by one."""
        for line, text in enumerate(block.text.split(b"\n"), block.line):
            if text.strip():
                self.context.rows_begun = True
                yield from self._impression(text.decode().rstrip("\r").split("\t"), line)

    def _impression(self, fields: list[str], line: int) -> Iterator[Row | None]:
        if len(fields) != COLUMNS or not fields[0]:
            message = Phrase(
                f"expected impression, user, time, history and items with labels, found {len(fields)} columns",
                f"应为展示、用户、时间、历史与带标签的物品，实有 {len(fields)} 列",
            )
            self.context.report("RG108", line, message)
            return
        for entry in fields[-1].split():
            item, _, label = entry.rpartition("-")
            if not item or label not in {"0", "1"}:
                message = Phrase(
                    f"{shown(entry)} is not an item with a label, such as N1-0 or N1-1",
                    f"{shown(entry)} 不是带标签的物品，如 N1-0 或 N1-1",
                )
                self.context.report("RG204", line, message, fields[0])
                return
            yield fields[0], item, float(label)


CODEC = text_codec(MindParser)
