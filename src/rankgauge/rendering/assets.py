"""Styles and scripts of pages: files of the package, and the hashes by which a page allows them."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files


@cache
def asset(name: str, package: str = "reports") -> str:
    """Return a file of the folder ``assets`` of a package."""
    return (files("rankgauge") / package / "assets" / name).read_text(encoding="utf-8")


@cache
def page_style(package: str, name: str) -> str:
    """Return the style of a page: what all pages share, and a file of its package."""
    return asset("page.css") + asset(name, package)


@cache
def page_script(package: str, *names: str) -> str:
    """Return the script of a page: what all pages share, and files of its package."""
    shared = map(asset, ("start.js", "dom.js", "shell.js"))
    return "".join([*shared, *(asset(name, package) for name in names)])


def content_hash(text: str) -> str:
    """Return the hash of a style or script for the content security policy of its page."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
