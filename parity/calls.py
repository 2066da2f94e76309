"""Parse metrics of tools written as calls, such as ``ndcg_score(k=5, ignore_ties=True)``."""

from __future__ import annotations

import ast
from typing import Any


def call(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Return the name, the arguments and the keyword arguments.

    >>> call("NDCG(5, log_base=2)")
    ('NDCG', [5], {'log_base': 2})
    """
    node = ast.parse(text, mode="eval").body
    if not isinstance(node, ast.Call):
        return text, [], {}
    arguments = [ast.literal_eval(argument) for argument in node.args]
    return (
        ast.unparse(node.func),
        arguments,
        {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords},
    )
