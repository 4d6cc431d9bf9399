"use strict";
/* What can be done with the hand of the page: sent, printed, put back, taken up again; and the colours of its cards. */
{
  const {h, text, state} = kopsim;

  /* The buttons; said: where words on what they did are written; again: draws the page's hand anew. */
  kopsim.handActions = (said, again) => {
    const whole = state.cards.length === kopsim.rules().hand_size;
    const button = (key, action) => h("button", {type: "button", "data-action": key, onclick: action}, text(key));
    return h("div", {class: "actions"},
      kopsim.answered() ? button("share", () => share(said)) : null,
      kopsim.answered() ? button("print", () => window.print()) : null,
      state.cards.length ? button("clear", () => clear(again)) : null,
      state.putBack && !whole ? button("take-up", () => takeUp(again)) : null,
      colours());
  };

  /* The next deal is another hand at another seat, so both are put back. */
  function clear(again) {
    state.putBack = {cards: state.cards, seat: state.seat, answered: kopsim.answered()};
    state.cards = [];
    state.seat = null;
    kopsim.changed();
    again();
    document.querySelector(".grid button").focus();
  }

  /* An answered hand is one step back in the history of the browser; another was never there. */
  function takeUp(again) {
    const {cards, seat, answered} = state.putBack;
    if (answered) { history.back(); return; }
    Object.assign(state, {cards, seat, putBack: null});
    kopsim.changed();
    again();
    document.querySelector(".grid [aria-pressed=true]").focus();
  }

  /* The link goes by what the device has for it, else to the clipboard, else it is shown to be copied. */
  async function share(said) {
    const url = location.href;
    try {
      if (navigator.share) { await navigator.share({title: "kopsim", url}); return; }
      await navigator.clipboard.writeText(url);
      said.textContent = text("link-copied");
    } catch (error) {
      if (error.name !== "AbortError") said.replaceChildren(`${text("link-here")} `, h("code", {}, url));
    }
  }

  function colours() {
    const pressed = () => String(state.colours === "four");
    const change = (event) => {
      state.colours = state.colours === "two" ? "four" : "two";
      kopsim.remember("colours", state.colours);
      kopsim.paint();
      event.currentTarget.setAttribute("aria-pressed", pressed());
    };
    return h("button", {type: "button", "aria-pressed": pressed(), onclick: change}, text("four-colours"));
  }
}
