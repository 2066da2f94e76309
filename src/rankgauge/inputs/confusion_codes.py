"""Findings about ids and scores that may be taken for others, by their stable codes."""

from __future__ import annotations

from rankgauge.inputs.finding_kind import DROPS, FindingKind
from rankgauge.rendering.language import Phrase

CONFUSION_CODES: dict[str, FindingKind] = {
    "RG215": FindingKind(
        "error", Phrase("id is a float beyond exactness", "标识是超出精确范围的浮点数"),
        Phrase("From 2^53 on (2^24 in single precision) a float stands for several whole numbers: ids have changed "
               "already, and would match those of their neighbours.",
               "从 2^53 起（单精度为 2^24），一个浮点数代表多个整数：标识已经改变，并会与相邻的标识误配。"),
        Phrase("read the ids as integers or text from the start, such as dtype='Int64' in pandas",
               "从一开始就把标识读作整数或文本，例如在 pandas 中使用 dtype='Int64'"),
        DROPS,
    ),
    "RG216": FindingKind(
        "error", Phrase("id is neither text nor a number", "标识既非文本也非数字"),
        Phrase("True and False equal 1 and 0 in Python, and would match these ids.",
               "在 Python 中 True、False 等于 1、0，会与这些标识误配。"),
        Phrase("write ids as text or integers", "标识应写成文本或整数"),
        DROPS,
    ),
    "RG411": FindingKind(
        "warning", Phrase("ids match only in part", "只有部分标识能够匹配"),
        Phrase("Some ids of the two sides differ only in how they are written: blanks, case, Unicode form, leading "
               "zeros or bytes. They do not match, so that relevant items count as not returned.",
               "两侧有些标识仅写法不同：空格、大小写、Unicode 形式、前导零或字节串。它们无法匹配，"
               "相关物品因此被当作没有返回。"),
        Phrase("write the ids of both sides the same way", "使两侧的标识写法一致"),
    ),
}  # fmt: skip
