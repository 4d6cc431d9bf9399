"""Plans of a soloist who sees only his own cards, against defenders who see everything and know the plan.

A layout is kept by a plan if the plan reaches the goal in it whatever the defenders
play.  The search goes through what the soloist can see, each moment with the layouts
that lead there, and drops a layout as soon as it is lost with open cards.

- `keep` follows every play of every layout and returns the layouts that one plan keeps:
  a proven lower bound of the best plan's, since it is a plan.
- `bound` lets the defenders play one line only in each layout, and searches all plans
  against that.  No plan keeps more layouts against defenders who may choose: a proven
  upper bound.
- `reply` takes defenders who decide by a policy, each by his own cards and what was
  played.  The best plan against them is found exactly: what a soloist who knew the policy
  could win.
"""
import numpy as np
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memmove, memset
from kopsim._hands cimport NARROW_CARDS, hand_of, is_deal, narrow_t, set_hands, toggle
from kopsim._hidden_play cimport HiddenPlay
from kopsim._moment cimport advance, moment_t, start_of_deal, to_play
from kopsim._rules cimport KernelRules, highest_bit, lowest_bit, rule_t
from kopsim._search cimport Solver, query_t
from kopsim._trick cimport choices, different, put, trick_t

cdef enum:
    MOST_PLIES = 16
    MOST_OWN = 4        # cards that a hand can have to choose from
    LEAST = 0           # defenders with one line: the card that leaves the soloist least
    LOWEST = 1          # or the lowest card
    POLICY = 2          # or what a policy says, which may be worse than the best with open cards

cdef struct level_t:    # room for the layouts at one ply
    narrow_t* hands
    int32_t* place      # of each in the caller's list
    uint16_t* legal     # what the player to move may play
    uint8_t* good       # own turn: MOST_OWN flags a layout, whether a card still wins it with open cards
    uint8_t* best       # own turn: the layouts that the best card so far keeps



cdef class BestDefence:
    """Searches plans for one goal under one set of compiled rules; not to be shared between threads.

    goal: the points that the soloist needs; for every trick give rules that count tricks.
    """
    cdef readonly KernelRules rules
    cdef Solver solver
    cdef query_t query
    cdef int goal
    cdef int soloist
    cdef bint every_line            # whether the defenders may play everything or one line only
    cdef int taste                  # which line
    cdef object policy              # decides for a defender: seat, hand, plies and history to a card
    cdef HiddenPlay player          # or one of its players does
    cdef int kind
    cdef readonly int replies       # how often a policy was asked in the last search
    cdef uint32_t asked             # moments at which it was; by hand, the last at which it answered, and what
    cdef uint32_t[1 << NARROW_CARDS] answered
    cdef uint16_t[1 << NARROW_CARDS] answer
    cdef int explore                # plies up to which more than the most promising card is tried
    cdef level_t levels[MOST_PLIES + 1]
    cdef size_t room
    cdef uint8_t* alive
    cdef uint64_t* seen             # decisions of the plan: history and card, one after the other
    cdef uint64_t* chosen
    cdef size_t made
    cdef size_t made_room

    def __cinit__(self, KernelRules rules not None, int goal, int table_bits=18):
        if rules.c.cards > NARROW_CARDS or rules.c.hand_size > MOST_OWN:
            raise ValueError(f"a pack of {rules.c.cards} cards; this search is for at most four cards a hand")
        self.rules = rules
        self.goal = goal
        self.solver = Solver(rules, table_bits)

    def __dealloc__(self):
        self._free()
        free(self.seen)
        free(self.chosen)

    cdef void _free(self) noexcept:
        cdef int ply
        for ply in range(MOST_PLIES + 1):
            PyMem_Free(self.levels[ply].hands)
            PyMem_Free(self.levels[ply].place)
            PyMem_Free(self.levels[ply].legal)
            PyMem_Free(self.levels[ply].good)
            PyMem_Free(self.levels[ply].best)
            self.levels[ply] = level_t(NULL, NULL, NULL, NULL, NULL)
        PyMem_Free(self.alive)
        self.alive = NULL
        self.room = 0

    cdef int _make_room(self, size_t count) except -1:
        cdef int ply
        cdef level_t* level
        if count <= self.room:
            return 0
        self._free()
        self.alive = <uint8_t*>PyMem_Calloc(count, 1)
        for ply in range(MOST_PLIES + 1):
            level = &self.levels[ply]
            level.hands = <narrow_t*>PyMem_Calloc(count, sizeof(narrow_t))
            level.place = <int32_t*>PyMem_Calloc(count, sizeof(int32_t))
            level.legal = <uint16_t*>PyMem_Calloc(count, sizeof(uint16_t))
            level.good = <uint8_t*>PyMem_Calloc(count, MOST_OWN)
            level.best = <uint8_t*>PyMem_Calloc(count, 1)
            if not (level.hands and level.place and level.legal and level.good and level.best):
                raise MemoryError
        if not self.alive:
            raise MemoryError
        self.room = count
        return 0

    def keep(self, const uint64_t[:, ::1] layouts, int soloist, uint8_t[::1] kept, int explore=0):
        """Finds a plan, sets kept[i] for the layouts it keeps, and returns how many.

        layouts: n x 4 masks of whole deals, seat 0 to lead, in which the soloist holds
        the same cards; explore: up to this ply other cards than the most promising one
        are tried too.  Raises ValueError for what is no such list.
        """
        self.every_line = True
        self.explore = explore
        self.taste = LEAST
        return self._search(layouts, soloist, kept)

    def bound(self, const uint64_t[:, ::1] layouts, int soloist, bint lowest=False):
        """How many layouts the best plan keeps against defenders who play one line each; see `keep`.

        lowest: they play their lowest card throughout, else the one that leaves the
        soloist least with open cards.  Layouts lost with open cards count as lost even
        if that line would give them away.  Whichever they do bounds what any plan keeps.
        """
        cdef uint8_t[::1] kept = bytearray(max(1, layouts.shape[0]))
        self.every_line = False
        self.explore = MOST_PLIES
        self.taste = LOWEST if lowest else LEAST
        return self._search(layouts, soloist, kept[:layouts.shape[0]])

    def reply(self, const uint64_t[:, ::1] layouts, int soloist, uint8_t[::1] kept, policy, int kind=0):
        """Finds the best plan against defenders who decide by a policy; sets `kept` and returns how many; see `keep`.

        policy: called with seat (from 0), his cards (mask), the number of cards played
        and their history; returns the card (bit) he plays.  It must answer the same to
        the same.  Or a HiddenPlay, whose players of this kind decide, in the deal of number 0.  Raises ValueError if he may not play that card.
        """
        self.every_line = False
        self.explore = MOST_PLIES
        self.taste = POLICY
        self.kind = kind
        self.asked = self.replies = 0
        memset(self.answered, 0, sizeof(self.answered))
        self.player = policy if isinstance(policy, HiddenPlay) else None
        self.policy = policy
        if self.player is not None:
            self.player.number = 0
        try:
            return self._search(layouts, soloist, kept)
        finally:
            self.policy = self.player = None

    def decisions(self):
        """The plan of the last search: arrays of histories (see `history` in `moment_t`, _moment), plies and cards (bits).

        Histories at which a layout that is kept can arrive are all there.
        """
        cdef size_t i
        cdef uint64_t[::1] histories
        cdef uint8_t[::1] plies, cards
        found = (np.empty(self.made, dtype=np.uint64), np.empty(self.made, dtype=np.uint8),
                 np.empty(self.made, dtype=np.uint8))
        histories, plies, cards = found
        for i in range(self.made):
            histories[i] = self.seen[i]
            plies[i] = self.chosen[i] >> 8
            cards[i] = self.chosen[i] & 0xFF
        return found

    cdef object _search(self, const uint64_t[:, ::1] layouts, int soloist, uint8_t[::1] kept):
        cdef int count = layouts.shape[0], i
        cdef moment_t state
        cdef level_t* first = &self.levels[0]
        if layouts.shape[1] != 4 or kept.shape[0] != count or not 0 <= soloist < 4:
            raise ValueError("layouts of four columns, a flag for each, and a soloist 0 to 3")
        self._make_room(max(count, 1))
        first = &self.levels[0]
        self.soloist = soloist
        self.query = self.solver._query(0, 1 << soloist)
        self.made = 0
        for i in range(count):
            if not is_deal(&self.rules.c, &layouts[i, 0]):
                raise ValueError("not a whole deal: hands overlap, differ in size or hold unknown cards")
            set_hands(&first.hands[i], &layouts[i, 0])
            if hand_of(&first.hands[i], soloist) != hand_of(&first.hands[0], soloist):
                raise ValueError("the soloist's cards differ between layouts")
            first.place[i] = i
            self.alive[i] = 1
        state = start_of_deal(&self.rules.c)
        with nogil:
            self._walk(&state, count)
        found = 0
        for i in range(count):
            kept[i] = self.alive[i]
            found += self.alive[i]
        return found

    cdef int _walk(self, const moment_t* state, int count) except -1 nogil:
        """Goes on from a moment with the `count` layouts of its level, all alive, and marks those that are lost dead."""
        cdef int seat = to_play(state)
        if count == 0:
            return 0
        if seat == self.soloist:
            return self._own_turn(state, count)
        return self._others_turn(state, count, seat)

    cdef int _after(self, const moment_t* state, int seat, int card, int count) except -1 nogil:
        """Goes on after a card; the layouts after it stand at the next level."""
        cdef moment_t after = state[0]
        cdef level_t* level
        cdef int i
        advance(&self.rules.c, &after, seat, card)
        if after.trick.count == 0:
            if after.taken[self.soloist] >= self.goal:
                return 0
            if after.taken[self.soloist] + after.total < self.goal:
                level = &self.levels[after.plies]
                for i in range(count):
                    self.alive[level.place[i]] = 0
                return 0
        return self._walk(&after, count)

    cdef int _others_turn(self, const moment_t* state, int count, int seat) except -1 nogil:
        cdef const rule_t* rules = &self.rules.c
        cdef level_t* level = &self.levels[state.plies]
        cdef level_t* next = &self.levels[state.plies + 1]
        cdef uint64_t some = 0
        cdef int i, card, led
        if self.taste == POLICY:
            self._by_policy(state, count, seat)
        for i in range(count):
            if self.taste == POLICY:
                pass
            elif self.every_line:
                level.legal[i] = choices(rules, hand_of(&level.hands[i], seat), &state.trick, seat)
            else:
                level.legal[i] = <uint16_t>1 << self._best_card(state, &level.hands[i], seat)
            some |= level.legal[i]
        while some:
            card = highest_bit(some)
            some ^= (<uint64_t>1) << card
            led = 0
            for i in range(count):
                if level.legal[i] >> card & 1 and self.alive[level.place[i]]:
                    next.hands[led] = level.hands[i]
                    toggle(&next.hands[led], seat, card)
                    next.place[led] = level.place[i]
                    led += 1
            if led:
                self._after(state, seat, card, led)
        return 0

    cdef int _by_policy(self, const moment_t* state, int count, int seat) except -1 nogil:
        """What each layout's defender plays, asked once for each of his hands."""
        cdef level_t* level = &self.levels[state.plies]
        cdef uint64_t hand, cards
        cdef int i, card
        self.asked += 1
        for i in range(count):
            hand = hand_of(&level.hands[i], seat)
            cards = choices(&self.rules.c, hand, &state.trick, seat)
            if cards & (cards - 1) == 0:
                level.legal[i] = cards
                continue
            if self.answered[hand] != self.asked:
                card = self._ask(state, seat, hand)
                if not 0 <= card < NARROW_CARDS or not cards >> card & 1:
                    with gil:
                        raise ValueError(f"the policy plays card {card}, which seat {seat} may not")
                self.answered[hand] = self.asked
                self.answer[hand] = <uint64_t>1 << card
            level.legal[i] = self.answer[hand]
        return 0

    cdef int _ask(self, const moment_t* state, int seat, uint64_t hand) except -1 nogil:
        self.replies += 1
        if self.player is not None:
            return self.player._answer(self.kind, seat, hand, state.plies, state.history)
        with gil:
            return self.policy(seat, hand, state.plies, state.history)

    cdef int _best_card(self, const moment_t* state, const narrow_t* hands, int seat) except -1 nogil:
        """The card that defenders with one line play; the lowest of several."""
        cdef uint64_t cards = choices(&self.rules.c, hand_of(hands, seat), &state.trick, seat)
        cdef int card, best = lowest_bit(cards), value, least = 32000
        if self.taste == LOWEST or cards & (cards - 1) == 0:
            return best
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            value = self._value(state, hands, seat, card)
            if value < least:
                best, least = card, value
        return best

    cdef int _value(self, const moment_t* state, const narrow_t* hands, int seat, int card) except -1 nogil:
        """What the soloist has in the end with open cards after a card."""
        cdef uint64_t masks[4]
        cdef trick_t trick = state.trick
        cdef int each
        for each in range(4):
            masks[each] = hand_of(hands, each)
        masks[seat] ^= (<uint64_t>1) << card
        put(&self.rules.c, &trick, seat, card)
        return state.taken[self.soloist] + self.solver._value(&self.query, masks, &trick, state.left)

    cdef int _own_turn(self, const moment_t* state, int count) except -1 nogil:
        cdef const rule_t* rules = &self.rules.c
        cdef level_t* level = &self.levels[state.plies]
        cdef uint64_t cards = choices(rules, hand_of(&level.hands[0], self.soloist), &state.trick, self.soloist)
        cdef int card[MOST_OWN]
        cdef int good[MOST_OWN]
        cdef int number = 0, i, j, k, best = -1, kept
        cdef size_t mark, middle
        if state.plies < 8:
            with gil:
                PyErr_CheckSignals()
        if self.taste != POLICY:
            # A policy may answer differently to cards that are as good as each other.
            cards = different(rules, cards)
        while cards:
            card[number] = highest_bit(cards)
            cards ^= (<uint64_t>1) << card[number]
            good[number] = 0
            number += 1
        if number == 1 or self.taste == POLICY:
            # With one card there is no choice; and what is lost with open cards may be won against a policy.
            for j in range(number):
                good[j] = count
                for i in range(count):
                    level.good[i * MOST_OWN + j] = 1
        else:
            for j in range(number):
                for i in range(count):
                    level.good[i * MOST_OWN + j] = self._value(state, &level.hands[i], self.soloist,
                                                               card[j]) >= self.goal
                    good[j] += level.good[i * MOST_OWN + j]
        mark = self.made
        for k in range(number):
            # The most promising of those that are left.
            j = 0
            for i in range(1, number):
                if good[i] > good[j]:
                    j = i
            if good[j] <= best or (k > 0 and state.plies >= self.explore):
                break
            middle = self.made
            kept = self._try(state, count, card[j], j)
            good[j] = -1
            if kept > best:
                best = kept
                for i in range(count):
                    level.best[i] = self.alive[level.place[i]]
                memmove(self.seen + mark, self.seen + middle, (self.made - middle) * sizeof(uint64_t))
                memmove(self.chosen + mark, self.chosen + middle, (self.made - middle) * sizeof(uint64_t))
                self.made = mark + self.made - middle
            else:
                self.made = middle
            if best == count:
                break
        for i in range(count):
            self.alive[level.place[i]] = level.best[i]
        return 0

    cdef int _try(self, const moment_t* state, int count, int card, int j) except -1 nogil:
        """Plays an own card; returns how many layouts are kept."""
        cdef level_t* level = &self.levels[state.plies]
        cdef level_t* next = &self.levels[state.plies + 1]
        cdef int i, led = 0, kept = 0
        self._decide(state, card)
        for i in range(count):
            self.alive[level.place[i]] = level.good[i * MOST_OWN + j]
            if level.good[i * MOST_OWN + j]:
                next.hands[led] = level.hands[i]
                toggle(&next.hands[led], self.soloist, card)
                next.place[led] = level.place[i]
                led += 1
        if led:
            self._after(state, self.soloist, card, led)
        for i in range(count):
            kept += self.alive[level.place[i]]
        return kept

    cdef int _decide(self, const moment_t* state, int card) except -1 nogil:
        cdef size_t room
        cdef void* moved
        if self.made == self.made_room:
            room = max(<size_t>1024, 2 * self.made_room)
            moved = realloc(self.seen, room * sizeof(uint64_t))
            if not moved:
                with gil:
                    raise MemoryError
            self.seen = <uint64_t*>moved
            moved = realloc(self.chosen, room * sizeof(uint64_t))
            if not moved:
                with gil:
                    raise MemoryError
            self.chosen = <uint64_t*>moved
            self.made_room = room
        self.seen[self.made] = state.history
        self.chosen[self.made] = <uint64_t>state.plies << 8 | card
        self.made += 1
        return 0
