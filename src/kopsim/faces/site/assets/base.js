"use strict";
/* What every other script stands on: data that scripts hand over, texts, numbers in words, and elements. */

const kopsim = {
  pages: {}, // by name what draws a page, see app.js
  // seat: null until one is tapped; wrong: what was wrong with the link that led here, see link.js; putBack: a hand that
  // was put back and can be taken up again
  state: {page: "hand", rules: "", cards: [], seat: null, lang: "pl", colours: "two", wrong: [], putBack: null},
};

{
  const given = {};

  /* Data scripts hand their object over by this. */
  kopsim.put = (name, what) => { given[name] = what; };
  kopsim.given = (name) => given[name];

  const loading = {};

  /* A promise of the data of a file, fetched as a script, for from a folder a page can read nothing else. */
  kopsim.load = (name) => {
    loading[name] ??= new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = `data/${name}.js`;
      script.onload = () => done(given[name]);
      script.onerror = () => { delete loading[name]; failed(new Error(name)); };
      document.head.append(script);
    });
    return loading[name];
  };

  /* --- texts and numbers */

  const NO_BREAK = "\u00a0";

  /* The text of a key in the language of the page, its {places} filled in. */
  kopsim.text = (key, places = {}) => {
    const text = given.texts[kopsim.state.lang][key];
    if (text === undefined) throw new Error(`no text ${key}`);
    return text.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, forms) =>
      forms ? counted(places[name], forms.split("|")) : places[name]);
  };

  /* A number with the word that goes with it, of one, in Polish of two to four, of others; # is where it stands. */
  const counted = (number, forms) => {
    const kind = new Intl.PluralRules(kopsim.state.lang).select(Number(String(number).replace(/\D/g, "")));
    const form = forms[{one: 0, few: 1}[kind] ?? forms.length - 1];
    return forms.some((each) => each.includes("#")) ? form.replace("#", number) : `${number} ${form}`;
  };

  /* "1, 2 i 4". */
  kopsim.listed = (parts) => new Intl.ListFormat(kopsim.state.lang, {type: "conjunction"}).format(parts.map(String));

  /* What is given in both languages, in that of the page. */
  kopsim.said = (both) => both[kopsim.state.lang];

  const written = (number) => {
    const text = number.replace("-", "\u2212");
    return kopsim.state.lang === "pl" ? text.replace(".", ",") : text;
  };

  /* A payment with its sign. */
  kopsim.signed = (value) => written((value <= 0 ? "" : "+") + value.toFixed(2));

  kopsim.plain = (value) => written(value.toFixed(2));

  /* A mean payment with its interval, alone where it is exact: pieces, between which a narrow line may break. */
  kopsim.payment = ({value, low, high}) => (low === high ? [kopsim.signed(value)] : [
    `${kopsim.signed(value)}${NO_BREAK}`, kopsim.h("wbr"), `(${kopsim.signed(low)}…`, kopsim.h("wbr"), `${kopsim.signed(high)})`,
  ]);

  kopsim.reach = ({low, high}) => `${kopsim.signed(low)}…${kopsim.signed(high)}`;

  /* A share in tenths of a percent as the data keep it: 2000 is less than 0.1 %, 2001 more than 99.9 %. */
  kopsim.percent = (tenths) => {
    const text = tenths === 2000 ? "<0.1" : tenths === 2001 ? ">99.9" : (tenths / 10).toFixed(1);
    return written(text) + NO_BREAK + "%";
  };

  /* A share of layouts in the same form. */
  kopsim.tenths = (wins, layouts) => {
    const share = wins / layouts;
    if (share > 0 && share < 0.001) return 2000;
    if (share > 0.999 && share < 1) return 2001;
    return Math.round(Number((100 * share).toFixed(1)) * 10);
  };

  /* How long a bar such a share makes, 0 to 1. */
  kopsim.length = (tenths) => (tenths === 2000 ? 0.001 : tenths === 2001 ? 0.999 : tenths / 1000);

  kopsim.whole = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");

  /* --- elements */

  /* An element with properties and children; "class" and names with a dash are attributes, "on…" listeners. */
  kopsim.h = (tag, told = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(told)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (name in element && !name.includes("-")) element[name] = value;
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
  };

  /* A <select> with a label; choices are pairs of value and text. */
  kopsim.choice = (label, choices, chosen, changed, told = {}) => {
    const select = kopsim.h("select", {onchange: (event) => changed(event.target.value), ...told},
      choices.map(([value, text]) => kopsim.h("option", {value, selected: String(value) === String(chosen)}, text)));
    return kopsim.h("label", {class: "choice"}, kopsim.h("span", {}, label), select);
  };

  /* A table that scrolls by itself where it is too wide. */
  kopsim.table = (caption, headings, rows) =>
    scrolling(caption, table("plain", caption, headings, rows, 1, headings));

  /* A table of figures after two columns of words.  On a phone a row takes two lines, so that nothing lies beyond the
   * edge: two or three cells in the first, the others in the second with a short name above each. */
  kopsim.figuresTable = (caption, headings, rows, first, short = headings) =>
    scrolling(caption, table(`figures first-${first}`, caption, headings, rows, first, short));

  /* Wide things scroll inside themselves, for keys too. */
  const scrolling = (caption, inside) =>
    kopsim.h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption}, inside);

  /* Roles are said, for a style that lays rows out otherwise takes them away. */
  const table = (kind, caption, headings, rows, first, short) => kopsim.h("table", {class: kind, role: "table"},
    kopsim.h("caption", {class: "unseen"}, caption),
    kopsim.h("thead", {role: "rowgroup"}, kopsim.h("tr", {role: "row"},
      headings.map((text) => kopsim.h("th", {scope: "col", role: "columnheader"}, text)))),
    kopsim.h("tbody", {role: "rowgroup"}, rows.map((cells) => kopsim.h("tr", {role: "row"},
      cells.map((cell, column) => kopsim.h("td", {role: "cell", "data-name": column < first ? null : short[column]}, cell))))));

  /* --- what this browser remembers; from a folder some browsers remember nothing, which is no harm */

  kopsim.remember = (name, value) => {
    try { localStorage.setItem(`kopsim-${name}`, value); } catch { /* see above */ }
  };
  kopsim.remembered = (name) => {
    try { return localStorage.getItem(`kopsim-${name}`); } catch { return null; }
  };

  /* --- the rule set of the page */

  kopsim.rules = () => given.index.rules.find((each) => each.id === kopsim.state.rules);
  kopsim.answered = () => kopsim.state.seat !== null && kopsim.state.cards.length === kopsim.rules().hand_size;
  kopsim.seatName = (seat) => `${seat} (${kopsim.said(kopsim.rules().seats[seat - 1])})`;
  kopsim.callName = (call) =>
    (call === "pass" ? kopsim.text("pass") : kopsim.said(kopsim.rules().contracts[call].name));
}
