"""How objects show themselves in notebooks: well-formed, honest HTML in both languages."""

from __future__ import annotations

import pickle
import re
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

import kopsim
from kopsim import (
    Deal,
    PartialDeal,
    format_cards,
    load_rules,
    odds,
    pair_odds,
    parse_cards,
    parse_pattern,
    parse_played,
    post_mortem,
    score,
    solve,
)
from kopsim.advice import advise
from kopsim.cards import CardRow
from kopsim.deals import sort_hand
from kopsim.errors import LANGS, CardError, Lang, QueryError
from kopsim.faces.document import Grid, Heading, Paragraph
from kopsim.faces.html_fragment import fragment
from kopsim.faces.notebook import Picture
from kopsim.faces.words import percent, whole
from kopsim.play import Position
from kopsim.rules import rules_hash
from kopsim.rules.model import Name
from kopsim.throwdowns.audit import audit
from kopsim.throwdowns.counterexamples import counterexamples
from kopsim.throwdowns.find import find
from kopsim.throwdowns.lists import list_path, read_list
from kopsim.throwdowns.proofs import certify

KOP = load_rules()
HAND = parse_cards("A♥ 10♣ J♣ J♠")
DEAL = Deal.parse("J♠ 10♣ Q♣ Q♦ | 10♥ J♣ J♥ J♦ | A♦ 10♦ A♣ A♠ | A♥ 10♠ Q♠ Q♥")
POSITION = Position.start(DEAL).play("J♠").play("J♣")
PLAYED = parse_played(
    f"deal: {DEAL}\ncalls: 2: pas, 3: pas, 4: zolo, 1: pas, 2: pas, 3: pas\nplay: J♠ J♣ 10♦ Q♥ 10♠ 10♣ J♦ A♠", "example"
)
REFUTED = certify("A♥ 10♠ Q♠ Q♥", seat=4, contract="zolo")
AUDIT = audit(read_list(list_path(KOP.id), KOP), KOP)
EVERYTHING = [
    HAND,
    DEAL,
    PartialDeal.of({1: HAND}, {2: parse_cards("A♠")}),
    POSITION,
    odds(HAND, seat=3, contract="zolo"),
    pair_odds("A♥ 10♠ J♣ A♦", seat=1, contract="game"),
    advise(HAND, seat=3),
    solve(POSITION, side=4),
    score("zolo", 3, points=60, doubling="kontra"),
    PLAYED.auction,
    PLAYED,
    post_mortem(PLAYED),
    AUDIT,
    AUDIT.lines[0],
    AUDIT.lines[0].hands[0],
    find(KOP, "zolo-du"),
    REFUTED,
    certify("A♥ 10♥ 10♠ Q♠", seat=1, contract="zolo"),
    counterexamples(REFUTED, KOP)[0],
    KOP,
]


class Page(HTMLParser):
    """Reads HTML strictly: every element closed in turn; keeps text, cells with their rows, and names of cards."""

    VOID = frozenset({"br"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.headers: list[str | None] = []
        self.captions: list[int] = []
        self.named: list[tuple[str, str]] = []
        self.text = ""
        self.langs: list[str] = []
        self._cell = False
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        told = dict(attributes)
        if tag in self.VOID:
            self.text += "\n"
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "th":
            self.headers.append(told.get("scope"))
        if tag == "table":
            self.captions.append(0)
        if tag == "caption":
            self.captions[-1] += 1
        if told.get("role") == "region":
            assert told["tabindex"] == "0"
            assert told["aria-label"]
        elif "aria-label" in told:
            assert told["role"] == "img"
            self.named.append((str(told["aria-label"]), ""))
        if "lang" in told:
            self.langs.append(str(told["lang"]))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data
        if self.open and self.open[-1] == "span":
            self.named[-1] = (self.named[-1][0], data)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("what", EVERYTHING, ids=lambda what: type(what).__name__)
def test_every_object_shows_itself(what: object, lang: Lang, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "pl_PL.UTF-8" if lang == "pl" else "en_GB.UTF-8")
    html = what._repr_html_()  # type: ignore[attr-defined]
    assert html == kopsim.show(what, lang=lang)._repr_html_()
    page = Page(html)
    assert page.langs == [lang]
    assert page.captions == [1] * len(page.captions)
    assert {"row", "col"} >= set(page.headers)
    assert not re.search(r"[QJ][♣♦♥♠]" if lang == "pl" else r"[DW][♣♦♥♠]", page.text)
    for name, card in page.named:
        assert CardRow(parse_cards(name)) == parse_cards(card)
    assert len(page.named) == len(re.findall("[0AKQJDW][♣♦♥♠]", page.text))


def test_figures_are_those_of_the_objects() -> None:
    every = [odds(HAND, seat=seat, contract=contract) for seat in (1, 3) for contract in ("zolo", "zolo-du")]
    for lang in LANGS:
        page = Page(kopsim.show(every, lang=lang)._repr_html_())
        cells = [cell for row in page.rows[1:] for cell in row[1:]]
        assert [cell.split("\N{EM SPACE}") for cell in cells] == [
            [percent(float(each.probability), lang), whole(each.wins).rjust(6, "\N{NO-BREAK SPACE}")] for each in every
        ]
        assert whole(34650) in page.text
    sampled = odds(HAND, seat=3, contract="zolo", samples=500)
    page = Page(kopsim.show(sampled, lang="en")._repr_html_())
    for limit in sampled.interval:
        assert f"{100 * limit:.1f}" in page.rows[1][1]
    assert "500" in page.text
    solved = solve(POSITION, side=4)
    page = Page(kopsim.show(solved, lang="en")._repr_html_())
    assert page.rows[1:] == [[str(card), str(points), str(104 - points)] for card, points in solved.cards]
    paid = score("zolo", 3, points=60, doubling="kontra")
    page = Page(kopsim.show(paid, lang="pl", rules=KOP)._repr_html_())
    assert [int(row[1].replace("−", "-")) for row in page.rows[1:]] == list(paid.payments)
    assert page.rows[4][0] == "4 (na dobiciu)"
    page = Page(kopsim.show(POSITION, lang="en")._repr_html_())
    assert [row[2] for row in page.rows[1:]] == ["J♠", "J♣", "", ""]
    assert "A♦, 10♦" in page.text
    page = Page(kopsim.show(PartialDeal.of({1: HAND}, {2: parse_cards("A♠")}), lang="en")._repr_html_())
    assert whole(PartialDeal.of({1: HAND}, {2: parse_cards("A♠")}).layouts) in page.text
    page = Page(kopsim.show(AUDIT.lines[0].hands[:2], lang="en")._repr_html_())
    assert [row[1] for row in page.rows[1:]] == ["1", "2"]


def test_lists_keep_apart_what_does_not_belong_together() -> None:
    other = odds("A♥ 10♠ Q♣ A♦", seat=1, contract="zolo")
    page = Page(kopsim.show([odds(HAND, seat=1, contract="zolo"), other], lang="en")._repr_html_())
    assert len(page.captions) == 2
    page = Page(kopsim.show([advise(HAND, seat=seat) for seat in (1, 2, 3, 4)], lang="en")._repr_html_())
    assert [row[1] for row in page.rows[1:]] == ["zolo", "pass", "pass", "pass"]
    page = Page(kopsim.show([pair_odds("A♥ 10♠ J♣ A♦", seat=s, contract="game") for s in (1, 2)])._repr_html_())
    assert len(page.captions) == 1
    page = Page(kopsim.show([DEAL, POSITION], lang="en")._repr_html_())
    assert len(page.captions) == 2
    assert Page(kopsim.show(list(HAND), lang="pl")._repr_html_()).text.strip() == "A♥ 10♣ W♣ W♠"


def test_odds_of_other_contracts_at_other_seats_keep_their_places() -> None:
    one, other = odds(HAND, seat=1, contract="zolo"), odds(HAND, seat=2, contract="zolo-du")
    shown = kopsim.show([other, one], lang="en")
    rows = Page(shown._repr_html_()).rows
    assert rows[0] == ["seat", "zolo-du", "zolo"]
    assert [[bool(cell.strip("–")) for cell in row[1:]] for row in rows[1:]] == [[True, False], [False, True]]
    assert str(kopsim.show([one, one])).count("80.5") == 1
    assert "80.5" in str(shown)


def test_cards_alone_and_unknown_ones() -> None:
    (card,) = parse_cards("Q♣")
    assert str(kopsim.show(card, lang="pl")) == "D♣"
    assert str(kopsim.show(parse_pattern("A♥ x 10♣ ?"), lang="en")) == format_cards(parse_pattern("A♥ x 10♣ ?"))
    assert str(kopsim.show([], lang="en")) == "–"
    with pytest.raises(QueryError, match="“de”"):
        kopsim.show(card, lang="de")  # type: ignore[arg-type]


def test_rule_sets_of_one_name_share_no_table() -> None:
    other = replace(KOP, source=Name(pl="inne", en="other"))
    found = [odds(HAND, seat=seat, contract="zolo", rules=rules) for rules in (KOP, other) for seat in (1, 2)]
    assert len(re.findall("<table", kopsim.show(found, lang="en")._repr_html_())) == 2


def test_nothing_from_a_file_is_taken_for_markup() -> None:
    evil = "<script>alert('x')</script> & \"A♥\""
    rules = kopsim.RuleSet(
        **{name: getattr(KOP, name) for name in KOP.__struct_fields__} | {"name": Name(pl=evil, en=evil)}
    )
    html = kopsim.show(Deal(DEAL.hands, rules), lang="en")._repr_html_()
    assert "<script" not in html
    assert evil in Page(html).text
    blocks = [Heading(evil), Grid([evil, ""], [[evil, evil], ["", "x"]]), Paragraph(evil)]
    html = fragment(blocks, "en")
    assert "<script" not in html
    page = Page(html)
    assert page.rows == [[evil, ""], [evil, evil], ["", "x"]]
    assert page.headers == ["col", "row"]


def test_a_certificate_of_rules_that_are_not_at_hand() -> None:
    away = kopsim.RuleSet(**{name: getattr(KOP, name) for name in KOP.__struct_fields__} | {"id": "elsewhere"})
    refuted = certify("A♥ 10♠ Q♠ Q♥", seat=4, contract="zolo", rules=away)
    assert refuted.rules_hash == rules_hash(away)
    page = Page(refuted._repr_html_())
    assert "elsewhere" in page.text
    assert page.rows == []
    assert len(Page(kopsim.show(refuted, rules=away)._repr_html_()).rows) > 4
    certain = certify("A♥ 10♣ 10♠ 10♥", seat=4, contract="zolo", rules=away)
    assert "A♥, 10♣" in Page(certain._repr_html_()).text


def test_an_error_is_told_and_anything_else_refused() -> None:
    error = CardError("card-twice", card=HAND[0])
    assert error.text("pl") == Page(kopsim.show(error, lang="pl")._repr_html_()).text.strip()
    with pytest.raises(TypeError, match="dict"):
        kopsim.show({})


def test_what_is_shown_prints_as_the_commands_do() -> None:
    shown = repr(kopsim.show(DEAL, lang="pl")).splitlines()
    assert shown[0] == "Rozdanie   Kop, Gorzów 2014"
    assert shown[2].split() == ["1", "(na", "wiście)", "10♣", "D♣", "D♦", "W♠"]


def test_a_hand_is_a_tuple_still() -> None:
    plain = tuple(HAND)
    assert type(plain) is tuple
    assert plain == HAND
    assert hash(HAND) == hash(plain)
    assert {plain: 1}[HAND] == 1
    assert repr(HAND) == repr(plain)
    assert isinstance(pickle.loads(pickle.dumps(HAND)), CardRow)
    assert isinstance(sort_hand(frozenset(HAND), KOP), CardRow)


def test_a_chart_is_a_picture_with_a_description() -> None:
    from kopsim.faces.hand_charts import points_chart

    picture = Picture(points_chart([odds(HAND, seat=3, contract="zolo")], "pl"))
    data, about = picture._repr_png_()
    assert data.startswith(b"\x89PNG")
    assert about["alt"] == repr(picture)
    assert repr(picture).startswith("A♥ 10♣ W♣ W♠")
