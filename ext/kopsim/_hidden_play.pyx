"""Play with hidden hands: what each player chooses by what it sees, and deals played out so.

What a player sees is its own hand and the cards played, in order.  Everything here is
worked out from these (`moment_t`); hands of others enter only to be dealt by `play`.

- RANDOM plays any legal card.
- GREEDY follows rules of thumb, see `kopsim.players`.
- PIMC draws layouts that fit what it sees, works out with open cards what each of its
  cards leads to in them, and plays the one that is paid most on average; of equals the
  one that leaves its side most points, then the weakest.
- PIMC_WEAKEST does the same, but of equals plays the weakest card whatever it leaves.
- PIMC_AHEAD weighs to its own next turn, where it will not know more than it has seen (`_ahead`).
- PIMC_EVEN does as PIMC, but draws one layout from each of as many equal parts of all of them.

Chance comes from the seed, the number of the deal and what the player sees, so that in the same deal it does
the same at the same sight.  The number tells nothing of the cards.
"""
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int16_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset
from kopsim._ahead cimport weigh_ahead
from kopsim._chance cimport below, chance_t, stir
from kopsim._coalitions cimport points_of
from kopsim._hands cimport NARROW_CARDS, from_leader, hand_of, is_deal, narrow_t, set_hands, toggle
from kopsim._layouts cimport count_layouts, count_ways, set_space, space_t, unrank
from kopsim._moment cimport advance, moment_t, start_of_deal, taken_by, to_play
from kopsim._rules cimport KernelRules, count_bits, lowest_bit, rule_t
from kopsim._search cimport Solver
from kopsim._tablebase cimport EndgameTables, explore
from kopsim._trick cimport choices, different, put, trick_t

cdef enum:
    MOST_PLIES = 16
    BY_CHANCE = 0
    BY_THUMB = 1
    BY_AVERAGE = 2
    BY_PAYMENT = 3
    BY_FORESIGHT = 4
    BY_EVEN = 5

RANDOM, GREEDY, PIMC, PIMC_WEAKEST, PIMC_AHEAD, PIMC_EVEN = range(BY_CHANCE, BY_EVEN + 1)


cdef inline uint64_t ways_to_share(uint64_t cards, uint64_t first, uint64_t second, int size, int other) noexcept nogil:
    """In how many ways two seats can hold these cards, `size` and `other` of them, that only they may hold."""
    cdef int forced = count_bits(cards & ~second), free = count_bits(cards & first & second)
    cdef int chosen = size - forced, i
    cdef uint64_t ways = 1
    if cards & ~(first | second) or chosen < 0 or chosen > free or size + other != count_bits(cards):
        return 0
    for i in range(chosen):
        ways = ways * (free - i) // (i + 1)
    return ways


cdef inline uint64_t drawn_number(int place, int count, uint64_t total, chance_t* chance, bint even) noexcept nogil:
    """The number of the layout at a place among `count` drawn of `total`: each in turn where there are no more."""
    if total <= <uint64_t>count:
        return place
    return (place * total + below(chance, total)) // count if even else below(chance, total)


cdef int refuse_stranger(int kind) except -1:
    """The kind of a player; ValueError if there is none such."""
    if not BY_CHANCE <= kind <= BY_EVEN:
        raise ValueError(f"no player of kind {kind}")
    return kind


cdef class HiddenPlay:
    """Players at a table where something is announced or nothing; not to be shared between threads.

    payments: 16 x points x 4, what each seat is paid by the declaring side (a mask of
    seats) and its points.  announcer: who announced something, -1 for nobody; alone:
    whether he plays against three.  old: masks of the two cards whose holders declare
    where nobody announced, and which an announcer who is not alone holds; partners: cards (bits), the
    first of which that he lacks gives him his partner.  calling: hands (masks) that a
    lone announcer is believed to hold, () for any.  layouts: that PIMC weighs.
    endings: solved tables, which make it several times as fast; None to search.

    Raises ValueError for packs of more than 16 cards or four tricks, and for what does not fit together.
    """

    def __cinit__(self, KernelRules rules not None, const int64_t[:, :, ::1] payments, *, int announcer=-1,
                  bint alone=False, old=(), partners=(), calling=(), int layouts=20, uint64_t seed=0,
                  EndgameTables endings=None):
        cdef int i, j, seat
        if rules.c.cards > NARROW_CARDS or rules.c.hand_size > 4:
            raise ValueError(f"a pack of {rules.c.cards} cards; hidden play is for at most four cards a hand")
        if payments.shape[0] != 16 or payments.shape[2] != 4 or not 1 <= layouts <= 100_000:
            raise ValueError("payments are 16 x points x 4, layouts 1 to 100000")
        if not -1 <= announcer < 4 or (alone and announcer < 0) or (not alone and len(old) != 2):
            raise ValueError("an announcer who plays alone, or two old cards")
        if len(partners) > 4 or (not alone and announcer >= 0 and not partners) or (calling and not alone):
            raise ValueError("partners are for an announcer who is not alone, a range for one who is")
        if endings is not None and endings.rules is not rules:
            raise ValueError("solved tables of other rules")
        self.rules, self.announcer, self.alone, self.layouts, self.seed = rules, announcer, alone, layouts, seed
        self.endings = endings
        self.tables = NULL if endings is None else &endings.tables
        self.old[0], self.old[1] = (old[0], old[1]) if old else (0, 0)
        self.partner_count = len(partners)
        for i in range(len(partners)):
            self.partners[i] = partners[i]
        self.most = payments.shape[1]
        self.calling_count = len(calling)
        self.paid = <int64_t*>PyMem_Calloc(16 * self.most * 4, sizeof(int64_t))
        self.calling = <uint64_t*>PyMem_Calloc(max(1, len(calling)), sizeof(uint64_t))
        self.ways_with = <uint64_t*>PyMem_Calloc(max(1, len(calling)), sizeof(uint64_t))
        self.drawn = <narrow_t*>PyMem_Calloc(layouts, sizeof(narrow_t))
        self.branches = <branch_t*>PyMem_Calloc(layouts, sizeof(branch_t))
        if not (self.paid and self.calling and self.ways_with and self.drawn and self.branches):
            raise MemoryError
        for i in range(16):
            for j in range(self.most):
                for seat in range(4):
                    self.paid[(i * self.most + j) * 4 + seat] = payments[i, j, seat]
        for i in range(len(calling)):
            self.calling[i] = calling[i]
        self.total = start_of_deal(&rules.c).total
        self.solver = Solver(rules, 14)
        for i in range(1, 15):
            self.queries[i] = self.solver._query(0, i)

    def __dealloc__(self):
        PyMem_Free(self.paid)
        PyMem_Free(self.calling)
        PyMem_Free(self.ways_with)
        PyMem_Free(self.drawn)
        PyMem_Free(self.branches)

    cdef int _declarers(self, const narrow_t* whole) noexcept nogil:
        """The declaring side of a whole deal, a mask of seats."""
        cdef int seat, i, side = 0
        cdef uint64_t card
        if self.announcer >= 0:
            side = 1 << self.announcer
            for i in range(0 if self.alone else self.partner_count):
                card = (<uint64_t>1) << self.partners[i]
                if not hand_of(whole, self.announcer) & card:
                    for seat in range(4):
                        if hand_of(whole, seat) & card:
                            return side | 1 << seat
            return side
        for seat in range(4):
            if hand_of(whole, seat) & (self.old[0] | self.old[1]):
                side |= 1 << seat
        return side

    cdef int _fitting(self, const moment_t* moment, int seat, uint64_t held, chance_t* chance, bint even) noexcept nogil:
        """Layouts of the cards still held that fit what a seat sees, all if they are few; returns how many.

        even: one from each of as many equal parts instead of any.
        """
        cdef uint64_t unseen = self.rules.c.pack & ~held, total, number
        cdef uint64_t[4] must
        cdef uint64_t[4] may
        cdef int[4] size
        cdef int other, count, i
        cdef space_t space
        for other in range(4):
            unseen &= ~moment.gone[other]
        for other in range(4):
            must[other] = 0
            may[other] = 0 if other == seat else unseen & ~moment.lacks[other]
            size[other] = 0 if other == seat else self.rules.c.hand_size - count_bits(moment.gone[other])
        if self.calling_count and seat != self.announcer:
            total = self._count_calling(moment, seat, unseen, may, size)
            if total:
                return self._of_calling(moment, held, unseen, may, size, total, seat, chance, even)
        if self.announcer >= 0 and not self.alone and self.announcer != seat:
            must[self.announcer] = (self.old[0] | self.old[1]) & unseen
        space.ways = self.room
        set_space(&space, unseen, size, must, may)
        self._count(&space)
        total = count_layouts(&space)
        count = min(total, <uint64_t>self.layouts)
        for i in range(count):
            number = drawn_number(i, count, total, chance, even)
            self._deal(&space, number, seat, held, 0, 0, i)
        return count

    cdef void _count(self, space_t* space) noexcept nogil:
        memset(space.ways, 0, (space.cards + 1) * space.level * sizeof(uint64_t))
        count_ways(space)

    cdef void _deal(self, const space_t* space, uint64_t number, int seat, uint64_t held, int other, uint64_t known,
                    int place) noexcept nogil:
        """Puts a layout into its place: the one of that number, a seat's own cards, and what is known of another's."""
        cdef uint64_t[4] hands
        unrank(space, number, hands)
        hands[seat] |= held
        hands[other] |= known
        set_hands(&self.drawn[place], hands)

    cdef uint64_t _count_calling(self, const moment_t* moment, int seat, uint64_t unseen, const uint64_t* may,
                                 const int* size) noexcept nogil:
        """Layouts in which the announcer has a hand of the range; those of each hand stand in `ways_with`."""
        cdef uint64_t gone = moment.gone[self.announcer], rest, total = 0
        cdef int i, first = -1, second = -1, other
        for other in range(4):
            if other != seat and other != self.announcer:
                first, second = second, other
        for i in range(self.calling_count):
            self.ways_with[i] = 0
            rest = self.calling[i] & ~gone
            if self.calling[i] & gone == gone and not rest & ~may[self.announcer]:
                self.ways_with[i] = ways_to_share(unseen & ~rest, may[first], may[second], size[first], size[second])
                total += self.ways_with[i]
        return total

    cdef int _of_calling(self, const moment_t* moment, uint64_t held, uint64_t unseen, uint64_t* may, int* size,
                         uint64_t total, int seat, chance_t* chance, bint even) noexcept nogil:
        """The same as `_fitting`, for hands of the range in turn."""
        cdef uint64_t[4] must
        cdef uint64_t rest, number
        cdef space_t space
        cdef int count = min(total, <uint64_t>self.layouts), i, at
        memset(must, 0, sizeof(must))
        space.ways = self.room
        size[self.announcer] = 0
        may[self.announcer] = 0
        for i in range(count):
            number = drawn_number(i, count, total, chance, even)
            at = 0
            while number >= self.ways_with[at]:
                number -= self.ways_with[at]
                at += 1
            rest = self.calling[at] & ~moment.gone[self.announcer]
            set_space(&space, unseen & ~rest, size, must, may)
            self._count(&space)
            self._deal(&space, number, seat, held, self.announcer, rest, i)
        return count

    cdef int _weigh(self, const moment_t* moment, int seat, uint64_t held, uint64_t cards, chance_t* chance,
                    int kind, int64_t* paid, int64_t* points) noexcept nogil:
        """Adds up for each of the cards what a player of a kind weighs, payments and points of the own side.

        Returns over how many layouts.
        """
        cdef const rule_t* rules = &self.rules.c
        cdef int count = self._fitting(moment, seat, held, chance, kind == BY_EVEN), i, side, taken, card, value
        cdef uint64_t left
        cdef narrow_t gone, whole, rest
        cdef trick_t after
        if kind == BY_FORESIGHT:
            weigh_ahead(self, moment, seat, cards, count, paid, points)
            return count
        set_hands(&gone, moment.gone)
        for card in range(rules.cards):
            paid[card] = points[card] = 0
        for i in range(count):
            whole.lanes = self.drawn[i].lanes | gone.lanes
            side = self._declarers(&whole)
            taken = taken_by(moment, side)
            left = cards
            while left:
                card = lowest_bit(left)
                left &= left - 1
                rest = self.drawn[i]
                toggle(&rest, seat, card)
                after = moment.trick
                put(rules, &after, seat, card)
                value = taken + self._value(moment, &rest, &after, side)
                paid[card] += self._payment(side, value, seat)
                points[card] += value if side >> seat & 1 else self.total - value
        return count

    cdef int64_t _payment(self, int side, int value, int seat) noexcept nogil:
        """What a seat is paid if a side has so many points in the end."""
        return self.paid[(side * self.most + value) * 4 + seat] if 0 <= value < self.most else 0

    cdef int _value(self, const moment_t* moment, const narrow_t* hands, const trick_t* trick, int side) noexcept nogil:
        """What a side takes from here on with open cards."""
        cdef uint64_t[4] masks
        cdef int seat, leader = trick.leader
        cdef narrow_t turned
        cdef trick_t first
        if self.tables == NULL:
            for seat in range(4):
                masks[seat] = hand_of(hands, seat)
            return self.solver._value(&self.queries[side], masks, trick, moment.left)
        first = trick[0]
        first.leader = 0
        first.winner = (trick.winner - leader) & 3
        turned.lanes = from_leader(hands.lanes, leader)
        side = (side >> leader | side << (4 - leader)) & 15
        return points_of(explore(self.tables, &turned, &first, moment.left, moment.total), side, moment.total)

    cdef chance_t _chance(self, const moment_t* moment, int seat, uint64_t held) noexcept nogil:
        """The chance of a seat in this deal, drawn from all that it sees."""
        cdef chance_t chance
        chance.state = self.seed
        stir(&chance, seat)
        stir(&chance, held | moment.gone[seat])
        stir(&chance, moment.plies)
        stir(&chance, moment.history)
        stir(&chance, self.number)
        return chance

    cdef int _choose(self, int kind, const moment_t* moment, int seat, uint64_t held) noexcept nogil:
        """The card that a player of a kind plays."""
        cdef const rule_t* rules = &self.rules.c
        cdef uint64_t cards = choices(rules, held, &moment.trick, seat)
        cdef chance_t chance
        cdef int64_t[MOST_PLIES] paid
        cdef int64_t[MOST_PLIES] points
        cdef int card, best, skip
        if cards & (cards - 1) == 0:
            return lowest_bit(cards)
        if kind == BY_THUMB:
            return self._by_thumb(moment, seat, cards)
        chance = self._chance(moment, seat, held)
        if kind == BY_CHANCE:
            for skip in range(<int>below(&chance, count_bits(cards))):
                cards &= cards - 1
            return lowest_bit(cards)
        cards = different(rules, cards)
        best = lowest_bit(cards)
        if cards & (cards - 1) == 0:
            return best
        self._weigh(moment, seat, held, cards, &chance, kind, paid, points)
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            if paid[card] > paid[best] or (kind != BY_PAYMENT and paid[card] == paid[best] and points[card] > points[best]):
                best = card
        return best

    cdef int _by_thumb(self, const moment_t* moment, int seat, uint64_t cards) noexcept nogil:
        cdef const rule_t* rules = &self.rules.c
        cdef uint64_t beating = cards & rules.beats[moment.trick.best], pool = cards
        cdef int card, best = -1
        cdef bint partner = (self.alone and seat != self.announcer and moment.trick.winner != self.announcer)
        if moment.trick.count and partner:
            pool = cards & ~beating
            if not pool:
                return lowest_bit(cards)
            while pool:
                card = lowest_bit(pool)
                pool &= pool - 1
                if best < 0 or rules.points[card] >= rules.points[best]:
                    best = card
            return best
        if moment.trick.count and beating:
            return lowest_bit(beating)
        while pool:
            card = lowest_bit(pool)
            pool &= pool - 1
            if best < 0 or rules.points[card] < rules.points[best]:
                best = card
        return best

    cdef int _answer(self, int kind, int seat, uint64_t held, int plies, uint64_t history) except -1 nogil:
        """`choose` for those who hold no lock."""
        cdef moment_t moment
        self._replay(&moment, seat, held, plies, history)
        return self._choose(kind, &moment, seat, held)

    cdef int _replay(self, moment_t* moment, int seat, uint64_t held, int plies, uint64_t history) except -1 nogil:
        """The moment after a history, checked as far as a seat that still holds these cards can tell."""
        cdef int card, i
        cdef uint64_t seen = held
        moment[0] = start_of_deal(&self.rules.c)
        for i in range(plies):
            card = history >> (4 * i) & 0xF
            if card >= self.rules.c.cards or seen >> card & 1 or not moment.left:
                with gil:
                    raise ValueError(f"card {card} cannot have been played")
            seen |= (<uint64_t>1) << card
            advance(&self.rules.c, moment, to_play(moment), card)
        if held & ~self.rules.c.pack or not moment.left or to_play(moment) != seat:
            with gil:
                raise ValueError(f"seat {seat} is not to play")
        if count_bits(held | moment.gone[seat]) != self.rules.c.hand_size:
            with gil:
                raise ValueError("not a hand of this pack")
        return 0

    def choose(self, int kind, int seat, uint64_t held, int plies, uint64_t history, *, uint64_t number=0):
        """The card (bit) that a player of a kind plays, one of those this module names.

        seat: from 0; held: the cards it still holds (mask); plies, history: how many cards were
        played, four bits each, the first lowest; number: of the deal, for chance.  Raises
        ValueError if this cannot be or it is another's turn.
        """
        refuse_stranger(kind)
        self.number = number
        return self._answer(kind, seat, held, plies, history)

    def weighed(self, int seat, uint64_t held, int plies, uint64_t history, *, uint64_t number=0,
                int kind=BY_AVERAGE):
        """What a PIMC player weighs: (card, payments, points of its side) for each legal card, weakest first; and the layouts.

        The sums are over so many layouts.  Arguments and errors as for `choose`.
        """
        cdef moment_t moment
        cdef chance_t chance
        cdef int64_t[MOST_PLIES] paid
        cdef int64_t[MOST_PLIES] points
        cdef uint64_t cards
        refuse_stranger(kind)
        self.number = number
        self._replay(&moment, seat, held, plies, history)
        cards = choices(&self.rules.c, held, &moment.trick, seat)
        chance = self._chance(&moment, seat, held)
        count = self._weigh(&moment, seat, held, cards, &chance, kind, paid, points)
        return [(card, paid[card], points[card]) for card in range(self.rules.c.cards) if cards >> card & 1], count

    def play(self, const uint64_t[:, ::1] deals, const int64_t[::1] numbers, kinds, uint8_t[::1] declarers,
             int16_t[::1] points):
        """Plays whole deals out, seat 0 leading, and stores who declared (a mask) and the points of that side.

        deals: n x 4 masks; numbers: of each, for chance; kinds: of each seat's player.
        Returns the number of deals played: fewer than n if the next row is no deal.
        """
        cdef int[4] kind
        cdef int seat
        cdef Py_ssize_t i, played = 0
        if deals.shape[1] != 4 or numbers.shape[0] != deals.shape[0] or declarers.shape[0] != deals.shape[0] or points.shape[0] != deals.shape[0]:
            raise ValueError("deals of four columns, and a place for every row")
        for seat in range(4):
            kind[seat] = refuse_stranger(kinds[seat])
        with nogil:
            for i in range(deals.shape[0]):
                if not is_deal(&self.rules.c, &deals[i, 0]):
                    break
                self.number = numbers[i]
                self._play_one(&deals[i, 0], kind, &declarers[i], &points[i])
                played += 1
        return played

    cdef void _play_one(self, const uint64_t* hands, const int* kind, uint8_t* declarers, int16_t* points) noexcept nogil:
        cdef moment_t moment = start_of_deal(&self.rules.c)
        cdef narrow_t whole
        cdef int seat
        set_hands(&whole, hands)
        while moment.left:
            seat = to_play(&moment)
            advance(&self.rules.c, &moment, seat, self._choose(kind[seat], &moment, seat, hands[seat] & ~moment.gone[seat]))
        declarers[0] = self._declarers(&whole)
        points[0] = taken_by(&moment, declarers[0])
