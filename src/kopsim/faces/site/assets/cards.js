"use strict";
/* Cards as they are drawn and as they are written. */
{
  const GLYPHS = {c: "♣", d: "♦", h: "♥", s: "♠"};

  kopsim.card = (id, rules = kopsim.rules()) => rules.cards.find((each) => each.id === id);

  /* Cards written one after another as a list, each as it is written: "Ah10♠" is "Ah" and "10♠". */
  kopsim.splitCards = (written) => written.replace(/[\s,+\ufe0e\ufe0f]/g, "").match(/10.?|[^]{1,2}/gu) ?? [];

  /* The id of a card written in any way in which this page writes cards, in small letters too; null for what is none. */
  kopsim.readCard = (written, rules) => rules.cards.find((card) =>
    [card.id[0], card.rank.pl, card.rank.en].some((rank) => [card.suit, GLYPHS[card.suit]].some((name) =>
      `${rank}${name}`.toLowerCase() === written.toLowerCase())))?.id ?? null;

  kopsim.strongestFirst = (ids, rules = kopsim.rules()) => rules.cards.map((card) => card.id).filter((id) => ids.includes(id));

  const suit = (name) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "suit");
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#suit-${name}`);
    svg.append(use);
    return svg;
  };

  const face = (card) => [
    kopsim.h("span", {class: "rank", "aria-hidden": "true"}, kopsim.said(card.rank)),
    suit(card.suit),
  ];

  /* A card to tap, pressed or not. */
  kopsim.cardButton = (id, pressed, tapped) => {
    const card = kopsim.card(id);
    return kopsim.h("button", {
      type: "button", class: `card suit-${card.suit}`, "data-card": id,
      "aria-pressed": String(pressed), "aria-label": kopsim.said(card.words), onclick: () => tapped(id),
    }, face(card));
  };

  /* A card to look at. */
  kopsim.cardFace = (id, more = "") => {
    const card = kopsim.card(id);
    return kopsim.h("span", {
      class: `card small suit-${card.suit} ${more}`, role: "img", "aria-label": kopsim.said(card.words), "data-card": id,
    }, face(card));
  };

  /* Cards in a line of text. */
  kopsim.inline = (ids, rules = kopsim.rules()) => kopsim.h("span", {
    class: "inline", role: "img", "aria-label": ids.map((id) => kopsim.said(kopsim.card(id, rules).words)).join(", "),
  }, ids.map((id) => {
    const card = kopsim.card(id, rules);
    return kopsim.h("span", {class: `nobreak suit-${card.suit}`}, `${kopsim.said(card.rank)}${GLYPHS[card.suit]}\ufe0e`);
  }).flatMap((each, place) => (place ? [" ", each] : [each])));

  /* Cards as plain text, for sentences. */
  kopsim.cardText = (ids) => ids.map((id) => {
    const card = kopsim.card(id);
    return `${kopsim.said(card.rank)}${GLYPHS[card.suit]}`;
  }).join("\u00a0");

  /* Words of the library with cards in them, the cards coloured. */
  kopsim.coloured = (words) => words.split(/((?:10|[ADKWQJ])[♣♦♥♠])/).map((part, place) => {
    if (place % 2 === 0) return part;
    const name = Object.keys(GLYPHS).find((key) => GLYPHS[key] === part.at(-1));
    return kopsim.h("span", {class: `nobreak suit-${name}`}, `${part}\ufe0e`);
  });
}
