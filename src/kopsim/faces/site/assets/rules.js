"use strict";
/* The rule set in words, how the numbers are made, and what they do not say. */
{
  const {h, text} = kopsim;
  const FIGURES = ["mean-play", "win-play", "best-defence", "best-reply", "mean-open", "win-open",
    "doubled", "answered", "kontra-share", "rej"];

  kopsim.pages.rules = async (main) => {
    const rules = kopsim.rules();
    const words = h("div", {"aria-busy": "true"});
    main.append(
      h("h1", {}, `${text("page-rules")} · ${kopsim.said(rules.name)}`),
      h("p", {}, text("source", {source: kopsim.said(rules.source)})),
      words,
      h("h2", {}, text("numbers")),
      ...["numbers-layouts", "numbers-open", "numbers-play", "numbers-thrown"].map((key) => h("p", {}, text(key))),
      h("dl", {class: "glossary"}, FIGURES.flatMap((key) => [h("dt", {}, text(key)), h("dd", {}, text(`${key}-means`))])),
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
    } catch {
      words.append(h("p", {class: "notice"}, text("no-data")));
    }
    words.removeAttribute("aria-busy");
  };

  function entriesOf(entries) {
    return h("ul", {class: "facts"}, entries.map(([name, words]) =>
      h("li", {}, name ? h("strong", {}, `${name}: `) : null, kopsim.coloured(words))));
  }
}
