"""The compiled rules of one card order: all that the kernels know of a game.

A card is a bit.  Suits lie one after another from bit 0; inside a suit a higher
bit is a stronger card, and the trumps are a suit like any other.  Seats are 0-3.
"""
from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t

cdef extern from "bits.h" nogil:
    int lowest_bit(uint64_t x)
    int highest_bit(uint64_t x)
    int count_bits(uint64_t x)

cdef enum:
    MAX_CARDS = 64
    MAX_SUITS = 5
    MAX_TRICKS = 13
    MAX_DEMANDS = 4

# What a follower may be obliged to play.  A ladder of demands is tried from the
# first on; the first one that the hand can meet binds.
cdef enum demand_t:
    ANY = 0          # any card; ends every ladder
    BEAT = 1         # a card that beats the best card in the trick
    FOLLOW = 2       # a card of the suit led
    TRUMP = 3        # any trump
    FOLLOW_BEAT = 4  # a card of the suit led that beats the best card in the trick

cdef struct rule_t:
    int cards                          # cards in the pack, 1-64
    int hand_size                      # cards a player holds at the start = tricks in a deal, 1-13
    uint64_t pack                      # every card of the pack
    uint64_t suit_mask[MAX_SUITS]      # the cards of each suit
    uint64_t trumps                    # the cards of the trump suit, 0 without trumps
    uint8_t suit_of[MAX_CARDS]         # the suit of a card
    uint64_t beats[MAX_CARDS]          # the cards that beat a card that is the best in the trick so far
    int16_t points[MAX_CARDS]          # worth of a card to whoever takes the trick it lies in
    int16_t trick_bonus[MAX_TRICKS + 1]  # worth of a trick in itself, by the tricks left before it (1 = the last)
    uint8_t ladder[4][MAX_DEMANDS + 1]  # obligations, by (a trump was led) + 2 * (the player's partner is winning)
    int8_t partner[4]                  # the partner that an exemption speaks of, -1 for none
    uint64_t run_of[MAX_CARDS]         # the neighbours alike but for strength, see KernelRules (the card included)
    uint64_t run_above[MAX_CARDS]      # those of them that are stronger than the card
    uint64_t linked                    # cards whose next stronger neighbour is in the same run
    uint64_t rich                      # cards worth more than the average: a hint for the order of search only

cdef class KernelRules:
    cdef rule_t c
    cdef void _fill_cards(self, int total) noexcept


cdef inline uint64_t legal_cards(const rule_t* rules, uint64_t hand, int led, int best,
                                 bint partner_wins) noexcept nogil:
    """The cards of `hand` that may follow when suit `led` was led and card `best` is winning."""
    cdef const uint8_t* demand = rules.ladder[(rules.suit_mask[led] == rules.trumps) + 2 * partner_wins]
    cdef uint64_t cards
    while demand[0] != ANY:
        if demand[0] == BEAT:
            cards = hand & rules.beats[best]
        elif demand[0] == FOLLOW:
            cards = hand & rules.suit_mask[led]
        elif demand[0] == TRUMP:
            cards = hand & rules.trumps
        else:
            cards = hand & rules.suit_mask[led] & rules.beats[best]
        if cards:
            return cards
        demand += 1
    return hand
