"""TSV files: a header, and tabs between columns."""

from __future__ import annotations

from rankgauge.inputs.formats.delimited import Delimited

CODEC = Delimited("\t", "tsv").codec()
