"""``rankgauge conventions``: the named conventions, one in full, and how two differ."""

from __future__ import annotations

import click

from rankgauge.cli.command import Argument, define_command
from rankgauge.cli.localization import language, usage_error
from rankgauge.cli.options import RULE
from rankgauge.cli.output import DOCUMENTS, Output, output_options
from rankgauge.cli.summaries import COMMANDS
from rankgauge.cli.values import preset_names


class Action(click.Choice):  # type: ignore[type-arg] # click 8.1 has no type parameter
    """What to do with conventions; the name of one or of a rule in its place is answered with the command to write."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the action, or raise a usage error."""
        from rankgauge.conventions.convention import RULES
        from rankgauge.conventions.presets import PRESETS

        if value in PRESETS or value in RULES or value == "default":
            raise usage_error(
                "write: rankgauge conventions show {name}", "请写作：rankgauge conventions show {name}", name=value
            )
        return str(super().convert(value, param, ctx))


@define_command(
    COMMANDS["conventions"],
    """A convention is the set of all rules that can change a number. Without a name, show shows the default, and diff
    compares with it. With the name of a rule, show shows its values.""",
    """约定是所有会影响数值的规则。不写名称时，show 显示默认约定，diff 与默认约定比较；写规则名时，show 显示其取值。""",
    Argument("action", "[show|diff]", required=False, type=Action(["show", "diff"])),
    Argument("names", "[NAME]...", nargs=-1, shell_complete=preset_names),
    RULE,
    output_options((*DOCUMENTS, "json")),
    examples="""
    # all named conventions | 所有具名约定
    rankgauge conventions
    # every rule of one, in words | 一套约定的全部规则
    rankgauge conventions show trec_eval-9
    # the values of one rule | 一条规则的取值
    rankgauge conventions show gain
    # only the differences | 只显示不同之处
    rankgauge conventions diff trec_eval-9 trec_eval-10
    # the default with one rule changed | 修改了一条规则的默认约定
    rankgauge conventions show --rule gain=exp2
    """,
)
def command(action: str | None, names: tuple[str, ...], rules: tuple[str, ...], output: Output) -> None:
    """Write conventions or their differences."""
    from rankgauge.conventions.convention import DEFAULT, RULES, difference_page, rule_page
    from rankgauge.conventions.presets import PRESETS, presets_page
    from rankgauge.conventions.texts import convention_of
    from rankgauge.errors import UnknownNameError
    from rankgauge.rendering.document import Document

    most = {None: 0, "show": 1, "diff": 2}[action]
    if len(names) > most or (action == "diff" and not names):
        raise usage_error(
            "use: conventions, conventions show [NAME], or conventions diff NAME [NAME]",
            "用法：conventions、conventions show [名称] 或 conventions diff 名称 [名称]",
        )
    if rules and action != "show":
        raise usage_error("--rule is for: conventions show [NAME]", "--rule 用于 conventions show [名称]")
    if action == "show" and names and names[0] in RULES and not rules:
        name = names[0]
        default, values = DEFAULT.to_dict()[name], {value: text.en for value, text in RULES[name].values.items()}
        output.show(lambda: rule_page(name, language()), json=lambda: {name: {"default": default, "values": values}})
        return
    if action == "diff":
        pair = [(name, convention_of(name)) for name in (*names, "default")[:2]]
        chosen, page = dict(pair), difference_page(pair, language())
    elif action == "show":
        name = names[0] if names else "default"
        if name != "default" and name not in PRESETS:
            known = ("default", *PRESETS, *RULES)
            raise UnknownNameError.closest(("convention or rule", "约定或规则"), name, known)
        chosen = {name: convention_of(name, rules)}
        about = PRESETS[name].document(language()).blocks if name in PRESETS else []
        page = Document([*about, *chosen[name].document(language()).blocks])
    else:
        chosen = {name: convention_of(name) for name in ("default", *PRESETS)}
        page = presets_page(language())
    output.show(lambda: page, json=lambda: {name: convention.to_dict() for name, convention in chosen.items()})
