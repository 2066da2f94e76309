"""Chinese search: a text is indexed by pairs of characters, and a query is split the same way in the browser.

Chinese has no spaces. A dictionary (jieba) would split the pages but not the queries, which the browser must split
without it, so that most queries would find nothing.
"""

from __future__ import annotations

import re

PAIR = 2

PIECE = re.compile(r"[A-Za-z0-9_]+|[㐀-鿿]+")
JAVASCRIPT = """
var splitQuery = (query) =>
  (query.match(/[A-Za-z0-9_]+|[\\u3400-\\u9fff]+/g) || []).flatMap((piece) =>
    piece.charCodeAt(0) < 0x3400 || piece.length < 3
      ? [piece]
      : [...Array(piece.length - 1).keys()].map((start) => piece.slice(start, start + 2)));
"""


def split(text: str) -> list[str]:
    """Return the words of a text, and the pairs of neighbouring characters of its Chinese.

    >>> split("平均准确率 AP@10")
    ['平均', '均准', '准确', '确率', 'AP', '10']
    """
    terms: list[str] = []
    for piece in PIECE.findall(text):
        if piece.isascii() or len(piece) <= PAIR:
            terms.append(piece)
        else:
            terms += [piece[start : start + PAIR] for start in range(len(piece) - 1)]
    return terms
