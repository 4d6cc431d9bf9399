"""Jedna ręka w otwarte karty i to, czy wolno ją rzucić."""

import kopsim

reka, miejsce = "A♥ 10♣ D♣ D♦", 4
szanse = kopsim.odds(reka, seat=miejsce, contract="zolo")
print(f"{reka} na miejscu {miejsce}: {szanse.wins} z {szanse.layouts} rozkładów w otwarte karty")

wolno_rzucic = kopsim.guaranteed(reka, seat=miejsce, contract="zolo")
print("Wolno rzucić:", "tak" if wolno_rzucic else "nie")

# Ile kosztuje przegrana o punkt, raz podwojona: wypłaty miejsc 1-4.
print(kopsim.score("zolo", miejsce, points=52, doubling=["kontra"]).payments)
