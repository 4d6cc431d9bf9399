"use strict";
/* The page at the table: four cards and a seat in, the call and what it earns out. */
{
  const {h, text, state} = kopsim;
  let parts; // the elements that change: cards, seats, answer, notice, below

  function tapped(id) {
    const size = kopsim.rules().hand_size;
    if (state.cards.includes(id)) state.cards = state.cards.filter((each) => each !== id);
    else if (state.cards.length < size) state.cards = kopsim.strongestFirst([...state.cards, id]);
    else { parts.notice.textContent = text("hand-full", {count: size}); return; }
    kopsim.changed();
    update();
  }

  function sat(seat) {
    state.seat = seat;
    kopsim.changed();
    update();
  }

  /* Four seats round a table, clockwise; the dealer has the button. */
  function table() {
    const seats = kopsim.rules().seats.map((name, place) => h("label", {class: `seat seat-${place + 1}`},
      h("input", {type: "radio", name: "seat", value: place + 1, onchange: () => sat(place + 1)}),
      h("span", {class: "seat-number", "aria-hidden": "true"}, String(place + 1)),
      h("span", {class: "unseen"}, `${text("seat")} ${place + 1}, `),
      h("span", {class: "seat-who"}, h("span", {}, kopsim.said(name)),
        place === 3 ? h("span", {class: "dealer", "aria-hidden": "true"}, text("dealer-button")) : null)));
    return h("fieldset", {class: "table"},
      h("legend", {class: "unseen"}, text("choose-seat")),
      seats, h("span", {class: "felt", "aria-hidden": "true"}, "↻"));
  }

  kopsim.pages.hand = (main) => {
    parts = {
      cards: kopsim.rules().cards.map((card) => kopsim.cardButton(card.id, false, tapped)),
      seats: table(),
      notice: h("p", {class: "notice", role: "status"}),
      answer: h("section", {class: "answer", "aria-live": "polite", "aria-label": text("answer")}),
      below: h("div", {class: "below"}),
    };
    main.append(h("h1", {class: "unseen"}, text("page-hand")), h("div", {class: "hand"},
      h("div", {class: "grid", role: "group", "aria-label": text("choose-cards", {count: kopsim.rules().hand_size})}, parts.cards),
      parts.seats,
      h("div", {class: "told"}, parts.notice, parts.answer, parts.below)));
    update();
  };

  async function update() {
    const asked = `${state.rules} ${state.cards.join("")} ${state.seat} ${state.lang}`;
    for (const button of parts.cards) {
      button.setAttribute("aria-pressed", String(state.cards.includes(button.dataset.card)));
    }
    const missing = kopsim.rules().hand_size - state.cards.length;
    parts.cards[0].parentElement.classList.toggle("full", !missing);
    parts.seats.querySelectorAll("input").forEach((input) => { input.checked = Number(input.value) === state.seat; });
    parts.notice.textContent = kopsim.answered() ? "" : asking(missing);
    const {answer, below} = parts;
    below.replaceChildren(...(kopsim.answered() ? kopsim.kontraPanel() : []),
      kopsim.handActions(parts.notice, update), ...kopsim.recentPanel());
    if (!kopsim.answered()) { answer.replaceChildren(); answer.removeAttribute("data-hand"); return; }
    try {
      const figures = await kopsim.figures(kopsim.rules().files.hands);
      const drawn = drawing(figures, kopsim.row(state.cards, state.seat));
      if (asked !== `${state.rules} ${state.cards.join("")} ${state.seat} ${state.lang}`) return;
      answer.replaceChildren(...drawn);
      answer.setAttribute("data-hand", asked);
    } catch {
      answer.replaceChildren(h("p", {class: "notice"}, text("no-data")));
    }
  }

  function asking(missing) {
    if (missing === 0) return text("hand-seat");
    return text(missing === 1 ? "hand-one-more" : "hand-more", {count: missing});
  }

  /* --- the answer */

  function drawing(figures, row) {
    const calls = figures.calls
      .map((call) => ({call, rank: figures.of(`${call}.rank`, row)}))
      .filter((each) => each.rank !== null)
      .sort((a, b) => a.rank - b.rank)
      .map(({call}) => valueOf(figures, row, call));
    const played = figures.of("played", row) === 1;
    const badges = calls.filter((each) => each.guaranteed && each.layDown).map(thrown);
    return [
      h("p", {class: "print-only hand-printed"},
        kopsim.inline(state.cards), ` · ${text("seat")} ${kopsim.seatName(state.seat)} · ${kopsim.said(kopsim.rules().name)}`),
      verdict(figures, row, calls[0], played),
      ...badges.slice(0, 1),
      ...calls.map((each) => callDetails(each, played)),
      ...badges.slice(1),
      why(figures, row, calls),
      h("p", {class: "small-print"}, `${text(played ? "figures-play" : "figures-open")} ${text(played ? "bar-means" : "bar-means-open")}`),
    ];
  }

  /* What the data say of one call, ready to show. */
  function valueOf(figures, row, call) {
    const of = (name) => figures.of(`${call}.${name}`, row);
    const points = (name) => kopsim.points(of(name));
    const wins = of("wins");
    return {
      call, wins,
      name: kopsim.callName(call),
      silent: of("silent") === 1,
      guaranteed: of("guaranteed") === 1,
      // A hand that is paid without play is not laid down by a plan.
      layDown: call in kopsim.rules().contracts && !kopsim.rules().contracts[call].honour,
      mean: points("mean"), earned: points("earned"), inPlay: kopsim.mean(of, "mean-play"),
      open: kopsim.tenths(wins, kopsim.rules().layouts), play: of("win-play"),
      best: [of("best-defence-least"), of("best-defence-most")],
      reply: [of("reply-bound-least"), of("reply-bound-most")],
      doubled: kopsim.mean(of, "doubled"), answered: kopsim.mean(of, "answered"),
      kontra: of("kontra"), rej: of("rej"),
      expected: figures.expected.includes(call),
    };
  }

  function verdict(figures, row, best, played) {
    const reason = figures.reasons[figures.of("reason", row)];
    const kind = reason === "close" ? "close" : best.silent ? "quiet" : "announce";
    return h("div", {class: `verdict ${kind}`},
      h("span", {class: "sign", "aria-hidden": "true"}, {close: "≈", quiet: "○", announce: "●"}[kind]),
      h("strong", {class: "word"}, best.name),
      h("span", {class: "sum"}, kopsim.signed(best.earned), h("small", {}, ` ${text("a-deal")}`)),
      h("span", {class: "sure"}, text(`verdict-${kind}`),
        best.silent && best.call !== "pass" ? ` ${text("say-nothing")}` : "",
        ` · ${conditions(figures, row, best, played).join(" · ")}`));
  }

  /* What the sum of the verdict rests on, in the same glance. */
  function conditions(figures, row, best, played) {
    if (!played) return [text("measured-open")];
    const ranged = best.expected && figures.of("range", row) === figures.of("recommended", row);
    return [
      best.doubled === null ? text("measured-play") : text("measured-kontra", {paid: kopsim.signed(best.inPlay.value)}),
      ...(ranged ? [text("in-range")] : []),
    ];
  }

  /* A call in one line with its bar; opened, every figure with what it means. */
  function callDetails(value, played) {
    const shown = played && value.play !== null ? value.play : value.open;
    const bar = h("span", {class: "bar", "aria-hidden": "true"},
      h("span", {class: "bar-open"}), h("span", {class: "bar-play"}), h("span", {class: "bar-best"}));
    const set = (name, share) => bar.style.setProperty(name, String(share));
    set("--open", kopsim.length(value.open));
    set("--play", value.play === null ? 0 : kopsim.length(value.play));
    set("--best", value.best[0] === null ? 0 : value.best[0] / kopsim.rules().layouts);
    return h("details", {class: "call", "data-call": value.call},
      h("summary", {},
        h("span", {class: "call-name"}, value.name),
        h("span", {class: "call-sum"}, kopsim.signed(value.earned)),
        bar,
        h("span", {class: "call-chance"}, kopsim.percent(shown))),
      h("dl", {}, figuresOf(value).map(([key, shownAs]) => h("div", {class: "figure"},
        h("dt", {}, text(key)), h("dd", {"data-figure": key}, shownAs),
        h("dd", {class: "meaning"}, text(value.guaranteed && key.endsWith("-play") ? "laid-down-means" : `${key}-means`))))));
  }

  function figuresOf(value) {
    const {layouts} = kopsim.rules();
    const counted = (wins) => `${kopsim.percent(kopsim.tenths(wins, layouts))} (${kopsim.whole(wins)} / ${kopsim.whole(layouts)})`;
    const between = ([least, most]) => (least === most ? counted(least) : `${counted(least)} – ${counted(most)}`);
    const list = [];
    if (value.inPlay !== null) {
      list.push(["mean-play", kopsim.payment(value.inPlay)]);
      list.push(["win-play", kopsim.percent(value.play)]);
    }
    if (value.best[0] !== null) list.push(["best-defence", between(value.best)]);
    if (value.reply[0] !== null) list.push(["best-reply", between(value.reply)]);
    list.push(["mean-open", kopsim.signed(value.mean)], ["win-open", counted(value.wins)]);
    if (value.doubled !== null) {
      list.push(["doubled", kopsim.payment(value.doubled)], ["answered", kopsim.payment(value.answered)]);
      list.push(["kontra-share", kopsim.percent(value.kontra)]);
      const seats = [1, 2, 3, 4].filter((seat) => (value.rej >> seat) & 1);
      list.push(["rej", seats.length ? text("rej-pays", {seats: kopsim.listed(seats)}) : text("rej-never")]);
    }
    return list;
  }

  /* The badge, and behind it the plan in words. */
  function thrown(value) {
    const plan = h("div", {class: "plan"});
    const opened = async (event) => {
      if (!event.target.open || plan.hasChildNodes()) return;
      try {
        const {plans, words} = await kopsim.load(kopsim.rules().files.throwdowns);
        const sentences = kopsim.said(words[plans[value.call][state.cards.join("")][state.seat]]);
        plan.append(
          sentences.length === 1 ? h("p", {}, kopsim.coloured(sentences[0]))
            : h("ol", {}, sentences.map((each) => h("li", {}, kopsim.coloured(each)))),
          h("p", {class: "small-print"}, text("certain-means")));
      } catch {
        plan.append(h("p", {class: "notice"}, text("no-data")));
      }
    };
    return h("details", {class: "thrown", "data-thrown": value.call, ontoggle: opened},
      h("summary", {}, h("strong", {}, text("thrown")), ` ✓ ${value.name} · ${text("plan")}`), plan);
  }

  function why(figures, row, calls) {
    const reason = figures.reasons[figures.of("reason", row)];
    const [best, second] = calls;
    const margin = kopsim.mean((name) => figures.of(name, row), "margin");
    const told = margin === null ? {}
      : {second: second.name, margin: kopsim.plain(Math.abs(margin.value)), reach: kopsim.reach(margin)};
    const lines = [text(reason === "close" && margin.value < 0 ? "because-range" : `because-${reason}`, told)];
    if (figures.of("range", row) !== null) {
      lines.push(text("advise-range", {call: kopsim.callName(figures.calls[figures.of("range", row)])}));
    }
    const even = figures.of("even", row);
    const instead = calls.find((each) => each.silent);
    if (even !== null && instead) {
      lines.push(text("advise-break-even", {chance: kopsim.percent(even), instead: instead.name}));
    }
    const tempting = calls.filter((each) => each.doubled !== null && each.inPlay.value > best.earned && each !== best);
    for (const each of tempting) {
      lines.push(text("advise-undoubled", {
        call: each.name, paid: kopsim.signed(each.inPlay.value), share: kopsim.percent(each.kontra),
        answered: kopsim.signed(each.answered.value),
      }));
    }
    if (figures.of("agrees", row) === 0) {
      const opened = calls.find((each) => each.call === figures.calls[figures.of("open", row)]);
      const promising = opened.mean > opened.earned;
      lines.push(text(promising ? "advise-promise" : "advise-defence", {call: opened.name, paid: kopsim.signed(opened.mean)}));
    }
    const expected = calls.filter((each) => each.expected).map((each) => each.name);
    if (expected.length) lines.push(text("advise-expected", {calls: expected.join(", ")}));
    else if (calls.some((each) => each.inPlay !== null && !each.silent && !each.guaranteed)) lines.push(text("played-no-range-note"));
    return h("details", {class: "why"}, h("summary", {}, text("why")), h("ul", {}, lines.map((each) => h("li", {}, each))));
  }
}
