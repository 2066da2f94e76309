"""Spans and their attributes in the forms in which they are exported: OTLP, JSON objects, and columns of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rankgauge.errors import shown
from rankgauge.inputs.shapes.fields import at, objects
from rankgauge.rendering.language import Phrase

_KEPT = {"gen_ai.retrieval.documents"}
"""Attributes that stay lists."""
_OTLP = ("stringValue", "intValue", "doubleValue", "boolValue")


def spans_of(record: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Yield the spans of a record: itself, or those of an OTLP export."""
    if "resourceSpans" not in record:
        yield record
        return
    for resource in objects(record["resourceSpans"], "resourceSpans"):
        for scope in objects(resource.get("scopeSpans"), "scopeSpans"):
            yield from objects(scope.get("spans"), "spans")


def attributes(span: Mapping[str, object]) -> dict[str, Any]:
    """Return the attributes of a span, and its other fields, under names with dots.

    >>> attributes({"trace_id": "t", "attributes": {"input": {"value": "q"}}})
    {'trace_id': 't', 'input.value': 'q'}
    """
    flat: dict[str, object] = {}
    for name, value in span.items():
        if name == "attributes":
            _flatten("", _plain(value), flat)
        else:
            _flatten(name.removeprefix("attributes."), value, flat)
    return flat


def _plain(value: object) -> object:
    """Return attributes as an object; OTLP writes them as a list of keys and values, some tables as JSON text."""
    value = parsed(value) or {}
    if isinstance(value, list):
        pairs = [entry for entry in value if isinstance(entry, Mapping) and isinstance(entry.get("key"), str)]
        return {pair["key"]: _otlp(pair.get("value")) for pair in pairs}
    return value


def no_output(reason: object) -> tuple[str, Phrase]:
    """Return the finding about a retriever that ended without an output, which is not the same as an empty list."""
    text = f": {shown(reason)}" if reason else ""
    return "RG122", Phrase(f"the retriever has no output{text}", f"检索器没有输出{text.replace(': ', '：')}")


def parsed(value: object) -> Any:
    """Return an object or a list, which may be written as JSON text; None for anything else.

    >>> parsed('{"source": "a"}'), parsed("a text")
    ({'source': 'a'}, None)
    """
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, Mapping | list) else None


def _otlp(value: object) -> object:
    """Return a value of OTLP."""
    if not isinstance(value, Mapping):
        return value
    for name in _OTLP:
        if value.get(name) is not None:
            return value[name]
    if (array := value.get("arrayValue")) is not None:
        return [_otlp(entry) for entry in objects(at(array, "values"), "arrayValue.values")]
    if (pairs := value.get("kvlistValue")) is not None:
        return _plain(objects(at(pairs, "values"), "kvlistValue.values"))
    return None


def _flatten(name: str, value: object, flat: dict[str, object]) -> None:
    if name in _KEPT:
        flat[name] = value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            _flatten(f"{name}.{key}" if name else str(key), inner, flat)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            _flatten(f"{name}.{number}", inner, flat)
    elif value is not None:
        flat[name] = value
