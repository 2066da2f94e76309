"""Options of the settings of a comparison, which only some commands load."""

from __future__ import annotations

from dataclasses import Field

import click

from rankgauge.cli.command import Option, OptionGroup
from rankgauge.comparison.settings import SETTINGS


def setting_option(setting: Field[object]) -> Option:
    """Return the option of a setting."""
    more, text = dict(setting.metadata["option"]), setting.metadata["help"]
    if choices := more.pop("choices", None):
        more["type"] = click.Choice(choices)
    return Option(f"--{setting.name}", text.en, text.zh, default=setting.default, **more)


TESTS = OptionGroup("tests", dict, tuple(map(setting_option, SETTINGS)))
