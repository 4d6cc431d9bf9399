"use strict";
/* The committee's page: the printed list line by line with verdicts, what refutes a line, and the right list. */
{
  const {h, text} = kopsim;
  const idsOf = (cards) => cards.match(/../g) ?? [];

  const seatsOf = (seats) => (seats.length === 4 ? text("seats-any") : seats.join(", "));

  /* The cards of a line as a regulation prints them. */
  function lineCards(line) {
    const cards = idsOf(line.cards);
    if (line.free === 0) return [kopsim.inline(cards)];
    const rest = text(line.free === 1 ? "pattern-any" : "pattern-more", {cards: "", count: line.free});
    return cards.length ? [kopsim.inline(cards), rest] : [rest.replace(/^ \+ /, "")];
  }

  const wins = ([fewest, most], layouts) => {
    const shown = fewest === most ? kopsim.whole(fewest) : `${kopsim.whole(fewest)}–${kopsim.whole(most)}`;
    return `${shown} / ${kopsim.whole(layouts)}`;
  };

  kopsim.pages.throwdowns = async (main) => {
    const rules = kopsim.rules();
    main.append(h("h1", {}, `${text("page-throwdowns")} · ${kopsim.said(rules.name)}`));
    const body = h("div", {"aria-busy": "true"});
    main.append(body);
    let data;
    try { data = await kopsim.load(rules.files.throwdowns); } catch {
      body.append(h("p", {class: "notice"}, text("no-data")));
      return;
    }
    body.append(
      h("p", {}, text("thrown-means")),
      ...(data.audit === null ? [h("p", {class: "notice"}, text("audit-none"))] : audit(data.audit)),
      h("h2", {}, text("report-right")),
      h("p", {}, text("right-means")),
      ...data.right.flatMap(right),
      h("h2", {}, text("report-method")),
      ...["method-meaning", "method-search", "method-proof", "method-open"].map((key) => h("p", {}, text(key))));
    body.removeAttribute("aria-busy");
  };

  function audit(found) {
    const counts = {guaranteed: 0, refuted: 0, partly: 0};
    found.lines.forEach((line) => { counts[line.verdict] += 1; });
    return [
      h("h2", {}, text("audit-of", {name: kopsim.said(found.name)})),
      h("p", {class: "audit-sum"}, [
        text("summary-lines", {count: found.lines.length}), text("summary-holds", {count: counts.guaranteed}),
        text("summary-refuted", {refuted: counts.refuted, partly: counts.partly}),
        text("summary-missing", {count: found.missing.length}),
        text(found.holds ? "audit-holds" : "audit-fails"),
      ].join(" ")),
      h("ol", {class: "lines"}, found.lines.map(line)),
      h("p", {class: "small-print"}, text("report-lines-note")),
      h("h2", {}, text("report-missing")),
      found.missing.length === 0 ? h("p", {}, text("missing-none"))
        : kopsim.table(text("report-missing"), ["column-hand", "column-contract", "column-seats"].map((key) => text(key)),
          found.missing.map((each) => [kopsim.inline(idsOf(each.hand)), kopsim.callName(each.contract), seatsOf(each.seats)])),
    ];
  }

  function line(each, place) {
    const head = [
      h("span", {class: "line-cards"}, lineCards(each)),
      h("span", {class: "line-where"}, `${kopsim.callName(each.contract)}, ${text("column-seats")}: ${seatsOf(each.seats)}`),
      h("span", {class: `line-verdict ${each.verdict}`}, text(`line-${each.verdict}`)),
      h("span", {class: "line-wins"}, `${text("column-open")}: ${wins(each.wins, each.layouts)}`),
    ];
    const told = {class: `line ${each.verdict}`, "data-line": place + 1};
    if (each.verdict === "guaranteed") return h("li", told, head);
    const inside = h("div", {class: "refuting"});
    const fill = (event) => {
      if (!event.target.open || inside.hasChildNodes()) return;
      inside.append(...(each.verdict === "partly" ? [partly(each)] : []), ...each.refuted.flatMap((bad) => refuted(each, bad)),
        ...(each.not_drawn ? [h("p", {}, text("not-drawn", {count: each.not_drawn}))] : []));
    };
    return h("li", told, head, h("details", {ontoggle: fill}, h("summary", {}, text("see-why")), inside));
  }

  /* Hand by hand the seats at which it wins for certain, only with open cards, and not at all. */
  function partly(each) {
    const kinds = ["guaranteed", "open-only", "refuted"];
    return kopsim.table(text("hand-by-hand"), [text("column-hand"), ...kinds.map((kind) => text(`line-${kind}`))],
      Object.entries(each.hands).map(([hand, found]) => [
        kopsim.inline(idsOf(hand)), ...kinds.map((kind) => found[kind]?.join(", ") ?? text("seats-none")),
      ]));
  }

  function refuted(each, bad) {
    const told = {
      hand: kopsim.cardText(idsOf(bad.hand)), seat: bad.seat,
      wins: kopsim.whole(bad.wins), layouts: kopsim.whole(each.layouts),
    };
    return [
      h("h3", {}, kopsim.inline(idsOf(bad.hand)), ` · ${text("seat")} ${kopsim.seatName(bad.seat)}`),
      h("p", {}, kopsim.coloured(text(bad.open_only ? "hand-open-only" : "hand-refuted", told))),
      ...bad.examples.flatMap((example) => [h("h4", {}, kopsim.coloured(heading(example))), kopsim.dealViewer(example, bad.seat)]),
    ];
  }

  function heading(example) {
    if (!example.hidden) return text("example-open");
    const before = example.steps.slice(0, example.hidden - 1).map((step) => step.card);
    const own = example.steps[example.hidden - 1].card;
    return text(before.length ? "example-hidden" : "example-hidden-first", {played: kopsim.cardText(before), card: kopsim.cardText([own])});
  }

  function right(found) {
    const heading = text("right-list", {contract: kopsim.callName(found.contract)});
    const seatless = found.open_only.map((each) => [kopsim.inline(idsOf(each.hand)), seatsOf(each.seats)]);
    return [
      h("h3", {}, heading),
      found.lines.length === 0 ? h("p", {}, text("right-list-empty"))
        : kopsim.table(heading, [text("column-cards"), text("column-seats")],
          found.lines.map((each) => [h("span", {}, lineCards(each)), seatsOf(each.seats)])),
      ...(seatless.length ? [
        h("p", {}, text("open-only", {contract: kopsim.callName(found.contract)})),
        kopsim.table(text("open-only", {contract: kopsim.callName(found.contract)}),
          [text("column-hand"), text("column-seats")], seatless),
      ] : []),
    ];
  }
}
