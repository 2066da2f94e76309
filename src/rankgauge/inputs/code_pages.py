"""The page of each code and the list of all codes, for the terminal and the documentation."""

from __future__ import annotations

from rankgauge.errors import UnknownNameError
from rankgauge.inputs.codes import CODES
from rankgauge.inputs.findings import SEVERITIES
from rankgauge.rendering.document import Block, Document, Heading, Paragraph, Table
from rankgauge.rendering.language import Lang, Phrase
from rankgauge.rendering.plain import PlainData

FAMILIES = {
    "RG1": Phrase("files, bytes and lines", "文件、字节与行"),
    "RG2": Phrase("single values", "单个值"),
    "RG3": Phrase("rows of one table", "同一张表内的各行"),
    "RG4": Phrase("judgments against a ranking", "标注与排序结果之间"),
    "RG5": Phrase("training against test interactions", "训练与测试交互之间"),
    "RG6": Phrase("labels of people against model judgments", "人的标签与模型标注之间"),
    "RG7": Phrase("results of systems on data sets", "各系统在数据集上的结果"),
    "RG8": Phrase("rankings that are fused, settings that are tuned", "融合的排序结果与调参的设置"),
}
"""Meaning of the first digit of a code."""
SEVERITY_MEANINGS = {
    "error": Phrase("it prevents the evaluation", "无法评测"),
    "warning": Phrase("it should be checked", "可以评测，但应核实"),
    "note": Phrase("for information", "仅供参考"),
}
_TITLE = Phrase("{code}: {title}", "{code}：{title}")
_SEVERITY = Phrase("Severity: {severity} ({meaning}).", "级别：{severity}（{meaning}）。")
_REMEDY = Phrase("What to do: {remedy}.", "处理办法：{remedy}。")
_LENIENT = Phrase("With `lenient=True` (--lenient): {does}.", "`lenient=True`（--lenient）时：{does}。")


def code_named(text: str) -> str:
    """Return the code that a text names, in any case and with or without RG."""
    code = f"RG{text.strip().upper().removeprefix('RG')}"
    if code not in CODES:
        raise UnknownNameError.closest(Phrase("code", "代码"), text, CODES)
    return code


def code_document(code: str, lang: Lang) -> Document:
    """Return the page of one code: meaning, severity, remedy, and the effect of lenient reading."""
    kind = CODES[code]
    severity = {
        "severity": SEVERITIES[kind.severity].render(lang),
        "meaning": SEVERITY_MEANINGS[kind.severity].render(lang),
    }
    return Document(
        [
            Heading(_TITLE.render(lang, code=code, title=kind.title.render(lang))),
            Paragraph(kind.explanation.render(lang)),
            Paragraph(_SEVERITY.render(lang, **severity)),
            Paragraph(_REMEDY.render(lang, remedy=kind.remedy.render(lang))),
            Paragraph(_LENIENT.render(lang, does=kind.lenient.render(lang))),
        ]
    )


def codes_document(lang: Lang) -> Document:
    """Return the list of all codes, one table for each family."""
    blocks: list[Block] = []
    for family, meaning in FAMILIES.items():
        rows = [
            [code, SEVERITIES[kind.severity].render(lang), kind.title.render(lang)]
            for code, kind in CODES.items()
            if code.startswith(family)
        ]
        blocks.append(Table(["", "", ""], rows, caption=f"{family}xx {meaning.render(lang)}"))
    return Document(blocks)


def code_data(code: str, lang: Lang) -> PlainData:
    """Return a code as plain data."""
    kind = CODES[code]
    texts = {name: getattr(kind, name).render(lang) for name in ("title", "explanation", "remedy", "lenient")}
    return {"code": code, "severity": kind.severity, **texts}
