"""Findings about spans of documents and lengths of texts, by their stable codes."""

from __future__ import annotations

from rankgauge.inputs.finding_kind import DROPS, STOPS, FindingKind
from rankgauge.rendering.language import Phrase

SPAN_CODES: dict[str, FindingKind] = {
    "RG217": FindingKind(
        "error",
        Phrase("span without characters", "片段不含字符"),
        Phrase(
            "The span ends where it starts, or before. Spans are half-open: the character at the end is not part "
            "of them.",
            "片段的结束位置不大于起始位置。片段是半开区间：不含结束位置上的字符。",
        ),
        Phrase(
            "check the step that wrote the offsets; add 1 to an end that is the last character",
            "检查写出偏移量的步骤；若结束位置是最后一个字符，请加 1",
        ),
        DROPS,
    ),
    "RG219": FindingKind(
        "error",
        Phrase("offsets count bytes, not characters", "偏移量按字节而非字符计算"),
        Phrase(
            "The spans fit the text in bytes of UTF-8, and not in characters, so they would cover other text than "
            "was meant.",
            "片段与文本的 UTF-8 字节数相符，而与字符数不符，因此会对应到别的文字。",
        ),
        Phrase("convert the offsets: len(data[:offset].decode())", "换算偏移量：len(data[:offset].decode())"),
        DROPS,
    ),
    "RG218": FindingKind(
        "error",
        Phrase("span beyond its document", "片段超出文档"),
        Phrase("The span ends after the last character of its document, as documents= has it.",
               "片段的结束位置超出 documents= 所给文档的最后一个字符。"),
        Phrase("use the text that was split into chunks, and offsets in characters of it",
               "使用切块时的文本，偏移量按其字符计"),
        STOPS,
    ),
    "RG220": FindingKind(
        "error",
        Phrase("document without a text", "文档缺少文本"),
        Phrase("A span names a document that documents= does not have.", "片段所在的文档不在 documents= 之中。"),
        Phrase("add the document, under the name that the spans use", "以片段所用的名称补上该文档"),
        STOPS,
    ),
    "RG221": FindingKind(
        "error",
        Phrase("invalid length of an item", "物品的长度无效"),
        Phrase("A budget of characters or tokens needs the length of every returned item, a whole number from 0.",
               "按字符或词元的预算需要每个返回物品的长度：不小于 0 的整数。"),
        Phrase("fill the column of lengths, or correct the function that counts", "补全长度列，或修正计数函数"),
        STOPS,
    ),
    "RG222": FindingKind(
        "error",
        Phrase("offsets in different units", "偏移量单位不一"),
        Phrase("Some offsets count characters, others bytes or tokens, so that the spans cannot be compared.",
               "有的偏移量按字符，有的按字节或词元，片段因此无法比较。"),
        Phrase("convert the offsets of one side", "换算其中一边的偏移量"),
        STOPS,
    ),
    "RG223": FindingKind(
        "warning",
        Phrase("text at several places of its document", "文本在文档中出现多次"),
        Phrase("A text without offsets occurs in its document more than once; the first place counts.",
               "没有偏移量的文本在文档中出现多次；取第一处。"),
        Phrase("give start and end", "请给出 start 与 end"),
    ),
    "RG224": FindingKind(
        "error",
        Phrase("text that its document does not have", "文档中没有该文本"),
        Phrase("A text without offsets was not found in its document, character by character.",
               "没有偏移量的文本未能在文档中逐字找到。"),
        Phrase("give start and end, or the text as the document has it", "请给出 start 与 end，或与文档一致的文本"),
        DROPS,
    ),
    "RG225": FindingKind(
        "warning",
        Phrase("text that differs from its document", "文本与文档不一致"),
        Phrase("The document has another text at the offsets than the row says; the offsets count.",
               "文档在该偏移量处的文本与行中的文本不同；以偏移量为准。"),
        Phrase("use the text that was split into chunks for documents=, and check the step that wrote the offsets",
               "documents= 请用切块时的文本，并检查写出偏移量的步骤"),
    ),
}  # fmt: skip
