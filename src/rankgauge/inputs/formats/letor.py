"""SVMlight and LETOR files with query ids: ``grade qid:10 1:0.5 2:0.1 # docid = GX000``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rankgauge.errors import shown
from rankgauge.inputs.formats.codec import OpenFile, Parser, Row, text_codec
from rankgauge.inputs.io.lines import Block
from rankgauge.rendering.language import Phrase

_DOCID = re.compile(r"docid\s*=\s*(\S+)")
_QID = b"qid:"


class LetorParser(Parser):
    """Parses one LETOR file.

    The item is the docid in the comment if the first line has one; otherwise the row number in the file, counted
    from 1, as in the predictions for such a file.
    """

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        self._row = 0
        self._with_docid: bool | None = None

    def rows(self, block: Block) -> Iterator[Row | None]:
        """Parse a block line by line; features are ignored."""
        return (self._parse_line(line, raw) for line, raw in enumerate(block.text.split(b"\n"), block.line))

    def _parse_line(self, line: int, raw: bytes) -> Row | None:
        data, _, comment = raw.partition(b"#")
        fields = data.split(None, 2)
        if not fields:
            return None
        context = self.context
        context.rows_begun = True
        self._row += 1
        if len(fields) == 1 or not fields[1].startswith(_QID) or fields[1] == _QID:
            text = shown(data[:40].decode())
            message = Phrase(
                f"no qid: after the grade (a separate file of group sizes is not read): {text}",
                f"等级之后没有 qid:（不读取单独的分组大小文件）：{text}",
            )
            context.report("RG110", line, message)
            return None
        query = fields[1].removeprefix(_QID).decode()
        item = self._item(comment.decode())
        if item is None:
            en, zh = "no docid in the comment, although earlier lines have one", "注释中没有 docid，而前面的行有"
            context.report("RG208", line, (en, zh), query)
            return None
        grade = context.parse_number(fields[0].decode(), line, query, item)
        return None if grade is None else (query, item, grade)

    def _item(self, comment: str) -> str | None:
        docid = _DOCID.search(comment)
        if self._with_docid is None:
            self._with_docid = docid is not None
        if not self._with_docid:
            return str(self._row)
        return docid.group(1) if docid else None


CODEC = text_codec(LetorParser, guess_role=lambda _: "judgments")
