"""Texts of documents: to find spans in them, to check offsets, and to count the tokens of spans."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path

from rankgauge.errors import ParameterError, shown
from rankgauge.inputs.columns import normalise_name
from rankgauge.inputs.findings import input_error, reader_errors
from rankgauge.inputs.formats.table_files import table_of
from rankgauge.inputs.spans import CHARACTERS, Span
from rankgauge.rendering.language import Phrase, plural

EXPECTED = (
    "{id: text}, a table with columns such as id and text (a frame or a file), or a folder of text files",
    "{标识: 文本}、含 id 与 text 等列的表（数据框或文件），或文本文件的文件夹",
)
IDS = ("docid", "documentid", "document", "doc", "docno", "id", "source", "filename", "path", "corpusid")
SEVERAL = 2
"""Places of a text at which it is ambiguous."""
TEXTS = ("text", "content", "contents", "pagecontent", "body")


class Documents:
    """Texts by the id of their document.

    >>> documents = Documents({"a": "one two one"})
    >>> documents.text("a[4:7]"), [str(span) for span in documents.find("one", "a")]
    ('two', ['a[0:3]', 'a[8:11]'])
    """

    def __init__(self, source: object) -> None:
        self.source = source
        if not isinstance(source, Mapping | str | PathLike) and not hasattr(source, "columns"):
            raise ParameterError.of("documents", source, EXPECTED)

    @classmethod
    def of(cls, source: object) -> Documents | None:
        """Return documents as they are, None for None, and anything else as texts."""
        return source if source is None or isinstance(source, cls) else cls(source)

    def __repr__(self) -> str:
        named = isinstance(self.source, str | PathLike)
        return f"<Documents: {self.source if named else type(self.source).__name__}>"

    def whole(self, document: str) -> str:
        """Return the text of a document; one without a text is an error."""
        text = self._texts.get(document)
        if text is None:
            name = shown(document)
            message = f"documents: document {name} has no text", f"documents：文档 {name} 没有文本"
            raise input_error("RG220", message)
        return text

    def text(self, item: object) -> str:
        """Return the text of a span."""
        span = Span.of(item)
        return "" if span is None else self.whole(span.document)[span.start : span.end]

    def find(self, text: str, document: str | None = None) -> list[Span]:
        """Return where a document, or any of them, has a text: two places at most."""
        spans: list[Span] = []
        for name in self._texts if not document else [document]:
            whole, start = self.whole(name), -1
            while len(spans) < SEVERAL and (start := whole.find(text, start + 1)) >= 0:
                spans.append(Span(name, start, start + len(text)))
        return spans

    def check(self, span: Span, place: Phrase) -> None:
        """Raise an error for a span of characters that ends after its document."""
        text = self.whole(span.document)
        if span.unit != CHARACTERS or span.end <= len(text):
            return
        in_bytes = span.end <= len(text.encode("utf-8", "surrogatepass"))
        size, name = plural(len(text), "# character", "# characters"), shown(str(span))
        if in_bytes:
            en = f"{place.en}: {name} ends after its document, which has {size}, but not in bytes of UTF-8"
            zh = f"{place.zh}：{name} 超出文档末尾（文档有 {len(text)} 个字符），但未超出其 UTF-8 字节数"
        else:
            en = f"{place.en}: {name} ends after its document, which has {size}"
            zh = f"{place.zh}：{name} 超出文档末尾；文档有 {len(text)} 个字符"
        raise input_error("RG219" if in_bytes else "RG218", (en, zh))

    def misplaced(self, span: Span, text: str) -> tuple[str, Phrase] | None:
        """Return the code and the reason if the document has another text at a span; None if it has this one.

        >>> Documents({"a": "Zoë met Max"}).misplaced(Span("a", 5, 8), "met")[0]
        'RG219'
        """
        name, excerpt = shown(str(span)), shown(text)
        if span.unit != CHARACTERS or (in_document := self.text(str(span))) == text:
            return None
        data = self.whole(span.document).encode("utf-8", "surrogatepass")
        if data[span.start : span.end] == text.encode("utf-8", "surrogatepass"):
            en = f"{name} is {excerpt} in bytes of UTF-8, and {shown(in_document)} in characters"
            return "RG219", Phrase(en, f"{name} 按 UTF-8 字节是 {excerpt}，按字符是 {shown(in_document)}")
        en = f"the document has {shown(in_document)} at {name}, and the text is {excerpt}"
        return "RG225", Phrase(en, f"文档在 {name} 处为 {shown(in_document)}，而文本为 {excerpt}")

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        if isinstance(self.source, Mapping):
            return {str(document): str(text) for document, text in self.source.items()}
        if isinstance(self.source, str | PathLike) and Path(self.source).is_dir():
            files = [path for path in sorted(Path(self.source).rglob("*")) if path.is_file()]
            with reader_errors("documents", "give text files in UTF-8"):
                texts = {path: path.read_bytes().decode("utf-8-sig") for path in files}
            names = {str(path.relative_to(self.source)): text for path, text in texts.items()}
            return {path.stem: text for path, text in texts.items()} | names
        frame = table_of(self.source, "documents", as_text=True)
        words = {normalise_name(name): name for name in reversed(frame.columns)}
        columns = [next((words[name] for name in names if name in words), None) for names in (IDS, TEXTS)]
        if None in columns:
            listed = ", ".join(map(shown, frame.columns))
            zh = f"documents：各列 {listed} 中没有 id 与 text"
            raise input_error("RG111", (f"documents: no id and text among the columns {listed}", zh))
        rows = frame.select(*columns).iter_rows()
        return {str(document): str(text) for document, text in rows if text is not None}
