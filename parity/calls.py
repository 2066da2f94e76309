"""Metrics of tools as they are called: ``ndcg_score(k=5, ignore_ties=True)`` as text."""

from __future__ import annotations

import ast
from typing import Any


def call(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    """The name, the arguments and the keyword arguments.

    >>> call("NDCG(5, log_base=2)")
    ('NDCG', [5], {'log_base': 2})
    """
    node = ast.parse(text, mode="eval").body
    if not isinstance(node, ast.Call):
        return text, [], {}
    arguments = [ast.literal_eval(one) for one in node.args]
    return ast.unparse(node.func), arguments, {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}
