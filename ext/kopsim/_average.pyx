"""What each card earns on average over many layouts, every one solved with open cards."""
from libc.stdint cimport int64_t, uint64_t
from kopsim._rules cimport count_bits, rule_t
from kopsim._search cimport Solver, query_t
from kopsim._trick cimport choices, new_trick, put, trick_t


def add_card_payments(Solver solver not None, const uint64_t[:, ::1] layouts, int leader, table, int side, int taken,
                      const int64_t[::1] payments, int64_t[::1] paid, int64_t[::1] points):
    """Adds up, for each card that the player to move may play, what it leads to in the layouts.

    layouts: n x 4 masks of the cards still held, the player to move holding the same
    in all; table: card bits of the trick in progress; side: the coalition, a mask of
    seats, that maximises its points; taken: what it has; payments: by its points in the
    end.  paid[card] and points[card] grow by payments and points of the side.
    Raises ValueError for what is no position.
    """
    cdef query_t query = solver._query(leader, side)
    cdef const rule_t* rules = query.rules
    cdef trick_t trick = new_trick(leader), after
    cdef uint64_t masks[4]
    cdef uint64_t cards, seen = 0
    cdef int left = 0, seat, card, value, each
    cdef Py_ssize_t i
    if layouts.shape[1] != 4 or paid.shape[0] != rules.cards or points.shape[0] != rules.cards:
        raise ValueError("layouts of four columns, and a place for every card")
    if not layouts.shape[0]:
        return
    solver._read(layouts[0], leader, table, masks, &trick, &left)
    seat = (leader + trick.count) & 3
    for each in range(4):
        seen |= masks[each]
    for i in range(layouts.shape[0]):
        if layouts[i, seat] != masks[seat]:
            raise ValueError("the player to move holds other cards in another layout")
        for each in range(4):
            if count_bits(layouts[i, each]) != count_bits(masks[each]):
                raise ValueError("hands of other sizes in another layout")
        if layouts[i, 0] | layouts[i, 1] | layouts[i, 2] | layouts[i, 3] != seen:
            raise ValueError("other cards, or hands that overlap, in another layout")
    with nogil:
        for i in range(layouts.shape[0]):
            cards = choices(rules, layouts[i, seat], &trick, seat)
            for card in range(rules.cards):
                if not cards >> card & 1:
                    continue
                masks[0], masks[1] = layouts[i, 0], layouts[i, 1]
                masks[2], masks[3] = layouts[i, 2], layouts[i, 3]
                masks[seat] ^= (<uint64_t>1) << card
                after = trick
                put(rules, &after, seat, card)
                value = taken + solver._value(&query, masks, &after, left)
                points[card] += value
                if 0 <= value < payments.shape[0]:
                    paid[card] += payments[value]
    solver._stop_if_asked()
