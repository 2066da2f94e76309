"""What the library registers, for tests that go through all of it: rules, presets, codes, formats, shapes and commands."""

from rankgauge.cli import COMMANDS
from rankgauge.conventions import PRESETS, RULES
from rankgauge.inputs.codes import CODES
from rankgauge.inputs.formats.registry import FORMATS
from rankgauge.inputs.shapes.registry import SHAPES

__all__ = ["CODES", "COMMANDS", "FORMATS", "PRESETS", "RULES", "SHAPES"]
