"""Counts, from solved deals, how often each hand gets how many points in each role."""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from kopsim._coalitions cimport COALITIONS
from kopsim._rules cimport count_bits

cdef enum:
    MASKS = 1 << 16
    SEATS = 4
    ROLES = 5
    # What a hand can be in a deal; kopsim.roles says what each means.
    LONE = 0
    OLD = 1
    YOUNG = 2
    AGAINST = 3
    WESELE = 4


cdef inline int pair_points(const uint8_t* row, int i, int j, int total) noexcept nogil:
    """Points of seats i < j from the seven columns of a solved deal."""
    if i == 0:
        return row[4] if j == 1 else row[6] if j == 2 else total - row[5]
    if i == 1:
        return row[5] if j == 2 else total - row[6]
    return total - row[4]


cdef inline int of_pair(const uint8_t* row, int i, int j, int total) noexcept nogil:
    return pair_points(row, i, j, total) if i < j else pair_points(row, j, i, total)


cdef inline int holder(const uint64_t* hands, uint64_t card) noexcept nogil:
    for seat in range(SEATS):
        if hands[seat] & card:
            return seat
    return -1


cdef class Tally:
    """Adds up solved deals of a 16-card pack.

    total: points in the pack; old: masks of the two cards whose holders play
    together, (0, 0) for none; partners: masks of the cards that choose the partner
    of a player who holds both, best first.
    """
    cdef uint16_t* rank
    cdef uint64_t old[2]
    cdef uint64_t partner[16]
    cdef int partners
    cdef int total

    def __cinit__(self, int total, old, partners):
        cdef int mask, count = 0
        self.total = total
        self.old[0], self.old[1] = old
        self.partners = len(partners)
        for mask in range(self.partners):
            self.partner[mask] = partners[mask]
        self.rank = <uint16_t*>PyMem_Calloc(MASKS, sizeof(uint16_t))
        if not self.rank:
            raise MemoryError
        for mask in range(MASKS):
            if count_bits(mask) == 4:
                self.rank[mask] = count
                count += 1

    def __dealloc__(self):
        PyMem_Free(self.rank)

    def add(self, const uint64_t[:, ::1] hands, const uint8_t[:, ::1] points, int32_t[:, :, :, ::1] out):
        """Counts n deals: hands n x 4 masks, points n x 7 columns of _coalitions.

        out: roles x seats x 1820 hands x (total + 1) counts, added to.
        """
        cdef Py_ssize_t i
        if (out.shape[0] != ROLES or out.shape[1] != SEATS or out.shape[2] != 1820 or out.shape[3] != self.total + 1
                or hands.shape[1] != SEATS or points.shape[1] != COALITIONS or hands.shape[0] != points.shape[0]):
            raise ValueError("arrays of the wrong shape")
        with nogil:
            for i in range(hands.shape[0]):
                self._deal(&hands[i, 0], &points[i, 0], out)

    cdef void _deal(self, const uint64_t* hands, const uint8_t* row, int32_t[:, :, :, ::1] out) noexcept nogil:
        cdef int seat, first, second, partner, i
        cdef int[SEATS] place
        for seat in range(SEATS):
            place[seat] = self.rank[hands[seat]]
            out[LONE, seat, place[seat], row[seat]] += 1
        if not self.old[0]:
            return
        first, second = holder(hands, self.old[0]), holder(hands, self.old[1])
        if first != second:
            i = of_pair(row, first, second, self.total)
            for seat in range(SEATS):
                if seat == first or seat == second:
                    out[OLD, seat, place[seat], i] += 1
                else:
                    out[YOUNG, seat, place[seat], self.total - i] += 1
            return
        for seat in range(SEATS):
            if seat != first:
                out[AGAINST, seat, place[seat], self.total - row[first]] += 1
        for i in range(self.partners):
            partner = holder(hands, self.partner[i])
            if partner != first:
                out[WESELE, first, place[first], of_pair(row, first, partner, self.total)] += 1
                return
