"""CSV files: a header, and commas or semicolons between columns."""

from __future__ import annotations

from rankgauge.inputs.formats.delimited import Delimited

CODEC = Delimited(",", "csv", others=(";",)).codec()
