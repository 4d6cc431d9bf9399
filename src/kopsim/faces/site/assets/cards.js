"use strict";
/* Cards as they are drawn and as they are written. */
{
  const GLYPHS = {c: "♣", d: "♦", h: "♥", s: "♠"};

  kopsim.card = (id) => kopsim.rules().cards.find((each) => each.id === id);

  /* "AhTc" as a list of ids; an empty list for what is none. */
  kopsim.readCards = (text) => {
    const ids = text.match(/../g) ?? [];
    const known = ids.every((id) => kopsim.card(id)) && new Set(ids).size === ids.length && text.length % 2 === 0;
    return known ? ids : [];
  };

  kopsim.strongestFirst = (ids) => kopsim.rules().cards.map((card) => card.id).filter((id) => ids.includes(id));

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
  kopsim.inline = (ids) => kopsim.h("span", {
    class: "inline", role: "img", "aria-label": ids.map((id) => kopsim.said(kopsim.card(id).words)).join(", "),
  }, ids.map((id) => {
    const card = kopsim.card(id);
    return kopsim.h("span", {class: `suit-${card.suit}`}, `${kopsim.said(card.rank)}${GLYPHS[card.suit]}\ufe0e`);
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
