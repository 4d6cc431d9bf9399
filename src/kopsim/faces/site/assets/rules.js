"use strict";
/* The rule set in words, how the numbers are made, and what they do not say. */
{
  const {h, text} = kopsim;
  const MARKS = {"●": "mark-call", "○": "mark-silent", "≈": "mark-close", "✓": "mark-certain", "✗": "mark-refuted", "–": "mark-none"};
  // Figures of a call by the columns of the data that they come from; a rule set need not have all.
  const FIGURES = {
    "mean-play": "mean-play", "win-play": "win-play", "best-defence": "best-defence-least", "best-reply": "reply-bound-least",
    "mean-open": "mean", "win-open": "wins", doubled: "doubled", answered: "answered", "kontra-share": "kontra", rej: "rej",
  };

  kopsim.pages.rules = async (main) => {
    const rules = kopsim.rules();
    const words = h("div", {"aria-busy": "true"});
    const glossary = h("dl", {class: "glossary"});
    main.append(
      h("h1", {}, `${text("page-rules")} · ${kopsim.said(rules.name)}`),
      h("p", {}, text("source", {source: kopsim.said(rules.source)})),
      words,
      h("h2", {}, text("numbers")),
      ...numbers(rules).map((each) => h("p", {}, each)),
      glossary,
      h("h2", {}, text("marks")),
      h("dl", {class: "marks"}, Object.entries(MARKS).map(([mark, key]) => h("div", {}, h("dt", {}, mark), h("dd", {}, text(key))))),
      h("h2", {}, text("not-said")),
      h("ul", {}, ["not-said-stakes", "not-said-opponents", "not-said-auction", "not-said-players", "not-said-rules"]
        .map((key) => h("li", {}, text(key)))),
      h("h2", {}, text("about")),
      h("p", {}, text("about-privacy")),
      h("p", {class: "small-print"},
        text("about-version", {version: kopsim.given("index").kopsim, hash: rules.hash.slice(0, 12), id: rules.id})));
    try {
      const sections = kopsim.said(await kopsim.load(rules.files.words));
      words.append(...sections.flatMap(([heading, entries]) => [h("h2", {}, heading), entriesOf(entries)]));
      const {columns} = await kopsim.load(rules.files.hands);
      glossary.append(...Object.entries(FIGURES).filter(([, column]) => columns.some((name) => name.endsWith(`.${column}`)))
        .flatMap(([key]) => [h("dt", {}, text(key)), h("dd", {}, text(`${key}-means`))]));
    } catch {
      words.append(h("p", {class: "notice"}, text("no-data")));
    }
    words.removeAttribute("aria-busy");
  };

  /* How the figures came about, as far as the rule set has them. */
  function numbers(rules) {
    const {hand_size: size, cards, layouts, weighed} = rules;
    return [
      text("numbers-layouts", {count: size, others: cards.length - size, layouts: kopsim.whole(layouts)}),
      text("numbers-open"),
      ...(weighed.length ? [text("numbers-play", {layouts: kopsim.listed(weighed)})] : []),
      text("numbers-thrown"),
    ];
  }

  function entriesOf(entries) {
    return h("ul", {class: "facts"}, entries.map(([name, words]) =>
      h("li", {}, name ? h("strong", {}, `${name}: `) : null, kopsim.coloured(words))));
  }
}
