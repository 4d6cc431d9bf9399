"use strict";
/* The frame: which page is shown, in which language, by which rules; links and what is remembered. */
{
  const {h, text, state} = kopsim;
  const PAGES = ["hand", "throwdowns", "charts", "rules"];
  let written = null; // the link of the entry that the browser's history is at
  let settled = false; // whether somebody would want to come back to it: an answered hand, or another page

  function follow(hash) {
    Object.assign(state, kopsim.readLink(hash), {putBack: null});
    state.cards = kopsim.strongestFirst(state.cards);
  }

  /* After any change of the state: the address tells it, what was settled before is one step back, and the browser
   * remembers it.  instead: no step, such as another language for the same thing. */
  kopsim.changed = (instead = false) => {
    const link = kopsim.link();
    const step = settled && !instead && link !== written;
    history[step ? "pushState" : "replaceState"]({ours: true}, "", link);
    written = link;
    settled = state.page !== "hand" || kopsim.answered();
    kopsim.remember("at", link);
    kopsim.remember("hand", kopsim.link("hand"));
    if (state.page === "hand" && kopsim.answered()) kopsim.keepHand();
    document.querySelectorAll("#pages a").forEach((each) => { each.href = kopsim.link(each.dataset.page); });
  };

  kopsim.paint = () => document.body.classList.toggle("four-colours", state.colours === "four");

  function draw() {
    document.documentElement.lang = state.lang;
    document.title = `${text(`page-${state.page}`)} · ${kopsim.said(kopsim.rules().name)} · kopsim`;
    document.getElementById("top").replaceChildren(...top());
    document.getElementById("pages").replaceChildren(...pages());
    document.getElementById("pages").setAttribute("aria-label", text("pages"));
    const main = document.getElementById("main");
    main.className = `page-${state.page}`;
    main.replaceChildren(...kopsim.linkNotice());
    kopsim.pages[state.page](main);
  }

  function top() {
    const rules = kopsim.choice(text("rule-set"), kopsim.given("index").rules.map((each) => [each.id, kopsim.said(each.name)]),
      state.rules, (id) => {
        state.rules = id;
        state.cards = kopsim.strongestFirst(state.cards);
        kopsim.changed();
        draw();
        document.querySelector("#top select").focus();
      });
    const languages = ["pl", "en"].map((lang) => h("button", {
      type: "button", lang, "aria-pressed": String(state.lang === lang), "aria-label": lang === "pl" ? "Polski" : "English",
      onclick: () => {
        state.lang = lang;
        kopsim.remember("lang", lang);
        kopsim.changed(true);
        draw();
        document.querySelector(`#top button[lang=${lang}]`).focus();
      },
    }, lang.toUpperCase()));
    return [rules, h("div", {class: "languages", role: "group", "aria-label": "Język / Language"}, languages)];
  }

  function pages() {
    return PAGES.map((page) => h("a", {
      href: kopsim.link(page), "data-page": page, "aria-current": page === state.page ? "page" : null,
    }, text(`page-${page}`)));
  }

  window.addEventListener("hashchange", () => {
    const {lang} = state;
    follow(location.hash);
    // Who goes back does not go back to a language that was left since.
    if (history.state?.ours) state.lang = lang;
    kopsim.changed(true);
    draw();
    scrollTo(0, 0);
    document.getElementById("main").focus({preventScroll: true});
  });

  /* The language that was chosen here once, else the first of the browser's that this page has. */
  const language = kopsim.remembered("lang")
    ?? navigator.languages.map((each) => each.slice(0, 2).toLowerCase()).find((each) => each === "pl" || each === "en");
  state.rules = kopsim.given("index").rules[0].id;
  state.lang = language === "en" ? "en" : "pl";
  state.colours = kopsim.remembered("colours") === "four" ? "four" : "two";
  // It opens where it was left, and the hand is there on the other pages too.
  for (const left of ["hand", "at"]) {
    const link = kopsim.remembered(left);
    if (link) Object.assign(state, kopsim.readLink(link), {lang: state.lang, wrong: []});
  }
  if (location.hash.length > 1) follow(location.hash);
  kopsim.paint();
  kopsim.changed(true);
  draw();

  if (location.protocol.startsWith("http")) {
    // From a folder a page has neither of the two, and asking for them would only be refused aloud.
    document.head.append(h("link", {rel: "manifest", href: "manifest.webmanifest"}));
    navigator.serviceWorker?.register("sw.js").catch(() => { /* the page works without it */ });
  }
}
