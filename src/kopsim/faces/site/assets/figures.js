"use strict";
/* Packed columns of figures: unpacking, and which row belongs to a hand. */
{
  const NONE = 65535;

  /* Columns by name as functions from a row to a figure, or null where there is none. */
  async function unpacked(packed) {
    const bytes = Uint8Array.from(atob(packed.body), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const planes = new Uint8Array(await new Response(stream).arrayBuffer());
    const places = new Map(packed.columns.map((name, place) => [name, 2 * place * packed.rows]));
    return (name, row) => {
      const start = places.get(name);
      if (start === undefined) return null;
      const figure = planes[start + row] | (planes[start + packed.rows + row] << 8);
      return figure === NONE ? null : figure;
    };
  }

  const known = {};

  /* A promise of the figures in a file: the object it holds, and `of` to read a figure. */
  kopsim.figures = (name) => {
    known[name] ??= kopsim.load(name).then(async (packed) => ({...packed, of: await unpacked(packed)}));
    known[name].catch(() => { delete known[name]; });
    return known[name];
  };

  /* A payment in points from the whole number that the data keep. */
  kopsim.points = (figure) => (figure === null ? null : (figure - kopsim.given("index").offset) / 100);

  /* A mean payment and the ends of its interval, or null where there is none; of: reads a figure by its name. */
  kopsim.mean = (of, name) => {
    const [value, low, high] = [name, `${name}-low`, `${name}-high`].map((each) => kopsim.points(of(each)));
    return value === null ? null : {value, low, high};
  };

  const choose = (n, k) => {
    let ways = 1;
    for (let i = 1; i <= k; i += 1) ways = (ways * (n - k + i)) / i;
    return ways;
  };

  /* The number of a hand, strongest first, as the data number them. */
  kopsim.handNumber = (ids) => {
    const {cards, hand_size: size} = kopsim.rules();
    const places = ids.map((id) => cards.findIndex((card) => card.id === id)).sort((a, b) => a - b);
    let number = 0;
    let from = 0;
    places.forEach((place, taken) => {
      for (let skipped = from; skipped < place; skipped += 1) {
        number += choose(cards.length - 1 - skipped, size - 1 - taken);
      }
      from = place + 1;
    });
    return number;
  };

  /* Every hand as a list of ids, in that order. */
  kopsim.everyHand = () => {
    const {cards, hand_size: size} = kopsim.rules();
    const hands = [];
    const extend = (hand, from) => {
      if (hand.length === size) { hands.push(hand); return; }
      for (let place = from; place < cards.length; place += 1) extend([...hand, cards[place].id], place + 1);
    };
    extend([], 0);
    return hands;
  };

  kopsim.row = (ids, seat) => kopsim.handNumber(ids) * kopsim.rules().seats.length + seat - 1;
}
