"""One hand by its open-card odds, and whether it may be laid down."""

import kopsim

hand, seat = "A♥ 10♣ Q♣ Q♦", 4
odds = kopsim.odds(hand, seat=seat, contract="zolo")
print(f"{hand} at seat {seat}: {odds.wins} of {odds.layouts} layouts with open cards")

may_be_laid_down = kopsim.guaranteed(hand, seat=seat, contract="zolo")
print("May be laid down:", "yes" if may_be_laid_down else "no")

# The price of losing by a point, doubled once: what each seat is paid.
print(kopsim.score("zolo", seat, points=52, doubling=["kontra"]).payments)
