"""Builds the compiled rules; see the .pxd for every field."""
from libc.stdint cimport uint64_t
from libc.string cimport memset

cdef dict DEMANDS = {"any": ANY, "beat": BEAT, "follow": FOLLOW, "trump": TRUMP, "follow-beat": FOLLOW_BEAT}


MOST_WORTH = 30_000


cdef class KernelRules:
    """One card order compiled for the kernels.

    suits: for each suit the points of its cards, weakest first; card bits are
    numbered through the suits in this order.
    trump: index of the trump suit, or -1.
    ladders: four ladders of demands, indexed by (a trump was led) + 2 * (the
    player's partner is winning); "any" is added at the end of each.
    trick_bonus: worth of each trick in itself, first trick first.
    partners: partner of seats 0-3 for the exemption, -1 for none.

    Raises ValueError when a number is out of the kernels' range.
    """

    def __init__(self, suits, int trump, ladders, trick_bonus, partners):
        cdef rule_t* c = &self.c
        cdef int card = 0, suit, i, low
        memset(c, 0, sizeof(rule_t))
        points = [p for suit_points in suits for p in suit_points]
        if sum(abs(worth) for worth in (*points, *trick_bonus)) > MOST_WORTH:
            raise ValueError(f"worths that add up to more than {MOST_WORTH} do not fit into 16 bits")
        c.cards = len(points)
        c.hand_size = len(trick_bonus)
        if not 1 <= len(suits) <= MAX_SUITS:
            raise ValueError(f"{len(suits)} suits; the kernels take 1 to {MAX_SUITS}")
        if not 1 <= c.cards <= MAX_CARDS:
            raise ValueError(f"{c.cards} cards; the kernels take 1 to {MAX_CARDS}")
        if not 1 <= c.hand_size <= MAX_TRICKS:
            raise ValueError(f"{c.hand_size} tricks; the kernels take 1 to {MAX_TRICKS}")
        if not -1 <= trump < len(suits):
            raise ValueError(f"no suit {trump} to be trumps")
        if trump >= 0 and not suits[trump]:
            raise ValueError("a trump suit without cards")
        for suit, suit_points in enumerate(suits):
            low = card
            # Suits of one card each, worth the same, are alike: when one is gone the other may stand in its place.
            if len(suit_points) == 1 and suit > 0 and suits[suit - 1] == suit_points and trump not in (suit, suit - 1):
                low -= 1
            for p in suit_points:
                c.points[card] = p
                c.suit_of[card] = suit
                c.suit_mask[suit] |= (<uint64_t>1) << card
                if card > low and c.points[card - 1] == c.points[card]:
                    c.linked |= (<uint64_t>1) << (card - 1)
                card += 1
            c.pack |= c.suit_mask[suit]
        if trump >= 0:
            c.trumps = c.suit_mask[trump]
        self._fill_cards(sum(points))
        for i, bonus in enumerate(trick_bonus):
            c.trick_bonus[c.hand_size - i] = bonus
        for i, ladder in enumerate(ladders):
            if len(ladder) > MAX_DEMANDS:
                raise ValueError(f"a ladder of {len(ladder)} demands; the kernels take {MAX_DEMANDS}")
            for step, demand in enumerate(ladder):
                c.ladder[i][step] = DEMANDS[demand]
        for i, partner in enumerate(partners):
            c.partner[i] = partner

    cdef void _fill_cards(self, int total) noexcept:
        cdef rule_t* c = &self.c
        cdef int card, other
        for card in range(c.cards):
            c.beats[card] = c.suit_mask[c.suit_of[card]] & ~(((<uint64_t>2) << card) - 1)
            if not c.trumps & ((<uint64_t>1) << card):
                c.beats[card] |= c.trumps
            if c.points[card] * c.cards > total:
                c.rich |= (<uint64_t>1) << card
            other = card
            while other > 0 and c.linked & ((<uint64_t>1) << (other - 1)):
                other -= 1
            while True:
                c.run_of[card] |= (<uint64_t>1) << other
                if other > card:
                    c.run_above[card] |= (<uint64_t>1) << other
                if not c.linked & ((<uint64_t>1) << other):
                    break
                other += 1

    @property
    def cards(self) -> int:
        """Cards in the pack."""
        return self.c.cards

    @property
    def hand_size(self) -> int:
        """Cards a player holds at the start."""
        return self.c.hand_size
