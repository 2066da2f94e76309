"""Lists in text cells: JSON, Python and NumPy lists, or ids with one separator between them; others are refused."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping

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
_TOKEN = re.compile(r"""\s*(?:'([^']*)'|"([^"]*)"|([^\s,'"\[\](){}]+))\s*(,?)""")
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
    if any(_UNCLEAN.search(part) or (len(parts) > 1 and part.endswith(_SENTENCE_END)) for part in parts):
        raise _no_list(text, place)
    return parts


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
                and not (parse is ast.literal_eval and _is_joined(written, value))
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
    inner, place, values, commas = text[1:-1], 0, [], []
    while place < len(inner.rstrip()):
        token = _TOKEN.match(inner, place)
        if token is None:
            return None
        single, double, bare, comma = token.groups()
        if bare is not None and (bare.strip(".") == "" or bare.lower() in MISSING):
            return None
        quoted = single if single is not None else double
        values.append(quoted if bare is None else float(bare) if _FLOAT.fullmatch(bare) else bare)
        commas.append(bool(comma))
        place = token.end()
    return values if len({*commas[:-1]}) <= 1 else None


def _is_joined(text: str, value: object) -> bool:
    """Whether Python joined texts that NumPy writes without commas: ``['a' 'b']``."""
    return isinstance(value, list) and text.count("'") // 2 > len(value) and bool(re.search(r"'\s+'", text))
