"use strict";
/* The last hands that had an answer: kept on this device alone, and forgotten when they are asked to be. */
{
  const {h, text, state} = kopsim;
  const MOST = 10;
  let kept = []; // of this visit, for a browser that remembers nothing

  const rulesOf = (hand) => kopsim.given("index").rules.find((each) => each.id === hand.rules);

  /* Whether a remembered hand is one that this page can show; what is remembered may be of an older page. */
  function known(hand) {
    const rules = rulesOf(hand ?? {});
    return rules !== undefined && Array.isArray(hand.cards) && hand.cards.length === rules.hand_size
      && hand.cards.every((id) => kopsim.card(id, rules)) && rules.seats[hand.seat - 1] !== undefined;
  }

  function hands() {
    try {
      const remembered = JSON.parse(kopsim.remembered("recent") ?? "null");
      return Array.isArray(remembered) ? remembered.filter(known) : kept;
    } catch { return kept; }
  }

  function keep(list) {
    kept = list;
    kopsim.remember("recent", JSON.stringify(list));
  }

  /* The hand of the page goes to the top of the list; at another seat it is the same hand. */
  kopsim.keepHand = () => {
    const {rules, cards, seat} = state;
    const others = hands().filter((hand) => hand.rules !== rules || hand.cards.join("") !== cards.join(""));
    keep([{rules, cards, seat}, ...others].slice(0, MOST));
  };

  /* The list to choose from; nothing while it is empty.  An open one stays open from hand to hand. */
  let open = false;
  kopsim.recentPanel = () => {
    const list = hands();
    if (!list.length) return [];
    const forget = () => {
      keep([]);
      panel.replaceWith(h("p", {class: "notice", role: "status"}, text("recent-forgotten")));
    };
    const panel = h("details", {class: "recent", open, ontoggle: (event) => { open = event.target.open; }},
      h("summary", {}, text("recent", {count: list.length})),
      h("ul", {}, list.map((hand) => h("li", {}, h("a", {href: kopsim.link("hand", hand)},
        kopsim.inline(hand.cards, rulesOf(hand)), ` · ${text("seat")} ${hand.seat}`,
        hand.rules === state.rules ? "" : ` · ${kopsim.said(rulesOf(hand).name)}`)))),
      h("p", {class: "small-print"}, text("recent-means")),
      h("button", {type: "button", onclick: forget}, text("recent-forget")));
    return [panel];
  };
}
