"""Count, rank, unrank: layouts numbered without listing them.

Cards are dealt one by one, lowest bit first.  `ways` holds, for each card and
each room left in the hands, in how many ways the rest can be dealt; a rank is
the sum of the ways passed over (the combinatorial number system, generalised to
four hands with constraints).
"""
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int64_t, uint64_t
from kopsim._rules cimport count_bits


cdef void set_space(space_t* space, uint64_t pack, const int* sizes, const uint64_t* must, const uint64_t* may) noexcept nogil:
    """Describes a space; `ways` must then be given (cards + 1) x level zeroes, and counted."""
    cdef int bit, seat, owners, i = 0
    cdef uint64_t mask
    for bit in range(MAX_CARDS):
        mask = (<uint64_t>1) << bit
        if not pack & mask:
            continue
        owners = 0
        for seat in range(4):
            if must[seat] & mask:
                owners |= 1 << seat
        space.seats[i] = 0
        for seat in range(4):
            if may[seat] & mask and owners & ~(1 << seat) == 0:
                space.seats[i] |= 1 << seat
        space.card[i] = bit
        i += 1
    space.cards = i
    for seat in range(4):
        space.size[seat] = sizes[seat]
    space.stride[0] = 1
    space.stride[1] = space.size[0] + 1
    space.stride[2] = space.stride[1] * (space.size[1] + 1)
    space.level = space.stride[2] * (space.size[2] + 1)


cdef inline int step(const space_t* space, int seat) noexcept nogil:
    """From the ways of a card to those of the next one, this one given to `seat`."""
    return space.level - (space.stride[seat] if seat < 3 else 0)


cdef inline int start(const space_t* space) noexcept nogil:
    return (space.size[0] * space.stride[0] + space.size[1] * space.stride[1]
            + space.size[2] * space.stride[2])


cdef bint count_ways(space_t* space) noexcept nogil:
    """Counts; False if there are more than 2**63 layouts."""
    cdef int i, a, b, c, seat, at
    cdef int[4] room
    cdef uint64_t total
    space.ways[space.cards * space.level] = 1
    for i in range(space.cards - 1, -1, -1):
        for c in range(space.size[2] + 1):
            for b in range(space.size[1] + 1):
                for a in range(space.size[0] + 1):
                    room[0] = a
                    room[1] = b
                    room[2] = c
                    room[3] = space.cards - i - a - b - c
                    if room[3] < 0 or room[3] > space.size[3]:
                        continue
                    at = i * space.level + a * space.stride[0] + b * space.stride[1] + c * space.stride[2]
                    total = 0
                    for seat in range(4):
                        if space.seats[i] >> seat & 1 and room[seat]:
                            total += space.ways[at + step(space, seat)]
                            if total >> 63:
                                return False
                    space.ways[at] = total
    return True


cdef uint64_t count_layouts(const space_t* space) noexcept nogil:
    """How many layouts a counted space has."""
    return space.ways[start(space)]


cdef void unrank(const space_t* space, uint64_t rank, uint64_t* hands) noexcept nogil:
    """The four hands of a layout by its number."""
    cdef int i, seat, at = start(space)
    cdef int[4] room
    cdef uint64_t ways
    for seat in range(4):
        hands[seat] = 0
        room[seat] = space.size[seat]
    for i in range(space.cards):
        for seat in range(4):
            if not (space.seats[i] >> seat & 1 and room[seat]):
                continue
            ways = space.ways[at + step(space, seat)]
            if rank < ways:
                hands[seat] |= (<uint64_t>1) << space.card[i]
                room[seat] -= 1
                at += step(space, seat)
                break
            rank -= ways


cdef class LayoutSpace:
    """All layouts of `pack` in which seat s holds sizes[s] cards, all of must[s] and none outside may[s].

    pack: bit mask of the cards to deal; sizes: 4 counts that add up to its cards;
    must, may: 4 bit masks.  len() gives the number of layouts, possibly 0; they are
    numbered 0 to len - 1.

    Raises ValueError when the sizes do not add up or there are more than 2**63 layouts.
    """

    def __cinit__(self, uint64_t pack, sizes, must, may):
        cdef int[4] counts
        cdef uint64_t[4] musts
        cdef uint64_t[4] mays
        cdef int seat
        if sum(sizes) != count_bits(pack) or min(sizes) < 0:
            raise ValueError(f"hands of {tuple(sizes)} cards do not add up to {count_bits(pack)} cards")
        for seat in range(4):
            counts[seat], musts[seat], mays[seat] = sizes[seat], must[seat], may[seat]
        set_space(&self.c, pack, counts, musts, mays)
        self.c.ways = <uint64_t*>PyMem_Calloc(<size_t>self.c.level * (self.c.cards + 1), sizeof(uint64_t))
        if not self.c.ways:
            raise MemoryError
        if not count_ways(&self.c):
            raise ValueError("more than 2**63 layouts cannot be numbered")

    def __dealloc__(self):
        PyMem_Free(self.c.ways)

    def __len__(self):
        return count_layouts(&self.c)

    def unrank(self, rank):
        """The four hands (bit masks) of layout number `rank`; IndexError outside 0 to len - 1."""
        cdef uint64_t[4] hands
        if not 0 <= rank < len(self):
            raise IndexError(f"layout {rank} of {len(self)}")
        unrank(&self.c, rank, hands)
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
                unrank(&self.c, ranks[i], &out[i, 0])

    def rank(self, hands):
        """The number of the layout with these four hands (bit masks); ValueError if it is none of them."""
        cdef const space_t* space = &self.c
        cdef int i, seat, owner, at = start(space)
        cdef uint64_t rank = 0, mask
        cdef uint64_t[4] held
        cdef int[4] room
        for seat in range(4):
            held[seat] = hands[seat]
            room[seat] = space.size[seat]
        for i in range(space.cards):
            mask = (<uint64_t>1) << space.card[i]
            owner = -1
            for seat in range(4):
                if held[seat] & mask:
                    held[seat] ^= mask
                    owner = seat
                    break
            if owner < 0 or not space.seats[i] >> owner & 1 or not room[owner]:
                raise ValueError("not a layout of this space")
            for seat in range(owner):
                if space.seats[i] >> seat & 1 and room[seat]:
                    rank += space.ways[at + step(space, seat)]
            room[owner] -= 1
            at += step(space, owner)
        if held[0] | held[1] | held[2] | held[3]:
            raise ValueError("not a layout of this space")
        return rank
