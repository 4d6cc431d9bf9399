"use strict";
/* All hands, sorted and filtered; and when to double, for all hands of a defender. */
{
  const {h, text, state} = kopsim;
  const PAGE = 40; // rows shown at first, and with every "more"
  const chosen = {chart: "calls", contract: "", call: "", order: "strength", contains: [], caller: 0, said: "yes"};

  kopsim.pages.charts = (main) => {
    const controls = h("form", {class: "controls-form", onsubmit: (event) => event.preventDefault()});
    const result = h("div", {class: "chart", "aria-live": "polite"});
    main.append(h("h1", {}, `${text("page-charts")} · ${kopsim.said(kopsim.rules().name)}`), controls, result);
    chosen.contains = chosen.contains.filter((id) => kopsim.card(id));
    draw(controls, result);
  };

  async function draw(controls, result) {
    const {files} = kopsim.rules();
    let figures;
    let kontra;
    try {
      figures = await kopsim.figures(files.hands);
      kontra = files.kontra === null ? null : await kopsim.figures(files.kontra);
    } catch {
      result.replaceChildren(h("p", {class: "notice"}, text("no-data")));
      return;
    }
    if (kontra === null) chosen.chart = "calls";
    const contracts = chosen.chart === "kontra" ? kontra.contracts
      : figures.calls.filter((call) => call !== "pass" && !kopsim.rules().contracts[call].honour);
    if (!contracts.includes(chosen.contract)) chosen.contract = contracts.includes("zolo") ? "zolo" : contracts[0];
    if (chosen.call !== "" && !figures.calls.includes(chosen.call)) chosen.call = "";
    if (chosen.caller === 0 || chosen.caller === state.seat) chosen.caller = [1, 2, 3, 4].find((seat) => seat !== state.seat);
    const set = (name, read = (value) => value) => (value) => {
      chosen[name] = read(value);
      again(`[name=${name}]`);
    };
    const again = async (focus) => {
      await draw(controls, result);
      controls.querySelector(focus)?.focus();
    };
    const named = (keys) => keys.map((key) => [key, kopsim.callName(key)]);
    const seats = [1, 2, 3, 4].map((seat) => [seat, kopsim.seatName(seat)]);
    const none = state.seat === null ? [["", text("choose")]] : [];
    const seat = kopsim.choice(text(chosen.chart === "kontra" ? "your-seat" : "seat"), [...none, ...seats], state.seat ?? "", (value) => {
      state.seat = Number(value);
      kopsim.changed(true);
      again("[name=seat]");
    }, {name: "seat"});
    const chart = kontra === null ? null : kopsim.choice(text("chart"),
      [["calls", text("chart-calls")], ["kontra", text("chart-kontra")]], chosen.chart, set("chart"), {name: "chart"});
    const contract = kopsim.choice(text("column-contract"), named(contracts), chosen.contract, set("contract"), {name: "contract"});
    const contains = h("fieldset", {class: "contains"}, h("legend", {}, text("contains")),
      kopsim.rules().cards.map((card) => kopsim.cardButton(card.id, chosen.contains.includes(card.id), (id) => {
        chosen.contains = chosen.contains.includes(id) ? chosen.contains.filter((each) => each !== id) : [...chosen.contains, id];
        again(`[data-card=${id}]`);
      })));
    const own = chosen.chart === "kontra" ? [
      kopsim.choice(text("caller"), seats.filter(([each]) => each !== state.seat), chosen.caller, set("caller", Number), {name: "caller"}),
      kopsim.choice(text("shown-hands"), [["yes", text("shown-kontra")], ["all", text("shown-all")]], chosen.said, set("said"), {name: "said"}),
    ] : [
      kopsim.choice(text("best-call"), [["", text("any-call")], ...named(figures.calls)], chosen.call, set("call"), {name: "call"}),
      kopsim.choice(text("order"), ["strength", "earned", "contract"].map((key) => [key, text(`order-${key}`)]),
        chosen.order, set("order"), {name: "order"}),
    ];
    controls.replaceChildren(...[chart, seat, contract, ...own, contains].filter(Boolean));
    if (state.seat === null) { result.replaceChildren(h("p", {class: "notice"}, text("chart-seat"))); return; }
    result.replaceChildren(...(chosen.chart === "kontra" ? kontraRows(kontra) : callRows(figures)));
  }

  const hands = () => kopsim.everyHand()
    .map((hand, number) => ({hand, row: number * 4 + state.seat - 1}))
    .filter(({hand}) => chosen.contains.every((id) => hand.includes(id)));

  const handLink = (hand, seat) => h("a", {href: kopsim.link("hand", {rules: state.rules, cards: hand, seat}), "data-hand": hand.join("")}, kopsim.inline(hand));

  function callRows(figures) {
    const {layouts} = kopsim.rules();
    const rows = hands().map(({hand, row}) => {
      const call = figures.calls[figures.of("recommended", row)];
      const played = figures.of("played", row) === 1;
      const own = (name) => figures.of(`${chosen.contract}.${name}`, row);
      return {
        hand, call, played,
        earned: kopsim.points(figures.of(`${call}.earned`, row)),
        close: figures.reasons[figures.of("reason", row)] === "close",
        guaranteed: own("guaranteed") === 1, wins: own("wins"), play: own("win-play"),
        mean: kopsim.points(own("earned")), best: own("best-defence-least"),
      };
    }).filter((each) => each.wins !== null && (chosen.call === "" || each.call === chosen.call));
    const byContract = (each) => (each.play === null ? each.wins / layouts : kopsim.length(each.play)) + each.wins / layouts / 1e4;
    if (chosen.order === "earned") rows.sort((a, b) => b.earned - a.earned);
    if (chosen.order === "contract") rows.sort((a, b) => byContract(b) - byContract(a));
    // A hand that is laid down wins in play under any rules.
    const played = rows.some((each) => each.play !== null && !each.guaranteed);
    const name = kopsim.callName(chosen.contract);
    const share = (wins) => (wins === null ? "–" : kopsim.percent(kopsim.tenths(wins, layouts)));
    const first = ["column-hand", "best-call", "column-earned"].map((key) => text(key));
    const figured = ["column-earned", ...(played ? ["column-play", "column-best"] : []), "column-wins-open"].map((key) => text(key));
    return listed(rows, [...first, ...figured.map((each) => `${name}: ${each}`)],
      (each) => [
        handLink(each.hand, state.seat), `${each.close ? "≈ " : ""}${kopsim.callName(each.call)}`,
        kopsim.signed(each.earned), kopsim.signed(each.mean),
        ...(played ? [each.play === null ? "–" : kopsim.percent(each.play), share(each.best)] : []),
        `${each.guaranteed ? "✓\u00a0" : ""}${share(each.wins)}`,
      ],
      [text("chart-note"), ...(played ? [text("chart-note-best"), text("figures-play")] : [text("figures-open")])], first.length, [...first, ...figured]);
  }

  function kontraRows(figures) {
    const rows = hands()
      .map(({hand, row}) => ({hand, told: kopsim.kontra(figures, chosen.contract, row, chosen.caller)}))
      .filter(({told}) => told !== null && (chosen.said === "all" || told.says !== false));
    const height = (told) => told.gain?.value ?? told.lost ?? -Infinity;
    rows.sort((a, b) => height(b.told) - height(a.told) || b.told.deals - a.told.deals);
    const headings = ["column-hand", "kontra-say", "kontra-gain", "kontra-loses", "kontra-open", "kontra-deals"];
    return [...listed(rows, headings.map((key) => text(key)), ({hand, told}) => [
      handLink(hand, state.seat), kopsim.kontraWord(told),
      ...kopsim.kontraCells(told),
    ], [], 2), ...kopsim.kontraNotes(figures, rows.map(({told}) => told))];
  }

  /* A table of the first rows, and a button for more; first, short: as of kopsim.figuresTable. */
  function listed(rows, headings, cells, notes, first, short) {
    if (!rows.length) return [h("p", {class: "notice count"}, text("hands-none"))];
    const holder = h("div", {});
    let shown = PAGE;
    const fill = () => {
      const more = rows.length > shown
        ? [h("button", {type: "button", class: "more", onclick: () => { shown += 5 * PAGE; fill(); }},
          text("more", {count: kopsim.whole(rows.length - shown)}))] : [];
      holder.replaceChildren(kopsim.figuresTable(text("page-charts"), headings, rows.slice(0, shown).map(cells), first, short), ...more);
    };
    fill();
    return [
      h("p", {class: "count"}, text("hands-shown", {count: kopsim.whole(rows.length)})), holder,
      ...notes.map((each) => h("p", {class: "small-print"}, each)),
    ];
  }
}
