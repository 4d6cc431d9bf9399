"use strict";
/* Links, such as "#pl/hand/kop-gorzow-2014/AhTsQcAd/4": language, page, rules, and of a hand its cards and seat.
 * What a link leaves out stays as it is; what cannot be read in it is told, and the rest of it holds. */
{
  const {h, text, state} = kopsim;
  const LANGUAGES = ["pl", "en"];
  const LONGEST = 30; // characters of a link that are quoted

  /* The link to a page as it is now, or to another hand. */
  kopsim.link = (page = state.page, hand = state) => {
    const parts = [state.lang, page, hand.rules];
    if (page === "hand") parts.push(hand.cards.join(""));
    if (page === "hand" || page === "charts") parts.push(hand.seat ?? "");
    return `#${parts.join("/")}`.replace(/\/+$/, "");
  };

  const decoded = (part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  };

  /* What a link says, ready to be put into the state; `wrong`: keys and places of sentences on what it says badly. */
  kopsim.readLink = (hash) => {
    const parts = hash.replace(/^#/, "").split("/").map(decoded);
    const isPage = (part) => part in kopsim.pages;
    const told = {wrong: []};
    const wrong = (key, quoted, places = {}) => told.wrong.push([key, {quoted, ...places}]);

    if (LANGUAGES.includes(parts[0])) told.lang = parts.shift();
    else if (!isPage(parts[0]) && isPage(parts[1])) wrong("link-language", parts.shift());
    const page = parts.shift() ?? "hand";
    told.page = isPage(page) ? page : "hand";
    if (!isPage(page)) wrong("link-page", page);
    const id = parts.shift() ?? "";
    const known = kopsim.given("index").rules.find((each) => each.id === id);
    if (known) told.rules = id;
    else if (id) wrong("link-rules", id);
    const rules = known ?? kopsim.rules();
    if (told.page === "hand") told.cards = readHand(parts.shift() ?? "", rules, wrong);
    if (told.page === "hand" || told.page === "charts") {
      const seat = parts.shift() ?? "";
      told.seat = rules.seats.findIndex((_, place) => String(place + 1) === seat) + 1 || null;
      if (seat && told.seat === null) wrong("link-seat", seat, {count: rules.seats.length});
    }
    const rest = parts.filter(Boolean).join("/");
    if (rest) wrong("link-rest", rest);
    return told;
  };

  /* The cards of a hand as far as they can be read, strongest first. */
  function readHand(written, rules, wrong) {
    const cards = [];
    const beyond = [];
    for (const each of kopsim.splitCards(written)) {
      const id = kopsim.readCard(each, rules);
      if (id === null) wrong("link-card", each);
      else if (cards.includes(id)) wrong("link-twice", "", {cards: [id]});
      else (cards.length < rules.hand_size ? cards : beyond).push(id);
    }
    if (beyond.length) wrong("link-more", "", {cards: beyond, count: rules.hand_size});
    return kopsim.strongestFirst(cards, rules);
  }

  const shortened = (quoted) => (quoted.length > LONGEST ? `${quoted.slice(0, LONGEST)}…` : quoted);

  /* What was wrong with the link that led here, until it has been read; nothing if nothing was. */
  kopsim.linkNotice = () => {
    if (!state.wrong.length) return [];
    const sentences = state.wrong.map(([key, places]) => text(key, {
      ...places, quoted: shortened(places.quoted), cards: kopsim.cardText(places.cards ?? []), rules: kopsim.said(kopsim.rules().name),
    }));
    const understood = () => {
      state.wrong = [];
      box.remove();
      document.getElementById("main").focus();
    };
    const box = h("section", {class: "link-wrong", role: "status", "aria-label": text("link-wrong")},
      h("strong", {}, text("link-wrong")),
      h("ul", {}, sentences.map((each) => h("li", {}, each))),
      h("button", {type: "button", onclick: understood}, text("understood")));
    return [box];
  };
}
