"""Alpha-beta over a deal with open cards, for any coalition and any compiled rules.

Value of a position: the points (cards and trick bonuses) that the coalition
takes from there to the end, both sides playing perfectly.  Three things make it
fast: positions between tricks are written so that equal ones look equal
(`close_gaps`), those are kept in a table with their bounds, and neighbours in
strength with equal points are tried once.
"""
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int16_t, int64_t, uint64_t
from kopsim._hands cimport NARROW_CARDS, close_gaps, hand_of, hands_t, narrow_t, set_hands, toggle, wide_t
from kopsim._layouts cimport LayoutSpace, unrank
from kopsim._rules cimport KernelRules, count_bits, highest_bit, lowest_bit, rule_t
from kopsim._trick cimport choices, different, new_trick, put, trick_t

cdef enum:
    INFINITE = 32000
    USED = 64            # marks a table entry that was written
    QUICK_TRICKS = 4     # no search of so few tricks is long enough to need interrupting


cdef int last_trick(const query_t* query, const hands_t* hands, int leader) noexcept nogil:
    """One card each: nothing to choose."""
    cdef const rule_t* rules = query.rules
    cdef int seat = leader, best = lowest_bit(hand_of(hands, leader)), winner = leader, card
    cdef int worth = rules.trick_bonus[1] + rules.points[best]
    for _ in range(3):
        seat = (seat + 1) & 3
        card = lowest_bit(hand_of(hands, seat))
        worth += rules.points[card]
        if rules.beats[best] >> card & 1:
            best = card
            winner = seat
    return worth if query.side >> winner & 1 else 0


cdef inline uint64_t* entry_of(const query_t* query, const hands_t* hands, uint64_t tag, uint64_t* key) noexcept nogil:
    """The table entry for a position; `key` gets the words that tell it from any other.

    `tag` (leader and side) is compared apart and mixed in here only to spread.
    """
    cdef uint64_t hashed
    if hands_t is narrow_t:
        key[0] = hands.lanes
        hashed = (key[0] + tag) * <uint64_t>0xD6E8FEB86659FD93
        return query.table + 2 * (hashed >> (64 - query.table_bits))
    else:
        # Three planes tell for every card who holds it, or that it is gone.
        key[0] = hands.lane[1] | hands.lane[3]
        key[1] = hands.lane[2] | hands.lane[3]
        key[2] = hands.lane[0] | hands.lane[1] | hands.lane[2] | hands.lane[3]
        hashed = (key[0] + tag) * <uint64_t>0x9E3779B97F4A7C15
        hashed ^= key[1] * <uint64_t>0xC2B2AE3D27D4EB4F
        hashed ^= (hashed ^ key[2]) >> 29
        hashed = (hashed ^ key[2]) * <uint64_t>0xD6E8FEB86659FD93
        return query.table + 4 * (hashed >> (64 - query.table_bits))


cdef inline bint same_key(const uint64_t* entry, const uint64_t* key, const hands_t* hands) noexcept nogil:
    if hands_t is narrow_t:
        return entry[1] == key[0]
    else:
        return entry[1] == key[0] and entry[2] == key[1] and entry[3] == key[2]


cdef inline bint all_winners(const rule_t* rules, const hands_t* hands, int leader) noexcept nogil:
    """Whether no other player can ever beat a card of the leader's."""
    cdef uint64_t cards = hand_of(hands, leader), others = 0
    others = hand_of(hands, (leader + 1) & 3) | hand_of(hands, (leader + 2) & 3) | hand_of(hands, (leader + 3) & 3)
    while cards:
        if rules.beats[lowest_bit(cards)] & others:
            return False
        cards &= cards - 1
    return True


cdef bint interrupted(const query_t* query) noexcept nogil:
    """Whether the user has asked to stop; really looks only now and then."""
    query.watch.visits += 1
    if query.watch.visits & 0x3FFF == 0:
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException:  # whatever a signal handler raises ends the search
                query.watch.stopped = True
    return query.watch.stopped


cdef int lead(const query_t* query, const hands_t* hands, int leader, int left, window_t window) noexcept nogil:
    """Value of a position between tricks with `left` tricks to play."""
    cdef uint64_t key[3]
    cdef uint64_t tag = (<uint64_t>(leader | query.side << 2 | USED)) << 32
    cdef uint64_t* entry
    cdef trick_t trick
    cdef int low = window.low, high = window.high, value
    if left == 1:
        return last_trick(query, hands, leader)
    if high <= window.alpha:
        return high
    if low >= window.beta:
        return low
    if all_winners(query.rules, hands, leader):
        return high + low if query.side >> leader & 1 else 0
    if left > QUICK_TRICKS and interrupted(query):
        return low
    entry = entry_of(query, hands, tag, key)
    if entry[0] >> 32 << 32 == tag and same_key(entry, key, hands):
        low = <int16_t>(entry[0] & 0xFFFF)
        high = <int16_t>(entry[0] >> 16 & 0xFFFF)
        if low >= window.beta or low == high:
            return low
        if high <= window.alpha:
            return high
        window.alpha = max(window.alpha, low)
        window.beta = min(window.beta, high)
    trick = new_trick(leader)
    value = follow(query, hands, &trick, left, window)
    if query.watch.stopped:
        return value
    if value <= window.alpha:
        high = value
    elif value >= window.beta:
        low = value
    else:
        low = high = value
    entry[0] = tag | (<uint64_t>low & 0xFFFF) | (<uint64_t>high & 0xFFFF) << 16
    entry[1] = key[0]
    if hands_t is wide_t:
        entry[2] = key[1]
        entry[3] = key[2]
    return value


cdef int take(const query_t* query, const hands_t* hands, const trick_t* trick, int left, window_t window) noexcept nogil:
    """The trick is full: its winner takes it and leads."""
    cdef const rule_t* rules = query.rules
    cdef int bonus = rules.trick_bonus[left]
    cdef int taken = trick.worth + bonus if query.side >> trick.winner & 1 else 0
    cdef hands_t rest
    if left == 1:
        return taken
    if left == 2:
        return taken + last_trick(query, hands, trick.winner)
    rest = hands[0]
    close_gaps(&rest, rules, trick.cards)
    window.alpha -= taken
    window.beta -= taken
    window.high -= trick.worth - trick.cost + max(bonus, 0)
    window.low -= trick.cost + min(bonus, 0)
    return taken + lead(query, &rest, trick.winner, left - 1, window)


cdef int follow(const query_t* query, const hands_t* hands, const trick_t* trick, int left, window_t window) noexcept nogil:
    """Value of a position with a trick open, the next player choosing."""
    cdef const rule_t* rules = query.rules
    cdef int seat = (trick.leader + trick.count) & 3
    cdef uint64_t cards = different(rules, choices(rules, hand_of(hands, seat), trick, seat)), later = 0
    cdef bint ours = query.side >> seat & 1
    cdef int best = -INFINITE if ours else INFINITE, value, card
    cdef hands_t rest
    cdef trick_t after
    if trick.count == 0 and cards & ~rules.rich:
        later = cards & rules.rich
        cards ^= later
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        rest = hands[0]
        toggle(&rest, seat, card)
        after = trick[0]
        put(rules, &after, seat, card)
        if after.count == 4:
            value = take(query, &rest, &after, left, window)
        else:
            value = follow(query, &rest, &after, left, window)
        if ours:
            best = max(best, value)
            window.alpha = max(window.alpha, best)
        else:
            best = min(best, value)
            window.beta = min(window.beta, best)
        if window.alpha >= window.beta:
            break
        if not cards:
            cards = later
            later = 0
    return best


cdef uint64_t plays(const rule_t* rules, const uint64_t* masks, const trick_t* trick) noexcept nogil:
    """Number of ways to play a position to its end (perft)."""
    cdef int seat = (trick.leader + trick.count) & 3, card
    cdef uint64_t hand = masks[seat], cards, total = 0
    cdef uint64_t rest[4]
    cdef trick_t after
    if trick.count == 4:
        after = new_trick(trick.winner)
        return plays(rules, masks, &after)
    if not hand:
        return 1
    cards = choices(rules, hand, trick, seat)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        for other in range(4):
            rest[other] = masks[other]
        rest[seat] ^= (<uint64_t>1) << card
        after = trick[0]
        put(rules, &after, seat, card)
        total += plays(rules, rest, &after)
    return total


cdef window_t open_window(const rule_t* rules, uint64_t cards, int left) noexcept nogil:
    """The widest window for a position with these cards still to be taken."""
    cdef window_t window
    cdef int card
    window.high = window.low = 0
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        window.high += max(rules.points[card], 0)
        window.low += min(rules.points[card], 0)
    for trick in range(1, left + 1):
        window.high += max(rules.trick_bonus[trick], 0)
        window.low += min(rules.trick_bonus[trick], 0)
    window.alpha = window.low - 1
    window.beta = window.high + 1
    return window


cdef int value_between_tricks(const query_t* query, hands_t* hands, const uint64_t* masks, int leader,
                              int left) noexcept nogil:
    """Exact value of whole hands, given as plain bit masks."""
    cdef uint64_t present = masks[0] | masks[1] | masks[2] | masks[3]
    set_hands(hands, masks)
    close_gaps(hands, query.rules, query.rules.pack & ~present)
    return lead(query, hands, leader, left, open_window(query.rules, present, left))


cdef int value_of_deal(const query_t* query, const uint64_t* masks, int leader, int left) noexcept nogil:
    cdef narrow_t narrow
    cdef wide_t wide
    if query.rules.cards <= NARROW_CARDS:
        return value_between_tricks(query, &narrow, masks, leader, left)
    return value_between_tricks(query, &wide, masks, leader, left)


cdef int value_in_trick(const query_t* query, hands_t* hands, const uint64_t* masks, const trick_t* trick,
                        int left) noexcept nogil:
    """Exact value with a trick open (or just full); the trick's cards are in nobody's hand."""
    cdef const rule_t* rules = query.rules
    cdef uint64_t present = trick.cards | masks[0] | masks[1] | masks[2] | masks[3]
    cdef uint64_t gone = rules.pack & ~present, table = 0, cards = trick.cards
    cdef trick_t moved = trick[0]
    cdef int card
    cdef window_t window = open_window(rules, present, left)
    set_hands(hands, masks)
    close_gaps(hands, rules, gone)
    # The cards on the table close the gaps below them like the cards in hand.
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        table |= (<uint64_t>1) << (card - gaps_below(rules, gone, card))
    moved.cards = table
    moved.best -= gaps_below(rules, gone, trick.best)
    if trick.count == 4:
        return take(query, hands, &moved, left, window)
    return follow(query, hands, &moved, left, window)


cdef int gaps_below(const rule_t* rules, uint64_t gone, int card) noexcept nogil:
    return count_bits(rules.run_of[card] & gone & (((<uint64_t>1) << card) - 1))


cdef int tricks_left(const rule_t* rules, const uint64_t* masks) noexcept nogil:
    """Cards a hand, or -1 if these are not four equal disjoint hands of the pack."""
    cdef int left = count_bits(masks[0])
    cdef uint64_t seen = 0
    for seat in range(4):
        if masks[seat] & seen or masks[seat] & ~rules.pack or count_bits(masks[seat]) != left:
            return -1
        seen |= masks[seat]
    return left if left <= rules.hand_size else -1


cdef class Solver:
    """Double-dummy solver for one set of compiled rules; it owns its transposition table.

    Not to be shared between threads: give each its own.  The table changes the
    time a search takes, never its result.

    table_bits: the table has 2**table_bits entries of 16 bytes (32 for packs of
    more than 16 cards).
    """

    def __cinit__(self, KernelRules rules not None, int table_bits=15):
        if not 1 <= table_bits <= 28:
            raise ValueError(f"table_bits is {table_bits}, not 1 to 28")
        cdef size_t words = 2 if rules.c.cards <= NARROW_CARDS else 4
        self.rules = rules
        self.query.rules = &rules.c
        self.query.table_bits = table_bits
        self.query.table = <uint64_t*>PyMem_Calloc((<size_t>1) << table_bits, words * sizeof(uint64_t))
        if not self.query.table:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self.query.table)

    cdef query_t _query(self, int leader, int side) except *:
        cdef query_t query = self.query
        if not 0 < side < 15:
            raise ValueError(f"side {side} is not a proper coalition of four seats")
        if not 0 <= leader < 4:
            raise ValueError(f"leader {leader} is not a seat 0 to 3")
        query.side = side
        query.watch = &self.watch
        return query

    cdef int _stop_if_asked(self) except -1:
        if self.watch.stopped:
            self.watch.stopped = False
            raise KeyboardInterrupt
        return 0

    def card_values(self, hands, int leader, table, int side):
        """What `side` takes from here on, for every legal card: a list of (card bit, points).

        hands: four bit masks without the cards on the table; table: card bits of
        the trick in progress in the order played, 0 to 3 of them.
        Raises ValueError if this is not a position or nobody has a card to play.
        """
        cdef query_t query = self._query(leader, side)
        cdef uint64_t masks[4]
        cdef trick_t trick = new_trick(leader), after
        cdef int seat, left, card, value
        cdef uint64_t cards
        self._read(hands, leader, table, masks, &trick, &left)
        seat = (leader + trick.count) & 3
        if not masks[seat]:
            raise ValueError("nobody has a card to play")
        cards = choices(query.rules, masks[seat], &trick, seat)
        values = []
        while cards:
            card = highest_bit(cards)
            cards ^= (<uint64_t>1) << card
            after = trick
            put(query.rules, &after, seat, card)
            masks[seat] ^= (<uint64_t>1) << card
            with nogil:
                value = self._value(&query, masks, &after, left)
            self._stop_if_asked()
            values.append((card, value))
            masks[seat] ^= (<uint64_t>1) << card
        return values

    cdef int _value(self, const query_t* query, const uint64_t* masks, const trick_t* trick, int left) noexcept nogil:
        cdef narrow_t narrow
        cdef wide_t wide
        if query.rules.cards <= NARROW_CARDS:
            return value_in_trick(query, &narrow, masks, trick, left)
        return value_in_trick(query, &wide, masks, trick, left)

    cdef int _read(self, hands, int leader, table, uint64_t* masks, trick_t* trick, int* left) except -1:
        """Checks a position and takes it over into C."""
        cdef const rule_t* rules = &self.rules.c
        cdef uint64_t whole[4]
        cdef int seat, card
        for seat in range(4):
            masks[seat] = whole[seat] = hands[seat]
        if len(table) > 3:
            raise ValueError(f"{len(table)} cards on the table")
        for card in table:
            if not 0 <= card < rules.cards:
                raise ValueError(f"card bit {card} is not in the pack")
            whole[(leader + trick.count) & 3] |= (<uint64_t>1) << card
            put(rules, trick, (leader + trick.count) & 3, card)
        left[0] = tricks_left(rules, whole)
        if left[0] < 0 or trick.cards & (masks[0] | masks[1] | masks[2] | masks[3]):
            raise ValueError("not a position: hands overlap, differ in size or hold unknown cards")
        return 0

    def perft(self, hands, int leader, table=()):
        """The number of legal ways to play a position to its end."""
        cdef uint64_t masks[4]
        cdef trick_t trick = new_trick(leader)
        cdef int left
        self._query(leader, 1)
        self._read(hands, leader, table, masks, &trick, &left)
        return plays(self.query.rules, masks, &trick)

    def values(self, const uint64_t[:, ::1] hands, int leader, int side, int16_t[::1] out):
        """What `side` takes in each of n deals: hands is n x 4 bit masks, out n points.

        Hands must be whole (no trick open) but may have any equal size.  Returns the
        number of rows solved: fewer than n if the next row is no deal.
        """
        cdef query_t query = self._query(leader, side)
        cdef Py_ssize_t i, solved = 0
        cdef int left
        if hands.shape[1] != 4 or out.shape[0] != hands.shape[0]:
            raise ValueError("hands must have four columns and out a place for every row")
        with nogil:
            for i in range(hands.shape[0]):
                left = tricks_left(query.rules, &hands[i, 0])
                if left < 1:
                    break
                out[i] = value_of_deal(&query, &hands[i, 0], leader, left)
                solved += 1
                if query.watch.stopped:
                    break
        self._stop_if_asked()
        return solved

    def histogram(self, LayoutSpace space not None, const int64_t[::1] ranks, int leader, int side, int lowest,
                  int64_t[::1] out):
        """Adds to out[points - lowest] one for each of the layouts numbered `ranks`.

        Raises ValueError if a rank or a result is out of range or hands differ in size.
        """
        cdef query_t query = self._query(leader, side)
        cdef Py_ssize_t i, places = out.shape[0], bad = -1
        cdef int left = space.c.size[0], at
        cdef int64_t count = len(space)
        cdef uint64_t masks[4]
        if not 1 <= left <= query.rules.hand_size or any(space.c.size[seat] != left for seat in range(4)):
            raise ValueError("the hands of a layout must be of equal size")
        with nogil:
            for i in range(ranks.shape[0]):
                if not 0 <= ranks[i] < count:
                    bad = i
                    break
                unrank(&space.c, ranks[i], masks)
                at = value_of_deal(&query, masks, leader, left) - lowest
                if not 0 <= at < places:
                    bad = i
                    break
                out[at] += 1
                if query.watch.stopped:
                    break
        self._stop_if_asked()
        if bad >= 0:
            raise ValueError(f"layout {ranks[bad]} of {count} is out of range, or its points are")
