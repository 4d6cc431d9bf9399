"""Count, rank, unrank: layouts numbered without listing them.

Cards are dealt one by one, lowest bit first.  `ways` holds, for each card and
each room left in the hands, in how many ways the rest can be dealt; a rank is
the sum of the ways passed over (the combinatorial number system, generalised to
four hands with constraints).
"""
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int64_t, uint64_t
from kopsim._rules cimport count_bits


cdef class LayoutSpace:
    """All layouts of `pack` in which seat s holds sizes[s] cards, all of must[s] and none outside may[s].

    pack: bit mask of the cards to deal; sizes: 4 counts that add up to its cards;
    must, may: 4 bit masks.  len() gives the number of layouts, possibly 0; they are
    numbered 0 to len - 1.

    Raises ValueError when the sizes do not add up or there are more than 2**63 layouts.
    """

    def __cinit__(self, uint64_t pack, sizes, must, may):
        cdef int bit, seat, owners, i
        cdef uint64_t mask
        self.cards = count_bits(pack)
        if sum(sizes) != self.cards or min(sizes) < 0:
            raise ValueError(f"hands of {tuple(sizes)} cards do not add up to {self.cards} cards")
        i = 0
        for bit in range(MAX_CARDS):
            mask = (<uint64_t>1) << bit
            if not pack & mask:
                continue
            owners = 0
            for seat in range(4):
                if <uint64_t>must[seat] & mask:
                    owners |= 1 << seat
            self.seats[i] = 0
            for seat in range(4):
                if <uint64_t>may[seat] & mask and owners & ~(1 << seat) == 0:
                    self.seats[i] |= 1 << seat
            self.card[i] = bit
            i += 1
        for seat in range(4):
            self.size[seat] = sizes[seat]
        self.stride[0] = 1
        self.stride[1] = self.size[0] + 1
        self.stride[2] = self.stride[1] * (self.size[1] + 1)
        self.level = self.stride[2] * (self.size[2] + 1)
        self.ways = <uint64_t*>PyMem_Calloc(<size_t>self.level * (self.cards + 1), sizeof(uint64_t))
        if not self.ways:
            raise MemoryError
        if not self._count():
            raise ValueError("more than 2**63 layouts cannot be numbered")

    def __dealloc__(self):
        PyMem_Free(self.ways)

    cdef bint _count(self) noexcept nogil:
        cdef int i, a, b, c, seat, at
        cdef int room[4]
        cdef uint64_t total
        self.ways[self.cards * self.level] = 1
        for i in range(self.cards - 1, -1, -1):
            for c in range(self.size[2] + 1):
                for b in range(self.size[1] + 1):
                    for a in range(self.size[0] + 1):
                        room[0] = a
                        room[1] = b
                        room[2] = c
                        room[3] = self.cards - i - a - b - c
                        if room[3] < 0 or room[3] > self.size[3]:
                            continue
                        at = i * self.level + a * self.stride[0] + b * self.stride[1] + c * self.stride[2]
                        total = 0
                        for seat in range(4):
                            if self.seats[i] >> seat & 1 and room[seat]:
                                total += self.ways[at + self._step(seat)]
                                if total >> 63:
                                    return False
                        self.ways[at] = total
        return True

    cdef int _step(self, int seat) noexcept nogil:
        """From the ways of a card to those of the next one, this one given to `seat`."""
        return self.level - (self.stride[seat] if seat < 3 else 0)

    cdef int _start(self) noexcept nogil:
        return (self.size[0] * self.stride[0] + self.size[1] * self.stride[1]
                + self.size[2] * self.stride[2])

    cdef void unrank_into(self, uint64_t rank, uint64_t* hands) noexcept nogil:
        cdef int i, seat, at = self._start()
        cdef int room[4]
        cdef uint64_t ways
        for seat in range(4):
            hands[seat] = 0
            room[seat] = self.size[seat]
        for i in range(self.cards):
            for seat in range(4):
                if not (self.seats[i] >> seat & 1 and room[seat]):
                    continue
                ways = self.ways[at + self._step(seat)]
                if rank < ways:
                    hands[seat] |= (<uint64_t>1) << self.card[i]
                    room[seat] -= 1
                    at += self._step(seat)
                    break
                rank -= ways

    def __len__(self):
        return self.ways[self._start()]

    def unrank(self, rank):
        """The four hands (bit masks) of layout number `rank`; IndexError outside 0 to len - 1."""
        cdef uint64_t hands[4]
        if not 0 <= rank < len(self):
            raise IndexError(f"layout {rank} of {len(self)}")
        self.unrank_into(rank, hands)
        return hands[0], hands[1], hands[2], hands[3]

    def unrank_many(self, const int64_t[::1] ranks, uint64_t[:, ::1] out):
        """Fills row i of `out` (n x 4 bit masks) with layout ranks[i]; IndexError outside 0 to len - 1."""
        cdef Py_ssize_t i
        cdef int64_t count = len(self)
        if out.shape[0] != ranks.shape[0] or out.shape[1] != 4:
            raise ValueError("out must have four columns and a row for every rank")
        for i in range(ranks.shape[0]):
            if not 0 <= ranks[i] < count:
                raise IndexError(f"layout {ranks[i]} of {count}")
        with nogil:
            for i in range(ranks.shape[0]):
                self.unrank_into(ranks[i], &out[i, 0])

    def rank(self, hands):
        """The number of the layout with these four hands (bit masks); ValueError if it is none of them."""
        cdef int i, seat, owner, at = self._start()
        cdef uint64_t rank = 0, mask
        cdef uint64_t held[4]
        cdef int room[4]
        for seat in range(4):
            held[seat] = hands[seat]
            room[seat] = self.size[seat]
        for i in range(self.cards):
            mask = (<uint64_t>1) << self.card[i]
            owner = -1
            for seat in range(4):
                if held[seat] & mask:
                    held[seat] ^= mask
                    owner = seat
                    break
            if owner < 0 or not self.seats[i] >> owner & 1 or not room[owner]:
                raise ValueError("not a layout of this space")
            for seat in range(owner):
                if self.seats[i] >> seat & 1 and room[seat]:
                    rank += self.ways[at + self._step(seat)]
            room[owner] -= 1
            at += self._step(owner)
        if held[0] | held[1] | held[2] | held[3]:
            raise ValueError("not a layout of this space")
        return rank
