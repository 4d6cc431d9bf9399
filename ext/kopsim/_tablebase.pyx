"""Solves the last two tricks of everything, then three, then whole deals, each from the one before.

A position between tricks is written with the leader's hand first.  What is left
of the pack is one of a few sets, for cards that are alike but for strength stand
for each other (see close_gaps in _hands); inside a set only the order of the
cards counts, and a position is numbered by the ranks of its first three hands.
All seven coalitions are solved together, a byte each (see _coalitions).
"""
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free
from kopsim._coalitions cimport COALITIONS, MOST_POINTS, after_trick, better
from kopsim._hands cimport close_gaps, from_leader, hand_of, narrow_t, set_hands, toggle
from kopsim._rules cimport KernelRules, count_bits, lowest_bit, rule_t
from kopsim._trick cimport choices, different, new_trick, put, trick_t

from math import comb

import numpy as np

cdef extern from "pext.h" nogil:
    int KOPSIM_HAS_PEXT
    uint64_t gather_bits(uint64_t x, uint64_t mask, int fast)
    uint64_t scatter_bits(uint64_t x, uint64_t mask, int fast)

cdef extern from "large_memory.h" nogil:
    void* large_alloc(size_t bytes)

cdef enum:
    PACK = 16
    MASKS = 1 << 16
    FIRST_HANDS = 1820       # hands of four cards
    SECOND_HANDS = 495       # and of four of the other twelve
    THIRD_HANDS = 70         # and of four of the other eight

DEALS = FIRST_HANDS * SECOND_HANDS * THIRD_HANDS
HANDS = FIRST_HANDS


cdef inline uint64_t hands_rank(const tables_t* t, uint64_t a, uint64_t b, uint64_t c, int seconds,
                                int thirds) noexcept nogil:
    """The number of three hands, given as masks of what is left, among all ways to deal it."""
    cdef uint64_t second = t.rank[gather_bits(b, ~a, t.fast)]
    cdef uint64_t third = t.rank[gather_bits(c, ~(a | b), t.fast)]
    return (t.rank[a] * <uint64_t>seconds + second) * thirds + third


cdef inline uint64_t place_of(const tables_t* t, const level_t* level, uint64_t lanes) noexcept nogil:
    """Where the word of a position stands: leader's hand in the first lane."""
    cdef uint64_t left = (lanes | lanes >> 16 | lanes >> 32 | lanes >> 48) & 0xFFFF
    cdef uint64_t packed = gather_bits(lanes, left * <uint64_t>0x0001000100010001, t.fast)
    cdef int bits = 4 * level.cards
    cdef uint64_t field = ((<uint64_t>1) << bits) - 1
    cdef uint64_t in_set = hands_rank(t, packed & field, packed >> bits & field, packed >> (2 * bits) & field,
                                      level.seconds, level.thirds)
    return <uint64_t>level.place[left] * set_size(level) + in_set


cdef inline uint64_t set_size(const level_t* level) noexcept nogil:
    return (<uint64_t>220 if level.cards == 3 else <uint64_t>28) * level.seconds * level.thirds


cdef uint64_t explore(const tables_t* t, const narrow_t* hands, const trick_t* trick, int left, int total) noexcept nogil:
    """The word of a position with a trick open; `total` points are in it, seat 0 led."""
    cdef const rule_t* rules = t.rules
    cdef int seat = trick.count, card, worth
    cdef uint64_t cards, word = 0, found
    cdef bint first = True
    cdef narrow_t rest
    cdef trick_t after
    if seat == 4:
        worth = trick.worth + rules.trick_bonus[left]
        if left == 1:
            return after_trick(0, trick.winner, worth, 0)
        rest.lanes = from_leader(hands.lanes, trick.winner)
        return after_trick(solved(t, &rest, left - 1, total - worth), trick.winner, worth, total - worth)
    cards = different(rules, choices(rules, hand_of(hands, seat), trick, seat))
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        rest = hands[0]
        toggle(&rest, seat, card)
        after = trick[0]
        put(rules, &after, seat, card)
        found = explore(t, &rest, &after, left, total)
        word = found if first else better(word, found, seat)
        first = False
    return word


cdef inline uint64_t solved(const tables_t* t, const narrow_t* hands, int left, int total) noexcept nogil:
    """The word of a position between tricks, from the tables."""
    cdef trick_t trick
    if left == 3:
        return t.three.words[place_of(t, &t.three, hands.lanes)]
    if left == 2:
        return t.two.words[place_of(t, &t.two, hands.lanes)]
    trick = new_trick(0)
    return explore(t, hands, &trick, 1, total)


cdef void fill_set(const tables_t* t, const level_t* level, int number, int total, const uint16_t* firsts, int first_count,
                   const uint16_t* seconds, const uint16_t* thirds) noexcept nogil:
    """Solves every position of one set; the lists hold all hands as masks of what is still left."""
    cdef uint64_t left = level.left[number], all_cards = ((<uint64_t>1) << (4 * level.cards)) - 1
    cdef uint64_t a, b, c, d, place = <uint64_t>number * set_size(level)
    cdef int i, j, k
    cdef narrow_t hands
    cdef trick_t trick = new_trick(0)
    for i in range(first_count):
        a = firsts[i]
        for j in range(level.seconds):
            b = scatter_bits(seconds[j], all_cards & ~a, t.fast)
            for k in range(level.thirds):
                c = scatter_bits(thirds[k], all_cards & ~(a | b), t.fast)
                d = all_cards & ~(a | b | c)
                hands.lanes = scatter_bits(a | b << (4 * level.cards) | c << (8 * level.cards) | d << (12 * level.cards),
                                           left * <uint64_t>0x0001000100010001, t.fast)
                level.words[place] = explore(t, &hands, &trick, level.cards, total)
                place += 1


cdef int list_masks(uint16_t* out, int bits, int ones) noexcept nogil:
    """All masks of so many bits with so many ones, smallest first, which is their order of rank; returns how many."""
    cdef int count = 0
    cdef uint64_t mask = ((<uint64_t>1) << ones) - 1, lowest, carried
    while mask < (<uint64_t>1) << bits:
        out[count] = mask
        count += 1
        # The next larger number with as many ones (Gosper's step).
        lowest = mask & (~mask + 1)
        carried = mask + lowest
        mask = ((carried ^ mask) >> 2) // lowest | carried
    return count


cdef int refuse_other_games(KernelRules rules) except -1:
    """The points of a whole deal; ValueError for what the tables cannot hold."""
    cdef const rule_t* c = &rules.c
    cdef int card, left
    if c.cards != PACK or c.hand_size != 4:
        raise ValueError(f"a pack of {c.cards} cards; retrograde tables are for {PACK}")
    worths = [c.points[card] for card in range(PACK)] + [c.trick_bonus[left] for left in range(1, 5)]
    if min(worths) < 0 or sum(worths) > MOST_POINTS:
        raise ValueError(f"{sum(worths)} points, the least worth {min(worths)}; retrograde tables take 0 to 127")
    if any(c.partner[card] not in (-1, (card + 2) & 3) for card in range(4)):
        raise ValueError("partners must sit opposite for retrograde tables")
    return sum(worths)


cdef bint mirrored(const rule_t* rules) noexcept:
    """Whether the two lowest cards are suits of one card each and alike, so that exchanging them changes nothing."""
    return rules.linked & 1 and rules.suit_of[0] != rules.suit_of[1]


def twin_hand(KernelRules rules not None, int number):
    """The number of the hand with exactly the same results, which differs by equal cards only, or the same number.

    Raises ValueError for rules whose deals the tables cannot hold.
    """
    refuse_other_games(rules)
    hand = combination(number, 4)
    if not mirrored(&rules.c) or hand & 3 in (0, 3):
        return number
    return mask_rank(hand ^ 3)


cdef class EndgameTables:
    """Words of every position with two and three cards a hand; needs about 360 MB for Kop.

    Raises ValueError for rules that the method does not fit: not 16 cards, a
    negative worth, more than 127 points, or partners who do not sit opposite.
    Fill sets 0 to `sets(2)` - 1, then 0 to `sets(3)` - 1 in any order and from any
    threads; after that `solve_deals` may be called.
    """

    def __cinit__(self, KernelRules rules not None):
        cdef const rule_t* c = &rules.c
        cdef int card, left
        self.rules = rules
        self.total = refuse_other_games(rules)
        self.tables.rules = c
        self.tables.fast = KOPSIM_HAS_PEXT
        self.tables.rank = <uint16_t*>PyMem_Calloc(MASKS, sizeof(uint16_t))
        if not self.tables.rank:
            raise MemoryError
        ranks = [0] * (PACK + 1)
        for left in range(MASKS):
            card = count_bits(left)
            self.tables.rank[left] = ranks[card]
            ranks[card] += 1
        self._prepare(&self.tables.two, 2, 15, 6)
        self._prepare(&self.tables.three, 3, 84, 20)

    cdef int _prepare(self, level_t* level, int cards, int seconds, int thirds) except -1:
        cdef int left, closed
        level.cards = cards
        level.seconds = seconds
        level.thirds = thirds
        level.left = <uint16_t*>PyMem_Calloc(MASKS, sizeof(uint16_t))
        level.place = <int32_t*>PyMem_Calloc(MASKS, sizeof(int32_t))
        if not level.left or not level.place:
            raise MemoryError
        for left in range(MASKS):
            # Closing gaps makes a mask smaller, so what a mask closes to has its number already.
            if count_bits(left) == 4 * cards:
                closed = self._closed(left)
                if closed == left:
                    level.left[level.patterns] = left
                    level.place[left] = level.patterns
                    level.patterns += 1
                level.place[left] = level.place[closed]
        level.words = <uint64_t*>large_alloc(level.patterns * set_size(level) * sizeof(uint64_t))
        if not level.words:
            raise MemoryError
        return 0

    def __dealloc__(self):
        PyMem_Free(self.tables.rank)
        PyMem_Free(self.tables.two.left)
        PyMem_Free(self.tables.two.place)
        free(self.tables.two.words)
        PyMem_Free(self.tables.three.left)
        PyMem_Free(self.tables.three.place)
        free(self.tables.three.words)

    cdef int _closed(self, int left) noexcept:
        """The mask of cards left with every gap closed."""
        cdef narrow_t lanes
        lanes.lanes = left
        close_gaps(&lanes, &self.rules.c, 0xFFFF & ~left)
        return lanes.lanes

    def sets(self, int cards):
        """How many sets of cards can be left with so many cards a hand (2 or 3)."""
        return self.tables.two.patterns if cards == 2 else self.tables.three.patterns

    def fill(self, int cards, int number):
        """Solves one set of the positions with 2 or 3 cards a hand."""
        cdef const level_t* level = &self.tables.two if cards == 2 else &self.tables.three
        cdef uint16_t[FIRST_HANDS] firsts
        cdef uint16_t[128] seconds
        cdef uint16_t[32] thirds
        cdef int count, total = 0, card
        if cards not in (2, 3) or not 0 <= number < level.patterns:
            raise IndexError(f"set {number} with {cards} cards a hand")
        for card in range(PACK):
            if level.left[number] >> card & 1:
                total += self.rules.c.points[card]
        for card in range(1, cards + 1):
            total += self.rules.c.trick_bonus[card]
        with nogil:
            count = list_masks(firsts, 4 * cards, cards)
            list_masks(seconds, 3 * cards, cards)
            list_masks(thirds, 2 * cards, cards)
            fill_set(&self.tables, level, number, total, firsts, count, seconds, thirds)

    def left(self, int cards, int number):
        """The mask of the cards left in a set of positions with 2 or 3 cards a hand."""
        cdef const level_t* level = &self.tables.two if cards == 2 else &self.tables.three
        if cards not in (2, 3) or not 0 <= number < level.patterns:
            raise IndexError(f"set {number} with {cards} cards a hand")
        return level.left[number]

    def points(self, hands):
        """What each of the seven coalitions takes in an ending of 2 or 3 cards a hand, seat 1 to lead.

        hands: four bit masks.  The ending's set must have been filled; columns as in
        _coalitions.  Raises ValueError if it is no such ending.
        """
        cdef uint64_t[4] masks
        cdef uint64_t present = 0, word
        cdef narrow_t lanes
        cdef int seat, cards = count_bits(hands[0])
        for seat in range(4):
            masks[seat] = hands[seat]
            if count_bits(masks[seat]) != cards or masks[seat] & present:
                raise ValueError("not four equal hands of different cards")
            present |= masks[seat]
        if cards not in (2, 3) or present >> PACK:
            raise ValueError("not an ending of 2 or 3 cards a hand")
        set_hands(&lanes, masks)
        word = solved(&self.tables, &lanes, cards, 0)
        return [word >> (8 * seat) & 0xFF for seat in range(COALITIONS)]

    def solve_deals(self, int first, uint8_t[:, ::1] out):
        """Solves the 34,650 deals in which the leader has hand number `first`, all coalitions.

        out: 34,650 x 7 points; rows as in `deal_hands`, columns as in _coalitions,
        seats counted from the leader.
        """
        cdef uint64_t[:, ::1] hands = deal_hands(first)
        cdef bint paired = mirrored(&self.rules.c) and hands[0, 0] & 3 == 0
        cdef Py_ssize_t row, twin
        cdef int lane
        cdef uint64_t word
        cdef narrow_t lanes
        cdef trick_t trick = new_trick(0)
        if out.shape[0] != hands.shape[0] or out.shape[1] != COALITIONS:
            raise ValueError(f"out must be {hands.shape[0]} x {COALITIONS}")
        with nogil:
            for row in range(hands.shape[0]):
                if paired:
                    twin = mirrored_row(&self.tables, &hands[row, 0])
                    if twin < row:
                        out[row, :] = out[twin, :]
                        continue
                set_hands(&lanes, &hands[row, 0])
                word = explore(&self.tables, &lanes, &trick, 4, self.total)
                for lane in range(COALITIONS):
                    out[row, lane] = word >> (8 * lane) & 0xFF


cdef Py_ssize_t mirrored_row(const tables_t* t, const uint64_t* hands) noexcept nogil:
    """The row, among deals of the same first hand, of this deal with the two lowest cards exchanged."""
    cdef uint64_t a = hands[0], b = exchanged(hands[1]), c = exchanged(hands[2])
    return hands_rank(t, a, b, c, SECOND_HANDS, THIRD_HANDS) - t.rank[a] * <uint64_t>(SECOND_HANDS * THIRD_HANDS)


cdef inline uint64_t exchanged(uint64_t mask) noexcept nogil:
    return (mask & ~<uint64_t>3) | (mask & 1) << 1 | (mask >> 1 & 1)


def combination(uint64_t rank, int ones):
    """The mask that has this rank among all with as many ones; the reverse of their ranking."""
    mask = 0
    for place in range(ones, 0, -1):
        bit = place - 1
        while comb(bit + 1, place) <= rank:
            bit += 1
        mask |= 1 << bit
        rank -= comb(bit, place)
    return mask


def deal_hands(int first):
    """The 34,650 deals in which seat 1 has hand number `first`, in order of rank: n x 4 bit masks."""
    cdef uint16_t[SECOND_HANDS] seconds
    cdef uint16_t[THIRD_HANDS] thirds
    cdef int j, k, fast = KOPSIM_HAS_PEXT
    cdef Py_ssize_t row = 0
    cdef uint64_t a, b
    if not 0 <= first < FIRST_HANDS:
        raise IndexError(f"hand {first} of {FIRST_HANDS}")
    a = combination(first, 4)
    hands = np.empty((SECOND_HANDS * THIRD_HANDS, 4), dtype=np.uint64)
    cdef uint64_t[:, ::1] out = hands
    with nogil:
        list_masks(seconds, PACK - 4, 4)
        list_masks(thirds, PACK - 8, 4)
        for j in range(SECOND_HANDS):
            b = scatter_bits(seconds[j], 0xFFFF & ~a, fast)
            for k in range(THIRD_HANDS):
                out[row, 0] = a
                out[row, 1] = b
                out[row, 2] = scatter_bits(thirds[k], 0xFFFF & ~(a | b), fast)
                out[row, 3] = 0xFFFF & ~(a | b | out[row, 2])
                row += 1
    return hands


def deal_rank(hands):
    """The number of a deal, 0 to DEALS - 1; deals of one first hand follow each other.  ValueError if it is no deal."""
    cdef uint64_t mask, taken = 0, rank = 0
    cdef int size
    for mask, size in zip(hands, (1, SECOND_HANDS, THIRD_HANDS, 1), strict=True):
        if count_bits(mask) != 4 or mask & taken or mask >> PACK:
            raise ValueError("not four hands of four cards")
        rank = rank * size + mask_rank(gather_bits(mask, 0xFFFF & ~taken, 0))
        taken |= mask
    return rank


cdef uint64_t mask_rank(uint64_t mask) noexcept:
    """The place of a mask among all with as many ones, smallest first."""
    cdef uint64_t rank = 0
    cdef int ones = 0
    while mask:
        ones += 1
        rank += <uint64_t>comb(lowest_bit(mask), ones)
        mask &= mask - 1
    return rank
