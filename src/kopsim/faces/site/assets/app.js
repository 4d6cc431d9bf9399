"use strict";
/* The frame: which page is shown, in which language, by which rules; links and what is remembered. */
{
  const {h, text, state} = kopsim;
  const PAGES = ["hand", "throwdowns", "charts", "rules"];

  /* A link: page, rules, and of a hand its cards and seat: "#hand/kop-gorzow-2014/AhTsQcAd/4". */
  const link = () => (state.page === "hand"
    ? `#hand/${state.rules}/${state.cards.join("")}/${state.seat}`
    : `#${state.page}/${state.rules}`);

  /* Puts what a link says into the state; what it does not say, or says wrongly, stays as it is. */
  function follow(hash) {
    const [page, rules, cards, seat] = hash.slice(1).split("/");
    if (!PAGES.includes(page)) return false;
    state.page = page;
    if (kopsim.given("index").rules.some((each) => each.id === rules)) state.rules = rules;
    if (page === "hand" && cards !== undefined) {
      state.cards = kopsim.strongestFirst(kopsim.readCards(cards)).slice(0, kopsim.rules().hand_size);
      if (["1", "2", "3", "4"].includes(seat)) state.seat = Number(seat);
    }
    return true;
  }

  /* After any change of the state: the address tells it, and the browser remembers it. */
  kopsim.changed = () => {
    history.replaceState(null, "", link());
    kopsim.remember("at", link());
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
    main.replaceChildren();
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
        draw();
        document.querySelector(`#top button[lang=${lang}]`).focus();
      },
    }, lang.toUpperCase()));
    return [rules, h("div", {class: "languages", role: "group", "aria-label": "Język / Language"}, languages)];
  }

  function pages() {
    return PAGES.map((page) => h("a", {
      href: page === "hand" ? `#hand/${state.rules}/${state.cards.join("")}/${state.seat}` : `#${page}/${state.rules}`,
      "aria-current": page === state.page ? "page" : null,
    }, text(`page-${page}`)));
  }

  window.addEventListener("hashchange", () => {
    if (!follow(location.hash)) return;
    kopsim.changed();
    draw();
    scrollTo(0, 0);
    document.getElementById("main").focus({preventScroll: true});
  });

  state.rules = kopsim.given("index").rules[0].id;
  state.lang = kopsim.remembered("lang") === "en" ? "en" : "pl";
  state.colours = kopsim.remembered("colours") === "four" ? "four" : "two";
  if (!follow(location.hash)) follow(kopsim.remembered("at") ?? "");
  kopsim.paint();
  kopsim.changed();
  draw();

  if (location.protocol.startsWith("http")) {
    // From a folder a page has neither of the two, and asking for them would only be refused aloud.
    document.head.append(h("link", {rel: "manifest", href: "manifest.webmanifest"}));
    navigator.serviceWorker?.register("sw.js").catch(() => { /* the page works without it */ });
  }
}
