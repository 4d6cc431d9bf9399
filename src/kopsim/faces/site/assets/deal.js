"use strict";
/* A deal on the table that is stepped through card by card, with what binds each player. */
{
  const {h, text} = kopsim;
  const PAUSE = 1400; // milliseconds between cards when it plays by itself

  const idsOf = (cards) => cards.match(/../g) ?? [];

  /* Why a card was played: it was the only one left, or what the rules demanded, and whether they left a choice. */
  function obligation(step, held) {
    if (held === 1) return text("must-last");
    const words = text(`must-${step.must}`);
    return idsOf(step.legal).length === 1 ? `${words} (${text("must-only")})` : words;
  }

  /* Points and tricks of a side after some steps. */
  function taken(steps, ours) {
    const tricks = steps.filter((step) => step.taken_by && ours(step.taken_by));
    return {points: tricks.reduce((sum, step) => sum + step.points, 0), tricks: tricks.length};
  }

  /* The viewer of a counterexample: `hands` by seat, `steps`, and the seat that plays alone. */
  kopsim.dealViewer = (example, soloist) => {
    const last = example.steps.length;
    let at = 0;
    let timer = null;
    const seats = [1, 2, 3, 4].map((seat) => h("div", {class: `place place-${seat}`}));
    const trick = h("div", {class: "trick", "aria-hidden": "true"});
    const said = h("p", {class: "said", role: "status"});
    const running = h("p", {class: "running"});
    const heldBefore = example.steps.map((step, place) =>
      idsOf(example.hands[step.seat - 1]).length - example.steps.slice(0, place).filter((each) => each.seat === step.seat).length);
    const sentences = example.steps.map((step, place) => [
      h("span", {class: "who"}, `${step.seat}: `), kopsim.inline([step.card]), ` ${obligation(step, heldBefore[place])}`,
      step.taken_by ? ` ${text("takes", {seat: step.taken_by, points: step.points})}` : "",
    ]);
    const list = h("ol", {class: "steps"}, sentences.map((each) => h("li", {}, each)));

    const go = (place) => {
      at = Math.max(0, Math.min(last, place));
      if (at === last) stop();
      draw();
    };
    const stop = () => { clearInterval(timer); timer = null; playing.textContent = text("deal-play"); };
    const play = () => {
      if (timer) { stop(); return; }
      if (at === last) at = 0;
      playing.textContent = text("deal-pause");
      go(at + 1);
      timer = setInterval(() => { if (box.isConnected) go(at + 1); else stop(); }, PAUSE);
    };
    const button = (key, sign, action) =>
      h("button", {type: "button", "aria-label": text(key), title: text(key), "data-step": key, onclick: action}, sign);
    const playing = h("button", {type: "button", class: "playing", onclick: play}, text("deal-play"));
    const controls = h("div", {class: "controls", role: "group", "aria-label": text("deal-controls")},
      button("deal-start", "|◀", () => { stop(); go(0); }),
      button("deal-back", "◀", () => { stop(); go(at - 1); }),
      button("deal-next", "▶", () => { stop(); go(at + 1); }),
      button("deal-end", "▶|", () => { stop(); go(last); }),
      playing);

    function draw() {
      const gone = new Set(example.steps.slice(0, at).map((step) => step.card));
      const next = example.steps[at];
      example.hands.forEach((hand, place) => {
        const seat = place + 1;
        const legal = next && next.seat === seat ? idsOf(next.legal) : [];
        seats[place].replaceChildren(
          h("span", {class: "place-name"}, `${seat}${seat === soloist ? ` · ${text("soloist-short")}` : ""}`),
          h("span", {class: "place-cards"}, idsOf(hand).filter((id) => !gone.has(id))
            .map((id) => kopsim.cardFace(id, legal.includes(id) ? "legal" : ""))));
        seats[place].classList.toggle("to-play", next?.seat === seat);
      });
      const from = at === 0 ? 0 : Math.floor((at - 1) / 4) * 4;
      trick.replaceChildren(...example.steps.slice(from, at)
        .map((step) => h("span", {class: `on-table on-${step.seat}`}, kopsim.cardFace(step.card,
          example.steps[at - 1].taken_by === step.seat ? "took" : ""))));
      const done = example.steps.slice(0, at);
      running.replaceChildren(
        h("span", {"data-side": "soloist"}, text("deal-soloist", taken(done, (seat) => seat === soloist))),
        h("span", {"data-side": "others"}, text("deal-others", taken(done, (seat) => seat !== soloist))));
      [...list.children].forEach((item, place) => item.classList.toggle("now", place === at - 1));
      said.replaceChildren(
        `${at} / ${last} · `,
        ...(at === 0 ? [text("deal-begin", {seat: example.steps[0].seat})] : sentences[at - 1].map((each) => (each.cloneNode ? each.cloneNode(true) : each))));
      if (at === last) said.append(` ${text("example-end", {points: example.points, tricks: example.tricks})}`);
    }

    const box = h("div", {class: "deal"}, h("div", {class: "deal-table"}, seats, trick), running, controls, said,
      h("details", {class: "course"}, h("summary", {}, text("deal-course")), list,
        h("p", {class: "small-print"}, text("example-note"))));
    draw();
    return box;
  };
}
