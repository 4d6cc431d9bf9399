"use strict";
/* What a defender's own cards tell of a caller, and whether to double him. */
{
  const {h, text, state} = kopsim;

  /* What the data say of a hand at a seat about a caller's contract; null where no deal was played. */
  kopsim.kontra = (figures, contract, row, caller) => {
    const of = (name) => figures.of(`${contract}.${name}`, row * 4 + caller - 1);
    if (of("deals") === null) return null;
    const says = of("says");
    return {
      says: says === null ? null : says === 1, close: of("close") === 1,
      few: of("deals") < figures.few, belief: of("belief") === 1,
      gain: kopsim.mean(of, "gain"), lost: of("lost"), low: of("low"), high: of("high"), open: of("open"), deals: of("deals"),
    };
  };

  /* The word to say; marked where it cannot be told within the error. */
  kopsim.kontraWord = (told) => {
    if (told.few) return text("kontra-few");
    if (told.says === null) return "–";
    const word = text(told.says ? "kontra-yes" : "kontra-no");
    return told.close ? text("kontra-close", {word}) : word;
  };

  /* How often the caller loses, with its interval. */
  kopsim.kontraLost = (told) => told.few ? "–" : [
    `${kopsim.percent(told.lost)} `, h("span", {class: "nobreak"}, `(${told.low}–${told.high}\u00a0%)`),
  ];

  /* What a row says besides the word: what kontra gains, how often the caller loses, in play and with open cards. */
  kopsim.kontraCells = (told) => [
    told.gain === null ? "–" : kopsim.payment(told.gain),
    kopsim.kontraLost(told),
    told.few ? "–" : kopsim.percent(told.open),
    kopsim.whole(told.deals),
  ];

  kopsim.kontraNotes = (figures, shown) => [
    shown.some((told) => told.belief) ? h("p", {class: "small-print"}, text("kontra-belief")) : null,
    h("p", {class: "small-print"}, text("kontra-note", {tolerance: kopsim.plain(figures.tolerance), few: figures.few})),
    shown.some((told) => told.says === null && !told.few) ? h("p", {class: "small-print"}, text("kontra-silent")) : null,
  ].filter(Boolean);

  /* The advice for the hand of the page against each other seat; an open panel stays open from hand to hand. */
  let open = false;
  kopsim.kontraPanel = () => {
    const {files} = kopsim.rules();
    const body = h("div", {});
    const fill = async () => {
      if (body.hasChildNodes()) return;
      if (files.kontra === null) { body.append(h("p", {}, text("kontra-none-here"))); return; }
      try {
        const row = kopsim.row(state.cards, state.seat);
        body.replaceChildren(...drawn(await kopsim.figures(files.kontra), row));
      } catch {
        body.replaceChildren(h("p", {class: "notice"}, text("no-data")));
      }
    };
    const panel = h("details", {class: "kontra", open, ontoggle: (event) => {
      open = event.target.open;
      if (open) fill();
    }}, h("summary", {}, text("kontra-panel")), body);
    return [panel];
  };

  function drawn(figures, row) {
    const rows = [];
    for (const contract of figures.contracts) {
      for (const caller of [1, 2, 3, 4].filter((seat) => seat !== state.seat)) {
        const told = kopsim.kontra(figures, contract, row, caller);
        if (told !== null) rows.push([contract, caller, told]);
      }
    }
    if (!rows.length) return [h("p", {}, text("kontra-no-deal"))];
    const cells = rows.map(([contract, caller, told]) => [
      h("span", {"data-kontra": `${contract} ${caller}`}, `${kopsim.callName(contract)}, ${text("seat")} ${caller}`),
      h("strong", {class: told.says ? "says" : ""}, kopsim.kontraWord(told)),
      ...kopsim.kontraCells(told),
    ]);
    const headings = ["kontra-caller", "kontra-say", "kontra-gain", "kontra-loses", "kontra-open", "kontra-deals"];
    return [
      kopsim.figuresTable(text("kontra-panel"), headings.map((key) => text(key)), cells, 2),
      ...kopsim.kontraNotes(figures, rows.map(([, , told]) => told)),
    ];
  }
}
