"""Lists in text cells: JSON, Python and NumPy lists, or ids with one separator between them; others are refused."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from rankgauge.errors import shown
from rankgauge.inputs.shapes.shape import ShapeError

MISSING = {"nan", "none", "null", "na", "n/a", "<na>"}
"""What programs write for a missing list."""
_SEPARATORS = (",", ";", "|")
_UNCLEAN = re.compile(r"""[\s'"\[\](){},;|]""")
"""What an id between separators does not contain."""
_SENTENCE_END = (".", "?", "!", ":", "。", "？", "！", "：", "，", "…")
_SCALAR = re.compile(r"\bnp\.\w+\(('[^']*'|\"[^\"]*\"|[^()'\"]*)\)")
"""A scalar as NumPy 2 writes it: ``np.int64(7)``, ``np.str_('a')``."""
_ARRAY = re.compile(r"(?:np\.)?array\((.*?)(?:,\s*dtype=[^()]*)?\)", re.DOTALL)
_TOKEN = re.compile(r"""\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s,'"\[\](){}]+)\s*(,?)""")
_ADJACENT = re.compile(r"""['"]\s*['"]""")
_FLOAT = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+[eE])\S*")


def split_cell(text: str, place: str = "") -> object:
    """Return the list or object in a text cell; raise ``ShapeError`` if it is no clean list.

    >>> split_cell("[1, 2]"), split_cell("a b"), split_cell("a, b"), split_cell("['x y' 'z']"), split_cell("")
    ([1, 2], ['a', 'b'], ['a', 'b'], ['x y', 'z'], [])
    >>> split_cell("[np.int64(7), np.int64(8)]")
    [7, 8]
    """
    text = text.strip()
    if text[:1] in {"[", "{", "("} or _ARRAY.fullmatch(text):
        value = _bracketed(text)
        if value is None:
            raise _no_list(text, place)
        return value
    if text.lower() in MISSING:
        raise _no_list(text, place)
    mark = next((mark for mark in _SEPARATORS if mark in text), None)
    parts = [part for part in (part.strip() for part in text.split(mark)) if part]
    unclean = any(_UNCLEAN.search(part) or (len(parts) > 1 and part.endswith(_SENTENCE_END)) for part in parts)
    if unclean or (mark is None and _are_words(parts)):
        raise _no_list(text, place)
    return parts


def _are_words(parts: Sequence[str]) -> bool:
    """Whether most parts between blanks are words of letters, as in a text; ids have digits or capitals among them.

    >>> _are_words(["New", "York"]), _are_words(["d1", "d2"]), _are_words(["AAPL", "dQwXcQ"]), _are_words(["a", "b"])
    (True, False, False, False)
    """
    words = [part for part in parts if len(part) > 1 and part.isalpha() and part in {part.lower(), part.title()}]
    return len(parts) > 1 and 2 * len(words) > len(parts)


def _no_list(text: str, place: str) -> ShapeError:
    cell = shown(text)
    return ShapeError(
        place,
        f'{cell} is no clean list; write it as JSON, such as ["a", "b"]',
        f'{cell} 不是规范的列表；请写成 JSON，如 ["a", "b"]',
    )


def _bracketed(text: str) -> object:
    """Return what brackets enclose: as JSON, Python or NumPy write it; None if it is none of these."""
    for written in dict.fromkeys((text, _without_numpy(text))):
        for parse in (json.loads, ast.literal_eval):
            try:
                value = parse(written)
            except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
                continue
            if (
                isinstance(value, Mapping | list | tuple | set)
                and Ellipsis not in value
                and not (parse is ast.literal_eval and _is_joined(written))
            ):
                return value
    return _tokens(_without_numpy(text))


def _without_numpy(text: str) -> str:
    array = _ARRAY.fullmatch(text)
    return _SCALAR.sub(r"\1", array[1] if array else text)


def _tokens(text: str) -> list[object] | None:
    """Return the values of a list without quotes or commas, as NumPy writes it; None if it was shortened or is unclear.

    >>> _tokens("[1 2 3]"), _tokens("[a, b]"), _tokens("[1 2 ... 8 9]"), _tokens("[a b, c]")
    (['1', '2', '3'], ['a', 'b'], None, None)
    """
    if text[:1] != "[" or text[-1:] != "]":
        return None
    inner, place, commas = text[1:-1], 0, []
    values: list[object] = []
    while place < len(inner.rstrip()):
        token = _TOKEN.match(inner, place)
        if token is None:
            return None
        word, comma = token.groups()
        if word[0] in "'\"":
            with suppress(ValueError, SyntaxError):  # an escape that Python does not know
                values.append(ast.literal_eval(word))
        elif not word.strip(".") or word.lower() in MISSING:
            return None
        else:
            values.append(float(word) if _FLOAT.fullmatch(word) else word)
        commas.append(bool(comma))
        place = token.end()
        if inner[place:] and not comma and not inner[place - 1].isspace():
            return None  # quotes inside a text
    return values if len(values) == len(commas) and len({*commas[:-1]}) <= 1 else None


def _is_joined(text: str) -> bool:
    """Whether Python joins texts that stand side by side, as NumPy writes them: ``['a' "b's"]``.

    >>> _is_joined("['a' 'b']"), _is_joined("['a', 'b', '']")
    (True, False)
    """
    if not _ADJACENT.search(text):
        return False
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    kinds = [token.type for token in tokens if token.type != tokenize.NL]
    return (tokenize.STRING, tokenize.STRING) in pairwise(kinds)
