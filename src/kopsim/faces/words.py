"""Small pieces of wording that every face shares: numbers, seats, languages."""

from __future__ import annotations

import locale
import os
import re

from kopsim.errors import LANGS, Lang, QueryError
from kopsim.rules import RuleSet
from kopsim.statistics import Interval, Mean

NO_BREAK = "\N{NO-BREAK SPACE}"


def default_lang() -> Lang:
    """Polish where the environment's locale is Polish, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return "pl" if value.lower().startswith("pl") else "en"
    return "pl" if (locale.getlocale()[0] or "").lower().startswith(("pl", "polish")) else "en"


def check_lang(value: str) -> Lang:
    """A language by its name; raises QueryError for one that there is not."""
    for lang in LANGS:
        if value == lang:
            return lang
    raise QueryError("lang-bad", text=value, choices=LANGS)


def percent(share: float, lang: Lang, digits: int = 1) -> str:
    """A share as "52.4 %", in Polish "52,4 %"; what is not quite 0 or 1 never looks like it."""
    least = 10.0**-digits
    if 0 < 100 * share < least:
        text = f"<{least:.{digits}f} %"
    elif 100 - least < 100 * share < 100:
        text = f">{100 - least:.{digits}f} %"
    else:
        text = f"{100 * share:.{digits}f} %"
    text = text.replace(" ", NO_BREAK)
    return text.replace(".", ",") if lang == "pl" else text


def whole(number: int) -> str:
    """An integer in groups of three, with thin spaces as both languages allow."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def signed(number: int) -> str:
    """A whole payment with its sign; 0 has none."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def number(value: float, lang: Lang, *, sign: bool = False) -> str:
    """A payment to two places, in Polish with a comma."""
    text = f"{value:+.2f}" if sign else f"{value:.2f}"
    text = text if float(text) else "0.00"
    return text.replace("-", "−").replace(".", ",") if lang == "pl" else text.replace("-", "−")


def payment(mean: Mean, lang: Lang) -> str:
    """A mean payment with its interval, "+2.10 (+0.41…+3.76)"; alone if it is exact."""
    value = number(mean.value, lang, sign=True)
    return f"{value}{NO_BREAK}({reach(mean.interval, lang)})" if mean.error else value


def reach(interval: Interval, lang: Lang) -> str:
    """The interval of a payment, "+0.41…+3.76"."""
    return "…".join(number(limit, lang, sign=True) for limit in interval)


def share_reach(interval: Interval, lang: Lang, digits: int = 0) -> str:
    """The interval of a share, "51–62 %"."""
    text = "–".join(f"{100 * limit:.{digits}f}" for limit in interval) + f"{NO_BREAK}%"
    return text.replace(".", ",") if lang == "pl" else text


def seat_name(rules: RuleSet, seat: int, lang: Lang) -> str:
    """A seat as "1 (on lead)"."""
    return f"{seat} ({rules.seats.names[seat - 1].text(lang)})"


def no_orphans(text: str, lang: Lang) -> str:
    """Text whose words of one letter stay with the word after, as Polish print has it."""
    return (
        re.sub(r"(?<![^\s(„])([aiouwz]) (?=\S)", rf"\1{NO_BREAK}", text, flags=re.IGNORECASE) if lang == "pl" else text
    )
