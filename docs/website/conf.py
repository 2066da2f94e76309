"""Configuration of Sphinx for both languages; the builder passes the language as ``-D language``."""

from __future__ import annotations

import os
from pathlib import Path

from website.reference import MOCKED

HERE = Path(__file__).parent
LANG = os.environ.get("SITE_LANGUAGE", "en")

project = "rankgauge"
copyright = "the rankgauge authors"  # noqa: A001 (Sphinx's name)
language = {"en": "en", "zh": "zh_CN"}[LANG]
site_language = LANG
locale_dirs = [os.environ.get("SITE_LOCALES", "locales")]
own = ["website.sphinx_extension", "website.snippets"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", *own]
exclude_patterns = ["images"]
suppress_warnings = ["ref.python"]  # a type such as Metric is the name of several classes

myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 4
highlight_language = "text"
smartquotes = False  # options such as --lenient are written with two hyphens
pygments_dark_style = "github-dark"

autodoc_mock_imports = [*MOCKED]
autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_type_aliases = {"npt.ArrayLike": "ArrayLike"}
autodoc_preserve_defaults = True
maximum_signature_line_length = 88
default_role = "code"
add_module_names = False

html_theme = "furo"
html_title = "rankgauge"
html_math_renderer = "mathml"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
templates_path = [str(HERE / "templates")]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_search_summary = False  # it would read the other pages, which browsers forbid on a disk: see snippets.py
html_theme_options = {"top_of_page_buttons": ["view"]}
html_extra_path = [os.environ["SITE_EXTRA"]] if "SITE_EXTRA" in os.environ else []
