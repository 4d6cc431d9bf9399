"""AND-OR search over information states.

The soloist sees his own cards and the cards played.  What obligations reveal is
only ever that a player lacks certain cards: who plays a card meeting the third
demand of the ladder holds none that meets the first two.  So the set of layouts
still possible is given by a mask for each other seat of the cards it may hold,
together with the number of cards it holds; every layout that fits the masks is
possible, and no other.  A defender may play any card that is legal in at least
one of them.

The soloist wins for certain if at each of his turns some card wins against every
such play that can follow.
"""
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport uint64_t
from libc.string cimport memset
from kopsim._hands cimport NARROW_CARDS, close_gaps, hand_of, narrow_t, set_hands, toggle
from kopsim._layouts import LayoutSpace
from kopsim._rules cimport ANY, BEAT, FOLLOW, TRUMP, KernelRules, count_bits, highest_bit, lowest_bit, rule_t
from kopsim._trick cimport choices, different, new_trick, put, trick_t


cdef uint64_t lacking(const rule_t* rules, const trick_t* trick, int seat, int card) noexcept nogil:
    """The cards that a player cannot hold who plays `card` to a trick."""
    cdef uint64_t meets, lacks = 0, played = (<uint64_t>1) << card
    cdef const uint8_t* demand
    if trick.count == 0:
        return 0
    demand = rules.ladder[(rules.suit_mask[trick.led] == rules.trumps) + 2 * (rules.partner[seat] == trick.winner)]
    while demand[0] != ANY:
        if demand[0] == BEAT:
            meets = rules.beats[trick.best]
        elif demand[0] == FOLLOW:
            meets = rules.suit_mask[trick.led]
        elif demand[0] == TRUMP:
            meets = rules.trumps
        else:
            meets = rules.suit_mask[trick.led] & rules.beats[trick.best]
        if meets & played:
            return lacks
        lacks |= meets
        demand += 1
    return lacks


cdef bint possible(const known_t* known, int soloist) noexcept nogil:
    """Whether some layout fits (Hall's condition).

    Every unseen card must have a seat that may hold it, and no group of seats may
    have more cards that only it may hold than it has room for.
    """
    cdef uint64_t unseen = 0, only
    cdef int group, seat, room = 0
    for seat in range(4):
        if seat != soloist:
            unseen |= hand_of(&known.may, seat)
    for group in range(1, 16):
        if group >> soloist & 1:
            continue
        only = unseen
        room = 0
        for seat in range(4):
            if group >> seat & 1:
                room += known.size[seat]
            elif seat != soloist:
                only &= ~hand_of(&known.may, seat)
        if count_bits(only) > room:
            return False
    # The last group was everybody: a card that nobody may hold leaves somebody short.
    return count_bits(unseen) == room


cdef inline void play_own(known_t* known, int seat, int card) noexcept nogil:
    toggle(&known.may, seat, card)
    known.size[seat] -= 1


cdef bint play_other(known_t* known, const rule_t* rules, const trick_t* trick, int soloist, int seat,
                     int card) noexcept nogil:
    """Another seat plays a card; returns whether that can be."""
    cdef uint64_t everywhere = (<uint64_t>1 << card) * <uint64_t>0x0001000100010001
    cdef uint64_t lacks = lacking(rules, trick, seat, card)
    known.may.lanes &= ~everywhere
    known.may.lanes &= ~(lacks << (16 * seat))
    known.size[seat] -= 1
    return possible(known, soloist)


cdef uint64_t first_in_order(const task_t* task, uint64_t cards) noexcept nogil:
    """Of these cards the one that comes first in the order given, alone."""
    cdef int place
    for place in range(task.ordered):
        if cards >> task.order[place] & 1:
            return <uint64_t>1 << task.order[place]
    return 0


cdef bint wins(const task_t* task, const known_t* known, const trick_t* trick) noexcept nogil:
    """Whether the soloist wins for certain from here on."""
    cdef const rule_t* rules = task.rules
    cdef int seat, card
    cdef uint64_t cards
    cdef known_t after
    cdef trick_t next
    if trick.count == 4:
        return wins_after(task, known, trick)
    seat = (trick.leader + trick.count) & 3
    if seat == task.soloist:
        cards = choices(rules, hand_of(&known.may, seat), trick, seat)
        cards = first_in_order(task, cards) if task.ordered else different(rules, cards)
        while cards:
            card = highest_bit(cards)
            cards ^= (<uint64_t>1) << card
            after = known[0]
            next = trick[0]
            play_own(&after, seat, card)
            put(rules, &next, seat, card)
            if wins(task, &after, &next):
                return True
        return False
    # Unlike a hand's own cards, neighbours here are not one case: the other may lie with the next seat and beat this one.
    cards = hand_of(&known.may, seat)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        after = known[0]
        next = trick[0]
        if not play_other(&after, rules, trick, task.soloist, seat, card):
            continue
        put(rules, &next, seat, card)
        if not wins(task, &after, &next):
            return False
    return True


cdef void settle(const rule_t* rules, known_t* known, const trick_t* trick, int soloist) noexcept nogil:
    """Counts a full trick; sizes are already those after it."""
    cdef int worth = trick.worth + rules.trick_bonus[known.size[soloist] + 1]
    known.left -= worth
    if trick.winner == soloist:
        known.taken += worth
    else:
        known.lost = True


cdef bint wins_after(const task_t* task, const known_t* known, const trick_t* trick) noexcept nogil:
    """A full trick: who takes it, what that settles, and on from there."""
    cdef known_t after = known[0]
    settle(task.rules, &after, trick, task.soloist)
    if task.every_trick:
        if trick.winner != task.soloist:
            return False
        if after.size[task.soloist] == 0:
            return True
    else:
        if after.taken >= task.goal:
            return True
        if after.taken + after.left < task.goal:
            return False
    if not task.ordered:
        close_gaps(&after.may, task.rules, trick.cards)  # an order names cards, so there they keep their places
    return wins_between(task, &after, trick.winner)


cdef bint wins_between(const task_t* task, const known_t* known, int leader) noexcept nogil:
    """The same between tricks, remembered in the table."""
    cdef uint64_t key = known.may.lanes, tag, hashed
    cdef uint64_t* entry
    cdef trick_t trick = new_trick(leader)
    cdef bint won
    # Sizes follow from the soloist's own cards; the leader and the points still needed, if any, do not.
    tag = <uint64_t>(0 if task.every_trick else task.goal - known.taken) << 4 | leader << 2 | 1
    hashed = (key ^ tag * <uint64_t>0x9E3779B97F4A7C15) * <uint64_t>0xD6E8FEB86659FD93
    entry = task.table + 2 * (hashed >> (64 - task.table_bits))
    if entry[0] == key and entry[1] >> 1 == tag:
        return entry[1] & 1
    won = wins(task, known, &trick)
    entry[0] = key
    entry[1] = tag << 1 | won
    return won


cdef class Information:
    """What a soloist knows at one moment: his cards, the cards played, and what obligations gave away.

    `start` is the beginning of a deal, `play` what follows a card.  Cards are bits,
    seats 0-3.
    """
    cdef readonly KernelRules rules
    cdef readonly int soloist
    cdef known_t known
    cdef trick_t trick
    cdef uint64_t gone        # cards of finished tricks

    @staticmethod
    def start(KernelRules rules not None, uint64_t hand, int soloist, int leader=0):
        """The beginning of a whole deal in which `soloist` holds `hand`; ValueError if that is no hand."""
        cdef Information info = Information.__new__(Information)
        cdef uint64_t[4] masks
        cdef int card, seat
        if rules.c.cards > NARROW_CARDS:
            raise ValueError(f"a pack of {rules.c.cards} cards; this search is for at most {NARROW_CARDS}")
        if hand & ~rules.c.pack or count_bits(hand) != rules.c.hand_size or not 0 <= soloist < 4 or not 0 <= leader < 4:
            raise ValueError("not a hand at a seat of this pack")
        info.rules = rules
        info.soloist = soloist
        for seat in range(4):
            masks[seat] = hand if seat == soloist else rules.c.pack & ~hand
            info.known.size[seat] = rules.c.hand_size
        set_hands(&info.known.may, masks)
        info.known.taken = info.known.left = 0
        info.known.lost = False
        for card in range(rules.c.cards):
            info.known.left += rules.c.points[card]
        for card in range(1, rules.c.hand_size + 1):
            info.known.left += rules.c.trick_bonus[card]
        info.trick = new_trick(leader)
        return info

    @property
    def to_play(self):
        """The seat to play."""
        return (self.trick.leader + self.trick.count) & 3

    @property
    def over(self):
        """Whether every card has been played."""
        return self.trick.count == 0 and self.known.size[self.soloist] == 0

    @property
    def lost_trick(self):
        """Whether another seat has taken a trick."""
        return bool(self.known.lost)

    @property
    def trick_number(self):
        """The number of the trick in progress or to begin, 1 for the first."""
        return self.rules.c.hand_size - self.known.size[self.trick.leader] + (self.trick.count == 0)

    def own(self):
        """The cards the soloist still holds, strongest first."""
        return [card for card in range(self.rules.c.cards - 1, -1, -1)
                if hand_of(&self.known.may, self.soloist) >> card & 1]

    def plays(self):
        """The cards that the player to move may play, as far as the soloist knows, strongest first."""
        cdef int seat = self.to_play, card
        cdef uint64_t cards
        cdef known_t after
        found = []
        cards = hand_of(&self.known.may, seat)
        if seat == self.soloist:
            cards = choices(&self.rules.c, cards, &self.trick, seat)
        while cards:
            card = highest_bit(cards)
            cards ^= (<uint64_t>1) << card
            after = self.known
            if seat == self.soloist or play_other(&after, &self.rules.c, &self.trick, self.soloist, seat, card):
                found.append(card)
        return found

    def layouts(self, int seat=-1, uint64_t hand=0):
        """The layouts still possible of the cards still held, a LayoutSpace.

        seat, hand: only those in which a seat holds just these cards (mask).
        """
        cdef uint64_t pack = 0, own = hand_of(&self.known.may, self.soloist)
        cdef int each
        may, must, sizes = [], [0, 0, 0, 0], []
        for each in range(4):
            pack |= hand_of(&self.known.may, each)
            may.append(hand_of(&self.known.may, each))
            sizes.append(self.known.size[each])
        must[self.soloist] = own
        if seat >= 0:
            must[seat] = hand
            may[seat] &= hand
        return LayoutSpace(pack, sizes, must, may)

    def play(self, int card):
        """What the soloist knows after the player to move has played a card; ValueError if that cannot be."""
        cdef Information info = Information.__new__(Information)
        cdef int seat = self.to_play
        if card not in self.plays():
            raise ValueError(f"seat {seat} cannot play card {card}")
        info.rules, info.soloist = self.rules, self.soloist
        info.known, info.trick, info.gone = self.known, self.trick, self.gone
        if seat == self.soloist:
            play_own(&info.known, seat, card)
        else:
            play_other(&info.known, &self.rules.c, &self.trick, self.soloist, seat, card)
        put(&self.rules.c, &info.trick, seat, card)
        if info.trick.count == 4:
            settle(&self.rules.c, &info.known, &info.trick, self.soloist)
            info.gone |= info.trick.cards
            info.trick = new_trick(info.trick.winner)
        return info


cdef class Knowledge:
    """Tells whether a soloist wins for certain; it owns its table, so one for each thread.

    goal: the points he needs; or every_trick.  table_bits: the table has
    2**table_bits entries of 16 bytes and changes only the time.
    """

    def __cinit__(self, KernelRules rules not None, int goal, bint every_trick=False, int table_bits=16):
        if rules.c.cards > NARROW_CARDS:
            raise ValueError(f"a pack of {rules.c.cards} cards; this search is for at most {NARROW_CARDS}")
        if not 1 <= table_bits <= 28:
            raise ValueError(f"table_bits is {table_bits}, not 1 to 28")
        self.rules = rules
        self.task.rules = &rules.c
        self.task.goal = goal
        self.task.every_trick = every_trick
        self.task.soloist = -1
        self.task.ordered = 0
        self.task.table_bits = table_bits
        self.task.table = <uint64_t*>PyMem_Calloc((<size_t>2) << table_bits, sizeof(uint64_t))
        if not self.task.table:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self.task.table)

    def guaranteed(self, Information info not None, order=()):
        """Whether the soloist wins for certain from a moment on.

        order: his cards (bits), all that he still holds; if given, whether he does
        by always playing the first of them that he may.
        Raises ValueError for other rules than the table's and for an order that
        lacks a card.
        """
        cdef known_t known = info.known
        cdef trick_t trick = info.trick
        cdef bint won
        if info.rules is not self.rules:
            raise ValueError("compiled rules of another order")
        self._remember(info.soloist, order)
        if order and hand_of(&known.may, info.soloist) & ~<uint64_t>sum(1 << card for card in order):
            raise ValueError("an order that lacks a card of the hand")
        if self.task.every_trick and info.lost_trick:
            return False
        if not self.task.every_trick and known.taken >= self.task.goal:
            return True
        if info.over:
            return self.task.every_trick
        with nogil:
            if trick.count == 0:
                if not self.task.ordered:
                    close_gaps(&known.may, self.task.rules, info.gone)
                won = wins_between(&self.task, &known, trick.leader)
            else:
                won = wins(&self.task, &known, &trick)
        return won

    cdef _remember(self, int soloist, order):
        """Clears the table if its entries, which do not say whose or in what order they are, would mislead."""
        cdef int place
        cdef bint same = self.task.soloist == soloist and self.task.ordered == len(order)
        if len(order) > MOST_ORDERED:
            raise ValueError(f"an order of {len(order)} cards; at most {MOST_ORDERED}")
        for place in range(len(order)):
            same = same and self.task.order[place] == order[place]
            self.task.order[place] = order[place]
        self.task.soloist, self.task.ordered = soloist, len(order)
        if not same:
            memset(self.task.table, 0, ((<size_t>2) << self.task.table_bits) * sizeof(uint64_t))
