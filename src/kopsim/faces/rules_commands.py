"""`kopsim rules`: the rule sets there are, one in words, and a check of one's own."""

from __future__ import annotations

import click

from kopsim.errors import message
from kopsim.faces.options import SpokenCommand, SpokenGroup, chosen_rules, common, lang_of, language, show


@click.group("rules", cls=SpokenGroup, help="help-rules-group")
@language
def rules() -> None:
    """Rule sets."""


@rules.command("list", cls=SpokenCommand, help="help-rules-list")
@common
@click.pass_context
def rules_list(ctx: click.Context, rules_name: str | None, as_json: bool) -> None:
    """The rule sets there are."""
    from kopsim.faces import rules_text
    from kopsim.rules import load_rules, rule_ids

    names = [*rule_ids(), *([rules_name] if rules_name and rules_name not in rule_ids() else [])]
    known = [load_rules(name) for name in names]
    show([rules_text.summary(each) for each in known] if as_json else rules_text.listing(known, lang_of(ctx)))


@rules.command("show", cls=SpokenCommand, help="help-rules-show")
@click.argument("name", metavar="[ID|FILE]", required=False)
@common
@click.pass_context
def rules_show(ctx: click.Context, name: str | None, rules_name: str | None, as_json: bool) -> None:
    """One rule set in words."""
    from kopsim.faces import rules_text

    known = chosen_rules(rules_name if name is None else name)
    show(rules_text.data(known) if as_json else rules_text.in_words(known, lang_of(ctx)))


@rules.command("check", cls=SpokenCommand, help="help-rules-check")
@click.argument("file", required=True)
@common
@click.pass_context
def rules_check(ctx: click.Context, file: str, rules_name: str | None, as_json: bool) -> None:
    """Whether a file is a rule set that holds together."""
    del rules_name
    from pathlib import Path

    from kopsim.faces import rules_text
    from kopsim.rules import read_rules

    known = read_rules(Path(file))
    if as_json:
        show({"file": file, "valid": True, **rules_text.summary(known)})
    else:
        show(message("rules-fine", lang_of(ctx), file=file, name=known.name, id=known.id))


COMMANDS = (rules,)
