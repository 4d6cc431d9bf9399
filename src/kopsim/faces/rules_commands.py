"""`kopsim rules`: the rule sets there are, one in words, two compared, and one's own begun and checked."""

from __future__ import annotations

import click

from kopsim.errors import message
from kopsim.faces.help_pages import SpokenCommand, SpokenGroup, lang_of
from kopsim.faces.options import argument, chosen_rules, common, common_but, language, option, show


@click.group(
    "rules",
    cls=SpokenGroup,
    help="help-rules-group",
    short="short-rules",
    examples=["kopsim rules list", "kopsim rules show kop-koscian"],
)
@language
def rules() -> None:
    """Rule sets."""


@rules.command(
    "list",
    cls=SpokenCommand,
    help="help-rules-list",
    short="short-rules-list",
    examples=["kopsim rules list"],
)
@common
@click.pass_context
def rules_list(ctx: click.Context, rules_name: str | None, as_json: bool) -> None:
    """The rule sets there are."""
    from kopsim.faces import rules_text
    from kopsim.rules import load_rules, rule_ids

    names = [*rule_ids(), *([rules_name] if rules_name and rules_name not in rule_ids() else [])]
    known = [load_rules(name) for name in names]
    show([rules_text.summary(each) for each in known] if as_json else rules_text.listing(known, lang_of(ctx)))


@rules.command(
    "show",
    cls=SpokenCommand,
    help="help-rules-show",
    short="short-rules-show",
    examples=["kopsim rules show", "kopsim rules show baska-z-asem --lang pl"],
)
@argument("name", metavar="[ID|FILE]", required=False)
@common
@click.pass_context
def rules_show(ctx: click.Context, name: str | None, rules_name: str | None, as_json: bool) -> None:
    """One rule set in words."""
    from kopsim.faces import rules_text

    known = chosen_rules(rules_name if name is None else name)
    show(rules_text.data(known) if as_json else rules_text.in_words(known, lang_of(ctx)))


@rules.command(
    "check",
    cls=SpokenCommand,
    help="help-rules-check",
    short="short-rules-check",
    examples=["kopsim rules check my-club.toml"],
)
@argument("file", required=True)
@common_but("help-rules", hidden=True)
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


@rules.command(
    "diff",
    cls=SpokenCommand,
    help="help-rules-diff",
    short="short-rules-diff",
    examples=["kopsim rules diff kop-gorzow-2014 kop-koscian", "kopsim rules diff kop-gorzow-2014 my-club.toml"],
)
@argument("a", metavar="A")
@argument("b", metavar="B")
@common_but("help-rules", hidden=True)
@click.pass_context
def rules_diff(ctx: click.Context, a: str, b: str, rules_name: str | None, as_json: bool) -> None:
    """What differs between two rule sets."""
    del rules_name
    from kopsim.faces import rules_text
    from kopsim.rules import load_rules

    first, second = load_rules(a), load_rules(b)
    # A file may still have the id of the rule set it was copied from.
    titles = (a, b) if first.id == second.id else (first.id, second.id)
    if as_json:
        show(rules_text.differences_data(first, second))
    else:
        show(rules_text.differences_in_words(first, second, titles, lang_of(ctx)))


@rules.command(
    "new",
    cls=SpokenCommand,
    help="help-rules-new",
    short="short-rules-new",
    examples=["kopsim rules new new-club.toml --base kop-koscian"],
)
@argument("file", metavar="FILE")
@option("--base", metavar="ID|FILE", help="help-rules-base")
@common_but("help-rules", hidden=True)
@click.pass_context
def rules_new(ctx: click.Context, file: str, base: str | None, rules_name: str | None, as_json: bool) -> None:
    """A new rule file, as another rule set until it is changed."""
    from pathlib import Path

    from kopsim.rules import DEFAULT
    from kopsim.rules.new import check_command, write_new_rules

    given = next((name for name in (base, rules_name) if name is not None), DEFAULT)
    rules_id = write_new_rules(Path(file), given, lang_of(ctx))
    if as_json:
        show({"file": file, "id": rules_id, "base": given})
    else:
        done = message("rules-new-done", lang_of(ctx), file=file, id=rules_id, base=given)
        show("\n".join([done, message("rules-new-next", lang_of(ctx)), check_command(file)]))
