"""A trick in progress: laying a card, and what may be laid next."""
from libc.stdint cimport int8_t, int16_t, uint64_t
from kopsim._rules cimport legal_cards, rule_t

cdef struct trick_t:
    int8_t leader
    int8_t count                # cards on the table, 0-4
    int8_t led                  # suit led
    int8_t best                 # the winning card
    int8_t winner               # the seat that played it
    int16_t worth               # points of the cards on the table
    int16_t cost                # the negative part of that, <= 0
    uint64_t cards              # the cards on the table


cdef inline trick_t new_trick(int leader) noexcept nogil:
    cdef trick_t trick
    trick.leader = leader
    trick.count = 0
    trick.led = 0
    trick.best = 0
    trick.winner = leader
    trick.worth = 0
    trick.cost = 0
    trick.cards = 0
    return trick


cdef inline void put(const rule_t* rules, trick_t* trick, int seat, int card) noexcept nogil:
    """Lays a card on the table."""
    if trick.count == 0:
        trick.led = rules.suit_of[card]
        trick.best = card
        trick.winner = seat
    elif rules.beats[trick.best] >> card & 1:
        trick.best = card
        trick.winner = seat
    trick.count += 1
    trick.cards |= (<uint64_t>1) << card
    trick.worth += rules.points[card]
    if rules.points[card] < 0:
        trick.cost += rules.points[card]


cdef inline uint64_t choices(const rule_t* rules, uint64_t hand, const trick_t* trick, int seat) noexcept nogil:
    """The legal cards of the player to move."""
    if trick.count == 0:
        return hand
    return legal_cards(rules, hand, trick.led, trick.best, rules.partner[seat] == trick.winner)


cdef inline uint64_t different(const rule_t* rules, uint64_t cards) noexcept nogil:
    """These cards without those that are as good as their lower neighbour in the same hand."""
    return cards & ~((cards & rules.linked) << 1)
