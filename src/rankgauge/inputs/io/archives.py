"""ZIP archives and Excel workbooks, which are refused with what to do instead."""

from __future__ import annotations

from rankgauge.inputs.findings import input_error
from rankgauge.rendering.language import Phrase

ZIP = b"PK\x03\x04"
"""How a ZIP archive begins."""
HEAD = 1 << 16
"""Bytes in which the names of the files of a workbook are looked for."""


def refuse_archive(content: bytes, name: str) -> None:
    """Raise an error for a file that begins as a ZIP archive, which Excel workbooks are, too."""
    if not content.startswith(ZIP):
        return
    if b"xl/" in content[:HEAD] or name.lower().endswith((".xlsx", ".xlsm")):
        message = Phrase(f"{name}: an Excel workbook, not a text file", f"{name}：这是 Excel 工作簿，不是文本文件")
        remedy = Phrase(
            'in Excel, save the sheet with "Save as" as "CSV UTF-8 (comma delimited)", and pass that file',
            "请在 Excel 中用“另存为”把工作表存为“CSV UTF-8（逗号分隔）”，再使用该文件",
        )
        raise input_error("RG104", message, remedy)
    message = Phrase(f"{name}: a ZIP archive, not a text file", f"{name}：这是 ZIP 压缩包，不是文本文件")
    raise input_error("RG104", message, Phrase("unpack it, and pass the files in it", "请解压后使用其中的文件"))
