"""SVMlight and LETOR files with query ids: ``grade qid:10 1:0.5 2:0.1 # docid = GX000``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rankgauge.errors import InputError, shown
from rankgauge.inputs.findings import input_error
from rankgauge.inputs.formats.codec import OpenFile, Parser, Row, text_codec
from rankgauge.inputs.formats.group_sizes import file_beside, read_group_sizes
from rankgauge.inputs.io.lines import Block
from rankgauge.rendering.language import Phrase, plural

_DOCID = re.compile(r"docid\s*=\s*(\S+)")
_QID = b"qid:"
NEEDS_SIZES = Phrase(
    "write the number of rows of each query, one per line, to {name}.query or {name}.group",
    "请把各查询的行数逐行写入 {name}.query 或 {name}.group",
)


class LetorParser(Parser):
    """Parses one LETOR file.

    The item is the docid in the comment if the first line has one; otherwise the row number in the file, counted
    from 1, as in the predictions for such a file. Without ``qid:``, a file of group sizes beside it (``.group`` or
    ``.query``) tells the queries, which are numbered from 1.
    """

    def __init__(self, file: OpenFile) -> None:
        super().__init__(file)
        self._row = 0
        self._with_docid: bool | None = None
        self._sizes_from = file_beside(file.source)
        self._sizes: list[int] | None = None
        self._last = ""
        self._seen: set[str] = set()
        self._group, self._left = 0, 0
        """The number of the group being read, and how many of its rows are still to come."""

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
        query = self._query(fields, line, data)
        if query is None:
            return None
        if query != self._last:
            self._note_return(query, line)
        item = self._item(comment.decode())
        if item is None:
            en, zh = "no docid in the comment, although earlier lines have one", "注释中没有 docid，而前面的行有"
            context.report("RG208", line, (en, zh), query)
            return None
        grade = context.parse_number(fields[0].decode(), line, query, item)
        return None if grade is None else (query, item, grade)

    def _note_return(self, query: str, line: int) -> None:
        """Report a query that had rows before those of another one."""
        if query in self._seen:
            name, text = self.context.name, shown(query)
            returns = Phrase(
                f"{name}:{line}: query {text} returns after other queries; all its rows are taken together",
                f"{name}:{line}：查询 {text} 在其他查询之后再次出现；其所有行合在一起",
            )
            self.context.findings.add("RG304", returns)
        self._seen.add(query)
        self._last = query

    def _query(self, fields: list[bytes], line: int, data: bytes) -> str | None:
        """Return the query of a row: its qid, or the number of its group."""
        has_qid = len(fields) > 1 and fields[1].startswith(_QID) and fields[1] != _QID
        if has_qid and self._sizes is None:
            return fields[1].removeprefix(_QID).decode()
        if not has_qid and self._sizes_from is not None and (self._sizes is not None or self._row == 1):
            if self._sizes is None:
                self._sizes = read_group_sizes(self._sizes_from)
            while not self._left:
                if self._group == len(self._sizes):
                    raise self._wrong_sum(self._sizes_from, self._sizes, "more", "更多")
                self._left = self._sizes[self._group]
                self._group += 1
                if not self._left:
                    empty = Phrase(
                        f"{self._sizes_from.name}: the group has no rows", f"{self._sizes_from.name}：分组没有任何行"
                    )
                    self.context.report("RG126", line, empty, str(self._group))
            self._left -= 1
            return str(self._group)
        context, text = self.context, shown(data[:40].decode())
        message = Phrase(
            f"no qid: after the grade, and no file of group sizes (.group or .query) beside the file: {text}",
            f"等级之后没有 qid:，旁边也没有分组大小文件（.group 或 .query）：{text}",
        )
        if self._row == 1 and not context.lenient:  # probably no row has one
            place = f"{context.name}:{line}"
            message = Phrase(f"{place}: {message.en}", f"{place}：{message.zh}")
            raise input_error("RG110", message, NEEDS_SIZES.fill(name=context.name))
        if self._sizes is not None:
            message = Phrase(f"a qid: although earlier lines have none: {text}", f"有 qid:，而前面的行没有：{text}")
        context.report("RG110", line, message)
        return None

    def finish(self) -> None:
        """Raise an error if the groups have more rows than the file."""
        if self._sizes_from is not None and self._sizes is not None and self._row < sum(self._sizes):
            raise self._wrong_sum(self._sizes_from, self._sizes, f"{self._row:,}", f" {self._row:,} 行")

    def _wrong_sum(self, path: Path, sizes: list[int], en: str, zh: str) -> InputError:
        name, total = self.context.name, sum(sizes)
        message = Phrase(
            f"{name}: the sizes in {path.name} add up to {plural(total, '# row', '# rows')}, the file has {en}",
            f"{name}：{path.name} 中的大小合计 {total:,} 行，而文件有{zh}",
        )
        return input_error("RG110", message)

    def _item(self, comment: str) -> str | None:
        docid = _DOCID.search(comment)
        if self._with_docid is None:
            self._with_docid = docid is not None
        if not self._with_docid:
            return str(self._row)
        return docid.group(1) if docid else None


CODEC = text_codec(LetorParser, guess_role=lambda _: "judgments")
